package adjudicator

import (
	"testing"

	"berthier/adjudicator/log"
)

// A game that goes on after its end has a new seed. The game master is told the SHA-256 of
// the seed that counts, not of one that was drawn for a look at what would happen.
func TestTheMasterIsToldTheSumOfTheSeedThatCounts(t *testing.T) {
	h := fiveRounds(t)
	h.play("lot-1", h.anyUnit("lot-1"))
	_, done := h.rule("command: rewind", "stop: 1", "orders: new", "reason: a power cut")
	sum := log.Commitment(h.record("lot-1").Seed)
	h.says(done, sum)
	h.says(h.last(redAt), sum)
}
