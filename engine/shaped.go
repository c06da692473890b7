package engine

import (
	"berthier/engine/shape"
	"berthier/orders"
)

// A Shaped ruleset says how its order files are written, whether or not what they order
// is legal.
type Shaped interface {
	// Shapes gives the shapes of the answers to every kind of stop, see [About.Stops].
	Shapes() shape.Sheet
}

// A Namer is a view that knows what order files may name.
type Namer interface {
	// Names gives all things of a kind, such as unit, that the files of any side may
	// name at any time of the game; nil if there is no such list. It tells only what the
	// scenario says.
	Names(kind string) []orders.Choice
}
