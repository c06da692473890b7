package napoleon

import (
	"berthier/engine"
	"berthier/orders/phrase"
)

// Why a unit can't come to a battle from its town.
var (
	faultComesWho       = refusal("NAP-6.34", "nap.reinforce-who")
	faultComesFar       = refusal("NAP-6.34d", "nap.reinforce-far")
	faultComesBattle    = refusal("NAP-6.34", "nap.reinforce-battle")
	faultComesDisrupted = refusal("NAP-7.3", "nap.reinforce-disrupted")
	faultComesEntered   = refusal("NAP-6.34b", "nap.reinforce-entered")
	faultComesForced    = refusal("NAP-6.34b", "nap.reinforce-forced")
	faultComesRegrouped = refusal("NAP-7.5b", "nap.reinforce-regrouped")
)

// mayReinforce tells why a unit can't come to a battle from its town
// (NAP-6.34, NAP-6.34b); the road's limit is judged with the whole allotment.
func (g *game) mayReinforce(b *battle, u *unit) *fault {
	if u == nil || u.dead || u.town == noTown || u.army.camp() != b.acting {
		return faultComesWho
	}
	if _, ok := g.roadBetween(u.town, b.town); !ok {
		return faultComesFar
	}
	switch {
	case g.battleIn(u.town) != nil:
		return faultComesBattle
	case u.disrupted:
		return faultComesDisrupted
	case g.reading.townsOfAttack && b.acting != b.attacker && b.entered(u.town):
		return faultComesEntered
	case u.forced && g.reading.restless:
		return faultComesForced
	case u.regrouped && g.reading.restless:
		return faultComesRegrouped
	}
	return nil
}

// canReinforce tells whether any unit could come.
func (g *game) canReinforce(b *battle) bool {
	for _, r := range g.towns[b.town].roads {
		t := g.roads[r].from(b.town)
		for i := range g.units {
			if u := &g.units[i]; u.present(t) && g.inHand(b, u) && g.mayReinforce(b, u) == nil {
				return true
			}
		}
	}
	return false
}

// reinforceFault judges all units that are to come in one battle turn: each
// once, from where it stands, and no road over its limit (NAP-6.34). It also gives
// the place at fault.
func (g *game) reinforceFault(b *battle, a allotment) (int, *fault) {
	for i, pl := range a.places {
		u := g.unit(pl.unit)
		if f := g.mayReinforce(b, u); f != nil {
			return i, f
		}
		if u.town != pl.town {
			return i, refusal("NAP-6.34", "nap.reinforce-where", g.townArg("town", pl.town))
		}
		n := 0
		for _, other := range a.places[:i] {
			if other.unit == pl.unit {
				return i, refusal("NAP-6.34", "nap.reinforce-twice")
			}
			if other.town == pl.town {
				n += g.weight(g.unit(other.unit).kind)
			}
		}
		r, _ := g.roadBetween(pl.town, b.town)
		if limit := g.numbers.battleRoad.of(g.roads[r]); n+b.hadBrought(r) >= limit && g.weight(u.kind) > 0 {
			return i, refusal("NAP-6.34", "nap.reinforce-full", phrase.Number("limit", limit))
		}
	}
	return 0, nil
}

// reinforcements is the last step of a battle turn (NAP-6.34).
func (p *campaign) reinforcements(b *battle) {
	if !p.canReinforce(b) {
		p.passOn(b)
		return
	}
	if b.orders != nil && b.orders.reinforce != nil {
		a := *b.orders.reinforce
		i, f := p.reinforceFault(b, a)
		if f == nil {
			p.bring(b, a)
			return
		}
		p.Tell(f.Clause, to(p.commands(b, b.acting), "nap.act-fails", p.townArg("town", b.town),
			phrase.Name("unit", "unit", p.unitName(a.places[i].unit)), phrase.Within("why", f.Why)))
		b.orders.reinforce = nil
	}
	p.ask([]engine.Side{p.hand(b, b.acting)}, "reinforce", p.towns[b.town].id)
}

// bring puts reinforcements into the reserve, where they can act from the side's next
// battle turn on. If they are the attacker's, he may later retreat to the town from which
// they come (NAP-6.34d).
func (p *campaign) bring(b *battle, a allotment) {
	c := b.acting
	for _, r := range p.towns[b.town].roads {
		t := p.roads[r].from(b.town)
		for army := range armies {
			var names []string
			for _, pl := range a.places {
				u := p.unit(pl.unit)
				if pl.town != t || u.army != army {
					continue
				}
				if p.shared(c) && p.weight(u.kind) > 0 {
					b.brings(r)
				}
				u.leaveBoard()
				u.town, u.field, u.came = b.town, reserve, noTown
				names = append(names, p.unitName(u.id))
			}
			if len(names) == 0 {
				continue
			}
			if p.anyMore(c.enemy()) {
				b.reinforced = b.number // plans of the enemy may ask for it
			}
			if c == b.attacker {
				b.enters(t)
				b.busy = true
			}
			mates := p.mates(army, b.town)
			p.Tell("NAP-6.34",
				to(mates, "nap.reinforces", p.townArg("from", t), p.townArg("to", b.town), phrase.Names("units", "unit", names)),
				to(p.others(mates), "nap.reinforces-blocks", p.townArg("from", t), p.townArg("to", b.town), armyArg("army", army), phrase.Number("n", len(names)),
					phrase.Number("left", p.blocksOf(t, army))))
		}
	}
	p.passOn(b)
}
