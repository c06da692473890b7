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
