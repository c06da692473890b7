package game

import (
	"slices"
	"time"

	"berthier/adjudicator/timing"
)

// An Absence is a time in which a player has no deadline. Nobody is told the reason, and
// nothing keeps it.
type Absence struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until"` // he is back
}

// back is when a player can begin with what he is asked at a moment: then, or
// at the end of the absence that he is in.
func (s *Seat) back(at time.Time) time.Time {
	for range s.Absences {
		for _, a := range s.Absences {
			if !a.From.After(at) && at.Before(a.Until) {
				at = a.Until
			}
		}
	}
	return at
}

// AfterAbsence moves a deadline that falls into an absence: the player's clock
// stands still while he is away. Start is when he could begin.
func (s *Seat) AfterAbsence(r timing.Rule, start, deadline time.Time) time.Time {
	for range s.Absences {
		i := slices.IndexFunc(s.Absences, func(a Absence) bool { return a.From.Before(deadline) && deadline.Before(a.Until) })
		if i < 0 {
			break
		}
		a := s.Absences[i]
		from := a.From
		if start.After(from) {
			from = start
		}
		deadline = r.Place(deadline.Add(a.Until.Sub(from))).UTC()
		start = a.Until
	}
	return deadline
}

// Away is how long a player's absences are in all.
func Away(all []Absence) time.Duration {
	var sum time.Duration
	for _, a := range all {
		sum += a.Until.Sub(a.From)
	}
	return sum
}

// makeRoom moves the deadline of what a seat owes if it falls into an absence that was just
// booked. A player whose answer is in needs no more time.
func makeRoom(t *Turn, s *Seat) {
	o := s.Owes
	if o == nil || o.Answer != nil || o.Passed || o.Deadline.IsZero() || o.Deadline.Before(t.Game.Clock(t.Now)) {
		return
	}
	to := s.AfterAbsence(t.Game.Timing.Of(o.Decision.Kind), o.Opened, o.Deadline)
	if to.After(o.Deadline) {
		Postpone(t, s, to)
	}
}
