package adjudicator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/waterloo"
	"berthier/mail"
)

// later moves the clock on in small steps, as a daemon would look at it, and gives
// what an address got meanwhile.
func (h *testOffice) later(address string, d time.Duration) (all []*mail.Letter) {
	h.Helper()
	for ; d > 0; d -= time.Minute {
		h.clock.move(time.Minute)
		all = append(all, h.deliver(address)...)
	}
	return all
}

// However many good files come within the quiet time, and beyond the number of answers that an
// hour has, the player is told of all of them, and the last letter names the set in force.
func TestLastVerdictNamesWhatIsInForce(t *testing.T) {
	for _, quiet := range []time.Duration{-1, time.Minute} {
		h := newTestOffice(t, func(h *testOffice) { h.opt.Quiet = quiet })
		h.newGame(twoSides)
		f := h.template(redAt)
		h.deliver(redAt)
		var got []*mail.Letter
		for i := range 30 {
			h.write(redAt, fill(f, fmt.Sprintf("{bid: R-%d}", i%4+1)), mail.Processed)
			got = append(got, h.deliver(redAt)...)
			h.clock.move(time.Second)
		}
		got = append(got, h.later(redAt, 10*time.Minute)...)
		last := got[len(got)-1]
		h.says(last, "Number 30 of this stop", "bid: R-2")
		all := ""
		for _, l := range got {
			all += strings.Join(strings.Fields(wordsOf(l)), " ")
		}
		answers := len(got)
		for _, l := range got {
			if _, after, ok := strings.Cut(wordsOf(l), "answers the last of "); ok {
				var n int
				fmt.Sscan(after, &n)
				answers += n - 1
			}
		}
		if answers != 30 {
			t.Errorf("quiet %s: %d of 30 files are told of:\n%s", quiet, answers, all)
		}
		if len(got) > 25 {
			t.Errorf("%d letters", len(got))
		}
		for _, l := range h.later(redAt, 2*time.Hour) {
			t.Errorf("another letter: %s", l.Subject)
		}
	}
}

// Faults that were not told before are told, however many letters had answers in the
// hour, and also when an exchange has ended; so is a good file after them.
func TestNoFaultIsSwallowed(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	f := h.template(redAt)
	h.deliver(redAt)
	for range 25 {
		h.write(redAt, command(h, "lot-1", "red", "command: status"), mail.Processed)
	}
	h.deliver(redAt)
	h.write(redAt, fill(f, "{bid: Q-1}"), mail.Rejected)
	h.says(h.one(h.later(redAt, 5*time.Minute)), "Q-1", "stop: 1 bid")
	h.write(redAt, fill(f, "{bid: R-1}"), mail.Processed)
	h.says(h.one(h.later(redAt, 5*time.Minute)), "Number 1 of this stop", "bid: R-1")
	told := ""
	for i := range 60 {
		h.write(redAt, fill(f, fmt.Sprintf("{bid: X-%d}", i)), mail.Rejected)
		for _, l := range h.deliver(redAt) {
			told += wordsOf(l)
		}
		h.clock.move(20 * time.Second)
	}
	for _, l := range h.later(redAt, 25*time.Hour) {
		told += wordsOf(l)
	}
	for i := range 60 {
		if !strings.Contains(told, fmt.Sprintf("X-%d", i)) {
			t.Errorf("the fault of file %d is not told", i)
		}
	}
	h.write(redAt, fill(f, "{bid: R-3}"), mail.Processed)
	h.says(h.one(h.deliver(redAt)), "Number 2 of this stop", "bid: R-3")
}

// What is put off is on the disk: after a crash it is told all the same, once.
func TestVerdictsOutliveACrash(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.Quiet = time.Minute })
	h.newGame(twoSides)
	f := h.template(redAt)
	h.deliver(redAt)
	h.write(redAt, fill(f, "{bid: R-1}"), mail.Processed)
	h.one(h.deliver(redAt))
	h.write(redAt, fill(f, "{bid: R-9}"), mail.Rejected)
	h.restart()
	h.write(redAt, fill(f, "{bid: R-2}"), mail.Processed)
	h.restart()
	h.silent(redAt)
	h.clock.move(time.Minute)
	l := h.one(h.deliver(redAt))
	h.says(l, "Number 2 of this stop", "bid: R-2", "the last of 2 letters", "there is no unit called", "R-9")
	h.restart()
	for _, l := range h.later(redAt, 2*time.Hour) {
		t.Errorf("another letter: %s", l.Subject)
	}
}

// What is put off is written when it goes: it says what is in force then, whatever
// has come between.
func TestPutOffVerdictTellsTheTruth(t *testing.T) {
	start := func(t *testing.T) (*testOffice, string) {
		h := newTestOffice(t, func(h *testOffice) { h.opt.Quiet = time.Minute })
		h.newGame(twoSides)
		f := h.template(redAt)
		h.deliver(redAt)
		h.write(redAt, fill(f, "{bid: R-1}"), mail.Processed)
		h.one(h.deliver(redAt))
		h.clock.move(time.Second)
		h.write(redAt, fill(f, "{bid: R-2}"), mail.Processed)
		h.silent(redAt)
		return h, f
	}
	t.Run("the stop is resolved", func(t *testing.T) {
		h, _ := start(t)
		h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
		got := h.deliver(redAt)
		h.says(h.one(got), "Taken for stop 1: bid (your set 2, mark ", "): bid: R-2")
		h.lacks(got[0], "send another file before the stop resolves")
		for _, l := range h.later(redAt, 30*time.Minute) {
			t.Errorf("another letter: %s", l.Subject)
		}
	})
	t.Run("the game master answers", func(t *testing.T) {
		h, f := start(t)
		text := strings.Replace(fill(f, "{bid: R-4}"), key(h, "lot-1", "red"), key(h, "lot-1", engine.GM), 1)
		h.write(gmAt, text, mail.Processed)
		got := h.deliver(redAt)
		if len(got) != 2 {
			t.Fatalf("%q", subjects(got))
		}
		h.says(got[0], "Number 2 of this stop", "bid: R-2")
		h.says(got[1], "Number 3 of this stop", "bid: R-4")
		for _, l := range h.later(redAt, 30*time.Minute) {
			t.Errorf("another letter: %s", l.Subject)
		}
	})
	t.Run("the key is changed", func(t *testing.T) {
		h, f := start(t)
		h.write(redAt, fill(f, "{bid: R-9}"), mail.Rejected)
		old := key(h, "lot-1", "red")
		h.write(gmAt, command(h, "lot-1", engine.GM, "command: new-key", "side: red"), mail.Processed)
		h.deliver(redAt)
		h.clock.move(time.Minute)
		l := h.one(h.deliver(redAt))
		h.says(l, "R-9", key(h, "lot-1", "red"), "Number 2 of this stop")
		h.lacks(l, "key: "+old)
	})
	t.Run("the game is closed", func(t *testing.T) {
		h, _ := start(t)
		h.confirm(gmAt, command(h, "lot-1", engine.GM, "command: close"))
		h.deliver(redAt)
		h.clock.move(time.Minute)
		l := h.one(h.deliver(redAt))
		h.says(l, "orders taken for stop 1", "as number 2")
		h.lacks(l, "Your orders are in force")
	})
	for name, last := range map[string]string{"refused": "{bid: R-9}", "a draft": "{bid: R-3}\ndraft: true"} {
		t.Run("the stop is resolved, the last was "+name, func(t *testing.T) {
			h, f := start(t)
			if _, err := h.office.Take(t.Context(), h.letter(redAt, fill(f, last))); err != nil {
				t.Fatal(err)
			}
			h.silent(redAt)
			h.clock.move(30 * time.Second)
			h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
			got := h.deliver(redAt)
			h.says(got[0], "has been resolved since", "as number 2")
			h.lacks(got[0], "Your order file", "To make it count")
			for _, l := range h.later(redAt, 30*time.Minute) {
				t.Errorf("another letter: %s", l.Subject)
			}
		})
	}
	t.Run("the seat is given away", func(t *testing.T) {
		h, _ := start(t)
		if err := h.office.Clerk().Replace(t.Context(), "lot-1", "red", log.Person{Address: "new@play.example"}); err != nil {
			t.Fatal(err)
		}
		h.says(h.deliver(redAt)[0], "bid: R-2", "Number 2 of this stop")
		for _, l := range h.later("new@play.example", 30*time.Minute) {
			h.lacks(l, "Number 2 of this stop")
		}
	})
}

// Whoever sends the same thing for ever gets a set number of answers: a good file, a
// faulty one, a draft, standing orders, a question, quickly or slowly.
func TestTheSameForEverEnds(t *testing.T) {
	if raceEnabled {
		return // left to the run without the race detector: what happens here happens one after the other
	}
	pauses := []time.Duration{time.Minute, time.Second, 2 * time.Hour}
	for _, pause := range pauses[:unraced(len(pauses))] {
		for name, text := range map[string]func(h *testOffice, f string) string{
			"good":   func(_ *testOffice, f string) string { return fill(f, "{bid: R-1}") },
			"faulty": func(_ *testOffice, f string) string { return fill(f, "{bid: R-9}") },
			"draft":  func(_ *testOffice, f string) string { return fill(f, "{bid: R-1}", "draft: true") },
			"asks":   func(h *testOffice, _ string) string { return command(h, "lot-1", "red", "command: status") },
			"wrong":  func(h *testOffice, _ string) string { return command(h, "lot-1", "red", "command: conquer") },
		} {
			h := newTestOffice(t, func(h *testOffice) { h.opt.Quiet, h.opt.AnswersPerHour = time.Minute, 6 })
			h.newGame(strings.Replace(twoSides, "deadline: 3d", "deadline: none", 1))
			f := h.template(redAt)
			h.deliver(redAt)
			got, lately, letters := 0, 0, 150
			if fullSamples {
				letters = 400
			}
			for i := range letters {
				folder, err := h.office.Take(t.Context(), h.letter(redAt, text(h, f)))
				if err != nil || folder == mail.Leave {
					t.Fatal(folder, err)
				}
				n := len(h.deliver(redAt))
				if got += n; i > letters*3/4 {
					lately += n
				}
				h.clock.move(pause)
			}
			h.clock.move(48 * time.Hour)
			if n := len(h.deliver(redAt)); got+n > 2*6+1+8 || lately > 0 && pause > time.Minute || n > 1 {
				t.Errorf("%s, every %s: %d letters, %d of them lately, %d at the end", name, pause, got, lately, n)
			}
		}
	}
}

// Standing orders that are sent again and again change nothing: the exchange ends.
func TestSameStandingOrdersEnd(t *testing.T) {
	h := sit(t, waterloo.New(), "scenario-length: quick", []string{"french", "anglo"}, masterOfHisOwn)
	h.opt.AnswersPerHour = 6
	h.restart()
	from := mailboxOf("anglo")
	h.deliver(from)
	for range 60 {
		h.write(from, command(h.testOffice, h.id, "anglo", "standing: {battle: {default: none}}"), mail.Processed)
		h.clock.move(time.Hour)
	}
	if n := len(h.deliver(from)); n > 2*6+2+3 { // the last ones in one line, one a day
		t.Errorf("%d answers", n)
	}
}

// Beyond the limit drafts are still judged and answered, and the player is told which
// commands got no answer or were not carried out.
func TestNothingAboveTheLimitIsSilent(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour = 4 })
	h.newGame(twoSides)
	f := h.template(redAt)
	h.deliver(redAt)
	for i := range 8 {
		h.write(redAt, fill(f, fmt.Sprintf("{bid: R-%d}", i%4+1), "draft: true", fmt.Sprintf("what-if: %d", i+1)), mail.Processed)
	}
	got := append(h.deliver(redAt), h.later(redAt, 20*time.Minute)...)
	h.says(got[len(got)-1], "Draft judged", "bid: R-4")
	// In text and HTML.
	if all := strings.Join(strings.Fields(wordsOf(got[len(got)-1])), " "); strings.Count(all, "a draft without fault") != 2*3 || strings.Count(all, "not tried out") != 2*3 {
		t.Errorf("not all drafts are told of:\n%s", all)
	}
	for i := range 6 {
		h.write(redAt, command(h, "lot-1", "red", "command: press", "for: blue", fmt.Sprintf("text: number %d", i)),
			map[bool]mail.Folder{true: mail.Processed, false: mail.Rejected}[i < 4])
	}
	h.write(redAt, command(h, "lot-1", "red", "command: status"), mail.Processed)
	all := ""
	for _, l := range append(h.deliver(redAt), h.later(redAt, 2*time.Hour)...) {
		all += strings.Join(strings.Fields(wordsOf(l)), " ")
	}
	if !strings.Contains(all, "command press was NOT done") || !strings.Contains(all, "The same holds for one more such letter") || !strings.Contains(all, "command status got no answer") {
		t.Errorf("what was not done is not told:\n%s", all)
	}
	if n := len(h.deliver(blueAt)); n != 1+4 {
		t.Errorf("Blue has %d letters", n)
	}
}

// What the game master orders for a player is told to both, however many letters the
// master has written in the hour.
func TestMastersAnswerIsTold(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour = 2 })
	h.newGame(twoSides)
	f := strings.Replace(h.template(redAt), key(h, "lot-1", "red"), key(h, "lot-1", engine.GM), 1)
	h.deliver(redAt)
	for range 30 {
		h.write(gmAt, command(h, "lot-1", engine.GM, "command: show"), mail.Processed)
	}
	h.deliver(gmAt)
	h.write(gmAt, fill(f, "{bid: R-4}"), mail.Processed)
	h.says(h.one(h.deliver(gmAt)), "bid: R-4")
	h.says(h.one(h.deliver(redAt)), "bid: R-4")
}

// A note that is not passed on is named in the confirmation; with standing orders
// the game master can't be buried under notes either.
func TestNoteThatIsNotPassedOnIsNamed(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour = 2 })
	h.newGame(twoSides)
	f := h.template(redAt)
	h.deliver(redAt)
	h.deliver(gmAt)
	for i := range 3 {
		h.write(redAt, fill(f, fmt.Sprintf("{bid: R-%d}", i+1), "note: number"), mail.Processed)
		h.clock.move(time.Second)
	}
	got := append(h.deliver(redAt), h.later(redAt, 40*time.Minute)...)
	h.lacks(got[1], "not passed on")
	h.says(got[2], "bid: R-3", "note was not passed on")
	if n := len(h.deliver(gmAt)); n != 2 {
		t.Errorf("%d notes", n)
	}
	m := sit(t, waterloo.New(), "scenario-length: quick", []string{"french", "anglo"}, masterOfHisOwn)
	m.opt.AnswersPerHour = 3
	m.restart()
	m.deliver(gmAt)
	for i := range 9 {
		text := []string{"standing: {battle: {default: none}}", "standing: none"}[i%2]
		m.write(mailboxOf("anglo"), command(m.testOffice, m.id, "anglo", text, "note: again"), mail.Processed)
	}
	if n := len(m.deliver(gmAt)); n != 3 {
		t.Errorf("%d notes with standing orders", n)
	}
}

// A game master's command that is refused is answered, however many letters he has
// written in the hour.
func TestMastersFaultIsTold(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour = 2 })
	h.newGame(twoSides)
	h.deliver(gmAt)
	for range 15 {
		h.write(gmAt, command(h, "lot-1", engine.GM, "command: show"), mail.Processed)
	}
	if n := len(h.deliver(gmAt)); n != 10 {
		t.Fatalf("%d answers", n)
	}
	h.write(gmAt, command(h, "lot-1", engine.GM, "command: extend", "by: much"), mail.Rejected)
	h.says(h.one(h.deliver(gmAt)), "much")
}
