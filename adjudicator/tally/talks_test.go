package tally

import (
	"fmt"
	"testing"
	"time"
)

var begun = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// spend counts an answer, and gives what [Talks.Spend] gives.
func spend(t *Tally, address string, at time.Time, weight int) string {
	may, ended := t.Bill().Spend(address, at, weight)
	return fmt.Sprint(may, ended)
}

func TestTalks(t *testing.T) {
	at, one := begun, member(3)
	for i, want := range []string{"true false", "true false", "true false", "true false", "true false", "true false", "false true", "false false", "false false"} {
		at = at.Add(6 * 24 * time.Hour)
		if got := spend(one, "a", at, 1); got != want {
			t.Errorf("%d: %s", i, got)
		}
	}
	if got := spend(one, "b", at, 1); got != "true false" {
		t.Error(got)
	}
	at = at.Add(talkRest)
	if got := spend(one, "a", at, 1); got != "true false" {
		t.Errorf("after a rest: %s", got)
	}
	for i := range 3 * Most {
		at = at.Add(time.Second)
		spend(one, fmt.Sprint(i), at, 7)
	}
	if n := len(one.Talks.with); n > Most {
		t.Errorf("%d addresses are remembered", n)
	}
	if got := spend(one, fmt.Sprint(3*Most-1), at, 1); got != "false false" {
		t.Errorf("the last one: %s", got)
	}
}

// TestAnExchangeWithTwoMembers: two members that know of each other let go as much as one does, tell once that it has
// ended, tell no verdict twice, and begin anew when one of them does.
func TestAnExchangeWithTwoMembers(t *testing.T) {
	o := newMembers(t, 3, 2)
	one, two := o.all[0], o.all[1]
	may, ended := 0, 0
	for i := range 20 {
		switch spend(o.all[i%2], "a", o.now(), 1) {
		case "true false":
			may++
		case "false true":
			ended++
		}
		o.beat()
	}
	if may != 6 || ended != 1 {
		t.Errorf("%d answers went, and %d times the end was told", may, ended)
	}
	if !one.Talks.Brief("a", o.now()) || !two.Talks.Brief("a", o.now()) {
		t.Error("a member does not know that the exchange has ended")
	}
	if !one.Bill().Fresh("a", o.now(), "verdict") {
		t.Error("a verdict that nobody was told is taken for an old one")
	}
	o.beat()
	if two.Bill().Fresh("a", o.now(), "verdict") || !two.Bill().Fresh("a", o.now(), "other verdict") {
		t.Error("the other member does not know what was told")
	}
	// The first one has counted most; the second begins anew.
	two.Talks.Begin("a", o.now())
	o.beat()
	if one.Talks.Brief("a", o.now()) || !one.Bill().Fresh("a", o.now(), "verdict") {
		t.Error("the exchange goes on at the one, and was begun anew at the other")
	}
	may = 0
	for i := range 20 {
		if spend(o.all[i%2], "a", o.now(), 1) == "true false" {
			may++
		}
		o.beat()
	}
	if may != 6 {
		t.Errorf("%d answers went in the second exchange", may)
	}
	// A member that died without a word must not keep others in an exchange that is over.
	o.all = o.all[1:]
	two.Talks.Begin("a", o.now())
	if got := spend(two, "a", o.now(), 1); got != "true false" {
		t.Errorf("beside what a dead member has written: %s", got)
	}
	o.at = o.at.Add(talkRest + time.Hour)
	o.beat()
	for name, data := range o.store {
		if name == "two" && data != nil {
			t.Errorf("after a week %s still keeps %s", name, data)
		}
	}
}
