package mistakes

import (
	"testing"

	"berthier/engine/geometry"
	"berthier/engine/play"
)

// Cases of assigning: chapter 8.
func TestAssignCases(t *testing.T) {
	boxed := func(t *testing.T, n int, options map[string]string) *game {
		g := begin(t, options)
		g.Leaders[leaderNamed(t, g, "napoleon")].Markers, g.Reserve[blue] = n, 36-n
		return g
	}
	clauseOf := func(f *play.Fault) string {
		if f == nil {
			return ""
		}
		return f.Clause
	}
	clause(t, "EM-8.1", "two to a general, and no more than there are", func(t *testing.T) {
		g := boxed(t, 5, nil)
		derlon, reille, hill := leaderNamed(t, g, "derlon"), leaderNamed(t, g, "reille"), leaderNamed(t, g, "hill")
		is(t, "3", clauseOf(g.assignFault(blue, []grant{{derlon, 3}})), "EM-8.1")
		is(t, "2 and 1", clauseOf(g.assignFault(blue, []grant{{derlon, 2}, {derlon, 1}})), "EM-8.1")
		is(t, "2 and 2", clauseOf(g.assignFault(blue, []grant{{derlon, 2}, {reille, 2}})), "")
		is(t, "6 of 5", clauseOf(g.assignFault(blue, []grant{{derlon, 2}, {reille, 2}, {leaderNamed(t, g, "lobau"), 2}})), "EM-8.1")
		is(t, "an enemy", clauseOf(g.assignFault(blue, []grant{{hill, 1}})), "EM-8.1")
		is(t, "himself", clauseOf(g.assignFault(blue, []grant{{leaderNamed(t, g, "napoleon"), 1}})), "EM-8.1")
		g.assign(blue, []grant{{derlon, 2}, {reille, 2}})
		g.assign(blue, []grant{{derlon, 1}})
		is(t, "D'Erlon's box", g.Leaders[derlon].Markers, 3)
		is(t, "what is left", g.Leaders[leaderNamed(t, g, "napoleon")].Markers, 0)
		same(t, "what can't be", g.flaws(), nil)
	})
	clause(t, "EM-13.6", "Ney gets just 2, and joins any blue formation but of the Guard", func(t *testing.T) {
		g := boxed(t, 5, map[string]string{"ney": "on"})
		ney, derlon := leaderNamed(t, g, "ney"), leaderNamed(t, g, "derlon")
		is(t, "1 to Ney", clauseOf(g.assignFault(blue, []grant{{ney, 1}})), "EM-13.6")
		is(t, "3 to Ney", clauseOf(g.assignFault(blue, []grant{{ney, 3}})), "EM-13.6")
		is(t, "4 to others leave too few", clauseOf(g.assignFault(blue, []grant{{derlon, 2}, {leaderNamed(t, g, "reille"), 2}})), "EM-8.1")
		g.assign(blue, []grant{{derlon, 2}})
		is(t, "Ney's box, unsaid", g.Leaders[ney].Markers, 2)
		is(t, "to a guard unit", g.mayAttach(ney, named(t, g, "blue-1")), false)
		is(t, "to 13", g.mayAttach(ney, named(t, g, "blue-13")), true)
		is(t, "he generates", g.generates(ney), 0)
		g = boxed(t, 1, map[string]string{"ney": "on"})
		g.assign(blue, nil)
		is(t, "all there are", g.Leaders[ney].Markers, 1)
	})
	clause(t, "EM-8.2", "without Ney his markers are lost", func(t *testing.T) {
		g := boxed(t, 3, map[string]string{"ney": "on"})
		g.Leaders[leaderNamed(t, g, "ney")] = leader{Gone: eliminated, By: red}
		g.assign(blue, nil)
		is(t, "what is left", g.Leaders[leaderNamed(t, g, "napoleon")].Markers, 1)
		is(t, "the reserve", g.Reserve[blue], 35)
		same(t, "what can't be", g.flaws(), nil)
	})
	clause(t, "EM-8.3", "two segments, to a free place or a unit of his", func(t *testing.T) {
		g := begin(t, nil)
		l := leaderNamed(t, g, "reille")
		is(t, "onto a unit", clauseOf(g.moveFault(l, point{X: 455_000, Y: 180_000})), "EM-8.3")
		g.Leaders[l].At = place{X: 200_000, Y: 300_000}
		is(t, "60 mm where there is room", clauseOf(g.moveFault(l, point{X: 260_000, Y: 300_000})), "")
		is(t, "60.001 mm", clauseOf(g.moveFault(l, point{X: 260_001, Y: 300_000})), "EM-8.3")
		is(t, "a unit too far", clauseOf(g.attachFault(l, named(t, g, "blue-30"))), "EM-8.3")
		g.Leaders[l].At = place{X: 487_000, Y: 195_000}
		is(t, "a unit of his", clauseOf(g.attachFault(l, named(t, g, "blue-30"))), "")
		is(t, "a unit of another corps", clauseOf(g.attachFault(l, named(t, g, "blue-40"))), "EM-8.3")
	})
	clause(t, "EM-8.3", "his counter on the field", func(t *testing.T) {
		g := field(t, piece{"blue-30", 40_000, 300_000, 0})
		l := leaderNamed(t, g, "reille")
		g.Leaders[l].At = place{X: 40_000, Y: 340_000}
		is(t, "over the edge", clauseOf(g.moveFault(l, point{X: 7_499, Y: 340_000})), "EM-8.3")
		is(t, "at the edge", clauseOf(g.moveFault(l, point{X: 7_500, Y: 340_000})), "")
	})
	clause(t, "EM-8.4", "he goes where his unit goes", func(t *testing.T) {
		g := field(t, piece{"blue-30", 40_000, 300_000, 0})
		l, u := leaderNamed(t, g, "reille"), named(t, g, "blue-30")
		g.Leaders[l].At = place{X: 40_000, Y: 340_000}
		g.attach(l, u)
		b := g.body(u)
		g.stand([]unitID{u}, []geometry.Body{b.Shifted(point{Y: 90_000})})
		is(t, "where he is", g.whereIs(l), point{X: 40_000, Y: 390_000})
		g.moveLeader(l, point{X: 40_000, Y: 420_000})
		is(t, "his unit", g.Leaders[l].Attached, 0)
		same(t, "what can't be", g.flaws(), nil)
	})
	clause(t, "EM-2.4", "a formation with a leader takes no other", func(t *testing.T) {
		g := begin(t, nil)
		lobau, napoleon := leaderNamed(t, g, "lobau"), leaderNamed(t, g, "napoleon")
		g.attach(lobau, named(t, g, "blue-36"))
		is(t, "Napoleon to 38", clauseOf(g.attachFault(napoleon, named(t, g, "blue-38"))), "EM-2.4")
		is(t, "Lobau to 38", clauseOf(g.attachFault(lobau, named(t, g, "blue-38"))), "")
	})
}
