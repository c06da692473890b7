package enginetest

import (
	"cmp"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The types of package play with which stops are declared, over this ruleset's view.
type (
	form[W any]               = play.Form[*View, *round, W]
	field[W any]              = play.Field[*View, W]
	draft[W any]              = play.Draft[*View, W]
	rule[W any, T comparable] = play.Rule[*View, W, T]
	kind[T comparable]        = play.Kind[*View, T]
)

// units are what order files name: those that the side has.
var units = kind[string]{
	Shape: shape.Name("unit"),
	Read: func(v *View, r *orders.Reader, n *orders.Node) (string, bool) {
		var list []orders.Choice
		for _, u := range v.Own {
			list = append(list, orders.Choice{ID: u.ID})
		}
		return r.Pick(n, "unit", list)
	},
	Write: func(_ *View, id string) *orders.Node { return orders.Text(id) },
}

// A bidding is the world of the stop bid: what has been said so far.
type bidding struct {
	*View
	said bool   // what is bid
	unit string // "": none
	laid int
}

// bidForm is the stop bid: {bid: R-1}, {bid: R-1, coins: 2}, {bid: none}.
var bidForm = &form[*bidding]{
	Begin:  func(v *View, _ engine.Decision) (*bidding, bool) { return &bidding{View: v}, true },
	Flow:   true,
	Fields: []field[*bidding]{bidField, coinsField()},
	Usual:  func(x *draft[*bidding]) { x.Try("bid", "") },
	Sense:  func(x *draft[*bidding], _ *rand.Rand) { x.Try("bid", strongest(x.View.Own)) },
	Note: func(x *draft[*bidding], n *orders.Node) {
		n.Pairs[0].Value.Comment = menuOf(play.Offers[string](x.Blank(), "bid"))
		if x.View.Coins > 0 {
			n.Above = "coins: " + numbersTo(x.View.Coins)
		}
	},
	Do: func(p *round, d engine.Decision, w *bidding) {
		side := p.player(d.Side)
		side.Bid, side.Laid = w.unit, w.laid
	},
}

// menuOf is a list of units, or none, as comments write it.
func menuOf(ids []string) string {
	texts := slices.Clone(ids)
	for i := range texts {
		texts[i] = cmp.Or(texts[i], "none")
	}
	return strings.Join(texts, ", ")
}

// numbersTo lists 1 | 2 | 3, the numbers that may stand in one place.
func numbersTo(most int) string {
	var all []string
	for n := 1; n <= most; n++ {
		all = append(all, strconv.Itoa(n))
	}
	return strings.Join(all, " | ")
}

// bidField is a unit, or none, which is written out (LOT-1.1).
var bidField = play.One("bid", play.OrNone(units, "none"), rule[*bidding, string]{
	Next: func(w *bidding) iter.Seq[string] { return slices.Values(append(w.ids(), "")) },
	Put:  func(w *bidding, id string) { w.said, w.unit = true, id },
	Say: func(_ *View, id string) engine.Choice {
		if id == "" {
			return engine.Choice{What: "none", Shown: "none"}
		}
		return engine.Choice{Of: id, What: "bid", Shown: id}
	},
})

// coinsField is how many coins go with the unit (LOT-1.2).
func coinsField() field[*bidding] {
	f := play.One("coins", play.Number[*View](1, 99), rule[*bidding, int]{
		Next: func(w *bidding) iter.Seq[int] {
			return func(yield func(int) bool) {
				if w.unit != "" {
					yield(1)
				}
			}
		},
		May: func(w *bidding, n int) *play.Fault {
			switch {
			case n > w.Coins:
				return &play.Fault{Clause: "LOT-1.2", Why: phrase.Say("lots.too-many-coins", phrase.Number("n", w.Coins))}
			case w.said && w.unit == "":
				return &play.Fault{Clause: "LOT-1.2", Why: phrase.Say("lots.coins-alone")}
			}
			return nil
		},
		Put: func(w *bidding, n int) { w.laid = n },
		Say: func(v *View, n int) engine.Choice {
			return engine.Choice{What: "coins", Measure: true, Low: 1, High: v.Coins, Value: n}
		},
		At: func(_, n int) int { return n },
	})
	f.Optional = true
	return f
}

// A loss is the world of the stop discard.
type loss struct {
	*View
	unit string
}

// discardForm is the stop discard: {discard: R-1} (LOT-3.1).
var discardForm = &form[*loss]{
	Begin: func(v *View, _ engine.Decision) (*loss, bool) { return &loss{View: v}, len(v.Own) > 0 },
	Flow:  true,
	Fields: []field[*loss]{play.One("discard", units, rule[*loss, string]{
		Next: func(w *loss) iter.Seq[string] { return slices.Values(w.ids()) },
		Put:  func(w *loss, id string) { w.unit = id },
		Say:  func(_ *View, id string) engine.Choice { return engine.Choice{Of: id, What: "discard", Shown: id} },
	})},
	Usual: func(x *draft[*loss]) { x.Try("discard", x.View.Own[0].ID) },
	Note: func(x *draft[*loss], n *orders.Node) {
		n.Pairs[0].Value.Comment = menuOf(play.Offers[string](x.Blank(), "discard"))
	},
	Do: func(p *round, d engine.Decision, w *loss) {
		side := p.player(d.Side)
		side.Units = slices.DeleteFunc(side.Units, func(u Unit) bool { return u.ID == w.unit })
		p.Discard = ""
		p.Tell("LOT-3.1", play.To([]engine.Side{d.Side}, "lots.lost", unitArg(w.unit)))
	},
}

// ids are the units that the side has.
func (v *View) ids() []string {
	var ids []string
	for _, u := range v.Own {
		ids = append(ids, u.ID)
	}
	return ids
}

// strongest is the first of the strongest units; "" if there is none.
func strongest(own []Unit) string {
	best := Unit{}
	for _, u := range own {
		if u.Strength > best.Strength {
			best = u
		}
	}
	return best.ID
}

// Cautions implements [engine.Cautious]: it is odd to bid a unit when all others
// are stronger.
func (Lots) Cautions(view engine.View, _ engine.Decision, given engine.Answer) []engine.Caution {
	w, ok := play.World[*View, *bidding](given.(play.Answer).Reply)
	if !ok || w.unit == "" || len(w.Own) < 2 {
		return nil
	}
	bid := slices.IndexFunc(w.Own, func(u Unit) bool { return u.ID == w.unit })
	for i, u := range w.Own {
		if i != bid && u.Strength <= w.Own[bid].Strength {
			return nil
		}
	}
	return []engine.Caution{{Kind: "weakest", Clause: "LOT-2.1", Say: phrase.Say("lots.odd-weakest", unitArg(w.unit))}}
}
