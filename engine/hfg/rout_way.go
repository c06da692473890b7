package hfg

import (
	"slices"

	"berthier/engine/geometry"
)

// The ways of routs along features of the ground: HFG-16.7, HFG-R76.

const (
	routNear  = 200 // so near to the start of a rout lies a feature that it follows, in paces
	routJoins = 400 // so much further along than its nearest point the rout joins it
)

// routWays lists the features along which an element may rout, by their ids: roads and railways, the
// banks of waters and the edges of pieces of terrain within 200 paces of its rear, along which each
// step brings it nearer to where it entered the field (HFG-R76). The nearest is first.
func (g *game) routWays(e elementID) []string {
	if !g.on(e) || g.class(e) == naval || g.Elements[e].Holds != 0 {
		return nil
	}
	type found struct {
		id  string
		off int
	}
	var all []found
	b := g.running(e)
	try := func(id string, p []point) {
		_, off := geometry.Nearest(p, b.At)
		if _, ok := g.wayAlong(e, &b, id); ok {
			all = append(all, found{id, paces(off)})
		}
	}
	for l := range g.lines {
		try(g.lines[l].id, g.lines[l].points)
	}
	for a := range g.areas {
		try(g.areas[a].id, closedPath(g.outlines[a].P))
	}
	slices.SortStableFunc(all, func(a, b found) int { return a.off - b.off })
	ids := make([]string, len(all))
	for i, x := range all {
		ids[i] = x.id
	}
	return ids
}

// wayAlong is the way of an element that has turned about along a feature, from one base's depth
// behind it on: straight to the point of the feature that lies 400 paces further along than the
// nearest, then along it as long as each of its points is nearer to the entry point; false: it doesn't
// lead there (HFG-R152).
func (g *game) wayAlong(e elementID, b *geometry.Body, id string) ([]point, bool) {
	var p []point
	closed := false
	if l, ok := g.lineNamed(id); ok {
		p = g.line(l).points
	} else if a, ok := g.areaNamed(id); ok {
		p, closed = closedPath(g.outline(a).P), true
	} else {
		return nil, false
	}
	n, off := geometry.Nearest(p, b.At)
	if !within(off, routNear) {
		return nil, false
	}
	var best []point
	for _, ahead := range []bool{true, false} {
		if w := g.nearing(e, p, n, ahead, closed); len(w) > len(best) || len(w) > 1 && longOf(w) > longOf(best) {
			best = w
		}
	}
	if len(best) < 2 {
		return nil, false
	}
	best = stretch(best, min(routJoins*pace, longOf(best)), longOf(best))
	way := []point{b.At.Minus(geometry.Step(b.Heading, b.V1-b.V0)), b.At}
	for _, q := range best {
		if q != way[len(way)-1] {
			way = append(way, q)
		}
	}
	return way, len(way) > 2
}

// nearing is the part of a feature from a place on it, one way or the other, along which each point
// is nearer to where an element entered the field than the one before it.
func (g *game) nearing(e elementID, p []point, n int64, ahead, closed bool) []point {
	long := longOf(p)
	end := int64(0)
	if ahead {
		end = long
	}
	way := stretch(p, n, end)
	if closed { // once round
		rest := stretch(p, long-end, n)
		way = append(way, rest[1:]...)
	}
	last := g.toEntry(e, way[0])
	for i := 1; i < len(way); i++ {
		far := g.toEntry(e, way[i])
		if far >= last {
			return way[:i]
		}
		last = far
	}
	return way
}

// toEntry is how far a point is from where an element entered the field: from where the road of its
// command cuts the edge, or from the edge itself if it was deployed (HFG-R76).
func (g *game) toEntry(e elementID, p point) int64 {
	c := g.command(e)
	at, ok := g.gate(c)
	if !ok {
		at, ok = g.byRail(c)
	}
	if ok {
		return geometry.Dist(p, geometry.Along(g.line(at.road).points, at.along))
	}
	b := geometry.Body{Lo: p, Hi: p}
	return g.toEdge(&b, g.entry(c))
}
