package hfg

import (
	"berthier/engine/geometry"
)

// Corridors: the ground that a move goes over (HFG-1.9).

// A path is what the middle of one element's base goes along, from leg to leg.
type path struct {
	element elementID
	from    geometry.Body
	to      geometry.Body
	legs    []point // of the base's centre: from the start over places on the way to the end
}

// centre is the middle of a base.
func centre(b *geometry.Body) point { return b.World(b.Middle()) }

// straight is the path of a move from one place to another, over some points.
func straight(e elementID, from, to geometry.Body, via ...point) path {
	p := path{element: e, from: from, to: to, legs: []point{centre(&from)}}
	p.legs = append(p.legs, via...)
	p.legs = append(p.legs, centre(&to))
	return p
}

// A lane is the rectangle of one leg, in the frame of the leg: along from 0, across to both
// sides.
type lane struct {
	from, to point
	box      geometry.Box // X is along, Y is across
	lo, hi   point        // bounds on the field
}

// halfFront is half the least gap through which anything passes (HFG-1.9).
const halfFront = 200 * pace

// lanes are the corridor of a path: for each leg the rectangle with flat ends, its long sides
// drawn in, half a front to each side; for a leg that leads more to the side than ahead half
// the depth, if that is more (HFG-1.9, HFG-R109).
func (p *path) lanes() []lane {
	var all []lane
	for i := 1; i < len(p.legs); i++ {
		a, b := p.legs[i-1], p.legs[i]
		if a == b {
			continue
		}
		half := int64(halfFront)
		if d := p.from.Local(b).Minus(p.from.Local(a)); max(d.X, -d.X) > max(d.Y, -d.Y) {
			half = max(half, (p.from.V1-p.from.V0)/2)
		}
		half -= drawIn
		l := lane{from: a, to: b, box: geometry.Box{U0: 0, V0: -half, U1: geometry.Dist(a, b), V1: half}}
		l.lo = point{X: min(a.X, b.X) - half - slack, Y: min(a.Y, b.Y) - half - slack}
		l.hi = point{X: max(a.X, b.X) + half + slack, Y: max(a.Y, b.Y) + half + slack}
		all = append(all, l)
	}
	return all
}

// local gives a point as the leg sees it.
func (l *lane) local(p point) point {
	along, across := geometry.Leg(l.from, l.to, p)
	return point{X: along, Y: across}
}

// meets says whether a figure, grown by some units, has a point in the corridor.
func (l *lane) meets(f geometry.Figure, grow int64) bool {
	lo, hi := geometry.Bounds(f.P)
	if lo.X-grow > l.hi.X || hi.X+grow < l.lo.X || lo.Y-grow > l.hi.Y || hi.Y+grow < l.lo.Y {
		return false
	}
	box := l.box.In(-grow)
	n := len(f.P)
	last := l.local(f.P[n-1])
	inside := make([]point, 0, n)
	for i, q := range f.P {
		now := l.local(q)
		if (i > 0 || f.Closed) && geometry.MeetsBox(box, last, now) {
			return true
		}
		last = now
		inside = append(inside, now)
	}
	return f.Closed && geometry.Where(inside, box.Middle()) >= 0
}

// across is the line across the corridor at some units along a leg, from side to side.
func (l *lane) across(n int64) (point, point) {
	h := geometry.Figure{P: []point{l.from, l.to}}
	c := geometry.Along(h.P, n)
	// A point of the field at some units to the right of the leg: the leg's own direction turned.
	d, long := l.to.Minus(l.from), l.box.U1
	right := point{X: geometry.RDiv(d.Y*l.box.V1, long), Y: geometry.RDiv(-d.X*l.box.V1, long)}
	return c.Minus(right), c.Plus(right)
}
