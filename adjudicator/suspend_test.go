package adjudicator

import (
	"testing"
	"time"
	"unsafe"
)

// asleep is a moment of just now as a machine remembers it that has slept since: on Linux the
// monotonic clock, by which Go tells durations, stands still meanwhile. The wall seconds of a time that
// has both are bits 30 to 62 of its first word; the test itself checks that this holds.
func asleep(t *testing.T, d time.Duration) time.Time {
	t.Helper()
	now := time.Now()
	then := now
	*(*uint64)(unsafe.Pointer(&then)) -= uint64(d/time.Second) << 30
	if now.Sub(then) != 0 || now.Round(0).Sub(then.Round(0)) != d {
		t.Skipf("this Go keeps its times otherwise: %v and %v", now.Sub(then), now.Round(0).Sub(then.Round(0)))
	}
	return then
}

// A machine that was suspended while it looked through its mailbox has read it up to when the
// look began, and not up to when it woke: what came meanwhile it may have missed.
func TestSuspendedLook(t *testing.T) {
	h := watched(t)
	h.office.watch.attend("inbox")
	h.clock.move(25 * time.Minute)
	h.office.watch.boxRead(t.Context(), "inbox", asleep(t, 20*time.Minute))
	now := h.office.now()
	if ago := now.Sub(h.office.watch.until(now)); ago < 20*time.Minute || ago > 21*time.Minute {
		t.Errorf("read until %v ago, want 20 minutes", ago)
	}
}
