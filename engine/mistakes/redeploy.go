package mistakes

import (
	"cmp"
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Redeployment: the order that puts units elsewhere (EM-9.6, EM-9.7).

// A relocation is where a unit goes.
type relocation struct {
	unit    unitID
	at      place
	heading int
}

// A regroup is a formation as it is restated: its name and its units. Units that none names stay
// in their formation.
type regroup struct {
	id    string
	units []unitID
	keeps bool // the name is that of the formation of its first unit
}

// redeployReach is how far a unit may be redeployed, in segments (EM-9.6).
const redeployReach = 2

// regrouped lists the formations of units that move or are restated.
func (g *game) regrouped(moves []relocation, groups []regroup) []*formation {
	var units []unitID
	for _, m := range moves {
		units = append(units, m.unit)
	}
	for _, one := range groups {
		units = append(units, one.units...)
	}
	return g.formationsOf(units)
}

// regroupedAs gives the game as it is after a redeployment, before formations are put in order. Enemies who
// were parted and still touch stay parted.
func (g *game) regroupedAs(moves []relocation, groups []regroup) *game {
	c := *g
	c.Units, c.Apart, c.Formations = slices.Clone(g.Units), slices.Clone(g.Apart), slices.Clone(g.Formations)
	for _, m := range moves {
		c.put(m)
		c.moved(m.unit)
	}
	c.partAgain(g.Apart)
	for _, one := range groups {
		f := c.of(one.units[0])
		next := formation{ID: one.id, Corps: f.Corps, Orange: f.Orange, Units: slices.Sorted(slices.Values(one.units))}
		if !g.battery(&next) {
			next.Corps = g.def(one.units[0]).corps
		}
		for i := range c.Formations {
			c.Formations[i].Units = slices.DeleteFunc(slices.Clone(c.Formations[i].Units), func(u unitID) bool { return slices.Contains(one.units, u) })
		}
		c.Formations = append(c.Formations, next)
	}
	c.Formations = slices.DeleteFunc(c.Formations, func(f formation) bool { return len(f.Units) == 0 })
	c.arrange()
	return &c
}

// put puts a unit where it goes. The limber of a gun goes along behind it (EM-9.6).
func (g *game) put(m relocation) {
	u := &g.Units[m.unit]
	u.At, u.Heading, u.Limber = m.at, m.heading, behindIf(u.Limber)
}

// behindIf puts a limber behind its gun, if there is one.
func behindIf(l limber) limber {
	if l == unlimbered {
		return unlimbered
	}
	return behind
}

// anewFault says which unit that a redeployment names can't be named in it: the first of them.
func (g *game) anewFault(d *redeployment) *play.Fault {
	for _, s := range d.spots {
		if fault := cmp.Or(g.awayFault(s.unit), g.awayFault(s.next)); fault != nil {
			return fault
		}
	}
	for i := range d.groups {
		for _, fault := range g.groupFaults(&d.groups[i]) {
			return fault
		}
	}
	return nil
}

// awayFault says that a unit is not on the field (EM-3.1).
func (g *game) awayFault(u unitID) *play.Fault {
	if u == 0 || g.on(u) && (g.of(u) != nil || g.def(u).garrison()) {
		return nil
	}
	return &play.Fault{Clause: "EM-3.1", Why: phrase.Say("em.redeploy-gone", g.unitArg("unit", u))}
}

// groupFaults says who can't be in a formation that is restated: nobody may be missing, and garrisons are in none
// (EM-9.6, EM-14.1).
func (g *game) groupFaults(one *regroup) (all []*play.Fault) {
	if len(one.units) == 0 {
		all = append(all, &play.Fault{Clause: "EM-9.6", Why: phrase.Say("em.entry-nobody", phrase.Literal("formation", one.id))})
	}
	for _, u := range one.units {
		switch fault := g.awayFault(u); {
		case fault != nil:
			all = append(all, fault)
		case g.def(u).garrison():
			all = append(all, &play.Fault{Clause: "EM-14.1", Why: phrase.Say("em.redeploy-garrison", g.unitArg("unit", u))})
		}
	}
	return all
}

// A misplaced unit is one that may not go where a redeployment puts it; 0: the fault is of all.
type misplaced struct {
	unit unitID
	*play.Fault
}

// redeployFault says why a redeployment can't be made: the first of [game.redeployFaults].
func (g *game) redeployFault(moves []relocation, groups []regroup) *play.Fault {
	for _, one := range g.redeployFaults(moves, groups) {
		return one.Fault
	}
	return nil
}

// redeployFaults says why a redeployment can't be made (EM-9.6, EM-9.7, EM-10.10). All places are
// judged together, when all units stand at them.
func (g *game) redeployFaults(moves []relocation, groups []regroup) (all []misplaced) {
	formations := g.regrouped(moves, groups)
	for _, f := range formations {
		if g.battery(f) && len(formations) > 1 {
			all = append(all, misplaced{0, &play.Fault{Clause: "EM-9.7", Why: phrase.Say("em.redeploy-battery")}})
		}
	}
	after := g.regroupedAs(moves, groups)
	for i, m := range moves {
		fault := g.relocationFault(m)
		if fault == nil {
			fault = g.placedFault(after, m, moves)
		}
		if slices.ContainsFunc(moves[:i], func(x relocation) bool { return x.unit == m.unit }) {
			fault = &play.Fault{Clause: "EM-9.6", Why: phrase.Say("em.named-twice", g.unitArg("unit", m.unit))}
		}
		if fault != nil {
			all = append(all, misplaced{m.unit, fault})
		}
	}
	for i, one := range groups {
		twice := slices.ContainsFunc(one.units, func(u unitID) bool {
			return slices.ContainsFunc(groups[:i], func(o regroup) bool { return slices.Contains(o.units, u) })
		})
		others := slices.DeleteFunc(slices.Clone(after.Formations), func(f formation) bool { return f.ID != one.id })
		if twice || len(others) > 1 || noName(one.id) {
			all = append(all, misplaced{0, &play.Fault{Clause: "EM-9.6", Why: phrase.Say("em.formation-known", phrase.Literal("formation", one.id))}})
		}
	}
	if len(all) > 0 {
		return all
	}
	b := &breaches{game: after}
	for i := range after.Formations {
		b.formation(&after.Formations[i], make([]bool, len(after.Units)))
	}
	b.commanders()
	for _, one := range b.All {
		all = append(all, misplaced{0, &play.Fault{Clause: "EM-9.6", Why: one.Why}})
	}
	return all
}

// relocationFault says why a unit can't go so far, or not at all.
func (g *game) relocationFault(m relocation) *play.Fault {
	fault := func(clause, code string) *play.Fault {
		return &play.Fault{Clause: clause, Why: phrase.Say(code, g.unitArg("unit", m.unit))}
	}
	d, x := g.def(m.unit), &g.Units[m.unit]
	switch {
	case d.garrison():
		return fault("EM-14.1", "em.redeploy-garrison")
	case x.Smoke && d.mount == foot:
		return fault("EM-15.5", "em.redeploy-smoke")
	case !g.within(geometry.Point(x.At), geometry.Point(m.at), redeployReach):
		return fault("EM-9.6", "em.redeploy-far")
	}
	return nil
}

// offFault says that a unit would stand off the field (EM-R75).
func (g *game) offFault(u unitID) *play.Fault {
	return &play.Fault{Clause: "EM-R75", Why: phrase.Say("em.position-off", g.unitArg("unit", u), g.unitArg("other", u))}
}

// A hindrance is why a unit can't stand somewhere: the clause, the code of what is said, and the other unit that it says;
// without a clause there is none.
type hindrance struct {
	clause, code string
	other        unitID
}

// overlapping is the code of the hindrance that goes with whoever stands there.
const overlapping = "em.position-overlap"

// placedFault says why a unit can't stand where a redeployment puts it.
func (g *game) placedFault(after *game, m relocation, moves []relocation) *play.Fault {
	if h := g.hindered(after, m, moves); h.clause != "" {
		return &play.Fault{Clause: h.clause, Why: phrase.Say(h.code, g.unitArg("unit", m.unit), g.unitArg("other", h.other))}
	}
	return nil
}

// hindered says what keeps a unit from standing where a redeployment puts it: it would be off the field,
// on another, in an engagement area that bars it, in new contact with an enemy, nearer to an enemy than its
// formation was, or beyond the limit of the blue army.
func (g *game) hindered(after *game, m relocation, moves []relocation) hindrance {
	was, now := g.body(m.unit), after.body(m.unit)
	switch {
	case g.leaves(&now):
		return hindrance{"EM-R75", "em.position-off", m.unit}
	case g.pastLimit(g.def(m.unit).army, &was, &now):
		return hindrance{"EM-10.10", "em.redeploy-limit", m.unit}
	}
	formation := g.of(m.unit)
	reach, meet := g.farthest(), 2*int64(g.measures.tile)
	for e := unitID(1); int(e) < len(g.Units); e++ {
		if e == m.unit || !g.on(e) {
			continue
		}
		enemies, far := g.enemies(m.unit, e), geometry.Dist2(now.At, geometry.Point(after.Units[e].At))
		var o geometry.Body
		if far <= meet*meet { // pieces whose centres are farther apart never meet
			if o = after.body(e); g.overlap(&now, &o) {
				return hindrance{"EM-9.6", overlapping, e}
			}
		}
		if !enemies {
			continue
		}
		if far <= reach*reach {
			switch area := g.engagement(e); {
			case entered(&now, &area) && !entered(&was, &area) && !g.exempt(e, movers(moves)):
				return hindrance{"EM-9.6", "em.redeploy-engaged", e}
			case far <= meet*meet && g.near(&now, &o) && !g.near(&was, &o):
				return hindrance{"EM-10.2", "em.redeploy-contact", e}
			}
		}
		if g.nearest(formation, e) > far {
			return hindrance{"EM-9.6", "em.redeploy-towards", e}
		}
	}
	return hindrance{}
}

// movers lists the units that a redeployment moves.
func movers(moves []relocation) []unitID {
	all := make([]unitID, len(moves))
	for i, m := range moves {
		all[i] = m.unit
	}
	return all
}

// nearest is the square of the distance of an enemy from the unit of a formation that is nearest
// to him (EM-R34).
func (g *game) nearest(f *formation, e unitID) int64 {
	at, least := geometry.Point(g.Units[e].At), int64(1)<<62
	for _, u := range f.Units {
		least = min(least, geometry.Dist2(geometry.Point(g.Units[u].At), at))
	}
	return least
}

// redeploy carries a redeployment out: formations of which a unit has moved lose green, and are as
// they were restated. Free leaders on whom a unit has come to stand give way.
func (g *game) redeploy(moves []relocation, groups []regroup, stands func(unitID)) {
	var stay []string
	for _, f := range g.regrouped(moves, groups) {
		stay = append(stay, f.ID)
	}
	after := g.regroupedAs(moves, groups)
	g.Units, g.Formations, g.Apart = after.Units, after.Formations, after.Apart
	for i := range g.Formations {
		f := &g.Formations[i]
		if slices.Contains(stay, f.ID) || slices.ContainsFunc(groups, func(x regroup) bool { return x.id == f.ID }) {
			f.Green, f.Ordered = false, true
		}
	}
	for _, m := range moves {
		stands(m.unit)
	}
	g.settle()
}

// redeployed carries a redeployment out; free enemy leaders on whom a unit has come to stand are
// tested (EM-R87).
func (p *battlefield) redeployed(moves []relocation, groups []regroup) {
	var was []leader
	p.redeploy(moves, groups, func(u unitID) {
		p.meet([]unitID{u}, []geometry.Body{p.body(u)}, geometry.Heading(p.Units[u].Heading), 0)
		p.makeRoom(u)
		was = slices.Clone(p.Leaders)
	})
	p.tellLeaders(was, "EM-7.10")
}
