package waterloo

import "slices"

// Retreats (WAT-9.37, WAT-10.8) and what a defeated defender may choose.

// retreats lists the squares into which a unit may retreat from attackers in some
// squares: rear, left, right, front, in the order of the default. It may retreat to the
// front only if no attacker stood there, or out of a chateau (WAT-R23).
func (g *game) retreats(id unitID, from []square) []square {
	u := g.unit(id)
	sides := []facing{u.Face.back(), u.Face.turned(-1), u.Face.turned(1)}
	if g.allRound(id) || !slices.ContainsFunc(from, func(q square) bool { return g.bearing(id, q) == 1 }) {
		sides = append(sides, u.Face)
	}
	var list []square
	for _, side := range sides {
		if q := g.next(u.At, side); q != 0 && !g.edgeOf(u.At, side).has(pond) && g.unitAt(q) == 0 {
			list = append(list, q)
		}
	}
	return list
}

// whole tells whether a unit can still be reduced: a unit that is reduced already, or that
// has no reduced side, can't (WAT-9.36).
func (g *game) whole(id unitID) bool { return !g.Units[id].Reduced && g.def(id).reduced > 0 }

// A loss is one way in which a defeated defender can take its defeat
// (WAT-9.32, WAT-9.33, WAT-10.4).
type loss struct {
	cdp     int8   // chateau destruction points spent
	reduces int8   // reductions suffered
	to      square // of a retreat; none if there is no retreat
	face    facing // after the retreat; none: as before
}

// crushed tells whether the defender has lost to more than twice its total
// (WAT-9.33).
func (b *battleFrame) crushed() bool { return b.Attack.Total > 2*b.Defence.Total }

// absorbing is how many chateau destruction points the defender could spend.
func (g *game) absorbing(b *battleFrame) int {
	if c, in := g.chateauAt(b.Square); in && g.allRound(b.Target) {
		return int(g.CDP[c])
	}
	return 0
}

// losses lists all ways in which a battle's defender may take its defeat, with
// the facing left open; there is always at least one. The first is the default, see
// [game.usualLoss].
func (g *game) losses(b *battleFrame) []loss {
	var from []square
	for _, id := range b.still() {
		from = append(from, g.unit(id).At)
	}
	squares := g.retreats(b.Target, from)
	cdp := g.absorbing(b)
	var list []loss
	if !b.crushed() {
		if cdp > 0 {
			list = append(list, loss{cdp: 1})
		}
		for _, q := range squares {
			list = append(list, loss{to: q})
		}
		return append(list, loss{reduces: 1})
	}
	if cdp > 1 {
		list = append(list, loss{cdp: 2})
	}
	if cdp > 0 {
		list = append(list, loss{cdp: 1, reduces: 1})
		for _, q := range squares {
			list = append(list, loss{cdp: 1, to: q})
		}
	}
	switch {
	case !g.whole(b.Target):
		list = append(list, loss{reduces: 1})
	case len(squares) == 0:
		list = append(list, loss{reduces: 2}) // WAT-R24
	default:
		for _, q := range squares {
			list = append(list, loss{reduces: 1, to: q})
		}
	}
	return list
}

// usualLoss is how a defeat is taken at a deadline (WAT-S8): first chateau destruction
// points, as far as they go; of two effects a single point absorbs the retreat if the
// unit can still be reduced, or else the reduction; then a retreat; then a reduction.
func (g *game) usualLoss(b *battleFrame) loss {
	list := g.losses(b)
	if b.crushed() && list[0].cdp == 1 && !g.whole(b.Target) {
		for _, l := range list {
			if l.cdp == 1 && l.to != 0 {
				return l
			}
		}
	}
	return list[0]
}
