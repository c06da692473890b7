// Package storetest tests whether a store fulfils the contract of [store.Store]: the same
// tests for every store, given a function that opens it.
//
// A package that is a store has
//
//	func TestMain(m *testing.M) { os.Exit(storetest.Main(m, open)) }
//	func TestContract(t *testing.T) { storetest.Run(t, open) }
//
// Main lets the tests of [Run] start the test's own program again, to kill it while it
// writes.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
)

// An Opener opens the store in a folder, and makes it first if there is none. If it is to be
// quick, what is written need not survive a failure of the machine. When the store is
// closed it must find out whatever it can about faults in what it keeps.
type Opener func(folder string, quick bool) (store.Store, error)

// A Choice says what [Run] leaves out.
type Choice int

// Quick leaves out the model and the killing, which take longest.
const Quick Choice = 1

// Run runs all tests of the contract, but what is to be left out.
func Run(t *testing.T, open Opener, but ...Choice) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, Opener)
	}{
		{"a game is taken up as it was written", testGame},
		{"a log is a chain without a gap", testLog},
		{"something is taken out of a log, and its chain holds", testRedact},
		{"a log that is settled reads as before", testSettled},
		{"pages of one seat and game stay apart", testPages},
		{"what is kept no more is gone, and its number is given to no other", testRemoved},
		{"what is no game may have a log", testRoll},
		{"values are found by how their names begin", testValues},
		{"games are found by their tags", testTags},
		{"a letter is taken in once", testMarks},
		{"what is forgotten can come again", testForget},
		{"what letters share is kept once", testBlobs},
		{"letters are numbered, and claimed once", testClaims},
		{"all that was claimed is given up", testReleaseOfAll},
		{"letters are claimed by lanes", testLanes},
		{"a change that is refused leaves no trace", testRefused},
		{"one failure does not sink the others", testFailures},
		{"of two who change the same, one is told", testRaces},
		{"a reader sees one moment", testMoment},
		{"a closed store says so", testClosed},
		{longModel, testModel},
		{longKill, testKill},
	} {
		if long := test.name == longModel || test.name == longKill; long && slices.Contains(but, Quick) {
			continue
		}
		t.Run(test.name, func(t *testing.T) { test.run(t, open) })
	}
}

// The tests that take longest.
const (
	longModel = "it does what plain maps would do"
	longKill  = "killed at any moment it keeps its word"
)

// opened opens a new store, which is closed when the test ends.
func opened(t testing.TB, open Opener) store.Store {
	t.Helper()
	s, err := open(t.TempDir(), true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func commit(t testing.TB, s store.Store, c store.Change) {
	t.Helper()
	if err := s.Commit(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, s store.Store, f func(store.Reader)) {
	t.Helper()
	if err := s.Read(t.Context(), func(r store.Reader) error { f(r); return nil }); err != nil {
		t.Fatal(err)
	}
}

func load(t testing.TB, s store.Store, game string) store.Loaded {
	t.Helper()
	l, err := s.Load(t.Context(), game)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// of is a change made from a game as it is now.
func of(t testing.TB, s store.Store, game string) store.Change {
	t.Helper()
	l := load(t, s, game)
	return store.Change{Game: game, After: l.End, Was: store.VersionOf(l.Record)}
}

// queue queues letters, and gives the number of the first.
func queue(t testing.TB, s store.Store, due time.Time, bodies ...string) uint64 {
	t.Helper()
	first, err := s.Reserve(t.Context(), len(bodies))
	if err != nil {
		t.Fatal(err)
	}
	var c store.Change
	for i, body := range bodies {
		c.PutOutgoing(store.Outgoing{ID: first + uint64(i), Due: due, Body: []byte(body)})
	}
	commit(t, s, c)
	return first
}

func testGame(t *testing.T, open Opener) {
	folder := t.TempDir()
	s, err := open(folder, true)
	if err != nil {
		t.Fatal(err)
	}
	if l := load(t, s, "lot-1"); l.Record != nil || l.End != (chain.Link{}) {
		t.Errorf("a game that there is not: %+v", l)
	}
	e := chain.Follow(chain.Link{}, chain.Salt{1}, []byte("body"), []byte("private"))
	commit(t, s, store.Change{Game: "lot-1", Record: []byte("record"), Snapshot: []byte("snapshot"), Entries: []chain.Entry{e},
		Answers: map[string][]byte{"red": []byte("orders"), "blue": {}}, Join: []string{"a@x", "b@x"},
		History: []store.Position{{Seq: 1, Data: []byte("position")}}, Wake: map[string]time.Time{"lot-1": time.Unix(50, 0)}})
	commit(t, s, store.Change{Game: "lot-10", Record: []byte("another"), Join: []string{"a@x"}})
	c := of(t, s, "lot-1")
	c.Answers, c.Leave = map[string][]byte{"red": nil}, []string{"b@x"}
	commit(t, s, c)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = open(folder, true); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if l := load(t, s, "lot-1"); string(l.Record) != "record" || string(l.Snapshot) != "snapshot" || l.End != e.Link {
		t.Errorf("%+v", l)
	}
	read(t, s, func(r store.Reader) {
		if r.Answer("lot-1", "red") != nil || r.Answer("lot-1", "blue") == nil {
			t.Error("answers")
		}
		if one, ok, err := r.Entry("lot-1", 1); err != nil || !ok || string(one.Body) != "body" || string(one.Private) != "private" || one.Salt != e.Salt {
			t.Errorf("%+v, %v, %v", one, ok, err)
		}
		if _, ok, err := r.Entry("lot-1", 2); ok || err != nil {
			t.Errorf("an entry that there is not: %v, %v", ok, err)
		}
		if string(r.History("lot-1", 1)) != "position" || r.History("lot-1", 2) != nil {
			t.Error("positions")
		}
		if a, b := r.GamesOf("a@x", 9), r.GamesOf("b@x", 9); !slices.Equal(a, []string{"lot-1", "lot-10"}) || len(b) > 0 {
			t.Errorf("games %v, %v", a, b)
		}
		if one := r.GamesOf("a@x", 1); len(one) != 1 {
			t.Errorf("at most one: %v", one)
		}
		if at, ok := r.FirstWake(); !ok || !at.Equal(time.Unix(50, 0)) || !slices.Equal(r.Waking(time.Unix(50, 0), 9), []string{"lot-1"}) || len(r.Waking(time.Unix(49, 0), 9)) > 0 {
			t.Error("when it wakes")
		}
	})
}

// testRedact takes something out of the private part of an entry: the chain holds, in the store that is
// open and in one that is opened again, and nothing else of a log can be changed in this way.
func testRedact(t *testing.T, open Opener) {
	folder := t.TempDir()
	s, err := open(folder, true)
	if err != nil {
		t.Fatal(err)
	}
	first := chain.Follow(chain.Link{}, chain.Salt{1, 31: 9}, []byte("body"), []byte("of ada@x"))
	second := chain.Follow(first.Link, chain.Salt{2, 31: 9}, []byte("without"), nil)
	commit(t, s, store.Change{Game: "a", Record: []byte("record"), Entries: []chain.Entry{first, second}})
	c := of(t, s, "a")
	c.Redact = []chain.Entry{first.Without([]byte("of nobody"))}
	commit(t, s, c)
	commit(t, s, c) // once more is the same
	forged := first.Without([]byte("x"))
	forged.Body = []byte("other")
	for name, e := range map[string]chain.Entry{
		"another body": forged, "no private part": second.Without([]byte("x")), "not there": {Link: chain.Link{Seq: 9}},
		"as if new": chain.Follow(chain.Link{}, chain.Salt{1, 31: 9}, []byte("body"), []byte("forged")),
	} {
		c := of(t, s, "a")
		c.Redact = []chain.Entry{e}
		if err := s.Commit(context.Background(), c); !errors.Is(err, store.ErrOutOfStep) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for range 2 {
		read(t, s, func(r store.Reader) {
			if err := store.Verify(r, "a"); err != nil {
				t.Error(err)
			}
			e, ok, err := r.Entry("a", 1)
			if err != nil || !ok || string(e.Private) != "of nobody" || string(e.Body) != "body" || e.Link != first.Link || e.Salt == first.Salt {
				t.Errorf("%+v, %v, %v", e, ok, err)
			}
		})
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if s, err = open(folder, true); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func testLog(t *testing.T, open Opener) {
	s := opened(t, open)
	var last chain.Link
	for _, game := range []string{"a", "ab", "b"} {
		last = chain.Link{}
		for i := range 300 {
			e := chain.Follow(last, chain.Salt{byte(i)}, fmt.Appendf(nil, "%s %d", game, i), nil)
			commit(t, s, store.Change{Game: game, After: last, Entries: []chain.Entry{e}})
			last = e.Link
		}
	}
	read(t, s, func(r store.Reader) {
		for _, game := range []string{"a", "ab", "b"} {
			if err := store.Verify(r, game); err != nil {
				t.Error(err)
			}
			if l := r.Last(game); l.Seq != 300 {
				t.Errorf("last of %s is %d", game, l.Seq)
			}
			n := 0
			err := r.Entries(game, 290, func(e chain.Entry) error {
				if want := fmt.Sprintf("%s %d", game, e.Seq-1); string(e.Body) != want {
					t.Errorf("entry %d is %q", e.Seq, e.Body)
				}
				n++
				return nil
			})
			if err != nil || n != 11 {
				t.Errorf("%d entries, %v", n, err)
			}
		}
		if l := r.Last("none"); l != (chain.Link{}) {
			t.Errorf("a game without a log has %v", l)
		}
	})
	forged := chain.Follow(last, chain.Salt{}, []byte("body"), nil)
	forged.Body = []byte("another")
	for name, bad := range map[string]store.Change{
		"number taken": {Game: "b", Entries: []chain.Entry{chain.Follow(chain.Link{}, chain.Salt{}, nil, nil)}},
		"other chain":  {Game: "b", After: chain.Link{Seq: 300}, Entries: []chain.Entry{chain.Follow(chain.Link{Seq: 300}, chain.Salt{}, nil, nil)}},
		"gap":          {Game: "b", After: last, Entries: []chain.Entry{chain.Follow(chain.Link{Seq: 301, Hash: last.Hash}, chain.Salt{}, nil, nil)}},
		"forged body":  {Game: "b", After: last, Entries: []chain.Entry{forged}},
		"no entry":     {Game: "b", After: chain.Link{Seq: 299}, Record: []byte("x")},
	} {
		if err := s.Commit(t.Context(), bad); !errors.Is(err, store.ErrOutOfStep) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// testRoll keeps the log of what is no game, with values that follow from it: it is found by its
// id alone, follows the log as one change, and of two who add to it at once one is told.
func testRoll(t *testing.T, open Opener) {
	s := opened(t, open)
	commit(t, s, store.Change{Game: "a", Record: []byte("a game"), Wake: map[string]time.Time{"a": time.Unix(60, 0)}})
	entry := func(after chain.Link, text string) store.Change {
		c := store.Change{Game: "=roll", After: after, Entries: []chain.Entry{chain.Follow(after, chain.Salt{}, []byte(text), []byte("private"))},
			Wake: map[string]time.Time{"=absent/" + text: time.Unix(50, 0)}}
		c.PutValue("member "+text, store.Value{Data: []byte(text)})
		return c
	}
	commit(t, s, entry(chain.Link{}, "ada"))
	second := entry(chain.Link{}, "bea") // made from the roll as it was before
	if err := s.Commit(t.Context(), second); !errors.Is(err, store.ErrOutOfStep) {
		t.Errorf("two follow the same entry: %v", err)
	}
	read(t, s, func(r store.Reader) {
		if r.Game("=roll") != nil || r.Last("=roll").Seq != 1 || store.Verify(r, "=roll") != nil {
			t.Error("the roll is a game, or has no log")
		}
		if err := r.Games(func(game string, _ []byte) error {
			if game != "a" {
				t.Errorf("there is a game %s", game)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
		if r.Value("member bea") != nil || string(r.Value("member ada")) != "ada" {
			t.Error("values without their entry")
		}
		if got := r.Waking(time.Unix(100, 0), 9); !slices.Equal(got, []string{"=absent/ada", "a"}) {
			t.Errorf("%v wake", got)
		}
	})
}

// testSettled grows a log, settles it and takes something out of it, again and again.
func testSettled(t *testing.T, open Opener) {
	folder := t.TempDir()
	s, err := open(folder, true)
	if err != nil {
		t.Fatal(err)
	}
	var want []chain.Entry
	same := func() {
		t.Helper()
		read(t, s, func(r store.Reader) {
			n := 0
			err := errors.Join(store.Verify(r, "a"), r.Entries("a", 0, func(e chain.Entry) error {
				one, ok, err := r.Entry("a", e.Seq)
				if n++; n > len(want) || !ok || !reflect.DeepEqual(one, e) || !sameEntry(e, want[n-1]) {
					t.Errorf("entry %d is %+v", e.Seq, e)
				}
				return err
			}))
			if err != nil || n != len(want) || r.Last("a") != want[len(want)-1].Link {
				t.Errorf("%d entries, want %d: %v", n, len(want), err)
			}
		})
	}
	for _, grown := range []int{1, 2, 300, 0, 40} {
		c := of(t, s, "a")
		for i := range grown {
			after := c.After
			if n := len(c.Entries); n > 0 {
				after = c.Entries[n-1].Link
			}
			c.Entries = append(c.Entries, chain.Follow(after, chain.Salt{byte(i), 31: 1}, fmt.Append(nil, "body ", after.Seq), fmt.Append(nil, "of ada@x ", after.Seq)))
		}
		c.Record, c.Settle = []byte("record"), grown != 2 // a game without a record is not loaded
		commit(t, s, c)
		want = append(want, c.Entries...)
		same()
		for i := 0; i < len(want); i += 50 {
			c := of(t, s, "a")
			want[i] = want[i].Without(fmt.Append(nil, "of nobody ", grown))
			c.Redact = []chain.Entry{want[i]}
			commit(t, s, c)
		}
		same()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if s, err = open(folder, true); err != nil {
			t.Fatal(err)
		}
		same()
	}
	commit(t, s, func() store.Change { c := of(t, s, "a"); c.Settle = true; return c }())
	read(t, s, func(r store.Reader) {
		if n := r.Loose("a"); n > 1 {
			t.Errorf("%d entries lie in no block", n)
		}
	})
	same()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// sameEntry tells whether two entries say the same.
func sameEntry(a, b chain.Entry) bool {
	return a.Link == b.Link && a.Salt == b.Salt && string(a.Body) == string(b.Body) && string(a.Private) == string(b.Private) && string(a.Was) == string(b.Was)
}

func testRemoved(t *testing.T, open Opener) {
	s := opened(t, open)
	first := queue(t, s, time.Unix(5, 0), "one", "two")
	commit(t, s, store.Change{Game: "g", Pages: []store.Page{{Seat: "red", N: 1, Data: []byte{1}}, {Seat: "red", N: 2, Data: []byte{2}}}})
	kept := store.Outgoing{ID: first, Due: time.Unix(5, 0), Body: []byte("one")}
	for _, was := range []store.Version{{}, store.VersionOf([]byte("other"))} {
		if err := s.Commit(t.Context(), store.Change{Outgoing: []store.Outgoing{{ID: first, Was: was, Gone: true}}}); !errors.Is(err, store.ErrOutOfStep) {
			t.Errorf("a letter that is another: %v", err)
		}
	}
	c := of(t, s, "g")
	c.Outgoing, c.Pages = []store.Outgoing{{ID: first, Was: kept.Version(), Gone: true}}, []store.Page{{Seat: "red", N: 1, Gone: true}}
	commit(t, s, c)
	read(t, s, func(r store.Reader) {
		if _, there := r.Outgoing(first); there || !slices.Equal(r.Due(time.Unix(9, 0), 9), []uint64{first + 1}) {
			t.Error("the letter is there")
		}
		if err := r.Pages("g", "red", func(n uint64, _ []byte) error {
			if n != 2 {
				t.Errorf("page %d is there", n)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	})
	if next := queue(t, s, time.Time{}, "three"); next <= first+1 {
		t.Errorf("letter %d again", next)
	}
	commit(t, s, store.Change{Outgoing: []store.Outgoing{kept}}) // it may come back
	read(t, s, func(r store.Reader) {
		if o, there := r.Outgoing(first); !there || string(o.Body) != "one" {
			t.Error("the letter did not come back")
		}
	})
}

func testPages(t *testing.T, open Opener) {
	s := opened(t, open)
	for _, c := range []store.Change{
		{Game: "g", Pages: []store.Page{{Seat: "red", N: 1, Data: []byte{1}}, {Seat: "red", N: 3, Data: []byte{3}}, {Seat: "red", N: 2, Data: []byte{2}}, {Seat: "re", N: 1, Data: []byte{9}}}},
		{Game: "g2", Pages: []store.Page{{Seat: "red", N: 1, Data: []byte{9}}}},
	} {
		commit(t, s, c)
	}
	read(t, s, func(r store.Reader) {
		var got []byte
		if err := r.Pages("g", "red", func(n uint64, page []byte) error {
			got = append(got, byte(n), page[0])
			return nil
		}); err != nil || !slices.Equal(got, []byte{1, 1, 2, 2, 3, 3}) {
			t.Errorf("pages %v, %v", got, err)
		}
	})
}

func testValues(t *testing.T, open Opener) {
	s := opened(t, open)
	var c store.Change
	for _, name := range []string{"pulse", "forget/b", "forget/a", "forgery"} {
		c.PutValue(name, store.Value{Data: []byte(name)})
	}
	c.PutValue("empty", store.Value{Data: []byte{}})
	commit(t, s, c)
	commit(t, s, store.Change{Values: map[string]store.Value{"pulse": {Was: store.VersionOf([]byte("pulse"))}, "empty": {Data: []byte("full"), Was: store.VersionOf([]byte{})}}})
	read(t, s, func(r store.Reader) {
		if r.Value("pulse") != nil || r.Value("other") != nil || string(r.Value("empty")) != "full" {
			t.Error("values")
		}
		got := map[string]string{}
		if err := r.Values("forget/", func(name string, data []byte) error { got[name] = string(data); return nil }); err != nil {
			t.Error(err)
		}
		if want := map[string]string{"forget/a": "forget/a", "forget/b": "forget/b"}; !maps.Equal(got, want) {
			t.Errorf("%v", got)
		}
	})
}
