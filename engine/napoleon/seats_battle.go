package napoleon

import (
	"slices"

	"berthier/engine"
	"berthier/orders/phrase"
)

// A gathered answer waits for the others of its stop: what two players order at
// once is carried out together.
type gathered struct {
	d     engine.Decision
	reply any // what it says
}

// together carries out what was gathered at a stop.
func (p *campaign) together() {
	all := p.gathered
	p.gathered = nil
	switch {
	case len(all) == 0:
	case all[0].d.Kind == "bid":
		p.openBids(all)
	case all[0].d.Kind == "move":
		p.marchTogether(all)
	default:
		p.leaveTogether(all)
	}
}

// handCanAct tells whether the player who acts now has a unit that can do
// anything.
func (g *game) handCanAct(b *battle) bool {
	if !g.shared(b.acting) {
		return g.canAct(b)
	}
	for i := range g.units {
		if u := &g.units[i]; g.inHand(b, u) && !g.choices(b, u, func(action) bool { return false }) {
			return true
		}
	}
	return false
}

// passOn ends one player's part of a battle turn: of two players, the second follows the
// lead (NAP-R17).
func (p *campaign) passOn(b *battle) {
	if !p.handOn(b, b.acting) {
		b.step = turnOver
		return
	}
	b.orders, b.guide = nil, guideOpen
	b.activated = false // his part begins with retreats, too (NAP-R93)
	b.step = combatStep
}

// regrouped ends the regrouping of a player; of two players, the second follows the
// lead (NAP-R17).
func (p *campaign) regrouped(b *battle) {
	if !p.handOn(b, b.won) {
		p.finish(b)
		return
	}
	b.orders = nil
}

// askMorale puts the lead's units before those of the other, and asks each for
// the order of his own where it can matter (NAP-6.31c, NAP-R17).
func (p *campaign) askMorale(b *battle) {
	lead := p.leads(b, b.acting)
	first := p.of(lead, b.morale)
	rest := slices.DeleteFunc(slices.Clone(b.morale), func(id unitID) bool { return containsUnit(first, id) })
	b.morale = append(first, rest...)
	if !p.orderMatters(b) {
		return
	}
	for _, side := range p.sidesOf(b.acting) {
		if len(p.of(side, b.morale)) < 2 {
			continue
		}
		p.ask([]engine.Side{side}, "morale-order", p.towns[b.town].id)
	}
}

// orderMorale puts a side's units into its order, among those of the other.
func (p *campaign) orderMorale(b *battle, side engine.Side, order []unitID) {
	if !p.shared(b.acting) {
		b.morale = order
		return
	}
	sorted := slices.Clone(b.morale)
	k := 0
	for i, id := range sorted {
		if p.sideOf(p.roster[id].army) == side && k < len(order) {
			sorted[i] = order[k]
			k++
		}
	}
	b.morale = sorted
}

// struckArmy settles on which army a hit falls if units of both are equally strong: on
// the army with more units in the group, else on the lead's (NAP-R17).
func (g *game) struckArmy(b *battle, s *shot, tied []unitID) []unitID {
	hit := g.tieArmy(b, s)
	var own, other []unitID
	for _, id := range tied {
		if g.roster[id].army == hit {
			own = append(own, id)
		} else {
			other = append(other, id)
		}
	}
	if len(own) == 0 {
		return other
	}
	return own
}

// tieArmy is the army of two Allied players on which a hit falls if units of both are
// equally strong.
func (g *game) tieArmy(b *battle, s *shot) army {
	var n [armies]int
	for i := range g.units {
		if u := &g.units[i]; s.mayHit(b, u) {
			n[u.army]++
		}
	}
	if n[ally(b.lead)] > n[b.lead] {
		return ally(b.lead)
	}
	return b.lead
}

// leaving lists the side's own units that must find a road.
func (v *View) leaving(b *battle) (camp, []unitID) {
	c, units := v.game.leaving(b)
	if !v.shared(c) {
		return c, units
	}
	return c, v.of(v.side, units)
}

// askBothLeaving asks both players by which roads they would leave, each as if
// all roads were his (NAP-R17); it tells whether nobody has to be asked.
func (p *campaign) askBothLeaving(b *battle, kind string) (allotment, bool) {
	for _, side := range p.sidesOf(alliedCamp) {
		d := engine.Decision{Side: side, Kind: kind, At: p.towns[b.town].id}
		if _, known := p.wayByItself(b, d, false); !known {
			p.ask([]engine.Side{side}, kind, d.At)
		}
	}
	if len(p.asks) > 0 {
		return allotment{}, false
	}
	return p.shareRoads(b, kind, nil), true
}

// wayByItself is how a side's units leave if it has no choice, or a standing
// order chooses.
func (p *campaign) wayByItself(b *battle, d engine.Decision, tell bool) (allotment, bool) {
	c, units := p.leaving(b)
	units = p.of(d.Side, units)
	if a, ok := p.onlyWay(b, c, units, p.exits(b, c)); ok {
		return a, true
	}
	s := p.says(d)
	if len(s.retreats) == 0 {
		return allotment{}, false
	}
	x := leaveForm.Blank(p.view(d.Side), d)
	if !preferRetreats(x, s) {
		return allotment{}, false
	}
	if tell {
		p.useStanding(d, "retreat-to")
	}
	return allotment{x.World.places}, true
}

// leaveTogether carries out a retreat or rout of both armies.
func (p *campaign) leaveTogether(all []gathered) {
	d := all[0].d
	b := p.battleOf(d)
	places := p.shareRoads(b, d.Kind, all)
	switch d.Kind {
	case "skirmish-retreat":
		p.endSkirmish(b, places)
	case "rout":
		p.endRout(b, places)
	default:
		p.endStalemateStep(b, places)
	}
}

// shareRoads gives the roads to two players: their units take places by turns,
// the lead's first, each in its player's order; a unit that finds its road full takes
// another one that has room, when all units have chosen (NAP-R17).
func (p *campaign) shareRoads(b *battle, kind string, all []gathered) allotment {
	c, units := p.leaving(b)
	var wanted [2][]place
	sides := [2]engine.Side{p.sideOf(b.lead), p.sideOf(ally(b.lead))}
	for k, side := range sides {
		d := engine.Decision{Side: side, Kind: kind, At: p.towns[b.town].id}
		i := slices.IndexFunc(all, func(g gathered) bool { return g.d.Side == side })
		if i >= 0 {
			wanted[k] = all[i].reply.(allotment).places
		} else if a, ok := p.wayByItself(b, d, true); ok {
			wanted[k] = a.places
		}
	}
	try := *b
	try.roadUse = slices.Clone(b.roadUse)
	var given allotment
	take := func(id unitID, t townID) bool {
		u := p.unit(id)
		w, f := p.wayTo(&try, u, t)
		if f != nil {
			return false
		}
		p.takes(&try, u, w)
		given.places = append(given.places, place{id, t})
		return true
	}
	var late []unitID
	for i := 0; i < max(len(wanted[0]), len(wanted[1])); i++ {
		for k := range wanted {
			if i < len(wanted[k]) && !take(wanted[k][i].unit, wanted[k][i].town) {
				late = append(late, wanted[k][i].unit)
			}
		}
	}
	var queue [2][]unitID // units that had no place in their player's order come last
	for k, side := range sides {
		for _, id := range p.byWorth(p.of(side, units)) {
			if !containsUnit(late, id) && !slices.ContainsFunc(given.places, func(pl place) bool { return pl.unit == id }) {
				queue[k] = append(queue[k], id)
			}
		}
	}
	for i := 0; i < max(len(queue[0]), len(queue[1])); i++ {
		for k := range queue {
			if i < len(queue[k]) {
				late = append(late, queue[k][i])
			}
		}
	}
	exits := p.exits(b, c)
	p.sortExits(c, exits)
	for _, id := range late {
		for _, e := range exits {
			if take(id, e.town) {
				p.Tell("NAP-R17", to([]engine.Side{p.sideOf(p.roster[id].army)}, "nap.road-shared",
					phrase.Name("unit", "unit", p.unitName(id)), p.townArg("town", e.town)))
				break
			}
		}
	}
	return given
}

// concerns tells which of two players may be asked a decision of their camp
// (NAP-R17).
func (g *game) concerns(b *battle, d engine.Decision) bool {
	c := g.campOf(d.Side)
	switch d.Kind {
	case "terrain-attacker", "terrain-defender":
		return d.Side == g.leads(b, c)
	case "deploy-defender", "deploy-attacker":
		return d.Side == g.hand(b, c) && len(g.ownIn(b.town, d.Side)) > 0
	case "battle-turn", "reinforce", "regroup":
		return d.Side == g.hand(b, c)
	case "skirmish":
		return g.picksShown(len(g.ownIn(b.town, d.Side)), g.share(b, d.Side))
	case "morale-order":
		return len(g.of(d.Side, b.morale)) > 1
	case "hits":
		if b.hits != nil && g.veiled(b, b.hits) {
			side, ok := g.asksVeiled(b, b.hits)
			return ok && side == d.Side
		}
		tied := []unitID(nil)
		if b.hits != nil {
			tied = g.struck(b, b.hits)
		}
		return len(tied) > 0 && g.sideOf(g.roster[tied[0]].army) == d.Side
	case "skirmish-retreat", "rout", "stalemate":
		_, units := g.leaving(b)
		return len(g.of(d.Side, units)) > 0
	}
	return true
}

// gathers tells whether what two players answer to a stop is carried out
// together.
func gathers(kind string) bool {
	switch kind {
	case "move", "skirmish-retreat", "rout", "stalemate":
		return true
	}
	return false
}

// anyMore tells whether anybody of a camp has plans or the like.
func (g *game) anyMore(c camp) bool {
	for _, side := range g.sidesOf(c) {
		if g.standing.of(g.seatOf(side)).ahead() {
			return true
		}
	}
	return false
}
