package adjudicator

import (
	"strings"
	"testing"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail"
)

// What a player writes above the letter that he quotes needs no head of its own: game, side, stop
// and key stand in the file below it. The confirmation says that they were taken from there.
func TestHeadFromTheQuotedFile(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	report := h.one(h.deliver(redAt))
	for _, words := range []string{"command: status", "Hello,\n\ncommand: status\n\nRosa", "  command: status"} {
		h.take(h.answering(redAt, words, report), mail.Processed)
		h.says(h.one(h.deliver(redAt)), "lot-1")
	}
	h.take(h.answering(redAt, "orders: {bid: R-1}", report), mail.Processed)
	h.says(h.one(h.deliver(redAt)), "bid: R-1", "left out", "game: lot-1 / side: red / stop: 1", "key: ...")
	h.take(h.answering(blueAt, "ordini:\n  bid: B-1\n\nBruno", h.one(h.deliver(blueAt))), mail.Processed)
	if h.record("lot-1").Stop != 2 {
		t.Error("the stop is not resolved by orders without a head")
	}
	h.wantKinds("lot-1", log.KindSetup, log.KindTaken, log.KindTaken, log.KindResolved)
	// Below it stands the file of a stop that is over: so the orders are for that stop.
	h.deliver(redAt)
	h.take(h.answering(redAt, "orders: {bid: R-2}", report), mail.Rejected)
	if s := h.record("lot-1").Seat("red"); s.Owes != nil && s.Owes.Answer != nil {
		t.Errorf("in force is %+v", s.Owes.Answer)
	}
}

// The head below is worth no more than its key, and counts for whoever may use it: a stranger, the
// enemy, another key, another game or side named above, or files of two seats in what is
// quoted, and nothing is taken.
func TestHeadFromTheQuotedFileProvesNoMore(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	report, other := h.one(h.deliver(redAt)), h.one(h.deliver(blueAt))
	his := key(h, "lot-1", "red")
	const bid = "orders: {bid: R-1}"
	h.take(h.answering("stranger@play.example", bid, report), mail.Rejected)
	h.take(h.answering(blueAt, bid, report), mail.Rejected)
	forged := h.answering(redAt, bid, report)
	forged.Parts[0].Text = strings.ReplaceAll(forged.Parts[0].Text, his, "ABCD-EFGH")
	h.take(forged, mail.Rejected)
	h.take(h.answering(redAt, "side: blue\n"+bid, report), mail.Rejected)
	h.take(h.answering(redAt, "game: lot-2\n"+bid, report), mail.Rejected)
	h.take(h.answering(redAt, "key: ABCD-EFGH\n"+bid, report), mail.Rejected)
	two := h.answering(redAt, bid, report)
	two.Parts[0].Text += h.answering(redAt, "", other).Parts[0].Text
	h.take(two, mail.Rejected)
	h.wantKinds("lot-1", log.KindSetup)
	for _, side := range []engine.Side{"red", "blue"} {
		if s := h.record("lot-1").Seat(side); s.Owes.Answer != nil {
			t.Errorf("%s: in force is %+v", side, s.Owes.Answer)
		}
	}
}
