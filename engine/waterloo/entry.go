package waterloo

import (
	"slices"

	"berthier/engine"
	"berthier/orders/phrase"
)

// What follows when a unit enters a square (section 5.2), and the displacement of
// commanders (chapter 12 of the rulebook).

// enter puts a unit into a square and starts what follows: control of a victory square,
// displacement of a lone enemy commander and, after a movement, the reactions of the
// enemy. The caller has already checked the facing, the cost, and that the square is free.
func (p *battlefield) enter(id unitID, at square, how entry) {
	u := p.unit(id)
	fresh := u.At == 0
	u.At = at
	p.takeControl(id, at)
	if fresh {
		p.returnCommander(id)
	}
	p.push(&entryFrame{Unit: id, How: how})
}

// run implements frame.
func (f *entryFrame) run(p *battlefield) {
	switch f.Stage {
	case entryCommander:
		f.Stage = entryCavalry
		p.overrun(f.Unit, f.How == byMove || f.How == byCharge || p.options.loneTrigger == triggerAny)
	case entryCavalry:
		f.Stage = entryWindow
		if f.How == byMove {
			p.cavalryBefore(f.Unit)
		}
	case entryWindow:
		f.Stage = entryDone
		if f.How == byMove {
			p.openEntered(f.Unit)
		}
	default:
		p.pop()
	}
}

// seenBy implements frame: nobody may see what is waited for.
func (f *entryFrame) seenBy(*game, engine.Side) frame { return nil }

// sound tells whether a position may hold the frame.
func (f *entryFrame) sound(g *game, depth int) bool {
	return depth > 0 && f.Unit != 0 && f.Stage >= entryCommander && f.Stage <= entryDone
}

// overrun displaces enemy commanders who stand alone next to a unit that has come, if it
// came in a way that counts for this, and always those in its square (WAT-12.3,
// WAT-R31).
func (p *battlefield) overrun(id unitID, beside bool) {
	at := p.unit(id).At
	for i := range p.commanders {
		c := commanderID(i + 1)
		q := p.Commanders[c].At
		if q == 0 || p.commanders[i].army.camp() == p.campOf(id) || p.distance(q, at) > 1 || q != at && !beside {
			continue
		}
		if with := p.unitAt(q); with != 0 && p.campOf(with) == p.commanders[i].army.camp() {
			continue
		}
		p.displace(c)
	}
}

// takeAlong lets the commander in a square go along with his unit that retreats from it
// (WAT-12.4).
func (p *battlefield) takeAlong(id unitID, from, dest square) {
	for _, c := range p.commandersAt(from) {
		p.Commanders[c].At = dest
		p.announce("WAT-12.4", "wat.commander-along", p.commanderArg("commander", c), p.unitArg("unit", id), p.squareArg("square", dest))
	}
}

// bereave finds a new place for commanders whose unit was eliminated (WAT-12.4).
func (p *battlefield) bereave(at square) {
	for _, c := range p.commandersAt(at) {
		if with := p.unitAt(at); with == 0 || p.campOf(with) != p.lead(c).army.camp() {
			p.displace(c)
		}
	}
}

// nearest lists the units to which a commander may be displaced: the nearest of
// his own army, or of the other Allied army if his own has none (WAT-12.3, WAT-R31).
func (g *game) nearest(c commanderID) []unitID {
	own := g.lead(c).army
	var found []unitID
	for _, mine := range []bool{true, false} {
		best := 0
		for id, u := range g.everyUnit() {
			if g.campOf(id) != own.camp() || (g.armyOf(id) == own) != mine {
				continue
			}
			d := g.distance(g.Commanders[c].At, u.At)
			if len(found) > 0 && d > best {
				continue
			}
			if len(found) > 0 && d < best {
				found = nil
			}
			best = d
			found = append(found, id)
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// displace moves a commander to the nearest friendly unit; his owner chooses
// among several (WAT-12.3). With no unit on the board he is set aside (WAT-12.5).
func (p *battlefield) displace(c commanderID) {
	choices := p.nearest(c)
	switch len(choices) {
	case 0:
		p.Commanders[c].At = 0
		p.announce("WAT-12.5", "wat.commander-aside", p.commanderArg("commander", c))
	case 1:
		p.place(c, choices[0])
	default:
		if id, ok := firstOf(p.standing[p.lead(c).army].Commander, choices); ok && !p.Insists(p.seatOf(p.lead(c).army), stopCommander) {
			p.place(c, id)
			return
		}
		p.push(&placeFrame{Commander: c, Choices: choices})
	}
}

// place puts a commander with a unit.
func (p *battlefield) place(c commanderID, id unitID) {
	p.Commanders[c].At = p.unit(id).At
	p.announce("WAT-12.3", "wat.commander-placed", p.commanderArg("commander", c), p.unitArg("unit", id), p.squareArg("square", p.unit(id).At))
}

// returnCommander brings back a commander who was set aside, with the first unit
// that enters (WAT-12.5).
func (p *battlefield) returnCommander(id unitID) {
	for i := range p.commanders {
		c := commanderID(i + 1)
		if p.commanders[i].army.camp() != p.campOf(id) || p.Commanders[c].At != 0 {
			continue
		}
		p.place(c, id)
	}
}

// run implements frame.
func (f *placeFrame) run(p *battlefield) {
	p.ask(p.seatOf(p.lead(f.Commander).army), stopCommander, p.lead(f.Commander).id)
}

// seenBy implements frame: the units are public facts.
func (f *placeFrame) seenBy(*game, engine.Side) frame {
	return &placeFrame{Commander: f.Commander, Choices: slices.Clone(f.Choices)}
}

// sound tells whether a position may hold the frame.
func (f *placeFrame) sound(g *game, depth int) bool {
	if depth == 0 || f.Commander == 0 || len(f.Choices) == 0 {
		return false
	}
	for _, id := range f.Choices {
		if id == 0 || g.Units[id].At == 0 || g.campOf(id) != g.lead(f.Commander).army.camp() {
			return false
		}
	}
	return true
}

// asks implements asker.
func (f *placeFrame) asks(g *game, d engine.Decision) bool {
	return d == engine.Decision{Side: g.seatOf(g.lead(f.Commander).army), Kind: stopCommander, At: g.lead(f.Commander).id}
}

// farthest is the unit, of some units, that is farthest from every enemy; if there are
// several, the first of them (default of WAT-S11).
func (g *game) farthest(choices []unitID) unitID {
	best, far := choices[0], -1
	for _, id := range choices {
		near := 1 << 20
		for e, u := range g.everyUnit() {
			if g.hostile(id, e) {
				near = min(near, g.distance(g.Units[id].At, u.At))
			}
		}
		if near > far {
			best, far = id, near
		}
	}
	return best
}

// number fills a place of a sentence with a whole number.
func number(place string, n int) argument { return phrase.Number(place, n) }
