package adjudicator

import (
	"context"
	"errors"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/member"
	"berthier/adjudicator/log"
)

// AdmitList enters all people of a list into the season of a league who have not entered it. Who is no member yet becomes one first,
// and is told.
// It previews that, or does it if the code of a preview confirms it, or the secretary is sure. If the office dies in between,
// there are members who have not entered: given again, the list enters them.
func (s *Secretary) AdmitList(ctx context.Context, id, text string, r LeagueRuling, confirm string, sure bool) (*LeagueRuled, error) {
	list, problems := s.readList(text, true)
	if len(problems) > 0 {
		return nil, problems
	}
	var fresh []log.Person
	r.Kind, r.Text = "admit", text
	err := leagues{s.club.office}.look(id, func(b *openBook) error {
		for _, one := range list {
			switch {
			case one.member == "":
				fresh = append(fresh, one.Person)
			case b.Season == nil || !b.Season.Has(one.member):
				r.Of = append(r.Of, one.member)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out, err := s.previewList(ctx, id, r, fresh)
	switch {
	case err != nil:
		return nil, err
	case confirm != "" && !intake.SameKey(confirm, out.Code):
		return nil, game.Refuse("league.stale")
	case confirm == "" && !sure:
		return out, nil
	}
	made, err := s.AddMembers(ctx, fresh)
	if err != nil {
		return nil, err
	}
	for _, m := range made {
		r.Of = append(r.Of, m.ID)
	}
	r.Text = ""
	return s.Rule(ctx, id, r, "", true)
}

// previewList finds what entering a list would come to. Who is no member yet enters in it under an id that nobody has.
func (s *Secretary) previewList(ctx context.Context, id string, r LeagueRuling, fresh []log.Person) (*LeagueRuled, error) {
	out := &LeagueRuled{}
	for _, p := range fresh {
		out.Fresh = append(out.Fresh, p.Name)
	}
	err := s.act(ctx, id, func(t *leagueTurn) error {
		by, err := t.decider(r)
		if err != nil {
			return err
		}
		out.Code = t.rulingCode(r, by)
		if err := t.rule(r, by); err != nil {
			return err
		}
		for i := range fresh {
			if err := t.Do(book.Entered{Member: unmade(i)}); err != nil {
				return err
			}
		}
		if out.Step, err = stepOf(t, "admit"); err != nil {
			return err
		}
		return errOnlyShown
	})
	if errors.Is(err, errOnlyShown) {
		return out, nil
	}
	return nil, err
}

// unmade is an id that no member has: no office has so many.
func unmade(n int) string { return member.IDOf(1_000_000_000 + n) }
