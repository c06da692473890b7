package waterloo

import (
	"berthier/engine"
	"berthier/engine/play"
)

// The game says nothing of who else is asked: whether a seat owes an order hangs
// on its hand and on its standing orders, which are secret (section 7 of the
// digest). So it is no [engine.Announcer].

var (
	_ engine.Allied = (*game)(nil)
	_ engine.Open   = (*game)(nil)
)

// Allies implements [engine.Allied]: two Allied players win or lose together
// (WAT-1.5).
func (g *game) Allies(of engine.Side) []engine.Side {
	return play.Others(g.seatsIn(campOfSeat(of)), of)
}

// Public implements [engine.Open]. Onlookers see the board, the sizes of the
// hands and the cards that were shown: all but what a seat alone knows.
func (g *game) Public() engine.View { return g.view(engine.Public) }
