package waterloo

import (
	"testing"

	"berthier/engine/rulestest"
)

// BenchmarkStops resolves the stops of recorded games.
func BenchmarkStops(b *testing.B) { rulestest.Stops(b, New(), setups[:2]...) }
