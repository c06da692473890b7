package napoleon

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// argument fills a place of a sentence.
type argument = phrase.Arg

// campaign is a position moving on: the game, the dice, and what has happened so
// far. It exists from one stop to the next.
type campaign struct {
	*game
	play.Story
	gathered []gathered // replies of one stop that take effect together
}

// to says something to some sides.
func to(sides []engine.Side, code string, args ...argument) engine.Telling {
	return play.To(sides, code, args...)
}

// ask opens a stop. Several sides may be asked at one stop.
func (g *game) ask(sides []engine.Side, kind, at string) {
	for _, side := range sides {
		g.asks = append(g.asks, engine.Decision{Side: side, Kind: kind, At: at})
	}
}

// advance takes the answers of a stop and plays on to the next (NAP-2.0).
func (p *campaign) advance(answers map[engine.Side]engine.Answer) error {
	if err := declared.Resolve(p, p.asking(), answers, p.adopt); err != nil {
		return err
	}
	p.together()
	p.run()
	return nil
}

// run plays until someone must be asked or the game is over (NAP-2.1).
func (p *campaign) run() {
	p.going()
	for declared.Unasked(p, &p.Story, p.asking()) {
		p.together()
		p.going()
	}
}

// going plays until a stop is reached.
func (p *campaign) going() {
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
	slices.SortStableFunc(p.asks, func(x, y engine.Decision) int { // as positions list them
		return slices.Index(p.Sides(), x.Side) - slices.Index(p.Sides(), y.Side)
	})
}
