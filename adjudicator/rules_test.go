package adjudicator

import (
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/mail"
)

// documented carries a digest.
type documented struct{ enginetest.Lots }

func (documented) Clauses() []engine.Clause {
	all := []engine.Clause{{ID: "DOC-1.1", Chapter: "1. Bids", Text: "A bid is secret."}, {ID: "DOC-1.1b", Chapter: "1. Bids", Text: "None is a bid."}}
	for range 100 {
		all = append(all, engine.Clause{ID: "DOC-2." + strings.Repeat("0", len(all)), Chapter: "2. Dice", Text: "A die."})
	}
	return all
}

func TestRulesOfADigest(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.rules = documented{enginetest.New()} })
	h.newGame(twoSides)
	for _, c := range []struct {
		file string
		says []string
	}{
		{"command: rules\nclause: doc-1.1b", []string{"DOC-1.1b", "None is a bid."}},
		{"command: rules\nclause: [1.1, DOC-7]", []string{"A bid is secret.", "There is no clause DOC-7"}},
		{"command: rules", []string{"1. Bids", "DOC-1.1, DOC-1.1b", "clause: DOC-1.1"}},
		{"command: rules\nclause: DOC", []string{"2. Dice"}},
	} {
		h.deliver(redAt)
		h.write(redAt, command(h, "lot-1", "red", c.file), mail.Processed)
		letters := h.deliver(redAt)
		if len(letters) != 1 {
			t.Fatalf("%s: %d letters", c.file, len(letters))
		}
		for _, want := range c.says {
			if !strings.Contains(wordsOf(letters[0]), want) {
				t.Errorf("%s: %q is not in\n%s", c.file, want, wordsOf(letters[0]))
			}
		}
	}
}
