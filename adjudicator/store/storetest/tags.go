package storetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"berthier/adjudicator/store"
)

// found gives what is found by tags, as "tag game", and the games that have none.
func found(t *testing.T, s store.Store, from, before string) (tagged, untagged []string) {
	t.Helper()
	read(t, s, func(r store.Reader) {
		err := errors.Join(r.Tagged(from, before, func(tag, game string) error {
			tagged = append(tagged, tag+" "+game)
			return nil
		}), r.Untagged(func(game string, _ []byte) error { untagged = append(untagged, game); return nil }))
		if err != nil {
			t.Error(err)
		}
	})
	return tagged, untagged
}

func testTags(t *testing.T, open Opener) {
	s := opened(t, open)
	const all = "\x7f"
	for i := range 450 { // more than are read at once
		commit(t, s, store.Change{Game: fmt.Sprintf("g%03d", i), Record: []byte("{}"), Tags: []string{"every", fmt.Sprintf("n %03d", i), "every"}})
	}
	tagged, untagged := found(t, s, "", all)
	if len(tagged) != 900 || tagged[0] != "every g000" || tagged[899] != "n 449 g449" || !slices.IsSorted(tagged) || untagged != nil {
		t.Errorf("%d are found, from %q on; without tags %q", len(tagged), tagged[:1], untagged)
	}
	if tagged, _ := found(t, s, "n 100", "n 103"); !slices.Equal(tagged, []string{"n 100 g100", "n 101 g101", "n 102 g102"}) {
		t.Errorf("within bounds: %q", tagged)
	}
	var firsts []string
	stop := errors.New("enough")
	read(t, s, func(r store.Reader) {
		if err := r.Tagged("", all, func(tag, game string) error {
			if firsts = append(firsts, tag+" "+game); len(firsts) == 3 {
				return stop
			}
			return store.ErrNextTag
		}); !errors.Is(err, stop) || !slices.Equal(firsts, []string{"every g000", "n 000 g000", "n 001 g001"}) {
			t.Errorf("the first of each tag: %q, %v", firsts, err)
		}
	})

	// A record without tags is found without them, and what it had before is gone.
	c := of(t, s, "g007")
	c.Record = []byte(`{"b":1}`)
	commit(t, s, c)
	if tagged, untagged := found(t, s, "n 006", "n 009"); !slices.Equal(tagged, []string{"n 006 g006", "n 008 g008"}) || !slices.Equal(untagged, []string{"g007"}) {
		t.Errorf("%q, %q", tagged, untagged)
	}
	// What changes no record leaves tags as they are; tags alone can be written, also none.
	c = of(t, s, "g006")
	c.Snapshot = []byte("moved")
	commit(t, s, c)
	c = of(t, s, "g007")
	c.Tags = []string{"n 0065"}
	commit(t, s, c)
	c = of(t, s, "g008")
	c.Tags = []string{}
	commit(t, s, c)
	if tagged, untagged := found(t, s, "n 006", "n 009"); !slices.Equal(tagged, []string{"n 006 g006", "n 0065 g007"}) || untagged != nil {
		t.Errorf("%q, %q", tagged, untagged)
	}

	// What was refused has tagged nothing.
	stale := of(t, s, "g009")
	now := of(t, s, "g009")
	now.Record, now.Tags = []byte(`{"c":1}`), []string{"now"}
	commit(t, s, now)
	stale.Record, stale.Tags = []byte(`{"d":1}`), []string{"stale"}
	if err := s.Commit(t.Context(), stale); !errors.Is(err, store.ErrOutOfStep) {
		t.Error(err)
	}
	for _, bad := range []store.Change{
		{Game: "nobody", Tags: []string{"a"}}, {Game: "nobody", Record: []byte("{}"), Tags: []string{"a\x00"}},
		{Game: "nobody", Record: []byte("{}"), Tags: []string{""}}, {Game: "nobody", Record: []byte("{}"), Tags: []string{"\xff"}}, {Tags: []string{"a"}},
	} {
		if err := s.Commit(t.Context(), bad); err == nil {
			t.Errorf("%q of %q is written", bad.Tags, bad.Game)
		}
	}
	if tagged, untagged := found(t, s, "now", all); !slices.Equal(tagged, []string{"now g009"}) || untagged != nil {
		t.Errorf("%q, %q", tagged, untagged)
	}
}
