package adjudicator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
)

// A long history comes in several letters, a few at a time. Each of them counts as an answer,
// and no part is lost: the last letter says how to ask for the next.
func TestHistoryCostsWhatItWeighs(t *testing.T) {
	withoutRace(t)
	h := fiveRounds(t)
	for range 26 { // each gives new reports, with maps of their own
		h.clock.move(24 * time.Hour)
		h.rule("command: rewind", "stop: 1", "orders: new", "reason: once more")
		h.both()
		h.both()
	}
	var whole []string
	if err := h.office.look("lot-1", func(tr *transaction) error {
		list, err := tr.letters.History(tr.Game.Seat("red"), nil)
		for _, n := range list {
			whole = append(whole, h.office.words.Notice(n).Subject)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if len(whole) < mostRecalled+2 {
		t.Fatalf("%d letters are too few to try it", len(whole))
	}
	h.deliver(redAt)
	h.clock.move(2 * time.Hour)
	h.write(redAt, command(h, "lot-1", "red", "command: history", "letter: 99"), mail.Rejected)
	h.deliver(redAt)
	h.clock.move(2 * time.Hour)
	h.opt.AnswersPerHour = 6
	h.restart()
	var got []string
	text, hour := command(h, "lot-1", "red", "command: history"), 0
	for text != "" && h.clock.Now().Before(begins.AddDate(0, 3, 0)) {
		h.write(redAt, text, mail.Processed)
		letters := h.deliver(redAt)
		if len(letters) == 0 {
			h.clock.move(time.Hour)
			hour = 0
			continue
		}
		if hour += len(letters); len(letters) > mostRecalled || hour > 6 {
			t.Fatalf("%d letters at once, %d in this hour", len(letters), hour)
		}
		got = append(got, subjects(letters)...)
		if text = file(letters[len(letters)-1]); text == "" {
			_, text, _ = strings.Cut(wordsOf(letters[len(letters)-1]), "game: lot-1")
			if text, _, _ = strings.Cut(text, "\n---"); text != "" {
				text = "game: lot-1" + strings.ReplaceAll(text, "\n    ", "\n") + "\n"
			}
		}
		if !strings.Contains(text, "command: history") {
			text = ""
		}
	}
	for i := range whole {
		if i >= len(got) || !strings.HasSuffix(got[i], whole[i]) && got[i] != whole[i] {
			t.Fatalf("letter %d of\n%q\nis missing in\n%q", i+1, whole, got)
		}
	}
	if len(got) != len(whole) {
		t.Errorf("%d letters, want %d", len(got), len(whole))
	}
}

// An address that writes letter after letter with keys that don't fit is told to the
// operator and to the game master, once.
func TestManyWrongKeysAreTold(t *testing.T) {
	var theLog bytes.Buffer
	h := newTestOffice(t, func(h *testOffice) {
		h.opt.Log = slog.New(slog.NewTextHandler(&theLog, nil))
		h.opt.GMs = append(h.opt.GMs, log.Person{Name: "Ada", Address: "ada@club.example"})
	})
	h.newGame(twoSides)
	h.flush()
	h.deliver(gmAt)
	for i := range 200 {
		h.clock.move(time.Minute)
		text := fmt.Sprintf("game: lot-1\nkey: AAAA-AA%02d\ncommand: status\n", i%100)
		if i%2 == 0 {
			text += "wrong: [\n" // a file with faults tries a key, too
		}
		h.write(redAt, text, mail.Rejected)
	}
	for _, address := range []string{gmAt, "ada@club.example"} {
		l := h.one(h.deliver(address))
		h.says(l, "Many letters with wrong keys", redAt, "lot-1", "proof: dkim")
	}
	if n := strings.Count(theLog.String(), "many letters with wrong keys"); n != 1 || h.office.WrongKeys() != 200 {
		t.Errorf("told %d times in the log, %d counted", n, h.office.WrongKeys())
	}
	h.write(blueAt, "game: lot-1\nkey: AAAA-AAAA\ncommand: status\n", mail.Rejected)
	h.silent(gmAt)
	h.clock.move(25 * time.Hour)
	for range mostGuesses {
		h.write(redAt, "game: lot-1\nkey: AAAA-AAAA\ncommand: status\n", mail.Rejected)
	}
	h.one(h.deliver(gmAt))
}

// Letters without consequences, from strangers and machines, leave nothing behind for
// good; what counted stays.
func TestStrangersAreForgotten(t *testing.T) {
	withoutRace(t)
	h := newTestOffice(t, func(h *testOffice) { h.opt.AnswerStrangers = true })
	h.newGame(twoSides)
	h.tick()
	good := h.letter(redAt, fill(h.template(redAt), "{bid: R-1}"))
	h.take(good, mail.Processed)
	before := h.keptMarks()
	var first *mail.Letter
	for i := range 1200 {
		l := h.letter(fmt.Sprintf("s%d@x.example", i), "game: lot-1\nkey: AAAA-AAAA\ncommand: status\n")
		if i%3 == 0 {
			l.Automatic = mail.AutoList
			h.take(l, mail.Processed)
		} else {
			h.take(l, mail.Rejected)
		}
		if first == nil {
			first = l
		}
	}
	h.clock.move(30 * 24 * time.Hour)
	h.tick()
	if n := h.keptMarks() - before; n != 2*1200 {
		t.Errorf("%d kept after a month", n)
	}
	h.take(first, mail.Processed) // known
	h.clock.move(31 * 24 * time.Hour)
	h.tick()
	if n := h.keptMarks() - before; n != 0 {
		t.Errorf("%d kept for ever", n)
	}
	h.restart()
	h.take(good, mail.Processed)
	if n := strings.Count(strings.Join(h.kinds("lot-1"), " "), log.KindTaken); n != 1 {
		t.Errorf("taken in %d times", n)
	}
}

// Marks that an older program made are forgotten, too.
func TestStrangersOfBeforeAreForgotten(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	old := &arrival{office: h.office, Letter: intake.Letter{Mail: h.letter("s@x.example", "hello"), Now: h.clock.Now(), From: "s@x.example"}}
	h.take(h.letter(redAt, command(h, "lot-1", "red", "command: status")), mail.Processed)
	before := h.keptMarks()
	var c store.Change
	if err := old.mark(&c, "", "stranger", mail.Rejected); err != nil {
		t.Fatal(err)
	}
	if err := h.store.Commit(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	h.tick()
	h.clock.move(61 * 24 * time.Hour)
	h.tick()
	if n := h.keptMarks() - before; n != 1 { // its Message-ID was not noted
		t.Errorf("%d kept", n)
	}
}

// keptMarks is how much the store keeps of letters taken in.
func (h *testOffice) keptMarks() int {
	h.Helper()
	n := 0
	if err := h.store.Read(context.Background(), func(tx store.Reader) error {
		if err := tx.Marks(func([32]byte, []byte) error { n++; return nil }); err != nil {
			return err
		}
		for i := range h.count + 1 {
			for _, from := range []string{redAt, "s@x.example"} {
				if _, taken := tx.MarkedID(fmt.Sprintf("%d@%s", i, from)); taken {
					n++
				}
			}
			for s := range 1200 {
				if i < s || i > s+5 {
					continue
				}
				if _, taken := tx.MarkedID(fmt.Sprintf("%d@s%d@x.example", i, s)); taken {
					n++
				}
			}
		}
		return nil
	}); err != nil {
		h.Fatal(err)
	}
	return n
}

// TestAFullDiskUsesUpNoAnswers has letters come again and again while they can't be taken in. What was counted for them is taken
// back each time, so each is answered when there is room again, and nobody is said to guess keys.
func TestAFullDiskUsesUpNoAnswers(t *testing.T) {
	for what, c := range map[string]struct {
		from   string
		text   func(h *testOffice) string
		folder mail.Folder
	}{
		"a command":     {redAt, func(h *testOffice) string { return command(h, "lot-1", "red", "command: status") }, mail.Processed},
		"a faulty file": {redAt, func(h *testOffice) string { return fill(h.template(redAt), "{bid: X}") }, mail.Rejected},
		"a draft":       {redAt, func(h *testOffice) string { return "draft: yes\n" + fill(h.template(redAt), "{bid: R-1}") }, mail.Processed},
		"another key":   {redAt, func(h *testOffice) string { return command(h, "lot-1", "red", "command: new-key") }, mail.Processed},
		"a wrong key":   {redAt, func(h *testOffice) string { return "game: lot-1\nkey: AAAA-AAAA\ncommand: status\n" }, mail.Rejected},
		"no file":       {redAt, func(h *testOffice) string { return "Good morning" }, mail.Rejected},
		"a letter to all": {redAt, func(h *testOffice) string {
			return command(h, "lot-1", "red", "command: press", "for: blue", "text: hello")
		}, mail.Processed},
		"a game master": {gmAt, func(h *testOffice) string { return command(h, "lot-1", engine.GM, "command: show") }, mail.Processed},
	} {
		t.Run(what, func(t *testing.T) {
			full := new(atomic.Bool)
			h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour, h.full = 3, full })
			h.newGame(twoSides)
			l := h.letter(c.from, c.text(h))
			h.deliver(gmAt)
			h.deliver(c.from)
			full.Store(true)
			for range 2 * mostGuesses {
				if _, err := h.office.Take(t.Context(), l); !errors.Is(err, syscall.ENOSPC) {
					t.Fatal(err)
				}
			}
			full.Store(false)
			h.take(l, c.folder)
			h.clock.move(time.Second)
			if got := h.deliver(c.from); len(got) == 0 {
				t.Error("no answer")
			}
			if c.from != gmAt {
				h.silent(gmAt)
			}
		})
	}
}

// A letter that is too long to be read uses up nothing either while its answer can't be written.
func TestAFullDiskUsesUpNoAnswersToLongLetters(t *testing.T) {
	full := new(atomic.Bool)
	h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour, h.full = 3, full })
	h.newGame(twoSides)
	h.deliver(redAt)
	raw := h.raw(redAt, plainBody("orders"))
	in := mail.Incoming{Header: raw[:bytes.Index(raw, []byte("\r\n\r\n"))+4], Size: 2 * mail.MaxLetter, Received: h.clock.Now()}
	full.Store(true)
	for range 10 {
		if _, err := h.office.Handle(t.Context(), in); !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
	}
	full.Store(false)
	if folder, err := h.office.Handle(t.Context(), in); folder != mail.Rejected || err != nil {
		t.Errorf("%q, %v", folder, err)
	}
	h.says(h.one(h.deliver(redAt)), "was not read")
}
