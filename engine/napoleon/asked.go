package napoleon

import (
	"math/rand/v2"

	"berthier/engine"
	"berthier/engine/play"
)

// Asked implements [engine.Announcer]: a side that is asked knows which others must answer
// the same question at the same place. Both camps skirmish in front of each other, and two
// Allied players move and retreat together (NAP-11.4).
//
// Whether standing orders have answered for one of them is not public (section 7
// of the digest), so this is worked out from the view of the side that asks, never from
// what is owed.
func (g *game) Asked(by engine.Side) []engine.Side {
	var list []engine.Side
	for _, own := range g.asks {
		if own.Side != by {
			continue
		}
		seen, err := Ruleset{}.Sample(g.View(by), own, rand.New(rand.NewPCG(0, 0)))
		if err != nil {
			return nil
		}
		for _, d := range seen.Owed() {
			if d.Side != by {
				list = append(list, d.Side)
			}
		}
	}
	return list
}

// Allies implements [engine.Allied]: the two Allied players are one camp
// (NAP-11.1).
func (g *game) Allies(of engine.Side) []engine.Side {
	return play.Others(g.sidesOf(g.campOf(of)), of)
}
