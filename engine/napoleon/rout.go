package napoleon

import "berthier/orders/phrase"

// beginRout opens a rout: one of the side's own positions is held by enemies
// only, so all its units must leave at once (NAP-7.4). Units in square are
// eliminated first, but in the third edition; then attrition takes its losses, then roads are chosen, then units that
// found no road are eliminated (NAP-R42).
func (p *campaign) beginRout(b *battle, loser camp, code string, at field) {
	p.tellAll("NAP-7.4", code, append([]argument{p.townArg("town", b.town), whoArg("camp", loser.String())}, b.fieldArgs("field", at, loser)...)...)
	b.stage, b.won = routing, loser.enemy()
	b.hits, b.morale = nil, nil
	p.tellVoid(b)
	if b.orders != nil {
		b.orders.actions = nil
	}
	p.suffer(b, loser)
}

// tellVoid tells only the side that ordered the interrupted battle turn which part of
// its file is void because the battle is over (NAP-7.42).
func (p *campaign) tellVoid(b *battle) {
	if b.orders == nil || b.guide == guidePlan {
		return // nobody has ordered what a plan would have done next
	}
	args := []argument{p.townArg("town", b.town)}
	if n := len(b.orders.actions); n > 0 {
		args = append(args, phrase.Number("n", n))
	}
	if a := b.orders.reinforce; a != nil && len(a.places) > 0 {
		args = append(args, phrase.NamesOf("units", "unit", a.places, func(pl place) string { return p.unitName(pl.unit) }))
	}
	if len(args) > 1 {
		p.Tell("NAP-7.42", to(p.commands(b, b.acting), "nap.act-void", args...))
	}
}

// suffer eliminates squares and takes the losses of attrition at the beginning of a rout.
func (p *campaign) suffer(b *battle, loser camp) {
	clause := "NAP-7.41"
	if p.reading.routTouches {
		clause = "NAP-7.41z"
	}
	cost := make([]int8, len(p.units)) // the cost of contact is settled before any unit is eliminated
	for i := range p.units {
		if u := &p.units[i]; u.present(b.town) && u.army.camp() == loser {
			cost[i] = p.routCost(b, u)
		}
	}
	for i := range p.units {
		if u := &p.units[i]; b.fights(u) && u.army.camp() == loser && u.inSquares() && !p.squaresGo() { // (NAP-R101)
			p.tellUnit("NAP-7.4c", u, "nap.rout-square")
			p.kill(u)
		}
	}
	mates, struck, points := p.sidesOf(loser), 0, 0
	for i := range p.units {
		u := &p.units[i]
		if cost[i] == 0 || u.dead {
			continue
		}
		n := min(cost[i], u.strength)
		struck, points = struck+1, points+int(n)
		mates = p.mates(u.army, b.town) // an ally whose last unit here has just died sees no more
		p.Tell(clause, to(mates, "nap.rout-costs", p.unitArg("unit", u), phrase.Number("n", int(n))))
		p.lose(u, cost[i])
	}
	if points > 0 {
		p.Tell(clause, to(p.others(mates), "nap.rout-costs-blocks", whoArg("camp", loser.String()),
			phrase.Number("units", struck), phrase.Number("points", points)))
	}
}

// rout settles by which roads the routed units leave.
func (p *campaign) rout(b *battle) {
	if a, ok := p.askLeaving(b, "rout"); ok {
		p.endRout(b, a)
	}
}

// endRout lets the routed units leave and eliminates units that have no road (NAP-7.4b). The
// battle is over (NAP-7.42).
func (p *campaign) endRout(b *battle, a allotment) {
	loser := b.won.enemy()
	p.depart("NAP-7.4", b, loser, a)
	p.roadless("NAP-7.4b", b, loser)
	if b.skirmish { // nobody regroups (NAP-6.6z)
		p.tellAll("NAP-6.6z", "nap.forced-retreat-over", p.townArg("town", b.town), campArg("winner", b.won))
		p.finish(b)
		return
	}
	p.win(b, b.won, false)
}

// roadless eliminates all units of a camp that are still in a battle's town.
func (p *campaign) roadless(clause string, b *battle, c camp) {
	for i := range p.units {
		if u := &p.units[i]; u.present(b.town) && u.army.camp() == c {
			p.tellUnit(clause, u, "nap.no-road")
			p.kill(u)
		}
	}
}

// attrition is what a retreat in contact, or a rout, costs a unit (NAP-7.41).
func (g *game) attrition(b *battle, u *unit) int8 {
	switch u.kind {
	case footArtillery:
		return 2
	case infantry, horseArtillery:
		return 1
	case lightCavalry, heavyCavalry:
		if u.field <= reserve {
			return 0
		}
		for i := range g.units {
			e := &g.units[i]
			if e.kind.cavalry() && e.field == u.field && b.fights(e) && e.army.camp() != u.army.camp() {
				return 1
			}
		}
	}
	return 0
}

// routCost is what a rout costs a unit. Where all units count as engaged by all enemies,
// enemy cavalry anywhere in the battle costs cavalry points (NAP-7.41z, NAP-R63).
func (g *game) routCost(b *battle, u *unit) int8 {
	if !g.reading.routTouches || !u.kind.cavalry() {
		return g.attrition(b, u)
	}
	for i := range g.units {
		if e := &g.units[i]; e.present(b.town) && e.kind.cavalry() && e.army.camp() != u.army.camp() {
			return 1
		}
	}
	return 0
}
