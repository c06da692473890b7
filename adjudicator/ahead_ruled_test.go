package adjudicator

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/mail"
)

// answers lets a side answer what it owes, a minute later.
func (h *testOffice) answers(side engine.Side, text string, more ...string) {
	h.Helper()
	h.clock.move(time.Minute)
	at := h.record("lot-1").Seat(side).Person.Address
	h.write(at, fill(h.template(at), text, more...), mail.Processed)
}

// What the answer in force files ahead is put back with it where a ruling on it, or a rewind, is
// overruled: whether it came in its file or by a letter after it. So is which part of what was
// filed ahead it is, if it came from there. But nothing is put back that a former player of the
// seat had filed. Each log verifies.
func TestOverrulingPutsBackWhatAnAnswerFilesAhead(t *testing.T) {
	withoutRace(t)
	refused := func(h *testOffice) uint64 {
		h.rule("command: rule", fmt.Sprintf("refuse: %d", h.lastEntry(log.KindTaken)), "reason: sent by his brother")
		return h.lastEntry(log.KindRuling)
	}
	back := func(h *testOffice) uint64 {
		h.rule("command: rewind", "stop: 1", "orders: new", "reason: a power cut")
		return h.lastEntry(log.KindRewound)
	}
	for _, test := range []struct {
		name  string
		alone bool // it is filed by a letter of its own, after the answer
		do    func(h *testOffice) uint64
		then  func(h *testOffice) // before that is overruled
		none  bool                // nothing waits in the end
	}{
		{"refused", false, refused, nil, false},
		{"refused, filed alone", true, refused, nil, false},
		{"taken back", false, back, nil, false},
		{"taken back, filed alone", true, back, nil, false},
		{"refused and replaced", false, refused, (*testOffice).another, true},
		{"taken back and replaced, filed alone", true, back, (*testOffice).another, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newTestOffice(t)
			h.newGame(twentyRounds)
			h.answers("red", "{bid: R-4}")
			h.answers("blue", "{bid: none}")
			if o := h.record("lot-1").Seat("blue").Owes; o != nil && o.Decision.Kind == enginetest.Discard {
				h.answers("blue", "{discard: "+h.own("blue")[0]+"}")
			}
			own := h.own("red")
			part := "ahead: {discard: " + own[1] + "}"
			if test.alone {
				h.answers("red", "{bid: none}")
				h.clock.move(time.Minute)
				h.write(redAt, command(h, "lot-1", "red", part), mail.Processed)
			} else {
				h.answers("red", "{bid: none}", part)
			}
			h.clock.move(time.Minute)
			entry := test.do(h)
			if test.then != nil {
				test.then(h)
			}
			h.clock.move(time.Minute)
			undone := h.overrule(entry)
			h.wantForce("red", "none")
			h.soundly()
			h.clock.move(time.Minute)
			again := h.overrule(undone)
			h.soundly()
			h.clock.move(time.Minute)
			h.overrule(again)
			h.restart()
			h.answers("blue", "{bid: "+h.own("blue")[0]+"}")
			if now := h.own("red"); slices.Contains(now, own[1]) != test.none {
				t.Errorf("red has %v of %v", now, own)
			}
			h.soundly()
			stop := stopOf(h)
			h.clock.move(time.Minute)
			h.rule("command: rewind", "stop: 1", "orders: same", "reason: again")
			if now := h.own("red"); slices.Contains(now, own[1]) != test.none || stopOf(h) != stop {
				t.Errorf("done again, red has %v of %v at stop %d of %d", now, own, stopOf(h), stop)
			}
			h.soundly()
		})
	}
}

// An answer that came from what was filed ahead is put back as that, with the part of it that it
// is: where a rewind is overruled, and where a ruling that put another in its place is.
func TestOverrulingPutsBackAnAnswerFiledAhead(t *testing.T) {
	for name, do := range map[string]func(h *testOffice) uint64{
		"taken back": func(h *testOffice) uint64 {
			h.rule("command: rewind", "stop: 1", "orders: new", "reason: a power cut")
			return h.lastEntry(log.KindRewound)
		},
		"another in its place": func(h *testOffice) uint64 {
			h.write(redAt, fill(h.template(redAt), "{bid: R-9}"), mail.Rejected)
			h.deliver(redAt)
			h.rule("command: rule", fmt.Sprintf("accept: %d", h.lastEntry(log.KindRefused)), "orders: {bid: none}", "reason: a slip of the pen")
			return h.lastEntry(log.KindRuling)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newTestOffice(t)
			h.newGame(twentyRounds)
			own := h.own("red")
			h.lost("red", "ahead: {discard: "+own[0]+", bid: "+own[1]+"}")
			was := *h.record("lot-1").Seat("red").Owes.Answer
			h.clock.move(time.Minute)
			entry := do(h)
			h.clock.move(time.Minute)
			h.overrule(entry)
			a := h.record("lot-1").Seat("red").Owes.Answer
			if a == nil || a.By != log.ByAhead || a.Entry != was.Entry || a.Part != was.Part || a.Part == "" {
				t.Fatalf("in force is %+v, and was %+v", a, was)
			}
			h.soundly()
			h.answers("blue", "{bid: none}")
			_, all := h.resolutions("lot-1")
			if g := all[len(all)-1].Of("red"); g.Part == nil || g.Part.Mark != was.Part {
				t.Errorf("%+v", g)
			}
			h.soundly()
			h.play("lot-1", h.anyUnit("lot-1"))
			h.soundly()
		})
	}
}

// Where a position is ruled on, or an answer of another side is put in at an earlier stop, what an
// answer files ahead waits with it as before, and the log verifies.
func TestWhatAnAnswerFilesAheadWaitsAfterARuling(t *testing.T) {
	withoutRace(t)
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	own := h.own("red")
	h.answers("red", "{bid: none}", "ahead: {discard: "+own[1]+"}")
	h.clock.move(time.Minute)
	h.rule("command: rule", "set: {rounds: 19}", "reason: it is late")
	h.wantForce("red", "none")
	h.soundly()
	h.answers("blue", "{bid: "+h.own("blue")[0]+"}")
	if now := h.own("red"); slices.Contains(now, own[1]) {
		t.Errorf("red has %v of %v", now, own)
	}
	h.soundly()

	h = newTestOffice(t)
	h.newGame(twentyRounds)
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-9}"), mail.Rejected)
	file := h.lastEntry(log.KindRefused)
	h.deliver(blueAt)
	h.answers("red", "{bid: none}", "ahead: {discard: "+own[1]+"}")
	h.answers("blue", "{bid: "+h.own("blue")[0]+"}")
	h.clock.move(time.Minute)
	h.rule("command: rule", fmt.Sprintf("accept: %d", file), "orders: {bid: "+h.own("blue")[1]+"}", "reason: a slip of the pen")
	h.soundly()
	if now := h.own("red"); slices.Contains(now, own[1]) {
		t.Errorf("red has %v of %v", now, own)
	}
	h.soundly()
}
