package season

import (
	"slices"
	"time"
)

// A game that is near its end when the season's time ends may be played on for a while, once, before it is counted.
const (
	NearEnd     = 3                   // turns, as its rules count them, of which the present one is the first and the last one the last
	ProlongedBy = 21 * 24 * time.Hour // after the end of the season
)

// Prolonged says that a secretary gives one game more time than the season has, since it is near its end.
type Prolonged struct {
	Game   string
	Turn   int    // that is being played
	Last   int    // that the game can have
	Head   int    // entry of the game's log that led to the position that says so
	By     string // a member, or an address
	Reason string
	At     time.Time `json:"-"`
}

func (a Prolonged) apply(s *Season) error {
	_, g, err := running(s, a.Game, a.By)
	switch {
	case err != nil:
		return err
	case s.Until.IsZero():
		return &DecisionError{Why: "no-end"}
	case !g.Until.IsZero():
		return &DecisionError{Why: "prolonged", Game: a.Game}
	case !Near(a.Turn, a.Last):
		return &DecisionError{Why: "not-near", Game: a.Game}
	}
	g.Until, g.Turn, g.Last = s.Until.Add(ProlongedBy), a.Turn, a.Last
	return nil
}

// Near tells whether a game that is in a turn is near its end, if it can have so many turns.
func Near(turn, last int) bool { return turn > 0 && turn <= last && last-turn < NearEnd }

// goesOn tells whether a game has time of its own left.
func (g *Game) goesOn(now time.Time) bool { return now.Before(g.Until) }

// ProlongedOf gives the games that are played on after the season's time, until when, the earliest first.
func ProlongedOf(s *Season) (all []Game) {
	if s.Phase != Running {
		return nil
	}
	for _, g := range undecided(s) {
		if !g.Until.IsZero() {
			all = append(all, *g)
		}
	}
	slices.SortStableFunc(all, func(a, b Game) int { return a.Until.Compare(b.Until) })
	return all
}

// Ending gives the games that will be counted when the season's time ends, if that is within so long: those that are not
// decided and have no more time than the season.
func Ending(s *Season, within time.Duration, now time.Time) (all []string) {
	if s.Phase != Running || s.Until.IsZero() || s.Until.Sub(now) > within {
		return nil
	}
	for _, g := range undecided(s) {
		if g.Until.IsZero() {
			all = append(all, g.ID)
		}
	}
	return all
}
