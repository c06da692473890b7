package hfg

import (
	"slices"
	"testing"

	"berthier/engine/geometry"
	"berthier/engine/play"
)

// faultCode is the code of a refusal; "" is none.
func faultCode(f *play.Fault) string {
	if f == nil {
		return ""
	}
	return f.Why.Code
}

// may says whether and why not one element shoots at another.
func may(t testing.TB, g *game, by, at string) string {
	t.Helper()
	return faultCode(g.shotFault(named(t, g, by), g.aimedAt(named(t, g, by), named(t, g, at))))
}

// heldBy puts an element into a piece that it holds.
func heldBy(t testing.TB, g *game, id string, a areaID) elementID {
	t.Helper()
	e := named(t, g, id)
	g.Elements[e].At, g.Elements[e].Holds = place{}, a
	return e
}

func TestDistantCases(t *testing.T) {
	clause(t, "HFG-12.1", "in close combat only who overlaps shoots, and each once", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 3000, 180, nil},
			piece{"r2", bayonets, 4400, 3000, 0, nil}, piece{"b2", bayonets, 4400, 3300, 180, nil})
		is(t, "in contact", may(t, g, "r1", "b2"), "hfg.shot-engaged")
		is(t, "beside it", may(t, g, "r2", "b2"), "")
		g.Elements[named(t, g, "r2")].Shot = true
		is(t, "again", may(t, g, "r2", "b2"), "hfg.shot-twice")
	})
	clause(t, "HFG-12.2", "who is barred", func(t *testing.T) {
		for want, c := range map[string]struct {
			own    troop
			grades []grade
			with   func(x *element)
		}{
			"hfg.shot-marched":     {bayonets, nil, func(x *element) { x.Manner = march }},
			"hfg.shot-mounted":     {lightCavalry, nil, func(x *element) {}},
			"hfg.shot-heavy-moved": {smoothbore, []grade{heavy}, func(x *element) { x.Manner = tactical }},
			"hfg.shot-silenced":    {smoothbore, nil, func(x *element) { x.Silenced = 2 }},
			"hfg.shot-fled":        {bayonets, nil, func(x *element) { x.Spirit = repulsed }},
			"hfg.shot-pressed":     {bayonets, nil, func(x *element) { x.Pressed = true }},
			"":                     {smoothbore, nil, func(x *element) { x.Manner = tactical }},
		} {
			g := field(t, 1809, piece{"r1", c.own, 4000, 3000, 0, c.grades}, piece{"b1", bayonets, 4000, 3300, 180, nil})
			g.Turn = 3
			c.with(&g.Elements[named(t, g, "r1")])
			is(t, c.own.String(), may(t, g, "r1", "b1"), want)
		}
		g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("wood", wood, 4000, 2800, 900, 900)}},
			piece{"r1", smoothbore, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 3700, 180, nil})
		is(t, "guns in a wood", may(t, g, "r1", "b1"), "hfg.shot-stand")
	})
	clause(t, "HFG-R28", "guns in a redoubt shoot, by option they are silent", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", smoothbore, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 3700, 180, nil})
		behindIt(redoubt)(g, named(t, g, "r1"), 0)
		is(t, "shoots", may(t, g, "r1", "b1"), "")
		g.redoubtSilent = 1
		is(t, "silent", may(t, g, "r1", "b1"), "hfg.shot-redoubt")
	})
	clause(t, "HFG-R99", "a dismountable may shoot after a tactical move, not after one of over 200 paces into contact", func(t *testing.T) {
		g := field(t, 1870, piece{"r1", dragoons, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 3300, 180, nil})
		x := &g.Elements[named(t, g, "r1")]
		x.Manner, x.Moved = tactical, 1000
		is(t, "without a shot", g.class(named(t, g, "r1")), mounted)
		is(t, "may shoot", may(t, g, "r1", "b1"), "")
		x.Shot = true
		is(t, "after it", g.class(named(t, g, "r1")), dismounted)
		x.Shot, x.Charged = false, true
		is(t, "charged", may(t, g, "r1", "b1"), "hfg.shot-mounted")
	})
	clause(t, "HFG-12.3", "a broadside shoots from all edges, a Flotilla from its front", func(t *testing.T) {
		for k, want := range map[troop]int{sail: 4, steamer: 4, flotilla: 1, submarine: 1, laager: 4, bayonets: 1} {
			g := field(t, 1866, piece{"b1", k, 4000, 3000, 0, nil})
			is(t, k.String(), len(g.shootingEdges(named(t, g, "b1"))), want)
		}
	})
	clause(t, "HFG-18.3", "all four edges of a ship shoot", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("sea", waterway, 4000, 3000, 4000, 4000)}},
			piece{"r1", sail, 4000, 3000, 0, nil}, piece{"b1", sail, 4700, 3000, 0, nil})
		is(t, "abeam", may(t, g, "r1", "b1"), "")
		g.Elements[named(t, g, "b1")].At = place{X: 4000 * pace, Y: 3800 * pace}
		is(t, "ahead", may(t, g, "r1", "b1"), "")
	})
	clause(t, "HFG-12.4", "not at whom a friend fights, but at routed ones", func(t *testing.T) {
		g := field(t, 1809, append(facedUp(muskets, muskets), piece{"r2", smoothbore, 4000, 1700, 0, nil})...)
		is(t, "in frontal contact", may(t, g, "r2", "b1"), "hfg.shot-at-engaged")
	})
	clause(t, "HFG-12.14", "routed troops are a target even in contact", func(t *testing.T) {
		g := field(t, 1809, piece{"b1", muskets, 4000, 3000, 180, nil}, piece{"r1", muskets, 4300, 2900, 270, nil}, piece{"r2", smoothbore, 4000, 1700, 0, nil})
		g.Elements[named(t, g, "r1")].At = place(g.toFlank(named(t, g, "b1"), geometry.Left))
		is(t, "on its flank", may(t, g, "r2", "b1"), "")
		g = field(t, 1809, piece{"b1", muskets, 4000, 3000, 180, nil}, piece{"r2", smoothbore, 4000, 1700, 0, nil})
		g.Elements[named(t, g, "b1")].Spirit = routed
		is(t, "routed", may(t, g, "r2", "b1"), "")
	})
	clause(t, "HFG-12.5", "ranges", rangeCases)
	clause(t, "HFG-19.2", "a Laager shoots 600 paces from every edge", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", laager, 4000, 3000, 0, nil}, piece{"b1", muskets, 4000, 1600, 0, nil})
		is(t, "behind it", may(t, g, "r1", "b1"), "")
		g = field(t, 1809, piece{"r1", laager, 4000, 3000, 0, nil}, piece{"b1", muskets, 4000, 1598, 0, nil})
		is(t, "two paces further", may(t, g, "r1", "b1"), "hfg.shot-range")
	})
	clause(t, "HFG-12.6", "the arc", func(t *testing.T) {
		for x, want := range map[int64]string{4000: "", 4599: "", 4603: "hfg.shot-arc"} {
			g := field(t, 1809, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"b1", bayonets, x, 3300, 180, nil})
			is(t, "beside", may(t, g, "r1", "b1"), want)
		}
		g := field(t, 1809, piece{"r1", smoothbore, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4450, 3100, 90, nil})
		is(t, "a corner behind the line", may(t, g, "r1", "b1"), "hfg.shot-arc")
	})
	clause(t, "HFG-12.7", "lanes", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", smoothbore, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 4000, 180, nil}, piece{"r2", bayonets, 4399, 3500, 0, nil})
		is(t, "a friend's corner in it", may(t, g, "r1", "b1"), "")
		g.Elements[named(t, g, "r2")].At.X = 4390 * pace
		is(t, "by ten paces", may(t, g, "r1", "b1"), "hfg.shot-lane")
	})
	clause(t, "HFG-R52", "a gap under 400 paces isn't shot through", func(t *testing.T) {
		for x, want := range map[int64]string{4410: "", 4400: "", 4390: "hfg.shot-lane"} {
			g := field(t, 1809, piece{"r1", smoothbore, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 4000, 180, nil},
				piece{"r2", bayonets, x, 3500, 0, nil}, piece{"r3", bayonets, 3600, 3500, 0, nil})
			is(t, "two friends", may(t, g, "r1", "b1"), want)
		}
	})
	clause(t, "HFG-R118", "a wood's corner in the lane blocks; the wood in which the shooter stands only beyond 100 paces", func(t *testing.T) {
		corner := areaDef{id: "wood", kind: wood, outline: []place{{X: 4190 * pace, Y: 3500 * pace}, {X: 5000 * pace, Y: 3200 * pace}, {X: 5000 * pace, Y: 3800 * pace}}}
		g := fieldOn(t, &setting{year: 1809, areas: []areaDef{corner}}, piece{"r1", bayonets, 4000, 3300, 0, nil}, piece{"b1", bayonets, 4000, 3600, 180, nil})
		is(t, "a corner", may(t, g, "r1", "b1"), "hfg.shot-lane")
		for y, want := range map[int64]string{3080: "", 3180: "hfg.shot-lane"} {
			g = fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("wood", wood, 4000, y-600, 2400, 1200)}}, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 3350, 180, nil})
			g.fog = fogOpen
			is(t, "inside its edge", may(t, g, "r1", "b1"), want)
		}
	})
	clause(t, "HFG-12.8", "foot must shoot in the enemy's turn; the nearest, then the one most directly in front", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 3300, 180, nil})
		is(t, "in its own turn", g.compelled(named(t, g, "r1")), false)
		g.Turn = 2
		is(t, "in the enemy's", g.compelled(named(t, g, "r1")), true)
		g = field(t, 1809, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4400, 3300, 180, nil}, piece{"b2", bayonets, 4000, 3310, 180, nil})
		is(t, "the nearest", g.targets(named(t, g, "r1"))[0], named(t, g, "b2"))
		is(t, "it may not take another", slices.Contains(g.takeable(named(t, g, "r1")), named(t, g, "b1")), false)
		g = field(t, 1809, piece{"r1", smoothbore, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4400, 3900, 180, nil}, piece{"b2", bayonets, 4000, 3900, 180, nil})
		is(t, "guns may", slices.Contains(g.takeable(named(t, g, "r1")), named(t, g, "b1")), true)
	})
	clause(t, "HFG-R134", "distances are compared in whole paces", func(t *testing.T) {
		g := field(t, 1870, piece{"r1", rifles, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4300, 3600, 180, nil}, piece{"b2", bayonets, 3900, 3600, 180, nil})
		g.Elements[named(t, g, "b1")].At.Y -= 40
		is(t, "both 600: most directly in front", g.targets(named(t, g, "r1"))[0], named(t, g, "b2"))
	})
	clause(t, "HFG-12.9", "troops beyond a BUA can't be shot at; guns shoot at the BUA that is held", func(t *testing.T) {
		town := []areaDef{octagon("town", bua, 4000, 3500, 600, 600)}
		g := fieldOn(t, &setting{year: 1809, areas: town}, piece{"r1", smoothbore, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 4200, 180, nil})
		g.fog = fogOpen
		is(t, "beyond", may(t, g, "r1", "b1"), "hfg.shot-lane")
		heldBy(t, g, "b1", 1)
		is(t, "its garrison", may(t, g, "r1", "b1"), "")
		is(t, "the place is the target", g.aimedAt(named(t, g, "r1"), named(t, g, "b1")).Area, areaID(1))
		foot := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("town", bua, 4000, 3500, 600, 600)}}, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 4200, 180, nil})
		heldBy(t, foot, "b1", 1)
		is(t, "foot at the garrison", foot.aimedAt(named(t, foot, "r1"), named(t, foot, "b1")).Area, areaID(0))
	})
	clause(t, "HFG-4.20", "no shot 150 paces into a wood", func(t *testing.T) {
		for y, want := range map[int64]string{3350: "hfg.shot-into", 3240: ""} {
			g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("wood", wood, 4000, 4200, 3000, 2000)}}, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, y, 180, nil})
			g.fog = fogOpen
			is(t, "in the wood", may(t, g, "r1", "b1"), want)
		}
	})
	clause(t, "HFG-12.10", "over crests and troops", overheadCases)
	clause(t, "HFG-4.13", "Bayonets near a gentle crest shoot over it", func(t *testing.T) {
		for y, want := range map[int64]string{2850: "", 2700: "hfg.shot-lane"} {
			g := crestField(t, gentle, 1809, piece{"r1", bayonets, 4000, y, 0, nil}, piece{"b1", bayonets, 4000, 3090, 180, nil})
			is(t, "behind the crest", may(t, g, "r1", "b1"), want)
		}
	})
	clause(t, "HFG-R53", "Light Infantry shoots over crests, Bayonets only from 1790", func(t *testing.T) {
		for _, c := range []struct {
			year int
			own  troop
			want string
		}{{1809, lightInfantry, ""}, {1780, lightInfantry, ""}, {1780, bayonets, "hfg.shot-lane"}, {1809, muskets, "hfg.shot-lane"}} {
			g := crestField(t, gentle, c.year, piece{"r1", c.own, 4000, 2940, 0, nil}, piece{"b1", bayonets, 4000, 3090, 180, nil})
			is(t, c.own.String(), may(t, g, "r1", "b1"), c.want)
		}
	})
	clause(t, "HFG-R54", "troops between must be over 400 paces from both", func(t *testing.T) {
		for y, want := range map[int64]string{3650: "", 3550: "hfg.shot-lane", 4250: "hfg.shot-lane"} {
			g := crestField(t, gentle, 1809, piece{"r1", smoothbore, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 4400, 180, nil}, piece{"r2", bayonets, 4000, y, 0, nil})
			is(t, "between", may(t, g, "r1", "b1"), want)
		}
	})
}

// crestField is a field with a hill across the middle of the field whose crest runs at y 3000 from west to east.
func crestField(t testing.TB, s slope, year int, pieces ...piece) *game {
	t.Helper()
	d := octagon("ridge", hill, 4000, 3000, 3000, 1600)
	d.slope, d.crest = s, []place{{X: 2600 * pace, Y: 3000 * pace}, {X: 5400 * pace, Y: 3000 * pace}}
	g := fieldOn(t, &setting{year: year, areas: []areaDef{d}}, pieces...)
	g.fog = fogOpen
	return g
}

func overheadCases(t *testing.T) {
	over := func(g *game) string {
		l, ok := g.laneTo(named(t, g, "r1"), fighter{Element: named(t, g, "b1")})
		switch {
		case !ok:
			return "no"
		case l.crest:
			return "crest"
		case l.troops:
			return "troops"
		}
		return "plain"
	}
	for far, want := range map[int64]string{3390: "crest", 3090: "no", 3500: "no"} {
		g := crestField(t, gentle, 1809, piece{"r1", smoothbore, 4000, 2900, 0, nil}, piece{"b1", bayonets, 4000, far, 180, nil})
		is(t, "(c) smoothbore", over(g), want)
	}
	g := crestField(t, difficult, 1809, piece{"r1", smoothbore, 4000, 2900, 0, nil}, piece{"b1", bayonets, 4000, 3390, 180, nil})
	is(t, "(c) a difficult hill", over(g), "no")
	g = crestField(t, gentle, 1809, piece{"r1", smoothbore, 4000, 2900, 0, nil}, piece{"b1", bayonets, 4000, 3390, 180, nil})
	g.Elements[named(t, g, "r1")].Manner = tactical
	is(t, "not from behind a crest after a move", over(g), "no")
	for y, want := range map[int64]string{2750: "crest", 2850: "no"} {
		g = crestField(t, gentle, 1900, piece{"r1", rifled, 4000, y, 0, nil}, piece{"b1", rifles, 4000, 3700, 180, nil})
		is(t, "(b) rifled from behind a crest", over(g), want)
	}
	g = field(t, 1809, piece{"r1", smoothbore, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 4000, 180, nil}, piece{"r2", marksmen, 4000, 3300, 0, nil})
	is(t, "(e) over own marksmen", over(g), "troops")
	g = field(t, 1809, piece{"r1", smoothbore, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 4000, 180, nil}, piece{"b2", marksmen, 4000, 3450, 180, nil})
	is(t, "(e) over enemy marksmen", over(g), "plain")
	g.Elements[named(t, g, "b2")].At.Y = 3350 * pace
	is(t, "(e) too near", over(g), "no")
}

func rangeCases(t *testing.T) {
	for _, c := range []struct {
		year   int
		own    troop
		grades []grade
		foe    troop
		want   int
	}{
		{1809, smoothbore, []grade{horse}, bayonets, 1600}, {1809, smoothbore, []grade{heavy}, bayonets, 2000}, {1809, lightArtillery, nil, bayonets, 800},
		{1870, rifled, []grade{brass}, rifles, 2400}, {1870, rifled, nil, rifles, 3200}, {1870, rifled, []grade{heavy}, rifles, 3600}, {1870, rifled, []grade{heavy}, supplyBase, 6000},
		{1789, bayonets, nil, muskets, 200}, {1809, bayonets, nil, muskets, 400}, {1809, bayonets, nil, lightCavalry, 200}, {1860, bayonets, nil, lightCavalry, 400},
		{1809, muskets, nil, muskets, 200}, {1856, marksmen, nil, muskets, 400}, {1857, marksmen, nil, muskets, 600}, {1876, stoicFoot, []grade{elite}, rifles, 1200},
		{1876, stoicFoot, nil, rifles, 600}, {1809, spearmen, nil, muskets, 0}, {1809, commandParty, nil, muskets, 0}, {1870, submarine, nil, ironclad, 0}, {1876, submarine, nil, ironclad, 800},
		{1905, ironclad, nil, ironclad, 3000}, {1906, ironclad, nil, ironclad, 6000},
	} {
		g := field(t, c.year, piece{"r1", c.own, 4000, 1000, 0, c.grades}, piece{"b1", c.foe, 4000, 3000, 180, nil})
		is(t, c.own.String(), g.reaches(named(t, g, "r1"), fighter{Element: named(t, g, "b1")}), c.want)
	}
	g := field(t, 1809, piece{"r1", smoothbore, 4000, 3000, 0, []grade{horse}}, piece{"b1", bayonets, 4000, 4600, 180, nil})
	is(t, "1600 paces", may(t, g, "r1", "b1"), "")
	g.Sky = misty
	is(t, "in mist", g.reaches(named(t, g, "r1"), fighter{Element: named(t, g, "b1")}), 200)
}
