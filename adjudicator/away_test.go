package adjudicator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/shelf"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
)

// shelved is an office with a shelf.
func shelved(h *testOffice) { h.opt.Shelf = h.path + ".away" }

const day = 24 * time.Hour

// finished plays a game to its end whose reports are kept for 90 days, and sends its last letters.
func finished(t *testing.T, change ...func(*testOffice)) *testOffice {
	t.Helper()
	h := newTestOffice(t, append([]func(*testOffice){shelved}, change...)...)
	h.newGame(bundledGame + "keep: 90d\n")
	h.play("lot-1", h.anyUnit("lot-1"))
	h.flush()
	h.tick()
	return h
}

// after lets days pass and looks at the clock.
func (h *testOffice) after(days int) {
	h.Helper()
	h.clock.move(time.Duration(days) * day)
	h.tick()
}

// where tells where what was kept of the game is, and how many files are on the shelf.
func (h *testOffice) where() (a *away, files int) {
	h.Helper()
	a, err := shelving{h.office}.whereIs("lot-1")
	if err != nil {
		h.Fatal(err)
	}
	all, _ := os.ReadDir(h.opt.Shelf)
	return a, len(slices.DeleteFunc(all, func(f os.DirEntry) bool { return f.Name() == "office" })) // that says whose the folder is
}

// inStore counts the reports and pages of the game that are in the store itself.
func (h *testOffice) inStore() (letters, pages int) {
	h.Helper()
	if err := h.store.Read(h.Context(), func(tx store.Reader) error {
		for _, s := range h.record("lot-1").Seats {
			if err := tx.Pages("lot-1", string(s.BookOf()), func(uint64, []byte) error { pages++; return nil }); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		h.Fatal(err)
	}
	return h.lettersTo(redAt) + h.lettersTo(strings.ToLower(blueAt)), pages
}

// sentAgain asks for a report once more, and tells whether it came to the byte.
func (h *testOffice) sentAgain(number int) bool {
	h.Helper()
	var had [][]byte
	for _, p := range h.post.sent {
		had = append(had, p.raw)
	}
	h.write(redAt, command(h, "lot-1", "red", "command: resend", fmt.Sprintf("report: %d", number)), mail.Processed)
	h.flush()
	again := h.post.sent[len(had):]
	return len(again) == 1 && sentBefore(had, again[0].raw)
}

// A finished game is put away after its days of grace, not a day sooner; everything reads as before; what is
// sent again is the same to the byte; and after the time that its set-up says the file is gone and the
// player is told so, while the log is verified as before.
func TestPutAway(t *testing.T) {
	withoutRace(t)
	h := finished(t)
	before := h.pastOf("lot-1")
	letters, pages := h.inStore()
	if h.after(13); letters == 0 || pages == 0 {
		t.Fatalf("%d letters, %d pages", letters, pages)
	}
	if a, files := h.where(); a != nil || files != 0 {
		t.Fatal("put away before its time")
	}
	h.after(1)
	a, files := h.where()
	if a == nil || files != 1 {
		t.Fatalf("%+v, %d files", a, files)
	}
	if letters, pages = h.inStore(); letters+pages != 0 {
		t.Errorf("%d letters and %d pages are in the store still", letters, pages)
	}
	if now := h.pastOf("lot-1"); now != before {
		t.Errorf("the past reads otherwise: %.400s", diffLine([]byte(before), []byte(now)))
	}
	export, err := shelf.New(h.opt.Shelf).Export(a.Ref)
	if err != nil || !strings.Contains(string(export), "lot-1") {
		t.Errorf("no export on the shelf: %v", err)
	}
	h.restart()
	h.verify(h.export("lot-1", engine.GM))
	for _, number := range []int{2, 18, 2} {
		if !h.sentAgain(number) {
			t.Errorf("report %d is not sent again as it was", number)
		}
	}
	h.after(15) // what was sent again leaves the store again
	if letters, _ = h.inStore(); letters != 0 {
		t.Errorf("%d letters are in the store", letters)
	}
	h.after(60)
	if a, files = h.where(); files != 1 || a.Condemned.IsZero() && h.office.now().After(a.Until) {
		t.Errorf("%+v, %d files", a, files)
	}
	if !h.sentAgain(3) {
		t.Error("a file that is due to be removed can't be read")
	}
	for range 4 {
		h.after(14)
	}
	if a, files = h.where(); files != 0 || a == nil || a.Gone.IsZero() {
		t.Fatalf("%+v, %d files", a, files)
	}
	h.write(redAt, command(h, "lot-1", "red", "command: resend", "report: 2"), mail.Rejected)
	told := h.deliver(redAt)
	h.says(told[len(told)-1], "reports were removed on")
	h.verify(h.export("lot-1", engine.GM))
	h.rewinds()
}

// rewinds lets the game begin again at its second stop, and plays it to its end.
func (h *testOffice) rewinds() {
	h.Helper()
	h.rule("command: rewind", "stop: 2", "orders: new", "reason: a power cut")
	if g := h.record("lot-1"); g.Phase != game.Running {
		h.Fatalf("the game is %s", g.Phase)
	}
	h.play("lot-1", h.anyUnit("lot-1"))
	h.flush()
	h.verify(h.export("lot-1", engine.GM))
}

// The letter in whose place a bundle lies is sent once more as any other: what lies in that bundle is read as before while the letter is in
// the store again, and when all is brought back.
func TestTheLetterThatHoldsABundleIsSentAgain(t *testing.T) {
	withoutRace(t)
	h := finished(t)
	before := h.pastOf("lot-1")
	h.after(14)
	if !h.sentAgain(1) {
		t.Error("report 1 is not sent again as it was")
	}
	if !h.sentAgain(2) {
		t.Error("report 2 is not sent again as it was while report 1 is in the store")
	}
	release := h.office.hold("lot-1")
	err := shelving{h.office}.bringBack(t.Context(), "lot-1")
	if release(); err != nil {
		t.Fatal(err)
	}
	for _, number := range []int{1, 3, 18} {
		if !h.sentAgain(number) {
			t.Errorf("report %d is not sent again as it was when all is back", number)
		}
	}
	if now := h.pastOf("lot-1"); now != before {
		t.Errorf("the past reads otherwise: %.400s", diffLine([]byte(before), []byte(now)))
	}
	if e, err := Examine(h.store, []engine.Ruleset{h.rules}, h.opt.Shelf); err != nil || len(e.Faults) > 0 {
		t.Errorf("examined: %q, %v", e.Faults, err)
	}
}

// A ruling brings everything back before the game goes on; it is put away again when it is over again.
func TestBroughtBackByARewind(t *testing.T) {
	withoutRace(t)
	h := finished(t)
	letters, pages := h.inStore()
	h.after(14)
	h.rule("command: rewind", "stop: 2", "orders: new", "reason: a power cut")
	if a, files := h.where(); a != nil || files != 0 {
		t.Errorf("still put away: %+v, %d files", a, files)
	}
	if l, p := h.inStore(); l < letters || p < pages {
		t.Errorf("%d letters, %d pages; there were %d, %d", l, p, letters, pages)
	}
	h.after(15)
	if a, _ := h.where(); a != nil {
		t.Error("a game that runs was put away")
	}
	h.play("lot-1", h.anyUnit("lot-1"))
	h.flush()
	h.after(14)
	if a, files := h.where(); a == nil || files != 1 {
		t.Errorf("not put away again: %+v, %d files", a, files)
	}
	if !h.sentAgain(2) {
		t.Error("a report of before is not sent again as it was")
	}
}

// Nothing is put away while a dispute is open, a letter waits, or the set-up does not say so.
func TestNotPutAway(t *testing.T) {
	withoutRace(t)
	h := finished(t)
	h.write(redAt, command(h, "lot-1", "red", "command: dispute", "event: 1", "reason: I do not believe it"), mail.Processed)
	h.flush()
	h.after(40)
	if a, _ := h.where(); a != nil {
		t.Error("put away while a dispute is open")
	}
	h.rule("command: rule", "decision: stands", fmt.Sprintf("dispute: %d", h.lastEntry(log.KindDispute)), "reason: it is right")
	h.after(13)
	if a, _ := h.where(); a != nil {
		t.Error("put away too soon after its dispute")
	}
	h.after(2)
	if a, _ := h.where(); a == nil {
		t.Error("not put away after its dispute")
	}

	for _, keep := range []string{"", "keep: always\n"} {
		h := newTestOffice(t, shelved)
		h.newGame(twoSides + keep)
		h.play("lot-1", h.anyUnit("lot-1"))
		h.post.refuse = func(string) error { return &serverFault{"not now", true} }
		_, _ = h.office.Send(t.Context(), h.post)
		h.after(3)
		h.opt.GiveUp = 0
		h.post.refuse = nil
		h.flush()
		h.after(400)
		h.after(30)
		if a, _ := h.where(); (a == nil) != (keep == "") || a != nil && !a.Gone.IsZero() {
			t.Errorf("%q: %+v", keep, a)
		}
	}
}

// A clock that jumps years ahead and is put right within a week loses nothing.
func TestTheClockJumpsOverTheShelf(t *testing.T) {
	withoutRace(t)
	h := finished(t)
	h.after(14)
	h.after(3650)
	h.after(0)
	if a, files := h.where(); files != 1 || a.Condemned.IsZero() {
		t.Fatalf("%+v, %d files", a, files)
	}
	h.clock.move(-3650 * day)
	h.restart()
	h.tick()
	a, files := h.where()
	if files != 1 || !a.Condemned.IsZero() {
		t.Errorf("%+v, %d files", a, files)
	}
	if !h.sentAgain(2) {
		t.Error("not sent again")
	}
	h.after(15)
	h.after(60) // the moment at which its time has passed by the right clock is not slept over
	h.after(1)
	if a, files = h.where(); files != 1 || a.Condemned.IsZero() {
		t.Errorf("%+v, %d files", a, files)
	}
	h.after(7)
	if a, files = h.where(); files != 0 || a.Gone.IsZero() {
		t.Errorf("%+v, %d files", a, files)
	}
}

// A file that is missing, or was changed, is named to who asks for it, and nothing is lost by asking: once the
// file is back, all is as before.
func TestShelfIsDamaged(t *testing.T) {
	withoutRace(t)
	h := finished(t)
	before := h.pastOf("lot-1")
	h.after(14)
	a, _ := h.where()
	path := filepath.Join(h.opt.Shelf, a.File)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for what, spoil := range map[string]func() error{
		"missing": func() error { return os.Remove(path) },
		"changed": func() error {
			return os.WriteFile(path, append([]byte{whole[0] ^ 1}, whole[1:]...), 0o600)
		},
		"cut short": func() error { return os.WriteFile(path, whole[:len(whole)/2], 0o600) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		_, err := kept{h.office, "lot-1"}.PagesOf("red")
		var refused *game.RefusedError
		if !errors.As(err, &refused) || refused.Why.Code != "office.away.missing" {
			t.Errorf("%s: %v", what, err)
		}
		if err := (shelving{h.office}).bringBack(t.Context(), "lot-1"); !errors.As(err, &refused) {
			t.Errorf("%s: brought back: %v", what, err)
		}
		if e, err := Examine(h.store, []engine.Ruleset{h.rules}, h.opt.Shelf); err != nil || len(e.Faults) != 0 || len(e.AwayFaults) != 1 || !strings.Contains(e.AwayFaults[0], a.File) {
			t.Errorf("%s: examined: %q, %q, %v", what, e.Faults, e.AwayFaults, err)
		}
		h.verify(h.export("lot-1", engine.GM)) // the log is in the store
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if now := h.pastOf("lot-1"); now != before {
		t.Error("the past reads otherwise")
	}
}

// A member of the office whose folder is another one than that of the others puts nothing away there, where nobody else
// would find it. A folder in which something is that was put away is the right one, and what was removed for good does not count.
func TestNotPutAwayInAnotherFolder(t *testing.T) {
	withoutRace(t)
	h := finished(t)
	note := func(name string, was store.Version, a away) store.Version {
		data, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		h.behind(store.Change{Values: map[string]store.Value{awayPrefix + name: {Data: data, Was: was}}})
		return store.VersionOf(data)
	}
	elsewhere := away{Ref: shelf.Ref{File: "lot-9-0123456789abcdef.zip", Bytes: 6}, At: h.clock.Now()}
	gone := elsewhere
	gone.File, gone.Gone = "lot-8-0123456789abcdef.zip", h.clock.Now()
	note("lot-8", store.Version{}, gone)
	was := note("lot-9", store.Version{}, elsewhere)
	h.after(14)
	if a, files := h.where(); a != nil || files != 0 {
		t.Fatalf("put away where the others do not look: %+v, %d files", a, files)
	}
	if !h.sentAgain(2) {
		t.Error("a report is not sent again")
	}
	if err := os.MkdirAll(h.opt.Shelf, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(h.opt.Shelf, elsewhere.File), []byte("part o"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.flush()
	h.after(15)
	if a, _ := h.where(); a == nil {
		t.Error("not put away in the right folder")
	}
	if err := (shelving{h.office}).bringBack(t.Context(), "lot-1"); err != nil {
		t.Fatal(err)
	}
	elsewhere.Gone = h.clock.Now()
	note("lot-9", was, elsewhere)
	if err := os.Remove(filepath.Join(h.opt.Shelf, elsewhere.File)); err != nil {
		t.Fatal(err)
	}
	h.after(15)
	if a, _ := h.where(); a == nil {
		t.Error("not put away though nothing lies elsewhere")
	}
}

// Whoever is forgotten is in no file on the shelf either, and what his opponent had is kept.
func TestForgottenOnTheShelf(t *testing.T) {
	withoutRace(t)
	h := finished(t)
	h.after(14)
	was, _ := h.where()
	if f, err := h.office.Secretary().Forget(t.Context(), redAt, false); err != nil || f.Letters < 20 {
		t.Errorf("%+v, %v", f, err)
	}
	if a, _ := h.where(); a == nil || a.Ref != was.Ref {
		t.Error("counting has changed something")
	}
	if _, err := h.office.Secretary().Forget(t.Context(), redAt, true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(h.opt.Shelf, was.File)); !errors.Is(err, os.ErrNotExist) {
		t.Error("the file that names him is there still")
	}
	h.after(14)
	a, files := h.where()
	if a == nil || files != 1 {
		t.Fatalf("%+v, %d files", a, files)
	}
	item, err := shelf.New(h.opt.Shelf).Get(a.Ref)
	if err != nil {
		t.Fatal(err)
	}
	export, err := shelf.New(h.opt.Shelf).Export(a.Ref)
	all := string(export)
	if err := (shelving{h.office}).readAll("lot-1", func(tx store.Reader) error {
		for _, l := range item.Letters {
			r, _, err := h.office.box.Load(tx, l.ID)
			if err != nil {
				return err
			}
			data, err := json.Marshal(r)
			if all += string(data); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err != nil || strings.Contains(strings.ToLower(all), redAt) || strings.Contains(all, "Rosa") || !strings.Contains(strings.ToLower(all), strings.ToLower(blueAt)) {
		t.Errorf("red is named still, or blue no more: %v", err)
	}
}

// Wherever the office dies while it puts a game away, brings it back or removes it, one whole thing is left, and
// the next look at the clock goes on.
func TestDeathAtTheShelf(t *testing.T) {
	withoutRace(t)
	h := finished(t)
	before := h.pastOf("lot-1")
	whole := func(what string) {
		t.Helper()
		if now := h.pastOf("lot-1"); now != before {
			t.Fatalf("%s: the past reads otherwise: %.300s", what, diffLine([]byte(before), []byte(now)))
		}
	}
	dies := func(what string, do func() error) {
		t.Helper()
		for commits := int32(0); ; commits++ {
			h.life = &atomic.Int32{}
			h.life.Store(commits)
			h.restart()
			err := do()
			alive := h.life.Load() >= 0
			h.life = nil
			h.restart()
			whole(fmt.Sprint(what, " after ", commits, " commits"))
			if alive {
				if err != nil {
					t.Fatal(what, err)
				}
				return
			}
		}
	}
	tick := func() error { return h.office.Tick(t.Context()) }
	h.clock.move(14 * day)
	dies("put away", tick)
	if a, _ := h.where(); a == nil {
		t.Fatal("not put away")
	}
	dies("brought back", func() error {
		defer h.office.hold("lot-1")()
		return shelving{h.office}.bringBack(t.Context(), "lot-1")
	})
	if a, _ := h.where(); a != nil {
		t.Fatal("not brought back")
	}
	h.clock.move(14 * day)
	dies("put away again", tick)
	a, _ := h.where()
	// What a death between the change and the file leaves is named, and nobody reads it.
	stray := filepath.Join(h.opt.Shelf, "lot-1-0123456789abcdef.zip.part")
	if err := os.WriteFile(stray, []byte("cut sh"), 0o600); err != nil {
		t.Fatal(err)
	}
	if names, err := shelf.New(h.opt.Shelf).Strays([]shelf.Ref{a.Ref}); err != nil || !slices.Contains(names, filepath.Base(stray)) || slices.Contains(names, a.File) {
		t.Errorf("strays: %q, %v", names, err)
	}
	h.restart()
	whole("with a file of which a part was written")
}

// A stuckStore puts a folder in the place of a file before it commits: what stood there has been read, and can't be removed.
type stuckStore struct {
	store.Store
	path string
}

func (s stuckStore) Commit(ctx context.Context, c store.Change) error {
	_ = os.Remove(s.path)
	if err := os.MkdirAll(filepath.Join(s.path, "x"), 0o700); err != nil {
		return err
	}
	return s.Store.Commit(ctx, c)
}

// A file that can't be removed in the moment in which its game is brought back, or its time has come, is removed later, and
// nobody is said to be forgotten before.
func TestAFileThatCannotBeRemovedIsRemovedLater(t *testing.T) {
	withoutRace(t)
	for what, ends := range map[string]func(*testOffice){
		"brought back": func(h *testOffice) {
			defer h.office.hold("lot-1")()
			if err := (shelving{h.office}).bringBack(t.Context(), "lot-1"); err != nil {
				t.Fatal(err)
			}
		},
		"its time has come": func(h *testOffice) { h.after(90); h.after(7) },
	} {
		t.Run(what, func(t *testing.T) {
			h := finished(t)
			h.after(14)
			a, _ := h.where()
			path := filepath.Join(h.opt.Shelf, a.File)
			through := h.office.store
			h.office.store = stuckStore{through, path}
			ends(h)
			h.office.store = through
			if a, files := h.where(); a != nil && a.Gone.IsZero() || files != 1 {
				t.Fatalf("%+v, %d files", a, files)
			}
			forget := func() error {
				f := &forgetting{office: h.office, sure: true, waits: map[string]bool{}}
				return errors.Join(f.shelf(t.Context(), []string{"lot-1"}), f.later)
			}
			if err := forget(); !errors.Is(err, shelf.ErrNotNow) {
				t.Errorf("forgotten: %v", err)
			}
			h.restart()
			h.tick()
			if _, files := h.where(); files != 1 {
				t.Errorf("%d files", files)
			}
			if err := os.Remove(filepath.Join(path, "x")); err != nil {
				t.Fatal(err)
			}
			h.after(1)
			if _, files := h.where(); files != 0 {
				t.Errorf("%d files are still on the shelf", files)
			}
			if err := forget(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A file that can't be read in this moment is none that is lost: who asks waits, and nobody is held up by his letter.
func TestAShelfThatIsAwayIsNoRefusal(t *testing.T) {
	withoutRace(t)
	h := finished(t)
	h.after(14)
	h.deliver(redAt)
	a, _ := h.where()
	path := filepath.Join(h.opt.Shelf, a.File)
	if err := errors.Join(os.Rename(path, path+".away"), os.Mkdir(path, 0o700)); err != nil {
		t.Fatal(err)
	}
	raw := h.raw(redAt, plainBody(command(h, "lot-1", "red", "command: resend", "report: 1")))
	handle := func() (mail.Folder, error) {
		return h.office.Handle(t.Context(), mail.Incoming{Raw: raw, Size: int64(len(raw)), Received: h.clock.Now()})
	}
	folder, err := handle()
	if notReady := (*mail.NotReady)(nil); folder != mail.Leave || !errors.Is(err, shelf.ErrNotNow) || errors.As(err, &notReady) {
		t.Errorf("the letter goes to %q: %v", folder, err)
	}
	h.silent(redAt)
	if err := errors.Join(os.Remove(path), os.Rename(path+".away", path)); err != nil {
		t.Fatal(err)
	}
	if folder, err := handle(); folder != mail.Processed || err != nil {
		t.Errorf("the letter goes to %q: %v", folder, err)
	}
	h.one(h.deliver(redAt))
}
