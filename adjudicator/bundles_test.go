package adjudicator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/deflate"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
)

// bundledGame is long enough for bundles of each kind.
var bundledGame = strings.Replace(twoSides, "rounds: 3", "rounds: 20", 1)

// inBundles counts what lies in bundles: letters of the outbox, pages, positions.
func (h *testOffice) inBundles(id string) (letters, pages, positions int) {
	h.Helper()
	if err := h.store.Read(h.Context(), func(tx store.Reader) error {
		if err := tx.Letters(func(n uint64, body []byte) error {
			if r, err := outbox.Unpack(body); err != nil || r.Report > 0 && r.Letter == nil {
				letters++
				return err
			}
			return nil
		}); err != nil {
			return err
		}
		for _, s := range h.record(id).Seats {
			if err := tx.Pages(id, string(s.BookOf()), func(_ uint64, page []byte) error {
				if deflate.Bundled(page) {
					pages++
				}
				return nil
			}); err != nil {
				return err
			}
		}
		return tx.Entries(id, 0, func(e chain.Entry) error {
			if deflate.Bundled(tx.History(id, e.Seq)) {
				positions++
			}
			return nil
		})
	}); err != nil {
		h.Fatal(err)
	}
	return letters, pages, positions
}

// pastOf is all that a seat's player can get of what was: its pages as a briefing has them, every position,
// and what each may export.
func (h *testOffice) pastOf(id string) string {
	h.Helper()
	var b strings.Builder
	k := kept{h.office, id}
	for _, s := range h.record(id).Seats {
		pages, err := k.PagesOf(s.BookOf())
		if err != nil {
			h.Fatal(err)
		}
		data, err := json.Marshal(pages)
		if err != nil {
			h.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %s\n", s.Side, data)
		for n := range pages {
			page, err := k.PageOf(s.BookOf(), uint64(n+1))
			if err != nil || page == nil {
				h.Fatal(n, err)
			}
			fmt.Fprintf(&b, "%s %d\n", page.At, page.Head)
		}
		if err := h.export(id, s.Side).Write(&b); err != nil {
			h.Fatal(err)
		}
	}
	for seq := range h.entriesKept(id) {
		packed, err := k.CheckpointAt(seq + 1)
		if err != nil {
			h.Fatal(err)
		}
		if packed != nil {
			data, err := deflate.All(packed)
			if err != nil {
				h.Fatal(err)
			}
			fmt.Fprintf(&b, "%d %q\n", seq+1, data)
		}
	}
	return b.String()
}

func (h *testOffice) entriesKept(id string) (n uint64) {
	h.Helper()
	if err := h.office.read(func(tx store.Reader) error { n = tx.Last(id).Seq; return nil }); err != nil {
		h.Fatal(err)
	}
	return n
}

// What is kept of a game is packed together while it goes on and when it is over, and nothing of it reads
// otherwise: pages, positions, exports; reports are sent again to the byte, a letter that
// comes back is noted, and what lies together is taken apart for that.
func TestBundlesReadAsBefore(t *testing.T) {
	withoutRace(t)
	h := newTestOffice(t)
	h.newGame(bundledGame)
	h.play("lot-1", h.anyUnit("lot-1"))
	h.flush()
	before := h.pastOf("lot-1")
	h.restart()
	n, err := h.office.Clerk().Bundle(t.Context(), "lot-1")
	if err != nil {
		t.Fatal(err)
	}
	letters, pages, positions := h.inBundles("lot-1")
	if letters < 20 || pages < 20 || positions < 10 || n > letters+pages+positions {
		t.Fatalf("%d packed; in bundles: %d letters, %d pages, %d positions", n, letters, pages, positions)
	}
	if now := h.pastOf("lot-1"); now != before {
		t.Errorf("the past reads otherwise: %.400s", diffLine([]byte(before), []byte(now)))
	}
	if n, err := h.office.Clerk().Bundle(t.Context(), "lot-1"); n != 0 || err != nil {
		t.Errorf("packed again: %d, %v", n, err)
	}
	h.verify(h.export("lot-1", engine.GM))

	had := map[string][][]byte{}
	for _, p := range h.post.sent {
		if strings.Contains(string(p.raw), "filename") || p.letter.Subject != "" {
			had[p.to] = append(had[p.to], p.raw)
		}
	}
	again := func(number int) {
		h.write(redAt, command(h, "lot-1", "red", "command: resend", fmt.Sprintf("report: %d", number)), mail.Processed)
		sent := len(h.post.sent)
		h.flush()
		again := h.post.sent[sent:]
		if len(again) != 1 || !sentBefore(had[redAt], again[0].raw) {
			t.Errorf("report %d is not sent again as it was: %d letters", number, len(again))
		}
	}
	for _, number := range []int{2, 18, 2} {
		again(number)
	}
	if after, _, _ := h.inBundles("lot-1"); after >= letters || after == 0 {
		t.Errorf("%d letters lie in bundles still, %d did before", after, letters)
	}
	again(1) // in whose place the bundle lies
	if _, err := h.office.Clerk().Bundle(t.Context(), "lot-1"); err != nil {
		t.Error(err)
	}
	if after, _, _ := h.inBundles("lot-1"); after != letters {
		t.Errorf("%d letters lie in bundles again, %d did before", after, letters)
	}
}

func sentBefore(all [][]byte, raw []byte) bool {
	for _, one := range all {
		if bytes.Equal(one, raw) {
			return true
		}
	}
	return false
}

// The office packs by itself: full bundles while a game goes on, and the rest when it is over and its last
// letters have gone.
func TestTheOfficeBundlesByItself(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(bundledGame)
	h.play("lot-1", h.anyUnit("lot-1"))
	if err := h.office.Tick(t.Context()); err != nil { // the last letters wait still
		t.Fatal(err)
	}
	full, pages, _ := h.inBundles("lot-1")
	if full == 0 || pages == 0 {
		t.Errorf("in bundles: %d letters, %d pages", full, pages)
	}
	if b := &h.office.bundling; len(b.games) > 0 || b.waits["lot-1"] == 0 {
		t.Errorf("while a letter waits the game is to be packed again: %v, %v", b.games, b.waits)
	}
	if err := h.office.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	if again, _, _ := h.inBundles("lot-1"); again != full {
		t.Errorf("%d letters lie in bundles while others wait, %d did before", again, full)
	}
	h.flush()
	if err := h.office.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	if letters, _, positions := h.inBundles("lot-1"); letters <= 16 || positions == 0 {
		t.Errorf("in bundles when it is over: %d letters, %d positions", letters, positions)
	}
}

// The rest of a game is packed even if the office ends, or dies, between its last stop and its last letter; and once it is packed
// nobody looks again.
func TestTheRestIsPackedAfterARestart(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(bundledGame)
	h.play("lot-1", h.anyUnit("lot-1"))
	before := h.pastOf("lot-1")
	h.restart()
	for range 2 { // the last letters wait still
		h.clock.move(time.Hour)
		h.tick()
	}
	full, _, _ := h.inBundles("lot-1")
	h.flush()
	h.restart()
	h.tick()
	h.clock.move(time.Hour)
	h.tick()
	letters, _, positions := h.inBundles("lot-1")
	if letters <= full || positions == 0 {
		t.Errorf("in bundles: %d letters, %d before the last ones had gone, %d positions", letters, full, positions)
	}
	if now := h.pastOf("lot-1"); now != before {
		t.Errorf("the past reads otherwise: %.400s", diffLine([]byte(before), []byte(now)))
	}
	if next, any, err := h.office.Next(); any || err != nil {
		t.Errorf("something is due at %v: %v", next, err)
	}
}

// Who is forgotten is in no bundle either, and the letters of others that lay there with his stay.
func TestForgottenInBundles(t *testing.T) {
	withoutRace(t)
	h := newTestOffice(t)
	h.newGame(bundledGame)
	h.play("lot-1", h.anyUnit("lot-1"))
	h.flush()
	if _, err := h.office.Clerk().Bundle(t.Context(), "lot-1"); err != nil {
		t.Fatal(err)
	}
	letters, _, _ := h.inBundles("lot-1")
	if _, err := h.office.Secretary().Forget(t.Context(), redAt, true); err != nil {
		t.Fatal(err)
	}
	if left := h.lettersTo(redAt); left != 0 {
		t.Errorf("%d letters to him say something still", left)
	}
	if left := h.lettersTo(strings.ToLower(blueAt)); left < letters/2 {
		t.Errorf("%d letters of his opponent say something still", left)
	}
}

// lettersTo counts the letters to an address that have a text, in bundles or not.
func (h *testOffice) lettersTo(address string) (n int) {
	h.Helper()
	if err := h.store.Read(h.Context(), func(tx store.Reader) error {
		return tx.Letters(func(id uint64, _ []byte) error {
			r, _, err := h.office.box.Load(tx, id)
			if err == nil && strings.EqualFold(r.Address, address) && r.Letter != nil {
				n++
			}
			return err
		})
	}); err != nil {
		h.Fatal(err)
	}
	return n
}

// Whoever examines the database is told of a bundle that can't be read, and of what lay in it: letters,
// pages and positions.
func TestDamagedBundlesAreFound(t *testing.T) {
	withoutRace(t)
	h := newTestOffice(t)
	h.spoilt = true
	h.newGame(bundledGame)
	h.play("lot-1", h.anyUnit("lot-1"))
	h.flush()
	if _, err := h.office.Clerk().Bundle(t.Context(), "lot-1"); err != nil {
		t.Fatal(err)
	}
	spoilt, sound := store.Change{Game: "lot-1"}, store.Change{Game: "lot-1"}
	spoil := func(value []byte) []byte {
		value = bytes.Clone(value)
		value[len(value)-20] ^= 0xff
		return value
	}
	if err := h.store.Read(t.Context(), func(tx store.Reader) error {
		if err := tx.Pages("lot-1", "red", func(n uint64, page []byte) error {
			if deflate.Holds(page) {
				sound.Pages = append(sound.Pages, store.Page{Seat: "red", N: n, Data: bytes.Clone(page)})
				spoilt.Pages = append(spoilt.Pages, store.Page{Seat: "red", N: n, Data: spoil(page)})
			}
			return nil
		}); err != nil {
			return err
		}
		if err := tx.Entries("lot-1", 0, func(e chain.Entry) error {
			if packed := tx.History("lot-1", e.Seq); deflate.Holds(packed) {
				sound.History = append(sound.History, store.Position{Seq: e.Seq, Data: packed})
				spoilt.History = append(spoilt.History, store.Position{Seq: e.Seq, Data: spoil(packed)})
			}
			return nil
		}); err != nil {
			return err
		}
		first := uint64(math.MaxUint64) // in whose place the bundle of all reports lies
		for _, side := range []engine.Side{"blue", "red"} {
			refs, err := outbox.Reports(tx, reportsName("lot-1", side))
			if err != nil {
				return err
			}
			first = min(first, refs[0].Number)
		}
		o, _ := tx.Outgoing(first)
		bad := store.Outgoing{ID: o.ID, Was: o.Version(), Body: spoil(o.Body)}
		o.Was = bad.Version()
		sound.Outgoing, spoilt.Outgoing = []store.Outgoing{o}, []store.Outgoing{bad}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(spoilt.Pages) == 0 || len(spoilt.History) == 0 {
		t.Fatal("nothing lies in a bundle")
	}
	faults := func() string {
		t.Helper()
		e, err := Examine(h.store, []engine.Ruleset{h.rules})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(e.Faults, "\n")
	}
	for what, part := range map[string]func(store.Change) store.Change{
		"report 1 of red":          func(c store.Change) store.Change { return store.Change{Game: c.Game, Pages: c.Pages} },
		"the position after entry": func(c store.Change) store.Change { return store.Change{Game: c.Game, History: c.History} },
		"letter ":                  func(c store.Change) store.Change { return store.Change{Outgoing: c.Outgoing} },
	} {
		h.behind(part(spoilt))
		if found := faults(); !strings.Contains(found, what) {
			t.Errorf("%q is not named: %s", what, found)
		}
		h.behind(part(sound))
		if found := faults(); found != "" {
			t.Errorf("faults of what is sound: %s", found)
		}
	}
	h.behind(store.Change{Game: "lot-1", Pages: spoilt.Pages})
	if _, err := (kept{h.office, "lot-1"}).PagesOf("red"); !errors.Is(err, deflate.ErrBundle) {
		t.Errorf("pages that can't be read: %v", err)
	}
}
