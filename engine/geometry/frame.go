package geometry

// A Point is a place on the field, X to the east and Y to the north. In a frame X is
// u, to the right, and Y is v, ahead.
type Point struct{ X, Y int64 }

// Plus adds a vector.
func (p Point) Plus(d Point) Point { return Point{p.X + d.X, p.Y + d.Y} }

// Minus gives the vector from q to p.
func (p Point) Minus(q Point) Point { return Point{p.X - q.X, p.Y - q.Y} }

// A Frame is a place to look from: what is ahead of it, and what is to its right.
type Frame struct {
	At      Point
	Heading Heading
}

// Local gives a point of the field as the frame sees it.
func (f Frame) Local(p Point) Point {
	s, c := Sine(f.Heading), Cosine(f.Heading)
	dx, dy := p.X-f.At.X, p.Y-f.At.Y
	return Point{rnd(dx*c - dy*s), rnd(dx*s + dy*c)}
}

// World gives the point of the field that the frame sees as p.
func (f Frame) World(p Point) Point {
	s, c := Sine(f.Heading), Cosine(f.Heading)
	return Point{f.At.X + rnd(p.X*c+p.Y*s), f.At.Y + rnd(p.Y*c-p.X*s)}
}

// Step gives the vector that leads n ahead. A block of pieces that moves together
// adds one vector to all its points, so no gap within it changes.
func Step(h Heading, n int64) Point {
	return Point{rnd(n * Sine(h)), rnd(n * Cosine(h))}
}

// Toward gives the heading from a to b, to the nearest whole degree; 0 if they are
// the same point.
func Toward(a, b Point) Heading {
	d := b.Minus(a)
	if d == (Point{}) {
		return 0
	}
	// Turned left by quarters, the vector comes to lie between north and east.
	turned := 0
	for d.X < 0 || d.Y <= 0 {
		d = Point{-d.Y, d.X}
		turned += 90
	}
	// As the heading grows, the vector lies less and less far to the left of it.
	right := func(h int) int64 { return sines[h]*d.Y - sines[h+90]*d.X }
	low, high := 0, 90
	for high-low > 1 {
		if m := (low + high) / 2; right(m) <= 0 {
			low = m
		} else {
			high = m
		}
	}
	if right(high) < -right(low) {
		low = high
	}
	return Heading(0).Plus(low + turned)
}

// Turned gives the frame after a turn by degrees about a pivot on the field. Pieces
// of a block that share their heading keep their places within it.
func (f Frame) Turned(pivot Point, by int) Frame {
	from := Frame{pivot, f.Heading}
	to := Frame{pivot, f.Heading.Plus(by)}
	return Frame{to.World(from.Local(f.At)), to.Heading}
}

// Extents gives the bounds of points as the frame sees them; there is at least one.
func (f Frame) Extents(points []Point) Box {
	// Each point is as Local has it; what is rounded keeps its order, so the bounds alone need be rounded.
	s, c := Sine(f.Heading), Cosine(f.Heading)
	var b Box
	for i, p := range points {
		dx, dy := p.X-f.At.X, p.Y-f.At.Y
		u, v := dx*c-dy*s, dx*s+dy*c
		if i == 0 {
			b = Box{u, v, u, v}
			continue
		}
		b.U0, b.U1 = min(b.U0, u), max(b.U1, u)
		b.V0, b.V1 = min(b.V0, v), max(b.V1, v)
	}
	return Box{rnd(b.U0), rnd(b.V0), rnd(b.U1), rnd(b.V1)}
}

// Bounds gives the least and the greatest coordinates of points; there is at least
// one.
func Bounds(points []Point) (lo, hi Point) {
	lo, hi = points[0], points[0]
	for _, p := range points[1:] {
		lo.X, hi.X = min(lo.X, p.X), max(hi.X, p.X)
		lo.Y, hi.Y = min(lo.Y, p.Y), max(hi.Y, p.Y)
	}
	return lo, hi
}

// far says whether two pairs of bounds are more than by apart on one axis.
func far(lo, hi, lo2, hi2 Point, by int64) bool {
	return lo2.X-hi.X > by || lo.X-hi2.X > by || lo2.Y-hi.Y > by || lo.Y-hi2.Y > by
}
