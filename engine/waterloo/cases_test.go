package waterloo

import (
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/rulestest"
)

func TestCases(t *testing.T) { rulestest.RunCases(t, "waterloo", New()) }

func TestEveryClauseHasACase(t *testing.T) { rulestest.EveryClauseHasACase(t, "waterloo", New()) }

// Every clause that the code cites is one of the digest.
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
	rulestest.PositionForm(t, New(), form, []string{"standing", "options", "owed"}, nil)
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
