package waterloo

import (
	"iter"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
)

// A placing is the world of the stop commander: the unit to which a commander goes.
type placing struct {
	f  *placeFrame
	to unitID
}

// refuges are the units to which the displaced commander may go.
var refuges = kind[unitID]{
	Shape: unitShape,
	Read: func(v *View, r *orders.Reader, n *orders.Node) (unitID, bool) {
		return v.nameUnit(r, n, under[*placeFrame](v.game).Choices)
	},
	Write: units.Write,
}

// commanderForm is the stop commander: where a displaced commander goes (WAT-S11).
var commanderForm = &form[*placing]{
	Clause: "WAT-12.3",
	Begin: func(v *View, _ engine.Decision) (*placing, bool) {
		f := under[*placeFrame](v.game)
		return &placing{f: f}, f != nil
	},
	Flow: true,
	Fields: []field[*placing]{
		{ // who it is about can only be said one way
			Key: "commander", Optional: true, Shape: shape.Name("commander"),
			Read: func(x *saying[*placing], r *orders.Reader, n *orders.Node) {
				who := x.View.lead(x.World.f.Commander)
				r.Pick(n, "commander", []orders.Choice{{ID: who.id, Names: []string{who.name}}})
			},
			Write: func(x *saying[*placing], _ []play.Part) *orders.Node {
				return orders.Text(x.View.lead(x.World.f.Commander).id)
			},
		},
		play.One("to", refuges, rule[*placing, unitID]{
			Next: func(w *placing) iter.Seq[unitID] { return slices.Values(w.f.Choices) },
			Put:  func(w *placing, id unitID) { w.to = id },
			Say: func(v *View, id unitID) engine.Choice {
				return engine.Choice{Of: v.lead(under[*placeFrame](v.game).Commander).id, What: v.def(id).id, Shown: v.def(id).id}
			},
		}),
	},
	Usual: func(x *saying[*placing]) { x.Try("to", x.View.farthest(x.World.f.Choices)) },
	Note: func(x *saying[*placing], n *orders.Node) {
		var choices []string
		for _, id := range play.Offers[unitID](x.Blank(), "to") {
			choices = append(choices, x.View.def(id).id+" "+x.View.squareID(x.View.unit(id).At))
		}
		n.Get("to").Comment = strings.Join(choices, ", ")
	},
	Do: func(p *battlefield, _ engine.Decision, w *placing) {
		p.pop()
		p.place(w.f.Commander, w.to)
	},
}
