package napoleon

import (
	"slices"
)

// casualties chooses which of several equally strong units are hit, if the order of
// casualties tells them apart (NAP-6.4).
func (s *standing) casualties(g *game, tied []unitID, hits int) ([]unitID, bool) {
	if len(s.loseFirst)+len(s.spareLast) == 0 {
		return nil, false
	}
	return cut(tied, hits, s.lostFirst(g))
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

// cut takes the n units that come first by a measure, if it is clear which units these
// are.
func cut(units []unitID, n int, place func(unitID) int) ([]unitID, bool) {
	sorted := slices.Clone(units)
	slices.SortStableFunc(sorted, func(x, y unitID) int { return place(x) - place(y) })
	if n < len(sorted) && n > 0 && place(sorted[n-1]) == place(sorted[n]) {
		return nil, false
	}
	return sorted[:min(n, len(sorted))], true
}

// retreatTo assigns roads for a retreat, if the towns named take all units that leave, or if
// no other towns are left and the order says which units are sacrificed.
func (s *standing) retreatTo(g *game, b *battle, units []unitID, exits []exit, wait bool) (allotment, bool) {
	at := noTown
	if slices.ContainsFunc(s.retreats, func(one retreatOrder) bool { return one.at == b.town }) {
		at = b.town // then only orders for this battle count
	}
	var open []exit
	for _, one := range s.retreats {
		if one.at != at {
			continue
		}
		for _, t := range one.towns {
			for _, e := range exits {
				if e.town == t && e.free > 0 && !slices.ContainsFunc(open, func(o exit) bool { return o.town == t }) {
					open = append(open, e)
				}
			}
		}
	}
	if len(open) == 0 {
		return allotment{}, false
	}
	leaving := units
	counted := slices.DeleteFunc(slices.Clone(units), func(id unitID) bool { return g.weight(g.unit(id).kind) == 0 })
	if over := len(counted) - room(open); over > 0 {
		if room(open) < room(exits) || wait {
			return allotment{}, false // other roads are free, or there is a choice of who goes first
		}
		lost, ok := cut(counted, over, func(id unitID) int { return rank(s.sacrifices, g.unit(id)) })
		if !ok || slices.ContainsFunc(lost, func(id unitID) bool { return rank(s.sacrifices, g.unit(id)) == len(s.sacrifices) }) {
			return allotment{}, false
		}
		leaving = nil
		for _, id := range units {
			if !containsUnit(lost, id) {
				leaving = append(leaving, id)
			}
		}
	}
	var a allotment
	for _, id := range g.byWorth(leaving) {
		weight := g.weight(g.unit(id).kind)
		for i := range open {
			if open[i].free >= weight {
				open[i].free -= weight
				a.places = append(a.places, place{id, open[i].town})
				break
			}
		}
	}
	return a, true
}

// skirmish chooses whom to show: the side's share of the four (NAP-R91).
func (s *standing) skirmish(g *game, units []unitID) ([]unitID, bool) {
	most := maxShown
	if b := g.battleIn(g.unit(units[0]).town); b != nil {
		most = g.share(b, g.sideOf(g.unit(units[0]).army))
	}
	switch s.show {
	case showStrongest, showWeakest:
		return g.strongestOf(units, s.show == showWeakest, most), true
	case showListed:
		var chosen []unitID
		for _, id := range s.showUnits {
			if containsUnit(units, id) && len(chosen) < most {
				chosen = append(chosen, id)
			}
		}
		slices.Sort(chosen)
		return chosen, len(chosen) == most
	}
	return nil, false
}

// battleOrder gives the order of the open battles, if all of them are named or the rest may
// follow.
func (s *standing) battleOrder(g *game, open []townID) ([]townID, bool) {
	var order []townID
	for _, t := range s.battles {
		if containsTown(open, t) && !containsTown(order, t) {
			order = append(order, t)
		}
	}
	if len(order) < len(open)-1 && !s.battlesRest || len(s.battles) == 0 && !s.battlesRest {
		return nil, false
	}
	for _, t := range open {
		if !containsTown(order, t) {
			order = append(order, t)
		}
	}
	return order, true
}

// terrain places the drawn pieces, if each has its position and no two the same.
func (s *standing) terrain(b *battle, c camp) ([]field, bool) {
	own := b.ownFields(c)
	var places []field
	for _, what := range b.drawn {
		at := s.pieces[what]
		if s.elseFree && (at == 0 || slices.Contains(places, own[at-1])) {
			at = 1
			for slices.Contains(places, own[at-1]) {
				at++
			}
		}
		if at == 0 || slices.Contains(places, own[at-1]) {
			return nil, false
		}
		places = append(places, own[at-1])
	}
	return places, len(places) > 0
}

// moraleOrder orders the rolls by column, or by units if all are named.
func (s *standing) moraleOrder(g *game, b *battle) ([]unitID, bool) {
	if len(s.moralePlaces) == len(placeWords) {
		own := b.ownFields(b.acting)
		sorted := slices.Clone(b.morale)
		place := func(id unitID) int {
			f := g.unit(id).field
			for i, at := range s.moralePlaces {
				if own[at] == f {
					return i
				}
				if own[at].opposite() == f {
					return i + len(placeWords)
				}
			}
			return 2 * len(placeWords)
		}
		slices.SortStableFunc(sorted, func(x, y unitID) int { return place(x) - place(y) })
		return sorted, true
	}
	var order []unitID
	for _, id := range s.moraleUnits {
		if containsUnit(b.morale, id) {
			order = append(order, id)
		}
	}
	return order, len(order) == len(b.morale) && len(order) > 0
}
