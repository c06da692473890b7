package adjudicator

import (
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine/enginetest"
	"berthier/mail"
)

const newAt = "new@play.example"

// another gives the seat of red to another player.
func (h *testOffice) another() {
	h.Helper()
	if err := h.office.Clerk().Replace(h.Context(), "lot-1", "red", log.Person{Name: "Nora", Address: newAt}); err != nil {
		h.Fatal(err)
	}
}

// asks holds that red owes a discard that nothing has answered.
func (h *testOffice) asks(when string) {
	h.Helper()
	o := h.record("lot-1").Seat("red").Owes
	if o == nil || o.Decision.Kind != enginetest.Discard || o.Answer != nil {
		h.Errorf("%s: red owes %+v", when, o)
	}
}

// An answer in force stays so when its side has another player, but what its file files ahead
// ends with him who wrote it: his successor is asked. So it is when a game master takes the
// seat, and when its player resigns. The log verifies.
func TestWhatAnAnswerFilesAheadEndsWithItsPlayer(t *testing.T) {
	withoutRace(t)
	for name, leaves := range map[string]func(h *testOffice){
		"replaced": func(h *testOffice) { h.another() },
		"vacated":  func(h *testOffice) { h.managed("command: vacate", "side: red", "reason: he asked me to") },
		"resigned": func(h *testOffice) {
			h.write(redAt, command(h, "lot-1", "red", "command: resign"), mail.Processed)
		},
		"filed alone since": func(h *testOffice) {
			h.write(redAt, command(h, "lot-1", "red", "ahead: {discard: "+h.own("red")[1]+"}"), mail.Processed)
			h.another()
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newTestOffice(t)
			h.newGame(twentyRounds)
			h.write(redAt, fill(h.template(redAt), "{bid: none}", "ahead: {discard: "+h.own("red")[0]+"}"), mail.Processed)
			h.clock.move(time.Minute)
			leaves(h)
			if a := h.record("lot-1").Seat("red").Owes.Answer; a == nil || a.Files != nil {
				t.Errorf("in force is %+v", a)
			}
			h.restart()
			h.clock.move(time.Minute)
			h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
			if stopOf(h) == 1 {
				t.Fatal("the stop is not resolved")
			}
			if got := h.waitsFor("red"); got != "" {
				t.Errorf("%q waits", got)
			}
			if _, all := h.resolutions("lot-1"); len(all[0].Asked) > 0 {
				t.Errorf("stops open for %v", all[0].Asked)
			}
			if name != "vacated" && name != "resigned" {
				h.asks("afterwards")
			}
			h.soundly()
		})
	}
}

// An answer that came from what was filed ahead is in force at a stop that waits for another
// side: it stays so when its side has another player, as one that came by letter does. What
// else waited does not. The log verifies.
func TestAnAnswerFiledAheadStaysInForceWithoutItsPlayer(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	own := h.own("red")
	h.lost("red", "ahead: {discard: [{if: {round: 1}, do: "+own[0]+"}, {else: ask}], bid: "+own[1]+"}")
	h.another()
	if o := h.record("lot-1").Seat("red").Owes; o == nil || o.Answer == nil || o.Answer.By != log.ByAhead {
		t.Fatalf("red owes %+v", o)
	}
	h.clock.move(time.Minute)
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	_, all := h.resolutions("lot-1")
	if last := all[len(all)-1].Of("red"); last.By != log.ByAhead || h.waitsFor("red") != "" {
		t.Errorf("%+v, and %q waits", last, h.waitsFor("red"))
	}
	h.soundly()
}

// Where a game goes back, and what was done is done again, what a former player of a seat had
// filed ahead opens the same stops as then, and waits for nobody in the end: neither what his
// answers filed, nor what he filed alone, however often it is done again. What the present
// player has filed does wait again. The log verifies.
func TestWhatAFormerPlayerFiledAheadIsNotTakenUpAgain(t *testing.T) {
	withoutRace(t)
	for name, files := range map[string]func(h *testOffice, text string){
		"with an answer": func(h *testOffice, text string) { h.lost("red", "ahead: "+text) },
		"alone": func(h *testOffice, text string) {
			h.write(redAt, command(h, "lot-1", "red", "ahead: "+text), mail.Processed)
			h.lost("red")
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newTestOffice(t)
			h.newGame(twentyRounds)
			own := h.own("red")
			files(h, "{discard: [{if: {round: 1}, do: "+own[0]+"}, {else: "+own[1]+"}]}")
			if len(h.own("red")) != len(own)-1 {
				t.Fatal("what was filed has not answered")
			}
			h.another()
			_, was := h.resolutions("lot-1")
			h.rule("command: rewind", "stop: 1", "orders: same", "reason: a power cut")
			_, all := h.resolutions("lot-1")
			if len(all) != len(was) || len(all) < 2 || all[1].Of("red").By != log.ByAhead || all[len(all)-1].Position != was[len(was)-1].Position {
				t.Errorf("done again: %+v", all)
			}
			nothing := func(when string) {
				t.Helper()
				if got := h.waitsFor("red"); got != "" {
					t.Errorf("%s: %q waits", when, got)
				}
				h.soundly()
			}
			nothing("done again")
			h.clock.move(time.Minute)
			h.rule("command: rewind", "stop: 1", "orders: same", "reason: twice")
			nothing("done again twice")
			h.clock.move(time.Minute)
			h.rule("command: rewind", "stop: 2", "orders: new", "reason: by hand")
			nothing("back at the second stop")
			h.asks("back at the second stop")
			h.write(newAt, fill(h.template(newAt), "{discard: "+own[2]+"}"), mail.Processed)
			h.clock.move(time.Minute)
			h.write(newAt, fill(h.template(newAt), "{bid: none}", "ahead: {discard: "+own[0]+"}"), mail.Processed)
			h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
			if h.rule("command: rewind", "stop: 2", "orders: same", "reason: again"); len(h.own("red")) != len(own)-2 {
				t.Errorf("what the present player filed has not answered again: %v", h.own("red"))
			}
			h.soundly()
			h.rule("command: rewind", "stop: 3", "orders: same", "reason: again")
			h.soundly()
		})
	}
}

// Who has resigned, or was taken from his seat, and is given it again begins without what he had
// filed ahead before, also where the game goes back behind it; his successor's letters say nothing
// of it. The log verifies.
func TestWhoComesBackBeginsWithoutWhatHeHadFiledAhead(t *testing.T) {
	withoutRace(t)
	for name, leaves := range map[string]func(h *testOffice){
		"resigned": func(h *testOffice) {
			h.write(redAt, command(h, "lot-1", "red", "command: resign"), mail.Processed)
		},
		"vacated":  func(h *testOffice) { h.managed("command: vacate", "side: red", "reason: he asked me to") },
		"replaced": func(h *testOffice) { h.another() },
	} {
		t.Run(name, func(t *testing.T) {
			h := newTestOffice(t)
			h.newGame(twentyRounds)
			own := h.own("red")
			h.lost("red", "ahead: {discard: [{if: {round: 1}, do: "+own[0]+"}, {else: ask}], bid: [{if: {round: '>= 9'}, do: "+own[1]+"}, {else: ask}]}")
			if h.waitsFor("red") == "" {
				t.Fatal("nothing waits")
			}
			h.clock.move(time.Minute)
			if leaves(h); name == "replaced" {
				for _, l := range h.deliver(newAt) {
					h.lacks(l, "Filed ahead, and waiting", ">= 9")
				}
			}
			if name == "resigned" { // back at a stop at which it waited
				h.rule("command: rewind", "stop: 2", "orders: new", "reason: a power cut")
				if got := h.waitsFor("red"); got != "" {
					t.Errorf("%q waits for who has resigned", got)
				}
				h.soundly()
			}
			h.clock.move(time.Minute)
			if err := h.office.Clerk().Replace(h.Context(), "lot-1", "red", log.Person{Name: "Rosa", Address: redAt}); err != nil {
				t.Fatal(err)
			}
			for _, which := range []string{"same", "new"} {
				h.clock.move(time.Minute)
				h.rule("command: rewind", "stop: 1", "orders: "+which, "reason: back "+which)
				if got := h.waitsFor("red"); got != "" {
					t.Errorf("%s orders: %q waits", which, got)
				}
				h.soundly()
			}
			h.restart()
			h.play("lot-1", h.anyUnit("lot-1"))
			h.soundly()
		})
	}
}
