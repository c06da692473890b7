package waterloo

import (
	"testing"

	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// A template means the default, and each line of it that begins with a # is a legal order by
// itself: whoever takes one # away, and changes nothing else, sends a legal file.
func TestTemplatesTakeOneUncommenting(t *testing.T) {
	var games []playout.Game
	for i := range 2 * len(setups) {
		games = append(games, playout.Game{Setup: setups[i%len(setups)].Setup, Seed: uint64(8200 + i)})
	}
	each := 2
	if rulestest.FullSamples() {
		each = 20
	}
	if tried := rulestest.Uncomment(t, "waterloo", New(), games, each); rulestest.FullSamples() && tried < 1000 {
		t.Errorf("%d templates were tried, not a thousand", tried)
	}
}
