package mistakes

import (
	"testing"

	"berthier/engine/rulestest"
)

// No die is rolled again unless its player says so. The rules ask for all others.
func TestNoDieIsFilledIn(t *testing.T) {
	rulestest.Dice(t, New(), clashes(t, 8), "em.roll-melee", "em.roll-losses", "em.roll-pursuit",
		"em.roll-outcome", "em.roll-damage", "em.roll-leader", "em.roll-caught", "em.roll-fire", "em.roll-markers", "em.roll-entry", "em.roll-substitute")
}
