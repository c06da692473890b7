package hfg

import (
	"slices"

	"berthier/engine/geometry"
)

// How a fair player spares his troops: he keeps them out of muskets, and against an enemy who doesn't keep his
// line has his guns work alone for longer, and keeps others out of the fire of held places. After some
// hours he spares them no longer.

// waitsForGuns says whether an attacker lets his guns do their work before he goes near: in the first pairs, and
// against a loose enemy for some more while he has lost no more than a thirtieth, as long as he knows of several
// guns of the enemy.
func (a *attack) waitsForGuns() bool {
	guns := 0
	for _, o := range a.foes {
		if a.board.class(o) == artillery {
			guns++
		}
	}
	g, own := a.board, a.board.tollOn(a.v.of)
	return a.v.of == g.attacker() && guns > fewGuns && (g.pair() <= cannonade || a.loose && g.pair() <= longest && 30*own.lost <= own.original)
}

// facesLoose says whether the seat's enemy doesn't keep his line: one of those in the open, and on no road, looks
// askew. Such an enemy seldom comes on or shoots together, so there is time to spare one's own.
func (w *turnWorld) facesLoose() bool {
	g := w.board
	return slices.ContainsFunc(w.foes(), func(o elementID) bool {
		return g.Elements[o].Holds == 0 && g.Elements[o].Spirit == steady && g.class(o) != staff && g.Elements[o].Facing%90 != 0 && !g.onRoad(o)
	})
}

// hunts says whether the seat's side goes for a loose enemy in the open, even if it defends: he won't come in order.
func (a *attack) hunts() bool { return a.loose && a.board.pair() >= hunts }

// risksAll says whether the seat's side risks everything against a loose enemy: its guns have had their time. A battle
// that only stands well at sunset is a draw all the same (HFG-17.7).
func (a *attack) risksAll() bool { return a.loose && a.board.pair() >= daring }

// shuns is how near to an enemy an element doesn't go of its own; 0: as near as it likes. Nobody goes near to
// muskets of enemies who are too strong, but for foot where everything is risked. Horse and guns keep out of the fire of
// places that a loose enemy holds besides, which reaches horse from farther than that of troops in the open.
func (a *attack) shuns(e, enemy elementID) int {
	g := a.board
	if g.class(e) == foot && a.risksAll() {
		return 0
	}
	if g.class(enemy) != foot || g.Elements[enemy].Spirit != steady || a.weak[enemy] && (!a.loose || g.class(e) == foot || g.Elements[enemy].Holds == 0) {
		return 0
	}
	return outOfFire - leastStep
}

// exposed says whether an element that goes somewhere comes under muskets that it shuns.
func (a *attack) exposed(e elementID, to *geometry.Body) bool {
	g := a.board
	now := g.body(e)
	return slices.ContainsFunc(a.foes, func(o elementID) bool {
		b, shuns := g.body(o), a.shuns(e, o)
		far := between(to, &b)
		return shuns > 0 && within(far, shuns) && far < between(&now, &b)
	})
}

// retires takes those who stand in the fire of a place that a loose enemy holds out of it.
func (a *attack) retires(mine []elementID) {
	g := a.board
	if !a.loose {
		return
	}
	for _, e := range mine {
		if g.pips(g.command(e)) <= 0 || g.moveFault(e, tactical) != nil {
			continue
		}
		b := g.body(e)
		for _, o := range a.foes {
			there := g.body(o)
			far := between(&b, &there)
			if g.Elements[o].Holds == 0 || g.class(o) != foot || !within(far, outOfFire-leastStep) {
				continue
			}
			a.swerves(e, geometry.Toward(centre(&there), b.At), int64(outOfFire)*pace-far, a.front(e, o))
			break
		}
	}
}

// swerves moves one element some way, as far as it gets, or past who bars that way. If the enemy is loose it goes even
// along him, and only where it gets half as far as it could: small steps use up the PIPs of a side that has time to go
// round.
func (a *attack) swerves(e elementID, way geometry.Heading, far int64, front geometry.Heading) bool {
	b := a.board.body(e)
	ways := fan
	if !a.loose {
		ways = fan[:straighter]
	}
	return slices.ContainsFunc(ways, func(aside int) bool {
		on := geometry.Heading((int(way) + aside + 360) % 360)
		return a.goes(e, b.At.Plus(geometry.Step(on, far)), front, a.loose)
	})
}
