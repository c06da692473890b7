package season

import (
	"fmt"
	"slices"
	"time"
)

// How long a member has to answer an offer, and a side may be without a player before its game is
// lost.
const (
	OfferStands  = 48 * time.Hour
	VacantStands = 7 * 24 * time.Hour
)

// mostSubstitutes is how many may take over one side of a game: if the second leaves it, too, it is
// forfeited.
const mostSubstitutes = 2

// Vacancy is a side of a running game that needs a player.
type Vacancy struct {
	Game  string
	Entry string // whose side it is
	Since time.Time
	Asked []string  // members to whom it was offered, the last one last
	Offer time.Time // when it was last offered and is not answered yet; zero: it is offered to nobody
}

// vacancy gives what is known of a side that needs a player; nil: it needs none.
func (s *Season) vacancy(game, entry string) *Vacancy {
	for i := range s.Vacancies {
		if v := &s.Vacancies[i]; v.Game == game && v.Entry == entry {
			return v
		}
	}
	return nil
}

// filled forgets the vacancies that satisfy a condition.
func (s *Season) filled(gone func(Vacancy) bool) {
	s.Vacancies = slices.DeleteFunc(s.Vacancies, gone)
	if len(s.Vacancies) == 0 {
		s.Vacancies = nil
	}
}

// Vacant says that a side of a running game needs a player: he has been silent for too long, has
// resigned, or has withdrawn.
type Vacant struct {
	Game  string
	Entry string
	At    time.Time `json:"-"`
}

func (a Vacant) apply(s *Season) error {
	if err := s.in(Running); err != nil {
		return err
	}
	_, g := s.game(a.Game)
	if g == nil || s.decided(g) || !slices.Contains(g.Entries, a.Entry) {
		return fmt.Errorf("there is no game %s that is running and has a side of %s", a.Game, a.Entry)
	}
	if s.vacancy(a.Game, a.Entry) != nil {
		return fmt.Errorf("that the side of %s in %s needs a player is known", a.Entry, a.Game)
	}
	s.Vacancies = append(s.Vacancies, Vacancy{Game: a.Game, Entry: a.Entry, Since: a.At})
	return nil
}

// Back says that the player of such a side has it again: he has answered.
type Back struct {
	Game  string
	Entry string
}

func (a Back) apply(s *Season) error {
	if s.vacancy(a.Game, a.Entry) == nil {
		return fmt.Errorf("the side of %s in %s needs no player", a.Entry, a.Game)
	}
	s.filled(func(v Vacancy) bool { return v.Game == a.Game && v.Entry == a.Entry })
	return nil
}

// Substitute gives the member to whom a side is to be offered next, and whether there is one. Nobody
// chooses: it is the first of those who wait, in the order in which they came, who has not been asked
// for this side, sits in no other seat of the game and never sat on another side of it, takes sides of others now, and does not have as
// many as he may. A season that is being settled offers no sides.
func (s *Season) Substitute(game, entry string) (string, bool) {
	return substitute(s, game, entry, func(g *Game, side int, m string) bool {
		for i, sat := range g.Sat {
			if i != side && slices.Contains(sat, m) {
				return false
			}
		}
		return true
	})
}

// substitute gives the first of those who wait who may have a side, and of whom something more holds.
func substitute(s *Season, game, entry string, may func(g *Game, side int, m string) bool) (string, bool) {
	v := s.vacancy(game, entry)
	_, g := s.game(game)
	if s.Phase != Running || v == nil || g == nil || !v.Offer.IsZero() || g.Subs[slices.Index(g.Entries, entry)] >= mostSubstitutes {
		return "", false
	}
	for _, m := range s.Waiting() {
		if !slices.Contains(v.Asked, m) && !slices.Contains(g.Players, m) && !s.entry(m).Rests && s.seats(m) < s.MostSeats && may(g, slices.Index(g.Entries, entry), m) {
			return m, true
		}
	}
	return "", false
}

// seats is how many seats of others a member has, those that are offered to him among them.
func (s *Season) seats(member string) int {
	n := s.onHand(member)
	for _, v := range s.Vacancies {
		if len(v.Asked) > 0 && !v.Offer.IsZero() && v.Asked[len(v.Asked)-1] == member {
			n++
		}
	}
	return n
}

// Offered says that a side is offered to the member whose turn it is.
type Offered struct {
	Game   string
	Entry  string
	Player string
	At     time.Time `json:"-"`
}

func (a Offered) apply(s *Season) error {
	if err := s.in(Running); err != nil {
		return err
	}
	want, ok := s.Substitute(a.Game, a.Entry)
	if !ok || want != a.Player { // logs of before have offers to who had sat on another side
		want, ok = substitute(s, a.Game, a.Entry, func(*Game, int, string) bool { return true })
	}
	if !ok || want != a.Player {
		return fmt.Errorf("the side of %s in %s is not to be offered to %s", a.Entry, a.Game, a.Player)
	}
	v := s.vacancy(a.Game, a.Entry)
	v.Asked, v.Offer = append(slices.Clone(v.Asked), a.Player), a.At
	return nil
}

// OfferOf gives the vacancy that is offered to a member: in a game, or ("") the only one; nil if there is
// none.
func (s *Season) OfferOf(member, game string) *Vacancy {
	var found *Vacancy
	for i := range s.Vacancies {
		v := &s.Vacancies[i]
		if v.Offer.IsZero() || v.Asked[len(v.Asked)-1] != member || game != "" && v.Game != game {
			continue
		}
		if found != nil {
			return nil
		}
		found = v
	}
	return found
}

// Replied says that a member takes the side that was offered to him, or does not; or that he has not
// said so in time.
type Replied struct {
	Game   string
	Entry  string
	Player string
	Takes  bool
	At     time.Time `json:"-"`
}

func (a Replied) apply(s *Season) error {
	if err := s.in(Running); err != nil {
		return err
	}
	v := s.vacancy(a.Game, a.Entry)
	if v == nil || v.Offer.IsZero() || v.Asked[len(v.Asked)-1] != a.Player {
		return fmt.Errorf("the side of %s in %s is not offered to %s", a.Entry, a.Game, a.Player)
	}
	if !a.Takes {
		v.Offer = time.Time{}
		return nil
	}
	return (Substituted{Game: a.Game, Entry: a.Entry, Player: a.Player}).apply(s)
}

// Abandoned says that nobody has taken a side over in time: it is forfeited.
type Abandoned struct {
	Game  string
	Entry string
	At    time.Time `json:"-"`
}

func (a Abandoned) apply(s *Season) error {
	if err := s.in(Running); err != nil {
		return err
	}
	d, g := s.game(a.Game)
	v := s.vacancy(a.Game, a.Entry)
	if g == nil || v == nil || s.decided(g) {
		return fmt.Errorf("the side of %s in %s needs no player", a.Entry, a.Game)
	}
	if a.At.Before(v.Since.Add(VacantStands)) {
		return fmt.Errorf("the side of %s in %s still has time to find a player", a.Entry, a.Game)
	}
	var gone []string // all whose time is over
	for _, other := range s.Vacancies {
		if other.Game == a.Game && !a.At.Before(other.Since.Add(VacantStands)) {
			gone = append(gone, other.Entry)
		}
	}
	o := forfeited(g.Entries, gone)
	if err := o.check(d, g); err != nil {
		return fmt.Errorf("game %s: %w", a.Game, err)
	}
	s.become(g, a.At, func() { g.Counted = &Count{Result: o} })
	s.filled(func(v Vacancy) bool { return v.Game == a.Game })
	return nil
}

// Helpers are the members who have taken sides of others over in a season, and have kept them.
func Helpers(s *Season) map[string]bool {
	all := map[string]bool{}
	for _, d := range s.Divisions {
		for _, p := range d.Pairings {
			for _, g := range p.Games {
				for side, player := range g.Players {
					if player != g.Entries[side] && !s.Gone(player) {
						all[player] = true
					}
				}
			}
		}
	}
	return all
}

// Gone tells whether a member has withdrawn.
func (s *Season) Gone(member string) bool { return s.entry(member).Withdrawn }

// Leaving gives the sides of running games whose players have withdrawn and of which it is not
// known yet that they need a player.
func (s *Season) Leaving() (all []Vacancy) {
	for _, d := range s.Divisions {
		for _, p := range d.Pairings {
			for k := range p.Games {
				g := &p.Games[k]
				if s.decided(g) {
					continue
				}
				for side, player := range g.Players {
					if s.entry(player).Withdrawn && s.vacancy(g.ID, g.Entries[side]) == nil {
						all = append(all, Vacancy{Game: g.ID, Entry: g.Entries[side]})
					}
				}
			}
		}
	}
	return all
}

// Alone tells whether a side of a game needs a player and nobody is left to whom it could be offered.
func (s *Season) Alone(game string) bool {
	for _, v := range s.Vacancies {
		if _, more := s.Substitute(v.Game, v.Entry); v.Game == game && v.Offer.IsZero() && !more {
			return true
		}
	}
	return false
}

// Over gives the vacancies of games that are decided by now.
func (s *Season) Over() (all []Vacancy) {
	for _, v := range s.Vacancies {
		if _, g := s.game(v.Game); g == nil || s.decided(g) {
			all = append(all, v)
		}
	}
	return all
}

// NextVacancy is when something follows for a vacancy without anybody doing anything: an offer ends, or
// the time in which a player is looked for; zero: there is none.
func (s *Season) NextVacancy() (at time.Time) {
	for _, v := range s.Vacancies {
		ends := v.Since.Add(VacantStands)
		if offer := v.Offer.Add(OfferStands); !v.Offer.IsZero() && offer.Before(ends) {
			ends = offer
		}
		if at.IsZero() || ends.Before(at) {
			at = ends
		}
	}
	return at
}
