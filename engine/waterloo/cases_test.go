package waterloo

import (
	"testing"

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
