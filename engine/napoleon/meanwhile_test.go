package napoleon

import (
	"testing"

	"berthier/engine"
	"berthier/engine/rulestest"
)

// While the winner of a battle is asked whether it regroups, what the enemy is asked
// meanwhile tells him nothing of its blocks.
func TestWhatIsAskedMeanwhileTellsNothing(t *testing.T) {
	games := 1
	if fullSamples {
		games = 20
	}
	rulestest.Meanwhile(t, New(), []rulestest.Setup{
		{Name: "fourth edition"},
		{Name: "third edition", Setup: engine.Setup{Options: map[string]string{"edition": "3e"}}},
		{Name: "three players", Setup: engine.Setup{Options: map[string]string{"players": "3"}}},
		{Name: "full fog", Setup: engine.Setup{Options: map[string]string{"fog_of_battle": "full"}}},
		{Name: "full fog, losses as numbers", Setup: engine.Setup{Options: map[string]string{"fog_of_battle": "full", "losses_public": "number"}}},
	}, games, resampled, "regroup")
}
