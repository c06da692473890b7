package napoleon

import (
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// What is filed ahead answers its stop as if it came then, or does not.
func TestFiledAhead(t *testing.T) {
	games := []playout.Game{{Setup: engine.Setup{Options: map[string]string{"setup": "historical"}}, Seed: 3}, {Setup: engine.Setup{Options: map[string]string{"players": "3"}}, Seed: 4}}
	if fullSamples {
		games = append(games, playout.Game{Setup: engine.Setup{Options: map[string]string{"edition": "3e"}}, Seed: 5}, playout.Game{Seed: 6})
	}
	rulestest.Ahead(t, New(), games, "move", "battle-turn", "hits", "reinforce", "terrain-attacker", "terrain-defender", "deploy-attacker", "deploy-defender", "regroup")
}
