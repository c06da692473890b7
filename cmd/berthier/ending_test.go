package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"berthier/adjudicator/leader"
	"berthier/adjudicator/store"
)

// TestEndsForSure: who was asked to stop and hangs is ended, and who ends by himself is not.
func TestEndsForSure(t *testing.T) {
	for _, hangs := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			ctx, ask := context.WithCancel(t.Context())
			ended := false
			stop := endsForSure(ctx, slog.New(slog.DiscardHandler), func(int) { ended = true })
			time.Sleep(time.Hour)
			ask()
			time.Sleep(mostEnding / 2)
			if ended {
				t.Error("it is ended at once")
			}
			if !hangs {
				stop()
			}
			time.Sleep(mostEnding)
			if synctest.Wait(); ended != hangs {
				t.Errorf("hangs: %v, ended: %v", hangs, ended)
			}
			if hangs {
				stop()
			}
		})
	}
}

// TestWhyEnded: each reason why a member ends has a remedy of its own.
func TestWhyEnded(t *testing.T) {
	for err, want := range map[error]string{store.ErrDeposed: "key member", leader.ErrLost: "did not answer", leader.ErrHangs: "nothing is half written"} {
		var h hinted
		if !errors.As(whyEnded(errors.Join(err, errors.New("x"))), &h) || !strings.Contains(h.hint, want) {
			t.Errorf("%v: hint %q", err, h.hint)
		}
	}
	if err := whyEnded(nil); err != nil {
		t.Error(err)
	}
}
