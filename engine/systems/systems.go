// Package systems lists the rulesets of the program. The program takes them from here, and
// so do the tests that hold what is promised of every game: whoever adds a ruleset here has
// it played by letter in all of them.
package systems

import (
	"berthier/engine"
	"berthier/engine/hfg"
	"berthier/engine/mistakes"
	"berthier/engine/napoleon"
	"berthier/engine/waterloo"
)

// All are the rulesets, in the order of their ids. To add one takes one line here.
func All() []engine.Ruleset {
	return []engine.Ruleset{
		mistakes.New(),
		hfg.New(),
		napoleon.New(),
		waterloo.New(),
	}
}
