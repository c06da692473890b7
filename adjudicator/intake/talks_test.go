package intake

import (
	"fmt"
	"testing"
	"time"
)

func TestTalks(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	talks := NewTalks(3)
	spend := func(address string, weight int) string {
		may, ended := talks.Spend(address, at, weight)
		return fmt.Sprint(may, ended)
	}
	for i, want := range []string{"true false", "true false", "true false", "false true", "false false", "false false"} {
		at = at.Add(6 * 24 * time.Hour)
		if got := spend("a", 1); got != want {
			t.Errorf("%d: %s", i, got)
		}
	}
	if got := spend("b", 1); got != "true false" {
		t.Error(got)
	}
	at = at.Add(talkRest)
	if got := spend("a", 1); got != "true false" {
		t.Errorf("after a rest: %s", got)
	}
	for i := range 3 * mostTalks {
		at = at.Add(time.Second)
		spend(fmt.Sprint(i), 4)
	}
	if n := len(talks.with); n > mostTalks {
		t.Errorf("%d addresses are remembered", n)
	}
	if got := spend(fmt.Sprint(3*mostTalks-1), 1); got != "false false" {
		t.Errorf("the last one: %s", got)
	}
}
