package storetest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/store"
)

func testMarks(t *testing.T, open Opener) {
	s := opened(t, open)
	one, two, three := sha256.Sum256([]byte("1")), sha256.Sum256([]byte("2")), sha256.Sum256([]byte("3"))
	name := func(name string, content [32]byte, once bool) []store.Name {
		return []store.Name{{Name: name, Content: content, Once: once}}
	}
	commit(t, s, store.Change{Mark: &store.Mark{Digest: one, Result: []byte("result"), Names: append(name("<a@b>", one, false), name("proof", one, true)...)}})
	for what, m := range map[string]*store.Mark{
		"the same bytes":                 {Digest: one},
		"the same content under a name":  {Digest: two, Names: name("<a@b>", one, false)},
		"a name that counts once":        {Digest: two, Names: name("proof", two, true)},
		"a name alone that counts once":  {Names: name("proof", two, true)},
		"the second of two of its names": {Digest: two, Names: append(name("<new>", two, false), name("proof", two, true)...)},
	} {
		if err := s.Commit(t.Context(), store.Change{Mark: m, Values: map[string]store.Value{"trace": {Data: []byte(what)}}}); !errors.Is(err, store.ErrTaken) {
			t.Errorf("%s: %v", what, err)
		}
	}
	commit(t, s, store.Change{Mark: &store.Mark{Digest: two, Names: name("<a@b>", two, false)}}) // another content is another letter
	read(t, s, func(r store.Reader) {
		if r.Value("trace") != nil {
			t.Error("a letter that was taken in before left a trace")
		}
		if result, taken := r.Marked(one); !taken || string(result) != "result" {
			t.Errorf("%q, %v", result, taken)
		}
		if _, taken := r.Marked(three); taken {
			t.Error("a letter that never came")
		}
		if got, ok := r.MarkedID("<a@b>"); !ok || got != one {
			t.Error("the first content of a name does not stay")
		}
		if _, ok := r.MarkedID("<new>"); ok {
			t.Error("a name that never came")
		}
		n := 0
		if err := r.Marks(func([32]byte, []byte) error { n++; return nil }); err != nil || n != 2 {
			t.Errorf("%d marks, %v", n, err)
		}
	})
}

func testForget(t *testing.T, open Opener) {
	s := opened(t, open)
	one, two := sha256.Sum256([]byte("1")), sha256.Sum256([]byte("2"))
	mark := func(digest [32]byte) store.Mark {
		return store.Mark{Digest: digest, Names: []store.Name{{Name: "<a@b>", Content: digest}}}
	}
	first, second := mark(one), mark(two)
	commit(t, s, store.Change{Mark: &first})
	commit(t, s, store.Change{Mark: &second})
	commit(t, s, store.Change{Forget: []store.Mark{second}})
	read(t, s, func(r store.Reader) {
		if _, taken := r.Marked(two); taken {
			t.Error("not forgotten")
		}
		if got, ok := r.MarkedID("<a@b>"); !ok || got != one {
			t.Error("the name of another letter was forgotten")
		}
	})
	commit(t, s, store.Change{Forget: []store.Mark{first}})
	commit(t, s, store.Change{Mark: &first})
	commit(t, s, store.Change{Mark: &second})
}

func testBlobs(t *testing.T, open Opener) {
	s := opened(t, open)
	b := store.Blob{Digest: sha256.Sum256([]byte("ground")), Data: []byte("ground")}
	commit(t, s, store.Change{Blobs: []store.Blob{b, b}})
	commit(t, s, store.Change{Blobs: []store.Blob{b}})
	if err := s.Commit(t.Context(), store.Change{Blobs: []store.Blob{{Digest: [32]byte{1}, Data: []byte("other")}}}); err == nil {
		t.Error("bytes of another digest")
	}
	read(t, s, func(r store.Reader) {
		if string(r.Blob(b.Digest)) != "ground" || r.Blob([32]byte{1}) != nil {
			t.Error("blobs")
		}
	})
}

// testLanes tests that who claims letters of some lanes gets no others.
func testLanes(t *testing.T, open Opener) {
	s := opened(t, open)
	at := func(n int64) time.Time { return time.Unix(n, 0).UTC() }
	many := queue(t, s, at(50), make([]string, 2*store.Lanes)...)
	for _, lane := range []uint64{0, 1, store.Lanes - 1} {
		got, err := s.Claim(t.Context(), at(60), at(100), 9, 1<<lane)
		if err != nil || len(got) != 2 || got[0].ID%store.Lanes != lane || got[1].ID != got[0].ID+store.Lanes || got[0].ID < many {
			t.Errorf("lane %d: %d letters, %v", lane, len(got), err)
		}
	}
	if got, err := s.Claim(t.Context(), at(60), at(100), 9, 0); err != nil || len(got) != 0 {
		t.Errorf("no lane: %d letters, %v", len(got), err)
	}
}

// waitingFirst gives the letter that waits before all others, of which its start is told.
func waitingFirst(t *testing.T, r store.Reader) (ids []uint64) {
	t.Helper()
	if err := r.Waiting(1, func(id uint64, start []byte) error {
		ids = append(ids, id)
		if o, _ := r.Outgoing(id); !bytes.Equal(start, o.Body[:min(len(o.Body), store.StartOfBody)]) {
			t.Errorf("a letter that waits begins with %q", start)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	return ids
}

// testReleaseOfAll lets a process give up everything that it has claimed, without naming any.
func testReleaseOfAll(t *testing.T, open Opener) {
	s := opened(t, open)
	first := queue(t, s, time.Unix(10, 0), "one", "two")
	for range 2 {
		got, err := s.Claim(t.Context(), time.Unix(20, 0), time.Unix(100, 0), 9, store.AllLanes)
		if err == nil {
			err = s.Release(t.Context())
		}
		if err != nil || len(got) != 2 || got[0].ID != first {
			t.Fatalf("claimed %v, %v", got, err)
		}
	}
}

func testClaims(t *testing.T, open Opener) {
	s := opened(t, open)
	at := func(n int64) time.Time { return time.Unix(n, 0).UTC() }
	two := strings.Repeat("two ", store.StartOfBody)
	late := queue(t, s, at(30), "late")
	first := queue(t, s, at(10), "one", two)
	if late >= first {
		t.Errorf("numbers %d, %d do not rise", late, first)
	}
	if _, err := s.Reserve(t.Context(), 5); err != nil { // left out
		t.Fatal(err)
	}
	queue(t, s, time.Time{}, "never")
	claim := func(now, until int64, n int) (ids []uint64) {
		t.Helper()
		got, err := s.Claim(t.Context(), at(now), at(until), n, store.AllLanes)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range got {
			read(t, s, func(r store.Reader) {
				if kept, ok := r.Outgoing(o.ID); !ok || kept.Version() != o.Version() || string(kept.Body) != string(o.Body) {
					t.Errorf("letter %d: %+v, %+v", o.ID, o, kept)
				}
			})
			ids = append(ids, o.ID)
		}
		return ids
	}
	want := func(what string, got []uint64, want ...uint64) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	want("before they are due", claim(9, 100, 9))
	want("at most one", claim(20, 100, 1), first)
	want("what is claimed nobody else gets", claim(20, 100, 9), first+1)
	if err := s.Release(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	want("released", claim(20, 25, 9), first)
	want("the claim has run out", claim(30, 100, 9), late, first)
	sent := func(id uint64, due time.Time) store.Change {
		o := store.Outgoing{ID: id, Due: due, Body: []byte("sent")}
		read(t, s, func(r store.Reader) {
			kept, _ := r.Outgoing(id)
			o.Was = kept.Version()
		})
		return store.Change{Outgoing: []store.Outgoing{o}}
	}
	commit(t, s, sent(first, time.Time{}))
	commit(t, s, sent(late, at(35)))
	want("what was written is no longer claimed, and what was sent is due no more", claim(40, 100, 9), late)
	read(t, s, func(r store.Reader) {
		if due, ok := r.FirstDue(); !ok || !due.Equal(at(10)) || !slices.Equal(r.Due(at(40), 9), []uint64{first + 1, late}) {
			t.Errorf("first due %v, %v, all %v", due, ok, r.Due(at(40), 9))
		}
		want("waiting", waitingFirst(t, r), first+1)
		var bodies []string
		if err := r.Letters(func(_ uint64, body []byte) error { bodies = append(bodies, string(body)); return nil }); err != nil || !slices.Equal(bodies, []string{"sent", "sent", two, "never"}) {
			t.Errorf("%v, %v", bodies, err)
		}
		if _, ok := r.Outgoing(first + 1000); ok {
			t.Error("a letter that there is not")
		}
	})
	for what, o := range map[string]store.Outgoing{"no number": {}, "a number that was not reserved": {ID: 1 << 40}} {
		if err := s.Commit(t.Context(), store.Change{Outgoing: []store.Outgoing{o}}); err == nil {
			t.Errorf("%s was taken", what)
		}
	}
}
