package hfg

import (
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/cases"
)

// On the second day the title, how long the battle lasts and the last turn count the pairs of both days.
func TestPairsOfTheSecondDay(t *testing.T) {
	g := field(t, 1809, piece{"r1", muskets, 4000, 1000, 0, nil}, piece{"b1", muskets, 4000, 4000, 180, nil})
	g.sunset, g.nextDay, g.Nights, g.Turn = 2, 1, 1, 5
	v := g.view("red")
	is(t, "the title", cases.Plain(v.Page().Title), "hfg.page-turn pair=3 last=4 side=red")
	is(t, "the progress", plainly(Ruleset{}.Progress(v))[0], "hfg.progress pair=3 last=4 left=1")
	is(t, "the last turn", g.LastTurn(), 8)
	is(t, "there can be another day", len(Ruleset{}.Progress(v)), 1)
	g.sunset, g.Nights, g.Turn = 24, 3, 190
	is(t, "on the last one it is told", plainly(Ruleset{}.Progress(g.view("red")))[1], "hfg.progress-last-sunset")
}

// Who has the other seats of a side is an ally, so that a game in which allies write to each other has some.
func TestAlliesOfASide(t *testing.T) {
	s, faults := library.Of(engine.Setup{Scenario: "waterloo-1815"})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	for seats, want := range map[string][]engine.Side{"several": {"prussian"}, "one": nil} {
		g, faults := begun(s, map[string]string{"seats": seats})
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		side := engine.Side("anglo-allied")
		if seats == "one" {
			side = "allied"
		}
		if got := engine.Allied(g).Allies(side); !slices.Equal(got, want) {
			t.Errorf("%s: the allies of %s are %q, want %q", seats, side, got, want)
		}
		if got := append(g.Allies("french"), g.Allies(engine.Public)...); len(got) > 0 {
			t.Errorf("%s: allies of the French and of the public: %q", seats, got)
		}
	}
}
