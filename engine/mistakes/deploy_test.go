package mistakes

import (
	"testing"

	"berthier/engine"
	"berthier/engine/geometry"
)

// Cases of the free deployment: EM-1.4.
func TestDeployment(t *testing.T) {
	start := func(t *testing.T) *game {
		t.Helper()
		g := begin(t, map[string]string{"game": "free-deploy"})
		if err := played(t, g).advance(nil); err != nil {
			t.Fatal(err)
		}
		same(t, "who is asked", g.Owed(), []engine.Decision{{Side: "blue", Kind: stopDeploy}, {Side: "red", Kind: stopDeploy}})
		return g
	}
	clause(t, "EM-1.4", "places outside the army's area, and on others, are refused", func(t *testing.T) {
		g := start(t)
		d := g.owed[1]
		says := func(unit, more string) string {
			return "{formations: [" + more + "{id: a, heading: 180, units: {" + unit + "}}]}"
		}
		is(t, "a corner outside", file(t, g, d, says("red-5: [100, 500]", "")), "em.deploy-area")
		is(t, "blue's unit", file(t, g, d, says("blue-13: [500, 500]", "")), "em.entry-not")
		is(t, "on another", file(t, g, d, says("red-5: [500, 500]", "{id: b, heading: 0, units: {red-6: [510, 500]}}, ")), "em.position-overlap")
		is(t, "two corps", file(t, g, d, says("red-5: [500, 500], red-28: [530, 500]", "")), "em.formation-corps")
		is(t, "a leader outside", file(t, g, d, "{leaders: {hill: [100, 500]}}"), "em.entry-leader-place")
		is(t, "blue's leader", file(t, g, d, "{leaders: {reille: [500, 500]}}"), "em.entry-leader")
	})
	clause(t, "EM-R48", "the deadline deploys both armies whole, in packed rows from the west end", func(t *testing.T) {
		g := start(t)
		answers := map[engine.Side]engine.Answer{}
		for _, d := range g.Owed() {
			v := g.view(d.Side)
			answers[d.Side] = reread(t, v, d, declared.Default(v, d))
		}
		p := played(t, g, 3, 3)
		if err := p.advance(answers); err != nil {
			t.Fatal(err)
		}
		same(t, "what can't be", g.flaws(), nil)
		for u := unitID(1); int(u) < len(g.Units); u++ {
			if d := g.def(u); d.army != black && !d.garrison() && !g.on(u) {
				t.Errorf("%s is not deployed", d.id)
			}
		}
		for l := leaderID(1); int(l) < len(g.Leaders); l++ {
			if d := g.lead(l); d.army != black && d.role != ney && g.Leaders[l].Attached == 0 {
				t.Errorf("%s is with no unit", d.id)
			}
		}
		first := g.body(g.scenario.formations[0].units[0])
		lo, _ := geometry.Bounds(points(g.deployment[blue]))
		is(t, "the first stands at the west end", first.Lo.X >= lo.X && first.Lo.X < lo.X+100_000, true)
		is(t, "the battery", g.battery(g.of(named(t, g, "blue-23"))), true)
	})
	clause(t, "EM-1.4", "neither sees what the other does until both have", func(t *testing.T) {
		g := start(t)
		text, err := g.view("blue").Marshal()
		if err != nil {
			t.Fatal(err)
		}
		again, faults := load(g.marshal())
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		is(t, "a position before", string(again.marshal()), string(g.marshal()))
		is(t, "nobody stands", len(g.view("blue").standing()), 0)
		is(t, "the view", len(text) > 0, true)
	})
}
