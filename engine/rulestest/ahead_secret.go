package rulestest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/engine/playout"
	"berthier/orders"
)

// AheadTellsNothing holds that who files something ahead learns nothing by it: at each
// moment some files are judged as they come, and at their stop, in the game and in a world
// made up by resample from what the side sees. What is taken and refused of them, in which
// words, what they come to, and what is said of what no longer fits, is the same. So the
// confirmations and refusals of the office, which are made of that, are. Both must come about.
func AheadTellsNothing(t *testing.T, rules engine.Ruleset, moments []playout.Moment, resample playout.Scrambler, files ...string) {
	t.Helper()
	taken, refused, misfits := 0, 0, 0
	former := map[string]string{} // an answer of each kind to another stop
	for i, m := range moments {
		for _, d := range m.Position.Owed() {
			other := resample(m.Position, d.Side, rand.New(rand.NewPCG(uint64(i), 6)))
			given := m.Answers[d.Side]
			all := files
			if given != nil {
				now := orders.Mapping().Set(d.Kind, given.Orders().Get("orders")).Encode()
				if all = append(slices.Clone(files), now); former[d.Kind] != "" {
					all = append(all, former[d.Kind])
				}
				former[d.Kind] = now
			}
			for _, file := range all {
				one, ok := filing(t, rules, m.Position, d, file)
				two, _ := filing(t, rules, other, d, file)
				if one != two {
					t.Errorf("%s at %s %s, where what it does not see is otherwise, files\n%s\nand learns %s\nnot %s", d.Side, d.Kind, d.At, file, two, one)
				}
				if ok {
					taken++
				} else {
					refused++
				}
				if strings.Contains(one, "misfit") {
					misfits++
				}
			}
		}
	}
	t.Logf("%d were taken, %d refused, %d no longer fitted", taken, refused, misfits)
	if taken == 0 || refused == 0 || misfits == 0 {
		t.Error("not all of it came about")
	}
}

// filing is all that a side learns where it files something ahead, and at its stop, which is
// the same; and whether it was taken.
func filing(t *testing.T, rules engine.Ruleset, p engine.Position, d engine.Decision, file string) (learnt string, taken bool) {
	t.Helper()
	n, faults := orders.ParseNode([]byte(file))
	if len(faults) > 0 {
		t.Fatalf("%v:\n%s", faults, file)
	}
	v := p.View(d.Side)
	text, faults := ahead.Read(rules, v, n)
	if len(faults) > 0 {
		return fmt.Sprintf("refused %+v", faults), false
	}
	f := ahead.File(rules, p, d.Side, text)
	f.Used = nil
	o := f.Answer(rules, v, d, false)
	learnt = fmt.Sprintf("taken %s, %s %s", text, o.Key, o.Mark)
	if o.Answer != nil {
		learnt += o.Answer.Orders().Encode()
	}
	for _, m := range o.Misfit {
		learnt += fmt.Sprintf(" misfit %+v", m)
	}
	return learnt, true
}

// Files fuzzes what strangers file ahead. It is taken or refused with its place, never more;
// what is taken has one normal form, which reads as itself; and at a stop it comes to an
// answer that can be carried out, or to none.
func Files(f *testing.F, rules engine.Ruleset, moments []playout.Moment, seeds ...string) {
	for i, text := range seeds {
		f.Add(i, text)
	}
	f.Fuzz(func(t *testing.T, at int, text string) {
		n, faults := orders.ParseNode([]byte(text))
		if len(faults) > 0 || n == nil {
			return
		}
		m := moments[max(0, at)%len(moments)]
		d := m.Position.Owed()[0]
		v := m.Position.View(d.Side)
		normal, faults := ahead.Read(rules, v, n)
		if len(faults) > 0 || normal == "" || normal == "none" {
			return
		}
		again, faults := orders.ParseNode([]byte(normal))
		if len(faults) > 0 {
			t.Fatalf("%v:\n%s", faults, normal)
		}
		if same, faults := ahead.Read(rules, v, again); same != normal || len(faults) > 0 {
			t.Fatalf("%q reads as %q: %v", normal, same, faults)
		}
		filed := ahead.File(rules, m.Position, d.Side, normal)
		o := filed.Answer(rules, v, d, false)
		if o.Answer == nil {
			return
		}
		answers := map[engine.Side]engine.Answer{d.Side: o.Answer}
		for _, other := range m.Position.Owed() {
			if other.Side != d.Side {
				answers[other.Side] = rules.Default(m.Position.View(other.Side), other)
			}
		}
		if _, err := m.Position.Clone().Advance(answers, playout.NewDice(1)); err != nil {
			t.Fatalf("%q can't be carried out: %v", normal, err)
		}
	})
}
