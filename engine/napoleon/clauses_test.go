package napoleon

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Every clause that the code names in a refusal or a report is in the digest,
// and none stands there twice.
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
	if len(have) < 200 {
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
				if text, err := strconv.Unquote(lit.Value); err == nil && strings.HasPrefix(text, "NAP-") && text != "NAP-" && !have[text] {
					t.Errorf("%s names %s, which is not in the digest", f.Name(), text)
				}
			}
			return true
		})
	}
}
