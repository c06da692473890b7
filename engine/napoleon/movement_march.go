package napoleon

import (
	"slices"

	"berthier/orders/phrase"
)

// marchTogether carries out the movement of a turn: that of one player, or of
// both Allied players one after the other (NAP-11.4, NAP-R09).
func (p *campaign) marchTogether(all []gathered) {
	c := p.turns[p.turn].camp
	p.inMarchOrder(all)
	var shown []origin
	m := newMover(p.game, c)
	for _, one := range all {
		shown = p.showLeaders(m, one.reply.(moveAnswer), shown)
	}
	for _, one := range all {
		for _, way := range one.reply.(moveAnswer).marches {
			m.plans = append(m.plans, plannedAttack{way.path[len(way.path)-1], way.from})
		}
	}
	for _, one := range all {
		a := one.reply.(moveAnswer)
		for _, way := range a.marches {
			p.march(m, way, a.forced)
		}
		if len(a.marches) == 0 {
			p.Tell("NAP-5.0", to(p.everyone(), "nap.move-none", whoArg("side", string(one.d.Side))))
		}
	}
	copy(p.roadUse, m.used)
	var pushed []forced
	for _, one := range all {
		a := one.reply.(moveAnswer)
		for _, id := range a.forced {
			for _, way := range a.marches {
				if slices.Contains(way.units, id) && p.units[id].forced {
					pushed = append(pushed, forced{id, way.from})
				}
			}
		}
	}
	if !p.goAhead(m, pushed, shown) {
		p.endMovement(pushed, shown)
	}
}

// inMarchOrder puts two players' orders in the order in which they are carried
// out: in the first, third, ... Allied turn the Anglo-Dutch before the
// Prussians, in the others the Prussians before them (NAP-R09).
func (p *campaign) inMarchOrder(all []gathered) {
	if len(all) == 2 && p.marchesFirst() == prussian {
		all[0], all[1] = all[1], all[0]
	}
}

// showLeaders shows the leaders of a movement order.
func (p *campaign) showLeaders(m *mover, a moveAnswer, shown []origin) []origin {
	for _, id := range a.reveal { // NAP-R06: seen now, hidden again when the phase ends
		u := &p.units[id]
		shown = append(shown, origin{u.army, u.town})
		p.sight(u)
		p.Tell("NAP-8.1", to(p.everyone(), "nap.leader-shown", p.unitArg("unit", u), p.townArg("town", u.town)))
	}
	for _, id := range a.permit { // NAP-8.1c: shown too, but without a bonus
		u := &p.units[id]
		m.permits[u.army] = u.town
		p.sight(u)
		p.Tell("NAP-8.1c", to(p.everyone(), "nap.leader-permits", p.unitArg("unit", u), p.townArg("town", u.town)))
	}
	return shown
}

// march moves the units of one march. Each army's part of them is told separately: the
// enemy sees how many blocks of each army go where, and how many of them are forced.
func (p *campaign) march(m *mover, way march, forced []unitID) {
	for a := range armies {
		var moved, pushed []unitID
		short := make([][]unitID, len(way.path)) // who was stopped after so many steps
		for _, id := range way.units {
			u := &p.units[id]
			if u.army != a {
				continue
			}
			m.lead(origin{a, way.from})
			made, stop := m.march(u, way.from, way.path)
			if stop != nil { // what the other player did stopped it (NAP-R09)
				at := way.from
				if made > 0 {
					at = way.path[made-1]
				}
				p.Tell("NAP-R09", to(p.mates(a, noTown), "nap.march-stopped", p.unitArg("unit", u), p.townArg("town", at), phrase.Within("why", stop.Why)))
			}
			if made == 0 {
				continue
			}
			u.moved, u.forced = true, m.forced(u)
			u.town, u.came = way.path[made-1], way.from
			if made > 1 {
				u.came = way.path[made-2]
			}
			if stop != nil {
				short[made] = append(short[made], id)
				continue
			}
			moved = append(moved, id)
			if slices.Contains(forced, id) {
				pushed = append(pushed, id)
			}
		}
		for made, units := range short {
			if len(units) > 0 {
				p.tellMarch(march{way.from, way.path[:made], units}, a, nil)
			}
		}
		if len(moved) > 0 {
			p.tellMarch(march{way.from, way.path, moved}, a, pushed)
		}
	}
}

// tellMarch tells of the units of an army that marched the same way.
func (p *campaign) tellMarch(way march, a army, pushed []unitID) {
	moved := way.units
	last := len(way.path) - 1
	road := []argument{p.townArg("from", way.from), p.townArg("to", way.path[last])}
	if last > 0 {
		road = append(road, p.townArgs("via", way.path[:last]))
	}
	full := append([]argument{p.unitNames("units", moved)}, road...)
	blocks := append([]argument{phrase.Number("n", len(moved)), armyArg("army", a)}, road...)
	if len(pushed) > 0 {
		full = append(full, p.unitNames("forced", pushed))
		blocks = append(blocks, phrase.Number("forced", len(pushed)))
	}
	mates := p.mates(a, noTown)
	p.Tell("NAP-5.1b", to(mates, "nap.march", full...), to(p.others(mates), "nap.march-blocks", blocks...))
}

// forcedMarch rolls for a unit that marched too far: from 1 to 3 it loses one
// strength point; the leader of its army adds 1 if he showed himself in the town from
// which the unit set out, whether or not he left it (NAP-5.6, NAP-8.1, NAP-R06).
func (p *campaign) forcedMarch(u *unit, from townID, shown []origin) {
	bonus := 0
	if slices.Contains(shown, origin{u.army, from}) && !p.leaderDead(u.army) {
		bonus = 1
	}
	die := p.Dice.Roll(6, phrase.Say("nap.dice-forced", p.unitArg("unit", u), p.townArg("town", from)))
	lost := die+bonus <= 3 && !(u.kind == leader && p.reading.hardyLeaders) // (NAP-5.6)
	result := []argument{armyArg("army", u.army), p.townArg("town", from), phrase.Number("die", die)}
	if bonus > 0 {
		result = append(result, phrase.Number("bonus", bonus))
	}
	code := "nap.forced-held"
	if lost {
		code = "nap.forced-lost"
	}
	mates := p.mates(u.army, noTown)
	full := append(append([]argument{p.unitArg("unit", u)}, result...), p.townArg("to", u.town))
	if lost {
		full = append(full, phrase.Number("was", int(u.strength)), phrase.Number("strength", int(u.strength-1)))
	}
	p.Tell("NAP-5.6", to(mates, code, full...), to(p.others(mates), code+"-block", result...))
	if !lost {
		return
	}
	if u.strength > 1 {
		u.strength--
		return
	}
	p.eliminate(u)
}

// leaderDead tells whether an army's leader is eliminated: then nothing that he gave is
// left (NAP-8.3).
func (g *game) leaderDead(a army) bool {
	for i := range g.units {
		if u := &g.units[i]; u.kind == leader && u.army == a {
			return u.dead
		}
	}
	return false
}
