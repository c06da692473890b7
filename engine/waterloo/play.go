package waterloo

import (
	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// A fault says why something may not be done, with its clause.
type fault = play.Fault

// refusal makes a fault.
func refusal(clause, code string, args ...argument) *fault {
	return &fault{Clause: clause, Why: phrase.Say(code, args...)}
}

// A battlefield is a position moving on: the game, the dice, and what has happened
// so far. It exists from one stop to the next.
type battlefield struct {
	*game
	play.Story
}

// to says something to some sides.
func to(sides []engine.Side, code string, args ...argument) engine.Telling {
	return play.To(sides, code, args...)
}

// everyone are all seats.
func (p *battlefield) everyone() []engine.Side { return p.Sides() }

// others are all seats but one.
func (p *battlefield) others(side engine.Side) []engine.Side { return play.Others(p.Sides(), side) }

// announce tells everyone the same.
func (p *battlefield) announce(clause, code string, args ...argument) {
	p.Tell(clause, to(p.everyone(), code, args...))
}

// whisper tells one seat alone.
func (p *battlefield) whisper(side engine.Side, clause, code string, args ...argument) {
	p.Tell(clause, to([]engine.Side{side}, code, args...))
}

// ask opens a stop. Several seats may be asked at one stop, each once.
func (g *game) ask(side engine.Side, kind, at string) {
	d := engine.Decision{Side: side, Kind: kind, At: at}
	i := 0
	for i < len(g.asks) && g.order(g.asks[i].Side) < g.order(side) {
		i++
	}
	g.asks = append(g.asks[:i:i], append([]engine.Decision{d}, g.asks[i:]...)...)
}

// order is the place of a seat in the order that the rules give.
func (g *game) order(side engine.Side) int { return int(armyOfSeat(side)) }

// push puts a frame on top; pop takes the top one away.
func (g *game) push(f frame) { g.Flow = append(g.Flow, f) }

func (g *game) pop() { g.Flow = g.Flow[:len(g.Flow)-1] }

// top is the frame on top, which is run next; nil at the end of the game.
func (g *game) top() frame {
	if len(g.Flow) == 0 {
		return nil
	}
	return g.Flow[len(g.Flow)-1]
}

// advance takes the answers of a stop and plays on to the next (section 5.2).
func (p *battlefield) advance(answers map[engine.Side]engine.Answer) error {
	if err := declared.Resolve(p, p.asking(), answers, p.adopt); err != nil {
		return err
	}
	p.run()
	return nil
}

// run plays until someone must be asked or the game is over.
func (p *battlefield) run() {
	for {
		for len(p.asks) == 0 && p.outcome == nil && len(p.Flow) > 0 {
			p.top().run(p)
			p.byOrders()
		}
		if !declared.Unasked(p, &p.Story, p.asking()) {
			return
		}
	}
}

// asking is the stop at which play stands.
func (p *battlefield) asking() play.Asking[*View] {
	return play.Asking[*View]{Asks: &p.asks, Left: &p.answered, Has: p.hasPolicies, View: p.view, Order: p.order}
}
