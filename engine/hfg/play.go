package hfg

import (
	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// A battlefield is a game that is played on: with dice, and with what is told.
type battlefield struct {
	*game
	play.Story

	decides func(q *question) (answer, bool) // what owners have said beforehand
}

// dieSides is how many sides every die has.
const dieSides = 6

// everybody lists who is told what all see: the seats, or the sides if no side has several.
func (g *game) everybody() []engine.Side {
	var all []engine.Side
	for _, s := range g.seats {
		all = append(all, engine.Side(s.id))
	}
	if len(all) == 0 {
		for _, s := range g.sides {
			all = append(all, engine.Side(s.id))
		}
	}
	return all
}

// tell tells everybody.
func (p *battlefield) tell(clause, code string, args ...phrase.Arg) {
	p.Tell(clause, play.To(p.everybody(), code, args...))
}

// retell tells what a chain of outcome moves has to tell.
func (p *battlefield) retell(c *chain) {
	for _, t := range c.told {
		p.tell(t.clause, t.code, t.args...)
	}
}
