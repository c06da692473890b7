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

// TestWhoHasSeenOneSideHasNoOther: a former player of one side, or somebody who looked on in full, knows what another side may not; his own seat he may have again.
func TestWhoHasSeenOneSideHasNoOther(t *testing.T) {
	red, blue := &Seat{Side: "red"}, &Seat{Side: "blue"}
	g := &State{Phase: Running, Seats: []*Seat{red, blue}, Saw: []Saw{{"old@x", "red"}, {"looker@x", ""}}}
	g.GM.Address = "gm@x"
	for _, c := range []struct {
		seat    *Seat
		address string
		may     bool
	}{{red, "Old@x", true}, {blue, "Old@x", false}, {red, "looker@x", false}, {blue, "looker@x", false}, {blue, "new@x", true}, {blue, "", true}} {
		if err := MayTake(g, c.seat, c.address, nil); (err == nil) != c.may {
			t.Errorf("%s takes %s: %v", c.address, c.seat.Side, err)
		}
	}
}
