package mistakes

import (
	"testing"

	"berthier/engine"
)

// Cases of what orders cost: chapter 9, as far as it is here.
func TestOrderPrices(t *testing.T) {
	// D'Erlon at (705, 275) sees his corps; a wood hides what lies behind it.
	g := field(t, piece{"blue-13", 700_000, 200_000, 0}, piece{"blue-14", 700_000, 170_000, 0}, piece{"blue-15", 700_000, 140_000, 0},
		piece{"blue-16", 345_000, 209_000, 0})
	l := leaderNamed(t, g, "derlon")
	g.Leaders[l].At = place{X: 460_000, Y: 209_000}
	column, hidden := g.formationNamed("blue-13"), g.formationNamed("blue-16")
	clause(t, "EM-9.2", "1 more where no unit is seen", func(t *testing.T) {
		is(t, "seen", g.surcharge(l, column.Units), 0)
		is(t, "hidden", g.surcharge(l, hidden.Units), 1)
		is(t, "one of them seen", g.surcharge(l, append([]unitID{hidden.Units[0]}, column.Units...)), 0)
	})
	clause(t, "EM-9.3", "1 and 1 a unit, 5 at most, mixed 1 more", func(t *testing.T) {
		is(t, "3 units", g.motionPrice(l, column.Units), 4)
		is(t, "1 hidden", g.motionPrice(l, hidden.Units), 3)
		b := begin(t, nil)
		drouot := leaderNamed(t, b, "drouot")
		many := []unitID{named(t, b, "blue-1"), named(t, b, "blue-2"), named(t, b, "blue-3"), named(t, b, "blue-4"), named(t, b, "blue-5"), named(t, b, "blue-6")}
		is(t, "6 units", b.motionPrice(drouot, many), 5)
		many[5] = named(t, b, "blue-7")
		is(t, "6 units, mixed", b.motionPrice(drouot, many), 6)
	})
	clause(t, "EM-9.4", "to keep moving costs 1 whatever the size", func(t *testing.T) {
		is(t, "3 units", g.keepingPrice(l, column), 1)
		is(t, "hidden", g.keepingPrice(l, hidden), 2)
	})
	clause(t, "EM-9.5", "2 for each unit; a routed one can't be rallied", func(t *testing.T) {
		is(t, "two units", g.rallyingPrice(l, column, 2), 4)
		u := column.Units[0]
		for yellow, want := range map[int]bool{0: false, 1: true, 2: false} {
			g.Units[u].Yellow = yellow
			is(t, "rallied", g.rally(u), want)
		}
		g.Units[u].Yellow = 0
	})
	clause(t, "EM-9.6", "2 for any number, 1 for a mixed one, 1 for each hidden", func(t *testing.T) {
		is(t, "two, one hidden", g.redeployingPrice(l, []*formation{column, hidden}), 3)
		b := begin(t, nil)
		f := *b.formationNamed("b-OldGuard")
		f.Units = []unitID{named(t, b, "blue-1"), named(t, b, "blue-7")}
		is(t, "two mixed, both seen", b.redeployingPrice(leaderNamed(t, b, "drouot"), []*formation{&f, &f}), 3)
	})
	clause(t, "EM-9.11", "4 for each unit out of turn, 1 for each that is hidden", func(t *testing.T) {
		is(t, "two seen", g.earlyPrice(l, column.Units[:2]), 8)
		is(t, "one hidden", g.earlyPrice(l, hidden.Units), 5)
	})
}

// Cases of giving orders: chapter 9.
func TestOrderCases(t *testing.T) {
	says := func(t *testing.T, g *game, text string) string {
		t.Helper()
		return file(t, g, engine.Decision{Side: "blue", Kind: stopOrders}, text)
	}
	clause(t, "EM-9.1", "one order a formation; one that recovers is only rallied", func(t *testing.T) {
		g := at(t, ordering, nil)
		reille := leaderNamed(t, g, "reille")
		g.Leaders[reille].Markers, g.Reserve[blue] = 3, g.Reserve[blue]-3
		g.formationNamed("b-Foy").Orange, g.formationNamed("b-Bachelu").Green = 2, true
		g.Units[named(t, g, "blue-30")].Yellow = 1
		is(t, "in motion though it recovers", says(t, g, "[{by: reille, set-in-motion: b-Foy}]"), "em.order-recovering")
		const rally = "[{by: reille, rally: {formation: b-Foy, units: [30]}}]"
		is(t, "rallied though it recovers", says(t, g, rally), rally)
		is(t, "twice", says(t, g, "[{by: reille, keep-moving: b-Bachelu}, {by: reille, keep-moving: b-Bachelu}]"), "em.order-twice")
	})
	clause(t, "EM-9.8", "markers that were spent lie in the reserve", func(t *testing.T) {
		g := begin(t, nil)
		l, f := leaderNamed(t, g, "reille"), g.formationNamed("b-Foy")
		g.Leaders[l].Markers, g.Reserve[blue] = 3, 33
		is(t, "paid", g.pay(l, f, 4, false), true)
		is(t, "his box", g.Leaders[l].Markers, 1)
		is(t, "the reserve", g.Reserve[blue], 35)
		is(t, "more than he has", g.pay(l, f, 2, false), false)
		is(t, "his box after that", g.Leaders[l].Markers, 1)
	})
	clause(t, "EM-9.9", "green that was not ordered is lost after the last player's orders", func(t *testing.T) {
		g := at(t, ordering, nil)
		for _, id := range []string{"b-Foy", "b-Bachelu", "r-Adam"} {
			g.formationNamed(id).Green = true
		}
		p := played(t, g)
		g.Leaders[leaderNamed(t, g, "reille")].Markers, g.Reserve[blue] = 1, 35
		p.command(order{does: keepsMoving, by: leaderNamed(t, g, "reille"), of: "b-Foy"})
		p.Next, p.Said = len(p.Order)-1, true
		p.step()
		for p.Phase == ordering {
			p.step()
		}
		for id, want := range map[string]bool{"b-Foy": true, "b-Bachelu": false, "r-Adam": false} {
			is(t, id, p.formationNamed(id).Green, want)
		}
	})
	clause(t, "EM-9.10", "joined with the most orange, green if both had it", func(t *testing.T) {
		for _, c := range []struct {
			greens [2]bool
			orange [2]int
			green  bool
			most   int
		}{
			{greens: [2]bool{true, true}, green: true},
			{greens: [2]bool{true, false}},
			{orange: [2]int{1, 2}, most: 2},
		} {
			g := field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"blue-14", 640_000, 300_000, 0})
			g.Units[named(t, g, "blue-14")].At.X = 630_000
			for i, id := range []string{"blue-13", "blue-14"} {
				f := g.formationNamed(id)
				f.Green, f.Orange = c.greens[i], c.orange[i]
			}
			g.join([]string{"blue-13", "blue-14"}, "one")
			f := g.formationNamed("one")
			is(t, "green", f.Green, c.green)
			is(t, "orange", f.Orange, c.most)
			is(t, "units", len(f.Units), 2)
		}
		g := at(t, ordering, nil)
		is(t, "of another corps", says(t, g, "[{join: [b-Quiot, b-Foy]}]"), "em.join-other")
		is(t, "apart", says(t, g, "[{join: [b-Quiot, b-Durutte]}]"), "em.join-apart")
		derlon := leaderNamed(t, g, "derlon")
		g.Leaders[derlon].Markers, g.Reserve[blue] = 4, g.Reserve[blue]-4
		is(t, "after an order", says(t, g, "[{by: derlon, set-in-motion: b-Jacquinot}, {join: [b-Quiot, b-Durutte]}]"), "em.join-first")
	})
}
