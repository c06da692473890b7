package mistakes

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"berthier/docs/rules"
	"berthier/engine/rulestest"
)

func TestCases(t *testing.T) { rulestest.RunCases(t, "enemy-mistakes", New()) }

// Every clause of section 4 of the digest, those in bold, is played by a case of testdata/cases,
// except those of which the digest says that they have none. Rulings have
// subtests in Go, which [TestEveryClauseHasACase] holds.
func TestEveryClauseIsPlayed(t *testing.T) {
	played := map[string]bool{}
	for _, c := range rulestest.LoadCases(t, "enemy-mistakes", New()) {
		for _, id := range c.Clauses {
			played[id] = true
		}
	}
	var exempt []string
	for _, said := range regexp.MustCompile(`(?m)^Without a conformance case, [^:]+: (.+)\.$`).FindAllStringSubmatch(rules.EnemyMistakes, -1) {
		exempt = append(exempt, strings.Split(said[1], ", ")...)
	}
	bold := regexp.MustCompile(`\*\*(EM-\d+\.\d+)\b`).FindAllStringSubmatch(rules.EnemyMistakes, -1)
	if len(bold) < 159 {
		t.Errorf("only %d clauses were found", len(bold))
	}
	for _, m := range bold {
		if none := slices.Contains(exempt, m[1]); played[m[1]] == none {
			t.Errorf("%s: a case plays it: %v; the digest says that it has none: %v", m[1], played[m[1]], none)
		}
	}
}
