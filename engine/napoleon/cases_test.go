package napoleon

import (
	"strings"
	"testing"

	"berthier/engine/rulestest"
)

func TestCases(t *testing.T) { rulestest.RunCases(t, "napoleon", New()) }

func TestEveryClauseHasACase(t *testing.T) { rulestest.EveryClauseHasACase(t, "napoleon", New()) }

// Every value of every option is played by a case: one that sets it, or, of a
// value that an edition has unless the game says otherwise, any of that edition.
func TestEveryOptionHasACase(t *testing.T) {
	played := map[string]bool{}
	for _, c := range rulestest.LoadCases(t, "napoleon", New()) {
		for name, value := range c.Setup.Options {
			played[name+": "+value] = true
		}
	}
	for _, s := range shelf.Scenarios() {
		for _, o := range s.menu().About() {
			for i, value := range o.Values {
				if i > 0 && o.Name != editionOption && !strings.HasSuffix(o.Name, zoneSuffix) && !played[o.Name+": "+value] {
					t.Errorf("%s: no case plays %s: %s", s.name, o.Name, value)
				}
			}
		}
	}
}

// Every clause that the code cites is one of the digest, or what several begin
// with: NAP-6.2.
func TestCodeCitesClausesThatExist(t *testing.T) {
	rulestest.CodeCitesClauses(t, "napoleon", "NAP-", strings.HasPrefix)
}
