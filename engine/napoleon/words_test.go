package napoleon

import (
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// wordGames come to every kind of stop.
func wordGames(t *testing.T) []playout.Game {
	var games []playout.Game
	for i, one := range append(setups, rulestest.Setup{Name: "three players", Setup: engine.Setup{Options: map[string]string{"players": "3"}}}) {
		seed := uint64(7100 + i)
		games = append(games, playout.Game{Setup: one.Setup, Seed: uint64(7000 + i)},
			playout.Game{Start: battleground(t, one.Setup, seed), Seed: seed, MaxStops: 5000})
	}
	// One that comes to a stalemate, which is rare.
	return append(games, playout.Game{Start: battleground(t, setups[4].Setup, 28), Seed: 28, MaxStops: 3000})
}

// Nothing and the default are written the same way at every stop.
func TestNothingAndTheDefaultAtEveryStop(t *testing.T) {
	rulestest.SaysNothing(t, New(), wordGames(t))
}
