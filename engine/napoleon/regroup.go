package napoleon

import (
	"berthier/engine"
	"berthier/orders/phrase"
)

// Why a unit can't be brought into the town that was won, or sent from there.
var (
	faultRegroupWho       = refusal("NAP-7.5", "nap.regroup-who")
	faultRegroupDisrupted = refusal("NAP-R44", "nap.regroup-disrupted")
	faultRegroupFar       = refusal("NAP-7.5c", "nap.regroup-far")
	faultRegroupBattle    = refusal("NAP-7.5", "nap.regroup-battle")
	faultRegroupWhere     = refusal("NAP-7.5", "nap.regroup-where")
	faultRegroupEmpty     = refusal("NAP-7.5", "nap.regroup-empty")
)

// mayRegroup tells why a unit can't be brought into the town that was won, or
// sent from there to another town (NAP-7.5). The road's limit is judged for all units together.
func (g *game) mayRegroup(b *battle, u *unit, pl place, in bool) *fault {
	c := b.won
	if u == nil || u.dead || u.town == noTown || u.army.camp() != c {
		return faultRegroupWho
	}
	if u.disrupted && g.options.disruptedRegroup == regroupNotDisrupted {
		return faultRegroupDisrupted
	}
	if _, ok := g.roadBetween(pl.town, b.town); !ok {
		return faultRegroupFar
	}
	if o := g.battleIn(pl.town); o != nil && o != b {
		return faultRegroupBattle
	}
	switch {
	case in && u.town != pl.town, !in && u.town != b.town:
		return faultRegroupWhere
	case !in && g.blocks(pl.town, c) == 0:
		return faultRegroupEmpty
	}
	return nil
}

// canRegroup tells whether the winner has anything to regroup.
func (g *game) canRegroup(b *battle) bool {
	for _, r := range g.towns[b.town].roads {
		t := g.roads[r].from(b.town)
		if g.battleIn(t) != nil || g.blocks(t, b.won) == 0 {
			continue
		}
		for i := range g.units {
			u := &g.units[i]
			if !g.inHand(b, u) {
				continue
			}
			if g.mayRegroup(b, u, place{u.id, t}, true) == nil || g.mayRegroup(b, u, place{u.id, t}, false) == nil {
				return true
			}
		}
	}
	return false
}

// regroupFault judges all regrouping after a battle: each unit once, and two units on a main
// road, one on a secondary road, in both directions together (NAP-7.5, NAP-R45, NAP-R46).
// It also gives the unit at fault.
func (g *game) regroupFault(b *battle, a *regroupAnswer) (unitID, *fault) {
	var done []place
	for k, list := range [2][]place{a.in, a.out} {
		for _, pl := range list {
			if f := g.mayRegroup(b, g.unit(pl.unit), pl, k == 0); f != nil {
				return pl.unit, f
			}
			n := 0
			for _, other := range done {
				if other.unit == pl.unit {
					return pl.unit, refusal("NAP-R46", "nap.regroup-twice")
				}
				if other.town == pl.town {
					n += g.weight(g.unit(other.unit).kind)
				}
			}
			r, _ := g.roadBetween(pl.town, b.town)
			if limit := g.numbers.battleRoad.of(g.roads[r]); n+b.hadBrought(r) >= limit && g.weight(g.unit(pl.unit).kind) > 0 {
				return pl.unit, refusal("NAP-7.5", "nap.regroup-full", phrase.Number("limit", limit))
			}
			done = append(done, pl)
		}
	}
	return noUnit, nil
}

// regroup lets the winner of a battle bring units in and send units out
// (NAP-7.5).
func (p *campaign) regroup(b *battle) {
	if !p.canRegroup(b) {
		p.regrouped(b)
		return
	}
	if b.orders != nil && b.orders.regroup != nil {
		a := b.orders.regroup
		id, f := p.regroupFault(b, a)
		if f == nil {
			p.endRegroup(b, a)
			return
		}
		p.Tell(f.Clause, to(p.commands(b, b.won), "nap.act-fails", p.townArg("town", b.town),
			phrase.Name("unit", "unit", p.unitName(id)), phrase.Within("why", f.Why)))
		b.orders = nil
	}
	p.ask([]engine.Side{p.hand(b, b.won)}, "regroup", p.towns[b.town].id)
}

// endRegroup moves the units and closes the battle. This is not a group move, and
// disrupted units stay disrupted (NAP-R44).
func (p *campaign) endRegroup(b *battle, a *regroupAnswer) {
	p.shift(b, a.in, true)
	p.shift(b, a.out, false)
	p.regrouped(b)
}

// shift moves regrouping units and tells of it road by road.
func (p *campaign) shift(b *battle, list []place, in bool) {
	for _, r := range p.towns[b.town].roads {
		t := p.roads[r].from(b.town)
		from, where := t, b.town
		if !in {
			from, where = b.town, t
		}
		for army := range armies {
			var names []string
			for _, pl := range list {
				if u := p.unit(pl.unit); pl.town == t && u.army == army {
					if p.shared(b.won) && p.weight(u.kind) > 0 {
						b.brings(r)
					}
					u.town, u.came = where, noTown
					u.regrouped = p.reading.restless
					names = append(names, p.unitName(u.id))
				}
			}
			if len(names) > 0 {
				mates := p.mates(army, noTown)
				p.Tell("NAP-7.5",
					to(mates, "nap.regroups", p.townArg("from", from), p.townArg("to", where), phrase.Names("units", "unit", names)),
					to(p.others(mates), "nap.regroups-blocks", p.townArg("from", from), p.townArg("to", where), armyArg("army", army), phrase.Number("n", len(names))))
			}
		}
	}
}
