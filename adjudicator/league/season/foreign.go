package season

import (
	"fmt"
	"time"

	"berthier/adjudicator/league/table"
)

// Foreign is a game that was played in another office and counts in the place of one of the season. That it was played
// there, by these members and by the same rules, is for whoever has its signed export to say.
type Foreign struct {
	Office string // its name in the set-up
	ID     string // of the game there
	Link   Link   // the end of its log
	Result Outcome
	By     string // who has let it count: a member, or an address
}

// Imported says that a game of another office counts in the place of one of the season.
type Imported struct {
	Game   string
	Office string
	ID     string
	Link   Link
	Result Outcome
	By     string // a member, or an address
	Reason string
	At     time.Time `json:"-"`
}

func (a Imported) apply(s *Season) error {
	d, g, err := running(s, a.Game, a.By)
	switch {
	case err != nil:
		return err
	case a.Link.Number < 1 || a.Link.Hash == "" || a.Result.Kind != table.Played && a.Result.Kind != table.Adjudicated:
		return fmt.Errorf("game %s: the game of the other office has not been played to its end", a.Game)
	}
	if err := a.Result.check(d, g); err != nil {
		return fmt.Errorf("game %s: %w", a.Game, err)
	}
	s.become(g, a.At, func() { g.Foreign = &Foreign{Office: a.Office, ID: a.ID, Link: a.Link, Result: a.Result, By: a.By} })
	return nil
}

// CountsAlready gives the game of the season in whose place a game with that end of its log counts; "": there is none.
func CountsAlready(s *Season, end string) string {
	for _, d := range s.Divisions {
		for _, p := range d.Pairings {
			for _, g := range p.Games {
				if g.Foreign != nil && g.Foreign.Link.Hash == end {
					return g.ID
				}
			}
		}
	}
	return ""
}
