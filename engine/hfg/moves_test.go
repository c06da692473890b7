package hfg

import (
	"slices"
	"testing"

	"berthier/engine/geometry"
)

// A duelOf fights r1 against b1 in contact, or at so many paces, with dice; the loser is what the
// dice make it.
func beatenClose(t testing.TB, g *game, dice ...int) *battlefield {
	t.Helper()
	p := played(t, g, dice...)
	p.next(job{Kind: fighting, Of: named(t, g, "r1"), Bout: closeBout(t, g, "r1", "b1")})
	p.usually()
	return p
}

func TestRecoilCases(t *testing.T) {
	clause(t, "HFG-16.5", "straight back by its depth, friends that face the same way are pushed, others routed", func(t *testing.T) {
		g := field(t, 1809, piece{"b1", muskets, 4000, 3000, 180, nil}, piece{"b2", muskets, 4000, 3300, 180, nil})
		c, how := g.recoils(named(t, g, "b1"), recoil{})
		is(t, "how", how, recoiled)
		is(t, "it", standsAt(t, g, "b1"), [3]int64{4000, 3200, 180})
		is(t, "its friend", standsAt(t, g, "b2"), [3]int64{4000, 3400, 180})
		is(t, "told", len(c.told), 2)
		g = field(t, 1809, piece{"b1", muskets, 4000, 3000, 180, nil}, piece{"b2", muskets, 3900, 3300, 90, nil})
		_, how = g.recoils(named(t, g, "b1"), recoil{})
		is(t, "how", how, recoiled)
		is(t, "who faces otherwise", g.Elements[named(t, g, "b2")].Spirit, routed)
		is(t, "has gone to the west", standsAt(t, g, "b2"), [3]int64{2900, 3300, 270})
	})
	clause(t, "HFG-R119", "nobody moves unless all can; the field's edge is no wall", func(t *testing.T) {
		g := field(t, 1809, piece{"b1", muskets, 4000, 3000, 180, nil}, piece{"b2", muskets, 4000, 3300, 180, nil})
		c, _ := g.recoils(named(t, g, "b1"), recoil{})
		is(t, "100 behind it: pushed by 100", standsAt(t, g, "b2")[1], 3400)
		is(t, "met", slices.Equal(c.met, []elementID{named(t, g, "b2")}), true)
		g = field(t, 1809, piece{"b1", muskets, 4000, 3000, 180, nil}, piece{"b2", muskets, 4000, 3300, 180, nil}, piece{"r1", muskets, 4000, 3900, 180, nil})
		g.Elements[named(t, g, "r1")].At.Y = 3550 * pace
		g.Elements[named(t, g, "r1")].Facing = 0
		before := slices.Clone(g.Elements)
		_, how := g.recoils(named(t, g, "b1"), recoil{close: true})
		is(t, "an enemy behind them", how, crushed)
		is(t, "nobody has moved", slices.EqualFunc(before, g.Elements, func(a, b element) bool { return a.At == b.At }), true)
		g = field(t, 1809, piece{"b1", muskets, 4000, 5700, 180, nil})
		_, how = g.recoils(named(t, g, "b1"), recoil{})
		is(t, "over the edge", g.Elements[named(t, g, "b1")].Fate, fled)
		is(t, "how", how, recoiled)
	})
	clause(t, "HFG-R119", "ground in the way: to the last pace before it, but not in close combat", func(t *testing.T) {
		lake := func() *game {
			return fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("lake", waterway, 4000, 3800, 2000, 1000)}}, piece{"b1", muskets, 4000, 3000, 180, nil})
		}
		g := lake() // the water begins at 3300: 100 behind it
		_, how := g.recoils(named(t, g, "b1"), recoil{})
		is(t, "how", how, shortened)
		is(t, "where", standsAt(t, g, "b1")[1], 3101)
		g = lake()
		_, how = g.recoils(named(t, g, "b1"), recoil{close: true})
		is(t, "in close combat", how, crushed)
	})
	clause(t, "HFG-R100", "shot at from directly behind: it faces about, then recoils away", func(t *testing.T) {
		g := field(t, 1809, piece{"b1", muskets, 4000, 3000, 180, nil})
		g.recoils(named(t, g, "b1"), recoil{behind: true})
		is(t, "it", standsAt(t, g, "b1"), [3]int64{4000, 3000, 0})
	})
	clause(t, "HFG-4.17", "a garrison that recoils goes inside and faces who beat it", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("town", bua, 4000, 3800, 600, 600)}}, piece{"r1", muskets, 4000, 3000, 0, nil}, piece{"b1", muskets, 0, 0, 0, nil})
		heldBy(t, g, "b1", 1)
		g.recoils(named(t, g, "b1"), recoil{by: named(t, g, "r1")})
		x := g.Elements[named(t, g, "b1")]
		is(t, "inside", x.Inside, areaID(1))
		is(t, "where", standsAt(t, g, "b1"), [3]int64{4000, 3700, 180})
		is(t, "holds nothing", x.Holds, areaID(0))
	})
	clause(t, "HFG-R16", "who recoils holds the edge no more", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("town", bua, 4000, 3800, 600, 600)}}, piece{"r1", muskets, 4000, 3500, 0, nil}, piece{"b1", muskets, 0, 0, 0, nil})
		heldBy(t, g, "b1", 1)
		p := beatenClose(t, g, 5, 3) // 5+3 against 3+3+1: one less
		is(t, "told", p.told("hfg.goes-inside"), true)
		is(t, "the edge gives no more", marked(g, closeBout(t, g, "r1", "b1"), false, "hfg.mark-t4"), 0)
	})
	clause(t, "HFG-R26", "the garrison of an SP halts where others would move", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("sp", strongPoint, 4000, 3800, 250, 250)}}, piece{"r1", muskets, 4000, 3400, 0, nil}, piece{"b1", spGarrison, 0, 0, 0, nil})
		heldBy(t, g, "b1", 1)
		for _, what := range []effect{recoils, falls, runs} {
			v := &verdict{standpoint: g.seen(closeBout(t, g, "r1", "b1"), false)}
			is(t, effectWords[what], v.ignores(what), true)
		}
		v := &verdict{standpoint: g.seen(closeBout(t, g, "r1", "b1"), false)}
		is(t, "destroyed", v.ignores(dies), false)
	})
	clause(t, "HFG-R27", "a taken SP stays empty, by option the foot that took it holds it", func(t *testing.T) {
		for option, want := range []areaID{0, 1} {
			g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("sp", strongPoint, 4000, 3125, 250, 250)}}, piece{"r1", muskets, 4000, 3000, 0, nil}, piece{"b1", spGarrison, 0, 0, 0, nil})
			heldBy(t, g, "b1", 1)
			setOption(&g.spRecapture, option)
			beatenClose(t, g, 6, 2) // 9 against 5+1: less
			is(t, "the garrison", g.on(named(t, g, "b1")), false)
			is(t, "who holds it", g.Elements[named(t, g, "r1")].Holds, want)
		}
	})
	clause(t, "HFG-16.14", "who halts stays", func(t *testing.T) {
		g := field(t, 1809, piece{"b1", stoicFoot, 4000, 3300, 180, nil}, piece{"r1", smoothbore, 4000, 3000, 0, nil})
		p := fire(t, g, 5, 4)
		is(t, "halts", p.told("hfg.halts"), true)
		is(t, "where", standsAt(t, g, "b1"), [3]int64{4000, 3300, 180})
	})
}

func TestFlightCases(t *testing.T) {
	clause(t, "HFG-16.6", "it recoils, turns about and goes on; vector V10", func(t *testing.T) {
		g := field(t, 1809, piece{"b1", muskets, 2000, 2000, 180, nil})
		g.isRepulsed(named(t, g, "b1"), 400, recoil{})
		is(t, "where", standsAt(t, g, "b1"), [3]int64{2000, 2800, 0})
		is(t, "how it is", g.Elements[named(t, g, "b1")].Spirit, repulsed)
		g = field(t, 1809, piece{"b1", lightCavalry, 2000, 2000, 180, nil})
		g.isRepulsed(named(t, g, "b1"), 600, recoil{})
		b := g.body(named(t, g, "b1"))
		is(t, "its front, 1,200 from the old one", b.Corner[0].Y/pace, 3200)
	})
	clause(t, "HFG-R75", "the distance comes after the recoil, by option with it", func(t *testing.T) {
		for option, want := range []int64{2800, 2600} {
			g := field(t, 1809, piece{"b1", muskets, 2000, 2000, 180, nil})
			setOption(&g.repulseTotal, option)
			g.isRepulsed(named(t, g, "b1"), 400, recoil{})
			is(t, "where", standsAt(t, g, "b1")[1], want)
		}
	})
	clause(t, "HFG-16.7", "about, and away; vector V9; who touches its rear runs a full move", func(t *testing.T) {
		g := field(t, 1809, piece{"b1", muskets, 2000, 2000, 180, nil})
		g.isRouted(named(t, g, "b1"), 0, 800, "")
		is(t, "where", standsAt(t, g, "b1"), [3]int64{2000, 3000, 0})
		g = field(t, 1809, piece{"b1", muskets, 2000, 2000, 180, nil}, piece{"b2", muskets, 2000, 2200, 180, nil})
		g.isRouted(named(t, g, "b1"), 0, 800, "")
		is(t, "it", standsAt(t, g, "b1"), [3]int64{2000, 3000, 0})
		is(t, "who ran with it, 400", standsAt(t, g, "b2"), [3]int64{2000, 2800, 0})
		is(t, "routed", g.Elements[named(t, g, "b2")].Spirit, routed)
	})
	clause(t, "HFG-16.7", "nobody runs with Marksmen, or with inferior ones but such", func(t *testing.T) {
		for _, c := range []struct {
			own    troop
			grades []grade
			want   int
		}{{muskets, nil, 1}, {marksmen, nil, 0}, {muskets, []grade{inferior}, 0}} {
			g := field(t, 1809, piece{"b1", c.own, 2000, 2000, 180, c.grades}, piece{"b2", muskets, 2000, 2200, 180, nil})
			is(t, "runs with it", len(g.carried(named(t, g, "b1"))), c.want)
		}
	})
	clause(t, "HFG-R101", "a rout spreads once, by option on", func(t *testing.T) {
		for option, want := range []spirit{steady, routed} {
			g := field(t, 1809, piece{"b1", muskets, 2000, 2000, 180, nil}, piece{"b2", muskets, 2000, 2200, 180, nil}, piece{"b3", muskets, 2000, 2400, 180, nil})
			setOption(&g.routChain, option)
			g.isRouted(named(t, g, "b1"), 0, 800, "")
			is(t, "the second", g.Elements[named(t, g, "b2")].Spirit, routed)
			is(t, "the third", g.Elements[named(t, g, "b3")].Spirit, want)
			is(t, "lawful", len(g.overlapping(named(t, g, "b1"), ptr(g.body(named(t, g, "b1"))))), 0)
		}
	})
	clause(t, "HFG-R68", "distances of routs unless told", func(t *testing.T) {
		g := field(t, 1809, piece{"b1", muskets, 2000, 2000, 180, nil}, piece{"b2", lightCavalry, 4000, 2200, 180, nil})
		is(t, "foot and horse", [2]int{g.routDistance(named(t, g, "b1")), g.routDistance(named(t, g, "b2"))}, [2]int{800, 1200})
	})
	clause(t, "HFG-16.8", "routed against water: destroyed; repulsed: it halts", func(t *testing.T) {
		lake := func() *game {
			return fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("lake", waterway, 4000, 4000, 2000, 1000)}}, piece{"b1", muskets, 4000, 3000, 180, nil})
		}
		g := lake()
		g.isRouted(named(t, g, "b1"), 0, 800, "")
		is(t, "routed", g.Elements[named(t, g, "b1")].Fate, destroyed)
		g = lake()
		g.isRepulsed(named(t, g, "b1"), 800, recoil{})
		is(t, "repulsed", standsAt(t, g, "b1"), [3]int64{4000, 3501, 0})
	})
	clause(t, "HFG-16.8", "who runs into enemies fights them at once, and runs on through them", func(t *testing.T) {
		g := field(t, 1809, append(facedUp(muskets, muskets), piece{"r2", muskets, 4000, 3700, 180, nil})...)
		p := played(t, g, 6, 4, 6, 3) // r1 9, b1 7: 400 back; then r2 9, b1 6
		g.Elements[named(t, g, "r1")].Arrived = false
		p.next(job{Kind: fighting, Of: named(t, g, "r1"), Bout: closeBout(t, g, "r1", "b1")})
		p.usually()
		is(t, "ran into them", p.told("hfg.ran-into"), true)
		is(t, "who stays", standsAt(t, g, "r2"), [3]int64{4000, 3700, 180})
	})
	clause(t, "HFG-9.15", "horse that has passed bayonets is repulsed back through them without a fight", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", cuirassiers, 4000, 3600, 0, nil}, piece{"b1", bayonets, 4000, 3000, 180, nil})
		x := &g.Elements[named(t, g, "r1")]
		x.Through = []elementID{named(t, g, "b1")}
		g.isRepulsed(named(t, g, "r1"), 600, recoil{})
		is(t, "beyond them", standsAt(t, g, "r1"), [3]int64{4000, 2400, 180})
		is(t, "they stand", standsAt(t, g, "b1"), [3]int64{4000, 3000, 180})
	})
	clause(t, "HFG-R160", "it has passed them until it moves of its own, in later turns, too", func(t *testing.T) {
		for _, own := range []bool{false, true} {
			g := field(t, 1809, piece{"r1", cuirassiers, 4000, 3600, 0, nil}, piece{"b1", bayonets, 4000, 3000, 180, nil})
			e := named(t, g, "r1")
			g.Elements[e].Through = []elementID{named(t, g, "b1")}
			p := played(t, g)
			p.begin()
			p.begin()
			if own {
				p.spend(&plan{manner: tactical, paths: []path{{element: e}}}, g.def(e).command)
			}
			g.isRepulsed(e, 600, recoil{})
			is(t, "through them", standsAt(t, g, "r1")[1] < 3000, !own)
		}
	})
	clause(t, "HFG-R161", "who was repulsed has turned already, unless an enemy is at its front", func(t *testing.T) {
		for _, met := range []bool{false, true} {
			all := []piece{{"r1", cuirassiers, 4000, 3000, 180, nil}}
			if met {
				all = append(all, piece{"b1", cuirassiers, 4000, 3000, 0, nil})
			}
			g := field(t, 1809, all...)
			e := named(t, g, "r1")
			g.Elements[e].Spirit = repulsed
			is(t, "has turned", g.hasTurned(e), !met)
			b := g.running(e)
			is(t, "which way it runs", int(b.Heading), map[bool]int{false: 180, true: 0}[met])
			g.isRouted(e, 0, 1200, "")
			is(t, "where it ends", standsAt(t, g, "r1")[2], map[bool]int64{false: 180, true: 0}[met])
		}
	})
	clause(t, "HFG-R160", "who stands elsewhere is no reason to go through", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", cuirassiers, 4000, 3600, 0, nil}, piece{"b1", bayonets, 6000, 3000, 180, nil})
		e := named(t, g, "r1")
		g.Elements[e].Through = []elementID{named(t, g, "b1")}
		g.isRepulsed(e, 600, recoil{})
		is(t, "it recoils first", standsAt(t, g, "r1"), [3]int64{4000, 2400, 180})
	})
	clause(t, "HFG-16.6", "it goes on behind the first friend it meets, and passes through any", func(t *testing.T) {
		g := field(t, 1809, piece{"b1", muskets, 2000, 2000, 180, nil}, piece{"b2", muskets, 2000, 2650, 90, nil})
		g.isRepulsed(named(t, g, "b1"), 400, recoil{})
		b, o := g.body(named(t, g, "b1")), g.body(named(t, g, "b2"))
		is(t, "behind him", b.Lo.Y >= o.Hi.Y, true)
		is(t, "no gap of a pace", geometry.Gap(&b, &o) < pace, true)
		is(t, "he stays", standsAt(t, g, "b2"), [3]int64{2000, 2650, 90})
	})
	clause(t, "HFG-16.17", "off the field: lost", func(t *testing.T) {
		g := field(t, 1809, piece{"b1", muskets, 2000, 5200, 180, nil})
		g.isRepulsed(named(t, g, "b1"), 800, recoil{})
		is(t, "fate", g.Elements[named(t, g, "b1")].Fate, fled)
		is(t, "lost", g.lost(named(t, g, "b1")), true)
	})
}

// ptr gives the address of a body.
func ptr(b geometry.Body) *geometry.Body { return &b }

// setOption chooses the n-th value of an option.
func setOption[T ~int | ~int8](o *T, n int) { *o = T(n) }

func TestForwardCases(t *testing.T) {
	clause(t, "HFG-16.9", "200 paces ahead, and foot that prolongs its front with it", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"r2", bayonets, 4400, 3000, 0, nil}, piece{"r3", bayonets, 4805, 3000, 0, nil})
		_, ok := g.presses(named(t, g, "r1"), func(elementID) bool { return false })
		is(t, "done", ok, true)
		is(t, "it", standsAt(t, g, "r1"), [3]int64{4000, 3200, 0})
		is(t, "beside it", standsAt(t, g, "r2"), [3]int64{4400, 3200, 0})
		is(t, "five paces off", standsAt(t, g, "r3"), [3]int64{4805, 3000, 0})
		is(t, "pressed", g.Elements[named(t, g, "r2")].Pressed, true)
		g = field(t, 1809, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"r2", bayonets, 4400, 3000, 0, nil})
		g.presses(named(t, g, "r1"), func(e elementID) bool { return e == named(t, g, "r2") })
		is(t, "who is about to be shot at stays", standsAt(t, g, "r2"), [3]int64{4400, 3000, 0})
	})
	clause(t, "HFG-15.10", "who will be contacted by a presser halts", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 3150, 180, nil})
		p := played(t, g, 5, 3) // 8 against 6
		p.opensFire([]shot{{By: named(t, g, "r1"), At: fighter{Element: named(t, g, "b1")}}}, nil)
		p.Elements[named(t, g, "b1")].Shot = true
		p.saying(askPress, answer{Yes: true})
		is(t, "it stays", standsAt(t, g, "b1"), [3]int64{4000, 3150, 180})
		is(t, "the presser has come", standsAt(t, g, "r1"), [3]int64{4000, 3151, 0})
		is(t, "a pair for phase 3", len(pairs(g)), 1)
	})
	clause(t, "HFG-11.5", "touched 150 paces aside the contacted one conforms", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"b1", muskets, 4150, 3150, 180, nil})
		g.presses(named(t, g, "r1"), func(elementID) bool { return false })
		is(t, "it shifts", standsAt(t, g, "b1"), [3]int64{4000, 3150 + 1, 180})
	})
	clause(t, "HFG-R51", "who can't conform counts as aligned", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"b1", muskets, 4250, 3150, 180, nil})
		g.presses(named(t, g, "r1"), func(elementID) bool { return false })
		is(t, "it stays", standsAt(t, g, "b1")[0], 4250)
		is(t, "they fight", len(pairs(g)), 1)
	})
	clause(t, "HFG-16.10", "a charge of up to 600 paces is fought in phase 3", func(t *testing.T) {
		for far, want := range map[int64]int{590: 1, 610: 0} {
			g := field(t, 1809, piece{"b1", lightCavalry, 4000, 3000 + far, 180, nil}, piece{"r1", bayonets, 4000, 3000, 0, nil})
			e := named(t, g, "b1")
			is(t, "whom it may charge", len(g.chargeable(e)), want)
			if want > 0 {
				g.charges(e, named(t, g, "r1"))
				is(t, "pairs", len(pairs(g)), 1)
				is(t, "it came of its own", g.Elements[e].Arrived, true)
			}
		}
	})
	clause(t, "HFG-R78", "a charge is compulsory", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", lightCavalry, 4000, 3000, 0, nil}, piece{"b1", smoothbore, 4000, 3500, 180, nil})
		fire(t, g, 6, 1)
		is(t, "pairs", len(pairs(g)), 1)
	})
	clause(t, "HFG-R124", "a friend between, or bad ground: no charge", func(t *testing.T) {
		g := field(t, 1809, piece{"b1", lightCavalry, 4000, 3500, 180, nil}, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"b2", marksmen, 4300, 3250, 180, nil})
		is(t, "a friend", len(g.chargeable(named(t, g, "b1"))), 0)
		g = fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("fields", slowGoing, 4000, 3250, 600, 200)}}, piece{"b1", lightCavalry, 4000, 3500, 180, nil}, piece{"r1", bayonets, 4000, 3000, 0, nil})
		is(t, "slow going", len(g.chargeable(named(t, g, "b1"))), 0)
	})
	clause(t, "HFG-16.12", "after a destroyed enemy straight ahead, from 300 to 1,200 paces", func(t *testing.T) {
		for far, want := range map[int]int64{0: 3300, 700: 3700, 5000: 4200} {
			g := field(t, 1809, facedUp(lightCavalry, muskets)...)
			p := played(t, g, 6, 1)
			p.next(job{Kind: fighting, Of: named(t, g, "r1"), Bout: closeBout(t, g, "r1", "b1")})
			p.saying(askPursue, answer{Far: far})
			is(t, "where", standsAt(t, g, "r1"), [3]int64{4000, want, 0})
		}
	})
	clause(t, "HFG-R80", "off the field only if the owner wants it, and then it isn't lost", func(t *testing.T) {
		for off, want := range map[bool]fate{false: present, true: left} {
			g := field(t, 1809, piece{"r1", lightCavalry, 4000, 5500, 0, nil}, piece{"b1", muskets, 4000, 5500, 180, nil})
			p := played(t, g, 6, 1)
			p.next(job{Kind: fighting, Of: named(t, g, "r1"), Bout: closeBout(t, g, "r1", "b1")})
			p.saying(askPursue, answer{Far: 1200, Off: off})
			is(t, "fate", g.Elements[named(t, g, "r1")].Fate, want)
			is(t, "lost", g.lost(named(t, g, "r1")), false)
		}
	})
	clause(t, "HFG-R128", "a pursuer goes the way that the enemy went; who hasn't moved isn't pursued", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", lightCavalry, 4000, 3000, 0, nil})
		g.pursues(chase{e: named(t, g, "r1"), legs: []leg{{0, 200 * pace}, {45, 600 * pace}}, low: 300, far: 300})
		is(t, "turned", standsAt(t, g, "r1")[2], 45)
		g = field(t, 1809, piece{"r1", lightCavalry, 4000, 3000, 0, nil})
		g.pursues(chase{e: named(t, g, "r1"), legs: []leg{{100, 600 * pace}}, low: 300, far: 300})
		is(t, "over 90 degrees: straight", standsAt(t, g, "r1"), [3]int64{4000, 3300, 0})
		g = field(t, 1809, facedUp(lightCavalry, laager)...)
		beatenClose(t, g, 6, 2) // 8 against 7
		is(t, "a laager stays, no pursuit", standsAt(t, g, "r1"), [3]int64{4000, 3000, 0})
	})
	clause(t, "HFG-R63", "the nearest clear place beyond, 400 to 800 paces from its front", func(t *testing.T) {
		g := field(t, 1809, facedUp(cuirassiers, bayonets)...)
		n, ok := g.beyondIt(named(t, g, "r1"), named(t, g, "b1"))
		is(t, "behind bayonets", [2]any{n, ok}, [2]any{500, true})
		g = field(t, 1809, append(facedUp(cuirassiers, bayonets), piece{"b2", bayonets, 4000, 3300, 180, nil}, piece{"b3", bayonets, 4000, 3700, 180, nil})...)
		is(t, "second and third lines", g.room(named(t, g, "r1"), named(t, g, "b1")), false)
	})
	clause(t, "HFG-R92", "the place beyond must be clear", func(t *testing.T) {
		g := field(t, 1809, append(facedUp(cuirassiers, bayonets), piece{"b2", bayonets, 4000, 3300, 180, nil})...)
		n, _ := g.beyondIt(named(t, g, "r1"), named(t, g, "b1"))
		is(t, "behind the second line", n, 800)
	})
	clause(t, "HFG-15.7", "guns that were passed are silent while the horse is behind them", func(t *testing.T) {
		g := field(t, 1809, append(facedUp(cuirassiers, smoothbore), piece{"r2", bayonets, 4000, 2000, 0, nil})...)
		p := beatenClose(t, g, 3, 2) // 5 against 5
		is(t, "passed", p.told("hfg.passes"), true)
		is(t, "silent", may(t, g, "b1", "r2"), "hfg.shot-passed")
		g.remove(named(t, g, "r1"), left)
		is(t, "when it has gone", may(t, g, "b1", "r2"), "")
	})
	clause(t, "HFG-R65", "behind is within 800 paces", func(t *testing.T) {
		g := field(t, 1809, piece{"b1", smoothbore, 4000, 3000, 180, nil}, piece{"r1", cuirassiers, 4000, 4400, 0, nil})
		g.Elements[named(t, g, "b1")].Blocked = true
		is(t, "700 behind its rear", g.passedBy(named(t, g, "b1")), true)
		g.Elements[named(t, g, "r1")].At.Y += 300 * pace
		is(t, "1,000", g.passedBy(named(t, g, "b1")), false)
	})
	clause(t, "HFG-16.11", "who has its front on a flank recoils with its friend, or joins him", func(t *testing.T) {
		g := field(t, 1809, append(facedUp(muskets, bayonets), piece{"r2", muskets, 0, 0, 0, nil})...)
		g.Elements[named(t, g, "r2")].At = place(g.toFlank(named(t, g, "b1"), geometry.Left))
		g.Elements[named(t, g, "r2")].Facing = 270
		g.Elements[named(t, g, "b1")].Arrived = true
		beatenClose(t, g, 1, 6) // 4 against 6: r1 routed
		is(t, "the flanker recoils 200", standsAt(t, g, "r2"), [3]int64{4400, 3200, 270})
	})
	clause(t, "HFG-R79", "joining needs room and goes no further than the friend", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", muskets, 4000, 3200, 0, nil}, piece{"r2", muskets, 4500, 3100, 0, nil})
		j := &job{Of: named(t, g, "r2"), By: named(t, g, "r1"), What: pressing, Start: place{X: 4000 * pace, Y: 3000 * pace}}
		f, ok := g.beside(j)
		is(t, "beside him", [3]any{ok, f.At.X / pace, f.At.Y / pace}, [3]any{true, int64(4400), int64(3200)})
		j.Start = place{X: 4000 * pace, Y: 3100 * pace}
		_, ok = g.beside(j)
		is(t, "further than he went", ok, false)
	})
	clause(t, "HFG-16.13", "if the element behind is spent the party is repulsed; else both have its outcome", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", commandParty, 4000, 3000, 0, nil}, piece{"r2", lightCavalry, 4000, 2700, 0, nil}, piece{"b1", bayonets, 4000, 3000, 180, nil})
		beatenClose(t, g, 1, 6) // 1+1+2 = 4 against 10
		is(t, "spent", g.Elements[named(t, g, "r2")].Fate, spent)
		is(t, "repulsed", g.Elements[named(t, g, "r1")].Spirit, repulsed)
		g = field(t, 1809, piece{"r1", commandParty, 4000, 3000, 0, nil}, piece{"r2", lightCavalry, 4000, 2700, 0, nil}, piece{"b1", marksmen, 4000, 3000, 180, nil})
		beatenClose(t, g, 6, 1) // 9 against 2: destroyed
		is(t, "the party pursues", standsAt(t, g, "r1"), [3]int64{4000, 3300, 0})
		is(t, "who is behind follows", standsAt(t, g, "r2"), [3]int64{4000, 3000, 0})
	})
}
