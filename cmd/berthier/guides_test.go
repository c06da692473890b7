package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The office accepts the orders that the README and the players' guide show:
// a newcomer who sends them in the opening of the historical set-up is not refused.
func TestOrdersShownToPlayersAreTaken(t *testing.T) {
	for _, page := range []string{"README.md", "docs/playing.md"} {
		data, err := os.ReadFile(filepath.Join("..", "..", page))
		if err != nil {
			t.Fatal(err)
		}
		_, text, found := strings.Cut(string(data), "\n    orders:")
		var moves []string
		for i, line := range strings.Split(text, "\n") {
			if i > 0 && !strings.HasPrefix(line, "      - ") {
				break
			}
			if i > 0 {
				moves = append(moves, line)
			}
		}
		if !found || len(moves) == 0 {
			t.Fatalf("%s shows no orders", page)
		}
		path := filepath.Join(t.TempDir(), "case.yaml")
		keepFile(t, path, `case: the orders that are shown
clauses: [NAP-5.0]
ruleset: napoleon
given: {options: {setup: historical}}
when:
  - side: french
    orders:
`+strings.Join(moves, "\n")+`
then: [{accepted: {side: french}}]
`)
		var out bytes.Buffer
		if code := run(t.Context(), []string{"case", "run", path}, &out, &out); code != 0 {
			t.Errorf("%s: refused:\n%s", page, out.String())
		}
	}
}
