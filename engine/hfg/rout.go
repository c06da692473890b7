package hfg

import (
	"slices"

	"berthier/engine/geometry"
)

// Repulses and routs: chapter 16.

// A flight is a move away of an element that looks where it goes: straight on, or along a way.
type flight struct {
	e      elementID
	far    int64       // units
	as     spirit      // repulsed or routed
	past   []elementID // enemies through whom it may go (HFG-9.15, HFG-16.8)
	behind []elementID // friends who run with it, and behind whom it stops (HFG-16.7)
	way    []point     // that it follows, from one base's depth behind it on; none: straight on (HFG-R76)
}

// at is where a flight has brought an element after some units: where its way ends it goes straight on
// (HFG-R152).
func (c *chain) at(f *flight, start *geometry.Body, n int64) geometry.Body {
	if f.way == nil {
		return start.Shifted(geometry.Step(start.Heading, n))
	}
	depth := start.V1 - start.V0
	on := min(depth+n, longOf(f.way))
	b := c.game.bodyAt(f.e, onTrack(f.way, on, depth))
	return b.Shifted(geometry.Step(b.Heading, depth+n-on))
}

// legsOf are the straight parts of a flight of some units.
func (f *flight) legsOf(start *geometry.Body, far int64) []leg {
	if f.way == nil {
		return []leg{{int(start.Heading), length(far)}}
	}
	depth := start.V1 - start.V0
	var all []leg
	on := min(depth+far, longOf(f.way))
	p := stretch(f.way, depth, on)
	for i := 1; i < len(p); i++ {
		all = append(all, leg{int(geometry.Toward(p[i-1], p[i])), length(geometry.Dist(p[i-1], p[i]))})
	}
	if rest := depth + far - on; rest > 0 {
		all = append(all, leg{int(onTrack(f.way, on, depth).Heading), length(rest)})
	}
	return all
}

// flee carries a flight out. It says whether the element has a place at its end, or is gone.
func (c *chain) flee(f flight) bool {
	start := c.game.body(f.e)
	far, stop := int64(0), unstopped
	for far < f.far && stop == unstopped {
		if stop = c.bars(&f, &start, far+pace); stop == unstopped {
			far += pace
		}
	}
	switch stop {
	case offField:
		c.legs = append(c.legs, f.legsOf(&start, far)...)
		b := c.at(&f, &start, far+pace)
		c.leave(f.e, &b)
		return true
	case atGround:
		if f.as == routed && !c.crossingAhead(&f, &start, far) {
			c.tell(f.e, "HFG-16.8", "hfg.rout-cornered")
			c.game.remove(f.e, destroyed)
			return true
		}
	case unstopped:
		far = c.pastEmpty(&f, &start, far)
		if c.bars(&f, &start, far) == offField { // it has fled through something at the edge of the field
			c.legs = append(c.legs, f.legsOf(&start, far)...)
			b := c.at(&f, &start, far)
			c.leave(f.e, &b)
			return true
		}
	}
	far, ok := c.clearPlace(&f, &start, far, stop)
	if !ok {
		return false
	}
	if !c.game.on(f.e) { // who had to make room for it has pushed it off the field
		return true
	}
	if f.as == routed {
		c.game.Elements[f.e].Screened = c.game.Elements[f.e].Screened || c.screens(&f, &start, far)
	}
	b := c.at(&f, &start, far)
	c.put(f.e, &b)
	c.legs = append(c.legs, f.legsOf(&start, far)...)
	return true
}

// pastEmpty is how far a flight goes that would end in an empty BUA or SP, or in an empty redoubt of
// its side: through it or round it, to just behind it (HFG-16.5). What it can't pass stops it.
func (c *chain) pastEmpty(f *flight, start *geometry.Body, far int64) int64 {
	inside := c.game.emptyPieces(f.e, start)
	var past []geometry.Body
	for n := far; ; n += pace {
		b := c.at(f, start, n)
		for _, x := range c.game.emptyPieces(f.e, &b) {
			if !slices.Contains(inside, x) && !slices.Contains(past, x) {
				past = append(past, x)
			}
		}
		if !slices.ContainsFunc(past, func(x geometry.Body) bool { return geometry.Gap(&b, &x) < 0 }) {
			return n
		}
		switch c.bars(f, start, n) {
		case offField:
			return n
		case unstopped:
		default:
			return far
		}
	}
}

// emptyPieces are the bodies of the BUA, SP and own redoubts that nobody holds and in which a
// footprint stands.
func (g *game) emptyPieces(e elementID, b *geometry.Body) []geometry.Body {
	var all []geometry.Body
	for a := areaID(1); int(a) <= len(g.areas); a++ {
		if x := g.blocks[a-1]; g.area(a).square() && g.overlap(b, &x) && !slices.ContainsFunc(g.Elements, func(o element) bool { return o.Holds == a }) {
			all = append(all, x)
		}
	}
	for i := range g.Works {
		w := &g.Works[i]
		if w.Kind != redoubt || w.Side != g.def(e).side {
			continue
		}
		x := geometry.NewBody(geometry.Piece{Frame: w.frame(), Box: geometry.Box{U0: -int64(w.Width) / 2, V0: -int64(w.Depth), U1: int64(w.Width) / 2}})
		if g.overlap(b, &x) && !slices.ContainsFunc(g.standing(), func(o elementID) bool { return o != e && g.shelter(o) == w }) {
			all = append(all, x)
		}
	}
	return all
}

// screens says whether a rout leads through steady friends who look the other way (HFG-7.7).
func (c *chain) screens(f *flight, start *geometry.Body, far int64) bool {
	for n := int64(pace); n <= far; n += pace {
		at := c.at(f, start, n)
		for _, o := range c.game.standing() {
			if o == f.e || c.game.enemies(f.e, o) || c.game.Elements[o].Spirit == routed || c.game.Elements[o].Holds != 0 {
				continue
			}
			b := c.game.body(o)
			if b.Heading == at.Heading.Plus(180) && !c.game.overlap(&b, start) && c.game.overlap(&b, &at) {
				return true
			}
		}
	}
	return false
}

// A stopper is what ends a straight outcome move.
type stopper int8

const (
	unstopped stopper = iota
	offField
	atEnemy
	atGround
	atBridge // routed troops stop before it (HFG-16.7)
)

// bars says what is in the way of a flight at a distance.
func (c *chain) bars(f *flight, start *geometry.Body, far int64) stopper {
	b := c.at(f, start, far)
	if c.game.leaves(&b) {
		return offField
	}
	for _, o := range c.game.standing() {
		if c.game.enemies(f.e, o) && !slices.Contains(f.past, o) {
			if x := c.game.body(o); c.game.overlap(&b, &x) {
				return atEnemy
			}
		}
	}
	if !c.game.standsOn(f.e, &b) {
		return atGround
	}
	for l := lineID(1); int(l) <= len(c.game.lines) && f.as == routed; l++ {
		if c.game.line(l).kind == river && c.game.wades(&b, l) && !c.game.wades(start, l) && c.game.onBridge(l, &b) {
			return atBridge
		}
	}
	return unstopped
}

// crossingAhead says whether a routed element that reaches a river has a bridge before it: there it
// stops (HFG-16.7).
func (c *chain) crossingAhead(f *flight, start *geometry.Body, far int64) bool {
	b := c.at(f, start, far)
	for i := range c.game.Bridges {
		o := c.game.span(c.game.Bridges[i].ID)
		if a := areaOf(&o); inFront(&b, &a, 2*baseWidth*pace) {
			return true
		}
	}
	return false
}

// clearPlace finds where a flight ends that may not end on friends: at its end if nobody stands
// there, else just behind the first of those who do, where others make room, else on the near
// side of him (HFG-16.6, HFG-R119).
func (c *chain) clearPlace(f *flight, start *geometry.Body, far int64, stop stopper) (int64, bool) {
	b := c.at(f, start, far)
	others := c.game.overlapping(f.e, &b)
	if len(others) == 0 {
		return far, true
	}
	first := c.game.nearestFirst(start, others)[0]
	if stop == unstopped && !slices.Contains(f.behind, first) {
		if n, ok := c.beyondFriend(f, start, far, first); ok {
			return n, true
		}
	}
	for n := far - pace; n >= 0; n -= pace {
		if b := c.at(f, start, n); len(c.game.overlapping(f.e, &b)) == 0 {
			return n, true
		}
	}
	return 0, false
}

// beyondFriend goes on behind a friend, and has whoever stands there make room.
func (c *chain) beyondFriend(f *flight, start *geometry.Body, far int64, friend elementID) (int64, bool) {
	x := c.game.body(friend)
	for n := far + pace; n < endless; n += pace {
		if c.bars(f, start, n) != unstopped {
			return 0, false
		}
		b := c.at(f, start, n)
		if geometry.Gap(&b, &x) < 0 {
			continue
		}
		saved, told := slices.Clone(c.game.Elements), len(c.told)
		c.put(f.e, &b)
		for _, o := range c.game.nearestFirst(start, c.game.overlapping(f.e, &b)) {
			if c.game.enemies(f.e, o) || !c.yields(f.e, o, b.Heading, &b, false) {
				c.game.Elements, c.told = saved, c.told[:told]
				return 0, false
			}
		}
		if c.game.on(f.e) && point(c.game.Elements[f.e].At) != b.At { // they have pushed it on
			c.game.Elements, c.told = saved, c.told[:told]
			return 0, false
		}
		return n, true
	}
	return 0, false
}

// rout routs an element: it turns about and runs, and those contiguous to its rear with it
// (HFG-16.7). By has beaten it; a garrison runs away from him. With also nil nobody is carried away. Along is the feature that it follows; "" for
// straight on.
func (c *chain) rout(e, by elementID, far int, also []elementID, along string) bool {
	type runner struct {
		e   elementID
		far int64
	}
	all := []runner{{e, int64(far) * pace}}
	for _, o := range also {
		all = append(all, runner{o, c.game.fullMove(o)})
	}
	slices.SortStableFunc(all, func(a, b runner) int { return int(b.far - a.far) })
	var done []elementID
	legs := c.legs
	for _, r := range all {
		c.legs = nil
		c.leaveHold(r.e, by)
		if !c.game.hasTurned(r.e) {
			c.game.about(r.e)
		}
		c.game.Elements[r.e].Spirit, c.game.Elements[r.e].Since = routed, c.game.Turn
		f := flight{e: r.e, far: r.far, as: routed, past: c.game.Elements[r.e].Through, behind: done}
		if r.e == e {
			away := c.game.body(e)
			f.way, _ = c.game.wayAlong(e, &away, along)
		}
		running := len(c.flees)
		c.flees = append(c.flees, r.e)
		ok := c.flee(f)
		c.flees = c.flees[:running]
		if !ok {
			return false
		}
		if r.e == e {
			legs = append(legs, c.legs...)
		} else {
			c.tell(r.e, "HFG-16.7", "hfg.routed-with", elementArg("other", c.game.def(e)))
		}
		done = append(done, r.e)
	}
	c.legs = legs
	return true
}

// leaveHold has the garrison of a BUA that runs stand in the middle of it first, looking at who beat
// it (HFG-4.17, HFG-16.7).
func (c *chain) leaveHold(e, by elementID) {
	x := &c.game.Elements[e]
	if x.Holds == 0 {
		return
	}
	block := c.game.block(x.Holds)
	mid := centre(&block)
	h := c.game.looksFrom(e, mid, by)
	x.Holds, x.At, x.Facing = 0, place(mid.Plus(geometry.Step(h, c.game.depth(e)/2))), int(h)
}

// looksFrom is how a beaten garrison looks from the middle of its BUA: at who has beaten it, or if
// he has gone by now towards the enemy's base edge (HFG-4.17).
func (g *game) looksFrom(e elementID, mid point, by elementID) geometry.Heading {
	if !g.on(by) {
		return geometry.Heading(g.base(g.def(e).side.enemy()).outward())
	}
	b := g.body(by)
	return geometry.Toward(mid, centre(&b))
}

// carried lists who runs with a routed element: whoever is contiguous to its rear edge, unless he
// defends a BUA or an SP, never moves or is a ship, or it is Marksmen or naval, or only it is inferior (HFG-16.7, HFG-R210).
func (g *game) carried(e elementID) []elementID {
	d := g.def(e)
	if d.troop == marksmen || g.class(e) == naval || g.Elements[e].Holds != 0 {
		return nil
	}
	b := g.body(e)
	var all []elementID
	for _, o := range g.standing() {
		if o == e || g.enemies(e, o) || g.Elements[o].Holds != 0 || g.Elements[o].Spirit == routed || g.rooted(o) || g.class(o) == naval || d.is(inferior) && !g.def(o).is(inferior) {
			continue
		}
		x := g.body(o)
		if touch(&b, &x) && alongside(&b, &x, geometry.Rear) >= leastFront {
			all = append(all, o)
		}
	}
	return all
}

// hasTurned says whether an element that is routed has turned its back already: it was repulsed, and touches no enemy by its
// front (HFG-R161).
func (g *game) hasTurned(e elementID) bool {
	return g.Elements[e].Spirit == repulsed && !g.fronted(e)
}

// running is what an element covers when it begins to rout: it has turned about, unless it had before.
func (g *game) running(e elementID) geometry.Body {
	if g.hasTurned(e) {
		return g.body(e)
	}
	return geometry.NewBody(g.body(e).AboutFace())
}

// fullMove is the tactical move of an element the way it routs, by the worst ground on it
// (HFG-9.3).
func (g *game) fullMove(e elementID) int64 {
	b := g.body(e)
	by := g.setting.moves(g.def(e))
	h := g.running(e).Heading
	for k := good; k < hard; k++ {
		far := int64(by[k]) * pace
		worst := g.worst(&b)
		for n := int64(pace); n <= far && worst <= k; n += 10 * pace {
			x := b.Shifted(geometry.Step(h, n))
			worst = max(worst, g.worst(&x))
		}
		if worst <= k {
			return far
		}
	}
	return int64(by[hard]) * pace
}

// isRouted routs an element by a combat, with those whom it carries away (HFG-16.7, HFG-R101).
// Where no place can be found for all of them along the feature that its owner has named it goes
// straight on, and where there is none that way either it is destroyed.
func (g *game) isRouted(e, by elementID, far int, along string) *chain {
	run := func(along string) (*chain, bool) {
		return g.try(e, func(c *chain) bool {
			c.tell(e, "HFG-16.7", "hfg.routed")
			return c.rout(e, by, far, c.game.spreads(e), along)
		})
	}
	c, ok := run(along)
	if !ok && along != "" {
		c, ok = run("")
	}
	if !ok {
		c.told = []tale{g.taleOf(e, "HFG-16.8", "hfg.rout-cornered")}
		g.remove(e, destroyed)
	}
	return c
}

// spreads lists whom a rout carries away: those contiguous to the rear of the element, and by
// option those contiguous to theirs (HFG-R101).
func (g *game) spreads(e elementID) []elementID {
	all := g.carried(e)
	for i := 0; g.routChain != 0 && i < len(all); i++ {
		for _, o := range g.carried(all[i]) {
			if o != e && !slices.Contains(all, o) {
				all = append(all, o)
			}
		}
	}
	return all
}

// isRepulsed repulses an element (HFG-16.6): it recoils, turns about, and goes straight on.
func (g *game) isRepulsed(e elementID, far int, r recoil) (*chain, strait) {
	if g.hasPassed(e, far) {
		return g.fallsThrough(e, far, g.Elements[e].Through)
	}
	back, how := g.recoils(e, r)
	if how == crushed || how == broken || !g.on(e) {
		return back, how
	}
	n := int64(far) * pace
	if g.repulseTotal != 0 {
		n = max(n-g.depth(e), 0)
	}
	c, ok := g.try(e, func(c *chain) bool {
		c.legs = slices.Clone(back.legs)
		c.game.about(e)
		c.game.Elements[e].Spirit, c.game.Elements[e].Since = repulsed, c.game.Turn
		c.tell(e, "HFG-16.6", "hfg.repulsed")
		return c.flee(flight{e: e, far: n, as: repulsed, past: c.game.Elements[e].Through})
	})
	c.told = append(back.told, c.told...)
	if !ok {
		return c, broken
	}
	return c, how
}

// hasPassed says whether an enemy through whom an element has passed stands behind it within so many paces (HFG-9.15,
// HFG-R160).
func (g *game) hasPassed(e elementID, far int) bool {
	b := g.body(e)
	return slices.ContainsFunc(g.Elements[e].Through, func(o elementID) bool {
		if !g.on(o) {
			return false
		}
		x := g.body(o)
		a := areaOf(&x)
		return behind(&b, &a, int64(far)*pace+g.depth(e))
	})
}

// fallsThrough repulses mounted back through the enemies whom they have passed: the recoil is part
// of the way (HFG-9.15).
func (g *game) fallsThrough(e elementID, far int, past []elementID) (*chain, strait) {
	n := int64(far) * pace
	if g.repulseTotal == 0 {
		n += g.depth(e)
	}
	c, ok := g.try(e, func(c *chain) bool {
		c.game.about(e)
		c.game.Elements[e].Spirit, c.game.Elements[e].Since = repulsed, c.game.Turn
		c.tell(e, "HFG-16.6", "hfg.repulsed")
		return c.flee(flight{e: e, far: n, as: repulsed, past: past})
	})
	if !ok {
		return c, broken
	}
	return c, recoiled
}

// runsOn routs an element that has run into enemies and fought them: straight on through them, who
// stay where they are (HFG-16.8).
func (g *game) runsOn(e elementID, far int) *chain {
	c, ok := g.try(e, func(c *chain) bool {
		c.tell(e, "HFG-16.8", "hfg.runs-on")
		c.game.Elements[e].Spirit, c.game.Elements[e].Since = routed, c.game.Turn
		return c.flee(flight{e: e, far: int64(far) * pace, as: routed, past: c.game.Elements[e].Through})
	})
	if !ok {
		c.told = []tale{g.taleOf(e, "HFG-16.8", "hfg.rout-cornered")}
		g.remove(e, destroyed)
	}
	return c
}
