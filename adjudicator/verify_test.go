package adjudicator

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/verify"
	"berthier/engine"
	"berthier/mail"
)

// playedGame is an office with a game that has come to its end.
func playedGame(t testing.TB) *testOffice {
	t.Helper()
	return begin(t, "played", func(t testing.TB) *testOffice {
		h := newTestOffice(t)
		h.newGame(twoSides)
		h.play("lot-1", h.anyUnit("lot-1"))
		h.flush()
		return h
	})
}

func (h *testOffice) export(id string, side engine.Side) *log.Export {
	h.Helper()
	x, err := h.office.Clerk().Export(id, side)
	if err != nil {
		h.Fatal(err)
	}
	var b bytes.Buffer
	if err := x.Write(&b); err != nil {
		h.Fatal(err)
	}
	again, err := log.ReadExport(b.Bytes())
	if err != nil {
		h.Fatalf("%v\n%s", err, b.String())
	}
	var c bytes.Buffer
	if err := again.Write(&c); err != nil {
		h.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), c.Bytes()) {
		h.Error("an export that was read is written otherwise")
	}
	return again
}

func (h *testOffice) verify(x *log.Export) *verify.Verified {
	h.Helper()
	v, err := verify.Game(x, []engine.Ruleset{h.rules})
	if err != nil {
		h.Fatal(err)
	}
	if v.Sound() {
		holdsElsewhere(h, x)
	}
	return v
}

// holdsElsewhere asks for a second opinion of an export that is sound; there is one where the end-to-end tests run.
var holdsElsewhere = func(*testOffice, *log.Export) {}

// mails are the raw letters that an address got, by name.
func (h *testOffice) mails(address string) map[string][]byte {
	all := map[string][]byte{}
	for i, p := range h.post.sent {
		if p.to == address {
			all[fmt.Sprintf("%04d.eml", i)] = p.raw
		}
	}
	return all
}

// What the office and what a player exports can be verified, and nothing in a
// player's tells him an address or a file of another.
func TestExportOfAFinishedGameVerifies(t *testing.T) {
	h := playedGame(t)
	for _, side := range []engine.Side{engine.GM, "red", "blue"} {
		x := h.export("lot-1", side)
		v := h.verify(x)
		if v.Verdict() != verify.Holds {
			t.Errorf("%s: %+v", side, v)
		}
		for _, c := range v.Checks {
			if c.Count == 0 {
				t.Errorf("%s: nothing was checked of: %s", side, c.What)
			}
		}
		for _, address := range []string{redAt, blueAt} {
			if c := VerifyLetters(x, h.mails(address)); len(c.Wrong) > 0 || c.Count < 3 {
				t.Errorf("%s, letters to %s: %+v", side, address, c)
			}
		}
		if side == engine.GM {
			continue
		}
		for _, e := range x.Entries {
			for _, secret := range []string{redAt, blueAt, gmAt} {
				if own := h.record("lot-1").Seat(side).Person.Address; secret != own && strings.Contains(e.Body+e.Private, secret) {
					t.Errorf("%s learns the address %s from entry %d", side, secret, e.N)
				}
			}
			if read, err := log.Read(chain.Entry{Body: []byte(e.Body), Private: []byte(e.Private)}, nil); err == nil && read.Kind == log.KindTaken && read.Seat != side && (e.Private != "" || strings.Contains(e.Body, "serial")) {
				t.Errorf("%s reads the file of %s in entry %d", side, read.Seat, e.N)
			}
		}
	}
}

// Whatever is changed in an export shows, and where.
func TestVerifyFindsEveryChange(t *testing.T) {
	h := playedGame(t)
	fresh := func() *log.Export { return h.export("lot-1", engine.GM) }
	first := func(x *log.Export, kind string) int {
		for i, e := range x.Entries {
			if strings.Contains(e.Body, `"kind":"`+kind+`"`) {
				return i
			}
		}
		t.Fatalf("no entry %s", kind)
		return 0
	}
	// rechain makes the hashes fit again, as a forger would.
	rechain := func(x *log.Export) {
		var last chain.Link
		for i := range x.Entries {
			body, private, err := x.Entries[i].Digests()
			if err != nil {
				t.Fatal(err)
			}
			last = chain.Chain(last, body, private)
			x.Entries[i].Hash = fmt.Sprintf("%x", last.Hash)
		}
	}
	change := func(x *log.Export, i int, do func(*log.Resolved)) {
		var r log.Resolved
		e, err := log.Decode([]byte(x.Entries[i].Body), &r)
		if err != nil {
			t.Fatal(err)
		}
		do(&r)
		e.Data = r
		body, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		x.Entries[i].Body = string(body)
	}
	rolled := func(x *log.Export) int {
		for i, e := range x.Entries {
			var r log.Resolved
			if entry, _ := log.Decode([]byte(e.Body), &r); entry.Kind == log.KindResolved && len(r.Rolls) > 0 {
				return i
			}
		}
		t.Fatal("no stop with dice")
		return 0
	}
	for name, spoil := range map[string]func(*log.Export){
		"an entry changed":       func(x *log.Export) { x.Entries[1].Body += " " },
		"an entry left out":      func(x *log.Export) { x.Entries = append(x.Entries[:1:1], x.Entries[2:]...) },
		"another salt":           func(x *log.Export) { x.Entries[2].Salt = x.Entries[1].Salt },
		"a private part changed": func(x *log.Export) { x.Entries[0].Private += " " },
		"another seed":           func(x *log.Export) { x.Seeds[0] = strings.Repeat("00", 32) },
		"another commitment":     func(x *log.Export) { x.Commitment = strings.Repeat("00", 32) },
		"a die, hashes made to fit": func(x *log.Export) {
			change(x, rolled(x), func(r *log.Resolved) { r.Rolls[0].Result = r.Rolls[0].Result%2 + 1 })
			rechain(x)
		},
		"orders, hashes made to fit": func(x *log.Export) {
			change(x, first(x, log.KindResolved), func(r *log.Resolved) { r.Answers[0].Orders += "# later\n" })
			rechain(x)
		},
	} {
		x := fresh()
		spoil(x)
		if v := h.verify(x); v.Sound() {
			t.Errorf("%s: nothing is found", name)
		}
	}
	// A forger who makes everything fit is still found out by old letters.
	x := fresh()
	change(x, first(x, log.KindResolved), func(r *log.Resolved) { r.Events = nil })
	rechain(x)
	if v := h.verify(x); v.Sound() {
		t.Errorf("what was told is other, and nothing is found: %+v", v)
	}
	if c := VerifyLetters(x, h.mails(redAt)); len(c.Wrong) == 0 {
		t.Error("the hashes in the letters fit a log that was made up")
	}
}

// The export of a running game gives a side what it has seen, and nothing that tells what the
// others do.
func TestExportOfARunningGameHidesTheLog(t *testing.T) {
	text := func(more bool) string {
		h := newTestOffice(t)
		h.newGame(twoSides)
		h.write(redAt, fill(h.template(redAt), "{bid: r 2}"), mail.Processed)
		if more {
			for _, bid := range []string{"B-1", "B-2", "B-3"} {
				h.write(blueAt, strings.Replace(fill(h.template(blueAt), "{offri: "+bid+"}"), "serial", "final: no\nserial", 1), mail.Processed)
			}
		}
		var b bytes.Buffer
		if err := h.export("lot-1", "red").Write(&b); err != nil {
			t.Fatal(err)
		}
		if _, err := verify.Game(h.export("lot-1", "red"), nil); err == nil {
			t.Error("a log that is not there is verified")
		}
		if v := h.verify(h.export("lot-1", engine.GM)); !v.Sound() {
			t.Errorf("the game master's export of a running game: %+v", v)
		}
		return b.String()
	}
	if quiet, busy := text(false), text(true); quiet != busy {
		t.Errorf("the export tells that the other side has written:\n%s\n%s", quiet, busy)
	}
	h := newTestOffice(t)
	h.newGame(twoSides)
	if _, err := h.office.Clerk().Export("lot-1", "green"); err == nil {
		t.Error("a side that is not there gets an export")
	}
	if _, err := h.office.Clerk().Export("lot-9", engine.GM); err == nil {
		t.Error("a game that is not there is exported")
	}
}

// A game that goes back to an earlier stop runs on from there: with the same
// orders it rolls the same dice and comes to the same position; and the log,
// with all that was undone in it, still verifies.
func TestGoBackAndPlayAgain(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(strings.Replace(twoSides, "rounds: 3", "rounds: 5", 1))
	for range 3 {
		h.write(redAt, fill(h.template(redAt), "default"), mail.Processed)
		h.write(blueAt, fill(h.template(blueAt), "default"), mail.Processed)
	}
	was := h.record("lot-1")
	before, err := h.office.Clerk().Position("lot-1", engine.GM)
	if err != nil {
		t.Fatal(err)
	}
	rewind := func(orders string) {
		t.Helper()
		r, err := h.office.Clerk().Rule(context.Background(), "lot-1", "command: rewind\nstop: 2\norders: "+orders+"\nreason: a power cut", "", true)
		if err != nil || !r.Done {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	rewind("same")
	after, err := h.office.Clerk().Position("lot-1", engine.GM)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before.Snapshot, after.Snapshot) {
		t.Errorf("the same orders lead elsewhere:\n%s\n%s", before.Snapshot, after.Snapshot)
	}
	now := h.record("lot-1")
	if now.Stop != was.Stop || now.Seats[0].Stops != was.Seats[0].Stops {
		t.Errorf("stop %d, red's %d; want %d and %d", now.Stop, now.Seats[0].Stops, was.Stop, was.Seats[0].Stops)
	}
	old := h.template(redAt)
	rewind("new")
	if got := h.record("lot-1").Stop; got >= was.Stop {
		t.Errorf("stop %d after going back from %d", got, was.Stop)
	}
	h.write(redAt, old, mail.Rejected) // made before the rewind
	h.restart()
	h.play("lot-1", h.anyUnit("lot-1"))
	for _, side := range []engine.Side{engine.GM, "red"} {
		if v := h.verify(h.export("lot-1", side)); !v.Sound() || len(v.Differ) > 0 {
			t.Errorf("%s: %+v", side, v)
		}
	}
}

// What a player sent stands in his own export and in that of the office. If it is left out,
// the game is not said to hold.
func TestHisOwnFileIsNotWithheldFromAPlayer(t *testing.T) {
	h := playedGame(t)
	for _, side := range []engine.Side{engine.GM, "red"} {
		x := h.export("lot-1", side)
		for i := range x.Entries {
			e := &x.Entries[i]
			if !strings.Contains(e.Body, `"kind":"taken"`) || e.Private == "" {
				continue
			}
			_, private, err := e.Digests()
			if err != nil {
				t.Fatal(err)
			}
			e.PrivateSalt, e.Private, e.PrivateDigest = "", "", fmt.Sprintf("%x", private)
		}
		if v := h.verify(x); v.Verdict() != verify.Unproven {
			t.Errorf("%s: files withheld: %+v", side, v)
		}
	}
}
