package book

import (
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/season"
	"berthier/orders/phrase"
)

// Merged is that two members are one person: one of the two ids goes, and he is known by the other.
type Merged struct {
	Gone   string `json:"gone"`
	Into   string `json:"into"`
	By     string `json:"by,omitempty"` // a secretary of this league, if one has decided it; in the private part of the entry, like the next
	Reason string `json:"reason,omitempty"`
}

func (Merged) kind() string { return "merged" }

func (in Merged) happen(b *Book) error {
	if b.Season != nil && b.Season.Phase == season.Dividing {
		return game.Refuse("league.merge.dividing")
	}
	for _, id := range []string{in.Gone, in.Into} {
		if into, known := b.Merged[id]; known {
			return game.Refuse("league.merge.twice", phrase.Literal("gone", id), phrase.Literal("into", into))
		}
	}
	asked := slices.Contains(b.Asked, in.Into)
	for _, s := range append(slices.Clone(b.Past), b.Season) {
		if s == nil {
			continue
		}
		if err := s.Apply(season.Merged{Gone: in.Gone, Into: in.Into}); err != nil {
			return err
		}
	}
	if b.Merged == nil {
		b.Merged = map[string]string{}
	}
	b.Merged[in.Gone] = in.Into
	if _, has := b.Wishes[in.Into]; !has && (b.Has(in.Into) || slices.Contains(b.Asked, in.Gone)) {
		b.Wishes[in.Into], b.Finished[in.Into] = b.Wishes[in.Gone], b.Finished[in.Gone]
	}
	delete(b.Resting, in.Gone)
	b.Asked = slices.DeleteFunc(slices.Clone(b.Asked), func(m string) bool { return m == in.Gone && (asked || b.Has(in.Into)) })
	in.rename(b)
	return nil
}

// rename puts the id that stays in the place of the other, where something is open.
func (in Merged) rename(b *Book) {
	as := func(ids []string) []string {
		ids = slices.Clone(ids)
		for i := range ids {
			if ids[i] == in.Gone {
				ids[i] = in.Into
			}
		}
		return ids
	}
	b.Asked = as(b.Asked)
	for i := range b.Brings {
		b.Brings[i].Seats, b.Brings[i].Agreed = as(b.Brings[i].Seats), as(b.Brings[i].Agreed)
	}
	for i := range b.Protests {
		b.Protests[i].Member = as([]string{b.Protests[i].Member})[0]
	}
}

// Person gives the id by which a member is known now.
func (b *Book) Person(id string) string {
	for range b.Merged { // nobody goes into himself, but the ids of logs may be anything
		into, gone := b.Merged[id]
		if !gone {
			break
		}
		id = into
	}
	return id
}
