package adjudicator

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/mail"
)

// comeBack has a mail server say that a letter of ours could not be delivered.
func (h *testOffice) comeBack(l *mail.Letter) {
	h.Helper()
	back := h.letter("mailer-daemon@play.example", "")
	back.Automatic = mail.AutoBounce
	back.Bounce = &mail.Bounce{Null: true, MessageID: l.MessageID, Permanent: true, Status: "5.1.1"}
	h.take(back, mail.Processed)
}

// A player whose report comes back is not late: nothing is resolved by his
// default, he is not reminded, and when he writes he has the time that was left.
func TestUnreachedIsNotLate(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(strings.Replace(twoSides, "deadline: 3d", "deadline: {usual: 3d, grace: 10d}", 1) + "silence: {bot: 1}\n")
	report := h.one(h.deliver(redAt))
	h.deliver(blueAt)
	h.deliver(gmAt)
	was := h.record("lot-1").Seat("red").Owes.Deadline
	h.clock.move(time.Hour)
	h.comeBack(report)
	l := h.one(h.deliver(gmAt))
	h.says(l, "5.1.1", "clock stands still", "command: release")
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	for range 9 {
		h.clock.move(24 * time.Hour)
		h.tick()
	}
	g := h.record("lot-1")
	if g.Stop != 1 || g.Seat("red").Bot || g.Seat("red").Streak != 0 {
		t.Fatalf("stop %d, red %+v", g.Stop, g.Seat("red"))
	}
	h.silent(redAt)
	d, err := h.office.Clerk().Show("lot-1")
	if err != nil || d.Seats[0].Held != game.HeldUnreached && d.Seats[1].Held != game.HeldUnreached {
		t.Errorf("shown as %+v, %v", d.Seats, err)
	}
	h.write(gmAt, command(h, "lot-1", "gm", "command: show"), mail.Processed)
	h.says(h.one(h.deliver(gmAt)), "clock stands still")

	h.write(redAt, command(h, "lot-1", "red", "command: report"), mail.Processed)
	h.one(h.deliver(redAt))
	o := h.record("lot-1").Seat("red").Owes
	if !o.Stands.IsZero() || o.Deadline.After(was.Add(10*24*time.Hour)) || o.Deadline.Before(h.clock.Now().Add(70*time.Hour)) {
		t.Errorf("deadline %s, was %s, stands %s", o.Deadline, was, o.Stands)
	}
	h.clock.move(15 * 24 * time.Hour)
	h.tick()
	if n := h.record("lot-1").Stop; n < 2 { // and the bot may have played on
		t.Errorf("stop %d: the clock does not go on", n)
	}
}

// A player who got a report can forge a mail server's letter that it did not arrive. That stops
// his clock once, for one grace at most, and the game master is told when the clock goes on.
// Whatever else the player sends back, a default is taken in the end.
func TestAForgedBounceStopsTheClockOnce(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(strings.Replace(twoSides, "deadline: 3d", "deadline: {usual: 3d, grace: 6h}", 1))
	report := h.one(h.deliver(redAt))
	h.deliver(gmAt)
	was := h.record("lot-1").Seat("red").Owes.Deadline
	h.clock.move(was.Add(-time.Minute).Sub(h.clock.Now()))
	h.comeBack(report)
	h.says(h.one(h.deliver(gmAt)), "clock stands still", "can be feigned")
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	h.clock.move(5 * time.Hour)
	h.comeBack(report)
	h.tick()
	h.silent(gmAt)
	h.clock.move(time.Hour + time.Minute)
	h.tick()
	h.says(h.one(h.deliver(gmAt)), "goes on", "command: replace", "command: pause")
	o := h.record("lot-1").Seat("red").Owes
	if !o.Stands.IsZero() || o.Deadline.After(was.Add(6*time.Hour+time.Minute)) {
		t.Fatalf("deadline %s, was %s, stands %s", o.Deadline, was, o.Stands)
	}
	// In the next moment, and at every stop that follows: nothing stands still again.
	h.comeBack(report)
	for stop := 1; stop < 3; stop++ {
		h.clock.move(4 * 24 * time.Hour)
		for _, l := range h.deliver(redAt) {
			h.comeBack(l)
		}
		if o := h.record("lot-1").Seat("red").Owes; !o.Stands.IsZero() {
			t.Fatalf("stop %d: the clock stands still again", stop)
		}
		h.tick()
		h.clock.move(24 * time.Hour)
		h.tick()
		if n := h.record("lot-1").Stop; n <= stop {
			t.Fatalf("stop %d is not resolved", n)
		}
	}
	// Nor after he has written: only another player begins anew.
	h.write(redAt, command(h, "lot-1", "red", "command: report"), mail.Processed)
	for _, l := range h.deliver(redAt) {
		h.comeBack(l)
	}
	if o := h.record("lot-1").Seat("red").Owes; !o.Stands.IsZero() {
		t.Fatal("the clock stands still again after he wrote")
	}
	if err := h.office.Clerk().Replace(t.Context(), "lot-1", "red", log.Person{Name: "Rita", Address: "rita@play.example"}); err != nil {
		t.Fatal(err)
	}
	for _, l := range h.deliver("rita@play.example") {
		h.comeBack(l)
	}
	if o := h.record("lot-1").Seat("red").Owes; o.Stands.IsZero() {
		t.Error("a new player who could not be reached is late")
	}
}

// Writing at the last moment of a clock that stands still gains no more than a grace.
func TestAForgedBounceGainsAGraceAtMost(t *testing.T) {
	for _, writes := range []time.Duration{time.Minute, 3 * time.Hour, 6*time.Hour - time.Minute, 9 * time.Hour} {
		h := newTestOffice(t)
		h.newGame(strings.Replace(twoSides, "deadline: 3d", "deadline: {usual: 3d, grace: 6h}", 1))
		report := h.one(h.deliver(redAt))
		was := h.record("lot-1").Seat("red").Owes.Deadline
		h.clock.move(was.Add(-time.Minute).Sub(h.clock.Now()))
		h.comeBack(report)
		h.clock.move(writes)
		h.tick()
		h.write(redAt, command(h, "lot-1", "red", "command: status"), mail.Processed)
		if o := h.record("lot-1").Seat("red").Owes; o.Deadline.After(was.Add(6*time.Hour+time.Minute)) || !o.Stands.IsZero() {
			t.Errorf("after %s: deadline %s, was %s, stands %s", writes, o.Deadline, was, o.Stands)
		}
	}
}

// A letter that only says that a report came back, but did not come as a mail server's
// do, or that names another letter, stops nothing. The game master learns of it.
func TestOnlyAServersBounceStopsTheClock(t *testing.T) {
	for name, change := range map[string]func(h *testOffice, b *mail.Bounce){
		"with a return path": func(_ *testOffice, b *mail.Bounce) { b.Null = false },
		"of another letter": func(h *testOffice, b *mail.Bounce) {
			h.write(redAt, command(h, "lot-1", "red", "command: help"), mail.Processed)
			b.MessageID = h.last(redAt).MessageID
		},
		"of no letter":           func(_ *testOffice, b *mail.Bounce) { b.MessageID = "letter.abc@berthier.club.example" },
		"of a fault that passes": func(_ *testOffice, b *mail.Bounce) { b.Permanent = false },
	} {
		h := newTestOffice(t)
		h.newGame(twoSides)
		report := h.one(h.deliver(redAt))
		back := h.letter("mailer-daemon@play.example", "")
		back.Automatic = mail.AutoBounce
		back.Bounce = &mail.Bounce{Null: true, MessageID: report.MessageID, Permanent: true, Status: "5.1.1"}
		change(h, back.Bounce)
		h.deliver(gmAt)
		h.take(back, mail.Processed)
		if o := h.record("lot-1").Seat("red").Owes; !o.Stands.IsZero() {
			t.Errorf("%s: the clock stands still", name)
		}
		if told := len(h.deliver(gmAt)) > 0; told != (name == "with a return path" || name == "of another letter") {
			t.Errorf("%s: the game master is told %v", name, told)
		}
	}
}

// A report that can't go out yet stops the clock for as long as it waits. If it is lost in
// the end the clock stands still for one grace more, and not for ever.
func TestALostReportStopsTheClockNoLonger(t *testing.T) {
	h := newTestOffice(t)
	h.post.refuse = func(to string) error {
		if to == redAt {
			return &serverFault{"451 try again", true}
		}
		return nil
	}
	h.newGame(strings.Replace(twoSides, "deadline: 3d", "deadline: {usual: 3d, grace: 6h}", 1))
	for range 5*24 + 4 {
		h.clock.move(time.Hour)
		h.flush()
		h.tick()
	}
	if o := h.record("lot-1").Seat("red").Owes; o.Passed || h.record("lot-1").Stop != 1 {
		t.Fatalf("late without his report: %+v", o)
	}
	h.clock.move(10 * 24 * time.Hour)
	h.tick()
	h.clock.move(time.Minute)
	h.tick()
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	if n := h.record("lot-1").Stop; n < 2 {
		t.Errorf("stop %d: %+v", n, h.record("lot-1").Seat("red").Owes)
	}
}

// If the game master releases a clock in time that stood still, it runs again, and the
// default is taken at the deadline. A letter that comes back after that does not stop the
// clock any more.
func TestUnreachedReleasedInTime(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	report := h.one(h.deliver(redAt))
	h.comeBack(report)
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	h.write(gmAt, command(h, "lot-1", "gm", "command: release"), mail.Processed)
	if o := h.record("lot-1").Seat("red").Owes; h.record("lot-1").Stop != 1 || !o.Stands.IsZero() {
		t.Fatalf("stop %d: a release resolved what is not due; %+v", h.record("lot-1").Stop, o)
	}
	h.comeBack(report)
	h.clock.move(4 * 24 * time.Hour)
	h.tick()
	if n := h.record("lot-1").Stop; n != 2 {
		t.Fatalf("stop %d after the deadline", n)
	}
}

// One letter that comes back, but is not the report that asks, stops nothing; nor
// does the report's coming back after its player has written.
func TestReachedIsLate(t *testing.T) {
	for name, lose := range map[string]func(h *testOffice){
		"a notice": func(h *testOffice) {
			h.write(blueAt, command(h, "lot-1", "blue", "command: press", "for: red", "text: hello"), mail.Processed)
			h.deliver(blueAt)
			all := h.deliver(redAt)
			h.comeBack(all[len(all)-1])
		},
		"the report, after he wrote": func(h *testOffice) {
			report := h.one(h.deliver(redAt))
			h.clock.move(time.Minute)
			h.write(redAt, command(h, "lot-1", "red", "command: status"), mail.Processed)
			h.deliver(redAt)
			h.comeBack(report)
		},
	} {
		h := newTestOffice(t)
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
	h := newTestOffice(t)
	h.newGame(twoSides)
	report := h.one(h.deliver(redAt))
	h.clock.move(60 * time.Hour)
	h.tick()
	h.comeBack(report)
	h.comeBack(h.one(h.deliver(redAt))) // a reminder
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	h.deliver(gmAt)
	h.clock.move(20 * time.Hour)
	h.tick()
	h.silent(gmAt)
	h.write(gmAt, command(h, "lot-1", "gm", "command: release"), mail.Processed)
	if n := h.record("lot-1").Stop; n != 2 {
		t.Fatalf("stop %d after the release", n)
	}
	told := 0
	for _, l := range h.deliver(gmAt) {
		if strings.Contains(wordsOf(l), "does not work") && strings.Contains(wordsOf(l), "command: pause") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times at the next stop", told)
	}
	if !h.record("lot-1").Seat("red").Owes.Stands.IsZero() {
		t.Error("the clock stands still at the next stop, too")
	}
	h.write(gmAt, command(h, "lot-1", "gm", "command: release"), mail.Rejected) // nothing is held back any more
	if o := h.record("lot-1").Seat("red").Owes; !o.Stands.IsZero() || o.Deadline.IsZero() {
		t.Fatalf("%+v", o)
	}
	h.clock.move(4 * 24 * time.Hour)
	h.tick()
	if n := h.record("lot-1").Stop; n != 3 {
		t.Fatalf("stop %d after the deadline", n)
	}
	h.clock.move(10 * 24 * time.Hour)
	h.confirm(gmAt, command(h, "lot-1", "gm", "command: replace", "side: red", "name: Rita", "address: rita@play.example"))
	o := h.record("lot-1").Seat("red").Owes
	if left := o.Deadline.Sub(h.clock.Now()); !o.Stands.IsZero() || left < 71*time.Hour {
		t.Errorf("the new player has %s, stands %s", left, o.Stands)
	}
}

// While a report can't be sent its reader's clock stands still; once it has left
// he has the time that he should have had. Pauses count once.
func TestUnsentReportStopsTheClock(t *testing.T) {
	ctx := context.Background()
	h := newTestOffice(t)
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
	if g := h.record("lot-1"); g.Stop != 1 || g.Seat("red").Owes.Passed {
		t.Fatalf("late without his report: stop %d", g.Stop)
	}
	if err := h.office.Clerk().Pause(ctx, "lot-1", ""); err != nil {
		t.Fatal(err)
	}
	h.clock.move(5 * time.Hour)
	if err := h.office.Clerk().Resume(ctx, "lot-1"); err != nil {
		t.Fatal(err)
	}
	h.post.refuse = nil
	h.clock.move(time.Hour)
	h.flush()
	o := h.record("lot-1").Seat("red").Owes
	left := o.Deadline.Sub(h.clock.Now())
	if !o.Stands.IsZero() || left < 69*time.Hour || left > 72*time.Hour {
		t.Errorf("%s left of three days; sent %s after the start", left, h.clock.Now().Sub(began))
	}
	if !slices.Contains(h.kinds("lot-1"), log.KindHeld) {
		t.Error("the log does not tell")
	}
	h.clock.move(73 * time.Hour)
	h.tick()
	if n := h.record("lot-1").Stop; n != 2 {
		t.Errorf("stop %d", n)
	}
}

// Wherever the office dies while a report can't leave, and when it has left, the clock of its reader goes on after that:
// what is noted of the letter, and what the game knows of it, are one.
func TestDeathAroundASlowReport(t *testing.T) {
	for commits, alive := int32(0), false; !alive; commits++ {
		h := newTestOffice(t)
		ill := true
		h.post.refuse = func(to string) error {
			if ill && to == redAt {
				return &serverFault{"451 try again", true}
			}
			return nil
		}
		h.newGame(twoSides)
		h.flush()
		h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
		h.flush()
		h.life = &atomic.Int32{}
		h.life.Store(commits)
		h.restart()
		for range 4 {
			h.clock.move(time.Hour)
			_, _ = h.office.Send(t.Context(), h.post) // it may die
		}
		ill = false
		h.clock.move(time.Hour)
		_, _ = h.office.Send(t.Context(), h.post)
		alive = h.life.Load() >= 0
		h.life = nil
		h.restart()
		h.clock.move(time.Hour)
		h.flush()
		if o := h.record("lot-1").Seat("red").Owes; o == nil || !o.Stands.IsZero() {
			t.Errorf("after %d commits the report has left, and the clock stands still: %+v", commits, o)
		}
		h.clock.move(80 * time.Hour)
		h.tick()
		if n := h.record("lot-1").Stop; n != 2 {
			t.Errorf("after %d commits: stop %d", commits, n)
		}
		if commits > 40 {
			t.Fatal("it never lives long enough")
		}
	}
}

// A player whose letters came back, as he can feign, and whose server takes the next
// report only after an hour, has no more by it than that hour: once the report has left
// his clock goes on.
func TestALateReportToADeadAddressStopsTheClockNoLonger(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	report := h.one(h.deliver(blueAt))
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	for _, l := range append(h.deliver(blueAt), report) {
		back := h.letter("stranger@play.example", "")
		back.Automatic = mail.AutoBounce
		back.Bounce = &mail.Bounce{MessageID: l.MessageID, Permanent: true, Status: "5.1.1"}
		h.take(back, mail.Processed)
	}
	h.post.refuse = func(to string) error {
		if to == blueAt {
			return &serverFault{"451 try again", true}
		}
		return nil
	}
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
	for range 3 {
		h.clock.move(time.Hour)
		h.flush()
		h.tick()
	}
	if s := h.record("lot-1").Seat("blue"); !s.Dead || s.Owes == nil || !s.Owes.Unsent {
		t.Fatalf("%+v", s)
	}
	h.post.refuse = nil
	h.clock.move(time.Hour)
	h.flush()
	if o := h.record("lot-1").Seat("blue").Owes; !o.Stands.IsZero() {
		t.Errorf("the report has left, and the clock stands still: %+v", o)
	}
	h.clock.move(4 * 24 * time.Hour)
	h.tick()
	if n := h.record("lot-1").Stop; n < 3 {
		t.Errorf("stop %d: the default was not taken", n)
	}
}

// A program that answers the game master's mail by quoting it, and marks nothing,
// releases nothing; the game master himself copies the letter, and does.
func TestQuotedReleaseCountsForNothing(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	report := h.one(h.deliver(redAt))
	h.clock.move(60 * time.Hour)
	h.tick()
	h.deliver(gmAt)
	h.comeBack(report)
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	told := h.one(h.deliver(gmAt)).Parts[0].Text
	h.clock.move(20 * time.Hour)
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
