package waterloo

import (
	"testing"

	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// Answers written as short lines are read back as themselves.
func TestShortLines(t *testing.T) {
	var games []playout.Game
	for i := range setups {
		games = append(games, playout.Game{Setup: setups[i].Setup, Seed: uint64(8400 + i)})
	}
	short, long := rulestest.Lines(t, New(), games)
	for _, kind := range []string{stopBid, stopRound, stopContinue, stopCavalryRetreat, stopArtillery, stopCommit, stopLoss} {
		if short[kind] == 0 && !rulestest.Race {
			t.Errorf("%s: no answer in short lines, %d with keys", kind, long[kind])
		}
	}
	for kind, n := range long {
		t.Errorf("%s: %d answers have no short form", kind, n)
	}
}
