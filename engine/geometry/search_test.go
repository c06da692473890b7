package geometry

import (
	"slices"
	"testing"
)

func TestStop(t *testing.T) {
	from := func(n int64) func(int64) bool { return func(t int64) bool { return t >= n } }
	for _, v := range []struct {
		far, step, fine, from int64
		want                  int64
		ok                    bool
	}{
		{120_000, 1000, 1, 70_005, 70_004, true},
		{120_000, 1000, 1, 0, 0, false},
		{120_000, 1000, 1, 1, 0, true},
		{120_000, 1000, 1, 120_001, 120_000, true},
		{120_500, 1000, 1, 120_400, 120_399, true},
		{40_050, 100, 100, 40_020, 40_000, true},
		{1200, 300, 100, 650, 600, true},
		{0, 1000, 1, 5, 0, true},
	} {
		got, ok := Stop(v.far, v.step, v.fine, from(v.from))
		same(t, "the way", [2]any{got, ok}, [2]any{v.want, v.ok})
	}
	// What is free again behind a forbidden sample is not found, and what is forbidden
	// between two free ones is passed.
	got, _ := Stop(10_000, 1000, 1, func(t int64) bool { return t == 3000 })
	same(t, "before a single forbidden sample", got, 2999)
	got, _ = Stop(10_000, 1000, 1, func(t int64) bool { return t == 3500 })
	same(t, "past what no sample meets", got, 10_000)
}

// Who passes another with their sides in line, or nearer than is asked, touches him where his front is level with
// the other's nearer end, whatever the heading; who begins beside him, or is past him, does not.
func TestGrazeEndsAtTheCorner(t *testing.T) {
	const near = 100
	many(t, 4, func(m maker) {
		f := m.frame()
		box := Box{-15_000, -15_000, 15_000, 15_000}
		mover := NewBody(Piece{f, box})
		gap, ahead, turn := m.Int64N(3*near)-near, m.Int64N(100_000)-40_000, 90*m.IntN(4)
		u := 30_000 + gap
		if m.IntN(2) == 0 {
			u = -u
		}
		other := NewBody(Piece{Frame{f.World(Point{u, 30_000 + ahead}), f.Heading.Plus(turn)}, box})
		got, ok := Way{Heading: f.Heading, Far: 50_000, Step: 1000, Fine: 1}.Graze(&mover, &other, near)
		const rough = 8 // roundings
		switch {
		case gap < -depth-rough || gap > near+rough || ahead < -rough || ahead > 50_000+rough:
			same(t, "it passes without a touch", ok, false)
		case gap > -depth+rough && gap < near-rough && ahead > rough && ahead < 50_000-rough:
			if !ok || abs(got-ahead) > rough {
				t.Errorf("%v, %d beside the way: it is level after %d (%v), want %d", f, gap, got, ok, ahead)
			}
		}
	})
	// A corner that points at the way is met where it is.
	mover := NewBody(Piece{Frame{}, Box{-15_000, -15_000, 15_000, 15_000}})
	tip := NewBody(Piece{Frame{Point{15_000 + 21_213, 100_000}, 45}, Box{-15_000, -15_000, 15_000, 15_000}})
	got, ok := Way{Far: 120_000, Step: 1000, Fine: 1}.Graze(&mover, &tip, near)
	if !ok || got < 85_000-2*near || got > 85_000 {
		t.Errorf("a corner beside the way is met after %d (%v)", got, ok)
	}
}

// Bodies whose sides are in line pass each other, whatever the heading: roundings don't stop them.
func TestSlidePassesInLine(t *testing.T) {
	box := Box{-15_000, -15_000, 15_000, 15_000}
	for h := Heading(0); h < 360; h++ {
		f := Frame{Point{300_000, 300_000}, h}
		mover := NewBody(Piece{f, box})
		for _, ahead := range []int64{0, 30_000, 40_000} {
			for _, side := range []int64{-30_000, 30_000} {
				other := NewBody(Piece{Frame{f.World(Point{side, ahead}), h}, box})
				far, ok := Way{Heading: h, Far: 120_000, Step: 1000, Fine: 1, Slack: -100}.Slide([]Body{mover}, []Body{other}, nil)
				same(t, "how far it gets", [2]any{far, ok}, [2]any{int64(120_000), true})
			}
		}
	}
}

// Slide is Stop with its own condition, answer for answer, and never ends in a place
// that it forbids.
func TestSlideIsStop(t *testing.T) {
	many(t, 4, func(m maker) {
		var movers, others []Body
		f := m.frame()
		for i := range int64(1 + m.IntN(3)) {
			movers = append(movers, NewBody(Piece{Frame{f.World(Point{i * 30_000, m.number(50)}), f.Heading}, Box{-15_000, -15_000, 15_000, 15_000}}))
		}
		for range m.IntN(8) {
			at := f.World(Point{m.Int64N(200_000) - 60_000, m.Int64N(200_000) - 60_000})
			others = append(others, NewBody(Piece{Frame{at, m.heading()}, m.box()}))
		}
		w := Way{Heading: f.Heading, Far: m.Int64N(150_000), Step: 1000, Fine: 1}
		switch m.IntN(4) {
		case 0:
			w.Step, w.Fine, w.Margin, w.Slack = 100, 100, -100, -100
		case 1:
			w.Heading = m.heading()
		case 2:
			w.Slack = -100
		}
		if m.IntN(3) == 0 && w.Slack == 0 {
			w.Margin, w.Slack = 500, -100
		}
		margins := make([][]int64, len(movers))
		for i := range movers {
			for j := range others {
				margin, way := w.Margin, Frame{movers[i].At, w.Heading}
				m, o := way.Extents(movers[i].Corner[:]), way.Extents(others[j].Corner[:])
				beside := max(o.U0-m.U1, m.U0-o.U1) - w.Margin
				if gap := Gap(&movers[i], &others[j]); gap < w.Margin && w.Slack < w.Margin {
					margin = max(w.Slack, min(gap, 0)-depth)
				} else if w.Slack < w.Margin && beside >= -depth && beside < depth {
					margin = max(w.Slack, w.Margin-2*depth)
				}
				margins[i] = append(margins[i], margin)
			}
		}
		var also func(int64) bool
		if m.IntN(2) == 0 {
			lo := m.Int64N(200_000)
			hi := lo + m.Int64N(20_000)
			also = func(t int64) bool { return lo <= t && t <= hi }
		}
		forbidden := func(n int64) bool {
			for i := range movers {
				at := movers[i].Shifted(Step(w.Heading, n))
				for j := range others {
					if Gap(&at, &others[j]) < margins[i][j] {
						return true
					}
				}
			}
			return also != nil && also(n)
		}
		want, wantOK := Stop(w.Far, w.Step, w.Fine, forbidden)
		got, ok := w.Slide(movers, others, also)
		if got != want || ok != wantOK {
			t.Errorf("%+v of %v past %v gets %d, %v, should get %d, %v", w, movers, others, got, ok, want, wantOK)
		}
		if wantOK && forbidden(want) {
			t.Errorf("%+v ends at %d, which is forbidden", w, want)
		}
	})
}

// First finds the first sample at which a gap is under the margin, below the limit.
func TestFirstIsTheFirstSample(t *testing.T) {
	met := 0
	many(t, 4, func(m maker) {
		a, b := m.pair()
		movers, other := []Body{a, a.Shifted(Point{m.number(60_000), m.number(60_000)})}, b.Shifted(Point{m.number(150_000), m.number(150_000)})
		w := Way{Heading: m.heading(), Far: m.Int64N(150_000), Step: 1000, Margin: m.of(0, 500, -100)}
		limit := m.of(1<<40, 1+m.Int64N(150_000))
		want := limit
		for n := int64(0); n <= w.Far && n < limit; n = w.next(n) {
			if slices.ContainsFunc(movers, func(one Body) bool { at := one.Shifted(Step(w.Heading, n)); return Gap(&at, &other) < w.Margin }) {
				want = n
				met++
				break
			}
		}
		if got := w.First(movers, &other, limit); got != want {
			t.Errorf("%+v of %v meets %v first at %d, should be at %d", w, movers, other, got, want)
		}
	})
	if met == 0 {
		t.Error("no way met anybody")
	}
}

func TestRuns(t *testing.T) {
	odd := Runs(-3, 12, func(n int64) bool { return n < 0 || n == 4 || n > 9 })
	if want := []Span{{-3, -1}, {4, 4}, {10, 12}}; !slices.Equal(odd, want) {
		t.Errorf("the runs are %v, should be %v", odd, want)
	}
	if none := Runs(1, 5, func(int64) bool { return false }); none != nil {
		t.Errorf("the runs are %v, should be none", none)
	}
}

func TestRings(t *testing.T) {
	at := Point{1000, 1000}
	p, ok := Rings(at, 10, 50, func(Point) bool { return true })
	same(t, "the place itself", [2]any{p, ok}, [2]any{at, true})
	p, ok = Rings(at, 10, 50, func(p Point) bool { return p.X > 1015 })
	same(t, "the first on a ring", [2]any{p, ok}, [2]any{Point{1020, 1000}, true})
	_, ok = Rings(at, 10, 50, func(p Point) bool { return p.X > 1050 })
	same(t, "whether there is one", ok, false)
}
