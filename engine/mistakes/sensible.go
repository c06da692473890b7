package mistakes

import (
	"math/rand/v2"
	"slices"

	"berthier/engine/geometry"
)

// Answers of a fair player, who looks at nothing but the view: he brings his corps to the enemy,
// charges where the modifiers are with him, and spends what is left on what moves.

// senseBid bids a third of the draw.
func senseBid(x *draft[*bids], _ *rand.Rand) {
	for _, a := range x.World.armies {
		low, high := x.View.bidRange(a)
		x.Try("bid", armyBid{a, max(low, high/3)})
	}
}

// senseAssign gives markers to the generals of whose corps something stands nearest to an enemy.
func senseAssign(x *draft[*staff], _ *rand.Rand) {
	g := x.World.board
	var all []leaderID
	for l := leaderID(1); int(l) < len(g.Leaders); l++ {
		if x.World.yours(l) && g.lead(l).role == general && g.inField(l) && g.Leaders[l].Markers < boxMost {
			all = append(all, l)
		}
	}
	near := func(l leaderID) int64 {
		least := int64(geometry.Limit) * geometry.Limit
		for i := range g.Formations {
			if f := &g.Formations[i]; f.Corps == g.lead(l).corps {
				least = min(least, g.nearestEnemy(f.Units[0]))
			}
		}
		return least
	}
	slices.SortStableFunc(all, func(a, b leaderID) int {
		if near(a) < near(b) {
			return -1
		}
		return 1
	})
	for _, l := range all {
		for n := min(assignMost, boxMost-g.Leaders[l].Markers); n > 0; n-- {
			if x.Try("assign", grant{l, n}) {
				break
			}
		}
	}
}

// senseOrders keeps moving what moves, then sets in motion what stands nearest to an enemy, then
// rallies; guns alone stay where they are.
func senseOrders(x *draft[*ordered], _ *rand.Rand) {
	w := x.World
	for _, does := range []verb{keepsMoving, setsInMotion, rallies} {
		var all []order
		for o := range w.next {
			if f := w.formationNamed(o.of); o.does == does && f != nil && !(does == setsInMotion && (w.onlyGuns(f.Units) || w.crowded(f))) {
				all = append(all, w.whole(o))
			}
		}
		slices.SortStableFunc(all, func(a, b order) int {
			if w.nearestEnemy(w.formationNamed(a.of).Units[0]) < w.nearestEnemy(w.formationNamed(b.of).Units[0]) {
				return -1
			}
			return 1
		})
		for _, o := range all {
			x.Try("", o)
		}
	}
}

// crowded says whether a formation that is set in motion would stand before an enemy at once, where
// it can't but charge, and has no charge.
func (g *game) crowded(f *formation) bool {
	return slices.ContainsFunc(f.Units, func(u unitID) bool {
		return slices.ContainsFunc(g.standing(), func(e unitID) bool { return g.enemies(u, e) && g.contact(u, e) })
	})
}

// senseMoves charges with each formation whom it may charge with the best balance, if that is good
// enough; else it goes towards the nearest enemy, as far as his engagement area.
func senseMoves(x *draft[*moving], _ *rand.Rand) {
	w := x.World
	for _, id := range w.ready() {
		f := w.board.formationNamed(id)
		if f == nil || w.board.readyFault(f) != nil {
			continue
		}
		closer := step{Does: advancing}
		if to := w.board.goal(f.Units[0]); to != "" {
			closer = step{Does: advancing, Turns: byTarget, To: to}
		}
		best, most := unitID(0), enough-1
		for _, one := range w.charges(id) {
			n := w.balance(move{Of: id, First: step{Does: charging, Target: one.target}})
			if w.board.def(one.target).garrison() {
				n += siege
			}
			if n > most {
				best, most = one.target, n
			}
		}
		if best != 0 && x.Try("", move{Of: id, First: step{Does: charging, Target: best}, Else: closer}) {
			continue
		}
		if w.board.onlyGuns(f.Units) || slices.ContainsFunc(f.Units, w.board.engaged) {
			continue
		}
		x.Try("", move{Of: id, First: closer})
	}
}

// enough is the least balance of modifiers with which a charge is worth it: who is beaten by 2 backs
// off, and his column with him.
const enough = 2

// siege is how much worse the modifiers may be against a garrison, which never strikes back at who
// has left it, and counts for as much as three units.
const siege = 2

// goal is where a unit goes: to the nearest enemy; infantry to the nearest garrison that is not
// twice as far.
func (g *game) goal(u unitID) string {
	best, least := "", int64(0)
	for _, e := range g.standing() {
		if !g.enemies(u, e) {
			continue
		}
		d := geometry.Dist2(geometry.Point(g.Units[u].At), geometry.Point(g.Units[e].At))
		if g.def(e).garrison() && g.def(u).arm == infantry {
			d /= 4 // of squares
		}
		if best == "" || d < least {
			best, least = g.def(e).id, d // a garrison is called by its town
		}
	}
	return best
}

// balance is how much better the modifiers of a charge are than those of its target, all who may
// support it supporting, each of whom rolls for losses of the other side besides; a gun that is
// ridden down is worth most.
func (w *moving) balance(m move) int {
	g := w.board.trial()
	target := m.First.Target
	if g.def(target).arm == artillery {
		return 9
	}
	units := g.unitsOf(m)
	g.tries(m)
	best := -9
	for _, u := range units {
		if !g.byFront(u, target) {
			continue
		}
		one := &melee{Attacker: u, Defender: target, Charged: true, Charge: g.segment()}
		if first, second, ok := g.struck(target, u); ok && first == second {
			one.strike(first)
		}
		g.Combat = &combat{Attacker: u, Defender: target, Step: attack, Melee: one}
		one.Support = [2][]unitID{g.mayBack(0), g.mayBack(1)}
		best = max(best, sum(g.meleeModifiers(0))-sum(g.meleeModifiers(1))+len(one.Support[0])-len(one.Support[1]))
	}
	return best
}

// senseReroll rolls again where the side is behind by enough to suffer.
func senseReroll(x *draft[*duel[bool]], _ *rand.Rand) {
	i := x.View.inMelee(x.World.army)
	total := func(i int) int { return x.View.Combat.Melee.Dice[i] + sum(x.View.meleeModifiers(i)) }
	x.Try("reroll", total(1-i)-total(i) >= 2)
}

// sensePursue pursues with cavalry first, every sign up.
func sensePursue(x *draft[*duel[hunt]], _ *rand.Rand) { preferPursuit(x, "always") }

// senseReserves brings a formation whose charge has the modifiers with it.
func senseReserves(x *draft[*duel[relief]], _ *rand.Rand) {
	for _, one := range x.View.reserved() {
		if x.View.def(one.target).arm == artillery || x.View.Units[one.target].Yellow > 0 {
			if x.Try("reinforce", relief{formation: one.formation, charge: one.target}) {
				return
			}
		}
	}
	x.Try("reinforce", relief{})
}
