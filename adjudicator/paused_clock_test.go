package adjudicator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/mail"
)

// pause stops the game's clock for so long, does something an hour before the end, and lets it go on.
func (h *testOffice) pause(long time.Duration, do func()) {
	h.Helper()
	h.write(gmAt, h.gm("command: pause"), mail.Processed)
	h.clock.move(long - time.Hour)
	do()
	h.clock.move(time.Hour)
	h.write(gmAt, h.gm("command: resume"), mail.Processed)
}

// in is how long it is until a moment, in whole minutes.
func (h *testOffice) in(at time.Time) time.Duration {
	return at.Sub(h.clock.Now()).Truncate(time.Minute)
}

// What is timed while the game's clock stands still has its time from when the clock goes on, and the pause is not added twice.
func TestWhatIsTimedInAPause(t *testing.T) {
	const long = 10 * 24 * time.Hour
	day := 24 * time.Hour
	t.Run("second thoughts", func(t *testing.T) {
		h := odd(t, "")
		h.pause(long, func() {
			h.write(redAt, fill(h.template(redAt), "{bid: R-2}"), mail.Processed)
			h.says(h.last(redAt), "the stop waits until", "09:20") // if the game went on now: 12 March, an hour before ten by the clock of Rome
		})
		if got := h.in(h.record("lot-1").Seat("red").Owes.Answer.Until); got != 20*time.Minute {
			t.Errorf("it waits for %s", got)
		}
	})
	t.Run("second thoughts of all", func(t *testing.T) {
		h := odd(t, "second-thoughts: 30m\n")
		h.pause(long, func() { h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed) })
		if got := h.in(h.record("lot-1").Seat("red").Owes.Answer.Until); got != 30*time.Minute {
			t.Errorf("it waits for %s", got)
		}
	})
	t.Run("the night after a pause", func(t *testing.T) {
		h := odd(t, "")
		h.write(redAt, command(h, "lot-1", "red", "command: overnight"), mail.Processed)
		h.pause(13*time.Hour, func() { h.write(redAt, fill(h.template(redAt), "{bid: R-2}"), mail.Processed) }) // at 22 by the clock of the office, 23 by that of Rome
		if got, want := h.record("lot-1").Seat("red").Owes.Answer.Until, time.Date(2026, 3, 3, 6, 30, 0, 0, time.UTC); !got.Equal(want) {
			t.Errorf("it waits until %s", got)
		}
	})
	t.Run("a stop that is rewound to", func(t *testing.T) {
		h := odd(t, "")
		h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
		h.pause(long, func() {
			h.rule("command: rewind", "stop: 1", "orders: new", "reason: again")
		})
		if got := h.in(h.record("lot-1").Seat("red").Owes.Deadline); got != 3*day {
			t.Errorf("red has %s", got)
		}
	})
	t.Run("an answer that is refused", func(t *testing.T) {
		h := odd(t, "second-thoughts: 30m\n")
		h.pause(long, func() {
			h.rule("command: rule", fmt.Sprintf("refuse: %d", h.lastEntry(log.KindTaken)), "reason: again")
		})
		if got := h.in(h.record("lot-1").Seat("blue").Owes.Deadline); got != 3*day {
			t.Errorf("blue has %s", got)
		}
	})
	t.Run("a new player", func(t *testing.T) {
		h := odd(t, "")
		h.clock.move(2 * day)
		h.pause(long, func() {
			h.confirm(gmAt, h.gm("command: replace", "side: red", "name: Nora", "address: new@play.example"))
		})
		if got := h.in(h.record("lot-1").Seat("red").Owes.Deadline); got != 3*day {
			t.Errorf("she has %s", got)
		}
	})
	t.Run("a new player before the words for luck", func(t *testing.T) {
		h := newTestOffice(t)
		h.newGame(luckySides)
		h.clock.move(2 * day)
		h.pause(long, func() {
			h.confirm(gmAt, h.gm("command: replace", "side: red", "name: Nora", "address: new@play.example"))
		})
		if got := h.in(h.record("lot-1").Luck.Until); got != 3*day {
			t.Errorf("she has %s", got)
		}
	})
	t.Run("who takes his seat back from the bot", func(t *testing.T) {
		h := newTestOffice(t)
		h.newGame(strings.Replace(lending, "deadline: 3d", "deadline: {usual: 3d, grace: 1d}", 1))
		h.write(redAt, command(h, "lot-1", "red", "command: bot"), mail.Processed)
		h.clock.move(3*day + time.Hour) // blue has his grace, and nobody waits for red
		h.tick()
		h.pause(long, func() { h.write(redAt, command(h, "lot-1", "red", "command: status"), mail.Processed) })
		if o := h.record("lot-1").Seat("red").Owes; o == nil || o.Passed || h.in(o.Deadline) != day {
			t.Errorf("red owes %+v", o)
		}
	})
	t.Run("whose report leaves in the pause", func(t *testing.T) {
		h := newTestOffice(t)
		h.post.refuse = func(to string) error {
			if to == redAt {
				return &serverFault{"451 try again", true}
			}
			return nil
		}
		h.newGame(strings.Replace(manyRounds, "deadline: 3d", "deadline: {usual: 3d, grace: 1d}", 1))
		for range 3 {
			h.flush()
			h.clock.move(time.Hour)
			h.tick()
		}
		if h.record("lot-1").Seat("red").Owes.Stands.IsZero() {
			t.Fatal("the clock of red runs")
		}
		h.pause(long, func() {
			h.post.refuse = nil
			h.flush()
		})
		if o := h.record("lot-1").Seat("red").Owes; !o.Stands.IsZero() || h.in(o.Deadline) > 3*day {
			t.Errorf("red has %s, and his clock stands since %s", h.in(o.Deadline), o.Stands)
		}
	})
}

// A moment that a game master gives in a pause by extend is meant as he gives it: the pause is not added, also where he gives more time
// after that, and nobody has less than he had. A moment that has passed is refused.
func TestAMomentThatIsGivenInAPauseIsMeant(t *testing.T) {
	const long = 10 * 24 * time.Hour
	day := 24 * time.Hour
	for name, test := range map[string]struct {
		lines []string // of each command
		want  time.Duration
	}{
		"a moment":             {[]string{"until: 2026-03-17 18:00"}, 5*day + 9*time.Hour},
		"two moments":          {[]string{"until: 2026-03-16 18:00", "until: 2026-03-17 18:00"}, 5*day + 9*time.Hour},
		"a moment, and a day":  {[]string{"until: 2026-03-16 18:00", "by: 1d"}, 5*day + 9*time.Hour},
		"a day, and a moment":  {[]string{"by: 1d", "until: 2026-03-17 18:00"}, 5*day + 9*time.Hour},
		"less than there was":  {[]string{"until: 2026-03-13 18:00"}, 3 * day},
		"in the pause already": {[]string{"until: 2026-03-12 09:30"}, 3 * day},
	} {
		t.Run(name, func(t *testing.T) {
			h := newTestOffice(t)
			h.newGame(manyRounds)
			h.pause(long, func() {
				for _, line := range test.lines {
					h.write(gmAt, h.gm("command: extend", line), mail.Processed)
				}
				h.deliver(gmAt)
				h.write(gmAt, h.gm("command: extend", "until: 2026-03-11 09:00"), mail.Rejected)
				h.restart()
			})
			if got := h.in(h.record("lot-1").Seat("red").Owes.Deadline); got != test.want {
				t.Errorf("red has %s, want %s", got, test.want)
			}
			h.write(gmAt, h.gm("command: extend", "by: 1d"), mail.Processed)
			h.pause(long, func() {})
			if got := h.in(h.record("lot-1").Seat("red").Owes.Deadline); got != test.want+day {
				t.Errorf("after another pause red has %s", got)
			}
		})
	}
	h := newTestOffice(t)
	h.newGame(manyRounds)
	h.clock.move(2 * day)
	h.pause(long, func() {
		h.write(gmAt, h.gm("command: extend", "until: 2026-03-16 18:00"), mail.Processed)
		h.confirm(gmAt, h.gm("command: replace", "side: red", "name: Nora", "address: new@play.example"))
	})
	if got := h.in(h.record("lot-1").Seat("red").Owes.Deadline); got < 3*day {
		t.Errorf("a new player has %s", got)
	}
}

// A stop that is opened in a pause has at least the time that the rule gives from then on, as its log is read.
func TestAskedInAPauseHasWhatTheRuleGives(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(strings.Replace(twoSides, "deadline: 3d", `deadline: {usual: 6d, least: 1d, at: "20:00", weekdays: [mon, tue]}`, 1))
	for _, address := range []string{redAt, blueAt} {
		h.write(address, fill(h.template(address), map[string]string{redAt: "{bid: R-1}", blueAt: "{bid: B-1}"}[address]), mail.Processed)
	}
	var opened time.Time
	h.pause(61*time.Hour, func() {
		h.rule("command: rewind", "stop: 1", "orders: new", "reason: again")
		opened = h.clock.Now()
	})
	g := h.record("lot-1")
	if o := g.Seat("red").Owes; g.Phase != game.Running || o.Deadline.Before(g.Timing.Of(o.Decision.Kind).Deadline(opened)) {
		t.Errorf("opened %s, deadline %s", opened, o.Deadline)
	}
}
