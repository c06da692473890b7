package adjudicator

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"berthier/adjudicator/shelf"
	"berthier/engine"
	"berthier/mail"
)

// unmounted puts an empty folder in the place of the shelf, as where a folder of another machine is not mounted, and
// gives a function that mounts it again.
func (h *testOffice) unmounted() func() {
	h.Helper()
	if err := errors.Join(os.Rename(h.opt.Shelf, h.opt.Shelf+".mounted"), os.Mkdir(h.opt.Shelf, 0o700)); err != nil {
		h.Fatal(err)
	}
	return func() {
		h.Helper()
		if err := errors.Join(os.Remove(h.opt.Shelf), os.Rename(h.opt.Shelf+".mounted", h.opt.Shelf)); err != nil {
			h.Fatal(err)
		}
	}
}

// A shelf that is not mounted is none without files: who asks for a report waits, nothing counts as removed, nobody as
// forgotten, and nothing is put there. Once it is mounted all goes on.
func TestAShelfThatIsNotMounted(t *testing.T) {
	withoutRace(t)
	h := finished(t)
	h.after(14)
	h.deliver(redAt)
	mount := h.unmounted()
	raw := h.raw(redAt, plainBody(command(h, "lot-1", "red", "command: resend", "report: 2")))
	handle := func() (mail.Folder, error) {
		return h.office.Handle(t.Context(), mail.Incoming{Raw: raw, Size: int64(len(raw)), Received: h.clock.Now()})
	}
	if folder, err := handle(); folder != mail.Leave || !errors.Is(err, shelf.ErrNotNow) {
		t.Errorf("the letter goes to %q: %v", folder, err)
	}
	h.silent(redAt)
	if f, err := h.office.Secretary().Forget(t.Context(), redAt, true); !errors.Is(err, shelf.ErrNotNow) || len(f.Missed) == 0 {
		t.Errorf("forgotten: %+v, %v", f, err)
	}
	if e, err := Examine(h.store, []engine.Ruleset{h.rules}, h.opt.Shelf); err != nil || len(e.AwayFaults) != 1 {
		t.Errorf("examined: %q, %v", e.AwayFaults, err)
	}
	for range 15 {
		h.after(14)
	}
	if a, _ := h.where(); a == nil || !a.Gone.IsZero() {
		t.Fatalf("%+v: its end was noted where no file can be removed", a)
	}
	mount()
	if folder, err := handle(); folder != mail.Processed || err != nil {
		t.Errorf("the letter goes to %q: %v", folder, err)
	}
	h.one(h.deliver(redAt))
	h.after(15)
	if a, files := h.where(); files != 1 || a == nil || a.Condemned.IsZero() {
		t.Errorf("%+v, %d files", a, files)
	}
	if f, err := h.office.Secretary().Forget(t.Context(), redAt, true); err != nil || len(f.Missed) > 0 || f.Games != 1 {
		t.Errorf("%+v, %v", f, err)
	}
	if a, files := h.where(); files != 0 || a != nil {
		t.Errorf("%+v, %d files that name him", a, files)
	}
}

// What is to be removed from a shelf that is not mounted is not gone: it is removed when it is mounted.
func TestNothingIsRemovedFromAShelfThatIsNotMounted(t *testing.T) {
	withoutRace(t)
	h := finished(t)
	h.after(14)
	a, _ := h.where()
	path := filepath.Join(h.opt.Shelf, a.File)
	through := h.office.store
	h.office.store = stuckStore{through, path} // it can't be removed in that moment
	release := h.office.hold("lot-1")
	err := shelving{h.office}.bringBack(t.Context(), "lot-1")
	release()
	if h.office.store = through; err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.RemoveAll(path), os.WriteFile(path, []byte("who they are"), 0o600)); err != nil {
		t.Fatal(err)
	}
	mount := h.unmounted()
	h.after(1)
	h.after(1)
	mount()
	if _, files := h.where(); files != 1 {
		t.Fatalf("%d files", files)
	}
	h.after(1)
	if _, files := h.where(); files != 0 {
		t.Errorf("%d files are on the shelf still", files)
	}
}

// The folder of an office whose program wrote no mark is marked at the next look, if something is in it that was put away. One
// that is another office's is never used.
func TestAFolderWithoutAMarkIsMarked(t *testing.T) {
	withoutRace(t)
	h := finished(t)
	h.after(14)
	mark := filepath.Join(h.opt.Shelf, "office")
	whose, err := os.ReadFile(mark)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(mark); err != nil {
		t.Fatal(err)
	}
	if !h.sentAgain(2) {
		t.Error("a report is not sent again")
	}
	h.after(15)
	if now, err := os.ReadFile(mark); err != nil || string(now) != string(whose) {
		t.Fatalf("the folder is marked %q: %v", now, err)
	}
	if err := os.WriteFile(mark, []byte("0123\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.after(90)
	h.after(7)
	if a, files := h.where(); files != 1 || !a.Gone.IsZero() {
		t.Errorf("%+v, %d files in the folder of another office", a, files)
	}
	if now, err := os.ReadFile(mark); err != nil || string(now) != "0123\n" {
		t.Errorf("the mark of another office is %q now: %v", now, err)
	}
}
