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
	a := hitsAnswer{s: v.scenario}
	volley, sound, named := v.volley(b, d.Side), true, 0
	var items []*orders.Node
	if !r.Is(list, "none") {
		items = r.List(list)
	}
	for _, item := range items {
		id, ok := v.pickUnit(r, item, v.livingUnits())
		if !ok {
			sound = false
			continue
		}
		tied := volley.next()
		if named++; volley.gone(id) { // with its square, and its hit is nobody's
			if named--; r.Accepted {
				a.units = append(a.units, id)
			}
			continue
		}
		switch {
		case len(tied) == 0: // one too many
		case containsUnit(tied, id):
			volley.hit(id)
			a.units = append(a.units, id)
		case containsUnit(a.units, id):
			sound = false
			r.RefuseWith(item, "NAP-6.4", phrase.Say("nap.hits-twice", v.idArg("unit", id)), phrase.Say("nap.hits-remedy", v.unitNames("units", tied)))
		default:
			sound = false
			r.RefuseWith(item, "NAP-6.4", phrase.Say("nap.hits-not-strongest", v.idArg("unit", id)), phrase.Say("nap.hits-remedy", v.unitNames("units", tied)))
		}
	}
	want := len(a.units) + len(volley.pick(v.cheaper))
	if sound && !r.Accepted && named != want {
		r.Refuse(list, "NAP-6.4", phrase.Say("nap.hits-number", phrase.Number("n", named), phrase.Number("want", want)))
	}
	return a
}

func (s hitsStop) Template(v *View, d engine.Decision) *orders.Node {
	n := s.Fallback(v, d).Node()
	if b := v.battleOf(d); b != nil && b.hits != nil {
		volley := v.volley(b, d.Side)
		n.Get("hits").Above = strconv.Itoa(int(volley.s.left)) + ": " + v.briefs(volley.next())
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
	return hitsAnswer{v.scenario, v.volley(b, d.Side).pick(v.cheaper)}
}

// cheaper puts before another unit who is hit first at the deadline.
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

func (hitsStop) Random(v *View, d engine.Decision, chance *rand.Rand) play.Reply {
	b := v.battleOf(d)
	if b == nil || b.hits == nil {
		return hitsAnswer{s: v.scenario}
	}
	volley := v.volley(b, d.Side)
	drawn := shuffled(volley.next(), chance)
	place := func(id unitID) int {
		if i := slices.Index(drawn, id); i >= 0 {
			return i
		}
		return len(drawn)
	}
	return hitsAnswer{v.scenario, volley.pick(func(x, y unitID) int { return place(x) - place(y) })}
}

func (hitsStop) Take(p *campaign, d engine.Decision, a play.Reply) {
	b := p.battleOf(d)
	if b == nil || b.hits == nil {
		return
	}
	veiled := p.veiled(b, b.hits)
	for _, id := range a.(hitsAnswer).units {
		p.hit(b, b.hits, id)
	}
	if veiled {
		p.named(b.hits, d.Side)
	}
	p.takeHits(b)
}
