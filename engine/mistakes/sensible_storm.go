package mistakes

import (
	"math/rand/v2"
	"slices"

	"berthier/engine/geometry"
)

// What a fair player does in the short game, in which nothing but two towns and their garrisons counts (EM-18.2).

// takers is how many formations go for a town whose garrison is gone.
const takers = 3

// takes gives the town that a formation goes for, or holds, in the short game: one whose garrison is gone, if it is of the
// formations that are nearest to it of those that can move (EM-18.2).
func (p *plan) takes(f *formation) (areaID, bool) {
	a := p.game.army(f.Corps)
	if !p.storms(a) || p.game.onlyGuns(f.Units) {
		return 0, false
	}
	best, least := areaID(0), int64(-1)
	for _, o := range p.game.objectives {
		if !p.game.counts(o) || p.besieges(f, o.town) {
			continue
		}
		own, nearer := p.fromTown(f, o.town), 0
		for i := range p.game.Formations {
			if x := &p.game.Formations[i]; p.game.army(x.Corps) == a && x.Orange == 0 && !p.game.onlyGuns(x.Units) && p.fromTown(x, o.town) < own && !p.besieges(x, o.town) {
				nearer++
			}
		}
		if nearer < takers && (least < 0 || own < least) {
			best, least = o.town, own
		}
	}
	return best, least >= 0
}

// besieges says whether a garrison of the enemy stands nearer to a formation than a town: it is for that one.
func (p *plan) besieges(f *formation, town areaID) bool {
	far := p.fromTown(f, town)
	return slices.ContainsFunc(p.game.standing(), func(e unitID) bool {
		return p.game.def(e).garrison() && p.game.enemies(f.Units[0], e) && geometry.Dist(geometry.Point(p.game.Units[f.Units[0]].At), geometry.Point(p.game.Units[e].At)) < far
	})
}

// holds says whether a formation stands in a town for which it went, and has it to itself.
func (p *plan) holds(f *formation) bool {
	town, ok := p.takes(f)
	return ok && p.stands(f, town) && !p.game.touching(town, func(b army) bool { return !b.allied(p.game.army(f.Corps)) }, true)
}

// intrudes says whether a unit touches a town that counts.
func (p *plan) intrudes(u unitID) bool {
	b := p.game.body(u)
	return slices.ContainsFunc(p.game.objectives, func(o objectiveDef) bool { return p.game.counts(o) && geometry.On(&b, p.game.outline(o.town), 0) })
}

// bars says whether an enemy keeps others out of a town that counts: his engagement area, in which he stands himself, touches it,
// and none but a charge goes there.
func (p *plan) bars(e unitID) bool {
	area := p.game.engagement(e)
	return slices.ContainsFunc(p.game.objectives, func(o objectiveDef) bool {
		return p.game.counts(o) && geometry.On(&area, p.game.outline(o.town), 0)
	})
}

// fromTown is how far a formation is from the middle of a town.
func (p *plan) fromTown(f *formation, town areaID) int64 {
	return geometry.Dist(geometry.Point(p.game.Units[f.Units[0]].At), p.game.middle(town))
}

// stands says whether a formation touches a town.
func (p *plan) stands(f *formation, town areaID) bool {
	return slices.ContainsFunc(f.Units, func(u unitID) bool {
		b := p.game.body(u)
		return geometry.On(&b, p.game.outline(town), 0)
	})
}

// storms says whether nothing but the garrisons counts for an army: in the short game, in which there is no time to
// wait, for who attacks, though he has all now, and for who defends once he has lost it (EM-18.2).
func (p *plan) storms(a army) bool {
	return p.game.length().scoring == scoreShort && (!p.leads[a] || !p.defends(a))
}

// defends says whether a town with a garrison counts for an army.
func (p *plan) defends(a army) bool {
	return slices.ContainsFunc(p.game.objectives, func(o objectiveDef) bool { return o.garrison && o.army.allied(a) })
}

// How near the foot of a garrison's side stands that comes into its town in one turn, how many units of it make a relief that is to be
// feared, and how many turns before the last one such a garrison is stormed all the same.
const (
	reliefFrom = 130_000
	reliefMost = 2
	lastStorm  = 2
)

// early says whether it is too early to storm a garrison, or to fire at it: as soon as it is gone foot of its own side
// that stands near walks into the town, and only who is there after the last turn counts. An enemy who looks after nothing won't.
func (p *plan) early(e unitID) bool {
	g := p.game
	if !g.def(e).garrison() || g.length().scoring != scoreShort || g.Turn >= g.last()-lastStorm || g.unwary(blue) {
		return false
	}
	n := 0
	for _, u := range g.standing() {
		if d := g.def(u); d.arm == infantry && !d.garrison() && !g.enemies(u, e) && !g.beyond(u, e, reliefFrom) {
			n++
		}
	}
	return n >= reliefMost
}

// astray is by how many degrees who charges a garrison looks aside of it at most.
const astray = 30

// charges says whether units may charge an enemy more or less straight ahead of them after a turn.
func (g *game) charges(units []unitID, e unitID) bool {
	w, ok := g.sweepOf(&manoeuvre{Units: units, Does: charging}, true, e)
	if !ok {
		return false
	}
	straight := g.turnFrom(units, int(bearing(geometry.Point(g.Units[units[0]].At), geometry.Point(g.Units[e].At))))
	for by := 0; by <= astray; by++ {
		for _, turn := range []int{straight - by, straight + by} {
			if max(turn, -turn) <= g.wheelMost() && slices.Contains(w.strikes(turn).units, e) {
				return true
			}
		}
	}
	return false
}

// ousting is what it is worth besides to throw somebody back who bars a town that counts.
const ousting = 3 * onePoint

// senseShelled backs off from fire, but from a town that counts: who storms stands his ground there, unless that would be the
// end of him (EM-12.4).
func senseShelled(x *draft[*stand], _ *rand.Rand) {
	g, u := x.View.game, x.World.target
	p := planOf(g)
	x.Try("", p.storms(g.def(u).army) && p.intrudes(u) && (g.Units[u].Yellow == 0 || g.left(u) > 1))
}
