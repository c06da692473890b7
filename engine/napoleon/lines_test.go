package napoleon

import (
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// Answers written as short lines are read back as themselves.
func TestShortLines(t *testing.T) {
	games := []playout.Game{
		{Setup: engine.Setup{Options: map[string]string{"players": "3"}}, Seed: 8301},
		{Setup: engine.Setup{Options: map[string]string{"edition": "3e"}}, Seed: 8302},
	}
	for i := range setups[:min(len(setups), 4)] {
		games = append(games, playout.Game{Setup: setups[i].Setup, Seed: uint64(8303 + i)})
	}
	short, long := rulestest.Lines(t, New(), games)
	for _, kind := range []string{"deploy", "move", "battle-turn", "hits", "reinforce", "terrain-attacker", "deploy-attacker", "skirmish", "supply", "regroup"} {
		if short[kind] == 0 && !rulestest.Race {
			t.Errorf("%s: no answer in short lines, %d with keys", kind, long[kind])
		}
	}
	for kind, n := range long {
		t.Errorf("%s: %d answers have no short form", kind, n)
	}
}
