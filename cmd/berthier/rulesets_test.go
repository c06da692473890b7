package main

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// promised are the tests that every ruleset of the program meets: they hold what the office
// and the docs promise of any game.
var promised = []string{
	"RunCases", "EveryClauseHasACase", "Playouts", "Properties", "Damaged", "Spoilt", "Spelling", "Offers", "Reads",
	"PolicyPauses", "AskedEverything", "PolicyPositions", "PoliciesThatSayNothing", "StandingAnswers",
	"Ahead", "AheadTellsNothing", "Conditions", "Files", "Follow", "StopByStop", "Meanwhile",
	"Uncomment", "Lines", "Dice", "Reports", "Pictures", "Course", "Shapes", "Answers", "Evidence", "Sources",
}

// byLetter are tests of the office that play by letters, with a game of every ruleset: they take
// the rulesets from the list from which the program has them.
var byLetter = []string{"first_letter_test.go", "last_letter_test.go", "whatif_games_test.go", "meanwhile_test.go",
	"meanwhile_leak_test.go", "joined_games_test.go", "ahead_games_test.go", "taken_games_test.go", "mended_games_test.go", "held_games_test.go", "others_test.go", "testoffice_test.go"}

// TestEachRulesetMeetsTheTests holds that no ruleset is registered without the tests that every
// ruleset is to meet: those of its own package, by package rulestest, and those by letter.
func TestEachRulesetMeetsTheTests(t *testing.T) {
	office := filepath.Join("..", "..", "adjudicator")
	for id, rules := range rulesets {
		path := reflect.TypeOf(rules).PkgPath()
		own, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(strings.TrimPrefix(path, "berthier/")), "*_test.go"))
		if err != nil || len(own) == 0 {
			t.Fatalf("%s has no tests in %s: %v", id, path, err)
		}
		var all strings.Builder
		for _, file := range own {
			all.WriteString(readTest(t, file))
		}
		for _, name := range promised {
			if !strings.Contains(all.String(), "rulestest."+name+"(") {
				t.Errorf("no test of %s calls rulestest.%s", id, name)
			}
		}
		for _, file := range byLetter {
			text := readTest(t, filepath.Join(office, file))
			if !strings.Contains(text, "range matches") && !strings.Contains(text, "settings(map") && !strings.Contains(text, "systems.All()") {
				t.Errorf("adjudicator/%s does not range over the rulesets of the program", file)
			}
		}
		for _, row := range pacedRows[id] {
			if !strings.HasPrefix(row.game, "--game "+id) {
				t.Errorf("%s stands among the rows of %s", row.game, id)
			}
		}
		if len(pacedRows[id]) == 0 {
			t.Errorf("the letters of %s are not counted", id)
		}
	}
}

func readTest(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPrograms: two programs with the same version are told apart where that does not say which they are, and one that its
// packager has named is the same on every machine.
func TestPrograms(t *testing.T) {
	one, other := func() (string, error) { return "01", nil }, func() (string, error) { return "02", nil }
	for version, differ := range map[string]bool{unnamed: true, "berthier v1.2.3+dirty": true, "berthier v1.2.3": false, "berthier v0.0.0-20261101101010-0123456789ab": false} {
		a, err := programOf(version, one)
		b, failed := programOf(version, other)
		if (a != b) != differ || err != nil || failed != nil {
			t.Errorf("%q and %q, %v, %v", a, b, err, failed)
		}
	}
	if sum, err := executable(); len(sum) != 16 || err != nil {
		t.Errorf("of this program: %q, %v", sum, err)
	}
	if _, err := programOf(unnamed, func() (string, error) { return "", os.ErrPermission }); !errors.Is(err, os.ErrPermission) {
		t.Errorf("of a program that can't be read: %v", err)
	}
}
