package waterloo

import (
	"testing"

	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// What may be answered at each kind of stop, and what is refused and where, is as the
// golden file has it, under all readings.
func TestAnswers(t *testing.T) {
	var games []playout.Game
	for i := range 3 * len(setups) {
		games = append(games, playout.Game{Setup: setups[i%len(setups)].Setup, Seed: uint64(7000 + i)})
	}
	rulestest.Answers(t, New(), games, nil, "testdata/answers.txt", nil)
}
