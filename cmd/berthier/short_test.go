package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"berthier/engine/playout"

	"github.com/emersion/go-message"
)

// Lines of the text of a report: half of those of a game have no more than usualLines, and
// none has more than mostLines, or where three play mostOfThree.
const (
	usualLines  = 90
	mostLines   = 130
	mostOfThree = 160
	columns     = 72
)

// TestLastLettersAreShort counts the lines and columns of the last letters of whole demos, which
// tell the game, show the seed and have the lines for another: of each ruleset, for two players
// and for three, in both languages.
func TestLastLettersAreShort(t *testing.T) {
	if !fullSamples {
		return // each game takes seconds; the gallery has one last report of each ruleset
	}
	demos := [][]string{{"--game", "napoleon", "--seed", "3", "--option", "players=3", "--option", "edition=3e"}, {"--game", "waterloo", "--seed", "3", "--option", "players=3"}}
	for id := range rulesets {
		for _, seed := range []string{"1", "7"} {
			demos = append(demos, []string{"--game", id, "--seed", seed})
		}
	}
	for _, args := range demos {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "demo")
			if code := run(t.Context(), append([]string{"demo", "--out", out}, args...), io.Discard, io.Discard); code != 0 {
				t.Fatalf("the demo ended with %d", code)
			}
			last := lastLetters(t, filepath.Join(out, "letters"))
			most := mostLines
			if len(last) > 2 {
				most = mostOfThree
			}
			for side, text := range last {
				for i, line := range strings.Split(text, "\n") {
					if utf8.RuneCountInString(line) > columns {
						t.Errorf("to %s, line %d has more than %d columns: %s", side, i+1, columns, line)
					}
				}
				if n := strings.Count(text, "\n"); n > most {
					t.Errorf("the last letter to %s has %d lines, not %d at most:\n%s", side, n, most, text)
				}
				if !strings.Contains(text, "•••••••• ") { // the bar of who lost most, whole
					t.Errorf("the last letter to %s does not show what was lost as bars:\n%s", side, text)
				}
			}
		})
	}
}

// lastLetters are the texts of the last letters of a folder to each side.
func lastLetters(t *testing.T, folder string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*-to-*.eml"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no letters: %v", err)
	}
	slices.Sort(names)
	last := map[string]string{}
	for _, name := range names {
		_, side, _ := strings.Cut(strings.TrimSuffix(filepath.Base(name), ".eml"), "-to-")
		if side == "office" || side == "gm" {
			continue
		}
		last[side] = name
	}
	for side, name := range last {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		entity, err := message.Read(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		err = entity.Walk(func(_ []int, part *message.Entity, err error) error {
			if kind, _, _ := part.Header.ContentType(); err != nil || kind != "text/plain" || !strings.HasSuffix(last[side], ".eml") {
				return err
			}
			text, err := io.ReadAll(part.Body)
			last[side] = strings.ReplaceAll(string(text), "\r\n", "\n")
			return err
		})
		if err != nil || strings.HasSuffix(last[side], ".eml") {
			t.Fatalf("%s has no text: %v", name, err)
		}
	}
	return last
}

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
