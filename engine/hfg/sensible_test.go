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

// moveOf is the move that a fair player of a seat orders for an element at a turn; "": none.
func moveOf(g *game, id string, turn int) string {
	g = g.trial()
	g.Turn = turn
	for c := commandID(1); int(c) < len(g.Commands); c++ {
		g.Commands[c].Die, g.Commands[c].Score = 6, 6
	}
	seat := map[byte]engine.Side{'r': "red", 'b': "blue"}[id[0]]
	n := New().Sensible(g.view(seat), engine.Decision{Side: seat, Kind: stopTurn}, nil).Orders().Get("orders").Get("moves")
	if n == nil {
		return ""
	}
	for _, move := range n.Items {
		if move.Get("element").Text == id {
			return move.OneLine()
		}
	}
	return ""
}

// A defender waits for an enemy in order, and goes for one who doesn't keep his line from the third pair on. Who
// marches along a road is in order wherever he looks.
func TestSensibleHuntsALooseEnemy(t *testing.T) {
	lines := func(askew int, more ...lineDef) *game {
		return fieldOn(t, &setting{year: 1815, lines: more}, piece{"r1", bayonets, 5000, 1000, 0, nil}, piece{"r2", bayonets, 6000, 1000, askew, nil},
			piece{"b1", bayonets, 5000, 3000, 180, nil})
	}
	is(t, "an enemy in order", moveOf(lines(0), "b1", 6), "")
	is(t, "a loose enemy, pair 3", moveOf(lines(20), "b1", 6), "{element: b1, to: [5000, 2400], facing: 180}")
	is(t, "a loose enemy, pair 2", moveOf(lines(20), "b1", 4), "")
	is(t, "on a road", moveOf(lines(20, lineOf("lane", road, 0, [2]int64{5658, 60}, [2]int64{6684, 2880})), "b1", 6), "")
}

// Against a loose enemy foot goes for the place that he holds if that is nearest, and past it against one in order.
func TestSensibleGoesForThePlacesOfALooseEnemy(t *testing.T) {
	farm := func(askew int) *game {
		g := fieldOn(t, &setting{year: 1815, areas: []areaDef{octagon("farm", strongPoint, 5000, 3000, 250, 250)}}, piece{"r1", bayonets, 5000, 1000, 0, nil},
			piece{"b1", spGarrison, 0, 0, 0, nil}, piece{"b2", bayonets, 8000, 2000, askew, nil})
		g.Elements[named(t, g, "b1")].Holds = 1
		return g
	}
	is(t, "in order", moveOf(farm(270), "r1", 9), "{element: r1, to: [5285, 1093], facing: 90}")
	is(t, "loose", moveOf(farm(250), "r1", 9), "{element: r1, to: [5000, 1600], facing: 0}")
}

// From the ninth pair on contacts are made even if they promise to cost more than they destroy, against a loose enemy
// alone.
func TestSensibleRisksEverythingLate(t *testing.T) {
	lines := func(askew int) *game {
		return field(t, 1815, piece{"r1", cuirassiers, 5000, 2000, 0, nil}, piece{"b1", bayonets, 5000, 2150, 180, nil}, piece{"b2", bayonets, 9000, 5000, askew, nil})
	}
	is(t, "pair 8", moveOf(lines(200), "r1", 15), "")
	is(t, "pair 9", moveOf(lines(200), "r1", 17), "{element: r1, contact: b1}")
	is(t, "in order", moveOf(lines(180), "r1", 17), "")
}

// Who finds the way barred by friends goes round them against a loose enemy, and up to them against one in order.
func TestSensibleGoesRoundFriends(t *testing.T) {
	lines := func(askew int) *game {
		return field(t, 1815, piece{"r1", bayonets, 5000, 1000, 0, nil}, piece{"r2", smoothbore, 5000, 1500, 0, nil},
			piece{"b1", bayonets, 5000, 2800, 180, nil}, piece{"b2", bayonets, 9000, 5000, askew, nil})
	}
	is(t, "in order", moveOf(lines(180), "r1", 9), "{element: r1, to: [5000, 1100], facing: 0}")
	is(t, "loose", moveOf(lines(200), "r1", 9), "{element: r1, to: [5520, 1300], facing: 0}")
}
