package napoleon

import (
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// What may be answered at each kind of stop, and what is refused where, in all
// editions and with each option that bears on it: as the golden file has it. Random
// marches seldom bring armies together, so that battles have games of their own.
func TestAnswers(t *testing.T) {
	var games []playout.Game
	for i, one := range append(setups, []rulestest.Setup{
		{Name: "three players", Setup: engine.Setup{Options: map[string]string{"players": "3"}}},
		{Name: "three players, third edition", Setup: engine.Setup{Options: map[string]string{"players": "3", "edition": "3e"}}},
	}...) {
		games = append(games, playout.Game{Setup: one.Setup, Seed: uint64(7000 + i)})
		seed := uint64(7100 + i)
		games = append(games, playout.Game{Start: battleground(t, one.Setup, seed), Seed: seed, MaxStops: 5000})
	}
	rulestest.Answers(t, New(), games, "testdata/answers.txt", nil)
}
