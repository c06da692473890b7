package adjudicator

import (
	"strings"
	"testing"
	"time"

	"berthier/mail"
)

// A file that resolves its stop is confirmed by the report that follows, and by no letter of
// its own: in two lines, with the normal form attached, as an answer to the player's letter.
// A player whose file does not resolve the stop gets a confirmation at once.
func TestReportConfirmsTheFileThatResolved(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.deliver(redAt)
	h.deliver(blueAt)
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-2}"), mail.Processed)
	h.says(h.one(h.deliver(blueAt)), "Ordini ricevuti", "offri: B-2")
	his := h.letter(redAt, strings.Replace(fill(h.template(redAt), "{bid: R-1}"), "orders: {bid: R-1}", "orders:\n\tbid: R-1", 1))
	h.take(his, mail.Processed)
	l := h.one(h.deliver(redAt))
	h.says(l, "Taken for stop 1: bid (your set 1, mark ", "): bid: R-1.", "In your file this was read:")
	if l.InReplyTo != his.MessageID {
		t.Errorf("the report answers %q, and not the letter %q", l.InReplyTo, his.MessageID)
	}
	attached := ""
	for _, p := range l.Parts {
		if strings.HasSuffix(p.Name, "-stop1-set1.txt") {
			attached = p.Text
		}
	}
	for _, want := range []string{"# Stop 1", "bid: R-1", "# - line"} {
		if !strings.Contains(strings.ToLower(attached), strings.ToLower(want)) {
			t.Errorf("the attached file lacks %q:\n%s", want, attached)
		}
	}
	if strings.Contains(attached, key(h, "lot-1", "red")) {
		t.Error("the attached file has the key")
	}
	h.clock.move(time.Hour)
	h.silent(redAt)
	h.write(redAt, command(h, "lot-1", "red", "command: resend"), mail.Processed)
	if again := h.one(h.deliver(redAt)); wordsOf(again) != wordsOf(l) {
		t.Errorf("sent again the report says\n%s", wordsOf(again))
	}
	h.write(redAt, command(h, "lot-1", "red", "command: dispute", "event: 1", "reason: the die"), mail.Processed)
}

// A player who is not asked next gets his report soon all the same, with what has happened,
// and gets it once. If he is asked before it goes out, the report that asks him says
// everything. A crash in between loses nothing.
func TestReportOfWhoWaitsIsDueSoon(t *testing.T) {
	for _, asked := range []bool{false, true} {
		h := newTestOffice(t, func(h *testOffice) { h.opt.Quiet = time.Minute })
		h.newGame(twoSides)
		h.deliver(redAt)
		h.write(blueAt, fill(h.template(blueAt), "{bid: B-4}"), mail.Processed)
		h.deliver(blueAt)
		h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
		waits, other := redAt, blueAt
		for _, s := range h.record("lot-1").Seats {
			if s.Side == "red" && s.Owes != nil {
				t.Fatal("the game must be one in which red is not asked next")
			}
		}
		h.silent(waits)
		h.restart()
		if asked {
			h.deliver(other)
			h.write(other, fill(h.template(other), "default"), mail.Processed)
			l := h.one(h.deliver(waits))
			h.says(l, "Taken for stop 1: bid (your set 1, mark ", "): bid: R-1", "What happened", "You owe")
		} else {
			h.clock.move(time.Minute)
			l := h.one(h.deliver(waits))
			h.says(l, "Taken for stop 1: bid (your set 1, mark ", "): bid: R-1", "waits for", "won round 1")
		}
		h.clock.move(10 * time.Minute)
		h.silent(waits)
	}
}
