package napoleon

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/cases"
)

// loadCases reads all conformance cases.
func loadCases(t *testing.T) []cases.Case {
	t.Helper()
	files, err := filepath.Glob("testdata/cases/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	var all []cases.Case
	for _, file := range files {
		some, problems := cases.Load(file)
		for _, p := range problems {
			t.Errorf("%s:%d:%d: %s", file, p.Line, p.Column, cases.Plain(p.Why))
		}
		all = append(all, some...)
	}
	return all
}

func TestCases(t *testing.T) {
	rulesets := map[string]engine.Ruleset{"napoleon": New()}
	names := map[string]string{}
	for _, c := range loadCases(t) {
		if before := names[c.Name]; before != "" {
			t.Errorf("%s: %q is also the name of the case at %s", c.Place(c.Line), c.Name, before)
		}
		names[c.Name] = c.Place(c.Line)
		t.Run(c.Name, func(t *testing.T) {
			if result := cases.Run(rulesets, c); !result.OK() {
				t.Error(result)
			}
		})
	}
}

// exempt finds the sentences by which the digest says itself which of its clauses
// have no case, and why: "Without a conformance case, REASON: NAP-13.1, NAP-13.2."
var exempt = regexp.MustCompile(`(?m)^Without a conformance case, [^:]+: (.+)\.$`)

func TestEveryClauseHasACase(t *testing.T) {
	digest, err := os.ReadFile("../../docs/rules/napoleon.md")
	if err != nil {
		t.Fatal(err)
	}
	var without []string
	for _, said := range exempt.FindAllSubmatch(digest, -1) {
		without = append(without, strings.Split(string(said[1]), ", ")...)
	}
	clauses, all := cases.Clauses(digest), loadCases(t)
	uncovered := cases.Uncovered(clauses, all)
	for _, id := range uncovered {
		if !slices.Contains(without, id) {
			t.Errorf("%s has no case", id)
		}
	}
	for _, id := range without {
		if !slices.Contains(uncovered, id) {
			t.Errorf("the digest says that %s has no case, but it has one, or is no clause", id)
		}
	}
	for _, wrong := range cases.Unknown(clauses, all) {
		t.Errorf("%s is in no rule", wrong)
	}
}

// Every value of every option is played by a case: one that sets it, or, of a
// value that an edition has unless the game says otherwise, any of that edition.
func TestEveryOptionHasACase(t *testing.T) {
	played := map[string]bool{}
	for _, c := range loadCases(t) {
		for name, value := range c.Setup.Options {
			played[name+": "+value] = true
		}
	}
	for _, s := range shelf.Scenarios() {
		for _, o := range s.menu().About() {
			for i, value := range o.Values {
				if i > 0 && o.Name != editionOption && !strings.HasSuffix(o.Name, zoneSuffix) && !played[o.Name+": "+value] {
					t.Errorf("%s: no case plays %s: %s", s.name, o.Name, value)
				}
			}
		}
	}
}

// cited finds the ids of clauses in code, or what several begin with: NAP-6.2.
// Whole chapters (NAP-5, NAP-10) are not meant.
var cited = regexp.MustCompile(`NAP-(\d+\.\d+[a-z]?|R\d+[a-z]?)\b`)

// Every clause that the code cites is one of the digest.
func TestCodeCitesClausesThatExist(t *testing.T) {
	digest, err := os.ReadFile("../../docs/rules/napoleon.md")
	if err != nil {
		t.Fatal(err)
	}
	clauses := cases.Clauses(digest)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			for _, id := range cited.FindAllString(line, -1) {
				if !slices.ContainsFunc(clauses, func(clause string) bool { return strings.HasPrefix(clause, id) }) {
					t.Errorf("%s:%d: there is no %s", file, i+1, id)
				}
			}
		}
	}
}
