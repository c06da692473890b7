package orders

import (
	"testing"

	"berthier/orders/phrase"
)

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

// A name that several share is refused, and they are listed; whatever else they are called is read.
func TestPickRefusesASharedName(t *testing.T) {
	choices := []Choice{{ID: "red-8", Names: []string{"Nassau"}, Shared: []string{"Saxe-Weimar"}}, {ID: "red-9", Shared: []string{"Saxe-Weimar"}}, {ID: "red-10"}}
	r := NewReader(nil)
	if id, ok := r.Pick(Text("nassau"), "unit", choices); !ok || id != "red-8" {
		t.Errorf("Nassau is read as %q", id)
	}
	if id, ok := r.Pick(Text("saxe weimar"), "unit", choices); ok || len(r.Problems) != 1 {
		t.Fatalf("a shared name is read as %q: %v", id, r.Problems)
	}
	p, all := r.Problems[0], phrase.Say("order.write-one", phrase.Literals("names", []string{"red-8", "red-9"}))
	if p.Why.Code != "order.several-called" || !p.Remedy.Equal(all) {
		t.Errorf("it is refused for %v: %v", p.Why, p.Remedy)
	}
}
