package season

import (
	"fmt"
	"slices"

	"berthier/adjudicator/league/pair"
	"berthier/adjudicator/league/table"
)

// Challenged is that a member of a ladder challenges another one. Their game is made as soon as both have one free.
type Challenged struct {
	Division   string
	Challenger string
	Challenged string
}

// A BusyError says that a challenge is not allowed since one is open already.
type BusyError struct {
	Who  string
	Both bool // the two have a game with each other; else the challenger has challenged somebody
}

// Error implements error.
func (e *BusyError) Error() string { return e.Who + " has an open challenge" }

func (a Challenged) apply(s *Season) error {
	if err := s.in(Running); err != nil {
		return err
	}
	d := s.division(a.Division)
	if d == nil || d.Table.Form != table.Ladder || d.Ended {
		return fmt.Errorf("there is no ladder %s that is being played", a.Division)
	}
	if err := pair.Challenge(Ladder(s, a.Division), a.Challenger, a.Challenged); err != nil {
		return err
	}
	first := 0 // games in which the challenger had the first side, less those of the other
	for i := range d.Pairings {
		p := &d.Pairings[i]
		if !s.over(p) && slices.Contains(p.Seats, a.Challenged) && slices.Contains(p.Seats, a.Challenger) {
			return &BusyError{Who: a.Challenged, Both: true}
		}
		if !s.over(p) && p.By == a.Challenger {
			return &BusyError{Who: a.Challenger}
		}
		switch p.Seats[0] {
		case a.Challenger:
			first++
		case a.Challenged:
			first--
		}
	}
	seats := []string{a.Challenger, a.Challenged}
	if first >= 0 {
		slices.Reverse(seats)
	}
	d.Paired++
	d.Pairings = append(d.Pairings, Pairing{Round: d.Paired, Seats: seats, By: a.Challenger})
	return nil
}

// Ladder gives the members of a ladder from the first place down: those who began it in their order, moved by each
// game of theirs that counts, in the order in which they were challenged. So it is a function of the results
// in force, whenever they came. Who has withdrawn is not on it.
func Ladder(s *Season, id string) []string {
	d := s.division(id)
	ladder := slices.Clone(d.Members)
	for i := range d.Pairings {
		won := map[string]int{}
		for k := range d.Pairings[i].Games {
			g := &d.Pairings[i].Games[k]
			if o := s.inForce(g); o.Kind.Counts() {
				for side, place := range o.Places {
					if place == table.Won {
						won[g.Entries[side]]++
					}
				}
			}
		}
		if a, b := d.Pairings[i].Seats[0], d.Pairings[i].Seats[1]; won[a] > won[b] {
			ladder = pair.Climb(ladder, a, b)
		} else if won[b] > won[a] {
			ladder = pair.Climb(ladder, b, a)
		}
	}
	return slices.DeleteFunc(ladder, func(m string) bool { return s.entry(m).Withdrawn })
}

// OnLadder gives the ladder on which a member plays; "": on none.
func OnLadder(s *Season, member string) string {
	for _, d := range s.Divisions {
		if d.Table.Form == table.Ladder && d.plays(member) {
			return d.ID
		}
	}
	return ""
}

// climbed puts the rows of a table in the order of the ladder. Those who have left it stand below.
func climbed(t table.Table, ladder []string) table.Table {
	place := func(r table.Row) int {
		if at := slices.Index(ladder, r.Entry); at >= 0 {
			return at
		}
		return len(ladder)
	}
	slices.SortStableFunc(t.Rows, func(a, b table.Row) int { return place(a) - place(b) })
	for i := range t.Rows {
		t.Rows[i].Rank, t.Rows[i].Parted = 0, ""
		if i < len(ladder) {
			t.Rows[i].Rank = i + 1
			if i > 0 {
				t.Rows[i].Parted = table.ByLadder
			}
		}
	}
	return t
}
