package adjudicator

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/waterloo"
	"berthier/mail"
	"berthier/orders"
)

// pondered is the answer of a fair player to a stop of his, the same whenever he gives it.
func pondered(h *match, view engine.View, d engine.Decision, stop int) engine.Answer {
	a := h.rules.Sensible(view, d, rand.New(rand.NewPCG(uint64(stop), uint64(len(d.Side)))))
	steps := a.Orders().Get("orders")
	if d.Kind != "round" || steps.Kind != orders.List || len(steps.Items) < 2 {
		return a
	}
	// One step a letter: the longer a letter, the less is alike in what comes of it elsewhere.
	doc, faults := orders.Parse(orders.Mapping().Set("orders", orders.Items(steps.Items[0])).Encode(), nil)
	first, wrong := h.rules.Read(view, d, doc)
	if len(faults)+len(wrong) > 0 {
		h.Fatal(faults, wrong)
	}
	return first
}

// asked gives what a seat is asked meanwhile, and the answer of a fair player to that.
func (h *match) asked(side engine.Side) (soon *game.Soon, a engine.Answer) {
	h.at(func(tr *transaction) error {
		if then := tr.Foreseen(side); then != nil {
			soon = tr.Game.Seat(side).Soon
			a = pondered(h, then.View(side), soon.Decision, tr.Game.Stop+1)
		}
		return nil
	})
	return soon, a
}

// answerStop lets everybody answer what he owes; before that, if meanwhile says so, what he
// is asked meanwhile.
func (h *match) answerStop(meanwhile func(side engine.Side)) {
	h.Helper()
	g, position := h.record(h.id), h.position()
	for _, s := range g.Seats {
		if meanwhile != nil {
			meanwhile(s.Side)
		}
	}
	for _, s := range g.Seats {
		if s.Owes != nil {
			h.write(mailboxOf(s.Side), h.order(s.Side, pondered(h, position.View(s.Side), s.Owes.Decision, g.Stop)), mail.Processed)
		}
	}
}

// A game in which stops were answered meanwhile, and the same game answered stop by stop,
// have the same dice and the same positions, whether the other side declines or not, and
// although the office is killed between the two answers. Both verify. What did not come as
// foreseen is asked anew, with the file as a draft.
func TestAnsweredMeanwhileIsTheSameGame(t *testing.T) {
	if raceEnabled {
		return // left to the run without the race detector: what happens here happens one after the other
	}
	games := settings(map[string][]setting{
		"enemy-mistakes": {}, // nothing is asked meanwhile there
		"hfg":            {}, // nor there
		"napoleon":       {{name: "napoleon", options: "setup: historical, edition: 3e", stops: 70}},
		"waterloo": {{name: "waterloo", options: "scenario-length: quick", stops: 30},
			{name: "waterloo, three players", options: "players: 3", stops: 24}},
	})
	for _, one := range games {
		if !fullSamples && (one.stops > 30 || len(one.sides) > 2) {
			continue // it takes long until something comes as foreseen
		}
		if !fullSamples {
			one.stops = min(one.stops, 14)
		}
		t.Run(one.name, func(t *testing.T) {
			ahead := sit(t, one.rules, one.options, one.sides, masterOfHisOwn+"pace: every-decision\nsecond-thoughts: none\n")
			plain := sit(t, one.rules, one.options, one.sides, masterOfHisOwn+"pace: every-decision\nsecond-thoughts: none\n")
			came, anew := 0, 0
			for n := 0; n < one.stops && !(raceEnabled && came > 0); n++ { // the run without the race detector goes on
				kept := map[engine.Side]int{}
				ahead.answerStop(func(side engine.Side) {
					soon, a := ahead.asked(side)
					if soon == nil {
						return
					}
					kept[side] = ahead.record(ahead.id).Stop
					ahead.write(mailboxOf(side), ahead.order(side, a), mail.Processed)
					if s := ahead.record(ahead.id).Seat(side); s.Soon.Filed == nil || s.Owes != nil {
						t.Fatalf("the file of %s is not kept: %+v", side, s.Soon)
					}
					ahead.restart()
				})
				for side, stop := range kept {
					if g := ahead.record(ahead.id); g.Stop > stop+1 {
						came++
					} else if anew++; g.Seat(side).Anew == 0 {
						t.Errorf("%s is asked anew, and its old order file would count", side)
					}
				}
			}
			for plain.record(plain.id).Stop < ahead.record(ahead.id).Stop {
				plain.answerStop(nil)
			}
			one, err := ahead.position().Marshal()
			if err != nil {
				t.Fatal(err)
			}
			two, err := plain.position().Marshal()
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(one, two) || ahead.record(ahead.id).Stop != plain.record(plain.id).Stop {
				t.Errorf("the games differ at stop %d and %d", ahead.record(ahead.id).Stop, plain.record(plain.id).Stop)
			}
			t.Logf("%d came as foreseen, %d did not", came, anew)
			if came == 0 {
				t.Error("nothing came as foreseen")
			}
			for _, h := range []*match{ahead, plain} {
				if err := h.office.Clerk().Close(t.Context(), h.id, "enough"); err != nil {
					t.Fatal(err)
				}
				if v := h.verify(h.export(h.id, "french")); !v.Sound() {
					t.Errorf("verification finds %v: %+v", v.Verdict(), v.Checks)
				}
			}
		})
	}
}

// What a side is asked meanwhile has no deadline, and nobody is silent for it. The letter
// names who is asked first, and of a window of artillery not what. The other side's letters
// are the same whether or not a file is kept. A file with faults is refused, a draft is not
// kept, and after a rewind nothing is.
func TestAskedMeanwhile(t *testing.T) {
	withoutRace(t)
	h := sit(t, waterloo.New(), "scenario-length: quick", []string{"french", "anglo"}, masterOfHisOwn+"pace: every-decision\nsecond-thoughts: none\n")
	var side, first engine.Side
	for n := 0; side == "" && n < 40; n++ {
		for _, s := range h.record(h.id).Seats {
			if s.Soon != nil {
				side, first = s.Side, s.Soon.Of.Side
			}
		}
		if side == "" {
			h.answerStop(nil)
		}
	}
	if side == "" {
		t.Fatal("nobody was ever asked meanwhile")
	}
	seat := func() *game.Seat { return h.record(h.id).Seat(side) }
	if seat().Owes != nil || seat().Soon.Of.Kind != "" || seat().Soon.Of.At != "" {
		t.Errorf("%+v", seat().Soon)
	}
	l := h.last(mailboxOf(side))
	if text := spaced(l); !strings.Contains(text, "is asked something first") && !strings.Contains(text, "prima le si chiede una cosa") || strings.Contains(text, "round-start") {
		t.Errorf("the letter says\n%s", text)
	}
	soon, a := h.asked(side)
	order := h.order(side, a)
	late := h.letter(mailboxOf(side), order) // sent first, but it comes last
	h.clock.move(time.Minute)
	h.write(mailboxOf(side), strings.Replace(order, "\norders:", "\ndraft: yes\norders:", 1), mail.Processed)
	h.write(mailboxOf(side), strings.Replace(order, "\nstop:", "\nnonsense: 7\nstop:", 1), mail.Rejected)
	if seat().Soon.Filed != nil {
		t.Error("a draft, or a file with faults, is kept")
	}
	others := func() string {
		h.deliver(mailboxOf(first))
		h.write(mailboxOf(first), command(h.testOffice, h.id, first, "command: status"), mail.Processed)
		return wordsOf(h.last(mailboxOf(first)))
	}
	before := others()
	h.write(mailboxOf(side), order, mail.Processed)
	if seat().Soon.Filed == nil || seat().Soon.Stop != soon.Stop {
		t.Fatalf("the file is not kept: %+v", seat().Soon)
	}
	kept := *seat().Soon.Filed
	h.take(late, mail.Rejected)
	if now := seat().Soon.Filed; now == nil || now.Letter != kept.Letter {
		t.Errorf("a file that was overtaken is kept: %+v", now)
	}
	h.lastEntry(log.KindBeforehand)
	if after := others(); numberless(after) != numberless(before) {
		t.Errorf("the other side learns of it:\n%s\nbefore\n%s", after, before)
	}
	stop := h.record(h.id).Stop
	h.back(stop - 1)
	if s := seat(); s.Soon != nil && s.Soon.Filed != nil || s.Draft != "" {
		t.Errorf("after the rewind %+v", s.Soon)
	}
	for h.record(h.id).Stop < stop {
		h.answerStop(nil)
	}
	if s := seat(); s.Soon == nil || s.Soon.Filed != nil || s.Owes != nil {
		t.Errorf("after the rewind %+v", s.Soon)
	}
}

// numberless is a letter without its serial numbers, which count how many were asked for,
// and without the checksums that depend on them.
func numberless(text string) string {
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		if !strings.Contains(line, "serial:") && !strings.Contains(line, "numero:") && !strings.Contains(line, "=====") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
