package rated

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"berthier/adjudicator/league/glicko"
)

// A worthOf is the season and the place of a division by whose set-up games were made: their sides are worth the same.
type worthOf struct{ season, setUp int }

func (r *result) worthOf() worthOf { return worthOf{r.season, r.setUp} }

// A fit is what the games of a season say of the worth of sides, by set-ups.
type fit map[string]glicko.Balance

// reckon works out with what the sides of a season are reckoned whose first games are rated in a period: the ratings
// before it are there.
func (s *system) reckon(l *Log, season, first int) {
	if l.rules.SetUp == nil {
		return
	}
	all := s.setUps(l, season)
	for _, period := range s.rated[first:] {
		for _, r := range period {
			if _, known := s.worth[r.worthOf()]; known || r.season != season {
				continue
			}
			var worth []int64
			if i := slices.IndexFunc(all, func(x SetUp) bool { return x.Name == l.rules.SetUp(r.setUp) }); i >= 0 {
				for _, o := range all[i].Offsets {
					worth = append(worth, o.Offset)
				}
			}
			s.worth[r.worthOf()] = worth
		}
	}
}

// setUps gives what playing a side of each set-up is worth, by the games of the seasons before one.
func (s *system) setUps(l *Log, before int) (all []SetUp) {
	if l.rules.SetUp == nil {
		return nil
	}
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

// fit gives what the games of a season say of the worth of their sides.
func (s *system) fit(l *Log, season int) fit {
	games, sides := map[string][]glicko.Played{}, map[string]int{}
	for _, id := range l.seasons[season].games[s] {
		r := l.results[id]
		name := l.rules.SetUp(r.setUp)
		if !l.counts(r) || name == "" {
			continue
		}
		sides[name] = max(sides[name], len(r.members))
		for i := range r.members {
			for j := i + 1; j < len(r.members); j++ {
				if len(r.side(i))+len(r.side(j)) > 2 {
					continue // nobody is rated for one of the sides
				}
				games[name] = append(games[name], glicko.Played{ID: fmt.Sprintf("%s/%d-%d", id, i+1, j+1), Sides: [2]string{strconv.Itoa(i + 1), strconv.Itoa(j + 1)},
					Ratings: [2]glicko.Rating{s.before(l, r.side(i)[0], r), s.before(l, r.side(j)[0], r)},
					Score:   score(r.places[i], r.places[j]), Weight: r.weight()})
			}
		}
	}
	out := fit{}
	for name, n := range sides {
		var names []string
		for side := range n {
			names = append(names, strconv.Itoa(side+1))
		}
		out[name] = l.rules.Balance(names, games[name])
	}
	return out
}

// before is a member's rating at the start of the period in which a result is rated.
func (s *system) before(l *Log, member string, r *result) glicko.Rating {
	if rating, has := s.history.At(l.period(r.at)-1, member); has {
		return rating
	}
	return l.rules.Start
}
