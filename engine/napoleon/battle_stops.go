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
	stops["terrain-attacker"] = terrainStop{}
	stops["terrain-defender"] = terrainStop{}
	stops["morale-order"] = moraleStop{}
	stops["reinforce"] = reinforceStop{}
	stops["skirmish-retreat"] = leaveStop{}
	stops["rout"] = leaveStop{}
	stops["stalemate"] = leaveStop{}
	stops["regroup"] = regroupStop{}
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

// terrainStop is the stops terrain-attacker and terrain-defender (NAP-6.21).
type terrainStop struct{}

type terrainAnswer struct {
	pieces []piece // as drawn
	places []int   // left, center or right for each
}

func (a terrainAnswer) Node() *orders.Node {
	n := orders.Inline()
	for i, what := range a.pieces {
		if slices.Contains(a.pieces[:i], what) {
			continue
		}
		list := orders.Texts()
		for j := i; j < len(a.pieces); j++ {
			if a.pieces[j] == what {
				list.Add(orders.Text(placeWords[a.places[j]]))
			}
		}
		if len(list.Items) == 1 {
			list = list.Items[0]
		}
		n.Set(what.String(), list)
	}
	return orders.Mapping().Set("terrain", n)
}

func (s terrainStop) Read(v *View, d engine.Decision, r *orders.Reader, body *orders.Node) play.Reply {
	if wantsDefault(r, body) {
		return s.Fallback(v, d)
	}
	n, _ := keyed(r, body, "terrain")
	b := v.battleOf(d)
	if n == nil || b == nil {
		return nil
	}
	a := terrainAnswer{pieces: b.drawn, places: make([]int, len(b.drawn))}
	var names []string
	for _, what := range b.drawn {
		if !slices.Contains(names, what.String()) {
			names = append(names, what.String())
		}
	}
	f := r.Fields(n, names...)
	var taken [3]bool
	for _, name := range names {
		value := r.Require(f, name)
		if value == nil {
			continue
		}
		var mine []int
		for i, what := range b.drawn {
			if what.String() == name {
				mine = append(mine, i)
			}
		}
		items := r.List(value)
		if len(items) != len(mine) {
			r.Refuse(value, "NAP-6.21", phrase.Say("nap.terrain-number", phrase.Name("piece", "terrain", name), phrase.Number("want", len(mine))))
			continue
		}
		for i, item := range items {
			word, ok := r.Word(item, placeWords[:]...)
			if !ok {
				continue
			}
			at := slices.Index(placeWords[:], word)
			if taken[at] {
				r.Refuse(item, "NAP-6.21", phrase.Say("nap.terrain-twice", phrase.Name("field", "field", word)))
			}
			taken[at] = true
			a.places[mine[i]] = at
		}
	}
	return a
}

func (s terrainStop) Template(v *View, d engine.Decision) *orders.Node {
	n := s.Fallback(v, d).Node()
	n.Get("terrain").Comment = listed(placeWords[:])
	return n
}

// fallback of the attacker is left; of the defender a wood left, the others in
// the order right, center, left.
func (terrainStop) Fallback(v *View, d engine.Decision) play.Reply {
	b := v.battleOf(d)
	if b == nil {
		return terrainAnswer{}
	}
	a := terrainAnswer{pieces: b.drawn, places: make([]int, len(b.drawn))}
	if d.Kind == "terrain-attacker" {
		return a
	}
	var taken [3]bool
	for i, what := range b.drawn {
		order := [3]int{2, 1, 0}
		if what == wood {
			order = [3]int{0, 2, 1}
		}
		for _, at := range order {
			if !taken[at] {
				taken[at] = true
				a.places[i] = at
				break
			}
		}
	}
	return a
}

func (terrainStop) Random(v *View, d engine.Decision, chance *rand.Rand) play.Reply {
	b := v.battleOf(d)
	if b == nil {
		return terrainAnswer{}
	}
	return terrainAnswer{pieces: b.drawn, places: chance.Perm(3)[:len(b.drawn)]}
}

func (terrainStop) Take(p *campaign, d engine.Decision, a play.Reply) {
	b := p.battleOf(d)
	c := b.attacker
	if d.Kind == "terrain-defender" {
		c = c.enemy()
	}
	own := b.ownFields(c)
	var places []field
	for _, at := range a.(terrainAnswer).places {
		places = append(places, own[at])
	}
	p.placeTerrain(b, c, places)
}

// moraleStop is the stop morale-order (NAP-6.31c).
type moraleStop struct{}

type moraleAnswer struct {
	s     *scenario
	units []unitID
}

func (a moraleAnswer) Node() *orders.Node {
	return orders.Mapping().Set("morale", a.s.unitTexts(a.units))
}

func (s moraleStop) Read(v *View, d engine.Decision, r *orders.Reader, body *orders.Node) play.Reply {
	if wantsDefault(r, body) {
		return s.Fallback(v, d)
	}
	list, _ := keyed(r, body, "morale")
	b := v.battleOf(d)
	if list == nil || b == nil {
		return nil
	}
	units, _ := v.unitsOf(r, list, v.of(v.side, b.morale))
	for _, id := range v.of(v.side, b.morale) {
		if !containsUnit(units, id) {
			r.Refuse(list, "NAP-6.31c", phrase.Say("nap.morale-missing", v.idArg("unit", id)))
		}
	}
	return moraleAnswer{v.scenario, units}
}

func (s moraleStop) Template(v *View, d engine.Decision) *orders.Node {
	n := s.Fallback(v, d).Node()
	if b := v.battleOf(d); b != nil {
		for _, id := range v.of(v.side, b.morale) {
			u := v.unit(id)
			above := v.brief(id) + " " + b.called(u.field, v.camp())
			if bonus := v.moraleBonus(b, u); bonus > 0 {
				above += " +" + strconv.Itoa(bonus)
			}
			list := n.Get("morale")
			if list.Above != "" {
				list.Above += ", "
			}
			list.Above += above
		}
	}
	return n
}

func (moraleStop) Fallback(v *View, d engine.Decision) play.Reply {
	b := v.battleOf(d)
	if b == nil {
		return moraleAnswer{s: v.scenario}
	}
	return moraleAnswer{v.scenario, v.of(v.side, b.morale)}
}

func (moraleStop) Random(v *View, d engine.Decision, chance *rand.Rand) play.Reply {
	b := v.battleOf(d)
	if b == nil {
		return moraleAnswer{s: v.scenario}
	}
	return moraleAnswer{v.scenario, shuffled(v.of(v.side, b.morale), chance)}
}

func (moraleStop) Take(p *campaign, d engine.Decision, a play.Reply) {
	p.orderMorale(p.battleOf(d), d.Side, a.(moraleAnswer).units)
}

// reinforceStop is the stop reinforce (NAP-6.34).
type reinforceStop struct{}

type reinforceAnswer struct {
	s *scenario
	allotment
}

func (a reinforceAnswer) Node() *orders.Node {
	return orders.Mapping().Set("reinforce", orNone(a.s.townNodes(a.places)))
}

func (s reinforceStop) Read(v *View, d engine.Decision, r *orders.Reader, body *orders.Node) play.Reply {
	if wantsDefault(r, body) || r.Is(body, "none") {
		return s.Fallback(v, d)
	}
	n, _ := keyed(r, body, "reinforce")
	b := v.battleOf(d)
	if n == nil || b == nil {
		return nil
	}
	return reinforceAnswer{v.scenario, v.readReinforce(r, b, n)}
}

// readReinforce reads {TOWN: [units], ...}, or none.
func (v *View) readReinforce(r *orders.Reader, b *battle, n *orders.Node) allotment {
	list, nodes := v.townLists(r, n, func(t townID) []unitID {
		var able []unitID
		for _, id := range v.group(t) {
			if v.mayReinforce(b, v.unit(id)) == nil {
				able = append(able, id)
			}
		}
		return able
	})
	var a allotment
	for i, pl := range list {
		a.places = append(a.places, pl)
		if at, f := v.reinforceFault(b, a); f != nil {
			v.refuseUnit(r, nodes[i], a.places[at].unit, f)
			a.places = a.places[:len(a.places)-1]
		}
	}
	return a
}

func (s reinforceStop) Template(v *View, d engine.Decision) *orders.Node {
	n := s.Fallback(v, d).Node()
	if b := v.battleOf(d); b != nil {
		above(n.Get("reinforce"), v.couldCome(b))
	}
	return n
}

// couldCome lists who could reinforce, by town, in the form of an order.
func (v *View) couldCome(b *battle) []string {
	var lines []string
	for _, road := range v.towns[b.town].roads {
		t := v.roads[road].from(b.town)
		var able []unitID
		for _, id := range v.group(t) {
			if v.mayReinforce(b, v.unit(id)) == nil {
				able = append(able, id)
			}
		}
		if len(able) > 0 {
			lines = append(lines, v.towns[t].name+", max "+strconv.Itoa(max(v.numbers.battleRoad.of(v.roads[road])-b.hadBrought(road), 0))+": "+v.briefs(able))
		}
	}
	return lines
}

func (reinforceStop) Fallback(v *View, d engine.Decision) play.Reply {
	return reinforceAnswer{s: v.scenario}
}

func (reinforceStop) Random(v *View, d engine.Decision, chance *rand.Rand) play.Reply {
	a := reinforceAnswer{s: v.scenario}
	b := v.battleOf(d)
	if b == nil {
		return a
	}
	for _, road := range v.towns[b.town].roads {
		t := v.roads[road].from(b.town)
		room := v.numbers.battleRoad.of(v.roads[road]) - b.hadBrought(road)
		for _, id := range shuffled(v.group(t), chance) {
			if room > 0 && chance.IntN(3) > 0 && v.mayReinforce(b, v.unit(id)) == nil {
				a.places = append(a.places, place{id, t})
				room--
			}
		}
	}
	return a
}

func (reinforceStop) Take(p *campaign, d engine.Decision, a play.Reply) {
	p.bring(p.battleOf(d), a.(reinforceAnswer).allotment)
}

// leaveStop is the stops skirmish-retreat (NAP-6.6e), rout (NAP-7.4b) and
// stalemate (NAP-6.7).
type leaveStop struct{}

type leaveAnswer struct {
	s *scenario
	allotment
	lost []unitID // who finds no road, in id order; in a stalemate they only wait
	wait bool     // a stalemate
}

func (a leaveAnswer) Node() *orders.Node {
	n := orders.Mapping().Set("retreat", orNone(a.s.townNodes(a.places)))
	if len(a.lost) > 0 && !a.wait {
		n.Set("lose", a.s.unitTexts(a.lost))
	}
	return n
}

// leaveFrom completes an allotment with those who find no road.
func (v *View) leaveFrom(d engine.Decision, units []unitID, a allotment) leaveAnswer {
	all := leaveAnswer{s: v.scenario, allotment: a, wait: d.Kind == "stalemate"}
	for _, id := range units {
		if !slices.ContainsFunc(a.places, func(pl place) bool { return pl.unit == id }) {
			all.lost = append(all.lost, id)
		}
	}
	return all
}

func (s leaveStop) Read(v *View, d engine.Decision, r *orders.Reader, body *orders.Node) play.Reply {
	if wantsDefault(r, body) {
		return s.Fallback(v, d)
	}
	n, f := keyed(r, body, "retreat", "lose")
	b := v.battleOf(d)
	if n == nil || b == nil {
		return nil
	}
	c, units := v.leaving(b)
	try := *b
	lost, _ := v.unitsOf(r, f.Get("lose"), units)
	before := len(r.Problems)
	list, nodes := v.townLists(r, n, func(townID) []unitID { return units })
	var a allotment
	for i, pl := range list {
		switch {
		case !containsUnit(units, pl.unit):
			v.refuseUnit(r, nodes[i], pl.unit, refusal("NAP-7.0", "nap.leave-who"))
			continue
		case containsUnit(lost, pl.unit):
			v.refuseUnit(r, nodes[i], pl.unit, refusal("NAP-7.4b", "nap.leave-and-lose"))
			continue
		}
		u := v.unit(pl.unit)
		way, f := v.wayTo(&try, u, pl.town)
		if f != nil {
			v.refuseUnit(r, nodes[i], pl.unit, f)
			continue
		}
		v.takes(&try, u, way)
		a.places = append(a.places, pl)
	}
	if len(r.Problems) > before {
		return nil
	}
	exits := v.exits(&try, c)
	waiting, free := 0, 0 // who counts on a road, and who does not (NAP-5.4b)
	for _, id := range units {
		switch {
		case slices.ContainsFunc(a.places, func(pl place) bool { return pl.unit == id }):
		case v.weight(v.unit(id).kind) == 0:
			free++
		default:
			waiting++
		}
	}
	if len(exits) == 0 {
		free = 0
	}
	if left := min(waiting, room(exits)) + free; left > 0 {
		r.RefuseWith(n, "NAP-7.4b", phrase.Say("nap.leave-room", phrase.Number("n", left)), phrase.Say("nap.leave-room-remedy", phrase.Literal("towns", v.exitNames(exits))))
	}
	if d.Kind == "stalemate" && f.Get("lose") != nil {
		r.Refuse(f.Get("lose"), "NAP-R40", phrase.Say("nap.leave-no-loss"))
	}
	return v.leaveFrom(d, units, a)
}

func (s leaveStop) Template(v *View, d engine.Decision) *orders.Node {
	n := s.Fallback(v, d).Node()
	if b := v.battleOf(d); b != nil {
		c, units := v.leaving(b)
		lines := []string{v.briefs(units), v.exitNames(v.exits(b, c))}
		if far := v.farTowns(b, c); slices.ContainsFunc(units, func(id unitID) bool { return v.goesFar(v.unit(id)) }) && len(far) > 0 {
			var names []string
			for _, t := range far {
				names = append(names, v.towns[t].name)
			}
			lines = append(lines, "cavalry, leader: "+listed(names))
		}
		above(n.Get("retreat"), lines)
	}
	return n
}

// fallback is section 5.4 of the digest.
func (leaveStop) Fallback(v *View, d engine.Decision) play.Reply {
	b := v.battleOf(d)
	if b == nil {
		return leaveAnswer{s: v.scenario}
	}
	c, units := v.leaving(b)
	return v.leaveFrom(d, units, v.defaultLeaving(b, c, units, v.exits(b, c)))
}

func (leaveStop) Random(v *View, d engine.Decision, chance *rand.Rand) play.Reply {
	b := v.battleOf(d)
	if b == nil {
		return leaveAnswer{s: v.scenario}
	}
	c, units := v.leaving(b)
	var free []townID
	for _, e := range v.exits(b, c) {
		for range e.free {
			free = append(free, e.town)
		}
	}
	free = shuffled(free, chance)
	var a allotment
	i := 0
	for _, id := range shuffled(units, chance) {
		exits := v.exits(b, c)
		switch {
		case v.weight(v.unit(id).kind) == 0:
			if len(exits) > 0 {
				a.places = append(a.places, place{id, exits[chance.IntN(len(exits))].town})
			}
		case i < len(free):
			a.places = append(a.places, place{id, free[i]})
			i++
		}
	}
	v.goOn(b, c, &a, chance)
	return v.leaveFrom(d, units, a)
}

// goOn lets one who may go two towns do so now and then (NAP-7.2b), if it can by
// the town to which it goes anyway.
func (v *View) goOn(b *battle, c camp, a *allotment, chance *rand.Rand) {
	far := v.farTowns(b, c)
	for i, one := range a.places {
		if u := v.unit(one.unit); len(far) == 0 || !v.goesFar(u) || chance.IntN(2) > 0 {
			continue
		}
		others := slices.Delete(slices.Clone(a.places), i, i+1)
		try := *b
		for _, pl := range others {
			if w, f := v.wayTo(&try, v.unit(pl.unit), pl.town); f == nil {
				v.takes(&try, v.unit(pl.unit), w)
			}
		}
		t := far[chance.IntN(len(far))]
		if w, f := v.wayTo(&try, v.unit(one.unit), t); f == nil && v.roads[w[0]].from(b.town) == one.town {
			a.places = append(others, place{one.unit, t})
			return
		}
	}
}

func (leaveStop) Take(p *campaign, d engine.Decision, a play.Reply) {
	b, places := p.battleOf(d), a.(leaveAnswer).allotment
	if c, _ := p.leaving(b); p.shared(c) {
		p.gathered = append(p.gathered, gathered{d, a})
		return
	}
	switch d.Kind {
	case "skirmish-retreat":
		p.endSkirmish(b, places)
	case "rout":
		p.endRout(b, places)
	default:
		p.endStalemateStep(b, places)
	}
}

// regroupStop is the stop regroup (NAP-7.5).
type regroupStop struct{}

// regroupAnswer moves units into the town that was won and out of it.
type regroupAnswer struct {
	s       *scenario
	in, out []place
}

func (a regroupAnswer) value() *orders.Node {
	n := orders.Inline()
	if len(a.in) > 0 {
		n.Set("in", a.s.townNodes(a.in))
	}
	if len(a.out) > 0 {
		n.Set("out", a.s.townNodes(a.out))
	}
	return orNone(n)
}

func (a regroupAnswer) Node() *orders.Node { return orders.Mapping().Set("regroup", a.value()) }

func (s regroupStop) Read(v *View, d engine.Decision, r *orders.Reader, body *orders.Node) play.Reply {
	if wantsDefault(r, body) || r.Is(body, "none") {
		return s.Fallback(v, d)
	}
	n, _ := keyed(r, body, "regroup")
	b := v.battleOf(d)
	if n == nil || b == nil {
		return nil
	}
	return v.readRegroup(r, b, n)
}

// readRegroup reads {in: {TOWN: [units]}, out: {TOWN: [units]}}, or none.
func (v *View) readRegroup(r *orders.Reader, b *battle, n *orders.Node) regroupAnswer {
	a := regroupAnswer{s: v.scenario}
	if r.Is(n, "none") {
		return a
	}
	f := r.Fields(n, "in", "out")
	for k, key := range [2]string{"in", "out"} {
		list, nodes := v.townLists(r, f.Get(key), func(t townID) []unitID {
			if k == 0 {
				return v.group(t)
			}
			return v.group(b.town)
		})
		for i, pl := range list {
			try := a
			if k == 0 {
				try.in = append(slices.Clone(a.in), pl)
			} else {
				try.out = append(slices.Clone(a.out), pl)
			}
			if id, f := v.regroupFault(b, &try); f != nil {
				v.refuseUnit(r, nodes[i], id, f)
				continue
			}
			a = try
		}
	}
	return a
}

func (s regroupStop) Template(v *View, d engine.Decision) *orders.Node {
	n := s.Fallback(v, d).Node()
	b := v.battleOf(d)
	if b == nil {
		return n
	}
	var lines []string
	for _, road := range v.towns[b.town].roads {
		t := v.roads[road].from(b.town)
		for k, key := range [2]string{"in", "out"} {
			at := t
			if k == 1 {
				at = b.town
			}
			var able []unitID
			for _, id := range v.group(at) {
				if v.mayRegroup(b, v.unit(id), place{id, t}, k == 0) == nil {
					able = append(able, id)
				}
			}
			if len(able) > 0 {
				lines = append(lines, key+" "+v.towns[t].name+", max "+strconv.Itoa(v.numbers.battleRoad.of(v.roads[road]))+": "+v.briefs(able))
			}
		}
	}
	above(n.Get("regroup"), lines)
	return n
}

func (regroupStop) Fallback(v *View, d engine.Decision) play.Reply {
	return regroupAnswer{s: v.scenario}
}

func (regroupStop) Random(v *View, d engine.Decision, chance *rand.Rand) play.Reply {
	a := regroupAnswer{s: v.scenario}
	b := v.battleOf(d)
	if b == nil {
		return a
	}
	for _, road := range v.towns[b.town].roads {
		t := v.roads[road].from(b.town)
		for k, at := range [2]townID{t, b.town} {
			for _, id := range v.group(at) {
				if chance.IntN(5) > 0 {
					continue
				}
				try := a
				if k == 0 {
					try.in = append(slices.Clone(a.in), place{id, t})
				} else {
					try.out = append(slices.Clone(a.out), place{id, t})
				}
				if _, f := v.regroupFault(b, &try); f == nil {
					a = try
				}
			}
		}
	}
	return a
}

func (regroupStop) Take(p *campaign, d engine.Decision, a play.Reply) {
	answer := a.(regroupAnswer)
	p.endRegroup(p.battleOf(d), &answer)
}
