package mistakes

import (
	"testing"

	"berthier/engine/rulestest"
)

// docs/rules/enemy-mistakes-orders.json holds what the cases show of each kind of stop.
func TestOrderReference(t *testing.T) { rulestest.Evidence(t, "enemy-mistakes", New()) }
