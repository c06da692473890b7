package napoleon

import (
	"testing"

	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// BenchmarkTemplates writes the templates of all kinds of stops, those of movements as well
// where armies are face to face.
func BenchmarkTemplates(b *testing.B) {
	var facing []rulestest.Owed
	for seed := range uint64(len(marchSetups)) {
		for _, p := range faceToFace(b, 8000+seed) {
			for _, d := range p.Owed() {
				facing = append(facing, rulestest.Owed{View: p.View(d.Side), To: d})
			}
		}
	}
	b.Run("facing", func(b *testing.B) { rulestest.Templates(b, New(), len(facing), facing) })
	var games []playout.Game
	for i, one := range setups {
		games = append(games, playout.Game{Setup: one.Setup, Seed: uint64(i)},
			playout.Game{Start: battleground(b, one.Setup, uint64(i)), Seed: uint64(i), MaxStops: 600})
	}
	rulestest.Templates(b, New(), 40, nil, games...)
}
