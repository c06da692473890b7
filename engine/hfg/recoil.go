package hfg

import (
	"slices"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Recoils: chapter 16. Outcome moves are made on a copy of the elements, and are kept only if
// their whole chain is possible (HFG-R119).

// A chain is a chain of outcome moves that isn't kept yet.
type chain struct {
	game  *game // a copy
	told  []tale
	met   []elementID // friends who would have had to make room
	flees []elementID // who is running: nobody has them make room again meanwhile
	walls bool        // only ground was in the way of what failed
	foes  bool        // an enemy was, or a friend who doesn't move
	legs  []leg       // of the element that began it
	first elementID   // that element
}

// A leg is a straight part of an outcome move.
type leg struct {
	Heading int    `pos:"heading,max=359"`
	Far     length `pos:"far"`
}

// A tale is something to be told once the chain is kept, to whoever knew the element then.
type tale struct {
	to           []engine.Side
	clause, code string
	args         []phrase.Arg
	off          *berth // of a ship that has left the field: where it would have come to
}

// try runs a chain of outcome moves on a copy, and keeps it if it succeeds. The chain is given
// back either way, for what was in the way.
func (g *game) try(first elementID, run func(c *chain) bool) (*chain, bool) {
	t := *g
	t.Elements = slices.Clone(g.Elements)
	c := &chain{game: &t, first: first}
	if !run(c) || !c.lawful(g) {
		return c, false
	}
	copy(g.Elements, t.Elements)
	g.Seen = t.Seen
	return c, true
}

// lawful says whether nobody who was moved stands on another (HFG-1.8).
func (c *chain) lawful(was *game) bool {
	for e := range c.game.Elements {
		e := elementID(e)
		if e == 0 || !c.game.on(e) || c.game.pose(e) == was.pose(e) || c.game.Elements[e].Holds != 0 {
			continue
		}
		b := c.game.body(e)
		if c.game.leaves(&b) || len(c.game.overlapping(e, &b)) > 0 {
			return false
		}
	}
	return true
}

// overlapping lists the elements on whose footprints a body would stand, in whatever way that is
// not allowed: not the garrison of a BUA that it is inside of, nor neighbours of one column
// (HFG-1.8).
func (g *game) overlapping(e elementID, b *geometry.Body) []elementID {
	var all []elementID
	for _, o := range g.standing() {
		if o == e {
			continue
		}
		x := g.body(o)
		if !g.overlap(b, &x) || g.follows(e, o) {
			continue
		}
		if held := g.Elements[o].Holds; held != 0 && !g.enemies(e, o) && g.area(held).kind == bua {
			continue
		}
		all = append(all, o)
	}
	return all
}

// tell notes something to be told of an element.
func (c *chain) tell(e elementID, clause, code string, args ...phrase.Arg) {
	c.told = append(c.told, c.game.taleOf(e, clause, code, args...))
}

// taleOf is something to be told of an element to whoever knows it now.
func (g *game) taleOf(e elementID, clause, code string, args ...phrase.Arg) tale {
	return tale{to: g.toldOf(e, args), clause: clause, code: code, args: append([]phrase.Arg{g.elementArg("element", e)}, args...)}
}

// retell tells what a chain of outcome moves has to tell. Where there are mines, of ships that leave the field once it is
// known whether they came so far: see [battlefield.drift].
func (p *battlefield) retell(c *chain) {
	for _, t := range c.told {
		if p.drifting && t.off != nil {
			p.driven = append(p.driven, t)
			continue
		}
		p.Tell(t.clause, play.To(t.to, t.code, t.args...))
	}
}

// standsOn says whether ground lets an element stand where a body is: no ground that it can't
// enter, no river but at crossings, nothing that an enemy holds, and ships in water only
// and out of their own mines, unless they lie in them (HFG-6.11, HFG-9.4, HFG-18.2, HFG-R194). Water that
// reaches the field's edge goes on beyond it, as far as a corner may lie there (HFG-1.8).
func (g *game) standsOn(e elementID, b *geometry.Body) bool {
	if troops[g.def(e).troop].class == naval {
		t, now := g.def(e).troop, g.body(e)
		ashore := func(p point) bool {
			return !g.floats(point{X: min(max(p.X, 0), g.size.X), Y: min(max(p.Y, 0), g.size.Y)}, t)
		}
		return !slices.ContainsFunc(b.Corner[:], ashore) && (!g.inOwnMines(e, b) || g.inOwnMines(e, &now))
	}
	for a := areaID(1); int(a) <= len(g.areas); a++ {
		if g.groundFor(e, a) == impassable && g.stands(b, a) {
			return false
		}
	}
	for l := lineID(1); int(l) <= len(g.lines); l++ {
		if g.line(l).kind == river && g.wades(b, l) && !g.atCrossing(l, b) {
			return false
		}
	}
	return true
}

// atCrossing says whether a body stands on a bridge over a river, on a ford, or where a road
// leads through it (HFG-10.1).
func (g *game) atCrossing(l lineID, b *geometry.Body) bool {
	mid := b.World(b.Middle())
	near := func(p point) bool { return geometry.Dist(p, mid) <= int64(g.line(l).width)/2+(b.V1-b.V0)/2+drawIn }
	if g.onBridge(l, b) {
		return true
	}
	for i := range g.Fords {
		if f := &g.Fords[i]; f.Over == l && near(point(f.At)) && lined(b, point(f.At), f.Facing) {
			return true
		}
	}
	for r := lineID(1); int(r) <= len(g.lines); r++ {
		if k := g.line(r).kind; k != road && k != railway {
			continue
		}
		if _, far := geometry.Nearest(g.line(r).points, mid); far <= slack && crossesLine(g.line(r).points, g.line(l).points, near) {
			return true
		}
	}
	return false
}

// onBridge says whether a body stands along a bridge over a river (HFG-10.1, HFG-R150).
func (g *game) onBridge(l lineID, b *geometry.Body) bool {
	return slices.ContainsFunc(g.Bridges, func(x bridge) bool {
		far := int64(g.line(l).width)/2 + (b.V1-b.V0)/2 + drawIn
		return x.Over == l && geometry.Dist(point(x.At), centre(b)) <= far && lined(b, point(x.At), x.Facing)
	})
}

// lined says whether a body stands along a crossing, either way: its middle is near the line of the
// crossing, and it looks along it within some degrees (HFG-R150).
func lined(b *geometry.Body, at point, facing int) bool {
	off := geometry.Frame{At: at, Heading: geometry.Heading(facing)}.Local(centre(b)).X
	return within(max(off, -off), halfway) && alongCrossing(b.Heading, facing)
}

// crossesLine says whether two paths cross at a place for which near holds.
func crossesLine(a, b []point, near func(point) bool) bool {
	for i := 1; i < len(a); i++ {
		for j := 1; j < len(b); j++ {
			if geometry.Meet(a[i-1], a[i], b[j-1], b[j]) {
				if p, ok := geometry.Cut(a[i-1], a[i], b[j-1], b[j]); ok && near(p) {
					return true
				}
			}
		}
	}
	return false
}

// put sets an element down. Who moves has left the interior of a BUA to which he was driven, or stands in it as others do (HFG-4.17).
func (c *chain) put(e elementID, b *geometry.Body) {
	x := &c.game.Elements[e]
	x.At, x.Facing, x.Holds, x.Inside = place(b.At), int(b.Heading), 0, 0
	x.Concealed = false // who moves is put down (HFG-6.10)
}

// back moves an element straight by some units along a heading, its facing kept, and pushes
// friends before it (HFG-16.5, HFG-R119). It says whether all of it is possible.
func (c *chain) back(e elementID, h geometry.Heading, n int64) bool {
	now := c.game.body(e)
	b := now.Shifted(geometry.Step(h, n))
	if c.game.leaves(&b) {
		c.leave(e, &b)
		return true
	}
	if !c.game.standsOn(e, &b) {
		c.walls = true
		return false
	}
	others := c.game.overlapping(e, &b)
	if slices.ContainsFunc(others, func(o elementID) bool { return c.game.enemies(e, o) }) {
		c.foes = true
		return false
	}
	trails := slices.DeleteFunc(slices.Clone(others), func(o elementID) bool { return !c.game.trails(e, o) })
	c.put(e, &b)
	for _, f := range c.game.nearestFirst(&now, others) {
		if !c.game.rooted(f) && !slices.Contains(c.met, f) {
			c.met = append(c.met, f)
		}
		if !c.yields(e, f, h, &b, slices.Contains(trails, f)) {
			return false
		}
	}
	return true
}

// trails says whether a friend follows an element along a road: both are on it and look the same way along it, and he is
// behind (HFG-16.5).
func (g *game) trails(e, friend elementID) bool {
	station := func(e elementID) (station, bool) {
		b := g.body(e)
		at, ok := g.stationOf(b.Frame, b.V1-b.V0)
		return at, ok && g.Elements[e].Holds == 0
	}
	at, on := station(e)
	behind, follows := station(friend)
	return on && follows && at.road == behind.road && at.ahead == behind.ahead && at.sign(behind.along-at.along) < 0
}

// yields has a friend make room for a body: pushed back if he faces the same way or follows
// in the column or along the road, else routed.
func (c *chain) yields(e, f elementID, h geometry.Heading, b *geometry.Body, trails bool) bool {
	x := &c.game.Elements[f]
	if x.Holds != 0 || c.game.rooted(f) {
		c.foes = true
		return false // a garrison doesn't move, nor who never does
	}
	if x.Facing == c.game.Elements[e].Facing || trails || c.game.follows(e, f) {
		y := c.game.body(f)
		return c.back(f, h, roomFor(b, &y, h)) && c.tellPushed(f)
	}
	if slices.Contains(c.flees, f) {
		return false
	}
	c.tell(f, "HFG-16.5", "hfg.routed-aside")
	if !c.rout(f, 0, c.game.routDistance(f), nil, "") {
		return false
	}
	if !c.game.on(f) {
		return true
	}
	y := c.game.body(f)
	return !c.game.overlap(b, &y)
}

// tellPushed tells that an element was pushed back.
func (c *chain) tellPushed(f elementID) bool {
	c.tell(f, "HFG-16.5", "hfg.pushed")
	return true
}

// roomFor is by how many units, whole paces, a body must go along a heading to leave a gap of at
// least 0 to another.
func roomFor(b, y *geometry.Body, h geometry.Heading) int64 {
	for n := int64(0); n < endless; n += pace {
		if z := y.Shifted(geometry.Step(h, n)); geometry.Gap(b, &z) >= 0 {
			return n
		}
	}
	return endless
}

// nearestFirst puts elements in the order of their distances from a body, in whole paces, then of
// their ids.
func (g *game) nearestFirst(from *geometry.Body, all []elementID) []elementID {
	far := func(e elementID) int { b := g.body(e); return paces(between(from, &b)) }
	slices.SortStableFunc(all, func(a, b elementID) int {
		if d := far(a) - far(b); d != 0 {
			return d
		}
		return int(a - b)
	})
	return all
}

// leave takes an element off the field, where a body is to which it would have come (HFG-16.17).
func (c *chain) leave(e elementID, b *geometry.Body) {
	t := c.game.taleOf(e, "HFG-16.17", "hfg.fled", c.game.ofArg(e))
	if c.game.class(e) == naval {
		t.off = &berth{e, *b}
	}
	c.told = append(c.told, t)
	c.game.remove(e, fled)
}

// routDistance is how far an element of a class is routed unless told (HFG-R68).
func (g *game) routDistance(e elementID) int {
	if c := g.class(e); c == mounted || c == dismounted {
		return horseRout
	}
	return footRout
}

// depth is how deep an element's base is, in units.
func (g *game) depth(e elementID) int64 { return -g.box(g.def(e)).V0 }

// recoil is the recoil of an element by its base's depth (HFG-16.5): by whom it was beaten, and
// whether in close combat. What becomes of one that can't complete it, is in the answer.
type recoil struct {
	by     elementID
	close  bool
	behind bool // all who shot at it did so from directly behind
}

// A strait is what becomes of an element that recoils.
type strait int8

const (
	recoiled  strait = iota // all the way
	shortened               // stopped at ground
	crushed                 // destroyed: it could not complete it in close combat
	broken                  // routed: it could not complete it under fire
)

// recoils carries a recoil out, or as much of it as is possible, on the game itself.
func (g *game) recoils(e elementID, r recoil) (*chain, strait) {
	if g.walled(e) {
		return &chain{game: g}, recoiled // HFG-R26, HFG-R195
	}
	if g.Elements[e].Holds != 0 {
		return g.goesInside(e, r)
	}
	n := g.depth(e)
	run := func(far int64) (*chain, bool) {
		return g.try(e, func(c *chain) bool {
			if r.behind {
				c.game.about(e)
			}
			h := geometry.Heading(c.game.Elements[e].Facing).Plus(180)
			c.legs = append(c.legs, leg{int(h), length(far)})
			c.tell(e, "HFG-16.5", "hfg.recoils", paceArg("far", far))
			return c.back(e, h, far)
		})
	}
	n = max(n, g.overBridge(e, n, r.behind))
	n = g.recoilsPast(e, n, r.behind)
	first, ok := run(n)
	switch {
	case ok:
		return first, recoiled
	case r.close:
		return first, crushed
	case first.walls && !first.foes:
		for far := n - pace; far >= 0; far -= pace {
			if c, ok := run(far - far%pace); ok {
				return c, shortened
			}
		}
	}
	return first, broken
}

// recoilsPast is how far an element recoils that would end in an empty BUA, SP or redoubt: to just
// behind it (HFG-16.5).
func (g *game) recoilsPast(e elementID, n int64, behind bool) int64 {
	away := g.body(e)
	if !behind {
		away = geometry.NewBody(away.AboutFace())
	}
	c := &chain{game: g}
	return c.pastEmpty(&flight{e: e, as: repulsed}, &away, n)
}

// overBridge is how far an element must recoil that stands on a bridge over a river: until it
// stands beyond it (HFG-16.5); 0: it doesn't stand on one.
func (g *game) overBridge(e elementID, n int64, behind bool) int64 {
	b := g.body(e)
	h := b.Heading.Plus(180)
	if behind {
		h = b.Heading
	}
	for l := lineID(1); int(l) <= len(g.lines); l++ {
		if g.line(l).kind != river || !g.wades(&b, l) {
			continue
		}
		for far := n; far < n+4*int64(g.line(l).width)+4*g.depth(e); far += pace {
			if x := b.Shifted(geometry.Step(h, far)); !g.wades(&x, l) {
				return far
			}
		}
	}
	return 0
}

// goesInside is the recoil of a garrison: to the interior of its BUA, facing who beat it
// (HFG-4.17).
func (g *game) goesInside(e elementID, r recoil) (*chain, strait) {
	held := g.Elements[e].Holds
	c, ok := g.try(e, func(c *chain) bool {
		block := c.game.block(held)
		mid := centre(&block)
		h := c.game.looksFrom(e, mid, r.by)
		c.game.Elements[e].Holds = 0
		step := c.game.depth(e)
		at, ok := geometry.Rings(mid, 25*pace, 600*pace, func(p point) bool {
			b := c.game.bodyAt(e, geometry.Frame{At: p.Plus(geometry.Step(h, step/2)), Heading: h})
			return geometry.Where(c.game.outline(held).P, p) >= 0 && len(c.game.overlapping(e, &b)) == 0
		})
		if !ok {
			return false
		}
		b := c.game.bodyAt(e, geometry.Frame{At: at.Plus(geometry.Step(h, step/2)), Heading: h})
		c.put(e, &b)
		c.game.Elements[e].Inside = held
		c.tell(e, "HFG-4.17", "hfg.goes-inside")
		return true
	})
	switch {
	case ok:
		return c, recoiled
	case r.close:
		return c, crushed
	}
	return c, broken
}

// paceArg fills a place with a distance in whole paces.
func paceArg(name string, far int64) phrase.Arg { return phrase.Number(name, paces(far)) }
