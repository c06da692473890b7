// Package rulestest holds the tests that all rulesets have in common: of their
// conformance cases and the clauses of their digests, of the pages they write, and of
// whole games that are played. A ruleset's own tests call these with its set-ups and its
// data. All paths are those of a test that runs in the folder of a ruleset.
package rulestest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"berthier/engine"
	"berthier/engine/cases"
	"berthier/orders"
)

// A keep works something out once for each ruleset, by its name, for all tests of a process.
type keep[T any] struct {
	lock sync.Mutex
	all  map[string]T
}

func (k *keep[T]) of(name string, work func() T) T {
	k.lock.Lock()
	defer k.lock.Unlock()
	one, known := k.all[name]
	if !known {
		if k.all == nil {
			k.all = map[string]T{}
		}
		one = work()
		k.all[name] = one
	}
	return one
}

// caseFiles are the conformance cases of a ruleset, and what is wrong with their files.
type caseFiles struct {
	cases  []cases.Case
	faults []string
}

var casesRead keep[caseFiles]

// LoadCases reads all conformance cases of the ruleset, testdata/cases/*.yaml. They are shared, and
// nobody changes them.
func LoadCases(t *testing.T, name string, rules engine.Ruleset) []cases.Case {
	t.Helper()
	read := casesRead.of(name, func() (all caseFiles) {
		files, err := filepath.Glob("testdata/cases/*.yaml")
		if err != nil || len(files) == 0 {
			all.faults = append(all.faults, fmt.Sprintf("no case files: %v", err))
		}
		for _, file := range files {
			some, problems := cases.Load(map[string]engine.Ruleset{name: rules}, file)
			for _, p := range problems {
				all.faults = append(all.faults, fmt.Sprintf("%s:%d:%d: %s", file, p.Line, p.Column, cases.Plain(p.Why)))
			}
			all.cases = append(all.cases, some...)
		}
		return all
	})
	for _, fault := range read.faults {
		t.Error(fault)
	}
	return slices.Clone(read.cases)
}

// A hearing is the conformance cases of a ruleset, played: what they came to, and the files that its
// judge was given.
type hearing struct {
	results []cases.Result
	files   []heardFile
}

// A heardFile is one of these with the view and the decision to which it was given.
type heardFile struct {
	view engine.View
	to   engine.Decision
	file orders.Document
}

var casesHeard keep[hearing]

// HearCases plays the conformance cases of a ruleset, once for all tests, and hands every file that its
// judge was given to hear, too. It gives back the results of the cases.
func HearCases(t *testing.T, name string, rules engine.Ruleset, hear func(engine.View, engine.Decision, *orders.Document)) []cases.Result {
	t.Helper()
	all := LoadCases(t, name, rules)
	heard := casesHeard.of(name, func() (h hearing) {
		l := listener{rules, func(v engine.View, d engine.Decision, file *orders.Document) {
			h.files = append(h.files, heardFile{v, d, *file})
		}}
		for _, c := range all {
			h.results = append(h.results, cases.Run(map[string]engine.Ruleset{name: l}, c))
		}
		return h
	})
	for _, one := range heard.files {
		file := one.file
		hear(one.view, one.to, &file)
	}
	return heard.results
}

// A listener is a ruleset that tells which files its judge is given.
type listener struct {
	engine.Ruleset
	hear func(engine.View, engine.Decision, *orders.Document)
}

// Read implements [engine.Ruleset].
func (l listener) Read(v engine.View, d engine.Decision, file *orders.Document) (engine.Answer, orders.Problems) {
	l.hear(v, d, file)
	return l.Ruleset.Read(v, d, file)
}

// RunCases runs all conformance cases, each as a subtest, and checks that no two have
// the same name.
func RunCases(t *testing.T, name string, rules engine.Ruleset) {
	rulesets := map[string]engine.Ruleset{name: rules}
	names := map[string]string{}
	for _, c := range LoadCases(t, name, rules) {
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

// digest reads the digest of the rules, docs/rules/<name>.md.
func digest(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("../../docs/rules/" + name + ".md")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// exempt finds the sentences in which a digest itself says which of its clauses
// have no case, and why: "Without a conformance case, REASON: NAP-13.1, NAP-13.2."
var exempt = regexp.MustCompile(`(?m)^Without a conformance case, [^:]+: (.+)\.$`)

// EveryClauseHasACase checks that each clause of the digest has a case, except those of
// which the digest says that they have none, and that no case cites a clause that does
// not exist.
func EveryClauseHasACase(t *testing.T, name string, rules engine.Ruleset) {
	text := digest(t, name)
	var without []string
	for _, said := range exempt.FindAllSubmatch(text, -1) {
		without = append(without, strings.Split(string(said[1]), ", ")...)
	}
	clauses, all := cases.Clauses(text), LoadCases(t, name, rules)
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

// CodeCitesClauses checks that every clause that the code of the ruleset cites is in the
// digest. Clauses begin with a prefix ("NAP-"); references to whole chapters (NAP-5,
// NAP-10) are ignored. Meets says whether a clause is the one that was cited.
func CodeCitesClauses(t *testing.T, name, prefix string, meets func(clause, cited string) bool) {
	cited := regexp.MustCompile(regexp.QuoteMeta(prefix) + `(\d+\.\d+[a-z]?|R\d+[a-z]?)\b`)
	clauses := cases.Clauses(digest(t, name))
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no code: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			for _, id := range cited.FindAllString(line, -1) {
				if !slices.ContainsFunc(clauses, func(clause string) bool { return meets(clause, id) }) {
					t.Errorf("%s:%d: there is no %s", file, i+1, id)
				}
			}
		}
	}
}

// NamedClauses checks that every clause that the code of the ruleset names in a
// refusal or a report is among the clauses of the digest as a reader finds it,
// that no clause stands there twice or without text, and that there are at least so
// many.
func NamedClauses(t *testing.T, clauses []engine.Clause, prefix string, least int) {
	have := map[string]bool{}
	for _, c := range clauses {
		if have[c.ID] {
			t.Errorf("%s stands twice in the digest", c.ID)
		}
		have[c.ID] = true
		if c.Text == "" {
			t.Errorf("%s has no text", c.ID)
		}
	}
	if len(have) < least {
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
		tree, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil && strings.HasPrefix(text, prefix) && text != prefix && !have[text] {
					t.Errorf("%s names %s, which is not in the digest", f.Name(), text)
				}
			}
			return true
		})
	}
}
