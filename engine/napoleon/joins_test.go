package napoleon

import (
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// Questions are asked together only where nothing comes between: the defender's terrain and
// his deployment, supply and movement; never a deployment and the battle turn in which the
// enemy is shown, nor the terrain of one battle and another battle's deployment.
func TestQuestionsAskedTogether(t *testing.T) {
	games := 1
	if fullSamples {
		games = 8
	}
	var list []playout.Game
	for i, one := range []engine.Setup{{}, {Options: map[string]string{"edition": "3e"}}, {Options: map[string]string{"players": "3"}}, {Options: map[string]string{"fog_of_battle": "full"}}} {
		for n := range games {
			list = append(list, playout.Game{Setup: one, Seed: uint64(10*i + n), Choose: engine.Ruleset.Sensible})
		}
	}
	rulestest.Follow(t, New(), list, scramble, resampled,
		[]string{"terrain-defender deploy-defender", "deploy move", "supply move", "rout move"},
		[]string{"deploy-attacker battle-turn", "terrain-attacker deploy-attacker", "move terrain-attacker", "battle-turn reinforce"})
}

// A game in which what follows is filed with the file before is the game in which each answer
// comes at its stop.
func TestGamesFiledAheadAreGamesStopByStop(t *testing.T) {
	list := []playout.Game{{Setup: engine.Setup{}, Seed: 5}}
	if fullSamples {
		list = append(list, playout.Game{Setup: engine.Setup{Options: map[string]string{"edition": "3e"}}, Seed: 6}, playout.Game{Setup: engine.Setup{Options: map[string]string{"players": "3"}}, Seed: 7})
	}
	rulestest.StopByStop(t, New(), list)
}
