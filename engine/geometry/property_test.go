package geometry

import (
	"math"
	"math/big"
	"slices"
	"testing"
)

// True geometry, for what may differ from it by a bound: the tests alone use floats.
type spot struct{ x, y float64 }

func truly(p Piece) (c [4]spot) {
	s, o := math.Sincos(float64(p.Heading) * math.Pi / 180)
	for i, q := range p.corners() {
		u, v := float64(q.X), float64(q.Y)
		c[i] = spot{float64(p.At.X) + u*o + v*s, float64(p.At.Y) + v*o - u*s}
	}
	return c
}

func (s spot) in(f Frame) spot {
	sine, cosine := math.Sincos(float64(f.Heading) * math.Pi / 180)
	dx, dy := s.x-float64(f.At.X), s.y-float64(f.At.Y)
	return spot{dx*cosine - dy*sine, dx*sine + dy*cosine}
}

func trueGap(a, b Piece) float64 {
	one := func(a, b Piece) float64 {
		c := truly(b)
		lo, hi := c[0].in(a.Frame), c[0].in(a.Frame)
		for _, s := range c[1:] {
			l := s.in(a.Frame)
			lo, hi = spot{min(lo.x, l.x), min(lo.y, l.y)}, spot{max(hi.x, l.x), max(hi.y, l.y)}
		}
		return max(lo.x-float64(a.U1), float64(a.U0)-hi.x, lo.y-float64(a.V1), float64(a.V0)-hi.y)
	}
	return max(one(a, b), one(b, a))
}

// clip cuts a polygon down to what lies at or below a bound on one coordinate.
func clip(p []spot, of func(spot) float64, bound float64, below bool) (out []spot) {
	inside := func(s spot) bool { return (of(s) <= bound) == below || of(s) == bound }
	for i, a := range p {
		b := p[(i+1)%len(p)]
		if inside(a) {
			out = append(out, a)
		}
		if inside(a) != inside(b) {
			t := (bound - of(a)) / (of(b) - of(a))
			out = append(out, spot{a.x + t*(b.x-a.x), a.y + t*(b.y-a.y)})
		}
	}
	return out
}

// trueContact gives the length of what a body has in common with a strip; -1 for
// nothing.
func trueContact(a, b Piece, side Flank, t int64) float64 {
	var p []spot
	for _, c := range truly(b) {
		p = append(p, c.in(a.Frame))
	}
	s := a.strip(side, t)
	x, y := func(s spot) float64 { return s.x }, func(s spot) float64 { return s.y }
	p = clip(clip(p, x, float64(s.U0), false), x, float64(s.U1), true)
	p = clip(clip(p, y, float64(s.V0), false), y, float64(s.V1), true)
	if len(p) == 0 {
		return -1
	}
	along := x
	if side == Left || side == Right {
		along = y
	}
	lo, hi := along(p[0]), along(p[0])
	for _, s := range p {
		lo, hi = min(lo, along(s)), max(hi, along(s))
	}
	return hi - lo
}

func TestGapAndContactAreTrue(t *testing.T) {
	var worst, worstContact float64
	many(t, 1, func(m maker) {
		a, b := m.pair()
		d := math.Abs(float64(Gap(&a, &b)) - trueGap(a.Piece, b.Piece))
		if worst = max(worst, d); d > 2 {
			t.Errorf("the gap of %v and %v is off by %g", a.Piece, b.Piece, d)
		}
		side := Flank(m.IntN(4))
		tolerance := m.of(100, 500)
		got, want := Contact(&a, &b, side, tolerance), trueContact(a.Piece, b.Piece, side, tolerance)
		if got < 0 || want < 0 {
			// A touch may come or go with a unit; then what there is is next to nothing,
			// or there is none once the strip is some units narrower.
			if got >= 0 && trueContact(a.Piece, b.Piece, side, tolerance+3) < 0 && got > 2 ||
				want >= 0 && trueContact(a.Piece, b.Piece, side, tolerance-3) >= 0 && want > 2 && !grazes(a.Piece, b.Piece, side, tolerance) {
				t.Errorf("the contact of %v and %v is %d, should be %g", a.Piece, b.Piece, got, want)
			}
			return
		}
		// Along an edge that is nearly parallel to the strip a unit across is many along.
		if d := math.Abs(float64(got) - want); d > 3 {
			lo := trueContact(a.Piece, b.Piece, side, tolerance-3)
			hi := trueContact(a.Piece, b.Piece, side, tolerance+3)
			if float64(got) < lo-3 || float64(got) > hi+3 {
				t.Errorf("the contact of %v and %v is %d, should be %g", a.Piece, b.Piece, got, want)
			}
		} else {
			worstContact = max(worstContact, d)
		}
	})
	t.Logf("gap within %.2f, contact within %.2f", worst, worstContact)
}

// grazes says whether a touch lies within some units of the strip's ends.
func grazes(a, b Piece, side Flank, t int64) bool {
	narrow := a
	if side == Front || side == Rear {
		narrow.U0, narrow.U1 = a.U0+3, a.U1-3
	} else {
		narrow.V0, narrow.V1 = a.V0+3, a.V1-3
	}
	return trueContact(narrow, b, side, t-3) < 0
}

func TestFramesTurnBack(t *testing.T) {
	near := func(what string, a, b Point, most int64) {
		t.Helper()
		if abs(a.X-b.X) > most || abs(a.Y-b.Y) > most {
			t.Errorf("%s: %v, should be %v", what, a, b)
		}
	}
	many(t, 1, func(m maker) {
		f, p := m.frame(), m.near()
		near("there and back", f.World(f.Local(p)), p, 1)
		b := m.body()
		near("about-face twice", b.AboutFace().AboutFace().At, b.At, 1)
		about := NewBody(b.AboutFace())
		for i := range about.Corner {
			near("a corner after an about-face", about.Corner[i], b.Corner[(i+2)%4], 2)
		}
		d := m.near()
		shifted, made := b.Shifted(d), b
		made.At = made.At.Plus(d)
		same(t, "a shifted body", shifted, NewBody(made.Piece))
	})
}

func TestConformedCornersMeet(t *testing.T) {
	for h := Heading(0); h < 360; h++ {
		e := NewBody(Piece{Frame{Point{200_000, 200_000}, h}, Box{-20_000, -20_000, 20_000, 0}})
		mine := func(at Point, turn int) Body {
			return NewBody(Piece{Frame{e.World(at), h.Plus(turn)}, e.Box})
		}
		for _, v := range []struct {
			b            Body
			left, right2 int // my front corners' numbers of his
		}{
			{mine(Point{0, 0}, 180), 1, 0},
			{mine(Point{e.U0, e.U0}, 90), 0, -1},
			{mine(Point{e.U1, e.U0}, -90), -1, 1},
			{mine(Point{0, e.V0}, 0), 3, 2},
		} {
			for i, his := range []int{v.left, v.right2} {
				if his < 0 {
					continue
				}
				mine, his := v.b.Corner[i], e.Corner[his]
				if abs(mine.X-his.X) > 2 || abs(mine.Y-his.Y) > 2 {
					t.Errorf("at %d a front corner lies at %v, his at %v", h, mine, his)
				}
			}
		}
	}
}

func TestPairsAreSymmetric(t *testing.T) {
	many(t, 1, func(m maker) {
		a, b := m.pair()
		same(t, "the gap from the other side", Gap(&b, &a), Gap(&a, &b))
		f, g := Figure{a.Corner[:], true}, Figure{b.Corner[:], true}
		if m.IntN(3) == 0 {
			g = Figure{P: []Point{m.near(), m.near()}}
		}
		same(t, "the distance from the other side", Distance(g, f), Distance(f, g))
		same(t, "the distance of a point", Distance(f, Figure{P: []Point{a.Corner[0]}}), 0)
		for _, margin := range []int64{-100, 0, 100, 500, 30_000} {
			same(t, "whether they are apart", Apart(&a, &b, margin), Gap(&a, &b) >= margin)
		}
	})
}

// mirror turns west into east; heading h becomes -h, left becomes right.
type mirror struct{ by int } // 0: a mirror, 1 to 3: quarter turns

func (x mirror) point(p Point) Point {
	switch x.by {
	case 0:
		return Point{-p.X, p.Y}
	case 1:
		return Point{p.Y, -p.X}
	case 2:
		return Point{-p.X, -p.Y}
	}
	return Point{-p.Y, p.X}
}

func (x mirror) points(p []Point) []Point {
	out := make([]Point, len(p))
	for i := range p {
		out[i] = x.point(p[i])
	}
	return out
}

func (x mirror) frame(f Frame) Frame {
	f.At = x.point(f.At)
	if x.by == 0 {
		f.Heading = Heading(0).Plus(-int(f.Heading))
	} else {
		f.Heading = f.Heading.Plus(90 * x.by)
	}
	return f
}

func (x mirror) body(b Body) Body {
	b.Frame = x.frame(b.Frame)
	if x.by == 0 {
		b.U0, b.U1 = -b.U1, -b.U0
	}
	return NewBody(b.Piece)
}

func (x mirror) side(s Flank) Flank {
	if x.by == 0 && (s == Left || s == Right) {
		return Left + Right - s
	}
	return s
}

func TestMirrorsAndQuarterTurnsChangeNothing(t *testing.T) {
	many(t, 1, func(m maker) {
		x := mirror{m.IntN(4)}
		a, b := m.pair()
		c, d := x.body(a), x.body(b)
		same(t, "the gap", Gap(&c, &d), Gap(&a, &b))
		side := Flank(m.IntN(4))
		same(t, "the contact", Contact(&c, &d, x.side(side), 500), Contact(&a, &b, side, 500))
		same(t, "the distance", Distance(Figure{c.Corner[:], true}, Figure{d.Corner[:], true}),
			Distance(Figure{a.Corner[:], true}, Figure{b.Corner[:], true}))
		size := m.of(400, 60_000)
		p := m.polygon(a.At.Plus(Point{m.number(size), m.number(size)}), size)
		area, other := NewArea(p), NewArea(x.points(p))
		draw := m.of(0, 101, 100, -500)
		same(t, "on", On(&c, &other, draw), On(&a, &area, draw))
		same(t, "in", Holds(&other, &c, draw), Holds(&area, &a, draw))
		same(t, "on a line", OnLine(&c, other.P, 2000), OnLine(&a, area.P, 2000))
		q, r := m.about(p, size), m.about(p, size)
		same(t, "where", other.Where(x.point(q)), area.Where(q))
		same(t, "depth", Depth(other.P, x.point(q)), Depth(p, q))
		if got, want := other.Chord(nil, x.point(q), x.point(r), 100), area.Chord(nil, q, r, 100); !slices.Equal(got, want) {
			t.Errorf("the chord of %v from %v to %v is %v, in a mirror %v", p, q, r, want, got)
		}
		same(t, "a step", Step(x.frame(a.Frame).Heading, draw), x.point(Step(a.Heading, draw)))
		if q != r {
			along, across := Leg(q, r, a.At)
			along2, across2 := Leg(x.point(q), x.point(r), c.At)
			if x.by == 0 {
				across2 = -across2
			}
			same(t, "a leg", [2]int64{along2, across2}, [2]int64{along, across})
			want := x.frame(Frame{Heading: Toward(q, r)}).Heading
			same(t, "a bearing", Toward(x.point(q), x.point(r)), want)
			same(t, "along", Along([]Point{x.point(q), x.point(r)}, 77), x.point(Along([]Point{q, r}, 77)))
		}
		u, v := m.number(size), m.number(size)
		far, ok := a.Ray(u, v, Figure{p, true})
		if x.by == 0 {
			u = -u
		}
		far2, ok2 := c.Ray(u, v, Figure{other.P, true})
		same(t, "a ray", [2]any{far2, ok2}, [2]any{far, ok})
		pivot := m.near()
		by := m.IntN(181) - 90
		turned := x.frame(a.Turned(pivot, by))
		if x.by == 0 {
			by = -by
		}
		same(t, "a turn", c.Turned(x.point(pivot), by), turned)
	})
}

func TestDrawnInIsMonotone(t *testing.T) {
	many(t, 1, func(m maker) {
		b := m.body()
		size := m.of(400, 60_000)
		area := NewArea(m.polygon(b.At.Plus(Point{m.number(size), m.number(size)}), size))
		less := m.Int64N(400) - 200
		more := less + m.Int64N(50)
		if !On(&b, &area, less) && On(&b, &area, more) {
			t.Errorf("%v is on %v drawn in by %d, but not by %d", b.Piece, area.P, more, less)
		}
		if !b.In(more+1).Empty() && Holds(&area, &b, less) && !Holds(&area, &b, more) {
			t.Errorf("%v is in %v drawn in by %d, but not by %d", b.Piece, area.P, less, more)
		}
	})
}

func TestAStepKeepsABlockAndATurnNearly(t *testing.T) {
	many(t, 4, func(m maker) {
		f := m.frame()
		var block []Body
		for i := range int64(10) {
			block = append(block, NewBody(Piece{Frame{f.World(Point{i % 5 * 30_000, -i / 5 * 30_000}), f.Heading}, Box{-15_000, -15_000, 15_000, 15_000}}))
		}
		d, by := Step(m.heading(), m.Int64N(500_000)), m.IntN(181)-90
		pivot := block[m.IntN(len(block))].Corner[m.IntN(2)]
		for i := range block {
			for j := range i {
				a, b := block[i], block[j]
				before := Gap(&a, &b)
				c, d2 := a.Shifted(d), b.Shifted(d)
				same(t, "a gap after a step", Gap(&c, &d2), before)
				a.Frame, b.Frame = a.Turned(pivot, by), b.Turned(pivot, by)
				a, b = NewBody(a.Piece), NewBody(b.Piece)
				if after := Gap(&a, &b); abs(after-before) > 3 {
					t.Errorf("a turn changes a gap from %d to %d", before, after)
				}
			}
		}
	})
}

// trueChord gives how much of a segment lies inside a polygon, from exact cuts: for
// sure, and at most, where the middle of a stretch lies within 2 of the outline.
func trueChord(p []Point, a, b Point) (sure, most float64) {
	length := math.Sqrt(float64(Dist2(a, b)))
	cuts := []*big.Rat{rat(0), rat(1)}
	for i, c := range p {
		d := p[(i+1)%len(p)]
		den := cross(a, b, c, d)
		if den == 0 {
			continue
		}
		at := quotient(cross(a, c, c, d), den)
		other := quotient(cross(a, c, a, b), den)
		if at.Sign() >= 0 && at.Cmp(rat(1)) <= 0 && other.Sign() >= 0 && other.Cmp(rat(1)) <= 0 {
			cuts = append(cuts, at)
		}
	}
	slices.SortFunc(cuts, func(x, y *big.Rat) int { return x.Cmp(y) })
	for i, hi := range cuts[1:] {
		lo := cuts[i]
		if lo.Cmp(hi) == 0 {
			continue
		}
		k := new(big.Rat).Add(lo, hi)
		k.Quo(k, rat(2))
		if !insideExactly(p, a, b, k) {
			continue
		}
		width, _ := new(big.Rat).Sub(hi, lo).Float64()
		most += width * length
		share, _ := k.Float64()
		middle := spot{float64(a.X) + share*float64(b.X-a.X), float64(a.Y) + share*float64(b.Y-a.Y)}
		if width*length > 3 && trueDepth(p, middle) > 2 {
			sure += width * length
		}
	}
	return sure, most
}

// trueDepth gives the distance of a place from a polygon's outline.
func trueDepth(p []Point, at spot) float64 {
	least := math.Inf(1)
	for i, c := range p {
		d := p[(i+1)%len(p)]
		dx, dy := float64(d.X-c.X), float64(d.Y-c.Y)
		t := ((at.x-float64(c.X))*dx + (at.y-float64(c.Y))*dy) / (dx*dx + dy*dy)
		t = min(max(t, 0), 1)
		least = min(least, math.Hypot(at.x-float64(c.X)-t*dx, at.y-float64(c.Y)-t*dy))
	}
	return least
}

// insideExactly says whether the point k of the way from a to b lies in a polygon and
// not on its outline.
func insideExactly(p []Point, a, b Point, k *big.Rat) bool {
	x := new(big.Rat).Add(rat(a.X), new(big.Rat).Mul(k, rat(b.X-a.X)))
	y := new(big.Rat).Add(rat(a.Y), new(big.Rat).Mul(k, rat(b.Y-a.Y)))
	odd := false
	for i, c := range p {
		d := p[(i+1)%len(p)]
		above, above2 := rat(c.Y).Cmp(y) > 0, rat(d.Y).Cmp(y) > 0
		// the cross product of the edge and the way to the point
		s := new(big.Rat).Mul(rat(d.X-c.X), new(big.Rat).Sub(y, rat(c.Y)))
		s.Sub(s, new(big.Rat).Mul(rat(d.Y-c.Y), new(big.Rat).Sub(x, rat(c.X))))
		if s.Sign() == 0 && between(rat(c.X), x, rat(d.X)) && between(rat(c.Y), y, rat(d.Y)) {
			return false
		}
		if above != above2 && above2 == (s.Sign() > 0) {
			odd = !odd
		}
	}
	return odd
}

func between(a, x, b *big.Rat) bool { return a.Cmp(x)*x.Cmp(b) >= 0 }

func TestChordIsTrue(t *testing.T) {
	var worst float64
	many(t, 8, func(m maker) {
		size := m.of(60_000, 500_000)
		p := m.polygon(m.near(), size)
		area := NewArea(p)
		a, b := m.about(p, size), m.about(p, size)
		sum := int64(0)
		for _, s := range area.Chord(nil, a, b, 0) {
			sum += s.High - s.Low
		}
		// What lies within a unit of the outline all along counts as outside.
		sure, most := trueChord(p, a, b)
		d := max(sure-float64(sum), float64(sum)-most)
		if worst = max(worst, d); d > 3 {
			t.Errorf("%v inside %v from %v to %v, should be %g to %g", sum, p, a, b, sure, most)
		}
	})
	t.Logf("chords within %.2f", worst)
}

func TestPaths(t *testing.T) {
	path := []Point{{0, 0}, {100, 0}, {100, 50}}
	for n, want := range map[int64]Point{-5: {0, 0}, 0: {0, 0}, 40: {40, 0}, 100: {100, 0}, 130: {100, 30}, 150: {100, 50}, 999: {100, 50}} {
		same(t, "a point along", Along(path, n), want)
	}
	for _, v := range []struct {
		p        Point
		position int64
		distance int64
	}{{Point{40, 7}, 40, 7}, {Point{-3, 4}, 0, 5}, {Point{90, 10}, 90, 10}, {Point{120, 60}, 150, 22}} {
		position, distance := Nearest(path, v.p)
		same(t, "the nearest place", [2]int64{position, distance}, [2]int64{v.position, v.distance})
	}
	many(t, 2, func(m maker) {
		p := m.polygon(m.near(), 60_000)
		at := m.about(p, 60_000)
		position, distance := Nearest(p, at)
		if d := Dist(Along(p, position), at); abs(d-distance) > 2 {
			t.Errorf("the place %d along %v is %d from %v, should be %d", position, p, d, at, distance)
		}
	})
}

func TestPolygonsAndPaths(t *testing.T) {
	for _, v := range []struct {
		p    []Point
		flaw Flaw
		at   int
	}{
		{[]Point{{0, 0}, {9, 0}, {9, 9}, {0, 9}}, Sound, 0},
		{[]Point{{0, 9}, {9, 9}, {9, 0}, {0, 0}}, Sound, 0},
		{[]Point{{0, 0}, {9, 0}}, TooFew, 0},
		{[]Point{{0, 0}, {9, 0}, {9, 0}, {0, 9}}, Repeated, 2},
		{[]Point{{0, 0}, {9, 0}, {0, 9}, {0, 0}}, Repeated, 0},
		{[]Point{{0, 0}, {4, 0}, {9, 0}, {0, 9}}, Straight, 1},
		{[]Point{{0, 0}, {9, 0}, {4, 0}, {4, 9}}, Straight, 1},
		{[]Point{{0, 0}, {9, 9}, {9, 0}, {0, 9}}, Knotted, 2},
		{[]Point{{0, 0}, {8, 0}, {8, 8}, {4, 0}, {0, 8}}, Knotted, 2},
	} {
		flaw, at := Polygon(v.p)
		same(t, "the flaw", [2]int{int(flaw), at}, [2]int{int(v.flaw), v.at})
	}
	for _, v := range []struct {
		p    []Point
		flaw Flaw
		at   int
	}{{[]Point{{1, 1}}, TooFew, 0}, {[]Point{{1, 1}, {2, 2}, {2, 2}}, Repeated, 2}, {[]Point{{1, 1}, {2, 2}, {1, 1}}, Sound, 0}} {
		flaw, at := Path(v.p)
		same(t, "the flaw", [2]int{int(flaw), at}, [2]int{int(v.flaw), v.at})
	}
}

// What overflows does it at the corners of what is allowed.
func TestNothingOverflows(t *testing.T) {
	ends := []int64{-Limit, 0, Limit}
	var corners []Point
	for _, x := range ends {
		for _, y := range ends {
			corners = append(corners, Point{x, y})
		}
	}
	for _, a := range corners {
		for _, b := range corners {
			if a == b {
				continue
			}
			for _, c := range corners {
				// A cross and a dot product by numbers of any length.
				x := new(big.Int).Mul(big.NewInt(b.X-a.X), big.NewInt(c.Y-a.Y))
				x.Sub(x, new(big.Int).Mul(big.NewInt(b.Y-a.Y), big.NewInt(c.X-a.X)))
				is(t, "a cross product", cross(a, b, a, c), x)
				if d := DistSegment(c, a, b); d < 0 || d > 3*Limit {
					t.Errorf("the distance of %v from %v to %v is %d", c, a, b, d)
				}
				along, across := Leg(a, b, c)
				if abs(along) > 3*Limit || abs(across) > 3*Limit {
					t.Errorf("%v from %v to %v is %d along and %d across", c, a, b, along, across)
				}
			}
			for h := Heading(0); h < 360; h += 15 {
				f := Frame{a, h}
				if l := f.Local(b); abs(l.X) > 3*Limit || abs(l.Y) > 3*Limit {
					t.Errorf("%v from %v is %v", b, f, l)
				}
				if back := f.World(f.Local(b)); abs(back.X-b.X) > 1 || abs(back.Y-b.Y) > 1 {
					t.Errorf("%v from %v comes back as %v", b, f, back)
				}
			}
			if d := b.Minus(a); Toward(a, b) != Toward(Point{}, Point{sgn(d.X), sgn(d.Y)}) && (d.X == 0 || d.Y == 0 || abs(d.X) == abs(d.Y)) {
				t.Errorf("from %v to %v is %d", a, b, Toward(a, b))
			}
		}
	}
}

func sgn(n int64) int64 { return int64(sign(n)) }

// A browser's numbers are whole up to 2^53.
func TestABrowserCanDrawIt(t *testing.T) {
	for h := Heading(0); h < 360; h++ {
		if sum := Reach * (abs(Sine(h)) + abs(Cosine(h))); sum >= 1<<53 {
			t.Errorf("at %d a sum is %d", h, sum)
		}
	}
}
