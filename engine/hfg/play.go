package hfg

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// A battlefield is a game that is played on: with dice, and with what is told.
type battlefield struct {
	*game
	play.Story

	decides  func(q *question) (answer, bool) // what owners have said beforehand
	drifting bool                             // an outcome is carried out where there are ships and mines
	driven   []tale                           // ships that it has driven off the field, of which nothing is told yet
}

// dieSides is how many sides every die has.
const dieSides = 6

// seats are who plays: one of each side, or by option those of the scenario.
func (g *game) seats() []engine.Side {
	var all []engine.Side
	if g.several() {
		for i := range g.setting.seats {
			if g.plays(&g.setting.seats[i]) {
				all = append(all, engine.Side(g.setting.seats[i].id))
			}
		}
		return all
	}
	for i := range g.sides {
		all = append(all, engine.Side(g.sides[i].id))
	}
	return all
}

// several says whether a side may have several players in this game.
func (g *game) several() bool { return g.seated != 0 && len(g.setting.seats) > 0 }

// plays says whether any of a seat's commands is in the game.
func (g *game) plays(s *seatDef) bool {
	return slices.ContainsFunc(s.commands, func(c commandID) bool { return g.Commands[c].Status != absent })
}

// sideOf is the side that a seat belongs to; none for the game master.
func (g *game) sideOf(seat engine.Side) side {
	if g.several() {
		i := slices.IndexFunc(g.setting.seats, func(s seatDef) bool { return s.id == string(seat) })
		if i < 0 {
			return noSide
		}
		return g.setting.seats[i].side
	}
	return side(slices.IndexFunc(g.sides, func(d sideDef) bool { return d.id == string(seat) }) + 1)
}

// seatsOf lists the seats of a side.
func (g *game) seatsOf(of side) []engine.Side {
	return slices.DeleteFunc(g.seats(), func(s engine.Side) bool { return g.sideOf(s) != of })
}

// Allies implements [engine.Allied]: the other seats of the same side.
func (g *game) Allies(of engine.Side) []engine.Side {
	if g.sideOf(of) == noSide {
		return nil
	}
	return slices.DeleteFunc(g.seatsOf(g.sideOf(of)), func(s engine.Side) bool { return s == of })
}

// seatOf is who leads a command.
func (g *game) seatOf(c commandID) engine.Side {
	if g.several() {
		for i := range g.setting.seats {
			if slices.Contains(g.setting.seats[i].commands, c) {
				return engine.Side(g.setting.seats[i].id)
			}
		}
	}
	return engine.Side(g.sides[g.lead(c).side-1].id)
}

// owner is who leads an element.
func (g *game) owner(e elementID) engine.Side { return g.seatOf(g.command(e)) }

// roll rolls a die. What it is for is seen by the game master, and by whoever is told.
func (p *battlefield) roll(code string, args ...phrase.Arg) int {
	return p.Dice.Roll(dieSides, phrase.Say(code, args...))
}

// tell tells everybody.
func (p *battlefield) tell(clause, code string, args ...phrase.Arg) {
	p.Tell(clause, play.To(p.seats(), code, args...))
}

// tellSide tells the players of a side.
func (p *battlefield) tellSide(of side, clause, code string, args ...phrase.Arg) {
	p.Tell(clause, play.To(p.seatsOf(of), code, args...))
}

// tellFriends tells of an element the players of its side who know it.
func (p *battlefield) tellFriends(e elementID, clause, code string, args ...phrase.Arg) {
	p.Tell(clause, play.To(p.friends(e), code, args...))
}

// tellCommand tells of a command the players of its side who know how it fares.
func (p *battlefield) tellCommand(c commandID, clause, code string, args ...phrase.Arg) {
	to := slices.DeleteFunc(p.seatsOf(p.lead(c).side), func(s engine.Side) bool { return !p.hearsOf(s, c) })
	p.Tell(clause, play.To(to, code, args...))
}

// tellOf tells of an element whoever knows it.
func (p *battlefield) tellOf(e elementID, clause, code string, args ...phrase.Arg) {
	p.Tell(clause, play.To(p.toldOf(e, args), code, args...))
}

// toldOf lists the seats that are told something of an element: those that know of it, and of whoever else is named.
func (g *game) toldOf(e elementID, args []phrase.Arg) []engine.Side {
	return slices.DeleteFunc(g.knowers(e), func(s engine.Side) bool {
		return s != g.owner(e) && slices.ContainsFunc(args, func(a phrase.Arg) bool {
			o, ok := g.elementNamed(a.Value.Text)
			return ok && a.Value.Kind == "element" && !g.seatKnows(s, o)
		})
	})
}

func (g *game) commandArg(name string, c commandID) phrase.Arg {
	return phrase.Name(name, "corps", g.lead(c).id)
}

func (g *game) sideArg(name string, s side) phrase.Arg {
	return phrase.Name(name, "army", g.sides[s-1].id)
}

func (g *game) elementArg(name string, e elementID) phrase.Arg { return elementArg(name, g.def(e)) }

// ofArg names whose an element is, for what tells that it is lost.
func (g *game) ofArg(e elementID) phrase.Arg { return phrase.Name("army", "side", string(g.owner(e))) }
