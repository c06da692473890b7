package adjudicator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/verify"
	"berthier/engine"
	"berthier/engine/waterloo"
	"berthier/mail"
)

var luckySides = strings.Replace(twoSides, "seed: \"a fixed seed\"\n", "luck: asked\n", 1)

// A game with luck: asked tells every player its commitment and begins when each has
// given a word, of which the last counts; the words are in the log and in every roll.
func TestLuckIsAskedBeforeTheGameBegins(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.Repeatable = false })
	h.newGame(luckySides)
	g := h.record("lot-1")
	for _, address := range []string{redAt, blueAt} {
		l := h.one(h.deliver(address))
		h.says(l, log.Commitment(g.Seed), map[string]string{redAt: "command: luck", blueAt: "comando: fortuna"}[address])
		if strings.Contains(wordsOf(l), "orders: default") {
			t.Errorf("%s is asked for orders before the words are in", address)
		}
	}
	h.write(redAt, command(h, "lot-1", "red", "command: luck"), mail.Rejected)
	h.write(redAt, command(h, "lot-1", "red", "command: luck", "word: "+strings.Repeat("x", intake.LongestWord+1)), mail.Rejected)
	h.write(redAt, command(h, "lot-1", "red", "command: luck", "word: Grouchy"), mail.Processed)
	h.write(redAt, command(h, "lot-1", "red", "command: luck", "word: give me  night"), mail.Processed)
	h.says(h.last(redAt), "give me night")
	h.silent(blueAt)
	if g := h.record("lot-1"); g.Stop != 0 || g.Seat("red").Owes != nil {
		t.Fatalf("the game has begun without blue's word: stop %d", g.Stop)
	}
	h.restart()
	h.write(blueAt, command(h, "lot-1", "blue", "comando: fortuna", "parola: o i prussiani"), mail.Processed)
	if g := h.record("lot-1"); g.Stop != 1 || g.Seat("red").Owes == nil {
		t.Fatalf("all words are in, and the game has not begun: stop %d", g.Stop)
	}
	h.write(redAt, command(h, "lot-1", "red", "command: luck", "word: too late"), mail.Rejected)
	if got, want := fmt.Sprint(h.record("lot-1").Words()), "[{red give me night} {blue o i prussiani}]"; got != want {
		t.Errorf("words %s, want %s", got, want)
	}
	h.play("lot-1", h.anyUnit("lot-1"))
	h.flush()
	for _, side := range []engine.Side{engine.GM, "red", "blue"} {
		x := h.export("lot-1", side)
		if v := h.verify(x); v.Verdict() != verify.Holds {
			t.Errorf("%s: %+v", side, v)
		}
		for _, address := range []string{redAt, blueAt} {
			if c := VerifyLetters(x, h.mails(address)); len(c.Wrong) > 0 || c.Count < 3 {
				t.Errorf("%s, letters to %s: %+v", side, address, c)
			}
		}
	}
}

// A player who sends no word for the dice does not keep the others waiting for ever, and the
// game says that his word is missing. A letter alone never lets the time for it pass.
func TestLuckIsNotWaitedForForEver(t *testing.T) {
	h := newTestOffice(t)
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
	if v.Verdict() != verify.Holds || !strings.Contains(fmt.Sprint(v.Notes), "blue gave no word") {
		t.Errorf("%+v", v)
	}
}

// A set-up may fix the seed in an office of a demo or a test alone; there the first
// report and the log say so, and so does whoever verifies the game.
func TestFixedSeedsAreOfTheDemoAlone(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.Repeatable = false })
	if _, problems := h.office.Clerk().ReadSetup(twoSides, nil); len(problems) != 1 || problems[0].Why.Code != "office.setup.seed-fixed" {
		t.Errorf("%v", problems)
	}
	h.newGame(strings.Replace(twoSides, "seed: \"a fixed seed\"\n", "", 1))
	l := h.one(h.deliver(redAt))
	h.says(l, "scheme 2")
	h.lacks(l, "not drawn by chance")

	demo := newTestOffice(t)
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

// Who takes a seat over while the words are asked is told the commitment and asked for a
// word of his own, with the usual time for it; that of the one before him goes with its
// player, and the game does not begin with it.
func TestWhoTakesASeatOverIsAskedForHisWord(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(luckySides)
	g := h.record("lot-1")
	h.write(blueAt, command(h, "lot-1", "blue", "command: luck", "word: Grouchy"), mail.Processed)
	h.clock.move(2 * 24 * time.Hour)
	const newAt = "new@play.example"
	if err := h.office.Clerk().Replace(t.Context(), "lot-1", "blue", log.Person{Name: "New", Address: newAt}); err != nil {
		t.Fatal(err)
	}
	h.says(h.one(h.deliver(newAt)), log.Commitment(g.Seed), "command: luck")
	h.write(redAt, command(h, "lot-1", "red", "command: luck", "word: Ney"), mail.Processed)
	h.clock.move(2 * 24 * time.Hour)
	h.tick()
	if h.record("lot-1").Stop != 0 {
		t.Fatal("the game has begun with the word of the one before, or without the new player's")
	}
	h.restart()
	h.write(newAt, command(h, "lot-1", "blue", "command: luck", "word: night"), mail.Processed)
	if got, want := fmt.Sprint(h.record("lot-1").Words()), "[{red Ney} {blue night}]"; got != want || h.record("lot-1").Stop != 1 {
		t.Fatalf("words %s, want %s; stop %d", got, want, h.record("lot-1").Stop)
	}
	h.play("lot-1", h.anyUnit("lot-1"))
	for _, side := range []engine.Side{engine.GM, "red", "blue"} {
		if v := h.verify(h.export("lot-1", side)); v.Verdict() != verify.Holds {
			t.Errorf("%s: %+v", side, v)
		}
	}
}

// While a game is paused the time for the words stands still, too.
func TestAPauseTakesNothingOfTheTimeForWords(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(luckySides)
	h.write(redAt, command(h, "lot-1", "red", "command: luck", "word: Grouchy"), mail.Processed)
	h.clock.move(24 * time.Hour)
	if err := h.office.Clerk().Pause(t.Context(), "lot-1", ""); err != nil {
		t.Fatal(err)
	}
	h.clock.move(10 * 24 * time.Hour)
	h.tick()
	// A player who joins while the game is paused is asked all the same.
	if err := h.office.Clerk().Replace(t.Context(), "lot-1", "red", log.Person{Name: "New", Address: "new@play.example"}); err != nil {
		t.Fatal(err)
	}
	h.says(h.one(h.deliver("new@play.example")), "command: luck")
	if err := h.office.Clerk().Resume(t.Context(), "lot-1"); err != nil {
		t.Fatal(err)
	}
	h.clock.move(2*24*time.Hour - time.Minute)
	h.tick()
	if h.record("lot-1").Stop != 0 {
		t.Fatal("the pause has used up the time for the words")
	}
	h.clock.move(20 * 24 * time.Hour)
	h.tick()
	if h.record("lot-1").Stop != 1 {
		t.Fatal("the game does not begin")
	}
}

// An office that draws many seeds can choose the rolls that fall before anybody has given
// orders. So whoever verifies a game is told how many such rolls there were, unless the
// players' words went into them.
func TestRollsBeforeTheFirstAnswerAreCounted(t *testing.T) {
	for _, asked := range []bool{false, true} {
		more := masterOfHisOwn
		if asked {
			more += "luck: asked\n"
		}
		h := sit(t, waterloo.New(), "scenario-length: quick", []string{"french", "anglo"}, more)
		for _, side := range []engine.Side{"french", "anglo"} {
			if asked {
				h.write(mailboxOf(side), command(h.testOffice, h.id, side, "command: luck", "word: "+string(side)), mail.Processed)
			}
		}
		if err := h.office.Clerk().Close(t.Context(), h.id, "enough"); err != nil {
			t.Fatal(err)
		}
		x, rolls := h.export(h.id, "french"), 0
		for _, e := range x.Entries {
			var r log.Resolved
			if read, err := log.Decode([]byte(e.Body), &r); err == nil && read.Kind == log.KindResolved {
				rolls += len(r.Rolls) // nobody has ordered yet
			}
		}
		v := h.verify(x)
		if got, want := strings.Contains(fmt.Sprint(v.Notes), fmt.Sprintf("%d rolls fell before anybody had ordered", rolls)), !asked; rolls < 5 || got != want {
			t.Errorf("luck asked %v, %d rolls: %q", asked, rolls, v.Notes)
		}
	}
}
