package napoleon

import (
	"berthier/engine"
	"berthier/engine/play"
)

// follow lists the stops that may follow a kind of stop at once. The defender places both
// his pieces and deploys with nobody acting between (NAP-6.21, 6.22). The losses of supply
// end the French turn and decide nothing about the movement that follows but who is there
// (NAP-9.0). Whoever leaves a battle leaves it before his own movement or supply, unless the
// winner may regroup or another battle is open, and then others are asked between (NAP-7.4,
// 7.5). In front of each other both camps skirmish at once, so that nobody acts between the
// order of the battles and that (NAP-6.1, 6.6).
//
// An attacker who has deployed is shown the enemy's units, and whoever has placed terrain is
// rolled the next piece (NAP-6.21, 6.24): neither is joined to what follows.
var follow = map[string][]string{
	"terrain-defender": {"deploy-defender"},
	"deploy":           {"move"},
	"supply":           {"move"},
	"rout":             {"rout", "move", "supply"},
	"stalemate":        {"move", "supply"},
	"skirmish-retreat": {"move", "supply"},
	"regroup":          {"move", "supply"},
	"battle-order":     {"skirmish"},
}

// joins gives what may follow a stop at once.
func joins(d engine.Decision) []engine.Decision { return play.Then(follow[d.Kind]...) }
