package game

import (
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/timing"
	"berthier/orders/phrase"
)

// HeldBack says that an interlock holds back the defaults of the seats that are at risk, for
// one grace from a moment on.
type HeldBack struct {
	Why   string
	Since time.Time // since when something has been wrong
	Well  time.Time // and was over then
}

// AtRisk tells whether what a seat owes would be resolved by default before one grace has
// passed since a moment. Grace is the grace of stops whose rule has none.
func AtRisk(g *State, s *Seat, since time.Time, grace time.Duration) bool {
	w := s.Owes
	if w == nil || w.Answer != nil || w.Waits || w.Deadline.IsZero() || !s.Played() || s.Stands() {
		return false
	}
	return w.Passed || w.Late.Before(since.Add(OrGrace(g.Timing.Of(w.Decision.Kind), grace)))
}

// sameHold: a hold that ends less than this later than the last one is the same hold, and is not logged again.
const sameHold = 10 * time.Minute

func (h HeldBack) happen(t *Turn) error {
	if t.Game.Phase != Running || !t.Game.Paused.IsZero() {
		return nil
	}
	for _, s := range t.Game.Seats {
		if !AtRisk(t.Game, s, h.Well, t.Grace) {
			continue
		}
		o := s.Owes
		until := timing.WholeMinute(h.Well.Add(t.GraceOf(t.Game.Timing.Of(o.Decision.Kind)))).UTC()
		if o.Held == h.Why && until.Sub(o.Late) < sameHold {
			continue // it was held back a moment ago, and something else then failed
		}
		was := o.Was
		if was.IsZero() {
			was = o.Deadline
		}
		if o.Deadline.Before(until) {
			o.Deadline = until
			o.Moves++
			o.SkipReminders(t.Game.Timing.Of(o.Decision.Kind), t.Now)
		}
		o.Late, o.Passed, o.Warned, o.Held, o.Was = until, false, false, h.Why, was
		if err := t.Log(log.Entry{Kind: log.KindHeld, Seat: s.Side, By: "office", Data: map[string]any{
			"why": h.Why, "since": h.Since, "well": h.Well, "until": until, "seat_stop": o.Stop,
		}}); err != nil {
			return err
		}
		t.TellOwing(s, "", phrase.Say("office.kept.subject"), true, phrase.Say("office.kept."+h.Why), phrase.Say("office.kept.what"))
	}
	return nil
}

// Released says that a game master lets a game go on that an interlock holds back, or whose
// deadlines have passed while the mailbox can't be read: what was due is resolved at once.
type Released struct{}

func (Released) happen(t *Turn) error {
	if t.Game.Phase != Running {
		return Refuse("office.gm.ended")
	}
	if !t.Game.Paused.IsZero() {
		return Refuse("office.gm.paused-already")
	}
	var due []*Seat
	any := false
	for _, s := range t.Game.Seats {
		o := s.Owes
		if o == nil || o.Passed || o.Deadline.IsZero() {
			continue
		}
		if s.Stands() {
			any = true
			o.Runs()
			o.Held, o.Was = HeldNoMore, time.Time{}
		}
		if o.Held != "" && o.Held != HeldNoMore {
			any = true
			if o.Answer == nil && o.Was.Before(o.Deadline) {
				o.Deadline = o.Was
				o.Moves++
			}
			o.Late = o.Deadline.Add(t.Game.Timing.Of(o.Decision.Kind).Grace)
			o.Held, o.Was = HeldNoMore, time.Time{}
			o.SkipReminders(t.Game.Timing.Of(o.Decision.Kind), t.Now)
		}
		if end := s.Ends(); !end.After(t.Now) {
			due = append(due, s)
		}
	}
	if !any && len(due) == 0 {
		return Refuse("office.gm.not-held")
	}
	if err := t.Log(log.Entry{Kind: log.KindReleased, By: log.ByGM}); err != nil {
		return err
	}
	for _, s := range due {
		if err := pass(t, s); err != nil {
			return err
		}
	}
	return settle(t)
}
