package game

import (
	"testing"
	"time"
)

// TestNobodyDefaultsBeforeHisDeadline: a record may lack the end of a grace, as those of early programs do; its deadline counts all the same.
func TestNobodyDefaultsBeforeHisDeadline(t *testing.T) {
	deadline := time.Date(2026, 3, 2, 16, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		what string
		late time.Time
		upto time.Time
		want bool
	}{
		{"no grace is noted, before the deadline", time.Time{}, deadline.Add(-time.Second), false},
		{"no grace is noted, at the deadline", time.Time{}, deadline, true},
		{"in its grace", deadline.Add(time.Hour), deadline.Add(time.Minute), false},
		{"after its grace", deadline.Add(time.Hour), deadline.Add(time.Hour), true},
	} {
		s := &Seat{Side: "red", Owes: &Owes{Stop: 1, Deadline: deadline, Late: c.late}}
		if got := s.Defaults(c.upto); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}
