package hfg

import (
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/geometry"
)

// pairs lists the pairs in close combat by their ids.
func pairs(g *game) []string {
	var all []string
	for _, d := range g.duels() {
		all = append(all, g.def(d.A).id+" "+g.def(d.B).id)
	}
	return all
}

// standsAt is an element's place in paces, and its facing.
func standsAt(t testing.TB, g *game, id string) [3]int64 {
	t.Helper()
	x := &g.Elements[named(t, g, id)]
	return [3]int64{x.At.X / pace, x.At.Y / pace, int64(x.Facing)}
}

// melees fights phase 3 with dice, every question answered as the deadline does.
func melees(t testing.TB, g *game, dice ...int) *battlefield {
	t.Helper()
	p := played(t, g, dice...)
	p.opensMelee(nil)
	p.usually()
	return p
}

// fire fights phase 2.
func fire(t testing.TB, g *game, dice ...int) *battlefield {
	t.Helper()
	p := played(t, g, dice...)
	p.opensFire(p.fairShots(), nil)
	p.usually()
	return p
}

func TestCloseCases(t *testing.T) {
	clause(t, "HFG-13.1", "fronts in contact fight, and who attacks the edge of a BUA or SP", func(t *testing.T) {
		g := field(t, 1809, facedUp(muskets, muskets)...)
		is(t, "pairs", len(pairs(g)), 1)
		g.Elements[named(t, g, "r1")].At.Y -= 3 * pace
		is(t, "three paces apart", len(pairs(g)), 0)
		g = fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("town", bua, 4000, 3300, 600, 600)}}, piece{"r1", muskets, 4050, 3000, 0, nil}, piece{"b1", muskets, 0, 0, 0, nil})
		heldBy(t, g, "b1", 1)
		is(t, "an edge", pairs(g)[0], "r1 b1")
	})
	clause(t, "HFG-13.2", "a front on the flank of an enemy who fights is a factor; of one who doesn't it fights", func(t *testing.T) {
		g := field(t, 1809, append(facedUp(muskets, muskets), piece{"b2", muskets, 0, 0, 270, nil})...)
		g.Elements[named(t, g, "b2")].At = place(g.toFlank(named(t, g, "r1"), geometry.Right))
		is(t, "pairs", slices.Equal(pairs(g), []string{"r1 b1"}), true)
		is(t, "T17", marked(g, closeBout(t, g, "r1", "b1"), true, "hfg.mark-t17"), -3)
		g.remove(named(t, g, "b1"), destroyed)
		is(t, "without one in front", slices.Equal(pairs(g), []string{"b2 r1"}), true)
		is(t, "T17 still", marked(g, closeBout(t, g, "b2", "r1"), false, "hfg.mark-t17"), -3)
	})
	clause(t, "HFG-R56", "the first of two on its flanks fights", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", muskets, 4000, 3000, 0, nil}, piece{"b1", muskets, 0, 0, 90, nil}, piece{"b2", muskets, 0, 0, 270, nil})
		g.Elements[named(t, g, "b1")].At = place(g.toFlank(named(t, g, "r1"), geometry.Left))
		g.Elements[named(t, g, "b2")].At = place(g.toFlank(named(t, g, "r1"), geometry.Right))
		is(t, "pairs", slices.Equal(pairs(g), []string{"b1 r1"}), true)
		is(t, "both count", marked(g, closeBout(t, g, "b1", "r1"), false, "hfg.mark-t17"), -6)
	})
	clause(t, "HFG-13.3", "neighbours that look opposite ways overlap each other; not if its near part is engaged", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", muskets, 4000, 3000, 0, nil}, piece{"b1", muskets, 4400, 2800, 180, nil})
		is(t, "each overlaps", [2]int{g.overlapped(named(t, g, "r1")), g.overlapped(named(t, g, "b1"))}, [2]int{1, 1})
		g = field(t, 1809, append(facedUp(muskets, muskets), piece{"r2", muskets, 4400, 3000, 0, nil}, piece{"b2", muskets, 4400, 3000, 180, nil})...)
		is(t, "engaged itself", g.overlapped(named(t, g, "b1")), 0)
		is(t, "past its end", g.overlapped(named(t, g, "b2")), 0)
	})
	clause(t, "HFG-13.4", "a flank is overlapped once, and not if it is contacted; staff give no overlap; a redoubt can't be overlapped", func(t *testing.T) {
		g := field(t, 1809, append(facedUp(muskets, muskets), piece{"r2", commandParty, 4400, 3000, 0, nil})...)
		is(t, "staff", g.overlapped(named(t, g, "b1")), 0)
		g = field(t, 1809, append(facedUp(muskets, muskets), piece{"r2", muskets, 4400, 3000, 0, nil})...)
		is(t, "foot", g.overlapped(named(t, g, "b1")), 1)
		g.Works = []placedWork{{ID: "w", Kind: redoubt, Side: second, At: place{X: 4000 * pace, Y: 3000 * pace}, Facing: 180, Width: 400 * pace, Depth: 200 * pace}}
		is(t, "a redoubt", g.overlapped(named(t, g, "b1")), 0)
	})
	clause(t, "HFG-13.5", "a garrison fights each edge by itself", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("sp", strongPoint, 4000, 3000, 250, 250)}},
			piece{"r1", muskets, 4000, 2875, 0, nil}, piece{"r2", muskets, 4125, 3000, 270, nil}, piece{"b1", spGarrison, 0, 0, 0, nil})
		g.Elements[named(t, g, "r2")].At = place{X: 4125 * pace, Y: 3000 * pace}
		heldBy(t, g, "b1", 1)
		is(t, "pairs", len(pairs(g)), 2)
		p := melees(t, g, 1, 6, 1, 6)
		is(t, "it stands", g.on(named(t, g, "b1")), true)
		is(t, "combats", countTold(p, "hfg.combat-close"), 2)
	})
	clause(t, "HFG-4.18", "three attackers on three edges are three combats", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("town", bua, 4000, 3000, 600, 600)}},
			piece{"r1", muskets, 4000, 2700, 0, nil}, piece{"r2", muskets, 3700, 3000, 90, nil}, piece{"r3", muskets, 4300, 3000, 270, nil}, piece{"b1", muskets, 0, 0, 0, nil})
		heldBy(t, g, "b1", 1)
		is(t, "combats", countTold(melees(t, g, 1, 6, 1, 6, 1, 6), "hfg.combat-close"), 3)
	})
	clause(t, "HFG-13.6", "who pursues into an enemy fights again", func(t *testing.T) {
		g := field(t, 1809, append(facedUp(lightCavalry, lightCavalry), piece{"b2", muskets, 4000, 3300, 180, nil})...)
		g.Elements[named(t, g, "b1")].Spirit = routed
		p := melees(t, g, 6, 1, 3, 3)
		is(t, "combats", countTold(p, "hfg.combat-close"), 2)
	})
	clause(t, "HFG-13.7", "a corner that touches is no combat", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", muskets, 4000, 3000, 0, nil}, piece{"b1", muskets, 4400, 3000, 180, nil})
		is(t, "pairs", len(pairs(g)), 0)
	})
	clause(t, "HFG-13.8", "a pair that is dissolved before its turn rolls no dice", func(t *testing.T) {
		g := field(t, 1809, append(facedUp(muskets, muskets), piece{"b2", muskets, 0, 0, 270, nil}, piece{"r2", muskets, 4800, 2000, 0, nil}, piece{"b3", muskets, 4800, 2000, 180, nil})...)
		p := played(t, g, 6, 1)
		p.opensMelee([]elementID{named(t, g, "r1")})
		is(t, "pairs in its order", p.Fray.Jobs[0].Of, named(t, g, "r1"))
		p.remove(named(t, g, "b3"), destroyed)
		p.usually()
		is(t, "combats", countTold(p, "hfg.combat-close"), 1)
	})
	clause(t, "HFG-14.6", "dice are rolled in the order in which combats are fought, the phasing side's first", func(t *testing.T) {
		pieces := append(facedUp(muskets, muskets), piece{"r2", muskets, 6000, 3000, 0, nil}, piece{"b2", muskets, 6000, 3000, 180, nil})
		g := field(t, 1809, pieces...)
		p := played(t, g, 3, 3, 6, 1)
		p.opensMelee([]elementID{named(t, g, "r2"), named(t, g, "r1")})
		p.usually()
		is(t, "the first had 3 and 3, the second 6 and 1", [2]bool{g.on(named(t, g, "b2")), g.on(named(t, g, "b1"))}, [2]bool{true, false})
	})
}

// countTold counts how often something was told.
func countTold(p *battlefield, code string) int {
	n := 0
	for _, e := range p.Events {
		if slices.ContainsFunc(e.Tellings, func(x engine.Telling) bool { return x.Say.Code == code }) {
			n++
		}
	}
	return n
}

func TestShootingPhaseCases(t *testing.T) {
	clause(t, "HFG-12.11", "of guns and foot together without reply a foot element is the principal", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", smoothbore, 4000, 3000, 0, nil}, piece{"r2", bayonets, 4400, 3000, 0, nil}, piece{"b1", lightCavalry, 4200, 3300, 180, nil})
		g.fog = fogOpen
		g.year = 1860 // bayonets shoot 400 at mounted
		p := played(t, g)
		p.Fray.Shots = p.fairShots()
		all := p.shootersAt(fighter{Element: named(t, g, "b1")})
		is(t, "guns", may(t, g, "r1", "b1"), "")
		is(t, "foot", may(t, g, "r2", "b1"), "")
		is(t, "both shoot", len(all), 2)
		is(t, "the principal", p.principal(fighter{Element: named(t, g, "b1")}, all), named(t, g, "r2"))
	})
	clause(t, "HFG-12.12", "a target shoots back in the same combat, or not if it has shot", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 3300, 180, nil})
		p := fire(t, g, 3, 3)
		is(t, "one combat", countTold(p, "hfg.combat-distant"), 1)
		is(t, "both have shot", [2]bool{g.Elements[named(t, g, "r1")].Shot, g.Elements[named(t, g, "b1")].Shot}, [2]bool{true, true})
		g = field(t, 1809, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 3300, 180, nil})
		g.Elements[named(t, g, "b1")].Shot = true
		p = played(t, g, 1, 1)
		p.Fray.Shots = p.fairShots()
		_, replies := p.replies(named(t, g, "b1"), []elementID{named(t, g, "r1")})
		is(t, "it has shot", replies, false)
		fire(t, g, 1, 1)
	})
	clause(t, "HFG-12.12", "who can't reply shoots after the outcome with the same die", func(t *testing.T) {
		// b1 is shot at by guns out of its range, and has foot before it.
		g := field(t, 1809, piece{"r1", smoothbore, 3600, 2300, 0, nil}, piece{"r2", marksmen, 4200, 2700, 0, nil}, piece{"b1", bayonets, 4000, 3000, 180, nil})
		g.Turn = 2
		b := named(t, g, "b1")
		p := played(t, g, 5, 1, 2)
		p.opensFire([]shot{{By: named(t, g, "r1"), At: fighter{Element: b}}, {By: b, At: fighter{Element: named(t, g, "r2")}}}, []fighter{{Element: b}})
		p.usually()
		is(t, "combats", countTold(p, "hfg.combat-distant"), 2)
		is(t, "it has shot", g.Elements[b].Shot, true)
	})
	clause(t, "HFG-12.15", "who has lost his target doesn't roll; compulsory shots come last", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 3190, 180, nil})
		g.Turn = 2
		p := played(t, g, 3, 3)
		p.opensFire(nil, nil) // nobody said anything: red's foot must shoot in blue's turn
		p.usually()
		is(t, "compulsory", countTold(p, "hfg.combat-distant"), 1)
		g = field(t, 1809, piece{"r1", smoothbore, 4000, 3000, 0, nil}, piece{"b1", lightCavalry, 4000, 3900, 180, nil})
		p = played(t, g)
		p.opensFire(p.fairShots(), nil)
		g.remove(named(t, g, "b1"), destroyed)
		p.usually()
		is(t, "gone", len(p.Events), 0)
	})
	clause(t, "HFG-12.13", "who shoots without being shot at suffers nothing", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", smoothbore, 4000, 3000, 0, nil}, piece{"b1", stoicFoot, 4000, 3300, 180, nil})
		fire(t, g, 1, 6)
		is(t, "it stands", standsAt(t, g, "r1"), [3]int64{4000, 3000, 0})
	})
	clause(t, "HFG-R55", "a BUA and its garrison have two results from one pair of dice", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("town", bua, 4000, 3800, 600, 600)}}, piece{"r1", smoothbore, 4000, 3000, 0, nil}, piece{"b1", muskets, 0, 0, 0, nil})
		heldBy(t, g, "b1", 1)
		p := fire(t, g, 6, 2)
		is(t, "told twice", countTold(p, "hfg.combat-distant"), 2)
		is(t, "on fire", slices.Equal(g.Burning, []areaID{1}), true)
		is(t, "its garrison is inside", g.Elements[named(t, g, "b1")].Inside, areaID(1))
	})
	clause(t, "HFG-15.13", "guns set a BUA on fire", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("town", bua, 4000, 3800, 600, 600)}}, piece{"r1", smoothbore, 4000, 3000, 0, nil})
		at := fighter{Area: 1}
		for is2, want := range map[result]effect{less: ablaze, half: ablaze, equal: unharmed} {
			v := &verdict{standpoint: g.seen(&bout{Distant: true, A: fighter{Element: named(t, g, "r1")}, B: at}, false), is: is2}
			is(t, "a BUA", v.outcome().What, want)
		}
	})
	clause(t, "HFG-R17", "a fire lasts", func(t *testing.T) {
		g := field(t, 1809, facedUp(muskets, muskets)...)
		g.areas = append(g.areas, octagon("town", bua, 8000, 3800, 600, 600))
		g.complete()
		g.Burning = []areaID{1}
		for range 10 {
			g.Turn++
			played(t, g).begin()
		}
		is(t, "ten turns later", g.burns(1), true)
	})
	clause(t, "HFG-R93", "who shoots first doesn't matter inside one combat", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 3190, 180, nil})
		b := withReply(withDice(distantBout(t, g, "b1", "r1"), 6, 1))
		va, vo, _, _ := g.verdicts(b, nil, 0)
		is(t, "both results from totals fixed before", [2]result{va.is, vo.is}, [2]result{more, half})
	})
}
