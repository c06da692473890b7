package pair

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestChallenge(t *testing.T) {
	ladder := strings.Split("abcdefgh", "")
	for _, c := range []struct{ who, whom, want string }{
		{"b", "a", ""}, {"f", "a", ""}, {"g", "a", "a, too-high"}, {"a", "b", "b, downwards"},
		{"a", "a", "a, himself"}, {"x", "a", "x, not-on-ladder"}, {"a", "x", "x, not-on-ladder"},
	} {
		err := Challenge(ladder, c.who, c.whom)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s against %s: %v", c.who, c.whom, err)
		}
	}
}

func TestClimb(t *testing.T) {
	for _, c := range []struct{ winner, loser, want string }{
		{"f", "a", "abfcde"}, {"e", "a", "abecdf"}, {"b", "a", "bacdef"}, {"a", "f", "abcdef"},
		{"x", "a", "abcdef"}, {"f", "x", "abcdef"},
	} {
		if got := strings.Join(Climb(strings.Split("abcdef", ""), c.winner, c.loser), ""); got != c.want {
			t.Errorf("%s beats %s: %s, not %s", c.winner, c.loser, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		ladder := rapid.Permutation(strings.Split("abcdefgh", "")).Draw(t, "ladder")
		two := rapid.Permutation(ladder).Draw(t, "two")[:2]
		after := Climb(ladder, two[0], two[1])
		if at := slices.Index(after, two[0]); at > slices.Index(ladder, two[0]) {
			t.Fatal("a winner went down")
		}
		without := func(all []string) []string {
			return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == two[0] })
		}
		if !slices.Equal(without(after), without(ladder)) {
			t.Fatal("others changed places")
		}
	})
}

func TestRatedAgain(t *testing.T) {
	for _, c := range []struct {
		rated, against int
		want           bool
	}{{0, 0, true}, {2, 2, true}, {3, 3, false}, {5, 1, true}, {4, 1, false}, {10, 0, true}, {8, 2, true}, {8, 3, false}} {
		if got := RatedAgain(c.rated, c.against); got != c.want {
			t.Errorf("%d rated, %d of them against him: %v", c.rated, c.against, got)
		}
	}
}
