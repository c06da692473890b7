package rated

import (
	"fmt"
	"testing"

	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
)

// Who answered two thirds of a side's stops is rated for it; else the two who answered most stand for it, and none
// of them is rated. A game of which a bot played more than a third is not rated.
func TestPlayedBy(t *testing.T) {
	for _, c := range []struct {
		name     string
		plan     string
		sat      []string
		answered []int64
		bots     int64
		want     string
	}{
		{"nobody has taken over", "own", []string{"a"}, []int64{9}, 0, "[[a] [b]] true"},
		{"the substitute played two thirds", "own", []string{"a", "s"}, []int64{3, 6}, 0, "[[s] [b]] true"},
		{"a little less", "own", []string{"a", "s"}, []int64{4, 6}, 0, "[[s a] [b]] true"},
		{"the first player did", "own", []string{"a", "s"}, []int64{6, 3}, 0, "[[a] [b]] true"},
		{"he came back", "own", []string{"a", "s", "a"}, []int64{3, 2, 3}, 0, "[[a] [b]] true"},
		{"two substitutes", "own", []string{"a", "s", "u"}, []int64{1, 4, 3}, 0, "[[s u] [b]] true"},
		{"the seat was not given any more", "own", []string{"a", "s"}, []int64{9}, 0, "[[a] [b]] true"},
		{"a bot played a third", "own", []string{"a"}, []int64{6}, 3, "[[a] [b]] true"},
		{"a bot played more", "own", []string{"a"}, []int64{5}, 3, "[] false"},
		{"somebody from outside", "own", []string{"a"}, []int64{5, 5}, 0, "[] false"},
		{"substitutes are not rated", "none", []string{"a", "s"}, []int64{3, 6}, 0, "[] false"},
		{"nor do both count", "none", []string{"a", "s"}, []int64{5, 5}, 0, "[] false"},
		{"but the first player is", "none", []string{"a", "s"}, []int64{6, 3}, 0, "[[a] [b]] true"},
		{"a season of before", "", []string{"a", "s"}, []int64{0, 9}, 0, "[[a] [b]] true"},
	} {
		g := &season.Game{Entries: []string{"a", "b"}, Sat: [][]string{c.sat, {"b"}}}
		o := season.Outcome{Kind: table.Played, Answered: [][]int64{c.answered, {9}}, Bots: []int64{c.bots, 0}}
		sides, rated := playedBy(&season.Plan{SubsRated: c.plan}, g, o)
		if got := fmt.Sprint(sides, rated); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}
