package hfg

import (
	"cmp"
	"slices"

	"berthier/engine/geometry"
)

// Conformed places: HFG-11.5 to HFG-11.9.

// conformed is the place of a base that conforms to a side of an enemy's (HFG-11.7). Of a BUA or
// an SP its front lies along the edge, shifted as little as can be from where it comes
// (HFG-R108).
func conformed(box geometry.Box, enemy *geometry.Body, side geometry.Flank, block bool, from point) geometry.Frame {
	f := geometry.Frame{Heading: outward(enemy, side).Plus(180)}
	half := (box.U1 - box.U0) / 2
	mid := (enemy.U0 + enemy.U1) / 2
	var p point
	switch side {
	case geometry.Front:
		p = point{X: mid, Y: enemy.V1}
	case geometry.Rear:
		p = point{X: mid, Y: enemy.V0}
	case geometry.Left:
		p = point{X: enemy.U0, Y: enemy.V1 - half}
	case geometry.Right:
		p = point{X: enemy.U1, Y: enemy.V1 - half}
	}
	if block {
		at := enemy.Local(from)
		if side == geometry.Front || side == geometry.Rear {
			p.X = alongEdge(at.X, enemy.U0, enemy.U1, half)
		} else {
			p.Y = alongEdge(at.Y, enemy.V0, enemy.V1, half)
		}
	}
	f.At = enemy.World(p)
	return f
}

// alongEdge is where the middle of a front lies along an edge: as near as can be to where it
// comes from, so that the front lies within the edge, or covers it if the edge is shorter.
func alongEdge(at, low, high, half int64) int64 {
	a, b := low+half, high-half
	return min(max(at, min(a, b)), max(a, b))
}

// meets says on which side of a footprint's enemy a frame conforms; false: on none.
func meets(box geometry.Box, f geometry.Frame, enemy *geometry.Body, block bool) (geometry.Flank, bool) {
	for side := geometry.Front; side <= geometry.Rear; side++ {
		c := conformed(box, enemy, side, block, f.At)
		if c.Heading == f.Heading && geometry.Dist(c.At, f.At) <= slack {
			return side, true
		}
	}
	return 0, false
}

// fixed says whether an element can't turn: it defends the edge of a BUA or an SP, or stands behind a work (HFG-11.5).
func (g *game) fixed(e elementID) bool { return g.Elements[e].Holds != 0 || g.shelter(e) != nil }

// defendsEdge says whether an element needn't conform to an enemy: it is fixed, or defends the edge of a wood, from inside,
// or the bank of a river before it (HFG-11.5, HFG-R162).
func (g *game) defendsEdge(e elementID) bool {
	if g.fixed(e) {
		return true
	}
	b := g.body(e)
	before := b.At.Plus(geometry.Step(b.Heading, edgeSight*pace))
	for a := areaID(1); int(a) <= len(g.areas); a++ {
		if g.area(a).kind == wood && g.outline(a).Where(b.At) >= 0 && g.outline(a).Where(before) < 0 {
			return true
		}
	}
	return g.bankOf(&b) != 0
}

// A closing is a conformed place that a single element may take where it has touched an enemy.
type closing struct {
	side  geometry.Flank
	to    geometry.Frame
	turn  int   // degrees
	shift int64 // units (HFG-R123)
}

// closings are the ways in which a single element conforms to an enemy whom it touches, by an
// outcome move, the best first: least turn, then least shift, then front, left, right, rear
// (HFG-11.5, HFG-11.8, HFG-R123). Places where it would overlap anything, leave the field or
// shift by more than 200 paces are left out.
func (g *game) closings(e, enemy elementID, from *geometry.Body) []closing {
	b := g.body(enemy)
	var all []closing
	for side := geometry.Front; side <= geometry.Rear; side++ {
		to := conformed(from.Box, &b, side, g.Elements[enemy].Holds != 0, from.At)
		u := to.Local(from.At).X
		c := closing{side: side, to: to, turn: abs(turn(from.Heading, to.Heading)), shift: max(u, -u)}
		if c.shift <= mostShift*pace && g.free(e, to) {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b closing) int {
		return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(paces(a.shift), paces(b.shift)))
	})
	return all
}

// free says whether an element may stand at a place: on the field, on ground that it can enter,
// and overlapping nobody (HFG-1.8).
func (g *game) free(e elementID, to geometry.Frame) bool {
	b := g.bodyAt(e, to)
	if g.leaves(&b) {
		return false
	}
	for o := elementID(1); int(o) < len(g.Elements); o++ {
		if o == e || !g.on(o) {
			continue
		}
		if held := g.Elements[o].Holds; held != 0 && g.area(held).kind == bua && !g.enemies(o, e) {
			continue // inside it (HFG-4.17)
		}
		if x := g.body(o); g.overlap(&b, &x) {
			return false
		}
	}
	return g.standsOn(e, &b)
}

// contact plans how a single element or a group comes into contact with an enemy (HFG-11.9,
// HFG-R115): of the legal plans one with a front position, else one with another, the cheapest,
// then the first. With edges named only those count; false: none is legal.
func (g *game) contact(all []elementID, enemy elementID, edges ...geometry.Flank) (*plan, bool) {
	if len(edges) == 0 {
		edges = []geometry.Flank{geometry.Front, geometry.Left, geometry.Right, geometry.Rear}
	}
	block := g.Elements[enemy].Holds != 0
	b := g.body(enemy)
	var best *plan
	var rank int
	for _, e := range all {
		for _, side := range edges {
			p := g.toward(all, e, &b, side, block)
			if p == nil || g.judge(p) != nil {
				continue
			}
			r := 1
			if side == geometry.Front && !block {
				r = 0
			}
			if best == nil || cmp.Or(cmp.Compare(r, rank), cmp.Compare(p.price, best.price)) < 0 {
				best, rank = p, r
			}
		}
	}
	return best, best != nil
}

// toward plans the contact of one of some elements with a side of an enemy.
func (g *game) toward(all []elementID, e elementID, enemy *geometry.Body, side geometry.Flank, block bool) *plan {
	from := g.body(e)
	if len(all) == 1 {
		to := conformed(from.Box, enemy, side, block, from.At)
		p := g.alone(e, to)
		p.overlap = givesOverlap(&from, enemy, side)
		return p
	}
	bodies := make([]geometry.Body, len(all))
	i := 0
	for j, o := range all {
		if bodies[j] = g.body(o); o == e {
			i = j
		}
	}
	by := turn(from.Heading, outward(enemy, side).Plus(180))
	if abs(by) > mostTurn {
		return nil
	}
	turned, _ := wheeled(bodies, by)
	to := conformed(from.Box, enemy, side, block, turned[i].At)
	d := turned[i].Local(to.At)
	if d.Y < 0 || d.X > mostShift*pace || d.X < -mostShift*pace {
		return nil
	}
	return g.closeUp(all, bodies, turned, by, d)
}

// closeUp plans a group's contact: a wheel, then a shift to the side that costs nothing and an
// advance, both in units (HFG-R115).
func (g *game) closeUp(all []elementID, starts, turned []geometry.Body, by int, d point) *plan {
	_, price := wheeled(starts, by)
	p := &plan{manner: tactical, price: price + paces(d.Y)}
	h := turned[0].Heading
	step := geometry.Step(h.Plus(90), d.X).Plus(geometry.Step(h, d.Y))
	for i, e := range all {
		end := turned[i].Shifted(step)
		x := path{element: e, from: starts[i], to: end, legs: []point{centre(&starts[i])}}
		for _, c := range []point{centre(&turned[i]), centre(&end)} {
			if c != x.legs[len(x.legs)-1] {
				x.legs = append(x.legs, c)
			}
		}
		p.paths = append(p.paths, x)
	}
	return p
}

// givesOverlap says whether an element overlaps a flank of an enemy in close combat: it stands beside a friend,
// its front level with the enemy's, past the enemy's end, or flank to flank with him, looking
// the other way (HFG-13.3).
func givesOverlap(b, enemy *geometry.Body, side geometry.Flank) bool {
	switch {
	case b.Heading != enemy.Heading.Plus(180):
		return false
	case side == geometry.Left && coincide(b.Corner[0], enemy.Corner[0]), side == geometry.Right && coincide(b.Corner[1], enemy.Corner[1]):
		return true
	case side != geometry.Left && side != geometry.Right:
		return false
	}
	return alongside(enemy, b, side) >= leastFront && cornersMeet(enemy, b, side)
}
