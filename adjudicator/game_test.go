package adjudicator

import (
	"context"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders/phrase"
	"berthier/templates"
)

// A whole game by letters: reports, confirmations, the log, the dice.
func TestWholeGame(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	red := h.one(h.deliver(redAt))
	h.says(red, "lot-1", "stop: 1 bid", "R-1", log.Commitment(h.record("lot-1").Seed), key(h, "lot-1", "red"))
	blue := h.one(h.deliver(blueAt))
	h.says(blue, "Le tue unità", "B-1", "2026")
	gm := h.one(h.deliver(gmAt))
	h.says(gm, key(h, "lot-1", engine.GM))

	h.write(redAt, fill(file(red), "{bid: r 2}"), mail.Processed)
	l := h.one(h.deliver(redAt))
	h.says(l, "bid: R-2")
	if l.References[0] == "" || l.InReplyTo == "" {
		t.Error("the confirmation stands in no thread")
	}
	h.silent(blueAt)
	h.write(blueAt, fill(file(blue), "{offri: B-3}"), mail.Processed)
	if n := len(h.deliver(blueAt)); n < 1 {
		t.Error("no confirmation")
	}
	h.play("lot-1", h.anyUnit("lot-1"))

	g := h.record("lot-1")
	if g.Phase != game.Over {
		t.Fatal("the game is not over")
	}
	for _, address := range []string{redAt, blueAt} {
		all := h.deliver(address)
		last := all[len(all)-1]
		h.says(last, hex.EncodeToString(g.Seed))
		if file(last) != "" {
			t.Error("the last report asks for orders")
		}
	}
	theLog := h.kinds("lot-1")
	if theLog[0] != log.KindSetup || theLog[len(theLog)-1] != log.KindOver || !slices.Contains(theLog, log.KindResolved) {
		t.Errorf("log %q", theLog)
	}
	// Every roll can be checked from the seed, and the positions from the answers.
	p, err := h.rules.New(engine.Setup{Options: g.Options})
	if err != nil {
		t.Fatal(err)
	}
	err = h.store.Read(context.Background(), func(tx store.Reader) error {
		return tx.Entries("lot-1", 0, func(e chain.Entry) error {
			var r log.Resolved
			entry, _ := log.Read(e, nil)
			if entry.Kind != log.KindResolved {
				return nil
			}
			entry, err := log.Read(e, &r)
			if err != nil {
				return err
			}
			hash := log.HashOrders(r.Answers)
			if hex.EncodeToString(hash[:]) != r.Orders {
				t.Errorf("stop %d: the hash of the orders", entry.Stop)
			}
			dice := engine.NewStopDice(g.Seed, "lot-1", entry.Stop, log.HashWords(nil), hash)
			for i, roll := range r.Rolls {
				if n := dice.Roll(roll.Sides, roll.Purpose); n != roll.Result {
					t.Errorf("stop %d, roll %d: %d, the log says %d", entry.Stop, i, n, roll.Result)
				}
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	_ = p
	// After the end an order file is answered, not taken.
	h.write(redAt, strings.Replace(file(red), "stop: 1 bid", "stop: 9 bid", 1), mail.Rejected)
	h.says(h.one(h.deliver(redAt)), "is over")
}

// ends is the number of the last entry, which only the letter that brings the whole
// log may tell: it counts what the others wrote.
var ends = regexp.MustCompile(`log entry \d+`)

var marks = regexp.MustCompile(`[0-9a-f]{16,}|(letter|game)\.[a-z2-7]+@|=_[0-9a-f]+_\d+`)

func TestDeadlines(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	first := h.one(h.deliver(redAt))
	h.deliver(blueAt)
	h.write(redAt, fill(file(first), "{bid: R-4}"), mail.Processed)
	h.deliver(redAt)

	next, ok, err := h.office.Next()
	if want := time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC); err != nil || !ok || !next.Equal(want) {
		t.Errorf("next %v %v %v, want the first reminder at %v", next, ok, err, want)
	}
	h.clock.move(47 * time.Hour)
	h.tick()
	h.silent(blueAt)
	h.clock.move(time.Hour)
	h.tick()
	reminder := h.one(h.deliver(blueAt))
	h.says(reminder, "Promemoria", "domanda: 1 offerta")
	h.tick()
	h.silent(blueAt)
	h.silent(redAt) // he has answered
	h.clock.move(22 * time.Hour)
	h.tick()
	h.one(h.deliver(blueAt))
	h.clock.move(2*time.Hour - time.Second)
	h.tick()
	h.silent(blueAt)
	h.clock.move(time.Second)
	h.tick()
	h.wantKinds("lot-1", log.KindSetup, log.KindTaken, log.KindReminded, log.KindReminded, log.KindDeadline, log.KindResolved)
	// Blue bid nothing, so red has won and blue, last, must discard.
	report := h.one(h.deliver(blueAt))
	h.says(report, "non sono arrivati in tempo", "Rosso vince", "domanda: 2 scarto")
	g := h.record("lot-1")
	if g.Seat("blue").Missed != 1 {
		t.Error("the missed deadline was not counted")
	}
	// Red is owed nothing now, and does not hear that blue is asked.
	h.silent(redAt)
	// Blue's next deadline: three days from here.
	if d := g.Seat("blue").Owes.Deadline; !d.Equal(h.clock.Now().Add(72 * time.Hour)) {
		t.Errorf("deadline %v at %v", d, h.clock.Now())
	}
	// An answer to a resolved stop is refused and names the present one.
	h.write(blueAt, fill(file(reminder), "{bid: B-1}"), mail.Rejected)
	h.says(h.one(h.deliver(blueAt)), "La domanda 1 è già stata chiusa", "domanda: 2 scarto")
}

func TestPauseAndExtend(t *testing.T) {
	ctx := context.Background()
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.deliver(redAt)
	if err := h.office.Clerk().Pause(ctx, "lot-1", "a holiday"); err != nil {
		t.Fatal(err)
	}
	h.says(h.one(h.deliver(redAt)), "paused", "a holiday")
	var refused *game.RefusedError
	if err := h.office.Clerk().Pause(ctx, "lot-1", ""); !errors.As(err, &refused) {
		t.Errorf("paused twice: %v", err)
	}
	h.clock.move(240 * time.Hour)
	h.tick()
	h.silent(redAt)
	// Answers are taken, but nothing is resolved.
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	if h.record("lot-1").Stop != 1 {
		t.Fatal("a paused game was resolved")
	}
	h.deliver(redAt)
	h.deliver(blueAt)
	if err := h.office.Clerk().Resume(ctx, "lot-1"); err != nil {
		t.Fatal(err)
	}
	g := h.record("lot-1")
	if g.Stop != 2 {
		t.Fatal("resuming did not resolve the stop")
	}
	for _, s := range g.Seats {
		if s.Owes != nil {
			before := s.Owes.Deadline
			if err := h.office.Clerk().Extend(ctx, "lot-1", s.Side, 48*time.Hour); err != nil {
				t.Fatal(err)
			}
			if after := h.record("lot-1").Seat(s.Side).Owes.Deadline; after.Sub(before) != 48*time.Hour {
				t.Errorf("extended from %v to %v", before, after)
			}
			if err := h.office.Clerk().ExtendUntil(ctx, "lot-1", s.Side, before); !errors.As(err, &refused) {
				t.Errorf("a deadline was moved to an earlier time: %v", err)
			}
		}
	}
}

func TestPauseMovesDeadlines(t *testing.T) {
	ctx := context.Background()
	h := newTestOffice(t)
	h.newGame(twoSides)
	before := h.record("lot-1").Seat("red").Owes.Deadline
	if err := h.office.Clerk().Pause(ctx, "lot-1", ""); err != nil {
		t.Fatal(err)
	}
	h.clock.move(100 * time.Hour)
	h.tick()
	if err := h.office.Clerk().Resume(ctx, "lot-1"); err != nil {
		t.Fatal(err)
	}
	if after := h.record("lot-1").Seat("red").Owes.Deadline; after.Sub(before) != 100*time.Hour {
		t.Errorf("the deadline moved by %v", after.Sub(before))
	}
	h.wantKinds("lot-1", log.KindSetup, log.KindPaused, log.KindResumed)
}

func TestReplace(t *testing.T) {
	ctx := context.Background()
	h := newTestOffice(t)
	h.newGame(twoSides)
	old := h.template(redAt)
	h.write(redAt, fill(old, "{bid: R-3}"), mail.Processed)
	h.deliver(redAt)
	err := h.office.Clerk().Replace(ctx, "lot-1", "red", log.Person{Name: "Renzo", Address: "Renzo@play.example", Language: "it", Zone: "Europe/Rome"})
	if err != nil {
		t.Fatal(err)
	}
	h.says(h.one(h.deliver(redAt)), "another player")
	fresh := h.one(h.deliver("renzo@play.example"))
	h.says(fresh, "Renzo", "R-1", "domanda: 1 offerta", log.Commitment(h.record("lot-1").Seed))
	// The old player is a stranger now, whatever key he has; the new one is not.
	h.write(redAt, fill(old, "{bid: R-1}"), mail.Rejected)
	h.silent(redAt)
	h.write("renzo@play.example", fill(old, "{bid: R-1}"), mail.Rejected)
	h.says(h.one(h.deliver("renzo@play.example")), "chiave")
	h.write("renzo@play.example", fill(file(fresh), "{bid: R-1}"), mail.Processed)
	h.says(h.one(h.deliver("renzo@play.example")), "offri: R-1", "R-3: non più bid") // and what it replaces
}

func TestSecondThoughts(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides + "second-thoughts: 30m\n")
	red, blue := h.template(redAt), h.template(blueAt)
	h.write(redAt, fill(red, "{bid: R-1}"), mail.Processed)
	h.write(blueAt, fill(blue, "{bid: B-1}"), mail.Processed)
	h.clock.move(20 * time.Minute)
	h.tick()
	if h.record("lot-1").Stop != 1 {
		t.Fatal("resolved too early")
	}
	h.write(redAt, fill(red, "{bid: R-2}"), mail.Processed)
	h.clock.move(29 * time.Minute)
	h.tick()
	if h.record("lot-1").Stop != 1 {
		t.Fatal("the wait did not start anew")
	}
	h.clock.move(time.Minute)
	h.tick()
	if h.record("lot-1").Stop != 2 {
		t.Fatal("not resolved")
	}
}

func TestFinalNo(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}", "final: no"), mail.Processed)
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	h.clock.move(71 * time.Hour)
	h.tick()
	if h.record("lot-1").Stop != 1 {
		t.Fatal("resolved although red is not final")
	}
	h.clock.move(time.Hour)
	h.tick()
	var by []string
	h.store.Read(context.Background(), func(tx store.Reader) error {
		return tx.Entries("lot-1", 0, func(e chain.Entry) error {
			var r log.Resolved
			if entry, err := log.Read(e, nil); err != nil || entry.Kind != log.KindResolved {
				return err
			}
			_, err := log.Read(e, &r)
			for _, a := range r.Answers {
				by = append(by, a.By)
			}
			return err
		})
	})
	if !slices.Equal(by, []string{"player", "player"}) {
		t.Errorf("answered by %q", by)
	}
}

func TestNotEarly(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides + "early: no\n")
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	if h.record("lot-1").Stop != 1 {
		t.Fatal("resolved early")
	}
	h.clock.move(72 * time.Hour)
	h.tick()
	if h.record("lot-1").Stop != 2 {
		t.Fatal("not resolved at the deadline")
	}
}

func TestDraft(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	f := h.template(redAt)
	h.deliver(redAt)
	h.write(redAt, fill(f, "{bid: R-1}", "draft: yes"), mail.Processed)
	h.says(h.one(h.deliver(redAt)), "bid: R-1", "draft")
	if h.record("lot-1").Seat("red").Owes.Answer != nil {
		t.Error("a draft counts")
	}
	h.wantKinds("lot-1", log.KindSetup)
}

func TestNewerReplacesOlder(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	f := h.template(redAt)
	h.deliver(redAt)
	early := h.letter(redAt, fill(f, "{bid: R-1}"))
	h.clock.move(time.Hour)
	h.write(redAt, fill(f, "{bid: R-2}"), mail.Processed)
	h.deliver(redAt)
	// Sent earlier, arrived later.
	h.take(early, mail.Rejected)
	l := h.one(h.deliver(redAt))
	h.says(l, "sent before", "bid: R-2")
	// The file of that letter is newer, so it replaces whatever came before.
	h.clock.move(-30 * time.Minute) // even by a wrong clock
	h.write(redAt, fill(file(l), "{bid: R-3}"), mail.Processed)
	h.deliver(redAt)
	h.clock.move(time.Hour)
	h.write(redAt, fill(f, "{bid: R-4}"), mail.Rejected)
	h.says(h.one(h.deliver(redAt)), "newer one", "bid: R-3")
	// A date in the future is not believed.
	future := h.letter(redAt, fill(h.template(redAt), "{bid: R-1}"))
	future.Date = h.clock.Now().Add(1000 * time.Hour)
	h.take(future, mail.Processed)
	h.clock.move(time.Minute)
	h.write(redAt, fill(h.template(redAt), "{bid: R-2}"), mail.Processed)
}

func TestResign(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.deliver(redAt)
	h.deliver(blueAt)
	h.deliver(gmAt)
	h.write(redAt, command(h, "lot-1", "red", "command: resign"), mail.Processed)
	h.one(h.deliver(redAt))
	h.says(h.one(h.deliver(blueAt)), "abbandono")
	h.says(h.one(h.deliver(gmAt)), "resigned")
	// The defaults play for red: blue alone decides when.
	for range 20 {
		g := h.record("lot-1")
		if g.Phase != game.Running {
			break
		}
		if g.Seat("blue").Owes == nil {
			t.Fatal("the game waits for one who has gone")
		}
		h.clock.move(time.Minute)
		h.write(blueAt, fill(h.template(blueAt), h.anyUnit("lot-1")("blue", g.Seat("blue").Owes)), mail.Processed)
	}
	if h.record("lot-1").Phase != game.Over {
		t.Fatal("no end")
	}
}

func TestAllResign(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.write(redAt, command(h, "lot-1", "red", "command: resign"), mail.Processed)
	h.write(blueAt, command(h, "lot-1", "blue", "comando: abbandono"), mail.Processed)
	g := h.record("lot-1")
	if g.Phase != game.Running || g.Paused.IsZero() {
		t.Error("a game without players goes on")
	}
}

// Random doings at random times: the log holds, every stop is resolved once,
// and the game goes on after a restart.
func TestRandomDoings(t *testing.T) {
	seeds := uint64(6)
	if raceEnabled {
		seeds = 2
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 7))
		h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour = 1000 })
		h.newGame(strings.Replace(twoSides, "rounds: 3", "rounds: 20", 1))
		ctx := context.Background()
		addresses := map[engine.Side]string{"red": redAt, "blue": blueAt}
		for range 150 {
			side := []engine.Side{"red", "blue"}[r.IntN(2)]
			g := h.record("lot-1")
			if g.Phase != game.Running {
				break
			}
			switch r.IntN(12) {
			case 0:
				h.clock.move(time.Duration(r.IntN(80)) * time.Hour)
				h.tick()
			case 1:
				h.restart()
			case 2:
				h.office.Clerk().Pause(ctx, "lot-1", "")
			case 3, 4:
				h.office.Clerk().Resume(ctx, "lot-1")
			case 5:
				h.office.Clerk().Extend(ctx, "lot-1", side, time.Duration(r.IntN(50))*time.Hour)
			case 6:
				h.office.Clerk().Remind(ctx, "lot-1", side)
			case 7:
				h.write(addresses[side], fill(h.template(addresses[side]), "{nonsense: 1}"), mail.Rejected)
			default:
				if o := g.Seat(side).Owes; o != nil {
					text := fill(h.template(addresses[side]), h.anyUnit("lot-1")(side, o))
					if _, err := h.office.Take(ctx, h.letter(addresses[side], text)); err != nil {
						t.Fatal(err)
					}
				}
			}
			h.clock.move(time.Minute)
		}
		stops := map[int]bool{}
		err := h.store.Read(context.Background(), func(tx store.Reader) error {
			if err := store.Verify(tx, "lot-1"); err != nil {
				return err
			}
			return tx.Entries("lot-1", 0, func(e chain.Entry) error {
				entry, err := log.Read(e, nil)
				if entry.Kind == log.KindResolved {
					if stops[entry.Stop] {
						t.Errorf("seed %d: stop %d was resolved twice", seed, entry.Stop)
					}
					stops[entry.Stop] = true
				}
				return err
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		if g := h.record("lot-1"); g.Phase == game.Running && len(stops) != g.Stop-1 {
			t.Errorf("seed %d: %d stops resolved, at stop %d", seed, len(stops), g.Stop)
		}
	}
}

// Every code that the office says has a sentence in every language.
func TestWords(t *testing.T) {
	h := newTestOffice(t)
	for _, err := range h.office.words.Check() {
		if s := err.Error(); strings.HasPrefix(s, "office.") || strings.HasPrefix(s, "lots.") || strings.HasPrefix(s, "order.unknown-setup") {
			t.Error(err)
		}
	}
	var sentences string // of the catalogues, each on a line that begins with its code
	catalogues, err := filepath.Glob("../templates/words/*.en.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range catalogues {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sentences += "\n" + string(text)
	}
	code := regexp.MustCompile(`"(office\.[a-z.-]+)("?)`)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range code.FindAllStringSubmatch(string(text), -1) {
			if strings.HasSuffix(m[1], "-") || strings.HasSuffix(m[1], ".") {
				if !strings.Contains(sentences, "\n"+m[1]) {
					t.Errorf("%s: no sentence starts with %s", name, m[1])
				}
				continue
			}
			if !h.office.words.Has(m[1]) {
				t.Errorf("%s: %s has no sentence", name, m[1])
			}
		}
	}
	var codes []string
	for _, kind := range []string{log.KindSetup, log.KindTaken, log.KindRefused, log.KindDeadline, log.KindResolved, log.KindOver, log.KindPaused, log.KindResumed, log.KindExtended,
		log.KindReminded, log.KindReplaced, log.KindResigned, log.KindClosed, log.KindLost, log.KindFault, log.KindRuling, log.KindRewound,
		log.KindLate, log.KindBot, log.KindReturned, log.KindAbsence, log.KindHeld, log.KindReleased} {
		codes = append(codes, "office.log."+kind)
	}
	for _, c := range playerCommands {
		codes = append(codes, "office.help.does-"+c)
	}
	for _, c := range append([]string{"new", "answer"}, gmCommands...) {
		codes = append(codes, "office.gm-help.does-"+c)
	}
	for _, r := range []string{mail.LeftType, mail.LeftSize, mail.LeftCharset, mail.LeftEncoding, mail.LeftTruncated, mail.LeftTNEF,
		mail.LeftMessage, mail.LeftEncrypted, mail.LeftBinary, mail.LeftBroken, mail.LeftArchive} {
		codes = append(codes, "office.left-out-"+r)
	}
	for _, c := range codes {
		if !h.office.words.Has(c) {
			t.Errorf("%s has no sentence", c)
		}
	}
	// No letter of a whole game shows a code in place of a sentence.
	h.newGame(twoSides)
	h.play("lot-1", h.anyUnit("lot-1"))
	bare := regexp.MustCompile(`(office|lots|order|letter)\.[a-z]+[.-][a-z]+`)
	for _, p := range h.post.sent {
		if found := bare.FindString(p.letter.Subject + p.letter.Parts[0].Text); found != "" && !strings.Contains(found, "club") {
			t.Errorf("letter %q says %s", p.letter.Subject, found)
		}
	}
	if s := h.office.words.Say("it", phrase.Say("office.resign.subject", game.SideName("red")), nil); s != "red: abbandono" {
		t.Errorf("%q", s)
	}
	_ = templates.Languages
}

var logHash = regexp.MustCompile(`[0-9a-f]{32}`)

// A deadline beyond the end of summer time is so many hours away, and is told
// by the clock that then holds; reminders keep their distance.
func TestDeadlineAcrossClockChange(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.clock.now = time.Date(2026, 10, 24, 9, 0, 0, 0, time.UTC) })
	h.newGame(twoSides)
	h.says(h.one(h.deliver(redAt)), "10:00 CET (UTC+1)") // 72 hours after 11:00 CEST
	h.deliver(blueAt)
	h.clock.move(48*time.Hour - time.Second)
	h.tick()
	h.silent(redAt)
	h.clock.move(time.Second)
	h.tick()
	h.one(h.deliver(redAt))
	h.clock.move(24*time.Hour - time.Second)
	h.tick()
	if h.record("lot-1").Stop != 1 {
		t.Error("resolved before the deadline")
	}
	h.clock.move(time.Second)
	h.tick()
	if h.record("lot-1").Stop == 1 {
		t.Error("not resolved at the deadline")
	}
}
