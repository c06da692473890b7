package napoleon

import (
	"slices"

	"berthier/orders/phrase"
)

// rolls tells whether a unit of the acting side must roll morale now: engaged,
// at strength 1, not sheltered; a leader only if he is alone (NAP-6.31,
// NAP-6.31e, NAP-8.2b).
func (g *game) rolls(b *battle, u *unit) bool {
	if !b.fights(u) || u.army.camp() != b.acting || u.strength != 1 || u.shelter != noUnit || !g.inContact(b, u) {
		return false
	}
	return u.kind != leader || g.count(b, u.field, b.acting) == 1
}

// mustRoll lists who rolls morale in the default order: left, center, right,
// then forward positions likewise, by id (NAP-6.31c).
func (g *game) mustRoll(b *battle) []unitID {
	var all []unitID
	own := b.ownFields(b.acting)
	for _, f := range [6]field{own[0], own[1], own[2], own[0].opposite(), own[1].opposite(), own[2].opposite()} {
		for i := range g.units {
			if u := &g.units[i]; u.field == f && g.rolls(b, u) {
				all = append(all, u.id)
			}
		}
	}
	return all
}

// orderMatters tells whether the order of the rolls can make a difference: a
// roll may rout the side, take up the last place to cross the stream, or eliminate the
// leader who helps the next unit.
func (g *game) orderMatters(b *battle) bool {
	for f := attackerLeft; f < fields; f++ {
		rolling, standing := 0, 0
		for i := range g.units {
			u := &g.units[i]
			if !b.fights(u) || u.field != f || u.army.camp() != b.acting {
				continue
			}
			switch {
			case containsUnit(b.morale, u.id):
				rolling++
			case u.kind != leader && u.shelter == noUnit:
				standing++
			}
		}
		if rolling > 0 && standing == 0 && b.own(f, b.acting) {
			return true
		}
		if rolling > streamLimit && b.forward(f, b.acting) && b.stream(f) {
			return true
		}
	}
	return slices.ContainsFunc(b.morale, func(id unitID) bool { return g.shieldsBonus(b, g.unit(id)) })
}

// shieldsBonus tells whether a unit that rolls shelters in its square the leader
// whose bonus another unit needs that rolls there: if the first rolls low, both it and the
// leader are eliminated (NAP-6.52b, NAP-6.52c, NAP-8.2).
func (g *game) shieldsBonus(b *battle, square *unit) bool {
	for i := range g.units {
		l := &g.units[i]
		if l.kind != leader || !l.shown || l.shelter != square.id || !b.fights(l) {
			continue
		}
		if slices.ContainsFunc(b.morale, func(id unitID) bool {
			u := g.unit(id)
			return id != square.id && u.field == l.field && u.army == l.army
		}) {
			return true
		}
	}
	return false
}

// morale rolls for the next unit; each roll takes effect before the next
// (NAP-6.31, NAP-6.31c).
func (p *campaign) morale(b *battle) {
	if len(b.morale) == 0 {
		b.step = combatStep
		return
	}
	u := p.unit(b.morale[0])
	b.morale = b.morale[1:]
	if !p.rolls(b, u) {
		return // an earlier roll has removed the reason for this one
	}
	bonus := p.moraleBonus(b, u)
	die := p.Dice.Roll(6, phrase.Say("nap.roll-morale", p.unitArg("unit", u), p.townArg("town", b.town), phrase.Number("turn", b.number)))
	at := u.field
	args := append(b.fieldArgs("field", at, u.army.camp()), phrase.Number("die", die))
	if bonus > 0 {
		args = append(args, phrase.Number("bonus", bonus))
	}
	if die+bonus >= highMorale {
		p.tellUnit("NAP-6.31", u, "nap.morale-high", args...)
		return
	}
	p.tellUnit("NAP-6.31", u, "nap.morale-low", args...)
	back, ok := p.wayBack(b, u)
	if b.acting == b.attacker {
		b.busy = true
	}
	if ok {
		p.stepTo(b, u, back)
		u.spent = true // (NAP-6.31d)
		p.tellMoved("NAP-6.31", b, u, "nap.falls-back", at)
	} else {
		p.kill(u) // (NAP-6.31b)
	}
	p.calm(b, at)
	p.checkEnd(b)
	if b.stage == fighting {
		p.lonelyLeader(b, at)
	}
}

// highMorale is the least modified roll that holds (table 3.6).
const highMorale = 4

// moraleBonus is +1 for a revealed leader of the unit's army in its position,
// itself included, and +1 in square (NAP-6.31f, NAP-8.2).
func (g *game) moraleBonus(b *battle, u *unit) int {
	bonus := 0
	if u.square {
		bonus++
	}
	for i := range g.units {
		if l := &g.units[i]; l.kind == leader && l.shown && l.army == u.army && l.field == u.field && b.fights(l) {
			bonus++
		}
	}
	return bonus
}

// wayBack gives where a unit with low morale goes; false if it is eliminated
// instead (NAP-6.31b, NAP-R31, NAP-R101).
func (g *game) wayBack(b *battle, u *unit) (field, bool) {
	switch {
	case g.mustBreak(u), u.kind == footArtillery && !g.reading.allGoBack:
		return offBoard, false
	}
	back := reserve
	if b.forward(u.field, b.acting) {
		back = u.field.opposite()
		if g.held(b, back, b.acting.enemy()) {
			return offBoard, false
		}
		if b.stream(back) && (u.kind.artillery() || b.crossed[back.column()] >= streamLimit) {
			return offBoard, false
		}
		if b.terrain[back] == wood && u.kind.artillery() {
			return offBoard, false
		}
	}
	return back, true
}

// lonelyLeader makes a leader roll whom the low morale of another unit left alone with
// enemies (NAP-8.2b, NAP-R87).
func (p *campaign) lonelyLeader(b *battle, f field) {
	for i := range p.units {
		u := &p.units[i]
		if u.field == f && u.kind == leader && p.rolls(b, u) && !containsUnit(b.morale, u.id) {
			b.morale = append(b.morale[:len(b.morale):len(b.morale)], u.id)
		}
	}
}
