package mistakes

import (
	"slices"
	"testing"
)

// Cases of command and generals in the corps: chapter 2.
func TestCommandCases(t *testing.T) {
	clause(t, "EM-2.1", "a general orders his corps, a commander-in-chief the formation he is attached to", func(t *testing.T) {
		g := begin(t, nil)
		reille, napoleon := leaderNamed(t, g, "reille"), leaderNamed(t, g, "napoleon")
		is(t, "Reille orders b-Foy", g.commands(reille, g.formationNamed("b-Foy")), true)
		is(t, "Reille orders b-Quiot", g.commands(reille, g.formationNamed("b-Quiot")), false)
		is(t, "Napoleon, free, orders b-Quiot", g.commands(napoleon, g.formationNamed("b-Quiot")), false)
		g.Leaders[napoleon] = leader{Attached: named(t, g, "blue-13")}
		is(t, "Napoleon, attached, orders b-Quiot", g.commands(napoleon, g.formationNamed("b-Quiot")), true)
		is(t, "Napoleon, attached, orders b-Foy", g.commands(napoleon, g.formationNamed("b-Foy")), false)
		is(t, "D'Erlon still orders b-Quiot", g.commands(leaderNamed(t, g, "derlon"), g.formationNamed("b-Quiot")), true)
	})
	clause(t, "EM-2.1", "the formation with Ney takes no order from its general", func(t *testing.T) {
		g := begin(t, map[string]string{"ney": "on"})
		f := g.formationNamed("b-Lobau")
		is(t, "Lobau orders it", g.commands(leaderNamed(t, g, "lobau"), f), false)
		is(t, "Ney orders it", g.commands(leaderNamed(t, g, "ney"), f), true)
	})
	clause(t, "EM-2.2", "points are the general's own and the markers in his box", func(t *testing.T) {
		g := begin(t, nil)
		orange, f := leaderNamed(t, g, "orange"), g.formationNamed("r-Guards")
		is(t, "Orange pays 1 from nothing", g.pay(orange, f, 1, false), false)
		g.Leaders[orange].Markers, g.Reserve[red] = 1, g.Reserve[red]-1
		is(t, "Orange pays 1 with a marker", g.pay(orange, f, 1, false), true)
		is(t, "the marker is in the reserve", g.Reserve[red], 26)
		is(t, "Napoleon generates", g.generates(leaderNamed(t, g, "napoleon")), 0)
	})
	clause(t, "EM-2.3", "only a general of level 3 splits his points", func(t *testing.T) {
		g := begin(t, nil)
		reille, drouot := leaderNamed(t, g, "reille"), leaderNamed(t, g, "drouot")
		is(t, "Reille pays 1 for b-Foy", g.pay(reille, g.formationNamed("b-Foy"), 1, false), true)
		is(t, "Reille pays 1 for b-Bachelu", g.pay(reille, g.formationNamed("b-Bachelu"), 1, false), true)
		is(t, "Reille pays a third", g.pay(reille, g.formationNamed("b-Bachelu"), 1, false), false)
		g.scenario = altered(g.scenario, func(s *scenario) { s.leaders[drouot-1].points = 2 })
		is(t, "Drouot pays 1 for b-Guyot", g.pay(drouot, g.formationNamed("b-Guyot"), 1, false), true)
		is(t, "Drouot pays 1 for another", g.pay(drouot, g.formationNamed("b-OldGuard"), 1, false), false)
		is(t, "Drouot pays 1 more for b-Guyot", g.pay(drouot, g.formationNamed("b-Guyot"), 1, false), true)
		picton := leaderNamed(t, g, "picton")
		g.Leaders[picton].Substitute = true
		is(t, "a substitute for Picton generates", g.generates(picton), 0)
	})
	clause(t, "EM-2.4", "one leader in a formation", func(t *testing.T) {
		g := begin(t, nil)
		derlon, napoleon := leaderNamed(t, g, "derlon"), leaderNamed(t, g, "napoleon")
		g.Leaders[derlon] = leader{Attached: named(t, g, "blue-13")}
		is(t, "who is in b-Quiot", g.attachedTo(g.formationNamed("b-Quiot")), derlon)
		g.Leaders[napoleon] = leader{Attached: named(t, g, "blue-14")}
		same(t, "what can't be", g.flaws(), []string{"em.leader-two"})
	})
	clause(t, "EM-2.5", "a corps without units has no general any more", func(t *testing.T) {
		g := begin(t, nil)
		lobau := leaderNamed(t, g, "lobau")
		g.Leaders[lobau].Markers, g.Reserve[blue] = 2, g.Reserve[blue]-2
		c := g.lead(lobau).corps
		is(t, "the corps has units: its general goes", g.bereft(c), false)
		for u := range g.Units {
			if u > 0 && g.def(unitID(u)).corps == c {
				g.Units[u] = unit{Gone: eliminated, By: red}
			}
		}
		g.Formations = slices.DeleteFunc(g.Formations, func(f formation) bool { return f.Corps == c })
		is(t, "the corps has none: its general goes", g.bereft(c), true)
		is(t, "how", g.Leaders[lobau].Gone, eliminated)
		is(t, "his markers are in the reserve", g.Reserve[blue], 36)
		is(t, "he orders", g.commands(lobau, g.formationNamed("b-Foy")), false)
		same(t, "what can't be", g.flaws(), nil)
		is(t, "a corps that has not come yet is lost", g.bereft(corpsNamed(t, g, "black-IV")), false)
	})
	clause(t, "EM-2.6", "a commander-in-chief is of level 4, of no corps, and attaches to any unit of his army", func(t *testing.T) {
		g := begin(t, nil)
		wellington := leaderNamed(t, g, "wellington")
		is(t, "his level", g.level(wellington), 4)
		is(t, "he attaches to 13", g.mayAttach(wellington, named(t, g, "red-13")), true)
		is(t, "he attaches to blue-13", g.mayAttach(wellington, named(t, g, "blue-13")), false)
		is(t, "he attaches to a Prussian", g.mayAttach(wellington, named(t, g, "black-13")), false)
		is(t, "he attaches to the garrison", g.mayAttach(wellington, named(t, g, "hougoumont")), false)
		is(t, "Hill attaches to a unit of corps I", g.mayAttach(leaderNamed(t, g, "hill"), named(t, g, "red-1")), false)
	})
}

// altered is a scenario with a change.
func altered(s *scenario, change func(*scenario)) *scenario {
	c := *s
	c.leaders = slices.Clone(s.leaders)
	c.roster = slices.Clone(s.roster)
	change(&c)
	return &c
}

func corpsNamed(t testing.TB, g *game, id string) corpsID {
	t.Helper()
	i := slices.IndexFunc(g.corps, func(d corpsDef) bool { return d.id == id })
	if i < 0 {
		t.Fatalf("there is no corps %s", id)
	}
	return corpsID(i + 1)
}
