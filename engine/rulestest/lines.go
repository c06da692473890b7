package rulestest

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/shape"
	"berthier/orders"
)

// Lines plays games, writes the answers that are given as short lines, in each language, and
// reads them back: they mean the same. It tells of each kind of stop how many answers were
// written so without a single key in brackets, and how many were not.
func Lines(t *testing.T, rules engine.Ruleset, games []playout.Game) (short, long map[string]int) {
	short, long = map[string]int{}, map[string]int{}
	if Race {
		return // nothing here runs side by side, and it takes long
	}
	sheet := rules.(engine.Shaped).Shapes()
	for i, g := range games {
		g.Rules = rules
		counts := map[string]int{}
		g.Choose = func(rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
			a := rules.Random(view, d, chance)
			if chance.IntN(2) == 0 {
				a = rules.Sensible(view, d, chance)
			}
			if counts[d.Kind]++; counts[d.Kind] > 8 && counts[d.Kind]%16 != 0 {
				return a
			}
			normal := a.Orders().Encode()
			language := []string{"en", "it"}[counts[d.Kind]%2]
			lines := shape.Lines(a.Orders().Get("orders"), sheet.Stops[d.Kind], sheet.Vocabulary, language)
			switch {
			case len(lines) == 0:
				return a // a word is as short as can be
			case slices.ContainsFunc(lines, func(line string) bool { return strings.ContainsAny(line, "{[") }):
				long[d.Kind]++
				t.Logf("%s has no short form: %q", d.Kind, lines)
			default:
				short[d.Kind]++
			}
			file := "orders:\n  - " + strings.Join(lines, "\n  - ") + "\n"
			doc, faults := orders.Parse(file, sheet.Vocabulary)
			if len(faults) > 0 {
				t.Errorf("%s: the file is not well written: %s\n%s", d.Kind, playout.Explain(faults), file)
				return a
			}
			doc.Mends = true
			again, faults := rules.Read(view, d, doc)
			if len(faults) > 0 {
				t.Errorf("%s of %s is refused: %s\n%s%s", d.Kind, d.Side, playout.Explain(faults), file, normal)
			} else if now := again.Orders().Encode(); now != normal {
				t.Errorf("%s of %s is read otherwise:\n%s%s%s", d.Kind, d.Side, file, now, normal)
			}
			return a
		}
		if _, err := g.Play(); err != nil {
			t.Fatalf("game %d: %v", i, err)
		}
	}
	return short, long
}
