package hfg

import (
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Near the enemy, and contact: chapter 11.

const (
	mountedContact = 600 // how far mounted and CP may move into contact (HFG-11.2)
	otherContact   = 200
	nearEnemy      = 400 // within this one doesn't cross his front (HFG-11.4)
	mostShift      = 200 // to line up with an enemy, or to conform (HFG-9.12, HFG-11.5)
	mostTurn       = 45  // of a group that conforms (HFG-11.8)
)

// A touching is an enemy with whom an element is in contact.
type touching struct {
	enemy elementID
	body  geometry.Body
}

// touches lists the enemies whom a footprint touches and who are known to the element's side.
func (g *game) touches(e elementID, b *geometry.Body) []touching {
	var all []touching
	for o := elementID(1); int(o) < len(g.Elements); o++ {
		if g.on(o) && g.enemies(o, e) && !g.Elements[o].Concealed {
			if x := g.body(o); touch(b, &x) && g.known(g.def(e).side, o) {
				all = append(all, touching{o, x})
			}
		}
	}
	return all
}

// nears judges what a plan does near the enemy (HFG-11.1 to HFG-11.4, HFG-11.8).
func (g *game) nears(p *plan) *play.Fault {
	for i := range p.paths {
		x := &p.paths[i]
		for _, c := range g.touches(x.element, &x.to) {
			if touch(&x.from, &c.body) && frontal(&x.from, &c.body) == frontal(&x.to, &c.body) {
				continue // it was in contact with him before
			}
			if fault := g.contacts(p, x, &c); fault != nil {
				return fault
			}
		}
		if p.manner == march {
			if fault := g.approaches(x); fault != nil {
				return fault
			}
		}
		if fault := g.passesBy(p, x); fault != nil {
			return fault
		}
	}
	return nil
}

// marchNear is how near to a known enemy a march may not end, in paces (HFG-9.2).
const marchNear = 600

// approaches refuses a march that ends near an enemy whom the element's command knows (HFG-9.2).
func (g *game) approaches(x *path) *play.Fault {
	for o := elementID(1); int(o) < len(g.Elements); o++ {
		if !g.on(o) || !g.enemies(o, x.element) || g.Elements[o].Concealed {
			continue
		}
		if b := g.body(o); paces(between(&x.to, &b)) < marchNear && g.knows(g.command(x.element), o) {
			return refuse("HFG-9.2", "hfg.march-near", elementArg("element", g.def(x.element)), elementArg("other", g.def(o)), phrase.Number("near", marchNear))
		}
	}
	return nil
}

// contacts judges a contact that a plan makes.
func (g *game) contacts(p *plan, x *path, c *touching) *play.Fault {
	d, enemy := g.def(x.element), g.def(c.enemy)
	name, other := elementArg("element", d), elementArg("other", enemy)
	class := troops[d.troop].class
	if p.manner == march {
		return refuse("HFG-9.2", "hfg.march-contact", name, other)
	}
	if class == artillery || class == train || d.troop == marksmen && troops[enemy.troop].class != train {
		return refuse("HFG-11.1", "hfg.contact-never", name, other)
	}
	if class == naval && !g.boards(x.element, c.enemy) {
		return refuse("HFG-18.4", "hfg.contact-never", name, other)
	}
	if !g.matched(fighter{Element: x.element}, fighter{Element: c.enemy}) && g.Elements[c.enemy].Holds == 0 {
		return refuse("HFG-14.2", "hfg.contact-never", name, other)
	}
	if most := g.contactReach(x.element); p.price > most && !p.overlap {
		return refuse("HFG-11.2", "hfg.contact-far", name, other, phrase.Number("most", most), phrase.Number("price", p.price))
	}
	if !frontal(&x.to, &c.body) {
		return nil // a corner, or its own flank: it fights nobody there (HFG-13.7)
	}
	side := sideMet(&x.to, &c.body)
	if block := g.Elements[c.enemy].Holds != 0; block {
		if !quarter(x.to.Heading, c.body.Heading) {
			return refuse("HFG-11.7", "hfg.contact-askew", name, other)
		}
		return nil
	}
	if side != geometry.Front && g.Elements[c.enemy].Faced {
		return refuse("HFG-11.6", "hfg.contact-faced", name, other)
	}
	if side != geometry.Front && !beyond(&x.from, &c.body, side) && !p.overlap {
		return refuse("HFG-11.3", "hfg.contact-flank", name, other)
	}
	if !aligned(&x.to, &c.body) {
		return refuse("HFG-13.1", "hfg.contact-askew", name, other)
	}
	return nil
}

// contactReach is how far an element may move into contact, in paces (HFG-11.2, HFG-R48,
// HFG-R99).
func (g *game) contactReach(e elementID) int {
	d := g.def(e)
	switch {
	case d.troop == mountedRifles, d.troop.dismountable() && g.entrenched(e):
		return otherContact
	case troops[d.troop].class == mounted, d.troop == commandParty:
		return mountedContact
	}
	return otherContact
}

// sideMet is the side of a body that another's front edge lies along: the one with the longest
// contact, of equal ones the first.
func sideMet(front, of *geometry.Body) geometry.Flank {
	best, long := geometry.Front, int64(-1)
	for side := geometry.Front; side <= geometry.Rear; side++ {
		if n := alongside(of, front, side); n > long+slack {
			best, long = side, n
		}
	}
	return best
}

// passesBy refuses to cross the front of an enemy, and to pass a BUA or an SP that he holds
// (HFG-11.4, HFG-R49, HFG-R116).
func (g *game) passesBy(p *plan, x *path) *play.Fault {
	if p.retires {
		return nil
	}
	lanes := x.lanes()
	for o := elementID(1); int(o) < len(g.Elements); o++ {
		if !g.on(o) || !g.enemies(o, x.element) || g.Elements[o].Concealed || g.Elements[o].Spirit == routed {
			continue
		}
		b := g.body(o)
		if !nearLanes(lanes, &b, nearEnemy*pace) || touch(&x.to, &b) || !g.known(g.def(x.element).side, o) {
			continue
		}
		name, other := elementArg("element", g.def(x.element)), elementArg("other", g.def(o))
		if g.Elements[o].Holds != 0 {
			if passes(x, lanes, &b) {
				return refuse("HFG-11.4", "hfg.move-passes", name, other)
			}
		} else if !g.engaged(o, x.element) && crossesFront(x, lanes, &b) {
			return refuse("HFG-11.4", "hfg.move-crosses", name, other)
		}
	}
	return nil
}

// nearLanes says whether a corridor comes anywhere near a body.
func nearLanes(lanes []lane, b *geometry.Body, far int64) bool {
	for i := range lanes {
		l := &lanes[i]
		if b.Lo.X-far <= l.hi.X && b.Hi.X+far >= l.lo.X && b.Lo.Y-far <= l.hi.Y && b.Hi.Y+far >= l.lo.Y {
			return true
		}
	}
	return false
}

// engaged says whether an element is in frontal contact with an enemy other than one
// (HFG-11.4).
func (g *game) engaged(o, but elementID) bool {
	b := g.body(o)
	for e := elementID(1); int(e) < len(g.Elements); e++ {
		if e == but || !g.on(e) || !g.enemies(e, o) || g.Elements[e].Concealed {
			continue
		}
		if x := g.body(e); frontal(&b, &x) && frontal(&x, &b) {
			return true
		}
	}
	return false
}

// crossesFront says whether a move crosses the front of an enemy (HFG-11.4, HFG-R116): from the
// first whole pace at which the line across the corridor has a point directly before him,
// within 400 paces, the middle of the base shifts along his front by more than 200, or it ends
// beside him, behind his front line.
func crossesFront(x *path, lanes []lane, enemy *geometry.Body) bool {
	zone := geometry.Box{U0: enemy.U0 + slack, V0: enemy.V1, U1: enemy.U1 - slack, V1: enemy.V1 + nearEnemy*pace}
	began := false
	var low, high int64
	for i := range lanes {
		l := &lanes[i]
		for n := int64(0); ; n += pace {
			n = min(n, l.box.U1)
			a, b := l.across(n)
			if !began && geometry.MeetsBox(zone, enemy.Local(a), enemy.Local(b)) {
				began = true
				u := enemy.Local(geometry.Along([]point{l.from, l.to}, n)).X
				low, high = u, u
			}
			if began {
				u := enemy.Local(geometry.Along([]point{l.from, l.to}, n)).X
				low, high = min(low, u), max(high, u)
			}
			if n == l.box.U1 {
				break
			}
		}
	}
	if !began {
		return false
	}
	end := centre(&x.to)
	beside := enemy.Local(end).Y < enemy.V1 && within(between(&x.to, enemy), nearEnemy)
	return high-low > mostShift*pace || beside
}

// passes says whether a move passes a BUA or an SP that an enemy holds: its corridor comes
// within 400 paces and it ends further off than the corridor's nearest place (HFG-11.4).
func passes(x *path, lanes []lane, block *geometry.Body) bool {
	o := outlineOf(block)
	nearest := int64(-1)
	for i := range lanes {
		l := &lanes[i]
		for n := int64(0); ; n += pace {
			n = min(n, l.box.U1)
			a, b := l.across(n)
			if d := geometry.Distance(geometry.Figure{P: []point{a, b}}, o); nearest < 0 || d < nearest {
				nearest = d
			}
			if n == l.box.U1 {
				break
			}
		}
	}
	return nearest >= 0 && within(nearest, nearEnemy) && between(&x.to, block) > nearest+slack
}

// sidesteps judges a group's shift to the side (HFG-9.12, HFG-R122): at most 200 paces, and at
// the end some member is lined up with the middle of an enemy's edge that faces it.
func (g *game) sidesteps(p *plan) *play.Fault {
	if p.sidestep == 0 {
		return nil
	}
	if p.sidestep > mostShift*pace || p.sidestep < -mostShift*pace {
		return refuse("HFG-9.12", "hfg.sidestep-far", phrase.Number("most", mostShift))
	}
	for i := range p.paths {
		x := &p.paths[i]
		for o := elementID(1); int(o) < len(g.Elements); o++ {
			if !g.on(o) || !g.enemies(o, x.element) || g.Elements[o].Concealed || !g.known(g.def(x.element).side, o) {
				continue
			}
			if b := g.body(o); linedUp(&x.to, &b) {
				return nil
			}
		}
	}
	return refuse("HFG-9.12", "hfg.sidestep-idle")
}

// linedUp says whether the middle of a base's front lies straight before the middle of an edge
// that faces it, of an enemy directly in front (HFG-R122).
func linedUp(b, enemy *geometry.Body) bool {
	area := areaOf(enemy)
	if !inFront(b, &area, endless) {
		return false
	}
	for side := geometry.Front; side <= geometry.Rear; side++ {
		e := sideOf(enemy, side)
		if geometry.Side(e[0], e[1], b.At) <= 0 {
			continue // the base isn't on the edge's outer side
		}
		mid := point{X: geometry.RDiv(e[0].X+e[1].X, 2), Y: geometry.RDiv(e[0].Y+e[1].Y, 2)}
		if u := b.Local(mid).X; u >= -slack && u <= slack {
			return true
		}
	}
	return false
}
