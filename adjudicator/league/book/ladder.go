package book

import (
	"errors"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/pair"
	"berthier/adjudicator/league/season"
	"berthier/orders/phrase"
)

// Challenged is that a member of a ladder challenges another one.
type Challenged struct{ season.Challenged }

func (Challenged) kind() string { return "challenged" }

func (in Challenged) happen(b *Book) error {
	if err := b.during(season.Running); err != nil {
		return err
	}
	if in.Division == "" {
		return game.Refuse("league.challenge.not-on-ladder", phrase.Literal("member", in.Challenger))
	}
	err := b.Season.Apply(in.Challenged)
	var not *pair.ChallengeError
	var busy *season.BusyError
	switch {
	case errors.As(err, &not):
		return game.Refuse("league.challenge."+not.Why, phrase.Literal("member", not.Who), phrase.Number("places", pair.MostPlaces))
	case errors.As(err, &busy) && busy.Both:
		return game.Refuse("league.challenge.again", phrase.Literal("member", busy.Who))
	case errors.As(err, &busy):
		return game.Refuse("league.challenge.one")
	case err != nil:
		return game.Refuse("league.challenge.over")
	}
	return nil
}
