package waterloo

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
	rulesets := map[string]engine.Ruleset{"waterloo": New()}
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

// digest is the text of the rules as the cases cite it.
func digest(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../../docs/rules/waterloo.md")
	if err != nil {
		t.Fatal(err)
	}
	return cases.Clauses(text)
}

func TestEveryClauseHasACase(t *testing.T) {
	clauses, all := digest(t), loadCases(t)
	for _, id := range cases.Uncovered(clauses, all) {
		t.Errorf("%s has no case", id)
	}
	for _, wrong := range cases.Unknown(clauses, all) {
		t.Errorf("%s is in no rule", wrong)
	}
}

// cited finds the ids of clauses in code.
var cited = regexp.MustCompile(`WAT-(\d+\.\d+[a-z]?|R\d+)\b`)

// Every clause that the code cites is one of the digest.
func TestCodeCitesClausesThatExist(t *testing.T) {
	clauses := digest(t)
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
				if !slices.Contains(clauses, id) {
					t.Errorf("%s:%d: there is no %s", file, i+1, id)
				}
			}
		}
	}
}

// Every clause that the code names in a refusal or a report is in the digest as a
// reader finds it, and none stands there twice.
func TestClausesOfTheDigest(t *testing.T) {
	have := map[string]bool{}
	for _, c := range New().Clauses() {
		if have[c.ID] {
			t.Errorf("%s stands twice in the digest", c.ID)
		}
		have[c.ID] = true
		if c.Text == "" {
			t.Errorf("%s has no text", c.ID)
		}
	}
	if len(have) < 150 {
		t.Errorf("only %d clauses were found", len(have))
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(gotoken.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == gotoken.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil && strings.HasPrefix(text, "WAT-") && text != "WAT-" && !have[text] {
					t.Errorf("%s names %s, which is not in the digest", f.Name(), text)
				}
			}
			return true
		})
	}
}
