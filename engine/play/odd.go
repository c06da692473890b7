package play

import (
	"slices"
	"strings"

	"berthier/engine"
	"berthier/orders/phrase"
)

// Odd is a caution that the sentence of a code tells. Its kind is what stands behind ".odd-" in the code; it holds
// the answer if the code is one of holds.
func Odd(holds []string, code, clause string, args ...phrase.Arg) engine.Caution {
	_, kind, _ := strings.Cut(code, ".odd-")
	return engine.Caution{Kind: kind, Clause: clause, Say: phrase.Say(code, args...), Holds: slices.Contains(holds, code)}
}
