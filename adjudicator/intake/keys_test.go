package intake

import (
	"strings"
	"testing"
)

func TestHideKey(t *testing.T) {
	for in, want := range map[string]string{
		"key: K7QF-2M9D":      "key: xxxx-xxxx",
		"k7qf 2m9d, K7QF2M9D": "xxxx-xxxx, xxxx-xxxx",
		"K7QF--2M9D K7QF------------2M9D K7QF-------------2M9D": "xxxx-xxxx xxxx-xxxx K7QF-------------2M9D",
		"K7QK7QF-2M9D":              "K7Qxxxx-xxxx",
		"K7QF-2M9":                  "K7QF-2M9",
		"":                          "",
		"KK7QF-2M9DD":               "Kxxxx-xxxxD",
		"key: K7QF\u20132M9D there": "key: xxxx-xxxx there",
	} {
		if got := HideKey(in, "K7QF-2M9D"); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	// What opens a game is hidden, and what is not hidden opens none.
	for n := range 30 {
		typed := "\t" + "k7qf" + strings.Repeat(" ", n) + "2M9D" + strings.Repeat(" ", 40)
		if opens, hidden := SameKey(typed, "K7QF-2M9D"), KeyAt(typed, "K7QF-2M9D", 0) >= 0; opens != hidden || opens != (n <= mostBetween) {
			t.Errorf("%d spaces: opens %v, hidden %v", n, opens, hidden)
		}
	}
	for in, want := range map[string]string{
		"game: x\nkey: ABCD-EFGH\nside: y": "game: x\nkey: *********\nside: y",
		"{game: x, chiave: ABCD-EFGH}":     "{game: x, chiave: *********}",
		"> Key : abc":                      "> Key : ***",
		"monkey: ABCD":                     "monkey: ABCD",
	} {
		if got := HideKeyLines(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
