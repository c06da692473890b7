package geometry

// A Box is a rectangle in a frame: u from U0 to U1, v from V0 to V1, outline
// included.
type Box struct{ U0, V0, U1, V1 int64 }

// In gives the box drawn in by n on all sides; a negative n widens it.
func (b Box) In(n int64) Box { return Box{b.U0 + n, b.V0 + n, b.U1 - n, b.V1 - n} }

// Empty says whether nothing is left of a box, after it was drawn in.
func (b Box) Empty() bool { return b.U0 > b.U1 || b.V0 > b.V1 }

// Has says whether a point of the frame lies in the box or on its outline.
func (b Box) Has(p Point) bool {
	return b.U0 <= p.X && p.X <= b.U1 && b.V0 <= p.Y && p.Y <= b.V1
}

// Middle gives the middle of the box.
func (b Box) Middle() Point { return Point{RDiv(b.U0+b.U1, 2), RDiv(b.V0+b.V1, 2)} }

// corners gives the corners in their order: front left, front right, rear right, rear
// left.
func (b Box) corners() [4]Point {
	return [4]Point{{b.U0, b.V1}, {b.U1, b.V1}, {b.U1, b.V0}, {b.U0, b.V0}}
}

// A Piece is a rectangle on the field. Where its point lies in the box is the
// ruleset's choice: the middle, or the middle of the front edge.
type Piece struct {
	Frame
	Box
}

// AboutFace gives the piece that looks the other way from where it lies. The
// rectangle stays, within 1 unit.
func (p Piece) AboutFace() Piece {
	p.At = p.World(Point{p.U0 + p.U1, p.V0 + p.V1})
	p.Heading = p.Heading.Plus(180)
	return p
}

// A Body is a piece with its corners and their bounds worked out. The corners stand
// in the order front left, front right, rear right, rear left. Whoever changes the
// piece makes the body anew, with [NewBody]; one that moves without a turn may be
// [Body.Shifted].
type Body struct {
	Piece
	Corner [4]Point
	Lo, Hi Point
}

// NewBody works out the corners of a piece.
func NewBody(p Piece) Body {
	b := Body{Piece: p}
	// The corners are those of World; what they share is multiplied once.
	s, c := Sine(p.Heading), Cosine(p.Heading)
	if s == 0 { // most stand so: the product is whole, and nothing is rounded
		q := p.Box
		if c < 0 {
			q = Box{-p.U0, -p.V0, -p.U1, -p.V1}
		}
		b.Corner = [4]Point{{p.At.X + q.U0, p.At.Y + q.V1}, {p.At.X + q.U1, p.At.Y + q.V1}, {p.At.X + q.U1, p.At.Y + q.V0}, {p.At.X + q.U0, p.At.Y + q.V0}}
		b.Lo = Point{p.At.X + min(q.U0, q.U1), p.At.Y + min(q.V0, q.V1)}
		b.Hi = Point{p.At.X + max(q.U0, q.U1), p.At.Y + max(q.V0, q.V1)}
		return b
	}
	leftC, leftS, rightC, rightS := p.U0*c, p.U0*s, p.U1*c, p.U1*s
	rearC, rearS, frontC, frontS := p.V0*c, p.V0*s, p.V1*c, p.V1*s
	b.Corner[0] = Point{p.At.X + rnd(leftC+frontS), p.At.Y + rnd(frontC-leftS)}
	b.Corner[1] = Point{p.At.X + rnd(rightC+frontS), p.At.Y + rnd(frontC-rightS)}
	b.Corner[2] = Point{p.At.X + rnd(rightC+rearS), p.At.Y + rnd(rearC-rightS)}
	b.Corner[3] = Point{p.At.X + rnd(leftC+rearS), p.At.Y + rnd(rearC-leftS)}
	b.Lo, b.Hi = Bounds(b.Corner[:])
	return b
}

// Shifted gives the body moved by a vector: its corners move by just that.
func (b Body) Shifted(d Point) Body {
	b.Shift(d)
	return b
}

// Shift moves the body itself by a vector, as [Body.Shifted] does.
func (b *Body) Shift(d Point) {
	b.At = b.At.Plus(d)
	for i := range b.Corner {
		b.Corner[i] = b.Corner[i].Plus(d)
	}
	b.Lo, b.Hi = b.Lo.Plus(d), b.Hi.Plus(d)
}

// Moved gives the way that a piece has made from one place to another: the greater
// of the distances of its two front corners.
func Moved(from, to *Body) int64 {
	return max(Dist(from.Corner[0], to.Corner[0]), Dist(from.Corner[1], to.Corner[1]))
}

// Gap says how two pieces stand to each other, measured along the sides of both. If it is
// positive, it parts the pieces on the axis of one of these sides; if it is negative, they
// overlap by at least that much on every such axis; if it is 0, they touch. They are in
// contact within t if the gap is at most t, and overlap by more than t if it is below -t.
// Between two corners a gap of t allows t on each axis, that is, up to 1.41 t as the crow
// flies: [Distance] gives the true distance.
func Gap(a, b *Body) int64 {
	return max(a.parted(b), b.parted(a))
}

// parted gives how far the corners of another body lie outside this one's sides, on
// the axis on which they do most.
func (b *Body) parted(other *Body) int64 {
	e := b.Extents(other.Corner[:])
	return max(e.U0-b.U1, b.U0-e.U1, e.V0-b.V1, b.V0-e.V1)
}

// Apart says whether the gap between two pieces is at least t, and does so at once if they
// are far from each other. If two rectangles are d apart, the gap is at least d / 1.42 on
// the axis of some side, and roundings take less than 8 from that. One body whose sides part
// them by so much is enough: the other's are not looked at.
func Apart(a, b *Body, t int64) bool {
	return far(a.Lo, a.Hi, b.Lo, b.Hi, 2*max(t, 0)+8) || a.parted(b) >= t || b.parted(a) >= t
}

// A Flank is a side of a rectangle. The order of the flanks is the order in which ties are
// settled.
type Flank int

// The sides of a rectangle.
const (
	Front Flank = iota
	Left
	Right
	Rear
)

// strip gives the strip of ±t about a side, between its ends.
func (b Box) strip(side Flank, t int64) Box {
	switch side {
	case Front:
		return Box{b.U0, b.V1 - t, b.U1, b.V1 + t}
	case Left:
		return Box{b.U0 - t, b.V0, b.U0 + t, b.V1}
	case Right:
		return Box{b.U1 - t, b.V0, b.U1 + t, b.V1}
	}
	return Box{b.U0, b.V0 - t, b.U1, b.V0 + t}
}

// Touch gives the bounds, in the frame of a, of what b has in common with the strip of
// ±t about a side of a, between the ends of that side. It is false if they have
// nothing in common.
func Touch(a, b *Body, side Flank, t int64) (Box, bool) {
	s := a.strip(side, t)
	var q [4]Point
	for i, c := range b.Corner {
		q[i] = a.Local(c)
	}
	var got bounds
	for _, p := range q {
		if s.Has(p) {
			got.add(p)
		}
	}
	for _, p := range s.corners() {
		if inQuad(&q, p) {
			got.add(p)
		}
	}
	for i, p := range q {
		r := q[(i+1)%4]
		for _, u := range [2]int64{s.U0, s.U1} {
			if v, ok := cutAt(p.X, p.Y, r.X, r.Y, u); ok && s.V0 <= v && v <= s.V1 {
				got.add(Point{u, v})
			}
		}
		for _, v := range [2]int64{s.V0, s.V1} {
			if u, ok := cutAt(p.Y, p.X, r.Y, r.X, v); ok && s.U0 <= u && u <= s.U1 {
				got.add(Point{u, v})
			}
		}
	}
	return got.box, got.any
}

// Contact gives the length along a side of a on which b lies within t of it; -1 if
// there is none, 0 where a corner meets the end of the side.
func Contact(a, b *Body, side Flank, t int64) int64 {
	e, ok := Touch(a, b, side, t)
	switch {
	case !ok:
		return -1
	case side == Front || side == Rear:
		return e.U1 - e.U0
	}
	return e.V1 - e.V0
}

// bounds grow round the points that are added.
type bounds struct {
	box Box
	any bool
}

func (b *bounds) add(p Point) {
	if !b.any {
		b.box, b.any = Box{p.X, p.Y, p.X, p.Y}, true
		return
	}
	b.box.U0, b.box.U1 = min(b.box.U0, p.X), max(b.box.U1, p.X)
	b.box.V0, b.box.V1 = min(b.box.V0, p.Y), max(b.box.V1, p.Y)
}

// cutAt gives the second coordinate at which the edge from (k1, p) to (k2, q) has the
// first coordinate k; false if it doesn't reach k, or runs along it.
func cutAt(k1, p, k2, q, k int64) (int64, bool) {
	dk := k2 - k1
	if dk == 0 || k < min(k1, k2) || k > max(k1, k2) {
		return 0, false
	}
	return RDiv(p*dk+(q-p)*(k-k1), dk), true
}

// inQuad says whether a point lies in or on a body's corners, which go round to the
// right.
func inQuad(q *[4]Point, p Point) bool {
	for i := range q {
		if Side(q[i], q[(i+1)%4], p) > 0 {
			return false
		}
	}
	return true
}
