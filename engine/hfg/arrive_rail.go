package hfg

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Arrival by rail: HFG-6.16.

const (
	trainFoot = 4   // so many foot elements does a train set down in a turn, or one other
	trainStep = 100 // paces between the points of the line at which enemies could shoot (HFG-R130)
)

// byRail says whether a command comes on by a railway, and where that cuts its edge, looking onto the
// field.
func (g *game) byRail(c commandID) (station, bool) {
	a := g.lead(c).arrival
	if a == nil || g.line(a.road).kind != railway {
		return station{}, false
	}
	return g.cutsEdge(g.lead(c).side, a)
}

// trainload lists who comes by the next train: of those who are due the first, and if he is foot the
// next foot after him, four in all.
func (g *game) trainload(c commandID) []elementID {
	var all []elementID
	for _, e := range g.waiting(c) {
		onFoot := troops[g.def(e).troop].class == foot
		if len(all) == 0 || onFoot && troops[g.def(all[0]).troop].class == foot && len(all) < trainFoot {
			all = append(all, e)
		}
	}
	return all
}

// setDown plans how a train sets troops down so many paces along the railway from the edge: the first
// there, looking along the line, the others behind him on it (HFG-6.16, HFG-R155). False: there is no
// room between him and the edge.
func (g *game) setDown(c commandID, at station, far int) (*plan, bool) {
	way := g.ahead(at, nil)
	head := int64(far) * pace
	p := &plan{manner: march, road: at.road, rail: true, track: stretch(way, 0, head)}
	for _, e := range g.trainload(c) {
		box := g.box(g.def(e))
		depth := box.V1 - box.V0
		if head < depth {
			break
		}
		from := g.bodyAt(e, geometry.Frame{At: way[0], Heading: geometry.Toward(way[0], way[1])})
		to := g.bodyAt(e, onTrack(way, head, depth))
		p.paths = append(p.paths, path{element: e, from: from, to: to, legs: append(stretch(way, 0, head), centre(&to))})
		head -= depth
	}
	p.column, p.single = len(p.paths) > 1, len(p.paths) == 1
	return p, len(p.paths) > 0
}

// plannedTrain works out how a command comes on by rail; far is a distance along the railway, or max
// for the furthest whole hundred of paces (HFG-R155).
func (g *game) plannedTrain(c commandID, at station, far int) (*plan, *play.Fault) {
	name := g.commandArg("command", c)
	for o := commandID(1); int(o) < len(g.Commands); o++ {
		if a := g.lead(o).arrival; o != c && a != nil && a.road == at.road && g.Commands[o].Entered == g.Turn {
			return nil, refuse("HFG-6.16", "hfg.entry-train", name)
		}
	}
	safe, by := g.safeTo(c, at)
	long := int(longOf(g.ahead(at, nil)) / pace)
	if far != mostFar {
		p, ok := g.setDown(c, at, far)
		switch {
		case !ok || far > long:
			return nil, refuse("HFG-6.16", "hfg.entry-room", name)
		case far > safe:
			return nil, refuse("HFG-R130", "hfg.entry-shot", name, g.elementArg("other", by), phrase.Number("safe", safe))
		}
		return p, g.judge(p)
	}
	last := refuse("HFG-6.16", "hfg.entry-room", name)
	for n := min(safe, long) / trainStep * trainStep; n > 0; n -= trainStep {
		p, ok := g.setDown(c, at, n)
		if !ok {
			break
		}
		fault := g.judge(p)
		if fault == nil {
			return p, nil
		}
		last = fault
	}
	return nil, last
}

// safeTo is how far along a railway from the edge no enemy whom the command's side knows can shoot at
// it, in paces, and the enemy who can shoot at what lies beyond (HFG-R130).
func (g *game) safeTo(c commandID, at station) (int, elementID) {
	way := g.ahead(at, nil)
	long := int(longOf(way) / pace)
	g = g.ungraded(g.lead(c).side)
	var foes []elementID
	for _, e := range g.standing() {
		if g.def(e).side != g.lead(c).side && g.known(g.lead(c).side, e) && g.noShot(e) == nil {
			foes = append(foes, e)
		}
	}
	for n := 0; ; n = min(n+trainStep, long) {
		spot := fighter{Spot: place(geometry.Along(way, int64(n)*pace)), Looks: int(onTrack(way, max(int64(n)*pace, pace), pace).Heading), Line: true}
		for _, e := range foes {
			if g.bears(e, spot) {
				return n - 1, e
			}
		}
		if n == long {
			return long, 0
		}
	}
}

// ungraded is the game with the enemies of a side as it sees them: without grades.
func (g *game) ungraded(of side) *game {
	c, s := *g, *g.setting
	s.roster = slices.Clone(s.roster)
	for i := range s.roster {
		if d := &s.roster[i]; d.side != of {
			d.grades = nil
		}
	}
	c.setting = &s
	return &c
}

// bears says whether an element has something in its range, its arc and a clear lane (HFG-12.5 to
// HFG-12.7).
func (g *game) bears(e elementID, at fighter) bool {
	far := g.reaches(e, at)
	if far == 0 || !within(g.rangeTo(e, at), far) || !g.inArc(e, at) {
		return false
	}
	_, ok := g.laneTo(e, at)
	return ok
}
