package hfg

import (
	"testing"

	"berthier/engine/rulestest"
)

// The shapes of order files refuse nothing that the judge accepts, and find what is badly written where
// he does. What may be planned hangs on who attacks.
func TestShapes(t *testing.T) { rulestest.Shapes(t, "hfg", New(), stopPlan) }
