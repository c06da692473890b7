package adjudicator

import (
	"slices"
	"strings"

	"berthier/adjudicator/league/glicko"
	"berthier/adjudicator/league/rated"
	"berthier/adjudicator/report"
)

// movedBy is by how many hundredths of a point a rating must have moved before its member is told.
const movedBy = 100

// movedOf finds whose ratings have moved since they were worked out before, and the games that moved them: his own
// that are rated now, or no more, or otherwise; else those of others.
func movedOf(before, now []rated.Ladder) map[string][]report.RatingMoved {
	all := map[string][]report.RatingMoved{}
	for _, l := range now {
		var was rated.Ladder
		if i := slices.IndexFunc(before, func(x rated.Ladder) bool { return x.System == l.System }); i >= 0 {
			was = before[i]
		}
		changed := changedGames(was, l)
		for _, m := range l.Members {
			is, _ := l.At(m.ID)
			old, had := was.At(m.ID)
			if diff := is.R - old.R; !had || diff >= -movedBy && diff <= movedBy {
				continue
			}
			own := slices.Clone(changed)
			own = slices.DeleteFunc(own, func(g glicko.Game) bool {
				return !slices.Contains(g.Sides[0].Members, m.ID) && !slices.Contains(g.Sides[1].Members, m.ID)
			})
			if len(own) == 0 {
				own = changed
			}
			move := report.RatingMoved{System: l.System, Rating: is.R, Was: old.R}
			for _, g := range own {
				id, _, _ := strings.Cut(g.ID, "/") // of three there are three pairs
				if !slices.Contains(move.Games, id) {
					move.Games = append(move.Games, id)
				}
			}
			all[m.ID] = append(all[m.ID], move)
		}
	}
	return all
}

// changedGames gives the games that are rated now and were not before, or otherwise, or no more, by periods.
func changedGames(was, now rated.Ladder) (all []glicko.Game) {
	same := func(a, b glicko.Game) bool {
		return a.ID == b.ID && a.Score == b.Score && a.Weight == b.Weight && slices.Equal(a.Sides[0].Members, b.Sides[0].Members) && slices.Equal(a.Sides[1].Members, b.Sides[1].Members)
	}
	in := func(games []glicko.Game, g glicko.Game) bool {
		return slices.ContainsFunc(games, func(other glicko.Game) bool { return same(g, other) })
	}
	for period := range max(was.Last, now.Last) + 1 {
		old, fresh := was.GamesIn(period), now.GamesIn(period)
		for _, g := range fresh {
			if !in(old, g) {
				all = append(all, g)
			}
		}
		for _, g := range old {
			if !in(fresh, g) {
				all = append(all, g)
			}
		}
	}
	return all
}
