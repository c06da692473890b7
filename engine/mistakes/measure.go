package mistakes

import (
	"cmp"
	"slices"

	"berthier/engine/geometry"
)

// How the field is measured: chapter 3. Bodies are the footprints of pieces.

// counterBox is the box of a counter about its centre: a gun's own, a leader's, a garrison's.
func (s *scenario) counterBox() geometry.Box {
	h := int64(s.measures.counter) / 2
	return geometry.Box{U0: -h, V0: -h, U1: h, V1: h}
}

// footprint is the box of a unit about its centre (EM-3.4). A limbered gun covers its limber,
// too.
func (s *scenario) footprint(d *unitDef, l limber) geometry.Box {
	if d.arm != artillery && !d.garrison() {
		h := int64(s.measures.tile) / 2
		return geometry.Box{U0: -h, V0: -h, U1: h, V1: h}
	}
	b, side := s.counterBox(), int64(s.measures.counter)
	switch l {
	case behind:
		b.V0 -= side
	case toRight:
		b.U1 += side
	case toLeft:
		b.U0 -= side
	case ahead:
		b.V1 += side
	}
	return b
}

// body is what a unit covers of the field.
func (g *game) body(u unitID) geometry.Body { return g.bodyAt(u, g.frame(u)) }

// frame is where a unit stands, and how.
func (g *game) frame(u unitID) geometry.Frame {
	return geometry.Frame{At: geometry.Point(g.Units[u].At), Heading: geometry.Heading(g.Units[u].Heading)}
}

// bodyAt is what a unit would cover elsewhere.
func (g *game) bodyAt(u unitID, at geometry.Frame) geometry.Body {
	return geometry.NewBody(geometry.Piece{Frame: at, Box: g.footprint(g.def(u), g.Units[u].Limber)})
}

// gun is a gun without its limber, by which width is measured (EM-R83).
func (g *game) gun(u unitID) geometry.Body {
	if g.def(u).arm == artillery {
		return geometry.NewBody(geometry.Piece{Frame: g.frame(u), Box: g.counterBox()})
	}
	return g.body(u)
}

// counter is the counter of a leader whose centre is at a point.
func (s *scenario) counter(at geometry.Point) geometry.Body {
	return geometry.NewBody(geometry.Piece{Frame: geometry.Frame{At: at}, Box: s.counterBox()})
}

// whereIs is the place of a leader; an attached one is where his unit is (EM-8.4).
func (g *game) whereIs(l leaderID) geometry.Point {
	if u := g.Leaders[l].Attached; u != 0 {
		return geometry.Point(g.Units[u].At)
	}
	return geometry.Point(g.Leaders[l].At)
}

// overlap says whether two footprints overlap by more than the slack, so that they can't
// both stand there (EM-3.5).
func (s *scenario) overlap(a, b *geometry.Body) bool {
	return !geometry.Apart(a, b, -int64(s.measures.slack))
}

// entered says whether two figures strictly overlap (EM-3.5).
func entered(a, b *geometry.Body) bool { return !geometry.Apart(a, b, 0) }

// near says whether two figures are in contact, or overlap (EM-3.6).
func (s *scenario) near(a, b *geometry.Body) bool {
	return !geometry.Apart(a, b, int64(s.measures.contact)+1)
}

// contact says whether two units touch (EM-3.6). A pair that was parted does not.
func (g *game) contact(a, b unitID) bool {
	if g.beyond(a, b, 2*int64(g.measures.tile)) {
		return false // two pieces whose centres are so far apart never meet
	}
	x, y := g.body(a), g.body(b)
	return g.near(&x, &y) && !slices.Contains(g.Apart, pairOf(a, b))
}

// moved takes the pairs of a unit that has been moved out of the separated set (EM-3.6).
func (g *game) moved(u unitID) {
	g.Apart = slices.DeleteFunc(g.Apart, func(p pair) bool { return p.A == u || p.B == u })
}

// part puts a pair into the separated set (EM-10.12, EM-16.7).
func (g *game) part(a, b unitID) {
	p := pairOf(a, b)
	if i, found := slices.BinarySearchFunc(g.Apart, p, byNumbers); !found {
		g.Apart = slices.Insert(g.Apart, i, p)
	}
}

// partAgain puts those pairs of enemies back into the separated set who were in it before a move and still
// touch after it: only a charge makes contact (EM-10.2).
func (g *game) partAgain(was []pair) {
	for _, x := range was {
		if g.on(x.A) && g.on(x.B) && g.enemies(x.A, x.B) && g.contact(x.A, x.B) {
			g.part(x.A, x.B)
		}
	}
}

// byNumbers orders pairs, lowest numbers first.
func byNumbers(x, y pair) int { return cmp.Or(int(x.A)-int(y.A), int(x.B)-int(y.B)) }

// lengthOn is the length along a side of a on which b touches it; -1 for none (EM-3.7).
func (s *scenario) lengthOn(a, b *geometry.Body, side geometry.Flank) int64 {
	return geometry.Contact(a, b, side, int64(s.measures.contact))
}

// touchOn gives what b has in common with the strip of a side of a that is longer by the slack at both
// ends: who touches a corner touches both of its sides, whatever the roundings (EM-3.7, EM-R119).
func (s *scenario) touchOn(a, b *geometry.Body, side geometry.Flank) (geometry.Box, bool) {
	slack, longer := int64(s.measures.slack), a.Piece
	if side == geometry.Front || side == geometry.Rear {
		longer.U0, longer.U1 = a.U0-slack, a.U1+slack
	} else {
		longer.V0, longer.V1 = a.V0-slack, a.V1+slack
	}
	body := geometry.NewBody(longer)
	return geometry.Touch(&body, b, side, int64(s.measures.contact))
}

// touchesByFront says whether a body touches another by its front, be it by a corner alone (EM-3.7).
func (s *scenario) touchesByFront(b, other *geometry.Body) bool {
	if !s.near(b, other) {
		return false
	}
	_, touches := s.touchOn(b, other, geometry.Front)
	return touches
}

// byFront says whether a unit touches another with its own front (EM-3.7). A garrison does so
// through any side (EM-14.1).
func (g *game) byFront(a, b unitID) bool {
	if !g.contact(a, b) {
		return false
	}
	x, y := g.body(a), g.body(b)
	return g.def(a).garrison() || g.touchesByFront(&x, &y)
}

// sides are the sides of a rectangle, in the order in which ties are settled.
var sides = [4]geometry.Flank{geometry.Front, geometry.Left, geometry.Right, geometry.Rear}

// struck gives the side of a target on which another unit stands (EM-3.8): the one with the
// greatest length of contact; within the slack of it the first in the order of the sides. If
// the contact is on a corner, the defender chooses between two sides, which are given both;
// otherwise second is the same as first. It is false if they don't touch.
func (g *game) struck(target, by unitID) (first, second geometry.Flank, ok bool) {
	t, b := g.body(target), g.body(by)
	eps := int64(g.measures.contact)
	best := int64(-1)
	var lengths [4]int64
	var all geometry.Box
	for i, side := range sides {
		lengths[i] = geometry.Contact(&t, &b, side, eps)
		best = max(best, lengths[i])
		if e, touches := g.touchOn(&t, &b, side); touches {
			if ok {
				e = geometry.Box{U0: min(all.U0, e.U0), V0: min(all.V0, e.V0), U1: max(all.U1, e.U1), V1: max(all.V1, e.V1)}
			}
			all, ok = e, true
		}
	}
	if !ok {
		return 0, 0, false
	}
	if first, second, is := g.corner(t.Box, all); is {
		return first, second, true
	}
	for i, side := range sides {
		if lengths[i] >= 0 && lengths[i] >= best-int64(g.measures.slack) {
			return side, side, true
		}
	}
	return 0, 0, false
}

// corner gives the two sides that meet in the corner near which all points of contact lie
// (EM-3.8).
func (s *scenario) corner(t, all geometry.Box) (first, second geometry.Flank, ok bool) {
	band := int64(s.measures.corner)
	within := func(low, high, at int64) bool { return low >= at-band && high <= at+band }
	left, right := within(all.U0, all.U1, t.U0), within(all.U0, all.U1, t.U1)
	front, rear := within(all.V0, all.V1, t.V1), within(all.V0, all.V1, t.V0)
	flank := geometry.Left
	if right {
		flank = geometry.Right
	}
	switch {
	case !left && !right:
		return 0, 0, false
	case front:
		return geometry.Front, flank, true
	case rear:
		return flank, geometry.Rear, true
	}
	return 0, 0, false
}

// engagement is the area in which a unit engages enemies: one segment from its front and from
// both flanks, its footprint included (EM-3.9). A garrison engages on all sides.
func (g *game) engagement(u unitID) geometry.Body {
	b, seg := g.footprint(g.def(u), g.Units[u].Limber), int64(g.segment())
	b.U0, b.U1, b.V1 = b.U0-seg, b.U1+seg, b.V1+seg
	if g.def(u).garrison() {
		b.V0 -= seg
	}
	return geometry.NewBody(geometry.Piece{Frame: g.frame(u), Box: b})
}

// invades says whether a unit has entered or met the engagement area of another (EM-3.9).
func (g *game) invades(u, of unitID) bool {
	if g.beyond(u, of, g.farthest()) {
		return false
	}
	b, area := g.body(u), g.engagement(of)
	return g.near(&b, &area)
}

// farthest is how far apart the centres of two units can be at most of which one lies in the other's
// engagement area.
func (g *game) farthest() int64 { return 2*int64(g.segment()) + 3*int64(g.measures.tile) }

// beyond says whether the centres of two units are farther apart than that.
func (g *game) beyond(a, b unitID, far int64) bool {
	return geometry.Dist2(geometry.Point(g.Units[a].At), geometry.Point(g.Units[b].At)) > far*far
}

// within says whether two points are no more than so many segments apart (EM-3.15).
func (g *game) within(p, q geometry.Point, segments int64) bool {
	d := segments * int64(g.segment())
	return geometry.Dist2(p, q) <= d*d
}

// leaves says whether a corner of a figure is off the field (EM-3.19).
func (s *scenario) leaves(b *geometry.Body) bool {
	return b.Lo.X < 0 || b.Lo.Y < 0 || b.Hi.X > s.size.X || b.Hi.Y > s.size.Y
}

// onArea says whether a figure stands on an area (EM-3.16, EM-4.1).
func (s *scenario) onArea(b *geometry.Body, a areaID) bool { return geometry.On(b, s.outline(a), 0) }

// inside says whether a figure lies entirely in an area (EM-3.16).
func (s *scenario) inside(b *geometry.Body, a areaID) bool { return geometry.Holds(s.outline(a), b, 0) }

// onLine says whether a figure stands on a road, a sunken road or a stream (EM-3.16).
func (s *scenario) onLine(b *geometry.Body, l lineID) bool {
	d, grow := &s.lines[l-1], int64(0)
	if d.kind == road {
		grow = int64(s.measures.road)
	}
	return geometry.OnLine(b, d.points, grow)
}

// onBridge says whether a figure stands on a bridge, by its number from 0.
func (s *scenario) onBridge(b *geometry.Body, i int) bool { return geometry.On(b, s.bridge(i), 0) }

// bearing is the heading from one point to another (EM-3.21).
func bearing(from, to geometry.Point) geometry.Heading { return geometry.Toward(from, to) }

// middle is the middle of an area, by which orders steer: that of its bounds, rounded down
// (EM-3.21).
func (s *scenario) middle(a areaID) geometry.Point {
	o := s.outline(a)
	return geometry.Point{X: (o.Lo.X + o.Hi.X) / 2, Y: (o.Lo.Y + o.Hi.Y) / 2}
}
