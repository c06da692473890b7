package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
)

// whole is a change that writes some of everything, made from a game as it is.
func whole(c store.Change, id uint64) store.Change {
	c.Entries = []chain.Entry{chain.Follow(c.After, chain.Salt{}, []byte("trace"), nil)}
	c.Record, c.Snapshot = []byte("trace"), []byte("trace")
	c.History = []store.Position{{Seq: 7, Data: []byte("trace")}}
	c.Answers, c.Join = map[string][]byte{"trace": []byte("trace")}, []string{"trace@x"}
	c.Pages = []store.Page{{Seat: "trace", N: 1, Data: []byte("trace")}}
	c.Wake = map[string]time.Time{c.Game: time.Unix(7, 0)}
	c.Mark = &store.Mark{Digest: [32]byte{7}, Names: []store.Name{{Name: "trace"}}}
	c.PutValue("trace", store.Value{Data: []byte("trace")})
	c.PutOutgoing(store.Outgoing{ID: id, Due: time.Unix(7, 0), Body: []byte("trace")})
	return c
}

func testRefused(t *testing.T, open Opener) {
	s := opened(t, open)
	commit(t, s, store.Change{Game: "g", Record: []byte("record"), Leave: []string{"a@x"}})
	commit(t, s, store.Change{Mark: &store.Mark{Digest: [32]byte{1}}})
	kept := queue(t, s, time.Unix(9, 0), "kept")
	id, err := s.Reserve(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for what, spoil := range map[string]func(c *store.Change){
		"the log has moved on": func(c *store.Change) { c.After.Seq = 5 },
		"another record":       func(c *store.Change) { c.Was = store.VersionOf([]byte("other")) },
		"no record":            func(c *store.Change) { c.Was = store.Version{} },
		"another value": func(c *store.Change) {
			c.PutValue("n", store.Value{Was: store.VersionOf([]byte("x")), Data: []byte("y")})
		},
		"another letter":          func(c *store.Change) { c.PutOutgoing(store.Outgoing{ID: kept, Was: store.VersionOf([]byte("x"))}) },
		"a letter already":        func(c *store.Change) { c.PutOutgoing(store.Outgoing{ID: kept}) },
		"taken in before":         func(c *store.Change) { c.Mark = &store.Mark{Digest: [32]byte{1}} },
		"a number of nobody":      func(c *store.Change) { c.PutOutgoing(store.Outgoing{ID: 1 << 40}) },
		"a blob that is another":  func(c *store.Change) { c.Blobs = []store.Blob{{Digest: [32]byte{9}, Data: []byte("x")}} },
		"a game without an id":    func(c *store.Change) { c.Game = "" },
		"an id with a zero byte":  func(c *store.Change) { c.Game = "g\x00" },
		"an address with a zero":  func(c *store.Change) { c.Join = []string{"a\x00b"} },
		"a seat with a zero byte": func(c *store.Change) { c.Pages[0].Seat = "a\x00b" },
	} {
		c := whole(of(t, s, "g"), id)
		spoil(&c)
		if err := s.Commit(t.Context(), c); err == nil {
			t.Errorf("%s: taken", what)
		}
		if l := load(t, s, "g"); string(l.Record) != "record" || l.End.Seq != 0 || l.Snapshot != nil {
			t.Errorf("%s: %+v", what, l)
		}
		read(t, s, func(r store.Reader) {
			_, marked := r.Marked([32]byte{7})
			_, named := r.MarkedID("trace")
			_, wakes := r.FirstWake()
			_, queued := r.Outgoing(id)
			pages := 0
			_ = r.Pages("g", "trace", func(uint64, []byte) error { pages++; return nil })
			if marked || named || wakes || queued || pages > 0 || r.Value("trace") != nil || r.Answer("g", "trace") != nil ||
				r.History("g", 7) != nil || len(r.GamesOf("trace@x", 1)) > 0 {
				t.Errorf("%s: it left a trace", what)
			}
		})
	}
	commit(t, s, whole(of(t, s, "g"), id))
}

// testFailures commits changes that fail in every possible way: before anything was written, and after.
func testFailures(t *testing.T, open Opener) {
	s := opened(t, open)
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			c := store.Change{Game: fmt.Sprintf("g%03d", i), Record: []byte("x")}
			var want error
			switch i % 10 {
			case 3:
				c.After.Seq, want = 1, store.ErrOutOfStep
			case 7:
				c.Blobs = []store.Blob{{Digest: [32]byte{1}, Data: []byte("x")}}
			}
			err := s.Commit(context.Background(), c)
			if fails := i%10 == 3 || i%10 == 7; fails != (err != nil) || want != nil && !errors.Is(err, want) {
				t.Errorf("change %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	read(t, s, func(r store.Reader) {
		for i := range 200 {
			if kept := r.Game(fmt.Sprintf("g%03d", i)) != nil; kept != (i%10 != 3 && i%10 != 7) {
				t.Errorf("change %d: kept %v", i, kept)
			}
		}
	})
}

// testRaces lets many do the same thing, each from what he has read before: one of them
// succeeds, and the others get an error.
func testRaces(t *testing.T, open Opener) {
	s := opened(t, open)
	const writers, rounds = 8, 10
	commit(t, s, store.Change{Game: "g", Record: []byte("0"), Values: map[string]store.Value{"n": {Data: []byte("0")}}})
	letter := queue(t, s, time.Unix(1, 0), "0")
	for what, change := range map[string]func(round, writer int) store.Change{
		"entries after one link": func(round, writer int) store.Change {
			c := of(t, s, "g")
			c.Entries = []chain.Entry{chain.Follow(c.After, chain.Salt{byte(writer)}, []byte("x"), nil)}
			return c
		},
		"a record without an entry": func(round, writer int) store.Change {
			c := of(t, s, "g")
			c.Record = fmt.Appendf(nil, "record %d %d", round, writer)
			return c
		},
		"a game that is made": func(round, writer int) store.Change {
			return store.Change{Game: fmt.Sprintf("new-%d", round), Record: fmt.Append(nil, writer)}
		},
		"a value": func(round, writer int) (c store.Change) {
			read(t, s, func(r store.Reader) {
				n := c.ValueIn(r, "n")
				n.Data = fmt.Appendf(nil, "value %d %d", round, writer)
				c.PutValue("n", n)
			})
			return c
		},
		"a value that is made": func(round, writer int) store.Change {
			return store.Change{Values: map[string]store.Value{fmt.Sprintf("new-%d", round): {Data: fmt.Append(nil, writer)}}}
		},
		"a letter that waits": func(round, writer int) (c store.Change) {
			read(t, s, func(r store.Reader) {
				o, _ := c.OutgoingIn(r, letter)
				o.Body = fmt.Appendf(nil, "letter %d %d", round, writer)
				c.PutOutgoing(o)
			})
			return c
		},
		"a letter that comes in": func(round, writer int) store.Change {
			return store.Change{Mark: &store.Mark{Digest: [32]byte{byte(round), 1}}, Values: map[string]store.Value{fmt.Sprintf("came-%d-%d", round, writer): {Data: []byte("x")}}}
		},
	} {
		for round := range rounds {
			var changes [writers]store.Change
			for w := range changes {
				changes[w] = change(round, w)
			}
			var won atomic.Int64
			var wg sync.WaitGroup
			for w := range changes {
				wg.Go(func() {
					err := s.Commit(context.Background(), changes[w])
					switch {
					case err == nil:
						won.Add(1)
					case !errors.Is(err, store.ErrOutOfStep) && !errors.Is(err, store.ErrTaken), errors.Is(err, store.ErrTaken) != (changes[w].Mark != nil):
						t.Errorf("%s: %v", what, err)
					}
				})
			}
			wg.Wait()
			if won.Load() != 1 {
				t.Errorf("%s: %d of %d succeeded", what, won.Load(), writers)
			}
		}
	}
	raceForNumbers(t, s)
}

// raceForNumbers lets many reserve numbers and claim letters: each has his own.
func raceForNumbers(t *testing.T, s store.Store) {
	const writers, each = 8, 25
	var mu sync.Mutex
	numbers, claimed := map[uint64]bool{}, map[uint64]bool{}
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for range each {
				first, err := s.Reserve(context.Background(), 2)
				if err == nil {
					err = s.Commit(context.Background(), store.Change{Outgoing: []store.Outgoing{{ID: first, Due: time.Unix(5, 0)}, {ID: first + 1, Due: time.Unix(5, 0)}}})
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				if numbers[first] || numbers[first+1] {
					t.Errorf("number %d twice", first)
				}
				numbers[first], numbers[first+1] = true, true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for range writers {
		wg.Go(func() {
			for {
				got, err := s.Claim(context.Background(), time.Unix(9, 0), time.Unix(99, 0), 7, store.AllLanes)
				if err != nil {
					t.Error(err)
				}
				if len(got) == 0 {
					return
				}
				mu.Lock()
				for _, o := range got {
					if claimed[o.ID] {
						t.Errorf("letter %d claimed twice", o.ID)
					}
					claimed[o.ID] = true
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for id := range numbers {
		if !claimed[id] {
			t.Errorf("letter %d claimed by nobody", id)
		}
	}
}

// testMoment writes two games and a value together, and reads them meanwhile.
func testMoment(t *testing.T, open Opener) {
	s := opened(t, open)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := range 200 {
			was := store.VersionOf(fmt.Append(nil, n-1))
			if n == 0 {
				was = store.Version{}
			}
			c := store.Change{Game: "g", Was: was, Record: fmt.Append(nil, n), Snapshot: fmt.Append(nil, n)}
			c.PutValue("n", store.Value{Data: c.Record, Was: was})
			if err := s.Commit(context.Background(), c); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	for {
		read(t, s, func(r store.Reader) {
			record := string(r.Game("g"))
			if value, snapshot := string(r.Value("n")), string(r.Snapshot("g")); value != record || snapshot != record {
				t.Errorf("%q, %q, %q", record, snapshot, value)
			}
		})
		select {
		case <-done:
			return
		default:
		}
	}
}

func testClosed(t *testing.T, open Opener) {
	s := opened(t, open)
	if err := s.Ready(); err != nil {
		t.Errorf("an open store: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for what, f := range map[string]func() error{
		"commit":  func() error { return s.Commit(t.Context(), store.Change{}) },
		"read":    func() error { return s.Read(t.Context(), func(store.Reader) error { return nil }) },
		"load":    func() error { _, err := s.Load(t.Context(), "g"); return err },
		"reserve": func() error { _, err := s.Reserve(t.Context(), 1); return err },
		"claim": func() error {
			_, err := s.Claim(t.Context(), time.Unix(1, 0), time.Unix(2, 0), 1, store.AllLanes)
			return err
		},
	} {
		if err := f(); !errors.Is(err, store.ErrClosed) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
