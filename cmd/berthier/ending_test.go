package main

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"berthier/adjudicator/leader"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
)

// TestEndsForSure: who was asked to stop and hangs is ended, and who ends by himself is not.
func TestEndsForSure(t *testing.T) {
	for _, hangs := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			ctx, ask := context.WithCancel(t.Context())
			var ended atomic.Bool
			stop := endsForSure(ctx, slog.New(slog.DiscardHandler), func(int) { ended.Store(true) })
			time.Sleep(time.Hour)
			ask()
			time.Sleep(mostEnding / 2)
			if ended.Load() {
				t.Error("it is ended at once")
			}
			if !hangs {
				stop()
			}
			time.Sleep(mostEnding)
			if synctest.Wait(); ended.Load() != hangs {
				t.Errorf("hangs: %v, ended: %v", hangs, ended.Load())
			}
			if hangs {
				stop()
			}
		})
	}
}

// TestWhyEnded: each reason why a member ends has a remedy of its own.
func TestWhyEnded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	if err := bolt.Create(path, bolt.Options{NoSync: true}); err != nil {
		t.Fatal(err)
	}
	s, err := bolt.Open(path, bolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for err, want := range map[error]string{store.ErrDeposed: "key member", leader.ErrLost: "did not answer", leader.ErrHangs: "nothing is half written"} {
		var h hinted
		if !errors.As(whyEnded(errors.Join(err, errors.New("x")), s), &h) || !strings.Contains(h.hint, want) {
			t.Errorf("%v: hint %q", err, h.hint)
		}
	}
	if err := whyEnded(nil, s); err != nil {
		t.Error(err)
	}
	if err := (&leaving{from: s}).done(t.Context(), "elsewhere"); err != nil {
		t.Fatal(err)
	}
	if err := whyEnded(store.ErrDeposed, s); err == nil || !strings.Contains(err.Error(), "the office moved to elsewhere") {
		t.Errorf("who was deposed by a move: %v", err)
	}
}
