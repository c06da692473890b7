package hfg

import (
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// A fair player loses less than chance does: the allies of the battle of 1815, in full samples either side.
func TestSensibleBeatsRandom(t *testing.T) {
	games, fair := 1, []engine.Side{"allied"}
	if rulestest.FullSamples() {
		games, fair = 6, []engine.Side{"french", "allied"}
	}
	for _, side := range fair {
		own, theirs := 0, 0
		for i := range games {
			r, err := (playout.Game{Rules: New(), Seed: uint64(1 + i), Choose: rulestest.Versus(func(s engine.Side) bool { return s == side })}).Play()
			if err != nil {
				t.Fatal(err)
			}
			g := r.Final.(*game)
			of := g.sideOf(side)
			a, b := g.tollOn(of), g.tollOn(of.enemy())
			own, theirs = own+100*a.lost/a.original, theirs+100*b.lost/b.original
		}
		if own >= theirs {
			t.Errorf("%s: a fair player lost %d per cent, chance %d, in %d games", side, own, theirs, games)
		}
	}
}

// A fair player lays guns and muskets on the enemy whom they are likeliest to destroy, not on the nearest.
func TestSensibleShootsTogether(t *testing.T) {
	g := field(t, 1815, piece{"r1", smoothbore, 5000, 2000, 0, nil}, piece{"r2", smoothbore, 5400, 2000, 0, nil}, piece{"r3", smoothbore, 5800, 2000, 0, nil},
		piece{"b1", bayonets, 5400, 3000, 180, nil}, piece{"b2", hq, 4700, 2900, 180, nil})
	got := New().Sensible(g.view("red"), engine.Decision{Side: "red", Kind: "turn"}, nil).Orders().Get("orders").Get("fire").OneLine()
	is(t, "shots", got, "[{element: r1, at: b1}, {element: r2, at: b1}, {element: r3, at: b1}]")
}
