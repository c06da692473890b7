package hfg

import (
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
)

// A position of the preparation in which one side alone is asked for its list asks both: else the game would
// wait for a list that nobody is asked for.
func TestBothAreAskedInThePreparation(t *testing.T) {
	p, err := New().New(engine.Setup{Scenario: "two-armies"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Advance(nil, playout.NewDice(1)); err != nil {
		t.Fatal(err)
	}
	text, err := p.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	both := "  - {side: red, kind: list}\n  - {side: blue, kind: list}\n"
	if !strings.Contains(string(text), both) {
		t.Fatalf("not both are asked for a list:\n%s", text)
	}
	for _, owed := range []string{"  - {side: red, kind: list}\n", "  - {side: red, kind: list}\n  - {side: red, kind: list}\n"} {
		read, err := New().Load([]byte(strings.Replace(string(text), both, owed, 1)))
		if err != nil || len(read.Owed()) != 2 {
			t.Errorf("%q is read as %v, %v", owed, read, err)
		}
	}
}
