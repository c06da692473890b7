package waterloo

import (
	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The types of package play with which stops are declared, over this ruleset's view.
type (
	form[W any]               = play.Form[*View, *battlefield, W]
	field[W any]              = play.Field[*View, W]
	saying[W any]             = play.Draft[*View, W]
	rule[W any, T comparable] = play.Rule[*View, W, T]
	kind[T comparable]        = play.Kind[*View, T]
)

// A reply is the world of a stop that is answered with one value.
type reply[T any] struct {
	v  *View
	b  *battleFrame // the battle under way, where there must be one
	is T
}

func (w *reply[T]) put(value T) { w.is = value }

// anywhere begins a reply.
func anywhere[T any](v *View, _ engine.Decision) (*reply[T], bool) { return &reply[T]{v: v}, true }

// inBattle begins a reply in the battle under way, if there is one.
func inBattle[T any](v *View, _ engine.Decision) (*reply[T], bool) {
	b := under[*battleFrame](v.game)
	return &reply[T]{v: v, b: b}, b != nil
}

// ofAttackers begins a reply about the units that attack in the battle under way, if
// there are any.
func ofAttackers[T any](v *View, _ engine.Decision) (*reply[T], bool) {
	b := under[*battleFrame](v.game)
	return &reply[T]{v: v, b: b}, b != nil && len(b.still()) > 0
}

// saidTo gives what an answer to a stop says, whose world is of type W.
func saidTo[W any](a play.Reply) (W, bool) { return play.World[*View, W](a) }

// The things that order files name.
var (
	// units are those of the armies that the side commands.
	units = kind[unitID]{
		Shape: unitShape,
		Read:  func(v *View, r *orders.Reader, n *orders.Node) (unitID, bool) { return v.nameUnit(r, n, v.ofArmies()) },
		Write: func(v *View, id unitID) *orders.Node { return v.idNode(id) },
	}
	// cards are those of the decks of these armies.
	cards = kind[cardID]{
		Shape: cardShape,
		Read:  (*View).nameCard,
		Write: func(v *View, c cardID) *orders.Node { return orders.Text(v.card(c).id) },
	}
	squares = kind[square]{
		Shape: squareShape,
		Read:  func(v *View, r *orders.Reader, n *orders.Node) (square, bool) { return v.nameSquare(r, n) },
		Write: func(v *View, q square) *orders.Node { return orders.Text(v.squareID(q)) },
	}
	// A facing is left out where it is kept. A word that is no facing is refused, and the rest
	// is judged as if the facing were kept.
	facings = kind[facing]{
		Shape: faceShape,
		Read:  func(_ *View, r *orders.Reader, n *orders.Node) (facing, bool) { return readFace(r, n), true },
		Write: func(_ *View, f facing) *orders.Node {
			if f == noFacing {
				return nil
			}
			return orders.Text(f.String())
		},
	}
)

// squareArgs is a list of squares for a phrase.
func (s *scenario) squareArgs(place string, squares []square) argument {
	return phrase.NamesOf(place, "square", squares, s.squareID)
}

// idNode writes a unit, or none.
func (s *scenario) idNode(id unitID) *orders.Node {
	if id == 0 {
		return orders.Text("none")
	}
	return orders.Text(s.def(id).id)
}
