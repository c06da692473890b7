package napoleon

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

func init() {
	stops["battle-order"] = orderForm
	stops["skirmish"] = skirmishForm
	stops["hits"] = hitsStop{}
	stops["terrain-attacker"] = terrainForm
	stops["terrain-defender"] = terrainForm
	stops["morale-order"] = moraleForm
	stops["reinforce"] = reinforceForm
	stops["skirmish-retreat"] = leaveForm
	stops["rout"] = leaveForm
	stops["stalemate"] = leaveForm
	stops["regroup"] = regroupForm
}

// hitsStop is the stop hits (NAP-6.4).
type hitsStop struct{}

type hitsAnswer struct {
	s     *scenario
	units []unitID
}

func (a hitsAnswer) Node() *orders.Node {
	return orders.Mapping().Set("hits", a.s.unitTexts(a.units))
}

func (s hitsStop) Read(v *View, d engine.Decision, r *orders.Reader, body *orders.Node) play.Reply {
	if wantsDefault(r, body) {
		return s.Fallback(v, d)
	}
	list, _ := keyed(r, body, "hits")
	b := v.battleOf(d)
	if list == nil || b == nil || b.hits == nil {
		return nil
	}
	tied, want := v.struck(b, b.hits), int(b.hits.left)
	a := hitsAnswer{s: v.scenario}
	for _, item := range r.List(list) {
		id, ok := v.pickUnit(r, item, v.livingUnits())
		switch {
		case !ok:
		case !containsUnit(tied, id):
			r.RefuseWith(item, "NAP-6.4", phrase.Say("nap.hits-not-strongest", v.idArg("unit", id)), phrase.Say("nap.hits-remedy", v.unitNames("units", tied)))
		case containsUnit(a.units, id):
			r.RefuseWith(item, "NAP-6.4", phrase.Say("nap.hits-twice", v.idArg("unit", id)), phrase.Say("nap.hits-remedy", v.unitNames("units", tied)))
		default:
			a.units = append(a.units, id)
		}
	}
	if len(r.List(list)) != want {
		r.Refuse(list, "NAP-6.4", phrase.Say("nap.hits-number", phrase.Number("n", len(r.List(list))), phrase.Number("want", want)))
	}
	return a
}

func (s hitsStop) Template(v *View, d engine.Decision) *orders.Node {
	n := s.Fallback(v, d).Node()
	if b := v.battleOf(d); b != nil && b.hits != nil {
		n.Get("hits").Above = strconv.Itoa(int(b.hits.left)) + ": " + v.briefs(v.struck(b, b.hits))
	}
	return n
}

// fallback is infantry first, then cavalry, artillery and leaders, then the
// highest id.
func (hitsStop) Fallback(v *View, d engine.Decision) play.Reply {
	b := v.battleOf(d)
	if b == nil || b.hits == nil {
		return hitsAnswer{s: v.scenario}
	}
	tied := v.struck(b, b.hits)
	v.cheapestFirst(tied)
	return hitsAnswer{v.scenario, tied[:min(int(b.hits.left), len(tied))]}
}

// cheapestFirst sorts units by who is hit first at the deadline.
func (g *game) cheapestFirst(units []unitID) {
	slices.SortFunc(units, func(x, y unitID) int {
		if w := cheapness(g.unit(x).kind) - cheapness(g.unit(y).kind); w != 0 {
			return w
		}
		return int(y) - int(x)
	})
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

func (hitsStop) Random(v *View, d engine.Decision, chance *rand.Rand) play.Reply {
	b := v.battleOf(d)
	if b == nil || b.hits == nil {
		return hitsAnswer{s: v.scenario}
	}
	tied := shuffled(v.struck(b, b.hits), chance)
	return hitsAnswer{v.scenario, tied[:min(int(b.hits.left), len(tied))]}
}

func (hitsStop) Take(p *campaign, d engine.Decision, a play.Reply) {
	b := p.battleOf(d)
	if b == nil || b.hits == nil {
		return
	}
	for _, id := range a.(hitsAnswer).units {
		p.hit(b, b.hits, id)
	}
	p.takeHits(b)
}
