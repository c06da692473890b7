package hfg

import (
	"slices"

	"berthier/engine"
)

// Sunset, and battles that go on next morning: HFG-17.7, HFG-20.12.

// lastTurn is the last turn that a battle can have.
const lastTurn = 199

// outlasts says whether a battle may outlast the day that is fought: in a campaign, or by option next-day (HFG-17.7, HFG-20.12).
func (g *game) outlasts() bool { return g.campaign != 0 || g.nextDay != 0 }

// renews says whether the sun has set on a battle that nobody has lost and that may outlast the day.
func (g *game) renews() bool { return g.outlasts() && !g.beaten(first) && !g.beaten(second) }

// dayPairs is how many pairs of turns a day has that the battle goes on into: a morning and an afternoon on the map, else as many as
// the first (HFG-R147, HFG-R157).
func (g *game) dayPairs() int {
	if g.campaign != 0 {
		return 2 * periodPairs
	}
	return g.sunset
}

// lastPair is the pair of turns at whose end the sun sets on the day that is fought, at the latest that of the last turn: a position of
// a former program may have had more nights by then than there can be now (HFG-17.7, HFG-20.12).
func (g *game) lastPair() int { return min(g.sunset+g.Nights*g.dayPairs(), lastTurn/2) }

// hasMorrow says whether the battle can have another day when the sun has set on this one (HFG-R191).
func (g *game) hasMorrow() bool {
	sunset := 2 * g.lastPair()
	if g.Phase == dusk {
		sunset = g.Turn // a position of a former program may be there earlier
	}
	return sunset+2*g.dayPairs() <= lastTurn
}

// periodOver says whether a period of the map ends with this turn: 24 pairs after the battle's beginning or after dawn, and each
// 24 pairs from there (HFG-20.10).
func (g *game) periodOver() bool {
	dawn := 0
	if g.Nights > 0 {
		dawn = g.sunset + (g.Nights-1)*g.dayPairs()
	}
	return g.outlasts() && g.Turn%2 == 0 && (g.pair()-dawn)%periodPairs == 0
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
// and if both do the battle is a draw; if nobody does it goes on next morning, and is a draw if it can't have another day
// (HFG-20.12, HFG-R157, HFG-R191).
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
	if !p.hasMorrow() {
		p.tell("HFG-R191", "hfg.last-sunset")
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
		x.Silenced, x.Blocked, x.Passers = 0, false, nil
	}
	p.Said = false
	p.passesOn()
}

// reappear has all who were spent or have run off the field come on again, when a period of the map is over (HFG-16.2, HFG-16.17,
// HFG-R190).
func (p *battlefield) reappear() {
	for e := elementID(1); int(e) < len(p.Elements); e++ {
		if f := p.Elements[e].Fate; f == spent || f == fled {
			p.comesBack(e)
		}
	}
}

// comesBack has an element that was spent or has run off the field come on again by the way of its command, else by a road of its
// side. Who has no way that he can come by, or belongs to an ally that withdraws, stays lost or spent (HFG-16.2, HFG-16.17, HFG-R190).
func (p *battlefield) comesBack(e elementID) {
	c := p.command(e)
	a := p.lead(c).arrival
	if a == nil {
		a = p.opening().wayIn(p.def(e).side)
	}
	if a == nil || p.withdrawn(e) || !p.comesBy(e, p.line(a.road).kind) {
		return
	}
	if p.lead(c).arrival == nil {
		s := *p.setting
		s.commands = slices.Clone(s.commands)
		s.commands[c-1].arrival = a
		s.complete()
		p.setting = &s
	}
	p.Elements[e].Fate = due
	p.tellFriends(e, "HFG-20.12", "hfg.comes-back", p.elementArg("element", e))
}
