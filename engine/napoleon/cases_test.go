package napoleon

import (
	"strings"
	"testing"

	"berthier/engine/rulestest"
	"berthier/orders"
)

func TestCases(t *testing.T) { rulestest.RunCases(t, "napoleon", New()) }

func TestEveryClauseHasACase(t *testing.T) { rulestest.EveryClauseHasACase(t, "napoleon", New()) }

// Every value of every option is played by a case: by one that sets it or, if the value
// is the default of an edition, by any case of that edition.
func TestEveryOptionHasACase(t *testing.T) {
	played := map[string]bool{}
	for _, c := range rulestest.LoadCases(t, "napoleon", New()) {
		for name, value := range c.Setup.Options {
			played[name+": "+value] = true
		}
	}
	for _, s := range library.Scenarios() {
		for _, o := range s.menu().About() {
			for i, value := range o.Values {
				if i > 0 && o.Name != editionOption && !strings.HasSuffix(o.Name, zoneSuffix) && !played[o.Name+": "+value] {
					t.Errorf("%s: no case plays %s: %s", s.name, o.Name, value)
				}
			}
		}
	}
}

// Every clause that the code cites is in the digest, or is the beginning of several
// clauses, such as NAP-6.2.
func TestCodeCitesClausesThatExist(t *testing.T) {
	rulestest.CodeCitesClauses(t, "napoleon", "NAP-", strings.HasPrefix)
}

// The form of a position names all its keys. Standing orders and bids are read as
// in an order file.
func TestPositionForm(t *testing.T) {
	form := New().PositionForm()
	moving := orders.Inline().Set("players", orders.Text("3")).Set("allied_order", orders.Text("sequential"))
	rulestest.PositionForm(t, New(), form, []string{"standing", "policies", "answered", "options", "bidding.bids", "outcome.reason"}, nil, moving)
	rulestest.PartsOfForm(t, New(), form, "ruleset: napoleon\nscenario: drill\nturn: 2\nphase: movement\n",
		"standing", "owed", "seen", "pool", "roads", "losses", "defeated", "outcome")
}

// Whatever a case gives is read and played, or is refused with its line.
func FuzzGiven(f *testing.F) {
	rulestest.Given(f, "napoleon", New(),
		"scenario: drill\nunits: {F-02: inf 3F2, F-30: heavy cav 4F3, P-99: horse art 1F1, A-02: leader 1F2}\nroads: {laneffe/ligny: main river, liege/namur: none}",
		"scenario: drill-3e\nunits:\n  F-02: {type: cavalry, class: light, strength: 9}\n  X-1: inf 3F2\noptions: {players: 3, edition: 3e}\nposition: {units: {F-02: {at: ~, field: reserve}}}",
		"units: {F-02: [inf], F-03: 3F2}\nroads: [laneffe]\nposition:\n  turn: 2\n  battles:\n    - {town: nowhere}")
}
