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
		groups := []regroup{{"b-new", []unitID{u}}}
		is(t, "apart, as two formations", code(g.redeployFault([]relocation{{u, place{260_000, 80_000}, 90}}, groups)), "")
		played(t, g).redeploy([]relocation{{u, place{260_000, 80_000}, 90}}, groups)
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
	clause(t, "EM-R34", "no nearer than the nearest of the formation was", func(t *testing.T) {
		g := field(t, pieces[0], piece{"blue-29", 300_000, 70_000, 0}, pieces[2])
		v := named(t, g, "blue-29")
		is(t, "abreast of the first", code(g.redeployFault([]relocation{{v, place{X: 330_000, Y: 95_000}, 0}}, nil)), "")
		is(t, "before it", code(g.redeployFault([]relocation{{v, place{X: 300_000, Y: 130_000}, 0}}, nil)), "em.redeploy-towards")
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
}
