package game

import (
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/orders/phrase"
)

// An Absence is a time in which a player has no deadline. Nobody is told the reason, and
// nothing keeps it.
type Absence struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until"` // he is back
	// Everywhere: the player, who is a member of the office's club, has booked it for all his
	// games at once.
	Everywhere bool `json:"everywhere,omitempty"`
}

// MemberAway says when the player of a seat, as a member, is away from all his games. Where
// that is known already, nothing happens; nor does anything in a game without absences. In a game of a league no more of it
// counts than the league allows within a year.
type MemberAway struct {
	Side     engine.Side
	Absences []Absence
}

func (m MemberAway) happen(t *Turn) error {
	s := t.Game.Seat(m.Side)
	if t.Game.Phase != Running || s.Resigned || t.Game.Absence == 0 {
		return nil
	}
	allowed := m.Absences
	if t.Game.League != "" {
		allowed = AbsencesWithin(t.Game.Absence, s.Absences, m.Absences)
	}
	wanted := func(a Absence) bool {
		return slices.ContainsFunc(allowed, func(b Absence) bool { return b.From.Equal(a.From) && b.Until.Equal(a.Until) })
	}
	passed := func(a Absence) bool { return !a.Until.After(t.Now) }
	withdrawn := false
	var left []Absence
	for _, a := range s.Absences {
		if !a.Everywhere || passed(a) || wanted(a) {
			left = append(left, a)
			continue
		}
		withdrawn = true
		switch i := slices.IndexFunc(allowed, func(b Absence) bool { return b.From.Equal(a.From) }); {
		case i >= 0 && passed(allowed[i]): // he came back before its end
			a.Until = allowed[i].Until
			left = append(left, a)
		case i < 0 && a.From.Before(t.Now):
			a.Until = t.Now
			left = append(left, a)
		}
	}
	var booked []Absence
	for _, a := range allowed {
		a.Everywhere = true
		if !passed(a) && !slices.Contains(left, a) {
			booked = append(booked, a)
		}
	}
	if len(booked) == 0 && !withdrawn {
		return nil
	}
	s.Absences = append(left, booked...)
	if err := t.Log(log.Entry{Kind: log.KindAbsence, Seat: s.Side, By: "player", Data: s.Absences}); err != nil {
		return err
	}
	sooner := withdrawn && takeRoom(t, s)
	if withdrawn && len(booked) == 0 {
		tellAbsence(t, s, SayAbsence("office.absence.other", s, true, Absence{}))
	}
	for _, a := range booked {
		tellAbsence(t, s, SayAbsence("office.absence.other", s, false, a))
	}
	if len(booked) > 0 {
		makeRoom(t, s)
	}
	if sooner {
		t.TellOwing(s, "", phrase.Say("office.absence.subject", SideName(s.Side)), false, SayAbsence("office.absence.you", s, true, Absence{}))
	}
	return nil
}

// yearOfAbsences is the time within which a league counts how long somebody is away.
const yearOfAbsences = 365 * 24 * time.Hour

// AbsencesWithin gives what counts in a game of the absences that a member has booked for all his games at once, if only so much
// of them, and of what he has booked for his seat there alone, may lie within a year. They count in their order: the first in full, the one that is too long up to where it becomes so.
func AbsencesWithin(most time.Duration, seat, everywhere []Absence) (counts []Absence) {
	for _, a := range seat {
		if !a.Everywhere {
			counts = append(counts, a)
		}
	}
	own := len(counts)
	all := slices.Clone(everywhere)
	slices.SortFunc(all, func(a, b Absence) int { return a.From.Compare(b.From) })
	for _, a := range all {
		left := leftWithin(most, counts, a)
		if left == 0 {
			continue
		}
		if a.Until.Sub(a.From) > left {
			a.Until = a.From.Add(left)
		}
		counts = append(counts, a)
	}
	return counts[own:]
}

// AbsenceLeft is how long a player may be away from a game beside what is booked for his seat, in an absence that ends when a
// given one does: in all, or in a game of a league within a year.
func (g *State) AbsenceLeft(s *Seat, a Absence) time.Duration {
	if g.League == "" {
		return max(g.Absence-Away(s.Absences), 0)
	}
	return leftWithin(g.Absence, s.Absences, a)
}

// leftWithin is how long an absence may be beside some others, if no more than so much may lie within a year: the one that ends
// with it, and each that ends with a later one of the others.
func leftWithin(most time.Duration, others []Absence, a Absence) time.Duration {
	left := most - awayUntil(others, a.Until)
	for _, b := range others {
		if b.Until.After(a.Until) && a.Until.After(b.Until.Add(-yearOfAbsences)) {
			left = min(left, most-awayUntil(others, b.Until))
		}
	}
	return max(left, 0)
}

// awayUntil is how much of some absences lies in the year that ends at a moment.
func awayUntil(all []Absence, end time.Time) (sum time.Duration) {
	since := end.Add(-yearOfAbsences)
	for _, a := range all {
		if a.From.Before(since) {
			a.From = since
		}
		if a.Until.After(end) {
			a.Until = end
		}
		sum += max(a.Until.Sub(a.From), 0)
	}
	return sum
}

// tellAbsence tells the others in a game that a player is away, or is not.
func tellAbsence(t *Turn, s *Seat, said phrase.Phrase) {
	subject := phrase.Say("office.absence.subject", SideName(s.Side))
	for _, other := range t.Game.Seats {
		if other != s && !other.Resigned {
			t.TellSeat(other, subject, said)
		}
	}
	t.TellGM(subject, said)
}

// back is when a player can begin with what he is asked at a moment. It is the moment, or the end of the absence into which it falls.
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

// laterBy is a deadline that an absence makes later by as much as it takes away. The next moment that the rule allows is taken
// if that is no farther off than the absence takes away; else an absence of minutes would move the deadline of a week by another week.
func laterBy(r timing.Rule, deadline time.Time, away time.Duration) time.Time {
	to := timing.WholeMinute(deadline.Add(away)).UTC()
	if placed := r.Place(to).UTC(); placed.Sub(to) <= away {
		return placed
	}
	return to
}

// whenBack is a deadline whose player was asked in an absence, and could begin when it was over: it leaves him what the rule gives
// from then on, and is no later than the absence makes it.
func whenBack(r timing.Rule, opened, start, deadline time.Time) time.Time {
	if !start.After(opened) {
		return deadline
	}
	fresh := r.Place(deadline.Add(r.Deadline(start).Sub(r.Deadline(opened)))).UTC()
	if to := laterBy(r, deadline, start.Sub(opened)); to.Before(fresh) {
		return to
	}
	return fresh
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
		deadline = laterBy(r, deadline, a.Until.Sub(from))
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
		o.Gained += to.Sub(o.Deadline)
		Postpone(t, s, to)
	}
}

// takeRoom takes back by how much an absence that is withdrawn has made the deadline later of what a seat owes, and tells whether it
// did. Else who books, withdraws and books again could stop a game for as long as he likes. For how long he has been away, the clock
// stood still: the absence that is left is that long.
func takeRoom(t *Turn, s *Seat) bool {
	o, clock := s.Owes, t.Game.Clock(t.Now)
	if o == nil || o.Passed || o.Gained == 0 || o.Held != "" || o.Deadline.Before(clock) {
		return false
	}
	r := t.Game.Timing.Of(o.Decision.Kind)
	start := s.back(o.Opened)
	without := o.Deadline.Add(-o.Gained)
	to := s.AfterAbsence(r, start, whenBack(r, o.Opened, start, without))
	if to.Before(clock) {
		to = timing.WholeMinute(clock).UTC()
	}
	if !to.Before(o.Deadline) {
		return false
	}
	o.Gained = max(to.Sub(without), 0)
	Postpone(t, s, to)
	return true
}
