package adjudicator

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/engine"
)

// A steward lets happen what follows in a season without anybody asking for it.
type steward struct{ leagues }

// endPrefix begins the name of a stored value; the league's and the game's id follow. The value says that the league has decided the
// game, which is to be closed. It is written with the decision, so a game is closed even if the office dies in between.
const endPrefix = "league-end "

// endGame has a game closed, once what the turn does is committed.
func (t *leagueTurn) endGame(id string) error {
	return t.put(endPrefix+t.League+" "+id, "decided")
}

// put keeps a value under a name, whatever stands there.
func (t *leagueTurn) put(name, data string) error {
	return t.office.read(func(tx store.Reader) error {
		v := t.change.ValueIn(tx, name)
		v.Data = []byte(data)
		t.change.PutValue(name, v)
		return nil
	})
}

// closeGames closes the games that the league has decided.
func (l steward) closeGames(ctx context.Context, id string) error {
	prefix := endPrefix + id + " "
	games, values, err := l.valuesOf(prefix)
	if err != nil {
		return err
	}
	return eachGame(games, func(i int, one string) error {
		err := l.office.Clerk().Close(ctx, one, "")
		var refused *game.RefusedError
		if err != nil && !errors.As(err, &refused) { // refused: it is over already
			return fmt.Errorf("close %s, which its league has decided: %w", one, err)
		}
		if err := l.office.store.Commit(ctx, without(prefix+one, values[i])); err != nil && !errors.Is(err, store.ErrOutOfStep) {
			return err
		}
		return nil
	})
}

// timeUp does what follows when the time of a season has ended: what was not begun is not played, and
// each game that is not over is decided by the count of its ruleset, in one change each.
func (l steward) timeUp(ctx context.Context, id string) error {
	var open []string
	lapses := false
	now, _, err := leagueClock{l.office}.now()
	if err != nil {
		return err
	}
	err = l.look(id, func(b *openBook) error {
		if b.Season == nil || !b.Season.TimeUp(now) {
			return nil
		}
		lapses = b.Season.Lapses()
		open = season.Uncounted(b.Season, now)
		return nil
	})
	if err != nil {
		return err
	}
	if lapses {
		if err := l.act(ctx, id, "office", "", store.Change{}, func(t *leagueTurn) error { return t.Do(book.Lapsed{}) }); err != nil {
			return err
		}
	}
	return eachGame(open, func(_ int, one string) error {
		if err := l.act(ctx, id, "office", "", store.Change{}, func(t *leagueTurn) error { return t.count(one) }); err != nil {
			return fmt.Errorf("count %s: %w", one, err)
		}
		return nil
	})
}

// count decides a game by the count of its ruleset.
func (t *leagueTurn) count(id string) error {
	var in season.Counted
	err := t.office.read(func(tx store.Reader) error {
		g, err := game.Read(tx.Game(id))
		if err != nil {
			return err
		}
		end := tx.Last(id)
		in = season.Counted{Game: id, Link: season.Link{Number: int(end.Seq), Hash: hex.EncodeToString(end.Hash[:])}, Head: int(g.Head)}
		in.Points, err = t.pointsAt(tx, id, g.Head)
		return err
	})
	if err != nil {
		return err
	}
	return errors.Join(t.endGame(id), t.Do(book.Counted{Counted: in}))
}

// pointsAt gives who was ahead in a game after an entry of its log, by the players' sides as they began, in
// their order; none: its ruleset does not count, or had nothing to count yet.
func (l leagues) pointsAt(tx store.Reader, id string, head uint64) (points []int64, err error) {
	scores, err := scoresAt(l, tx, id, head)
	for _, s := range scores {
		points = append(points, int64(s.Points))
	}
	return points, err
}

// scoresAt counts how a game stood after an entry of its log, as pointsAt does.
func scoresAt(l leagues, tx store.Reader, id string, head uint64) ([]engine.Score, error) {
	entries, err := entriesOf(tx, id)
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, game.Unfit(fmt.Errorf("game %s has no log", id))
	}
	var made log.Made
	if _, err := log.Read(entries[0], &made); err != nil {
		return nil, game.Unfit(err)
	}
	rules, counts := l.office.systems[made.System].(engine.Scored)
	position, err := positionAt(l, tx, id, made.System, head)
	if err != nil || !counts || position == nil {
		return nil, err
	}
	sides := slices.Clone(position.Sides())
	score := rules.Score(position.View(sides[0]))
	for _, e := range entries { // players who have changed seats
		if e.Seq > head {
			break
		}
		var x log.Exchange
		if h, err := log.Decode(e.Body, nil); err == nil && h.Kind == log.KindExchanged {
			if _, err := log.Read(e, &x); err != nil {
				return nil, game.Unfit(err)
			}
			for i, side := range sides {
				sides[i] = x.Other(side)
			}
		}
	}
	var all []engine.Score
	for _, side := range sides {
		if i := slices.IndexFunc(score, func(s engine.Score) bool { return s.Side == side }); i >= 0 {
			all = append(all, score[i])
		}
	}
	return all, nil
}

// positionAt gives the position to which an entry of a game's log led; nil: none is kept.
func positionAt(l leagues, tx store.Reader, id, system string, head uint64) (position engine.Position, err error) {
	data, err := positionsOf(tx, id)(head)
	if data == nil || err != nil {
		return nil, err
	}
	kept, err := log.Unpack(data)
	if rules := l.office.systems[system]; err == nil && rules != nil {
		position, err = rules.Load(kept.Snapshot)
	}
	if err != nil {
		return nil, game.Unfit(fmt.Errorf("read position of %s: %w", id, err))
	}
	return position, nil
}

// turnsAt gives the turn of a game that was being played after an entry of its log, and the last one that it could have;
// zeros: its ruleset does not tell.
func turnsAt(l leagues, tx store.Reader, id string, head uint64) (turn, last int, err error) {
	first, there, err := tx.Entry(id, 1)
	if err != nil {
		return 0, 0, err
	}
	var made log.Made
	if !there {
		return 0, 0, game.Unfit(fmt.Errorf("game %s has no log", id))
	}
	if _, err := log.Read(first, &made); err != nil {
		return 0, 0, game.Unfit(err)
	}
	position, err := positionAt(l, tx, id, made.System, head)
	if ending, ok := position.(engine.Ending); ok && err == nil {
		turn, last = ending.TurnNumber(), ending.LastTurn()
	}
	return turn, last, err
}

// nearEnd tells whether a game may be given more time than its season has.
func nearEnd(l leagues, id string) (near bool, err error) {
	err = l.office.read(func(tx store.Reader) error {
		g, err := game.Read(tx.Game(id))
		if err != nil || g.Phase != game.Running {
			return err
		}
		turn, last, err := turnsAt(l, tx, id, g.Head)
		near = season.Near(turn, last)
		return err
	})
	return near, err
}

// prolong gives a game more time than the season has, if it is near its end.
func prolong(t *leagueTurn, r LeagueRuling, by string) error {
	if !r.Until.IsZero() {
		return game.Refuse("league.act.until-or-about")
	}
	in := season.Prolonged{Game: r.Game, By: by, Reason: r.Reason}
	if v := t.SeasonOf(r.Game); v != nil && v == t.Season {
		if err := t.office.read(func(tx store.Reader) error {
			g, err := game.Read(tx.Game(r.Game))
			if err != nil {
				return err
			}
			in.Head = int(g.Head)
			in.Turn, in.Last, err = turnsAt(t.leagues, tx, r.Game, g.Head)
			return err
		}); err != nil {
			return err
		}
	}
	return t.Do(book.Prolonged{Prolonged: in})
}

// prolonged tells of the game that a ruling has prolonged; nil: it has prolonged none.
func prolonged(t *leagueTurn, r LeagueRuling) *ProlongedGame {
	if r.Kind != "extend" || r.Game == "" {
		return nil
	}
	g := t.Season.Game(r.Game)
	return &ProlongedGame{Turn: g.Turn, Last: g.Last, Until: g.Until}
}

// finalize makes those results final which nothing has changed for so long as the season's plan
// says, and about whose games no dispute is open.
func (l steward) finalize(ctx context.Context, id string) error {
	var stuck error
	err := l.act(ctx, id, "office", "", store.Change{}, func(t *leagueTurn) error {
		if t.Season == nil || t.Season.Phase != season.Running && t.Season.Phase != season.Settling {
			return nil
		}
		now, _, err := leagueClock{l.office}.now()
		if err != nil {
			return err
		}
		ripe, _ := t.Season.Ripe(now)
		err = l.office.read(func(tx store.Reader) error {
			var quiet []string
			stuck = eachGame(ripe, func(_ int, one string) error {
				g, err := game.Read(tx.Game(one))
				if err == nil && len(g.Disputes) == 0 && !t.Protested(one) {
					quiet = append(quiet, one)
				}
				return err
			})
			ripe = quiet
			return nil
		})
		if err != nil || len(ripe) == 0 {
			return err
		}
		return t.Do(book.Final{Final: season.Final{Games: ripe}})
	})
	if err != nil {
		return err
	}
	return stuck
}
