package main

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"berthier/engine/playout"
)

// Lines of the text of a report: half of those of a game have no more than usualLines, and
// none has more than mostLines, or where three play mostOfThree.
const (
	usualLines  = 90
	mostLines   = 130
	mostOfThree = 160
	columns     = 72
)

// TestReportsAreShort counts the lines and columns of all reports of games that are played to
// their end, of each ruleset, for two players and for three, in both languages.
func TestReportsAreShort(t *testing.T) {
	words, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	games := []playthrough{{name: "three", system: "napoleon", setup: chosen("players", "3"), seed: 7, language: "it"},
		{name: "three", system: "waterloo", setup: chosen("players", "3"), seed: 7, language: "en"}}
	for id := range rulesets {
		for _, language := range []string{"en", "it"} {
			games = append(games, playthrough{name: "two", system: id, seed: 7, language: language})
		}
	}
	for _, p := range games {
		t.Run(p.name+"/"+p.system+"/"+p.language, func(t *testing.T) {
			t.Parallel()
			tab := p.table(words)
			var lines []int
			_, err := playout.Run(tab.rules, p.setup, p.seed, func(m playout.Moment) error {
				for _, w := range tab.letters(m) {
					for i, line := range strings.Split(w.letter.Text, "\n") {
						if utf8.RuneCountInString(line) > columns {
							t.Errorf("stop %d, a %s, line %d has more than %d columns: %s", m.Number, w.what, i+1, columns, line)
						}
					}
					if w.what != "report" {
						continue
					}
					n := strings.Count(w.letter.Text, "\n")
					lines = append(lines, n)
					most := mostLines
					if len(m.Position.Sides()) > 2 {
						most = mostOfThree
					}
					if n > most {
						t.Errorf("stop %d: the report to %s has %d lines, not %d at most:\n%s", m.Number, w.side, n, most, w.letter.Text)
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(lines)
			t.Logf("%d reports, median %d, most %d", len(lines), lines[len(lines)/2], lines[len(lines)-1])
			if median := lines[len(lines)/2]; median > usualLines {
				t.Errorf("the median of %d reports is %d lines, not %d", len(lines), median, usualLines)
			}
		})
	}
}
