package napoleon

import (
	"berthier/orders/phrase"
)

// mayRetreat judges a unit's retreat to the map (NAP-7.0 to 7.2).
func (g *game) mayRetreat(b *battle, u *unit, to townID) *fault {
	switch {
	case g.mustBreak(u):
		return faultSquare
	case u.shelter != noUnit:
		return faultSheltered
	case u.acted():
		return faultRetreated
	}
	if g.reading.retreatsFirst && b.activated {
		return faultLate
	}
	_, f := g.wayTo(b, u, to)
	return f
}

// A way is the road, or the two roads, by which a unit leaves a battle.
type way [2]int

// noRoad stands for a second road that there is not.
const noRoad = -1

// wayTo finds the way of a unit to a town within the limits of the roads
// (NAP-7.2). Cavalry and leaders may go two towns if the game lets them: to
// the first town as any unit, and from there by the first road with room to any town
// without enemies or battle (NAP-7.2b, NAP-R62).
func (g *game) wayTo(b *battle, u *unit, to townID) (way, *fault) {
	c, weight := u.army.camp(), g.weight(u.kind)
	full := func(r int) bool { return weight > 0 && b.used(r) >= g.leaveLimit(b, r) }
	why := g.mayGo(b, c, to)
	if why == nil {
		r, _ := g.roadBetween(b.town, to)
		if !full(r) {
			return way{r, noRoad}, nil
		}
		why = faultRoadFull
	}
	if !g.goesFar(u) || to < 0 || to == b.town || g.blocks(to, c.enemy()) > 0 || g.battleIn(to) != nil {
		return way{}, why
	}
	for _, first := range g.towns[b.town].roads {
		via := g.roads[first].from(b.town)
		second, joined := g.roadBetween(via, to)
		if !joined || g.mayGo(b, c, via) != nil {
			continue
		}
		if why == faultNotNext {
			why = faultRoadFull
		}
		if !full(first) && !full(second) {
			return way{first, second}, nil
		}
	}
	return way{}, why
}

// takes counts a unit on its way.
func (g *game) takes(b *battle, u *unit, w way) {
	if g.weight(u.kind) == 0 {
		return // (NAP-5.4b)
	}
	for _, r := range w {
		if r != noRoad {
			b.uses(r)
		}
	}
}

// leaveLimit is how many of the units that leave a battle a road takes in one
// battle turn (NAP-7.2, NAP-7.4b, NAP-7.4z).
func (g *game) leaveLimit(b *battle, r int) int {
	switch {
	case b.stage != routing && b.stage != regrouping:
		return g.numbers.battleRoad.of(g.roads[r])
	case g.roads[r].river:
		return g.numbers.routRiver.of(g.roads[r])
	}
	return g.numbers.routRoad.of(g.roads[r])
}

// goesFar tells whether a unit may retreat two towns (NAP-7.2b).
func (g *game) goesFar(u *unit) bool {
	return g.reading.farRetreats && (u.kind == leader || u.kind.cavalry())
}

// farTowns lists the towns to which a camp may retreat by another, in the order
// of towns.
func (g *game) farTowns(b *battle, c camp) []townID {
	var all []townID
	for _, r := range g.towns[b.town].roads {
		via := g.roads[r].from(b.town)
		if g.mayGo(b, c, via) != nil {
			continue
		}
		for _, s := range g.towns[via].roads {
			t := g.roads[s].from(via)
			if t == b.town || containsTown(all, t) || g.mayGo(b, c, t) == nil || g.blocks(t, c.enemy()) > 0 || g.battleIn(t) != nil {
				continue
			}
			i := 0
			for i < len(all) && all[i] < t {
				i++
			}
			all = append(all[:i], append([]townID{t}, all[i:]...)...)
		}
	}
	return all
}

// mayGo judges a destination of a camp's retreat, apart from the limit of the road
// (NAP-7.1).
func (g *game) mayGo(b *battle, c camp, to townID) *fault {
	if to < 0 {
		return faultNotNext
	}
	if _, ok := g.roadBetween(b.town, to); !ok {
		return faultNotNext
	}
	switch {
	case g.blocks(to, c.enemy()) > 0:
		return faultEnemyTown
	case g.battleIn(to) != nil:
		return faultBattleTown
	case c == b.attacker && !b.entered(to) && g.reading.ownTowns:
		if g.blocks(to, c) == 0 {
			return faultNotOurs
		}
	case c == b.attacker && !b.entered(to):
		return faultNotEntered
	case c != b.attacker && b.entered(to):
		return faultWasEntered
	}
	return nil
}

// An allotment gives units their towns: where they retreat to, or where they
// come from.
type allotment struct {
	places []place
}

// A place is one unit of an allotment with its town.
type place struct {
	unit unitID
	town townID
}

// An exit is a town to which a camp may retreat, with the room left on its road
// in this battle turn (NAP-7.2).
type exit struct {
	town townID
	road int
	free int
}

// exits lists a camp's retreat destinations in the order of the roads.
func (g *game) exits(b *battle, c camp) []exit {
	var all []exit
	for _, r := range g.towns[b.town].roads {
		t := g.roads[r].from(b.town)
		if g.mayGo(b, c, t) == nil {
			all = append(all, exit{town: t, road: r, free: max(0, g.leaveLimit(b, r)-b.used(r))})
		}
	}
	return all
}

// room is how many units the exits take in all.
func room(exits []exit) int {
	n := 0
	for _, e := range exits {
		n += e.free
	}
	return n
}

// leaving lists the units that must find a road: all units of a routed or beaten side,
// in a stalemate those that may still act (NAP-R40).
func (g *game) leaving(b *battle) (camp, []unitID) {
	c := b.attacker
	switch b.stage {
	case routing:
		c = b.won.enemy()
	case withdrawing:
		c = b.won.enemy()
	}
	var all []unitID
	for i := range g.units {
		u := &g.units[i]
		if !u.present(b.town) || u.army.camp() != c {
			continue
		}
		if b.stage == fighting && (g.mustBreak(u) || u.shelter != noUnit || u.spent) {
			continue
		}
		all = append(all, u.id)
	}
	return c, all
}

// onlyWay gives the allotment of leaving units if only one is possible: no units, no road,
// or one road that takes all.
func (g *game) onlyWay(b *battle, c camp, units []unitID, exits []exit) (allotment, bool) {
	var open []exit
	counted, far := 0, false
	for _, id := range units {
		counted += g.weight(g.unit(id).kind)
		far = far || g.goesFar(g.unit(id))
	}
	for _, e := range exits {
		if e.free > 0 || counted < len(units) {
			open = append(open, e)
		}
	}
	switch {
	case len(units) == 0 || len(open) == 0:
		return allotment{}, true
	case far && len(g.farTowns(b, c)) > 0:
		return allotment{}, false
	case len(open) == 1 && open[0].free >= counted:
		var a allotment
		for _, u := range units {
			a.places = append(a.places, place{u, open[0].town})
		}
		return a, true
	}
	return allotment{}, false
}

// askLeaving settles which units leave by which road: by the only way there is, or by
// asking. It tells whether that is settled.
func (p *campaign) askLeaving(b *battle, kind string) (allotment, bool) {
	c, units := p.leaving(b)
	if p.shared(c) {
		return p.askBothLeaving(b, kind)
	}
	if a, ok := p.onlyWay(b, c, units, p.exits(b, c)); ok {
		return a, true
	}
	p.ask(p.sidesOf(c), kind, p.towns[b.town].id)
	return allotment{}, false
}

// defaultLeaving is the allotment at the deadline: the leader first, then the
// strongest units, each by the first free road to the towns nearest to one of the camp's own
// supply towns (section 5.4 of the digest).
func (g *game) defaultLeaving(b *battle, c camp, units []unitID, exits []exit) allotment {
	g.sortExits(c, exits)
	return allotment{g.byRoads(units, exits)}
}

// byRoads gives each unit the first road that has room for it: the leader first, then the
// strongest units.
func (g *game) byRoads(units []unitID, exits []exit) (places []place) {
	for _, id := range g.byWorth(units) {
		weight := g.weight(g.unit(id).kind)
		for i := range exits {
			if exits[i].free >= weight {
				exits[i].free -= weight
				places = append(places, place{id, exits[i].town})
				break
			}
		}
	}
	return places
}

// byWorth sorts units by what a player would save first: the leader, then by strength times
// rating, then by id.
func (g *game) byWorth(units []unitID) []unitID {
	worth := func(id unitID) int {
		u := g.unit(id)
		if u.kind == leader {
			return 1 << 10
		}
		return int(u.strength) * int(u.fire)
	}
	sorted := append([]unitID(nil), units...)
	for i := 1; i < len(sorted); i++ {
		for j := i; j > 0; j-- {
			before, this := sorted[j-1], sorted[j]
			if w, v := worth(before), worth(this); w > v || w == v && before < this {
				break
			}
			sorted[j-1], sorted[j] = this, before
		}
	}
	return sorted
}

// sortExits puts first the towns nearest to a supply town of the camp, then
// main roads, then by name.
func (g *game) sortExits(c camp, exits []exit) {
	far := g.supplyDistance(c)
	before := func(a, b exit) bool {
		if far[a.town] != far[b.town] {
			return far[a.town] < far[b.town]
		}
		if g.roads[a.road].main != g.roads[b.road].main {
			return g.roads[a.road].main
		}
		return g.towns[a.town].name < g.towns[b.town].name
	}
	for i := 1; i < len(exits); i++ {
		for j := i; j > 0 && before(exits[j], exits[j-1]); j-- {
			exits[j], exits[j-1] = exits[j-1], exits[j]
		}
	}
}

// supplyDistance counts the roads from each town to the nearest supply
// town of a camp. The French, who need none, fall back on their own country.
func (g *game) supplyDistance(c camp) []int {
	far := make([]int, len(g.towns))
	var queue []townID
	for t := range g.towns {
		far[t] = len(g.towns)
		home := g.towns[t].loss > 0 && g.towns[t].supply.camp() == c
		if c == frenchCamp {
			home = g.zone(townID(t)) == french
		}
		if home {
			far[t] = 0
			queue = append(queue, townID(t))
		}
	}
	for len(queue) > 0 {
		t := queue[0]
		queue = queue[1:]
		for _, r := range g.towns[t].roads {
			if next := g.roads[r].from(t); far[next] > far[t]+1 {
				far[next] = far[t] + 1
				queue = append(queue, next)
			}
		}
	}
	return far
}

// retreat takes a unit off the board to a town (NAP-7.0). A unit that is engaged
// suffers rout attrition first (NAP-7.41); if it is eliminated by that, it takes no place
// on the road.
func (p *campaign) retreat(b *battle, u *unit, t townID) {
	if b.acting == b.attacker {
		b.busy = true
	}
	from := u.field
	cost := int8(0)
	if p.inContact(b, u) {
		cost = p.attrition(b, u)
	}
	c := u.army.camp()
	if cost > 0 {
		p.tellUnit("NAP-7.0", u, "nap.retreat-costs", phrase.Number("n", int(min(cost, u.strength))))
		p.lose(u, cost)
	}
	if !u.dead {
		p.leave(b, u, t)
		p.tellLeft("NAP-7.0", b, c, t, []string{p.unitName(u.id)}, u.army)
	}
	p.calm(b, from)
}

// leave puts a unit on the map, hidden and disrupted (NAP-7.3).
func (p *campaign) leave(b *battle, u *unit, t townID) {
	way, f := p.wayTo(b, u, t)
	p.hide(u)
	u.leaveBoard()
	if f == nil {
		p.takes(b, u, way)
	}
	u.town, u.came, u.disrupted = t, noTown, true
}

// tellLeft tells which units retreated to a town: their owner is told the units, the enemy
// only the number of blocks (section 7 of the digest).
func (p *campaign) tellLeft(clause string, b *battle, c camp, t townID, units []string, a army) {
	mates := p.mates(a, b.town)
	p.Tell(clause,
		to(mates, "nap.retreats", p.townArg("from", b.town), p.townArg("to", t), phrase.Names("units", "unit", units)),
		to(p.others(mates), "nap.retreats-blocks", p.townArg("from", b.town), p.townArg("to", t), armyArg("army", a), phrase.Number("n", len(units))))
}

// depart lets units leave as allotted and tells of it town by town and army by
// army: first units that go to adjacent towns, in the order of the roads, then units that
// go two towns.
func (p *campaign) depart(clause string, b *battle, c camp, a allotment) {
	var towns []townID
	for _, r := range p.towns[b.town].roads {
		towns = append(towns, p.roads[r].from(b.town))
	}
	for _, pl := range a.places {
		if !containsTown(towns, pl.town) {
			towns = append(towns, pl.town)
		}
	}
	for _, t := range towns {
		for army := range armies {
			var names []string
			for _, pl := range a.places {
				if u := p.unit(pl.unit); pl.town == t && u.army == army && !u.dead {
					p.leave(b, u, t)
					names = append(names, p.unitName(u.id))
				}
			}
			if len(names) > 0 {
				p.tellLeft(clause, b, c, t, names, army)
			}
		}
	}
}
