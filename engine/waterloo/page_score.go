package waterloo

import "berthier/engine"

// Score implements [engine.Scored]: victory points as they stand (WAT-13.3), of which those
// for enemy units eliminated are inflicted. In the quick game, which is won by squares alone,
// the camp that would win now has one point (WAT-13.2).
func (Ruleset) Score(view engine.View) []engine.Score {
	v, ok := view.(*View)
	if !ok || v.outcome != nil || v.Turn == 0 {
		return nil
	}
	var all []engine.Score
	for _, side := range v.Sides() {
		c := campOfSeat(side)
		score := engine.Score{Side: side}
		if v.length().prussians {
			squares, kills := v.points(c)
			score.Points, score.Inflicted = squares+kills, kills
		} else if v.frenchWinQuick() == (c == frenchCamp) {
			score.Points = 1
		}
		all = append(all, score)
	}
	return all
}
