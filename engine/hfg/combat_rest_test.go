package hfg

import (
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/geometry"
)

// Cases of clauses of combat that the tests of its chapters don't name.
func TestOtherCombatCases(t *testing.T) {
	clause(t, "HFG-4.12", "uphill: the least height is more than the other's greatest, and it touches the nearest edge", func(t *testing.T) {
		g := field(t, 1809, facedUp(muskets, muskets)...)
		r, b := named(t, g, "r1"), named(t, g, "b1")
		g.Elements[r].Height = []int{120, 180}
		for high, want := range map[int]bool{120: false, 110: true} {
			g.Elements[b].Height = []int{60, high}
			is(t, "uphill", g.uphill(r, b), want)
		}
		g.Elements[b].Height, g.Elements[r].Arrived = []int{60, 110}, true
		is(t, "on its front", g.uphill(r, b), true)
		g.Elements[r].At, g.Elements[r].Facing = place(g.toFlank(b, geometry.Left)), 270
		is(t, "on its flank", g.uphill(r, b), false)
	})
	clause(t, "HFG-4.19", "a BUA on fire is difficult going and its edge gives nothing", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("town", bua, 4000, 3300, 600, 600)}}, piece{"r1", muskets, 4000, 3000, 0, nil}, piece{"b1", muskets, 0, 0, 0, nil})
		heldBy(t, g, "b1", 1)
		is(t, "going", g.goingOf(1), slow)
		g.Burning = []areaID{1}
		is(t, "going on fire", g.goingOf(1), hard)
		is(t, "T4", marked(g, closeBout(t, g, "r1", "b1"), false, "hfg.mark-t4"), 0)
	})
	clause(t, "HFG-15.25", "a bridge with half or less is destroyed, a temporary one is easier", func(t *testing.T) {
		for temporary, want := range map[bool]int{true: 0, false: 1} {
			g := fieldOn(t, &setting{year: 1809, lines: []lineDef{lineOf("river", river, 200, [2]int64{2000, 3000}, [2]int64{6000, 3000})}},
				piece{"r1", bayonets, 4000, 2890, 0, nil})
			g.Bridges = []bridge{{ID: "bridge", Over: 1, At: place{X: 4000 * pace, Y: 3000 * pace}, Temporary: temporary}}
			g.Elements[named(t, g, "r1")].Task.Bridge = "bridge"
			g.Elements[named(t, g, "r1")].At.Y = 2900 * pace
			is(t, "who fights it", len(g.duels()), 1)
			melees(t, g, 5, 1) // 5+2 against 1+3 or 1+4
			is(t, "bridges that stand", len(g.Bridges), want)
		}
	})
	clause(t, "HFG-15.25", "guns may be told to shoot at a bridge", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1809, lines: []lineDef{lineOf("river", river, 200, [2]int64{2000, 3000}, [2]int64{6000, 3000})}, bridges: []bridge{{ID: "bridge", Over: 1, At: place{X: 4000 * pace, Y: 3000 * pace}, Temporary: true}}},
			piece{"r1", smoothbore, 4000, 2550, 0, nil}, piece{"r2", muskets, 4500, 2880, 0, nil})
		turn := engine.Decision{Side: "red", Kind: stopTurn}
		is(t, "foot at a bridge", written(t, g, turn, "{fire: [{element: r2, at: bridge}]}"), "hfg.shot-place")
		g = replied(t, g, "red", "{fire: [{element: r1, at: bridge}]}")
		g = replied(t, g, "blue", "default", 6, 1) // 8 against 4
		is(t, "it is down", len(g.Bridges), 0)
	})
	clause(t, "HFG-R47", "who fights a bridge ignores what comes of it", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1809, lines: []lineDef{lineOf("river", river, 200, [2]int64{2000, 3000}, [2]int64{6000, 3000})}},
			piece{"r1", bayonets, 4000, 2900, 0, nil})
		g.Bridges = []bridge{{ID: "bridge", Over: 1, At: place{X: 4000 * pace, Y: 3000 * pace}}}
		g.Elements[named(t, g, "r1")].Task.Bridge = "bridge"
		melees(t, g, 1, 6) // 3 against 9
		is(t, "it stays", standsAt(t, g, "r1"), [3]int64{4000, 2900, 0})
	})
	clause(t, "HFG-R110", "rifles shot at from 390 and 600 recoil, from 410 and 600 they halt", func(t *testing.T) {
		for near, want := range map[int64]effect{390: recoils, 410: halts} {
			g := field(t, 1870, piece{"b1", rifles, 4000, 3000, 180, nil}, piece{"r1", rifles, 4000, 3000 - near, 0, nil}, piece{"r2", rifles, 4400, 2400, 0, nil})
			v := &verdict{standpoint: g.seen(distantBout(t, g, "b1", "r1", "r2"), false), is: less, short: 1}
			is(t, "outcome", v.outcome().What, want)
		}
	})
	clause(t, "HFG-R121", "an outcome move stops at the last whole pace with a gap of at least -100 units, then conforms", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"b1", muskets, 4000, 3150, 180, nil})
		a := g.run(advance{e: named(t, g, "r1"), far: 200 * pace, rough: true})
		is(t, "paces", a.went, 151*pace)
		is(t, "whom it touches", slices.Equal(a.reached, []elementID{named(t, g, "b1")}), true)
		friend := field(t, 1809, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"r2", muskets, 4000, 3350, 0, nil})
		a = friend.run(advance{e: named(t, friend, "r1"), far: 200 * pace, rough: true})
		is(t, "at a friend with a gap of 0", a.went, 150*pace)
	})
	clause(t, "HFG-R127", "of two whom one enemy touches the one with the longer contact turns, the other goes behind it", func(t *testing.T) {
		// b1 has come from the east against the right flanks of r1 and r2, one behind the other.
		g := field(t, 1809, piece{"r1", muskets, 4000, 3000, 0, nil}, piece{"r2", lightCavalry, 4000, 2800, 0, nil}, piece{"b1", heavyCavalry, 4200, 2850, 270, nil})
		b := named(t, g, "b1")
		g.Elements[b].Moved = 500
		is(t, "200 and 150 long", slices.Equal(g.facedAtOnce(b), []elementID{named(t, g, "r1"), named(t, g, "r2")}), true)
		p := played(t, g)
		p.turnAtOnce(b)
		is(t, "the first faces him", standsAt(t, g, "r1"), [3]int64{4200, 2850, 90})
		is(t, "the second stands behind", standsAt(t, g, "r2"), [3]int64{4000, 2850, 90})
	})
	clause(t, "HFG-5.6", "with smokeless powder concealed rifles at 500 paces aren't seen to shoot, at 400 they are", func(t *testing.T) {
		for _, c := range []struct {
			year int
			far  int64
			want bool
		}{{1899, 500, true}, {1899, 400, false}, {1880, 500, false}} {
			g := field(t, c.year, piece{"b1", rifles, 4000, 3000, 180, nil}, piece{"r1", rifles, 4000, 3000 - c.far, 0, nil})
			g.Elements[named(t, g, "b1")].Concealed = true
			p := played(t, g, 3, 3)
			p.opensFire([]shot{{By: named(t, g, "b1"), At: fighter{Element: named(t, g, "r1")}}}, nil)
			p.Fray.Jobs = p.Fray.Jobs[:1]
			p.usually()
			is(t, "still concealed", g.Elements[named(t, g, "b1")].Concealed, c.want)
			is(t, "told without the shooter", p.told("hfg.combat-distant") && countUnseen(p) == map[bool]int{true: 1}[c.want], true)
		}
	})
	clause(t, "HFG-R23", "they stay unseen until they shoot at the same enemy again", func(t *testing.T) {
		g := field(t, 1899, piece{"b1", rifles, 4000, 3000, 180, nil}, piece{"r1", rifles, 4000, 2500, 0, nil})
		e, at := named(t, g, "b1"), named(t, g, "r1")
		p := played(t, g)
		g.Elements[e].Concealed = true
		is(t, "the first shot", p.smokeless(e, at), true)
		g.Elements[e].Sniped = []elementID{at}
		is(t, "the second", p.smokeless(e, at), false)
	})
	clause(t, "HFG-19.3", "a Supply Base counts 12 and never moves, whatever comes of a combat that isn't half or less", func(t *testing.T) {
		g := field(t, 1809, facedUp(muskets, supplyBase)...)
		is(t, "equivalents", g.def(named(t, g, "b1")).eq(), 24)
		is(t, "moves", g.moves(g.def(named(t, g, "b1"))), [3]int{})
		v := &verdict{standpoint: g.seen(closeBout(t, g, "r1", "b1"), false), is: less, short: 2}
		is(t, "less", v.outcome().What, unharmed)
	})
	clause(t, "HFG-19.1", "Aeronauts that are attacked score for their own fate only", func(t *testing.T) {
		g := field(t, 1809, facedUp(cuirassiers, aeronauts)...)
		beatenClose(t, g, 1, 6) // 3 against 7
		is(t, "their attacker stays", standsAt(t, g, "r1"), [3]int64{4000, 3000, 0})
		beatenClose(t, g, 6, 1)
		is(t, "they are gone", g.on(named(t, g, "b1")), false)
	})
}

// countUnseen counts combats that somebody was told of without the shooter.
func countUnseen(p *battlefield) int {
	n := 0
	for _, e := range p.Events {
		for _, x := range e.Tellings {
			if x.Say.Code == "hfg.combat-unseen" {
				n++
			}
		}
	}
	return n
}
