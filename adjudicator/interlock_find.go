package adjudicator

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
)

// What the interlocks ask of all games is found by the tags that games have ([game.Tags]), so that an office
// with very many of them answers as quickly as a small one.

// tagged calls f for the tags from one on and before another, in their order, with the games that have them, until it returns
// errEnough. Games whose record was written by a program that knew of no tags are read instead, and come last, in no order: f is
// called for all tags of theirs, whatever it returns.
func (w *watch) tagged(tx store.Reader, from, before string, f func(tag, id string) error) error {
	if err := tx.Tagged(from, before, f); err != nil && !errors.Is(err, errEnough) {
		return err
	}
	return tx.Untagged(func(id string, record []byte) error {
		g, err := game.Read(record)
		if err != nil { // it must not keep the others waiting
			w.office.log.Error("record not readable", "game", id, "error", err)
			return nil
		}
		for _, tag := range game.Tags(g) {
			if tag >= from && tag < before {
				_ = f(tag, id) // which only tells how to go on among the others
			}
		}
		return nil
	})
}

// behindAll is behind all tags of a kind.
func behindAll(kind string) string { return kind + "\U0010ffff" }

// tagsTogether is how many games are given tags at the same time: stores commit together what comes together.
const tagsTogether = 24

// tagGames gives tags to the games that have none: a program of before wrote them. As long as one has none it is read
// whenever games are looked for; so it is no fault if that can't be written.
func (l loop) tagGames(ctx context.Context) error {
	o := l.office
	var ids []string
	if err := o.read(func(tx store.Reader) error {
		return tx.Untagged(func(id string, _ []byte) error { ids = append(ids, id); return nil })
	}); err != nil || len(ids) == 0 {
		return err
	}
	next := make(chan string)
	var wg sync.WaitGroup
	var failed atomic.Int64
	for range tagsTogether {
		wg.Go(func() {
			for id := range next {
				if err := store.Again(ctx, func() error { return l.tagGame(ctx, id) }); err != nil {
					failed.Add(1)
				}
			}
		})
	}
	for _, id := range ids {
		next <- id
	}
	close(next)
	wg.Wait()
	if n := failed.Load(); n > 0 {
		o.log.Warn("games without tags are read whenever games are looked for", "games", n)
	}
	return nil
}

// tagGame gives a game the tags of its record.
func (l loop) tagGame(ctx context.Context, id string) error {
	kept, err := l.office.store.Load(ctx, id)
	if err != nil {
		return err
	}
	c := store.Change{Game: id, After: kept.End, Was: store.VersionOf(kept.Record)}
	if c.Tags, err = tagsIn(kept.Record); err != nil {
		return err
	}
	return l.office.store.Commit(ctx, c)
}

// tagsIn gives the tags of a record.
func tagsIn(record []byte) ([]string, error) {
	g, err := game.Read(record)
	if err != nil {
		return nil, err
	}
	return game.Tags(g), nil
}

// gameMasters are the game masters of all running games and those who may make
// games, each address once, by address, as the first of his games names him.
func (w *watch) gameMasters() ([]log.Person, error) {
	o := w.office
	all := map[string]log.Person{}
	err := o.read(func(tx store.Reader) error {
		first := map[string]string{}
		if err := w.tagged(tx, game.TagMaster, behindAll(game.TagMaster), func(tag, id string) error {
			if was, known := first[tag]; !known || id < was {
				first[tag] = id
			}
			return store.ErrNextTag
		}); err != nil {
			return err
		}
		return w.eachOf(tx, slices.Sorted(maps.Values(first)), func(g *game.State) error {
			all[g.GM.Address] = g.GM
			return nil
		})
	})
	for _, p := range o.opt.GMs {
		all[p.Address] = p
	}
	var people []log.Person
	for _, address := range slices.Sorted(maps.Keys(all)) {
		people = append(people, all[address])
	}
	return people, err
}

// eachOf calls f with the record of each of some games whose clock runs. A game that can't be read is left out.
func (w *watch) eachOf(tx store.Reader, ids []string, f func(*game.State) error) error {
	for _, id := range ids {
		g, err := game.Read(tx.Game(id))
		if err != nil {
			w.office.log.Error("record not readable", "game", id, "error", err)
			continue
		}
		if g.Phase != game.Running || !g.Paused.IsZero() {
			continue
		}
		if err := f(g); err != nil {
			return err
		}
	}
	return nil
}

// firstMade is when the first of the running games was made, or a moment if none was before that.
func (w *watch) firstMade(at time.Time) (time.Time, error) {
	o := w.office
	err := o.read(func(tx store.Reader) error {
		return w.tagged(tx, game.TagCreated, game.TagCreated+game.TagMoment(at), func(tag, _ string) error {
			if made := game.TagTime(tag, game.TagCreated); made.Before(at) {
				at = made
			}
			return errEnough
		})
	})
	return at, err
}

// atRisk gives the games in which a seat is at risk of a default within a grace of a moment ([game.AtRisk]), or those of them that are
// named, in the order of their ids.
func (w *watch) atRisk(well time.Time, only []string) (ids []string, err error) {
	o := w.office
	err = o.read(func(tx store.Reader) error {
		if only != nil {
			return w.eachOf(tx, only, func(g *game.State) error {
				if slices.ContainsFunc(g.Seats, func(s *game.Seat) bool { return game.AtRisk(g, s, well, o.opt.Grace) }) {
					ids = append(ids, g.ID)
				}
				return nil
			})
		}
		found := map[string]bool{}
		note := func(_, id string) error { found[id] = true; return nil }
		err := errors.Join(w.tagged(tx, game.TagRisk, game.TagRisk+game.TagMoment(well), note),
			w.tagged(tx, game.TagLate, game.TagLate+game.TagMoment(well.Add(o.opt.Grace)), note))
		ids = slices.Sorted(maps.Keys(found))
		return err
	})
	return ids, err
}

// dueByDefault gives the games that are due and in which a seat would be resolved by default.
func (w *watch) dueByDefault(upto time.Time) (due []*game.State, err error) {
	err = w.office.read(func(tx store.Reader) error {
		for _, id := range tx.Waking(upto, math.MaxInt32) {
			g, err := game.Read(tx.Game(id))
			if err != nil {
				continue // taking the game up tells this
			}
			if slices.ContainsFunc(g.Seats, func(s *game.Seat) bool { return s.Defaults(upto) }) {
				due = append(due, g)
			}
		}
		return nil
	})
	return due, err
}

// silentAt tells whether a seat counts as silent at a moment: it owes an answer whose deadline has passed, and that was lately or it
// would be resolved by default now.
func silentAt(s *game.Seat, upto time.Time) bool {
	o := s.Owes
	return s.Played() && !s.Stands() && o != nil && o.Answer == nil && !o.Deadline.IsZero() && !o.Deadline.After(upto) &&
		(o.Deadline.After(upto.Add(-silenceSpan)) || s.Defaults(upto))
}

// tooSilent gives those of the games that are due by default in which so many are silent, or in all
// games, that they are to be held back.
func (w *watch) tooSilent(upto time.Time, due []*game.State) (held []string, err error) {
	due = slices.DeleteFunc(slices.Clone(due), func(g *game.State) bool { return g.Phase != game.Running || !g.Paused.IsZero() })
	var asked []*game.State // that may be held back
	least := 100            // of their shares
	for _, g := range due {
		if share := g.Silence.Percent(); share < 100 && slices.ContainsFunc(g.Seats, func(s *game.Seat) bool { return silentAt(s, upto) }) &&
			slices.ContainsFunc(g.Seats, func(s *game.Seat) bool { return s.Defaults(upto) && s.Owes.Held == "" }) {
			asked, least = append(asked, g), min(least, share)
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	all, err := w.count(upto, due, least)
	if err != nil {
		return nil, err
	}
	for _, g := range asked {
		share := g.Silence.Percent()
		quiet, owing := 0, 0
		for _, s := range g.Seats {
			if s.Owes == nil || !s.Played() || s.Stands() {
				continue
			}
			owing++
			if s.Owes.Answer == nil && !s.Owes.Deadline.After(upto) {
				quiet++
			}
		}
		if here := quiet >= fewestSilent && quiet*100 > share*owing; here || all.tooSilent(share) {
			held = append(held, g.ID)
		}
	}
	return held, nil
}

// A headcount is of the seats of all games.
type headcount struct{ silent, in, heard int }

// tooSilent tells whether more than a share of the sides of several games is silent.
func (c headcount) tooSilent(share int) bool {
	return c.silent >= fewestOverall && c.in > 1 && c.silent*100 > share*(c.silent+c.heard)
}

// count counts who is silent, in how many games, and who was heard of, but these only as long as it may make a difference for
// any share from the least on. A seat is silent whose deadline has passed lately, in any game, or which would be resolved by default, which
// only those of games that are due would.
func (w *watch) count(upto time.Time, due []*game.State, least int) (c headcount, err error) {
	o, lately := w.office, upto.Add(-silenceSpan)
	in := map[string]bool{}
	for _, g := range due {
		for _, s := range g.Seats {
			if silentAt(s, upto) && !s.Owes.Deadline.After(lately) {
				c.silent++
				in[g.ID] = true
			}
		}
	}
	err = o.read(func(tx store.Reader) error {
		if err := w.tagged(tx, game.TagSilent+game.TagAfter(lately), game.TagUpTo(game.TagSilent, upto), func(_, id string) error {
			c.silent++
			in[id] = true
			return nil
		}); err != nil {
			return err
		}
		if c.in = len(in); c.silent < fewestOverall || c.in <= 1 {
			return nil
		}
		return w.tagged(tx, game.TagHeard+game.TagAfter(lately), behindAll(game.TagHeard), func(tag, _ string) error {
			if game.TagHeardOf(tag, upto) {
				c.heard++
			}
			if !c.tooSilent(least) {
				return errEnough
			}
			return nil
		})
	})
	return c, err
}
