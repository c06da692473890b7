package book

import (
	"errors"

	"berthier/adjudicator/league/season"
)

// Rated is how all seasons are rated that were announced before their log said it: as the set-up had it that was in force
// when this was noted, which is what their members had been told until then. It is noted once, before anything changes.
type Rated struct {
	Rating season.Rating `json:"rating"`
}

func (Rated) kind() string { return "rated" }

func (in Rated) happen(b *Book) error {
	unsaid := b.Unrated()
	if len(unsaid) == 0 {
		return errors.New("how its seasons are rated is noted already")
	}
	for _, s := range unsaid {
		s.Plan.Rating = &in.Rating
	}
	return nil
}

// Unrated gives the seasons of which the log does not say how they are rated.
func (b *Book) Unrated() (all []*season.Season) {
	for _, s := range b.Past {
		if s.Plan.Rating == nil {
			all = append(all, s)
		}
	}
	if b.Season != nil && b.Season.Plan.Rating == nil {
		all = append(all, b.Season)
	}
	return all
}
