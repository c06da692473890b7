package waterloo

import "berthier/engine/play"

// A stop is one kind of decision of section 5 of the rules digest.
type stop = play.Stop[*View, *battlefield]

// The stops of section 5 by the kind of their decision.
const (
	stopBid            = "bid"             // WAT-S1
	stopArmy           = "army"            // WAT-S2
	stopRound          = "round"           // WAT-S3
	stopContinue       = "continue"        // WAT-S4
	stopCavalryRetreat = "cavalry-retreat" // WAT-S5
	stopArtillery      = "artillery"       // WAT-S6
	stopCommit         = "commit"          // WAT-S7
	stopLoss           = "loss"            // WAT-S8
	stopAttackerLoss   = "attacker-loss"   // WAT-S9
	stopAdvance        = "advance"         // WAT-S10
	stopCommander      = "commander"       // WAT-S11
	stopRevealed       = "revealed"        // WAT-S12
)

// stops by the kind of the decision: all that a game may ask.
var stops = map[string]stop{
	stopBid:            bidForm,
	stopArmy:           armyForm,
	stopRound:          roundForm,
	stopContinue:       continueForm,
	stopCavalryRetreat: cavalryForm,
	stopArtillery:      fireForm,
	stopCommit:         commitForm,
	stopLoss:           lossForm,
	stopAttackerLoss:   attackerLossForm,
	stopAdvance:        advanceForm,
	stopCommander:      commanderForm,
	stopRevealed:       fireForm,
}

// declines are the stops at which a side is mostly content to hold its fire, so that the
// enemy may be asked meanwhile what follows. The name of a window says how far the card of
// the side whose round it is has come, and is not told.
var declines = map[string]bool{stopArtillery: false}

// foretells are what may be told before a side has held its fire: how the sequence of play
// goes on, and what everybody sees the moving side do.
var foretells = []string{"wat.round", "wat.round-over", "wat.moved", "wat.turned", "wat.step-dropped"}
