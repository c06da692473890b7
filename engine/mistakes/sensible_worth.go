package mistakes

import (
	"math/rand/v2"
	"slices"
)

// What a fair player thinks a charge is worth, and what he decides in a combat.

// onePoint is one point of victory in the measure of [game.exchange].
const onePoint = 216

// gameWon is what a commander-in-chief is worth, whose loss ends the game.
const gameWon = 300

// stake is how many points hang on a unit; on a garrison also those for the town it holds.
func (g *game) stake(u unitID) int {
	d := g.def(u)
	switch {
	case !d.garrison(), g.length().scoring == scoreFree:
		return g.value(u)
	case g.length().scoring == scoreShort:
		return gameWon / 2
	}
	return d.vp + d.hold
}

// exchange is what a melee with a balance of modifiers promises to a unit against another, in 216th
// parts of a point of victory: over all throws of two dice what becomes of who is beaten, and the
// losses, for each of which as many dice are thrown as units take part on the other side.
func (g *game) exchange(u, e unitID, balance, mine, his int) int {
	n := 0
	for d := -5; d <= 5; d++ {
		weight := 6 - max(d, -d)
		switch by := balance + d; {
		case by >= 2:
			n += weight * g.suffering(e, by)
		case by <= -2:
			n -= weight * g.suffering(u, -by)
		}
	}
	return n + onePoint/3*mine*g.stake(e)/g.left(e) - onePoint/3*his*g.stake(u)/g.left(u)
}

// suffering is how many sixths of a point a unit loses that is beaten by so much (EM-11.6): all if it
// is routed, some if it is shaken or backs off.
func (g *game) suffering(u unitID, by int) int {
	d := g.def(u)
	gone := by >= 5 || by == 4 && (d.frail || g.Units[u].Yellow > 0)
	switch {
	case gone:
		return 6 * g.stake(u)
	case d.garrison():
		return 0
	case d.arm == artillery:
		return 12 * g.stake(u)
	case by == 4:
		return 3 * g.stake(u)
	}
	return g.stake(u)
}

// assault is what a charge promises, all who may support it supporting, the blow that the target
// strikes back with, and the danger for a leader who rides along taken into account.
func (g *game) assault(units []unitID, offer chargeOffer) int {
	if g.def(offer.target).arm == artillery && len(g.swaps(offer.target)) == 0 {
		return 2 * onePoint * g.stake(offer.target)
	}
	c := g.trial()
	for _, u := range units {
		if !c.limberUp(u) {
			return 0
		}
	}
	(&battlefield{game: c}).chargeBegins(offer.target)
	o := c.prepare(&manoeuvre{Units: units, Does: charging, Turn: offer.least, Far: asFarAsItGoes, Target: offer.target}).run()
	if !o.moves {
		return 0
	}
	c.stand(units, shifted(o.bodies, o.heading, o.far))
	target, best := offer.target, -gameWon*onePoint
	if c.Combat == nil {
		c.Combat = &combat{Attacker: units[0], Defender: target, Step: attack}
	}
	for _, u := range units {
		if !c.byFront(u, target) {
			continue
		}
		m := &melee{Attacker: u, Defender: target, Charged: true, Charge: length(o.far)}
		if first, second, ok := c.struck(target, u); ok && first == second {
			m.strike(first)
		}
		balance, mine, his := c.odds(m)
		n := c.exchange(u, target, balance, mine, his)
		if balance, his, mine := c.odds(&melee{Attacker: target, Defender: u}); balance >= 0 && c.byFront(target, u) {
			n -= c.exchange(target, u, balance, his, mine) / 2
		}
		best = max(best, n)
	}
	return best - g.riding(units)
}

// odds gives the balance of modifiers of a melee, and how many take part on either side, all who may.
func (g *game) odds(m *melee) (balance, mine, his int) {
	g.Combat.Melee = m
	m.Support = [2][]unitID{g.mayBack(0), g.mayBack(1)}
	return sum(g.meleeModifiers(0)) - sum(g.meleeModifiers(1)), 1 + len(m.Support[0]), 1 + len(m.Support[1])
}

// riding is what may be lost in a leader who rides with units: he falls once in six times.
func (g *game) riding(units []unitID) int {
	l := g.attachedTo(g.of(units[0]))
	switch {
	case l == 0:
		return 0
	case g.lead(l).role == commander:
		return gameWon * onePoint / 6
	}
	return g.lead(l).vp * onePoint / 6
}

// senseReroll rolls again where the side is behind by enough to suffer.
func senseReroll(x *draft[*duel[bool]], _ *rand.Rand) {
	i := x.View.inMelee(x.World.army)
	total := func(i int) int { return x.View.Combat.Melee.Dice[i] + sum(x.View.meleeModifiers(i)) }
	x.Try("reroll", total(1-i)-total(i) >= 2)
}

// sensePursue pursues with cavalry first, every sign up; who storms doesn't pursue out of a town that counts.
func sensePursue(x *draft[*duel[hunt]], _ *rand.Rand) {
	p, word := planOf(x.View.game), "always"
	if c := x.View.Combat.Chase; p.storms(c.Army) && slices.ContainsFunc(c.Pursuers, p.intrudes) {
		word = "never"
	}
	preferPursuit(x, &said{word: word})
}

// senseReserves brings the formation whose charge promises most, if one promises anything.
func senseReserves(x *draft[*duel[relief]], _ *rand.Rand) {
	best, most := relief{}, 0
	for _, one := range x.View.reserved() {
		f := x.View.formationNamed(one.formation)
		if n := x.View.assault(slices.Clone(f.Units), one.chargeOffer); n > most {
			best, most = relief{formation: one.formation, charge: one.target}, n
		}
	}
	x.Try("reinforce", best)
}
