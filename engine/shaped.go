package engine

import (
	"berthier/engine/shape"
	"berthier/orders"
)

// A Shaped ruleset says how its order files are written, whatever may be ordered.
type Shaped interface {
	// Shapes gives the shapes of the answers to every kind of stop, see [About.Stops].
	Shapes() shape.Sheet
}

// A Namer is a view that knows what order files may name.
type Namer interface {
	// Names gives all things of a kind, such as unit, that the files of any side may
	// name at any time of the game; nil where that is no list. It tells nothing but
	// what the scenario says.
	Names(kind string) []orders.Choice
}
