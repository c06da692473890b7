package hfg

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// legendKeys takes a line of the legend of moves apart: the keys of its kinds, and those that may stand beside each of them.
func legendKeys(line string) (kinds, beside []string) {
	for inner := regexp.MustCompile(`\[[^\[\]]*\]|\{[^{}]*\}`); inner.MatchString(line); {
		line = inner.ReplaceAllString(line, "..")
	}
	keys := func(part string) (all []string) {
		words := strings.Split(part, " | ")
		last := 0
		for i, w := range words {
			if strings.Contains(w, ":") {
				last = i
			}
		}
		for _, w := range words[:last+1] { // what stands behind the last key are its values
			if key, _, _ := strings.Cut(w, ":"); !slices.Contains(all, key) {
				all = append(all, key)
			}
		}
		return all
	}
	parts := strings.Split(line, ", ")
	for _, part := range parts[1:] {
		beside = append(beside, keys(part)...)
	}
	return keys(parts[0]), beside
}

// The template of a turn tells of each kind of move which keys may stand beside it: all that are taken there, and none that is refused.
func TestLegendOfMovesTellsWhatMayBeWritten(t *testing.T) {
	told := map[string][]string{}
	for _, line := range moveLegend {
		kinds, beside := legendKeys(line)
		for _, k := range kinds {
			told[k] = append(told[k], beside...)
		}
	}
	for _, w := range slices.Concat(headWritings, wayWritings) {
		may := w.beside
		if slices.Contains([]string{"facing", "wheel", "sidestep", "then"}, w.key) {
			continue // they stand beside others
		}
		if w.key == "along" {
			may = []string{"road"}
		}
		if !slices.Equal(slices.Sorted(slices.Values(told[w.key])), slices.Sorted(slices.Values(may))) {
			t.Errorf("beside %s the legend tells of %v, and %v may stand there", w.key, told[w.key], may)
		}
	}
	for crew, want := range map[string][]string{"element": {"by", "else"}, "group": {"else"}, "column": {"else"}} {
		if got := slices.Sorted(slices.Values(told[crew])); !slices.Equal(got, want) {
			t.Errorf("beside %s the legend tells of %v, and %v may stand there", crew, got, want)
		}
	}
	g := orderField(t)
	for text, taken := range map[string]bool{
		"{rally: r5, else: {forward: 100}}": false, "{rally: r5}": true, "{build: r4, else: {forward: 100}}": true, "{march: {element: r6, along: 100}, else: {forward: 100}}": true,
		"{element: r1, back: 100, else: {file: left}}": true, "{enter: reds, else: {forward: 100}}": false,
	} {
		if _, is := readsAsItself(t, g, text, false); is != taken {
			t.Errorf("%s is taken: %v, want %v", text, is, taken)
		}
	}
}
