package mistakes

import (
	"maps"
	"slices"
	"testing"

	"berthier/engine/geometry"
)

// goOn plays a combat on with the answers of the deadline, until an army is asked something that
// the case answers itself, or the end. It says whether the combat waits.
func (p *battlefield) goOn(until ...decision) bool {
	for {
		asks := p.fight()
		if len(asks) == 0 {
			return false
		}
		for _, one := range slices.Clone(asks) {
			if slices.Contains(until, one.What) {
				return true
			}
			p.usual(one)
		}
	}
}

// usual answers as the deadline does.
func (p *battlefield) usual(one ask) {
	switch one.What {
	case askGunBack:
		p.gunAnswers(true)
	case askGunSwap:
		p.gunSwaps(0)
	case askSide:
		p.choosesSide(geometry.Front)
	case askSupport:
		p.backs(one.Army, p.mayBack(p.inMelee(one.Army)))
	case askReroll:
		p.rerolls(one.Army, false)
	case askLosses:
		p.givesOut(one.Army, p.usualLosses(one.Army))
	case askPursuit:
		p.pursues(p.usualPursuit())
	case askCounter:
		p.counterattacks(0, 0)
	case askReserves:
		p.reinforces("", 0, 0, 0)
	case askKeep:
		role := 1
		if one.Army == p.armyIn(0) {
			role = 0
		}
		p.keeps(one.Army, p.usualKeep(role))
	case askToll:
		p.pays(one.Army, nil)
	}
}

// counts are the modifiers of one of the two in a melee of a case, by their codes.
func counts(g *game, i int) map[string]int {
	all := map[string]int{}
	for _, m := range g.meleeModifiers(i) {
		all[m.why] += m.n
	}
	return all
}

// meets puts a melee into a game, as if it were being fought.
func meeting(t *testing.T, g *game, m melee, a, d string) *game {
	t.Helper()
	m.Attacker, m.Defender = named(t, g, a), named(t, g, d)
	g.Combat = &combat{Attacker: m.Attacker, Defender: m.Defender, Step: attack, Melee: &m}
	return g
}

// pair is an attacker at the bottom, an enemy on its front.
func opposed(a, d string, more ...piece) []piece {
	return append([]piece{{a, 300_000, 100_000, 0}, {d, 300_000, 130_000, 180}}, more...)
}

// Cases of the beginning of combats: chapter 11.
func TestCombatCases(t *testing.T) {
	clause(t, "EM-11.1", "the moving formation attacks; each unit begins one combat a turn", func(t *testing.T) {
		g := field(t, opposed("blue-28", "red-7")...)
		g.Order = []army{red, blue}
		a, d := named(t, g, "blue-28"), named(t, g, "red-7")
		moves(t, g, "blue-28")
		is(t, "blue's combats", len(g.openings(blue)), 1)
		is(t, "red's combats", len(g.openings(red)), 0)
		is(t, "a wrong enemy", code(g.openingFault(blue, a, a)), "em.combat-against")
		played(t, g).engage(a, d)
		is(t, "after it", code(g.openingFault(blue, a, d)), "em.combat-none")
		is(t, "blue's combats after it", len(g.openings(blue)), 0)
	})
	clause(t, "EM-11.2", "against the enemy with the greatest length of contact", func(t *testing.T) {
		g := field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"red-7", 290_000, 130_000, 180}, piece{"red-8", 320_000, 130_000, 180})
		moves(t, g, "blue-28")
		same(t, "20 mm on 7, 10 mm on 8", g.openings(blue)[0].against, all(t, g, "red-7"))
		g = field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"red-7", 285_050, 130_000, 180}, piece{"red-8", 315_050, 130_000, 180})
		moves(t, g, "blue-28")
		same(t, "within the slack", g.openings(blue)[0].against, all(t, g, "red-7", "red-8"))
		g = field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"red-7", 330_000, 90_000, 180})
		moves(t, g, "blue-28")
		is(t, "beside it", len(g.openings(blue)), 0)
	})
	clause(t, "EM-11.3", "struck on a flank or the rear by a charge: as if shaken", func(t *testing.T) {
		shaken := func(heading int, charged bool, yellow int) int {
			g := field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"red-5", 300_000, 130_000, heading})
			g.Units[named(t, g, "red-5")].Yellow = yellow
			x := &g.Units[named(t, g, "blue-28")]
			x.Charged, x.Charge = charged, 60_000
			p := played(t, g)
			p.engage(named(t, g, "blue-28"), named(t, g, "red-5"))
			p.next()
			return counts(g, 1)["em.melee-shaken"]
		}
		is(t, "front", shaken(180, true, 0), 0)
		is(t, "flank", shaken(90, true, 0), -1)
		is(t, "rear", shaken(0, true, 0), -1)
		is(t, "flank, shaken already", shaken(90, true, 1), -1)
		is(t, "flank, without a charge", shaken(90, false, 0), 0)
	})
	clause(t, "EM-3.8", "on a corner the defender chooses the side", func(t *testing.T) {
		g := field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"red-5", 330_000, 130_000, 180})
		x := &g.Units[named(t, g, "blue-28")]
		x.Charged, x.Charge = true, 60_000
		p := played(t, g)
		p.engage(named(t, g, "blue-28"), named(t, g, "red-5"))
		same(t, "asked", p.fight(), []ask{{red, askSide}})
		is(t, "the rear", code(p.sideFault(geometry.Rear)), "em.side-none")
		is(t, "the front", code(p.sideFault(geometry.Front)), "")
		p.choosesSide(geometry.Right)
		is(t, "shaken", counts(g, 1)["em.melee-shaken"], -1)
	})
	clause(t, "EM-11.4", "who may support", func(t *testing.T) {
		// 7 covers 20 mm of 28's front and touches 30; it stands 1 segment ahead of 31.
		pieces := []piece{{"blue-28", 300_000, 100_000, 0}, {"red-7", 290_000, 130_000, 180}, {"blue-29", 330_000, 100_000, 0},
			{"blue-30", 270_000, 100_000, 0}, {"blue-31", 300_000, 70_000, 0}}
		g := meeting(t, field(t, pieces...), melee{}, "blue-28", "red-7")
		same(t, "who may", g.mayBack(0), all(t, g, "blue-29"))
		g.Units[named(t, g, "blue-31")].At.Y--
		same(t, "1 um further, within the tolerance", g.mayBack(0), all(t, g, "blue-29"))
		g.Units[named(t, g, "blue-31")].At = place{X: 320_001, Y: 69_500}
		same(t, "to the side of it", g.mayBack(0), all(t, g, "blue-29"))
		g.Units[named(t, g, "blue-31")].At = place{X: 320_501, Y: 69_500}
		same(t, "with the enemy out of its zone", g.mayBack(0), all(t, g, "blue-29", "blue-31"))
		g.Combat.Barred = all(t, g, "blue-29", "blue-31")
		same(t, "who backed off in the last melee", g.mayBack(0), nil)
		g = field(t, pieces[0], pieces[1], piece{"blue-13", 330_000, 100_000, 0})
		same(t, "of a united formation", meeting(t, g, melee{}, "blue-28", "red-7").mayBack(0), all(t, g, "blue-13"))
		is(t, "one who may not", code(g.supportFault(blue, all(t, g, "blue-28"))), "em.support-not")
		is(t, "one who may", code(g.supportFault(blue, all(t, g, "blue-13"))), "")
	})
	clause(t, "EM-15.4", "guns support unlimbered, with the foe in their area; horse guns not after both", func(t *testing.T) {
		g := field(t, opposed("blue-28", "red-7", piece{"blue-34", 322_500, 100_000, 0}, piece{"blue-35", 277_500, 100_000, 0})...)
		meeting(t, g, melee{}, "blue-28", "red-7")
		a, b := named(t, g, "blue-34"), named(t, g, "blue-35")
		same(t, "both", g.mayBack(0), []unitID{a, b})
		g.Units[a].Limber = behind
		g.Units[b].Limbered, g.Units[b].Unlimbered = true, true
		same(t, "limbered, and limbered and unlimbered", g.mayBack(0), nil)
		g.Units[b].Limbered = false
		same(t, "unlimbered only", g.mayBack(0), []unitID{b})
	})
	clause(t, "EM-11.5", "a guard may roll again; the second stands", func(t *testing.T) {
		g := field(t, opposed("blue-1", "red-5")...)
		moves(t, g, "blue-1")
		p := played(t, g, 1, 5, 2, 1, 1, 1, 1, 1)
		p.engage(named(t, g, "blue-1"), named(t, g, "red-5"))
		is(t, "asked", p.goOn(askReroll), true)
		same(t, "who", p.Combat.Asks, []ask{{blue, askReroll}})
		is(t, "its first die", p.Combat.Melee.Dice[0], 5)
		p.rerolls(blue, true)
		p.next()
		is(t, "the second stands", p.Combat.Melee.Dice[0], 2)
		p.goOn()
	})
}

// Cases of the modifiers of a melee, each alone.
func TestMeleeModifierCases(t *testing.T) {
	seg := length(30_000)
	clause(t, "EM-11.8", "each of the fourteen alone", func(t *testing.T) {
		friend := func(id string) piece { return piece{id, 300_000, 70_000, 0} }
		for _, c := range []struct {
			what   string
			a, d   string
			more   []piece
			m      melee
			change func(g *game, a, d unitID)
			side   int
			want   map[string]int
		}{
			{what: "nothing", a: "blue-28", d: "red-5", want: map[string]int{}},
			{what: "a charge", a: "blue-28", d: "red-5", m: melee{Charged: true, Charge: 2 * seg}, want: map[string]int{"em.melee-charge": 1}},
			{what: "a charge 0", a: "blue-28", d: "red-5", m: melee{Charged: true, Charge: 1_000}, want: map[string]int{}},
			{what: "across a stream", a: "blue-28", d: "red-5", m: melee{Charged: true, Charge: 1_000, Forded: true}, want: map[string]int{"em.melee-terrain": -1}},
			{what: "a leader", a: "blue-28", d: "red-5", change: func(g *game, a, _ unitID) { g.Leaders[leaderNamed(t, g, "reille")].Attached = a }, want: map[string]int{"em.melee-leader": 1}},
			{what: "veterans", a: "blue-48", d: "red-5", m: melee{Charged: true, Charge: seg}, want: map[string]int{"em.melee-quality": 1, "em.melee-charge": 1}},
			{what: "an enemy that backed off", a: "blue-28", d: "red-5", change: func(g *game, _, d unitID) { g.Combat.Backed = []unitID{d} }, want: map[string]int{"em.melee-backed": 1}},
			{what: "cavalry that backed off", a: "blue-28", d: "red-35", change: func(g *game, _, d unitID) { g.Combat.Backed = []unitID{d} }, want: map[string]int{}},
			{what: "one of its type", a: "blue-28", d: "red-5", more: []piece{friend("blue-29")}, want: map[string]int{"em.melee-support": 1}},
			{what: "recruits", a: "blue-28", d: "red-7", side: 1, want: map[string]int{"em.melee-recruits": -1}},
			{what: "shaken", a: "blue-28", d: "red-5", change: func(g *game, a, _ unitID) { g.Units[a].Yellow = 1 }, want: map[string]int{"em.melee-shaken": -1}},
			{what: "shaken infantry attacked by cavalry", a: "blue-32", d: "red-9", change: func(g *game, _, d unitID) { g.Units[d].Yellow = 1 }, side: 1, want: map[string]int{"em.melee-shaken": -2}},
			{what: "shaken infantry that attacks cavalry", a: "blue-28", d: "red-35", change: func(g *game, a, _ unitID) { g.Units[a].Yellow = 1 }, want: map[string]int{"em.melee-shaken": -1}},
			{what: "fire discipline", a: "blue-28", d: "red-5", side: 1, want: map[string]int{"em.melee-fire": 1}},
			{what: "cavalry behind infantry, against infantry", a: "blue-28", d: "red-5", more: []piece{friend("blue-32")}, want: map[string]int{"em.melee-horsemen": 2}},
			{what: "against cavalry", a: "blue-28", d: "red-35", more: []piece{friend("blue-32")}, want: map[string]int{"em.melee-horsemen": 1}},
			{what: "shaken cavalry behind", a: "blue-28", d: "red-5", more: []piece{friend("blue-32")}, change: func(g *game, _, _ unitID) { g.Units[g.Combat.Melee.Support[0][0]].Yellow = 1 }, want: map[string]int{}},
			{what: "infantry behind cavalry", a: "blue-32", d: "red-37", more: []piece{friend("blue-28")}, want: map[string]int{"em.melee-footmen": 1}},
			{what: "heavy against light", a: "red-35", d: "blue-32", want: map[string]int{"em.melee-weight": 2}},
			{what: "light against heavy", a: "red-35", d: "blue-32", side: 1, want: map[string]int{}},
			{what: "cavalry on steady infantry", a: "blue-32", d: "red-9", m: melee{Charged: true, Charge: 2 * seg}, want: map[string]int{"em.melee-square": -2, "em.melee-charge": 1}},
			{what: "from 1 segment", a: "blue-32", d: "red-9", m: melee{Charged: true, Charge: seg}, want: map[string]int{"em.melee-charge": 1}},
			{what: "charge 0", a: "blue-32", d: "red-9", m: melee{Charged: true}, want: map[string]int{"em.melee-square": -2}},
			{what: "in pursuit", a: "blue-32", d: "red-9", m: melee{Charged: true, Charge: 2 * seg, Pursuit: true}, want: map[string]int{"em.melee-charge": 1}},
			{what: "on its flank", a: "blue-32", d: "red-9", m: melee{Charged: true, Charge: 2 * seg, Flank: true}, want: map[string]int{"em.melee-charge": 1}},
			{what: "a gun in support", a: "blue-28", d: "red-5", more: []piece{{"blue-34", 322_500, 100_000, 0}}, want: map[string]int{"em.melee-guns": 1}},
		} {
			g := field(t, opposed(c.a, c.d, c.more...)...)
			m := c.m
			for _, x := range c.more {
				m.Support[0] = append(m.Support[0], named(t, g, x.unit))
			}
			meeting(t, g, m, c.a, c.d)
			if c.change != nil {
				c.change(g, g.Combat.Attacker, g.Combat.Defender)
			}
			if got := counts(g, c.side); !maps.Equal(got, c.want) {
				t.Errorf("%s: %v, want %v", c.what, got, c.want)
			}
		}
	})
	clause(t, "EM-11.8", "terrain: the hill once, for who defends and stands", func(t *testing.T) {
		g := meeting(t, field(t, piece{"blue-28", 655_000, 402_000, 0}, piece{"red-5", 655_000, 432_000, 180}), melee{}, "blue-28", "red-5")
		is(t, "the defender", counts(g, 1)["em.melee-terrain"], 1)
		moves(t, g, "red-5")
		is(t, "a moving one", counts(g, 1)["em.melee-terrain"], 0)
	})
}
