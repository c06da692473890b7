package hfg

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
)

// Groups that must end in column: HFG-9.11.

// narrows says why a group may not make a plan abreast: it leaves a BUA, follows a river bank, or
// crosses a stream, a gully or difficult going (HFG-9.11).
func (g *game) narrows(p *plan) *play.Fault {
	if p.single || p.column || p.apart || p.joins {
		return nil
	}
	for i := range p.paths {
		x := &p.paths[i]
		if troops[g.def(x.element).troop].class == naval {
			continue
		}
		abreast := g.quits(x) || g.under(x) == hard || g.followsBank(x)
		for l := lineID(1); int(l) <= len(g.lines) && !abreast; l++ {
			k := g.line(l).kind
			abreast = (k == stream || k == gully) && g.over(x, l)
		}
		if abreast {
			return refuse("HFG-9.11", "hfg.move-column", elementArg("element", g.def(x.element)))
		}
	}
	return nil
}

// bankNear is how near to the water one follows its bank, and bankLong how far one must go along it, in
// paces (HFG-R156).
const (
	bankNear = 100
	bankLong = 200
)

// followsBank says whether a move follows the bank of a river: all the way the base is within 100
// paces of the water, and it goes more than 200 along it (HFG-9.11, HFG-R156).
func (g *game) followsBank(x *path) bool {
	for l := lineID(1); int(l) <= len(g.lines); l++ {
		d := g.line(l)
		if d.kind != river {
			continue
		}
		was, _ := geometry.Nearest(d.points, centre(&x.from))
		is, _ := geometry.Nearest(d.points, centre(&x.to))
		if within(max(was-is, is-was), bankLong) {
			continue
		}
		long, near := longOf(x.legs), true
		for n := int64(0); near && n <= long; n += bankNear * pace {
			b := x.from.Shifted(geometry.Along(x.legs, n).Minus(centre(&x.from)))
			off := geometry.Distance(outlineOf(&b), geometry.Figure{P: d.points}) - int64(d.width)/2
			near = within(off, bankNear)
		}
		if near {
			return true
		}
	}
	return false
}

// joinStep is how far apart the places are that are tried on a track, in units.
const joinStep = 50 * pace

// joined plans how a group goes into a column: its leader makes a move of his own, the others go
// by themselves, those nearest to where he ends first, each to the foremost free place behind those
// who have theirs that it can reach and that isn't further back than it began; who reaches none
// stays (HFG-9.11, HFG-R125).
func (g *game) joined(lead *plan, others []elementID) *plan {
	first := lead.paths[0]
	p := &plan{manner: lead.manner, apart: true, joins: true, road: lead.road, bad: lead.bad, price: lead.price, far: lead.far, cut: lead.cut, paths: []path{first}}
	track := g.track([]elementID{first.element})
	if lead.track != nil {
		track = append(track, lead.track[1:]...)
	} else {
		track = append(track, first.to.At)
	}
	long := int64(0)
	for _, e := range others {
		long += 2 * -g.box(g.def(e)).V0
	}
	whole := lengthened(track, longOf(track)+long)
	end := longOf(whole)
	board := g.trial()
	board.carry(&plan{paths: []path{first}})
	far := func(e elementID) int {
		b := g.starts(e, first.to.Heading)
		return paces(geometry.Dist(b.At, first.to.At))
	}
	order := slices.Clone(others)
	slices.SortStableFunc(order, func(a, b elementID) int { return far(a) - far(b) })
	behind := first.to.V1 - first.to.V0
	for _, e := range order {
		b := g.starts(e, first.to.Heading)
		depth := g.depth(e)
		began, _ := geometry.Nearest(whole, b.At)
		for at := behind; end-at >= began; at += joinStep {
			own := board.alone(e, onTrack(whole, end-at, depth))
			own.manner, own.joins = lead.manner, true
			if board.judge(own) != nil {
				continue
			}
			p.paths = append(p.paths, own.paths[0])
			board.carry(own)
			behind = at + depth
			break
		}
	}
	return p
}

// plannedJoin works out how a group goes into a column behind its leader, who makes the move that
// is ordered.
func (g *game) plannedJoin(o *order, all []elementID) (*plan, *play.Fault) {
	one := *o
	one.Of, one.Column = g.def(all[0]).id, false
	var lead *plan
	var fault *play.Fault
	if o.Verb == verbAlong {
		lead, fault = g.plannedRoad(&one, all[:1])
	} else {
		one.Verb = verbGo
		lead, fault = g.plannedGoing(&one, all[0])
	}
	if fault != nil {
		return nil, fault
	}
	return g.joined(lead, all[1:]), nil
}
