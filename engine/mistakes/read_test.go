package mistakes

import "testing"

// Cases that reading the rulebook against the code has asked for: retreats that can't be made, who
// withdraws from a garrison, and in what order leaders are tested.
func TestReadCases(t *testing.T) {
	foe := piece{"blue-1", 600_000, 330_000, 180}
	clause(t, "EM-R99", "the friend behind who can't has one marker only", func(t *testing.T) {
		g := field(t, foe, piece{"red-7", 600_000, 300_000, 0}, piece{"red-20", 600_000, 270_000, 90}, piece{"blue-2", 600_000, 230_000, 0})
		played(t, g).retreat(named(t, g, "red-7"), named(t, g, "blue-1"), false)
		is(t, "the first", g.Units[named(t, g, "red-7")].Gone, captured)
		is(t, "the second's yellow", g.Units[named(t, g, "red-20")].Yellow, 1)
	})
	clause(t, "EM-14.2", "a formation withdraws from a garrison once, with however many units it touches it", func(t *testing.T) {
		g := field(t, piece{"blue-28", 405_000, 234_500, 0}, piece{"hougoumont", 405_000, 257_000, 180},
			piece{"blue-29", 427_500, 264_500, 0}, piece{"red-5", 405_000, 203_000, 0})
		meeting(t, g, melee{}, "blue-28", "hougoumont")
		played(t, g).joins(named(t, g, "blue-28"))
		played(t, g).joins(named(t, g, "hougoumont"))
		is(t, "one formation", g.of(named(t, g, "blue-28")), g.of(named(t, g, "blue-29")))
		played(t, g).leaveGarrison()
		for _, id := range []string{"blue-28", "blue-29"} {
			is(t, id+"'s losses", g.Units[named(t, g, id)].Losses, 1)
		}
	})
}

// TestTerrainBarsAndBridges has cases of what a formation brings into a combat: the terrain of each, columns, the bar after a
// back-off, bridges.
func TestTerrainBarsAndBridges(t *testing.T) {
	clause(t, "EM-R63", "each formation has its own terrain modifier: of several the highest counts, in a pursuit that of the pursuers", func(t *testing.T) {
		g := field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"red-5", 300_000, 130_000, 180}, piece{"blue-13", 655_000, 432_000, 180}, piece{"red-20", 655_000, 402_000, 0})
		first, second := named(t, g, "blue-28"), named(t, g, "blue-13")
		meeting(t, g, melee{}, "blue-28", "red-5")
		p := played(t, g)
		p.clash(&melee{Attacker: named(t, g, "red-20"), Defender: second})
		p.uses(1) // the hill
		p.clash(&melee{Attacker: first, Defender: named(t, g, "red-5"), Forded: true})
		p.uses(0)
		is(t, "blue's outcome", p.outcomeModifiers(0)[0], modifier{"em.outcome-terrain", -1})
		for u, want := range map[unitID]int{first: 1, second: -1} {
			g.Combat.Chase = &chase{Army: blue, Pursuers: []unitID{u}, Beaten: named(t, g, "red-5"), Left: []arm{infantry}}
			is(t, g.def(u).id+"'s pursuit", sum(g.pursuitModifiers(&pursuit{Type: infantry}, named(t, g, "red-5"))), want)
		}
	})
	clause(t, "EM-3.11", "a garrison is no link of a column", func(t *testing.T) {
		g := field(t, piece{"red-5", 405_000, 234_500, 180}, piece{"hougoumont", 405_000, 257_000, 180})
		same(t, "in column with the unit before it", g.column(named(t, g, "red-5")), nil)
	})
	clause(t, "EM-R101", "who has backed off begins no combat until another melee has been fought", func(t *testing.T) {
		g := field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"red-5", 300_000, 130_000, 180}, piece{"blue-13", 500_000, 100_000, 0}, piece{"red-20", 500_000, 130_000, 180},
			piece{"blue-36", 700_000, 100_000, 0}, piece{"red-7", 700_000, 130_000, 180})
		for _, id := range []string{"blue-28", "blue-13", "blue-36"} {
			moves(t, g, id)
		}
		g.Order = []army{blue, red}
		meeting(t, g, melee{}, "blue-28", "red-5")
		barred, other := named(t, g, "blue-13"), named(t, g, "blue-36")
		g.Units[named(t, g, "blue-28")].Gave, g.Combat.Barred = true, []unitID{barred}
		p := played(t, g, 1, 1, 1, 1, 3, 3)
		p.endCombat()
		same(t, "who may begin one", attackers(g.openings(blue)), []unitID{other})
		p.engage(other, named(t, g, "red-7"))
		p.goOn()
		same(t, "after another melee", attackers(g.openings(blue)), []unitID{barred})
	})
	clause(t, "EM-R101", "the bar ends with the turn", func(t *testing.T) {
		g := field(t, opposed("blue-28", "red-5")...)
		meeting(t, g, melee{}, "blue-28", "red-5")
		g.Combat.Barred = all(t, g, "blue-28")
		p := played(t, g)
		p.endCombat()
		p.endTurn()
		g.Apart, g.Order = nil, []army{blue, red}
		same(t, "who may begin a combat in the next", attackers(g.openings(blue)), all(t, g, "blue-28"))
	})
	clause(t, "EM-11.7", "who backed off in the attack and has stood a pursuit since may counterattack", func(t *testing.T) {
		g := field(t, opposed("blue-28", "red-5")...)
		meeting(t, g, melee{}, "blue-28", "red-5")
		p := played(t, g)
		p.joins(named(t, g, "blue-28"))
		p.joins(named(t, g, "red-5"))
		g.Combat.Backed = all(t, g, "red-5")
		is(t, "counterattacks", len(g.counters()), 1)
		g.Combat.Barred = all(t, g, "red-5")
		is(t, "counterattacks of who backed off in the last melee", len(g.counters()), 0)
	})
	clause(t, "EM-R101", "a formation that backed off in the last melee reinforces nobody", func(t *testing.T) {
		g := field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"red-5", 300_000, 160_000, 180})
		meeting(t, g, melee{}, "blue-28", "red-5")
		p := played(t, g)
		p.joins(named(t, g, "blue-28"))
		p.joins(named(t, g, "red-5"))
		g.Combat.Step = reinforceDefence
		is(t, "who may", len(g.reserves()), 1)
		g.Combat.Barred = all(t, g, "red-5")
		is(t, "who may that backed off", len(g.reserves()), 0)
	})
	clause(t, "EM-4.11", "who charged across a bridge is weak in the combat that begins so, and in no other", func(t *testing.T) {
		g := field(t, opposed("blue-28", "red-5")...)
		u := named(t, g, "blue-28")
		g.Units[u].Bridged = true
		meeting(t, g, melee{}, "blue-28", "red-5")
		p := played(t, g)
		p.joins(u)
		p.endCombat()
		is(t, "bridged", g.Units[u].Bridged, false)
	})
	clause(t, "EM-4.9", "a pursuit two abreast crosses no bridge", func(t *testing.T) {
		for _, c := range []struct {
			units []string
			far   int64
		}{{[]string{"blue-43"}, 60_000}, {[]string{"blue-43", "blue-44"}, 14_999}} {
			g := field(t, piece{"blue-43", 905_000, 20_000, 0}, piece{"blue-44", 935_000, 20_000, 0}, piece{"red-5", 905_000, 150_000, 180})
			o := g.look(&manoeuvre{Units: all(t, g, c.units...), Does: charging, Chase: 2, Target: named(t, g, "red-5")})
			is(t, "how far", o.far, c.far)
		}
	})
	clause(t, "EM-R102", "a withdrawal from a garrison enters no engagement area either", func(t *testing.T) {
		g := field(t, piece{"blue-28", 405_000, 234_500, 0}, piece{"hougoumont", 405_000, 257_000, 180}, piece{"red-5", 365_000, 160_000, 90})
		meeting(t, g, melee{}, "blue-28", "hougoumont")
		p := played(t, g)
		p.joins(named(t, g, "blue-28"))
		p.joins(named(t, g, "hougoumont"))
		p.leaveGarrison()
		is(t, "where", g.Units[named(t, g, "blue-28")].At.Y, 234_500)
		is(t, "its losses", g.Units[named(t, g, "blue-28")].Losses, 1)
	})
}

// attackers are those of combats that are still to be fought.
func attackers(all []bout) []unitID {
	var units []unitID
	for _, one := range all {
		units = append(units, one.attacker)
	}
	return units
}
