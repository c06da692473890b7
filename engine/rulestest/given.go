package rulestest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/cases"
)

// Given is a fuzz test of what a case gives: whatever stands there, reading and
// playing the case ends without a panic, and every fault has a line of the file. A case
// with one step asks for nothing but the first stop.
func Given(f *testing.F, name string, rules engine.Ruleset, seeds ...string) {
	rulesets := map[string]engine.Ruleset{name: rules}
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		text := "case: x\nclauses: []\nruleset: " + name + "\nthen: []\ngiven:\n  " + strings.ReplaceAll(given, "\n", "\n  ")
		lines := 1 // the reader may end a line at any of these characters
		for _, end := range []string{"\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"} {
			lines += strings.Count(text, end)
		}
		all, problems := cases.Parse(rulesets, filepath.Join(t.TempDir(), "case.yaml"), []byte(text))
		for _, p := range problems {
			if p.Line < 0 || p.Line > lines {
				t.Errorf("a fault at line %d of %d: %s", p.Line, lines, cases.Plain(p.Why))
			}
		}
		for _, c := range all {
			result := cases.Run(rulesets, c)
			for _, fault := range result.Failures {
				if fault.Line < 1 || fault.Line > lines {
					t.Errorf("a fault at line %d of %d: %s", fault.Line, lines, fault.Text)
				}
				if strings.Contains(fault.Text, "panicked") {
					t.Error(fault.Text)
				}
			}
			if slices.ContainsFunc(result.Failures, func(f cases.Failure) bool { return strings.Contains(f.Text, "read back") }) {
				t.Error(result)
			}
		}
	})
}
