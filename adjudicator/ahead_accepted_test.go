package adjudicator

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/mail"
)

// A refused file is accepted, as it is or with other orders, while its stop is open or when it has been resolved, and when
// something else was filed ahead by the answer in its place. What it files ahead waits as if it had been good; but not what was filed by a
// player who has left since, nor if he filed something else by a later letter. When the ruling is overruled what was before is so
// again. The log verifies.
func TestAnAcceptedFileFilesAhead(t *testing.T) {
	withoutRace(t)
	for _, test := range []struct {
		name     string
		resolved bool     // the stop, before the ruling
		instead  []string // what else the answer says with which it was resolved
		then     func(h *testOffice)
		lost     int // which of its units red loses by it; -1: it is asked
	}{
		{"at the open stop", false, nil, nil, 1},
		{"at the open stop, and another has the seat", false, nil, (*testOffice).another, -1},
		{"at the open stop, and a later letter", false, nil, func(h *testOffice) {
			h.clock.move(time.Minute)
			h.write(redAt, command(h, "lot-1", "red", "ahead: {discard: "+h.own("red")[2]+"}"), mail.Processed)
		}, 2},
		{"at a stop that is resolved", true, nil, nil, 1},
		{"at a stop that is resolved, instead of another that files ahead", true, []string{"ahead: {discard: R-3}"}, nil, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newTestOffice(t)
			h.newGame(twentyRounds)
			own := h.own("red")
			template := h.template(redAt)
			h.write(redAt, fill(template, "{bid: R-9}", "ahead: {discard: "+own[1]+"}"), mail.Rejected)
			file := h.lastEntry(log.KindRefused)
			if test.then != nil {
				test.then(h)
			}
			h.restart()
			if test.resolved {
				h.clock.move(time.Minute)
				h.write(redAt, fill(template, "{bid: R-4}", test.instead...), mail.Processed)
				h.answers("blue", "{bid: B-1}")
			}
			holds := func(when string, lost int) {
				t.Helper()
				if now := h.own("red"); lost < 0 {
					if h.asks(when); len(now) != len(own) {
						t.Errorf("%s: red has %v", when, now)
					}
				} else if len(now) != len(own)-1 || slices.Contains(now, own[lost]) {
					t.Errorf("%s: red has %v of %v", when, now, own)
				}
				h.soundly()
			}
			h.clock.move(time.Minute)
			h.managed("command: rule", fmt.Sprintf("accept: %d", file), "orders: {bid: none}", "reason: a slip of the pen")
			ruling := h.lastEntry(log.KindRuling)
			if test.lost == 1 {
				h.says(h.last(redAt), "Filed ahead: discard: "+own[1])
			}
			if !test.resolved {
				h.answers("blue", "{bid: B-1}")
			}
			holds("accepted", test.lost)
			h.clock.move(time.Minute)
			h.rule("command: rewind", "stop: 1", "orders: same", "reason: again")
			holds("done again", test.lost)
			h.overrule(h.lastEntry(log.KindRewound))
			holds("as it was before it was done again", test.lost)
			h.clock.move(time.Minute)
			h.overrule(ruling)
			h.soundly()
			h.clock.move(time.Minute)
			h.overrule(h.lastEntry(log.KindRuling))
			h.soundly()
			h.play("lot-1", h.anyUnit("lot-1"))
			h.soundly()
		})
	}
}
