package adjudicator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/store"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Two acts of a secretary reach beyond his league, and are prepared before the league is held: its log as a file, and a member
// who is to be forgotten.

// mostExported is how large the log of a league may be that goes out by letter.
const mostExported = 4 << 20

// forgetAsked begins the name of a stored value; the league's and the member's id follow. The value says that a secretary has decided by
// letter that the member is forgotten.
const forgetAsked = "league-forget "

// beyond prepares what an act reaches beyond its league.
func (l leagueLetter) beyond(ctx context.Context, a *actByLetter) (orders.Problems, error) {
	s := l.club.office.Secretary()
	switch a.Kind {
	case "export":
		x, err := s.ExportLeague(l.league, true)
		if err != nil {
			return nil, err
		}
		var text bytes.Buffer
		if err := x.Write(&text); err != nil {
			return nil, err
		}
		if text.Len() > mostExported {
			return orders.Problems{l.form().Fault("act", phrase.Say("league.act.export-large"))}, nil
		}
		a.file = &templates.File{Name: l.league + ".yaml", Type: "application/yaml", Data: text.Bytes()}
	case "forget":
		f, err := s.mayForget(ctx, l.league, a.Members)
		var refused *game.RefusedError
		if errors.As(err, &refused) {
			return orders.Problems{l.refused("members", refused)}, nil
		}
		if err != nil {
			return nil, err
		}
		a.lines = []phrase.Phrase{phrase.Say("league.act.forget", phrase.Literal("member", a.Members[0]), phrase.Number("entries", f.Entries), phrase.Number("games", f.Games), phrase.Number("letters", f.Letters))}
	}
	return nil, nil
}

// mayForget counts where a member stands whom a secretary wants to have forgotten. He must have entered his league, and no
// other one: of whom two leagues know whoever leads the office decides.
func (s *Secretary) mayForget(ctx context.Context, id string, members []string) (*Forgotten, error) {
	if len(members) != 1 {
		return nil, game.Refuse("league.act.forget-one")
	}
	l := leagues{s.club.office}
	ids, err := l.all()
	if err != nil {
		return nil, err
	}
	for _, other := range ids {
		if err := l.look(other, func(b *openBook) error {
			all := slices.Clone(b.Past)
			if b.Season != nil {
				all = append(all, b.Season)
			}
			knows := slices.ContainsFunc(all, func(v *season.Season) bool { return v.Has(members[0]) }) || slices.Contains(b.Asked, members[0])
			if knows != (other == id) {
				return game.Refuse("league.act.forget-other", phrase.Literal("member", members[0]))
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return s.Forget(ctx, members[0], false)
}

// forget has a member forgotten, once this is written. Nobody has himself forgotten so, nor somebody who plays in a
// division of his, or family.
func (a *actByLetter) forget(t *leagueTurn, by string) error {
	if len(a.Members) != 1 {
		return game.Refuse("league.act.forget-one")
	}
	if by == a.Members[0] {
		return game.Refuse("league.act.forget-self")
	}
	if err := t.mayTakeOut(by, a.Members[0]); err != nil {
		return err
	}
	return t.put(forgetAsked+t.League+" "+a.Members[0], by)
}

// forgets forgets the members whom secretaries have decided to forget. Where one has come back meanwhile they are told.
func (l steward) forgets(ctx context.Context, id string) error {
	prefix := forgetAsked + id + " "
	members, values, err := l.valuesOf(prefix)
	if err != nil {
		return err
	}
	s, stuck := l.office.Secretary(), &stuckGames{}
	for i, one := range members {
		var refused *game.RefusedError
		f, err := s.mayForget(ctx, id, []string{one})
		if err == nil {
			f, err = s.Forget(ctx, one, true)
		}
		if err != nil && f != nil { // of what can't be read now: the league does not wait for it
			stuck.games, stuck.errs = append(stuck.games, prefix+one), append(stuck.errs, err)
			continue
		}
		if err != nil && !errors.As(err, &refused) {
			return fmt.Errorf("forget %s: %w", one, err)
		}
		err = l.act(ctx, id, "office", "", without(prefix+one, values[i]), func(t *leagueTurn) error {
			named, who := phrase.Literal("league", id), phrase.Literal("member", one)
			if refused == nil && len(f.Missed) > 0 {
				return t.tellSecretaries(phrase.Say("league.forgotten", named, who), phrase.Say("league.forgotten-but", phrase.Number("places", len(f.Missed))))
			} else if refused == nil {
				return t.tellSecretaries(phrase.Say("league.forgotten", named, who))
			}
			return t.tellSecretaries(phrase.Say("league.not-forgotten", named, who, phrase.Within("why", refused.Why)))
		})
		if err != nil && !errors.Is(err, store.ErrOutOfStep) {
			return err
		}
	}
	return stuck.orNil()
}
