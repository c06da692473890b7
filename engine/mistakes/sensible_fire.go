package mistakes

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"berthier/engine/geometry"
)

// What a fair player's guns do.

// senseFire has each gun fire where its fire promises most, with all who support it for nothing.
func senseFire(x *draft[*salvo], _ *rand.Rand) {
	w := x.World
	p := planOf(w.board)
	for _, gun := range w.guns() {
		best, most := volley{}, 0
		for _, target := range w.targets(gun) {
			if p.saves(gun) && !p.wanted(target) || p.early(target) {
				continue
			}
			help := slices.DeleteFunc(w.helpers(gun, target), func(u unitID) bool { return !w.board.free(u, gun) })
			if n := w.board.barrage(gun, target, len(help)); n > most {
				best, most = volley{gun: gun, target: target, support: setOf(help)}, n
			}
		}
		if best.gun != 0 {
			x.Try("", best)
		}
	}
}

// saves says whether a gun had better not fire but at who keeps friends out of a town, since a gun with smoke can't turn to him
// (EM-15.5).
func (p *plan) saves(gun unitID) bool {
	f := p.game.of(gun)
	return f != nil && p.storms(p.game.def(gun).army) && p.game.onlyGuns(f.Units) && f.Orange == 0 && !f.Green && p.besets(gun)
}

// wanted says whether who storms has his guns fire at an enemy: a garrison, or one who bars a town whose garrison is gone.
func (p *plan) wanted(e unitID) bool { return p.game.def(e).garrison() || p.bars(e) }

// besets says whether a gun that stands at its place has such an enemy within its reach.
func (p *plan) besets(gun unitID) bool {
	g, reach := p.game, int64(p.game.measures.fireLength)
	return slices.ContainsFunc(g.standing(), func(e unitID) bool {
		return g.enemies(gun, e) && geometry.Dist2(geometry.Point(g.Units[gun].At), geometry.Point(g.Units[e].At)) <= reach*reach && p.wanted(e)
	})
}

// barrage is what the fire of a gun on a target promises, in 216th parts of a point of victory: the
// losses over all throws of two dice. Who backs off has suffered a little, too.
func (g *game) barrage(gun, target unitID, supporters int) int {
	bonus, n := sum(g.fireModifiers(gun, target, supporters)), 0
	for natural := 2; natural <= 12; natural++ {
		weight := 6 - max(natural-7, 7-natural)
		switch fireEffect(natural, bonus) { // in thirds of a loss
		case fireDamage:
			n += weight
		case fireHeavy:
			n += weight * 2
		case fireRetreat:
			n += weight * 5
		}
	}
	return 2 * n * g.stake(target) / g.left(target)
}

// aim is the order that turns guns to a target that have none: those of a formation of guns alone,
// one of which turns, with the others beside it. Who saves his fire turns to nobody else.
func (w *ordered) aim(f *formation) (order, bool) {
	pivots := []unitID{w.game.pivotGun(f)}
	p := planOf(w.game)
	siege := p.saves(pivots[0])
	if !p.idleGuns(f, siege) {
		return order{}, false
	}
	if siege {
		pivots = f.Units
	}
	best, most := order{}, 0
	for _, pivot := range pivots {
		at := geometry.Point(w.game.Units[pivot].At)
		for _, e := range w.game.standing() {
			to := geometry.Point(w.game.Units[e].At)
			reach := int64(w.game.measures.fireLength)
			if !w.game.enemies(pivot, e) || geometry.Dist2(at, to) > reach*reach || siege && !p.wanted(e) {
				continue
			}
			turn := w.game.turnFrom([]unitID{pivot}, int(bearing(at, to)))
			o := order{does: redeploys, by: w.game.generalOf(f.Corps), of: f.ID, anew: w.game.turnedGuns(f, pivot, turn)}
			c := w.game.trial()
			c.Units[pivot].Heading = int(geometry.Heading(c.Units[pivot].Heading).Plus(turn))
			n := c.barrage(pivot, e, len(f.Units)-1)
			if n > most && slices.Contains(c.targets(pivot), e) && w.fault(o) == nil {
				best, most = o, n
			}
		}
	}
	return best, most > 0
}

// idleGuns says whether a formation is of guns alone, all of which could fire and see no target; or none for
// which they save their fire, if they do.
func (p *plan) idleGuns(f *formation, siege bool) bool {
	g := p.game
	return f.Orange == 0 && !f.Green && !slices.ContainsFunc(f.Units, func(u unitID) bool {
		return !g.gunner(u) || !g.fires(u) || slices.ContainsFunc(g.targets(u), func(e unitID) bool { return !siege || p.wanted(e) })
	})
}

// pivotGun is the gun of a formation about which the others turn: the one that most of them touch.
func (g *game) pivotGun(f *formation) unitID {
	best, most := f.Units[0], -1
	for _, u := range f.Units {
		n := 0
		for _, v := range f.Units {
			if u != v && g.contact(u, v) {
				n++
			}
		}
		if n > most {
			best, most = u, n
		}
	}
	return best
}

// turnedGuns is the redeployment in which one gun of a formation turns, and the others go beside it in a row, each
// on the side on which it stands.
func (g *game) turnedGuns(f *formation, pivot unitID, turn int) *redeployment {
	d := &redeployment{spots: []spot{{of: f.ID, unit: pivot, turned: true, turn: turn}}}
	frame := g.frame(pivot)
	along := func(u unitID) int64 { return frame.Local(geometry.Point(g.Units[u].At)).X }
	others := slices.DeleteFunc(slices.Clone(f.Units), func(u unitID) bool { return u == pivot })
	slices.SortStableFunc(others, func(a, b unitID) int {
		return cmp.Compare(max(along(a), -along(a)), max(along(b), -along(b)))
	})
	left, right := pivot, pivot
	for _, u := range others {
		s := spot{of: f.ID, unit: u, by: rightOf, next: right}
		if along(u) < 0 {
			s.by, s.next, left = leftOf, left, u
		} else {
			right = u
		}
		d.spots = append(d.spots, s)
	}
	g.inOrder(d)
	return d
}
