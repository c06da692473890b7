package rated

import (
	"maps"
	"slices"

	"berthier/adjudicator/league/glicko"
)

// A worthOf is the season and the place of a division by whose set-up games were made: their sides are worth the same.
type worthOf struct{ season, setUp int }

func (r *result) worthOf() worthOf { return worthOf{r.season, r.setUp} }

// sideNames are the sides by their numbers. No game has more than three.
var sideNames = []string{"1", "2", "3"}

// A fit is what the games of a season say of the worth of sides, by set-ups.
type fit map[string]glicko.Balance

// reckon works out with what the sides of a season are reckoned whose first games are rated in a period: the ratings
// before it are there.
func (s *system) reckon(l *Log, season, first int) {
	as := l.ratingOf(season)
	if len(as.SetUps) == 0 {
		return
	}
	worth := map[string][]int64{}
	for _, x := range s.setUps(l, season) {
		for _, o := range x.Offsets {
			worth[x.Name] = append(worth[x.Name], o.Offset)
		}
	}
	done := map[worthOf]bool{}
	for _, period := range s.rated[first:] {
		for _, r := range period {
			if of := r.worthOf(); r.season == season && !done[of] {
				s.worth[of], done[of] = worth[as.SetUp(r.setUp)], true
			}
		}
	}
}

// setUps gives what playing a side of each set-up is worth, by the games of the seasons before one.
func (s *system) setUps(l *Log, before int) (all []SetUp) {
	fits := map[string][]glicko.Balance{}
	for season := range before {
		if _, known := s.fits[season]; !known {
			s.fits[season] = s.fit(l, season)
		}
		for name, one := range s.fits[season] {
			fits[name] = append(fits[name], one)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fits)) {
		all = append(all, SetUp{Name: name, Offsets: glicko.Balanced(fits[name]...)})
	}
	return all
}

// fit gives what the games of a season say of the worth of their sides. They count in the order in which they began.
func (s *system) fit(l *Log, season int) fit {
	as, games, sides := l.ratingOf(season), map[string][]glicko.Played{}, map[string]int{}
	for _, id := range l.seasons[season].games[s] {
		r := l.results[id]
		name := as.SetUp(r.setUp)
		if !l.counts(r) || name == "" {
			continue
		}
		sides[name] = max(sides[name], len(r.members))
		if games[name] == nil {
			games[name] = make([]glicko.Played, 0, len(l.seasons[season].games[s]))
		}
		for i := range r.members {
			for j := i + 1; j < len(r.members); j++ {
				if len(r.side(i))+len(r.side(j)) > 2 {
					continue // nobody is rated for one of the sides
				}
				games[name] = append(games[name], glicko.Played{ID: r.pair(i, j), Sides: [2]string{sideNames[i], sideNames[j]},
					Ratings: [2]glicko.Rating{s.before(l, r.side(i)[0], r), s.before(l, r.side(j)[0], r)},
					Score:   score(r.places[i], r.places[j]), Weight: r.weight()})
			}
		}
	}
	out := fit{}
	for name, n := range sides {
		out[name] = as.Balance(sideNames[:n], games[name])
	}
	return out
}

// before is a member's rating at the start of the period in which a result is rated.
func (s *system) before(l *Log, member string, r *result) glicko.Rating {
	if rating, has := s.history.At(l.periodIn(r.at, r.season)-1, member); has {
		return rating
	}
	return l.ratingOf(r.season).Start
}
