package adjudicator

import (
	"strings"
	"testing"

	"berthier/adjudicator/log"
	"berthier/engine/enginetest"
	"berthier/mail"
)

// Where a question follows what a player owes with nothing in between, his letter asks both,
// and one file answers both. What stands ready there asks him by itself where he leaves it:
// then nothing is filed. The log verifies, and the other side's letters say nothing of it.
func TestOneFileAnswersTwoQuestions(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	own := h.own("red")
	h.lost("red")
	h.says(h.last(redAt), "Bid: you may answer it in the same file", "you will be asked separately")
	template := h.template(redAt)
	if !strings.Contains(template, "ahead:\n  next:\n    bid:\n") || !strings.Contains(template, "\n      - {else: ask}\n") {
		t.Fatalf("the file does not ask for the bid:\n%s", template)
	}
	h.write(redAt, strings.Replace(fill(template, "{discard: "+own[0]+"}"), "- {else: ask}", "- else: "+own[1], 1), mail.Processed)
	red := h.record("lot-1").Seat("red")
	if red.Owes == nil || red.Owes.Decision.Kind != enginetest.Bid || red.Owes.Answer == nil || red.Owes.Answer.By != log.ByAhead {
		t.Fatalf("red owes %+v", red.Owes)
	}
	h.lacks(h.last(blueAt), "in the same file", "ahead")
	h.play("lot-1", h.anyUnit("lot-1"))
	h.soundly()

	h = newTestOffice(t)
	h.newGame(twentyRounds)
	h.lost("red")
	h.write(redAt, fill(h.template(redAt), "{discard: "+own[0]+"}"), mail.Processed)
	if red := h.record("lot-1").Seat("red"); red.Ahead != nil || red.Owes == nil || red.Owes.Answer != nil {
		t.Errorf("%+v waits, and red owes %+v", red.Ahead, red.Owes)
	}
	h.soundly()

	h = newTestOffice(t) // an example of the file, uncommented
	h.newGame(twentyRounds)
	h.lost("red")
	h.write(redAt, strings.Replace(fill(h.template(redAt), "{discard: "+own[0]+"}"), "# - do: [{bid: "+own[1], "- do: [{bid: "+own[1], 1), mail.Processed)
	red = h.record("lot-1").Seat("red")
	if red.Owes == nil || red.Owes.Decision.Kind != enginetest.Bid || red.Owes.Answer == nil || red.Owes.Answer.By != log.ByAhead {
		t.Errorf("red owes %+v", red.Owes)
	}
}

// A file that says something of what is ahead takes the place of what waits, so that no
// question that follows stands ready where something waits.
func TestWhatWaitsIsNotReplacedByWhatStandsReady(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	own := h.own("red")
	h.lost("red")
	h.write(redAt, command(h, "lot-1", "red", "ahead: {bid: "+own[0]+"}"), mail.Processed)
	h.write(redAt, command(h, "lot-1", "red", "command: report"), mail.Processed)
	h.lacks(h.last(redAt), "in the same file")
	h.write(redAt, fill(h.template(redAt), "{discard: "+own[1]+"}"), mail.Processed)
	if red := h.record("lot-1").Seat("red"); red.Owes == nil || red.Owes.Answer == nil || red.Owes.Answer.By != log.ByAhead {
		t.Errorf("%+v waits, and red owes %+v", red.Ahead, red.Owes)
	}
	h.soundly()
}
