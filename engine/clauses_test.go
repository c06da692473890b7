package engine

import (
	"slices"
	"testing"
)

const digest = `# Rules
## 2. Glossary
| Rulebook | Term | | Rulebook | Term |
|---|---|---|---|---|
| Rotta; disfatta | rout, routed | | Blocco | block |
| Arco | arc |
## 4. Moves
- **X-1.1** First; see ` + "`option`" + `. *[RB 1]*
  It goes on here.
- **X-1.1b** Second, **bold**.
Nothing of a clause.
## 8. Rulings
| ID | Question | Ruling | Option |
|---|---|---|---|
| X-R01 | who? | nobody | - |
`

func TestReadClauses(t *testing.T) {
	all := ReadClauses(digest, "X-")
	want := []Clause{
		{"X-1.1", "4. Moves", "First; see option. [RB 1] It goes on here."},
		{"X-1.1b", "4. Moves", "Second, bold."},
		{"X-R01", "8. Rulings", "Question: who?. Ruling: nobody"},
	}
	if len(all) != len(want) {
		t.Fatalf("%d clauses: %v", len(all), all)
	}
	for i := range want {
		if all[i] != want[i] {
			t.Errorf("clause %d is %q, not %q", i, all[i], want[i])
		}
	}
	for _, c := range []struct {
		id   string
		want int
	}{{"X-1.1", 1}, {"1.1B", 1}, {"x-1", 2}, {"[X-R01]", 1}, {"X-9", 0}, {"", 0}} {
		if got := FindClauses(all, c.id); len(got) != c.want {
			t.Errorf("%q finds %v", c.id, got)
		}
	}
}

func FuzzReadClauses(f *testing.F) {
	f.Add(digest)
	f.Add("- **X-")
	f.Add("| X-1")
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range ReadClauses(text, "X-") {
			if c.ID == "" {
				t.Error("a clause without an ID")
			}
		}
	})
}

func TestReadGlossary(t *testing.T) {
	all := ReadGlossary(digest)
	if want := []Term{{"Rotta; disfatta", "rout, routed"}, {"Blocco", "block"}, {"Arco", "arc"}}; !slices.Equal(all, want) {
		t.Fatalf("the terms are %v, not %v", all, want)
	}
	for text, want := range map[string][]bool{
		"Blocks are routed.":         {true, true, false},
		"Search the blockade route.": {false, false, false},
		"ARC, (block)":               {false, true, true},
	} {
		for i, term := range all {
			if term.In(text) != want[i] {
				t.Errorf("%q has %q: %v", text, term.Said, !want[i])
			}
		}
	}
}
