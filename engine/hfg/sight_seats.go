package hfg

import (
	"slices"

	"berthier/engine"
)

// What each of several players of a side knows (HFG-5.8, HFG-R25): all that his side knows, or by option
// what his own commands know, of friends and enemies alike.

// byCommand says whether each seat knows only what its own commands know.
func (g *game) byCommand() bool { return g.fog == fogCommand && g.several() }

// knowers lists the seats that know of an element (HFG-5.8).
func (g *game) knowers(e elementID) []engine.Side {
	return slices.DeleteFunc(g.seats(), func(s engine.Side) bool { return !g.seatKnows(s, e) })
}

// friends lists the seats of an element's own side that know of it.
func (g *game) friends(e elementID) []engine.Side {
	return slices.DeleteFunc(g.knowers(e), func(s engine.Side) bool { return g.sideOf(s) != g.def(e).side })
}

// watchers lists the enemy's seats that know of an element.
func (g *game) watchers(e elementID) []engine.Side {
	return slices.DeleteFunc(g.knowers(e), func(s engine.Side) bool { return g.sideOf(s) == g.def(e).side })
}

// seatKnows says whether an element is known to a seat: its own always, one of a friend if the side knows what
// each of it does, all others while they are seen (HFG-5.8, HFG-R25).
func (g *game) seatKnows(s engine.Side, e elementID) bool {
	friend := g.sideOf(s) == g.def(e).side
	switch {
	case friend && (!g.byCommand() || g.owner(e) == s || g.hears(s, e)):
		return true
	case !g.byCommand():
		return g.known(g.sideOf(s), e)
	}
	for c := commandID(1); int(c) < len(g.Commands); c++ {
		if g.seatOf(c) == s && g.knows(c, e) {
			return true
		}
	}
	return false
}

// unknown says whether an element's owner doesn't know of an enemy: he is concealed, or nobody sees him who would tell.
func (g *game) unknown(e, enemy elementID) bool {
	return g.enemies(e, enemy) && (g.Elements[enemy].Concealed || !g.seatKnows(g.owner(e), enemy))
}

// hears says whether messages go between a seat and a friend's element, so that it knows of him without seeing
// him: a general with whom its own may exchange dice (HFG-7.4), and Aeronauts who tell its commands what they
// see (HFG-5.1).
func (g *game) hears(s engine.Side, e elementID) bool {
	if !g.on(e) {
		return false
	}
	of := g.command(e)
	for c := commandID(1); int(c) < len(g.Commands); c++ {
		if g.seatOf(c) != s {
			continue
		}
		if g.lead(of).general == e && (g.mayTrade(c, of) || g.mayTrade(of, c)) || g.def(e).troop == aeronauts && g.serves(e, c) {
			return true
		}
	}
	return false
}

// mayTrade says whether a general may exchange dice with another one: one who is directly below him, within his
// easy command distance (HFG-7.4, HFG-7.5).
func (g *game) mayTrade(above, below commandID) bool {
	a, b := g.lead(above), g.lead(below)
	return b.superior == above && (a.rank == chief || a.rank == armyLeader) && !g.foreign(below, above) && g.inReach(above, below)
}

// inReach says whether two generals are on the field, the one within the easy command distance of the other.
func (g *game) inReach(above, below commandID) bool {
	a, b := g.lead(above).general, g.lead(below).general
	return a != 0 && b != 0 && g.on(a) && g.on(b) && within(g.apart(a, b), g.commandReach(above))
}

// hearsOf says whether a seat knows how a command of its side fares: its dice, and whether it is defeated.
func (g *game) hearsOf(s engine.Side, c commandID) bool {
	e := g.lead(c).general
	return !g.byCommand() || g.seatOf(c) == s || e != 0 && g.hears(s, e)
}

// friendSeen is what a seat sees of a friend's element. Where it has sent him one of its own it knows (HFG-7.8).
func (g *game) friendSeen(seat engine.Side, e elementID) element {
	switch {
	case g.seatKnows(seat, e):
		return g.Elements[e]
	case g.seatOf(g.def(e).command) == seat:
		return element{Command: g.Elements[e].Command}
	}
	return element{}
}

// friendsMasked takes from a view what its seat doesn't know of its own side.
func (v *View) friendsMasked(g *game) {
	if !g.byCommand() {
		return
	}
	for e := elementID(1); int(e) < len(v.Elements); e++ {
		if g.def(e).side == v.of {
			v.Elements[e] = g.friendSeen(v.seat, e)
		}
	}
	for c := commandID(1); int(c) < len(v.Commands); c++ {
		if g.lead(c).side == v.of && !g.hearsOf(v.seat, c) {
			v.Commands[c] = g.strange(c)
		}
	}
	v.Seen[v.of] = slices.DeleteFunc(v.Seen[v.of], func(s sighting) bool { return s.Seat != string(v.seat) })
	v.Works = slices.DeleteFunc(v.Works, func(w placedWork) bool { return w.Hidden && w.Side == v.of && g.keptFrom(v.seat, w.ID) })
	v.Columns = slices.DeleteFunc(v.Columns, func(c column) bool {
		return slices.ContainsFunc(c.Members, func(e elementID) bool { return !v.on(e) })
	})
}

// strange is a command of which nothing is known but that it is in the game, or that by the set-up it isn't; which ones a
// campaign has kept from the battle isn't known.
func (g *game) strange(c commandID) command {
	if g.Commands[c].Status == absent && g.campaign == 0 {
		return command{Status: absent}
	}
	return command{}
}

// keptFrom says whether a hidden work is held by concealed friends, none of whom a seat knows.
func (g *game) keptFrom(seat engine.Side, id string) bool {
	kept := false
	for _, e := range g.standing() {
		if w := g.shelter(e); g.Elements[e].Concealed && w != nil && w.ID == id {
			if g.seatKnows(seat, e) {
				return false
			}
			kept = true
		}
	}
	return kept
}

// judgedBy is the field on which orders of a seat are judged: where each seat knows only what its own commands
// know, what it sees, so that no order is refused for a friend it doesn't know (HFG-R91).
func (p *battlefield) judgedBy(seat engine.Side) *game {
	if !p.byCommand() {
		return p.game
	}
	return p.view(seat).game
}
