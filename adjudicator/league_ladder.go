package adjudicator

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/season"
	"berthier/orders/phrase"
)

// challenge lets a member of a ladder challenge another one, who is told.
func (t *leagueTurn) challenge(member, against string) error {
	if against == "" {
		return game.Refuse("league.challenge.whom")
	}
	if t.Season == nil {
		return game.Refuse("league.no-season")
	}
	in := season.Challenged{Division: season.OnLadder(t.Season, member), Challenger: member, Challenged: against}
	if err := t.Do(book.Challenged{Challenged: in}); err != nil {
		return err
	}
	return t.tell(against, phrase.Say("league.challenge.you", phrase.Literal("league", t.League), phrase.Literal("member", member), phrase.Literal("division", in.Division)))
}
