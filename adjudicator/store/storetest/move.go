package storetest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
)

// fill writes some of everything: more of each kind than is read at once, bytes that are no text,
// empty values, an entry out of whose private part something is taken, numbers left out.
func fill(t *testing.T, s store.Store) {
	t.Helper()
	for _, game := range []string{"lot-1", "lot-10", "=roll"} {
		c := store.Change{Game: game, Join: []string{"a@x", "b@" + game}, Wake: map[string]time.Time{game: time.Unix(50, 7)}}
		if game != "=roll" {
			c.Record, c.Snapshot = []byte(game), []byte{}
			if game == "lot-1" {
				c.Tags = []string{"a", "b " + game}
			}
		}
		for i := range 300 {
			e := chain.Follow(c.After, chain.Salt{byte(i), 31: 9}, fmt.Appendf(nil, "%s %d", game, i), []byte("of ada@x"))
			commit(t, s, store.Change{Game: game, After: c.After, Entries: []chain.Entry{e}, History: []store.Position{{Seq: e.Seq, Data: []byte{0, byte(i)}}}})
			c.After = e.Link
		}
		for i := range 250 {
			c.Pages = append(c.Pages, store.Page{Seat: []string{"red", "re"}[i%2], N: uint64(i), Data: []byte{byte(i)}})
		}
		c.Answers = map[string][]byte{"red\x00\xff": []byte("orders"), "blue": {}}
		commit(t, s, c)
	}
	c := of(t, s, "lot-1")
	read(t, s, func(r store.Reader) {
		e, _, err := r.Entry("lot-1", 7)
		if err != nil {
			t.Fatal(err)
		}
		c.Redact = []chain.Entry{e.Without([]byte("of nobody"))}
	})
	commit(t, s, c)
	queue(t, s, time.Unix(30, 0), strings.Split(strings.Repeat("letter ", 300), " ")...)
	if _, err := s.Reserve(t.Context(), 5); err != nil {
		t.Fatal(err)
	}
	queue(t, s, time.Time{}, "sent", "")
	var values store.Change
	for i := range 230 {
		values.PutValue(fmt.Sprintf("value %d \xff\x00", i), store.Value{Data: []byte{byte(i)}})
		data := fmt.Appendf(nil, "ground %d", i)
		values.Blobs = append(values.Blobs, store.Blob{Digest: sha256.Sum256(data), Data: data})
	}
	values.PutValue("empty", store.Value{Data: []byte{}})
	commit(t, s, values)
	for i := range 210 {
		d := sha256.Sum256([]byte{byte(i)})
		commit(t, s, store.Change{Mark: &store.Mark{Digest: d, Result: fmt.Append(nil, i), Names: []store.Name{{Name: fmt.Sprintf("<%d@x>", i), Content: d}}}})
	}
}

// Move moves an office from one kind of store to another and back, and finds everything as it was; into
// a store in which something is nothing moves.
func Move(t *testing.T, one, other Opener) {
	first, second, third := opened(t, one), opened(t, other), opened(t, one)
	fill(t, first)
	there, err := store.Move(t.Context(), first, second)
	if err != nil {
		t.Fatal(err)
	}
	back, err := store.Move(t.Context(), second, third)
	if err != nil {
		t.Fatal(err)
	}
	if there != back || there.Games != 2 || there.Entries != 900 || there.Letters != 303 {
		t.Errorf("there %+v, back %+v", there, back)
	}
	for _, s := range []store.Store{second, third} {
		id, err := s.Reserve(t.Context(), 1)
		if err != nil || id != 309 {
			t.Errorf("the next letter is %d: %v", id, err)
		}
		same := store.Change{Mark: &store.Mark{Digest: [32]byte{1}, Names: []store.Name{{Name: "<7@x>", Content: sha256.Sum256([]byte{7})}}}}
		if err := s.Commit(t.Context(), same); !errors.Is(err, store.ErrTaken) {
			t.Errorf("a letter that was taken in before the move: %v", err)
		}
		e := chain.Follow(load(t, s, "lot-1").End, chain.Salt{}, []byte("after the move"), nil)
		c := of(t, s, "lot-1")
		c.Entries = []chain.Entry{e}
		commit(t, s, c)
	}
	if _, err := store.Move(t.Context(), first, third); !errors.Is(err, store.ErrNotEmpty) {
		t.Errorf("two offices in one store: %v", err)
	}
}
