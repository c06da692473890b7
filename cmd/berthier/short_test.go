package main

import (
	"io"
	"maps"
	"path/filepath"
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

// TestLettersOfDemosAreShort counts the lines and columns of all letters of whole demos, with what an
// office adds to a report: of each ruleset, for two players and for three, in both languages. The
// last letters tell the game, show the seed and have the lines for another.
func TestLettersOfDemosAreShort(t *testing.T) {
	if !fullSamples {
		return // each game takes seconds; TestReportsAreShort plays without an office
	}
	shorter := map[string][]string{"napoleon": {"players=3", "edition=3e"}, "enemy-mistakes": {"game=short"}, "hfg": {"sunset-pairs=4"}}
	var demos [][]string
	for id := range rulesets {
		args := []string{"--game", id, "--seed", "7"}
		for _, option := range shorter[id] {
			args = append(args, "--option", option)
		}
		demos = append(demos, args)
	}
	for _, args := range demos {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "demo")
			if code := run(t.Context(), append([]string{"demo", "--out", out}, args...), io.Discard, io.Discard); code != 0 {
				t.Fatalf("the demo ended with %d", code)
			}
			letters := lettersToSides(t, filepath.Join(out, "letters"))
			most := mostLines
			if len(letters) > 2 {
				most = mostOfThree
			}
			var lines []int
			for side, all := range letters {
				for _, l := range all {
					lines = append(lines, l.check(t, most)...)
				}
				if last := all[len(all)-1]; !strings.Contains(last.text, "•••••••• ") && !slices.Contains(args, "hfg") { // the bar of who lost most, whole; in hfg losses are secret to the end
					t.Errorf("the last letter to %s does not show what was lost as bars:\n%s", side, last.text)
				}
			}
			slices.Sort(lines)
			t.Logf("%d reports, median %d, most %d", len(lines), lines[len(lines)/2], lines[len(lines)-1])
			if median := lines[len(lines)/2]; median > usualLines {
				t.Errorf("the median of %d reports is %d lines, not %d", len(lines), median, usualLines)
			}
		})
	}
}

// A letterText is the text of a letter that a demo wrote to a side.
type letterText struct{ name, text string }

// check counts the columns of a letter, and the lines, which it gives if the letter is a report.
func (l letterText) check(t *testing.T, most int) []int {
	t.Helper()
	for i, line := range strings.Split(l.text, "\n") {
		if utf8.RuneCountInString(line) > columns {
			t.Errorf("%s, line %d has more than %d columns: %s", l.name, i+1, columns, line)
		}
	}
	n := strings.Count(l.text, "\n")
	if n > most {
		t.Errorf("%s has %d lines, not %d at most:\n%s", l.name, n, most, l.text)
	}
	if !strings.Contains(l.text, "position.txt") { // every report has the position attached, and no other letter
		return nil
	}
	return []int{n}
}

// lettersToSides are the letters of a folder to each side, in their order.
func lettersToSides(t *testing.T, folder string) map[string][]letterText {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*-to-*.eml"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no letters: %v", err)
	}
	slices.Sort(names)
	all := map[string][]letterText{}
	for _, name := range names {
		_, side, _ := strings.Cut(strings.TrimSuffix(filepath.Base(name), ".eml"), "-to-")
		if side == "office" || side == "gm" {
			continue
		}
		texts := textsOf(t, name) // the subject first, then the text
		all[side] = append(all[side], letterText{filepath.Base(name), strings.ReplaceAll(texts[1], "\r\n", "\n")})
	}
	return all
}

// TestReportsAreShort counts the lines and columns of all reports of games that are played to
// their end, of each ruleset, for two players and for three, in both languages.
func TestReportsAreShort(t *testing.T) {
	withoutRace(t)
	words, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	games := []playthrough{{name: "three", system: "napoleon", setup: chosen("players", "3"), seed: 7, language: "it"},
		{name: "three", system: "waterloo", setup: chosen("players", "3"), seed: 7, language: "en"}}
	for i, id := range slices.Sorted(maps.Keys(rulesets)) {
		languages := []string{"en", "it"}
		if !fullSamples || id == "enemy-mistakes" || id == "hfg" { // these take ten seconds each
			languages = languages[i%2:][:1]
		}
		for _, language := range languages {
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
