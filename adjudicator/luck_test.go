package adjudicator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/engine"
	"berthier/mail"
)

var luckySides = strings.Replace(twoSides, "seed: \"a fixed seed\"\n", "luck: asked\n", 1)

// A game with luck: asked tells every player its commitment and begins when each has
// given a word, of which the last counts; the words are in the log and in every roll.
func TestLuckIsAskedBeforeTheGameBegins(t *testing.T) {
	h := newHouse(t, func(h *house) { h.opt.Repeatable = false })
	h.newGame(luckySides)
	g := h.record("lot-1")
	for _, address := range []string{redAt, blueAt} {
		l := h.one(h.deliver(address))
		h.says(l, commitment(g.Seed), "luck")
		if strings.Contains(wordsOf(l), "orders: default") {
			t.Errorf("%s is asked for orders before the words are in", address)
		}
	}
	h.write(redAt, command(h, "lot-1", "red", "command: luck"), mail.Rejected)
	h.write(redAt, command(h, "lot-1", "red", "command: luck", "word: "+strings.Repeat("x", longestWord+1)), mail.Rejected)
	h.write(redAt, command(h, "lot-1", "red", "command: luck", "word: Grouchy"), mail.Processed)
	h.write(redAt, command(h, "lot-1", "red", "command: luck", "word: give me  night"), mail.Processed)
	h.says(h.last(redAt), "give me night")
	h.silent(blueAt)
	if g := h.record("lot-1"); g.Stop != 0 || g.seat("red").Owes != nil {
		t.Fatalf("the game has begun without blue's word: stop %d", g.Stop)
	}
	h.restart()
	h.write(blueAt, command(h, "lot-1", "blue", "comando: fortuna", "parola: o i prussiani"), mail.Processed)
	if g := h.record("lot-1"); g.Stop != 1 || g.seat("red").Owes == nil {
		t.Fatalf("all words are in, and the game has not begun: stop %d", g.Stop)
	}
	h.write(redAt, command(h, "lot-1", "red", "command: luck", "word: too late"), mail.Rejected)
	if got, want := fmt.Sprint(h.record("lot-1").words()), "[{red give me night} {blue o i prussiani}]"; got != want {
		t.Errorf("words %s, want %s", got, want)
	}
	h.play("lot-1", h.anyUnit("lot-1"))
	h.flush()
	for _, side := range []engine.Side{engine.GM, "red", "blue"} {
		x := h.export("lot-1", side)
		if v := h.verify(x); v.Verdict() != Holds {
			t.Errorf("%s: %+v", side, v)
		}
		for _, address := range []string{redAt, blueAt} {
			if c := VerifyLetters(x, h.mails(address)); len(c.Wrong) > 0 || c.Count < 3 {
				t.Errorf("%s, letters to %s: %+v", side, address, c)
			}
		}
	}
}

// Who sends no word does not keep the others waiting for ever, and it is told of the
// game that his is missing. A letter alone never lets the time pass.
func TestLuckIsNotWaitedForForEver(t *testing.T) {
	h := newHouse(t)
	h.newGame(luckySides)
	h.write(redAt, command(h, "lot-1", "red", "command: luck", "word: Grouchy"), mail.Processed)
	h.clock.move(3*24*time.Hour - time.Minute)
	h.tick()
	if h.record("lot-1").Stop != 0 {
		t.Fatal("the game has begun before the time was up")
	}
	h.clock.move(2 * time.Minute)
	h.tick()
	if h.record("lot-1").Stop != 1 {
		t.Fatal("the time is up, and the game has not begun")
	}
	h.play("lot-1", h.anyUnit("lot-1"))
	v := h.verify(h.export("lot-1", engine.GM))
	if v.Verdict() != Holds || !strings.Contains(fmt.Sprint(v.Notes), "blue gave no word") {
		t.Errorf("%+v", v)
	}
}

// A set-up may fix the seed in an office of a demo or a test alone; there the first
// report and the log say so, and so does whoever verifies the game.
func TestFixedSeedsAreOfTheDemoAlone(t *testing.T) {
	h := newHouse(t, func(h *house) { h.opt.Repeatable = false })
	if _, problems := h.office.ReadSetup(twoSides, nil); len(problems) != 1 || problems[0].Why.Code != "office.setup.seed-fixed" {
		t.Errorf("%v", problems)
	}
	h.newGame(strings.Replace(twoSides, "seed: \"a fixed seed\"\n", "", 1))
	l := h.one(h.deliver(redAt))
	h.says(l, "by scheme 2")
	h.lacks(l, "not drawn by chance")

	demo := newHouse(t)
	demo.newGame(twoSides)
	demo.says(demo.one(demo.deliver(redAt)), "not drawn by chance")
	demo.play("lot-1", demo.anyUnit("lot-1"))
	x := demo.export("lot-1", "red")
	if !strings.Contains(x.Entries[0].Body, `"fixed":true`) {
		t.Error("the log does not say that the seed was fixed")
	}
	if v := demo.verify(x); !strings.Contains(fmt.Sprint(v.Notes), "not drawn by chance") {
		t.Errorf("%+v", v)
	}
}
