package postgres

import (
	"context"
	"errors"
	"testing"
	"time"

	"berthier/adjudicator/store"
)

// TestAMemberFreezes freezes a member after it has locked what it will write, and before the word to commit: another one writes
// the same a moment later, and the frozen one, thawed, has written nothing. What nobody has written meanwhile it writes after all.
func TestAMemberFreezes(t *testing.T) {
	for _, other := range []bool{true, false} {
		url, _ := empty(t)
		if err := Create(t.Context(), Address{URL: url}, secret); err != nil {
			t.Fatal(err)
		}
		const idle = 300 * time.Millisecond
		line := newLine(t, url, false)
		frozen := reopen(t, line.url, Options{Secret: secret, Member: "one", idle: idle})
		two := reopen(t, url, Options{Secret: secret, Member: "two", idle: idle})
		var first store.Change
		first.PutValue("leader", store.Value{Data: []byte("one")})
		if err := frozen.Commit(t.Context(), first); err != nil {
			t.Fatal(err)
		}
		change := func(to string) (c store.Change) {
			c.PutValue("leader", store.Value{Data: []byte(to), Was: store.VersionOf([]byte("one"))})
			return c
		}
		thaw := line.freeze()
		defer thaw()
		ended := make(chan error, 1)
		go func() { ended <- frozen.Commit(context.Background(), change("one again")) }()
		<-line.held
		want := "one again"
		if other {
			want = "two"
			written := make(chan error, 1)
			go func() { written <- two.Commit(context.Background(), change("two")) }()
			select {
			case err := <-written:
				if err != nil {
					t.Errorf("another member writes: %v", err)
				}
			case <-time.After(20 * idle):
				t.Error("what a frozen member has locked nobody else can write")
			}
		} else {
			time.Sleep(4 * idle) // until the server has given up
		}
		thaw()
		if err := <-ended; errors.Is(err, store.ErrOutOfStep) != other || err != nil && !other {
			t.Errorf("the frozen one, with another that has written (%v), ends with %v", other, err)
		}
		if err := two.Read(t.Context(), func(r store.Reader) error {
			if got := string(r.Value("leader")); got != want {
				t.Errorf("%q is written, want %q", got, want)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	}
}

// TestWhoIsDeposedHasNothingUnderWay deposes a member, or begins it anew, between its look at what there is and its word to commit. When that
// is done, nothing of what it was at is written any more: who does it waits until that is written, or has been refused.
func TestWhoIsDeposedHasNothingUnderWay(t *testing.T) {
	for name, depose := range map[string]func(url string, by *Store) error{
		"deposed": func(_ string, by *Store) error { return by.Depose(context.Background(), "one", 0) },
		"begun anew": func(url string, _ *Store) error {
			s, err := Open(context.Background(), Address{URL: url}, Options{Secret: secret, Member: "one"})
			if err == nil {
				err = s.Close()
			}
			return err
		},
	} {
		url, _ := empty(t)
		if err := Create(t.Context(), Address{URL: url}, secret); err != nil {
			t.Fatal(err)
		}
		line := newLine(t, url, false)
		one := reopen(t, line.url, Options{Secret: secret, Member: "one"})
		two := reopen(t, url, Options{Secret: secret, Member: "two"})
		thaw := line.freeze()
		defer thaw()
		written, done := make(chan error, 1), make(chan error, 1)
		go func() { written <- one.Commit(context.Background(), store.Change{Game: "a", Record: []byte("record")}) }()
		<-line.held
		go func() { done <- depose(url, two) }()
		select {
		case err := <-done:
			done <- err
			l, loaded := two.Load(t.Context(), "a")
			thaw()
			if err := <-written; err == nil && l.Record == nil {
				t.Errorf("%s (%v, %v), and writes after that", name, err, loaded)
			}
		case <-time.After(500 * time.Millisecond):
			thaw()
			if err := <-written; err != nil {
				t.Errorf("%s: what it was at: %v", name, err)
			}
		}
		if err := <-done; err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := one.Commit(t.Context(), store.Change{}); !errors.Is(err, store.ErrDeposed) {
			t.Errorf("%s, and writes: %v", name, err)
		}
	}
}

// TestCloseWhileTheServerDoesNotAnswer closes a store whose server says nothing any more to a word to commit: that ends soon, and who has
// said the word is told that nobody knows.
func TestCloseWhileTheServerDoesNotAnswer(t *testing.T) {
	url, _ := empty(t)
	if err := Create(t.Context(), Address{URL: url}, secret); err != nil {
		t.Fatal(err)
	}
	line := newLine(t, url, false)
	one := reopen(t, line.url, Options{Secret: secret, Member: "one", idle: time.Minute})
	defer line.freeze()()
	written := make(chan error, 1)
	go func() { written <- one.Commit(context.Background(), store.Change{Game: "a", Record: []byte("record")}) }()
	<-line.held
	began := time.Now()
	if err := one.Close(); err == nil {
		t.Error("nothing is said of what was broken off")
	}
	if took := time.Since(began); took > closeIn+2*breakIn {
		t.Errorf("it takes %s", took)
	}
	select {
	case err := <-written:
		if !errors.Is(err, ErrUnknown) {
			t.Errorf("who was at a write is told: %v", err)
		}
	case <-time.After(breakIn):
		t.Error("who was at a write waits on")
	}
	if _, err := one.Load(t.Context(), "a"); !errors.Is(err, store.ErrClosed) {
		t.Errorf("a store that was closed: %v", err)
	}
}
