package glicko

import (
	"cmp"
	"slices"
)

// MostOffset is the most that playing one side rather than another may be reckoned to be
// worth, in hundredths of a point.
const MostOffset = 100_00

// Offset is what playing a side is worth, in hundredths of a point.
type Offset struct {
	Side   string
	Offset int64
}

// Played is a rated game of one scenario and edition, or a pair of a game of three, as it
// counts for the balance of sides.
type Played struct {
	ID      string
	Sides   [2]string
	Ratings [2]Rating // of those who played, at the start of the game's period
	Score   int64     // what the first side got, in twelfths
	Weight  int64     // in twelfths
}

// A Balance is what some games say of how much each side of a scenario is worth.
type Balance struct {
	sides             []string
	information, pull []float64 // by sides
}

// Offsets gives what each of the sides of a scenario is worth, from its rated games, in the
// order of sides ([Balanced]). The order of games is of no matter.
func (s System) Offsets(sides []string, games []Played) []Offset {
	games = slices.Clone(games)
	slices.SortFunc(games, func(a, b Played) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), slices.Compare(a.Sides[:], b.Sides[:]))
	})
	return Balanced(s.Balance(sides, games))
}

// Balance gives what games say of the sides that they have. They count in their order.
func (s System) Balance(sides []string, games []Played) Balance {
	b := Balance{sides: sides, information: make([]float64, len(sides)), pull: make([]float64, len(sides))}
	for i, side := range sides {
		for _, game := range games {
			for k := range game.Sides {
				if game.Sides[k] != side {
					continue
				}
				me, foe := s.state(game.Ratings[k]), s.state(game.Ratings[1-k])
				score, weight := float64(game.Score)/Twelfths, float64(game.Weight)/Twelfths
				if k == 1 {
					score = float64(Twelfths-game.Score) / Twelfths
				}
				g := g(foe.phi)
				e := expected(g, me.mu-foe.mu)
				b.information[i] += float64(weight * float64(float64(g*g)*float64(e*(1-e))))
				b.pull[i] += float64(weight * float64(g*(score-e)))
			}
		}
	}
	return b
}

// Balanced gives what each of the sides of a scenario is worth, from what the games of some
// seasons say, which count in that order: the step of Newton's method from no offset at all
// towards the offsets that make the mean score of each side what was to be expected. Every
// two of the sides are taken to have met equally often, as they do in games of all sides.
// No offset is larger than [MostOffset]. A season's offsets are computed once, at its end,
// for the season after it; a side that nobody has played has none. The sides are those of
// the season that has most.
func Balanced(of ...Balance) []Offset {
	var sides []string
	for _, b := range of {
		if len(b.sides) > len(sides) {
			sides = b.sides
		}
	}
	offsets := make([]Offset, len(sides))
	for i, side := range sides {
		information, pull := 0.0, 0.0
		for _, b := range of {
			if i < len(b.sides) {
				information += b.information[i]
				pull += b.pull[i]
			}
		}
		offsets[i] = Offset{Side: side}
		if information > 0 {
			// The steps of all sides are taken at once, so each takes its part of the difference.
			step := float64(pull*float64(len(sides)-1)) / float64(information*float64(len(sides)))
			offsets[i].Offset = max(-MostOffset, min(MostOffset, round(float64(step*scale), 100)))
		}
	}
	return offsets
}
