package orders

import "testing"

// A name that is a keyword, too, is found by how that keyword is spelt in files of another language; the
// name itself is found first.
func TestNamesThatAreKeywords(t *testing.T) {
	r := NewReader(NewWords(Cases, map[string][]string{"best": {"migliore"}, "worst": {"pack"}}))
	choices := []Choice{{ID: "best"}, {ID: "pack"}, {ID: "worst"}}
	for text, want := range map[string]string{"best": "best", "migliore": "best", "Migliore": "best", "pack": "pack", "worst": "worst"} {
		if got, ok := r.Pick(Text(text), "element", choices); !ok || got != want {
			t.Errorf("%s is read as %q", text, got)
		}
	}
	if got, ok := r.Pick(Text("peggiore"), "element", choices); ok || len(r.Problems) != 1 {
		t.Errorf("peggiore is read as %q, with %v", got, r.Problems)
	}
}
