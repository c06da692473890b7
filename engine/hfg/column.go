package hfg

import (
	"slices"

	"berthier/engine/geometry"
)

// Roads and columns one element wide: HFG-9.8, HFG-9.9.

// follows says whether two elements are neighbours in one column, so that they may overlap
// where it bends (HFG-1.8).
func (g *game) follows(a, b elementID) bool {
	for i := range g.Columns {
		m := g.Columns[i].Members
		j, k := slices.Index(m, a), slices.Index(m, b)
		if j >= 0 && k >= 0 && (j-k == 1 || k-j == 1) {
			return true
		}
	}
	return false
}

// A station is a place on a road, and which way one looks there.
type station struct {
	road  lineID
	along int64 // units from the road's first point
	ahead bool  // towards its last point
}

// stationOf gives where an element is on a road: its place lies on the road's middle, and its
// heading is that of the road there (HFG-9.8); false: it is on none.
func (s *setting) stationOf(f geometry.Frame, depth int64) (station, bool) {
	for l := lineID(1); int(l) <= len(s.lines); l++ {
		d := s.line(l)
		if d.kind != road {
			continue
		}
		n, off := geometry.Nearest(d.points, f.At)
		if off > slack {
			continue
		}
		for _, ahead := range []bool{true, false} {
			at := station{road: l, along: n, ahead: ahead}
			if s.bearing(at, depth) == f.Heading {
				return at, true
			}
		}
	}
	return station{}, false
}

// onRoad says whether an element is on a road (HFG-9.8).
func (g *game) onRoad(e elementID) bool {
	b := g.body(e)
	_, ok := g.stationOf(b.Frame, b.V1-b.V0)
	return ok && g.Elements[e].Holds == 0
}

// bearing is the heading of an element of some depth at a station: from the point of the road one
// depth behind it, or as much of that as there is, to the station itself; at the road's beginning
// towards the point one depth ahead (HFG-9.8).
func (s *setting) bearing(at station, depth int64) geometry.Heading {
	p := s.line(at.road).points
	here := geometry.Along(p, at.along)
	back := geometry.Along(p, at.along-at.sign(depth))
	if back == here {
		return geometry.Toward(here, geometry.Along(p, at.along+at.sign(depth)))
	}
	return geometry.Toward(back, here)
}

// sign gives units towards the end that the station looks to.
func (at station) sign(n int64) int64 {
	if at.ahead {
		return n
	}
	return -n
}

// longOf is the length of a path, each line to the nearest unit (HFG-R120).
func longOf(p []point) int64 {
	n := int64(0)
	for i := 1; i < len(p); i++ {
		n += geometry.Dist(p[i-1], p[i])
	}
	return n
}

// stretch gives the part of a road from one place along it to another, either way.
func stretch(p []point, from, to int64) []point {
	if from > to {
		back := stretch(p, to, from)
		slices.Reverse(back)
		return back
	}
	all := []point{geometry.Along(p, from)}
	n := int64(0)
	for i := 1; i < len(p); i++ {
		n += geometry.Dist(p[i-1], p[i])
		if n > from && n < to {
			all = append(all, p[i])
		}
	}
	if end := geometry.Along(p, to); end != all[len(all)-1] {
		all = append(all, end)
	}
	return all
}

// ahead is the way from a station onward: to the end of its road, or to where it first meets the
// next of the roads that are named, along that one, and so on. Where a road is met in its
// middle one goes on towards its last point, unless back says the first.
func (s *setting) ahead(at station, roads []lineID) []point {
	p := s.line(at.road).points
	end := int64(0)
	if at.ahead {
		end = longOf(p)
	}
	for i, next := range roads {
		if next == at.road {
			continue
		}
		to, here, ok := s.junction(at, next)
		if !ok {
			continue
		}
		way := stretch(p, at.along, here)
		return append(way, s.ahead(to, roads[i+1:])[1:]...)
	}
	return stretch(p, at.along, end)
}

// junction finds where a road goes over into another ahead of a station: the station on the other
// road, which looks the way that turns less, and how far along the first road it lies.
func (s *setting) junction(at station, next lineID) (to station, here int64, ok bool) {
	p, q := s.line(at.road).points, s.line(next).points
	best := int64(-1)
	for _, c := range q {
		n, off := geometry.Nearest(p, c)
		way := at.sign(n - at.along)
		if off > slack || way < 0 || best >= 0 && way >= best {
			continue
		}
		best, here, ok = way, n, true
		along, _ := geometry.Nearest(q, c)
		to = station{road: next, along: along}
	}
	for i := 0; i < len(p) && !ok; i++ {
		if n, off := geometry.Nearest(q, p[i]); off <= slack {
			along, _ := geometry.Nearest(p, p[i])
			if at.sign(along-at.along) >= 0 {
				to, here, ok = station{road: next, along: n}, along, true
			}
		}
	}
	if !ok {
		return to, here, false
	}
	before := s.bearing(station{at.road, here, at.ahead}, 200*pace)
	fore, back := station{next, to.along, true}, station{next, to.along, false}
	to = fore
	if s.deadEnd(fore) || !s.deadEnd(back) && abs(turn(before, s.onward(back))) < abs(turn(before, s.onward(fore))) {
		to = back
	}
	return to, here, true
}

// deadEnd says whether a road ends at a station.
func (s *setting) deadEnd(at station) bool {
	long := longOf(s.line(at.road).points)
	return at.ahead && at.along >= long-slack || !at.ahead && at.along <= slack
}

// onward is the heading from a station along its road.
func (s *setting) onward(at station) geometry.Heading {
	p := s.line(at.road).points
	return geometry.Toward(geometry.Along(p, at.along), geometry.Along(p, at.along+at.sign(200*pace)))
}

func abs(n int) int { return max(n, -n) }

// track is the way that a column has come, from its tail to the leader's place (HFG-9.9): the
// places of the leader since it was formed, or back along his road, or straight behind him.
func (g *game) track(members []elementID) []point {
	lead := g.body(members[0])
	long := int64(0)
	for _, e := range members {
		long += -g.box(g.def(e)).V0
	}
	for i := range g.Columns {
		c := &g.Columns[i]
		if len(c.Members) >= len(members) && slices.Equal(c.Members[:len(members)], members) && len(c.Track) > 0 && c.Track[len(c.Track)-1] == place(lead.At) {
			return lengthened(points(c.Track), long)
		}
	}
	if at, ok := g.stationOf(lead.Frame, lead.V1-lead.V0); ok {
		p := g.line(at.road).points
		end := longOf(p)
		return lengthened(stretch(p, min(max(at.along-at.sign(long), 0), end), at.along), long)
	}
	return []point{lead.At.Minus(geometry.Step(lead.Heading, long)), lead.At}
}

// lengthened gives a track of at least some length: beyond its last point it goes on straight
// (HFG-R120).
func lengthened(p []point, long int64) []point {
	for len(p) > 1 && p[0] == p[1] {
		p = p[1:]
	}
	have := longOf(p)
	if have >= long || len(p) < 2 {
		return p
	}
	back := geometry.Toward(p[1], p[0])
	return append([]point{p[0].Plus(geometry.Step(back, long-have))}, p...)
}

// onTrack is the place of a column's member on a track: n units along, its heading from the
// point one depth further back (HFG-9.8, HFG-9.9).
func onTrack(p []point, n, depth int64) geometry.Frame {
	at := geometry.Along(p, n)
	back := geometry.Along(p, n-depth)
	if at == back {
		back = p[0]
		at = p[len(p)-1]
		return geometry.Frame{At: at, Heading: geometry.Toward(back, at)}
	}
	return geometry.Frame{At: at, Heading: geometry.Toward(back, at)}
}

// march plans the move of a column, or of one element on a road, along a way that begins at its
// leader's place: so many paces along it (HFG-9.8, HFG-9.9). Each member ends on the track, as
// far behind as the depths of those before it.
func (g *game) march(members []elementID, way []point, far int) *plan {
	p := &plan{manner: march, column: len(members) > 1, single: len(members) == 1}
	track := g.track(members)
	began := longOf(track)
	whole := append(slices.Clone(track), way[min(1, len(way)):]...)
	end := min(began+int64(far)*pace, longOf(whole))
	p.price = paces(end - began)
	p.track = stretch(whole, began, end)
	behind := int64(0)
	for _, e := range members {
		from := g.body(e)
		depth := from.V1 - from.V0
		to := g.bodyAt(e, onTrack(whole, end-behind, depth))
		x := path{element: e, from: from, to: to, legs: []point{centre(&from)}}
		was, _ := geometry.Nearest(whole, from.At)
		for _, c := range stretch(whole, was, end-behind) {
			if c != from.At && c != to.At {
				x.legs = append(x.legs, c)
			}
		}
		x.legs = append(x.legs, centre(&to))
		p.paths = append(p.paths, x)
		behind += depth
	}
	return p
}

// byRoad plans a move wholly on road (HFG-9.8): the leader is on a road and goes along it, and
// on along the roads that are named; false: he isn't on any, as who defends the edge of a BUA (HFG-4.17).
func (g *game) byRoad(members []elementID, roads []lineID, far int) (*plan, bool) {
	lead := g.body(members[0])
	at, ok := g.stationOf(lead.Frame, lead.V1-lead.V0)
	if !ok || g.Elements[members[0]].Holds != 0 {
		return nil, false
	}
	p := g.march(members, g.ahead(at, roads), far)
	p.road = at.road
	p.bad = g.badWay(at, roads)
	return p, true
}

// badWay says whether one of the roads of a move is bad.
func (s *setting) badWay(at station, roads []lineID) bool {
	return !s.line(at.road).good || slices.ContainsFunc(roads, func(l lineID) bool { return !s.line(l).good })
}

// note keeps the track of a column that has moved, and forgets columns that are none any more:
// whose members have gone from their places (HFG-R120).
func (g *game) note(members []elementID, track []point) {
	g.Columns = slices.DeleteFunc(g.Columns, func(c column) bool {
		return slices.ContainsFunc(c.Members, func(e elementID) bool { return slices.Contains(members, e) })
	})
	if len(members) < 2 {
		return
	}
	long := int64(0)
	for _, e := range members {
		long += -g.box(g.def(e)).V0
	}
	if whole := longOf(track); whole > long {
		track = stretch(track, whole-long, whole)
	}
	g.Columns = append(g.Columns, column{Members: slices.Clone(members), Track: places(track)})
}

// wind plans the move of a column off road: its leader wheels about his inner front corner by
// some degrees, to the right if positive, and goes ahead; the others turn at the same place
// (HFG-9.9).
func (g *game) wind(members []elementID, by, ahead int) *plan {
	lead := g.body(members[0])
	turned, price := wheeled([]geometry.Body{lead}, by)
	end := turned[0].Shifted(geometry.Step(turned[0].Heading, int64(ahead)*pace))
	way := []point{lead.At}
	for _, c := range []point{turned[0].At, end.At} {
		if c != way[len(way)-1] {
			way = append(way, c)
		}
	}
	p := g.march(members, way, paces(longOf(way))+1)
	p.manner = tactical
	p.price = price + ahead
	x := &p.paths[0]
	*x = straight(x.element, x.from, end, centre(&turned[0]))
	return p
}

// carry puts the elements of a plan where it leads them.
func (g *game) carry(p *plan) {
	if p.column {
		lead := p.paths[0]
		members := p.elements()
		track := g.track(members)
		track = append(track, p.track[min(1, len(p.track)):]...)
		if track[len(track)-1] != lead.to.At {
			track = append(track, lead.to.At)
		}
		g.note(members, track)
	}
	for i := range p.paths {
		x := &g.Elements[p.paths[i].element]
		x.At, x.Facing, x.Holds, x.Inside = place(p.paths[i].to.At), int(p.paths[i].to.Heading), 0, 0
	}
}
