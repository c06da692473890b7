package adjudicator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/shelf"
	"berthier/adjudicator/store"
)

// Once a day, and when the clock has been put back, the outbox and the shelf are looked over. What a clock that had jumped put off for years is
// sent, or looked at again, and what lies on the shelf without anything that leads to it is removed when it has lain there for a week: until then
// it may be another member's that is about to say where it has put a game, or a database that was restored may be exchanged again
// for the one before, which knows it.

const (
	sweepAgain = 24 * time.Hour
	straysName = "strays"           // the value that says since when each such file was seen
	strayFor   = 7 * 24 * time.Hour // is how long it stays
)

// A lookedOver is when the shelf was last looked over.
type lookedOver struct {
	mu sync.Mutex
	at time.Time
}

// due tells whether the shelf is to be looked over, and notes that it is.
func (w *lookedOver) due(now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.at.IsZero() && !now.Before(w.at) && now.Before(w.at.Add(sweepAgain)) {
		return false
	}
	w.at = now
	return true
}

// lookOver looks the shelf over, if that is due. No deadline waits for it: what fails is told in the log, and tried again.
func (s shelving) lookOver(ctx context.Context) {
	o := s.office
	if !o.swept.due(o.now()) {
		return
	}
	for _, do := range []func(context.Context) error{s.sendLate, s.wakeLate, s.clearStrays} {
		if err := o.guarded(func() error { return store.Again(ctx, func() error { return do(ctx) }) }); err != nil {
			o.log.Error("what waits, and what was put away, is not looked over", "error", err)
		}
	}
}

// sendLate has sent now what waits in the outbox for a time that a wrong clock has set.
func (s shelving) sendLate(ctx context.Context) error {
	n, err := s.office.box.WakeLate(ctx)
	if n > 0 {
		s.office.log.Warn("the clock had jumped: letters that it put off are sent now", "letters", n)
	}
	return err
}

// wakeLate has looked at now what is to be looked at so late that a clock must have jumped; the week's letters go on when it is their time.
func (s shelving) wakeLate(ctx context.Context) error {
	o, now := s.office, s.office.now()
	c := store.Change{Wake: map[string]time.Time{}}
	if err := o.read(func(tx store.Reader) error {
		all, ok := tx.(interface {
			Wakes(f func(game string, at time.Time) error) error
		})
		if !ok {
			return nil
		}
		return all.Wakes(func(name string, at time.Time) error {
			if name == weeklyWake {
				in, err := weeklyInTime(tx, at, now)
				switch {
				case err != nil: // what waits beside them does not wait for it
					o.log.Error("nobody can say when the week's letters go on", "error", err)
				case !in.Equal(at):
					c.Wake[name] = in
				}
				return nil
			}
			late := at.After(now.Add(awayAgain))
			if id, is := strings.CutPrefix(name, awayWake); is && late {
				a, err := awayOf(tx, id)
				if err != nil {
					return err
				}
				late = a.late(at, now)
			} else if !is && !strings.HasPrefix(name, leftWake) && !strings.HasPrefix(name, packWake) {
				return nil
			}
			if late {
				c.Wake[name] = now
			}
			return nil
		})
	}); err != nil || len(c.Wake) == 0 {
		return err
	}
	o.log.Warn("the clock had jumped: what it put off is looked at in its time", "wakes", len(c.Wake))
	return o.store.Commit(ctx, c)
}

// late tells whether a game wakes later than it can by a clock that is right. What is not put away wakes after its days of grace.
func (a *away) late(at, now time.Time) bool {
	grace := now.Add(awayAfter)
	if a == nil || !a.Gone.IsZero() {
		return at.After(grace)
	}
	return a.Condemned.After(now) || at.After(grace) && (a.Until.IsZero() || at.After(a.Until.Add(condemnedFor)))
}

// clearStrays removes files to which nothing has led for a week.
func (s shelving) clearStrays(ctx context.Context) error {
	o, now := s.office, s.office.now()
	if o.shelf.None() {
		return nil
	}
	var (
		c     store.Change
		v     store.Value
		names []string
	)
	since := map[string]time.Time{}
	if err := o.read(func(tx store.Reader) (err error) {
		if v = c.ValueIn(tx, straysName); v.Data != nil {
			err = json.Unmarshal(v.Data, &since)
		}
		if err == nil && s.ours(tx, false) == nil {
			names, err = s.strays(tx)
		}
		return err
	}); err != nil {
		return fmt.Errorf("look for files to which nothing leads: %w", err)
	}
	seen, errs := map[string]time.Time{}, []error(nil)
	for _, name := range names {
		at, known := since[name]
		if !known || at.After(now) {
			at = now
		}
		if seen[name] = at; now.Before(at.Add(strayFor)) {
			continue
		}
		if err := s.removeStray(name); err != nil {
			errs = append(errs, err)
			continue
		}
		delete(seen, name)
	}
	was := v.Data
	if v.Data = nil; len(seen) > 0 {
		var err error
		if v.Data, err = json.Marshal(seen); err != nil {
			return err
		}
	}
	if string(was) == string(v.Data) {
		return errors.Join(errs...)
	}
	c.PutValue(straysName, v)
	return errors.Join(append(errs, o.store.Commit(ctx, c))...)
}

// strays gives the names of files of games to which nothing leads, in their order.
func (s shelving) strays(tx store.Reader) (names []string, err error) {
	var refs []shelf.Ref
	if err := s.files(tx, func(ref shelf.Ref) error { refs = append(refs, ref); return nil }); err != nil {
		return nil, err
	}
	names, err = s.office.shelf.Strays(refs)
	return slices.DeleteFunc(names, func(name string) bool { _, ok := shelf.GameOf(name); return !ok }), err
}

// removeStray removes a file to which nothing leads, unless something does by now.
func (s shelving) removeStray(name string) error {
	id, _ := shelf.GameOf(name)
	defer s.office.hold(id)()
	s.office.log.Warn("a file to which nothing leads is removed from the shelf", "game", id, "file", name)
	return s.removeUnless(id, shelf.Ref{File: name})
}

// lastStop is when a game that is over last changed: from then on its reports are kept for as long as its set-up says. That it was
// brought back meanwhile, as when a person was forgotten, is nothing that happened in it.
func (s shelving) lastStop(g *game.State) (last time.Time, err error) {
	last = g.Created
	err = s.office.read(func(tx store.Reader) error {
		return tx.Entries(g.ID, 0, func(e chain.Entry) error {
			read, err := log.Read(e, nil)
			if slices.Contains([]string{log.KindResolved, log.KindOver, log.KindClosed, log.KindRuling, log.KindRewound}, read.Kind) {
				last = read.At
			}
			return err
		})
	})
	return last, err
}
