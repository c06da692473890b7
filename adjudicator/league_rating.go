package adjudicator

import (
	"berthier/adjudicator/league"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/rated"
	"berthier/adjudicator/store"
)

// ratesAt is the ratings of a league as they were worked out last. Nothing that has happened since then
// changes them, as long as the period is the same.
type ratesAt struct {
	period int64
	known  bool
	all    []rated.Ladder
}

// ratings works out the ratings of a league from its log, system by system. None are worked out if
// its set-up says so. As long as only members enter they are kept: each entry would read the whole log
// otherwise.
func (l leagues) ratings(b *openBook) (all []rated.Ladder, err error) {
	s, err := l.setupOf(b)
	if err != nil || s.Ratings.Period <= 0 {
		return nil, err
	}
	now := l.office.now()
	err = l.office.read(func(tx store.Reader) error {
		first, ok, err := tx.Entry(leaguePrefix+b.League, 1)
		if err != nil || !ok {
			return err
		}
		head, _, err := book.Read(first)
		if err != nil {
			return err
		}
		period := int64(now.Sub(head.At) / s.Ratings.Period)
		if b.rates.known && b.rates.period == period {
			all = b.rates.all
			return nil
		}
		entries, err := entriesOf(tx, leaguePrefix+b.League)
		if err != nil {
			return err
		}
		all, err = rated.OfSides(entries, s.Ratings.Glicko, s.Ratings.Period, now, toldApart(s))
		if err == nil {
			b.rates = ratesAt{period: period, known: true, all: all}
		}
		return err
	})
	return all, err
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
