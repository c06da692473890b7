package hfg

import (
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Crossing water: chapter 10.

const (
	halfway   = 25  // so near to the middle of a stream is on it (HFG-R46), and of a ford or bridge
	navigable = 200 // so wide a river bears a Flotilla (HFG-10.9)
)

// waters says which water is in the way of a land move (HFG-10.1, HFG-10.4, HFG-10.6), or why a
// ship can't go there.
func (g *game) waters(p *plan, x *path, lanes []lane) *play.Fault {
	if troops[g.def(x.element).troop].class == naval {
		return g.afloat(x)
	}
	if p.road != 0 {
		return nil // by a ford or a bridge of the road (HFG-10.1)
	}
	for l := lineID(1); int(l) <= len(g.lines); l++ {
		d := g.line(l)
		name := phrase.Literal("water", d.id)
		switch d.kind {
		case river:
			if (meetsAny(lanes, d) || g.wades(&x.to, l)) && !g.crosses(p, x, l) {
				return refuse("HFG-10.4", "hfg.move-river", elementArg("element", g.def(x.element)), name)
			}
		case stream, gully:
			if !g.astride(&x.from, l) && g.over(x, l) && !g.astride(&x.to, l) && !g.crosses(p, x, l) {
				return refuse("HFG-10.6", "hfg.move-stream", elementArg("element", g.def(x.element)), name)
			}
		}
	}
	return nil
}

// over says whether a move off road goes over the middle of a course of water: a leg of it does,
// or some part of the base lies beyond the middle at the end, as it did not at the start.
func (g *game) over(x *path, l lineID) bool {
	line := g.line(l).points
	for i := 1; i < len(x.legs); i++ {
		for j := 1; j < len(line); j++ {
			if geometry.Crosses(x.legs[i-1], x.legs[i], line[j-1], line[j]) {
				return true
			}
		}
	}
	return geometry.OnLine(&x.to, line, -drawIn) && !geometry.OnLine(&x.from, line, -drawIn)
}

// astride says whether an element is halfway across: the middle of its rear edge is near the
// middle of the water (HFG-10.6, HFG-R46).
func (g *game) astride(b *geometry.Body, l lineID) bool {
	_, off := geometry.Nearest(g.line(l).points, b.World(point{X: (b.U0 + b.U1) / 2, Y: b.V0}))
	return within(off, halfway)
}

// crosses says whether an element or a column one wide crosses water by a bridge or a found
// ford, or retires over a river from a feature on its bank (HFG-10.1, HFG-10.4).
func (g *game) crosses(p *plan, x *path, l lineID) bool {
	if p.single || p.column {
		for i := range g.Bridges {
			if b := &g.Bridges[i]; b.Over == l && x.passes(point(b.At), b.Facing) {
				return true
			}
		}
		for i := range g.Fords {
			if f := &g.Fords[i]; f.Over == l && x.passes(point(f.At), f.Facing) {
				return true
			}
		}
	}
	return p.retires && g.banked(x.element, l)
}

// passes says whether a path leads over a crossing: a leg comes near its middle, in its
// direction or the opposite one within 10 degrees (HFG-R150).
func (x *path) passes(at point, facing int) bool {
	for i := 1; i < len(x.legs); i++ {
		a, b := x.legs[i-1], x.legs[i]
		if a == b || !within(geometry.DistSegment(at, a, b), halfway) {
			continue
		}
		if alongCrossing(geometry.Toward(a, b), facing) {
			return true
		}
	}
	return false
}

// alongCrossing says whether a heading leads along a crossing, either way (HFG-R150).
func alongCrossing(h geometry.Heading, facing int) bool {
	by := abs(turn(h, geometry.Heading(facing)))
	return by <= crossingTurn || by >= 180-crossingTurn
}

// crossingTurn is how many degrees a way over a bridge or a ford may be askew (HFG-R150).
const crossingTurn = 10

// banked says whether an element holds a feature on the bank of a river (HFG-6.8, HFG-10.4).
func (g *game) banked(e elementID, l lineID) bool {
	w := g.shelter(e)
	if w == nil || w.Kind != feature {
		return false
	}
	d := g.line(l)
	_, off := geometry.Nearest(d.points, point(w.At))
	return off <= int64(d.width)/2+crossBank*pace
}

// crossBank is how far from the water a feature may lie that is its bank, in paces.
const crossBank = 100

// sails is how far a ship may go in one move, in paces (HFG-10.8, HFG-16.16).
func (g *game) sails(x *path) (far int, worst going) {
	m := g.setting.moves(g.def(x.element))
	far = m[0]
	if g.upstream(x) {
		far, worst = m[1], slow
	}
	if g.Elements[x.element].Damaged {
		far = min(far, damagedMove)
	}
	if g.Sky == misty && g.def(x.element).troop != flotilla {
		far = 0 // HFG-8.2
	}
	return far, worst
}

// upstream says whether a leg of a ship's move leads upstream (HFG-10.8).
func (g *game) upstream(x *path) bool {
	for i := 1; i < len(x.legs); i++ {
		a, b := x.legs[i-1], x.legs[i]
		for j := range g.lines {
			d := &g.lines[j]
			if d.kind != river {
				continue
			}
			from, off := geometry.Nearest(d.points, a)
			to, end := geometry.Nearest(d.points, b)
			if off <= int64(d.width)/2 && end <= int64(d.width)/2 && (to > from) == d.up && to != from {
				return true
			}
		}
		for j := range g.areas {
			d := &g.areas[j]
			if d.kind == waterway && d.from != (place{}) && g.outlines[j].Where(a) >= 0 &&
				geometry.Dist(b, point(d.from)) < geometry.Dist(a, point(d.from)) {
				return true
			}
		}
	}
	return false
}

// afloat says why a ship can't go along a path: it leaves the water, or sails against the wind
// (HFG-10.9, HFG-18.1, HFG-18.2).
func (g *game) afloat(x *path) *play.Fault {
	name := elementArg("element", g.def(x.element))
	troop := g.def(x.element).troop
	for i := 1; i < len(x.legs); i++ {
		if x.legs[i] == x.legs[i-1] {
			continue
		}
		by := abs(turn(geometry.Toward(x.legs[i-1], x.legs[i]), geometry.Heading(g.blows().heading())))
		if troop.sails() && by < closeHauled {
			return refuse("HFG-18.1", "hfg.move-wind", name, phrase.Number("degrees", closeHauled))
		}
	}
	p := geometry.Figure{P: x.legs}
	for n, long := int64(0), longOf(p.P); ; n += sounding {
		at := geometry.Along(p.P, min(n, long))
		if !g.floats(at, troop) {
			return refuse("HFG-18.2", "hfg.move-ashore", name)
		}
		if n >= long {
			break
		}
	}
	for _, c := range x.to.Corner {
		if !g.floats(c, troop) {
			return refuse("HFG-18.2", "hfg.move-ashore", name)
		}
	}
	return nil
}

// blows is from where the wind comes: from the west, if nobody has chosen (HFG-8.1, HFG-S8).
func (g *game) blows() compass {
	if g.Wind == 0 {
		return fromWest
	}
	return g.Wind
}

// sails says whether ships of a type go by the wind alone (HFG-18.1, HFG-R7).
func (t troop) sails() bool { return t == sail || t == bombs }

const (
	closeHauled = 45        // degrees off the wind (HFG-18.1)
	sounding    = 50 * pace // a way is tried for water at such steps
)

// floats says whether there is water for a ship at a point: a waterway, or for a Flotilla a
// river that is wide enough (HFG-10.9).
func (s *setting) floats(p point, t troop) bool {
	for i := range s.areas {
		if s.areas[i].kind == waterway && s.outlines[i].Where(p) >= 0 {
			return true
		}
	}
	for i := range s.lines {
		d := &s.lines[i]
		if d.kind == river && t == flotilla && d.width >= navigable*pace {
			if _, off := geometry.Nearest(d.points, p); off <= int64(d.width)/2+slack {
				return true
			}
		}
	}
	return false
}

// halved gives the place on the last leg of a single element's move off road where it is
// halfway across a stream or a gully, the whole pace nearest to that (HFG-R126); false: it need
// not be cut, or there is no such place.
func (g *game) halved(p *plan) (*plan, bool) {
	if p.road != 0 || len(p.paths) != 1 || !p.single {
		return nil, false
	}
	x := &p.paths[0]
	for l := lineID(1); int(l) <= len(g.lines); l++ {
		if k := g.line(l).kind; k != stream && k != gully || g.astride(&x.from, l) || !g.over(x, l) || g.astride(&x.to, l) || g.crosses(p, x, l) {
			continue
		}
		n := len(x.legs)
		a, b := x.legs[n-2], x.legs[n-1]
		long := geometry.Dist(a, b)
		best, off := int64(-1), int64(0)
		for far := int64(0); far <= long; far += pace {
			at := x.to.Shifted(geometry.Along([]point{a, b}, far).Minus(b))
			_, d := geometry.Nearest(g.line(l).points, at.World(point{Y: at.V0}))
			if within(d, halfway) && (best < 0 || d < off) {
				best, off = far, d
			}
			if steps := d/pace - halfway - 1; steps > 1 { // it can't be near enough before
				far += (steps - 1) * pace
			}
		}
		if best < 0 {
			return nil, false
		}
		shift := geometry.Along([]point{a, b}, best).Minus(b)
		cut := g.alone(x.element, geometry.Frame{At: x.to.At.Plus(shift), Heading: x.to.Heading}, x.legs[1:n-1]...)
		cut.manner, cut.cut = p.manner, l
		return cut, true
	}
	return nil, false
}
