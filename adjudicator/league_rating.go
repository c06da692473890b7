package adjudicator

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/league"
	"berthier/adjudicator/league/rated"
	"berthier/orders/phrase"
)

// ratings works out the ratings of a league, system by system, from what its log has told of them. None are worked
// out if its set-up says so.
func (l leagues) ratings(b *openBook) ([]rated.Ladder, error) {
	s, err := l.setupOf(b)
	if err != nil {
		return nil, err
	}
	return b.rated.Ladders(rulesOf(s), l.office.now())
}

// rulesOf are how the games of a league are rated.
func rulesOf(s *league.Setup) rated.Rules {
	return rated.Rules{System: s.Ratings.Glicko, Period: s.Ratings.Period, SetUp: toldApart(s)}
}

// toldApart names the set-up of the division that has a place in a season, if its sides are told apart: not where
// players bid for them, which evens the sides.
func toldApart(s *league.Setup) func(place int) string {
	if !s.Ratings.BySide {
		return nil
	}
	return func(place int) string {
		d := divisionOf(s, place)
		if d.Game != nil {
			if options := d.Game.Get("options"); options != nil && options.Get("sides") != nil && options.Get("sides").Text == "bid" {
				return ""
			}
		}
		return d.Template
	}
}

// sideIn names the sides of the games that are set up by a template, by their numbers from 1.
func sideIn(l leagues, s *league.Setup) func(template string, n int) phrase.Value {
	return func(template string, n int) phrase.Value {
		for _, d := range s.Divisions {
			if sides, err := l.sidesIn(d); d.Template == template && err == nil && n <= len(sides) {
				return game.SideName(sides[n-1]).Value
			}
		}
		return phrase.Value{Kind: phrase.KindNumber, Num: n} // the set-up has it no more
	}
}

// startOf is the rating with which a member enters a season, in hundredths of a point: the one that he
// has in the system that he wishes to play, or that of a newcomer.
func (t *leagueTurn) startOf(member, system string) (int64, error) {
	s, err := t.setupOf(t.openBook)
	if err != nil {
		return 0, err
	}
	if system == "" {
		system = t.System[0]
	}
	all, err := t.ratings(t.openBook)
	if err != nil {
		return 0, err
	}
	for _, ladder := range all {
		if rating, has := ladder.At(member); has && ladder.System == system {
			return rating.R, nil
		}
	}
	return s.Ratings.Glicko.Start.R, nil
}

// Ratings gives the ratings of a league, system by system.
func (s *Secretary) Ratings(id string) (all []rated.Ladder, names map[string]string, err error) {
	l := leagues{s.club.office}
	names = map[string]string{}
	err = l.look(id, func(b *openBook) error {
		if all, err = l.ratings(b); err != nil {
			return err
		}
		for _, ladder := range all {
			for _, m := range ladder.Members {
				who, err := s.club.now(m.ID)
				if err != nil {
					return err
				}
				names[m.ID] = who.Name
			}
		}
		return nil
	})
	return all, names, err
}
