package waterloo

import (
	"berthier/engine"
	"berthier/engine/play"
)

// The game does not tell who else is asked: whether a seat owes an order depends on its
// hand and on its standing orders, which are secret (section 7 of the digest). So it is
// no [engine.Announcer].

// Allies implements [engine.Allied]: two Allied players win or lose together
// (WAT-1.5).
func (g *game) Allies(of engine.Side) []engine.Side {
	return play.Others(g.seatsIn(campOfSeat(of)), of)
}

// Public implements [engine.Open]. Observers see the board, the sizes of the
// hands and the cards that were shown: everything except what only one seat knows.
func (g *game) Public() engine.View { return g.view(engine.Public) }
