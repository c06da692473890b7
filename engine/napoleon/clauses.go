package napoleon

import (
	"sync"

	"berthier/docs/rules"
	"berthier/engine"
)

var digestClauses = sync.OnceValue(func() []engine.Clause { return engine.ReadClauses(rules.Napoleon, "NAP-") })

// Clauses implements [engine.Documented].
func (Ruleset) Clauses() []engine.Clause { return digestClauses() }

var _ engine.Documented = Ruleset{}
