package mistakes

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"berthier/docs/rules"
)

// The options are those of section 8.1 of the digest.
func TestOptionsOfTheDigest(t *testing.T) {
	_, table, found := strings.Cut(rules.EnemyMistakes, "### 8.1 ")
	table, _, end := strings.Cut(table, "## 9.")
	if !found || !end {
		t.Fatal("there is no section 8.1")
	}
	var want []string
	for line := range strings.Lines(table) {
		keys, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), "|")
		for _, m := range regexp.MustCompile("`([a-z0-9-]+)`").FindAllStringSubmatch(keys, -1) {
			if m[1] != "options" {
				want = append(want, m[1])
			}
		}
	}
	have := battle(t).menu().Names()
	slices.Sort(want)
	slices.Sort(have)
	same(t, "the options", have, want)
}

// The last turn is agreed in free scenarios alone (EM-18.3).
func TestAgreedLastTurn(t *testing.T) {
	g := begin(t, map[string]string{"game": "free", "last-turn": "5"})
	g.Turn = 5
	is(t, "the game is over", played(t, g).endTurn(), true)
	for _, options := range []map[string]string{{"last-turn": "5"}, {"game": "free-deploy-3p", "last-turn": "7"}} {
		_, faults := begun(battle(t), options)
		if len(faults) != 1 || faults[0].Clause != "EM-18.3" {
			t.Errorf("%v: %v", options, faults)
		}
	}
}
