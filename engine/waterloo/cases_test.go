package waterloo

import (
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/rulestest"
)

func TestCases(t *testing.T) { rulestest.RunCases(t, "waterloo", New()) }

func TestEveryClauseHasACase(t *testing.T) { rulestest.EveryClauseHasACase(t, "waterloo", New()) }

// Every clause that the code cites is in the digest.
func TestCodeCitesClausesThatExist(t *testing.T) {
	rulestest.CodeCitesClauses(t, "waterloo", "WAT-", func(clause, cited string) bool { return clause == cited })
}

// Every clause that the code names in a refusal or a report is in the digest as a
// reader finds it, and none stands there twice.
func TestClausesOfTheDigest(t *testing.T) {
	rulestest.NamedClauses(t, New().Clauses(), "WAT-", 150)
}

// The form of a position names all its keys. Standing orders are read as in an
// order file.
func TestPositionForm(t *testing.T) {
	form := New().PositionForm()
	rulestest.PositionForm(t, New(), form, []string{"standing", "policies", "answered", "options", "owed"}, nil)
	p, err := New().New(engine.Setup{Scenario: "drill"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	rulestest.PartsOfForm(t, New(), form, string(text), "standing", "owed", "control", "cdp", "commanders")
	over, _, _ := strings.Cut(string(text), "flow:")
	rulestest.PartsOfForm(t, New(), form, over, "outcome")
}

// Whatever a case gives is read and played, or is refused with its line.
func FuzzGiven(f *testing.F) {
	rulestest.Given(f, "waterloo", New(),
		"scenario: drill\nunits: {F-1/I: inf 5/1, A-99: heavy cav 9 elite, P-15/IV: inf 1/2}\nroads: {lane: [C-4, D-4], nivelles: none}\nwindows: hold",
		"scenario: drill\noptions: {players: 3}\nwindows: {entered: ask, revealed: hold}\nposition: {flow: [{turn: {stage: rounds}}], units: {F-1/I: {at: C-4}}}",
		"windows: [hold]\v\runits: {F-1/I: {full: 12}, X: cav}\nroads: {lane: [C-4, F-9], x: none}\nposition:\n  units:\n    A-1/I: {at: Z-9}")
}
