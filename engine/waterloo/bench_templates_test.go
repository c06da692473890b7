package waterloo

import (
	"testing"

	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// BenchmarkTemplates writes the templates of all kinds of stops.
func BenchmarkTemplates(b *testing.B) {
	var games []playout.Game
	for i, one := range setups {
		games = append(games, playout.Game{Setup: one.Setup, Seed: uint64(i)})
	}
	rulestest.Templates(b, New(), 40, nil, games...)
}
