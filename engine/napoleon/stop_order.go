package napoleon

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// An ordering is the world of the stop battle-order: the towns so far.
type ordering struct {
	v     *View
	towns []townID
}

// open are the towns that are to be named.
func (w *ordering) open() iter.Seq[townID] { return slices.Values(w.v.unordered()) }

// orderForm is the stop battle-order: in what order the battles are fought
// (NAP-6.1c, NAP-6.1d).
var orderForm = &form[*ordering]{
	Begin:    func(v *View, _ engine.Decision) (*ordering, bool) { return &ordering{v: v}, true },
	Misspelt: true,
	Fields: []formField[*ordering]{play.List("battle-order", "none", townNames, rule[*ordering, townID]{
		Ranked: true,
		All:    (*ordering).open,
		Next:   (*ordering).open,
		May: func(w *ordering, t townID) *fault {
			switch {
			case !containsTown(w.v.unordered(), t):
				return refusal("NAP-6.1c", "nap.order-no-battle", w.v.townArg("town", t))
			case containsTown(w.towns, t):
				return refusal("NAP-6.1c", "nap.order-twice", w.v.townArg("town", t))
			}
			return nil
		},
		End: func(w *ordering, _ int, _ bool) []*fault {
			var missing []*fault
			for t := range w.open() {
				if !containsTown(w.towns, t) {
					missing = append(missing, refusal("NAP-6.1c", "nap.order-missing", w.v.townArg("town", t)))
				}
			}
			return missing
		},
		Put: func(w *ordering, t townID) { w.towns = append(w.towns, t) },
		Say: func(v *View, t townID) engine.Choice {
			return engine.Choice{Of: v.towns[t].name, Shown: v.towns[t].name}
		},
	})},
	// The default is the previous order, and at first the alphabetical one.
	Usual:  func(x *saying[*ordering]) { x.World.say(x, x.View.unordered()) },
	Chance: func(x *saying[*ordering], chance *rand.Rand) { x.World.say(x, shuffled(x.View.unordered(), chance)) },
	Sense:  senseOrder,
	Do:     func(p *campaign, _ engine.Decision, w *ordering) { p.orderBattles(w.towns) },
}

func (w *ordering) say(x *saying[*ordering], towns []townID) {
	for _, t := range towns {
		x.Try("battle-order", t)
	}
}

// shownOf are the units that a side may show in the skirmish of a battle, and how
// many of them it must show.
func (w *listing) shownOf() ([]unitID, int) {
	own := w.v.ownIn(w.b.town, w.v.side)
	return own, min(w.v.share(w.b, w.v.side), len(own))
}

// mayBeShown are the units that a side may show.
func (w *listing) mayBeShown() iter.Seq[unitID] {
	own, _ := w.shownOf()
	return slices.Values(own)
}

// skirmishForm is the stop skirmish: whom to show (NAP-6.6).
var skirmishForm = &form[*listing]{
	Begin:    listingIn,
	Misspelt: true,
	Fields: []formField[*listing]{unitList("reveal", "reveal", rule[*listing, unitID]{
		Read: func(w *listing, r *orders.Reader, n *orders.Node) (unitID, bool) {
			own, _ := w.shownOf()
			return w.v.pickUnit(r, n, own)
		},
		All:  (*listing).mayBeShown,
		Next: (*listing).mayBeShown,
		May: func(w *listing, id unitID) *fault {
			if containsUnit(w.units, id) {
				return refusal("", "nap.named-twice", w.v.idArg("unit", id))
			}
			return nil
		},
		Many: upTo(func(w *listing) int {
			_, share := w.shownOf()
			return share
		}),
		End: func(w *listing, _ int, _ bool) []*fault {
			n := len(w.units)
			fewer := w.v.options.skirmishReveal == revealFree && n > 0
			if _, share := w.shownOf(); n > share || n < share && !fewer {
				return []*fault{refusal("NAP-6.6", "nap.skirmish-number", phrase.Number("n", n), phrase.Number("want", share))}
			}
			return nil
		},
		Order: byID,
	})},
	Usual: showUsual,
	Fill: func(x *saying[*listing]) {
		if x.View.options.skirmishReveal != revealFree {
			showUsual(x)
		}
	},
	Chance: func(x *saying[*listing], chance *rand.Rand) {
		own, share := x.World.shownOf()
		tryAll(x, "reveal", shuffled(own, chance)[:share])
	},
	Note: func(x *saying[*listing], n *orders.Node) {
		own, _ := x.World.shownOf()
		n.Get("reveal").Above = x.View.briefs(own)
	},
	Do: func(p *campaign, _ engine.Decision, w *listing) { p.chooseSkirmishers(w.sorted()) },
}

// showUsual shows the strongest first, a leader last.
func showUsual(x *saying[*listing]) {
	own, share := x.World.shownOf()
	tryAll(x, "reveal", x.View.strongestOf(x.World.left(own), false, max(share-len(x.World.units), 0)))
}

// strongestOf picks the units that are shown in a skirmish: by strength, leaders last, then
// by id; or the weakest first.
func (g *game) strongestOf(units []unitID, weakest bool, most int) []unitID {
	worth := func(id unitID) int {
		u := g.unit(id)
		w := int(u.strength)*16 + int(skirmishRating[u.kind])
		if weakest {
			w = -w
		}
		if u.kind == leader {
			w -= 1 << 10
		}
		return w
	}
	units = slices.Clone(units)
	slices.SortStableFunc(units, func(a, b unitID) int {
		if w := worth(b) - worth(a); w != 0 {
			return w
		}
		return int(a) - int(b)
	})
	units = units[:min(most, len(units))]
	slices.Sort(units)
	return units
}

// tested are the side's units that roll for morale.
func (w *listing) tested() []unitID { return w.v.of(w.v.side, w.b.morale) }

// moraleForm is the stop morale-order: in what order units roll (NAP-6.31c).
var moraleForm = &form[*listing]{
	Begin:    listingIn,
	Misspelt: true,
	Fields: []formField[*listing]{unitList("morale", "", rule[*listing, unitID]{
		Read: func(w *listing, r *orders.Reader, n *orders.Node) (unitID, bool) {
			return w.v.pickUnit(r, n, w.tested())
		},
		Ranked: true,
		All:    eachOf((*listing).tested),
		Next:   eachOf((*listing).tested),
		May: func(w *listing, id unitID) *fault {
			if containsUnit(w.units, id) {
				return refusal("", "nap.named-twice", w.v.idArg("unit", id))
			}
			return nil
		},
		End: func(w *listing, _ int, _ bool) []*fault {
			var missing []*fault
			for _, id := range w.left(w.tested()) {
				missing = append(missing, refusal("NAP-6.31c", "nap.morale-missing", w.v.idArg("unit", id)))
			}
			return missing
		},
	})},
	Usual:  func(x *saying[*listing]) { tryAll(x, "morale", x.World.tested()) },
	Chance: func(x *saying[*listing], chance *rand.Rand) { tryAll(x, "morale", shuffled(x.World.tested(), chance)) },
	Note: func(x *saying[*listing], n *orders.Node) {
		v, b := x.View, x.World.b
		var texts []string
		for _, id := range x.World.tested() {
			u := v.unit(id)
			text := v.brief(id) + " " + b.called(u.field, v.camp())
			if bonus := v.moraleBonus(b, u); bonus > 0 {
				text += " +" + strconv.Itoa(bonus)
			}
			texts = append(texts, text)
		}
		n.Get("morale").Above = listed(texts)
	},
	Do: func(p *campaign, d engine.Decision, w *listing) {
		p.orderMorale(p.battleOf(d), d.Side, slices.Clone(w.units))
	},
}
