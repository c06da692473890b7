package ahead_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/engine/enginetest"
	"berthier/orders"
)

func node(t *testing.T, text string) *orders.Node {
	t.Helper()
	n, faults := orders.ParseNode([]byte("ahead: " + text))
	if len(faults) > 0 {
		t.Fatalf("%s: %v", text, faults)
	}
	return n.Get("ahead")
}

// Each way to write an answer ahead has one normal form, in which it reads as itself.
func TestNormalForm(t *testing.T) {
	rules := enginetest.New()
	p, err := rules.New(engine.Setup{Options: map[string]string{"coins": "3"}})
	if err != nil {
		t.Fatal(err)
	}
	v := p.View("red")
	for text, want := range map[string]string{
		"none":                      "none",
		"{}":                        "none",
		"nessuno":                   "none",
		"{discard: R-1}":            "discard: R-1\n",
		"{scarta: R-1}":             "discard: R-1\n",
		"{discard: {discard: R-1}}": "discard: {discard: R-1}\n",
		"{discard: chiedi}":         "discard: ask\n",
		"{bid: {bid: R-2, coins: 1}, discard: default}": "bid: {bid: R-2, coins: 1}\ndiscard: default\n",
		"{bid: none}": "bid: none\n",
		"{discard: [{if: leading, do: R-1}, {else: standing}]}":                   "discard:\n  - {if: leading, do: R-1}\n  - {else: standing}\n",
		"{discard: {se: {round: '>= 2'}, fai: R-1}}":                              "discard:\n  - {if: {round: '>= 2'}, do: R-1}\n",
		"{discard: [{if: [leading, {coins: '>1'}], do: ask}, {altrimenti: R-2}]}": "discard:\n  - {if: [leading, {coins: '>1'}], do: ask}\n  - {else: R-2}\n",
		"{next: {discard: R-1}}":                                                  "next:\n  - discard: R-1\n",
		"{prossima: [{bid: none}, {scarta: chiedi, bid: R-1}], bid: R-2}":         "bid: R-2\nnext:\n  - bid: none\n  - bid: R-1\n    discard: ask\n",
		"{next: none}":                 "none",
		"{next: {bid: [{else: ask}]}}": "",
		"{next: [{bid: R-1}, {discard: ask}], discard: none}": "discard: none\nnext:\n  - bid: R-1\n",
	} {
		got, faults := ahead.Read(rules, v, node(t, text))
		if len(faults) > 0 || strings.ReplaceAll(got, `"`, "'") != want {
			t.Errorf("%s is %q with %v, not %q", text, got, faults, want)
		}
		if got == "none" || got == "" {
			continue
		}
		if again, faults := ahead.Read(rules, v, node(t, "\n  "+strings.ReplaceAll(got, "\n", "\n  "))); again != got || len(faults) > 0 {
			t.Errorf("%s reads as %q with %v", got, again, faults)
		}
	}
}

// What no position could make right is told as the file comes, all of it, each at its place.
func TestFaultsOfWriting(t *testing.T) {
	rules := enginetest.New()
	p, err := rules.New(engine.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"{discrad: R-1}": {"1:9 order.unknown-key"},
		"maybe":          {"1:8 order.unknown-word"},
		"{discard: {discard: R-1, unit: R-2}, bid: {coins: 0}}": {"1:33 order.unknown-key", "1:50 order.missing-key", "1:58 order.want-number"},
		"{discard: [{else: ask}, {do: R-1}]}":                   {"1:19 play.else-last"},
		"{discard: [{if: losing, do: R-1}]}":                    {"1:24 order.unknown-word"},
		"{discard: [{if: {round: many}, do: R-1}]}":             {"1:32 lots.comparison"},
		"{discard: [{do: R-1, else: ask}]}":                     {"1:29 order.unknown-key"},
		"{next: {next: {bid: none}}}":                           {"1:16 order.unknown-key"},
		"{next: [{bid: none}, {discrad: R-1}]}":                 {"1:30 order.unknown-key"},
	} {
		_, faults := ahead.Read(rules, p.View("red"), node(t, text))
		var got []string
		for _, f := range faults {
			got = append(got, fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Why.Code))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, not %v", text, got, want)
		}
	}
}

// A row is for the stops that follow at once, one after the other: its places are used in
// their order, each by one stop, and a stop that is of another kind, or is not answered, makes
// the rest void. What waits for any stop of a kind goes on waiting.
func TestNextIsTheNextStop(t *testing.T) {
	rules := enginetest.New()
	p, err := rules.New(engine.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	v, sheet := p.View("red"), rules.Shapes()
	bid, discard := engine.Decision{Side: "red", Kind: enginetest.Bid}, engine.Decision{Side: "red", Kind: enginetest.Discard}
	for _, c := range []struct {
		filed string
		stops []engine.Decision
		want  []string // what each comes to
		left  []string // the kinds that wait in the end
	}{
		{"{next: {bid: R-1}}", []engine.Decision{bid, bid}, []string{"R-1", ""}, nil},
		{"{next: {bid: R-1}}", []engine.Decision{discard, bid}, []string{"void bid", ""}, nil},
		{"{next: [{bid: R-1}, {bid: R-2}, {bid: none}], bid: R-3}", []engine.Decision{bid, bid, bid, bid}, []string{"R-1", "R-2", "none", "R-3"}, nil},
		{"{next: [{bid: R-1}, {discard: R-2}], bid: R-3}", []engine.Decision{bid, bid}, []string{"R-1", "R-3 void discard"}, nil},
		{"{next: [{bid: R-77}, {bid: R-2}]}", []engine.Decision{bid, bid}, []string{"void bid", ""}, nil},
		{"{next: [{bid: ask}, {bid: R-2}]}", []engine.Decision{bid, bid}, []string{"void bid", ""}, nil},
		{"{next: [{bid: default, discard: R-1}, {bid: R-2}]}", []engine.Decision{bid}, []string{"none"}, []string{"bid"}},
		{"{next: [{discard: R-1}, {bid: R-2}]}", nil, nil, []string{"discard"}},
	} {
		text, faults := ahead.Read(rules, v, node(t, c.filed))
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		f := ahead.Filed{Text: text}
		for i, d := range c.stops {
			o := f.Answer(rules, v, d, false)
			got := strings.Join(o.Void, " ")
			if got != "" {
				got = "void " + got
			}
			if o.Answer != nil {
				got = strings.TrimSpace(o.Answer.Orders().Get("orders").Get("bid").Text + " " + got)
			}
			if got != c.want[i] {
				t.Errorf("%s: stop %d comes to %q, not %q", c.filed, i+1, got, c.want[i])
			}
		}
		if left := f.Kinds(sheet); !slices.Equal(left, c.left) {
			t.Errorf("%s: %v wait, not %v", c.filed, left, c.left)
		}
	}
}
