package napoleon

import (
	"berthier/engine"
	"berthier/orders/phrase"
)

// maxShown is how many units a side shows in a skirmish (NAP-6.6).
const maxShown = 4

// skirmishRating is the fire of each kind in a skirmish, whatever is printed
// (NAP-6.6b).
var skirmishRating = [...]int8{leader: 2, infantry: 1, lightCavalry: 2, heavyCavalry: 2, footArtillery: 1, horseArtillery: 2}

// skirmish goes one step further in a skirmish: both show units, the defender's
// fire, then the attacker's, then the smaller camp retreats (NAP-6.6).
func (p *campaign) skirmish(b *battle) {
	switch {
	case b.hits != nil:
		p.takeHits(b)
	case b.stage == routing:
		p.rout(b)
	case b.stage == opened && p.numbers.minAttack > 0:
		p.forceRetreat(b)
	case b.stage == opened:
		p.beginSkirmish(b)
	case b.stage == revealing:
		p.showSkirmishers(b)
	case b.stage == skirmishing:
		p.skirmishFire(b)
	case b.stage == withdrawing:
		if a, ok := p.askLeaving(b, "skirmish-retreat"); ok {
			p.endSkirmish(b, a)
		}
	}
}

// beginSkirmish lets both camps choose which units they show, secretly and at once
// (NAP-R12, NAP-R13). A camp that has no more than four shows all.
func (p *campaign) beginSkirmish(b *battle) {
	b.stage = revealing
	for _, c := range [2]camp{b.attacker.enemy(), b.attacker} {
		for _, side := range p.sidesOf(c) {
			p.askSkirmishers(b, side)
		}
	}
}

// picksShown tells whether a side with so many units has anything to choose: it
// shows its share of the four or, if the game allows it, as few as it likes down to
// one (NAP-R12, option skirmish_reveal).
func (g *game) picksShown(units, share int) bool {
	return units > share || g.options.skirmishReveal == revealFree && units > 1
}

// askSkirmishers asks a side which units it shows.
func (p *campaign) askSkirmishers(b *battle, side engine.Side) {
	units, share := p.ownIn(b.town, side), p.share(b, side)
	if p.picksShown(len(units), share) {
		p.ask([]engine.Side{side}, "skirmish", p.towns[b.town].id)
		return
	}
	p.chooseSkirmishers(units)
}

// chooseSkirmishers marks who will fight; the enemy sees them only when both
// have chosen.
func (p *campaign) chooseSkirmishers(units []unitID) {
	for _, id := range units {
		p.unit(id).engaged = true
	}
}

// unitsIn lists the units of a camp in a town.
func (g *game) unitsIn(t townID, c camp) []unitID {
	var all []unitID
	for i := range g.units {
		if u := &g.units[i]; u.present(t) && u.army.camp() == c {
			all = append(all, u.id)
		}
	}
	return all
}

// showSkirmishers reveals the chosen units, on both sides at once.
func (p *campaign) showSkirmishers(b *battle) {
	b.stage, b.acting = skirmishing, b.attacker.enemy()
	for _, c := range [2]camp{b.acting, b.attacker} {
		var names []string
		for i := range p.units {
			u := &p.units[i]
			if !u.present(b.town) || u.army.camp() != c {
				continue
			}
			u.shown = false
			if u.engaged {
				p.reveal(u)
				names = append(names, p.unitName(u.id))
			}
			u.engaged, u.fired = false, false
		}
		p.tellAll("NAP-6.6", "nap.skirmish-shows", p.townArg("town", b.town), campArg("camp", c), phrase.Names("units", "unit", names))
	}
}

// skirmishFire lets the next shown unit fire, in id order, the defender's before
// the attacker's (NAP-6.6b, NAP-0.6).
func (p *campaign) skirmishFire(b *battle) {
	for i := range p.units {
		u := &p.units[i]
		if !u.present(b.town) || u.army.camp() != b.acting || !u.shown || u.fired {
			continue
		}
		u.fired = true
		s := &shot{victims: b.acting.enemy(), field: offBoard}
		if p.strongest(b, s) == 0 {
			continue // no shown enemy is left: no dice (NAP-0.6)
		}
		rating := skirmishRating[u.kind]
		dice, hits := p.shoot(b, u, rating)
		p.tellAll("NAP-6.6b", "nap.skirmish-fires", p.unitArg("unit", u), phrase.Number("rating", int(rating)),
			phrase.Numbers("dice", dice), phrase.Number("hits", hits))
		if hits > 0 {
			s.left = int8(hits)
			b.hits = s
			p.takeHits(b)
		}
		return
	}
	if b.acting != b.attacker {
		b.acting = b.attacker
		return
	}
	p.decideSkirmish(b)
}

// decideSkirmish finds who must retreat: the camp with fewer units, shown or
// not; the attacker if they are equal (NAP-6.6d). All hide again (NAP-6.6g).
func (p *campaign) decideSkirmish(b *battle) {
	mine, theirs := 0, 0
	for i := range p.units {
		u := &p.units[i]
		if !u.present(b.town) {
			continue
		}
		p.hide(u)
		u.leaveBoard()
		if u.army.camp() == b.attacker {
			mine++
		} else {
			theirs++
		}
	}
	b.stage, b.won = withdrawing, b.attacker.enemy()
	if theirs < mine {
		b.won = b.attacker
	}
	if mine > 0 && theirs > 0 {
		p.tellAll("NAP-6.6d", "nap.skirmish-lost", p.townArg("town", b.town), whoArg("loser", b.won.enemy().String()),
			phrase.Number("mine", mine), phrase.Number("theirs", theirs))
	}
}

// endSkirmish lets the loser retreat by 2/1 roads, disrupted; who finds no road
// is eliminated (NAP-6.6e, NAP-R15). Nobody regroups (NAP-6.6f).
func (p *campaign) endSkirmish(b *battle, a allotment) {
	loser := b.won.enemy()
	p.depart("NAP-6.6e", b, loser, a)
	p.roadless("NAP-6.6e", b, loser)
	p.tellAll("NAP-6.6d", "nap.skirmish-over", p.townArg("town", b.town), whoArg("winner", b.won.String()))
	p.finish(b)
}

// forceRetreat lets a defender of fewer units than a defence needs leave at once
// as in a rout, without fire (NAP-6.6z).
func (p *campaign) forceRetreat(b *battle) {
	b.stage, b.won = routing, b.attacker
	p.suffer(b, b.attacker.enemy())
}

// failAttack sends attackers back if forced marches have left too few of them, each
// by the road by which it came: no limits hold there, and they are not disrupted
// (NAP-R61). It is false if one has nowhere to go back to, as after an edit.
func (p *campaign) failAttack(t townID, c camp) bool {
	units := p.unitsIn(t, c)
	for _, id := range units {
		if p.unit(id).came == noTown {
			return false
		}
	}
	p.tellAll("NAP-R61", "nap.attack-fails", p.townArg("town", t), campArg("camp", c), phrase.Number("least", p.numbers.minAttack))
	for _, id := range units {
		u := p.unit(id)
		u.town, u.came = u.came, noTown
		mates := p.mates(u.army, u.town)
		p.Tell("NAP-R61",
			to(mates, "nap.goes-back", p.unitArg("unit", u), p.townArg("town", u.town)),
			to(p.others(mates), "nap.goes-back-block", armyArg("army", u.army), p.townArg("town", u.town)))
	}
	return true
}
