package rulestest

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/shape"
	"berthier/orders"
)

// Conditions holds that a ruleset tells whether conditions hold. Each of some conditions
// must hold at one of the moments and not at another, and the ruleset's shape takes it;
// what asks nothing holds everywhere. What is no condition is refused by the shape and by
// the ruleset, at one place. Looking changes no view. Conditions are filed at the moment
// before.
//
// Nobody learns anything by what he files: in worlds made up by resample from what the side
// sees, each condition is as true as in the game. Where resample is nil, nothing is hidden.
func Conditions(t *testing.T, rules engine.Ruleset, moments []playout.Moment, resample playout.Scrambler, broken []string, conditions ...string) {
	t.Helper()
	if Race {
		return // nothing here runs side by side, and it takes long
	}
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
	asked := askedAt(t, judge, moments, resample)
	hold := func(n *orders.Node, look func(bool, orders.Problems)) {
		for _, x := range asked {
			holds, faults := judge.Hold(x.view, x.d, x.since, n)
			look(holds, faults)
			if !bytes.Equal(x.bytes, viewed(t, x.view)) {
				t.Fatalf("a condition changed the view of %s", x.d.Side)
			}
			if again, _ := judge.Hold(x.other, x.d, x.since, n); again != holds {
				t.Errorf("%s of %s is %t where %s hangs on what %s does not see", x.d.Kind, x.d.Side, holds, n.OneLine(), x.d.Side)
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

// A queried is a decision about which conditions are asked.
type queried struct {
	d           engine.Decision
	view, other engine.View // in the game, and in a world that looks the same
	bytes       []byte
	since       string // how the enemy stood at the moment before
}

// askedAt lists the decisions of moments.
func askedAt(t *testing.T, judge engine.Conditions, moments []playout.Moment, resample playout.Scrambler) (all []queried) {
	t.Helper()
	filed := map[engine.Side]string{}
	for i, m := range moments {
		for _, d := range m.Position.Owed() {
			x := queried{d: d, view: m.Position.View(d.Side), since: filed[d.Side]}
			x.bytes, x.other = viewed(t, x.view), x.view
			if resample != nil {
				x.other = resample(m.Position, d.Side, rand.New(rand.NewPCG(uint64(i), 5))).View(d.Side)
			}
			if !bytes.Equal(x.bytes, viewed(t, x.other)) || judge.Watch(x.view) != judge.Watch(x.other) {
				t.Fatalf("%s sees another world", d.Side)
			}
			all = append(all, x)
		}
		for _, side := range m.Position.Sides() {
			filed[side] = judge.Watch(m.Position.View(side))
		}
	}
	return all
}

// viewed is a view as bytes.
func viewed(t *testing.T, v engine.View) []byte {
	t.Helper()
	data, err := v.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return data
}
