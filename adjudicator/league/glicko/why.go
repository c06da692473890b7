package glicko

// Share is what one game did to a member's rating.
type Share struct {
	Game     string
	Expected int64 // the score that was to be expected, in thousandths
	Change   int64 // in hundredths of a point
}

// Why gives what each of a member's games of a period did to his rating, in the order of
// the games' ids; a game of three is there twice. The changes add up to the change of his
// rating but for their rounding. History is the one that Compute gave for these members and
// games.
func (s System) Why(history History, period int, member string, members []Member, games []Game) []Share {
	if _, known := history.At(period, member); !known {
		return nil
	}
	members, games = sorted(members, games)
	var before []Standing
	if period > 0 {
		before = history[period-1]
	}
	before = s.join(before, of(members, period))
	games = gamesOf(games, period)
	var shares []Share
	for i, duels := range s.duels(before, games) {
		if before[i].Member != member {
			continue
		}
		after := s.next(s.state(before[i].Rating), duels)
		for _, d := range duels {
			pull := float64(d.weight * float64(d.g*(d.score-d.e)))
			shares = append(shares, Share{
				Game:     games[d.game].ID,
				Expected: round(d.e, 1000),
				Change:   round(float64(float64(float64(after.phi*after.phi)*pull)*scale), 100),
			})
		}
	}
	return shares
}
