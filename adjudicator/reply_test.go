package adjudicator

import (
	"strings"
	"testing"

	"berthier/adjudicator/log"
	"berthier/engine/napoleon"
	"berthier/mail"
)

// answering is a letter that answers another with a few words above it, as mail programs
// quote it.
func (h *testOffice) answering(from, words string, l *mail.Letter) *mail.Letter {
	h.Helper()
	var b strings.Builder
	b.WriteString(words + "\n\nOn Mon, 2 Mar 2026 at 10:00, Berthier <orders@club.example> wrote:\n")
	for _, p := range l.Parts {
		if p.Kind == mail.Plain {
			for line := range strings.Lines(p.Text) {
				b.WriteString("> " + line)
			}
			break
		}
	}
	reply := h.letter(from, b.String())
	reply.InReplyTo = l.MessageID
	return reply
}

// Ok answers a report with its file as it stands, default with the default, in a letter
// that quotes the file with its key: the answer counts as if it had been written out.
func TestReplyInAWord(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	report := h.one(h.deliver(redAt))
	h.take(h.answering(redAt, "ok", report), mail.Processed)
	h.says(h.one(h.deliver(redAt)), "bid: none")
	h.take(h.answering(redAt, "Default.\n\nRosa", report), mail.Processed)
	h.one(h.deliver(redAt))
	if s := h.record("lot-1").Seat("red"); s.Owes.Answer == nil || s.Owes.Answer.Number != 2 {
		t.Errorf("in force is %+v", s.Owes.Answer)
	}
	h.wantKinds("lot-1", log.KindSetup, log.KindTaken, log.KindTaken)
	italian := h.one(h.deliver(blueAt))
	h.take(h.answering(blueAt, "Predefinito", italian), mail.Processed)
	if h.record("lot-1").Stop != 2 {
		t.Error("the stop is not resolved by two words")
	}
}

// A word counts only with the key below it. Without the key the answer asks for it. From
// another address, or with another key, the word does nothing and tells nothing.
func TestReplyNeedsTheKey(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	report := h.one(h.deliver(redAt))
	his := key(h, "lot-1", "red")
	bare := h.letter(redAt, "ok")
	bare.InReplyTo = report.MessageID
	h.take(bare, mail.Rejected)
	h.says(h.one(h.deliver(redAt)), "Ok answers an order file, and the letter quotes none", "the key in it shows that it is you", his)
	forged := h.answering(redAt, "default", report)
	forged.Parts[0].Text = strings.ReplaceAll(forged.Parts[0].Text, his, "ABCD-EFGH")
	h.take(forged, mail.Rejected)
	h.take(h.answering("stranger@play.example", "ok", report), mail.Rejected)
	h.take(h.answering(blueAt, "ok", report), mail.Rejected)
	quoting := h.answering(redAt, "", report) // an untouched file without a word
	h.take(quoting, mail.Rejected)
	h.wantKinds("lot-1", log.KindSetup)
	if s := h.record("lot-1").Seat("red"); s.Owes.Answer != nil {
		t.Errorf("in force is %+v", s.Owes.Answer)
	}
	said := false
	for _, l := range h.deliver(redAt) {
		said = said || strings.Contains(spaced(l), "Reply ok above the quoted letter")
	}
	if !said {
		t.Error("whoever sends the file untouched is not told of ok")
	}
}

// Ok to a file of a stop that is over, or that a newer file has overtaken, answers nothing.
func TestReplyToWhatIsOver(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	first := h.one(h.deliver(redAt))
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	h.deliver(redAt)
	h.take(h.answering(redAt, "ok", first), mail.Rejected)
	h.take(h.answering(redAt, "default", first), mail.Rejected)
	if s := h.record("lot-1").Seat("red"); s.Owes != nil && s.Owes.Answer != nil {
		t.Errorf("in force is %+v", s.Owes.Answer)
	}
}

// Ask opens the next question of a seat whatever its policies say. Then the policies are
// again what they were, also after a rewind to a place between the two.
func TestReplyAsk(t *testing.T) {
	withoutRace(t)
	h := sit(t, napoleon.New(), "setup: historical", []string{"french", "allied"}, masterOfHisOwn+"pace: postal\n")
	address := mailboxOf("french")
	before := policiesOf(h, "french")
	h.take(h.answering(address, "ask", h.last(address)), mail.Processed)
	for k, p := range policiesOf(h, "french") {
		if p.Value != "ask" {
			t.Errorf("after ask the policy %s says %s", k, p.Value)
		}
	}
	between, stops := 0, h.record(h.id).Seat("french").Stops
	for h.record(h.id).Seat("french").Stops == stops {
		between = h.record(h.id).Stop
		h.playOn(1)
	}
	same := func(when string) {
		t.Helper()
		for k, p := range policiesOf(h, "french") {
			if p.Value != before[k].Value {
				t.Errorf("%s the policy %s says %s, and said %s", when, k, p.Value, before[k].Value)
			}
		}
	}
	same("after the next question")
	h.back(between)
	for _, p := range policiesOf(h, "french") {
		if p.Value != "ask" {
			t.Errorf("after the rewind a policy says %s", p.Value)
		}
	}
	stops = h.record(h.id).Seat("french").Stops
	for h.record(h.id).Seat("french").Stops == stops {
		h.playOn(1)
	}
	same("after the rewind and the next question")
	if err := h.office.Clerk().Close(t.Context(), h.id, "enough"); err != nil {
		t.Fatal(err)
	}
}

// In a game without policies everything is asked already, and ask is told so.
func TestReplyAskWithoutPolicies(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.take(h.answering(redAt, "ask", h.one(h.deliver(redAt))), mail.Rejected)
	h.says(h.one(h.deliver(redAt)), "nothing is answered for you")
}
