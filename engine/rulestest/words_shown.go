package rulestest

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/engine/shape"
)

// wordsShown notes which words of the grammar stand in templates, by kind of stop: in the orders
// themselves, in the lines that are orders once their # is taken away, and in remarks that list
// what may stand in one place (N | E | S | W), not in other remarks.
type wordsShown map[string]map[string]bool

func (w wordsShown) see(kind, template string) {
	if w[kind] == nil {
		w[kind] = map[string]bool{}
	}
	for line := range strings.SplitSeq(template, "\n") {
		line = strings.TrimLeft(line, " ")
		if strings.HasPrefix(line, "##") && !strings.Contains(line, " | ") && !strings.HasPrefix(line, "##   ") {
			continue
		}
		line, _, _ = strings.Cut(strings.TrimLeft(line, "#"), "  # ")
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' }) {
			w[kind][strings.ToLower(word)] = true
		}
	}
}

// unshown are words that need no example: what means the same as nothing at all, what closes a
// list, and a second way to say what an example says.
var unshown = []string{"none", "default", "no", "end", "battle", "enter", "keep"}

// seldom are stops that samples don't reach often enough to show each word: they take the words of
// another stop, whose form is theirs.
var seldom = map[string]string{"stalemate": "rout"}

// alike are words that stand in the same places, so that one of them shows where the others may:
// facings, and words for units that are not named one by one.
var alike = [][]string{{"n", "e", "s", "w"}, {"all", "rest"}}

// lacks names the words that a stop takes and that no template of it has shown.
func (w wordsShown) lacks(t *testing.T, rules engine.Ruleset) {
	sheet, ok := ahead.Sheet(rules)
	if !ok {
		return
	}
	for _, kind := range rules.About().Stops {
		var never []string
		for word := range w[seldom[kind]] {
			w[kind][word] = true
		}
		for _, words := range alike {
			if slices.ContainsFunc(words, func(word string) bool { return w[kind][word] }) {
				for _, word := range words {
					w[kind][word] = true
				}
			}
		}
		for _, word := range shape.Keywords(sheet.Stops[kind]) {
			if !w[kind][word] && !slices.Contains(unshown, word) {
				never = append(never, word)
			}
		}
		slices.Sort(never)
		if len(never) > 0 {
			t.Errorf("%s: no template shows %s", kind, strings.Join(never, ", "))
		}
	}
}
