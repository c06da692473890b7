package adjudicator

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/napoleon"
	"berthier/mail"
)

// lets lets the game play until a side owes an answer, and gives what it owes. Everybody answers
// as the bot would.
func (h *match) lets(side engine.Side) *game.Owes {
	h.Helper()
	for range 40 {
		g := h.record(h.id)
		if o := g.Seat(side).Owes; o != nil && o.Answer == nil {
			return o
		}
		i := slices.IndexFunc(g.Seats, func(s *game.Seat) bool { return s.Owes != nil && s.Owes.Answer == nil })
		if i < 0 {
			break
		}
		h.bot(g.Seats[i].Side)
	}
	h.Fatalf("%s is never asked", side)
	return nil
}

// bot answers what a side owes as the bot would.
func (h *match) bot(side engine.Side, head ...string) {
	h.Helper()
	o := h.record(h.id).Seat(side).Owes
	h.clock.move(time.Minute)
	h.write(mailboxOf(side), h.order(side, h.rules.Sensible(h.position().View(side), o.Decision, h.chance), head...), mail.Processed)
}

// lastOf is the number of the last entry of a kind.
func (h *match) lastOf(kind string) (seq uint64) {
	h.Helper()
	for _, e := range h.chainOf(h.id) {
		if head, err := log.Read(e, nil); err == nil && head.Kind == kind {
			seq = e.Seq
		}
	}
	return seq
}

// acts lets the game master act, and confirm it.
func (h *match) acts(lines ...string) {
	h.Helper()
	h.deliver(gmAt)
	h.write(gmAt, command(h.testOffice, h.id, engine.GM, lines...), mail.Processed)
	code := codeIn.FindStringSubmatch(wordsOf(h.last(gmAt)))
	if code == nil {
		h.Fatal("the preview has no code")
	}
	h.write(gmAt, command(h.testOffice, h.id, engine.GM, lines[0], "confirm: "+code[1]), mail.Processed)
}

// A player files something ahead with an answer that is not his last word, or by a letter after
// it, and then changes the policy for it while the answer is in force. What he had filed for it is
// set aside, as what waits is: once it is told, and it does not wait when the stop is resolved. So
// it is when a ruling on his answer is overruled, and where the stop, or all before it, is done
// again. The log verifies.
func TestAPolicySetsAsideWhatAnAnswerFilesAhead(t *testing.T) {
	withoutRace(t)
	for name, alone := range map[string]bool{"with the answer": false, "by a letter of its own": true} {
		t.Run(name, func(t *testing.T) {
			h := sit(t, napoleon.New(), "setup: historical", []string{"french", "allied"}, masterOfHisOwn+"pace: postal\nsecond-thoughts: none\n")
			h.lets("french")
			h.bot("french")
			h.lets("french")
			const files = "ahead: {casualties: worst-first, retreat-to: ask}"
			letter := func(lines ...string) {
				h.clock.move(time.Minute)
				h.write(mailboxOf("french"), command(h.testOffice, h.id, "french", lines...), mail.Processed)
			}
			if alone {
				h.bot("french", "final: no")
				letter(files)
			} else {
				h.bot("french", "final: no", files)
			}
			h.deliver(mailboxOf("french"))
			letter("policies: {casualties: ask}")
			set := 0
			for _, n := range h.record(h.id).Seat("french").Told {
				if n.Say.Code == "office.ahead.aside" {
					set++
				}
			}
			if set != 1 {
				t.Errorf("he is told %d times what is set aside", set)
			}
			left := func(when string) {
				t.Helper()
				all := h.waiting()["french"]
				if len(all) == 0 {
					t.Errorf("%s: nothing waits", when)
				}
				if slices.ContainsFunc(all[min(1, len(all)):], func(part string) bool { return strings.HasPrefix(part, "casualties") }) {
					t.Errorf("%s: %q waits", when, all)
				}
				h.checks()
			}
			if !alone { // a ruling on the file, and no more
				h.acts("command: rule", fmt.Sprintf("refuse: %d", h.lastOf(log.KindTaken)), "reason: sent by his brother")
				h.clock.move(time.Minute)
				h.acts("command: rule", fmt.Sprintf("overrule: %d", h.lastOf(log.KindRuling)), "reason: it was him")
			}
			stop := h.record(h.id).Stop
			h.clock.move(20 * 24 * time.Hour)
			h.tick()
			if h.record(h.id).Stop == stop {
				t.Fatal("the stop is not resolved")
			}
			left("resolved")
			h.back(stop, "orders: same")
			left("done again")
			h.back(1, "orders: same")
			left("all done again")
		})
	}
}

// What a letter's policies, or those of an answer, had set aside stays so where it is done again.
func TestWhatIsSetAsideStaysSoWhereItIsDoneAgain(t *testing.T) {
	withoutRace(t)
	for name, with := range map[string]bool{"by a letter": false, "with an answer": true} {
		t.Run(name, func(t *testing.T) {
			h := sit(t, napoleon.New(), "setup: historical", []string{"french", "allied"}, masterOfHisOwn+"pace: postal\nsecond-thoughts: none\n")
			h.lets("french")
			h.bot("french")
			h.lets("french")
			letter := func(lines ...string) {
				h.clock.move(time.Minute)
				h.write(mailboxOf("french"), command(h.testOffice, h.id, "french", lines...), mail.Processed)
			}
			letter("ahead: {casualties: worst-first, retreat-to: ask}")
			if with {
				h.bot("french", "policies: {casualties: ask}")
			} else {
				letter("policies: {casualties: ask}")
				h.bot("french")
			}
			was := h.waiting()["french"]
			if len(was) < 2 || slices.ContainsFunc(was[1:], func(part string) bool { return strings.HasPrefix(part, "casualties") }) {
				t.Fatalf("%q waits", was)
			}
			h.checks()
			h.back(1, "orders: same")
			if now := h.waiting()["french"]; !slices.Equal(now, was) {
				t.Errorf("%q waits, and not %q", now, was)
			}
			h.checks()
			h.lets("french")
			h.checks()
		})
	}
}
