package rulestest

import (
	"bytes"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/shape"
	"berthier/orders"
)

// Conditions holds that a ruleset tells whether conditions hold. Each of some conditions
// must hold at one of the moments and not at another, and the ruleset's shape takes it;
// what asks nothing holds everywhere. What is no condition is refused by the shape and by
// the ruleset, at one place. Looking changes no view.
func Conditions(t *testing.T, rules engine.Ruleset, moments []playout.Moment, broken []string, conditions ...string) {
	t.Helper()
	sheet, judge := rules.(engine.Shaped).Shapes(), rules.(engine.Conditions)
	parse := func(text string) *orders.Node {
		n, faults := orders.ParseNode([]byte("if: " + text))
		if len(faults) > 0 {
			t.Fatalf("%s: %v", text, faults)
		}
		return n.Get("if")
	}
	written := func(n *orders.Node) orders.Problems {
		r := orders.NewReader(sheet.Vocabulary)
		shape.Read(r, n, sheet.Conditions, nil)
		return r.Problems
	}
	hold := func(n *orders.Node, look func(bool, orders.Problems)) {
		for _, m := range moments {
			for _, d := range m.Position.Owed() {
				v := m.Position.View(d.Side)
				before, err := v.Marshal()
				if err != nil {
					t.Fatal(err)
				}
				look(judge.Hold(v, d, n))
				if after, err := v.Marshal(); err != nil || !bytes.Equal(before, after) {
					t.Fatalf("a condition changed the view of %s: %v", d.Side, err)
				}
			}
		}
	}
	for _, text := range append(conditions, "[]") {
		n, held, failed := parse(text), 0, 0
		if faults := written(n); len(faults) > 0 {
			t.Errorf("%s: the shape refuses it: %v", text, faults)
		}
		hold(n, func(holds bool, faults orders.Problems) {
			switch {
			case len(faults) > 0:
				t.Fatalf("%s: %v", text, faults)
			case holds:
				held++
			default:
				failed++
			}
		})
		if held == 0 || failed == 0 && text != "[]" || failed > 0 && text == "[]" {
			t.Errorf("%s holds at %d of %d decisions", text, held, held+failed)
		}
	}
	for _, text := range broken {
		n := parse(text)
		told := written(n)
		if len(told) == 0 {
			t.Errorf("%s: the shape takes it", text)
		}
		hold(n, func(holds bool, faults orders.Problems) {
			if holds || len(faults) == 0 || len(told) == 0 || faults[0].Line != told[0].Line || faults[0].Column != told[0].Column {
				t.Fatalf("%s: the shape tells %v, the ruleset %v", text, told, faults)
			}
		})
	}
}
