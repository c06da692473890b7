package adjudicator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/mail"
)

// A player in despair sends twelve files an hour, each with another fault, for eight hours:
// every one of them gets its verdict within the hour.
func TestEveryFaultyFileHasAVerdict(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(strings.Replace(twoSides, "deadline: 3d", "deadline: none", 1))
	f := h.template(redAt)
	h.deliver(redAt)
	for i := range 8 * 12 {
		fault := fmt.Sprintf("R-%d", i+100)
		h.write(redAt, fill(f, "{bid: "+fault+"}"), mail.Rejected)
		h.clock.move(5 * time.Minute)
		said := false
		for _, l := range h.deliver(redAt) {
			said = said || strings.Contains(wordsOf(l), fault)
		}
		if !said {
			t.Fatalf("file %d has no verdict", i+1)
		}
	}
}

// Whoever sends the same faulty file again and again is told until when it is still answered
// in one line. Until then he gets that line once a day. What is new is told in full. A
// machine comes to the end of these answers.
func TestARepeatedFaultEndsInOneLine(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour = 6 })
	h.newGame(strings.Replace(twoSides, "deadline: 3d", "deadline: none", 1))
	f := fill(h.template(redAt), "{bid: R-9}")
	h.deliver(redAt)
	announced, brief := 0, 0
	for hour := range 24 * 30 {
		h.write(redAt, f, mail.Rejected)
		h.clock.move(time.Hour)
		for _, l := range h.deliver(redAt) {
			switch text := spaced(l); {
			case strings.Contains(text, "gets its verdict in one line"):
				announced++
			case announced > 0:
				if brief++; strings.Contains(text, "ORDERS") || !strings.Contains(text, "orders refused, one fault") {
					t.Errorf("what should be brief is\n%s", text)
				}
				if hour > 24*9 {
					t.Errorf("after %d hours there is still an answer", hour)
				}
			}
		}
	}
	if announced != 1 || brief < 5 || brief > 8 {
		t.Errorf("announced %d times, then %d times in one line", announced, brief)
	}
	h.write(redAt, fill(h.template(redAt), "{bid: R-77}"), mail.Rejected)
	said := ""
	for _, l := range append(h.deliver(redAt), h.later(redAt, 25*time.Hour)...) {
		said += wordsOf(l)
	}
	if !strings.Contains(said, "R-77") {
		t.Error("another fault is not told")
	}
}
