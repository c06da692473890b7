package hfg

import (
	"cmp"
	"slices"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Phase 2: how shots become combats (HFG-12.11 to HFG-12.15).

// opensFire begins phase 2 with the shots of both sides and the order of the targets that the
// phasing side has chosen; targets that it doesn't name follow from west to east (HFG-12.15).
func (p *battlefield) opensFire(shots []shot, order []fighter) {
	p.Fray = fray{Shots: shots, Stage: 1}
	var targets []fighter
	for _, s := range shots {
		if !slices.Contains(targets, s.At) {
			targets = append(targets, s.At)
		}
	}
	p.westToEast(targets)
	place := func(f fighter) int {
		if i := slices.IndexFunc(order, f.isMeant); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(targets, func(a, b fighter) int { return place(a) - place(b) })
	for _, at := range targets {
		p.Fray.Jobs = append(p.Fray.Jobs, job{Kind: shootingAt, At: at})
	}
	p.Fray.Jobs = append(p.Fray.Jobs, job{Kind: compelling})
}

// isMeant says whether a target is the one that somebody names: the element, or the BUA, the SP or the bridge.
func (f fighter) isMeant(named fighter) bool {
	switch {
	case named.Element != 0:
		return f.Element == named.Element
	case named.Area != 0:
		return f.Area == named.Area
	}
	return named.Bridge != "" && f.Bridge == named.Bridge
}

// inTheirOrder is the order in which the phasing side has its targets shot at (HFG-7.1, HFG-12.15); of several players by the order
// of their seats.
func (p *battlefield) inTheirOrder() []fighter {
	var all []fighter
	for _, seat := range p.seatsOf(p.phasing()) {
		for _, t := range p.Targets {
			if t.Seat == string(seat) {
				all = append(all, t.At)
			}
		}
	}
	return all
}

// westToEast puts targets in the order of their places: from west to east, of equal ones from
// south to north, last by id.
func (g *game) westToEast(all []fighter) {
	slices.SortStableFunc(all, func(a, b fighter) int {
		x, y := g.bodyOf(a), g.bodyOf(b)
		return cmp.Or(cmp.Compare(x.At.X, y.At.X), cmp.Compare(x.At.Y, y.At.Y), cmp.Compare(a.Element, b.Element))
	})
}

// fairShots are the shots that everybody makes who may: at the target that it must take, or the
// nearest (HFG-S13).
func (g *game) fairShots() []shot {
	var all []shot
	for _, e := range g.standing() {
		if targets := g.targets(e); len(targets) > 0 {
			all = append(all, shot{By: e, At: g.aimedAt(e, targets[0])})
		}
	}
	return all
}

// aimedAt is what an element shoots at when it aims at another: guns at what he holds, too
// (HFG-12.9).
func (g *game) aimedAt(e, at elementID) fighter {
	return fighter{Element: at, Area: g.placeShotAt(e, at)}
}

// garrison is who holds a BUA or an SP; 0: nobody.
func (g *game) garrison(a areaID) elementID {
	for e := elementID(1); a != 0 && int(e) < len(g.Elements); e++ {
		if g.Elements[e].Holds == a {
			return e
		}
	}
	return 0
}

// atGarrisons turns shots at a place into shots at whoever is known to hold it, who may then reply (HFG-12.9,
// HFG-12.12).
func (g *game) atGarrisons(all []shot) []shot {
	for i := range all {
		s := &all[i]
		if held := g.garrison(s.At.Area); s.At.Element == 0 && held != 0 && g.enemies(held, s.By) && g.knows(g.command(s.By), held) {
			s.At.Element = held
		}
	}
	return all
}

// sameTarget says whether two shots have one target: a garrison is one with what it holds.
func sameTarget(a, b fighter) bool {
	if a.Element != 0 || b.Element != 0 {
		return a.Element == b.Element
	}
	return a == b
}

// shotOf is the shot that an element still has to make.
func (g *game) shotOf(e elementID) (shot, bool) {
	i := slices.IndexFunc(g.Fray.Shots, func(s shot) bool { return s.By == e })
	if i < 0 || g.Elements[e].Shot {
		return shot{}, false
	}
	return g.Fray.Shots[i], true
}

// aims is the shot of an element as it can be made now; false: it has none (HFG-12.15).
func (g *game) aims(e elementID) (shot, bool) {
	s, ok := g.shotOf(e)
	if !ok || g.shotFault(e, s.At) != nil {
		return shot{}, false
	}
	return s, true
}

// fallsAway drops the ordered shots at a target that can't be made any more, and tells their owners why:
// foot whose target is no longer the nearest, guns whose target has gone (HFG-12.15).
func (p *battlefield) fallsAway(at fighter) {
	p.Fray.Shots = slices.DeleteFunc(slices.Clone(p.Fray.Shots), func(s shot) bool {
		if !s.Ordered || !sameTarget(s.At, at) || p.Elements[s.By].Shot {
			return false
		}
		fault := p.shotFault(s.By, s.At)
		if fault == nil {
			return false
		}
		to := []engine.Side{p.owner(s.By)}
		p.Tell(fault.Clause, play.To(to, "hfg.not-shot", p.elementArg("element", s.By), p.fighterArg("other", s.At), phrase.Within("why", fault.Why)))
		return true
	})
}

// awaitsShotAt says whether a target is still to be shot at.
func (g *game) awaitsShotAt(at fighter) bool {
	return slices.ContainsFunc(g.Fray.Jobs, func(j job) bool { return j.Kind == shootingAt && sameTarget(j.At, at) })
}

// shoots makes one combat of all shots at a target that can still be made (HFG-12.15).
func (p *battlefield) shoots(j *job) {
	p.fallsAway(j.At)
	shooters := p.shootersAt(j.At)
	if len(shooters) == 0 || j.At.Element != 0 && !p.on(j.At.Element) {
		return
	}
	b := &bout{Distant: true, B: p.commonTarget(shooters)}
	principal := p.principal(j.At, shooters)
	if at, ok := p.replies(j.At.Element, shooters); ok {
		principal, b.Reply = at, true
		for _, e := range p.shootersAt(fighter{Element: principal}) {
			if e != j.At.Element {
				b.Backs = append(b.Backs, e)
			}
		}
	}
	if !slices.ContainsFunc(shooters, p.atPlaces) {
		b.B.Area = 0 // they shoot at the garrison (HFG-12.9)
	} else if held := p.garrison(b.B.Area); b.B.Element == 0 && held != 0 && p.enemies(held, principal) {
		b.B.Element = held // whoever holds it has his own result, known or not (HFG-12.13)
	}
	b.A = fighter{Element: principal}
	for _, e := range shooters {
		if e != principal {
			b.Aids = append(b.Aids, e)
		}
	}
	p.marksShot(b)
	p.next(job{Kind: fighting, Of: principal, Bout: b, Later: j.Later, Die: j.Die, Used: j.Used})
}

// shootersAt lists who can shoot at a target now, in the order of their ids.
func (p *battlefield) shootersAt(at fighter) []elementID {
	var all []elementID
	for _, s := range p.Fray.Shots {
		if now, ok := p.aims(s.By); ok && sameTarget(now.At, at) {
			all = append(all, s.By)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// commonTarget is what shooters at one target shoot at: the BUA or SP with its garrison if one of
// them shoots at that.
func (p *battlefield) commonTarget(shooters []elementID) fighter {
	var at fighter
	for _, e := range shooters {
		if s, ok := p.shotOf(e); ok && (at == fighter{} || s.At.Area != 0) {
			at = s.At
		}
	}
	return at
}

// principal is the principal shooter at a target that doesn't reply: the nearest of foot and
// dismounted if guns or ships shoot with them, else the nearest (HFG-12.11).
func (p *battlefield) principal(at fighter, shooters []elementID) elementID {
	onFoot := slices.DeleteFunc(slices.Clone(shooters), func(e elementID) bool {
		k := p.class(e)
		return k != foot && !p.def(e).troop.dismountable()
	})
	if len(onFoot) == 0 || !slices.ContainsFunc(shooters, p.atPlaces) {
		onFoot = shooters
	}
	return p.nearestOf(onFoot, at)
}

// nearestOf is the nearest to a target of some shooters; of equally near ones that with the lowest id.
func (g *game) nearestOf(shooters []elementID, at fighter) elementID {
	return slices.MinFunc(shooters, func(a, b elementID) int {
		return cmp.Or(cmp.Compare(paces(g.rangeTo(a, at)), paces(g.rangeTo(b, at))), cmp.Compare(a, b))
	})
}

// atItsPlace is the combat of the BUA or the SP that is shot at together with its garrison, from the same dice: the guns
// and ships alone shoot at it, the nearest of them as principal (HFG-12.9, HFG-R55).
func (g *game) atItsPlace(b *bout) bout {
	at := fighter{Area: b.B.Area}
	guns := slices.DeleteFunc(append([]elementID{b.A.Element}, b.Aids...), func(e elementID) bool { return !g.atPlaces(e) })
	first := b.A.Element
	if !g.atPlaces(first) {
		first = g.nearestOf(guns, at)
	}
	return bout{Distant: true, A: fighter{Element: first}, B: at, Aids: slices.DeleteFunc(guns, func(e elementID) bool { return e == first }), Dice: b.Dice}
}

// replies is the shooter at whom a target shoots in the same combat (HFG-12.12).
func (p *battlefield) replies(e elementID, shooters []elementID) (elementID, bool) {
	if e == 0 {
		return 0, false
	}
	s, ok := p.aims(e)
	if !ok || !slices.Contains(shooters, s.At.Element) {
		return 0, false
	}
	return s.At.Element, true
}

// marksShot notes that the shooters of a combat have shot, and that dismountables are dismounted
// by it (HFG-12.1, HFG-R99).
func (p *battlefield) marksShot(b *bout) {
	all := append([]elementID{b.A.Element}, b.Aids...)
	if b.Reply {
		all = append(append(all, b.B.Element), b.Backs...)
	}
	for _, e := range all {
		at := b.B.Element
		if e == at || slices.Contains(b.Backs, e) {
			at = b.A.Element
		}
		x := &p.Elements[e]
		x.Concealed = x.Concealed && p.smokeless(e, at) // else what shoots is put down (HFG-6.10)
		if x.Shot = true; x.Concealed {
			x.Sniped = append(slices.Clone(x.Sniped), at)
		}
	}
}

// smokelessFrom is the first year of smokeless powder, and unseenBeyond how far off whoever shoots so
// must be (HFG-5.6).
const (
	smokelessFrom = 1892
	unseenBeyond  = 400
)

// smokeless says whether a concealed element stays invisible when it shoots at an enemy: foot or
// dismounted that has not moved, at one who is beyond 400 paces and at whom it hasn't yet shot
// (HFG-5.6, HFG-R23).
func (p *battlefield) smokeless(e, at elementID) bool {
	x, k := &p.Elements[e], p.class(e)
	return p.year >= smokelessFrom && at != 0 && (k == foot || k == dismounted || p.def(e).troop.dismountable()) &&
		x.Manner == still && !within(p.apart(e, at), unseenBeyond) && !slices.Contains(x.Sniped, at)
}

// repliesLate has an element that was shot at and could not reply make its own shot now, with the
// same die, if it still can (HFG-12.12).
func (p *battlefield) repliesLate(j *job) {
	if !p.on(j.Of) || p.class(j.Of) == naval || j.Said.Yes {
		return
	}
	s, ok := p.aims(j.Of)
	if !ok {
		return
	}
	p.next(job{Kind: shootingAt, At: s.At, Later: j.Of, Die: j.Die, Used: j.Used})
}

// compels makes the compulsory shots that have not been made, from west to east by target
// (HFG-12.8, HFG-12.15).
func (p *battlefield) compels() {
	var targets []fighter
	for _, e := range p.standing() {
		if !p.compelled(e) || p.Elements[e].Shot {
			continue
		}
		all := p.targets(e)
		if len(all) == 0 {
			continue
		}
		if slices.Contains(p.Held, e) {
			p.Tell("HFG-12.8", play.To([]engine.Side{p.owner(e)}, "hfg.held-shoots", p.elementArg("element", e)))
		}
		s := shot{By: e, At: p.aimedAt(e, all[0])}
		p.Fray.Shots = append(slices.DeleteFunc(p.Fray.Shots, func(o shot) bool { return o.By == e }), s)
		if !slices.ContainsFunc(targets, func(f fighter) bool { return sameTarget(f, s.At) }) {
			targets = append(targets, s.At)
		}
	}
	if len(targets) == 0 {
		return
	}
	p.westToEast(targets)
	p.next(job{Kind: shootingAt, At: targets[0]}, job{Kind: compelling})
}

// mayPress says whether an element can press forward at all.
func (g *game) mayPress(e elementID) (int64, bool) {
	if g.Elements[e].Holds != 0 {
		return 0, false
	}
	a := g.pressing(e)
	a.blind = true
	a = g.run(a)
	return a.went, a.went > 0
}

// boardable lists the enemies within 200 paces whom a ship may close with (HFG-15.5, HFG-18.4).
func (g *game) boardable(e elementID) []elementID {
	b := g.body(e)
	return slices.DeleteFunc(g.standing(), func(o elementID) bool {
		return !g.enemies(e, o) || g.unknown(e, o) || g.fights(e) || !g.boards(e, o) || !within(g.apart(e, o), pressDistance) || len(g.closings(e, o, &b)) == 0
	})
}

// boards says whether a ship may be in close combat with an enemy: with ships, a Flotilla or a
// Submarine with any, a Flotilla with troops on a bank (HFG-18.4, HFG-R84).
func (g *game) boards(e, o elementID) bool {
	if g.class(o) == naval {
		return true
	}
	return g.def(e).troop == flotilla
}

// board moves a ship into close combat (HFG-15.5).
func (p *battlefield) board(e, enemy elementID) {
	c, ok := p.try(e, func(c *chain) bool {
		b := c.game.body(e)
		all := c.game.closings(e, enemy, &b)
		if len(all) == 0 {
			return false
		}
		c.set(e, all[0].to)
		c.game.Elements[e].Arrived = true
		c.tell(e, "HFG-15.5", "hfg.boards", elementArg("other", c.game.def(enemy)))
		return c.lands(e)
	})
	if ok {
		p.retell(c)
	}
}

// lands says whether an element stands where it may.
func (c *chain) lands(e elementID) bool {
	b := c.game.body(e)
	return c.game.standsOn(e, &b) && geometry.Gap(&b, &b) <= 0
}
