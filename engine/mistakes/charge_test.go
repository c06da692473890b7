package mistakes

import (
	"fmt"
	"testing"

	"berthier/engine/geometry"
)

// charges has units charge an enemy straight ahead, as the stops will: it begins, and goes
// home.
func (p *battlefield) charges(target unitID, units ...unitID) outcome {
	m := &manoeuvre{Units: units, Does: charging, Target: target}
	p.chargeBegins(target)
	return p.chargeHome(m)
}

// chargeOn is the order that blue-28 charge a unit.
func chargeOn(t *testing.T, g *game, target string, turn int) *manoeuvre {
	t.Helper()
	moves(t, g, "blue-28")
	return &manoeuvre{Units: g.of(named(t, g, "blue-28")).Units, Does: charging, Turn: turn, Target: named(t, g, target)}
}

// Cases of charges: chapter 10.
func TestChargeCases(t *testing.T) {
	charger := piece{"blue-28", 300_000, 100_000, 0}
	clause(t, "EM-10.4", "to contact by the front with the enemy whose area is entered first", func(t *testing.T) {
		g := field(t, charger, piece{"red-7", 310_000, 200_000, 180})
		m := chargeOn(t, g, "red-7", 0)
		is(t, "a charge", code(g.manoeuvreFault(m)), "")
		o := played(t, g).charges(m.Target, m.Units...)
		is(t, "how far", o.far, 70_000)
		is(t, "contact", g.byFront(m.Units[0], m.Target), true)
		is(t, "what is noted", g.Units[m.Units[0]].Charge, 70_000)
		g = field(t, charger, piece{"red-7", 300_000, 250_001, 180})
		is(t, "an enemy 1 um beyond contact", code(g.manoeuvreFault(chargeOn(t, g, "red-7", 0))), "")
		g.Units[named(t, g, "red-7")].At.Y += 500
		is(t, "501 um beyond 120 mm", code(g.manoeuvreFault(chargeOn(t, g, "red-7", 0))), "em.charge-short")
		g = field(t, charger, piece{"red-7", 300_000, 200_000, 180}, piece{"red-8", 350_000, 180_000, 180})
		is(t, "the area of 8 first", code(g.manoeuvreFault(chargeOn(t, g, "red-7", 0))), "em.charge-first")
		g = field(t, piece{"blue-34", 300_000, 100_000, 0}, piece{"red-7", 300_000, 180_000, 180})
		moves(t, g, "blue-34")
		is(t, "a gun alone", code(g.manoeuvreFault(&manoeuvre{Units: all(t, g, "blue-34"), Does: charging, Target: named(t, g, "red-7")})), "em.charge-guns")
		g = field(t, piece{"blue-32", 300_000, 100_000, 0}, piece{"red-7", 300_000, 275_000, 180})
		moves(t, g, "blue-32")
		is(t, "light cavalry beyond 4 segments", code(g.manoeuvreFault(&manoeuvre{Units: all(t, g, "blue-32"), Does: charging, Target: named(t, g, "red-7")})), "em.charge-short")
	})
	clause(t, "EM-10.4", "on flank and rear too", func(t *testing.T) {
		for heading, side := range map[int]geometry.Flank{0: geometry.Rear, 90: geometry.Right, 270: geometry.Left, 180: geometry.Front} {
			g := field(t, charger, piece{"red-7", 300_000, 200_000, heading})
			m := chargeOn(t, g, "red-7", 0)
			is(t, "a charge", code(g.manoeuvreFault(m)), "")
			played(t, g).charges(m.Target, m.Units...)
			got, _, ok := g.struck(m.Target, m.Units[0])
			is(t, "struck", ok, true)
			is(t, "the side", got, side)
		}
	})
	clause(t, "EM-10.5", "the turn that is found is the least, to the left first", func(t *testing.T) {
		g := field(t, charger, piece{"red-7", 300_000, 200_000, 180})
		turn, ok := g.turnTo(chargeOn(t, g, "red-7", 0))
		is(t, "found", ok, true)
		is(t, "straight ahead", turn, 0)
		g = field(t, charger, piece{"red-7", 350_000, 180_000, 180})
		m := chargeOn(t, g, "red-7", 0)
		turn, ok = g.turnTo(m)
		is(t, "found", ok, true)
		offers := g.chargesOf(m.Units)
		is(t, "offers", len(offers), 1)
		is(t, "the least turn", offers[0].least, turn)
		is(t, "to the right", turn > 0, true)
		is(t, "its interval begins there", offers[0].turns[0].Low, int64(turn))
		m.Turn = turn - 1
		is(t, "a degree less", code(g.manoeuvreFault(m)), "em.charge-short")
	})
	clause(t, "EM-10.6", "a formation that touches an enemy is not charged", func(t *testing.T) {
		g := field(t, charger, piece{"red-7", 300_000, 200_000, 180}, piece{"red-8", 330_000, 200_000, 180}, piece{"blue-13", 330_000, 230_000, 180})
		is(t, "the unit beside", code(g.manoeuvreFault(chargeOn(t, g, "red-7", 0))), "em.charge-engaged")
		is(t, "offers", len(g.chargesOf(all(t, g, "blue-28"))), 0)
	})
	clause(t, "EM-10.7", "the target's formation loses green, its general the markers", func(t *testing.T) {
		g := field(t, charger, piece{"red-21", 300_000, 200_000, 180}, piece{"red-20", 330_000, 200_000, 180})
		picton := leaderNamed(t, g, "picton")
		g.Leaders[picton].Attached, g.Leaders[picton].Markers, g.Reserve[red] = named(t, g, "red-20"), 3, g.Reserve[red]-3
		moves(t, g, "red-21")
		played(t, g).charges(named(t, g, "red-21"), all(t, g, "blue-28")...)
		is(t, "green", g.moving(named(t, g, "red-20")), false)
		is(t, "Picton's markers", g.Leaders[picton].Markers, 0)
		is(t, "red's reserve", g.Reserve[red], 26)
	})
	clause(t, "EM-4.11", "what a charge crosses is kept for the combat", func(t *testing.T) {
		g := begin(t, nil)
		l := lineNamed(t, g, "stream-smohain")
		at := g.lines[l-1].points[0].Plus(g.lines[l-1].points[1])
		at = point{X: at.X / 2, Y: at.Y / 2}
		g = field(t, piece{"blue-28", at.X, at.Y - 20_000, 0}, piece{"red-7", at.X, at.Y + 50_000, 180})
		moves(t, g, "blue-28")
		played(t, g).charges(named(t, g, "red-7"), all(t, g, "blue-28")...)
		is(t, "forded", g.Units[named(t, g, "blue-28")].Forded, true)
	})
	clause(t, "EM-10.13", "a limbered gun backs off, and is captured if it is touched in the end", func(t *testing.T) {
		gun := piece{"red-10", 300_000, 215_000, 180}
		g := field(t, charger, gun)
		u := named(t, g, "red-10")
		g.Units[u].Limber = behind
		m := chargeOn(t, g, "red-10", 0)
		is(t, "asked", g.gunAsked(m), gunLimbered)
		p := played(t, g)
		p.chargeBegins(u)
		p.gunBacks(m)
		is(t, "the gun", g.Units[u].At, place{X: 300_000, Y: 245_000})
		o := p.chargeHome(m)
		is(t, "how far", o.far, 120_000)
		is(t, "captured", g.Units[u], unit{At: place{X: 300_000, Y: 245_000}, Heading: 180, Limber: behind})
		is(t, "contact", g.contact(u, m.Units[0]), false)
		g = field(t, charger, piece{"red-10", 300_000, 180_000, 180})
		g.Units[u].Limber = behind
		m = chargeOn(t, g, "red-10", 0)
		p = played(t, g)
		p.gunBacks(m)
		p.chargeHome(m)
		is(t, "one that is reached after all", g.Units[u], unit{Gone: captured, By: blue})
		g = field(t, charger, piece{"red-39", 300_000, 180_000, 180})
		u = named(t, g, "red-39")
		g.Units[u].Limber = behind
		played(t, g).gunBacks(chargeOn(t, g, "red-39", 0))
		is(t, "a horse gun", g.Units[u].At.Y, 240_000)
	})
	clause(t, "EM-10.14", "an unlimbered gun changes places with a unit of its formation", func(t *testing.T) {
		g := field(t, charger, piece{"red-10", 300_000, 192_500, 180}, piece{"red-7", 322_500, 200_000, 180})
		gun, second := named(t, g, "red-10"), named(t, g, "red-7")
		m := chargeOn(t, g, "red-10", 0)
		is(t, "a charge", code(g.manoeuvreFault(m)), "")
		is(t, "asked", g.gunAsked(m), gunUnlimbered)
		same(t, "who may", g.swaps(gun), []unitID{second})
		p := played(t, g)
		p.gunDefended(m, second)
		is(t, "7, its front where the gun's was", g.Units[second].At, place{X: 300_000, Y: 200_000})
		is(t, "the gun", g.Units[gun].At, place{X: 322_500, Y: 192_500})
		p.chargeHome(m)
		is(t, "contact with 7", g.byFront(m.Units[0], second), true)
		is(t, "the gun stands", g.on(gun), true)
		same(t, "what can't be", g.flaws(), nil)
		g = field(t, charger, piece{"red-10", 300_000, 192_500, 180}, piece{"red-7", 300_000, 215_000, 180})
		same(t, "behind it there is no room for the change", g.swaps(gun), nil)
	})
	clause(t, "EM-10.14", "one that nobody can help is captured", func(t *testing.T) {
		g := field(t, charger, piece{"red-10", 300_000, 192_500, 180})
		m := chargeOn(t, g, "red-10", 0)
		is(t, "asked", g.gunAsked(m), notAsked)
		played(t, g).chargeHome(m)
		is(t, "captured", g.Units[named(t, g, "red-10")], unit{Gone: captured, By: blue})
	})
	clause(t, "EM-10.15", "a leader who is charged", func(t *testing.T) {
		g := field(t, charger)
		moves(t, g, "blue-28")
		l := leaderNamed(t, g, "orange")
		g.Leaders[l].At = place{X: 300_000, Y: 160_000}
		m := &manoeuvre{Units: all(t, g, "blue-28"), Does: charging, Prey: l}
		is(t, "a charge", code(g.manoeuvreFault(m)), "")
		o := played(t, g, 2).chargeHome(m)
		is(t, "how far", o.far, 37_500)
		is(t, "how it went", g.Leaders[l].Gone, captured)
		g.Leaders[l] = leader{At: place{X: 300_000, Y: 400_000}}
		g.of(m.Units[0]).Manoeuvred, g.Units[m.Units[0]].Manoeuvred = false, false
		is(t, "out of reach", code(g.manoeuvreFault(m)), "em.charge-leader-short")
	})
	clause(t, "EM-R87", "a leader on the way to another target is ridden over", func(t *testing.T) {
		g := field(t, charger, piece{"red-7", 300_000, 200_000, 180})
		l := leaderNamed(t, g, "orange")
		g.Leaders[l].At = place{X: 300_000, Y: 150_000}
		m := chargeOn(t, g, "red-7", 0)
		is(t, "how far", played(t, g, 1).charges(m.Target, m.Units...).far, 70_000)
		is(t, "how it went", g.Leaders[l].Gone, captured)
	})
	clause(t, "EM-R74", "a charge of no more than the ruler's thickness is charge 0", func(t *testing.T) {
		g := field(t, charger, piece{"red-7", 300_000, 130_000, 180})
		g.separate()
		m := chargeOn(t, g, "red-7", 0)
		is(t, "contact before", g.contact(m.Units[0], m.Target), false)
		is(t, "a charge", code(g.manoeuvreFault(m)), "")
		o := played(t, g).charges(m.Target, m.Units...)
		is(t, "how far", o.far, 0)
		is(t, "contact after", g.contact(m.Units[0], m.Target), true)
	})
}

// A sweep finds with each turn what a search of that turn alone finds.
func TestSweepIsASearchTurnByTurn(t *testing.T) {
	met := 0
	for seed := range samples(3, 40) {
		g := clash(t, seed)
		for i := range g.Formations {
			units := g.Formations[i].Units
			for _, chase := range []int{0, 2} {
				m := &manoeuvre{Units: units, Does: charging, Chase: chase}
				w, ok := g.sweepOf(m, chase == 0)
				all := g.foesOf(units, int64(reach))
				for turn := -g.wheelMost(); turn <= g.wheelMost(); turn += 3 {
					m.Turn = turn
					o := g.look(m)
					want := g.legalTargets(all, all, &o, chase == 0)
					met += len(want)
					if !ok {
						is(t, "out of reach", len(want), 0)
						continue
					}
					got := w.strikes(turn)
					if is(t, "struck", fmt.Sprint(got.units), fmt.Sprint(want)); len(want) > 0 {
						is(t, "far", got.far, o.far)
					}
				}
			}
		}
	}
	if met == 0 {
		t.Error("no charge struck anybody")
	}
}
