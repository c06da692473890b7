package napoleon

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Movement of two Allied players one after the other (option allied_order of
// NAP-R09): who comes second orders when he has seen how the first has marched.
// All dice of forced marches wait until both have (NAP-5.6, NAP-R04).

// A vanguard is what the first player's movement means for the second's, and
// what of it is still to be rolled.
type vanguard struct {
	army   army
	over   []use    // units that attack over each road (NAP-5.5)
	fights []fight  // attacks, with the groups that make them (NAP-5.2)
	forced []forced // who is still to roll
	shown  []townID // where the army's leader has shown himself (NAP-8.1)
}

// A forced march is a unit that marched too far, and where it departed from.
type forced struct {
	unit unitID
	from townID
}

// byTurns tells whether the camp whose turn it is moves one player after the
// other.
func (g *game) byTurns() bool {
	return g.options.alliedOrder == orderSequential && g.shared(g.turns[g.turn].camp)
}

// marchesFirst is which Allied army marches first in this turn: in the first,
// third, ... Allied turn the Anglo-Dutch, in the others the Prussians (NAP-R09).
func (g *game) marchesFirst() army {
	n := 0
	for i := range g.turns[:g.turn+1] {
		if g.turns[i].camp == alliedCamp {
			n++
		}
	}
	if n%2 == 0 {
		return prussian
	}
	return angloDutch
}

// nextToMove is whose movement it is, of two who move by turns.
func (g *game) nextToMove() engine.Side {
	first := g.marchesFirst()
	if g.ahead != nil {
		return g.sideOf(ally(first))
	}
	return g.sideOf(first)
}

// moveByTurns asks the first player, then the second; one who has nothing to
// move is passed over.
func (p *campaign) moveByTurns() {
	if p.ahead == nil {
		if side := p.nextToMove(); p.canMove(side) {
			p.ask([]engine.Side{side}, "move", "")
			return
		}
		p.ahead = &vanguard{army: p.marchesFirst()}
	}
	if side := p.nextToMove(); p.canMove(side) {
		p.ask([]engine.Side{side}, "move", "")
		return
	}
	p.endMovement(nil, nil)
}

// goAhead keeps what the first of two players has done until the second has
// moved; it tells whether there is a second.
func (p *campaign) goAhead(m *mover, who []forced, shown []origin) bool {
	if !p.byTurns() || p.ahead != nil {
		return false
	}
	v := &vanguard{army: p.marchesFirst(), fights: m.fights, forced: who}
	v.over = usesOf(m.over)
	for _, o := range shown {
		v.shown = append(v.shown, o.town)
	}
	p.ahead = v
	return true
}

// endMovement rolls for forced marches, of both players in their order, and ends
// the phase.
func (p *campaign) endMovement(who []forced, shown []origin) {
	if v := p.ahead; v != nil {
		who = append(slices.Clip(v.forced), who...)
		for _, t := range v.shown {
			shown = append(slices.Clip(shown), origin{v.army, t})
		}
		p.ahead = nil
	}
	for _, f := range who {
		if u := &p.units[f.unit]; u.forced && !u.dead {
			p.forcedMarch(u, f.from, shown)
		}
	}
	p.phase = battlePhase
}

// follow lets a mover know what the ally's units ahead have done.
func (m *mover) follow(v *vanguard) {
	if v == nil {
		return
	}
	for _, u := range v.over {
		m.over[u.road] += u.n
	}
	for _, f := range v.fights {
		f.origins = slices.Clone(f.origins)
		m.fights = append(m.fights, f)
	}
}

// seen is what the second player sees of the first one's movement: what its
// blocks have done. Who of them is still to roll for it is not his.
func (v *vanguard) seen() *vanguard {
	if v == nil {
		return nil
	}
	return &vanguard{army: v.army, over: slices.Clone(v.over), fights: slices.Clone(v.fights)}
}

// aheadNode writes a vanguard.
func (g *game) aheadNode() *orders.Node {
	v := g.ahead
	n := orders.Mapping().Set("army", orders.Text(armyWords[v.army]))
	if len(v.over) > 0 {
		over := orders.Inline()
		for _, u := range v.over {
			over.Set(g.roadName(u.road), orders.Number(int(u.n)))
		}
		n.Set("over", over)
	}
	if len(v.fights) > 0 {
		all := orders.Mapping()
		for _, f := range v.fights {
			from := orders.Texts()
			for _, o := range f.origins {
				from.Add(orders.Text(g.towns[o.town].id))
			}
			all.Set(g.towns[f.town].id, orders.Inline().Set("units", orders.Number(f.units)).Set("from", from))
		}
		n.Set("attacks", all)
	}
	if len(v.forced) > 0 {
		all := orders.Items()
		for _, f := range v.forced {
			all.Add(orders.Inline().Set("unit", orders.Text(g.roster[f.unit].id)).Set("from", orders.Text(g.towns[f.from].id)))
		}
		n.Set("forced", all)
	}
	if len(v.shown) > 0 {
		all := orders.Texts()
		for _, t := range v.shown {
			all.Add(orders.Text(g.towns[t].id))
		}
		n.Set("revealed", all)
	}
	return n
}

// ahead reads it back.
func (x *positionReader) ahead(n *orders.Node) {
	g := x.g
	f := x.Fields(n, "army", "over", "attacks", "forced", "revealed")
	if n == nil || n.Kind != orders.Map {
		return
	}
	word, ok := x.Word(x.Require(f, "army"), armyWords[:]...)
	if !ok {
		return
	}
	v := &vanguard{}
	if v.army, _ = armyNamed(word); !g.byTurns() || g.phase != movement || v.army != g.marchesFirst() {
		x.Refuse(n, "NAP-R09", phrase.Say("nap.position-ahead", armyArg("army", v.army)))
		return
	}
	use := make([]int8, len(g.roads))
	x.roadNumbers(f.Get("over"), use)
	v.over = usesOf(use)
	for _, p := range play.Entries(x.Reader, f.Get("attacks")) {
		of := x.Fields(p.Value, "units", "from")
		one := fight{town: x.town(p.Key)}
		one.units, _ = x.Int(x.Require(of, "units"), 1, len(g.roster))
		for _, item := range x.List(x.Require(of, "from")) {
			if t := x.town(item); t != noTown {
				one.origins = append(one.origins, origin{v.army, t})
			}
		}
		if one.town != noTown {
			v.fights = append(v.fights, one)
		}
	}
	for _, item := range x.List(f.Get("forced")) {
		of := x.Fields(item, "unit", "from")
		if item.Kind != orders.Map {
			continue
		}
		unit, from := x.Require(of, "unit"), x.town(x.Require(of, "from"))
		if unit == nil || from == noTown {
			continue
		}
		id, ok := x.unitID(unit)
		if ok && g.roster[id].army != v.army {
			x.Refuse(unit, "NAP-R09", phrase.Say("nap.position-ahead", armyArg("army", v.army)))
			continue
		}
		if ok {
			v.forced = append(v.forced, forced{id, from})
		}
	}
	for _, item := range x.List(f.Get("revealed")) {
		if t := x.town(item); t != noTown {
			v.shown = append(v.shown, t)
		}
	}
	g.ahead = v
}

// usesOf lists the roads that are used.
func usesOf(n []int8) []use {
	var all []use
	for road, n := range n {
		if n > 0 {
			all = append(all, use{road, n})
		}
	}
	return all
}
