package engine

import "berthier/orders/phrase"

// An Introducing is a [Ruleset] that can say what its game is, to somebody who has never
// played it. The first letter of a game has room for some fifteen lines of it.
type Introducing interface {
	// Introduce says it from a view of any moment, the deployment among them.
	Introduce(View) Introduction
}

// An Introduction is what somebody must know who has never played a game. Each phrase takes a
// line or two.
type Introduction struct {
	Game  []phrase.Phrase // what it is, how each side wins, how a turn goes
	Signs []phrase.Phrase // what is written how, each with an example from the position
	// Letters is about how many answers a seat writes in a game at each pace, as
	// docs/pace.md counts them; the seat is that of the view.
	Letters map[string]int
}
