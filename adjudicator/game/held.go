package game

import (
	"slices"
	"time"

	"berthier/adjudicator/timing"
	"berthier/engine"
)

// A file with something odd in it counts at once, but its stop is not resolved for a while,
// so that its player may look again before the dice. The wait is of that file: it begins when
// the file comes, and never passes the deadline of its seat.

// Night, by the clock of a player: an odd answer waits for its end if he wants that.
const (
	nightBegins = 22 // hour
	nightEnds   = 7
	nightOver   = 30 // minutes after the night
)

// held is until when the answer of a seat that has come now holds its stop; zero: not at all.
func held(t *Turn, s *Seat, a Answered) time.Time {
	g := t.Game
	if !g.Timing.Odd || a.ByGM || a.Now || !a.Guess && !slices.ContainsFunc(Cautions(t, s, a.Answer), func(c engine.Caution) bool { return c.Holds }) {
		return time.Time{}
	}
	until := t.Now.Add(g.Timing.Second)
	if s.Overnight {
		until = afterNight(t.Now, until, timing.Zone(s.Person.Zone))
	}
	if d := s.Owes.Deadline; !d.IsZero() && until.After(d) {
		until = d
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
	t.Game.Resolve = time.Time{}
	for _, s := range t.Game.Seats {
		if s.Owes == nil || s.Owes.Answer == nil || s.Owes.Passed {
			continue
		}
		a := s.Owes.Answer
		if d := s.Owes.Deadline; !d.IsZero() && a.Until.After(d) { // the deadline was moved
			a.Until = d
		}
		if a.Until.After(t.ReadUpTo) && a.Until.After(t.Game.Resolve) {
			t.Game.Resolve = a.Until
		}
	}
	return t.Game.Resolve.IsZero()
}

// Holds tells whether the answer of a seat holds its stop, and until when.
func (s *Seat) Holds(now time.Time) (time.Time, bool) {
	if s.Owes == nil || s.Owes.Answer == nil || !s.Owes.Answer.Until.After(now) {
		return time.Time{}, false
	}
	return s.Owes.Answer.Until, true
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
