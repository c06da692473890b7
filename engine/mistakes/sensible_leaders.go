package mistakes

import (
	"math/rand/v2"
	"slices"

	"berthier/engine/geometry"
)

// What a fair player's leaders do.

// senseAssign gives markers to the generals of whose corps something stands nearest to an enemy, and
// takes leaders out of the enemy's reach.
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
	for l := leaderID(1); int(l) < len(g.Leaders); l++ {
		if x.World.yours(l) && g.inField(l) {
			if o, ok := g.refuge(l); ok {
				x.Try("leaders", o)
			}
		}
	}
}

// How near an enemy may come to a leader, in segments: to one who is attached, whom nobody rides
// down, and to one who is free. What is gained by less than a way worth going is no refuge.
const (
	nearAttached = 5
	nearFree     = 8
	leastRefuge  = 10_000
)

// refuge is where a leader goes whom the enemy might reach: to a unit, or to a place of his own,
// whichever is farther from any enemy; false if he is safe where he is, or no better off elsewhere.
func (g *game) refuge(l leaderID) (posting, bool) {
	own, seg := g.lead(l).army, int64(g.segment())
	safety := func(at geometry.Point, attached bool) int64 {
		d := g.farFrom(own, at)
		if attached {
			d += (nearFree - nearAttached) * seg
		}
		return d
	}
	at, with := g.whereIs(l), g.Leaders[l].Attached
	most := safety(at, with != 0)
	if most >= nearFree*seg {
		return posting{}, false
	}
	most += leastRefuge
	best, found := posting{}, false
	for _, u := range g.standing() {
		to := geometry.Point(g.Units[u].At)
		if u == with || g.attachFault(l, u) != nil || slices.ContainsFunc(g.of(u).Units, g.engaged) {
			continue
		}
		if d := safety(to, true); d > most {
			best, most, found = posting{leader: l, does: attaches, to: u}, d, true
		}
	}
	does := goes
	if with != 0 {
		does = detaches
	}
	for h := geometry.Heading(0); h < 360; h += 45 {
		to := at.Plus(geometry.Step(h, leaderReach*seg-ringStep))
		to = geometry.Point{X: to.X / ringStep * ringStep, Y: to.Y / ringStep * ringStep}
		if d := safety(to, false); d > most && g.moveFault(l, to) == nil {
			best, most, found = posting{leader: l, does: does, at: place(to)}, d, true
		}
	}
	return best, found
}

// escorts says whether a formation has a commander-in-chief with it and an enemy near: it goes no nearer, since his loss
// ends the game.
func (p *plan) escorts(f *formation) bool {
	l, near := p.game.attachedTo(f), nearFree*int64(p.game.segment())
	return l != 0 && p.game.lead(l).role == commander && p.game.nearestEnemy(f.Units[0]) < near*near
}

// farFrom is how far a point is from the nearest enemy of an army who might ride a leader down.
func (g *game) farFrom(a army, at geometry.Point) int64 {
	least := int64(geometry.Limit) * geometry.Limit
	for _, e := range g.standing() {
		if d := g.def(e); !d.army.allied(a) && !d.garrison() && d.arm != artillery {
			least = min(least, geometry.Dist2(at, geometry.Point(g.Units[e].At)))
		}
	}
	return geometry.Root(least)
}
