package napoleon

import "berthier/engine"

// whole is a victory, in the unit in which nearness to it is counted.
const whole = 1000

// Score implements [engine.Scored]. Points are how near each camp is to its own victory, in
// thousandths: by the losses of the enemy armies against the limits of their defeat
// (NAP-10.1, NAP-10.2), and for the French also by the cities that they hold alone, as long
// as the turn is to come in which these can win (NAP-10.3). Of the two the nearer one counts.
// Inflicted is the losses of enemy armies, each up to its limit.
func (Ruleset) Score(view engine.View) []engine.Score {
	v := campaignOf(view)
	if v == nil || v.outcome != nil || v.phase < movement || v.turn >= len(v.turns) {
		return nil
	}
	var points, inflicted [alliedCamp + 1]int
	armed := v.armed()
	for c := frenchCamp; c <= alliedCamp; c++ {
		limits := 0
		for a := range armies {
			if armed[a] && a.camp() != c {
				limits += v.numbers.defeat[a]
				if v.defeated[a] {
					inflicted[c] += v.numbers.defeat[a]
				} else {
					inflicted[c] += min(v.losses[a], v.numbers.defeat[a])
				}
			}
		}
		if limits > 0 {
			points[c] = whole * inflicted[c] / limits
		}
	}
	if n := &v.numbers; n.cityWinTurn >= v.turn && n.cityWinNeed > 0 && n.cityWinTurn < len(v.turns) {
		held := 0
		for i := range v.towns {
			if t := townID(i); v.towns[i].city && v.blocks(t, frenchCamp) > 0 && v.blocks(t, alliedCamp) == 0 {
				held++
			}
		}
		points[frenchCamp] = max(points[frenchCamp], whole*min(held, n.cityWinNeed)/n.cityWinNeed)
	}
	var all []engine.Score
	for _, side := range v.Sides() {
		c := v.campOf(side)
		all = append(all, engine.Score{Side: side, Points: points[c], Inflicted: inflicted[c]})
	}
	return all
}
