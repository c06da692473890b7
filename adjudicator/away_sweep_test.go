package adjudicator

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// lay lays files on the shelf to which nothing leads, and gives a function that tells whether one is there.
func (h *testOffice) lay(names ...string) func(name string) bool {
	h.Helper()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(h.opt.Shelf, name), []byte("who they are"), 0o600); err != nil {
			h.Fatal(err)
		}
	}
	return func(name string) bool {
		_, err := os.Stat(filepath.Join(h.opt.Shelf, name))
		return err == nil
	}
}

// What a clock that had jumped put off for years is looked at when it is right again, whether the game was put away or not, and whether
// or not the office has seen the clock go back.
func TestWhatAJumpOfTheClockPutOffIsLookedAt(t *testing.T) {
	withoutRace(t)
	for _, dies := range []bool{false, true} {
		h := finished(t)
		h.tick()
		h.clock.move(3650 * day)
		if err := (shelving{h.office}).lookAgain(t.Context(), "lot-1", h.office.now().Add(awayAgain)); err != nil {
			t.Fatal(err)
		}
		h.tick()
		h.clock.move(-3650 * day)
		h.clock.move(14 * day)
		if dies {
			h.restart()
		}
		h.tick()
		if a, files := h.where(); a == nil || files != 1 {
			t.Errorf("not put away: %+v, %d files", a, files)
		}
	}
}

// A file whose time has passed, and that a clock had condemned that had jumped, goes a week after the clock is right again.
func TestAFileThatAWrongClockHasCondemned(t *testing.T) {
	withoutRace(t)
	h := finished(t)
	h.after(14)
	h.after(3650)
	if a, _ := h.where(); a == nil || a.Condemned.IsZero() {
		t.Fatalf("not condemned: %+v", a)
	}
	h.clock.move(-3550 * day) // its time has passed by the right clock, too
	h.tick()
	h.after(1)
	h.after(8)
	if a, files := h.where(); files != 0 {
		t.Errorf("%d files are still on the shelf: %+v", files, a)
	}
}

// A game that is brought back, and in which nothing happens, is not kept for longer when it is put away again.
func TestBroughtBackItIsKeptNoLonger(t *testing.T) {
	withoutRace(t)
	h := finished(t)
	over := h.clock.Now()
	h.after(14)
	a, _ := h.where()
	release := h.office.hold("lot-1")
	err := shelving{h.office}.bringBack(t.Context(), "lot-1")
	if release(); err != nil {
		t.Fatal(err)
	}
	h.after(14)
	again, _ := h.where()
	if a == nil || again == nil || !again.Until.Equal(a.Until) {
		t.Fatalf("%+v, then %+v", a, again)
	}
	if kept := a.Until.Sub(over); kept > 90*day || kept < 90*day-time.Hour {
		t.Errorf("kept for %s after the game", kept)
	}
}

// A file to which nothing leads is removed when it has lain on the shelf for a week, and not before; what is no file of a game stays.
func TestStraysAreRemoved(t *testing.T) {
	withoutRace(t)
	h := finished(t)
	h.after(14)
	strays := []string{"lot-1-0123456789abcdef.zip", "lot-2-0123456789abcdef.zip.part", "lot-3-0123456789abcdef.zip.815.part"}
	there := h.lay(append(strays, "notes.txt")...)
	h.after(1)
	h.restart()
	h.after(6)
	for _, name := range strays {
		if !there(name) {
			t.Errorf("%s is removed too soon", name)
		}
	}
	h.after(1)
	h.after(1)
	for _, name := range strays {
		if there(name) {
			t.Errorf("%s is there still", name)
		}
	}
	if a, _ := h.where(); !there("notes.txt") || !there(a.File) {
		t.Error("what leads somewhere, or is none of a game, is removed, too")
	}
}

// Who is forgotten is in no file of his games to which nothing leads.
func TestForgottenInStrays(t *testing.T) {
	withoutRace(t)
	h := finished(t)
	h.after(14)
	there := h.lay("lot-1-0123456789abcdef.zip", "lot-2-0123456789abcdef.zip")
	if f, err := h.office.Secretary().Forget(t.Context(), redAt, true); err != nil || len(f.Missed) > 0 {
		t.Fatalf("%+v, %v", f, err)
	}
	if there("lot-1-0123456789abcdef.zip") || !there("lot-2-0123456789abcdef.zip") {
		t.Error("a file of his game is left, or one of another is not")
	}
}
