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
