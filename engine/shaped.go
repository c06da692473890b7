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
	// Keywords gives the vocabulary of the shapes, for whoever needs nothing else of them: each letter does.
	Keywords() *orders.Words
}

// A Namer is a view that knows what order files may name.
type Namer interface {
	// Names gives all things of a kind, such as unit, that the files of any side may
	// name at any time of the game; nil if there is no such list. It tells only what the
	// scenario says.
	Names(kind string) []orders.Choice
}

// Conditions is implemented by a [Ruleset] that tells whether conditions hold where a
// decision is owed, such as {at: Ligny, odds: ">1"}. How they are written, [Shaped] tells.
type Conditions interface {
	// Hold tells whether all of some conditions hold, as far as the side of the view can
	// see. Since is what [Conditions.Watch] gave where they were filed, "" if they were filed
	// nowhere. The problems are what is wrong with how they are written; such conditions
	// never hold.
	Hold(view View, d Decision, since string, conditions *orders.Node) (bool, orders.Problems)
	// Watch gives in a few letters how the enemy stands, as far as the side of the view can
	// see: the same as long as that stays the same.
	Watch(View) string
}
