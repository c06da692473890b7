package hfg

import (
	"slices"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
)

// The order of a turn: chapter 7.

// begin begins a turn: marks of the turn before are taken off, heights are noted, commands
// arrive (HFG-1.13, HFG-2.7, HFG-6.13).
func (p *battlefield) begin() {
	for e := elementID(1); int(e) < len(p.Elements); e++ {
		x := &p.Elements[e]
		x.Rested = x.Manner == still && p.on(e)
		x.Manner, x.Moved, x.Ran, x.Marches, x.RoadAll = still, 0, 0, 0, false
		x.Arrived, x.Charged, x.Shot, x.Pressed, x.Faced, x.TurnIn, x.OnFoot = false, false, false, false, false, false, false
		if x.Silenced > 0 && x.Silenced < p.Turn-1 {
			x.Silenced = 0 // HFG-16.3: to the end of the turn that followed
		}
	}
	for c := commandID(1); int(c) < len(p.Commands); c++ {
		x := &p.Commands[c]
		x.Doubled, x.Traded, x.Sent = false, false, false
		if x.Status == delayed && x.Arrives > 0 && p.Turn >= x.Arrives && p.lead(c).side == p.phasing() {
			x.Status = arriving
			p.tellCommand(c, "HFG-6.13", "hfg.arriving", p.commandArg("command", c))
		}
	}
	p.freesGuns()
	p.survey()
}

// fights says whether an element is in close combat: its own front edge or an enemy's is in
// frontal contact with the other (HFG-9.5, HFG-9.7).
func (g *game) fights(e elementID) bool {
	b := g.body(e)
	for o := elementID(1); int(o) < len(g.Elements); o++ {
		if !g.on(o) || !g.enemies(o, e) || g.Elements[o].Concealed || !g.mayTouch(e, o) {
			continue
		}
		x := g.body(o)
		if !touch(&b, &x) {
			continue
		}
		if frontal(&b, &x) || g.Elements[o].Holds == 0 && frontal(&x, &b) {
			return true
		}
	}
	return false
}

// moveFault says why an element may make no tactical or march move now (HFG-7.10, HFG-9.2,
// HFG-9.5, HFG-15.7, HFG-16.3).
func (g *game) moveFault(e elementID, how manner) *play.Fault {
	x, d := &g.Elements[e], g.def(e)
	name := elementArg("element", d)
	switch {
	case !g.on(e):
		return refuse("HFG-9.1", "hfg.move-absent", name)
	case g.phasing() != d.side:
		return refuse("HFG-7.1", "hfg.move-turn", name)
	case g.Surprise > 0 && d.side != g.attacker():
		return refuse("HFG-6.14", "hfg.move-surprised", name)
	case x.Spirit == repulsed:
		return refuse("HFG-7.10", "hfg.move-repulsed", name)
	case x.Spirit == routed:
		return refuse("HFG-7.10", "hfg.move-routed", name)
	case x.Silenced > 0 && x.Silenced >= g.Turn-1:
		return refuse("HFG-16.3", "hfg.move-silenced", name)
	case g.passedBy(e):
		return refuse("HFG-15.7", "hfg.move-passed-through", name)
	case d.troop.stays():
		return refuse("HFG-9.3", "hfg.move-never", name)
	case g.emplaced(e):
		return refuse("HFG-6.6", "hfg.move-redoubt", name)
	case how == tactical && x.Manner != still, how == march && x.Manner == tactical:
		return refuse("HFG-9.2", "hfg.move-once", name)
	case g.fights(e):
		return refuse("HFG-9.5", "hfg.move-fights", name)
	}
	return nil
}

// stays says whether troops of a type never move: a Supply Base, the garrison of an SP (HFG-3.7, HFG-9.3).
func (t troop) stays() bool { return t == spGarrison || t == supplyBase }

// walled says whether an element is the garrison of an SP, its first or by option one that has taken it: the walls keep it from
// flight (HFG-R26, HFG-R195).
func (g *game) walled(e elementID) bool {
	held := g.Elements[e].Holds
	return held != 0 && g.area(held).kind == strongPoint
}

// emplaced says whether an element is artillery in a redoubt, which keeps it from moving (HFG-6.6).
func (g *game) emplaced(e elementID) bool {
	return troops[g.def(e).troop].class == artillery && g.worksIn(e) == redoubt
}

// rooted says whether an element never moves where it is: no friend pushes it back, or has it run with him or out of his way,
// and it conforms to nobody (HFG-3.7, HFG-6.6).
func (g *game) rooted(e elementID) bool { return g.def(e).troop.stays() || g.emplaced(e) }

// spend notes that elements have moved by a plan, and takes what it costs from a command.
func (g *game) spend(p *plan, payer commandID) {
	g.Commands[payer].Spent += g.costs(p).sum()
	for i := range p.paths {
		x := &g.Elements[p.paths[i].element]
		if p.manner == march {
			easy := p.road != 0 && !g.mires(p.bad)
			x.RoadAll = easy && (x.Marches == 0 || x.RoadAll)
			x.Marches++
		}
		x.Manner, x.Task = p.manner, task{} // who moves gives up what he has been at (HFG-10.5, HFG-10.7)
		x.Through = nil                     // it rides elsewhere (HFG-R160)
		if p.apart {
			x.Moved += paces(g.measured(&p.paths[i].from, &p.paths[i].to, nil))
		} else {
			x.Moved += p.price
		}
	}
}

// ends is the end of the movement phase for troops of the phasing side that were beaten before
// this turn: repulsed ones turn about again, routed ones that have not rallied are destroyed
// (HFG-16.6, HFG-16.7, HFG-R77, HFG-R102).
func (p *battlefield) ends() {
	for _, e := range p.standing() {
		x := &p.Elements[e]
		if p.def(e).side != p.phasing() || x.Spirit == steady || x.Since >= p.Turn {
			continue
		}
		if x.Spirit == routed {
			p.tellOf(e, "HFG-R77", "hfg.not-rallied", p.elementArg("element", e), p.ofArg(e))
			p.remove(e, destroyed)
			continue
		}
		x.Spirit, x.Since, x.Turned = steady, 0, p.Turn
		if !p.touched(e) {
			p.about(e)
			p.tellOf(e, "HFG-16.6", "hfg.turns-back", p.elementArg("element", e))
		}
	}
}

// touched says whether an element is in contact with an enemy.
func (g *game) touched(e elementID) bool {
	b := g.body(e)
	for o := elementID(1); int(o) < len(g.Elements); o++ {
		if g.on(o) && g.enemies(o, e) && !g.Elements[o].Concealed {
			if x := g.body(o); touch(&b, &x) {
				return true
			}
		}
	}
	return false
}

// about turns an element about where it stands (HFG-1.3). Its corners are rounded anew, which may add to an
// overlap that is already as deep as it may be (HFG-1.8): then the element stands aside by what was rounded.
func (g *game) about(e elementID) {
	b := g.body(e).AboutFace()
	to := b.Frame
	for _, by := range roundings {
		if f := (geometry.Frame{At: b.At.Plus(by), Heading: b.Heading}); g.free(e, f) {
			to = f
			break
		}
	}
	x := &g.Elements[e]
	x.At, x.Facing = place(to.At), int(to.Heading)
}

// roundings are the steps by which rounding may move a place, none first.
var roundings = []point{{}, {X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {X: 1, Y: 1}, {X: 1, Y: -1}, {X: -1, Y: 1}, {X: -1, Y: -1}, {X: 2}, {X: -2}, {Y: 2}, {Y: -2}}

// remove takes an element from the field. Where it was last seen is forgotten by those who see it go.
func (g *game) remove(e elementID, how fate) {
	x := &g.Elements[e]
	for of := range g.Seen {
		sees := func(s sighting) bool {
			return s.Element == e && (s.Seat == "" && g.known(side(of), e) || s.Seat != "" && g.seatKnows(engine.Side(s.Seat), e))
		}
		if slices.ContainsFunc(g.Seen[of], sees) {
			g.Seen[of] = slices.DeleteFunc(slices.Clone(g.Seen[of]), sees)
		}
	}
	*x = element{Fate: how, Command: x.Command, Dulled: x.Dulled}
}

// rallyFault says why an element can't be rallied (HFG-7.6, HFG-16.15).
func (g *game) rallyFault(e elementID, payer commandID) *play.Fault {
	x := &g.Elements[e]
	switch {
	case !g.on(e) || x.Spirit != routed || x.Since >= g.Turn:
		return refuse("HFG-16.15", "hfg.rally-who", g.elementArg("element", e))
	case g.Surprise > 0 && g.def(e).side != g.attacker():
		return refuse("HFG-6.14", "hfg.move-surprised", g.elementArg("element", e))
	case g.Commands[payer].Exchanged:
		return refuse("HFG-7.6", "hfg.rally-exchanged", g.elementArg("element", e))
	}
	return nil
}

// rally brings a routed element round: it turns about in place (HFG-16.15).
func (g *game) rally(e elementID, payer commandID) {
	g.Commands[payer].Spent += g.rallyCosts(e).sum()
	x := &g.Elements[e]
	x.Spirit, x.Since, x.Turned, x.Manner, x.Screened = steady, 0, g.Turn, tactical, false
	g.about(e)
}

// faces turns an element that is contacted on flank or rear to the front of one of its enemies
// (HFG-11.6, HFG-11.7); false: there is no room.
func (g *game) faces(e, enemy elementID) bool {
	b, x := g.body(enemy), g.body(e)
	to := conformed(x.Box, &b, geometry.Front, false, x.At)
	if !g.free(e, to) {
		return false
	}
	g.Elements[e].At, g.Elements[e].Facing = place(to.At), int(to.Heading)
	return true
}
