package adjudicator

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/mail"
)

// comeBack has a mail server say that a letter of ours could not be delivered.
func (h *house) comeBack(l *mail.Letter) {
	h.Helper()
	back := h.letter("mailer-daemon@play.example", "")
	back.Automatic = mail.AutoBounce
	back.Bounce = &mail.Bounce{MessageID: l.MessageID, Permanent: true, Status: "5.1.1"}
	h.take(back, mail.Processed)
}

// A player whose report comes back is not late: nothing is resolved by his
// default, he is not reminded, and when he writes he has the time that was left.
func TestUnreachedIsNotLate(t *testing.T) {
	h := newHouse(t)
	h.newGame(twoSides + "silence: {bot: 1}\n")
	report := h.one(h.deliver(redAt))
	h.deliver(blueAt)
	h.deliver(gmAt)
	was := h.record("lot-1").seat("red").Owes.Deadline
	h.clock.move(time.Hour)
	h.comeBack(report)
	l := h.one(h.deliver(gmAt))
	h.says(l, "5.1.1", "clock stands still", "command: release")
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	for range 20 {
		h.clock.move(24 * time.Hour)
		h.tick()
	}
	g := h.record("lot-1")
	if g.Stop != 1 || g.seat("red").Bot || g.seat("red").Row != 0 {
		t.Fatalf("stop %d, red %+v", g.Stop, g.seat("red"))
	}
	h.silent(redAt)
	d, err := h.office.Show("lot-1")
	if err != nil || d.Seats[0].Held != heldUnreached && d.Seats[1].Held != heldUnreached {
		t.Errorf("shown as %+v, %v", d.Seats, err)
	}
	h.write(gmAt, command(h, "lot-1", "gm", "command: show"), mail.Processed)
	h.says(h.one(h.deliver(gmAt)), "clock stands still")

	h.write(redAt, command(h, "lot-1", "red", "command: report"), mail.Processed)
	h.one(h.deliver(redAt))
	o := h.record("lot-1").seat("red").Owes
	if left := o.Deadline.Sub(h.clock.Now()); !o.Stands.IsZero() || left < 70*time.Hour || left > 72*time.Hour || !o.Deadline.After(was) {
		t.Errorf("%s left, stands %s", left, o.Stands)
	}
	h.clock.move(80 * time.Hour)
	h.tick()
	if n := h.record("lot-1").Stop; n < 2 { // and the bot may have played on
		t.Errorf("stop %d: the clock does not go on", n)
	}
}

// One letter that comes back, but is not the report that asks, stops nothing; nor
// does the report's coming back after its player has written.
func TestReachedIsLate(t *testing.T) {
	for name, lose := range map[string]func(h *house){
		"a notice": func(h *house) {
			h.write(blueAt, command(h, "lot-1", "blue", "command: press", "for: red", "text: hello"), mail.Processed)
			h.deliver(blueAt)
			all := h.deliver(redAt)
			h.comeBack(all[len(all)-1])
		},
		"the report, after he wrote": func(h *house) {
			report := h.one(h.deliver(redAt))
			h.clock.move(time.Minute)
			h.write(redAt, command(h, "lot-1", "red", "command: status"), mail.Processed)
			h.deliver(redAt)
			h.comeBack(report)
		},
	} {
		h := newHouse(t)
		h.newGame(twoSides)
		lose(h)
		h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
		h.clock.move(4 * 24 * time.Hour)
		h.tick()
		if n := h.record("lot-1").Stop; n != 2 {
			t.Errorf("%s: stop %d", name, n)
		}
	}
}

// The game master is told at each stop that is asked of an address that does not
// work, and may let the game go on; a new player has his full time.
func TestUnreachedReleasedAndReplaced(t *testing.T) {
	ctx := context.Background()
	h := newHouse(t)
	h.newGame(twoSides)
	h.comeBack(h.one(h.deliver(redAt)))
	if err := h.office.Remind(ctx, "lot-1", "red"); err != nil {
		t.Fatal(err)
	}
	h.comeBack(h.one(h.deliver(redAt)))
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	h.deliver(gmAt)
	h.clock.move(10 * 24 * time.Hour)
	h.tick()
	h.silent(gmAt)
	h.write(gmAt, command(h, "lot-1", "gm", "command: release"), mail.Processed)
	if n := h.record("lot-1").Stop; n != 2 {
		t.Fatalf("stop %d after the release", n)
	}
	told := 0
	for _, l := range h.deliver(gmAt) {
		if strings.Contains(wordsOf(l), "does not work") && strings.Contains(wordsOf(l), "command: release") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times at the next stop", told)
	}
	if h.record("lot-1").seat("red").Owes.Stands.IsZero() {
		t.Error("the clock runs at the next stop")
	}
	// Released in time, the clock runs and the default is taken at the deadline.
	h.write(gmAt, command(h, "lot-1", "gm", "command: release"), mail.Processed)
	if n := h.record("lot-1").Stop; n != 2 {
		t.Fatalf("stop %d: a release resolved what is not due", n)
	}
	h.write(gmAt, command(h, "lot-1", "gm", "command: release"), mail.Rejected) // nothing is held back any more
	if o := h.record("lot-1").seat("red").Owes; !o.Stands.IsZero() || o.Deadline.IsZero() {
		t.Fatalf("%+v", o)
	}
	h.clock.move(4 * 24 * time.Hour)
	h.tick()
	if n := h.record("lot-1").Stop; n != 3 {
		t.Fatalf("stop %d after the deadline", n)
	}
	h.clock.move(10 * 24 * time.Hour)
	h.confirm(gmAt, command(h, "lot-1", "gm", "command: replace", "side: red", "name: Rita", "address: rita@play.example"))
	o := h.record("lot-1").seat("red").Owes
	if left := o.Deadline.Sub(h.clock.Now()); !o.Stands.IsZero() || left < 71*time.Hour {
		t.Errorf("the new player has %s, stands %s", left, o.Stands)
	}
}

// While a report can't be sent its reader's clock stands still; once it has left
// he has the time that he should have had. Pauses count once.
func TestUnsentReportStopsTheClock(t *testing.T) {
	ctx := context.Background()
	h := newHouse(t)
	h.post.refuse = func(to string) error {
		if to == redAt {
			return &serverFault{"451 try again", true}
		}
		return nil
	}
	h.newGame(twoSides)
	h.flush()
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	began := h.clock.Now()
	for range 4 * 24 {
		h.clock.move(time.Hour)
		h.flush()
		h.tick()
	}
	if g := h.record("lot-1"); g.Stop != 1 || g.seat("red").Owes.Passed {
		t.Fatalf("late without his report: stop %d", g.Stop)
	}
	if err := h.office.Pause(ctx, "lot-1", ""); err != nil {
		t.Fatal(err)
	}
	h.clock.move(5 * time.Hour)
	if err := h.office.Resume(ctx, "lot-1"); err != nil {
		t.Fatal(err)
	}
	h.post.refuse = nil
	h.clock.move(time.Hour)
	h.flush()
	o := h.record("lot-1").seat("red").Owes
	left := o.Deadline.Sub(h.clock.Now())
	if !o.Stands.IsZero() || left < 69*time.Hour || left > 72*time.Hour {
		t.Errorf("%s left of three days; sent %s after the start", left, h.clock.Now().Sub(began))
	}
	if !slices.Contains(h.kinds("lot-1"), LogHeld) {
		t.Error("the log does not tell")
	}
	h.clock.move(73 * time.Hour)
	h.tick()
	if n := h.record("lot-1").Stop; n != 2 {
		t.Errorf("stop %d", n)
	}
}

// A program that answers the game master's mail by quoting it, and marks nothing,
// releases nothing; the game master himself copies the letter, and does.
func TestQuotedReleaseCountsForNothing(t *testing.T) {
	h := newHouse(t)
	h.newGame(twoSides)
	h.deliver(gmAt)
	h.comeBack(h.one(h.deliver(redAt)))
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	told := h.one(h.deliver(gmAt)).Parts[0].Text
	h.clock.move(10 * 24 * time.Hour)
	h.tick()
	h.write(gmAt, "I am away until Easter.\n\n> "+strings.ReplaceAll(told, "\n", "\n> "), mail.Rejected)
	if n := h.record("lot-1").Stop; n != 1 {
		t.Fatalf("stop %d: a quote released the game", n)
	}
	h.says(h.one(h.deliver(gmAt)), "copy it")
	_, form, _ := strings.Cut(told, "    # =====")
	form, _, _ = strings.Cut("    # ====="+form, "\n---")
	h.write(gmAt, strings.ReplaceAll(form, "\n    ", "\n")[4:], mail.Processed)
	if n := h.record("lot-1").Stop; n != 2 {
		t.Errorf("stop %d: the copied letter did not release it", n)
	}
}
