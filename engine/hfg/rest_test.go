package hfg

import "testing"

// Cases of clauses that the tests of their chapters don't name.
func TestRestCases(t *testing.T) {
	clause(t, "HFG-16.4", "a disabled general is himself again with an unmodified 6; his command pays more till then", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", commandParty, 4000, 3000, 0, nil}, piece{"r2", muskets, 4400, 3000, 0, nil})
		x := &g.Elements[named(t, g, "r1")]
		x.Disabled = true
		is(t, "a move costs", g.costs(forward(t, g, "r2", 100)).sum(), 2)
		g.Commands[1].Die = 5
		plays(g).recovers(1)
		is(t, "with a 5", x.Disabled, true)
		g.Commands[1].Die = dieSides
		plays(g).recovers(1)
		is(t, "with a 6", x.Disabled, false)
		is(t, "a move costs", g.costs(forward(t, g, "r2", 100)).sum(), 1)
	})
	clause(t, "HFG-R74", "a brilliant general who recovers is brilliant no more, an inert one stays inert", func(t *testing.T) {
		for of, want := range map[grade]string{brilliant: "hfg.double-who", inert: "hfg.double-who"} {
			g := field(t, 1809, piece{"r1", commandParty, 4000, 3000, 0, []grade{of}})
			g.Commands[1].Die = 1
			before := code(g.doubleFault(1))
			g.Elements[1].Disabled, g.Commands[1].Die = true, dieSides
			plays(g).recovers(1)
			is(t, "doubles before", before == "", of == brilliant)
			is(t, "after", code(g.doubleFault(1)), want)
			is(t, "an inert one's 1", g.inertia(1, 1), map[grade]int{brilliant: 1, inert: 0}[of])
		}
	})
	bridgeBeyond := func(t *testing.T, y int64) *game {
		d := octagon("ridge", hill, 4000, 3000, 3000, 800)
		d.crest = []place{{X: 2600 * pace, Y: 3000 * pace}, {X: 5400 * pace, Y: 3000 * pace}}
		g := fieldOn(t, &setting{year: 1809, areas: []areaDef{d}, lines: []lineDef{lineOf("w", river, 200, [2]int64{0, y}, [2]int64{12000, y})}}, piece{"r1", smoothbore, 4000, 2900, 0, nil})
		g.Bridges = []bridge{{ID: "b", Over: 1, At: place(pt(4000, y)), Facing: 0}}
		return g
	}
	clause(t, "HFG-5.7", "no shot at a bridge that a crest hides", func(t *testing.T) {
		for y, want := range map[int64]bool{3600: false, 3450: true} {
			g := bridgeBeyond(t, y)
			is(t, "may shoot", g.aimFault(named(t, g, "r1"), fighter{Bridge: "b"}) == nil, want)
		}
	})
	clause(t, "HFG-R24", "the ground is known to both sides from the start", func(t *testing.T) {
		g := bridgeBeyond(t, 3600)
		is(t, "bridges in red's view", len(g.view("red").Bridges), 1)
		is(t, "areas in blue's view", len(g.view("blue").areas), 1)
	})
	clause(t, "HFG-4.12", "who comes off the hill onto the edge that was nearest stays uphill, on another not", func(t *testing.T) {
		for start, want := range map[[2]int64]bool{{4600, 2900}: true, {3600, 2000}: false} {
			g := field(t, 1809, append(facedUp(muskets, muskets), piece{"r2", muskets, 8000, 1000, 0, nil})...)
			r, b := named(t, g, "r1"), named(t, g, "b1")
			x := &g.Elements[r]
			x.At, x.Facing = place(g.toFlank(b, 1)), 270 // on its left flank, which is to the east
			x.Arrived, x.Height, x.Began, x.Looked = true, []int{120, 180}, place(pt(start[0], start[1])), 270
			is(t, "uphill", g.uphill(r, b), want)
		}
	})
	clause(t, "HFG-15.3", "who is shot at and has more charges an enemy within 600 paces", func(t *testing.T) {
		for y, want := range map[int64]bool{3600: true, 3602: false} {
			g := field(t, 1809, piece{"b1", lightCavalry, 4000, y, 180, nil}, piece{"r1", smoothbore, 4000, 3000, 0, nil})
			is(t, "charges", fire(t, g, 1, 6).told("hfg.charges"), want)
		}
	})
	clause(t, "HFG-9.2", "no march off road through difficult going", func(t *testing.T) {
		g := fieldOn(t, ground1(wood), piece{"r1", lightInfantry, 5000, 2400, 0, nil})
		p := forward(t, g, "r1", 300)
		is(t, "tactically", code(g.judge(p)), "")
		p.manner = march
		is(t, "a march", code(g.judge(p)), "hfg.march-hard")
		g = fieldOn(t, ground1(slowGoing), piece{"r1", lightInfantry, 5000, 2400, 0, nil})
		p = forward(t, g, "r1", 300)
		p.manner = march
		is(t, "through slow going", code(g.judge(p)), "")
	})
	clause(t, "HFG-6.7", "who is entrenched turns only where he moves back", func(t *testing.T) {
		g := field(t, 1809, piece{"b1", bayonets, 5000, 3000, 180, nil})
		g.Turn = 2
		g.Works = []placedWork{{ID: "e", Kind: entrenchment, Side: second, At: place(pt(5000, 3000)), Facing: 180, Width: 800 * pace}}
		is(t, "in place", to(t, g, "b1", 5000, 3000, 200), "hfg.move-entrenched")
		is(t, "100 back", to(t, g, "b1", 5000, 3100, 200), "")
		is(t, "ahead without a turn", to(t, g, "b1", 5000, 2800, 180), "")
	})
	clause(t, "HFG-10.7", "any element destroys a bridge by staying at it, ships, foot and dismounted by fighting it", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1809, lines: []lineDef{lineOf("w", river, 200, [2]int64{2000, 3000}, [2]int64{6000, 3000})}}, piece{"r1", lightCavalry, 4000, 2900, 0, nil})
		g.Bridges = []bridge{{ID: "b", Over: 1, At: place(pt(4000, 3000)), Facing: 0}}
		is(t, "cavalry may begin", code(g.taskFault(1, "b")), "")
		is(t, "and doesn't fight it", g.wrecks(1, "b"), false)
		p := plays(g)
		g.undertakes(1, "b")
		for _, turn := range []int{1, 3} {
			g.Turn = turn
			p.toils()
		}
		is(t, "it is down", len(g.Bridges), 0)
	})
	clause(t, "HFG-11.4", "a ship doesn't cross the front of an enemy either", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1870, areas: []areaDef{octagon("sea", waterway, 6000, 3000, 9000, 4000)}}, piece{"r1", steamer, 4000, 2700, 90, nil}, piece{"b1", steamer, 5000, 3000, 180, nil})
		is(t, "300 p before him and on", to(t, g, "r1", 5900, 2700, 90), "hfg.move-crosses")
		is(t, "500 p before him", to(t, g, "r1", 4000, 2400, 90), "")
	})
	clause(t, "HFG-9.7", "several wheels in one move: the price is the sum of all", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", lightInfantry, 5000, 2000, 0, nil}, piece{"r2", lightInfantry, 5400, 2000, 0, nil}, piece{"r0", hq, 5000, 1000, 0, nil})
		g.Commands[1].Score, g.Phase = 3, moving
		p := g.bent([]elementID{1, 2}, 0, bend{10, 100}, bend{-10, 150})
		is(t, "price", p.price, 2*wheelPrice(800, 10)+250)
		is(t, "heading", p.paths[0].to.Heading, 0)
		text := "{moves: [{group: [r1, r2], wheel: right 10, advance: 100, then: [{wheel: left 10, advance: 150}]}]}"
		got := written(t, g, g.decision("red", stopTurn), text)
		is(t, "written again", written(t, g, g.decision("red", stopTurn), got), got)
		is(t, "for one element", written(t, g, g.decision("red", stopTurn), "{moves: [{element: r1, forward: 100, then: [{advance: 5}]}]}"), "hfg.order-bends")
		g = replied(t, g, "red", text)
		is(t, "where", g.Elements[1].At, place(p.paths[0].to.At))
	})
}
