package napoleon

import (
	"testing"

	"berthier/engine/rulestest"
)

// Every clause that the code names in a refusal or a report is in the digest,
// and none stands there twice.
func TestClausesOfTheDigest(t *testing.T) {
	rulestest.NamedClauses(t, New().Clauses(), "NAP-", 200)
}
