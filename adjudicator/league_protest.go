package adjudicator

import (
	"errors"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/season"
	"berthier/orders"
	"berthier/orders/phrase"
)

// protests is what members have against what becomes of a game, in a turn of its league.
type protests struct{ *leagueTurn }

// take takes a member's protest in, and passes it on to the secretaries who may decide about the game. Who plays in
// its division does not read it: it may tell what he must not know.
func (t protests) take(l leagueLetter) error {
	id, reason := l.complaint()
	if id == "" || reason == "" {
		return game.Refuse("league.protest.how")
	}
	if err := t.Do(book.Protested{Game: id, Member: l.member.ID, Reason: reason}); err != nil {
		return err
	}
	told, err := t.deciders(id)
	if err == nil && len(told) == 0 {
		err = game.Refuse("league.protest.nobody", phrase.Literal("game", id))
	}
	if err != nil {
		return err
	}
	for _, address := range told {
		if err := t.tellAddress(address, phrase.Say("league.protest.secretary", phrase.Literal("league", t.League), phrase.Literal("game", id), phrase.Literal("member", l.member.ID), phrase.Literal("reason", reason)),
			phrase.Say("league.protest.secretary-how", phrase.Literal("game", id))); err != nil {
			return err
		}
	}
	return nil
}

// deciders gives the addresses of the secretaries who gain and lose nothing by a game.
func (t protests) deciders(id string) (all []string, err error) {
	s, err := t.setupOf(t.openBook)
	if err != nil {
		return nil, err
	}
	for _, address := range s.Secretaries {
		who, err := t.person(address)
		if err != nil {
			return nil, err
		}
		if t.Season.MayDecide(id, who) != nil {
			continue
		}
		var refused *game.RefusedError
		if err := noFamily(t.leagueTurn, id, who); err == nil {
			all = append(all, address)
		} else if !errors.As(err, &refused) {
			return nil, err
		}
	}
	return all, nil
}

// dismiss answers the protests about a game: what it counts as stays.
func (t protests) dismiss(id, by, reason string) error {
	waiting := slices.DeleteFunc(t.OpenProtests(), func(p book.Protest) bool { return p.Game != id })
	if err := t.Do(book.Dismissed{Game: id, By: by, Reason: reason}); err != nil {
		return err
	}
	for _, p := range waiting {
		if err := t.tell(p.Member, phrase.Say("league.protest.dismissed", phrase.Literal("league", t.League), phrase.Literal("game", id))); err != nil {
			return err
		}
	}
	return nil
}

// rest notes that a member takes part in no season until he says otherwise, or does again; it gives what to tell him. What is
// offered to him goes to the next.
func (l leagueLetter) rest(t *leagueTurn) (string, error) {
	back, _ := orders.NewReader(game.Vocabulary).Bool(l.doc.Field("cancel"))
	if err := t.Do(book.Rested{Member: l.member.ID, Rests: !back}); err != nil || back {
		return "league.rest.over", err
	}
	if t.Season != nil && t.Season.Phase == season.Running {
		for _, v := range slices.Clone(t.Season.Vacancies) {
			if !v.Offer.IsZero() && v.Asked[len(v.Asked)-1] == l.member.ID {
				if err := t.Do(book.Replied{Replied: season.Replied{Game: v.Game, Entry: v.Entry, Player: l.member.ID}}); err != nil {
					return "", err
				}
			}
		}
	}
	return "league.rest.noted", nil
}
