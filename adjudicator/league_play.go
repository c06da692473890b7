package adjudicator

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/member"
	"berthier/adjudicator/league/result"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/setup"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
)

// goOn does what is due in a league: results are taken from the games that have news, who asked
// for it when he joined enters, rounds are paired by the rules, and the games that are due are made.
// Each of these is one change; wherever the office dies, it goes on from there. Games that are stuck are its error, at the end.
func (l leagues) goOn(ctx context.Context, id string) error {
	st, stuck := steward{l}, &stuckGames{}
	for _, do := range []func(context.Context, string) error{l.takeNews, l.takeWishes, st.merges, st.forgets, st.kin, st.dates, st.timeUp, st.finalize, st.substitutes, st.giveSeats, st.handOvers, st.silentUmpires, st.giveGames, l.follow, st.closeGames} {
		if err := do(ctx, id); err != nil && !stuck.take(err) {
			return err
		}
	}
	next, err := l.makeGames(ctx, id)
	if err != nil {
		return err
	}
	err = l.act(ctx, id, "office", "", store.Change{}, func(t *leagueTurn) error {
		now, held, err := leagueClock(l).now()
		if err != nil {
			return err
		}
		wake := t.Wake(now)
		if !wake.IsZero() && wake.Before(held) {
			wake = held
		}
		if !next.IsZero() && (wake.IsZero() || next.Before(wake)) {
			wake = next
		}
		t.change.Wake = map[string]time.Time{leaguePrefix + id: stuck.wakes(wake, l.office.now())}
		return l.office.read(func(tx store.Reader) error { // what came in meanwhile is not slept over
			if at, err := st.merging(tx, id, t.Season != nil && t.Season.Phase == season.Dividing); err != nil {
				return err
			} else if !at.IsZero() {
				t.change.Wake[leaguePrefix+id] = at
			}
			for _, prefix := range []string{newsPrefix, wishPrefix, endPrefix, seatPrefix, handPrefix, mastersPrefix} {
				if came, err := stuck.cameIn(tx, prefix+id+" "); err != nil {
					return err
				} else if came {
					t.change.Wake[leaguePrefix+id] = l.office.now()
				}
			}
			return nil
		})
	})
	return errors.Join(err, stuck.orNil())
}

// valuesOf gives what the store keeps under names that begin with a prefix.
func (l leagues) valuesOf(prefix string) (names []string, values [][]byte, err error) {
	err = l.office.read(func(tx store.Reader) error {
		return tx.Values(prefix, func(name string, data []byte) error {
			names, values = append(names, strings.TrimPrefix(name, prefix)), append(values, data)
			return nil
		})
	})
	return names, values, err
}

// without removes a value in a change, if it is still as it was read.
func without(name string, data []byte) (c store.Change) {
	c.PutValue(name, store.Value{Was: store.VersionOf(data)})
	return c
}

// takeNews takes the results of the games whose logs may say something else than before. That a
// game has news is forgotten with the same change that takes its result.
func (l leagues) takeNews(ctx context.Context, id string) error {
	prefix := newsPrefix + id + " "
	games, news, err := l.valuesOf(prefix)
	if err != nil {
		return err
	}
	return eachGame(games, func(i int, one string) error {
		err := l.act(ctx, id, "office", "", without(prefix+one, news[i]), func(t *leagueTurn) error { return t.take(one) })
		if err != nil && !errors.Is(err, store.ErrOutOfStep) { // out of step: there are newer news, which wake the league
			return fmt.Errorf("take result of %s: %w", one, err)
		}
		return nil
	})
}

// take takes the result of a game, if its log says another than the one in force. If that one is final
// the log notes what the game says now, and people decide what becomes of it.
func (t *leagueTurn) take(id string) error {
	v := t.SeasonOf(id)
	if v == nil {
		return nil
	}
	g := v.Game(id)
	var o season.Outcome
	var link season.Link
	var record *game.State
	var since time.Time
	err := t.office.read(func(tx store.Reader) (err error) {
		if o, link, err = resultOf(tx, t.leagues, id, 0); err != nil {
			return err
		}
		if o, err = wanted(t.leagues, tx, asksOf(v, id), id, 0, o); err != nil {
			return err
		}
		if record, err = game.Read(tx.Game(id)); err == nil {
			since, err = waitsSince(tx, record, t.office.now())
		}
		return err
	})
	if err == nil && v == t.Season {
		err = errors.Join(t.takeSeats(g, record), t.takeWaits(id, since))
	}
	said := g.Result
	if g.Claim != nil {
		said = g.Claim.Result
	}
	if err != nil || sameOutcome(o, said) {
		return err
	}
	if g.Final || v.Phase == season.Closed {
		return t.Do(book.Contested{Contested: season.Contested{Game: id, Link: link, Result: o}})
	}
	if record.Phase == game.Running && o.Kind != table.Open { // it is forfeited
		if err := t.endGame(id); err != nil {
			return err
		}
	}
	return t.Do(book.Resulted{Resulted: season.Resulted{Game: id, Link: link, Result: o}})
}

// asks is what a season wants to know of a game beside who has won it.
type asks struct {
	answered bool // who has answered: ratings of substitutes hang on it
	losses   bool // what each side has lost by the count of its ruleset: a tie hangs on it
}

// asksOf gives what a season wants to know of one of its games.
func asksOf(s *season.Season, id string) asks {
	a := asks{answered: s.SubsRated != ""}
	if at := s.DivisionOf(id); at >= 0 {
		a.losses = slices.Contains(s.Divisions[at].Table.Ties, table.LossesInflicted)
	}
	return a
}

// wanted makes of what the log of a game says, up to an entry (0: up to its end), what its season wants to know.
func wanted(l leagues, tx store.Reader, want asks, id string, upTo int, o season.Outcome) (season.Outcome, error) {
	if !want.answered {
		o.Answered, o.Bots = nil, nil
	}
	if !want.losses || o.Kind != table.Played && o.Kind != table.Adjudicated {
		return o, nil
	}
	var before, last uint64 // entries that led to the last position, and to the one before it
	err := tx.Entries(id, 0, func(e chain.Entry) error {
		head, err := log.Decode(e.Body, nil)
		if err != nil {
			err = game.Unfit(err)
		} else if head.Kind == log.KindResolved && (upTo == 0 || e.Seq <= uint64(upTo)) {
			before, last = last, e.Seq
		}
		return err
	})
	if err != nil || before == 0 {
		return o, err
	}
	scores, err := scoresAt(l, tx, id, before)
	if len(scores) == len(o.Places) {
		for _, s := range scores {
			o.Inflicted = append(o.Inflicted, int64(s.Inflicted))
		}
	}
	return o, err
}

// sameOutcome tells whether two outcomes say the same.
func sameOutcome(a, b season.Outcome) bool {
	return a.Kind == b.Kind && slices.Equal(a.Places, b.Places) && slices.Equal(a.Missed, b.Missed) && slices.Equal(a.Inflicted, b.Inflicted) && a.Secretary == b.Secretary &&
		slices.EqualFunc(a.Answered, b.Answered, slices.Equal) && slices.Equal(a.Bots, b.Bots)
}

// resultOf reads the result of a game in its log, up to an entry; 0: up to its end.
func resultOf(tx store.Reader, l leagues, id string, upTo int) (season.Outcome, season.Link, error) {
	entries, err := entriesOf(tx, id)
	if err != nil {
		return season.Outcome{}, season.Link{}, err
	}
	if upTo > 0 && upTo < len(entries) {
		entries = entries[:upTo]
	}
	if len(entries) == 0 {
		return season.Outcome{}, season.Link{}, game.Unfit(fmt.Errorf("game %s has no log", id))
	}
	sides, err := l.sidesOf(entries[0])
	if err != nil {
		return season.Outcome{}, season.Link{}, fmt.Errorf("read sides of %s: %w", id, err)
	}
	o, link, err := result.Of(entries, sides)
	if err != nil {
		err = game.Unfit(err)
	}
	return o, link, err
}

// sidesOf gives the sides of a game in the order of its rules, from the first entry of its log. Its error is [game.ErrUnfit].
func (l leagues) sidesOf(first chain.Entry) ([]engine.Side, error) {
	var made log.Made
	if _, err := log.Read(first, &made); err != nil {
		return nil, game.Unfit(err)
	}
	rules := l.office.systems[made.System]
	if rules == nil {
		return nil, game.Unfit(fmt.Errorf("the program has no ruleset %q", made.System))
	}
	position, err := rules.New(engine.Setup{Scenario: made.Scenario, Options: made.Options, Data: []byte(made.Data)})
	if err != nil {
		return nil, game.Unfit(err)
	}
	return position.Sides(), nil
}

// follow lets happen what follows by the rules: rounds of Swiss divisions, and the end of play.
func (l leagues) follow(ctx context.Context, id string) error {
	return l.act(ctx, id, "office", "", store.Change{}, func(t *leagueTurn) error {
		for {
			next, err := t.Next()
			if err != nil || next == nil {
				return err
			}
			if err := t.Do(next); err != nil {
				return err
			}
			if off, ok := next.(book.PlayedOff); ok {
				for _, p := range off.Playoffs {
					for _, m := range p.Members {
						if err := t.tell(m, phrase.Say("league.playoff.you", phrase.Literal("league", id), phrase.Literal("upper", p.Upper), phrase.Literal("lower", p.Lower))); err != nil {
							return err
						}
					}
				}
			}
		}
	})
}

// makeGames makes the games that are due, of so many pairings as may begin within this hour. Others that
// are due wait for the next hour, whose beginning it gives; zero if nothing waits. A game that is there already,
// since the office died before the league's log had it, is known by its league and its players.
func (l leagues) makeGames(ctx context.Context, id string) (next time.Time, err error) {
	for {
		var most int
		if err := l.look(id, func(b *openBook) error { most, next = b.MayBegin(l.office.now()); return nil }); err != nil || most == 0 {
			return next, err
		}
		if made, err := (steward{l}).makeSome(ctx, id, most); err != nil || made == 0 {
			return time.Time{}, err
		}
	}
}

// makeSome makes the games of so many pairings that are due, and tells of how many it has.
func (l steward) makeSome(ctx context.Context, id string, most int) (made int, err error) {
	var due []book.Pairing
	if err := l.look(id, func(b *openBook) error { due = b.Due(); return nil }); err != nil {
		return 0, err
	}
	for _, p := range due {
		if made == most {
			break
		}
		did, err := l.makePairing(ctx, id, &p)
		if err != nil {
			return made, err
		}
		if did {
			made++
		}
	}
	return made, nil
}

// makePairing makes the games of a pairing, unless nobody may rule on them, or one of its members has
// withdrawn since it was due.
func (l steward) makePairing(ctx context.Context, id string, due *book.Pairing) (made bool, err error) {
	var sets []*setup.Setup
	var umpire string
	var brought []book.Bring
	err = l.look(id, func(b *openBook) error {
		if made = season.Stands(b.Season, due.Division, due.Pairing); !made {
			return nil
		}
		r, err := l.rotaOf(b)
		if err != nil {
			return err
		}
		if umpire, err = r.choose(due.Division, due.Games[0].Members); err != nil || umpire == "" {
			made = false
			return err
		}
		brought = b.BroughtFor(*due)
		for _, planned := range due.Games {
			one, err := l.gameSetup(b, r.setup, due, planned, umpire)
			if err != nil {
				return err
			}
			sets = append(sets, one)
		}
		return nil
	})
	if err != nil || !made {
		return false, err
	}
	begun := season.Made{Pairing: due.Pairing}
	var adopted []string
	for i, s := range sets {
		one := due.Games[i].ID
		for _, x := range brought {
			if len(sets) > 1 && !slices.Equal(x.Seats, due.Games[i].Members) || slices.Contains(adopted, x.Game) || one != due.Games[i].ID {
				continue
			}
			taken, err := l.adopt(ctx, x, s, id)
			if err != nil {
				return false, err
			}
			if taken {
				one, adopted = x.Game, append(adopted, x.Game)
				if len(sets) == 1 {
					begun.Seats = x.Seats
				}
			}
		}
		if one == due.Games[i].ID {
			if err := l.makeGame(ctx, s, id); err != nil {
				return false, err
			}
		}
		begun.Games = append(begun.Games, one)
	}
	return true, l.act(ctx, id, "office", "", store.Change{}, func(t *leagueTurn) error {
		begun.Division = t.Season.Divisions[due.Division].ID
		for _, one := range adopted { // it gets its umpire, and what its log says by now is read
			if err := errors.Join(t.put(mastersPrefix+id+" "+one, "adopted"), t.put(newsPrefix+id+" "+one, "adopted")); err != nil {
				return err
			}
		}
		running := t.rota.running // games begin by the thousand, and only this changes with them
		if err := t.Do(book.Playing{Made: begun, Umpire: umpire, Hour: l.office.now().Truncate(time.Hour)}); err != nil {
			return err
		}
		if running != nil {
			running[mailbox.Clean(umpire)] += len(begun.Games)
			t.rota.running = running
		}
		return tellSameClub(t, begun.Games, umpire)
	})
}

// makeGame makes a game, unless it is there already.
func (l leagues) makeGame(ctx context.Context, s *setup.Setup, id string) error {
	err := l.office.Clerk().newGame(ctx, s, nil, store.Change{})
	if !errors.Is(err, ErrExists) {
		return err
	}
	return l.office.read(func(tx store.Reader) error {
		g, err := game.Read(tx.Game(s.Game))
		if err == nil && g.League != id {
			err = fmt.Errorf("make game %s of league %s: %w", s.Game, id, ErrExists)
		}
		return err
	})
}

// gameSetup is the set-up of a game of a pairing: that of its division, with the players, the
// umpire and, of their paces, the one that stands further down in the league's set-up.
func (l leagues) gameSetup(b *openBook, s *league.Setup, p *book.Pairing, planned book.Planned, umpire string) (*setup.Setup, error) {
	d := divisionOf(s, b.SetUpAs(p.Division))
	seats, pace := orders.Mapping(), 0
	sides, err := l.sidesIn(d)
	if err != nil {
		return nil, err
	}
	for i, id := range planned.Members {
		m, err := l.club().get(id)
		if err != nil {
			return nil, err
		}
		seats.Set(string(sides[i]), personNode(m))
		pace = max(pace, slices.IndexFunc(s.Deadlines, func(x league.Deadlines) bool { return x.Name == b.Wishes[id].Deadlines }))
	}
	title := s.Title
	if title == "" {
		title = s.League
	}
	whole := d.Game.Clone().Set("game", orders.Text(planned.ID)).Set("title", orders.Text(title)).Set("seats", seats).
		Set("gm", orders.Inline().Set("address", orders.Text(umpire))).Set("deadline", s.Deadlines[pace].Rule.Clone()).
		Set("silence", orders.Inline().Set("bot", orders.Number(s.Bot)).Set("replace", orders.Number(s.Replace))).Set("proof", orders.Text(s.Members.Proof))
	made, problems := l.office.Clerk().setReader().ReadNode(whole, nil, nil)
	if len(problems) > 0 {
		return nil, fmt.Errorf("make game %s: %w", planned.ID, problems)
	}
	made.League, made.Absence, made.Silence.Forfeit = s.League, s.Absence, s.Forfeit
	return made, nil
}

// personNode writes a member as a set-up of a game has him.
func personNode(m *member.Member) *orders.Node {
	n := orders.Inline().Set("address", orders.Text(m.Addresses[0]))
	for _, field := range [][2]string{{"name", m.Name}, {"language", m.Language}, {"zone", m.Zone}} {
		if field[1] != "" {
			n.Set(field[0], orders.Text(field[1]))
		}
	}
	return n
}

// sidesIn gives the sides of a division's games in the order of the rules.
func (l leagues) sidesIn(d league.Division) ([]engine.Side, error) {
	sides := l.reader(nil).Sides(d.Game)
	if len(sides) == 0 {
		return nil, fmt.Errorf("the games of division %s have no sides", d.ID)
	}
	return sides, nil
}

// verify checks the log of a league: its chain; that everything in it can have happened, with the
// lots and rounds drawn again; and that each result that was taken is what the log of its game said
// there. It gives all that is wrong.
func (l leagues) verify(id string) (faults []error, err error) {
	err = l.office.read(func(tx store.Reader) error {
		entries, err := entriesOf(tx, leaguePrefix+id)
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			return fmt.Errorf("verify league %q: %w", id, ErrNoLeague)
		}
		if err := store.Verify(tx, leaguePrefix+id); err != nil {
			faults = append(faults, err)
		}
		if _, err := book.Replay(entries); err != nil {
			faults = append(faults, err)
		}
		wants, b := map[string]asks{}, &book.Book{} // by games
		for _, e := range entries {
			_, in, err := book.Read(e)
			if err != nil {
				continue // the replay has said so
			}
			if changed, ok := in.(book.Changed); ok && !amendedAs(b, changed) {
				faults = append(faults, fmt.Errorf("entry %d: the set-up changes what may not change during a season", e.Seq))
			}
			if err := ratedAs(l, b, in); err != nil {
				faults = append(faults, fmt.Errorf("entry %d: %w", e.Seq, err))
			}
			_ = b.Follow(in) // the replay has said so
			if made, ok := in.(book.Playing); ok && b.Season != nil {
				for _, one := range made.Games {
					wants[one] = asksOf(b.Season, one)
				}
			}
			if err := l.verifyEntry(tx, wants, in); err != nil {
				faults = append(faults, fmt.Errorf("entry %d: %w", e.Seq, err))
			}
		}
		return nil
	})
	return faults, err
}

// verifyEntry checks what an entry of a league's log says of a game.
func (l leagues) verifyEntry(tx store.Reader, wants map[string]asks, in book.Input) error {
	switch in := in.(type) {
	case book.Resulted:
		return l.verifyResult(tx, wants[in.Game], in.Game, in.Link, in.Result)
	case book.Contested:
		return l.verifyResult(tx, wants[in.Game], in.Game, in.Link, in.Result)
	case book.Prolonged:
		turn, last, err := turnsAt(l, tx, in.Game, uint64(in.Head))
		if err == nil && (turn != in.Turn || last != in.Last) {
			err = fmt.Errorf("%s was in turn %d of %d and not %d of %d", in.Game, turn, last, in.Turn, in.Last)
		}
		return err
	case book.Counted:
		points, err := l.pointsAt(tx, in.Game, uint64(in.Head))
		if err == nil && !slices.Equal(points, in.Points) {
			err = fmt.Errorf("%s stood at %v and not at %v", in.Game, points, in.Points)
		}
		return err
	}
	return nil
}

// verifyResult checks that a result is what the log of its game said.
func (l leagues) verifyResult(tx store.Reader, want asks, id string, link season.Link, said season.Outcome) error {
	e, ok, err := tx.Entry(id, uint64(link.Number))
	if err != nil {
		return err
	}
	if !ok || hex.EncodeToString(e.Hash[:]) != link.Hash {
		return fmt.Errorf("the result of %s rests on entry %d, which its log does not have", id, link.Number)
	}
	o, _, err := resultOf(tx, l, id, link.Number)
	if err != nil {
		return err
	}
	if o, err = wanted(l, tx, want, id, link.Number, o); err != nil {
		return err
	}
	if !sameOutcome(o, said) {
		return fmt.Errorf("the result of %s is not what its log said at entry %d", id, link.Number)
	}
	return nil
}
