package rulestest

import (
	"slices"
	"testing"

	"berthier/engine"
)

// PoliciesThatSayNothing holds that a value by which a policy says nothing, or nothing that
// can be understood, is refused or asks, whatever the key: no order file brings the office
// down. Numbers are the keys of policies that take one.
func PoliciesThatSayNothing(t *testing.T, rules engine.Ruleset, numbers ...string) {
	policied := rules.(engine.Policied)
	p := begun(t, rules, engine.Setup{})
	view := p.View(p.Sides()[0])
	for _, one := range policied.Policies(view) {
		for _, value := range []string{"[]", "[[]]", "[{}]", "{nothing: nothing}", "never-heard-of", "'7'", "''"} {
			if value == "'7'" && slices.Contains(numbers, one.Key) {
				continue
			}
			file := policyFile(t, one.Key+": "+value)
			given, faults := policied.ReadStanding(view, file)
			if len(faults) == 0 && given.Orders().Get("policies").Get(one.Key).OneLine() != "ask" {
				t.Errorf("%s: %s is taken as %s", one.Key, value, given.Orders().OneLine())
			}
		}
		if _, faults := policied.ReadStanding(view, policyFile(t, one.Key+": ask")); len(faults) > 0 {
			t.Errorf("%s: ask is refused: %v", one.Key, faults)
		}
	}
}
