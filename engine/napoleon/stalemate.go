package napoleon

import "berthier/orders/phrase"

// idleTurns is the number of battle turns in a row in which the attacker may do nothing
// before the battle is a stalemate (NAP-6.7).
const idleTurns = 2

// countIdle counts the attacker's battle turns without fire, engagement,
// retreat, low morale or reinforcement (NAP-R39). After the second it opens the
// first retreat at once and tells so (NAP-R40).
func (p *campaign) countIdle(b *battle) bool {
	if b.busy {
		b.idle = 0
		return false
	}
	b.idle++
	if b.idle < idleTurns {
		return false
	}
	b.stalemate = true
	p.tellAll("NAP-6.7", "nap.stalemate", p.townArg("town", b.town), whoArg("camp", b.attacker.String()))
	for i := range p.units { // all units may take the extra step, whatever they did before
		if u := &p.units[i]; b.fights(u) && u.army.camp() == b.attacker {
			u.steps, u.spent, u.fired = 0, false, false
		}
	}
	if p.options.stalemate == stalemateAtOnce {
		p.quitField(b)
		return true
	}
	b.step = retreatStep
	return true
}

// quitField lets all of the attacker's units leave at once within the limits of a
// rout; units in contact suffer attrition, and units that find no road are eliminated
// (NAP-R40, option stalemate).
func (p *campaign) quitField(b *battle) {
	for i := range p.units {
		u := &p.units[i]
		if !b.fights(u) || u.army.camp() != b.attacker {
			continue
		}
		if u.square {
			p.manage(u, action{verb: doBreak})
			p.tellManaged(b, u, action{verb: doBreak})
		}
		if cost := p.attrition(b, u); p.inContact(b, u) && cost > 0 {
			p.tellUnit("NAP-7.41", u, "nap.retreat-costs", phrase.Number("n", int(min(cost, u.strength))))
			p.lose(u, cost)
		}
	}
	b.stage, b.won = routing, b.attacker.enemy()
	b.orders = nil
}

// stalemateRetreat lets as many of the attacker's units leave as roads take
// (NAP-6.7, NAP-R40). Squares that can't leave (NAP-R36) break, and go in the
// next battle turn (NAP-R84). Units that have no road at all are eliminated as in a rout
// (NAP-R85).
func (p *campaign) stalemateRetreat(b *battle) {
	for i := range p.units {
		if u := &p.units[i]; b.fights(u) && u.army.camp() == b.attacker && p.mustBreak(u) {
			p.manage(u, action{verb: doBreak})
			p.tellManaged(b, u, action{verb: doBreak})
		}
	}
	if len(p.exits(b, b.attacker)) == 0 {
		p.roadless("NAP-R85", b, b.attacker)
		p.checkEnd(b)
		return
	}
	if a, ok := p.askLeaving(b, "stalemate"); ok {
		p.endStalemateStep(b, a)
	}
}

// endStalemateStep lets units retreat one after the other, unengaged units
// first; engaged ones suffer attrition. To leave a contested position to the
// enemy is a rout (NAP-7.0b), which then affects only units that had no room before.
func (p *campaign) endStalemateStep(b *battle, a allotment) {
	b.step = turnOver
	for _, engaged := range [2]bool{false, true} {
		for _, pl := range a.places {
			u := p.unit(pl.unit)
			if u.dead || u.town != b.town || p.inContact(b, u) != engaged {
				continue
			}
			p.retreat(b, u, pl.town)
			p.checkEnd(b)
			if b.stage != fighting {
				return
			}
		}
	}
	if len(a.places) == 0 {
		p.tellAll("NAP-7.2", "nap.stalemate-waits", p.townArg("town", b.town), phrase.Number("n", p.strongIn(b, b.attacker)))
	}
}
