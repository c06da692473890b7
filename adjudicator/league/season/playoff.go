package season

import (
	"fmt"
	"slices"

	"berthier/adjudicator/league/table"
)

// A Playoff is that the first who does not move up from a division plays with the last who does not move
// down from the one above, for one more move.
type Playoff struct {
	Upper, Lower string   // divisions
	Members      []string // of the upper, of the lower
	Turned       bool     // the member of the lower division has the first side
}

// ID names the division in which the two play.
func (p Playoff) ID() string { return "playoff-" + p.Upper + "-" + p.Lower }

// PlayedOff begins the play-offs, once everything else is decided.
type PlayedOff struct{ Playoffs []Playoff }

func (a PlayedOff) apply(s *Season) error {
	if err := s.in(Running); err != nil {
		return err
	}
	if n := s.Open(); n > 0 {
		return fmt.Errorf("%d pairings and rounds are still open", n)
	}
	if len(a.Playoffs) == 0 || PlaysOff(s) {
		return fmt.Errorf("there are no play-offs, or they have begun")
	}
	var all []Division
	for _, p := range a.Playoffs {
		d, err := playoffDivision(s, p)
		if err != nil {
			return err
		}
		all = append(all, d)
	}
	s.Divisions = append(slices.Clone(s.Divisions), all...)
	numbered(s)
	return nil
}

// playoffDivision makes the division in which two play.
func playoffDivision(s *Season, p Playoff) (Division, error) {
	upper, lower := s.division(p.Upper), s.division(p.Lower)
	if upper == nil || lower == nil || upper.Level >= lower.Level || len(p.Members) != 2 || !upper.plays(p.Members[0]) || !lower.plays(p.Members[1]) {
		return Division{}, fmt.Errorf("%v is no play-off", p)
	}
	plan := DivisionPlan{ID: p.ID(), Size: 2, Level: upper.Level, Table: upper.Table}
	plan.Table.Form = table.RoundRobin
	plan.Table.Ties = slices.DeleteFunc(slices.Clone(upper.Table.Ties), func(tie table.Tie) bool { return plan.Table.Refuses(tie) != "" })
	seats := slices.Clone(p.Members)
	if p.Turned {
		slices.Reverse(seats)
	}
	return Division{DivisionPlan: plan, Members: slices.Clone(p.Members), Paired: 1, Pairings: []Pairing{{Round: 1, Seats: seats}}, Playoff: &p}, nil
}

// PlaysOff tells whether play-offs have begun.
func PlaysOff(s *Season) bool {
	return slices.ContainsFunc(s.Divisions, func(d Division) bool { return d.Playoff != nil })
}

// Swaps gives the play-offs that the member of the lower division has won: the two change places.
func Swaps(s *Season) (all []Playoff, err error) {
	for _, d := range s.Divisions {
		if d.Playoff == nil {
			continue
		}
		made, err := s.Table(d.ID)
		if err != nil {
			return nil, err
		}
		points := map[string]int64{}
		for _, row := range made.Rows {
			points[row.Entry] = row.Points
		}
		if p := d.Playoff; points[p.Members[1]] > points[p.Members[0]] {
			all = append(all, *p)
		}
	}
	return all, nil
}
