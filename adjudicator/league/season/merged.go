package season

import (
	"fmt"
	"slices"
)

// Merged says that two members are one person, who is known by one of the two ids from now on. If only the other one has
// entered, that entry is his. If both have, the one under the id that goes is withdrawn, and its results count
// for nobody; in a season that is closed all stays as it is.
type Merged struct {
	Gone string
	Into string
}

func (a Merged) apply(s *Season) error {
	if a.Gone == a.Into || a.Gone == "" || a.Into == "" {
		return fmt.Errorf("%q and %q are not two members", a.Gone, a.Into)
	}
	gone := s.entry(a.Gone)
	switch {
	case gone == nil:
	case s.entry(a.Into) == nil:
		rename(s, a.Gone, a.Into)
	case s.Phase != Closed && !gone.Withdrawn:
		withdraw(s, a.Gone, Annul)
	}
	decidedAs(s, a.Gone, a.Into)
	return nil
}

// decidedAs puts one id in the place of another where people have decided something: nobody agrees with himself under two ids.
func decidedAs(s *Season, from, to string) {
	for _, at := range s.games {
		g := &s.Divisions[at[0]].Pairings[at[1]].Games[at[2]]
		if g.Ruled != nil && g.Ruled.By == from {
			g.Ruled.By = to
		}
		if g.Claim != nil && g.Claim.By == from {
			g.Claim.By = to
		}
	}
}

// rename puts one id in the place of another wherever its member takes part. The list of entries stays as it was closed.
func rename(s *Season, from, to string) {
	as := func(all *[]string) { // others may have the list of before
		ids := slices.Clone(*all)
		for i := range ids {
			if ids[i] == from {
				ids[i] = to
			}
		}
		*all = ids
	}
	one := func(id *string) {
		if *id == from {
			*id = to
		}
	}
	s.places[to] = s.places[from]
	delete(s.places, from)
	s.sat[to] = s.sat[from]
	delete(s.sat, from)
	for i := range s.Entries {
		one(&s.Entries[i].Member)
	}
	for i := range s.Divisions {
		d := &s.Divisions[i]
		as(&d.Members)
		if d.Playoff != nil {
			as(&d.Playoff.Members)
		}
		for j := range d.Byes {
			one(&d.Byes[j].Member)
		}
		for j := range d.Pairings {
			p := &d.Pairings[j]
			as(&p.Seats)
			one(&p.By)
			for k := range p.Games {
				g := &p.Games[k]
				as(&g.Entries)
				as(&g.Players)
				for n := range g.Sat {
					as(&g.Sat[n])
				}
			}
		}
	}
	for i := range s.Vacancies {
		one(&s.Vacancies[i].Entry)
		as(&s.Vacancies[i].Asked)
	}
}
