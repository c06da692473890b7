package mistakes

import (
	"slices"
	"testing"
)

// Cases of the effect of a melee, and of the steps: chapter 11.
func TestMeleeEffectCases(t *testing.T) {
	clause(t, "EM-11.6", "by the difference: nothing, back 1, retreat, rout; guns are captured", func(t *testing.T) {
		for by, want := range map[int]unit{
			1: {At: place{X: 300_000, Y: 130_000}, Heading: 180},
			2: {At: place{X: 300_000, Y: 160_000}, Heading: 180},
			4: {At: place{X: 300_000, Y: 160_000}, Heading: 180, Yellow: 1},
			5: {At: place{X: 300_000, Y: 190_000}, Heading: 180, Yellow: 2, Routed: blue},
		} {
			g := meeting(t, field(t, opposed("blue-28", "red-5")...), melee{}, "blue-28", "red-5")
			p := played(t, g)
			p.joins(g.Combat.Defender)
			p.suffer(g.Combat.Defender, g.Combat.Attacker, by)
			is(t, "what becomes of it", g.Units[g.Combat.Defender], want)
		}
		g := meeting(t, field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"red-10", 300_000, 122_500, 180}), melee{}, "blue-28", "red-10")
		p := played(t, g)
		p.suffer(g.Combat.Defender, g.Combat.Attacker, 2)
		is(t, "a gun", g.Units[g.Combat.Defender], unit{Gone: captured, By: blue})
	})
	clause(t, "EM-11.6", "a die for each enemy who took part; a 5 or 6 is a loss", func(t *testing.T) {
		g := field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"red-5", 290_000, 130_000, 180}, piece{"blue-29", 330_000, 100_000, 0})
		moves(t, g, "blue-28")
		// 28 has 3 and 1 by the support, 5 has 3 and 1 by its fire: equal. Losses of red 5 and 5, of blue 6.
		p := played(t, g, 3, 3, 5, 5, 6)
		p.engage(named(t, g, "blue-28"), named(t, g, "red-5"))
		is(t, "asked", p.goOn(askCounter, askLosses), true)
		same(t, "who", p.Combat.Asks, []ask{{red, askCounter}})
		is(t, "red's losses", g.Units[named(t, g, "red-5")].Losses, 2)
		is(t, "blue's, to the fighter", g.Units[named(t, g, "blue-28")].Losses, 1)
	})
	clause(t, "EM-R45", "to the fighter no fewer, to none beyond capacity; the rest is lost", func(t *testing.T) {
		g := meeting(t, field(t, opposed("blue-28", "red-5", piece{"blue-29", 330_000, 100_000, 0})...), melee{}, "blue-28", "red-5")
		a, b := named(t, g, "blue-28"), named(t, g, "blue-29")
		m := g.Combat.Melee
		m.Support[0] = []unitID{b}
		m.Hits[0] = 3
		is(t, "ways to give out 3", len(g.sharings(0)), 2)
		is(t, "2 to the supporter", code(g.lossFault(blue, []toll{{a, 1}, {b, 2}})), "em.losses-not")
		is(t, "1 to the supporter", code(g.lossFault(blue, []toll{{a, 2}, {b, 1}})), "")
		is(t, "all to the fighter", code(g.lossFault(blue, []toll{{a, 3}})), "")
		is(t, "too few", code(g.lossFault(blue, []toll{{a, 2}})), "em.losses-not")
		same(t, "the deadline's", g.usualLosses(blue), []toll{{a, 2}, {b, 1}})
		g.Units[a].Losses, g.Units[b].Losses = 3, 2
		same(t, "where only 2 find room", g.sharings(0)[0], []toll{{a, 1}, {b, 1}})
		played(t, g).takeOff(a, captured, red)
		is(t, "the fighter is gone", code(g.lossFault(blue, nil)), "")
	})
	clause(t, "EM-11.7", "steps: a counterattack is offered, a reinforcement by whom the enemy is near", func(t *testing.T) {
		g := field(t, opposed("blue-28", "red-5", piece{"blue-13", 350_000, 110_000, 0}, piece{"red-20", 250_000, 125_000, 180})...)
		moves(t, g, "blue-28")
		p := played(t, g, 3, 3, 1, 1) // blue 3, red 3 and 1 by its fire
		p.engage(named(t, g, "blue-28"), named(t, g, "red-5"))
		is(t, "asked", p.goOn(askCounter), true)
		is(t, "the pair", p.counters()[0].attacker, named(t, g, "red-5"))
		is(t, "another", code(p.counterFault(named(t, g, "red-20"), named(t, g, "blue-28"))), "em.counter-none")
		p.counterattacks(0, 0)
		is(t, "asked", p.goOn(askReserves), true)
		same(t, "who", p.Combat.Asks, []ask{{blue, askReserves}})
		offers := p.reserves()
		is(t, "one formation", slices.ContainsFunc(offers, func(r reserve) bool { return r.formation != "blue-13" }), false)
		is(t, "the initiator's own", code(p.reserveFault("blue-28", named(t, g, "red-5"), 0)), "em.reinforce-not")
		is(t, "the charge", code(p.reserveFault("blue-13", named(t, g, "red-5"), offers[0].least)), "")
		p.reinforces("blue-13", named(t, g, "red-5"), 0, offers[0].least)
		p.next()
		is(t, "the third melee", p.Combat.Melee.Attacker, named(t, g, "blue-13"))
		is(t, "by a charge", p.Combat.Melee.Charged, true)
		p.Dice = &dice{t, []int{3, 3, 1, 1}}
		is(t, "asked", p.goOn(askReserves, askPursuit), true)
		same(t, "who", p.Combat.Asks, []ask{{red, askReserves}})
	})
	clause(t, "EM-11.16", "a recovering formation counterattacks, but neither reinforces nor pursues", func(t *testing.T) {
		g := field(t, opposed("blue-28", "red-5", piece{"blue-13", 350_000, 110_000, 0})...)
		meeting(t, g, melee{}, "blue-28", "red-5")
		p := played(t, g)
		p.joins(named(t, g, "red-5"))
		g.of(named(t, g, "red-5")).Orange, g.of(named(t, g, "blue-13")).Orange = 2, 1
		p.joins(named(t, g, "blue-28"))
		is(t, "counterattacks", len(g.counters()), 1)
		g.Combat.Step = reinforceAttack
		is(t, "reinforces", len(g.reserves()), 0)
		g.of(named(t, g, "blue-28")).Orange = 1
		g.Combat.Chase = &chase{Army: blue, Pursuers: all(t, g, "blue-28"), Beaten: named(t, g, "red-5")}
		is(t, "pursues", len(g.pursuers(infantry)), 0)
	})
}

// beaten is a game in which red-5, or another, has just backed off 1 from a winner.
func beaten(t *testing.T, winner, loser string, more ...piece) *game {
	g := meeting(t, field(t, append([]piece{{winner, 300_000, 100_000, 0}, {loser, 300_000, 160_000, 180}}, more...)...), melee{}, winner, loser)
	m := g.Combat.Melee
	m.Beaten, m.By, m.Mates = m.Defender, 2, []unitID{m.Defender}
	g.Combat.Backed = []unitID{m.Defender}
	p := played(t, g)
	p.joins(m.Attacker)
	p.joins(m.Defender)
	p.beginChase()
	g.Combat.Stage = atChase
	return g
}

// Cases of pursuits: chapter 11.
func TestPursuitCases(t *testing.T) {
	clause(t, "EM-11.9", "at 5 they must: infantry 1 segment, cavalry 2, infantry never on cavalry", func(t *testing.T) {
		g := beaten(t, "blue-28", "red-5")
		p := played(t, g, 5)
		is(t, "asked", p.goOn(askPursuit), true)
		p.pursues(p.usualPursuit())
		p.next()
		p.next()
		is(t, "where", g.Units[named(t, g, "blue-28")].At, place{X: 300_000, Y: 130_000})
		is(t, "a pursuit", g.Combat.Melee.Pursuit, true)
		g = beaten(t, "blue-28", "red-5")
		p = played(t, g, 4)
		p.goOn(askPursuit)
		p.pursues(p.usualPursuit())
		p.next()
		is(t, "at 4", g.Units[named(t, g, "blue-28")].At.Y, 100_000)
		g = beaten(t, "blue-28", "red-35")
		played(t, g).next()
		is(t, "infantry on cavalry", g.Combat.Chase == nil, true)
		g = beaten(t, "blue-32", "red-5")
		g.Units[named(t, g, "red-5")].At = place{X: 320_000, Y: 190_000}
		p = played(t, g, 4) // and 1 for cavalry
		p.goOn(askPursuit)
		x := p.usualPursuit()
		x.Step = 1
		is(t, "a step", code(p.pursuitFault(&x)), "")
		is(t, "where it leads", code(p.aimFault(&x, p.reached)), "")
		p.pursues(x)
		p.next()
		p.next()
		is(t, "1 to the right, 2 ahead", g.Units[named(t, g, "blue-32")].At, place{X: 330_000, Y: 160_000})
	})
	clause(t, "EM-11.9", "the die is rolled whatever is answered; still in contact it needs none", func(t *testing.T) {
		g := beaten(t, "blue-28", "red-5")
		g.Units[named(t, g, "red-5")].At.Y = 130_000
		p := played(t, g)
		p.next()
		is(t, "a melee without a die", g.Combat.Melee.Pursuit, true)
	})
	clause(t, "EM-R82", "a step onto a friend of the own formation, if the charge leaves it", func(t *testing.T) {
		g := beaten(t, "blue-32", "red-5", piece{"blue-33", 330_000, 100_000, 0})
		is(t, "onto the own", g.stepFits(all(t, g, "blue-32"), 1), true)
		g = beaten(t, "blue-32", "red-5", piece{"blue-13", 330_000, 100_000, 0})
		is(t, "onto another's", g.stepFits(all(t, g, "blue-32"), 1), false)
		is(t, "to the other side", g.stepFits(all(t, g, "blue-32"), -1), true)
	})
	clause(t, "EM-11.10", "shaken, recruits, cavalry, the target, the general, the terrain", func(t *testing.T) {
		g := beaten(t, "blue-32", "red-20")
		l := leaderNamed(t, g, "reille")
		g.Leaders[l].At = place{X: 340_000, Y: 100_000}
		g.Units[named(t, g, "blue-32")].Yellow = 1
		g.Combat.Ground[0] = -1
		got := map[string]int{}
		for _, m := range g.pursuitModifiers(&pursuit{Type: cavalry, Target: 1, General: -1}, named(t, g, "red-20")) {
			got[m.why] = m.n
		}
		for why, want := range map[string]int{"em.pursuit-shaken": -2, "em.pursuit-cavalry": 1, "em.pursuit-quality": 1, "em.pursuit-leader": -2, "em.pursuit-terrain": 1} {
			is(t, why, got[why], want)
		}
		is(t, "modifiers", len(got), 5)
	})
	clause(t, "EM-11.11", "a pursuit that makes contact is a melee without a pursuit", func(t *testing.T) {
		g := beaten(t, "blue-32", "red-9")
		m := g.Combat.Melee
		m.Pursuit, m.Beaten, m.By = true, m.Defender, 3
		g.Combat.Chase = nil
		played(t, g).beginChase()
		is(t, "another chase", g.Combat.Chase == nil, true)
		is(t, "the backed-off enemy", counts(g, 0)["em.melee-backed"], 1)
		is(t, "against steady infantry", counts(g, 0)["em.melee-square"], 0)
	})
}

// Cases of step E, and of what ends a combat: chapters 11 and 14.
func TestOutcomeCases(t *testing.T) {
	ended := func(t *testing.T, pieces ...piece) *game {
		g := meeting(t, field(t, pieces...), melee{}, pieces[0].unit, pieces[1].unit)
		p := played(t, g)
		p.joins(g.Combat.Attacker)
		p.joins(g.Combat.Defender)
		g.Combat.Step, g.Combat.Stage = outcomeStep, atKeep
		return g
	}
	clause(t, "EM-11.12", "the higher total withdraws half the difference; equal ones stay", func(t *testing.T) {
		g := ended(t, opposed("blue-28", "red-5")...)
		g.took(named(t, g, "red-5")).Got = 2 // 3 for that
		played(t, g, 6, 4).goOn()            // red 9, blue 4
		is(t, "back 3", g.Units[named(t, g, "red-5")].At.Y, 220_000)
		is(t, "its loss", g.Units[named(t, g, "red-5")].Losses, 1)
		g = ended(t, opposed("blue-28", "red-5")...)
		played(t, g, 3, 3).goOn()
		is(t, "equal", g.Units[named(t, g, "red-5")], unit{At: place{X: 300_000, Y: 130_000}, Heading: 180, Fought: 1})
		g = ended(t, opposed("blue-28", "red-5")...)
		g.took(named(t, g, "red-5")).Got = 2
		g.Combat.Ground[0] = 2
		played(t, g, 6, 4).goOn() // 9 : 2, back 4
		is(t, "back 4", g.Units[named(t, g, "red-5")].At.Y, 250_000)
		is(t, "shaken", g.Units[named(t, g, "red-5")].Yellow, 1)
	})
	clause(t, "EM-11.12", "a long way shakes before the loss falls", func(t *testing.T) {
		g := field(t, piece{"red-5", 300_000, 300_000, 180}, piece{"red-3", 300_000, 330_000, 180}, piece{"blue-28", 300_000, 150_000, 0})
		front, rear := named(t, g, "red-5"), named(t, g, "red-3")
		g.Units[front].Losses = g.def(front).capacity - 1
		g.Combat = &combat{Attacker: named(t, g, "blue-28"), Defender: front, Step: outcomeStep, Stage: atToll, Back: harshBack,
			Withdrew: []withdrawal{{ID: "red-5", Units: []unitID{rear, front}, Gone: []unitID{rear, front}, Pays: front}}}
		played(t, g).takeToll()
		is(t, "the front unit", g.Units[front].Gone, eliminated)
		is(t, "the losses of the one behind it", g.Units[rear].Losses, 0)
		is(t, "its yellow", g.Units[rear].Yellow, 1)
	})
	clause(t, "EM-11.12", "a die is kept, and the sign of a level is chosen", func(t *testing.T) {
		g := ended(t, opposed("blue-28", "red-5")...)
		l := leaderNamed(t, g, "reille")
		g.Leaders[l].Attached = named(t, g, "blue-28")
		p := played(t, g, 3, 5)
		is(t, "asked", p.goOn(askKeep), true)
		same(t, "who", p.Combat.Asks, []ask{{blue, askKeep}})
		is(t, "no such die", code(p.keepFault(blue, keep{Die: 4, Leader: l, Sign: 1})), "em.outcome-die")
		is(t, "no sign", code(p.keepFault(blue, keep{Die: 5})), "em.outcome-leader")
		is(t, "minus", code(p.keepFault(blue, keep{Die: 5, Leader: l, Sign: -1})), "")
		p.keeps(blue, keep{Die: 5, Leader: l, Sign: -1})
		is(t, "his modifiers", sum(p.outcomeModifiers(0)), -3)
	})
	clause(t, "EM-11.13", "one by one, the rear-most first; who can't stays and takes a loss", func(t *testing.T) {
		g := field(t, piece{"red-5", 300_000, 300_000, 180}, piece{"red-3", 330_000, 300_000, 180}, piece{"red-4", 360_000, 300_000, 180}, piece{"red-20", 330_000, 350_000, 180})
		p := played(t, g)
		units := all(t, g, "red-3", "red-4", "red-5")
		same(t, "who withdraws", p.withdraws([][]unitID{units}, 1, blue), all(t, g, "red-4", "red-5"))
		is(t, "the middle one", g.Units[named(t, g, "red-3")], unit{At: place{X: 330_000, Y: 300_000}, Heading: 180, Losses: 1})
		is(t, "another", g.Units[named(t, g, "red-5")].At.Y, 330_000)
		same(t, "what can't be", g.flaws(), nil)
		g = field(t, piece{"red-5", 300_000, 300_000, 180}, piece{"red-3", 300_000, 330_000, 180}, piece{"red-20", 300_000, 350_000, 180})
		g.Units[named(t, g, "red-20")].At.Y = 361_000
		g.Units[named(t, g, "red-20")].Yellow = 1
		played(t, g).withdraws([][]unitID{all(t, g, "red-3", "red-5")}, 3, blue)
		is(t, "the rear one, past a friend", g.Units[named(t, g, "red-3")].At.Y, 420_000)
		is(t, "shaken by it", g.Units[named(t, g, "red-3")].Yellow, 1)
		is(t, "the front one has no room: its losses", g.Units[named(t, g, "red-5")].Losses, 1)
	})
	clause(t, "EM-11.14", "2 orange, not more, and no green; guns limber", func(t *testing.T) {
		g := ended(t, opposed("blue-28", "red-5", piece{"blue-34", 322_500, 100_000, 0})...)
		moves(t, g, "blue-28")
		g.of(named(t, g, "red-5")).Orange = 1
		p := played(t, g)
		p.joins(named(t, g, "blue-34"))
		p.endCombat()
		is(t, "red's", g.of(named(t, g, "red-5")).Orange, 2)
		is(t, "blue's", g.of(named(t, g, "blue-28")).Orange, 2)
		is(t, "blue's green", g.of(named(t, g, "blue-28")).Green, false)
		is(t, "the gun's limber", g.Units[named(t, g, "blue-34")].Limber, behind)
	})
	clause(t, "EM-11.15", "a leader whose unit takes part loses his markers, and is tested at the end", func(t *testing.T) {
		g := field(t, opposed("blue-28", "red-5")...)
		l := leaderNamed(t, g, "reille")
		g.Leaders[l].Attached, g.Leaders[l].Markers, g.Reserve[blue] = named(t, g, "blue-28"), 3, g.Reserve[blue]-3
		meeting(t, g, melee{}, "blue-28", "red-5")
		p := played(t, g, 2, 2) // less 2 for his level: 2
		p.joins(named(t, g, "blue-28"))
		is(t, "his markers", g.Leaders[l].Markers, 0)
		is(t, "the reserve", g.Reserve[blue], 36)
		p.endCombat()
		is(t, "how it went", g.Leaders[l].Gone, eliminated)
	})
	clause(t, "EM-R58", "an earlier combat counts against the leader of a unit that is lost in this one, too", func(t *testing.T) {
		for fought, lost := range []bool{false, true} {
			g := field(t, opposed("blue-28", "red-5")...)
			u, l := named(t, g, "red-5"), leaderNamed(t, g, "orange")
			g.Leaders[l], g.Units[u].Fought = leader{Attached: u}, fought
			p := played(t, g, 2, 2)
			g.Order = []army{blue, red}
			p.engage(named(t, g, "blue-28"), u)
			p.joins(u)
			p.eliminate(u, blue)
			p.endCombat()
			is(t, "4 on two dice, 1 less for his level: he is lost", g.Leaders[l].Gone == eliminated, lost)
		}
	})
	siege := []piece{{"blue-28", 405_000, 234_500, 0}, {"hougoumont", 405_000, 257_000, 180}}
	clause(t, "EM-14.2", "a garrison's combat has no outcome: who still touches it withdraws 1", func(t *testing.T) {
		g := ended(t, siege...)
		moves(t, g, "blue-28")
		g.Combat.Stage, g.Combat.Step = atStep, reinforceDefence
		played(t, g).goOn()
		is(t, "where", g.Units[named(t, g, "blue-28")].At.Y, 204_500)
		is(t, "orange", g.of(named(t, g, "blue-28")).Orange, 0)
	})
	clause(t, "EM-14.1", "a garrison that loses by 2 neither moves nor is shaken", func(t *testing.T) {
		g := ended(t, siege...)
		u := named(t, g, "hougoumont")
		played(t, g).suffer(u, named(t, g, "blue-28"), 3)
		is(t, "it", g.Units[u], unit{At: place{X: 405_000, Y: 257_000}, Heading: 180})
	})
	clause(t, "EM-14.3", "Haye Sainte falls by a retreat, Hougoumont by a rout", func(t *testing.T) {
		for id, by := range map[string]int{"haye-sainte": 4, "hougoumont": 5} {
			g := begin(t, nil)
			u, foe := named(t, g, id), named(t, g, "blue-28")
			meeting(t, g, melee{}, "blue-28", id)
			played(t, g).suffer(u, foe, by)
			is(t, id, g.Units[u].Gone, eliminated)
		}
		g := begin(t, nil)
		meeting(t, g, melee{}, "blue-28", "hougoumont")
		u, foe := named(t, g, "hougoumont"), named(t, g, "blue-28")
		p := played(t, g)
		p.suffer(u, foe, 4)
		is(t, "Hougoumont's yellow", g.Units[u].Yellow, 1)
		p.suffer(u, foe, 4)
		is(t, "a second time", g.Units[u].Gone, eliminated)
	})
}
