package adjudicator

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail"
)

// force is what is in force for a side at the open stop, "" if it owes.
func (h *testOffice) force(side engine.Side) string {
	h.Helper()
	text := ""
	err := h.office.look("lot-1", func(tr *transaction) error {
		s := tr.Game.Seat(side)
		if s.Owes == nil || s.Owes.Answer == nil {
			return nil
		}
		a, ok, err := tr.Answer(s)
		if ok {
			text = strings.TrimSpace(a.Orders().Encode())
		}
		return err
	})
	if err != nil {
		h.Fatal(err)
	}
	return text
}

func (h *testOffice) wantForce(side engine.Side, part string) {
	h.Helper()
	if got := h.force(side); part == "" && got != "" || !strings.Contains(got, part) {
		h.Fatalf("in force for %s is %q, want %q", side, got, part)
	}
}

// overrule overrules the last ruling or rewind and gives the number of the entry
// that does.
func (h *testOffice) overrule(entry uint64) uint64 {
	h.Helper()
	h.rule("command: rule", fmt.Sprintf("overrule: %d", entry), "reason: on second thoughts")
	return h.lastEntry(log.KindRuling)
}

func (h *testOffice) sound() {
	h.Helper()
	if v := h.verify(h.export("lot-1", engine.GM)); !v.Sound() || len(v.Differ) > 0 {
		h.Errorf("%+v", v)
	}
}

func longGame(t *testing.T) *testOffice {
	h := newTestOffice(t)
	h.newGame(strings.Replace(twoSides, "rounds: 3", "rounds: 5", 1))
	return h
}

// A refused file is accepted while its stop is open. The ruling is overruled, and
// that, too, and what was so before is so again: at the open stop, and when the stop
// was resolved in between.
func TestOverruleAnAcceptedFile(t *testing.T) {
	h := longGame(t)
	h.write(redAt, fill(h.template(redAt), "{bid: R-9}"), mail.Rejected)
	file := h.lastEntry(log.KindRefused)
	h.deliver(redAt)
	h.rule("command: rule", fmt.Sprintf("accept: %d", file), "orders: {bid: R-2}", "reason: a slip of the pen")
	accepted := h.lastEntry(log.KindRuling)
	h.wantForce("red", "R-2")
	h.says(h.last(redAt), "Orders of yours for stop 1, as you count, count now by that ruling. They say: orders: {bid: R-2}")
	h.lacks(h.last(blueAt), "domanda 1, ", "non valgono")
	h.says(h.ask(mail.Rejected, "command: rule", fmt.Sprintf("accept: %d", file), "orders: {bid: R-2}", "reason: r"), "in force already")

	undone := h.overrule(accepted)
	h.wantForce("red", "")
	h.says(h.last(redAt), "no longer count by that ruling")
	h.says(h.ask(mail.Rejected, "command: rule", fmt.Sprintf("overrule: %d", accepted), "reason: r"), "not in force now")
	again := h.overrule(undone)
	h.wantForce("red", "R-2")
	h.both() // blue answers, and the stop is resolved
	if g := h.record("lot-1"); g.Stop != 2 {
		t.Fatalf("the game is at stop %d", g.Stop)
	}
	resolved := h.snapshot()

	back := h.overrule(again) // behind the resolution
	if g := h.record("lot-1"); g.Stop != 1 {
		t.Fatalf("the game is at stop %d", g.Stop)
	}
	h.wantForce("red", "")
	if h.force("blue") == "" {
		t.Error("blue's answer does not stay")
	}
	h.overrule(back)
	if g := h.record("lot-1"); g.Stop != 2 || !bytes.Equal(h.snapshot(), resolved) {
		t.Errorf("stop %d, and the position is not as it was", g.Stop)
	}
	h.play("lot-1", h.anyUnit("lot-1"))
	h.sound()
}

// An accepted file is refused while its stop is open, and the ruling overruled.
func TestOverruleARefusedFile(t *testing.T) {
	h := longGame(t)
	h.write(redAt, fill(h.template(redAt), "{bid: R-3}"), mail.Processed)
	file := h.lastEntry(log.KindTaken)
	h.deliver(redAt)
	h.rule("command: rule", fmt.Sprintf("refuse: %d", file), "reason: sent by his brother")
	refused := h.lastEntry(log.KindRuling)
	h.wantForce("red", "")
	h.says(h.last(redAt), "Your orders for stop 1, as you count, no longer count")
	undone := h.overrule(refused)
	h.wantForce("red", "R-3")
	if a := h.record("lot-1").Seat("red").Owes.Answer; a.GM || a.Entry != file {
		t.Errorf("it counts as %+v", a)
	}
	h.overrule(undone)
	h.wantForce("red", "")

	// The player writes again: nothing is left of the ruling.
	h.clock.move(60e9)
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
	h.says(h.ask(mail.Rejected, "command: rule", fmt.Sprintf("overrule: %d", h.lastEntry(log.KindRuling)), "reason: r"), "not in force now")
	h.wantForce("red", "R-1")

	// Refused, and the deadline passes: the ruling is overruled behind the default.
	h.rule("command: rule", fmt.Sprintf("refuse: %d", h.lastEntry(log.KindTaken)), "reason: sent by his sister")
	refused = h.lastEntry(log.KindRuling)
	h.both2("blue")
	h.clock.move(30 * 24 * 3600e9)
	h.tick()
	if g := h.record("lot-1"); g.Stop < 2 {
		t.Fatalf("the game is at stop %d", g.Stop)
	}
	h.overrule(refused)
	_, all := h.resolutions("lot-1")
	if got := all[0].Of("red"); !strings.Contains(got.Orders, "R-1") || got.By != "player" {
		t.Errorf("red answered %+v", got)
	}
	h.sound()
}

// both2 answers for one side by its first unit.
func (h *testOffice) both2(side engine.Side) {
	h.Helper()
	address := h.record("lot-1").Seat(side).Person.Address
	h.clock.move(60e9)
	h.write(address, fill(h.template(address), "default"), mail.Processed)
}

// A file that counted at a stop that was resolved anew since can be refused, by the
// number of its entry of old.
func TestRefuseAfterARewind(t *testing.T) {
	h := fiveRounds(t)
	h.rule("command: rewind", "stop: 1", "orders: same", "reason: new program")
	h.rule("command: rule", fmt.Sprintf("refuse: %d", h.firstEntry(log.KindTaken)), "reason: r")
	if g := h.record("lot-1"); g.Stop != 1 {
		t.Errorf("the game is at stop %d", g.Stop)
	}
	h.play("lot-1", h.anyUnit("lot-1"))
	h.sound()
}

// Every kind of ruling can be overruled, and so can that: then all is as before.
func TestEveryRulingCanBeOverruled(t *testing.T) {
	rulings := []struct {
		name string
		do   func(*testOffice)
	}{
		{"a die", func(h *testOffice) {
			_, was := h.resolutions("lot-1")
			h.rule("command: rule", "stop: 1", "roll: 1", fmt.Sprintf("result: %d", was[0].Rolls[0].Result%6+1), "reason: r")
		}},
		{"a position", func(h *testOffice) { h.rule("command: rule", "reason: r", "set:\n"+stronger(string(h.snapshot()))) }},
		{"an option", func(h *testOffice) { h.rule("command: rule", "option: {rounds: 20}", "reason: r") }},
		{"an outcome", func(h *testOffice) { h.rule("command: rule", "outcome: [red]", "reason: r") }},
		{"an accepted file of an earlier stop", func(h *testOffice) {
			h.write(redAt, strings.Replace(fill(h.template(redAt), "{bid: R-3}"), "stop: ", "stop: 1 bid # ", 1), mail.Rejected)
			h.rule("command: rule", fmt.Sprintf("accept: %d", h.lastEntry(log.KindRefused)), "orders: {bid: R-3}", "reason: r")
		}},
		{"a refused file of an earlier stop", func(h *testOffice) {
			h.rule("command: rule", fmt.Sprintf("refuse: %d", h.firstEntry(log.KindTaken)), "reason: r")
		}},
		{"a rewind", func(h *testOffice) { h.rule("command: rewind", "stop: 1", "orders: new", "reason: r") }},
		{"what stands", func(h *testOffice) {
			h.write(redAt, command(h, "lot-1", "red", "command: dispute", "event: 1", "reason: I saw it"), mail.Processed)
			h.rule("command: rule", "decision: stands", fmt.Sprintf("dispute: %d", h.lastEntry(log.KindDispute)), "reason: r")
		}},
	}
	for _, c := range rulings[:unraced(len(rulings))] {
		t.Run(c.name, func(t *testing.T) {
			h := fiveRounds(t)
			type state struct {
				position, options, red, blue string
				rolls, orders                string
				phase                        game.Phase
				stop, disputes               int
				decided                      bool
			}
			now := func() state {
				g := h.record("lot-1")
				var rolls, orders string
				_, all := h.resolutions("lot-1")
				for _, r := range all {
					rolls += fmt.Sprintln(r.Rolls)
					orders += fmt.Sprintln(r.Answers)
				}
				return state{string(h.snapshot()), fmt.Sprint(g.Options), h.force("red"), h.force("blue"), rolls, orders, g.Phase, g.Stop, len(g.Disputes), g.Decided != nil}
			}
			entry := func() uint64 { return max(h.lastEntry(log.KindRuling), h.lastEntry(log.KindRewound)) }
			before := now()
			c.do(h)
			first, after := entry(), now()
			if before.disputes = 0; c.name == "what stands" {
				before.disputes = 1
			}
			if before == after {
				t.Fatal("the ruling changes nothing")
			}
			second := h.overrule(first)
			if got := now(); got != before {
				t.Errorf("overruled: %+v\nwant %+v", got, before)
			}
			third := h.overrule(second)
			if got := now(); got != after {
				t.Errorf("overruled twice: %+v\nwant %+v", got, after)
			}
			h.overrule(third)
			if got := now(); got != before {
				t.Errorf("overruled three times: %+v\nwant %+v", got, before)
			}
			h.play("lot-1", h.anyUnit("lot-1"))
			h.sound()
			for _, address := range []string{redAt, blueAt} {
				if c := VerifyLetters(h.export("lot-1", "red"), h.mails(address)); len(c.Wrong) > 0 {
					t.Errorf("%+v", c)
				}
			}
		})
	}
}

// Nobody else is told that a player disputes something, nor that it stands: the other player
// gets the same letters as if there had been no dispute.
func TestADisputeIsTheirsAlone(t *testing.T) {
	letters := func(disputed bool) []string {
		h := fiveRounds(t)
		if disputed {
			h.write(redAt, command(h, "lot-1", "red", "command: dispute", "event: 1", "reason: I saw it"), mail.Processed)
			dispute := h.lastEntry(log.KindDispute)
			h.rule("command: rule", "decision: stands", fmt.Sprintf("dispute: %d", dispute), "reason: it is so")
			h.says(h.last(redAt), "What you disputed stands as it happened")
			h.silent(blueAt)
			h.overrule(h.lastEntry(log.KindRuling))
			h.says(h.last(redAt), "what you disputed is open again")
			if got := h.record("lot-1").Disputes; !slices.Equal(got, []uint64{dispute}) {
				t.Errorf("open disputes %v", got)
			}
			h.silent(blueAt)
		}
		h.clock.now = begins.Add(3600e9) // letters tell how long is left
		h.write(blueAt, command(h, "lot-1", "blue", "command: history"), mail.Processed)
		h.write(blueAt, command(h, "lot-1", "blue", "command: status"), mail.Processed)
		h.clock.now = begins.Add(100 * 3600e9)
		h.both()
		var all []string
		for _, l := range h.deliver(blueAt) {
			all = append(all, footHash.ReplaceAllString(wordsOf(l), ""))
		}
		var b bytes.Buffer
		if err := h.export("lot-1", "blue").Write(&b); err != nil {
			t.Fatal(err)
		}
		return append(all, b.String())
	}
	quiet, busy := letters(false), letters(true)
	if len(quiet) < 3 || !slices.Equal(quiet, busy) {
		t.Errorf("blue can tell that red disputes something:\n%s\n%s", quiet, busy)
	}
}

// Whatever a game master does, red's letters and his export are the same, byte for
// byte but for the hashes, when only what is hidden from him differs: how strong
// blue's units are, what blue disputes, which files of his were looked at, and what
// was previewed and not confirmed.
func TestActsOfTheMasterDoNotLeak(t *testing.T) {
	see := func(strength int, busy bool) string {
		h := longGame(t)
		red := "{side: red, units: [{id: R-1, strength: 1}, {id: R-2, strength: 1}, {id: R-3, strength: 1}, {id: R-4, strength: 1}], won: 0}" // he loses in any case
		h.rule("command: rule", fmt.Sprintf("set: {sides: [%s, {side: blue, units: [{id: B-1, strength: %d}, {id: B-2, strength: %d}], won: 0}]}",
			red, strength, strength), "reason: xyzzy")
		at := func(hours int) { h.clock.now = begins.Add(time.Duration(100+hours) * time.Hour / 4) }
		at(1)
		h.both()
		at(2)
		h.both()
		if busy {
			h.write(blueAt, command(h, "lot-1", "blue", "command: dispute", "event: 1", "reason: why"), mail.Processed)
			h.ask(mail.Processed, "command: rule", "set: {round: 3}", "reason: only a look")
			h.ask(mail.Processed, "command: disputes")
			h.ask(mail.Processed, "command: show", "stop: 1")
			h.ask(mail.Processed, "command: position")
			h.rule("command: rule", "decision: stands", fmt.Sprintf("dispute: %d", h.lastEntry(log.KindDispute)), "reason: r")
		}
		at(3)
		h.rule("command: rewind", "stop: 1", "orders: new", "reason: r", "tell: A power cut.")
		at(4)
		h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
		if busy {
			h.ask(mail.Processed, "command: rule", "outcome: [blue]", "reason: only a look")
		}
		at(5)
		h.overrule(h.lastEntry(log.KindRewound))
		at(6)
		h.both()
		var all []string
		for _, l := range h.deliver(redAt) {
			all = append(all, footHash.ReplaceAllString(wordsOf(l), ""))
		}
		var b bytes.Buffer
		if err := h.export("lot-1", "red").Write(&b); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(strings.Join(all, ""), "xyzzy") {
			t.Error("red reads a reason")
		}
		return strings.Join(append(all, b.String()), "\n=====\n")
	}
	if one, other := see(8, false), see(9, true); one != other {
		a, b := strings.Split(one, "\n"), strings.Split(other, "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf("red can tell, by line %d:\n%s\n%s", i, strings.Join(a[max(0, i-8):i+3], "\n"), strings.Join(b[max(0, i-8):i+3], "\n"))
			}
		}
		t.Fatalf("red can tell: %d lines, or %d", len(a), len(b))
	}
}
