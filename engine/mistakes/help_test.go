package mistakes

import (
	"testing"

	"berthier/engine/geometry"
	"berthier/engine/rulestest"
)

type point = geometry.Point

// samples is how many samples a test takes: few, or all where all are asked for.
func samples(few, all uint64) uint64 {
	if rulestest.FullSamples() {
		return all
	}
	return few
}

// begin sets a game up.
func begin(t testing.TB, options map[string]string) *game {
	t.Helper()
	g, faults := begun(battle(t), options)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return g
}

// usualPursuit is what the deadline answers: cavalry first, every sign down.
func (g *game) usualPursuit() pursuit {
	return pursuit{Type: g.Combat.Chase.Left[0], Target: -1, General: -1}
}
