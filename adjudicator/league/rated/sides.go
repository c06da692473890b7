package rated

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"berthier/adjudicator/league/glicko"
)

// compute works out the history of a system season by season: what a side is worth in one follows from the
// ratings and games until the one before had ended. Only the periods in which games of a season count are
// computed again for it.
func (l *Ladder) compute(sys glicko.System, log told, periodOf func(r result) int) (err error) {
	bySeason := map[int][]string{}
	last := 0
	for _, id := range slices.Sorted(maps.Keys(log.results)) {
		if r := log.results[id]; r.rated && r.system == l.System {
			bySeason[r.season] = append(bySeason[r.season], id)
			last = max(last, r.season)
		}
	}
	if l.History, err = sys.Compute(nil, 0, l.Last, l.Members, nil); err != nil {
		return err
	}
	for _, season := range slices.Sorted(maps.Keys(bySeason)) {
		l.Sides = l.worth(sys, log, season-1, periodOf)
		from := l.Last + 1
		for _, id := range bySeason[season] {
			r := log.results[id]
			l.Games = append(l.Games, r.games(id, periodOf(r), l.offsets(r.setUp))...)
			from = min(from, periodOf(r))
		}
		if l.History, err = sys.Compute(l.History, from, l.Last, l.Members, l.Games); err != nil {
			return err
		}
	}
	if !log.ended[last].IsZero() {
		l.Sides = l.worth(sys, log, last, periodOf)
	}
	return nil
}

// offsets are those of a set-up; none: its sides are worth nothing, as far as is known.
func (l *Ladder) offsets(setUp string) []glicko.Offset {
	for _, s := range l.Sides {
		if setUp != "" && s.Name == setUp {
			return s.Offsets
		}
	}
	return nil
}

// worth gives what playing a side of each set-up is worth, from the games that were rated until a season had ended.
func (l *Ladder) worth(sys glicko.System, log told, season int, periodOf func(r result) int) (all []SetUp) {
	until, ended := log.ended[season]
	if !ended {
		return nil
	}
	games, sides := map[string][]glicko.Played{}, map[string]int{}
	for _, id := range slices.Sorted(maps.Keys(log.results)) {
		r := log.results[id]
		if !r.rated || r.system != l.System || r.setUp == "" || r.season > season || r.at.After(until) {
			continue
		}
		sides[r.setUp] = max(sides[r.setUp], len(r.members))
		for i := range r.members {
			for j := i + 1; j < len(r.members); j++ {
				if len(r.sides[i])+len(r.sides[j]) > 2 {
					continue // nobody is rated for one of the sides
				}
				games[r.setUp] = append(games[r.setUp], glicko.Played{ID: fmt.Sprintf("%s/%d-%d", id, i+1, j+1), Sides: [2]string{strconv.Itoa(i + 1), strconv.Itoa(j + 1)},
					Ratings: [2]glicko.Rating{l.before(sys, r.sides[i][0], periodOf(r)), l.before(sys, r.sides[j][0], periodOf(r))},
					Score:   score(r.places[i], r.places[j]), Weight: weight(r)})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(games)) {
		var names []string
		for n := range sides[name] {
			names = append(names, strconv.Itoa(n+1))
		}
		all = append(all, SetUp{Name: name, Offsets: sys.Offsets(names, games[name])})
	}
	return all
}

// before is a member's rating at the start of a period.
func (l *Ladder) before(sys glicko.System, member string, period int) glicko.Rating {
	if r, has := l.History.At(period-1, member); has {
		return r
	}
	return sys.Start
}

// weight of a game of two is one; of each pair of a game of three a half.
func weight(r result) int64 {
	if len(r.members) > 2 {
		return glicko.Twelfths / 2
	}
	return glicko.Twelfths
}
