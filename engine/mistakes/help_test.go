package mistakes

import (
	"testing"

	"berthier/engine/geometry"
)

type point = geometry.Point

// begin sets a game up.
func begin(t testing.TB, options map[string]string) *game {
	t.Helper()
	g, faults := begun(battle(t), options)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return g
}
