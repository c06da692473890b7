package napoleon

import (
	"testing"

	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// No forced march is made that the file of its player does not order. The other dice the rules
// ask for, and those of fire cost nobody but the enemy.
func TestNoDieIsFilledIn(t *testing.T) {
	games := []playout.Game{{Setup: setups[0].Setup, Seed: 9101, MaxStops: 80}, {Setup: setups[1].Setup, Seed: 9102, MaxStops: 80}}
	rulestest.Dice(t, New(), games, "nap.roll-terrain", "nap.roll-coin", "nap.roll-fire", "nap.roll-morale")
}
