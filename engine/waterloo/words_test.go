package waterloo

import (
	"testing"

	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// wordGames are games in which every kind of stop opens.
func wordGames() []playout.Game {
	var games []playout.Game
	for i := range 6 * len(setups) {
		games = append(games, playout.Game{Setup: setups[i%len(setups)].Setup, Seed: uint64(7100 + i)})
	}
	return games
}

// Doing nothing and the default are written the same way at every stop.
func TestNothingAndTheDefaultAtEveryStop(t *testing.T) {
	rulestest.SaysNothing(t, New(), wordGames())
}

// Answers are written in one spelling, and the former spelling is read too.
func TestAnswersHaveOneSpelling(t *testing.T) {
	rulestest.Spelling(t, New(), wordGames())
}

// Options are written in one spelling, and the former spelling is read too.
func TestOptionsHaveOneSpelling(t *testing.T) { rulestest.OptionSpelling(t, New()) }
