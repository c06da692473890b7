package hfg

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"berthier/engine/geometry"
)

// column of bases of some depth, in paces, one behind the other with heading 0.
func inColumn(depth int64, n int, x, y int64) []geometry.Body {
	var all []geometry.Body
	for i := range n {
		all = append(all, baseAt(depth, x, y-int64(i)*depth, 0))
	}
	return all
}

// placed are the places of bases in hundredths of a pace.
func placesOf(all []geometry.Body) []point {
	var at []point
	for i := range all {
		at = append(at, all[i].At)
	}
	return at
}

func framesOf(all []geometry.Frame) []point {
	var at []point
	for _, f := range all {
		at = append(at, f.At)
	}
	return at
}

// Cases of groups and wheels: chapter 1, with vectors V4 to V7.
func TestGroupCases(t *testing.T) {
	clause(t, "HFG-1.10", "side by side, with headings 0 and 1", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", muskets, 1000, 1000, 0, nil}, piece{"r2", muskets, 1400, 1000, 0, nil}, piece{"r3", muskets, 1800, 1000, 1, nil}, piece{"r4", muskets, 2400, 1000, 0, nil})
		n := func(ids ...string) (all []elementID) {
			for _, id := range ids {
				all = append(all, named(t, g, id))
			}
			return all
		}
		is(t, "two abreast", g.group(n("r1", "r2")), true)
		is(t, "another heading", g.group(n("r1", "r2", "r3")), false)
		is(t, "one apart", g.group(n("r1", "r2", "r4")), false)
		is(t, "one", g.group(n("r1")), false)
		is(t, "linked", len(g.linked(n("r1")[0], func(elementID) bool { return true })), 2)
	})
	clause(t, "HFG-1.11", "two abreast wheel 30 degrees for 419 p", func(t *testing.T) {
		is(t, "price", wheelPrice(800, 30), 419)
		two := []geometry.Body{musketsAt(1000, 1000, 0), musketsAt(1400, 1000, 0)}
		all, price := wheeled(two, -15)
		is(t, "V4, price", price, 210)
		if want := []point{{X: 99319, Y: 105176}, {X: 137956, Y: 115529}}; !slices.Equal(placesOf(all), want) {
			t.Errorf("V4: %v, want %v", placesOf(all), want)
		}
		is(t, "V4, heading", all[0].Heading, 345)
	})
	clause(t, "HFG-R114", "three abreast wheel: nobody of the group is in the way", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", lightInfantry, 5000, 3000, 0, nil}, piece{"r2", lightInfantry, 5400, 3000, 0, nil}, piece{"r3", lightInfantry, 5800, 3000, 0, nil})
		p := g.together([]elementID{1, 2, 3}, 0, 30, 0)
		if fault := g.judge(p); fault != nil {
			t.Error(fault.Why)
		}
	})
	clause(t, "HFG-9.10", "columns form line: V5, V6, V7", func(t *testing.T) {
		foot := inColumn(200, 4, 2000, 3000)
		if got, want := framesOf(formed(foot, true, 2)), []point{pt(2200, 2800), pt(2000, 2800), pt(2200, 2400), pt(2000, 2400)}; !slices.Equal(got, want) {
			t.Errorf("V5: %v, want %v", got, want)
		}
		if got, want := framesOf(formed(foot, true, 1)), []point{pt(2200, 2800), pt(2200, 2400), pt(2200, 2000), pt(2200, 1600)}; !slices.Equal(got, want) {
			t.Errorf("V6: %v, want %v", got, want)
		}
		guns := inColumn(400, 3, 2000, 3000)
		if got, want := framesOf(formed(guns, false, 1)), []point{pt(1800, 2800), pt(1800, 2400), pt(1800, 2000)}; !slices.Equal(got, want) {
			t.Errorf("V7: %v, want %v", got, want)
		}
		g := field(t, 1815, piece{"r1", bayonets, 2000, 3000, 0, nil}, piece{"r2", bayonets, 2000, 2800, 0, nil}, piece{"r3", bayonets, 2000, 2600, 0, nil}, piece{"r4", bayonets, 2000, 2400, 0, nil})
		all := []elementID{1, 2, 3, 4}
		two := g.reformed(all, true, 2, true)
		if got, want := pricesOf(g, two), []int{400, 283, 400, 283}; !slices.Equal(got, want) {
			t.Errorf("V5, prices: %v, want %v", got, want)
		}
		if fault := g.judge(two); fault != nil {
			t.Errorf("V5: %v", fault.Why)
		}
		one := g.reformed(all, true, 1, true)
		if got, want := pricesOf(g, one), []int{400, 600, 800, 1000}; !slices.Equal(got, want) {
			t.Errorf("V6, prices: %v, want %v", got, want)
		}
		if g.judge(one) == nil {
			t.Error("V6: Bayonets go 600 paces only")
		}
		g = field(t, 1815, piece{"r1", bayonets, 2000, 3000, 0, nil}, piece{"r2", bayonets, 2000, 2800, 0, nil})
		if fault := g.judge(g.reformed(all[:2], true, 1, true)); fault != nil {
			t.Errorf("V6, two elements: %v", fault.Why)
		}
	})
}

// pricesOf gives what each element of a plan pays.
func pricesOf(g *game, p *plan) []int {
	var all []int
	for i := range p.paths {
		x := &p.paths[i]
		all = append(all, paces(g.measured(&x.from, &x.to, nil)))
	}
	return all
}

// A line that files off to a column and forms line again stands where it stood.
func TestLineToColumnAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := geometry.Heading(rapid.IntRange(0, 359).Draw(t, "heading"))
		n := rapid.IntRange(2, 6).Draw(t, "elements")
		right := rapid.Bool().Draw(t, "right")
		f := geometry.Frame{At: pt(5000, 3000), Heading: h}
		var line []geometry.Body
		for i := range n {
			u := -int64(i) * 400 * pace // the leader is the end element of the side that is faced
			if !right {
				u = -u
			}
			line = append(line, geometry.NewBody(geometry.Piece{Frame: geometry.Frame{At: f.World(point{X: u}), Heading: h}, Box: geometry.Box{U0: -200 * pace, V0: -400 * pace, U1: 200 * pace}}))
		}
		var column []geometry.Body
		for i, to := range filed(line, right) {
			column = append(column, geometry.NewBody(geometry.Piece{Frame: to, Box: line[i].Box}))
		}
		for i := 1; i < n; i++ {
			if geometry.Dist(column[i].Corner[0], column[i-1].Corner[3]) > slack {
				t.Fatalf("the column has a gap behind element %d", i-1)
			}
		}
		for i, to := range formed(column, !right, 1) {
			if to.Heading != h {
				t.Fatalf("element %d has heading %d, not %d", i, to.Heading, h)
			}
			back := geometry.NewBody(geometry.Piece{Frame: to, Box: line[i].Box})
			if i > 0 {
				prev := geometry.NewBody(geometry.Piece{Frame: formed(column, !right, 1)[i-1], Box: line[i-1].Box})
				if !touch(&back, &prev) {
					t.Fatalf("the line has a gap at element %d", i)
				}
			}
		}
	})
}

// After a wheel a block hangs together as before, and its pivot stands.
func TestWheelKeepsTheBlock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := geometry.Heading(rapid.IntRange(0, 359).Draw(t, "heading"))
		by := rapid.IntRange(1, 90).Draw(t, "by")
		if rapid.Bool().Draw(t, "left") {
			by = -by
		}
		f := geometry.Frame{At: pt(5000, 3000), Heading: h}
		var all []geometry.Body
		for i := range rapid.IntRange(2, 5).Draw(t, "elements") {
			all = append(all, geometry.NewBody(geometry.Piece{Frame: geometry.Frame{At: f.World(point{X: int64(i) * 400 * pace}), Heading: h}, Box: geometry.Box{U0: -200 * pace, V0: -200 * pace, U1: 200 * pace}}))
		}
		at, _ := pivot(all, by > 0)
		after, _ := wheeled(all, by)
		for i := 1; i < len(after); i++ {
			if gap := geometry.Gap(&after[i-1], &after[i]); gap > 10 || gap < -10 {
				t.Fatalf("a gap of %d", gap)
			}
		}
		again, _ := pivot(after, by > 0)
		if geometry.Dist(at, again) > 10 {
			t.Fatalf("the pivot has gone from %v to %v", at, again)
		}
	})
}
