package waterloo

import (
	"berthier/engine"
	"berthier/orders/phrase"
)

// Control and victory (chapter 13 of the rulebook).

// takeControl gives a victory square to the side whose unit has entered it
// (WAT-13.1, WAT-R32).
func (p *battlefield) takeControl(id unitID, at square) {
	c := p.campOf(id)
	for i := range p.objectives {
		o := objectiveID(i + 1)
		if p.objectives[i].at != at || !p.marked(o) || p.Control[o] == c {
			continue
		}
		p.Control[o] = c
		p.announce("WAT-13.1", "wat.control", campArg("camp", c), phrase.Name("objective", "objective", p.objectives[i].id), p.unitArg("unit", id))
	}
}

// points are a camp's victory points now, for squares and for enemy units
// eliminated (WAT-13.3, section 3.6). A unit that never entered gives none
// (WAT-5.7, WAT-R49).
func (g *game) points(c camp) (squares, kills int) {
	for i := range g.objectives {
		if g.Control[i+1] == c && g.marked(objectiveID(i+1)) {
			squares += g.objectives[i].points[c]
		}
	}
	for i := range g.roster {
		if g.Units[i+1].Dead && g.roster[i].army.camp() != c {
			kills += g.roster[i].full
		}
	}
	return squares, kills
}

// frenchWinQuick tells whether the French hold what wins the quick game: three
// chateaux, or two and Mt St Jean (WAT-13.2).
func (g *game) frenchWinQuick() bool {
	chateaux, village := 0, false
	for i := range g.objectives {
		if o := &g.objectives[i]; o.quick && g.Control[i+1] == frenchCamp {
			if o.chateau {
				chateaux++
			} else {
				village = true
			}
		}
	}
	return chateaux >= 3 || chateaux >= 2 && village
}

// score ends the game (WAT-13.2, WAT-13.3). The Allied seats win or lose
// together (WAT-1.5).
func (p *battlefield) score() {
	winner := noCamp
	if !p.length().prussians {
		if winner = alliedCamp; p.frenchWinQuick() {
			winner = frenchCamp
		}
	} else {
		var total [camps]int
		for c := frenchCamp; c <= alliedCamp; c++ {
			squares, kills := p.points(c)
			total[c] = squares + kills
			p.announce("WAT-13.3", "wat.points", campArg("camp", c), phrase.Number("squares", squares), phrase.Number("kills", kills), phrase.Number("total", total[c]))
		}
		switch {
		case total[frenchCamp] > total[alliedCamp]:
			winner = frenchCamp
		case total[alliedCamp] > total[frenchCamp]:
			winner = alliedCamp
		}
	}
	var winners []engine.Side
	if winner != noCamp {
		winners = p.seatsIn(winner)
	}
	ended := p.ended(winners)
	p.outcome = &ended
	p.Flow = nil
	p.Tell(ended.Clause, engine.Telling{To: p.everyone(), Say: ended.Reason})
}

// ended is the outcome of a game that these seats have won; without winners it is a draw.
func (g *game) ended(winners []engine.Side) engine.Outcome {
	o := engine.Outcome{Winners: winners, Clause: "WAT-13.3"}
	if !g.length().prussians {
		o.Clause = "WAT-13.2"
	}
	if len(winners) == 0 {
		o.Reason = phrase.Say("wat.drawn")
		return o
	}
	c := campOfSeat(winners[0])
	args := []argument{phrase.Name("who", "who", c.String())}
	if g.length().prussians {
		if own, other := g.total(c), g.total(c.enemy()); own > other { // else a ruling has made them win
			args = append(args, phrase.Number("points", own), phrase.Number("other", other))
		}
	}
	o.Reason = phrase.Say("wat.won", args...)
	return o
}

// total is all victory points of a camp.
func (g *game) total(c camp) int {
	squares, kills := g.points(c)
	return squares + kills
}
