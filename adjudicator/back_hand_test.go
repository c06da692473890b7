package adjudicator

import (
	"fmt"
	"testing"

	"berthier/adjudicator/verify"
	"berthier/engine"
)

// A rewind with `orders: same` does all stops again. An answer that was in force at the open
// stop before the rewind is in force there again after it, and the game still verifies,
// however often it goes back.
func TestAnswersInHandHoldAfterARewindWithTheSame(t *testing.T) {
	for _, times := range []int{1, 2} {
		h := fiveRounds(t)
		h.both()
		for h.record("lot-1").Seat("red").Owes == nil || h.record("lot-1").Seat("blue").Owes == nil {
			h.both()
		}
		h.both2("red")
		stop := h.record("lot-1").Stop
		for i := range times {
			h.rule("command: rewind", fmt.Sprintf("stop: %d", stop-1-i), "orders: same", "reason: new program")
		}
		if g := h.record("lot-1"); g.Stop != stop || g.Seat("red").Owes.Answer == nil {
			t.Fatalf("the game is at stop %d, was at %d", g.Stop, stop)
		}
		h.both()
		h.play("lot-1", h.anyUnit("lot-1"))
		if v := h.verify(h.export("lot-1", engine.GM)); v.Verdict() != verify.Holds {
			t.Errorf("%d times: %+v", times, v)
		}
	}
}
