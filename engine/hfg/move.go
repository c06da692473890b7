package hfg

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Moves of elements and groups: chapter 9. A move is first worked out as a plan, without any
// regard to what is in its way; then the plan is judged.

// A plan is a voluntary move of one element or one group.
type plan struct {
	paths    []path // one of each element, in the order of the file
	price    int    // in paces (HFG-9.6, HFG-9.7)
	manner   manner
	single   bool    // one element, not a group
	apart    bool    // each element pays for its own way, not for that of the group (HFG-9.10)
	road     lineID  // the road along which it goes wholly, the last one; 0: off road (HFG-9.8)
	bad      bool    // part of that way is along bad roads
	rail     bool    // it comes by train (HFG-6.16)
	retires  bool    // straight back, facing kept (HFG-R116)
	sidestep int64   // units to the right by which the group shifts (HFG-9.12)
	joins    bool    // its elements go into a column one by one (HFG-9.11)
	search   bool    // for a ford, at its end (HFG-10.2)
	far      int     // the distance that was found for an order to go as far as it can; 0: it said how far
	cut      lineID  // the stream or gully at whose middle it stops (HFG-R126); 0: none
	overlap  bool    // from an overlap to the flank of the enemy overlapped: always allowed (HFG-9.6)
	column   bool    // a column one wide, its leader first (HFG-9.9)
	track    []point // that the leader of a column goes along, from where he stands
}

func refuse(clause, code string, args ...phrase.Arg) *play.Fault {
	return &play.Fault{Clause: clause, Why: phrase.Say(code, args...)}
}

// remedied gives a fault a remedy.
func remedied(f *play.Fault, remedy phrase.Phrase) *play.Fault {
	f.Remedy = remedy
	return f
}

// elements lists the elements of a plan.
func (p *plan) elements() []elementID {
	all := make([]elementID, len(p.paths))
	for i := range p.paths {
		all[i] = p.paths[i].element
	}
	return all
}

// has says whether an element moves by the plan.
func (p *plan) has(e elementID) bool {
	for i := range p.paths { // a path is much to copy, and this is asked of all who stand
		if p.paths[i].element == e {
			return true
		}
	}
	return false
}

// alone plans the move of a single element to a place, over some points on the way (HFG-9.5).
// Its price is the greatest of the ways of its two front corners and the way of the middle of
// its front (HFG-9.6).
func (g *game) alone(e elementID, to geometry.Frame, via ...point) *plan {
	from, end := g.starts(e, to.Heading), g.bodyAt(e, to)
	p := &plan{single: true, manner: tactical, paths: []path{straight(e, from, end, via...)}}
	p.price = paces(g.measured(&from, &end, via))
	p.retires = to.Heading == from.Heading && p.paths[0].back()
	return p
}

// starts is where an element's move begins: where it stands, or if it defends the edge of a BUA in
// the middle of that, facing as it will (HFG-4.17).
func (g *game) starts(e elementID, facing geometry.Heading) geometry.Body {
	held := g.Elements[e].Holds
	if held == 0 {
		return g.body(e)
	}
	b := g.block(held)
	box := g.box(g.def(e))
	at := centre(&b).Plus(geometry.Step(facing, -(box.V0+box.V1)/2))
	return g.bodyAt(e, geometry.Frame{At: at, Heading: facing})
}

// measured is how far a base goes from one place to another, in units (HFG-9.6, HFG-R41).
func (g *game) measured(from, to *geometry.Body, via []point) int64 {
	far := geometry.Moved(from, to)
	if g.measureEnds != 0 {
		return far
	}
	way := int64(0)
	last := from.At
	for _, p := range append(slices.Clone(via), to.At) {
		way += geometry.Dist(last, p)
		last = p
	}
	return max(far, way)
}

// back says whether every leg lies within a pace of straight back (HFG-R116).
func (p *path) back() bool {
	for i, c := range p.legs {
		d := p.from.Local(c).Minus(p.from.Middle())
		if d.X > slack || d.X < -slack || d.Y > 0 || i > 0 && d.Y > p.from.Local(p.legs[i-1]).Minus(p.from.Middle()).Y {
			return false
		}
	}
	return len(p.legs) > 1
}

// A bend is a part of a group's move: a wheel by some degrees, to the right if positive, then straight
// ahead by some paces, or back if negative (HFG-9.7).
type bend struct{ by, ahead int }

// together plans the move of a group: a sidestep, a wheel by some degrees, to the right if
// positive, then straight ahead by some paces, or back if negative (HFG-9.7, HFG-9.12).
func (g *game) together(all []elementID, sidestep int64, by int, ahead int) *plan {
	return g.bent(all, sidestep, bend{by, ahead})
}

// bent plans the move of a group with one wheel or several: the price is the sum of all (HFG-9.7).
func (g *game) bent(all []elementID, sidestep int64, bends ...bend) *plan {
	p := &plan{manner: tactical, sidestep: sidestep}
	bodies := make([]geometry.Body, len(all))
	for i, e := range all {
		bodies[i] = g.body(e)
		p.paths = append(p.paths, path{element: e, from: bodies[i], legs: []point{centre(&bodies[i])}})
	}
	arrive := func() {
		for i := range bodies {
			x := &p.paths[i]
			if c := centre(&bodies[i]); c != x.legs[len(x.legs)-1] {
				x.legs = append(x.legs, c)
			}
			x.to = bodies[i]
		}
	}
	for i := range bodies {
		bodies[i] = bodies[i].Shifted(geometry.Step(bodies[i].Heading.Plus(90), sidestep))
	}
	arrive()
	for _, b := range bends {
		turned, price := wheeled(bodies, b.by)
		p.price += price + max(b.ahead, -b.ahead)
		bodies = slices.Clone(turned)
		arrive()
		step := geometry.Step(bodies[0].Heading, int64(b.ahead)*pace)
		for i := range bodies {
			bodies[i] = bodies[i].Shifted(step)
		}
		arrive()
	}
	if slices.ContainsFunc(bends, func(b bend) bool { return b.by != 0 }) {
		g.unrounds(p)
	}
	p.retires = sidestep == 0 && len(bends) == 1 && bends[0].by == 0 && bends[0].ahead < 0
	return p
}

// unrounds has those of a group that has wheeled stand aside, by what was rounded, who would overlap one of theirs by more than
// they did and more than they may: their corners are rounded anew (HFG-1.8).
func (g *game) unrounds(p *plan) {
	for i := range p.paths {
		x := &p.paths[i]
		for _, by := range roundings {
			to := x.to.Shifted(by)
			if slices.ContainsFunc(p.paths[:i], func(o path) bool { return g.overlap(&to, &o.to) && !g.overlap(&x.from, &o.from) }) {
				continue
			}
			x.to = to
			x.legs[len(x.legs)-1] = centre(&to)
			break
		}
	}
}

// reformed plans how a column forms line, 1 or 2 deep, or a line a column, facing a quarter turn
// to the right or the left (HFG-9.10). The elements stand in the order of the column: its
// leader first, of a pair the front one first. Each goes by itself.
func (g *game) reformed(all []elementID, right bool, deep int, column bool) *plan {
	bodies := make([]geometry.Body, len(all))
	for i, e := range all {
		bodies[i] = g.body(e)
	}
	to := filed(bodies, right)
	if column {
		to = formed(bodies, right, deep)
	}
	p := &plan{manner: tactical, apart: true}
	for i, e := range all {
		end := g.bodyAt(e, to[i])
		p.paths = append(p.paths, straight(e, bodies[i], end))
		p.price = max(p.price, paces(g.measured(&bodies[i], &end, nil)))
	}
	return p
}

// reach is how far an element may go in one move over the worst ground that the plan touches,
// in paces (HFG-9.3).
func (g *game) reach(p *plan, x *path) (far int, worst going) {
	d := g.def(x.element)
	if troops[d.troop].class == naval {
		return g.sails(x)
	}
	if w := g.Elements[x.element]; w.Holds != 0 && d.troop == spGarrison {
		return 0, good
	}
	m := g.setting.moves(d)
	if p.road != 0 {
		worst = g.roadGoing(p, x)
	} else {
		worst = g.under(x)
		if g.bogged(d) && worst < slow {
			worst = slow // HFG-8.2, HFG-8.3
		}
	}
	if worst == impassable {
		return 0, worst
	}
	return m[worst], worst
}

// bogged says whether the weather holds an element off road to the distance of slow going
// (HFG-8.2, HFG-8.3).
func (g *game) bogged(d *elementDef) bool {
	guns := troops[d.troop].class == artillery || d.troop == laager
	return g.Sky == misty || guns && (g.Sky == rain || g.Sky == soaked)
}

// mires says whether a road is muddy: a bad one, from the first rain to the end of the battle (HFG-8.3).
func (g *game) mires(bad bool) bool {
	return bad && (g.Sky == rain || g.Sky == soaked || g.Sky == muddy)
}

// roadGoing is the going of a move wholly on road: good but where a bad road is muddy, or where
// the move leaves a BUA for something else than a neighbouring section of it (HFG-4.16,
// HFG-8.3).
func (g *game) roadGoing(p *plan, x *path) going {
	if g.mires(p.bad) || g.quits(x) {
		return slow
	}
	return good
}

// quits says whether a move leaves a BUA for something else than a neighbouring section
// (HFG-4.16).
func (g *game) quits(x *path) bool {
	for a := areaID(1); int(a) <= len(g.areas); a++ {
		if g.area(a).kind != bua || !g.stands(&x.from, a) || g.stands(&x.to, a) {
			continue
		}
		next := false
		for b := areaID(1); int(b) <= len(g.areas); b++ {
			next = next || b != a && g.area(b).kind == bua && g.meet(a, b) && g.stands(&x.to, b)
		}
		if !next {
			return true
		}
	}
	return false
}

// under is the worst ground that a move off road touches: at its start, along its corridor and
// at its end (HFG-9.3). Entering a BUA isn't slow until inside (HFG-R40).
func (g *game) under(x *path) going {
	worst := max(g.worstFor(x, &x.from), g.worstFor(x, &x.to))
	lanes := x.lanes()
	for a := areaID(1); int(a) <= len(g.areas); a++ {
		k := g.groundFor(x.element, a)
		if k <= worst || g.area(a).kind == bua && k == slow && !g.stands(&x.from, a) && g.stands(&x.to, a) {
			continue
		}
		for i := range lanes {
			if lanes[i].meets(geometry.Figure{P: g.outline(a).P, Closed: true}, 0) {
				worst = k
				break
			}
		}
	}
	for l := lineID(1); int(l) <= len(g.lines); l++ {
		if d := g.line(l); worst < slow && (d.kind == stream || d.kind == gully) && meetsAny(lanes, d) {
			worst = slow
		}
	}
	return worst
}

// meetsAny says whether a course of water lies in a corridor.
func meetsAny(lanes []lane, d *lineDef) bool {
	for i := range lanes {
		if lanes[i].meets(geometry.Figure{P: d.points}, int64(d.width)/2-drawIn) {
			return true
		}
	}
	return false
}

// worstFor is the worst ground under a footprint of a move.
func (g *game) worstFor(x *path, b *geometry.Body) going {
	worst := good
	for a := areaID(1); int(a) <= len(g.areas); a++ {
		k := g.groundFor(x.element, a)
		entered := g.area(a).kind == bua && k == slow && !g.stands(&x.from, a) // HFG-R40
		if k > worst && !entered && g.stands(b, a) {
			worst = k
		}
	}
	for l := lineID(1); int(l) <= len(g.lines); l++ {
		if d := g.line(l); worst < slow && (d.kind == stream || d.kind == gully) && g.wades(b, l) {
			worst = slow
		}
	}
	return worst
}

// groundFor is the going of an area for an element: impassable where its distance is 0
// (HFG-9.4), or a marsh for what may not enter it (HFG-4.10).
func (g *game) groundFor(e elementID, a areaID) going {
	d, k := g.def(e), g.goingOf(a)
	switch t := &troops[d.troop]; {
	case t.class == naval:
		if g.area(a).kind == waterway {
			return good
		}
		return impassable
	case g.area(a).kind == marsh && (d.troop == hq || d.troop == laager || t.class == artillery && d.troop != lightArtillery):
		return impassable
	case k != impassable && g.setting.moves(d)[k] == 0:
		return impassable
	}
	return k
}

// judge says why a plan can't be made, or nil (HFG-9.4 to HFG-9.13, HFG-10, HFG-11).
func (g *game) judge(p *plan) *play.Fault {
	if fault := g.ownMines(p); fault != nil {
		return fault
	}
	for i := range p.paths {
		x := &p.paths[i]
		name := elementArg("element", g.def(x.element))
		if g.leaves(&x.to) {
			return refuse("HFG-9.4", "hfg.move-off-field", name)
		}
		if fault := g.ways(p, x); fault != nil {
			return fault
		}
		if p.overlap {
			continue
		}
		far, worst := g.reach(p, x)
		if p.manner == march && p.road == 0 && worst == hard {
			return refuse("HFG-9.2", "hfg.march-hard", name)
		}
		if g.turnsDugIn(x) {
			return refuse("HFG-6.7", "hfg.move-entrenched", name)
		}
		price := p.price
		if p.apart {
			price = paces(g.measured(&x.from, &x.to, nil))
		}
		if price > far {
			return refuse("HFG-9.3", "hfg.move-too-far", name, phrase.Number("far", far), phrase.Number("price", price))
		}
	}
	if fault := g.sidesteps(p); fault != nil {
		return fault
	}
	if fault := g.narrows(p); fault != nil {
		return fault
	}
	if fault := g.held(p); fault != nil {
		return fault
	}
	return g.nears(p)
}

// turnsDugIn says whether an element behind an entrenchment or a feature turns without moving back
// (HFG-6.7, HFG-6.8).
func (g *game) turnsDugIn(x *path) bool {
	k := g.worksIn(x.element)
	if k != entrenchment && k != feature || x.to.Heading == x.from.Heading {
		return false
	}
	return x.from.Local(centre(&x.to)).Y > x.from.Middle().Y-pace
}

// ways says what is in the way of one element of a plan (HFG-9.4, HFG-1.8, HFG-1.9).
func (g *game) ways(p *plan, x *path) *play.Fault {
	name := elementArg("element", g.def(x.element))
	lanes := x.lanes()
	for o := elementID(1); int(o) < len(g.Elements); o++ {
		if !g.on(o) || p.has(o) {
			continue
		}
		b := g.body(o)
		if geometry.Apart(&x.to, &b, 1) && !nearLanes(lanes, &b, 0) {
			continue
		}
		foe := g.enemies(o, x.element)
		if foe && (g.Elements[o].Concealed || !g.known(g.def(x.element).side, o)) {
			continue // HFG-R91
		}
		if g.overlap(&x.to, &b) && !g.mayShare(p, x, o) {
			return refuse("HFG-1.8", "hfg.move-overlap", name, elementArg("other", g.def(o)))
		}
		if x.through(lanes, &b, foe && touch(&x.to, &b)) && (foe || !g.mayPass(p, x, o) && !g.mayShare(p, x, o)) {
			return refuse("HFG-9.4", "hfg.move-blocked", name, elementArg("other", g.def(o)))
		}
	}
	return g.barred(p, x, lanes)
}

// through says whether a body is in the way of a path: it meets the corridor, or if it is an
// enemy contacted at the end, the middle of the base goes over it (HFG-9.4).
func (x *path) through(lanes []lane, b *geometry.Body, contacted bool) bool {
	if !contacted {
		return slices.ContainsFunc(lanes, func(l lane) bool { return l.meets(outlineOf(b), 0) })
	}
	for i := 1; i < len(x.legs); i++ {
		if geometry.MeetsBox(b.Box.In(drawIn), b.Local(x.legs[i-1]), b.Local(x.legs[i])) {
			return true
		}
	}
	return false
}

// mayShare says whether an element may end on the place of a friend: inside a BUA whose edge
// he defends, or on a road beside an SP (HFG-1.8, HFG-4.17, HFG-R94).
func (g *game) mayShare(p *plan, x *path, o elementID) bool {
	held := g.Elements[o].Holds
	if held == 0 || g.enemies(o, x.element) {
		return false
	}
	return g.area(held).kind == bua || p.road != 0
}

// mayPass says whether a friend may be passed through (HFG-9.13).
func (g *game) mayPass(p *plan, x *path, o elementID) bool {
	d, f := g.def(x.element), g.def(o)
	if troops[d.troop].class == naval {
		return true
	}
	if g.Elements[o].Holds != 0 || f.troop == supplyBase && !p.single {
		return false
	}
	if troops[d.troop].class == staff {
		return true
	}
	if k := g.worksIn(o); g.onRoad(o) || k == entrenchment || k == feature {
		return false
	}
	h := geometry.Heading(g.Elements[o].Facing)
	return (h-x.from.Heading)%180 == 0 || (h-x.to.Heading)%180 == 0
}

// barred says what ground is in the way: ground that the element can't enter, and rivers but at
// crossings (HFG-9.4, HFG-10.4).
func (g *game) barred(p *plan, x *path, lanes []lane) *play.Fault {
	name := elementArg("element", g.def(x.element))
	for a := areaID(1); int(a) <= len(g.areas); a++ {
		if g.groundFor(x.element, a) != impassable {
			continue
		}
		in := g.stands(&x.to, a)
		for i := 0; i < len(lanes) && !in; i++ {
			in = lanes[i].meets(geometry.Figure{P: g.outline(a).P, Closed: true}, 0)
		}
		if p.road != 0 && g.area(a).kind != waterway {
			in = false // a road goes through
		}
		if in && troops[g.def(x.element).troop].class != naval {
			return refuse("HFG-9.4", "hfg.move-ground", name, phrase.Name("ground", "ground", groundWords[g.area(a).kind]), phrase.Literal("area", g.area(a).id))
		}
	}
	return g.waters(p, x, lanes)
}
