package napoleon

import (
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// A template means the default, and each line of it that begins with a # is a legal order by
// itself: whoever takes one # away, and changes nothing else, sends a legal file.
func TestTemplatesTakeOneUncommenting(t *testing.T) {
	var games []playout.Game
	for i, one := range append([]rulestest.Setup{
		{Name: "three players", Setup: engine.Setup{Options: map[string]string{"players": "3"}}},
		{Name: "third edition", Setup: engine.Setup{Options: map[string]string{"edition": "3e"}}},
	}, setups...) {
		games = append(games, playout.Game{Setup: one.Setup, Seed: uint64(8100 + i)},
			playout.Game{Start: battleground(t, one.Setup, uint64(8100+i)), Seed: uint64(8100 + i), MaxStops: 600})
	}
	each := 2
	if rulestest.FullSamples() {
		each = 12
	}
	if tried := rulestest.Uncomment(t, "napoleon", New(), games, each); rulestest.FullSamples() && tried < 1000 {
		t.Errorf("%d templates were tried, not a thousand", tried)
	}
}
