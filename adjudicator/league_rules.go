package adjudicator

import (
	"fmt"
	"maps"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/store"
	"berthier/adjudicator/verify"
	"berthier/engine"
)

// A season notes the digest of the rules with which it was announced. A program with other rules may be put in the place of
// the old one while it is played: a running game is then played again before it goes on (see [Office.pin]), and whoever wants to
// know beforehand what that will bring has all games of the season played again.

// An AgainPlayed is a game of a league that was played again by the rules of this program.
type AgainPlayed struct {
	Game  string
	Stops int    // that were resolved again
	Where string // the first that comes out otherwise than its log has it; "": nothing does
}

// PlayLeagueAgain plays the games of a league's present season again by the rules of this program, and changes nothing: those
// that were last played by other rules, or all.
func (s *Secretary) PlayLeagueAgain(id string, all bool) (again []AgainPlayed, err error) {
	l := leagues{s.club.office}
	var games []string
	if err := l.look(id, func(b *openBook) error {
		if b.Season == nil {
			return nil
		}
		for _, d := range b.Season.Divisions {
			for _, p := range d.Pairings {
				for _, g := range p.Games {
					games = append(games, g.ID)
				}
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	for _, one := range games {
		other := false
		if err := l.office.read(func(tx store.Reader) error {
			g, err := game.Read(tx.Game(one))
			other = err == nil && g.Rules != l.office.digest(g.System)
			return err
		}); err != nil {
			return nil, err
		}
		if !other && !all {
			continue
		}
		x, err := l.office.Clerk().Export(one, engine.GM)
		if err != nil {
			return nil, err
		}
		v, err := verify.Game(x, slices.Collect(maps.Values(l.office.systems)))
		if err != nil {
			return nil, fmt.Errorf("play %s again: %w", one, err)
		}
		again = append(again, AgainPlayed{Game: one, Stops: v.Stops(), Where: v.Otherwise()})
	}
	return again, nil
}

// otherThan gives the systems whose rules are others in this program than when the season was announced, sorted.
func otherThan(l leagues, announced map[string]string) (systems []string) {
	for _, system := range slices.Sorted(maps.Keys(announced)) {
		if announced[system] != l.office.digest(system) {
			systems = append(systems, system)
		}
	}
	return systems
}
