package hfg

import (
	"slices"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Moves that meet enemies of whom the movers didn't know, or friends: HFG-R91.

// bars says whether an element of whom the movers' seat doesn't know is in the way of a plan: an enemy who would
// be touched or is gone through, a friend whom the plan may not end on or go through.
func (g *game) bars(o elementID, x *plan) bool {
	mover := x.paths[0].element
	foe := g.enemies(o, mover)
	if !g.on(o) || x.has(o) || (!foe || !g.Elements[o].Concealed) && g.seatKnows(g.owner(mover), o) {
		return false
	}
	b := g.body(o)
	return slices.ContainsFunc(x.paths, func(q path) bool {
		if foe {
			return touch(&q.to, &b) || q.through(q.lanes(), &b, false)
		}
		return g.overlap(&q.to, &b) && !g.mayShare(x, &q, o) ||
			q.through(q.lanes(), &b, false) && !g.mayPass(x, &q, o) && !g.mayShare(x, &q, o)
	})
}

// barredBy lists those of whom the movers' seat doesn't know and who are in the way of a plan.
func (g *game) barredBy(x *plan) []elementID {
	return slices.DeleteFunc(g.standing(), func(o elementID) bool { return !g.bars(o, x) })
}

// meetsUnknown cuts a plan short before whoever is in the way of whom the movers' seat doesn't know: it ends at
// the last whole pace at which nobody touches him. Of several it ends before the one that is met first. It gives
// that one; 0: nobody is in the way.
func (p *battlefield) meetsUnknown(x *plan) elementID {
	met, whole := elementID(0), *x
	for _, o := range p.barredBy(x) {
		b, y := p.body(o), whole
		p.endsBefore(&y, whole.longest(), &b)
		if met == 0 || y.price < x.price {
			met, *x = o, y
		}
	}
	return met
}

// reveals tells those who know of a mover whom it has met, and the enemy's owner by whom he was found. An enemy is put down.
func (p *battlefield) reveals(mover, met elementID) {
	if p.enemies(mover, met) {
		p.Elements[met].Concealed = false
	}
	to := slices.DeleteFunc(p.friends(mover), func(s engine.Side) bool {
		return p.byCommand() && s != p.owner(mover) && !p.seatKnows(s, met)
	})
	if p.enemies(mover, met) {
		to = append(to, p.owner(met))
	}
	p.Tell("HFG-R91", engine.Telling{To: to, Say: phrase.Say("hfg.meets", p.elementArg("element", mover), p.elementArg("other", met))})
}

// meetsInTown reveals the enemies of whom the movers' seat didn't know and who keep foot that has come wholly into a BUA from defending its
// edge: that it doesn't tells of them all the same (HFG-4.17).
func (p *battlefield) meetsInTown(x *plan) {
	for e, a := range p.intoTowns(x) {
		for _, o := range p.standing() {
			if p.contests(o, e, a) && p.unknown(e, o) {
				p.reveals(e, o)
			}
		}
	}
}

// endsBefore shortens a plan to some units, or to fewer: to the last whole pace at which nobody of
// it touches a body or stands on another element.
func (p *battlefield) endsBefore(x *plan, n int64, b *geometry.Body) {
	for n -= n % pace; n > 0; n -= pace {
		if y := p.shortened(x, n); p.standsClear(y, b) {
			*x = *y
			return
		}
	}
	*x = *p.shortened(x, 0)
}

// longest is the length of the longest way of a plan, in units.
func (p *plan) longest() int64 {
	long := int64(1)
	for i := range p.paths {
		long = max(long, longOf(p.paths[i].legs))
	}
	return long
}

// shortened is a plan that ends when its longest way has gone some units: of a column each member
// stands on the track, of others each has gone the same share of its own legs, in the heading with
// which it began.
func (g *game) shortened(x *plan, n int64) *plan {
	if len(x.track) > 0 && n > 0 {
		y := g.march(x.elements(), x.track, int(n/pace))
		y.manner, y.road, y.bad = x.manner, x.road, x.bad
		return y
	}
	y := *x
	y.paths, y.column, y.track = slices.Clone(x.paths), false, nil
	long := x.longest()
	for i := range y.paths {
		q := &y.paths[i]
		own, _ := geometry.MulDiv(longOf(q.legs), n, long)
		q.to = q.from.Shifted(geometry.Along(q.legs, own).Minus(centre(&q.from)))
	}
	y.price = min(x.price, paces(n))
	return &y
}

// standsClear says whether nobody of a plan touches a body at its end, or stands on another element.
// With no body only the second counts.
func (g *game) standsClear(x *plan, b *geometry.Body) bool {
	for i := range x.paths {
		end := &x.paths[i].to
		if b != nil && touch(end, b) || g.leaves(end) {
			return false
		}
		if slices.ContainsFunc(g.overlapping(x.paths[i].element, end), func(o elementID) bool { return !x.has(o) }) {
			return false
		}
	}
	return true
}

// comesInView cuts a march short at the last whole pace before somebody whom the movers' command
// didn't know is nearer than 600 paces and seen by one of them. It gives that enemy; 0: there is none.
func (p *battlefield) comesInView(x *plan) elementID {
	if x.manner != march {
		return 0
	}
	near := p.mayComeInView(x)
	if len(near) == 0 {
		return 0
	}
	board := p.trial()
	long := x.longest()
	for n := int64(pace); n <= long; n += pace {
		y := p.shortened(x, n)
		for i := range y.paths {
			q := &y.paths[i]
			e := &board.Elements[q.element]
			e.At, e.Facing = place(q.to.At), int(q.to.Heading)
			for _, o := range near {
				if b := p.body(o); paces(between(&q.to, &b)) < marchNear && board.looks(q.element, o) {
					p.endsBefore(x, n-pace, nil)
					return o
				}
			}
		}
	}
	return 0
}

// mayComeInView lists the enemies whom the movers' command doesn't know and who stand near the
// corridor of a march.
func (g *game) mayComeInView(x *plan) []elementID {
	c := g.command(x.paths[0].element)
	return slices.DeleteFunc(g.standing(), func(o elementID) bool {
		if !g.enemies(o, x.paths[0].element) || g.knows(c, o) {
			return true
		}
		b := g.body(o)
		return !slices.ContainsFunc(x.paths, func(q path) bool { return nearLanes(q.lanes(), &b, (marchNear+baseWidth)*pace) })
	})
}

// entersUnknown shortens the way of a command that comes on, as long as somebody is in its way of whom
// it didn't know.
func (p *battlefield) entersUnknown(c commandID, x *plan) (*plan, *play.Fault) {
	met := p.barredBy(x)
	for n := x.price - 1; len(met) > 0 && n > 0; n-- {
		y, ok := p.comesOn(c, n)
		if ok && len(p.barredBy(y)) == 0 && p.judge(y) == nil {
			return y, nil
		}
	}
	if len(met) == 0 {
		return x, nil
	}
	for _, o := range met {
		if p.lead(c).side != p.def(o).side {
			p.Elements[o].Concealed = false
		}
	}
	return nil, refuse("HFG-R91", "hfg.entry-room", p.commandArg("command", c))
}
