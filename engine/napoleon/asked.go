package napoleon

import "berthier/engine"

// Asked implements [engine.Announcer]: whoever is asked knows that the others
// are who must answer the same at the same place. Both camps skirmish in front
// of each other, and two Allied players move and retreat together (NAP-11.4).
func (g *game) Asked(by engine.Side) []engine.Side {
	var own engine.Decision
	for _, d := range g.asks {
		if d.Side == by {
			own = d
		}
	}
	var list []engine.Side
	for _, d := range g.asks {
		if d.Side != by && own.Kind != "" && d.Kind == own.Kind && d.At == own.At {
			list = append(list, d.Side)
		}
	}
	return list
}

// Allies implements [engine.Allied]: the two Allied players are one camp
// (NAP-11.1).
func (g *game) Allies(of engine.Side) []engine.Side {
	var list []engine.Side
	for _, side := range g.sidesOf(g.campOf(of)) {
		if side != of {
			list = append(list, side)
		}
	}
	return list
}
