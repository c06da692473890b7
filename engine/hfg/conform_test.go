package hfg

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"berthier/docs/rules"
	"berthier/engine"
	"berthier/orders"
)

// clausesOf reads the digest.
func clausesOf(t *testing.T) []engine.Clause {
	t.Helper()
	return engine.ReadClauses(rules.HorseFootGuns, "HFG-")
}

// Every clause that the code cites is in the digest, and none stands there twice.
func TestCodeCitesClausesThatExist(t *testing.T) {
	have := map[string]bool{}
	if n := len(clausesOf(t)); n < 370 {
		t.Errorf("only %d clauses and rulings were found", n)
	}
	for _, c := range clausesOf(t) {
		if have[c.ID] {
			t.Errorf("%s stands twice in the digest", c.ID)
		}
		have[c.ID] = true
	}
	cited := regexp.MustCompile(`HFG-(?:R\d+|\d+\.\d+)`)
	for _, pattern := range []string{"*.go", "scenarios/*.yaml", "words/*.yaml"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no %s: %v", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range cited.FindAllString(string(text), -1) {
				if !have[id] {
					t.Errorf("%s cites %s, which is in no rule", name, id)
				}
			}
		}
	}
}

// Every phrase that the code says has a sentence in each language, and no sentence is
// without a use.
func TestEveryPhraseHasASentence(t *testing.T) {
	said := map[string]bool{}
	code := regexp.MustCompile(`"(hfg\.[a-z0-9.-]+)"`)
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	campaigns, err := filepath.Glob("campaign/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, campaigns...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range code.FindAllStringSubmatch(string(text), -1) {
			said[m[1]] = true
		}
	}
	for _, language := range []string{"en", "it"} {
		have := map[string]bool{}
		all, err := filepath.Glob("words/*." + language + ".yaml")
		if err != nil || len(all) == 0 {
			t.Fatalf("no words: %v", err)
		}
		for _, name := range all {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			root, faults := orders.ParseNode(text)
			if len(faults) > 0 {
				t.Fatalf("%s: %v", name, faults)
			}
			for _, p := range root.Pairs {
				have[p.Key.Text] = true
				if !said[p.Key.Text] && !strings.HasPrefix(p.Key.Text, "hfg.name.") && !strings.HasPrefix(p.Key.Text, "order.unknown-") && !strings.HasPrefix(p.Key.Text, "reference.if.") {
					t.Errorf("%s: nothing says %s", name, p.Key.Text)
				}
			}
		}
		for c := range said {
			if !have[c] {
				t.Errorf("%s has no sentence in %s", c, language)
			}
		}
	}
}
