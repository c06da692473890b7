package adjudicator

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"berthier/adjudicator/store"
	"berthier/mail"
)

// A quietBox is a mailbox without letters, which is read to its end when asked to.
type quietBox struct {
	read func(context.Context, time.Time)
	now  chan struct{}
}

func (b *quietBox) OnRead(f func(context.Context, time.Time)) { b.read = f }

func (b *quietBox) Run(ctx context.Context, _ func(context.Context, mail.Incoming) (mail.Folder, error)) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-b.now:
			b.read(ctx, time.Now())
		}
	}
}

// A fault that the loops of the office meet is told to a monitor for as long as it lasts: a
// game whose deadline can't be kept, and a mailbox that was read but could not be noted as
// read.
func TestIllsLastAsLongAsTheirCause(t *testing.T) {
	h := newTestOffice(t)
	h.spoilt = true
	h.newGame(twoSides)
	h.flush()
	h.behind(store.Change{Game: "lot-1", Snapshot: []byte("spoilt")})
	h.restart()
	h.clock.now = h.clock.now.Add(30 * 24 * time.Hour)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	box := &quietBox{now: make(chan struct{})}
	ended := make(chan error, 1)
	go func() { ended <- h.office.Run(ctx, h.post, Box{Mailbox: box}) }()
	wants := func(what string, is func(Ills) bool) {
		t.Helper()
		for began := time.Now(); time.Since(began) < 20*time.Second; time.Sleep(5 * time.Millisecond) {
			i, err := h.office.Ills()
			if err != nil {
				t.Fatal(err)
			}
			if is(i) {
				return
			}
		}
		t.Errorf("never: %s", what)
	}
	box.now <- struct{}{} // wakes the clock, too
	wants("deadlines not kept", func(i Ills) bool { return i.DeadlinesNotKept != nil })
	wants("all else is well", func(i Ills) bool { return i.ReadingNotNoted == nil && i.WriteFailed == nil && i.FileSwapped == nil })

	away := h.path + ".away"
	if err := os.Rename(h.path, away); err != nil {
		t.Fatal(err)
	}
	box.now <- struct{}{}
	wants("read, but not noted", func(i Ills) bool {
		return errors.Is(i.ReadingNotNoted, store.ErrSwapped) && errors.Is(i.FileSwapped, store.ErrSwapped)
	})
	if err := os.Rename(away, h.path); err != nil {
		t.Fatal(err)
	}
	box.now <- struct{}{}
	wants("noted again", func(i Ills) bool { return i.ReadingNotNoted == nil && i.FileSwapped == nil })
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
