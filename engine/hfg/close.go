package hfg

import (
	"slices"

	"berthier/engine/geometry"
)

// Close combat: chapter 13, who fights whom, and who stands on whose flanks. How a phase of it
// goes is in flow_melee.go.

// fronts says whether the front edge of an element that holds no BUA or SP is
// in contact with another's footprint.
func (g *game) fronts(e, other elementID) bool {
	if g.Elements[e].Holds != 0 || !g.mayTouch(e, other) {
		return false // who attacks it touches it with his front
	}
	b, o := g.body(e), g.body(other)
	return frontal(&b, &o)
}

// mayTouch says whether two elements stand near enough for their footprints to touch, by their places
// alone: most pairs of a battle don't.
func (g *game) mayTouch(a, b elementID) bool {
	x, y := &g.Elements[a], &g.Elements[b]
	if x.Holds != 0 || y.Holds != 0 {
		return true
	}
	far := int64(longestBase) * pace
	if troops[g.def(a).troop].class == naval || troops[g.def(b).troop].class == naval {
		far = longestShip * pace
	}
	dx, dy := x.At.X-y.At.X, x.At.Y-y.At.Y
	return dx <= far && dx >= -far && dy <= far && dy >= -far
}

// How far apart the places of two elements can be that touch, in paces: twice from the middle of a
// front to the furthest corner of the deepest base.
const (
	longestBase = 1700
	longestShip = 3100
)

// fronting lists the enemies who have their front in contact with an element.
func (g *game) fronting(e elementID) []elementID {
	var all []elementID
	for _, o := range g.standing() {
		if g.enemies(e, o) && g.fronts(o, e) {
			all = append(all, o)
		}
	}
	return all
}

// fronted says whether an element is in frontal contact with an enemy: its own front touches
// him, or he attacks the edge that it defends (HFG-1.5).
func (g *game) fronted(e elementID) bool {
	return g.frontedBut(e, func(elementID) bool { return false })
}

// frontedBut says whether an element is in frontal contact with an enemy who is none of some.
func (g *game) frontedBut(e elementID, some func(elementID) bool) bool {
	if g.Elements[e].Holds != 0 {
		return slices.ContainsFunc(g.fronting(e), func(o elementID) bool { return !some(o) })
	}
	return slices.ContainsFunc(g.standing(), func(o elementID) bool { return g.enemies(e, o) && g.fronts(e, o) && !some(o) })
}

// touchedSide is the side of an element along which an enemy's front lies.
func (g *game) touchedSide(e, by elementID) geometry.Flank {
	b, o := g.body(e), g.body(by)
	return sideMet(&o, &b)
}

// onFlanks lists the enemies who have their front on a flank or the rear of an element (HFG-13.2). Staff among
// them are a contact like others, but no tactical factor (HFG-13.4).
func (g *game) onFlanks(e elementID) []elementID {
	if g.Elements[e].Holds != 0 {
		return nil
	}
	return slices.DeleteFunc(g.fronting(e), func(o elementID) bool { return g.touchedSide(e, o) == geometry.Front })
}

// overlapped counts the flanks of an element that enemies overlap: each once at most, and
// none that an enemy touches with his front (HFG-13.3, HFG-13.4).
func (g *game) overlapped(e elementID) int {
	if e == 0 || g.Elements[e].Holds != 0 || g.worksIn(e) == redoubt {
		return 0
	}
	n := 0
	for _, side := range []geometry.Flank{geometry.Left, geometry.Right} {
		if slices.ContainsFunc(g.onFlanks(e), func(o elementID) bool { return g.touchedSide(e, o) == side }) {
			continue
		}
		if slices.ContainsFunc(g.standing(), func(o elementID) bool { return g.enemies(e, o) && g.overlapsOn(o, e, side) }) {
			n++
		}
	}
	return n
}

// overlapsOn says whether an element overlaps one flank of an enemy (HFG-13.3).
func (g *game) overlapsOn(o, e elementID, side geometry.Flank) bool {
	if g.class(o) == staff {
		return false
	}
	b, x := g.body(e), g.body(o)
	corner := b.Corner[0]
	if side == geometry.Right {
		corner = b.Corner[1]
	}
	if g.Elements[o].Holds != 0 { // an SP or a BUA beside its front
		return beyond(&x, &b, side) && slices.ContainsFunc(x.Corner[:], func(p point) bool { return coincide(p, corner) })
	}
	if x.Heading != b.Heading.Plus(180) {
		return false
	}
	mine := x.Corner[0] // left on left, right on right
	if side == geometry.Right {
		mine = x.Corner[1]
	}
	if coincide(mine, corner) {
		return !g.nearPartEngaged(o, e, side)
	}
	return alongside(&b, &x, side) >= leastFront && cornersMeet(&b, &x, side)
}

// cornersMeet says whether an end of a flank of a body coincides with an end of the same flank
// of another, which looks the other way.
func cornersMeet(b, o *geometry.Body, side geometry.Flank) bool {
	for _, p := range sideOf(b, side) {
		for _, q := range sideOf(o, side) {
			if coincide(p, q) {
				return true
			}
		}
	}
	return false
}

// nearPartEngaged says whether that end of an overlapper's front which is next to the enemy
// whom it overlaps is in contact with another enemy (HFG-13.3).
func (g *game) nearPartEngaged(o, e elementID, side geometry.Flank) bool {
	x := g.body(o)
	for _, f := range g.standing() {
		if f == e || !g.enemies(o, f) {
			continue
		}
		y := g.body(f)
		t, ok := geometry.Touch(&x, &y, geometry.Front, slack)
		if !ok || t.U1-t.U0 < leastFront {
			continue
		}
		if side == geometry.Left && t.U0 <= x.U0+leastFront || side == geometry.Right && t.U1 >= x.U1-leastFront {
			return true
		}
	}
	return false
}

// A duel is a pair that is in close combat: A's front touches B (HFG-13.8).
type duel struct {
	A      elementID `pos:"a,required"`
	B      elementID `pos:"b"`
	Bridge string    `pos:"bridge,name"` // instead of B
}

// duels lists the pairs in close combat, in the order of the elements' list (HFG-13.1,
// HFG-13.2, HFG-13.5, HFG-R56).
func (g *game) duels() []duel {
	var all []duel
	for _, a := range g.standing() {
		if g.Elements[a].Holds != 0 {
			continue
		}
		for _, b := range g.standing() {
			if g.enemies(a, b) && g.fronts(a, b) && g.fightsWith(a, b) && !slices.Contains(all, duel{A: b, B: a}) {
				all = append(all, duel{A: a, B: b})
			}
		}
		if id := g.Elements[a].Task.Bridge; id != "" && g.wrecks(a, id) && !g.fights(a) {
			all = append(all, duel{A: a, Bridge: id})
		}
	}
	return all
}

// fightsWith says whether an element whose front touches an enemy fights him, or is only a
// tactical factor (HFG-13.1, HFG-13.2).
func (g *game) fightsWith(a, b elementID) bool {
	if g.Elements[b].Holds != 0 || g.touchedSide(b, a) == geometry.Front {
		return true
	}
	if g.fronted(b) {
		return false
	}
	for _, o := range g.fronting(b) { // the first who touches it fights it
		if g.Elements[o].Holds == 0 {
			return o == a
		}
	}
	return false
}

// wrecks says whether an element can be in close combat against a bridge: ships, foot and dismounted in
// contact with it (HFG-10.7).
func (g *game) wrecks(e elementID, id string) bool {
	c := g.class(e)
	return (c == naval || c == foot || c == dismounted) && g.atBridge(e, id)
}

// atBridge says whether an element is in contact with a bridge, so that it can destroy it by staying
// there (HFG-10.7).
func (g *game) atBridge(e elementID, id string) bool {
	if !slices.ContainsFunc(g.Bridges, func(b bridge) bool { return b.ID == id }) {
		return false
	}
	b, o := g.body(e), g.span(id)
	return touch(&b, &o)
}

// footing is the worst ground under an element that fights; who holds a BUA or SP has slow
// going about it, in a BUA on fire difficult going (HFG-4.14, HFG-4.17, HFG-4.19).
func (g *game) footing(e elementID) going {
	if held := g.Elements[e].Holds; held != 0 {
		return g.goingOf(held)
	}
	b := g.body(e)
	return g.worst(&b)
}

// inBUA says whether an element stands inside a BUA, or holds one.
func (g *game) inBUA(e elementID) bool {
	x := &g.Elements[e]
	if x.Holds != 0 {
		return g.area(x.Holds).kind == bua
	}
	return x.Inside != 0 || g.inKind(e, bua)
}

// inWood says whether an element stands in a wood.
func (g *game) inWood(e elementID) bool { return g.Elements[e].Holds == 0 && g.inKind(e, wood) }

// inKind says whether an element stands in an area of a kind.
func (g *game) inKind(e elementID, kind ground) bool {
	b := g.body(e)
	for a := areaID(1); int(a) <= len(g.areas); a++ {
		if g.area(a).kind == kind && g.stands(&b, a) {
			return true
		}
	}
	return false
}

// passedBy says whether mounted that have passed through artillery still stand behind it
// (HFG-15.7, HFG-R65).
func (g *game) passedBy(e elementID) bool {
	x := &g.Elements[e]
	return x.Blocked && slices.ContainsFunc(g.standing(), func(o elementID) bool {
		return (len(x.Passers) == 0 || slices.Contains(x.Passers, o)) && g.ridesBehind(o, e) && !g.unknown(e, o)
	})
}

// ridesBehind says whether mounted stand behind artillery of the enemy, near enough to hold it (HFG-R65).
func (g *game) ridesBehind(o, guns elementID) bool {
	if !g.on(o) || !g.enemies(guns, o) || g.class(o) != mounted {
		return false
	}
	b, x := g.body(guns), g.body(o)
	a := areaOf(&x)
	return behind(&b, &a, behindReach*pace)
}

// freesGuns takes the mark off artillery behind which none of those any more stand who have passed through it: only
// while they stay there is it held (HFG-15.7).
func (g *game) freesGuns() {
	for _, e := range g.standing() {
		x := &g.Elements[e]
		if len(x.Passers) == 0 {
			continue
		}
		x.Passers = slices.DeleteFunc(slices.Clone(x.Passers), func(o elementID) bool { return !g.ridesBehind(o, e) })
		x.Blocked = len(x.Passers) > 0
	}
}

// behindReach is how far behind passed artillery mounted still hold it (HFG-R65).
const behindReach = 800
