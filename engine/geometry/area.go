package geometry

import "slices"

// An Area is a simple polygon with its bounds, outline included. [NewArea] makes one;
// [Polygon] says whether points are a simple polygon.
type Area struct {
	P      []Point
	Lo, Hi Point
}

// NewArea works out the bounds of a polygon.
func NewArea(polygon []Point) Area {
	lo, hi := Bounds(polygon)
	return Area{polygon, lo, hi}
}

// Where says where a point lies: 1 inside the area, 0 on its outline, -1 outside.
func (a *Area) Where(p Point) int {
	if p.X < a.Lo.X || p.X > a.Hi.X || p.Y < a.Lo.Y || p.Y > a.Hi.Y {
		return -1
	}
	return Where(a.P, p)
}

// Where says where a point lies: 1 inside a polygon, 0 on its outline, -1 outside. An
// edge counts if one of its ends lies higher than the point and the other doesn't; the
// point is inside if an odd number of such edges lies to its right.
func Where(polygon []Point, p Point) int {
	var w winding
	a := polygon[len(polygon)-1]
	for _, b := range polygon {
		w.edge(a, b, p)
		a = b
	}
	return w.where()
}

// winding follows an outline round one point, edge by edge.
type winding struct{ on, odd bool }

func (w *winding) edge(a, b, p Point) {
	if a.Y > p.Y && b.Y > p.Y || a.Y < p.Y && b.Y < p.Y {
		return
	}
	side := Side(a, b, p)
	if side == 0 {
		// On the edge's line, and by its height between its ends.
		if min(a.X, b.X) <= p.X && p.X <= max(a.X, b.X) {
			w.on = true
		}
		return
	}
	if up := b.Y > p.Y; up != (a.Y > p.Y) && up == (side > 0) {
		w.odd = !w.odd
	}
}

func (w *winding) where() int {
	switch {
	case w.on:
		return 0
	case w.odd:
		return 1
	}
	return -1
}

// MeetsBox says whether a segment in the box's frame has a point in the box or on its
// outline.
func MeetsBox(b Box, p, q Point) bool {
	if b.Has(p) || b.Has(q) {
		return true
	}
	if b.Empty() || max(p.X, q.X) < b.U0 || min(p.X, q.X) > b.U1 ||
		max(p.Y, q.Y) < b.V0 || min(p.Y, q.Y) > b.V1 {
		return false
	}
	var left, right bool
	for _, c := range b.corners() {
		switch Side(p, q, c) {
		case 1:
			left = true
		case -1:
			right = true
		default:
			return true
		}
	}
	return left && right
}

// On says whether a body, drawn in by draw on all sides, stands on an area: whether an
// edge of the area meets it, or its middle lies in the area. A negative draw widens the
// body.
func On(b *Body, a *Area, draw int64) bool {
	if far(b.Lo, b.Hi, a.Lo, a.Hi, 2*max(-draw, 0)+8) {
		return false
	}
	box, middle := b.In(draw), b.Middle()
	var w winding
	p := b.Local(a.P[len(a.P)-1])
	for _, corner := range a.P {
		q := b.Local(corner)
		if MeetsBox(box, p, q) {
			return true
		}
		w.edge(p, q, middle)
		p = q
	}
	return w.where() >= 0
}

// Holds says whether an area wholly holds a body, drawn in by draw on all sides: whether
// the body's corners lie in the area or on the outline, and no edge of the area meets the
// body when it is drawn in by 1 more. If nothing is left of the body, the area does not
// hold it.
func Holds(a *Area, b *Body, draw int64) bool {
	box := b.In(draw)
	inner := box.In(1)
	if inner.Empty() || far(b.Lo, b.Hi, a.Lo, a.Hi, 2*max(-draw, 0)+8) {
		return false
	}
	corners := box.corners()
	var w [4]winding
	p := b.Local(a.P[len(a.P)-1])
	for _, corner := range a.P {
		q := b.Local(corner)
		if MeetsBox(inner, p, q) {
			return false
		}
		for i := range w {
			w[i].edge(p, q, corners[i])
		}
		p = q
	}
	return w[0].where() >= 0 && w[1].where() >= 0 && w[2].where() >= 0 && w[3].where() >= 0
}

// OnLine says whether a path meets a body that is widened by grow on all sides.
func OnLine(b *Body, path []Point, grow int64) bool {
	box, near := b.In(-grow), 2*max(grow, 0)+8
	for i, to := range path[1:] {
		from := path[i]
		lo, hi := Point{min(from.X, to.X), min(from.Y, to.Y)}, Point{max(from.X, to.X), max(from.Y, to.Y)}
		if !far(b.Lo, b.Hi, lo, hi, near) && MeetsBox(box, b.Local(from), b.Local(to)) {
			return true
		}
	}
	return false
}

// Depth gives the distance from a point to the outline of a polygon.
func Depth(polygon []Point, p Point) int64 {
	a := polygon[len(polygon)-1]
	least := int64(-1)
	for _, b := range polygon {
		if d := DistSegment(p, a, b); least < 0 || d < least {
			least = d
		}
		a = b
	}
	return least
}

// A Span is a run of whole numbers, both ends included.
type Span struct{ Low, High int64 }

// fewCuts is how many cuts of a line through an outline are kept without an allocation.
const fewCuts = 32

// Chord appends to spans the stretches of the line from p to q that lie inside the
// area, in order, each as its distances from p, and gives the longer slice. What runs
// along the outline, or through a corner only, is not inside. Stretches of at most
// least are left out.
func (a *Area) Chord(spans []Span, p, q Point, least int64) []Span {
	length := Dist(p, q)
	if length == 0 || max(p.X, q.X) < a.Lo.X || min(p.X, q.X) > a.Hi.X ||
		max(p.Y, q.Y) < a.Lo.Y || min(p.Y, q.Y) > a.Hi.Y {
		return spans
	}
	var kept [fewCuts]int64
	cuts, through := a.cuts(kept[:0], p, q, length)
	if !through {
		return spans
	}
	slices.Sort(cuts)
	first := len(spans)
	for i, high := range cuts[1:] {
		low := cuts[i]
		if high-low < 2 || !a.holdsMiddle(p, q, low, high, length) {
			continue
		}
		// Rounding may part two cuts in one corner: that divides no stretch.
		if n := len(spans); n > first && low-spans[n-1].High < 2 {
			spans[n-1].High = high
		} else {
			spans = append(spans, Span{low, high})
		}
	}
	kept2 := spans[:first]
	for _, s := range spans[first:] {
		if s.High-s.Low > least {
			kept2 = append(kept2, s)
		}
	}
	return kept2
}

// cuts appends the ends of a segment of the given length, and the places where the outline
// cuts the segment, unsorted. It is false if all corners lie on one side of the segment's
// line or on that line, so that nothing of the segment is inside.
func (a *Area) cuts(cuts []int64, p, q Point, length int64) ([]int64, bool) {
	cuts = append(cuts, 0, length)
	var left, right bool
	c := a.P[len(a.P)-1]
	sideC := Side(p, q, c)
	for _, d := range a.P {
		sideD := Side(p, q, d)
		left, right = left || sideD > 0, right || sideD < 0
		if sideC*sideD <= 0 {
			if den := cross(p, q, c, d); den != 0 {
				num := cross(p, c, c, d)
				if den < 0 {
					num, den = -num, -den
				}
				if 0 <= num && num <= den {
					cut, _ := MulDiv(length, num, den)
					cuts = append(cuts, cut)
				}
			}
		}
		c, sideC = d, sideD
	}
	return cuts, left && right
}

// holdsMiddle says whether the middle of a stretch of a segment lies in the area and
// more than 1 from its outline.
func (a *Area) holdsMiddle(p, q Point, low, high, length int64) bool {
	k := (low + high) / 2
	m := p.Plus(Point{RDiv((q.X-p.X)*k, length), RDiv((q.Y-p.Y)*k, length)})
	return Where(a.P, m) == 1 && Depth(a.P, m) > 1
}
