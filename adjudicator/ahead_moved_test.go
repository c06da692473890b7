package adjudicator

import (
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/mail"
)

// Players change seats, and the game goes back to before that: each is where he was, and what he had filed ahead there
// waits again, however often it goes there and back. What was filed by who has left since, or had the other seat, does not.
// The log verifies.
func TestWhatWaitedBeforeAChangeOfSeatsWaitsAgain(t *testing.T) {
	withoutRace(t)
	for _, leaves := range []engine.Side{"", "red", "blue"} {
		h := newTestOffice(t, func(h *testOffice) { h.rules = swapping{enginetest.New()} })
		h.newGame(twentyRounds)
		h.write(redAt, command(h, "lot-1", "red", "ahead: {discard: R-2}"), mail.Processed)
		h.write(blueAt, command(h, "lot-1", "blue", "ahead: {discard: B-3}"), mail.Processed)
		h.clock.move(time.Minute)
		h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
		h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
		if g := h.record("lot-1"); len(g.Exchanges) != 1 || g.Seat("blue").Person.Address != redAt || h.waitsFor("red") != "" || h.waitsFor("blue") != "" {
			t.Fatalf("%+v, and %q and %q wait", g.Exchanges, h.waitsFor("red"), h.waitsFor("blue"))
		}
		h.restart()
		h.clock.move(time.Minute)
		if leaves != "" {
			if err := h.office.Clerk().Replace(t.Context(), "lot-1", leaves, log.Person{Name: "Nora", Address: newAt}); err != nil {
				t.Fatal(err)
			}
		}
		back := func(which string) {
			t.Helper()
			h.clock.move(time.Minute)
			h.managed("command: rewind", "stop: 1", "orders: "+which, "reason: again")
			want := map[engine.Side]string{"red": "discard: R-2", "blue": "discard: B-3"}
			if which == "same" {
				clear(want)
			} else if leaves != "" { // who has it was at the other one
				delete(want, map[engine.Side]engine.Side{"red": "blue", "blue": "red"}[leaves])
			}
			for _, side := range []engine.Side{"red", "blue"} {
				if got := h.waitsFor(side); got != want[side] {
					t.Errorf("%q leaves, %s: %q waits for %s, and not %q", leaves, which, got, side, want[side])
				}
			}
			h.soundly()
		}
		back("new")
		h.clock.move(time.Minute)
		h.answerAs("lot-1", "red")
		h.answerAs("lot-1", "blue")
		back("same")
		back("new")
		h.play("lot-1", h.anyUnit("lot-1"))
		h.soundly()
	}
}
