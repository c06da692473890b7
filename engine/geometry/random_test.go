package geometry

import (
	"flag"
	"math/rand/v2"
	"testing"
)

// inputs is how many random inputs each primitive is held against the reference with:
// few for people, a million in the long run (docs/testing.md).
var inputs = flag.Int("inputs", 4000, "random inputs of each test against the reference")

// A maker makes inputs that are small, middling and extreme, and often such that
// something meets something.
type maker struct{ *rand.Rand }

func newMaker() maker { return maker{rand.New(rand.NewPCG(1815, 6))} }

// many calls check with a maker as often as the run asks.
func many(t *testing.T, share int, check func(m maker)) {
	t.Helper()
	m := newMaker()
	for n := 0; n < *inputs/share && !t.Failed(); n++ {
		check(m)
	}
}

// number gives a number between -most and most; small ones often.
func (m maker) number(most int64) int64 {
	switch m.IntN(6) {
	case 0:
		return m.Int64N(7) - 3
	case 1:
		return m.Int64N(2001) - 1000
	case 2:
		return most - m.Int64N(3)
	case 3:
		return -most + m.Int64N(3)
	}
	return m.Int64N(2*most+1) - most
}

func (m maker) point(most int64) Point { return Point{m.number(most), m.number(most)} }

// near gives points of a field, close together often.
func (m maker) near() Point {
	most := []int64{5, 300, 40_000, Reach / 2}[m.IntN(4)]
	return Point{m.Int64N(2*most+1) - most, m.Int64N(2*most+1) - most}
}

func (m maker) heading() Heading {
	if m.IntN(3) == 0 {
		return Heading([]int{0, 1, 45, 89, 90, 91, 179, 180, 181, 269, 270, 271, 359}[m.IntN(13)])
	}
	return Heading(m.IntN(360))
}

func (m maker) frame() Frame { return Frame{m.near(), m.heading()} }

// box gives a box between 2 and 90 000 on a side.
func (m maker) box() Box {
	w, d := 1+m.Int64N(45_000), 1+m.Int64N(45_000)
	if m.IntN(2) == 0 {
		return Box{-w, -2 * d, w, 0}
	}
	return Box{-w, -d, w, d}
}

func (m maker) body() Body { return NewBody(Piece{m.frame(), m.box()}) }

// pair gives two bodies, mostly neighbours: in a row, at a corner, across each other.
func (m maker) pair() (Body, Body) {
	a := m.body()
	if m.IntN(5) == 0 {
		return a, m.body()
	}
	box := m.box()
	at := Frame{a.World(Point{m.of(a.U0, a.U1, a.U1-box.U0, a.U0-box.U1), m.of(a.V0, a.V1, a.V1-box.V0, a.V0-box.V1)}),
		a.Heading.Plus([]int{0, 0, 90, 180, 270, 1, -1, m.IntN(360)}[m.IntN(8)])}
	at.At = at.At.Plus(Point{m.number(600), m.number(600)})
	return a, NewBody(Piece{at, box})
}

func (m maker) of(n ...int64) int64 { return n[m.IntN(len(n))] }

// polygon gives a simple polygon about a place, as a fan round it; corners may lie
// close together.
func (m maker) polygon(about Point, size int64) []Point {
	for {
		n := 3 + m.IntN(8)
		var p []Point
		turn := m.IntN(360)
		for i := range n {
			h := Heading(0).Plus(turn + 360*i/n + m.IntN(1+330/n))
			p = append(p, about.Plus(Step(h, 1+m.Int64N(size))))
		}
		if m.IntN(4) == 0 { // a rectangle along the axes
			w, d := 1+m.Int64N(size), 1+m.Int64N(size)
			p = []Point{{about.X - w, about.Y - d}, {about.X + w, about.Y - d}, {about.X + w, about.Y + d}, {about.X - w, about.Y + d}}
		}
		if m.IntN(2) == 0 {
			for i, j := 0, len(p)-1; i < j; i, j = i+1, j-1 {
				p[i], p[j] = p[j], p[i]
			}
		}
		if flaw, _ := Polygon(p); flaw == Sound { // rounding makes knots
			return p
		}
	}
}

// about gives a point that has something to do with a polygon: any, a corner, on an
// edge's line, level with a corner.
func (m maker) about(p []Point, size int64) Point {
	c := p[m.IntN(len(p))]
	switch m.IntN(5) {
	case 0:
		return c
	case 1:
		d := p[m.IntN(len(p))]
		return Point{(c.X + d.X) / 2, (c.Y + d.Y) / 2}
	case 2:
		return Point{c.X + m.number(size), c.Y}
	}
	return c.Plus(Point{m.number(size), m.number(size)})
}
