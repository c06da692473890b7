package napoleon

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
)

// Orders of preference that standing orders give (section 6 of the digest).

// sortBy sorts units by a measure, and leaves those that are equal in their order.
func sortBy(units []unitID, place func(unitID) int) {
	slices.SortStableFunc(units, func(x, y unitID) int { return place(x) - place(y) })
}

// cut takes the n units that come first by a measure, if it is clear which units these
// are.
func cut(units []unitID, n int, place func(unitID) int) ([]unitID, bool) {
	sorted := slices.Clone(units)
	sortBy(sorted, place)
	if n < len(sorted) && n > 0 && place(sorted[n-1]) == place(sorted[n]) {
		return nil, false
	}
	return sorted[:min(n, len(sorted))], true
}

// lostFirst is the place of each unit among those that take hits: first the units to
// lose first, then those not named, then those to spare, of which the first named is the
// very last.
func (s *standing) lostFirst(g *game) func(id unitID) int {
	return func(id unitID) int {
		u := g.unit(id)
		first := rank(s.loseFirst, u)
		if first < len(s.loseFirst) {
			return first
		}
		return first + len(s.spareLast) - rank(s.spareLast, u)
	}
}

// openRoads are the roads with room to the towns that the orders name for a retreat, in
// their order, of which any is for all the others, in the order of the default. If there are
// orders for the battle, only these count.
func (s *standing) openRoads(b *battle, exits []exit) (open []exit) {
	at := noTown
	if slices.ContainsFunc(s.retreats, func(one retreatOrder) bool { return one.at == b.town }) {
		at = b.town
	}
	for _, one := range s.retreats {
		for _, t := range one.towns {
			for _, e := range exits {
				if one.at == at && (e.town == t || t == noTown) && e.free > 0 && !slices.ContainsFunc(open, func(o exit) bool { return o.town == e.town }) {
					open = append(open, e)
				}
			}
		}
	}
	return open
}

// bringTo gives the order about the reinforcements of a battle, which comes before one about
// any battle; nil if there is none.
func (s *standing) bringTo(t townID) *bringOrder {
	for _, to := range [2]townID{t, noTown} {
		for i := range s.brings {
			if s.brings[i].to == to {
				return &s.brings[i]
			}
		}
	}
	return nil
}

// deployFor gives the order for a deployment; nil if there is none.
func (s *standing) deployFor(v *View, d engine.Decision) *deployOrder {
	if x := asked(v, d); x.b != nil {
		return play.FirstMatching(orderMeasures, x, s.deploys, ofDeploy)
	}
	return nil
}

// movesFor gives the order for a turn of movement; nil if there is none.
func (s *standing) movesFor(v *View, d engine.Decision) *movesOrder {
	return play.FirstMatching(orderMeasures, asked(v, d), s.moves, ofMoves)
}

// speaksOf gives the key of the order that holds orders for a stop, or says who comes to its
// battle; "" if there is none. A side is told if such an order does not fit.
func (s *standing) speaksOf(v *View, d engine.Decision) string {
	switch b := v.battleOf(d); d.Kind {
	case "move":
		if s.movesFor(v, d) != nil {
			return "moves"
		}
	case "deploy-defender", "deploy-attacker":
		if s.deployFor(v, d) != nil {
			return "deploy"
		}
	case "reinforce":
		if b != nil && s.bringTo(b.town) != nil {
			return "reinforce"
		}
	}
	return ""
}
