package game

import (
	"slices"
	"time"

	"berthier/adjudicator/timing"
	"berthier/engine"
)

// A file with something odd in it, and where a set-up says so every file, counts at once, but its
// stop is not resolved for a while, so that its player may look again before the dice. The wait is
// of that file: it begins when the file comes, never passes the deadline of its seat, and ends when
// its player says that he means it.

// Night, by the clock of a player: an odd answer waits for its end if he wants that.
const (
	nightBegins = 22 // hour
	nightEnds   = 7
	nightOver   = 30 // minutes after the night
)

// held is until when the answer of a seat that has come now holds its stop; zero: not at all.
func held(t *Turn, s *Seat, a Answered) time.Time {
	rule := t.Game.Timing
	odd := func() bool {
		return !a.ByGM && (a.Guess || slices.ContainsFunc(Cautions(t, s, a.Answer), func(c engine.Caution) bool { return c.Holds }))
	}
	if rule.Second == 0 || a.Now || rule.Odd && !odd() {
		return time.Time{}
	}
	now := t.Game.Clock(t.Now)
	until := now.Add(rule.Second)
	if rule.Odd && s.Overnight {
		until = afterNight(now, until, timing.Zone(s.Person.Zone))
	}
	return beforeDeadline(s, until)
}

// HeldAgain is until when an answer that a ruling has put in force holds its stop, where every
// answer does.
func HeldAgain(t *Turn, s *Seat) time.Time {
	if rule := t.Game.Timing; rule.Second > 0 && !rule.Odd {
		return beforeDeadline(s, t.Game.Clock(t.Now).Add(rule.Second))
	}
	return time.Time{}
}

// beforeDeadline is a moment, or the deadline of what a seat owes if that is earlier.
func beforeDeadline(s *Seat, until time.Time) time.Time {
	if d := s.Owes.Deadline; !d.IsZero() && until.After(d) {
		return d
	}
	return until
}

// afterNight is the moment at which a wait ends that begins now: the morning if it is night.
func afterNight(now, until time.Time, zone *time.Location) time.Time {
	local := now.In(zone)
	morning := timing.DayOf(local)
	switch {
	case local.Hour() >= nightBegins:
		morning = morning.Plus(1)
	case local.Hour() >= nightEnds:
		return until
	}
	if m := timing.MomentOf(morning, nightEnds, nightOver, zone); m.After(until) {
		return m
	}
	return until
}

// heldNoMore tells whether no answer holds the stop any more, and notes until when one does.
func heldNoMore(t *Turn) bool {
	was := t.Game.Resolve
	t.Game.Resolve = time.Time{}
	if !t.Game.Timing.Odd && was.After(t.ReadUpTo) {
		t.Game.Resolve = was // begun by a program in which answers had no waits of their own
	}
	for _, s := range t.Game.Seats {
		if s.Owes == nil || s.Owes.Answer == nil || s.Owes.Passed {
			continue
		}
		a := s.Owes.Answer
		a.Until = beforeDeadline(s, a.Until) // the deadline may have been moved
		if a.Until.After(t.ReadUpTo) && a.Until.After(t.Game.Resolve) {
			t.Game.Resolve = a.Until
		}
	}
	return t.Game.Resolve.IsZero()
}

// Holds tells whether the answer of a seat holds its stop, and until when; in a pause, until when it would if the
// game went on now.
func (g *State) Holds(s *Seat, now time.Time) (time.Time, bool) {
	clock := g.Clock(now)
	if s.Owes == nil || s.Owes.Answer == nil || !s.Owes.Answer.Until.After(clock) {
		return time.Time{}, false
	}
	return s.Owes.Answer.Until.Add(now.Sub(clock)), true
}

// heldOn lets the wait of an answer go on after a pause. Who wants to sleep before an odd answer counts may do
// so also when the night came with the pause.
func heldOn(t *Turn, s *Seat, paused time.Time) {
	a := s.Owes.Answer
	if a == nil || a.Until.IsZero() {
		return
	}
	waited := a.Until.After(paused)
	a.Until = a.Until.Add(t.Now.Sub(paused))
	if waited && t.Game.Timing.Odd && s.Overnight {
		a.Until = beforeDeadline(s, afterNight(t.Now, a.Until, timing.Zone(s.Person.Zone)))
	}
}

// NightWanted is that a player wants his odd answers to wait for the morning, or no more.
type NightWanted struct {
	Side      engine.Side
	Overnight bool
}

func (n NightWanted) happen(t *Turn) error {
	t.Game.Seat(n.Side).Overnight = n.Overnight
	return nil
}
