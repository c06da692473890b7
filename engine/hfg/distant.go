package hfg

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Distant combat: chapter 12, who may shoot at whom. How a phase of it goes is in flow_shots.go.

const (
	sideways       = 200 // how far beside its front an element shoots (HFG-12.6)
	leastGap       = 398 // the least gap between two obstacles beside a lane (HFG-R118)
	overCrestReach = 200 // of foot that shoot over a crest (HFG-12.10)
)

// A fireLane is the way of a shot (HFG-12.7).
type fireLane struct {
	from   geometry.Flank // the shooting edge
	on     geometry.Flank // the edge of the target
	crest  bool           // it leads over a crest
	troops bool           // it leads over friends of the shooter
}

// shootingEdges are the edges from which an element shoots (HFG-12.3).
func (g *game) shootingEdges(e elementID) []geometry.Flank {
	if g.allRound(e) {
		return []geometry.Flank{geometry.Front, geometry.Left, geometry.Right, geometry.Rear}
	}
	return []geometry.Flank{geometry.Front}
}

// allRound says whether all edges of an element are shooting edges.
func (g *game) allRound(e elementID) bool {
	t := g.def(e).troop
	return g.Elements[e].Holds != 0 || t == laager || troops[t].class == naval && t != flotilla && t != submarine
}

// bodyOf is what is shot at: an element, a BUA or SP, or a bridge.
func (g *game) bodyOf(f fighter) geometry.Body {
	switch {
	case f.Bridge != "":
		return g.span(f.Bridge)
	case f.Area != 0:
		return g.block(f.Area)
	case f.Line:
		return geometry.NewBody(geometry.Piece{Frame: geometry.Frame{At: point(f.Spot), Heading: geometry.Heading(f.Looks)},
			Box: geometry.Box{U0: -pace / 2, V0: -pace / 2, U1: pace / 2, V1: pace / 2}})
	}
	return g.body(f.Element)
}

// span is what a bridge covers: one base wide, as long as its water is wide.
func (g *game) span(id string) geometry.Body {
	i := slices.IndexFunc(g.Bridges, func(b bridge) bool { return b.ID == id })
	b := &g.Bridges[i]
	long := int64(g.line(b.Over).width)
	return geometry.NewBody(geometry.Piece{Frame: geometry.Frame{At: point(b.At), Heading: geometry.Heading(b.Facing)},
		Box: geometry.Box{U0: -baseWidth * pace / 2, V0: -long / 2, U1: baseWidth * pace / 2, V1: long - long/2}})
}

// reaches is the range of an element at a target in paces, as the weather allows; 0: it can't
// shoot. Mist shortens it; rain shortens the sight alone (HFG-12.5, HFG-8.2, HFG-8.3).
func (g *game) reaches(e elementID, at fighter) int {
	n := g.gunRange(e, at)
	if g.Sky == misty {
		return min(n, mistySight)
	}
	return n
}

// gunRange is the range of an element at a target in good weather.
func (g *game) gunRange(e elementID, at fighter) int {
	d := g.def(e) // of a dismountable the range of the dismounted: its shot dismounts it (HFG-R99)
	n := in(troops[d.troop].shoot, g.year)
	switch {
	case d.troop == stoicFoot && d.is(elite):
		n = in(eliteStoic, g.year)
	case d.troop == bayonets && g.ofClass(at) == mounted:
		n = in(bayonetsAtMounted, g.year)
	case d.troop == rifled && d.is(brass):
		n = brassRange
	}
	if d.is(heavy) {
		if d.troop == rifled && g.farTarget(at) {
			return heavyRifledAt
		}
		n += heavyAdds
	}
	return n
}

// farTarget says whether heavy rifled guns shoot at something as far as they can: a BUA,
// troops on a hill, a train (HFG-12.5).
func (g *game) farTarget(at fighter) bool {
	switch {
	case at.Area != 0:
		return g.area(at.Area).kind == bua
	case at.Element == 0:
		return false
	case g.ofClass(at) == train:
		return true
	}
	b := g.body(at.Element)
	return g.onHill(&b) != 0
}

// onHill is the first hill on which a body stands; 0: none.
func (g *game) onHill(b *geometry.Body) areaID {
	for a := areaID(1); int(a) <= len(g.areas); a++ {
		if g.area(a).kind == hill && g.stands(b, a) {
			return a
		}
	}
	return 0
}

// rangeTo is the distance from the nearest shooting edge of an element to a target, in units
// (HFG-12.5).
func (g *game) rangeTo(e elementID, at fighter) int64 {
	b, o := g.body(e), g.bodyOf(at)
	least := int64(endless)
	for _, side := range g.shootingEdges(e) {
		edge := sideOf(&b, side)
		least = min(least, geometry.Distance(geometry.Figure{P: edge[:]}, outlineOf(&o)))
	}
	return least
}

// noShot says why an element may not shoot in this turn at all (HFG-12.1, HFG-12.2).
func (g *game) noShot(e elementID) *play.Fault {
	x, c := &g.Elements[e], g.class(e)
	why := func(clause, code string) *play.Fault {
		return &play.Fault{Clause: clause, Why: phrase.Say(code, elementArg("element", g.def(e)))}
	}
	ready := g.def(e).troop.dismountable() && !x.Charged && x.Manner != march // its shot dismounts it (HFG-R99)
	switch {
	case !g.on(e):
		return why("HFG-12.1", "hfg.shot-gone")
	case x.Shot:
		return why("HFG-12.1", "hfg.shot-twice")
	case x.Manner == march:
		return why("HFG-12.2", "hfg.shot-marched")
	case c == mounted && !ready:
		return why("HFG-12.2", "hfg.shot-mounted")
	case x.Spirit != steady || x.Turned == g.Turn && g.Turn > 0:
		return why("HFG-12.2", "hfg.shot-fled")
	case g.muted(e):
		return why("HFG-16.3", "hfg.shot-silenced")
	case x.Pressed:
		return why("HFG-16.9", "hfg.shot-pressed")
	case g.passedBy(e):
		return why("HFG-15.7", "hfg.shot-passed")
	case c == artillery && (x.Manner == tactical && g.def(e).is(heavy)):
		return why("HFG-12.2", "hfg.shot-heavy-moved")
	case c == artillery && g.redoubtSilent != 0 && g.worksIn(e) == redoubt:
		return why("HFG-R28", "hfg.shot-redoubt")
	case c == artillery && g.badStand(e):
		return why("HFG-12.2", "hfg.shot-stand")
	case g.fights(e):
		return why("HFG-12.1", "hfg.shot-engaged")
	}
	return nil
}

// badStand says whether artillery stands where it can't shoot: in water, in a marsh, wood or
// BUA, or on a difficult hill but on its crest (HFG-12.2).
func (g *game) badStand(e elementID) bool {
	b := g.body(e)
	for a := areaID(1); int(a) <= len(g.areas); a++ {
		d := g.area(a)
		if !g.stands(&b, a) {
			continue
		}
		if d.kind == marsh || d.kind == wood || d.kind == bua {
			return true
		}
		if d.kind == hill && d.slope == difficult && !geometry.OnLine(&b, g.crestLine(a), slack) {
			return true
		}
	}
	for l := lineID(1); int(l) <= len(g.lines); l++ {
		if g.line(l).water() && g.wades(&b, l) {
			return true
		}
	}
	return false
}

// silenced says whether an element was silenced in this turn or the one before (HFG-16.3).
func (g *game) silenced(e elementID) bool {
	t := g.Elements[e].Silenced
	return t > 0 && g.Turn-t <= 1
}

// muted says whether an element may not shoot or move because it was silenced in the turn
// before (HFG-16.3).
func (g *game) muted(e elementID) bool {
	t := g.Elements[e].Silenced
	return t > 0 && g.Turn-t == 1
}

// shotFault says why an element may not shoot at a target (HFG-12.4, HFG-12.8); nil: it may.
func (g *game) shotFault(e elementID, at fighter) *play.Fault {
	if f := g.noShot(e); f != nil {
		return f
	}
	if f := g.aimFault(e, at); f != nil || g.chooses(e) {
		return f
	}
	all := g.takeable(e)
	nearest := func(clause string) *play.Fault {
		return refuse(clause, "hfg.shot-nearest", g.elementArg("element", e), g.elementArg("other", all[0]))
	}
	switch {
	case at.Element == 0 && len(all) > 0 && g.nearerAim(e, fighter{Element: all[0]}, at):
		return nearest("HFG-R208")
	case at.Element != 0 && !slices.Contains(all, at.Element):
		return nearest("HFG-12.8")
	}
	return nil
}

// nearerAim says whether one target comes before another for who must take the nearest (HFG-12.8).
func (g *game) nearerAim(e elementID, at, than fighter) bool {
	far, side := g.aim(e, at)
	far2, side2 := g.aim(e, than)
	return far < far2 || far == far2 && side < side2
}

// aimFault says why a target is no valid one for an element that isn't barred.
func (g *game) aimFault(e elementID, at fighter) *play.Fault {
	why := func(clause, code string) *play.Fault {
		return &play.Fault{Clause: clause, Why: phrase.Say(code, elementArg("element", g.def(e)))}
	}
	far := g.reaches(e, at)
	if f := g.targetFault(e, at); f != nil {
		return f
	}
	if far == 0 || !within(g.rangeTo(e, at), far) {
		return why("HFG-12.5", "hfg.shot-range")
	}
	if !g.inArc(e, at) {
		return why("HFG-12.6", "hfg.shot-arc")
	}
	if _, ok := g.laneTo(e, at); !ok {
		return why("HFG-12.7", "hfg.shot-lane")
	}
	return nil
}

// targetFault says why something is no target for an element, wherever it stands (HFG-12.4,
// HFG-12.9, HFG-14.2, HFG-16.9).
func (g *game) targetFault(e elementID, at fighter) *play.Fault {
	why := func(clause, code string) *play.Fault {
		return &play.Fault{Clause: clause, Why: phrase.Say(code, elementArg("element", g.def(e)))}
	}
	guns := g.class(e) == artillery || g.class(e) == naval
	if at.Element == 0 {
		if !guns {
			return why("HFG-12.9", "hfg.shot-place")
		}
		return nil
	}
	x := &g.Elements[at.Element]
	switch {
	case !g.on(at.Element) || !g.enemies(e, at.Element) || !g.knows(g.command(e), at.Element):
		return why("HFG-12.4", "hfg.shot-unknown")
	case g.placeShotAt(e, at.Element) == 0 && !g.matched(fighter{Element: e}, at):
		return why("HFG-14.2", "hfg.shot-at-never")
	case x.Pressed:
		return why("HFG-16.9", "hfg.shot-at-presser")
	case g.frontedBut(at.Element, func(o elementID) bool { return g.Elements[o].Spirit == routed }):
		return why("HFG-12.4", "hfg.shot-at-engaged")
	case x.Holds == 0 && g.deepIn(e, at.Element):
		return why("HFG-12.9", "hfg.shot-into")
	}
	return nil
}

// deepIn says whether a target stands in a wood more than 100 paces from that edge of it which
// is nearest to the shooter, or in a wood in which the shooter stands, or inside a BUA (HFG-12.9, HFG-4.20).
func (g *game) deepIn(e, at elementID) bool {
	b, o := g.body(e), g.body(at)
	for a := areaID(1); int(a) <= len(g.areas); a++ {
		k := g.area(a).kind
		if k != wood && k != bua || !g.stands(&o, a) {
			continue
		}
		if k == bua || g.stands(&b, a) {
			return true
		}
		if g.wholly(&o, a) && !within(geometry.Distance(outlineOf(&o), geometry.Figure{P: closedPath(g.outline(a).P)}), edgeSight) {
			return true
		}
	}
	return false
}

// closedPath is an outline as a path that ends where it begins.
func closedPath(p []point) []point { return append(slices.Clone(p), p[0]) }

// inArc says whether a target is in the arc of one of an element's shooting edges (HFG-12.6).
func (g *game) inArc(e elementID, at fighter) bool {
	return slices.ContainsFunc(g.shootingEdges(e), func(side geometry.Flank) bool { return g.arc(e, side, at) })
}

// arc says whether a target is in the arc of one shooting edge (HFG-12.6).
func (g *game) arc(e elementID, side geometry.Flank, at fighter) bool {
	b, o := g.body(e), g.bodyOf(at)
	edge := sideOf(&b, side)
	if g.allRound(e) && g.def(e).troop != laager {
		// Between the diagonals through the ends of the edge, beyond it.
		far := sideOf(&b, acrossFrom(side)) // its first end lies across from the second of edge
		cone := geometry.NewArea([]point{edge[0], edge[1], prolonged(far[1], edge[1]), prolonged(far[0], edge[0])})
		return geometry.Distance(geometry.Figure{P: cone.P, Closed: true}, outlineOf(&o)) == 0
	}
	f := geometry.Frame{At: midpoint(edge[0], edge[1]), Heading: outward(&b, side)}
	if f.Extents(o.Corner[:]).V0 < -slack {
		return false
	}
	wide := geometry.Dist(edge[0], edge[1])/2 + sideways*pace + pace/2
	zone := geometry.NewBody(geometry.Piece{Frame: f, Box: geometry.Box{U0: -wide, U1: wide, V1: endless}})
	a := areaOf(&o)
	return geometry.On(&zone, &a, 0)
}

// acrossFrom is the side across from a side.
func acrossFrom(side geometry.Flank) geometry.Flank {
	switch side {
	case geometry.Front:
		return geometry.Rear
	case geometry.Rear:
		return geometry.Front
	case geometry.Left:
		return geometry.Right
	}
	return geometry.Left
}

// prolonged is a point on the line from p through q, further than any range beyond q.
func prolonged(p, q point) point {
	n := 1 + heavyRifledAt*2*pace/max(geometry.Dist(p, q), 1)
	return point{X: q.X + n*(q.X-p.X), Y: q.Y + n*(q.Y-p.Y)}
}

// midpoint is the point between two points.
func midpoint(p, q point) point {
	return point{X: geometry.RDiv(p.X+q.X, 2), Y: geometry.RDiv(p.Y+q.Y, 2)}
}

// targets lists the valid targets of an element that isn't barred, those that it must take
// first: nearest to the middle of the shooting edge, then most directly in front, then lowest
// id (HFG-12.8).
func (g *game) targets(e elementID) []elementID {
	if g.noShot(e) != nil {
		return nil
	}
	type found struct {
		e         elementID
		far, side int
	}
	var all []found
	own := g.body(e)
	for _, o := range g.standing() {
		if !g.enemies(e, o) || !g.mayReach(&own, e, o) || g.aimFault(e, fighter{Element: o}) != nil {
			continue
		}
		far, side := g.aim(e, fighter{Element: o})
		all = append(all, found{o, far, side})
	}
	slices.SortStableFunc(all, func(a, b found) int {
		switch {
		case a.far != b.far:
			return a.far - b.far
		case a.side != b.side:
			return a.side - b.side
		}
		return int(a.e - b.e)
	})
	ids := make([]elementID, len(all))
	for i, f := range all {
		ids[i] = f.e
	}
	return ids
}

// mayReach says whether an element is in range of another by the bounds of the two: most aren't.
func (g *game) mayReach(own *geometry.Body, e, at elementID) bool {
	far := int64(g.reaches(e, g.aimedAt(e, at)))*pace + pace
	o := g.body(at)
	return o.Lo.X-own.Hi.X <= far && own.Lo.X-o.Hi.X <= far && o.Lo.Y-own.Hi.Y <= far && own.Lo.Y-o.Hi.Y <= far
}

// aim is how far a target is from the middle of the nearest shooting edge that has it in its
// arc, and how far its nearest point lies to a side, in whole paces (HFG-12.8, HFG-R134).
func (g *game) aim(e elementID, at fighter) (far, side int) {
	b, o := g.body(e), g.bodyOf(at)
	far = -1
	for _, s := range g.shootingEdges(e) {
		if !g.arc(e, s, at) {
			continue
		}
		edge := sideOf(&b, s)
		mid := midpoint(edge[0], edge[1])
		n := paces(geometry.Distance(geometry.Figure{P: []point{mid}}, outlineOf(&o)))
		f := geometry.Frame{At: mid, Heading: outward(&b, s)}
		if u := paces(leastAside(f, &o)); far < 0 || n < far || n == far && u < side {
			far, side = n, u
		}
	}
	return far, side
}

// leastAside is how far the point of a body that is nearest to a frame's point lies to the
// side of it.
func leastAside(f geometry.Frame, of *geometry.Body) int64 {
	best, least := int64(endless), int64(endless)
	for i := range of.Corner {
		a, c := of.Corner[i], of.Corner[(i+1)%4]
		pos, far := geometry.Nearest([]point{a, c}, f.At)
		u := f.Local(geometry.Along([]point{a, c}, pos)).X
		if u < 0 {
			u = -u
		}
		if far < best || far == best && u < least {
			best, least = far, u
		}
	}
	return least
}

// chooses says whether an element picks its target among the valid ones (HFG-12.8).
func (g *game) chooses(e elementID) bool { return g.class(e) == artillery }

// compelled says whether an element must shoot if it can: foot and dismounted in the enemy's
// turn, and who will be dismounted as his owner has said (HFG-12.8, HFG-R205).
func (g *game) compelled(e elementID) bool {
	if g.def(e).side == g.phasing() {
		return false
	}
	c := g.class(e)
	return c == foot || c == dismounted || g.awaitsShotsOnFoot(e)
}

// takeable lists the targets at which an element may shoot although others are valid, too:
// artillery any, others the first and those equal to it (HFG-12.8).
func (g *game) takeable(e elementID) []elementID {
	all := g.targets(e)
	if len(all) < 2 || g.chooses(e) {
		return all
	}
	far, side := g.aim(e, fighter{Element: all[0]})
	i := slices.IndexFunc(all, func(at elementID) bool {
		n, u := g.aim(e, fighter{Element: at})
		return n != far || u != side
	})
	if i < 0 {
		i = len(all)
	}
	return all[:i]
}

// placeShotAt is the BUA or SP that guns or ships shoot at when they aim at who holds it
// (HFG-12.9); 0: they shoot at the element itself.
func (g *game) placeShotAt(e, at elementID) areaID {
	if g.atPlaces(e) {
		return g.Elements[at].Holds
	}
	return 0
}

// atPlaces says whether an element shoots at BUAs, SPs and bridges, and not at whoever holds them alone: artillery and
// ships do (HFG-12.9).
func (g *game) atPlaces(e elementID) bool {
	c := g.class(e)
	return c == artillery || c == naval
}
