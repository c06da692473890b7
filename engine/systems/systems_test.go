package systems

import (
	"slices"
	"testing"
)

// TestIDs holds that the rulesets stand in the order of their ids, and that no id is of two.
func TestIDs(t *testing.T) {
	var ids []string
	for _, rules := range All() {
		ids = append(ids, rules.About().ID)
	}
	once := slices.Clone(ids)
	slices.Sort(once)
	if once = slices.Compact(once); len(ids) == 0 || !slices.Equal(ids, once) {
		t.Errorf("the ids are %q, not %q", ids, once)
	}
}
