package hfg

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"berthier/engine/rulestest"
	"berthier/orders"
)

// orderField is a field on which each kind of move has somebody who can make it.
func orderField(t testing.TB) *game {
	t.Helper()
	g := fieldOn(t, &setting{year: 1809, lines: []lineDef{lineOf("w", river, 200, [2]int64{0, 5000}, [2]int64{12000, 5000}), lineOf("lane", road, 0, [2]int64{2000, 0}, [2]int64{2000, 4800})}},
		piece{"r0", commandParty, 4400, 1500, 0, nil}, piece{"r1", muskets, 4000, 2000, 0, nil}, piece{"r2", muskets, 4400, 2000, 0, nil}, piece{"r3", muskets, 6000, 2000, 0, nil},
		piece{"r4", pontoneers, 7000, 4900, 0, nil}, piece{"r5", muskets, 9000, 2000, 0, nil}, piece{"r6", lightCavalry, 2000, 2000, 0, nil}, piece{"r7", lightCavalry, 2000, 1700, 0, nil},
		piece{"r8", lightCavalry, 10000, 4700, 0, nil}, piece{"b1", muskets, 4000, 2150, 180, nil})
	g.Bridges = []bridge{{ID: "span", Over: 1, At: place(pt(10000, 5000)), Facing: 0}}
	g.Commands[1].Score, g.Phase, g.Turn = 40, moving, 1
	g.Elements[named(t, g, "r5")].Spirit = routed
	return g
}

// saidBy gives what may stand behind each key of a move in the tests, legal by itself for the elements of orderField as
// far as it can be.
var saidBy = map[string][]string{
	"element": {"r1", "r3", "r6"}, "group": {"[r1, r2]", "left..right of r1"}, "column": {"[r6, r7]"}, "by": {"r0"},
	"to": {"[6000, 2100]", "front of b1"}, "via": {"[[6000, 2050]]"}, "stop-short": {"50"}, "facing": {"0", "10"},
	"forward": {"100", "max"}, "back": {"100"}, "left": {"100"}, "right": {"100"}, "advance": {"100", "max"},
	"wheel": {"right 10"}, "sidestep": {"left 100", "right 200"}, "contact": {"b1"}, "edge": {"front"}, "road": {"[lane]"}, "along": {"100"},
	"line": {"right"}, "deep": {"1"}, "file": {"left"}, "then": {"[{wheel: left 10, advance: 50}]"},
}

// headsBy are the keys of moves of other kinds.
var headsBy = map[string][]string{
	"march": {"{element: r6, along: 100}"}, "ford": {"{element: r8, forward: 100}"}, "rally": {"r5"}, "enter": {"reds"}, "build": {"r4"},
	"destroy-bridge": {"{element: r8, bridge: span}"}, "else": {"{forward: 100}", "{contact: b1}", "{file: left}"},
}

// readsAsItself tells whether a move was taken, and fails unless its normal form reads as itself; accepted: as a file that was
// accepted once.
func readsAsItself(t *testing.T, g *game, text string, accepted bool) (normal string, taken bool) {
	t.Helper()
	d := g.decision("red", stopTurn)
	doc := document(t, "{moves: ["+text+"]}")
	doc.Accepted = accepted
	a, faults := declared.Read(g.view("red"), d, doc)
	if len(faults) > 0 {
		for _, f := range faults {
			if f.Line == 0 || f.Why.Code == "" {
				t.Errorf("%s: %v has no place or no reason", text, f)
			}
		}
		return "", false
	}
	normal = a.Orders().Encode()
	again, problems := orders.Parse(normal, nil)
	if len(problems) > 0 {
		t.Fatalf("%s: %v\n%s", text, problems, normal)
	}
	b, faults := declared.Read(g.view("red"), d, again)
	if len(faults) > 0 {
		t.Errorf("%s (accepted before: %v): its normal form is refused: %v\n%s", text, accepted, faults, normal)
	} else if got := b.Orders().Encode(); got != normal {
		t.Errorf("%s (accepted before: %v) reads as\n%sand that as\n%s", text, accepted, normal, got)
	}
	return normal, true
}

// keysSaid are all keys of moves with what is said by them, in one order.
func keysSaid() [][2]string {
	var all [][2]string
	for _, by := range []map[string][]string{saidBy, headsBy} {
		for _, key := range slices.Sorted(maps.Keys(by)) {
			for _, v := range by[key] {
				all = append(all, [2]string{key, v})
			}
		}
	}
	return all
}

// aliases are keys that a normal form may write otherwise.
var aliases = map[string]string{"advance": "forward", "forward": "advance"}

// Whatever keys of a move are put together, it is refused, or all of it stands in its normal form, which reads as itself; a
// file that was accepted once is never read as something that can't be read again.
func TestEveryPairOfKeysIsRefusedOrReadsAsItself(t *testing.T) {
	g, taken, all := orderField(t), 0, keysSaid()
	try := func(shape string, said ...[2]string) {
		var parts, keys []string
		for _, s := range said {
			if slices.Contains(keys, s[0]) || strings.Contains(shape, s[0]+": ") {
				return
			}
			keys = append(keys, s[0])
			parts = append(parts, s[0]+": "+s[1])
		}
		text := fmt.Sprintf(shape, strings.Join(parts, ", "))
		readsAsItself(t, g, text, true)
		normal, ok := readsAsItself(t, g, text, false)
		if !ok {
			return
		}
		taken++
		for _, key := range keys {
			if !strings.Contains(normal, key) && (aliases[key] == "" || !strings.Contains(normal, aliases[key])) {
				t.Errorf("%s: nothing is said of %s, and it isn't in the normal form\n%s", text, key, normal)
			}
		}
	}
	var shapes []string
	for _, crew := range []string{"element: r1", "element: r3", "group: [r1, r2]", "column: [r6, r7]"} {
		shapes = append(shapes, "{"+crew+", %s}", "{march: {"+crew+", %s}}")
	}
	shapes = append(shapes, "{ford: {element: r8, %s}}", "{element: r1, contact: b1, else: {%s}}", "{element: r3, forward: 900, else: {%s}}",
		"{column: [r6, r7], along: 5000, else: {%s}}", "{build: r4, else: {%s}}", "{rally: r3, else: {%s}}", "{march: {element: r6, along: 5000}, else: {%s}}")
	for i, a := range all {
		try("{%s}", a)
		for j, b := range all[:i] {
			try("{%s}", a, b)
			for k, shape := range shapes {
				if rulestest.FullSamples() || (i+j+k)%4 == 0 { // each pair in some of them
					try(shape, a, b)
				}
			}
		}
	}
	if taken < 40 {
		t.Errorf("%d were taken", taken)
	}
}

// Keys that don't go together are refused, all of them at once, each at its place with what to leave out.
func TestContradictoryKeysAreAllNamed(t *testing.T) {
	g := orderField(t)
	for text, want := range map[string]string{
		"{element: r1, forward: 100, back: 50, left: 30, edge: rear, deep: 2}": "order-beside order-beside order-beside order-beside",
		"{element: r1, to: [4000, 2010], forward: 200, wheel: right 10}":       "order-beside order-beside",
		"{element: r1, contact: b1, facing: 30}":                               "order-beside",
		"{element: r1, line: right, road: [lane]}":                             "order-beside",
		"{element: r1, forward: 10, via: [[4000, 2010]], stop-short: 10}":      "order-beside order-beside",
		"{element: r1, edge: rear}":                                            "order-what order-needs",
		"{group: [r1, r2], facing: 10, wheel: right 10, advance: 100}":         "order-beside",
		"{column: [r6, r7], back: 100}":                                        "order-beside",
		"{rally: r5, else: {forward: 100}}":                                    "order-beside",
		"{enter: reds, else: {forward: 100}}":                                  "order-beside",
		"{march: {element: r6, along: 100}, element: r1, by: r0}":              "order-beside order-beside",
	} {
		if got := strings.ReplaceAll(written(t, g, g.decision("red", stopTurn), "{moves: ["+text+"]}"), "hfg.", ""); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// An order that a former program took, and that stands in the log, goes on as what that program made of it.
func TestWhatWasTakenOnceGoesOn(t *testing.T) {
	g := orderField(t)
	for text, want := range map[string]string{
		"{rally: r5, else: {forward: 100}}":                     "{rally: r5}",
		"{element: r1, forward: 100, left: 30, edge: rear}":     "{element: r1, left: 30}",
		"{element: r3, to: [6000, 2100], forward: 50, deep: 2}": "{element: r3, to: [6000, 2100]}",
		"{element: r1, contact: b1, facing: 30}":                "{element: r1, contact: b1}",
		"{build: r4, forward: 100, else: {forward: 10}}":        "{build: r4, else: {forward: 10}}",
		"{column: [r6, r7], back: 100}":                         "{column: [r6, r7], advance: 100}",
	} {
		if got, _ := readsAsItself(t, g, text, true); !strings.Contains(got, "["+want+"]") {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// What is done in the place of a work that can't be begun is a move, and is carried out as one.
func TestWhatIsDoneInThePlaceOfAWork(t *testing.T) {
	g := orderField(t)
	e := named(t, g, "r4")
	g.Elements[e].At.Y -= 400 * pace
	for text, want := range map[string]string{"{build: r4, else: {forward: 100}}": "else", "{destroy-bridge: {element: r4, bridge: span}, else: {forward: 100}}": "else"} {
		normal, ok := readsAsItself(t, g, text, false)
		is(t, text, ok && strings.Contains(normal, want), true)
	}
	p := replied(t, g, "red", "{moves: [{build: r4, else: {forward: 100}}]}")
	is(t, "it has moved", standsAt(t, p, "r4"), [3]int64{7000, 4600, 0})
}
