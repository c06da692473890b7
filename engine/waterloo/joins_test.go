package waterloo

import (
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// Questions are asked together only where nothing comes between: the shots of a window, the
// end of a round and the own round; never a window after a card and the cards of the battle
// that may follow.
func TestQuestionsAskedTogether(t *testing.T) {
	games := 1
	if fullSamples {
		games = 8
	}
	var list []playout.Game
	for i, one := range []map[string]string{{"scenario-length": "full"}, {"scenario-length": "quick"}, {"scenario-length": "full", "players": "3"}} {
		for n := range games {
			list = append(list, playout.Game{Setup: engine.Setup{Options: one}, Seed: uint64(10*i + n), Choose: engine.Ruleset.Sensible})
		}
	}
	rulestest.Follow(t, New(), list, scramble, asksAlike,
		[]string{"artillery artillery", "artillery round", "round round"},
		[]string{"artillery commit", "artillery loss", "commit loss", "commit round"})
}

// A game in which what follows is filed with the file before is the game in which each answer
// comes at its stop.
func TestGamesFiledAheadAreGamesStopByStop(t *testing.T) {
	list := []playout.Game{{Setup: engine.Setup{Options: map[string]string{"scenario-length": "quick"}}, Seed: 5}}
	if fullSamples {
		list = append(list, playout.Game{Setup: engine.Setup{Options: map[string]string{"scenario-length": "full", "players": "3"}}, Seed: 6})
	}
	rulestest.StopByStop(t, New(), list)
}
