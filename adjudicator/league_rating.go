package adjudicator

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/rated"
	"berthier/adjudicator/league/season"
	"berthier/engine"
	"berthier/orders/phrase"
)

// ratings works out the ratings of a league, system by system, from what its log has told of them. None are worked
// out if its set-up says so.
func (l leagues) ratings(b *openBook) ([]rated.Ladder, error) {
	old, err := oldRating(l, b)
	if err != nil {
		return nil, err
	}
	return b.rated.Ladders(old, l.office.now())
}

// oldRating is how those seasons of a league are rated of which its log does not say it: as the set-up has it that is in
// force. As soon as that is to become another one the log notes it ([book.Rated]).
func oldRating(l leagues, b *openBook) (season.Rating, error) {
	if b.Season == nil || len(b.Unrated()) == 0 {
		return season.Rating{}, nil
	}
	s, err := l.setupOf(b)
	if err != nil {
		return season.Rating{}, err
	}
	return *ratingOf(l, s), nil
}

// ratingOf is how a season is rated that is announced with a set-up.
func ratingOf(l leagues, s *league.Setup) *season.Rating { return ratingBy(s, l.toldApart) }

// ratingBy is how a season is rated whose games of the same set-up have the same name.
func ratingBy(s *league.Setup, name func(league.Division) string) *season.Rating {
	r := &season.Rating{System: s.Ratings.Glicko, Period: s.Ratings.Period}
	if r.Period <= 0 || !s.Ratings.BySide {
		return r
	}
	for _, d := range s.Divisions {
		r.SetUps = append(r.SetUps, slices.Repeat([]string{name(d)}, d.Copies)...)
	}
	return r
}

// toldApart names the games of a division by what decides what their sides are worth, wherever that is written: the
// scenario, and the options that make another game than without them. "": their sides are not told apart, since players
// bid for them, which evens the sides.
func (l leagues) toldApart(d league.Division) string {
	rules := l.office.systems[d.System]
	if rules == nil || d.Rules.Options["sides"] == "bid" {
		return ""
	}
	var parts []string
	if all := rules.About().Scenarios; len(all) > 1 {
		parts = append(parts, cmp.Or(d.Rules.Scenario, all[0]))
	}
	begins := beginning(rules, d.Rules)
	for _, option := range slices.Sorted(maps.Keys(d.Rules.Options)) {
		without := d.Rules
		without.Options = maps.Clone(d.Rules.Options)
		delete(without.Options, option)
		if plain := beginning(rules, without); plain == nil || !bytes.Equal(plain, begins) {
			parts = append(parts, option+": "+d.Rules.Options[option])
		}
	}
	return cmp.Or(strings.Join(parts, ", "), d.System)
}

// beginning is the position with which a game begins, as it is kept; nil: there is no such game.
func beginning(rules engine.Ruleset, s engine.Setup) []byte {
	position, err := rules.New(s)
	if err != nil {
		return nil
	}
	data, err := position.Marshal()
	if err != nil {
		return nil
	}
	return data
}

// byTemplate names the games of a division by the file that sets them up, as seasons did that former programs have announced.
func byTemplate(d league.Division) string {
	if d.Game != nil {
		if options := d.Game.Get("options"); options != nil && options.Get("sides") != nil && options.Get("sides").Text == "bid" {
			return ""
		}
	}
	return d.Template
}

// noteRating notes how the seasons are rated of which the log does not say it, before the set-up becomes another one.
func noteRating(t *leagueTurn) error {
	if len(t.Unrated()) == 0 {
		return nil
	}
	old, err := oldRating(t.leagues, t.openBook)
	if err != nil {
		return err
	}
	return t.Do(book.Rated{Rating: old})
}

// ratedAs checks that how a season is rated is what the set-up had that was in force when that was noted. A set-up
// that this program can't read any more says nothing.
func ratedAs(l leagues, before *book.Book, in book.Input) error {
	var said *season.Rating
	switch in := in.(type) {
	case book.Announced:
		said = in.Plan.Rating
	case book.Rated:
		said = &in.Rating
	}
	if said == nil || before.Text == "" {
		return nil
	}
	s, problems := l.reader(before.Files).Read(before.Text)
	if len(problems) > 0 || ratingOf(l, s).Same(said) || ratingBy(s, byTemplate).Same(said) {
		return nil
	}
	return errors.New("the season is not rated as its set-up said")
}

// sideIn names the sides of the games of a set-up, by their numbers from 1.
func sideIn(l leagues, s *league.Setup) func(setUp string, n int) phrase.Value {
	return func(setUp string, n int) phrase.Value {
		for _, d := range s.Divisions {
			if l.toldApart(d) != setUp && byTemplate(d) != setUp {
				continue
			}
			if sides, err := l.sidesIn(d); err == nil && n <= len(sides) {
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
