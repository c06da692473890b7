package adjudicator

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/mail"
)

// waitsFor is what a side has filed ahead and what waits, as it was read; "" if nothing does.
func (h *testOffice) waitsFor(side engine.Side) string {
	h.Helper()
	if a := h.record("lot-1").Seat(side).Ahead; a != nil {
		return strings.TrimSpace(a.Text)
	}
	return ""
}

// What an odd file files ahead waits with it, and counts once its stop is resolved: no sooner,
// and only if nothing newer has come. A newer file for the stop replaces both. A later
// letter that files something ahead, or takes it back, counts in place of what the file
// said. After a ruling on a die, and after the same stop is played again, the same waits as
// before.
func TestWhatAnOddFileFilesAhead(t *testing.T) {
	withoutRace(t)
	const odd1, odd2, odd2Said = "ahead: {discard: ask}", "ahead: {discard: default}", "discard: default"
	for _, test := range []struct {
		name   string
		before string // filed by a letter of its own before
		held   string // by the odd file
		then   func(h *testOffice, held *mail.Letter)
		want   string
		back   string // what waits back at the stop: what was filed by letters of their own
	}{
		{"the time passes", "", odd1, func(h *testOffice, _ *mail.Letter) { h.clock.move(20 * time.Minute); h.tick() }, "discard: ask", ""},
		{"ok ends it", "", odd1, func(h *testOffice, held *mail.Letter) { h.take(h.answering(redAt, "ok", held), mail.Processed) }, "discard: ask", ""},
		{"a newer file replaces both", "", odd1, func(h *testOffice, _ *mail.Letter) {
			h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
		}, "", ""},
		{"a newer file has its own", "", odd1, func(h *testOffice, _ *mail.Letter) {
			h.write(redAt, fill(h.template(redAt), "{bid: R-1}", odd2), mail.Processed)
		}, "discard: default", ""},
		{"it is taken back", "", odd1, func(h *testOffice, _ *mail.Letter) {
			h.write(redAt, command(h, "lot-1", "red", "ahead: none"), mail.Processed)
			h.says(h.last(redAt), "Nothing waits any more")
			h.clock.move(20 * time.Minute)
			h.tick()
		}, "", ""},
		{"something else is filed", "", odd1, func(h *testOffice, _ *mail.Letter) {
			h.write(redAt, command(h, "lot-1", "red", odd2), mail.Processed)
			h.clock.move(20 * time.Minute)
			h.tick()
		}, "discard: default", odd2Said},
		{"a next question that is filed after the file", "", "", func(h *testOffice, _ *mail.Letter) {
			h.write(redAt, command(h, "lot-1", "red", "ahead: {next: [{bid: ask}, {bid: default}]}"), mail.Processed)
			h.clock.move(20 * time.Minute)
			h.tick()
		}, "next:\n  - bid: ask\n  - bid: default", "next:\n  - bid: ask\n  - bid: default"},
		{"what waits stays", odd2, "", func(h *testOffice, _ *mail.Letter) { h.clock.move(20 * time.Minute); h.tick() }, "discard: default", odd2Said},
		{"what waits is replaced", odd2, odd1, func(h *testOffice, _ *mail.Letter) { h.clock.move(20 * time.Minute); h.tick() }, "discard: ask", odd2Said},
		{"a draft changes nothing", "", odd1, func(h *testOffice, _ *mail.Letter) {
			h.write(redAt, fill(h.template(redAt), "{bid: R-1}", odd2, "draft: true"), mail.Processed)
			h.write(redAt, "draft: true\n"+command(h, "lot-1", "red", "ahead: none"), mail.Processed)
			h.clock.move(20 * time.Minute)
			h.tick()
		}, "discard: ask", ""},
		{"a forged letter changes nothing", "", odd1, func(h *testOffice, _ *mail.Letter) {
			h.write(blueAt, strings.Replace(command(h, "lot-1", "blue", "ahead: none"), "game:", "side: red\ngame:", 1), mail.Rejected)
			h.clock.move(20 * time.Minute)
			h.tick()
		}, "discard: ask", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := odd(t, "")
			if test.before != "" {
				h.write(redAt, command(h, "lot-1", "red", test.before), mail.Processed)
			}
			was := h.waitsFor("red")
			lines := []string{}
			if test.held != "" {
				lines = append(lines, test.held)
			}
			h.write(redAt, fill(h.template(redAt), "{bid: R-2}", lines...), mail.Processed)
			held := h.last(redAt)
			h.says(held, "R-2 is your weakest unit", "the stop waits until")
			if stopOf(h) != 1 || h.waitsFor("red") != was {
				t.Fatalf("stop %d, and %q waits before the stop is resolved", stopOf(h), h.waitsFor("red"))
			}
			h.restart()
			h.clock.move(time.Minute)
			test.then(h, held)
			h.lacks(h.last(blueAt), "iled ahead", "ato in anticipo")
			if stopOf(h) == 1 {
				t.Fatal("the stop is not resolved")
			}
			same := func(what string) {
				t.Helper()
				a := h.record("lot-1").Seat("red").Ahead
				used := a != nil && len(a.Used) > 0 || strings.Contains(test.want, "default")
				if got := h.waitsFor("red"); got != test.want && (got != "" || !used) {
					t.Errorf("%s: %q waits, and not %q", what, got, test.want)
				}
			}
			same("resolved")
			h.soundly()
			_, all := h.resolutions("lot-1")
			h.rule("command: rule", "stop: 1", "roll: 1", "result: "+string(rune('1'+all[0].Rolls[0].Result%6)), "reason: it was so")
			h.soundly()
			h.rule("command: rewind", "stop: 1", "orders: same", "reason: again")
			h.soundly()
			h.rule("command: rewind", "stop: 1", "orders: new", "reason: again")
			if got := h.waitsFor("red"); got != test.back {
				t.Errorf("back at the stop %q waits, and not %q", got, test.back)
			}
			h.soundly()
		})
	}
}

// An answer that was filed ahead has been thought about: it is not held for being odd, and
// what the other player answers then resolves the stop at once, unless that is odd itself.
func TestOddAnswerThatWasFiledAhead(t *testing.T) {
	for _, blueOdd := range []bool{false, true} {
		h := newTestOffice(t, func(h *testOffice) { h.rules = careful{enginetest.New()} })
		h.newGame(twentyRounds)
		h.lost("red", "ahead: {discard: R-4, bid: R-2}")
		h.clock.move(20 * time.Minute) // blue's own answer may be odd
		h.tick()
		red := h.record("lot-1").Seat("red")
		if red.Owes == nil || red.Owes.Answer == nil || red.Owes.Answer.By != log.ByAhead || stopOf(h) != 3 {
			t.Fatalf("at stop %d red owes %+v", stopOf(h), red.Owes)
		}
		bid := "none"
		if blueOdd {
			bid = weakest(h)
		}
		h.clock.move(time.Minute)
		h.write(blueAt, fill(h.template(blueAt), "{bid: "+bid+"}"), mail.Processed)
		if held := stopOf(h) == 3; held != blueOdd {
			t.Errorf("blue is odd: %t, and the stop waits: %t", blueOdd, held)
		}
		h.clock.move(20 * time.Minute)
		h.tick()
		if stopOf(h) == 3 {
			t.Error("the stop waits on")
		}
		h.soundly()
	}
}

// weakest is the unit of blue whose bid brings a caution.
func weakest(h *testOffice) string {
	h.Helper()
	t, err := h.office.Clerk().Position("lot-1", "blue")
	if err != nil {
		h.Fatal(err)
	}
	own := t.View.(*enginetest.View).Own
	least := own[0]
	for _, u := range own {
		if u.Strength < least.Strength {
			least = u
		}
	}
	return least.ID
}

// Who takes back what he has filed ahead, or files something else, takes back an answer that
// came from it as long as its stop is not resolved. It is as if it had never been filed.
func TestAnswerFiledAheadIsTakenBack(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	own := h.own("red")
	h.lost("red", "ahead: {discard: "+own[0]+", bid: "+own[1]+"}")
	h.write(redAt, command(h, "lot-1", "red", "ahead: none"), mail.Processed)
	h.says(h.last(redAt), "Nothing waits any more", "You still owe")
	if o := h.record("lot-1").Seat("red").Owes; o == nil || o.Answer != nil {
		t.Fatalf("red owes %+v", o)
	}
	h.restart()
	h.soundly()
	h.clock.move(time.Minute)
	h.write(redAt, command(h, "lot-1", "red", "ahead: {bid: "+own[2]+"}"), mail.Processed)
	o := h.record("lot-1").Seat("red").Owes
	if o == nil || o.Answer == nil || o.Answer.By != log.ByAhead {
		t.Fatalf("red owes %+v", o)
	}
	h.lacks(h.last(blueAt), "ahead", "anticipo")
	h.write(blueAt, fill(h.template(blueAt), "{bid: none}"), mail.Processed)
	_, all := h.resolutions("lot-1")
	if got := all[len(all)-1].Of("red").Orders; !strings.Contains(got, own[2]) {
		t.Errorf("red bid\n%s", got)
	}
	h.soundly()
	h.play("lot-1", h.anyUnit("lot-1"))
	h.soundly()

	// Taken back, the deadline finds nobody's answer.
	h = newTestOffice(t)
	h.newGame(twentyRounds)
	h.lost("red", "ahead: {discard: "+own[0]+", bid: "+own[1]+"}")
	h.write(redAt, command(h, "lot-1", "red", "ahead: none"), mail.Processed)
	h.write(blueAt, fill(h.template(blueAt), "{bid: none}"), mail.Processed)
	if stopOf(h) != 3 {
		t.Fatal("the stop is resolved with an answer that was taken back")
	}
	h.clock.move(4 * 24 * time.Hour)
	h.tick()
	if _, all = h.resolutions("lot-1"); all[len(all)-1].Of("red").By != log.ByDefault {
		t.Errorf("%+v", all[len(all)-1].Of("red"))
	}
	h.soundly()
}

// Wherever the game goes back to, what waited there waits again, and the same letters lead
// to the same position, byte for byte.
func TestAheadAndRewindToEachStop(t *testing.T) {
	if raceEnabled {
		return // left to the run without the race detector
	}
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	waited, rounds := []string{}, 6 // each is gone back to twice
	if fullSamples {
		rounds = 12
	}
	for range rounds {
		waited = append(waited, h.waitsFor("red"))
		stop := stopOf(h)
		for _, s := range h.record("lot-1").Seats {
			if s = h.record("lot-1").Seat(s.Side); s.Owes == nil || s.Owes.Answer != nil || stopOf(h) != stop {
				continue
			}
			own := h.own(s.Side)
			files := "ahead: {next: [{discard: " + own[len(own)-1] + "}], bid: [{if: {round: '>= 9'}, do: " + own[0] + "}, {else: ask}]}"
			h.clock.move(time.Second)
			if s.Owes.Decision.Kind == enginetest.Discard {
				h.write(s.Person.Address, fill(h.template(s.Person.Address), "{discard: "+own[0]+"}"), mail.Processed)
			} else {
				h.write(s.Person.Address, fill(h.template(s.Person.Address), "{bid: "+own[0]+"}", files), mail.Processed)
			}
		}
		for len(waited) < stopOf(h)-1 {
			waited = append(waited, "?") // answered at once by what waited
		}
		if h.record("lot-1").Seat("red").Owes == nil && h.record("lot-1").Seat("blue").Owes == nil {
			break
		}
	}
	_, all := h.resolutions("lot-1")
	for stop := len(waited); stop >= 1; stop-- {
		if stop == stopOf(h) || stop > len(all) {
			continue
		}
		h.rule("command: rewind", "stop: "+string('0'+rune(stop/10))+string('0'+rune(stop%10)), "orders: same", "reason: a power cut")
		_, again := h.resolutions("lot-1")
		was, now := all[len(all)-1], again[len(again)-1]
		if a, b := []byte(was.Position), []byte(now.Position); !bytes.Equal(a, b) {
			t.Errorf("from stop %d on it went otherwise", stop)
		}
		h.soundly()
	}
	for stop := min(len(waited), len(all)); stop >= 1; stop-- {
		h.rule("command: rewind", "stop: "+string('0'+rune(stop/10))+string('0'+rune(stop%10)), "orders: new", "reason: a power cut")
		if got, want := h.waitsFor("red"), waited[stop-1]; got != want && want != "?" {
			t.Errorf("back at stop %d %q waits, and not %q", stop, got, want)
		}
		h.soundly()
	}
}
