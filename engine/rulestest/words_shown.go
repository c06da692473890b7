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
// themselves and in the lines that are orders once their # is taken away, not in remarks.
type wordsShown map[string]map[string]bool

func (w wordsShown) see(kind, template string) {
	if w[kind] == nil {
		w[kind] = map[string]bool{}
	}
	for line := range strings.SplitSeq(template, "\n") {
		line = strings.TrimLeft(line, " ")
		if strings.HasPrefix(line, "##") {
			continue
		}
		line, _, _ = strings.Cut(strings.TrimPrefix(line, "#"), "  # ")
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' }) {
			w[kind][strings.ToLower(word)] = true
		}
	}
}

// lacks names the words that a stop takes and that no template of it has shown. The word none,
// which any stop takes, stands in the guide to orders.
func (w wordsShown) lacks(t *testing.T, rules engine.Ruleset) {
	sheet, ok := ahead.Sheet(rules)
	if !ok {
		return
	}
	for _, kind := range rules.About().Stops {
		var never []string
		for _, word := range shape.Keywords(sheet.Stops[kind]) {
			if !w[kind][word] && word != "none" && word != "default" {
				never = append(never, word)
			}
		}
		slices.Sort(never)
		if len(never) > 0 {
			t.Errorf("%s: no template shows %s", kind, strings.Join(never, ", "))
		}
	}
}
