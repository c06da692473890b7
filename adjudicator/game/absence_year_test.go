package game

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// In a game of a league no year has more absences than the league allows, in whatever order they are booked, and each of them as
// long as it may be.
func TestNoYearHasMoreAbsences(t *testing.T) {
	const day = 24 * time.Hour
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		g, s := &State{League: "aquila", Absence: 30 * day}, &Seat{}
		for range rapid.IntRange(1, 12).Draw(t, "absences") {
			a := Absence{From: start.Add(time.Duration(rapid.IntRange(0, 1200).Draw(t, "from")) * day)}
			a.Until = a.From.Add(time.Duration(rapid.IntRange(1, 40).Draw(t, "days")) * day)
			if overlaps := awayIn(s.Absences, a.From, a.Until) > 0; overlaps || a.Until.Sub(a.From) > g.AbsenceLeft(s, a) {
				continue
			}
			s.Absences = append(s.Absences, a)
		}
		for _, a := range s.Absences { // where most of them lie within a year one of them ends
			end := a.Until
			if got := awayIn(s.Absences, end.Add(-yearOfAbsences), end); got > g.Absence {
				t.Fatalf("%v of absences within the year before %v: %v", got, end, s.Absences)
			}
		}
	})
}

// awayIn is how much of some absences lies between two moments, day by day.
func awayIn(all []Absence, from, until time.Time) (sum time.Duration) {
	for at := from; at.Before(until); at = at.Add(24 * time.Hour) {
		for _, a := range all {
			if !a.From.After(at) && at.Before(a.Until) {
				sum += 24 * time.Hour
			}
		}
	}
	return sum
}
