package book

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/league/season"
)

// Rested is that a member takes part in no season until he says otherwise: nobody enters him, he is not told of the next season, and
// no side of others is offered to him. His own games go on. Or (without Rests) that this is over.
type Rested struct {
	Member string `json:"member"`
	Rests  bool   `json:"rests,omitempty"`
}

func (Rested) kind() string { return "rested" }

func (in Rested) happen(b *Book) error {
	switch {
	case in.Rests && b.Resting[in.Member]:
		return game.Refuse("league.rest.already")
	case !in.Rests && !b.Resting[in.Member]:
		return game.Refuse("league.rest.not")
	}
	if b.Has(in.Member) && b.Season.Phase != season.Closed {
		if err := b.Season.Apply(season.Rested{Member: in.Member, Rests: in.Rests}); err != nil {
			return err
		}
	}
	if b.Resting == nil {
		b.Resting = map[string]bool{}
	}
	if b.Resting[in.Member] = in.Rests; !in.Rests {
		delete(b.Resting, in.Member)
	}
	return nil
}
