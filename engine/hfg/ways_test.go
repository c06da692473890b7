package hfg

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"berthier/engine/geometry"
)

// roadsOf are roads through points given in paces, with the ids a, b, ...
func roadsOf(paths ...[][2]int64) []lineDef {
	var all []lineDef
	for i, p := range paths {
		all = append(all, lineOf(string(rune('a'+i)), road, 0, p...))
	}
	return all
}

// Cases of outcome moves along features of the ground, through empty pieces, and into troops that
// nobody knew of: chapter 16.
func TestWayCases(t *testing.T) {
	clause(t, "HFG-R151", "on a road that turns by 45 degrees it presses along it", func(t *testing.T) {
		bent := &setting{year: 1809, lines: roadsOf([][2]int64{{4000, 0}, {4000, 3100}, {6000, 5100}})}
		g := fieldOn(t, bent, piece{"r1", bayonets, 4000, 3000, 0, nil})
		_, ok := g.presses(named(t, g, "r1"), func(elementID) bool { return false })
		is(t, "done", ok, true)
		b := g.body(named(t, g, "r1"))
		n, off := geometry.Nearest(g.line(1).points, b.At)
		is(t, "how far along the road, and off it", [2]int64{n, off}, [2]int64{3200 * pace, 0})
		is(t, "on the road", g.onRoad(named(t, g, "r1")), true)
		g = fieldOn(t, &setting{year: 1809}, piece{"r1", bayonets, 4000, 3000, 0, nil})
		g.presses(named(t, g, "r1"), func(elementID) bool { return false })
		is(t, "off road straight ahead", standsAt(t, g, "r1"), [3]int64{4000, 3200, 0})
	})
	clause(t, "HFG-R76", "a rout follows a road that leads to its edge, straight on is the default", func(t *testing.T) {
		ground := func() *setting { // b's edge is the north
			return &setting{year: 1809, lines: roadsOf([][2]int64{{4150, 2500}, {4150, 3400}, {5500, 6000}}, [][2]int64{{2000, 3150}, {3900, 3150}})}
		}
		g := fieldOn(t, ground(), piece{"b1", muskets, 4000, 3000, 180, nil})
		is(t, "those that lead there", slices.Equal(g.routWays(named(t, g, "b1")), []string{"a"}), true)
		g.isRouted(named(t, g, "b1"), 0, 800, "a")
		b := g.body(named(t, g, "b1"))
		_, off := geometry.Nearest(g.line(1).points, b.At)
		is(t, "it stands on the road", off, 0)
		is(t, "and looks along it", b.Heading > 0 && b.Heading < 45, true)
		g = fieldOn(t, ground(), piece{"b1", muskets, 4000, 3000, 180, nil})
		g.isRouted(named(t, g, "b1"), 0, 800, "")
		is(t, "straight", standsAt(t, g, "b1"), [3]int64{4000, 4000, 0})
		for says, want := range map[string]bool{"{results: {rout: nearest-feature}}": true, "{results: {rout: road a}}": true, "{results: {rout: straight}}": false, "default": false} {
			g = fieldOn(t, ground(), append(facedUp(bayonets, muskets), army("bb", 5, muskets, 5000, 180)...)...)
			g.Elements[named(t, g, "r1")].Arrived = true
			g.Turn = 2
			g.Phase = moving
			g = replied(t, g, "blue", says)
			g.Elements[named(t, g, "r1")].Arrived = true
			g = replied(t, g, "red", "default", 3, 6) // blue's die is the phasing one: 6 against 9
			b := g.body(named(t, g, "b1"))
			_, off := geometry.Nearest(g.line(1).points, b.At)
			is(t, says, [2]bool{g.Elements[named(t, g, "b1")].Spirit == routed, off == 0}, [2]bool{true, want})
		}
	})
	clause(t, "HFG-R152", "where the road ends, or leads nearer no more, straight on; through an empty town there", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1809, lines: roadsOf([][2]int64{{4000, 2500}, {4000, 3700}})}, piece{"b1", muskets, 4000, 3000, 180, nil})
		c := g.isRouted(named(t, g, "b1"), 0, 1200, "a")
		is(t, "at its end", standsAt(t, g, "b1"), [3]int64{4000, 4400, 0})
		is(t, "legs", fmt.Sprint(c.legs), fmt.Sprint([]leg{{0, length(400 * pace)}, {0, length(100 * pace)}, {0, length(700 * pace)}}))
		town := areaDef{id: "town", kind: bua, outline: []place{{3750 * pace, 4100 * pace}, {4250 * pace, 4100 * pace}, {4250 * pace, 4600 * pace}, {3750 * pace, 4600 * pace}}}
		g = fieldOn(t, &setting{year: 1809, areas: []areaDef{town}, lines: roadsOf([][2]int64{{4000, 2500}, {4000, 3700}})}, piece{"b1", muskets, 4000, 3000, 180, nil})
		g.isRouted(named(t, g, "b1"), 0, 1200, "a")
		is(t, "beyond the town", standsAt(t, g, "b1")[1] > 4600, true)
	})
	clause(t, "HFG-R152", "along the edge of a wood too; who is asked names one that is offered", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("wood", wood, 4700, 4000, 1000, 2000)}}, append(facedUp(bayonets, muskets), army("bb", 5, muskets, 5000, 180)...)...)
		is(t, "offered", slices.Equal(g.routWays(named(t, g, "b1")), []string{"wood"}), false)
		g = fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("wood", wood, 4700, 4000, 1000, 2000)}}, append(facedUp(bayonets, muskets), army("bb", 5, muskets, 5000, 180)...)...)
		g.Elements[named(t, g, "b1")].At.Y, g.Elements[named(t, g, "r1")].At.Y = 3300*pace, 3300*pace
		is(t, "offered", slices.Equal(g.routWays(named(t, g, "b1")), []string{"wood"}), true)
		g.Turn, g.Phase = 2, moving
		g = replied(t, g, "blue", "{results: {rout: ask}}")
		g.Elements[named(t, g, "r1")].Arrived = true
		g = replied(t, g, "red", "default", 3, 6)
		is(t, "who is asked", len(g.owed) == 1 && g.owed[0].Side == "blue" && g.owed[0].Kind == stopResult, true)
		is(t, "another", written(t, g, g.owed[0], "{rout: {b1: nowhere}}"), "order.unknown-feature")
		g = replied(t, g, "blue", "{rout: {b1: wood}}")
		is(t, "along it", standsAt(t, g, "b1")[0] > 4000, true)
	})
	clause(t, "HFG-R153", "who would end in an empty SP ends just behind it", func(t *testing.T) {
		for _, held := range []bool{false, true} {
			g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("sp", strongPoint, 4000, 3800, 250, 250)}}, piece{"b1", muskets, 4000, 3000, 180, nil}, piece{"b2", spGarrison, 9000, 5000, 180, nil})
			if held {
				heldBy(t, g, "b2", 1)
			}
			g.isRepulsed(named(t, g, "b1"), 400, recoil{}) // to y 3800 without it
			want := int64(3925 + 200)
			if held { // a friend holds it: behind him too
				want = 4125
			}
			is(t, "where", standsAt(t, g, "b1"), [3]int64{4000, want, 0})
		}
		g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("sp", strongPoint, 4000, 3330, 250, 250)}}, piece{"b1", muskets, 4000, 3000, 180, nil})
		g.recoils(named(t, g, "b1"), recoil{})
		is(t, "a recoil", standsAt(t, g, "b1"), [3]int64{4000, 3455, 180})
		g = fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("town", bua, 4000, 3200, 600, 600)}}, piece{"b1", muskets, 4000, 3000, 180, nil})
		g.recoils(named(t, g, "b1"), recoil{})
		is(t, "in a BUA where it stood already", standsAt(t, g, "b1"), [3]int64{4000, 3200, 180})
		g = field(t, 1809, piece{"b1", muskets, 4000, 3000, 180, nil})
		g.Works = []placedWork{{ID: "w", Kind: redoubt, Side: second, At: place(pt(4000, 3700)), Facing: 180, Width: 400 * pace, Depth: 400 * pace}}
		g.isRepulsed(named(t, g, "b1"), 400, recoil{})
		is(t, "an empty redoubt of its side", standsAt(t, g, "b1"), [3]int64{4000, 4300, 0})
	})
	clause(t, "HFG-R154", "who pursues into concealed troops finds them, and fights them", func(t *testing.T) {
		g := field(t, 1809, append(facedUp(lightCavalry, muskets), piece{"b2", muskets, 4000, 3250, 180, nil})...)
		hidden := named(t, g, "b2")
		g.Elements[hidden].Concealed = true
		e := named(t, g, "r1")
		g.remove(named(t, g, "b1"), destroyed)
		c, reached := g.pursues(chase{e: e, low: 300, far: 300})
		is(t, "reached", slices.Equal(reached, []elementID{hidden}), true)
		is(t, "told", len(c.told) > 0, true)
		is(t, "they stand apart", sound(g), nil)
		g.Elements[hidden].Concealed = true
		p := played(t, g, 3, 3)
		p.clashes(e, 0, reached)
		p.usually()
		is(t, "they fight", countTold(p, "hfg.combat-close"), 1)
		is(t, "put down", g.Elements[hidden].Concealed, false)
		g = field(t, 1809, piece{"r1", lightCavalry, 4000, 3000, 0, nil}, piece{"b1", muskets, 4000, 3500, 180, nil}, piece{"b2", muskets, 4000, 3300, 180, nil})
		g.Elements[named(t, g, "b2")].Concealed = true
		is(t, "whom it may charge is whom it knows", slices.Equal(g.chargeable(named(t, g, "r1")), []elementID{named(t, g, "b1")}), true)
		g.charges(named(t, g, "r1"), named(t, g, "b1"))
		is(t, "who was in between is met", standsAt(t, g, "r1")[1] <= 3301, true)
		is(t, "sound", sound(g), nil)
	})
	clause(t, "HFG-R150", "a way across by a bridge: 25 p beside its middle and 10 degrees askew at most", func(t *testing.T) {
		for _, c := range []struct {
			x      int64
			facing int
			want   string
		}{{5000, 0, ""}, {5025, 0, ""}, {5026, 0, "hfg.move-river"}, {4950, 10, ""}, {4950, 11, "hfg.move-river"}} {
			g := fieldOn(t, &setting{year: 1815, lines: []lineDef{lineOf("w", river, 300, [2]int64{0, 3000}, [2]int64{12000, 3000})}}, piece{"r1", bayonets, c.x, 2800, c.facing, nil})
			g.Bridges = []bridge{{ID: "b", Over: 1, At: place(pt(5000, 3000)), Facing: 180}}
			is(t, "over the bridge", goes(t, g, "r1", 600), c.want)
		}
		for x, want := range map[int64]bool{5000: true, 5025: true, 5026: false} {
			g := fieldOn(t, &setting{year: 1815, lines: []lineDef{lineOf("w", river, 300, [2]int64{0, 3000}, [2]int64{12000, 3000})}}, piece{"r1", bayonets, x, 3100, 0, nil})
			g.Bridges = []bridge{{ID: "b", Over: 1, At: place(pt(5000, 3000)), Facing: 180}}
			is(t, "it stands at it", g.standsOn(1, ptr(g.body(1))), want)
		}
	})
	clause(t, "HFG-16.7", "routed troops that reach a bridge stop on the near side, repulsed ones go over it", func(t *testing.T) {
		for _, rout := range []bool{true, false} {
			g := fieldOn(t, &setting{year: 1809, lines: []lineDef{lineOf("w", river, 200, [2]int64{0, 3800}, [2]int64{12000, 3800})}}, piece{"b1", muskets, 4000, 3000, 180, nil})
			g.Bridges = []bridge{{ID: "b", Over: 1, At: place(pt(4000, 3800)), Facing: 0}}
			if rout {
				g.isRouted(named(t, g, "b1"), 0, 1200, "")
				is(t, "routed", [2]int64{standsAt(t, g, "b1")[1], int64(g.Elements[named(t, g, "b1")].Fate)}, [2]int64{3701, int64(present)})
			} else {
				g.isRepulsed(named(t, g, "b1"), 1000, recoil{})
				is(t, "repulsed", standsAt(t, g, "b1"), [3]int64{4000, 4400, 0})
			}
		}
	})
	clause(t, "HFG-9.15", "routed back towards whom it has passed, it goes through him again", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", cuirassiers, 4000, 3600, 0, nil}, piece{"b1", bayonets, 4000, 3000, 180, nil})
		g.Elements[named(t, g, "r1")].Through = []elementID{named(t, g, "b1")}
		g.isRouted(named(t, g, "r1"), 0, 1200, "")
		is(t, "beyond him", standsAt(t, g, "r1")[1] < 3000, true)
		is(t, "sound", sound(g), nil)
	})
}

// Cases of marches that meet enemies of whom nobody knew: HFG-R91.
func TestUnknownCases(t *testing.T) {
	behindWood := func(t *testing.T, lines ...lineDef) *game {
		s := &setting{year: 1809, areas: []areaDef{octagon("wood", wood, 5000, 3300, 2400, 600)}, lines: lines}
		return fieldOn(t, s, piece{"r1", lightCavalry, 6600, 2150, 0, nil}, piece{"r0", hq, 6000, 1500, 0, nil}, piece{"b1", muskets, 5650, 3900, 180, nil})
	}
	clause(t, "HFG-R91", "a march stops at 600 p of an enemy who comes into view", func(t *testing.T) {
		for _, lines := range [][]lineDef{nil, roadsOf([][2]int64{{6600, 0}, {6600, 6000}})} {
			g := behindWood(t, lines...)
			e, b := named(t, g, "r1"), named(t, g, "b1")
			is(t, "not known", g.knows(1, b), false)
			g.Commands[1].Score = 3
			p := plays(g)
			p.Phase = moving
			o := &order{Verb: verbGo, March: true, Of: "r1", Far: 1600}
			if lines != nil {
				o = &order{Verb: verbAlong, March: true, Of: "r1", Far: 1600}
			}
			p.carriesOut(o)
			is(t, "far enough to see him", standsAt(t, g, "r1")[1] < 3750 && standsAt(t, g, "r1")[1] > 3000, true)
			is(t, "not nearer than 600", paces(g.apart(e, b)) >= marchNear, true)
			is(t, "told", p.told("hfg.meets"), true)
			is(t, "on its road still", g.onRoad(e), lines != nil)
		}
	})
	clause(t, "HFG-9.2", "a tactical move isn't stopped by whom it sees", func(t *testing.T) {
		g := behindWood(t)
		g.Commands[1].Score = 3
		p := plays(g)
		p.Phase = moving
		p.carriesOut(&order{Verb: verbGo, Of: "r1", Far: 1600})
		is(t, "its whole move", standsAt(t, g, "r1")[1], 3750)
	})
	clause(t, "HFG-1.8", "nobody moves onto concealed friends", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", muskets, 4000, 3000, 0, nil}, piece{"r2", muskets, 4000, 3500, 0, nil})
		g.Elements[named(t, g, "r2")].Concealed = true
		is(t, "onto them", goes(t, g, "r1", 400), "hfg.move-overlap")
	})
}

// Cases of the flow that hang on what was decided before.
func TestTurnFlowCases(t *testing.T) {
	clause(t, "HFG-17.5", "in his side's turn a defeated ally withdraws by himself, and has no orders", func(t *testing.T) {
		g := field(t, 1809, piece{"b1", muskets, 4000, 5000, 0, nil}, piece{"b2", muskets, 6000, 5300, 0, nil})
		g.commands[second-1].allied = true
		g.Commands[second].Status, g.Turn, g.Phase = defeated, 2, moving
		is(t, "an order", written(t, g, g.decision("blue", stopTurn), "{moves: [{element: b1, forward: 100}]}"), "hfg.move-withdraws")
		g = replied(t, g, "blue", "default")
		is(t, "it has gone 400", standsAt(t, g, "b1"), [3]int64{4000, 5400, 0})
	})
	clause(t, "HFG-17.8", "an enemy who sees a defeated ally withdraw reads of a move, and not why", func(t *testing.T) {
		g := field(t, 1809, piece{"b1", muskets, 4000, 5000, 0, nil}, piece{"r1", muskets, 4000, 1000, 0, nil})
		g.commands[second-1].allied = true
		g.Commands[second].Status, g.Turn, g.Phase = defeated, 2, moving
		p := plays(g)
		p.withdrawals()
		is(t, "blue is told", strings.Join(hears(p, "blue"), " "), "hfg.withdrawn hfg.withdraws")
		is(t, "red is told", strings.Join(hears(p, "red"), " "), "hfg.withdrawn hfg.moved")
		for _, e := range p.Events {
			for _, x := range e.Tellings {
				is(t, "by its clause", e.Clause == "HFG-17.5" && slices.Contains(x.To, "red"), false)
			}
		}
	})
	clause(t, "HFG-7.1", "of several seats the marches of all come before the tactical moves of all", func(t *testing.T) {
		all := inOrder(append(inOrder([]order{{Verb: verbGo, Of: "a"}, {Verb: verbAlong, March: true, Of: "b"}}), []order{{Verb: verbFord, Of: "c"}, {Verb: verbAlong, March: true, Of: "d"}}...))
		got := ""
		for _, o := range all {
			got += o.Of
		}
		is(t, "the order", got, "cbda")
	})
	clause(t, "HFG-11.6", "who has turned at once isn't contacted on a flank by a later move of the turn", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", heavyCavalry, 4600, 2900, 270, nil}, piece{"b1", muskets, 4000, 3000, 0, nil})
		e := named(t, g, "r1")
		is(t, "before", code(g.judge(g.alone(e, at(4200, 2800, 270)))), "")
		g.Elements[named(t, g, "b1")].Faced = true
		is(t, "after", code(g.judge(g.alone(e, at(4200, 2800, 270)))), "hfg.contact-faced")
	})
	clause(t, "HFG-9.6", "from an overlap to the flank: always allowed, and the enemy turns at once", func(t *testing.T) {
		// r2 overlaps b1, whom nobody else touches any more.
		g := field(t, 1809, piece{"r2", muskets, 4400, 3000, 0, nil}, piece{"b1", muskets, 4000, 3000, 180, nil}, piece{"r0", hq, 4400, 2000, 0, nil})
		g.Commands[1].Score = 3
		p := plays(g)
		p.Phase = moving
		plan := g.toward([]elementID{named(t, g, "r2")}, named(t, g, "r2"), ptr(g.body(named(t, g, "b1"))), geometry.Left, false)
		is(t, "from an overlap", plan.overlap, true)
		is(t, "legal", code(g.judge(plan)), "")
		p.carriesOut(&order{Verb: verbContact, Of: "r2", Enemy: "b1", Edge: 2})
		is(t, "b1 faces it", standsAt(t, g, "b1")[2], 90)
	})
	clause(t, "HFG-14.3", "T13 isn't for who defends the edge of a BUA; on fire it is difficult going", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("town", bua, 4000, 3300, 600, 600)}}, piece{"r1", muskets, 4000, 3000, 0, nil}, piece{"b1", muskets, 0, 0, 0, nil})
		heldBy(t, g, "b1", 1)
		is(t, "its edge", marked(g, closeBout(t, g, "r1", "b1"), false, "hfg.mark-t13"), 0)
		g.Burning = []areaID{1}
		is(t, "on fire", marked(g, closeBout(t, g, "r1", "b1"), false, "hfg.mark-t13"), -1)
		inside := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("town", bua, 4000, 3000, 600, 600)}}, facedUp(bayonets, muskets)...)
		is(t, "inside", marked(inside, closeBout(t, inside, "r1", "b1"), false, "hfg.mark-t13"), -1)
	})
	clause(t, "HFG-12.11", "a Laager and foot together: the nearest is the principal", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", laager, 4000, 3000, 0, nil}, piece{"r2", lightInfantry, 4500, 2900, 0, nil}, piece{"b1", lightCavalry, 4200, 3250, 180, nil})
		all := []elementID{named(t, g, "r1"), named(t, g, "r2")}
		is(t, "the principal", plays(g).principal(fighter{Element: named(t, g, "b1")}, all), named(t, g, "r1"))
	})
	clause(t, "HFG-15.15", "mounted on the rear of foot don't ride it over", func(t *testing.T) {
		for side, want := range map[geometry.Flank]effect{geometry.Rear: falls, geometry.Left: dies} {
			g := field(t, 1809, append(facedUp(muskets, muskets), piece{"r2", lightCavalry, 0, 0, 0, nil})...)
			b := g.body(named(t, g, "b1"))
			f := conformed(g.box(g.def(named(t, g, "r2"))), &b, side, false, b.At)
			g.Elements[named(t, g, "r2")].At, g.Elements[named(t, g, "r2")].Facing = place(f.At), int(f.Heading)
			v := &verdict{standpoint: g.seen(closeBout(t, g, "r1", "b1"), false), is: less, short: 1}
			got := v.outcome().What
			is(t, "less", got, want)
		}
	})
}
