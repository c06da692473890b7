package hfg

import (
	"cmp"
	"slices"

	"berthier/engine/geometry"
)

// How the field is measured: chapter 1. Bodies are the footprints of elements.

const (
	// slack is how far footprints may overlap, and how far apart they may be and touch
	// (HFG-1.5, HFG-1.8).
	slack = 1 * pace
	// drawIn is by how much a footprint is drawn in that must be in something by more than
	// slack (HFG-1.12).
	drawIn = slack + 1
)

// box is the footprint of an element about the middle of its front edge (HFG-1.3, HFG-2.1).
func (g *game) box(d *elementDef) geometry.Box {
	t := &troops[d.troop]
	width, depth := baseWidth, t.depth
	switch {
	case t.class == naval:
		width, depth = navalBases[g.navalBase][0], navalBases[g.navalBase][1]
	case d.troop.dismountable() && g.shallowMounts != 0:
		depth = shallowDepth
	}
	return geometry.Box{U0: -int64(width) * pace / 2, V0: -int64(depth) * pace, U1: int64(width) * pace / 2}
}

// shallowDepth is the depth of dismountables by option (HFG-R6), in paces.
const shallowDepth = 300

// body is what an element covers of the field; of one that holds a BUA or SP the whole piece,
// of which all four edges are its own (HFG-4.17).
func (g *game) body(e elementID) geometry.Body {
	x := &g.Elements[e]
	if x.Holds != 0 {
		return g.block(x.Holds)
	}
	if len(g.bodies) != len(g.Elements) {
		g.bodies = make([]stance, len(g.Elements))
	}
	c := &g.bodies[e]
	if !c.known || c.at != x.At || c.facing != x.Facing {
		*c = stance{known: true, at: x.At, facing: x.Facing,
			body: g.bodyAt(e, geometry.Frame{At: point(x.At), Heading: geometry.Heading(x.Facing)})}
	}
	return c.body
}

// A stance is a body that has been worked out, with where its element stood.
type stance struct {
	known  bool
	at     place
	facing int
	body   geometry.Body
}

// bodyAt is what an element would cover elsewhere.
func (g *game) bodyAt(e elementID, at geometry.Frame) geometry.Body {
	return geometry.NewBody(geometry.Piece{Frame: at, Box: g.box(g.def(e))})
}

// outlineOf is the outline of a body.
func outlineOf(b *geometry.Body) geometry.Figure {
	return geometry.Figure{P: b.Corner[:], Closed: true}
}

// apart is the distance of two elements in units (HFG-1.4).
func (g *game) apart(a, b elementID) int64 {
	x, y := g.body(a), g.body(b)
	return between(&x, &y)
}

// between is the distance of two bodies in units (HFG-1.4).
func between(a, b *geometry.Body) int64 { return geometry.Distance(outlineOf(a), outlineOf(b)) }

// within says whether a distance in units is within so many paces: at or closer than, with
// half a pace of tolerance (HFG-1.4).
func within(distance int64, paces int) bool { return distance <= int64(paces)*pace+pace/2 }

// paces is a distance as players read it and as distances are compared to find the nearest
// (HFG-R134).
func paces(distance int64) int { return int(geometry.RDiv(distance, pace)) }

// overlap says whether two footprints overlap by more than is allowed (HFG-1.8).
func (s *setting) overlap(a, b *geometry.Body) bool { return !geometry.Apart(a, b, -slack) }

// touch says whether two footprints are in contact (HFG-1.5).
func touch(a, b *geometry.Body) bool { return !geometry.Apart(a, b, slack+1) }

// coincide says whether two corners are the same place (HFG-1.5).
func coincide(a, b point) bool { return geometry.Dist(a, b) <= slack }

// leaves says whether a footprint leaves the field (HFG-1.8).
func (s *setting) leaves(b *geometry.Body) bool {
	return b.Lo.X < -slack || b.Lo.Y < -slack || b.Hi.X > s.size.X+slack || b.Hi.Y > s.size.Y+slack
}

// endless is further than any field reaches.
const endless = geometry.Reach

// inFront says whether some part of an area lies directly in front of a body, within so many
// units of its front edge (HFG-1.6).
func inFront(b *geometry.Body, of *geometry.Area, far int64) bool {
	zone := geometry.Piece{Frame: b.Frame, Box: geometry.Box{U0: b.U0 + slack, V0: b.V1, U1: b.U1 - slack, V1: b.V1 + far}}
	z := geometry.NewBody(zone)
	return geometry.On(&z, of, 0)
}

// behind says whether some part of an area lies directly behind a body, within so many units
// of its rear edge (HFG-1.6).
func behind(b *geometry.Body, of *geometry.Area, far int64) bool {
	zone := geometry.Piece{Frame: b.Frame, Box: geometry.Box{U0: b.U0 + slack, V0: b.V0 - far, U1: b.U1 - slack, V1: b.V0}}
	z := geometry.NewBody(zone)
	return geometry.On(&z, of, 0)
}

// areaOf is a body as an area.
func areaOf(b *geometry.Body) geometry.Area { return geometry.Area{P: b.Corner[:], Lo: b.Lo, Hi: b.Hi} }

// beyond says whether a body lies wholly beyond the line that prolongs a side of another
// (HFG-1.6). Of the front side the line is that of the front edge.
func beyond(b, of *geometry.Body, side geometry.Flank) bool {
	e := of.Extents(b.Corner[:])
	switch side {
	case geometry.Left:
		return e.U1 <= of.U0+slack
	case geometry.Right:
		return e.U0 >= of.U1-slack
	case geometry.Rear:
		return e.V1 <= of.V0+slack
	}
	return e.V0 >= of.V1-slack
}

// leastFront is how much of a front edge must be in contact for it to be in frontal contact
// (HFG-1.5).
const leastFront = 2 * pace

// frontal says whether a body's own front edge is in contact with another (HFG-1.5).
func frontal(b, other *geometry.Body) bool {
	return touch(b, other) && geometry.Contact(b, other, geometry.Front, slack) >= leastFront
}

// alongside gives how long a side of a body is in contact with another; -1: it isn't.
func alongside(b, other *geometry.Body, side geometry.Flank) int64 {
	return geometry.Contact(b, other, side, slack)
}

// quarter says whether two headings differ by a whole number of quarter turns.
func quarter(a, b geometry.Heading) bool { return (a-b)%90 == 0 }

// aligned says whether a body in contact with another stands at a right angle or parallel to
// it, and one of its front corners coincides with one of the other's corners (HFG-1.5), or the middles of
// two edges of different widths do (HFG-11.7).
func aligned(b, other *geometry.Body) bool {
	if !quarter(b.Heading, other.Heading) {
		return false
	}
	for _, c := range other.Corner {
		if coincide(b.Corner[0], c) || coincide(b.Corner[1], c) {
			return true
		}
	}
	if b.Box.U1-b.Box.U0 == other.Box.U1-other.Box.U0 {
		return false
	}
	front := midway(sideOf(b, geometry.Front)) // of fronts of two widths the middles meet
	return coincide(front, midway(sideOf(other, geometry.Front))) || coincide(front, midway(sideOf(other, geometry.Rear)))
}

// midway is the middle of an edge.
func midway(e [2]point) point { return point{X: (e[0].X + e[1].X) / 2, Y: (e[0].Y + e[1].Y) / 2} }

// sideOf is the edge of a body from corner to corner.
func sideOf(b *geometry.Body, side geometry.Flank) [2]point {
	c := &b.Corner
	switch side {
	case geometry.Left:
		return [2]point{c[3], c[0]}
	case geometry.Right:
		return [2]point{c[1], c[2]}
	case geometry.Rear:
		return [2]point{c[2], c[3]}
	}
	return [2]point{c[0], c[1]}
}

// outward is the heading from a body across one of its sides.
func outward(b *geometry.Body, side geometry.Flank) geometry.Heading {
	switch side {
	case geometry.Left:
		return b.Heading.Plus(-90)
	case geometry.Right:
		return b.Heading.Plus(90)
	case geometry.Rear:
		return b.Heading.Plus(180)
	}
	return b.Heading
}

// enfilades gives the flank of a target that a shooting edge enfilades, the heading being that
// across the edge; false: none (HFG-1.7).
func (o *options) enfilades(heading geometry.Heading, shooting [2]point, target *geometry.Body) (geometry.Flank, bool) {
	angle := int(heading.Plus(-int(target.Heading))) % 180
	if angle < 90-o.enfilade || angle > 90+o.enfilade {
		return 0, false
	}
	p, q := target.Local(shooting[0]), target.Local(shooting[1])
	if min(p.Y, q.Y) >= target.V1 {
		return 0, false
	}
	switch mid := geometry.RDiv(p.X+q.X, 2); {
	case mid < target.U0:
		return geometry.Left, true
	case mid > target.U1:
		return geometry.Right, true
	}
	return 0, false
}

// stands says whether a footprint stands in an area, by more than the tolerance (HFG-1.12).
func (s *setting) stands(b *geometry.Body, a areaID) bool {
	return geometry.On(b, s.outline(a), drawIn)
}

// wholly says whether a footprint lies wholly in an area (HFG-1.12).
func (s *setting) wholly(b *geometry.Body, a areaID) bool {
	return geometry.Holds(s.outline(a), b, slack)
}

// whollyIn says whether a footprint lies wholly in some areas together. It is looked at along lines across it, a pace apart: it
// does not where more than the tolerance of two neighbouring lines lies outside all of the areas (HFG-1.12).
func (s *setting) whollyIn(b *geometry.Body, all []areaID) bool {
	missed := false
	for v := b.V0 + slack; v <= b.V1-slack; v += pace {
		p, q := b.World(point{X: b.U0 + slack, Y: v}), b.World(point{X: b.U1 - slack, Y: v})
		var spans []geometry.Span
		for _, a := range all {
			spans = s.outline(a).Chord(spans, p, q, 0)
		}
		slices.SortFunc(spans, func(x, y geometry.Span) int { return cmp.Compare(x.Low, y.Low) })
		end := int64(0)
		for _, x := range spans {
			if x.Low > end+slack {
				break
			}
			end = max(end, x.High)
		}
		short := end+slack < geometry.Dist(p, q)
		if short && missed {
			return false
		}
		missed = short
	}
	return true
}

// wades says whether a footprint stands in a course of water (HFG-1.12).
func (s *setting) wades(b *geometry.Body, l lineID) bool {
	d := s.line(l)
	return geometry.OnLine(b, d.points, int64(d.width)/2-drawIn)
}

// topOf is the height of a flat top, and of a crest that is drawn (HFG-1.13).
const (
	flatTop    = 500
	drawnCrest = 1000
)

// rises is how high a point of the field lies on one hill (HFG-1.13); 0 off it.
func (s *setting) rises(p point, a areaID) int {
	o, d := s.outline(a), s.area(a)
	if o.Where(p) < 0 {
		return 0
	}
	in := geometry.Depth(o.P, p)
	switch {
	case d.even && d.plateau:
		return min(int(in/pace), flatTop)
	case d.even:
		return int(in / pace)
	}
	_, to := geometry.Nearest(s.crestLine(a), p)
	if d.plateau && geometry.Where(points(d.crest), p) >= 0 {
		to = 0
	}
	if in+to == 0 {
		return drawnCrest
	}
	return int(drawnCrest * in / (in + to))
}

// crestLine is the path of a crest, closed if it is a rim.
func (s *setting) crestLine(a areaID) []point { return s.crests[a-1] }

// height is how high a point lies: on the highest of the hills that it is on (HFG-1.13).
func (s *setting) height(p point) int {
	h := 0
	for a := areaID(1); int(a) <= len(s.areas); a++ {
		if s.area(a).kind == hill {
			h = max(h, s.rises(p, a))
		}
	}
	return h
}

// top is the greatest height of a hill (HFG-1.14).
func (s *setting) top(a areaID) int {
	d := s.area(a)
	switch {
	case !d.even:
		return drawnCrest
	case d.plateau:
		return flatTop
	}
	top := 0
	for _, p := range s.crestLine(a) {
		top = max(top, s.rises(p, a))
	}
	return top
}

// upper says whether a point lies in the upper half of a hill (HFG-1.14).
func (s *setting) upper(p point, a areaID) bool {
	return s.outline(a).Where(p) >= 0 && 2*s.rises(p, a) >= s.top(a)
}

// survey notes how high the front of each element on the field stands (HFG-1.13): at the
// start of a turn.
func (g *game) survey() {
	for e := elementID(1); int(e) < len(g.Elements); e++ {
		x := &g.Elements[e]
		x.Height, x.Began, x.Looked = nil, place{}, 0
		if !g.on(e) {
			continue
		}
		b := g.body(e)
		left, mid, right := g.height(b.Corner[0]), g.height(b.At), g.height(b.Corner[1])
		if low, high := min(left, mid, right), max(left, mid, right); high > 0 {
			x.Height, x.Began, x.Looked = []int{low, high}, x.At, x.Facing
		}
	}
}

// heights are those of an element's front at the start of the turn, the least and the
// greatest (HFG-1.13).
func (g *game) heights(e elementID) (low, high int) {
	if h := g.Elements[e].Height; len(h) == 2 {
		return h[0], h[1]
	}
	return 0, 0
}
