package hfg

import (
	"testing"
)

// ridge is a gentle hill whose crest runs along y, 3000 paces wide.
func ridge(id string, y int64) areaDef {
	d := octagon(id, hill, 5000, y, 3000, 900)
	d.even = true
	d.crest = []place{place(pt(4000, y)), place(pt(6000, y))}
	return d
}

// seen says whether one element of a game sees another.
func seen(t *testing.T, g *game, a, b string) bool {
	t.Helper()
	return g.sees(named(t, g, a), named(t, g, b))
}

// Cases of visibility: chapter 5.
func TestSightCases(t *testing.T) {
	clause(t, "HFG-5.1", "what one of a command sees, all of it know", func(t *testing.T) {
		s := &setting{year: 1815, areas: []areaDef{octagon("w", wood, 5000, 3000, 1000, 1000)}}
		g := fieldOn(t, s, piece{"r1", muskets, 5000, 2000, 0, nil}, piece{"r2", muskets, 7000, 4000, 0, nil}, piece{"b1", muskets, 5000, 4000, 180, nil})
		is(t, "r1 sees through the wood", seen(t, g, "r1", "b1"), false)
		is(t, "r2", seen(t, g, "r2", "b1"), true)
		is(t, "known", g.knows(1, named(t, g, "b1")), true)
		g.Elements[named(t, g, "r2")].Fate = spent
		g.Elements[named(t, g, "r2")].At = place{}
		g.Elements[named(t, g, "r0")].At = place(pt(5000, 1500))
		is(t, "known when he is gone", g.knows(1, named(t, g, "b1")), false)
	})
	clause(t, "HFG-5.2", "misty, an enemy at 201 p", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", muskets, 5000, 2000, 0, nil}, piece{"b1", muskets, 5000, 2201, 180, nil}, piece{"b2", muskets, 5500, 3150, 180, nil})
		is(t, "in good weather", seen(t, g, "r1", "b1"), true)
		g.Sky = misty
		is(t, "in mist", seen(t, g, "r1", "b1"), false)
		g.Elements[named(t, g, "b1")].At = place(pt(5000, 2200))
		is(t, "at 200 p", seen(t, g, "r1", "b1"), true)
		g.Sky = rain
		is(t, "1150 p in rain", seen(t, g, "r1", "b2"), true)
		g.Elements[named(t, g, "b2")].At = place(pt(5000, 3201))
		is(t, "1201 p in rain", seen(t, g, "r1", "b2"), false)
	})
	clause(t, "HFG-R20", "elements hide nobody", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", muskets, 5000, 2000, 0, nil}, piece{"b1", muskets, 5000, 2500, 180, nil}, piece{"b2", muskets, 5000, 3000, 180, nil})
		is(t, "the one behind", seen(t, g, "r1", "b2"), true)
	})
	clause(t, "HFG-5.3", "400 p beyond a gentle crest is seen, 401 p is not", func(t *testing.T) {
		for _, c := range []struct {
			y    int64
			want bool
		}{{3400, true}, {3401, false}} {
			g := fieldOn(t, &setting{year: 1815, areas: []areaDef{ridge("h", 3000)}}, piece{"r1", muskets, 5000, 2000, 0, nil}, piece{"b1", muskets, 5000, c.y, 0, nil})
			// Its corners are 400 and 200 p nearer: the nearest edge is its rear.
			g.Elements[named(t, g, "b1")].At.Y += 200 * pace
			is(t, "seen", seen(t, g, "r1", "b1"), c.want)
			g.areas[0].slope = difficult
			g.sights = nil
			is(t, "beyond a difficult crest", seen(t, g, "r1", "b1"), false)
		}
		g := fieldOn(t, &setting{year: 1815, areas: []areaDef{ridge("h", 3000)}}, piece{"r1", muskets, 5000, 3000, 0, nil}, piece{"b1", muskets, 5000, 4500, 180, nil})
		is(t, "from the crest itself", seen(t, g, "r1", "b1"), true)
	})
	clause(t, "HFG-R117", "a wood's corner, and a wood in which one stands", func(t *testing.T) {
		square := func() areaDef {
			d := octagon("w", wood, 5000, 3000, 1000, 1000)
			d.outline = []place{place(pt(4500, 2500)), place(pt(5500, 2500)), place(pt(5500, 3500)), place(pt(4500, 3500))}
			return d
		}
		l := func(p, q point) bool {
			g := fieldOn(t, &setting{year: 1815, areas: []areaDef{square()}}, piece{"r1", muskets, 1000, 1000, 0, nil}, piece{"b1", muskets, 9000, 5000, 0, nil})
			x, y := g.body(1), g.body(2)
			return !(&look{g: g, a: &x, b: &y}).hides(1, p, q)
		}
		is(t, "0.9 p through a corner", l(point{X: 450000 - 100000, Y: 250000 + 100064}, point{X: 450000 + 100064, Y: 250000 - 100000}), true)
		is(t, "1.1 p through a corner", l(point{X: 450000 - 100000, Y: 250000 + 100078}, point{X: 450000 + 100078, Y: 250000 - 100000}), false)
		is(t, "from 50 p inside, out and beyond", l(pt(5000, 3450), pt(5000, 5000)), true)
		is(t, "from 50 p inside the north edge out to the south", l(pt(5000, 3450), pt(5000, 1000)), false)
		is(t, "along the outline", l(pt(4500, 1000), pt(4500, 5000)), true)
		is(t, "through", l(pt(5000, 1000), pt(5000, 5000)), false)
	})
	clause(t, "HFG-R21", "over a wood from the upper half of a hill", func(t *testing.T) {
		s := &setting{year: 1815, areas: []areaDef{octagon("w", wood, 5000, 3500, 600, 600), ridge("h", 2000)}}
		g := fieldOn(t, s, piece{"r1", muskets, 5000, 2000, 0, nil}, piece{"b1", muskets, 5000, 4500, 180, nil})
		is(t, "from the crest", seen(t, g, "r1", "b1"), true)
		is(t, "and to it", seen(t, g, "b1", "r1"), true)
		g.Elements[named(t, g, "r1")].At = place(pt(5000, 1000))
		is(t, "from the foot", seen(t, g, "r1", "b1"), false)
	})
	clause(t, "HFG-5.4", "Marksmen 110 p inside a wood", func(t *testing.T) {
		for _, c := range []struct {
			deep int64
			want bool
		}{{110, false}, {90, true}} {
			s := &setting{year: 1815, areas: []areaDef{octagon("w", wood, 5000, 4000, 2000, 2000)}}
			g := fieldOn(t, s, piece{"r1", muskets, 5000, 2500, 0, nil}, piece{"b1", marksmen, 5000, 3000 + c.deep, 180, nil})
			is(t, "seen", seen(t, g, "r1", "b1"), c.want)
			is(t, "sees", seen(t, g, "b1", "r1"), c.want)
		}
	})
	clause(t, "HFG-R22", "inside one wood 200 p", func(t *testing.T) {
		s := &setting{year: 1815, areas: []areaDef{octagon("w", wood, 5000, 3000, 3000, 3000)}}
		g := fieldOn(t, s, piece{"r1", muskets, 5000, 3000, 0, nil}, piece{"b1", marksmen, 5000, 3200, 180, nil}, piece{"b2", marksmen, 5500, 3201, 180, nil})
		is(t, "at 200", seen(t, g, "r1", "b1"), true)
		g.Elements[named(t, g, "b1")].At = place(pt(5000, 3201))
		is(t, "at 201", seen(t, g, "r1", "b1"), false)
	})
	clause(t, "HFG-5.5", "a balloon sees over a wood, but not into it", func(t *testing.T) {
		s := &setting{year: 1815, areas: []areaDef{octagon("w", wood, 5000, 3000, 1500, 1000)}}
		g := fieldOn(t, s, piece{"r1", hq, 5000, 1200, 0, nil}, piece{"r2", aeronauts, 6000, 1200, 0, nil},
			piece{"b1", muskets, 5000, 4000, 180, nil}, piece{"b2", muskets, 5000, 3000, 180, nil})
		g.Elements[named(t, g, "r2")].Rested = true
		is(t, "beyond", g.knows(1, named(t, g, "b1")), true)
		is(t, "inside", g.knows(1, named(t, g, "b2")), false)
		g.Elements[named(t, g, "r2")].Rested = false
		is(t, "after a move", g.knows(1, named(t, g, "b1")), false)
		g.Elements[named(t, g, "r2")].Rested = true
		g.Sky = rain
		is(t, "in rain", g.knows(1, named(t, g, "b1")), false)
	})
	clause(t, "HFG-R85", "Aeronauts need an Army HQ", func(t *testing.T) {
		g := field(t, 1815, piece{"r2", aeronauts, 6000, 1200, 0, nil})
		g.Elements[named(t, g, "r2")].Rested = true
		is(t, "without one", g.operates(named(t, g, "r2")), false)
	})
	clause(t, "HFG-R25", "open: all that is not concealed is known", func(t *testing.T) {
		s := &setting{year: 1815, areas: []areaDef{octagon("w", wood, 5000, 3000, 3000, 3000)}}
		g := fieldOn(t, s, piece{"r1", muskets, 5000, 500, 0, nil}, piece{"b1", muskets, 5000, 3000, 180, nil})
		is(t, "side", g.known(first, named(t, g, "b1")), false)
		g.fog = fogOpen
		is(t, "open", g.known(first, named(t, g, "b1")), true)
		g.Elements[named(t, g, "b1")].Concealed = true
		is(t, "concealed", g.known(first, named(t, g, "b1")), false)
	})
	clause(t, "HFG-5.8", "a command does not know what only another sees", func(t *testing.T) {
		g := begin(t, nil)
		far := named(t, g, "pire-2")
		is(t, "the side knows", g.known(second, far), true)
		n := 0
		for c := commandID(1); int(c) < len(g.Commands); c++ {
			if g.lead(c).side == second && !g.knows(c, far) {
				n++
			}
		}
		is(t, "commands that do not", n > 0, true)
	})
	clause(t, "HFG-R131", "the garrison of a BUA is seen at its nearest edge", func(t *testing.T) {
		s := &setting{year: 1815, areas: []areaDef{octagon("v", bua, 5000, 3000, 600, 600)}}
		g := fieldOn(t, s, piece{"r1", muskets, 5000, 4500, 180, nil}, piece{"r2", muskets, 6000, 4000, 225, nil}, piece{"b1", muskets, 5000, 3000, 0, nil})
		b := named(t, g, "b1")
		g.Elements[b].At, g.Elements[b].Holds = place{}, 1
		x, y := g.body(b), g.body(named(t, g, "r1"))
		eyes := g.eyes(b, &x, named(t, g, "r1"), &y)
		is(t, "corners to the north", len(eyes), 2)
		for _, p := range eyes {
			is(t, "y", p.Y, 3300*pace)
		}
		is(t, "it sees", seen(t, g, "b1", "r1"), true)
		is(t, "and is seen", seen(t, g, "r1", "b1"), true)
		g.Elements[named(t, g, "r2")].At, g.Elements[named(t, g, "r2")].Facing = place(pt(5800, 3800)), 225
		y = g.body(named(t, g, "r2"))
		is(t, "corners to the north-east", len(g.eyes(b, &x, named(t, g, "r2"), &y)), 3)
	})
}

// Whoever sees whom is the same in a mirrored field.
func TestSightInAMirror(t *testing.T) {
	g := begin(t, nil)
	mirror := *g.setting
	mirror.areas = append([]areaDef(nil), g.areas...)
	flip := func(p place) place { return place{X: g.size.X - p.X, Y: p.Y} }
	for i := range mirror.areas {
		d := &mirror.areas[i]
		d.outline = append([]place(nil), d.outline...)
		d.crest = append([]place(nil), d.crest...)
		for j := range d.outline {
			d.outline[j] = flip(d.outline[j])
		}
		for j := range d.crest {
			d.crest[j] = flip(d.crest[j])
		}
	}
	mirror.roster = append([]elementDef(nil), g.roster...)
	mirror.commands = append([]commandDef(nil), g.commands...)
	mirror.complete()
	m := newGame(&mirror, g.options)
	m.scenario = g.scenario
	copy(m.Elements, g.Elements)
	for e := range m.Elements {
		if x := &m.Elements[e]; x.At != (place{}) {
			x.At, x.Facing = flip(x.At), (360-x.Facing)%360
		}
	}
	all := g.standing()
	hidden := 0
	for _, a := range all {
		for _, b := range all {
			if g.enemies(a, b) {
				if g.sees(a, b) != m.sees(a, b) {
					t.Errorf("%s sees %s: %v, in the mirror %v", g.def(a).id, g.def(b).id, g.sees(a, b), m.sees(a, b))
				}
				if !g.sees(a, b) {
					hidden++
				}
			}
		}
	}
	if hidden < 100 {
		t.Errorf("only %d pairs do not see each other", hidden)
	}
}

// What is remembered is what would be worked out.
func TestSightIsRememberedTruly(t *testing.T) {
	g := begin(t, nil)
	e := named(t, g, "pire-1")
	all := g.standing()
	for step := range 20 {
		g.Elements[e].At.Y += 150 * pace
		for _, b := range all {
			if g.enemies(e, b) && (g.sees(e, b) != g.looks(e, b) || g.sees(b, e) != g.looks(b, e)) {
				t.Fatalf("step %d: %s", step, g.def(b).id)
			}
		}
	}
}

func BenchmarkSight(b *testing.B) {
	g := begin(b, nil)
	for b.Loop() {
		g.sights = nil
		for _, e := range g.standing() {
			g.known(g.def(e).side.enemy(), e)
		}
	}
}
