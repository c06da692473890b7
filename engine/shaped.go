package engine

import "berthier/engine/shape"

// A Shaped ruleset says how its order files are written, whatever may be ordered.
type Shaped interface {
	// Shapes gives the shapes of the answers to every kind of stop, see [About.Stops].
	Shapes() shape.Sheet
}
