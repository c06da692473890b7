package hfg

import (
	"slices"

	"berthier/engine"
)

// Sunset, and battles that go on next morning: HFG-17.7, HFG-20.12.

// lastTurn is the last turn that a battle can have.
const lastTurn = 199

// renews says whether the sun has set on a battle that nobody has lost and that may go on next
// morning: in a campaign, or by option next-day (HFG-17.7, HFG-20.12).
func (g *game) renews() bool {
	return (g.campaign != 0 || g.nextDay != 0) && !g.beaten(first) && !g.beaten(second) && g.Turn+2*g.sunset <= lastTurn
}

// asksDusk lists who is asked at sunset: the commander-in-chief of each side.
func (g *game) asksDusk() []engine.Decision {
	var all []engine.Decision
	for c := commandID(1); int(c) < len(g.Commands); c++ {
		if g.lead(c).rank == chief {
			all = append(all, engine.Decision{Side: g.seatOf(c), Kind: stopDusk})
		}
	}
	return all
}

// nightfall carries out what both sides do by night: whoever withdraws leaves the field to the other,
// and if both do the battle is a draw; if nobody does it goes on next morning (HFG-20.12, HFG-R157).
func (p *battlefield) nightfall() {
	one, two := p.yields[first], p.yields[second]
	switch {
	case one && !two:
		p.Yielded = first
	case two && !one:
		p.Yielded = second
	}
	if one || two {
		p.Phase = over
		return
	}
	p.Nights++
	p.tell("HFG-20.12", "hfg.next-morning")
	for e := elementID(1); int(e) < len(p.Elements); e++ {
		x := &p.Elements[e]
		if x.Spirit != steady && p.on(e) {
			x.Spirit, x.Since, x.Turned = steady, 0, 0
			p.about(e)
		}
		x.Silenced, x.Blocked = 0, false
		if x.Fate == spent || x.Fate == fled {
			p.comesBack(e)
		}
	}
	p.Said = false
	p.passesOn()
}

// comesBack has an element that was spent or has run off the field come on again by a road of its
// side, if there is one (HFG-16.2, HFG-16.17).
func (p *battlefield) comesBack(e elementID) {
	c := p.command(e)
	if p.lead(c).arrival == nil {
		a := p.opening().wayIn(p.def(e).side)
		if a == nil {
			return
		}
		s := *p.setting
		s.commands = slices.Clone(s.commands)
		s.commands[c-1].arrival = a
		s.complete()
		p.setting = &s
	}
	p.Elements[e].Fate = due
	p.tellFriends(e, "HFG-20.12", "hfg.comes-back", p.elementArg("element", e))
}
