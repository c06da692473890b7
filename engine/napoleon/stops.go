package napoleon

import (
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// A stop is one kind of decision of section 5 of the rules digest.
type stop = play.Stop[*View, *campaign]

// stops by the kind of the decision. Each file of stops adds its own.
var stops = map[string]stop{}

// fault is why something may not be done, with its clause.
type fault = play.Fault

// refusal makes a fault.
func refusal(clause, code string, args ...argument) *fault {
	return &fault{Clause: clause, Why: phrase.Say(code, args...)}
}
