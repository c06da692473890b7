package adjudicator

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/mail"
	"berthier/orders/phrase"
	"berthier/templates"
)

// A whole game by letters: reports, confirmations, the log, the dice.
func TestWholeGame(t *testing.T) {
	h := newHouse(t)
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

// A seat hears nothing of stops that are not its own, and counts only its own.
func TestOwnStopsOnly(t *testing.T) {
	h := newHouse(t)
	h.newGame(strings.Replace(twoSides, "rounds: 3", "rounds: 5", 1))
	h.play("lot-1", h.anyUnit("lot-1"))
	g := h.record("lot-1")
	if g.Stop <= g.Seat("red").Stops || g.Stop <= g.Seat("blue").Stops {
		t.Fatal("no side was asked alone in this game")
	}
	for _, side := range []engine.Side{"red", "blue"} {
		s := g.Seat(side)
		last := 0
		for _, p := range h.post.sent {
			if p.to != s.Person.Address || p.letter.Subject == "" {
				continue
			}
			if m := regexp.MustCompile(`stop: (\d+) `).FindStringSubmatch(file(p.letter)); m != nil {
				var n int
				fmt.Sscan(m[1], &n)
				if n != last && n != last+1 {
					t.Errorf("%s: stop %d after %d", side, n, last)
				}
				last = n
			}
		}
		if last != s.Stops {
			t.Errorf("%s: last stop %d of %d", side, last, s.Stops)
		}
	}
}

// What a side must not know stands in none of its letters.
func TestNoLeaks(t *testing.T) {
	h := newHouse(t, func(h *house) { h.opt.AnswersPerHour = 1000 })
	h.newGame(strings.Replace(twoSides, "rounds: 3", "rounds: 5", 1))
	blueKey := key(h, "lot-1", "blue")
	redKey := key(h, "lot-1", "red")
	pick := h.anyUnit("lot-1")
	h.play("lot-1", func(side engine.Side, o *game.Owes) string {
		if side == "blue" {
			h.write(blueAt, fill(h.template(blueAt), "{bid: R-1, nonsense: B-1}"), mail.Rejected)
			h.write(blueAt, fill(h.template(blueAt), pick(side, o), "draft: true", "note: secret-note"), mail.Processed)
			for _, c := range []string{"status", "report", "history", "rules", "help"} {
				h.write(blueAt, command(h, "lot-1", "blue", "command: "+c), mail.Processed)
			}
		}
		return pick(side, o)
	})
	for _, c := range []string{"status", "report", "history"} {
		h.write(redAt, command(h, "lot-1", "red", "command: "+c), mail.Processed)
		h.write(blueAt, command(h, "lot-1", "blue", "command: "+c), mail.Processed)
	}
	h.flush()
	hidden := map[string][]string{
		redAt:  {"B-1", "B-2", "B-3", "B-4", blueKey, blueAt, "Bruno", "secret-note"},
		blueAt: {"R-2", "R-3", "R-4", redKey, redAt, "Rosa"},
	}
	for _, p := range h.post.sent {
		text := wordsOf(p.letter) + string(p.raw)
		for _, secret := range hidden[p.to] {
			if strings.Contains(text, secret) {
				t.Errorf("letter %q to %s holds %q", p.letter.Subject, p.to, secret)
			}
		}
	}
}

// ends is the number of the last entry, which only the letter that brings the whole
// log may tell: it counts what the others wrote.
var ends = regexp.MustCompile(`log entry \d+`)

var marks = regexp.MustCompile(`[0-9a-f]{16,}|(letter|game)\.[a-z2-7]+@|=_[0-9a-f]+_\d+`)

// Whatever a player does besides answering, the other's letters stay the same,
// but for the hash of the log, and for its length once all of it is open.
func TestOthersDoingsDoNotShow(t *testing.T) {
	play := func(busy bool) []string {
		h := newHouse(t, func(h *house) { h.opt.AnswersPerHour = 1000 })
		h.newGame(twoSides)
		h.flush()
		pick := h.anyUnit("lot-1")
		at := h.clock.Now()
		for range 50 {
			g := h.record("lot-1")
			if g.Phase != game.Running {
				break
			}
			for _, side := range []engine.Side{"red", "blue"} {
				s := h.record("lot-1").Seat(side)
				if s.Owes == nil || s.Owes.Answer != nil {
					continue
				}
				at = at.Add(time.Hour)
				h.clock.now = at
				if busy && side == "blue" {
					h.write(blueAt, fill(h.template(blueAt), "{bid: X-9}"), mail.Rejected)
					h.write(blueAt, fill(h.template(blueAt), pick(side, s.Owes), "final: no"), mail.Processed)
					h.write(blueAt, command(h, "lot-1", "blue", "command: status"), mail.Processed)
				}
				h.write(s.Person.Address, fill(h.template(s.Person.Address), pick(side, s.Owes)), mail.Processed)
				h.flush()
			}
		}
		var all []string
		for _, p := range h.post.sent {
			if p.to == redAt {
				text := marks.ReplaceAllString(wordsOf(p.letter), "~")
				if strings.Contains(text, "lot-1.zip") {
					text = ends.ReplaceAllString(text, "~")
				}
				all = append(all, text)
			}
		}
		return all
	}
	quiet, busy := play(false), play(true)
	if !slices.Equal(quiet, busy) {
		for i := range min(len(quiet), len(busy)) {
			if quiet[i] != busy[i] {
				t.Fatalf("letter %d differs:\n%s\n----\n%s", i, quiet[i], busy[i])
			}
		}
		t.Fatalf("%d letters and %d", len(quiet), len(busy))
	}
}

// Two positions that differ only in what red can't see give red the same
// letters.
func TestHiddenStateDoesNotShow(t *testing.T) {
	letters := func(scramble bool) []string {
		rules := &scrambled{enginetest.New(), scramble}
		h := newHouse(t, func(h *house) { h.rules = rules })
		h.newGame(twoSides)
		h.write(redAt, fill(h.template(redAt), "{bid: R-7}"), mail.Rejected)
		h.write(redAt, fill(h.template(redAt), "{bid: B-1}"), mail.Rejected)
		h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
		h.write(redAt, command(h, "lot-1", "red", "command: status"), mail.Processed)
		h.write(redAt, command(h, "lot-1", "red", "command: report"), mail.Processed)
		h.flush()
		var all []string
		for _, p := range h.post.sent {
			if p.to == redAt {
				all = append(all, marks.ReplaceAllString(string(p.raw)+wordsOf(p.letter), "~"))
			}
		}
		return all
	}
	if a, b := letters(false), letters(true); !slices.Equal(a, b) {
		t.Error("red's letters tell of blue's units")
	}
}

// scrambled deals blue other units.
type scrambled struct {
	enginetest.Lots
	on bool
}

func (s *scrambled) New(setup engine.Setup) (engine.Position, error) {
	p, err := s.Lots.New(setup)
	if err == nil && s.on {
		g := p.(*enginetest.Game)
		units := g.Players[1].Units
		for i := range units {
			units[i].Strength = 6 - units[i].Strength
		}
		g.Players[1].Units = units[:3]
	}
	return p, err
}

func TestDeadlines(t *testing.T) {
	h := newHouse(t)
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
	h.says(reminder, "Promemoria", "stop: 1 bid")
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
	h.says(report, "non sono arrivati in tempo", "Rosso vince", "stop: 2 discard")
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
	h.says(h.one(h.deliver(blueAt)), "La fermata 1 è già stata risolta", "stop: 2 discard")
}

func TestPauseAndExtend(t *testing.T) {
	ctx := context.Background()
	h := newHouse(t)
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
	h := newHouse(t)
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
	h := newHouse(t)
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
	h.says(fresh, "Renzo", "R-1", "stop: 1 bid", log.Commitment(h.record("lot-1").Seed))
	// The old player is a stranger now, whatever key he has; the new one is not.
	h.write(redAt, fill(old, "{bid: R-1}"), mail.Rejected)
	h.silent(redAt)
	h.write("renzo@play.example", fill(old, "{bid: R-1}"), mail.Rejected)
	h.says(h.one(h.deliver("renzo@play.example")), "chiave")
	h.write("renzo@play.example", fill(file(fresh), "{bid: R-1}"), mail.Processed)
	h.says(h.one(h.deliver("renzo@play.example")), "bid: R-1", "R-3: non più bid") // and what it replaces
}

func TestSecondThoughts(t *testing.T) {
	h := newHouse(t)
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
	h := newHouse(t)
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
	h := newHouse(t)
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
	h := newHouse(t)
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
	h := newHouse(t)
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
	h := newHouse(t)
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
	h := newHouse(t)
	h.newGame(twoSides)
	h.write(redAt, command(h, "lot-1", "red", "command: resign"), mail.Processed)
	h.write(blueAt, command(h, "lot-1", "blue", "comando: abbandono"), mail.Processed)
	g := h.record("lot-1")
	if g.Phase != game.Running || g.Paused.IsZero() {
		t.Error("a game without players goes on")
	}
}

// A process that dies between any two transactions goes on where it was.
func TestRestartAnywhere(t *testing.T) {
	h := newHouse(t)
	h.newGame(twoSides)
	pick := h.anyUnit("lot-1")
	steps := 0
	h.play("lot-1", func(side engine.Side, o *game.Owes) string {
		steps++
		h.restart()
		return pick(side, o)
	})
	quiet := newHouse(t)
	quiet.newGame(twoSides)
	quiet.play("lot-1", quiet.anyUnit("lot-1"))
	if a, b := h.kinds("lot-1"), quiet.kinds("lot-1"); !slices.Equal(a, b) || steps < 6 {
		t.Errorf("%q, without restarts %q", a, b)
	}
}

// The letter was taken in and the process died before it was moved: it comes
// again and changes nothing.
func TestTakenOnce(t *testing.T) {
	h := newHouse(t)
	h.newGame(twoSides)
	l := h.letter(redAt, fill(h.template(redAt), "{bid: R-1}"))
	h.take(l, mail.Processed)
	h.deliver(redAt)
	log := h.kinds("lot-1")
	h.restart()
	for range 3 {
		h.take(l, mail.Processed)
	}
	// The same letter by another way: other bytes, same Message-ID and content.
	again := *l
	again.Digest[0]++
	h.take(&again, mail.Processed)
	h.silent(redAt)
	h.wantKinds("lot-1", log...)
	// Another content under the same Message-ID is a letter of its own.
	other := h.letter(redAt, fill(h.template(redAt), "{bid: R-2}"))
	other.MessageID = l.MessageID
	h.take(other, mail.Processed)
	h.says(h.one(h.deliver(redAt)), "bid: R-2")
	// One that was refused stays so.
	bad := h.letter(redAt, fill(h.template(redAt), "{bid: X}"))
	h.take(bad, mail.Rejected)
	h.take(bad, mail.Rejected)
	h.one(h.deliver(redAt))
	// At the same time from two sides.
	both := h.letter(redAt, fill(h.template(redAt), "{bid: R-4}"))
	done := make(chan error, 8)
	for range 8 {
		go func() {
			_, err := h.office.Take(context.Background(), both)
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	h.one(h.deliver(redAt))
}

func TestOutboxFailures(t *testing.T) {
	h := newHouse(t)
	down := true
	h.post.refuse = func(to string) error {
		if to == redAt && down {
			return &serverFault{"greylisted", true}
		}
		return nil
	}
	h.newGame(twoSides)
	h.one(h.deliver(blueAt)) // the others' letters go out
	h.silent(redAt)
	h.clock.move(59 * time.Second)
	h.silent(redAt)
	h.clock.move(time.Second)
	h.silent(redAt) // tried again
	h.clock.move(time.Minute)
	down = false
	h.silent(redAt) // now two minutes
	h.clock.move(time.Minute)
	first := h.one(h.deliver(redAt))

	// Sent twice, a letter is the same bytes: nothing was noted of the first.
	var raws [][]byte
	h.store.Read(context.Background(), func(tx store.Reader) error { return nil })
	for _, p := range h.post.sent {
		raws = append(raws, p.raw)
	}
	if len(raws) != 3 || first.MessageID == "" {
		t.Errorf("%d letters", len(raws))
	}
	// Refused for good: marked, and the game master is told.
	h.deliver(gmAt)
	h.post.refuse = func(to string) error {
		if to == redAt {
			return &serverFault{"550 5.1.1 no such user", false}
		}
		return nil
	}
	h.write(redAt, command(h, "lot-1", "red", "command: status"), mail.Processed)
	h.says(h.one(h.deliver(gmAt)), "550 5.1.1", redAt)
	h.clock.move(49 * time.Hour)
	h.tick() // a reminder, which is lost too
	h.one(h.deliver(blueAt))
	h.says(h.one(h.deliver(gmAt)), "not working")
	h.clock.move(22 * time.Hour)
	h.tick()
	h.silent(gmAt) // told often enough
	d, err := h.office.Clerk().Show("lot-1")
	if err != nil || !d.Seats[0].Dead {
		t.Errorf("the seat is not marked: %v %+v", err, d)
	}
	// Whoever writes is alive.
	h.post.refuse = nil
	h.write(redAt, command(h, "lot-1", "red", "command: status"), mail.Processed)
	if h.record("lot-1").Seat("red").Dead {
		t.Error("still marked")
	}
}

// A letter that could not be noted as sent goes out again with the same bytes.
func TestSameBytesTwice(t *testing.T) {
	h := newHouse(t)
	h.newGame(twoSides)
	var first, again [][]byte
	for range 2 {
		err := h.store.Read(context.Background(), func(tx store.Reader) error {
			for _, id := range tx.Due(h.clock.Now(), 100) {
				r, _, err := h.office.box.Load(tx, id)
				if err != nil {
					return err
				}
				raw, err := h.office.box.Compose(id, r)
				if err != nil {
					return err
				}
				again = append(again, raw)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first, again = again, nil
			h.restart()
		}
	}
	if len(first) != 3 || !slices.EqualFunc(first, again, slices.Equal) {
		t.Error("the bytes differ")
	}
}

func TestBounce(t *testing.T) {
	h := newHouse(t)
	h.newGame(twoSides)
	report := h.one(h.deliver(redAt))
	h.deliver(gmAt)
	h.deliver(blueAt)
	bounce := func(id string, permanent bool) *mail.Letter {
		l := h.letter("mailer-daemon@mx.example", "could not deliver")
		l.Automatic = mail.AutoBounce
		l.Bounce = &mail.Bounce{Null: true, MessageID: id, Recipient: redAt, Status: "5.1.1", Diagnostic: "no such user", Permanent: permanent}
		return l
	}
	h.take(bounce(report.MessageID, false), mail.Processed)
	h.take(bounce("letter.aaaaaaaaaaaaaaaaaaaaaaaaaa@berthier.club.example", true), mail.Processed)
	h.take(bounce("x@y", true), mail.Processed)
	h.silent(gmAt)
	h.take(bounce(report.MessageID, true), mail.Processed)
	h.says(h.one(h.deliver(gmAt)), "5.1.1 no such user")
	h.take(bounce(report.MessageID, true), mail.Processed) // of the same letter
	h.silent(gmAt)
	if err := h.office.Clerk().Remind(context.Background(), "lot-1", "red"); err != nil {
		t.Fatal(err)
	}
	h.take(bounce(h.one(h.deliver(redAt)).MessageID, true), mail.Processed)
	h.says(h.one(h.deliver(gmAt)), "not working")
	h.silent("mailer-daemon@mx.example")
	h.silent(redAt)
}

// A ruleset that fails ends neither the office nor the game.
func TestRulesetFails(t *testing.T) {
	rules := &failing{Lots: enginetest.New()}
	h := newHouse(t, func(h *house) { h.rules = rules })
	h.newGame(twoSides)
	h.deliver(gmAt)
	for _, mode := range []string{"panic", "error"} {
		rules.mode = mode
		h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
		if h.record("lot-1").Seat("blue").Owes.Answer == nil {
			h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
		} else if err := h.office.Clerk().Resume(context.Background(), "lot-1"); err != nil {
			t.Fatal(err)
		}
		h.says(h.one(h.deliver(gmAt)), "could not be resolved", "oh")
		if g := h.record("lot-1"); g.Paused.IsZero() || g.Stop != 1 {
			t.Fatalf("%s: the game is not paused", mode)
		}
	}
	rules.mode = ""
	if err := h.office.Clerk().Resume(context.Background(), "lot-1"); err != nil {
		t.Fatal(err)
	}
	if g := h.record("lot-1"); g.Stop != 2 || g.Fault != "" {
		t.Error("the game does not go on")
	}
}

// failing is lots with positions that fail when told to.
type failing struct {
	enginetest.Lots
	mode string
}

type failingPosition struct {
	engine.Position
	rules *failing
}

func (f *failing) New(s engine.Setup) (engine.Position, error) {
	p, err := f.Lots.New(s)
	return &failingPosition{p, f}, err
}

func (f *failing) Load(data []byte) (engine.Position, error) {
	p, err := f.Lots.Load(data)
	return &failingPosition{p, f}, err
}

func (p *failingPosition) Clone() engine.Position {
	return &failingPosition{p.Position.Clone(), p.rules}
}

func (p *failingPosition) Advance(a map[engine.Side]engine.Answer, d engine.Dice) ([]engine.Event, error) {
	switch p.rules.mode {
	case "panic":
		panic("oh")
	case "error":
		return nil, errors.New("oh")
	}
	return p.Position.Advance(a, d)
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
		h := newHouse(t, func(h *house) { h.opt.AnswersPerHour = 1000 })
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
	h := newHouse(t)
	for _, err := range h.office.words.Check() {
		if s := err.Error(); strings.HasPrefix(s, "office.") || strings.HasPrefix(s, "lots.") || strings.HasPrefix(s, "order.unknown-setup") {
			t.Error(err)
		}
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
				if len(h.office.words.Codes(m[1])) == 0 {
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

// The hash of the log at the foot of a letter does not tell whether the other
// side has written since the letter before.
func TestHashDoesNotTell(t *testing.T) {
	h := newHouse(t)
	h.newGame(twoSides)
	status := func() string {
		h.deliver(redAt)
		h.write(redAt, command(h, "lot-1", "red", "command: status"), mail.Processed)
		found := logHash.FindAllString(wordsOf(h.one(h.deliver(redAt))), -1)
		if len(found) == 0 {
			t.Fatal("the letter has no hash")
		}
		return found[len(found)-1]
	}
	first := status()
	h.write(blueAt, fill(h.template(blueAt), "{bid: X-9}"), mail.Rejected)
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}", "final: no"), mail.Processed)
	if err := h.office.Clerk().Remind(context.Background(), "lot-1", "blue"); err == nil {
		t.Error("blue has answered and was reminded")
	}
	if got := status(); got != first {
		t.Error("red's hash changes when blue writes")
	}
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}", "final: no"), mail.Processed)
	if got := status(); got == first {
		t.Error("red's hash does not change when his own orders are logged")
	}
}

// While the store fails a letter that was sent is not sent again and again, and no
// other goes out: it would go out twice after a death. It is noted once the store
// works.
func TestSentButNotNoted(t *testing.T) {
	full := &atomic.Bool{}
	h := newHouse(t, func(h *house) { h.opt.Senders, h.full = 1, full })
	h.newGame(twoSides)
	ctx := context.Background()
	h.post.refuse = func(string) error { // the disk fills up while letters go out
		full.Store(true)
		return nil
	}
	for range 3 {
		if _, err := h.office.Send(ctx, h.post); err == nil {
			t.Fatal("the failure is not told")
		}
	}
	if sent := len(h.post.sent); sent != 1 {
		t.Errorf("%d letters went out that could not be noted, want the one in flight", sent)
	}
	full.Store(false)
	h.post.refuse = nil
	h.flush()
	seen := map[string]int{}
	for _, p := range h.post.sent {
		seen[p.letter.MessageID]++
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("letter %s was sent %d times", id, n)
		}
	}
	if len(seen) != 3 {
		t.Errorf("%d letters, want 3", len(seen))
	}
}

// A row that can't be read any more keeps no other letter waiting.
func TestBrokenRow(t *testing.T) {
	h := newHouse(t)
	h.spoilt = true
	bodies := [][]byte{{}, {1, 1, 2}, []byte("\x00{"), []byte("\x07{}"),
		[]byte("\x00{\"address\": \"" + redAt + "\", \"letter\": 3}")} // the last shows only when its turn comes
	id, err := h.store.Reserve(t.Context(), len(bodies))
	if err != nil {
		t.Fatal(err)
	}
	var c store.Change
	for i, body := range bodies {
		c.PutOutgoing(store.Outgoing{ID: id + uint64(i), Due: h.clock.Now(), Body: body})
	}
	h.behind(c)
	h.newGame(twoSides)
	h.one(h.deliver(redAt))
	h.one(h.deliver(blueAt))
}

// A game whose views panic when its clock is looked at stands still; the office
// and the other games go on.
func TestPanicInTick(t *testing.T) {
	rules := &fragile{Lots: enginetest.New()}
	h := newHouse(t, func(h *house) { h.rules = rules })
	h.newGame(twoSides)
	h.newGame(strings.NewReplacer("lot-1", "lot-2", "3d", "9d").Replace(twoSides))
	for _, address := range []string{redAt, blueAt, gmAt} {
		h.deliver(address)
	}
	rules.broken = true
	h.clock.move(4 * 24 * time.Hour)
	if err := h.office.Tick(context.Background()); err == nil {
		t.Error("the panic is not told")
	}
	rules.broken = false
	h.tick() // nothing is due any more
	if g := h.record("lot-1"); g.Paused.IsZero() || g.Stop != 1 {
		t.Errorf("paused %v at stop %d", g.Paused, g.Stop)
	}
	h.says(h.one(h.deliver(gmAt)), "lot-1", "oh no")
	if err := h.office.Clerk().Resume(context.Background(), "lot-1"); err != nil {
		t.Error(err)
	}
}

// fragile is lots whose players' views can't be written while it is broken.
type fragile struct {
	enginetest.Lots
	broken bool
}

type fragilePosition struct {
	engine.Position
	rules *fragile
}

func (f *fragile) wrap(p engine.Position, err error) (engine.Position, error) {
	if err != nil {
		return nil, err
	}
	return fragilePosition{p, f}, nil
}

func (f *fragile) New(s engine.Setup) (engine.Position, error) { return f.wrap(f.Lots.New(s)) }
func (f *fragile) Load(data []byte) (engine.Position, error)   { return f.wrap(f.Lots.Load(data)) }
func (p fragilePosition) Clone() engine.Position               { return fragilePosition{p.Position.Clone(), p.rules} }
func (p fragilePosition) View(side engine.Side) engine.View {
	if p.rules.broken && side != engine.GM {
		panic("oh no")
	}
	return p.Position.View(side)
}

// A deadline beyond the end of summer time is so many hours away, and is told
// by the clock that then holds; reminders keep their distance.
func TestDeadlineAcrossClockChange(t *testing.T) {
	h := newHouse(t, func(h *house) { h.clock.now = time.Date(2026, 10, 24, 9, 0, 0, 0, time.UTC) })
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
