package mistakes

import "testing"

// Cases of the order to redeploy: chapters 9 and 15.
func TestRedeployCases(t *testing.T) {
	pieces := []piece{{"blue-28", 300_000, 100_000, 0}, {"blue-29", 330_000, 100_000, 0}, {"red-7", 300_000, 300_000, 180}}
	clause(t, "EM-9.6", "2 segments, any heading, not towards the enemy, green is lost", func(t *testing.T) {
		g := field(t, pieces...)
		moves(t, g, "blue-28")
		u, v := named(t, g, "blue-28"), named(t, g, "blue-29")
		fault := func(m ...relocation) string { return code(g.redeployFault(m, nil)) }
		is(t, "60 mm back", fault(relocation{u, place{300_000, 40_000}, 0}, relocation{v, place{330_000, 40_000}, 0}), "")
		is(t, "1 um more", fault(relocation{u, place{300_000, 39_999}, 0}), "em.redeploy-far")
		is(t, "1 mm ahead", fault(relocation{u, place{300_000, 101_000}, 0}, relocation{v, place{330_000, 101_000}, 0}), "em.redeploy-towards")
		is(t, "onto the other", fault(relocation{u, place{320_000, 95_000}, 0}), "em.position-overlap")
		is(t, "one that turns alone", fault(relocation{u, place{300_000, 95_000}, 90}), "em.formation-heading")
		is(t, "both turn", fault(relocation{u, place{300_000, 70_000}, 90}, relocation{v, place{330_000, 70_000}, 90}), "")
		is(t, "twice", fault(relocation{u, place{300_000, 70_000}, 0}, relocation{u, place{300_000, 71_000}, 0}), "em.named-twice")
		groups := []regroup{{id: "b-new", units: []unitID{u}}}
		is(t, "apart, as two formations", code(g.redeployFault([]relocation{{u, place{260_000, 80_000}, 90}}, groups)), "")
		played(t, g).redeployed([]relocation{{u, place{260_000, 80_000}, 90}}, groups)
		is(t, "where", g.Units[u].At, place{X: 260_000, Y: 80_000})
		is(t, "its formation", g.of(u).ID, "b-new")
		is(t, "green of the rest", g.of(v).Green, false)
		same(t, "what can't be", g.flaws(), nil)
	})
	clause(t, "EM-9.6", "no engagement area is entered; one that was entered is no bar", func(t *testing.T) {
		g := field(t, pieces[0], piece{"red-7", 360_000, 100_000, 0})
		u := named(t, g, "blue-28")
		is(t, "into it", code(g.redeployFault([]relocation{{u, place{X: 300_500, Y: 105_000}, 0}}, nil)), "em.redeploy-engaged")
		g = field(t, pieces[0], piece{"red-7", 350_000, 100_000, 0})
		is(t, "within it", code(g.redeployFault([]relocation{{u, place{X: 300_000, Y: 98_000}, 0}}, nil)), "")
	})
	clause(t, "EM-9.7", "the Grand Battery needs an order of its own", func(t *testing.T) {
		g := begin(t, nil)
		a, b := named(t, g, "blue-23"), named(t, g, "blue-13")
		at := func(u unitID) relocation { return relocation{u, g.Units[u].At, g.Units[u].Heading} }
		is(t, "with others", code(g.redeployFault([]relocation{at(a), at(b)}, nil)), "em.redeploy-battery")
		is(t, "alone", code(g.redeployFault([]relocation{at(a)}, nil)), "")
	})
	clause(t, "EM-15.5", "a gun on foot with smoke is not redeployed", func(t *testing.T) {
		g := field(t, piece{"blue-34", 300_000, 100_000, 0}, piece{"blue-35", 400_000, 100_000, 0})
		for id, want := range map[string]string{"blue-34": "em.redeploy-smoke", "blue-35": ""} {
			u := named(t, g, id)
			g.Units[u].Smoke = true
			is(t, id, code(g.redeployFault([]relocation{{u, g.Units[u].At, 90}}, nil)), want)
		}
	})
	clause(t, "EM-R84", "behind a unit that is named, too, is behind its new place; a ring is refused", func(t *testing.T) {
		g := begin(t, nil)
		a, b, c := named(t, g, "blue-36"), named(t, g, "blue-37"), named(t, g, "blue-38")
		all, fault := g.relocations([]spot{{unit: b, by: behindOf, next: a}, {unit: a, by: atPlace, at: place{X: 500_000, Y: 150_000}, turned: true}})
		is(t, "no fault", code(fault), "")
		same(t, "where", all, []relocation{{b, place{X: 500_000, Y: 120_000}, 0}, {a, place{X: 500_000, Y: 150_000}, 0}})
		all, _ = g.relocations([]spot{{unit: b, by: behindOf, next: c}})
		same(t, "behind one that stays", all, []relocation{{b, place{X: 560_000, Y: 60_000}, 0}})
		_, fault = g.relocations([]spot{{unit: a, by: behindOf, next: b}, {unit: b, by: behindOf, next: a}})
		is(t, "a ring", code(fault), "em.redeploy-ring")
	})
	clause(t, "EM-9.6", "the points that a general generates pay for one formation; a limber goes along behind", func(t *testing.T) {
		g := begin(t, nil)
		g.Phase, g.Order = ordering, []army{blue, red}
		lobau := leaderNamed(t, g, "lobau")
		g.Leaders[lobau].Markers, g.Reserve[blue] = 1, g.Reserve[blue]-1
		w := &ordered{game: g, armies: g.acting()}
		u, v := named(t, g, "blue-36"), named(t, g, "blue-40")
		one := &redeployment{named: []string{"b-Lobau"}, spots: []spot{{unit: u}}}
		two := &redeployment{named: []string{"b-Lobau", "b-Domon"}, spots: []spot{{unit: u}, {unit: v}}}
		price := func(d *redeployment) string {
			return code(w.redeployingFault(order{does: redeploys, by: lobau, of: "b-Lobau", anew: d}))
		}
		is(t, "his CP and his marker, for one", price(one), "")
		is(t, "his marker alone, for two", price(two), "em.order-price")
		gun := named(t, g, "blue-39")
		g.Units[gun].Limber = toRight
		played(t, g).command(order{does: redeploys, by: lobau, of: "b-Lobau", anew: &redeployment{named: []string{"b-Lobau"},
			spots: []spot{{unit: gun, by: rightOf, next: named(t, g, "blue-38")}}}})
		is(t, "the limber", g.Units[gun].Limber, behind)
		is(t, "his marker", g.Leaders[lobau].Markers, 0)
		is(t, "a second order", code((&ordered{game: g, armies: g.acting()}).redeployingFault(order{does: redeploys, by: lobau, of: "b-Lobau", anew: one})), "em.order-twice")
	})
}

// What no file may say, no other answer may, either: the rules say it themselves, whoever asks.
func TestRulesJudgeWhatFilesSay(t *testing.T) {
	g := field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"blue-15", 700_000, 300_000, 0}, piece{"red-7", 600_000, 600_000, 180}, piece{"hougoumont", 400_000, 300_000, 0})
	g.Phase, g.Order = manoeuvring, []army{blue, red}
	u, other, gone, garrison := named(t, g, "blue-13"), named(t, g, "blue-15"), named(t, g, "blue-1"), named(t, g, "hougoumont")
	f := g.of(u)
	f.Green = true
	derlon := leaderNamed(t, g, "derlon")
	g.Leaders[derlon] = leader{Attached: u, Markers: 6}
	back := step{Does: withdrawing, Turns: byWheel, Turn: 20}
	v := g.view("blue")
	w := &moving{v: v, board: v.trial(), now: v.acting(), tried: newTrials()}
	is(t, "a withdrawal that turns", code(w.fault(move{Of: f.ID, First: back})), "em.withdraw-straight")
	is(t, "in place of another manoeuvre", code(w.fault(move{Of: f.ID, First: step{Does: advancing}, Else: back})), "em.withdraw-straight")
	is(t, "one that goes straight", code(w.fault(move{Of: f.ID, First: step{Does: withdrawing}})), "")
	reaction := reaction{units: setOf([]unitID{u}), by: derlon, does: back}
	is(t, "out of sequence", code(g.reactionFault([]army{blue}, reaction)), "em.withdraw-straight")
	for _, c := range []struct {
		name      string
		d         redeployment
		want, out string
	}{
		{"beside one who is gone", redeployment{spots: []spot{{unit: u, by: behindOf, next: gone}}}, "em.redeploy-gone", "em.redeploy-gone"},
		{"of one who is gone", redeployment{spots: []spot{{unit: gone}}}, "em.redeploy-gone", "em.redeploy-gone"},
		{"a formation of nobody", redeployment{groups: []regroup{{id: f.ID}}}, "em.entry-nobody", "em.entry-nobody"},
		{"a formation with a garrison", redeployment{groups: []regroup{{id: f.ID, units: []unitID{garrison}}}}, "em.redeploy-garrison", "em.redeploy-garrison"},
		{"a formation with one who is gone", redeployment{groups: []regroup{{id: f.ID, units: []unitID{gone}}}}, "em.redeploy-gone", "em.redeploy-gone"},
		{"of another", redeployment{spots: []spot{{unit: other}}}, "", "em.react-others"},
	} {
		got := code((&ordered{game: g, armies: []army{blue}}).redeployingFault(order{does: redeploys, by: derlon, of: f.ID, anew: &c.d}))
		if c.want != "" || got == "em.react-others" {
			is(t, c.name, got, c.want)
		}
		reaction.anew = &c.d
		is(t, c.name+", out of sequence", code(g.reactionFault([]army{blue}, reaction)), c.out)
	}
}
