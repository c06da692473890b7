package napoleon

import (
	"fmt"

	"berthier/engine"
	"berthier/orders/phrase"
)

// argument is a place of a sentence filled in.
type argument = phrase.Arg

// play is a position moving on: the game, the dice, and what has happened so
// far. It lives from one stop to the next.
type play struct {
	*game
	dice     engine.Dice
	events   []engine.Event
	gathered []gathered // answers of one stop that take effect together
}

// tell notes an event.
func (p *play) tell(clause string, tellings ...engine.Telling) {
	p.events = append(p.events, engine.Event{Clause: clause, Tellings: tellings})
}

// to says something to some sides.
func to(sides []engine.Side, code string, args ...argument) engine.Telling {
	return engine.Telling{To: sides, Say: phrase.Say(code, args...)}
}

// ask opens a stop. Several sides may be asked at one stop.
func (g *game) ask(sides []engine.Side, kind, at string) {
	for _, side := range sides {
		g.asks = append(g.asks, engine.Decision{Side: side, Kind: kind, At: at})
	}
}

// advance takes the answers of a stop and plays on to the next (NAP-2.0).
func (p *play) advance(answers map[engine.Side]engine.Answer) error {
	asked := p.asks
	for _, d := range asked {
		a, ok := answers[d.Side].(Answer)
		if !ok || a.to != d {
			return fmt.Errorf("advance: no answer of %s to %s %s", d.Side, d.Kind, d.At)
		}
	}
	p.asks = nil
	for _, d := range asked {
		p.adopt(d.Side, answers[d.Side].(Answer).standing)
	}
	for _, d := range asked {
		stops[d.Kind].take(p, d, answers[d.Side].(Answer).answer)
	}
	p.together()
	p.run()
	return nil
}

// run plays until someone must be asked or the game is over (NAP-2.1).
func (p *play) run() {
	p.answerUnasked()
	for len(p.asks) == 0 && p.outcome == nil {
		switch p.phase {
		case bidding:
			p.biddingPhase()
		case handicapping:
			p.handicap()
		case deployAllied, deployFrench:
			p.deployment()
		case movement:
			p.movementPhase()
		case battlePhase:
			p.battlePhase()
		case supplyPhase:
			p.supplyPhase()
		}
		p.answerUnasked()
	}
}
