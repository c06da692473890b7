package napoleon

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

func init() { stops["deploy"] = deployStop{} }

// begin puts the armies that stand at historical places onto the map and opens
// the first stop (NAP-4.3).
func (p *campaign) begin() {
	setup, _ := p.scenario.setup(setupWords[p.options.setup])
	for i := range p.units {
		if u := &p.units[i]; setup.placed[u.army] {
			u.town = p.roster[i].at
		}
	}
	if p.options.sides == sidesBid {
		p.phase = bidding
	}
	p.run()
}

// deployment asks the Allies, then the French, who see the Allied blocks
// (NAP-4.0). A camp that stands on the map has nothing to answer.
func (p *campaign) deployment() {
	c := alliedCamp
	if p.phase == deployFrench {
		c = frenchCamp
	}
	var asked []engine.Side
	for _, side := range p.sidesOf(c) {
		if len(p.undeployed(side)) > 0 {
			asked = append(asked, side)
		}
	}
	switch {
	case len(asked) > 0:
		p.ask(asked, "deploy", "")
	case p.phase == deployAllied:
		p.phase = deployFrench
	default:
		p.phase = movement
	}
}

// undeployed lists a side's units that are yet to come onto the map.
func (g *game) undeployed(side engine.Side) []unitID {
	var ids []unitID
	for i := range g.units {
		u := &g.units[i]
		if u.id != noUnit && !u.dead && u.town == noTown && g.sideOf(u.army) == side {
			ids = append(ids, u.id)
		}
	}
	slices.Sort(ids)
	return ids
}

// deployStop is the stop deploy (NAP-4.1, NAP-4.2, NAP-4.4).
type deployStop struct{}

// deployAnswer says where every unit comes onto the map, by town and unit.
type deployAnswer struct {
	g     *scenario
	towns []deployed
}

type deployed struct {
	town  townID
	units []unitID
}

func (a deployAnswer) Node() *orders.Node {
	m := orders.Mapping()
	for _, d := range a.towns {
		m.Set(a.g.towns[d.town].name, a.g.unitTexts(d.units))
	}
	return orders.Mapping().Set("deploy", m)
}

// unitTexts writes units on one line.
func (s *scenario) unitTexts(ids []unitID) *orders.Node {
	n := orders.Texts()
	for _, id := range ids {
		n.Add(orders.Text(s.roster[id].id))
	}
	return n
}

// unitNames fills a place with units.
func (s *scenario) unitNames(place string, ids []unitID) phrase.Arg {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = s.roster[id].id
	}
	return phrase.Names(place, "unit", names)
}

// put adds a unit to a town of the answer, keeping towns and units in order.
func (a *deployAnswer) put(t townID, id unitID) {
	i, ok := slices.BinarySearchFunc(a.towns, t, func(d deployed, t townID) int { return int(d.town) - int(t) })
	if !ok {
		a.towns = slices.Insert(a.towns, i, deployed{town: t})
	}
	at, _ := slices.BinarySearch(a.towns[i].units, id)
	a.towns[i].units = slices.Insert(a.towns[i].units, at, id)
}

// deployClause is the clause that limits an army's deployment.
func deployClause(a army) string {
	if a == french {
		return "NAP-4.2"
	}
	return "NAP-4.1"
}

// elsewhere is a town that is named and can't be read.
const elsewhere = noTown - 1

func (deployStop) Read(v *View, d engine.Decision, r *orders.Reader, body *orders.Node) play.Reply {
	if body == nil || r.Is(body, "default") {
		return deployStop{}.Fallback(v, d)
	}
	before := len(r.Problems)
	f := r.Fields(body, "deploy")
	list := f.Get("deploy")
	if list == nil {
		if len(r.Problems) == before {
			r.Require(f, "deploy")
		}
		return nil
	}
	if list.Kind != orders.Map {
		r.Refuse(list, "", phrase.Say("order.want-map", phrase.Literals("keys", []string{"TOWN"})))
		return nil
	}
	a := deployAnswer{g: v.scenario}
	waiting := v.undeployed(v.side)
	placed := make([]townID, len(v.roster))
	for i := range placed {
		placed[i] = noTown
	}
	counts := make([]int, len(v.towns))
	said := make([]bool, len(v.towns))
	put := func(t townID, id unitID, at *orders.Node) {
		if other := placed[id]; other == elsewhere {
			return
		} else if other != noTown {
			r.Refuse(at, "NAP-4.4", phrase.Say("nap.deploy-twice", v.idArg("unit", id), v.townArg("town", other)))
			return
		}
		placed[id] = t
		who := v.roster[id].army
		if zone := v.zone(t); zone != who {
			r.Refuse(at, deployClause(who), phrase.Say("nap.deploy-zone", v.idArg("unit", id), v.townArg("town", t),
				phrase.Name("army", "army", who.String()), phrase.Name("zone", "army", zone.String())))
			return
		}
		counts[t]++
		if limit := v.numbers.deploy[who]; counts[t] == limit+1 && !v.towns[t].apart {
			r.RefuseWith(at, deployClause(who), phrase.Say("nap.deploy-limit", v.townArg("town", t), phrase.Number("limit", limit)),
				phrase.Say("nap.deploy-limit-remedy", v.idArg("unit", id)))
		}
		a.put(t, id)
	}
	type remainder struct {
		town townID
		at   *orders.Node
	}
	var rest []remainder
	for _, pair := range list.Pairs {
		t, ok := v.pickTown(r, pair.Key)
		if !ok { // its units are placed, though nobody knows where
			for _, item := range r.List(pair.Value) {
				if r.Is(item, "rest") || r.Is(item, "all") {
					rest = append(rest, remainder{elsewhere, item})
				} else if id, ok := v.pickUnit(r, item, waiting); ok && placed[id] == noTown {
					placed[id] = elsewhere
				}
			}
			continue
		}
		if said[t] {
			r.Refuse(pair.Key, "", phrase.Say("order.key-twice", phrase.Literal("key", pair.Key.Text)))
		}
		said[t] = true
		for _, item := range r.List(pair.Value) {
			if r.Is(item, "all") || r.Is(item, "rest") {
				rest = append(rest, remainder{t, item})
				continue
			}
			if r.Is(item, "none") {
				continue
			}
			if id, ok := v.pickUnit(r, item, waiting); ok {
				put(t, id, item)
			}
		}
	}
	for i, one := range rest {
		if i > 0 {
			r.Refuse(one.at, "", phrase.Say("nap.deploy-rest-twice"))
			continue
		}
		for _, id := range waiting {
			switch {
			case placed[id] != noTown:
			case one.town == elsewhere:
				placed[id] = elsewhere
			default:
				put(one.town, id, one.at)
			}
		}
	}
	var missing []unitID
	for _, id := range waiting {
		if placed[id] == noTown {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		r.RefuseWith(list, "NAP-4.4", phrase.Say("nap.deploy-missing", v.unitNames("units", missing)), phrase.Say("nap.deploy-missing-remedy"))
	}
	return a
}

// pickUnit reads one of the units that may be named here. A name that several
// of them have, as the two I Corps Artilleries of the Allies, names none.
func (v *View) pickUnit(r *orders.Reader, n *orders.Node, among []unitID) (unitID, bool) {
	choices := make([]orders.Choice, len(among))
	for i, id := range among {
		choices[i] = orders.Choice{ID: v.roster[id].id, Names: []string{v.roster[id].name}}
	}
	if twins := v.called(n, among); len(twins) > 1 {
		r.RefuseWith(n, "", phrase.Say("nap.unit-several", phrase.Literal("name", n.Text)), phrase.Say("nap.unit-several-remedy", phrase.Literals("ids", twins)))
		return noUnit, false
	}
	name, ok := r.Pick(n, "unit", choices)
	if !ok {
		return noUnit, false
	}
	for _, id := range among {
		if v.roster[id].id == name {
			return id, true
		}
	}
	return noUnit, false
}

// called gives the ids of the units that have a name.
func (v *View) called(n *orders.Node, among []unitID) []string {
	if n == nil || n.Kind != orders.Scalar {
		return nil
	}
	var ids []string
	name := orders.Fold(n.Text)
	for _, id := range among {
		if orders.Fold(v.roster[id].name) == name {
			ids = append(ids, v.roster[id].id)
		}
	}
	return ids
}

// idArg gives a place of a sentence a unit.
func (s *scenario) idArg(place string, id unitID) argument {
	return phrase.Name(place, "unit", s.roster[id].id)
}

func (deployStop) Template(v *View, d engine.Decision) *orders.Node {
	a := deployStop{}.Fallback(v, d).(deployAnswer)
	n := a.Node()
	var above []string
	for _, who := range []army{french, angloDutch, prussian} {
		if v.sideOf(who) != v.side {
			continue
		}
		var names []string
		for t := range v.towns {
			if v.zone(townID(t)) == who && !v.towns[t].apart {
				names = append(names, v.towns[t].name)
			}
		}
		above = append(above, who.String()+", max "+strconv.Itoa(v.numbers.deploy[who])+": "+strings.Join(names, ", "))
	}
	list := n.Get("deploy")
	list.Above = strings.Join(above, "\n")
	for i, d := range a.towns {
		var units []string
		for _, id := range d.units {
			units = append(units, v.brief(id))
		}
		list.Pairs[i].Value.Comment = strings.Join(units, ", ")
	}
	return n
}

// brief says what a unit is in a few signs: "F-03 infantry 3F2".
func (v *View) brief(id unitID) string {
	u := v.unit(id)
	return v.roster[id].id + " " + u.kind.String() + " " + strconv.Itoa(int(u.strength)) + "F" + strconv.Itoa(int(u.fire))
}

// fallback is the historical deployment (NAP-4.3).
func (deployStop) Fallback(v *View, d engine.Decision) play.Reply {
	a := deployAnswer{g: v.scenario}
	for _, id := range v.undeployed(v.side) {
		a.put(v.roster[id].at, id)
	}
	return a
}

// random puts three units of five at their historical places and the others
// where there is room.
func (deployStop) Random(v *View, d engine.Decision, chance *rand.Rand) play.Reply {
	a := deployAnswer{g: v.scenario}
	room := make([]int, len(v.towns))
	for t := range room {
		if !v.towns[t].apart {
			room[t] = v.numbers.deploy[v.zone(townID(t))]
		}
	}
	ids := v.undeployed(v.side)
	chance.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	for _, id := range ids {
		t := v.roster[id].at
		if chance.IntN(5) >= 3 || room[t] == 0 {
			var free []townID
			for o := range room {
				if room[o] > 0 && v.zone(townID(o)) == v.roster[id].army {
					free = append(free, townID(o))
				}
			}
			if len(free) > 0 {
				t = free[chance.IntN(len(free))]
			}
		}
		room[t]--
		a.put(t, id)
	}
	return a
}

func (deployStop) Take(p *campaign, d engine.Decision, a play.Reply) {
	for _, place := range a.(deployAnswer).towns {
		for _, id := range place.units {
			p.units[id].town = place.town
		}
	}
	p.Tell("NAP-4.0", to(p.everyone(), "nap.deployed", whoArg("side", string(d.Side))))
}
