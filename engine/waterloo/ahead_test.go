package waterloo

import (
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// What is filed ahead answers its stop as if it came then, or does not.
func TestFiledAhead(t *testing.T) {
	games := []playout.Game{{Setup: engine.Setup{Options: map[string]string{"scenario-length": "quick"}}, Seed: 3}}
	if fullSamples {
		games = append(games, playout.Game{Setup: engine.Setup{Options: map[string]string{"players": "3"}}, Seed: 4})
	}
	rulestest.Ahead(t, New(), games, stopBid, stopRound, stopArtillery, stopCommit, stopLoss, stopCavalryRetreat)
}
