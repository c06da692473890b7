package waterloo

import (
	"testing"

	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// Nobody orders a die in this game: chance deals cards, draws them when two are alike, and chooses
// what is healed.
func TestNoDieIsFilledIn(t *testing.T) {
	rulestest.Dice(t, New(), []playout.Game{{Setup: setups[0].Setup, Seed: 9201, MaxStops: 60}}, "wat.roll-deal", "wat.roll-tie", "wat.roll-health")
}
