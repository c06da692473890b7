package hfg

import (
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// What preparations bring about in play: surprise (HFG-6.14) and minefields (HFG-6.11).

// surpriseReach is how near to the defender's troops an attacker's become visible to end a surprise,
// in paces (HFG-6.14, HFG-R32).
const surpriseReach = 800

// What counts for the surprise (HFG-6.14).
const (
	surpriseBrilliant = 1 // the attacker's commander-in-chief is brilliant
	surprisePosition  = 1 // each concealed position
	surpriseInert     = 2 // the defender's is inert
	surpriseMist      = 3
	surpriseAloft     = -4 // the defender has Aeronauts, and the weather is good
)

// surprises rolls for the surprise of an attacker who has bought concealed positions, when his first
// PIP dice have settled the weather (HFG-6.10, HFG-6.14, HFG-R32): so many turns he makes before the
// defender may roll for PIPs. The defender isn't told how many.
func (p *battlefield) surprises() {
	of := p.attacker()
	if p.Prepare == nil || p.Turn != 1 || countOf(p.Prepare.Buys[of].Attacking, buysConcealed) == 0 {
		return
	}
	n := p.roll("hfg.roll-surprise", p.sideArg("side", of)) + p.surpriseBonus()
	p.Surprise = max(0, n)
	p.tellSide(of, "HFG-6.14", "hfg.surprise", phrase.Number("turns", p.Surprise))
}

// surpriseBonus is what is added to the die.
func (g *game) surpriseBonus() int {
	of := g.attacker()
	n := surprisePosition * g.Prepare.Hidden[of]
	if g.graded(of, brilliant) {
		n += surpriseBrilliant
	}
	if g.inert(of.enemy()) {
		n += surpriseInert
	}
	if g.Sky == misty {
		n += surpriseMist
	}
	if g.goodWeather() && g.aeronauts(of.enemy()) {
		n += surpriseAloft
	}
	return n
}

// aeronauts says whether a side has Aeronauts on the field.
func (g *game) aeronauts(of side) bool {
	for _, e := range g.standing() {
		if d := g.def(e); d.side == of && d.troop == aeronauts {
			return true
		}
	}
	return false
}

// alarms ends the surprise at once: troops of either side shoot, or enter close combat
// (HFG-6.14).
func (p *battlefield) alarms() {
	if p.Surprise == 0 {
		return
	}
	p.Surprise = 0
	p.tell("HFG-6.14", "hfg.surprise-ends")
}

// startles ends the surprise if any of the attacker's troops have become visible within 800 paces
// of the defender's (HFG-6.14, HFG-R32).
func (p *battlefield) startles() {
	if p.Surprise == 0 {
		return
	}
	for _, e := range p.standing() {
		if p.def(e).side != p.attacker() || p.Elements[e].Concealed {
			continue
		}
		for _, o := range p.standing() {
			if p.def(o).side != p.attacker() && within(p.apart(e, o), surpriseReach) && p.sees(o, e) {
				p.alarms()
				return
			}
		}
	}
}

// mineBody is what a minefield covers.
func (w *placedWork) mineBody() geometry.Body {
	half := int64(w.Width) / 2
	return geometry.NewBody(geometry.Piece{Frame: w.frame(), Box: geometry.Box{U0: -half, V0: -half, U1: half, V1: half}})
}

// minedFault says that a ship may not enter its own side's minefield (HFG-6.11).
func (g *game) minedFault(p *plan) *play.Fault {
	for i := range p.paths {
		x := &p.paths[i]
		d := g.def(x.element)
		if troops[d.troop].class != naval {
			continue
		}
		for k := range g.Works {
			if w := &g.Works[k]; w.Kind == minefield && w.Side == d.side && w.crossed(x) {
				return refuse("HFG-6.11", "hfg.own-mines", elementArg("element", d))
			}
		}
	}
	return nil
}

// crossed says whether a path goes over a minefield.
func (w *placedWork) crossed(x *path) bool {
	b := w.mineBody()
	return x.through(x.lanes(), &b, false) || !geometry.Apart(&x.to, &b, -slack)
}

// strikesMines rolls a die for each ship that crosses an enemy's minefield: with a 1 it is destroyed.
// From then on the minefield is known (HFG-6.11, HFG-R30).
func (p *battlefield) strikesMines(m *plan) {
	for i := range m.paths {
		x := &m.paths[i]
		d := p.def(x.element)
		if troops[d.troop].class != naval {
			continue
		}
		for k := range p.Works {
			w := &p.Works[k]
			if w.Kind != minefield || w.Side == d.side || !w.crossed(x) {
				continue
			}
			w.Hidden = false
			die := p.roll("hfg.roll-mines", elementArg("element", d))
			if die == mineStrikes {
				p.tell("HFG-6.11", "hfg.mined", elementArg("element", d))
				p.remove(x.element, destroyed)
			} else {
				p.tell("HFG-6.11", "hfg.mines-passed", elementArg("element", d))
			}
		}
	}
}

// mineStrikes is the die with which a ship strikes a mine.
const mineStrikes = 1
