package adjudicator

import (
	"testing"

	"berthier/adjudicator/log"
	"berthier/engine/enginetest"
	"berthier/mail"
)

// What a file says of the next stop counts at that stop alone. When another stop comes
// first, all that the file says of later stops is void, and the letter says so. The log
// verifies.
func TestNextCountsAtTheNextStopAlone(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	own := h.own("red")
	h.lost("red", "ahead: {next: [{discard: "+own[1]+"}, {bid: "+own[0]+"}]}")
	if now := h.own("red"); len(now) != len(own)-1 || now[1] == own[1] {
		t.Fatalf("red has %v of %v", now, own)
	}
	red := h.record("lot-1").Seat("red")
	if red.Owes == nil || red.Owes.Decision.Kind != enginetest.Bid || red.Owes.Answer == nil || red.Owes.Answer.By != log.ByAhead {
		t.Fatalf("red owes %+v", red.Owes)
	}
	h.soundly()

	h = newTestOffice(t)
	h.newGame(twentyRounds)
	h.lost("red", "ahead: {next: [{bid: "+own[0]+"}, {discard: "+own[1]+"}]}")
	if now := h.own("red"); len(now) != len(own) {
		t.Fatalf("red has %v of %v", now, own)
	}
	h.says(h.last(redAt), "next question (bid, discard) counts no more")
	h.write(redAt, fill(h.template(redAt), "{discard: "+own[0]+"}"), mail.Processed)
	h.soundly()
}

// A player has filed an answer for the next stop, and the game goes back. If he now answers
// the stop before it himself, he is asked at the next one: what he had filed for it counts
// no more.
func TestNextIsVoidWhereItsPlayerAnswersHimself(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	own := h.own("red")
	h.lost("red", "ahead: {next: [{discard: "+own[1]+"}, {bid: "+own[0]+"}]}")
	h.rule("command: rewind", "stop: 2", "orders: new", "reason: a power cut")
	h.write(redAt, fill(h.template(redAt), "{discard: "+own[2]+"}"), mail.Processed)
	red := h.record("lot-1").Seat("red")
	if red.Owes == nil || red.Owes.Decision.Kind != enginetest.Bid || red.Owes.Answer != nil {
		t.Fatalf("red owes %+v", red.Owes)
	}
	h.says(h.last(redAt), "next question (discard, bid) counts no more")
	h.play("lot-1", h.anyUnit("lot-1"))
	h.soundly()
}
