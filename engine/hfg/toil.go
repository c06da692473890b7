package hfg

import (
	"slices"
	"strconv"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Work at the water: fords that are looked for, bridges that are built and destroyed (chapter 10).

const (
	fordDie     = 5    // with so much there is a ford (HFG-10.2)
	fordBarren  = 1200 // no unknown ford lies within so many paces of one that was not found
	fordTown    = 400  // so near a BUA helps
	oneTown     = 1
	twoTowns    = 4 // one on either bank
	wholeTurns  = 2 // own turns that a bridge takes, to be built or destroyed (HFG-10.5, HFG-10.7)
	turnsOfPair = 2
)

// banks says whether the middle of a footprint's front edge lies on the bank of some water, which
// lies before it.
func (s *setting) banks(b *geometry.Body, l lineID) bool {
	d := s.line(l)
	_, off := geometry.Nearest(d.points, b.At)
	over := b.At.Plus(geometry.Step(b.Heading, int64(d.width)/2))
	_, beyond := geometry.Nearest(d.points, over)
	return off >= int64(d.width)/2-slack && off <= int64(d.width)/2+slack+fordStep && beyond < off
}

// fordStep is how much further from the water's edge a front may stand that touches the bank, for
// fronts are ordered by whole paces.
const fordStep = pace

// bankOf is the river on whose bank a footprint stands; 0: none.
func (s *setting) bankOf(b *geometry.Body) lineID {
	for l := lineID(1); int(l) <= len(s.lines); l++ {
		if s.line(l).kind == river && s.banks(b, l) {
			return l
		}
	}
	return 0
}

// fordFault says why nobody looks for a ford where a plan ends (HFG-10.2, HFG-R43).
func (g *game) fordFault(p *plan) *play.Fault {
	b := &p.paths[0].to
	l := g.bankOf(b)
	name := g.elementArg("element", p.paths[0].element)
	if l == 0 {
		return refuse("HFG-10.2", "hfg.ford-bank", name)
	}
	if g.barren(l, b.At, g.def(p.paths[0].element).side) {
		return refuse("HFG-R43", "hfg.ford-barren", name)
	}
	return nil
}

// barren says whether no unknown ford lies near a place, since one was looked for there (HFG-R43); of a side: as far as that
// side can know, for it doesn't see where others have looked.
func (g *game) barren(l lineID, at point, of side) bool {
	return slices.ContainsFunc(g.Barren, func(s search) bool {
		return s.Over == l && (of == noSide || s.By == noSide || s.By == of) && within(geometry.Dist(point(s.At), at), fordBarren)
	})
}

// fordHelp is what towns on the banks add to the die of a search (HFG-10.2).
func (g *game) fordHelp(b *geometry.Body, l lineID) int {
	near, far := false, false
	for a := areaID(1); int(a) <= len(g.areas); a++ {
		if g.area(a).kind != bua {
			continue
		}
		t := g.block(a)
		off := geometry.Distance(geometry.Figure{P: []point{b.At}}, outlineOf(&t))
		if b.Local(centre(&t)).Y > b.V1 {
			far = far || within(off-int64(g.line(l).width), fordTown)
		} else {
			near = near || within(off, fordTown)
		}
	}
	switch {
	case near && far:
		return twoTowns
	case near || far:
		return oneTown
	}
	return 0
}

// searches rolls for a ford where an element has come to the bank: if there is one it is marked,
// and the element goes on until its front touches the far bank (HFG-10.2).
func (p *battlefield) searches(e elementID) {
	b := p.body(e)
	l := p.bankOf(&b)
	if l == 0 {
		return
	}
	die := p.roll("hfg.roll-ford", p.elementArg("element", e))
	sum := die + p.fordHelp(&b, l)
	p.Tell("HFG-10.2", play.To(p.friends(e), "hfg.ford-search", p.elementArg("element", e), phrase.Number("die", die), phrase.Number("sum", sum)),
		play.To(p.watchers(e), "hfg.ford-seen", p.elementArg("element", e)))
	if sum < fordDie || p.barren(l, b.At, noSide) { // where others have looked in vain he does, too, whatever the die
		p.Barren = append(p.Barren, search{Over: l, At: place(b.At), By: p.def(e).side})
		return
	}
	n, _ := geometry.Nearest(p.line(l).points, b.At)
	f := ford{Over: l, At: place(geometry.Along(p.line(l).points, n)), Facing: int(b.Heading)}
	if enemy := p.def(e).side.enemy(); !p.known(enemy, e) {
		f.Hidden = enemy
	}
	p.Fords = append(p.Fords, f)
	to := b.Shifted(geometry.Step(b.Heading, int64(p.line(l).width)))
	if p.clearOf(e, &to) {
		p.Elements[e].At = place(to.At)
	}
}

// clearOf says whether nobody stands where an element goes through a ford.
func (g *game) clearOf(e elementID, b *geometry.Body) bool {
	if g.leaves(b) {
		return false
	}
	for o := elementID(1); int(o) < len(g.Elements); o++ {
		if x := g.body(o); o != e && g.on(o) && g.overlap(b, &x) {
			return false
		}
	}
	return true
}

// taskFault says why an element can't begin to build over a river, or to destroy a bridge
// (HFG-10.5, HFG-10.7).
func (g *game) taskFault(e elementID, bridgeID string) *play.Fault {
	b := g.body(e)
	name := g.elementArg("element", e)
	switch {
	case !g.on(e) || g.phasing() != g.def(e).side:
		return refuse("HFG-7.1", "hfg.move-turn", name)
	case g.Elements[e].Spirit != steady:
		return refuse("HFG-7.10", "hfg.move-repulsed", name)
	case bridgeID != "" && !g.atBridge(e, bridgeID):
		return refuse("HFG-10.7", "hfg.bridge-contact", name, phrase.Literal("bridge", bridgeID))
	case bridgeID == "" && (g.def(e).troop != pontoneers || g.bankOf(&b) == 0):
		return refuse("HFG-10.5", "hfg.bridge-bank", name)
	}
	return nil
}

// undertakes has an element begin to build, or to destroy a bridge. A turn in which it has moved
// isn't a whole one.
func (g *game) undertakes(e elementID, bridgeID string) {
	x := &g.Elements[e]
	t := task{Bridge: bridgeID, Since: g.Turn}
	if x.Manner != still {
		t.Since += turnsOfPair
	}
	if bridgeID == "" {
		b := g.body(e)
		t.Over = g.bankOf(&b)
		n, _ := geometry.Nearest(g.line(t.Over).points, b.At)
		t.At = place(geometry.Along(g.line(t.Over).points, n))
	}
	x.Task = t
}

// toils ends the work of the phasing side's elements at the end of its turn: what was worked on for
// two whole own turns is done; who was driven off, or has left, has given it up (HFG-10.5,
// HFG-10.7).
func (p *battlefield) toils() {
	for _, e := range p.standing() {
		x := &p.Elements[e]
		if x.Task.Since == 0 || p.def(e).side != p.phasing() {
			continue
		}
		b := p.body(e)
		gone := x.Spirit != steady || p.Turn >= x.Task.Since && x.Manner != still
		if x.Task.Bridge != "" {
			gone = gone || !p.atBridge(e, x.Task.Bridge)
		} else {
			gone = gone || p.bankOf(&b) != x.Task.Over
		}
		switch {
		case gone:
			x.Task = task{}
		case p.Turn < x.Task.Since+turnsOfPair*(wholeTurns-1):
		case x.Task.Bridge != "":
			p.breaksDown(x.Task.Bridge)
			x.Task = task{}
		default:
			p.spans(e)
		}
	}
}

// breaksDown takes a bridge away.
func (p *battlefield) breaksDown(id string) {
	for i := range p.Bridges {
		if p.Bridges[i].ID == id {
			p.Bridges = append(p.Bridges[:i:i], p.Bridges[i+1:]...)
			p.tell("HFG-10.7", "hfg.bridge-worn", phrase.Literal("bridge", id))
			return
		}
	}
}

// spans exchanges Pontoneers for the bridge that they have built (HFG-10.5, HFG-R45).
func (p *battlefield) spans(e elementID) {
	t, b := p.Elements[e].Task, p.body(e)
	id := ""
	for n := 1; id == "" || slices.ContainsFunc(p.Bridges, func(b bridge) bool { return b.ID == id }); n++ {
		id = "pontoon-" + strconv.Itoa(n) // whoever sees the bridge needn't know who has built it
	}
	p.Bridges = append(p.Bridges, bridge{ID: id, Over: t.Over, At: t.At, Facing: int(b.Heading), Temporary: true})
	p.tellOf(e, "HFG-10.5", "hfg.bridge-built", p.elementArg("element", e))
	p.remove(e, exchanged)
}
