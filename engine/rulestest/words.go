package rulestest

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders"
)

// SaysNothing checks, at every kind of stop of a ruleset, how a file is read that says
// nothing: an empty map and the word default mean the default; the word none and an empty
// list mean that nothing is done. Where that is no answer, the refusal says so at its
// place, with a clause and a remedy.
func SaysNothing(t *testing.T, rules engine.Ruleset, games []playout.Game) {
	if Race {
		return // nothing here runs side by side, and it takes long
	}
	seen, each := map[string]int{}, 12
	if FullSamples() {
		each = 40
	}
	refused := map[string]bool{}
	for i, g := range games {
		g.Rules = rules
		g.Choose = func(rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
			if seen[d.Kind]++; seen[d.Kind] <= each {
				refused[d.Kind] = saysNothing(t, rules, view, d) || refused[d.Kind]
			}
			if chance.IntN(2) == 0 {
				return rules.Sensible(view, d, chance)
			}
			return rules.Random(view, d, chance)
		}
		if _, err := g.Play(); err != nil {
			t.Fatalf("game %d: %v", i, err)
		}
	}
	for _, kind := range rules.About().Stops {
		if seen[kind] == 0 {
			t.Errorf("no game came to a stop %s", kind)
		}
	}
	if len(refused) == 0 || len(refused) == len(seen) && !slices.ContainsFunc(rules.About().Stops, func(kind string) bool { return !refused[kind] }) {
		t.Errorf("nothing is an answer at all stops, or at none: %v", refused)
	}
}

// saysNothing checks one stop. It tells whether doing nothing is refused there.
func saysNothing(t *testing.T, rules engine.Ruleset, view engine.View, d engine.Decision) (refused bool) {
	t.Helper()
	read := func(body string) (string, orders.Problems) {
		doc, faults := orders.Parse("orders: "+body+"\n", nil)
		if len(faults) > 0 {
			t.Fatalf("%s can't be parsed: %v", body, faults)
		}
		a, faults := rules.Read(view, d, doc)
		if len(faults) > 0 {
			return "", faults
		}
		return a.Orders().Encode(), nil
	}
	usual := rules.Default(view, d).Orders().Encode()
	for _, body := range []string{"default", "{}", "predefinito"} {
		if got, faults := read(body); got != usual {
			t.Errorf("%s %s: %s means\n%s%v, and the default is\n%s", d.Kind, d.At, body, got, faults, usual)
		}
	}
	want, faults := read("none")
	for _, body := range []string{"[]", "nessuno"} {
		got, other := read(body)
		if got != want || told(other) != told(faults) {
			t.Errorf("%s %s: %s means\n%s%v, and none means\n%s%v", d.Kind, d.At, body, got, other, want, faults)
		}
	}
	for _, p := range faults {
		if p.Clause == "" || p.Remedy.Code == "" || p.Line != 1 || p.Column != 9 {
			t.Errorf("%s %s: none is refused without clause, remedy or place: %+v", d.Kind, d.At, p)
		}
	}
	if len(faults) > 0 {
		return true
	}
	doc, _ := orders.Parse(want, nil)
	if again, faults := rules.Read(view, d, doc); len(faults) > 0 || again.Orders().Encode() != want {
		t.Errorf("%s %s: what none means does not read as itself: %s%v", d.Kind, d.At, want, faults)
	}
	return false
}

// told writes faults as a text that can be compared.
func told(faults orders.Problems) string {
	text, err := json.Marshal(faults)
	if err != nil {
		panic("words: " + err.Error()) // a fault is plain data
	}
	return string(text)
}
