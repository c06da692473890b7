package adjudicator

import (
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/mail"
)

// careful is lots with a caution for everybody who gives his weakest unit.
type careful struct{ enginetest.Lots }

func (r careful) Cautions(v engine.View, d engine.Decision, a engine.Answer) []engine.Caution {
	all := r.Lots.Cautions(v, d, a)
	for i := range all {
		all[i].Holds = true
	}
	return all
}

// odd is an office with a game whose last answer is odd: R-2 is the weakest unit of red.
func odd(t *testing.T, more string, change ...func(*testOffice)) *testOffice {
	t.Helper()
	h := newTestOffice(t, append(change, func(h *testOffice) { h.rules = careful{enginetest.New()} })...)
	h.newGame(twoSides + more)
	h.deliver(redAt)
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-3}"), mail.Processed)
	h.deliver(blueAt)
	return h
}

func stopOf(h *testOffice) int { return h.record("lot-1").Stop }

// An odd file that would resolve the stop is confirmed first, with what is odd and until when the
// stop waits; then it counts as it stands. The other player gets no letter meanwhile. A sound
// file resolves the stop at once.
func TestOddFileWaits(t *testing.T) {
	h := odd(t, "")
	h.write(redAt, fill(h.template(redAt), "{bid: R-2}"), mail.Processed)
	l := h.one(h.deliver(redAt))
	h.says(l, "R-2 is your weakest unit", "the stop waits until", "10:20", "Reply ok", "bid: R-2")
	h.silent(blueAt)
	h.clock.move(19 * time.Minute)
	h.tick()
	h.restart()
	h.tick()
	if stopOf(h) != 1 {
		t.Fatal("the stop is resolved before its time")
	}
	h.clock.move(time.Minute)
	h.tick()
	if stopOf(h) != 2 {
		t.Fatal("the stop waits on")
	}
	h = odd(t, "")
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
	if stopOf(h) != 2 {
		t.Error("a sound file waits")
	}
}

// The wait is ended by ok or now above the confirmation, by a file that is not odd, and left out
// by now: yes in the file; and none of it works with another key.
func TestOddFileGoesOn(t *testing.T) {
	for _, word := range []string{"ok", "Now!", "subito"} {
		h := odd(t, "")
		h.write(redAt, fill(h.template(redAt), "{bid: R-2}"), mail.Processed)
		l := h.one(h.deliver(redAt))
		forged := h.answering(redAt, word, l)
		forged.Parts[0].Text = strings.ReplaceAll(forged.Parts[0].Text, key(h, "lot-1", "red"), key(h, "lot-1", "blue"))
		h.take(forged, mail.Rejected)
		h.take(h.answering(blueAt, word, l), mail.Rejected)
		if stopOf(h) != 1 {
			t.Fatalf("%s with another's key ends the wait", word)
		}
		h.take(h.answering(redAt, word, l), mail.Processed)
		if stopOf(h) != 2 {
			t.Errorf("%s does not end the wait", word)
		}
	}
	h := odd(t, "")
	h.write(redAt, fill(h.template(redAt), "{bid: R-2}", "now: yes"), mail.Processed)
	if stopOf(h) != 2 {
		t.Error("a file with now: yes waits")
	}
	h = odd(t, "")
	text := h.template(redAt)
	h.write(redAt, fill(text, "{bid: R-2}"), mail.Processed)
	h.clock.move(time.Minute)
	h.write(redAt, fill(text, "{bid: R-1}"), mail.Processed)
	if stopOf(h) != 2 {
		t.Error("a better file waits for the one before it")
	}
}

// The wait never passes the deadline. If the clock jumps forward it is over; if the clock is put
// back the wait is long, as all waits are then, and the player ends it as always.
func TestOddFileNeverPassesTheDeadline(t *testing.T) {
	h := odd(t, "")
	text := h.template(redAt)
	deadline := h.record("lot-1").Seat("red").Owes.Deadline
	h.clock.move(deadline.Sub(h.clock.Now()) - 5*time.Minute)
	h.write(redAt, fill(text, "{bid: R-2}"), mail.Processed)
	if until := h.record("lot-1").Seat("red").Owes.Answer.Until; until.After(deadline) {
		t.Errorf("it waits until %s, and the deadline is %s", until, deadline)
	}
	h.clock.move(5 * time.Minute)
	h.tick()
	if stopOf(h) != 2 {
		t.Error("the stop waits past the deadline")
	}
	for _, jump := range []time.Duration{48 * time.Hour, -48 * time.Hour} {
		h = odd(t, "")
		h.write(redAt, fill(h.template(redAt), "{bid: R-2}"), mail.Processed)
		l := h.one(h.deliver(redAt))
		h.clock.move(jump)
		h.tick()
		if stop := stopOf(h); (stop == 2) != (jump > 0) {
			t.Errorf("after a jump by %s the game is at stop %d", jump, stop)
		}
		if jump < 0 { // and he need not wait until it has caught up
			h.take(h.answering(redAt, "ok", l), mail.Processed)
			if stopOf(h) != 2 {
				t.Error("the clock was put back, and ok does not end the wait")
			}
		}
	}
}

// By night an odd file waits for the morning if its player wants that, by his own clock.
func TestOddFileByNight(t *testing.T) {
	for _, test := range []struct {
		overnight bool
		at        time.Duration // after nine in the morning, UTC; Rome is an hour ahead
		want      string
	}{
		{false, 14 * time.Hour, "2026-03-02 23:20"},
		{true, 14 * time.Hour, "2026-03-03 06:30"},
		{true, 20 * time.Hour, "2026-03-03 06:30"},
		{true, 11*time.Hour + 59*time.Minute, "2026-03-02 21:19"},
		{true, 4 * time.Hour, "2026-03-02 13:20"},
	} {
		h := odd(t, "")
		if test.overnight {
			h.write(redAt, command(h, "lot-1", "red", "command: overnight"), mail.Processed)
			h.says(h.one(h.deliver(redAt)), "7:30")
		}
		h.clock.move(test.at)
		h.write(redAt, fill(h.template(redAt), "{bid: R-2}"), mail.Processed)
		if got := h.record("lot-1").Seat("red").Owes.Answer.Until.UTC().Format("2006-01-02 15:04"); got != test.want {
			t.Errorf("overnight %v, after %s: it waits until %s, want %s", test.overnight, test.at, got, test.want)
		}
		if test.overnight {
			h.write(redAt, command(h, "lot-1", "red", "command: overnight", "cancel: yes"), mail.Processed)
			if h.record("lot-1").Seat("red").Overnight {
				t.Error("cancel: yes leaves it as it was")
			}
		}
	}
}

// What a set-up says of second thoughts: none, and always, are as they were.
func TestSecondThoughtsOfSetUps(t *testing.T) {
	for more, want := range map[string]int{"second-thoughts: none\n": 2, "second-thoughts: 30m\n": 1, "second-thoughts: 5m if odd\n": 1, "second-thoughts: 5m se strano\n": 1} {
		h := odd(t, more)
		h.write(redAt, fill(h.template(redAt), "{bid: R-2}"), mail.Processed)
		if got := stopOf(h); got != want {
			t.Errorf("%s: stop %d, want %d", more, got, want)
		}
		h.clock.move(5 * time.Minute)
		h.tick()
		if got, late := stopOf(h), strings.Contains(more, "30m"); (got == 2) == late {
			t.Errorf("%s: after five minutes stop %d", more, got)
		}
	}
}

// Where every answer waits, odd or not, the player ends the wait of his own by ok or now above the
// confirmation, or by now: yes in the file, and by no other's key; another player's answer waits on.
// A pause of the game takes nothing of the wait away.
func TestEveryAnswerWaitsAndOkEndsIt(t *testing.T) {
	always := "second-thoughts: 30m\n"
	for _, word := range []string{"ok", "now", "subito"} {
		h := odd(t, always)
		h.clock.move(time.Hour)
		h.tick()
		h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
		l := h.one(h.deliver(redAt))
		h.says(l, "The stop waits until", "11:30", "Reply ok", "bid: R-1")
		if strings.Contains(wordsOf(l), "Because of this") {
			t.Error("a sound file is called odd")
		}
		h.take(h.answering(blueAt, word, l), mail.Rejected)
		h.clock.move(time.Minute)
		h.restart()
		if stopOf(h) != 1 {
			t.Fatalf("%s of another player ends the wait", word)
		}
		h.take(h.answering(redAt, word, l), mail.Processed)
		if stopOf(h) != 2 {
			t.Errorf("%s does not end the wait", word)
		}
	}
	h := odd(t, always) // blue has answered at the same moment, and waits
	h.write(redAt, fill(h.template(redAt), "{bid: R-2}", "now: yes"), mail.Processed)
	if stopOf(h) != 1 {
		t.Error("red ends the wait of blue")
	}
	h.clock.move(10 * time.Minute)
	h.write(gmAt, command(h, "lot-1", engine.GM, "command: pause"), mail.Processed)
	h.clock.move(time.Hour)
	h.write(gmAt, command(h, "lot-1", engine.GM, "command: resume"), mail.Processed)
	h.clock.move(19 * time.Minute)
	h.tick()
	if stopOf(h) != 1 {
		t.Error("the pause has eaten the wait")
	}
	h.clock.move(time.Minute)
	h.tick()
	if stopOf(h) != 2 {
		t.Error("the wait has no end")
	}
}

// A rewind while a stop waits leaves nothing of the wait.
func TestOddFileAndRewind(t *testing.T) {
	h := odd(t, "")
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
	h.clock.move(time.Minute)
	for _, s := range h.record("lot-1").Seats {
		if s.Owes != nil {
			h.write(s.Person.Address, fill(h.template(s.Person.Address), "default"), mail.Processed)
		}
	}
	h.write(redAt, fill(h.template(redAt), "{bid: R-2}"), mail.Processed)
	h.confirm(gmAt, command(h, "lot-1", engine.GM, "command: rewind", "stop: 1", "orders: new", "reason: again"))
	g := h.record("lot-1")
	if g.Stop != 1 || !g.Resolve.IsZero() || g.Seat("red").Owes.Answer != nil {
		t.Errorf("after the rewind the game waits until %s at stop %d", g.Resolve, g.Stop)
	}
	if kinds := h.kinds("lot-1"); kinds[len(kinds)-1] != log.KindRewound {
		t.Errorf("the log ends with %s", kinds[len(kinds)-1])
	}
}
