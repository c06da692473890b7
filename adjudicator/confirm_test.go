package adjudicator

import (
	"strings"
	"testing"
	"time"

	"berthier/engine/enginetest"
	"berthier/mail"
)

// The confirmation names the set of orders, what is odd in it, and who else is asked.
func TestConfirmationSaysAll(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.deliver(redAt)
	h.write(redAt, fill(h.template(redAt), "{bid: R-2}"), mail.Processed)
	first := h.one(h.deliver(redAt))
	h.says(first, "Number 1 of this stop, file 1; mark", "Legal, but odd", "R-2 is your weakest unit", "[LOT-2.1]", "The stop asks")
	h.clock.move(time.Minute)
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
	second := h.one(h.deliver(redAt))
	h.says(second, "Number 2 of this stop", "What changes", "R-2", "R-1")
	if strings.Contains(wordsOf(second), "odd") {
		t.Errorf("a sound order is called odd:\n%s", wordsOf(second))
	}
	// The same orders have the same mark; a refusal names the set in force.
	h.clock.move(time.Minute)
	h.write(redAt, fill(h.template(redAt), "{bid: R-2}"), mail.Processed)
	h.says(h.one(h.deliver(redAt)), "Number 3 of this stop", markOf(t, wordsOf(first)))
	h.clock.move(time.Minute)
	h.write(redAt, fill(h.template(redAt), "{bid: R-9}"), mail.Rejected)
	h.says(h.one(h.deliver(redAt)), "Number 3 of this stop", markOf(t, wordsOf(first)))
}

func markOf(t *testing.T, text string) string {
	t.Helper()
	_, after, ok := strings.Cut(text, "; mark")
	fields := strings.Fields(after)
	if !ok || len(fields) == 0 {
		t.Fatalf("no mark in\n%s", text)
	}
	return strings.TrimSuffix(fields[0], ".")
}

// If many letters come within a minute each of them is judged and kept. The first is answered
// at once, and one more answer goes out, for the last.
func TestManyLettersOneAnswer(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.Quiet, h.opt.AnswersPerHour = time.Minute, 100 })
	h.newGame(twoSides)
	h.deliver(redAt)
	template := h.template(redAt)
	for i := range 50 {
		text, folder := fill(template, "{bid: R-1}"), mail.Processed
		if i%2 == 1 {
			text, folder = fill(template, "{bid: R-77}"), mail.Rejected
		}
		if i == 49 {
			text, folder = fill(template, "{bid: R-2}"), mail.Processed
		}
		h.write(redAt, text, folder)
		h.clock.move(time.Second)
	}
	first := h.one(h.deliver(redAt))
	h.says(first, "bid: R-1", "Number 1 of this stop")
	h.clock.move(time.Minute)
	last := h.one(h.deliver(redAt))
	h.says(last, "bid: R-2", "the last of 49 letters", "Number 26 of this stop")
	if kinds := h.kinds("lot-1"); len(kinds) != 51 {
		t.Errorf("%d log entries, want the set-up and 50 files", len(kinds))
	}
	h.clock.move(time.Hour)
	h.silent(redAt)
	// After the quiet time an answer comes at once again.
	h.write(redAt, fill(template, "{bid: R-1}"), mail.Processed)
	h.one(h.deliver(redAt))
}

// The first file of a stop is answered at once, even if the same player's file opened that
// stop only a moment ago.
func TestEachStopIsAnsweredAtOnce(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.Quiet = time.Minute })
	h.newGame(twoSides)
	h.deliver(redAt)
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	last := redAt
	h.write(last, fill(h.template(last), "{bid: R-1}"), mail.Processed) // resolves the stop
	for _, seat := range h.record("lot-1").Seats {
		if seat.Owes != nil && seat.Owes.Decision.Kind == enginetest.Discard { // who lost the round
			last = strings.ToLower(seat.Person.Address)
			h.write(last, fill(h.template(last), "default"), mail.Processed)
		}
	}
	h.deliver(last)
	h.clock.move(time.Second)
	h.write(last, fill(h.template(last), "default"), mail.Processed)
	h.one(h.deliver(last))
}

// A file that resolves the stop is confirmed at once and before the report, and
// what was put off is not sent any more.
func TestOneAnswerBeforeTheReport(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.Quiet = time.Minute })
	h.newGame(twoSides)
	h.deliver(redAt)
	template := h.template(redAt)
	h.write(redAt, fill(template, "{bid: R-1}"), mail.Processed)
	h.write(redAt, fill(template, "{bid: R-9}"), mail.Rejected)
	h.one(h.deliver(redAt))
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	h.write(redAt, fill(h.template(redAt), "default"), mail.Rejected) // of a stop that is over
	h.deliver(redAt)
	h.clock.move(2 * time.Minute)
	for _, l := range h.deliver(redAt) {
		if strings.Contains(wordsOf(l), "R-9") {
			t.Errorf("the answer to an overtaken letter is sent: %s", l.Subject)
		}
	}
}
