package hfg

import (
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// The withdrawal of a defeated ally by road (HFG-17.5, HFG-R129). Who stands on none goes straight to his edge: morale.go.

// roadOut is where an element stands on a road of which an end lies on an edge of the field, looking to that end, and how
// far off along the road that is, in units; of two ends the nearer. false: it stands on none.
func (g *game) roadOut(e elementID, out edge) (at station, rest int64, ok bool) {
	if !g.onRoad(e) {
		return at, 0, false
	}
	b := g.body(e)
	on, _ := g.stationOf(b.Frame, b.V1-b.V0)
	points := g.line(on.road).points
	for _, ahead := range []bool{true, false} {
		end, far := points[0], on.along
		if ahead {
			end, far = points[len(points)-1], longOf(points)-on.along
		}
		if g.toEdge(&geometry.Body{Lo: end, Hi: end}, out) <= slack && (!ok || far < rest) {
			at, rest, ok = station{road: on.road, along: on.along, ahead: ahead}, far, true
		}
	}
	return at, rest, ok
}

// alongBy plans the move of one element along its road by so many units, to the end to which a station looks. If it has to turn
// about for that the turn is part of the price, as of any single element (HFG-9.6, HFG-9.8).
func (g *game) alongBy(e elementID, at station, far int64) *plan {
	points, b := g.line(at.road).points, g.body(e)
	end := station{road: at.road, along: at.along + at.sign(far), ahead: at.ahead}
	way := stretch(points, at.along, end.along)
	p := g.alone(e, geometry.Frame{At: way[len(way)-1], Heading: g.bearing(end, b.V1-b.V0)}, way[1:max(len(way)-1, 1)]...)
	if g.bearing(at, b.V1-b.V0) == b.Heading {
		p.price = paces(far)
	}
	p.road, p.bad = at.road, !g.line(at.road).good
	return p
}

// withdrawsByRoad makes one element's withdrawal along the road on which it stands, if that leads to its edge, as far as the
// rules allow; false: it stands on none, or can't go along it (HFG-R129).
func (p *battlefield) withdrawsByRoad(e elementID) bool {
	out := p.entry(p.command(e))
	at, rest, ok := p.roadOut(e, out)
	if !ok {
		return false
	}
	beyond := func(n int64) bool {
		if n*pace > rest {
			return true
		}
		x := p.alongBy(e, at, n*pace).paths[0]
		return p.leaves(&x.to)
	}
	for n := min(int64(p.setting.moves(p.def(e))[good]), rest/pace); n > 0; n-- {
		plan := p.alongBy(e, at, n*pace)
		if p.judge(plan) != nil {
			continue
		}
		more := 1 // paces by which it would be off the field
		if (n+1)*pace > rest {
			more = 2
		}
		if far, _ := p.reach(plan, &plan.paths[0]); beyond(n+1) && plan.price+more <= far {
			p.tellParting(e, "HFG-R82", "hfg.withdrawn")
			p.remove(e, left)
			return true
		}
		p.withdrawsBy(e, plan)
		return true
	}
	return false
}

// withdrawsBy carries out the plan of one element's withdrawal, and tells of it (HFG-17.5, HFG-17.8).
func (p *battlefield) withdrawsBy(e elementID, plan *plan) {
	p.meetsUnknown(plan)
	p.carry(plan)
	x := &p.Elements[e]
	x.Manner, x.Moved, x.Concealed, x.Task, x.Through = tactical, plan.price, false, task{}, nil
	p.tellFriends(e, "HFG-17.5", "hfg.withdraws", p.elementArg("element", e))
	p.Tell("HFG-9.1", play.To(p.watchers(e), "hfg.moved", phrase.Names("elements", "element", []string{p.def(e).id}), phrase.Number("paces", plan.price), p.ofArg(e)))
	p.mined(e, &plan.paths[0])
}
