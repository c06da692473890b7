package waterloo

import (
	"testing"

	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// wordGames come to every kind of stop.
func wordGames() []playout.Game {
	var games []playout.Game
	for i := range 3 * len(setups) {
		games = append(games, playout.Game{Setup: setups[i%len(setups)].Setup, Seed: uint64(7000 + i)})
	}
	return games
}

// Nothing and the default are written the same way at every stop.
func TestNothingAndTheDefaultAtEveryStop(t *testing.T) {
	rulestest.SaysNothing(t, New(), wordGames())
}

// Answers are written in one spelling and read in the former one, too.
func TestAnswersHaveOneSpelling(t *testing.T) {
	rulestest.Spelling(t, New(), wordGames())
}

// Options are written in one spelling and read in the former one, too.
func TestOptionsHaveOneSpelling(t *testing.T) { rulestest.OptionSpelling(t, New()) }
