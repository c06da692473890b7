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

// senseOrders keeps moving what has somewhere to go, rallies, and then sets in motion what stands
// nearest to an enemy and has somewhere to go; guns alone stay where they are.
func senseOrders(x *draft[*ordered], _ *rand.Rand) {
	w := x.World
	useful := map[string]bool{}
	for i := range w.Formations {
		if f := &w.Formations[i]; f.Orange == 0 {
			useful[f.ID] = w.useful(f)
		}
	}
	for _, does := range []verb{keepsMoving, rallies, setsInMotion} {
		var all []order
		for o := range w.next {
			if f := w.formationNamed(o.of); o.does == does && f != nil && (does == rallies || useful[f.ID]) {
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

// useful says whether a formation that moves would have something to do: an enemy whom it may come
// to charge, or a way.
func (g *game) useful(f *formation) bool {
	if g.onlyGuns(f.Units) || slices.ContainsFunc(f.Units, g.engaged) {
		return false
	}
	far := int64(g.factor(f.Units))*int64(g.segment()) + int64(g.measures.tile)
	if g.nearestEnemy(f.Units[0]) <= far*far {
		return true
	}
	_, ok := g.toward(f)
	return ok
}

// senseMoves charges with each formation whom it may charge with the best balance, if that is good
// enough; else it goes where it is wanted.
func senseMoves(x *draft[*moving], _ *rand.Rand) {
	w := x.World
	for _, id := range w.ready() {
		f := w.board.formationNamed(id)
		if f == nil || w.board.readyFault(f) != nil {
			continue
		}
		closer, further := w.board.toward(f)
		if best := w.board.bestCharge(id, f.Units); best != 0 &&
			x.Try("", move{Of: id, First: step{Does: charging, Target: best}, Else: closer}) {
			continue
		}
		if further {
			x.Try("", move{Of: id, First: closer})
		}
	}
}

// What a charge must promise: who is beaten by 2 backs off, and his column with him. Whoever is
// behind must dare more. A garrison never strikes back at who has left it, is worn down by the
// number of those who attack, and counts for as much as three units.
const (
	enough = 2
	daring = 1
	siege  = 7
)

// bestCharge gives whom a formation had best charge; 0 if no charge is worth it.
func (g *game) bestCharge(id string, units []unitID) unitID {
	least := daring
	if g.leads(g.def(units[0]).army) {
		least = enough
	}
	best, most := unitID(0), least-1
	for _, one := range g.chargesOf(units) {
		n := g.balance(move{Of: id, First: step{Does: charging, Target: one.target}})
		if g.def(one.target).garrison() {
			n += siege
		}
		if n > most {
			best, most = one.target, n
		}
	}
	return best
}

// leads says whether the side of an army has won if the game ends now.
func (g *game) leads(a army) bool {
	won := g.winner()
	return won != noArmy && won.allied(a)
}

// Where formations go: how many per cent of the true distance each kind of place counts, and from
// how far an enemy draws those who lead out of their place.
const (
	pullTown     = 60
	pullGarrison = 35
	lured        = 5 // segments
	leastWay     = 10_000
)

// goal is where a formation is wanted: at a town that counts for the enemy, if no other foot of its
// army stands nearer; at one that counts for its own; at a garrison or another enemy. Whoever leads
// waits until an enemy is near.
func (g *game) goal(f *formation) (geometry.Point, bool) {
	a, at := g.army(f.Corps), geometry.Point(g.Units[f.Units[0]].At)
	foot := g.def(f.Units[0]).arm == infantry
	waits := g.leads(a)
	best, least := geometry.Point{}, int64(-1)
	offer := func(to geometry.Point, share int64) {
		if d := geometry.Dist(at, to) * share / 100; least < 0 || d < least {
			best, least = to, d
		}
	}
	for _, o := range g.objectives {
		if !foot || !g.counts(o) {
			continue
		}
		switch mine := o.army.allied(a) && !o.garrison; {
		case !mine && g.keeper(o.town, a) == f.ID:
			return g.middle(o.town), !g.touching(o.town, a.allied, false)
		case mine && !waits:
			offer(g.middle(o.town), pullTown)
		}
	}
	for _, e := range g.standing() {
		to := geometry.Point(g.Units[e].At)
		switch {
		case !g.enemies(f.Units[0], e) || g.def(e).garrison() && !foot || waits && geometry.Dist(at, to) > lured*int64(g.segment()):
		case g.def(e).garrison():
			offer(to, pullGarrison)
		default:
			offer(to, 100)
		}
	}
	return best, least >= 0
}

// counts says whether a town is worth standing in: in the whole battle those that no garrison holds
// (EM-17.2), in the short game those that none holds any more (EM-18.2).
func (g *game) counts(o objectiveDef) bool {
	switch g.length().scoring {
	case scoreFree:
		return false
	case scoreShort:
		u, ok := g.unitNamed(g.area(o.town).id)
		return o.garrison && !(ok && g.on(u))
	}
	return !o.garrison
}

// keeper is the formation of foot of an army that stands nearest to a town.
func (g *game) keeper(town areaID, a army) string {
	name, least := "", int64(-1)
	for i := range g.Formations {
		f := &g.Formations[i]
		if d := geometry.Dist2(geometry.Point(g.Units[f.Units[0]].At), g.middle(town)); g.army(f.Corps) == a &&
			g.def(f.Units[0]).arm == infantry && (least < 0 || d < least) {
			name, least = f.ID, d
		}
	}
	return name
}

// toward is the advance that brings a formation nearest to where it is wanted: straight to it, or
// with another wheel if something stands in the way; false if none is worth it.
func (g *game) toward(f *formation) (step, bool) {
	to, ok := g.goal(f)
	if !ok || g.onlyGuns(f.Units) || slices.ContainsFunc(f.Units, g.engaged) {
		return step{}, false
	}
	from, most := geometry.Point(g.Units[f.Units[0]].At), g.wheelMost()
	straight := int(bearing(from, to).Plus(180-int(g.heading(f)))) - 180 // from -180 to 179
	turns := []int{min(max(straight, -most), most), 0}
	for d := 15; d <= most; d += 15 {
		turns = append(turns, d, -d)
	}
	c, ok := g.hitched(f.Units)
	if !ok {
		return step{}, false
	}
	far := int64(c.advanceFactor(f.Units)) * int64(c.segment())
	left, right := c.pivot(f.Units, true), c.pivot(f.Units, false)
	best, least := step{}, geometry.Dist(from, to)-leastWay
	for _, turn := range turns {
		at := c.frame(f.Units[0])
		switch {
		case turn < 0:
			at = at.Turned(left, turn)
		case turn > 0:
			at = at.Turned(right, turn)
		}
		if geometry.DistSegment(to, at.At, at.At.Plus(geometry.Step(at.Heading, far)))-roundings >= least {
			continue // not the whole way that there is leads nearer
		}
		o := c.look(&manoeuvre{Units: f.Units, Does: advancing, Turn: turn, Far: asFarAsItGoes})
		if !o.moves {
			continue
		}
		if d := geometry.Dist(o.bodies[0].At.Plus(geometry.Step(o.heading, o.far)), to); d < least {
			best, least = step{Does: advancing, Turns: byWheel, Turn: turn}, d
		}
	}
	return best, best.Does != 0
}

// balance is how much better the modifiers of a charge are than those of its target, all who may
// support it supporting, each of whom rolls for losses of the other side besides; a gun that is
// ridden down is worth most.
func (g *game) balance(m move) int {
	target := m.First.Target
	if g.def(target).arm == artillery {
		return 9
	}
	units := g.unitsOf(m)
	c := g.trial()
	c.tries(m)
	best := -9
	for _, u := range units {
		if !c.byFront(u, target) {
			continue
		}
		one := &melee{Attacker: u, Defender: target, Charged: true, Charge: c.segment()}
		if first, second, ok := c.struck(target, u); ok && first == second {
			one.strike(first)
		}
		c.Combat = &combat{Attacker: u, Defender: target, Step: attack, Melee: one}
		one.Support = [2][]unitID{c.mayBack(0), c.mayBack(1)}
		best = max(best, sum(c.meleeModifiers(0))-sum(c.meleeModifiers(1))+len(one.Support[0])-len(one.Support[1]))
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
