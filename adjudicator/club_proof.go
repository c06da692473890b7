package adjudicator

import (
	"context"
	"errors"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/league"
	"berthier/adjudicator/league/member"
	"berthier/orders"
)

// proven checks the proof that a member's letter needs besides his key, and gives the file that counts. The error is an
// [intake.UnprovenError] if the letter lacks it; nothing has changed then.
func (l clubLetter) proven(ctx context.Context, m *member.Member, problems orders.Problems) (*orders.Document, orders.Problems, error) {
	level, err := l.proofOf(m)
	if err != nil {
		return nil, nil, err
	}
	if level == game.ProofDKIM && !l.Asked {
		if err := askDomain(ctx, l.arrival); err != nil {
			return nil, nil, err
		}
	}
	return l.Prove(level, "", l.doc, problems)
}

// proofOf gives the proof that a member's letter needs: what the league asks for that it is about, or, if it is about
// himself, the strictest that a league asks for in which he has a part. Else whoever had his key could give him an address
// that proves everything.
func (l clubLetter) proofOf(m *member.Member) (string, error) {
	o := leagues{l.club.office}
	if slices.Contains(leagueCommands, l.doc.Command) {
		id, err := l.form().League(), error(nil)
		if id == "" {
			if id, err = o.only(); err != nil {
				return "", err
			}
		}
		s, _, err := roleOf(o, id, m)
		if err != nil || s == nil {
			return game.ProofKey, err // it is told that there is no such league
		}
		return s.Members.Proof, nil
	}
	ids, err := o.all()
	if err != nil {
		return "", err
	}
	strictest := game.ProofKey
	for _, id := range ids {
		s, role, err := roleOf(o, id, m)
		if err != nil {
			return "", err
		}
		if role && slices.Index(intake.Levels, s.Members.Proof) > slices.Index(intake.Levels, strictest) {
			strictest = s.Members.Proof
		}
	}
	return strictest, nil
}

// roleOf gives the set-up of a league, and whether a member has a part in it: he has entered or asked to, leads it or
// rules in it. It is nil if there is no such league.
func roleOf(l leagues, id string, m *member.Member) (s *league.Setup, role bool, err error) {
	err = l.look(id, func(b *openBook) error {
		var err error
		if s, err = l.setupOf(b); err != nil {
			return err
		}
		role = b.Has(m.ID) || slices.Contains(b.Asked, m.ID) || slices.ContainsFunc(slices.Concat(s.Secretaries, s.Umpires.Of), m.Has)
		return nil
	})
	if errors.Is(err, ErrNoLeague) {
		return nil, false, nil
	}
	return s, role, err
}
