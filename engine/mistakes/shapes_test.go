package mistakes

import (
	"testing"

	"berthier/engine/rulestest"
)

// The shapes of order files refuse nothing that the judge accepts, and find what is badly written where
// he does, but at the stops whose key is the unit that is asked about.
func TestShapes(t *testing.T) {
	rulestest.Shapes(t, "enemy-mistakes", New(), stopShelled, stopLimberedGun, stopUnlimberedGun)
}
