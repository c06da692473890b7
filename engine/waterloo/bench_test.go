package waterloo

import (
	"testing"

	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// BenchmarkStops resolves the stops of recorded games.
func BenchmarkStops(b *testing.B) { rulestest.Stops(b, New(), setups[:2]...) }

// BenchmarkAnswers plays games and answers their stops.
func BenchmarkAnswers(b *testing.B) {
	rulestest.Answering(b, New(), playout.Game{Setup: setups[0].Setup, Seed: 1}, playout.Game{Setup: setups[2].Setup, Seed: 2})
}
