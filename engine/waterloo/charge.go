package waterloo

import (
	"slices"

	"berthier/engine"
)

// Cavalry charges (WAT-11.4, WAT-11.5).

// chargeReach is how many squares a charge moves at most.
const chargeReach = 2

// chargePath gives the squares over which a charge moves before it attacks, or
// why it may not be made (WAT-11.4). It does not ask whose card it is.
func (g *game) chargePath(id, target unitID) ([]square, *fault) {
	u, t := g.unit(id), g.unit(target)
	unit, at := g.unitArg("unit", id), g.unitArg("target", target)
	switch {
	case u.At == 0:
		return nil, refusal("WAT-11.4", "wat.not-on-board", unit)
	case t.At == 0:
		return nil, refusal("WAT-11.4", "wat.not-on-board", g.unitArg("unit", target))
	case g.def(id).arm != cavalry:
		return nil, refusal("WAT-11.4", "wat.charge-infantry", unit)
	case u.Disordered:
		return nil, refusal("WAT-9.45", "wat.charge-disordered", unit)
	case u.Reorganised:
		return nil, refusal("WAT-11.6", "wat.charge-reorganised", unit)
	case !g.hostile(id, target):
		return nil, refusal("WAT-1.2", "wat.attack-friend", g.unitArg("unit", target))
	}
	var path []square
	q := u.At
	for {
		next, edge := g.next(q, u.Face), g.edgeOf(q, u.Face)
		switch {
		case next == 0 || len(path) > chargeReach:
			return nil, refusal("WAT-11.4", "wat.charge-line", unit, at, facingArg("face", u.Face))
		case edge.has(pond):
			return nil, refusal("WAT-11.4", "wat.charge-pond", unit)
		}
		if next == t.At {
			break
		}
		if len(path) == chargeReach {
			return nil, refusal("WAT-11.4", "wat.charge-line", unit, at, facingArg("face", u.Face))
		}
		if by := g.unitAt(next); by != 0 {
			return nil, refusal("WAT-11.4", "wat.charge-blocked", unit, g.unitArg("by", by), g.squareArg("square", next))
		}
		if g.obstacle(edge) {
			return nil, refusal("WAT-11.4", "wat.charge-edge", unit, g.squareArg("square", next))
		}
		path = append(path, next)
		q = next
	}
	if len(path) == 0 {
		return nil, refusal("WAT-11.4", "wat.charge-near", unit, at)
	}
	switch g.terrain[t.At] {
	case wood, village, chateau:
		return nil, refusal("WAT-11.4", "wat.charge-terrain", at, g.squareArg("square", t.At))
	}
	return path, nil
}

// A ride is a charge that could be made.
type ride struct{ unit, target unitID }

// charges lists the charges that cavalry of an army could make now.
func (g *game) charges(a army) []ride {
	return g.rides(func(id unitID) bool { return g.armyOf(id) == a })
}

// forcedCharges lists the charges that a camp could force on its enemy
// (WAT-11.5).
func (g *game) forcedCharges(by camp) []ride {
	return g.rides(func(id unitID) bool { return g.campOf(id) == by.enemy() })
}

func (g *game) rides(who func(unitID) bool) []ride {
	var all []ride
	for id, u := range g.everyUnit() {
		if g.def(id).arm != cavalry || !who(id) {
			continue
		}
		for q, n := g.next(u.At, u.Face), 0; q != 0 && n <= chargeReach; q, n = g.next(q, u.Face), n+1 {
			if target := g.unitAt(q); target != 0 {
				if _, f := g.chargePath(id, target); f == nil {
					all = append(all, ride{id, target})
				}
				break
			}
		}
	}
	return all
}

// A chargeFrame is a charge moving to its target. Nothing interrupts it
// (WAT-11.4b) except the placing of a commander who stands in its way.
type chargeFrame struct {
	Unit    unitID
	Target  unitID
	Path    []square     // still to be entered
	Forced  bool         // forced by the enemy, whose round it is (WAT-11.5)
	Filed   bool         // Cards were given
	Cards   []commit     // of the phasing side; secret
	Advance advanceOrder // secret
}

// startCharge begins the charge of an action card.
func (p *battlefield) startCharge(st *step) {
	d := &st.Does
	path, f := p.chargePath(d.Unit, d.Target)
	if f != nil {
		return
	}
	forced := st.Action == mustCharge
	clause, code := "WAT-11.4", "wat.charges"
	if forced {
		clause, code = "WAT-11.5", "wat.must-charge"
	}
	p.announce(clause, code, p.unitArg("unit", d.Unit), p.unitArg("target", d.Target))
	p.unit(d.Unit).Moved = true
	p.push(&chargeFrame{Unit: d.Unit, Target: d.Target, Path: path, Forced: forced,
		Filed: d.Filed, Cards: slices.Clone(d.Cards), Advance: d.Advance})
}

// run implements [frame].
func (c *chargeFrame) run(p *battlefield) {
	if len(c.Path) > 0 {
		to := c.Path[0]
		c.Path = c.Path[1:]
		if len(c.Path) == 0 {
			c.Path = nil
		}
		p.announce("WAT-11.4", "wat.charge-enters", p.unitArg("unit", c.Unit), p.squareArg("square", to))
		p.enter(c.Unit, to, byCharge)
		return
	}
	p.pop()
	b := p.expected(c.Target, []unitID{c.Unit}, true, c.Forced)
	if !c.Forced {
		b.Advance = c.Advance
	}
	if c.Filed {
		*b.of(b.phasing()) = party{Filed: true, Cards: c.Cards}
	}
	p.open(b, "WAT-11.4", "wat.charge-strikes")
}

// seenBy implements [frame]: only the phasing side knows what was filed with a charge.
func (c *chargeFrame) seenBy(g *game, side engine.Side) frame {
	all := *c
	all.Path, all.Cards = slices.Clone(c.Path), slices.Clone(c.Cards)
	if r := g.roundNow(); r == nil || r.seat(g) != side {
		all.Filed, all.Cards, all.Advance = false, nil, advanceOrder{}
	}
	return &all
}

// sound tells whether a position may hold the frame.
func (c *chargeFrame) sound(g *game, depth int) bool {
	if depth != 2 || c.Unit == 0 || c.Target == 0 || !g.hostile(c.Unit, c.Target) || g.unit(c.Unit).At == 0 || g.unit(c.Target).At == 0 ||
		len(c.Path) > chargeReach || !g.soundCommits(c.Cards) {
		return false
	}
	at := g.unit(c.Unit).At
	for _, q := range append(slices.Clone(c.Path), g.unit(c.Target).At) {
		if _, near := g.toward(at, q); !near || q != g.unit(c.Target).At && g.unitAt(q) != 0 {
			return false
		}
		at = q
	}
	r := g.roundNow()
	return r != nil && (g.campOf(c.Unit) == r.Camp) != c.Forced
}
