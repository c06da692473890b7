package main

import (
	"bytes"
	"strings"
	"testing"

	"berthier/engine"
)

func TestPairings(t *testing.T) {
	for _, c := range []struct {
		sides []engine.Side
		want  string
	}{
		{[]engine.Side{"red", "blue"}, "all sensible [red blue]; red random, else sensible [blue]; blue random, else sensible [red]"},
		{[]engine.Side{"a", "b", "c"}, "all sensible [a b c]; a random, else sensible [b c]; b random, else sensible [a c]; c random, else sensible [a b]; " +
			"a sensible, else random [a]; b sensible, else random [b]; c sensible, else random [c]"},
	} {
		var got []string
		for _, p := range pairingsOf(c.sides) {
			var names []string
			for _, side := range p.sensible {
				names = append(names, string(side))
			}
			got = append(got, p.title+" ["+strings.Join(names, " ")+"]")
		}
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// A terminal gets one line that changes, and that is gone before a table is printed; a
// file gets nothing.
func TestProgressCounts(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out)
	p.count(1, 200, "some games")
	p.wipe()
	if out.Len() > 0 {
		t.Errorf("not a terminal, yet %q", &out)
	}
	p.terminal = true
	p.count(1, 200, "some games")
	p.wipe()
	if got := out.String(); !strings.HasPrefix(got, "\r1 of 200, ") || !strings.Contains(got, "some games\r") || !strings.HasSuffix(got, " \r") {
		t.Errorf("got %q", got)
	}
	n := out.Len()
	if p.wipe(); out.Len() != n {
		t.Error("wiped a clean line")
	}
}
