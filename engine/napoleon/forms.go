package napoleon

import (
	"iter"
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
)

// The types of package play with which stops are declared, over this ruleset's view.
type (
	form[W any]               = play.Form[*View, *campaign, W]
	formField[W any]          = play.Field[*View, W]
	saying[W any]             = play.Draft[*View, W]
	rule[W any, T comparable] = play.Rule[*View, W, T]
	kindOf[T comparable]      = play.Kind[*View, T]
)

// saidTo gives what an answer to a stop says, whose world is of type W.
func saidTo[W any](a play.Reply) (W, bool) { return play.World[*View, W](a) }

// townNames are the towns of the map.
var townNames = kindOf[townID]{
	Shape: townShape,
	Read:  func(v *View, r *orders.Reader, n *orders.Node) (townID, bool) { return v.pickTown(r, n) },
	Write: func(v *View, t townID) *orders.Node { return orders.Text(v.towns[t].name) },
}

// A listing is the world of a stop that is answered with a list of units.
type listing struct {
	v       *View
	b       *battle // the battle that the stop is about, if any
	units   []unitID
	asNamed bool // supply losses come in the order in which they are named
}

// left gives the units of a list that have not been named.
func (w *listing) left(units []unitID) []unitID {
	return slices.DeleteFunc(slices.Clone(units), func(id unitID) bool { return containsUnit(w.units, id) })
}

// sorted are the units in the order of their ids.
func (w *listing) sorted() []unitID {
	units := slices.Clone(w.units)
	slices.Sort(units)
	return units
}

// byID is the order of lists in normal form.
func byID(a, b unitID) int { return int(a) - int(b) }

// listingFor begins a list of units for a stop that is not about a battle.
func listingFor(v *View, _ engine.Decision) (*listing, bool) { return &listing{v: v}, true }

// listingIn begins a list of units of the battle of a decision, if there is one.
func listingIn(v *View, d engine.Decision) (*listing, bool) {
	b := v.battleOf(d)
	return &listing{v: v, b: b}, b != nil
}

// tryAll adds units one after the other, each if it may come.
func tryAll(x *saying[*listing], key string, units []unitID) {
	for _, id := range units {
		x.Try(key, id)
	}
}

// eachOf yields what a function lists.
func eachOf(list func(*listing) []unitID) func(*listing) iter.Seq[unitID] {
	return func(w *listing) iter.Seq[unitID] { return slices.Values(list(w)) }
}

// unitList is a list of units. It fills in what all such lists have in common in their
// rules.
func unitList(key, what string, own rule[*listing, unitID]) formField[*listing] {
	own.Put = func(w *listing, id unitID) { w.units = append(w.units, id) }
	if own.Say == nil {
		own.Say = func(v *View, id unitID) engine.Choice {
			return engine.Choice{Of: v.unitName(id), What: what, Shown: v.unitName(id)}
		}
	}
	return play.List(key, "", kindOf[unitID]{Shape: unitShape, Write: func(v *View, id unitID) *orders.Node { return orders.Text(v.unitName(id)) }}, own)
}

// upTo refuses more than so many without words: End tells it in words.
func upTo(most func(*listing) int) func(*listing, int) *fault {
	return func(w *listing, n int) *fault {
		if n > most(w) {
			return &fault{}
		}
		return nil
	}
}
