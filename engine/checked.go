package engine

import "berthier/orders"

// Checked is a [Position] that knows what must hold in it, whatever a game
// master changes. If a ruleset's positions are not Checked, its Load is trusted to
// refuse what can't be.
type Checked interface {
	// Check names every invariant that the position breaks, with the clause: pieces
	// that were added or lost, limits exceeded, dead units on the board. Was is a
	// position of the same game before the change; pieces are counted against it.
	// Nothing to which the rules themselves can lead breaks an invariant.
	Check(was Position) orders.Problems
}

// Optional is a [Ruleset] some of whose options can be changed while a game is
// played.
type Optional interface {
	// Option gives what must be merged into the YAML of a position so that an
	// option has another value from there on. It fails if the option is unknown or
	// can't be changed in a game that is under way.
	Option(name, value string) (*orders.Node, error)
}
