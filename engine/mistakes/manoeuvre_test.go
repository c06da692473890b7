package mistakes

import (
	"testing"

	"berthier/engine/play"
)

// moves makes a formation move: it gets green.
func moves(t *testing.T, g *game, id string) *formation {
	t.Helper()
	f := g.of(named(t, g, id))
	f.Green = true
	return f
}

// all lists units by their ids.
func all(t *testing.T, g *game, ids ...string) []unitID {
	t.Helper()
	var units []unitID
	for _, id := range ids {
		units = append(units, named(t, g, id))
	}
	return units
}

// code is that of a fault; "" for none.
func code(f *play.Fault) string {
	if f == nil {
		return ""
	}
	return f.Why.Code
}

// ahead advances units straight ahead as far as they get.
func (p *battlefield) ahead(units ...unitID) outcome {
	return p.carryOut(&manoeuvre{Units: units, Does: advancing, Far: asFarAsItGoes})
}

// Cases of manoeuvres but for charges: chapter 10.
func TestManoeuvreCases(t *testing.T) {
	clause(t, "EM-10.1", "only with green, without orange, and once; in two parts at most", func(t *testing.T) {
		g := field(t, piece{"blue-13", 300_000, 100_000, 0}, piece{"blue-14", 330_000, 100_000, 0}, piece{"blue-15", 360_000, 100_000, 0})
		m := &manoeuvre{Units: all(t, g, "blue-13", "blue-14", "blue-15"), Does: advancing, Far: 30_000}
		is(t, "still", code(g.manoeuvreFault(m)), "em.manoeuvre-still")
		f := moves(t, g, "blue-13")
		is(t, "moving", code(g.manoeuvreFault(m)), "")
		f.Orange = 1
		is(t, "recovering", code(g.manoeuvreFault(m)), "em.manoeuvre-recovering")
		same(t, "green and orange", g.flaws(), []string{"em.formation-colours"})
		f.Orange = 0
		is(t, "the middle alone", code(g.manoeuvreFault(&manoeuvre{Units: all(t, g, "blue-14"), Does: advancing})), "em.two-parts")
		is(t, "the ends", code(g.manoeuvreFault(&manoeuvre{Units: all(t, g, "blue-13", "blue-15"), Does: advancing})), "em.two-parts")
		is(t, "an end", code(g.manoeuvreFault(&manoeuvre{Units: all(t, g, "blue-15"), Does: advancing})), "")
		played(t, g).carryOut(m)
		is(t, "again", code(g.manoeuvreFault(m)), "em.manoeuvre-done")
		is(t, "where", g.Units[named(t, g, "blue-15")].At, place{X: 360_000, Y: 130_000})
	})
	clause(t, "EM-10.2", "as far as the width allows, to the first engagement area; light cavalry 1 more", func(t *testing.T) {
		far := func(pieces ...piece) int64 {
			g := field(t, pieces...)
			var units []unitID
			for _, p := range pieces {
				if u := named(t, g, p.unit); g.def(u).army == blue {
					units = append(units, u)
				}
			}
			return g.look(&manoeuvre{Units: units, Does: advancing, Far: asFarAsItGoes}).far
		}
		is(t, "infantry", far(piece{"blue-28", 300_000, 100_000, 0}), 120_000)
		is(t, "two abreast", far(piece{"blue-28", 300_000, 100_000, 0}, piece{"blue-29", 330_000, 100_000, 0}), 90_000)
		is(t, "light cavalry", far(piece{"blue-32", 300_000, 100_000, 0}), 150_000)
		is(t, "two of it", far(piece{"blue-32", 300_000, 100_000, 0}, piece{"blue-33", 330_000, 100_000, 0}), 120_000)
		is(t, "with infantry beside it", far(piece{"blue-32", 300_000, 100_000, 0}, piece{"blue-28", 330_000, 100_000, 0}), 90_000)
		is(t, "an enemy 90 mm ahead", far(piece{"blue-28", 300_000, 100_000, 0}, piece{"red-7", 300_000, 220_000, 180}), 60_000)
		g := field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"red-7", 300_000, 220_000, 180})
		o := g.look(&manoeuvre{Units: all(t, g, "blue-28"), Does: advancing, Far: asFarAsItGoes})
		is(t, "why", o.why, byArea)
		is(t, "whose", o.by, named(t, g, "red-7"))
		g = field(t, piece{"blue-28", 300_000, 170_000, 0}, piece{"red-7", 300_000, 220_000, 180})
		is(t, "from inside an area", g.look(&manoeuvre{Units: all(t, g, "blue-28"), Does: advancing, Far: asFarAsItGoes}).moves, false)
		is(t, "to the rear of an enemy, to contact", far(piece{"blue-28", 300_000, 100_000, 0}, piece{"red-7", 300_000, 150_000, 0}), 19_499)
	})
	clause(t, "EM-10.3", "back 1 segment without a turn; no enemy area is entered", func(t *testing.T) {
		g := field(t, piece{"blue-28", 300_000, 200_000, 0})
		moves(t, g, "blue-28")
		p := played(t, g)
		o := p.carryOut(&manoeuvre{Units: all(t, g, "blue-28"), Does: withdrawing, Far: asFarAsItGoes})
		is(t, "how far", o.far, 30_000)
		is(t, "where", g.Units[named(t, g, "blue-28")], unit{At: place{X: 300_000, Y: 170_000}, Manoeuvred: true})
		g = field(t, piece{"blue-28", 300_000, 200_000, 0}, piece{"red-7", 300_000, 130_000, 0})
		o = g.look(&manoeuvre{Units: all(t, g, "blue-28"), Does: withdrawing, Far: asFarAsItGoes})
		is(t, "with an enemy area 10 mm behind", o.far, 10_000)
		g = field(t, piece{"blue-28", 300_000, 190_000, 0}, piece{"red-7", 300_000, 135_000, 0})
		o = g.look(&manoeuvre{Units: all(t, g, "blue-28"), Does: withdrawing, Far: asFarAsItGoes})
		is(t, "from inside it, to before contact", o.far, 24_499)
		is(t, "why", o.why, byContact)
		g = field(t, piece{"blue-34", 300_000, 200_000, 0})
		moves(t, g, "blue-34")
		played(t, g).carryOut(&manoeuvre{Units: all(t, g, "blue-34"), Does: withdrawing, Far: 30_000})
		is(t, "a gun's limber", g.Units[named(t, g, "blue-34")].Limber, behind)
	})
	clause(t, "EM-10.8", "whose area is no bar", func(t *testing.T) {
		wall := piece{"red-7", 300_000, 220_000, 180}
		mover := piece{"blue-28", 300_000, 100_000, 0}
		far := func(pieces ...piece) int64 {
			g := field(t, pieces...)
			return g.look(&manoeuvre{Units: all(t, g, "blue-28"), Does: advancing, Far: asFarAsItGoes}).far
		}
		is(t, "nobody near", far(mover, wall), 60_000)
		is(t, "an enemy that a friend touches", far(mover, wall, piece{"blue-13", 330_000, 220_000, 270}), 89_499)
		is(t, "one whose area a free friend has invaded", far(mover, wall, piece{"blue-13", 350_000, 220_000, 270}), 89_499)
		is(t, "a garrison that a friend touches", far(piece{"blue-28", 300_000, 257_000, 90}, piece{"hougoumont", 405_000, 257_000, 180}, piece{"blue-13", 405_000, 234_500, 0}), 52_500)
	})
	clause(t, "EM-10.9", "united formations move as one, a single one splits off", func(t *testing.T) {
		g := field(t, piece{"blue-13", 300_000, 100_000, 0}, piece{"blue-28", 330_000, 100_000, 0})
		a, b := moves(t, g, "blue-13"), moves(t, g, "blue-28")
		both := &manoeuvre{Units: all(t, g, "blue-13", "blue-28"), Does: advancing, Far: asFarAsItGoes}
		is(t, "both", code(g.manoeuvreFault(both)), "")
		is(t, "the factor of both", g.look(both).far, 90_000)
		b.Green = false
		is(t, "one of them still", code(g.manoeuvreFault(both)), "em.manoeuvre-still")
		g.splitOff(a)
		is(t, "united", len(g.united(a)), 1)
		is(t, "its own factor", g.look(&manoeuvre{Units: a.Units, Does: advancing, Far: asFarAsItGoes}).far, 120_000)
	})
	clause(t, "EM-R89", "those that are named together are united, and whole", func(t *testing.T) {
		g := field(t, piece{"blue-13", 300_000, 100_000, 0}, piece{"blue-28", 330_000, 100_000, 0}, piece{"blue-29", 360_000, 100_000, 0}, piece{"blue-15", 430_000, 100_000, 0})
		moves(t, g, "blue-13")
		moves(t, g, "blue-28")
		moves(t, g, "blue-15")
		fault := func(ids ...string) string {
			return code(g.manoeuvreFault(&manoeuvre{Units: all(t, g, ids...), Does: advancing, Far: 1}))
		}
		is(t, "all three", fault("blue-13", "blue-28", "blue-29"), "")
		is(t, "a part of one", fault("blue-13", "blue-28"), "em.not-united")
		is(t, "of one corps, apart", fault("blue-13", "blue-15"), "em.not-united")
	})
	clause(t, "EM-10.10", "blue stays behind the limit until black has come", func(t *testing.T) {
		g := field(t, piece{"blue-28", 800_000, 285_000, 90})
		m := &manoeuvre{Units: all(t, g, "blue-28"), Does: advancing, Far: asFarAsItGoes}
		o := g.look(m)
		is(t, "how far", o.far, 25_000)
		is(t, "why", o.why, byLimit)
		g.Placed = []corpsID{corpsNamed(t, g, "black-IV")}
		if o = g.look(m); o.far <= 25_000 {
			t.Errorf("after the entry it gets only %d", o.far)
		}
		g = field(t, piece{"blue-28", 850_000, 285_000, 270})
		is(t, "back from beyond it", g.look(&manoeuvre{Units: all(t, g, "blue-28"), Does: advancing, Far: 20_000}).far, 20_000)
	})
	clause(t, "EM-10.11", "still friends are passed, moving ones are not; a shaken one shakes", func(t *testing.T) {
		g := field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"blue-13", 300_000, 150_000, 0})
		moves(t, g, "blue-28")
		g.Units[named(t, g, "blue-13")].Yellow = 1
		o := played(t, g).ahead(named(t, g, "blue-28"))
		is(t, "how far", o.far, 120_000)
		is(t, "its yellow", g.Units[named(t, g, "blue-28")].Yellow, 1)
		g = field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"blue-13", 300_000, 150_000, 0})
		moves(t, g, "blue-28")
		moves(t, g, "blue-13")
		o = g.look(&manoeuvre{Units: all(t, g, "blue-28"), Does: advancing, Far: asFarAsItGoes})
		is(t, "behind one that moves", o.far, 20_000)
		is(t, "why", o.why, byFriend)
	})
	clause(t, "EM-R77", "a way that ends on a friend is cut back", func(t *testing.T) {
		g := field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"blue-13", 300_000, 190_000, 0})
		far := func(most length) int64 {
			return g.look(&manoeuvre{Units: all(t, g, "blue-28"), Does: advancing, Far: most}).far
		}
		is(t, "80 mm", far(80_000), 60_000)
		is(t, "120 mm", far(120_000), 120_000)
		g = field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"blue-13", 269_000, 95_000, 0})
		o := g.look(&manoeuvre{Units: all(t, g, "blue-28"), Does: advancing, Turn: 20, Far: 10_000})
		is(t, "where not even the turn is free", o.moves, false)
	})
	clause(t, "EM-10.12", "a split parts the pairs, and what is left stands", func(t *testing.T) {
		g := field(t, piece{"blue-13", 300_000, 100_000, 0}, piece{"blue-14", 330_000, 100_000, 0})
		moves(t, g, "blue-13")
		g.split(g.of(named(t, g, "blue-13")), all(t, g, "blue-14"), "b-new")
		is(t, "contact", g.contact(named(t, g, "blue-13"), named(t, g, "blue-14")), false)
		is(t, "the part moves", g.formationNamed("b-new").Green, true)
		is(t, "the rest moves", g.of(named(t, g, "blue-13")).Green, false)
		same(t, "what can't be", g.flaws(), nil)
	})
	clause(t, "EM-10.15", "a free enemy leader on the way is tested once, and stops nobody", func(t *testing.T) {
		g := field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"blue-29", 330_000, 100_000, 0})
		moves(t, g, "blue-28")
		l := leaderNamed(t, g, "orange")
		g.Leaders[l].At = place{X: 315_000, Y: 160_000}
		o := played(t, g, 6).ahead(all(t, g, "blue-28", "blue-29")...)
		is(t, "how far", o.far, 90_000)
		is(t, "he lives", g.Leaders[l].Gone, present)
	})
	clause(t, "EM-10.16", "guns unlimber at the end of 3.3", func(t *testing.T) {
		g := field(t, piece{"blue-34", 300_000, 200_000, 0}, piece{"blue-35", 400_000, 100_000, 0})
		for _, u := range all(t, g, "blue-34", "blue-35") {
			g.Units[u].Limber = behind
			is(t, "may", g.mayUnlimber(u), true)
			played(t, g).unlimber(u)
			is(t, "its limber", g.Units[u].Limber, unlimbered)
			is(t, "again", g.mayUnlimber(u), false)
		}
	})
	clause(t, "EM-15.3", "a gun on foot that limbered or moved does not; a horse gun does, but for black", func(t *testing.T) {
		g := field(t, piece{"blue-34", 300_000, 200_000, 0}, piece{"blue-35", 400_000, 100_000, 0}, piece{"black-29", 500_000, 100_000, 0})
		may := func(id string, x unit) bool {
			u := named(t, g, id)
			x.At, x.Limber = g.Units[u].At, behind
			g.Units[u] = x
			return g.mayUnlimber(u)
		}
		is(t, "on foot, limbered", may("blue-34", unit{Limbered: true}), false)
		is(t, "on foot, moved", may("blue-34", unit{Manoeuvred: true}), false)
		is(t, "horse, both", may("blue-35", unit{Limbered: true, Manoeuvred: true}), true)
		for u := unitID(1); int(u) < len(g.Units); u++ {
			if d := g.def(u); d.army == black && d.mount == horse {
				g.Units[u].At = place{X: 700_000, Y: 200_000}
				is(t, "black's horse gun, limbered", may(d.id, unit{Limbered: true}), false)
				is(t, "black's horse gun, moved", may(d.id, unit{Manoeuvred: true}), true)
				break
			}
		}
	})
	clause(t, "EM-15.1", "the limber of a gun that unlimbers is off the field; what hung by it falls apart", func(t *testing.T) {
		g := field(t, piece{"blue-34", 300_000, 200_000, 0}, piece{"blue-28", 300_000, 162_500, 0})
		u := named(t, g, "blue-34")
		g.Units[u].Limber = behind
		g.Formations = []formation{{ID: "a", Corps: g.def(u).corps, Units: []unitID{named(t, g, "blue-28"), u}}}
		played(t, g).unlimber(u)
		is(t, "formations", len(g.Formations), 2)
		same(t, "what can't be", g.flaws(), nil)
	})
	clause(t, "EM-10.17", "what can't be done as ordered is cut to what can", func(t *testing.T) {
		g := field(t, piece{"blue-28", 300_000, 625_000, 0})
		moves(t, g, "blue-28")
		o := played(t, g).ahead(named(t, g, "blue-28"))
		is(t, "how far", o.far, 40_000)
		is(t, "why", o.why, byEdge)
	})
}

// The turns with which a formation may go ahead are those that its way allows.
func TestTurns(t *testing.T) {
	g := field(t, piece{"blue-28", 300_000, 100_000, 0})
	goes := func(turn int) bool {
		return g.look(&manoeuvre{Units: all(t, g, "blue-28"), Does: advancing, Turn: turn, Far: asFarAsItGoes}).moves
	}
	for _, turn := range []int{-90, 0, 20, 90} {
		is(t, "a turn on a free field", goes(turn), true)
	}
	g = field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"blue-13", 269_000, 95_000, 0})
	moves(t, g, "blue-13")
	for turn, want := range map[int]bool{-90: true, 0: true, 20: false} {
		is(t, "a turn beside a friend who moves", goes(turn), want)
	}
}
