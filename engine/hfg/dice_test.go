package hfg

import (
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
	"berthier/orders"
)

// Nobody looks for a ford unless its player says so: who finds none has spent his PIPs, and nobody
// may look near there again. The rules ask for all other dice; a linear feature costs nothing.
func TestNoDieIsFilledIn(t *testing.T) {
	g := fieldOn(t, &setting{year: 1815, lines: []lineDef{lineOf("w", river, 300, [2]int64{0, 3000}, [2]int64{12000, 3000})}},
		piece{"r1", muskets, 5000, 2750, 0, nil}, piece{"r2", muskets, 9000, 2750, 0, nil}, piece{"r0", hq, 6000, 2500, 0, nil})
	g.Turn, g.Phase = 1, moving
	g.Commands[1].Score = 6
	fords := func(rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
		if d.Kind == stopTurn && chance.IntN(2) == 0 {
			doc, faults := orders.Parse([]string{"orders: {moves: [{ford: {element: r1, forward: 100}}]}", "orders: {moves: [{ford: {element: r2, forward: 100}}, {element: r1, forward: 50}]}"}[chance.IntN(2)], nil)
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			if a, faults := rules.Read(view, d, doc); len(faults) == 0 {
				return a
			}
		}
		return rules.Random(view, d, chance)
	}
	rulestest.Dice(t, New(), []playout.Game{{Start: g, Seed: 1, MaxStops: 12, Choose: fords}}, "hfg.roll-combat", "hfg.roll-surprise", "hfg.roll-mine", "hfg.roll-attack",
		"hfg.roll-piece", "hfg.roll-edge", "hfg.roll-feature", "hfg.die-pips")
}
