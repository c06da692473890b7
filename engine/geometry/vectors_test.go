package geometry

import "testing"

// A tile is 30 mm square and its point the middle; a base's point is the middle of its
// front edge.
const mm = 1000

func tile(x, y int64, h Heading) Body {
	return NewBody(Piece{Frame{Point{x, y}, h}, Box{-15 * mm, -15 * mm, 15 * mm, 15 * mm}})
}

func gun(x, y int64, h Heading) Body {
	return NewBody(Piece{Frame{Point{x, y}, h}, Box{-7500, -7500, 7500, 7500}})
}

// base takes paces.
func base(width, depth, x, y int64, h Heading) Body {
	return NewBody(Piece{Frame{Point{x * 100, y * 100}, h}, Box{-width * 50, -depth * 100, width * 50, 0}})
}

func same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, should be %v", what, got, want)
	}
}

func TestCornersOfATile(t *testing.T) {
	b := tile(600*mm, 300*mm, 37)
	same(t, "the corners", b.Corner, [4]Point{{597048, 321007}, {621007, 302952}, {602952, 278993}, {578993, 297048}})
	for i, want := range b.corners() {
		same(t, "a corner in the tile's frame", b.Local(b.Corner[i]), want)
	}
}

func TestCornersOfBases(t *testing.T) {
	for _, v := range []struct {
		body Body
		want [4]Point // front left, front right, rear right, rear left
	}{
		{base(400, 200, 1000, 1000, 30), [4]Point{{82679, 110000}, {117321, 90000}, {107321, 72679}, {72679, 92679}}},
		{base(400, 300, 1000, 1000, 95), [4]Point{{101743, 119924}, {98257, 80076}, {68371, 82691}, {71857, 122539}}},
		{base(400, 800, 5000, 5000, 225), [4]Point{{514142, 485858}, {485858, 514142}, {542426, 570711}, {570711, 542426}}},
	} {
		same(t, "the corners", v.body.Corner, v.want)
	}
}

func TestWheelsOfATile(t *testing.T) {
	for _, v := range []struct {
		by            int
		pivot         int // number of the corner
		wheeled, ends Point
	}{
		{30, 0, Point{290490, 294510}, Point{350490, 398433}},
		{-30, 1, Point{309510, 294510}, Point{249510, 398433}},
	} {
		b := tile(300*mm, 300*mm, 0)
		f := b.Turned(b.Corner[v.pivot], v.by)
		same(t, "the wheeled place", f.At, v.wheeled)
		same(t, "the end", f.At.Plus(Step(f.Heading, 120*mm)), v.ends)
	}
}

func TestWheelOfABlock(t *testing.T) {
	left := tile(300*mm, 300*mm, 0)
	for i, want := range []Point{{314486, 352156}, {342677, 341896}, {370868, 331635}} {
		b := tile(int64(300+30*i)*mm, 300*mm, 0)
		f := b.Turned(left.Corner[0], 20)
		same(t, "the end", f.At.Plus(Step(f.Heading, 60*mm)), want)
	}
	a, b := base(400, 200, 1000, 1000, 0), base(400, 200, 1400, 1000, 0)
	pivot := a.Corner[0]
	same(t, "the pivot", pivot, Point{80000, 100000})
	same(t, "the first base", a.Turned(pivot, -15).At, Point{99319, 105176})
	same(t, "the second base", b.Turned(pivot, -15), Frame{Point{137956, 115529}, 345})
	same(t, "the price", CeilDiv(80000*15*355, 180*113*100), int64(210))
}

func TestChargeStopsInContact(t *testing.T) {
	mover, target := tile(300*mm, 300*mm, 20), tile(330*mm, 400*mm, 180)
	way := Way{Heading: 20, Far: 120 * mm, Step: mm, Fine: 1}
	far, ok := way.Slide([]Body{mover}, []Body{target}, nil)
	same(t, "whether there is a move", ok, true)
	same(t, "the way", far, int64(70004))
	at := mover.Shifted(Step(20, far))
	same(t, "the place", at.At, Point{323943, 365782})
	same(t, "the contact", Contact(&at, &target, Front, 500), int64(1397))
	if g := Gap(&at, &target); g < 0 || g > 500 {
		t.Errorf("the gap is %d", g)
	}
}

func TestContactOfShiftedTiles(t *testing.T) {
	a, b := tile(600*mm, 300*mm, 0), tile(610*mm, 330*mm, 180)
	same(t, "the contact", Contact(&a, &b, Front, 500), int64(20*mm))
	same(t, "the contact of the rear", Contact(&a, &b, Rear, 500), int64(-1))
}

func TestRaysOfAGun(t *testing.T) {
	ridge := Figure{[]Point{{330000, 400000}, {500000, 396000}, {575000, 414000}, {700000, 412000}, {845000, 428000},
		{845000, 460000}, {700000, 450000}, {575000, 452000}, {500000, 440000}, {330000, 445000}}, true}
	rays := func(g Body, of Figure) (n int, lo, hi int64) {
		for k := range int64(30) {
			if d, ok := g.Ray(-7250+500*k, 7500, of); ok && d <= 180*mm {
				if n == 0 || d < lo {
					lo = d
				}
				n, hi = n+1, max(hi, d)
			}
		}
		return n, lo, hi
	}
	n, lo, hi := rays(gun(655*mm, 301*mm, 0), ridge)
	same(t, "the rays that enter the ridge", n, 30)
	same(t, "the nearest", lo, 104104)
	same(t, "the furthest", hi, 104336)
	target := tile(655*mm, 395*mm, 180)
	n, lo, hi = rays(gun(655*mm, 301*mm, 0), Figure{target.Corner[:], true})
	same(t, "the rays that enter the tile", n, 30)
	same(t, "its distance", [2]int64{lo, hi}, [2]int64{71500, 71500})
	n, _, _ = rays(gun(670*mm, 301*mm, 0), Figure{target.Corner[:], true})
	same(t, "the rays of a gun beside it", n, 15)
}

func TestBearings(t *testing.T) {
	same(t, "a bearing", Toward(Point{600 * mm, 300 * mm}, Point{660 * mm, 404 * mm}), 30)
	same(t, "another", Toward(Point{630 * mm, 250 * mm}, Point{655 * mm, 395 * mm}), 10)
	same(t, "that of a point to itself", Toward(Point{1, 2}, Point{1, 2}), 0)
	for h := Heading(0); h < 360; h++ {
		same(t, "the bearing of a step", Toward(Point{7, 7}, Point{7, 7}.Plus(Step(h, 100*mm))), h)
	}
}

func TestGapsOfTiles(t *testing.T) {
	a := tile(0, 0, 0)
	for x, want := range map[int64]int64{30000: 0, 29900: -100, 29899: -101, 30500: 500, 30501: 501} {
		b := tile(x, 0, 0)
		same(t, "a gap", Gap(&a, &b), want)
	}
}

func TestRoundings(t *testing.T) {
	same(t, "a half below nothing", rnd(-500_000_000), int64(-1))
	same(t, "a half", rnd(500_000_000), int64(1))
	same(t, "less than a half", rnd(499_999_999), int64(0))
	same(t, "-1 / 2", RDiv(-1, 2), int64(-1))
	same(t, "1 / -2", RDiv(1, -2), int64(-1))
	same(t, "-1 / 2, up", CeilDiv(-1, 2), int64(0))
	same(t, "1 over the root of 4", DivRoot(1, 4), int64(1))
	same(t, "-1 over the root of 4", DivRoot(-1, 4), int64(-1))
	same(t, "2 over the root of 17", DivRoot(2, 17), int64(0))
}

func TestPlacesBesideABase(t *testing.T) {
	e := base(400, 200, 2000, 2000, 180)
	for _, v := range []struct {
		local Point
		turn  int
		want  Frame
	}{
		{Point{0, 0}, 180, Frame{Point{200000, 200000}, 0}},
		{Point{e.U0, e.U0}, 90, Frame{Point{220000, 220000}, 270}},
		{Point{e.U1, e.U0}, -90, Frame{Point{180000, 220000}, 90}},
		{Point{0, e.V0}, 0, Frame{Point{200000, 220000}, 180}},
	} {
		same(t, "the place", Frame{e.World(v.local), e.Heading.Plus(v.turn)}, v.want)
	}
}

func TestAboutFaceOfABase(t *testing.T) {
	e := base(400, 200, 2000, 2000, 180).AboutFace()
	same(t, "the place", e.Frame, Frame{Point{200000, 220000}, 0})
	same(t, "800 ahead", e.At.Plus(Step(e.Heading, 80000)), Point{200000, 300000})
	// Repulsed by 400: back by its depth, about, and 400 on.
	r := base(400, 200, 2000, 2000, 180)
	back := Piece{Frame{r.At.Plus(Step(r.Heading, -20000)), 180}, r.Box}
	same(t, "the recoil", back.At, Point{200000, 220000})
	about := back.AboutFace()
	same(t, "about", about.Frame, Frame{Point{200000, 240000}, 0})
	same(t, "400 on", about.At.Plus(Step(0, 40000)), Point{200000, 280000})
}

// A column becomes a line: each base finds its place in the frame of the first.
func TestLinesOutOfColumns(t *testing.T) {
	for _, v := range []struct {
		first  Body
		turn   int
		places []Point // in the first base's frame
		want   []Point
		costs  []int64
		from   []Body
	}{
		{base(400, 200, 2000, 3000, 0), 90, []Point{{20000, -20000}, {0, -20000}, {20000, -60000}, {0, -60000}},
			[]Point{{220000, 280000}, {200000, 280000}, {220000, 240000}, {200000, 240000}}, []int64{40000, 28284, 40000, 28284},
			[]Body{base(400, 200, 2000, 3000, 0), base(400, 200, 2000, 2800, 0), base(400, 200, 2000, 2600, 0), base(400, 200, 2000, 2400, 0)}},
		{base(400, 200, 2000, 3000, 0), 90, []Point{{20000, -20000}, {20000, -60000}, {20000, -100000}, {20000, -140000}},
			[]Point{{220000, 280000}, {220000, 240000}, {220000, 200000}, {220000, 160000}}, []int64{40000, 60000, 80000, 100000},
			[]Body{base(400, 200, 2000, 3000, 0), base(400, 200, 2000, 2800, 0), base(400, 200, 2000, 2600, 0), base(400, 200, 2000, 2400, 0)}},
		{base(400, 400, 2000, 3000, 0), -90, []Point{{-20000, -20000}, {-20000, -60000}, {-20000, -100000}},
			[]Point{{180000, 280000}, {180000, 240000}, {180000, 200000}}, []int64{40000, 40000, 40000},
			[]Body{base(400, 400, 2000, 3000, 0), base(400, 400, 2000, 2600, 0), base(400, 400, 2000, 2200, 0)}},
	} {
		for i, p := range v.places {
			at := Frame{v.first.World(p), v.first.Heading.Plus(v.turn)}
			same(t, "the place", at.At, v.want[i])
			b := NewBody(Piece{at, v.from[i].Box})
			same(t, "the cost", Moved(&v.from[i], &b), v.costs[i])
		}
	}
}
