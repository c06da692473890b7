package geometry

import (
	"math/big"
	"testing"
)

// The reference computes with numbers of any length, by other ways where there are any.

func bigs(n ...int64) []*big.Int {
	out := make([]*big.Int, len(n))
	for i, x := range n {
		out[i] = big.NewInt(x)
	}
	return out
}

// nearest rounds a fraction to the nearest whole number, halves away from zero.
func nearest(r *big.Rat) *big.Int {
	twice := new(big.Rat).Abs(r)
	twice.Mul(twice, big.NewRat(2, 1)).Add(twice, big.NewRat(1, 1))
	q := new(big.Int).Quo(twice.Num(), new(big.Int).Mul(twice.Denom(), big.NewInt(2)))
	if r.Sign() < 0 {
		q.Neg(q)
	}
	return q
}

func rat(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }

func quotient(n, d int64) *big.Rat { return new(big.Rat).SetFrac(big.NewInt(n), big.NewInt(d)) }

// nearestRoot gives n over the root of square to the nearest whole number: the greatest
// r with (2r - 1)² square <= 4 n².
func nearestRoot(n, square int64) *big.Int {
	v := new(big.Int).Mul(big.NewInt(n), big.NewInt(n))
	v.Mul(v, big.NewInt(4)).Quo(v, big.NewInt(square))
	r := new(big.Int).Sqrt(v) // 2 |n| / root(square), rounded down
	r.Add(r, big.NewInt(1)).Rsh(r, 1)
	if n < 0 {
		r.Neg(r)
	}
	return r
}

func is(t *testing.T, what string, got int64, want *big.Int, from ...any) {
	t.Helper()
	if !want.IsInt64() || want.Int64() != got {
		t.Errorf("%s is %d, should be %s, of %v", what, got, want, from)
	}
}

func TestNumbersAgainstTheReference(t *testing.T) {
	many(t, 1, func(m maker) {
		n, d := m.number(6_000_000_000_000_000), m.number(1_800_000_000_000)
		if m.IntN(3) == 0 {
			n = n/Unit*Unit + m.of(Unit/2, -Unit/2, Unit/2-1, 1-Unit/2)
		}
		is(t, "rnd", rnd(n), nearest(quotient(n, Unit)), n)
		if d == 0 {
			d = 1
		}
		is(t, "RDiv", RDiv(n, d), nearest(quotient(n, d)), n, d)
		if d > 0 {
			is(t, "CeilDiv", CeilDiv(n, d), new(big.Int).Neg(new(big.Int).Div(big.NewInt(-n), big.NewInt(d))), n, d)
		}
		a, c := m.number(2*Limit), m.number(2_000_000_000_000_000_000)
		if c == 0 {
			c = -1
		}
		b := m.number(2_000_000_000_000_000_000)
		exact := nearest(new(big.Rat).Mul(quotient(b, c), rat(a)))
		if got, ok := MulDiv(a, b, c); ok {
			is(t, "MulDiv", got, exact, a, b, c)
		} else if exact.CmpAbs(new(big.Int).Lsh(big.NewInt(1), 62)) < 0 {
			t.Errorf("MulDiv of %d, %d, %d gives nothing", a, b, c)
		}
	})
}

func TestRootsAgainstTheReference(t *testing.T) {
	many(t, 1, func(m maker) {
		n := m.number(1 << 61)
		if n < 0 {
			n = -n
		}
		if m.IntN(2) == 0 { // a square, or beside one, or beside the middle between two
			r := m.Int64N(1_400_000_000)
			n = max(r*r+m.of(0, -1, 1, r, r+1), 0)
		}
		got := Isqrt(uint64(n))
		is(t, "Isqrt", int64(got), new(big.Int).Sqrt(big.NewInt(n)), n)
		is(t, "Root", Root(n), nearestRoot(n, max(n, 1)), n)
		b, c := m.point(2*Limit/3), m.point(2*Limit/3)
		d := m.point(2 * Limit / 3)
		if square := Dist2(b, c); square > 0 {
			k := cross(b, c, b, d)
			is(t, "DivRoot", DivRoot(k, square), nearestRoot(k, square), k, square)
		}
	})
	for r := uint64(1); r < 5000; r++ { // where the first guess is coarsest
		same(t, "a square", Isqrt(r*r), r)
		same(t, "below a square", Isqrt(r*r-1), r-1)
	}
	for b := 13; b <= 32; b++ { // where the number of bits changes
		for r := uint64(1)<<b - 3; r <= 1<<b+3 && r < 1<<32; r++ {
			same(t, "a square", Isqrt(r*r), r)
			same(t, "below a square", Isqrt(r*r-1), r-1)
		}
	}
	same(t, "the greatest root", Isqrt(1<<64-1), uint64(1<<32-1))
	same(t, "the root of nothing", Isqrt(0), uint64(0))
}

func TestFramesAgainstTheReference(t *testing.T) {
	sum := func(a, b, c, d int64) *big.Int {
		x := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
		x.Add(x, new(big.Int).Mul(big.NewInt(c), big.NewInt(d)))
		return nearest(new(big.Rat).SetFrac(x, big.NewInt(Unit)))
	}
	many(t, 1, func(m maker) {
		f := Frame{m.point(Limit), m.heading()}
		p := m.point(Limit)
		s, c := Sine(f.Heading), Cosine(f.Heading)
		l := f.Local(p)
		dx, dy := p.X-f.At.X, p.Y-f.At.Y
		is(t, "u", l.X, sum(dx, c, dy, -s), f, p)
		is(t, "v", l.Y, sum(dx, s, dy, c), f, p)
		w := f.World(p)
		is(t, "x", w.X, new(big.Int).Add(big.NewInt(f.At.X), sum(p.X, c, p.Y, s)), f, p)
		is(t, "y", w.Y, new(big.Int).Add(big.NewInt(f.At.Y), sum(p.Y, c, p.X, -s)), f, p)
	})
}

// series gives sine and cosine of an angle in half degrees, to 160 bits and more.
func series(halves int) (sine, cosine *big.Float) {
	const precision = 240
	number := func(n int64) *big.Float { return new(big.Float).SetPrec(precision).SetInt64(n) }
	// pi by Machin's formula: 16 atan(1/5) - 4 atan(1/239).
	atan := func(inverse int64) *big.Float {
		sum, power := number(0), new(big.Float).Quo(number(1), number(inverse))
		square := number(inverse * inverse)
		for k := int64(0); k < 140; k++ {
			term := new(big.Float).Quo(power, number(2*k+1))
			if k%2 == 1 {
				term.Neg(term)
			}
			sum.Add(sum, term)
			power.Quo(power, square)
		}
		return sum
	}
	pi := new(big.Float).Sub(new(big.Float).Mul(number(16), atan(5)), new(big.Float).Mul(number(4), atan(239)))
	x := new(big.Float).Quo(new(big.Float).Mul(pi, number(int64(halves))), number(360))
	sine, cosine = number(0), number(0)
	term := number(1)
	for k := int64(0); k < 120; k++ {
		into := cosine
		if k%2 == 1 {
			into = sine
		}
		if k%4 >= 2 {
			into.Sub(into, term)
		} else {
			into.Add(into, term)
		}
		term = new(big.Float).Quo(new(big.Float).Mul(term, x), number(k+1))
	}
	return sine, cosine
}

func TestSinesAgainstTheReference(t *testing.T) {
	for h := range 360 {
		s, _ := series(2 * h)
		exact, _ := new(big.Float).Mul(s, new(big.Float).SetInt64(Unit)).Rat(nil)
		is(t, "a sine", Sine(Heading(h)), nearest(exact), h)
	}
}

// byDefinition looks at every heading: of those less than a quarter turn away the one
// from whose line the point lies least, by the table of sines.
func byDefinition(d Point) Heading {
	best, least := Heading(-1), new(big.Int)
	for h := Heading(0); h < 360; h++ {
		n := bigs(Sine(h), d.X, Cosine(h), d.Y)
		if ahead := new(big.Int).Add(new(big.Int).Mul(n[0], n[1]), new(big.Int).Mul(n[2], n[3])); ahead.Sign() <= 0 {
			continue
		}
		off := new(big.Int).Sub(new(big.Int).Mul(n[0], n[3]), new(big.Int).Mul(n[2], n[1]))
		if off.Abs(off); best < 0 || off.Cmp(least) < 0 {
			best, least = h, off
		}
	}
	return best
}

// A bearing is the one that its definition gives; and the true one, but for points that
// lie closer to the middle between two degrees than nine digits of a sine can tell.
func TestTowardAgainstTheReference(t *testing.T) {
	type ray struct{ s, c *big.Float }
	var halves [360]ray // the bisectors, half a degree right of each heading
	for h := range halves {
		halves[h].s, halves[h].c = series(2*h + 1)
	}
	// right gives how far a vector lies right of a bisector.
	right := func(r ray, d Point) float64 {
		number := func(n int64) *big.Float { return new(big.Float).SetPrec(240).SetInt64(n) }
		x := new(big.Float).Mul(number(d.X), r.c)
		far, _ := x.Sub(x, new(big.Float).Mul(number(d.Y), r.s)).Float64()
		return far
	}
	beside := 0
	many(t, 20, func(m maker) {
		d := m.point(100_000_000)
		if m.IntN(2) == 0 { // close to a bisector
			r := halves[m.IntN(360)]
			n := new(big.Float).SetInt64(m.Int64N(Reach))
			x, _ := new(big.Float).Mul(n, r.s).Int64()
			y, _ := new(big.Float).Mul(n, r.c).Int64()
			d = Point{x + m.of(-1, 0, 1), y + m.of(-1, 0, 1)}
		}
		if d == (Point{}) {
			return
		}
		h := Toward(Point{}, d)
		same(t, "a bearing", h, byDefinition(d))
		left, over := right(halves[h.Plus(-1)], d), right(halves[h], d)
		// The table's sines are within half a billionth: of a vector's length, twice.
		blur := 2e-9 * (float64(abs(d.X)) + float64(abs(d.Y)))
		switch {
		case left < -blur || over > blur:
			t.Errorf("Toward %v is %d", d, h)
		case left <= 0 || over > 0:
			beside++
		}
	})
	t.Logf("%d points too close to the middle between two degrees to tell", beside)
}

func TestLinesAgainstTheReference(t *testing.T) {
	many(t, 1, func(m maker) {
		a, b, c, d := m.point(Limit), m.point(Limit), m.point(Limit), m.point(Limit)
		if m.IntN(2) == 0 {
			a, b, c, d = m.near(), m.near(), m.near(), m.near()
		}
		x := func(p, q, r, s Point) *big.Int {
			n := bigs(q.X-p.X, s.Y-r.Y, q.Y-p.Y, s.X-r.X)
			return new(big.Int).Sub(n[0].Mul(n[0], n[1]), n[2].Mul(n[2], n[3]))
		}
		side := func(p, q, r Point) int { return x(p, q, p, r).Sign() }
		same(t, "the side", Side(a, b, c), side(a, b, c))
		same(t, "a crossing", Crosses(a, b, c, d), side(a, b, c)*side(a, b, d) < 0 && side(c, d, a)*side(c, d, b) < 0)
		if a == b {
			return
		}
		dotted := func(p, q, r Point) *big.Int {
			n := bigs(q.X-p.X, r.X-p.X, q.Y-p.Y, r.Y-p.Y)
			return new(big.Int).Add(n[0].Mul(n[0], n[1]), n[2].Mul(n[2], n[3]))
		}
		along, across := Leg(a, b, c)
		whole := Dist2(a, b)
		is(t, "along", along, nearestRoot(dotted(a, b, c).Int64(), whole), a, b, c)
		is(t, "across", across, nearestRoot(-x(a, b, a, c).Int64(), whole), a, b, c)
		// The distance from a segment: its foot is an end, or the line's.
		want := nearestRoot(x(a, b, a, c).Int64(), whole)
		want.Abs(want)
		if k := dotted(a, b, c); k.Sign() <= 0 {
			want = nearestRoot(Dist2(a, c), max(Dist2(a, c), 1))
		} else if k.Cmp(big.NewInt(whole)) >= 0 {
			want = nearestRoot(Dist2(b, c), max(Dist2(b, c), 1))
		}
		is(t, "the distance", DistSegment(c, a, b), want, a, b, c)
		den := x(a, b, c, d)
		p, ok := Cut(a, b, c, d)
		if den.Sign() == 0 {
			same(t, "a cut of parallels", ok, false)
			return
		}
		share := new(big.Rat).SetFrac(x(a, c, c, d), den)
		cutX := nearest(new(big.Rat).Mul(share, rat(b.X-a.X)))
		cutY := nearest(new(big.Rat).Mul(share, rat(b.Y-a.Y)))
		if ok {
			is(t, "the cut's x", p.X-a.X, cutX, a, b, c, d)
			is(t, "the cut's y", p.Y-a.Y, cutY, a, b, c, d)
		} else if most := big.NewInt(1 << 61); cutX.CmpAbs(most) < 0 && cutY.CmpAbs(most) < 0 {
			t.Errorf("no cut of %v %v %v %v", a, b, c, d)
		}
	})
}

// turnsRound counts how often an outline goes round a point that isn't on it.
func turnsRound(polygon []Point, p Point) int {
	turns := 0
	for i, a := range polygon {
		b := polygon[(i+1)%len(polygon)]
		if (a.Y > p.Y) == (b.Y > p.Y) {
			continue
		}
		// Where the edge is level with p, as a fraction.
		x := new(big.Rat).Mul(quotient(p.Y-a.Y, b.Y-a.Y), rat(b.X-a.X))
		if x.Add(x, rat(a.X)).Cmp(rat(p.X)) > 0 {
			if b.Y > a.Y {
				turns++
			} else {
				turns--
			}
		}
	}
	return turns
}

func onOutline(polygon []Point, p Point) bool {
	for i, a := range polygon {
		b := polygon[(i+1)%len(polygon)]
		if clipped(Box{p.X, p.Y, p.X, p.Y}, a, b) {
			return true
		}
	}
	return false
}

// clipped says whether a segment meets a box, by cutting off what lies outside.
func clipped(b Box, p, q Point) bool {
	lo, hi := rat(0), rat(1)
	cut := func(at, d, least, most int64) bool {
		if d == 0 {
			return least <= at && at <= most
		}
		t0, t1 := quotient(least-at, d), quotient(most-at, d)
		if d < 0 {
			t0, t1 = t1, t0
		}
		if t0.Cmp(lo) > 0 {
			lo = t0
		}
		if t1.Cmp(hi) < 0 {
			hi = t1
		}
		return true
	}
	return cut(p.X, q.X-p.X, b.U0, b.U1) && cut(p.Y, q.Y-p.Y, b.V0, b.V1) && lo.Cmp(hi) <= 0
}

func TestAreasAgainstTheReference(t *testing.T) {
	many(t, 2, func(m maker) {
		size := m.of(8, 400, 60_000, 500_000)
		p := m.polygon(m.near(), size)
		a := NewArea(p)
		at := m.about(p, size)
		want := -1
		switch {
		case onOutline(p, at):
			want = 0
		case turnsRound(p, at) != 0:
			want = 1
		}
		same(t, "where a point lies", Where(p, at), want)
		same(t, "where a point of an area lies", a.Where(at), want)
		box := m.box().In(m.Int64N(3) - 1)
		q, r := m.about(p, size), m.about(p, size)
		if !box.Empty() {
			same(t, "whether a segment meets a box", MeetsBox(box, q, r), clipped(box, q, r))
		}
	})
}

func TestRaysAgainstTheReference(t *testing.T) {
	many(t, 4, func(m maker) {
		size := m.of(8, 400, 60_000)
		f := m.frame()
		p := m.polygon(f.At.Plus(Point{m.number(size), m.number(size)}), size)
		u, v0 := m.number(size), m.number(size)
		local := make([]Point, len(p))
		for i, c := range p {
			local[i] = f.Local(c)
		}
		if m.IntN(2) == 0 {
			u = local[m.IntN(len(p))].X
		}
		start := Point{u, v0}
		got, ok := f.Ray(u, v0, Figure{p, true})
		if onOutline(local, start) || Where(local, start) > 0 {
			if !ok || got != 0 {
				t.Errorf("a ray from within begins at %d, %v", got, ok)
			}
			return
		}
		var least *big.Int
		for i, c := range local {
			d := local[(i+1)%len(p)]
			if u < min(c.X, d.X) || u > max(c.X, d.X) {
				continue
			}
			v := big.NewInt(min(c.Y, d.Y))
			if c.X != d.X {
				x := new(big.Rat).Mul(quotient(u-c.X, d.X-c.X), rat(d.Y-c.Y))
				v = nearest(x.Add(x, rat(c.Y)))
			}
			if v.Cmp(big.NewInt(v0)) >= 0 && (least == nil || v.Cmp(least) < 0) {
				least = v
			}
		}
		if ok != (least != nil) {
			t.Errorf("a ray finds something: %v", ok)
		} else if ok {
			is(t, "the ray", got, new(big.Int).Sub(least, big.NewInt(v0)), f, u, v0, p)
		}
	})
}
