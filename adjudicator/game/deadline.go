package game

import (
	"errors"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/timing"
	"berthier/orders/phrase"
)

// SkipReminders leaves out reminders whose time has passed already.
func (o *Owes) SkipReminders(r timing.Rule, now time.Time) {
	o.Reminded = 0
	for o.Reminded < len(r.Reminders) && !o.Deadline.Add(-r.Reminders[o.Reminded]).After(now) {
		o.Reminded++
	}
}

// SetDeadline sets the deadline of what a seat owes, asked for at a moment by the game's clock ([State.Clock]): a pause is
// added when it is over. An absence makes it later.
func SetDeadline(t *Turn, s *Seat, at time.Time) {
	o, r := s.Owes, t.Game.Timing.Of(s.Owes.Decision.Kind)
	o.Waits = r.Wait
	start := s.back(at)
	deadline := r.Deadline(at)
	if deadline.IsZero() {
		return
	}
	o.Deadline = s.AfterAbsence(r, start, whenBack(r, at, start, deadline))
	o.Gained = o.Deadline.Sub(deadline)
	o.Late = o.Deadline.Add(r.Grace)
	o.SkipReminders(r, at)
}

// Postpone moves a seat's deadline to a later moment. Grace follows it.
func Postpone(t *Turn, s *Seat, to time.Time) {
	o, r := s.Owes, t.Game.Timing.Of(s.Owes.Decision.Kind)
	o.Deadline, o.Late = to, to.Add(r.Grace)
	o.Passed, o.Warned, o.Held, o.Was, o.Notices = false, false, "", time.Time{}, 0
	o.Moves++
	o.SkipReminders(r, t.Game.Clock(t.Now))
}

// rests makes a deadline later to which a pause is added, where a game master has given another one in the pause.
func (o *Owes) rests(at time.Time) {
	if !o.Rested.IsZero() {
		o.Rested = laterOf(o.Rested, at)
	}
}

// laterOf is the later of two moments.
func laterOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// GraceOf is how long an interlock holds a kind of stop back.
func (t *Turn) GraceOf(r timing.Rule) time.Duration { return OrGrace(r, t.Grace) }

// OrGrace is the grace of a rule, or that of the office if it has none.
func OrGrace(r timing.Rule, usual time.Duration) time.Duration {
	if r.Grace > 0 {
		return r.Grace
	}
	return usual
}

// HeldNoMore marks what a game master has released: it is not held back again
// because players are silent.
const HeldNoMore = "released"

// passDeadlines lets the deadlines pass that are over. Only the clock lets a
// deadline pass for which no answer is in: a letter that came may be one of many in
// the mailbox, and the answer may be among them.
func passDeadlines(t *Turn) error {
	until := t.ReadUpTo
	for _, s := range t.Game.Seats {
		o := s.Owes
		if o != nil && s.Stands() && !o.GoesOn.IsZero() && !o.GoesOn.After(until) {
			if err := stoodLongEnough(t, s); err != nil {
				return err
			}
		}
		if o == nil || o.Passed || o.Deadline.IsZero() || o.Deadline.After(until) || s.Stands() {
			continue
		}
		silent := o.Answer == nil && s.Played()
		switch {
		case silent && !t.ByClock:
			continue
		case silent && (o.Waits || s.Ends().After(until)):
			if err := errors.Join(warn(t, s), lateAgain(t, s)); err != nil {
				return err
			}
			continue
		}
		if err := pass(t, s); err != nil {
			return err
		}
	}
	return nil
}

// pass lets the deadline of what a seat owes pass.
func pass(t *Turn, s *Seat) error {
	s.Owes.Passed = true
	if s.Owes.Answer != nil || !s.Played() {
		return nil
	}
	return t.Log(log.Entry{Kind: log.KindDeadline, Seat: s.Side, By: "office", Data: map[string]any{"deadline": s.Owes.Deadline, "seat_stop": s.Owes.Stop}})
}

// owesAgain lets a seat owe an answer again that had one, or for which a bot played. If its deadline passed meanwhile, nobody was late: it
// has a new one, a grace from now.
func owesAgain(t *Turn, s *Seat) {
	o := s.Owes
	if o == nil || o.Answer != nil || !o.Passed {
		return
	}
	o.Passed, o.Warned, o.Notices = false, false, 0
	if least := timing.WholeMinute(t.Game.Clock(t.Now).Add(t.GraceOf(t.Game.Timing.Of(o.Decision.Kind)))).UTC(); o.Deadline.Before(least) {
		o.rests(least)
		o.Deadline, o.Gained = least, 0
		o.Moves++
	}
	if o.Late.Before(o.Deadline) {
		o.Late = o.Deadline
	}
}

// warn tells a player once that his deadline has passed, and how long the game still waits
// for him.
func warn(t *Turn, s *Seat) error {
	if s.Owes.Warned {
		return nil
	}
	s.Owes.Warned = true
	if err := t.Log(log.Entry{Kind: log.KindLate, Seat: s.Side, By: "office", Data: map[string]any{
		"deadline": s.Owes.Deadline, "until": s.Owes.Late, "seat_stop": s.Owes.Stop,
	}}); err != nil {
		return err
	}
	if !s.Owes.Waits {
		t.TellOwing(s, "reminder", phrase.Say("office.late.subject"), true, phrase.Say("office.late.what", phrase.Within("until", Moment(s.Owes.Late))))
		return nil
	}
	t.TellOwing(s, "reminder", phrase.Say("office.late.subject"), true, phrase.Say("office.late.waits"))
	t.tellOthers(s, phrase.Say("office.late.subject-other", SideName(s.Side)), phrase.Say("office.late.other", SideName(s.Side)))
	t.TellGM(phrase.Say("office.late.subject-other", SideName(s.Side)), phrase.Say("office.late.other", SideName(s.Side)), phrase.Say("office.late.gm"))
	return nil
}

// A player who is late is told so each day, as long as the game waits for him, so often at most.
const (
	betweenNotices = 24 * time.Hour
	mostNotices    = 30
)

// waitedFor tells whether a game waits for a seat however late its player is.
func (s *Seat) waitedFor() bool {
	return s.Owes.Waits && s.Owes.Answer == nil && s.Played()
}

// nextNotice is when a player who is late is told so again; zero: he is not.
func (s *Seat) nextNotice() time.Time {
	o := s.Owes
	next := o.Deadline.Add(time.Duration(o.Notices+1) * betweenNotices)
	if o.Notices >= mostNotices || !o.Waits && !next.Before(o.Late) {
		return time.Time{}
	}
	return next
}

// lateAgain tells a player once more that he is late, if another day has passed.
func lateAgain(t *Turn, s *Seat) error {
	due := false
	for next := s.nextNotice(); !next.IsZero() && !next.After(t.ReadUpTo); next = s.nextNotice() {
		s.Owes.Notices++
		due = true
	}
	if !due {
		return nil
	}
	if err := t.Log(log.Entry{Kind: log.KindReminded, Seat: s.Side, By: "office"}); err != nil {
		return err
	}
	days := phrase.Number("days", s.Owes.Notices)
	if s.Owes.Waits {
		t.TellOwing(s, "reminder", phrase.Say("office.late.subject"), true, phrase.Say("office.late.days", days), phrase.Say("office.late.waits"))
		return nil
	}
	t.TellOwing(s, "reminder", phrase.Say("office.late.subject"), true, phrase.Say("office.late.days", days), phrase.Say("office.late.what", phrase.Within("until", Moment(s.Owes.Late))))
	return nil
}

func remindWhoIsDue(t *Turn) error {
	until := t.ReadUpTo
	for _, s := range t.Game.Seats {
		o := s.Owes
		if o == nil || o.Answer != nil || !s.Played() || o.Passed || o.Deadline.IsZero() || o.Warned || s.Stands() {
			continue
		}
		reminders, due := t.Game.Timing.Of(o.Decision.Kind).Reminders, false
		for o.Reminded < len(reminders) && !o.Deadline.Add(-reminders[o.Reminded]).After(until) {
			o.Reminded++
			due = true
		}
		if due {
			if err := remind(t, s, "office"); err != nil {
				return err
			}
		}
	}
	return nil
}

// remind sends a seat what it owes.
func remind(t *Turn, s *Seat, by string) error {
	if err := t.Log(log.Entry{Kind: log.KindReminded, Seat: s.Side, By: by}); err != nil {
		return err
	}
	how := ""
	if s.Owes.Waits {
		how = "-waits"
	}
	t.TellOwing(s, "reminder", phrase.Say("office.remind.subject", phrase.Within("stop", SayStop(s.Owes))), true,
		phrase.Say("office.remind.what"+how))
	return nil
}
