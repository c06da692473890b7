package napoleon

import (
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// A stop is one kind of decision of section 5 of the rules digest.
type stop = play.Stop[*View, *campaign]

// stops by the kind of the decision: all that a game may ask, in the order of the
// turn.
var stops = map[string]stop{
	"bid":              bidForm,
	"handicap":         handicapForm,
	"deploy":           deployForm,
	"move":             moveForm,
	"battle-order":     orderForm,
	"skirmish":         skirmishForm,
	"skirmish-retreat": leaveForm,
	"terrain-attacker": terrainForm,
	"terrain-defender": terrainForm,
	"deploy-defender":  battleForm,
	"deploy-attacker":  battleForm,
	"morale-order":     moraleForm,
	"battle-turn":      turnForm,
	"hits":             hitsForm,
	"reinforce":        reinforceForm,
	"rout":             leaveForm,
	"stalemate":        leaveForm,
	"regroup":          regroupForm,
	"supply":           supplyForm,
}

// fault is why something may not be done, with its clause.
type fault = play.Fault

// refusal makes a fault.
func refusal(clause, code string, args ...argument) *fault {
	return &fault{Clause: clause, Why: phrase.Say(code, args...)}
}
