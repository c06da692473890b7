package hfg

import (
	"testing"

	"berthier/engine/geometry"
	"berthier/engine/play"
)

// code is that of a fault; "" of none.
func code(f *play.Fault) string {
	if f == nil {
		return ""
	}
	return f.Why.Code
}

// forward plans the move of one element straight ahead by some paces, or back.
func forward(t *testing.T, g *game, id string, far int64) *plan {
	t.Helper()
	e := named(t, g, id)
	b := g.body(e)
	return g.alone(e, b.Shifted(geometry.Step(b.Heading, far*pace)).Frame)
}

// goes judges the move of one element straight ahead.
func goes(t *testing.T, g *game, id string, far int64) string {
	t.Helper()
	return code(g.judge(forward(t, g, id, far)))
}

// to judges the move of one element to a place, given in paces.
func to(t *testing.T, g *game, id string, x, y int64, facing int) string {
	t.Helper()
	return code(g.judge(g.alone(named(t, g, id), at(x, y, facing))))
}

// fires sets fire to an area, and so on: ground of one area with an element of each kind.
func ground1(kind ground, more ...areaDef) *setting {
	return &setting{year: 1815, areas: append([]areaDef{octagon("a", kind, 5000, 3000, 1000, 1000)}, more...)}
}

// Cases of movement on land: chapter 9, and of corridors.
func TestMoveCases(t *testing.T) {
	clause(t, "HFG-1.9", "between two woods", func(t *testing.T) {
		for _, c := range []struct {
			gap  int64
			want string
		}{{397, "hfg.move-too-far"}, {398, ""}, {400, ""}} {
			s := &setting{year: 1815, areas: []areaDef{octagon("a", bua, 4600, 3000, 400, 400), octagon("b", bua, 5000+c.gap, 3000, 400, 400)}}
			g := fieldOn(t, s, piece{"r1", heavyCavalry, 4800 + c.gap/2, 2500, 0, nil})
			g.Elements[1].At = place{X: 4800*pace + c.gap*pace/2, Y: 2500 * pace}
			is(t, "600 p through a gap", goes(t, g, "r1", 1000), c.want)
		}
	})
	clause(t, "HFG-R109", "a base 800 deep sideways through a gap needs 800", func(t *testing.T) {
		for _, c := range []struct {
			gap  int64
			want string
		}{{600, "hfg.move-blocked"}, {800, ""}} {
			g := field(t, 1815, piece{"r1", pontoneers, 4000, 3000, 0, nil}, piece{"r2", muskets, 4400, 2600 + c.gap/2 + 200, 90, nil}, piece{"r3", muskets, 4400, 2600 - c.gap/2 - 200, 90, nil})
			is(t, "sideways", to(t, g, "r1", 4600, 3000, 0), c.want)
		}
	})
	clause(t, "HFG-9.1", "a move is voluntary: nothing moves that is not ordered", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", muskets, 5000, 2000, 0, nil})
		before := g.Elements[1]
		g.judge(forward(t, g, "r1", 300))
		is(t, "where it stands", g.Elements[1].At, before.At)
	})
	clause(t, "HFG-9.3", "Cuirassiers that touch slow going", func(t *testing.T) {
		g := fieldOn(t, ground1(slowGoing), piece{"r1", cuirassiers, 5000, 2300, 0, nil})
		is(t, "400", goes(t, g, "r1", 400), "")
		is(t, "401", goes(t, g, "r1", 401), "hfg.move-too-far")
		is(t, "short of it", goes(t, g, "r1", 200), "")
		g = fieldOn(t, ground1(wood), piece{"r1", cuirassiers, 5000, 2300, 0, nil})
		is(t, "202 in a wood", goes(t, g, "r1", 202), "hfg.move-too-far")
		is(t, "along its edge", to(t, g, "r1", 5600, 2300, 0), "")
	})
	clause(t, "HFG-R18", "by option a wood is slow going", func(t *testing.T) {
		g := fieldOn(t, ground1(wood), piece{"r1", cuirassiers, 5000, 2300, 0, nil})
		g.woodSlow = 1
		is(t, "400", goes(t, g, "r1", 400), "")
	})
	clause(t, "HFG-R40", "entering a BUA is not slow until inside", func(t *testing.T) {
		g := fieldOn(t, ground1(bua), piece{"r1", bayonets, 5000, 2400, 0, nil})
		is(t, "in, 600", goes(t, g, "r1", 600), "")
		g.Elements[1].At = place(pt(5000, 3000))
		is(t, "inside, 400", goes(t, g, "r1", 400), "")
		is(t, "inside, 401", goes(t, g, "r1", 401), "hfg.move-too-far")
	})
	clause(t, "HFG-4.16", "leaving a BUA is slow", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1815, areas: []areaDef{octagon("v", bua, 5000, 3000, 500, 500)}, lines: []lineDef{lineOf("r", road, 0, [2]int64{5000, 0}, [2]int64{5000, 6000})}},
			piece{"r1", bayonets, 5000, 3000, 0, nil})
		p, ok := g.byRoad([]elementID{1}, nil, 600)
		is(t, "it is on the road", ok, true)
		is(t, "out by road, 600", code(g.judge(p)), "hfg.move-too-far")
		p, _ = g.byRoad([]elementID{1}, nil, 400)
		is(t, "400", code(g.judge(p)), "")
	})
	clause(t, "HFG-9.4", "a friend who looks another way is in the way", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", bayonets, 5000, 1950, 0, nil}, piece{"r2", muskets, 5000, 2150, 90, nil}, piece{"b1", muskets, 9000, 2200, 180, nil}, piece{"r3", bayonets, 9000, 1800, 0, nil})
		is(t, "a friend", goes(t, g, "r1", 600), "hfg.move-blocked")
		is(t, "the end on an enemy", goes(t, g, "r3", 450), "hfg.move-overlap")
		is(t, "off the field", to(t, g, "r1", 100, 2000, 0), "hfg.move-off-field")
	})
	clause(t, "HFG-9.5", "an element sideways", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", muskets, 5000, 2000, 0, nil})
		is(t, "400 to the side", to(t, g, "r1", 5400, 2000, 0), "")
		is(t, "401", to(t, g, "r1", 5401, 2000, 0), "hfg.move-too-far")
		p := g.alone(1, at(5200, 2000, 0), pt(5000, 2150))
		is(t, "over a point", p.price, 400)
	})
	clause(t, "HFG-9.6", "about-faces of Muskets", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", muskets, 5000, 2000, 0, nil})
		p := g.alone(1, at(5000, 2000, 180))
		is(t, "about the middle of the front", p.price, 400)
		is(t, "legal", code(g.judge(p)), "")
		b := g.body(1)
		is(t, "in place", g.alone(1, b.AboutFace().Frame).price, 447)
	})
	clause(t, "HFG-R41", "a detour is not free, but by option", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", muskets, 5000, 2000, 0, nil})
		is(t, "the way", g.alone(1, at(5000, 2000, 0), pt(5000, 2200)).price, 400)
		g.measureEnds = 1
		is(t, "by option", g.alone(1, at(5000, 2000, 0), pt(5000, 2200)).price, 0)
	})
	clause(t, "HFG-9.7", "a group with a heavy gun advances 400 at most", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", bayonets, 5000, 2000, 0, nil}, piece{"r2", smoothbore, 5400, 2000, 0, []grade{heavy}})
		is(t, "500", code(g.judge(g.together([]elementID{1, 2}, 0, 0, 500))), "hfg.move-too-far")
		is(t, "400", code(g.judge(g.together([]elementID{1, 2}, 0, 0, 400))), "")
		is(t, "a wheel of 20 and 121", code(g.judge(g.together([]elementID{1, 2}, 0, 20, 121))), "hfg.move-too-far")
		is(t, "the price", g.together([]elementID{1, 2}, 0, 20, 121).price, 280+121)
	})
	clause(t, "HFG-9.12", "sidesteps", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", muskets, 5000, 2000, 0, nil}, piece{"r2", muskets, 5400, 2000, 0, nil}, piece{"b1", muskets, 5150, 3000, 180, nil}, piece{"b2", muskets, 5801, 3000, 180, nil})
		is(t, "150, lined up", code(g.judge(g.together([]elementID{1, 2}, 150*pace, 0, 200))), "")
		is(t, "201", code(g.judge(g.together([]elementID{1, 2}, 201*pace, 0, 0))), "hfg.sidestep-far")
		is(t, "costs nothing", g.together([]elementID{1, 2}, 150*pace, 0, 200).price, 200)
	})
	clause(t, "HFG-R122", "a sidestep that lines up with nobody", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", muskets, 5000, 2000, 0, nil}, piece{"r2", muskets, 5400, 2000, 0, nil}, piece{"b1", muskets, 5150, 3000, 180, nil})
		is(t, "100", code(g.judge(g.together([]elementID{1, 2}, 100*pace, 0, 0))), "hfg.sidestep-idle")
	})
	clause(t, "HFG-9.13", "through friends", func(t *testing.T) {
		s := &setting{year: 1815, lines: []lineDef{lineOf("r", road, 0, [2]int64{8000, 0}, [2]int64{8000, 6000})}}
		g := fieldOn(t, s, piece{"r1", heavyCavalry, 5000, 1500, 0, nil}, piece{"r2", muskets, 5000, 2000, 180, nil}, piece{"r3", heavyCavalry, 8000, 1500, 0, nil}, piece{"r4", muskets, 8000, 2000, 0, nil},
			piece{"r5", commandParty, 2000, 1500, 0, nil}, piece{"r6", muskets, 2000, 2000, 90, nil})
		is(t, "who looks the opposite way", goes(t, g, "r1", 1000), "")
		is(t, "who is on a road", goes(t, g, "r3", 1000), "hfg.move-blocked")
		is(t, "staff pass anyone", goes(t, g, "r5", 1000), "")
		is(t, "but must end clear", goes(t, g, "r5", 400), "hfg.move-overlap")
		g.Works = []placedWork{{ID: "e", Kind: entrenchment, Side: first, At: place(pt(5000, 2000)), Facing: 180, Width: 800 * pace}}
		is(t, "who hold an entrenchment", goes(t, g, "r1", 1000), "hfg.move-blocked")
	})
	clause(t, "HFG-9.14", "an HQ into a marsh", func(t *testing.T) {
		g := fieldOn(t, ground1(marsh), piece{"r1", hq, 5000, 2400, 0, nil}, piece{"r2", bayonets, 4000, 2400, 0, nil})
		is(t, "HQ", goes(t, g, "r1", 200), "hfg.move-ground")
		g.Elements[2].At = place(pt(5000, 2400))
		g.Elements[1].At = place(pt(2000, 2400))
		is(t, "Bayonets", goes(t, g, "r2", 200), "")
	})
	clause(t, "HFG-4.10", "of artillery only Light may enter a marsh", func(t *testing.T) {
		g := fieldOn(t, ground1(marsh), piece{"r1", smoothbore, 5000, 2400, 0, nil}, piece{"r2", lightArtillery, 5000, 3900, 180, nil})
		is(t, "smoothbore", goes(t, g, "r1", 150), "hfg.move-ground")
		is(t, "Light", goes(t, g, "r2", 400), "")
	})
}

// Cases of roads and columns: chapter 9.
func TestRoadCases(t *testing.T) {
	bent := func() *setting {
		return &setting{year: 1815, lines: []lineDef{lineOf("r", road, 0, [2]int64{5000, 0}, [2]int64{5000, 3000}, [2]int64{8000, 6000})}}
	}
	clause(t, "HFG-9.8", "3 degrees off the road's heading is off the road", func(t *testing.T) {
		g := fieldOn(t, bent(), piece{"r1", bayonets, 5000, 2000, 0, nil}, piece{"r2", bayonets, 5000, 1000, 3, nil}, piece{"r3", bayonets, 5000, 500, 180, nil}, piece{"r4", bayonets, 5002, 1500, 0, nil})
		is(t, "on it", g.onRoad(1), true)
		is(t, "3 degrees off", g.onRoad(2), false)
		is(t, "the other way", g.onRoad(3), true)
		is(t, "2 p beside it", g.onRoad(4), false)
	})
	clause(t, "HFG-9.9", "a column turns a bend, each on the track", func(t *testing.T) {
		g := fieldOn(t, bent(), piece{"r1", bayonets, 5000, 2900, 0, nil}, piece{"r2", bayonets, 5000, 2700, 0, nil}, piece{"r3", bayonets, 5000, 2500, 0, nil})
		p, ok := g.byRoad([]elementID{1, 2, 3}, nil, 400)
		if !ok {
			t.Fatal("it is not on a road")
		}
		is(t, "legal", code(g.judge(p)), "")
		line := g.line(1).points
		for i := range p.paths {
			n, off := geometry.Nearest(line, p.paths[i].to.At)
			is(t, "off the road", off, 0)
			is(t, "how far along", n, (3300-int64(i)*200)*pace)
		}
		is(t, "the leader's heading", p.paths[0].to.Heading, 45)
		is(t, "the last one's", p.paths[2].to.Heading, 0)
		g.carry(p)
		is(t, "overlapping on the bend is allowed", len(func() []*play.Breach { b := &breaches{game: g}; b.impossible(); return b.All }()), 0)
		p, _ = g.byRoad([]elementID{1, 2, 3}, nil, 400)
		g.carry(p)
		for _, e := range []elementID{1, 2, 3} {
			is(t, "still on the road", g.onRoad(e), true)
		}
	})
	clause(t, "HFG-R120", "off road the others turn where the leader has turned", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", heavyCavalry, 5000, 3000, 0, nil}, piece{"r2", heavyCavalry, 5000, 2700, 0, nil}, piece{"r3", heavyCavalry, 5000, 2400, 0, nil})
		p := g.wind([]elementID{1, 2, 3}, 90, 10)
		g.carry(p)
		b := g.body(2)
		is(t, "the second is still on the old line", b.At.X, 5000*pace)
		is(t, "the price of a wheel with a front of 400", p.price, 629+10)
		is(t, "the leader's heading", g.Elements[1].Facing, 90)
	})
	clause(t, "HFG-R42", "a march along a road is measured along it", func(t *testing.T) {
		g := fieldOn(t, bent(), piece{"r1", lightCavalry, 5000, 2000, 0, nil})
		p, _ := g.byRoad([]elementID{1}, nil, 1600)
		is(t, "price", p.price, 1600)
		is(t, "legal", code(g.judge(p)), "")
		p, _ = g.byRoad([]elementID{1}, nil, 1601)
		is(t, "too far", code(g.judge(p)), "hfg.move-too-far")
	})
	clause(t, "HFG-R39", "a muddy bad road is slow", func(t *testing.T) {
		g := fieldOn(t, bent(), piece{"r1", lightCavalry, 5000, 2000, 0, nil})
		g.Sky = muddy
		p, _ := g.byRoad([]elementID{1}, nil, 401)
		is(t, "401", code(g.judge(p)), "hfg.move-too-far")
		g.lines[0].good = true
		p, _ = g.byRoad([]elementID{1}, nil, 1600)
		is(t, "a good road", code(g.judge(p)), "")
	})
	clause(t, "HFG-8.2", "misty: Light Cavalry off road", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", lightCavalry, 5000, 2000, 0, nil}, piece{"b1", flotilla, 9000, 2000, 0, nil})
		g.Sky = misty
		is(t, "400", goes(t, g, "r1", 400), "")
		is(t, "401", goes(t, g, "r1", 401), "hfg.move-too-far")
	})
	clause(t, "HFG-8.3", "rain holds guns, and so does the mud until the second 6", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", smoothbore, 5000, 2000, 0, []grade{horse}})
		for sky, far := range map[sky]int64{fair: 1200, rain: 400, soaked: 400, muddy: 1200} {
			g.Sky = sky
			is(t, skyWords[sky], goes(t, g, "r1", far), "")
			is(t, skyWords[sky]+", one more", goes(t, g, "r1", far+1), "hfg.move-too-far")
		}
	})
	clause(t, "HFG-R94", "a column passes beside a friendly SP on its road", func(t *testing.T) {
		s := bent()
		s.areas = []areaDef{octagon("sp", strongPoint, 4840, 2000, 250, 250)}
		g := fieldOn(t, s, piece{"r1", bayonets, 5000, 1500, 0, nil}, piece{"b1", spGarrison, 9000, 5000, 0, nil}, piece{"r2", spGarrison, 9000, 1000, 0, nil})
		sp := &g.Elements[named(t, g, "r2")]
		sp.At, sp.Holds = place{}, 1
		p, _ := g.byRoad([]elementID{1}, nil, 500)
		is(t, "a friend's", code(g.judge(p)), "")
		sp.Fate, sp.Holds = destroyed, 0
		foe := &g.Elements[named(t, g, "b1")]
		foe.At, foe.Holds = place{}, 1
		is(t, "an enemy's", code(g.judge(p)), "hfg.move-overlap")
	})
}

// Cases of groups that must end in column: chapter 9.
func TestJoinCases(t *testing.T) {
	town := func(t *testing.T) *game {
		s := &setting{year: 1815, areas: []areaDef{octagon("v", bua, 5000, 3000, 600, 600)}, lines: []lineDef{lineOf("r", road, 0, [2]int64{5000, 0}, [2]int64{5000, 6000})}}
		return fieldOn(t, s, piece{"r1", muskets, 5000, 3250, 0, nil}, piece{"r2", muskets, 5000, 3050, 0, nil}, piece{"r3", muskets, 5000, 2850, 0, nil})
	}
	clause(t, "HFG-9.11", "a group goes onto a road behind its leader", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", bayonets, 5000, 3000, 0, nil}, piece{"r2", bayonets, 5400, 3000, 0, nil}, piece{"r3", bayonets, 5800, 3000, 0, nil}, piece{"r4", bayonets, 6200, 3000, 0, nil})
		p, fault := g.planned(&order{Verb: verbGo, Column: true, Of: "r1 r2 r3 r4", Far: 400}, []elementID{1, 2, 3, 4})
		if fault != nil {
			t.Fatal(fault.Why)
		}
		is(t, "the leader", p.paths[0].to.At, pt(5000, 3400))
		is(t, "the next is behind him", p.paths[1].to.At, pt(5000, 3200))
		is(t, "one PIP", g.costs(p).base, 1)
		g.carry(p)
		is(t, "sound", sound(g), nil)
		w := fieldOn(t, ground1(wood), piece{"r1", bayonets, 4800, 2400, 0, nil}, piece{"r2", bayonets, 5200, 2400, 0, nil})
		is(t, "abreast into a wood", code(w.judge(w.together([]elementID{1, 2}, 0, 0, 300))), "hfg.move-column")
		is(t, "short of it", code(w.judge(w.together([]elementID{1, 2}, 0, 0, 50))), "")
	})
	clause(t, "HFG-R125", "three leave a BUA by road: who can't reach a place stays", func(t *testing.T) {
		g := town(t)
		g.Elements[3].At = place(pt(5000, 2300))
		p, fault := g.planned(&order{Verb: verbAlong, Column: true, Of: "r1 r2 r3", Far: 400}, []elementID{1, 2, 3})
		if fault != nil {
			t.Fatal(fault.Why)
		}
		is(t, "the leader", p.paths[0].to.At, pt(5000, 3650))
		is(t, "the second behind him", p.paths[1].to.At, pt(5000, 3450))
		g.carry(p)
		is(t, "sound", sound(g), nil)
	})
}

// Cases of water: chapter 10.
func TestCrossingCases(t *testing.T) {
	water := func(kind track, width int64, more ...lineDef) *setting {
		return &setting{year: 1815, lines: append([]lineDef{lineOf("w", kind, width, [2]int64{0, 3000}, [2]int64{12000, 3000})}, more...)}
	}
	clause(t, "HFG-10.1", "by a road without a bridge", func(t *testing.T) {
		g := fieldOn(t, water(river, 300, lineOf("r", road, 0, [2]int64{5000, 0}, [2]int64{5000, 6000})), piece{"r1", bayonets, 5000, 2700, 0, nil}, piece{"r2", bayonets, 5000, 2500, 0, nil})
		p, ok := g.byRoad([]elementID{1, 2}, nil, 600)
		is(t, "on the road", ok, true)
		is(t, "a column", code(g.judge(p)), "")
	})
	clause(t, "HFG-10.4", "a river elsewhere", func(t *testing.T) {
		g := fieldOn(t, water(river, 300), piece{"r1", bayonets, 5000, 2800, 0, nil}, piece{"r2", bayonets, 7000, 3400, 0, nil})
		is(t, "into it", goes(t, g, "r1", 300), "hfg.move-river")
		is(t, "to the bank", goes(t, g, "r1", 50), "")
		g.Fords = []ford{{Over: 1, At: place(pt(5000, 3000)), Facing: 0}}
		is(t, "over a found ford", goes(t, g, "r1", 600), "")
		g.Fords = nil
		g.Bridges = []bridge{{ID: "b", Over: 1, At: place(pt(5000, 3000)), Facing: 180}}
		is(t, "over a bridge", goes(t, g, "r1", 600), "")
		is(t, "back over the river", goes(t, g, "r2", -500), "hfg.move-river")
		g.Works = []placedWork{{ID: "e", Kind: feature, Side: first, At: place(pt(7000, 3200)), Facing: 0, Width: 1200 * pace}}
		g.Elements[2].At = place(pt(7000, 3200))
		is(t, "back, from a feature on the bank", goes(t, g, "r2", -400), "")
		g.Elements[2].Facing, g.Works[0].Facing = 180, 180
		is(t, "towards the enemy", goes(t, g, "r2", 400), "hfg.move-river")
	})
	clause(t, "HFG-10.6", "a stream is crossed from halfway to the far side", func(t *testing.T) {
		g := fieldOn(t, water(stream, 100), piece{"r1", muskets, 5000, 2850, 0, nil})
		is(t, "past halfway", goes(t, g, "r1", 400), "hfg.move-stream")
		is(t, "its rear on the middle", goes(t, g, "r1", 350), "")
		is(t, "its front over the middle, its rear short of it", goes(t, g, "r1", 250), "hfg.move-stream")
		is(t, "25 p short", goes(t, g, "r1", 325), "")
		g.Elements[1].At = place(pt(5000, 3200))
		is(t, "on from halfway", goes(t, g, "r1", 300), "")
	})
	clause(t, "HFG-R126", "a move over a stream is cut to halfway", func(t *testing.T) {
		g := fieldOn(t, water(stream, 100), piece{"r1", muskets, 5000, 2850, 0, nil})
		p, cut := g.halved(forward(t, g, "r1", 400))
		is(t, "it is cut", cut, true)
		is(t, "to", p.price, 350)
		is(t, "which is legal", code(g.judge(p)), "")
	})
	clause(t, "HFG-R46", "halfway is within 25 p", func(t *testing.T) {
		g := fieldOn(t, water(stream, 100), piece{"r1", muskets, 5000, 3225, 0, nil}, piece{"r2", muskets, 7000, 3226, 0, nil})
		a, b := g.body(1), g.body(2)
		is(t, "25", g.astride(&a, 1), true)
		is(t, "26", g.astride(&b, 1), false)
	})
	clause(t, "HFG-4.21", "in a gully one is in slow going", func(t *testing.T) {
		g := fieldOn(t, water(gully, 100), piece{"r1", heavyCavalry, 5000, 3300, 0, nil})
		is(t, "out of it, 400", goes(t, g, "r1", 400), "")
		is(t, "401", goes(t, g, "r1", 401), "hfg.move-too-far")
	})
	sea := func() *setting {
		return &setting{year: 1870, areas: []areaDef{octagon("sea", waterway, 6000, 3000, 9000, 2000)},
			lines: []lineDef{lineOf("w", river, 250, [2]int64{6000, 6000}, [2]int64{6000, 4000})}}
	}
	clause(t, "HFG-10.8", "ships: a damaged Steamer goes 400", func(t *testing.T) {
		g := fieldOn(t, sea(), piece{"r1", steamer, 4000, 3000, 90, nil})
		is(t, "2000", goes(t, g, "r1", 2000), "")
		g.Elements[1].Damaged = true
		is(t, "401", goes(t, g, "r1", 401), "hfg.move-too-far")
		is(t, "400", goes(t, g, "r1", 400), "")
		g = fieldOn(t, sea(), piece{"r1", flotilla, 6000, 4600, 0, nil})
		is(t, "up the river", goes(t, g, "r1", 801), "hfg.move-too-far")
		g.lines[0].up = true
		is(t, "down it", goes(t, g, "r1", 801), "")
	})
	clause(t, "HFG-10.9", "a river of 200 p bears a Flotilla only", func(t *testing.T) {
		g := fieldOn(t, sea(), piece{"r1", flotilla, 6000, 5600, 0, nil}, piece{"r2", sail, 6000, 3900, 0, nil})
		is(t, "Flotilla", goes(t, g, "r1", 200), "")
		is(t, "Sail", goes(t, g, "r2", 1000), "hfg.move-ashore")
		g.lines[0].width = 199 * pace
		is(t, "a narrower one", goes(t, g, "r1", 200), "hfg.move-ashore")
	})
	clause(t, "HFG-18.1", "44 degrees off the wind", func(t *testing.T) {
		g := fieldOn(t, sea(), piece{"r1", sail, 5000, 2800, 44, nil}, piece{"r2", sail, 4000, 2800, 45, nil}, piece{"r3", steamer, 7000, 2800, 0, nil})
		g.Wind = fromNorth
		is(t, "44", goes(t, g, "r1", 300), "hfg.move-wind")
		is(t, "45", goes(t, g, "r2", 300), "")
		is(t, "a Steamer", goes(t, g, "r3", 300), "")
	})
	clause(t, "HFG-18.2", "a ship on land", func(t *testing.T) {
		g := fieldOn(t, sea(), piece{"r1", steamer, 3000, 3900, 0, nil})
		is(t, "ashore", goes(t, g, "r1", 500), "hfg.move-ashore")
	})
	clause(t, "HFG-R132", "wind w blows from the west", func(t *testing.T) {
		g := fieldOn(t, sea(), piece{"r1", sail, 6000, 3000, 250, nil})
		g.Wind = fromWest
		is(t, "heading 250", goes(t, g, "r1", 300), "hfg.move-wind")
	})
}
