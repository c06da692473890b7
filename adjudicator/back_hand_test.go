package adjudicator

import (
	"fmt"
	"testing"

	"berthier/adjudicator/verify"
	"berthier/engine"
)

// An answer that was in force when the game went back and did all again is in force
// again at the stop where it stood: such a game holds, however often it goes back.
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
