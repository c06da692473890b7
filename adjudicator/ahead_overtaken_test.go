package adjudicator

import (
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine/enginetest"
	"berthier/engine/napoleon"
	"berthier/mail"
)

// An answer that files something ahead was written before a letter that files something else
// ahead, or takes it back. In whatever order they come, its orders count, and what is filed ahead
// is what the letter says; who is overtaken is told. So it is where the stop is done again. The
// log verifies, also as each side may export it when the game is over.
func TestAnOlderAnswerLeavesWhatANewerLetterFilesAhead(t *testing.T) {
	withoutRace(t)
	for _, none := range []bool{false, true} {
		for _, overtakes := range []bool{false, true} {
			h := newTestOffice(t)
			h.newGame(twentyRounds)
			own := h.own("red")
			answer := h.letter(redAt, fill(h.template(redAt), "{bid: none}", "ahead: {discard: "+own[0]+"}"))
			h.clock.move(10 * time.Minute)
			says, waits := "{discard: "+own[1]+"}", "discard: "+own[1]
			if none {
				says, waits = "none", ""
			}
			alone := h.letter(redAt, command(h, "lot-1", "red", "ahead: "+says))
			h.clock.move(time.Hour)
			if overtakes {
				h.take(alone, mail.Processed)
				h.deliver(redAt)
				h.take(answer, mail.Processed)
				h.says(h.one(h.deliver(redAt)), "letters may overtake each other", "once more")
			} else {
				h.take(answer, mail.Processed)
				h.take(alone, mail.Processed)
				h.lacks(h.last(redAt), "letters may overtake each other")
			}
			h.restart()
			h.clock.move(time.Minute)
			h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
			came := func() {
				t.Helper()
				now := h.own("red")
				if none {
					if h.asks("afterwards"); len(now) != len(own) || h.waitsFor("red") != waits {
						t.Errorf("overtakes %t: red has %v, and %q waits", overtakes, now, h.waitsFor("red"))
					}
				} else if len(now) != len(own)-1 || slices.Contains(now, own[1]) {
					t.Errorf("overtakes %t: red has %v of %v", overtakes, now, own)
				}
				h.soundly()
			}
			came()
			h.rule("command: rewind", "stop: 1", "orders: same", "reason: once more")
			came()
			h.clock.move(time.Minute)
			h.play("lot-1", h.anyUnit("lot-1"))
			h.soundly()
		}
	}
}

// An answer that files something ahead was written before a letter that changes a policy: in
// whatever order they come, what it files ahead for the stops of that policy is set aside, and the
// rest of it waits.
func TestAnOlderAnswerFilesAheadButForNewerPolicies(t *testing.T) {
	withoutRace(t)
	for _, overtakes := range []bool{false, true} {
		h := sit(t, napoleon.New(), "setup: historical", []string{"french", "allied"}, masterOfHisOwn+"pace: postal\nsecond-thoughts: none\n")
		h.lets("french")
		h.bot("french")
		o := h.lets("french")
		h.clock.move(time.Minute)
		at := mailboxOf("french")
		answer := h.letter(at, h.order("french", h.rules.Sensible(h.position().View("french"), o.Decision, h.chance), "final: no", "ahead: {casualties: worst-first, retreat-to: ask}"))
		h.clock.move(time.Minute)
		policy := h.letter(at, command(h.testOffice, h.id, "french", "policies: {casualties: ask}"))
		h.clock.move(time.Hour)
		if overtakes {
			h.take(policy, mail.Processed)
			h.deliver(at)
			h.take(answer, mail.Processed)
			h.says(h.one(h.deliver(at)), "Set aside of what you had filed ahead", "casualties")
		} else {
			h.take(answer, mail.Processed)
			h.take(policy, mail.Processed)
		}
		stop := h.record(h.id).Stop
		h.clock.move(20 * 24 * time.Hour)
		h.tick()
		if h.record(h.id).Stop == stop {
			t.Fatal("the stop is not resolved")
		}
		came := func() {
			t.Helper()
			all := h.waiting()["french"]
			if len(all) < 2 || slices.ContainsFunc(all[1:], func(part string) bool { return strings.HasPrefix(part, "casualties") }) {
				t.Errorf("overtakes %t: %q waits", overtakes, all)
			}
			h.checks()
		}
		came()
		h.back(stop, "orders: same")
		came()
	}
}

// An answer that came from what was filed ahead is as old as the letter that filed it: who writes
// another one for its stop is not overtaken by it, also if his clock is slow.
func TestAnAnswerFiledAheadIsAsOldAsItsLetter(t *testing.T) {
	for _, skew := range []time.Duration{-5 * time.Hour, 0, 5 * time.Hour} {
		for _, again := range []bool{false, true} {
			filedAheadAndReplaced(t, skew, again)
		}
	}
}

// filedAheadAndReplaced is a game in which a player whose clock is wrong by so much replaces an answer that he had filed ahead, perhaps
// after the stop before it was done again.
func filedAheadAndReplaced(t *testing.T, skew time.Duration, again bool) {
	t.Helper()
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	own := h.own("red")
	slow := func(text string) *mail.Letter {
		l := h.letter(redAt, text)
		l.Date = l.Date.Add(skew)
		return l
	}
	h.take(slow(fill(h.template(redAt), "{bid: none}", "ahead: {discard: "+own[0]+", bid: "+own[1]+"}")), mail.Processed)
	h.clock.move(time.Minute)
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	o := h.record("lot-1").Seat("red").Owes
	if o == nil || o.Decision.Kind != enginetest.Bid || o.Answer == nil || o.Answer.By != log.ByAhead {
		t.Fatalf("red owes %+v", o)
	}
	h.clock.move(time.Minute)
	if again {
		h.rule("command: rewind", "stop: 1", "orders: same", "reason: again")
		h.clock.move(time.Minute)
	}
	h.take(slow(fill(h.template(redAt), "{bid: "+own[2]+"}")), mail.Processed)
	if a := h.record("lot-1").Seat("red").Owes.Answer; a == nil || a.By == log.ByAhead {
		t.Errorf("in force is %+v", a)
	}
	h.write(blueAt, fill(h.template(blueAt), "{bid: none}"), mail.Processed)
	h.soundly()
}
