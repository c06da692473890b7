package mistakes

import "testing"

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
	clause(t, "EM-R33", "one unit that is seen is enough", func(t *testing.T) {
		is(t, "the surcharge", g.surcharge(l, []unitID{hidden.Units[0], column.Units[0]}), 0)
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
	clause(t, "EM-R71", "the surcharge counts for each unit", func(t *testing.T) {
		is(t, "one of each", g.earlyPrice(l, []unitID{column.Units[0], hidden.Units[0]}), 9)
	})
}
