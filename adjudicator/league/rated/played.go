package rated

import (
	"cmp"
	"slices"

	"berthier/adjudicator/league/season"
)

// playedBy gives who is rated for each side of a game: the member whose side it is, unless a substitute has sat
// there. Then it is whoever answered two thirds of the side's stops himself; if nobody did, the two who answered
// most, of whom none is rated, while the opponent is rated against both ([glicko.Side]). It gives false for a
// game that is not rated: a bot answered more than a third of a side's stops, somebody sat there whom
// the league had not seated, or the plan says that substitutes are not rated, and one played the larger part.
func playedBy(plan *season.Plan, g *season.Game, o season.Outcome) (sides [][]string, rated bool) {
	for side, entry := range g.Entries {
		if plan.SubsRated == "" || len(o.Answered) == 0 {
			sides = append(sides, []string{entry})
			continue
		}
		answered := o.Answered[side]
		if len(answered) > len(g.Sat[side]) {
			return nil, false
		}
		by, all := map[string]int64{}, int64(0)
		var who []string
		for i, n := range answered {
			m := g.Sat[side][i]
			if !slices.Contains(who, m) {
				who = append(who, m)
			}
			by[m] += n
			all += n
		}
		if bot := o.Bots[side]; 3*bot > all+bot {
			return nil, false
		}
		slices.SortStableFunc(who, func(a, b string) int { return cmp.Compare(by[b], by[a]) })
		switch most := who[0]; {
		case len(who) == 1, 3*by[most] >= 2*all:
			if most != entry && plan.SubsRated == "none" {
				return nil, false
			}
			sides = append(sides, who[:1])
		case plan.SubsRated == "none":
			return nil, false
		default:
			sides = append(sides, who[:2])
		}
	}
	return sides, true
}
