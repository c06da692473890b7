package napoleon

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A hitting is one hit on a unit: its first, its second and so on in a volley.
type hitting struct {
	unit unitID
	n    int
}

// A taking is the world of the stop hits: who is hit so far.
type taking struct {
	v      *View
	b      *battle
	volley *volley // after these hits
	units  []unitID

	due  int      // hits at the beginning
	tied []unitID // on whom the first of them may fall
}

// another is the next hit on a unit.
func (w *taking) another(id unitID) hitting {
	one := hitting{id, 1}
	for _, hit := range w.units {
		if hit == id {
			one.n++
		}
	}
	return one
}

// fault tells why a unit may not take a hit.
func (w *taking) fault(one hitting) *fault {
	tied := w.volley.next()
	code := "nap.hits-not-strongest"
	switch {
	case containsUnit(tied, one.unit):
		return nil
	case containsUnit(w.units, one.unit):
		code = "nap.hits-twice"
	}
	f := refusal("NAP-6.4", code, w.v.idArg("unit", one.unit))
	f.Remedy = phrase.Say("nap.hits-remedy", w.v.unitNames("units", tied))
	return f
}

// hitsField is the only field of hitsForm: who is hit.
var hitsField = formField[*taking]{
	Key: "hits", Shape: shape.List(unitShape),
	Read:  readHits,
	Write: func(x *saying[*taking], _ []play.Part) *orders.Node { return x.View.unitTexts(x.World.units) },
	Next: func(w *taking) iter.Seq[any] {
		return func(yield func(any) bool) {
			for _, id := range w.volley.next() {
				if !yield(w.another(id)) {
					return
				}
			}
		}
	},
	May: func(w *taking, value any) *fault { return w.fault(value.(hitting)) },
	Put: func(w *taking, value any) {
		id := value.(hitting).unit
		if w.units = append(w.units, id); !w.volley.gone(id) {
			w.volley.hit(id)
		}
	},
	Say: func(v *View, value any) engine.Choice {
		one := value.(hitting)
		name := v.unitName(one.unit)
		if one.n > 1 {
			return engine.Choice{Of: name, What: "hit " + strconv.Itoa(one.n)}
		}
		return engine.Choice{Of: name, What: "hit", Shown: name}
	},
}

// hitsForm is the stop hits: on whom the hits of a volley fall, one after the other
// (NAP-6.4).
var hitsForm = &form[*taking]{
	Begin: func(v *View, d engine.Decision) (*taking, bool) {
		b := v.battleOf(d)
		if b == nil || b.hits == nil {
			return nil, false
		}
		volley := v.volley(b, d.Side)
		return &taking{v: v, b: b, volley: volley, due: int(volley.s.left), tied: volley.next()}, true
	},
	Misspelt: true,
	Fields:   []formField[*taking]{hitsField},
	// Infantry takes hits first, then cavalry, artillery and leaders; then the highest id.
	Usual: func(x *saying[*taking]) { takeRest(x, x.View.cheaper) },
	Chance: func(x *saying[*taking], chance *rand.Rand) {
		drawn := shuffled(x.World.volley.next(), chance)
		place := func(id unitID) int {
			if i := slices.Index(drawn, id); i >= 0 {
				return i
			}
			return len(drawn)
		}
		takeRest(x, func(a, b unitID) int { return place(a) - place(b) })
	},
	// Units that fire worst take hits first, leaders last.
	Sense: func(x *saying[*taking], _ *rand.Rand) {
		v := x.View
		takeRest(x, func(x, y unitID) int {
			a, o := v.unit(x), v.unit(y)
			if la, lo := a.kind == leader, o.kind == leader; la != lo {
				if la {
					return 1
				}
				return -1
			}
			if a.fire != o.fire {
				return int(a.fire) - int(o.fire)
			}
			return cheapness(a.kind) - cheapness(o.kind)
		})
	},
	Note: func(x *saying[*taking], n *orders.Node) {
		n.Get("hits").Above = strconv.Itoa(x.World.due) + ": " + x.View.briefs(x.World.tied)
	},
	Do: func(p *campaign, d engine.Decision, w *taking) {
		b := p.battleOf(d)
		if b == nil || b.hits == nil {
			return
		}
		veiled := p.veiled(b, b.hits)
		for _, id := range w.units {
			p.hit(b, b.hits, id)
		}
		if veiled {
			p.named(b.hits, d.Side)
		}
		p.takeHits(b)
	},
}

// takeRest takes all hits that are left, each time on the first by an order.
func takeRest(x *saying[*taking], order func(a, b unitID) int) {
	w := x.World
	for tied := w.volley.next(); len(tied) > 0; tied = w.volley.next() {
		x.Add("hits", w.another(slices.MinFunc(tied, order)))
	}
}

// readHits reads a list of units, each with a hit.
func readHits(x *saying[*taking], r *orders.Reader, list *orders.Node) {
	v, w := x.View, x.World
	sound, named := true, 0
	var items []*orders.Node
	if !r.Is(list, "none") {
		items = r.List(list)
	}
	for _, item := range items {
		id, ok := v.pickUnit(r, item, v.livingUnits())
		switch {
		case !ok:
			sound = false
		case w.volley.gone(id): // the unit died with its square, and its hit falls on nobody
			if r.Accepted {
				x.Add("hits", w.another(id))
			}
		case len(w.volley.next()) == 0: // there is one hit too many
			named++
		default:
			since := len(r.Problems)
			x.Judge(r, item, "hits", w.another(id), true, since)
			sound = sound && len(r.Problems) == since
			named++
		}
	}
	want := len(w.units) + len(w.volley.pick(v.cheaper)) // this world is not used again
	if sound && !r.Accepted && named != want {
		r.Refuse(list, "NAP-6.4", phrase.Say("nap.hits-number", phrase.Number("n", named), phrase.Number("want", want)))
	}
}

// cheaper sorts first the unit that is hit first at the deadline.
func (g *game) cheaper(x, y unitID) int {
	if w := cheapness(g.unit(x).kind) - cheapness(g.unit(y).kind); w != 0 {
		return w
	}
	return int(y) - int(x)
}

// cheapness orders kinds by who is hit first at the deadline.
func cheapness(k kind) int {
	switch k {
	case infantry:
		return 0
	case lightCavalry:
		return 1
	case heavyCavalry:
		return 2
	case footArtillery:
		return 3
	case horseArtillery:
		return 4
	}
	return 5
}
