package mistakes

import (
	"math/rand/v2"
	"testing"

	"berthier/engine"
)

// Games by chance are played from the set-up to their end: none is stuck, and no position on the
// way is one that can't be.
func TestGamesByChance(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(12) {
		options := []map[string]string{{}, {"ney": "on"}, {"game": "short"}, {"game": "ready-3p", "players": "3"}, {"game": "free-plus"}, {"game": "ready-3p"}}[seed%6]
		g, stops := playTurns(t, seed, options, 99, func(v *View, d engine.Decision, r *rand.Rand) engine.Answer {
			return declared.Random(v, d, r)
		})
		if !g.over() {
			t.Errorf("seed %d: the game is not over in turn %d", seed, g.Turn)
		}
		for kind, n := range stops {
			met[kind] += n
		}
	}
	for kind := range stops {
		if met[kind] == 0 && !inCombat(kind) && !seldom[kind] {
			t.Errorf("no game came to a stop %s: %v", kind, met)
		}
	}
}
