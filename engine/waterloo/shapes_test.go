package waterloo

import (
	"testing"

	"berthier/engine/rulestest"
)

// Nothing that the judge accepts is refused by the shapes of the stops, or by the JSON
// Schema that is made of them.
func TestShapes(t *testing.T) { rulestest.Shapes(t, "waterloo", New()) }

// What the order reference shows of the stops is what the conformance cases do.
func TestOrderReference(t *testing.T) { rulestest.Evidence(t, "waterloo", New()) }
