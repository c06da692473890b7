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

// declines are the stops at which a side is asked whether it does something that it mostly
// declines, so that the enemy may be asked meanwhile what follows. Everybody sees whether a
// winner may regroup. A side that may reinforce mostly does (docs/pace.md), so that the
// enemy would mostly be asked twice. Of hits and retreats the enemy would be shown which
// unit is hit, and which blocks leave, before that is decided.
var declines = map[string]bool{"regroup": true}

// foretells are what may be told before a side has declined: how the sequence of play goes
// on.
var foretells = []string{"nap.battle-turn-begins", "nap.turn-begins", "nap.turn-begins-night", "nap.supply-held"}
