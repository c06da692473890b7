package mistakes

import (
	"testing"

	"berthier/engine"
	"berthier/engine/geometry"
)

// Cases of rulings about the field, command and orders that no case of a clause is named by.
func TestRulings(t *testing.T) {
	clause(t, "EM-R2", "the engagement area has square corners before the front, and nothing behind the rear", func(t *testing.T) {
		for _, c := range []struct {
			x, y   int64
			enters bool
		}{{659_999, 359_999, true}, {660_000, 359_999, false}, {659_999, 360_000, false}, {600_000, 270_000, false}, {645_000, 269_999, false}} {
			g := field(t, piece{"red-7", 600_000, 300_000, 0}, piece{"blue-13", c.x, c.y, 180})
			b, area := g.body(named(t, g, "blue-13")), g.engagement(named(t, g, "red-7"))
			is(t, writePlace(place{X: c.x, Y: c.y}).OneLine(), entered(&b, &area), c.enters)
		}
	})
	clause(t, "EM-R3", "three in echelon are three wide and one deep", func(t *testing.T) {
		g := field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"blue-14", 630_000, 270_000, 0}, piece{"blue-15", 660_000, 240_000, 0})
		f := g.of(named(t, g, "blue-13"))
		is(t, "its units", len(f.Units), 3)
		is(t, "width", g.width(f.Units), 3)
		is(t, "depth", g.depth(f.Units), 1)
	})
	clause(t, "EM-R4", "a turn gains no ground ahead, and has 90 degrees at most", func(t *testing.T) {
		g := field(t, piece{"blue-28", 600_000, 300_000, 0}, piece{"blue-29", 630_000, 300_000, 0})
		moves(t, g, "blue-28")
		units := all(t, g, "blue-28", "blue-29")
		is(t, "the pivot of a left turn", g.pivot(units, true), point{X: 645_000, Y: 315_000})
		is(t, "the pivot of a right turn", g.pivot(units, false), point{X: 585_000, Y: 315_000})
		for by := -90; by <= 90; by++ {
			for _, b := range g.wheeled(units, by) {
				if b.Hi.Y > 315_001 {
					t.Errorf("a turn by %d comes to %d", by, b.Hi.Y)
				}
			}
		}
		for by, want := range map[int]string{90: "", 91: "em.turn-most", -91: "em.turn-most"} {
			is(t, "a turn", code(g.manoeuvreFault(&manoeuvre{Units: units, Does: advancing, Turn: by, Far: 1000})), want)
		}
	})
	clause(t, "EM-R5", "an area is no bar if another formation is in it that touches no enemy", func(t *testing.T) {
		mover, enemy, other := piece{"blue-28", 300_000, 100_000, 0}, piece{"red-7", 300_000, 220_000, 180}, piece{"blue-13", 340_000, 200_000, 90}
		g := field(t, mover, enemy)
		exempt := func() bool { return g.exempt(named(t, g, "red-7"), all(t, g, "blue-28")) }
		is(t, "nobody in it", exempt(), false)
		g = field(t, mover, enemy, other)
		is(t, "another in it", exempt(), true)
		g = field(t, mover, enemy, other, piece{"red-8", 370_000, 200_000, 270})
		is(t, "another that fights", exempt(), false)
	})
	clause(t, "EM-R6", "a split moves nothing; the parts touch again when one of them has moved", func(t *testing.T) {
		g := field(t, piece{"blue-13", 300_000, 100_000, 0}, piece{"blue-14", 330_000, 100_000, 0})
		f := moves(t, g, "blue-13")
		a, b := named(t, g, "blue-13"), named(t, g, "blue-14")
		g.split(f, []unitID{b}, "b-new")
		is(t, "13", g.Units[a].At, place{X: 300_000, Y: 100_000})
		is(t, "14", g.Units[b].At, place{X: 330_000, Y: 100_000})
		is(t, "contact", g.contact(a, b), false)
		g.stand([]unitID{b}, []geometry.Body{g.body(b)})
		is(t, "contact after a move", g.contact(a, b), true)
	})
	clause(t, "EM-R13", "who is driven back crosses a stream that stops who withdraws", func(t *testing.T) {
		g := begin(t, nil)
		l := lineNamed(t, g, "stream-smohain")
		mid := g.lines[l-1].points[0].Plus(g.lines[l-1].points[1])
		g = field(t, piece{"blue-28", mid.X / 2, mid.Y/2 + 20_000, 0}, piece{"red-7", mid.X / 2, mid.Y/2 + 50_000, 180})
		u := named(t, g, "blue-28")
		if far := g.look(&manoeuvre{Units: []unitID{u}, Does: withdrawing, Far: asFarAsItGoes}).far; far >= 30_000 {
			t.Errorf("it withdraws by %d", far)
		}
		at := g.Units[u].At
		is(t, "it backs off", played(t, g).backOff(u, named(t, g, "red-7"), 1, false), true)
		is(t, "by a segment", at.Y-g.Units[u].At.Y, 30_000)
	})
	clause(t, "EM-R25", "a general's level is a sixth of his points, and he generates one less", func(t *testing.T) {
		s := battle(t)
		for _, d := range s.leaders {
			if d.role == general {
				is(t, d.id+"'s level", d.level, d.vp/6)
				is(t, d.id+"'s points", d.points, d.level-1)
			}
		}
		is(t, "a substitute", s.substitute, substituteDef{level: 1, points: 0, vp: 6})
	})
	clause(t, "EM-R26", "what the print has lost of victory points", func(t *testing.T) {
		s := battle(t)
		for id, want := range map[string]int{"blucher": 30, "hill": 12, "uxbridge": 12} {
			is(t, id, s.leaders[leaderNamed(t, begin(t, nil), id)-1].vp, want)
		}
		g := begin(t, nil)
		towns := map[string]int{}
		for _, o := range s.objectives {
			towns[s.area(o.town).id] = o.vp
		}
		is(t, "Belle Alliance", towns["belle-alliance"], 20)
		is(t, "Mont St. Jean", towns["mont-st-jean"], 30)
		is(t, "Braine-Lalleud in a free scenario", s.plus[areaNamed(t, g, "braine-lalleud")], 10)
	})
	clause(t, "EM-R35", "formations that come to touch are two until the next orders, and then of one corps and heading", func(t *testing.T) {
		g := field(t, piece{"blue-13", 300_000, 100_000, 0}, piece{"blue-14", 332_000, 100_000, 0}, piece{"blue-28", 300_000, 70_000, 0}, piece{"blue-15", 362_000, 85_000, 90})
		g.Phase, g.Order = ordering, []army{blue, red}
		join := func(a, b string) string {
			w := &ordered{game: g, armies: []army{blue}}
			return code(w.joinFault(order{does: joins, of: g.of(named(t, g, a)).ID + " " + g.of(named(t, g, b)).ID, as: g.of(named(t, g, a)).ID}))
		}
		is(t, "2 mm apart", join("blue-13", "blue-14"), "em.join-apart")
		moves(t, g, "blue-14")
		g.stand(all(t, g, "blue-14"), []geometry.Body{g.body(named(t, g, "blue-14")).Shifted(point{X: -2_000})})
		g.settle()
		is(t, "formations that touch", g.of(named(t, g, "blue-13")) == g.of(named(t, g, "blue-14")), false)
		is(t, "at the next orders", join("blue-13", "blue-14"), "")
		is(t, "of two corps", join("blue-13", "blue-28"), "em.join-other")
		is(t, "on two headings", join("blue-14", "blue-15"), "em.join-other")
	})
	clause(t, "EM-R38", "the limit of the blue army holds for a redeployment, until corps IV is placed", func(t *testing.T) {
		g := field(t, piece{"blue-28", 800_000, 285_000, 90})
		to := []relocation{{named(t, g, "blue-28"), place{X: 826_000, Y: 285_000}, 90}}
		is(t, "beyond it", code(g.redeployFault(to, nil)), "em.redeploy-limit")
		g.Placed = []corpsID{corpsNamed(t, g, "black-IV")}
		is(t, "after the entry", code(g.redeployFault(to, nil)), "")
	})
	clause(t, "EM-R39", "a limber goes behind the gun, or right, left or ahead of it", func(t *testing.T) {
		around := []piece{{"blue-13", 300_000, 177_500, 0}, {"blue-14", 322_500, 200_000, 0}, {"blue-15", 277_500, 200_000, 0}, {"blue-16", 300_000, 222_500, 0}}
		for n, want := range []limber{behind, toRight, toLeft, ahead, unlimbered} {
			g := field(t, append([]piece{{"blue-34", 300_000, 200_000, 0}}, around[:n]...)...)
			u := named(t, g, "blue-34")
			is(t, "there is room", g.limberUp(u), want != unlimbered)
			is(t, "the limber", g.Units[u].Limber, want)
		}
	})
	clause(t, "EM-R41", "an advance is cut to what can be done, a charge that can't be made is not, and both are told", func(t *testing.T) {
		g := field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"blue-13", 500_000, 100_000, 0}, piece{"red-7", 300_000, 220_000, 180})
		g.Phase, g.Order, g.Said = manoeuvring, []army{blue}, true
		moves(t, g, "blue-28")
		moves(t, g, "blue-13")
		g.Moves = []move{{Of: "blue-28", First: step{Does: advancing, Far: 90_000}}, {Of: "blue-13", First: step{Does: charging, Target: named(t, g, "red-7")}}}
		p := played(t, g)
		p.carry(g.acting())
		is(t, "the advance", g.Units[named(t, g, "blue-28")].At.Y, 160_000)
		told := len(p.Events)
		p.carry(g.acting())
		is(t, "the charge", g.Units[named(t, g, "blue-13")].At.Y, 100_000)
		is(t, "what is told", p.Events[told].Tellings[0].Say.Code, "em.manoeuvre-not-made")
	})
	clause(t, "EM-R54", "red and black have no formation, leader or order in common", func(t *testing.T) {
		g := field(t, piece{"red-7", 600_000, 300_000, 0}, piece{"black-18", 630_000, 300_000, 0})
		a, b := g.of(named(t, g, "red-7")), g.of(named(t, g, "black-18"))
		is(t, "they touch", g.touches(a, b), true)
		is(t, "united", len(g.united(a)), 1)
		is(t, "Wellington joins a black unit", g.mayAttach(leaderNamed(t, g, "wellington"), b.Units[0]), false)
		is(t, "Wellington, attached, orders it", g.commands(leaderNamed(t, g, "wellington"), b), false)
		w := &ordered{game: g, armies: []army{red, black}}
		is(t, "joined", code(w.joinFault(order{does: joins, of: a.ID + " " + b.ID, as: a.ID})), "em.join-other")
		is(t, "friends", red.allied(black), true)
	})
	clause(t, "EM-R65", "red and black don't write to each other while bids are open", func(t *testing.T) {
		g := begin(t, map[string]string{"game": "ready-3p", "players": "3"})
		may := func(from engine.Side, to ...engine.Side) string {
			if clause, why, ok := g.Talk(from, to); !ok {
				return clause + " " + why.Code
			}
			return ""
		}
		is(t, "before the draw", may("red", "black"), "")
		g.Phase = bidding
		is(t, "red to black", may("red", "black"), "EM-R65 em.press-bids")
		is(t, "black to both", may("black", "blue", "red"), "EM-R65 em.press-bids")
		is(t, "black to blue", may("black", "blue"), "")
		is(t, "blue to both", may("blue", "red", "black"), "")
		same(t, "red's allies", g.Allies("red"), []engine.Side{"black"})
		same(t, "blue's allies", g.Allies("blue"), nil)
		same(t, "the public's", g.Allies(engine.Public), nil)
	})
	clause(t, "EM-R66", "two segments are measured from centre to centre", func(t *testing.T) {
		g := field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"blue-29", 330_000, 100_000, 0})
		l := leaderNamed(t, g, "reille")
		for x, want := range map[int64]string{390_000: "", 390_001: "em.leader-far"} {
			g.Leaders[l] = leader{At: place{X: x, Y: 100_000}}
			is(t, "to a unit whose side is nearer", code(g.attachFault(l, named(t, g, "blue-29"))), want)
		}
	})
	clause(t, "EM-R67", "a line of three that turns cuts into itself by no more than the slack", func(t *testing.T) {
		g := field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"blue-14", 630_000, 300_000, 0}, piece{"blue-15", 660_000, 300_000, 0})
		units, cut := all(t, g, "blue-13", "blue-14", "blue-15"), 0
		for by := -90; by <= 90; by++ {
			bodies := g.wheeled(units, by)
			for i := range bodies[1:] {
				if entered(&bodies[i], &bodies[i+1]) {
					cut++
				}
				is(t, "overlap", g.overlap(&bodies[i], &bodies[i+1]), false)
			}
		}
		if cut == 0 {
			t.Error("no turn cuts at all, so the slack is not needed")
		}
	})
	clause(t, "EM-R72", "a commander-in-chief is tested like a general of the highest level", func(t *testing.T) {
		g := field(t, piece{"blue-28", 300_000, 100_000, 0})
		u, l := named(t, g, "blue-28"), leaderNamed(t, g, "napoleon")
		g.Leaders[l] = leader{Attached: u}
		is(t, "his level", g.level(l), 4)
		is(t, "what counts against him", g.attachedModifier(l, u, false), -2)
		is(t, "4 on two dice", played(t, g, 3, 1).test(l, u, false), true)
		is(t, "who has fallen", g.fallen(), blue)
	})
	clause(t, "EM-R91", "markers first, then leaders; each order sees what those before it did", func(t *testing.T) {
		g := at(t, assigning, nil)
		chief, derlon := g.chief(blue), leaderNamed(t, g, "derlon")
		g.Leaders[chief].Markers, g.Reserve[blue] = 3, g.Reserve[blue]-3
		d := engine.Decision{Side: "blue", Kind: stopAssign}
		is(t, "markers after leaders", file(t, g, d, "{leaders: {derlon: {attach: 17}}, assign: {derlon: 2}}"), "assign: {derlon: 2} leaders: {derlon: {attach: 17}}")
		g.Leaders[chief].At = place{X: 720_000, Y: 275_000}
		is(t, "one unit for two leaders", file(t, g, d, "{leaders: {derlon: {attach: 17}, napoleon: {attach: 18}}}"), "em.leader-two")
		g = at(t, ordering, nil)
		g.Leaders[derlon].Markers, g.Reserve[blue] = 2, g.Reserve[blue]-2
		d.Kind = stopOrders
		is(t, "a part, then the rest that is left", file(t, g, d, "[{by: derlon, split: b-Quiot, part: [14], as: b-Quiot-2, set-in-motion: part}, {by: derlon, set-in-motion: b-Quiot-2}]"), "em.order-twice")
		is(t, "the second alone", file(t, g, d, "[{by: derlon, set-in-motion: b-Durutte}]"), "[{by: derlon, set-in-motion: b-Durutte}]")
		is(t, "the points that the first has left", file(t, g, d, "[{by: derlon, split: b-Quiot, part: [14], as: b-Quiot-2, set-in-motion: part}, {by: derlon, set-in-motion: b-Durutte}]"), "em.order-price")
	})
}

// Cases of rulings about what a combat and an entry do that no case of a clause is named by.
func TestRulingsOfCombat(t *testing.T) {
	clause(t, "EM-R30", "who finds no room at the stretch waits a turn", func(t *testing.T) {
		g := begin(t, map[string]string{"game": "ready-3p", "players": "3"})
		c := corpsNamed(t, g, "black-IV")
		row := all(t, g, "blue-1", "blue-2", "blue-3", "blue-4")
		g.Formations = nil
		for u := range g.Units {
			g.Units[u] = unit{}
		}
		for l := range g.Leaders {
			g.Leaders[l] = leader{}
		}
		for i, u := range row { // they look to the east: behind them is no engagement area
			g.Units[u] = unit{At: place{X: 1_040_000, Y: 135_000 + int64(i)*40_000}, Heading: 90}
			g.Formations = append(g.Formations, formation{ID: g.def(u).id, Corps: g.def(u).corps, Units: []unitID{u}})
		}
		g.Leaders[g.chief(blue)].At, g.Leaders[g.chief(red)].At = place{X: 300_000, Y: 100_000}, place{X: 300_000, Y: 600_000}
		g.arrange()
		if err := played(t, g).advance(nil); err != nil {
			t.Fatal(err)
		}
		same(t, "what is owed", g.Owed(), []engine.Decision{{Side: "black", Kind: stopEntry}})
		waiting := len(g.waiting(c))
		answered(t, g, "black", "default")
		left := len(g.waiting(c))
		if left == 0 || left == waiting {
			t.Fatalf("of %d units %d wait", waiting, left)
		}
		g.Phase, g.owed, g.Entering = opening, nil, nil
		g.Turn++
		for _, u := range row {
			g.takeAway(u)
		}
		same(t, "who comes in the next turn", played(t, g).arrivals(), []corpsID{c, corpsNamed(t, g, "black-II")})
	})
	clause(t, "EM-R40", "a leader goes with what is captured or leaves the field, and stands free where it is eliminated", func(t *testing.T) {
		for how, want := range map[fate]leader{captured: {Gone: captured, By: blue}, offField: {Gone: offField, By: blue}, eliminated: {At: place{X: 600_000, Y: 300_000}}} {
			g := field(t, piece{"red-7", 600_000, 300_000, 0})
			l := leaderNamed(t, g, "picton")
			g.Leaders[l] = leader{Attached: named(t, g, "red-7")}
			played(t, g).takeOff(named(t, g, "red-7"), how, blue)
			x := g.Leaders[l]
			is(t, fateWords[how], x.Gone == want.Gone && x.By == want.By && x.At == want.At && x.Attached == 0, true)
		}
		g := field(t, piece{"blue-28", 300_000, 100_000, 0})
		l := leaderNamed(t, g, "picton")
		g.Leaders[l].At = place{X: 300_000, Y: 160_000}
		played(t, g, 2).ahead(named(t, g, "blue-28"))
		is(t, "who is ridden over", g.Leaders[l].Gone, captured)
	})
	clause(t, "EM-R64", "who has backed off in this combat is easier to beat, in the next one no longer", func(t *testing.T) {
		g := meeting(t, field(t, opposed("blue-28", "red-5")...), melee{}, "blue-28", "red-5")
		is(t, "before", counts(g, 0)["em.melee-backed"], 0)
		g.Combat.Backed = all(t, g, "red-5")
		is(t, "in the combat", counts(g, 0)["em.melee-backed"], 1)
		g.Combat = nil
		g.Order = []army{blue, red}
		played(t, g).engage(named(t, g, "blue-28"), named(t, g, "red-5"))
		same(t, "who has backed off in the next", g.Combat.Backed, nil)
	})
}

// takeAway takes a unit off the field as if it had never stood there.
func (g *game) takeAway(u unitID) {
	g.Units[u] = unit{}
	for i := range g.Formations {
		if g.Formations[i].Units[0] == u {
			g.Formations = append(g.Formations[:i:i], g.Formations[i+1:]...)
			return
		}
	}
}
