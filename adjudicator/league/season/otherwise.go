package season

import (
	"berthier/adjudicator/league/table"
)

// Otherwise lets do see the season, once for each other way in which a decided game of two or three could have been
// decided over the board: each of its sides has won it, or all have drawn. Afterwards all is as before.
func Otherwise(s *Season, game string, do func() error) error {
	_, g := s.game(game)
	if g == nil {
		return nil
	}
	was := g.Ruled
	defer func() { g.Ruled = was }()
	sides := len(g.Entries)
	for winner := range sides + 1 { // the last is nobody
		o := Outcome{Kind: table.Played}
		for side := range sides {
			switch {
			case winner == sides:
				o.Places = append(o.Places, table.Drew)
			case winner == side:
				o.Places = append(o.Places, table.Won)
			default:
				o.Places = append(o.Places, table.Lost)
			}
		}
		g.Ruled = &Ruling{Result: o}
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}
