package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/member"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
	"berthier/orders/phrase"
)

// That two members are one person is noted in the roll in one change, and in the log of each league in another. What is
// still to be done is written with what was done, so all of it happens, even if the office dies in between.
const (
	mergeAsked  = "club-merge "   // and an id: its member is the one whose id it holds; a secretary has decided so by letter
	mergePrefix = "league-merge " // and the ids of a league and of a member: the same, for the log of that league
)

// A MergeShown lists what merging two members would change.
type MergeShown struct {
	Done    bool
	Code    string // what confirms it; "" if it is done
	Changes map[string][]PlaceChange
	Later   []string // leagues that note it once their divisions are drawn
}

// Merge previews that a member is another one, or does it, if the code of a preview confirms it or he who asks is sure without
// one. It can't be undone.
func (s *Secretary) Merge(ctx context.Context, gone, into, confirm string, sure bool) (*MergeShown, error) {
	o := s.club.office
	gone, into = intake.FoldMember(gone), intake.FoldMember(into)
	if err := s.club.mayMerge(gone, into); err != nil {
		return nil, err
	}
	out := &MergeShown{Changes: map[string][]PlaceChange{}}
	err := o.read(func(tx store.Reader) error {
		end := tx.Last(rollLog)
		out.Code = o.keys.Code("merge", gone, into, string(end.Hash[:]))
		return nil
	})
	if err != nil {
		return nil, err
	}
	ids, err := leagues{o}.all()
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		err := s.act(ctx, id, func(t *leagueTurn) error {
			before, err := t.places("")
			if err != nil {
				return err
			}
			if err := mergeIn(t, book.Merged{Gone: gone, Into: into}); err != nil {
				return err
			}
			after, err := t.places("")
			out.Changes[id] = placeChanges(before, after)
			return errors.Join(err, errOnlyShown)
		})
		var refused *game.RefusedError
		switch {
		case errors.As(err, &refused):
			out.Later = append(out.Later, id)
		case !errors.Is(err, errOnlyShown):
			return nil, err
		}
	}
	switch {
	case confirm != "" && !intake.SameKey(confirm, out.Code):
		return nil, game.Refuse("club.merge.stale")
	case confirm == "" && !sure:
		return out, nil
	}
	out.Done, out.Code = true, ""
	return out, store.Again(ctx, func() error { return s.club.merge(ctx, gone, into, store.Change{}) })
}

// mayMerge gives the error that one member can't be another one.
func (c club) mayMerge(gone, into string) error {
	if gone == into {
		return game.Refuse("club.merge.same")
	}
	for _, id := range []string{gone, into} {
		m, err := c.get(id)
		switch {
		case errors.Is(err, ErrNoMember):
			return game.Refuse("club.no-such-member", phrase.Literal("member", id))
		case err != nil:
			return err
		case m.Is != "" || m.Forgotten:
			return game.Refuse("club.merge.gone", phrase.Literal("member", id))
		}
	}
	return nil
}

// merge notes in the roll that a member is another one, with what else a change has, and has all leagues note it.
func (c club) merge(ctx context.Context, gone, into string, with store.Change) error {
	o := c.office
	defer o.hold(rollLog)()
	if err := c.mayMerge(gone, into); err != nil {
		return err
	}
	was, err := c.get(gone)
	if err != nil {
		return err
	}
	m, err := c.get(into)
	if err != nil {
		return err
	}
	if _, err := c.turn(&with, was, "secretary", "", member.Gone{Into: into}); err != nil {
		return err
	}
	if m, err = c.turn(&with, m, "secretary", "", member.AbsorbedFrom(was)); err != nil {
		return err
	}
	ids, err := leagues{o}.all()
	if err != nil {
		return err
	}
	for _, id := range ids {
		with.PutValue(mergePrefix+id+" "+gone, store.Value{Data: []byte(into)})
		with.Wake[leaguePrefix+id] = o.now()
	}
	var letters []*outbox.Outgoing
	for _, address := range m.Addresses {
		p := m.Person()
		p.Address = address
		letter := o.letters.Outside(p, o.now()).Short(phrase.Say("club.merged.subject"), phrase.Say("club.merged", phrase.Literal("gone", gone), phrase.Literal("into", into)))
		letters = append(letters, c.notice(p, nil, letter))
	}
	if err := o.queue(ctx, with, letters...); err != nil {
		return fmt.Errorf("merge %s into %s: %w", gone, into, err)
	}
	signal(o.wake)
	return nil
}

// merges does what is still to be done where members have turned out to be others.
func (l steward) merges(ctx context.Context, id string) error {
	asked, into, err := l.valuesOf(mergeAsked)
	if err != nil {
		return err
	}
	for i, gone := range asked {
		err := l.club().merge(ctx, gone, string(into[i]), without(mergeAsked+gone, into[i]))
		var refused *game.RefusedError
		if errors.As(err, &refused) { // it was done meanwhile, or can't be any more
			err = l.office.store.Commit(ctx, without(mergeAsked+gone, into[i]))
		}
		if err != nil && !errors.Is(err, store.ErrOutOfStep) {
			return err
		}
	}
	prefix := mergePrefix + id + " "
	all, into, err := l.valuesOf(prefix)
	if err != nil || len(all) == 0 || l.dividing(id) {
		return err
	}
	for i, gone := range all {
		err := l.act(ctx, id, "office", "", without(prefix+gone, into[i]), func(t *leagueTurn) error {
			if t.Merged[gone] == "" {
				if err := mergeIn(t, book.Merged{Gone: gone, Into: string(into[i])}); err != nil {
					return err
				}
			}
			if t.Season == nil || t.Season.Phase == season.Closed {
				return nil
			}
			for _, one := range t.Season.Undecided() { // he may rule on a game in which he plays under his other id
				if err := t.noStake(one); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, store.ErrOutOfStep) {
			return fmt.Errorf("merge %s in league %s: %w", gone, id, err)
		}
	}
	return nil
}

// dividing tells whether the list of entries of a league is closed and its divisions are not drawn yet: lots are drawn over
// that list, so it stays as it is until then.
func (l steward) dividing(id string) (is bool) {
	err := l.look(id, func(b *openBook) error {
		is = b.Season != nil && b.Season.Phase == season.Dividing
		return nil
	})
	return is && err == nil
}

// mergeIn notes in a league that a member is another one. Games of his that count for nobody now are closed, and
// the secretaries are told.
func mergeIn(t *leagueTurn, in book.Merged) error {
	before := undecided(t)
	if err := t.Do(in); err != nil {
		return err
	}
	after := undecided(t)
	for _, one := range before {
		if !slices.Contains(after, one) {
			if err := t.endGame(one); err != nil {
				return err
			}
		}
	}
	return t.tellSecretaries(phrase.Say("league.merged", phrase.Literal("league", t.League), phrase.Literal("gone", in.Gone), phrase.Literal("into", in.Into)))
}

func undecided(t *leagueTurn) []string {
	if t.Season == nil {
		return nil
	}
	return t.Season.Undecided()
}

// merge has a secretary decide that two who have entered his league are one person. He is neither of them, and plays
// in no division of theirs. The roll follows.
func (a *actByLetter) merge(t *leagueTurn, by string) error {
	if len(a.Members) != 2 {
		return game.Refuse("league.merge.two")
	}
	gone, into := a.Members[0], a.Members[1]
	if err := t.club().mayMerge(gone, into); err != nil {
		return err
	}
	if slices.Contains(a.Members, by) {
		return game.Refuse("league.merge.self", phrase.Literal("who", by))
	}
	for _, m := range a.Members {
		if !t.Has(m) {
			return game.Refuse("league.merge.not-entered", phrase.Literal("member", m))
		}
		if err := t.mayTakeOut(by, m); err != nil {
			return err
		}
	}
	if err := t.put(mergeAsked+gone, into); err != nil {
		return err
	}
	return mergeIn(t, book.Merged{Gone: gone, Into: into, By: by, Reason: a.Reason})
}

// merging gives the time at which a league must look at what is still to be merged: at once, unless its divisions are to be drawn.
func (l steward) merging(tx store.Reader, id string, dividing bool) (time.Time, error) {
	for _, prefix := range []string{mergeAsked, mergePrefix + id + " "} {
		if dividing && strings.HasPrefix(prefix, mergePrefix) {
			continue
		}
		if err := tx.Values(prefix, func(string, []byte) error { return errEnough }); errors.Is(err, errEnough) {
			return l.office.now(), nil
		} else if err != nil {
			return time.Time{}, err
		}
	}
	return time.Time{}, nil
}
