package hfg

import (
	"testing"

	"pgregory.net/rapid"

	"berthier/engine/geometry"
)

// contacting plans and judges a contact.
func contacting(t *testing.T, g *game, enemy string, edges []geometry.Flank, ids ...string) *plan {
	t.Helper()
	var all []elementID
	for _, id := range ids {
		all = append(all, named(t, g, id))
	}
	p, ok := g.contact(all, named(t, g, enemy), edges...)
	if !ok {
		return nil
	}
	return p
}

// Cases of chapter 11, and vector V8.
func TestContactCases(t *testing.T) {
	clause(t, "HFG-11.1", "Marksmen may contact train only, guns nobody", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", marksmen, 5000, 2000, 0, nil}, piece{"b1", muskets, 5000, 2100, 180, nil}, piece{"r2", marksmen, 7000, 2000, 0, nil}, piece{"b2", laager, 7000, 2100, 180, nil}, piece{"r3", smoothbore, 9000, 2000, 0, nil}, piece{"b3", muskets, 9000, 2100, 180, nil})
		is(t, "foot", goes(t, g, "r1", 100), "hfg.contact-never")
		is(t, "train", goes(t, g, "r2", 100), "")
		is(t, "guns", goes(t, g, "r3", 100), "hfg.contact-never")
	})
	clause(t, "HFG-11.2", "Muskets move 200 into contact, cavalry 600", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", bayonets, 5000, 2000, 0, nil}, piece{"b1", muskets, 5000, 2201, 180, nil}, piece{"r2", heavyCavalry, 7000, 2000, 0, nil}, piece{"b2", muskets, 7000, 2601, 180, nil})
		is(t, "201", goes(t, g, "r1", 201), "hfg.contact-far")
		is(t, "601", goes(t, g, "r2", 601), "hfg.contact-far")
		g.Elements[named(t, g, "b1")].At = place(pt(5000, 2200))
		g.Elements[named(t, g, "b2")].At = place(pt(7000, 2600))
		is(t, "200", goes(t, g, "r1", 200), "")
		is(t, "600", goes(t, g, "r2", 600), "")
	})
	clause(t, "HFG-R48", "an HQ contacts within 200, a CP within 600", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", hq, 5000, 2000, 0, nil}, piece{"b1", commandParty, 7000, 2000, 0, nil})
		is(t, "HQ", g.contactReach(named(t, g, "r1")), 200)
		is(t, "CP", g.contactReach(named(t, g, "b1")), 600)
	})
	clause(t, "HFG-11.3", "a flank is contacted from wholly beyond its line", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", heavyCavalry, 5450, 2600, 270, nil}, piece{"r2", heavyCavalry, 5150, 3100, 200, nil}, piece{"b1", muskets, 5000, 3000, 0, nil})
		is(t, "from beside", to(t, g, "r1", 5200, 2800, 270), "")
		g.Elements[named(t, g, "r1")].At = place(pt(9000, 1000))
		is(t, "from ahead", to(t, g, "r2", 5200, 2800, 270), "hfg.contact-flank")
	})
	clause(t, "HFG-11.4", "crossing an enemy's front, passing an SP", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", heavyCavalry, 4200, 2700, 90, nil}, piece{"r2", bayonets, 5120, 2300, 0, nil}, piece{"b1", muskets, 5000, 3000, 180, nil})
		is(t, "300 p before him and on", to(t, g, "r1", 5400, 2700, 90), "hfg.move-crosses")
		is(t, "straight at him, 120 off his middle", goes(t, g, "r2", 550), "")
		g.Elements[named(t, g, "b1")].Spirit = routed
		is(t, "a routed enemy bars nobody", to(t, g, "r1", 5400, 2700, 90), "")
		s := &setting{year: 1815, areas: []areaDef{octagon("sp", strongPoint, 5000, 3000, 250, 250)}}
		g = fieldOn(t, s, piece{"r1", heavyCavalry, 4600, 2575, 90, nil}, piece{"r2", bayonets, 5000, 2300, 0, nil}, piece{"b1", spGarrison, 9000, 3000, 180, nil})
		x := &g.Elements[named(t, g, "b1")]
		x.At, x.Holds = place{}, 1
		is(t, "along an SP's face and past its corner", to(t, g, "r1", 5700, 2575, 90), "hfg.move-passes")
		is(t, "straight at it", goes(t, g, "r2", 425), "")
	})
	clause(t, "HFG-R49", "to stop before an enemy is no crossing, nor to retire", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", bayonets, 5300, 2700, 0, nil}, piece{"b1", muskets, 5000, 3000, 180, nil})
		is(t, "straight back", goes(t, g, "r1", -300), "")
		is(t, "200 to the side", to(t, g, "r1", 5100, 2700, 0), "")
	})
	clause(t, "HFG-R116", "250 p along a front 300 p off", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", muskets, 5000, 2700, 0, nil}, piece{"b1", muskets, 5000, 3000, 180, nil})
		is(t, "250", to(t, g, "r1", 5250, 2700, 0), "hfg.move-crosses")
		is(t, "200", to(t, g, "r1", 5200, 2700, 0), "")
	})
	clause(t, "HFG-11.7", "conformed places: V8", func(t *testing.T) {
		e := musketsAt(2000, 2000, 180)
		for side, want := range map[geometry.Flank]geometry.Frame{
			geometry.Front: at(2000, 2000, 0), geometry.Left: at(2200, 2200, 270), geometry.Right: at(1800, 2200, 90), geometry.Rear: at(2000, 2200, 180),
		} {
			is(t, "side", conformed(e.Box, &e, side, false, point{}), want)
		}
		b := musketsAt(5000, 5000, 0)
		is(t, "the right flank", conformed(b.Box, &b, geometry.Right, false, point{}), at(5200, 4800, 270))
	})
	clause(t, "HFG-R50", "a flank is met from its front corner backwards", func(t *testing.T) {
		e := musketsAt(2000, 2000, 0)
		m := geometry.NewBody(geometry.Piece{Frame: conformed(e.Box, &e, geometry.Left, false, point{}), Box: e.Box})
		is(t, "corners", coincide(m.Corner[0], e.Corner[0]), true)
	})
	clause(t, "HFG-R108", "two attackers of two edges of an SP", func(t *testing.T) {
		s := &setting{year: 1815, areas: []areaDef{octagon("sp", strongPoint, 5000, 3000, 250, 250)}}
		g := fieldOn(t, s, piece{"r1", bayonets, 5000, 2700, 0, nil}, piece{"r2", bayonets, 4700, 3100, 90, nil}, piece{"b1", spGarrison, 9000, 3000, 180, nil})
		x := &g.Elements[named(t, g, "b1")]
		x.At, x.Holds = place{}, 1
		south := contacting(t, g, "b1", []geometry.Flank{geometry.Rear}, "r1")
		if south == nil {
			t.Fatal("no contact with the south edge")
		}
		g.carry(south)
		west := contacting(t, g, "b1", []geometry.Flank{geometry.Left}, "r2")
		if west == nil {
			t.Fatal("no contact with the west edge")
		}
		is(t, "heading", west.paths[0].to.Heading, 90)
		is(t, "its front lies on the edge", west.paths[0].to.At.X, 4875*pace)
	})
	clause(t, "HFG-11.9", "a contact without an edge is with the front, if that is legal", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", bayonets, 5000, 2820, 0, nil}, piece{"b1", muskets, 5000, 3000, 180, nil})
		p := contacting(t, g, "b1", nil, "r1")
		is(t, "planned", p != nil, true)
		is(t, "the place", p.paths[0].to.Frame, at(5000, 3000, 0))
		is(t, "price", p.price, 180)
	})
	clause(t, "HFG-R115", "a group contacts by one of its elements", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", bayonets, 5000, 2820, 0, nil}, piece{"r2", bayonets, 5400, 2820, 0, nil}, piece{"b1", muskets, 5150, 3000, 180, nil})
		p := contacting(t, g, "b1", nil, "r1", "r2")
		if p == nil {
			t.Fatal("no contact")
		}
		is(t, "a sidestep of 150", p.paths[0].to.At, pt(5150, 3000))
		is(t, "price", p.price, 180)
		g.Elements[named(t, g, "b1")].At = place(pt(5210, 3000))
		p = contacting(t, g, "b1", nil, "r1")
		is(t, "a single element comes from further", p != nil && p.paths[0].to.At == pt(5210, 3000), p != nil)
		g.Elements[named(t, g, "b1")].At = place(pt(4790, 3000))
		is(t, "a group 210 p beside", contacting(t, g, "b1", []geometry.Flank{geometry.Front}, "r1", "r2") == nil, true)
	})
	clause(t, "HFG-11.8", "shifts of 220 p", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", heavyCavalry, 5220, 3000, 0, nil}, piece{"b1", muskets, 5000, 3000, 180, nil})
		b := g.body(1)
		for _, c := range g.closings(1, named(t, g, "b1"), &b) {
			if c.side == geometry.Front {
				t.Errorf("the front is offered at a shift of %d", c.shift)
			}
		}
	})
	clause(t, "HFG-11.5", "who touches 150 p offset shifts by 150", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", heavyCavalry, 5150, 3000, 0, nil}, piece{"b1", muskets, 5000, 3000, 180, nil})
		b := g.body(1)
		all := g.closings(1, named(t, g, "b1"), &b)
		is(t, "the first", all[0].side, geometry.Front)
		is(t, "its shift", all[0].shift, 150*pace)
		is(t, "where", all[0].to, at(5000, 3000, 0))
		g.Works = []placedWork{{ID: "e", Kind: entrenchment, Side: second, At: place(pt(5000, 3000)), Facing: 180, Width: 800 * pace}}
		is(t, "who is entrenched need not", g.fixed(named(t, g, "b1")), true)
	})
	clause(t, "HFG-R162", "who defends a wood's edge or a bank doesn't conform, and turns all the same", func(t *testing.T) {
		for y, want := range map[int64]bool{2999: true, 2950: true, 2901: true, 2890: false, 3001: false} {
			g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("wood", wood, 4000, 2500, 3000, 1000)}}, piece{"b1", bayonets, 4000, y, 0, nil})
			is(t, "in the wood", g.defendsEdge(named(t, g, "b1")), want)
			is(t, "it may turn", g.mayFace(named(t, g, "b1")), true)
		}
		for facing, want := range map[int]bool{0: true, 180: false} {
			g := fieldOn(t, &setting{year: 1809, lines: []lineDef{lineOf("river", river, 200, [2]int64{0, 3100}, [2]int64{9000, 3100})}}, piece{"b1", bayonets, 4000, 3000, facing, nil})
			is(t, "on the bank", g.defendsEdge(named(t, g, "b1")), want)
		}
		for _, in := range []bool{true, false} {
			s := &setting{year: 1809}
			if in {
				s.areas = []areaDef{octagon("wood", wood, 4000, 2500, 3000, 1000)}
			}
			g := fieldOn(t, s, piece{"b1", bayonets, 4000, 3000, 0, nil}, piece{"r1", bayonets, 4050, 3001, 200, nil})
			before := standsAt(t, g, "b1")
			g.try(named(t, g, "r1"), func(c *chain) bool { c.conform(named(t, g, "r1"), named(t, g, "b1")); return true })
			is(t, "who defends stays", standsAt(t, g, "b1") == before, in)
		}
	})
	clause(t, "HFG-9.6", "who overlaps flank to flank may always move to that flank, too", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", muskets, 4000, 3000, 0, nil}, piece{"b1", muskets, 4400, 2800, 180, nil}, piece{"b2", muskets, 4400, 3000, 180, nil})
		r, b, front := g.body(named(t, g, "r1")), g.body(named(t, g, "b1")), g.body(named(t, g, "b2"))
		is(t, "flank to flank", givesOverlap(&r, &b, geometry.Right), true)
		is(t, "not the other flank", givesOverlap(&r, &b, geometry.Left), false)
		is(t, "front level with his", givesOverlap(&r, &front, geometry.Right), true)
		is(t, "front to front", givesOverlap(&r, &front, geometry.Front), false)
	})
	clause(t, "HFG-R123", "least turn before least shift", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", heavyCavalry, 5250, 2900, 280, nil}, piece{"b1", muskets, 5000, 3000, 0, nil})
		b := g.body(1)
		all := g.closings(1, named(t, g, "b1"), &b)
		is(t, "the right flank first", all[0].side, geometry.Right)
		is(t, "its turn", all[0].turn, 10)
	})
	clause(t, "HFG-R51", "a group turns to conform by 45 degrees at most", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", bayonets, 5000, 2900, 0, nil}, piece{"r2", bayonets, 5400, 2900, 0, nil}, piece{"b1", muskets, 5100, 3150, 226, nil})
		e := g.body(named(t, g, "b1"))
		is(t, "46 degrees", g.toward([]elementID{1, 2}, 1, &e, geometry.Front, false) == nil, true)
	})
	clause(t, "HFG-9.2", "a march into contact", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", heavyCavalry, 5000, 2500, 0, nil}, piece{"b1", muskets, 5000, 3100, 180, nil})
		p := forward(t, g, "r1", 600)
		p.manner = march
		is(t, "to contact", code(g.judge(p)), "hfg.march-contact")
		p = forward(t, g, "r1", 10)
		p.manner = march
		is(t, "to 590 p of a known enemy", code(g.judge(p)), "hfg.march-near")
		g.Elements[named(t, g, "b1")].At.Y += 10 * pace
		is(t, "to 600", code(g.judge(p)), "")
		g.Elements[named(t, g, "b1")].At.Y -= 50 * pace
		g.Elements[named(t, g, "b1")].Concealed = true
		is(t, "an enemy that is not known", code(g.judge(p)), "")
	})
}

// Whatever the headings, conformed corners meet within the tolerance, and the two are in aligned
// frontal contact.
func TestConformedCornersMeet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depth := []int64{200, 300, 400, 800}
		e := geometry.NewBody(geometry.Piece{
			Frame: geometry.Frame{At: point{X: rapid.Int64Range(0, 1_200_000).Draw(t, "x"), Y: rapid.Int64Range(0, 600_000).Draw(t, "y")}, Heading: geometry.Heading(rapid.IntRange(0, 359).Draw(t, "heading"))},
			Box:   geometry.Box{U0: -20000, V0: -depth[rapid.IntRange(0, 3).Draw(t, "deep")] * pace, U1: 20000}})
		box := geometry.Box{U0: -20000, V0: -depth[rapid.IntRange(0, 3).Draw(t, "mover")] * pace, U1: 20000}
		for side := geometry.Front; side <= geometry.Rear; side++ {
			m := geometry.NewBody(geometry.Piece{Frame: conformed(box, &e, side, false, point{}), Box: box})
			pairs := map[geometry.Flank][2]int{geometry.Front: {0, 1}, geometry.Left: {0, 0}, geometry.Right: {1, 1}, geometry.Rear: {0, 3}}[side]
			if d := geometry.Dist(m.Corner[pairs[0]], e.Corner[pairs[1]]); d > 2 {
				t.Fatalf("side %d: corners are %d apart", side, d)
			}
			if !frontal(&m, &e) || !aligned(&m, &e) {
				t.Fatalf("side %d: no aligned frontal contact", side)
			}
			if got, ok := meets(box, m.Frame, &e, false); !ok || got != side {
				t.Fatalf("side %d is taken for %d", side, got)
			}
		}
	})
}
