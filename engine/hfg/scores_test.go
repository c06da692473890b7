package hfg

import (
	"testing"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
)

// played plays a position on with dice.
func played(t testing.TB, g *game, dice ...int) *battlefield {
	t.Helper()
	fixed := &engine.FixedDice{Results: dice}
	t.Cleanup(func() {
		for _, f := range fixed.Faults {
			t.Error(f)
		}
	})
	return &battlefield{game: g, Story: play.Story{Dice: fixed}}
}

// usually answers every question as the deadline does.
func (p *battlefield) usually() {
	if q := p.work(func(q *question) (answer, bool) { return p.usual(q), true }); q != nil {
		panic("a question is left")
	}
}

// saying answers questions of one kind so, all others as the deadline does.
func (p *battlefield) saying(what decision, a answer) {
	p.work(func(q *question) (answer, bool) {
		if q.What == what {
			return a, true
		}
		return p.usual(q), true
	})
}

// told says whether something has been told.
func (p *battlefield) told(code string) bool {
	for _, e := range p.Events {
		for _, x := range e.Tellings {
			if x.Say.Code == code {
				return true
			}
		}
	}
	return false
}

// near and shots make combats of elements by their ids.
func closeBout(t testing.TB, g *game, a, b string) *bout {
	t.Helper()
	return &bout{A: fighter{Element: named(t, g, a)}, B: fighter{Element: named(t, g, b)}}
}

func distantBout(t testing.TB, g *game, at, by string, aids ...string) *bout {
	t.Helper()
	b := &bout{Distant: true, A: fighter{Element: named(t, g, by)}, B: fighter{Element: named(t, g, at)}}
	for _, id := range aids {
		b.Aids = append(b.Aids, named(t, g, id))
	}
	return b
}

// marked gives one number of a score; 0 if it isn't there.
func marked(g *game, b *bout, byA bool, code string) int {
	for _, m := range g.seen(b, byA).scored(0).marks {
		if m.code == code {
			return m.n
		}
	}
	return 0
}

// facedUp are two elements front to front in the middle of the field.
func facedUp(a, b troop) []piece {
	return []piece{{"r1", a, 4000, 3000, 0, nil}, {"b1", b, 4000, 3000, 180, nil}}
}

func TestFactorCases(t *testing.T) {
	clause(t, "HFG-14.2", "the factor is that for the opponent's class; a command party adds that of the element behind it", func(t *testing.T) {
		for _, c := range []struct {
			own, foe troop
			want     int
		}{
			{muskets, bayonets, 3}, {muskets, cuirassiers, 4}, {muskets, smoothbore, 2}, {marksmen, smoothbore, 3},
			{cuirassiers, muskets, 3}, {hq, muskets, 2}, {potentate, lightHorse, 4}, {smoothbore, muskets, 3}, {spearmen, smoothbore, 1},
		} {
			g := field(t, 1809, facedUp(c.own, c.foe)...)
			is(t, c.own.String()+" v "+c.foe.String(), marked(g, closeBout(t, g, "r1", "b1"), true, "hfg.mark-factor"), c.want)
		}
		g := field(t, 1809, piece{"r1", commandParty, 4000, 3000, 0, nil}, piece{"r2", bayonets, 4000, 2700, 0, nil}, piece{"b1", muskets, 4000, 3000, 180, nil})
		b := closeBout(t, g, "r1", "b1")
		is(t, "the party's own", marked(g, b, true, "hfg.mark-factor"), 1)
		is(t, "the element's behind it", marked(g, b, true, "hfg.mark-escort"), 3)
		g.Elements[named(t, g, "r2")].At.X += 5 * pace
		is(t, "beside its place", marked(g, b, true, "hfg.mark-escort"), 0)
		heavyGuns := field(t, 1809, piece{"r1", smoothbore, 4000, 3000, 0, []grade{heavy}}, piece{"b1", muskets, 4000, 3000, 180, nil})
		is(t, "heavy guns", marked(heavyGuns, closeBout(t, heavyGuns, "r1", "b1"), true, "hfg.mark-factor"), 4)
		riders := field(t, 1870, facedUp(dragoons, rifles)...)
		is(t, "mounted dragoons", marked(riders, closeBout(t, riders, "r1", "b1"), true, "hfg.mark-factor"), 2)
		riders.Elements[named(t, riders, "r1")].Shot = true
		is(t, "rifles against dismounted", marked(riders, closeBout(t, riders, "r1", "b1"), false, "hfg.mark-factor"), 4)
	})
	clause(t, "HFG-14.1", "the phasing side's die is rolled first", func(t *testing.T) {
		g := field(t, 1809, facedUp(muskets, muskets)...)
		for turn, want := range map[int][2]int{1: {6, 2}, 2: {2, 6}} {
			g.Turn = turn
			a, o := played(t, g, 6, 2).rollsFor(closeBout(t, g, "r1", "b1"), 0, 0)
			is(t, "the two dice", [2]int{a, o}, want)
		}
	})
	clause(t, "HFG-14.4", "elite and inferior are adjusted from the totals before", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", muskets, 4000, 3000, 0, []grade{elite}}, piece{"b1", muskets, 4000, 3000, 180, nil})
		_, _, x, y := g.verdicts(withDice(closeBout(t, g, "r1", "b1"), 3, 3), nil, 0)
		is(t, "elite, equal in close combat", [2]int{x.total, y.total}, [2]int{7, 6})
		_, _, x, _ = g.verdicts(withDice(closeBout(t, g, "r1", "b1"), 2, 3), nil, 0)
		is(t, "elite, less in close combat", x.total, 5)
		g = field(t, 1809, piece{"r1", bayonets, 4000, 3000, 0, []grade{inferior}}, piece{"b1", bayonets, 4000, 3190, 180, nil})
		_, _, x, y = g.verdicts(withDice(distantBout(t, g, "b1", "r1"), 3, 3), nil, 0)
		is(t, "inferior shooter, equal", [2]int{x.total, y.total}, [2]int{5, 6})
	})
	clause(t, "HFG-R58", "elite foot shot at has one more when less, unless guns shoot", func(t *testing.T) {
		for by, want := range map[troop]int{bayonets: 1 + 3 + 1, smoothbore: 1 + 2} {
			g := field(t, 1809, piece{"r1", by, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 3190, 180, []grade{elite}})
			_, _, _, y := g.verdicts(withDice(distantBout(t, g, "b1", "r1"), 6, 1), nil, 0)
			is(t, "shot at by "+by.String(), y.total, want)
		}
		g := field(t, 1809, piece{"r1", muskets, 4000, 3000, 0, []grade{elite}}, piece{"b1", muskets, 4000, 3000, 180, nil})
		g.eliteCloseLess = 1
		_, _, x, _ := g.verdicts(withDice(closeBout(t, g, "r1", "b1"), 2, 3), nil, 0)
		is(t, "by option, less in close combat", x.total, 6)
	})
	clause(t, "HFG-R59", "both look at the totals before any adjustment", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", muskets, 4000, 3000, 0, []grade{elite}}, piece{"b1", muskets, 4000, 3000, 180, []grade{inferior}})
		_, _, x, y := g.verdicts(withDice(closeBout(t, g, "r1", "b1"), 3, 3), nil, 0)
		is(t, "elite has one more, inferior isn't less", [2]int{x.total, y.total}, [2]int{7, 6})
	})
	clause(t, "HFG-14.5", "half or less", func(t *testing.T) {
		for _, c := range []struct {
			own, other int
			want       result
		}{{6, 3, more}, {4, 4, equal}, {3, 6, half}, {4, 6, less}, {0, 1, half}, {-1, 1, half}, {-2, -3, more}, {1, 1, equal}} {
			is(t, "compared", compare(c.own, c.other), c.want)
		}
	})
}

// withDice gives a combat its dice.
func withDice(b *bout, x, y int) *bout {
	b.Dice = []int{x, y}
	return b
}

func TestTacticalFactorCases(t *testing.T) {
	clause(t, "HFG-14.3", "each of T1 to T17", func(t *testing.T) {
		for _, c := range tacticCases(t) {
			if got := marked(c.g, c.b, c.byA, c.code); got != c.want {
				t.Errorf("%s, %s: %d, want %d", c.code, c.when, got, c.want)
			}
		}
	})
	clause(t, "HFG-R57", "no overlap counts between foot and mounted", func(t *testing.T) {
		for a, want := range map[troop]int{muskets: 1, cuirassiers: 0} {
			g := field(t, 1809, append(facedUp(a, muskets), piece{"r2", a, 4400, 3000, 0, nil})...)
			is(t, a.String(), marked(g, closeBout(t, g, "r1", "b1"), true, "hfg.mark-t9"), want)
		}
	})
	clause(t, "HFG-13.4", "foot that fight mounted have no overlap", func(t *testing.T) {
		g := field(t, 1809, append(facedUp(muskets, lightCavalry), piece{"r2", muskets, 4400, 3000, 0, nil})...)
		is(t, "T9", marked(g, closeBout(t, g, "r1", "b1"), true, "hfg.mark-t9"), 0)
	})
	clause(t, "HFG-R61", "silenced in close combat is -2, once", func(t *testing.T) {
		g := field(t, 1809, facedUp(smoothbore, muskets)...)
		g.Turn = 5
		b := closeBout(t, g, "r1", "b1")
		for turn, want := range map[int]int{5: -2, 4: -2, 3: 0} {
			g.Elements[named(t, g, "r1")].Silenced = turn
			is(t, "T15", marked(g, b, true, "hfg.mark-t15"), want)
		}
	})
	clause(t, "HFG-R62", "each enemy on a flank counts, each enfiladed flank once", func(t *testing.T) {
		g := field(t, 1809, append(facedUp(muskets, muskets), piece{"b2", muskets, 4200, 2900, 270, nil}, piece{"b3", muskets, 4000, 2800, 0, nil})...)
		g.Elements[named(t, g, "b2")].At = place(g.toFlank(named(t, g, "r1"), geometry.Right))
		is(t, "two enemies", marked(g, closeBout(t, g, "r1", "b1"), true, "hfg.mark-t17"), -6)
		guns := field(t, 1809, piece{"r1", muskets, 4000, 3000, 0, nil}, piece{"b1", smoothbore, 5000, 2800, 270, nil}, piece{"b2", smoothbore, 5000, 2400, 270, nil})
		is(t, "two batteries on one flank", marked(guns, distantBout(t, guns, "r1", "b1", "b2"), false, "hfg.mark-t17"), -3)
	})
}

// toFlank is where the middle of a front lies that conforms to a flank of an element.
func (g *game) toFlank(e elementID, side geometry.Flank) point {
	b := g.body(e)
	return conformed(b.Box, &b, side, false, b.At).At
}

// A tacticCase is a combat in which a tactical factor applies, or doesn't.
type tacticCase struct {
	when, code string
	want       int
	g          *game
	b          *bout
	byA        bool
}

func tacticCases(t *testing.T) []tacticCase {
	t.Helper()
	var all []tacticCase
	add := func(when, code string, want int, g *game, b *bout, byA bool) {
		all = append(all, tacticCase{when, code, want, g, b, byA})
	}
	fight := func(year int, pieces ...piece) (*game, *bout) {
		g := field(t, year, pieces...)
		return g, closeBout(t, g, "r1", "b1")
	}
	fire := func(year int, pieces ...piece) (*game, *bout) {
		g := field(t, year, pieces...)
		return g, distantBout(t, g, "b1", "r1")
	}
	g, b := fight(1809, facedUp(muskets, muskets)...)
	g.Commands[second].Status = defeated
	add("defeated enemy", "hfg.mark-t1", 3, g, b, true)
	add("own command defeated", "hfg.mark-t1", 0, g, b, false)

	for kind, c := range map[work]struct {
		code string
		want int
	}{redoubt: {"hfg.mark-t2", 2}, entrenchment: {"hfg.mark-t3", 1}, feature: {"hfg.mark-t3", 1}, barricade: {"hfg.mark-t6", 1}} {
		g, b := fight(1809, facedUp(muskets, muskets)...)
		g.Works = []placedWork{{ID: "w", Kind: kind, Side: second, At: place{X: 4000 * pace, Y: 3000 * pace}, Facing: 180, Width: 400 * pace, Depth: 200 * pace}}
		add(workWords[kind], c.code, c.want, g, b, false)
		add("the attacker's", c.code, 0, g, b, true)
		if kind == barricade {
			g, b := fire(1809, piece{"r1", bayonets, 4000, 2800, 0, nil}, piece{"b1", muskets, 4000, 3000, 180, nil})
			g.Works = []placedWork{{ID: "w", Kind: kind, Side: second, At: place{X: 4000 * pace, Y: 3000 * pace}, Facing: 180, Width: 400 * pace}}
			add("shot at behind a barricade", c.code, 0, g, b, false)
		}
	}
	town := &setting{year: 1809, areas: []areaDef{octagon("town", bua, 4000, 3300, 600, 600)}}
	held := fieldOn(t, town, piece{"r1", muskets, 4000, 3000, 0, nil}, piece{"b1", muskets, 0, 0, 0, nil})
	e := named(t, held, "b1")
	held.Elements[e].At, held.Elements[e].Holds = place{}, 1
	add("holds an edge", "hfg.mark-t4", 1, held, closeBout(t, held, "r1", "b1"), false)
	burning := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("town", bua, 4000, 3300, 600, 600)}}, piece{"r1", muskets, 4000, 3000, 0, nil}, piece{"b1", muskets, 0, 0, 0, nil})
	burning.Elements[named(t, burning, "b1")].At, burning.Elements[named(t, burning, "b1")].Holds, burning.Burning = place{}, 1, []areaID{1}
	add("holds an edge on fire", "hfg.mark-t4", 0, burning, closeBout(t, burning, "r1", "b1"), false)

	forest := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("wood", wood, 4000, 3500, 1200, 1200)}}, piece{"r1", bayonets, 4000, 2700, 0, nil}, piece{"b1", bayonets, 4000, 2950, 180, nil})
	add("wholly in a wood", "hfg.mark-t5", 1, forest, distantBout(t, forest, "b1", "r1"), false)
	add("in the open", "hfg.mark-t5", 0, forest, withReply(distantBout(t, forest, "b1", "r1")), true)

	for far, want := range map[int64]int{200: 0, 201: 1, 390: 1} {
		g, b := fire(1809, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 3000 + far, 180, nil})
		add("foot far off", "hfg.mark-t7", want, g, b, false)
	}
	for far, want := range map[int64]int{390: 0, 500: 1} {
		g, b := fire(1809, piece{"r1", smoothbore, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 3000 + far, 180, nil})
		add("guns far off", "hfg.mark-t7", want, g, b, false)
	}
	g, b = fire(1809, piece{"r1", smoothbore, 4000, 3000, 0, nil}, piece{"b1", smoothbore, 4000, 3700, 180, nil})
	add("guns at guns", "hfg.mark-t7", 0, g, b, false)
	g, b = fire(1809, piece{"r1", smoothbore, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 3700, 180, nil}, piece{"r2", marksmen, 4000, 3300, 0, nil})
	add("over its own marksmen", "hfg.mark-t8", 1, g, b, false)
	g, b = fight(1809, append(facedUp(muskets, muskets), piece{"r2", muskets, 4400, 3000, 0, nil}, piece{"r3", muskets, 3600, 3000, 0, nil})...)
	add("both flanks overlapped", "hfg.mark-t9", 2, g, b, true)
	aided := field(t, 1809, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"r2", bayonets, 4400, 3000, 0, nil}, piece{"b1", bayonets, 4000, 3300, 180, nil})
	add("aided", "hfg.mark-t9", 1, aided, distantBout(t, aided, "b1", "r1", "r2"), true)
	g, b = fight(1809, facedUp(muskets, muskets)...)
	g.Elements[named(t, g, "b1")].Height, g.Elements[named(t, g, "r1")].Height = []int{120, 180}, []int{60, 110}
	add("enemy uphill", "hfg.mark-t10", -1, g, b, true)
	add("enemy downhill", "hfg.mark-t10", 0, g, b, false)
	for _, c := range []struct {
		k    troop
		m    manner
		want int
	}{{smoothbore, tactical, -1}, {bayonets, tactical, 0}, {bayonets, march, -1}, {smoothbore, still, 0}} {
		g, b := fire(1809, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"b1", c.k, 4000, 3300, 180, nil})
		g.Elements[named(t, g, "b1")].Manner = c.m
		add("caught moving", "hfg.mark-t11", c.want, g, b, false)
	}
	watersAndWoods(t, add, fight)
	return all
}

// watersAndWoods are the cases of T12 to T16.
func watersAndWoods(t *testing.T, add func(when, code string, want int, g *game, b *bout, byA bool), fight func(int, ...piece) (*game, *bout)) {
	t.Helper()
	sea := &setting{year: 1809, areas: []areaDef{octagon("sea", waterway, 4000, 3000, 4000, 4000)}}
	g := fieldOn(t, sea, piece{"r1", sail, 4000, 3000, 90, nil}, piece{"b1", sail, 4000, 3500, 180, nil})
	add("shot at on the bow", "hfg.mark-t12", -1, g, distantBout(t, g, "b1", "r1"), false)
	add("shoots from the side", "hfg.mark-t12", 0, g, distantBout(t, g, "b1", "r1"), true)
	hills := func(k troop) (*game, *bout) {
		g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("wood", wood, 4000, 3000, 1200, 1200)}}, facedUp(k, bayonets)...)
		return g, closeBout(t, g, "r1", "b1")
	}
	g, b := hills(muskets)
	add("muskets in a wood", "hfg.mark-t13", -1, g, b, true)
	g, b = hills(bayonets)
	add("bayonets in a wood", "hfg.mark-t13", 0, g, b, true)
	g, b = hills(cuirassiers)
	add("horse in a wood", "hfg.mark-t14", -2, g, b, true)
	g, b = fight(1809, facedUp(lightCavalry, cuirassiers)...)
	g.Elements[named(t, g, "r1")].Spirit = routed
	add("routed against horse", "hfg.mark-t16", -2, g, b, true)
	g, b = fight(1809, facedUp(lightCavalry, cuirassiers)...)
	b.Pursuer = named(t, g, "r1")
	add("pursuing against horse", "hfg.mark-t16", -2, g, b, true)
	again := *b
	again.Again = true
	add("pursuing against the horse that it has just beaten", "hfg.mark-t16", 0, g, &again, true)
	g, b = fight(1809, facedUp(lightCavalry, muskets)...)
	b.Pursuer = named(t, g, "r1")
	add("pursuing against foot", "hfg.mark-t16", 0, g, b, true)
}

// withReply has the target shoot back.
func withReply(b *bout) *bout {
	b.Reply = true
	return b
}
