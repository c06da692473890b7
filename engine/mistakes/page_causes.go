package mistakes

import (
	"slices"

	"berthier/engine"
	"berthier/orders/phrase"
)

var _ engine.Causal = Ruleset{}

// causes are the events that come of an answer to a stop, by its kind.
var causes = map[string][]string{
	stopBid:        {"em.initiative"},
	stopFire:       {"em.fired"},
	stopAssign:     {"em.assigned", "em.leader-moves", "em.leader-attaches"},
	stopOrders:     {"em.set-in-motion", "em.kept-moving", "em.rallied", "em.split-off", "em.joined", "em.redeployed"},
	stopManoeuvres: {"em.moved", "em.charges"},
	stopInterrupt:  {"em.reacts"},
	stopEntry:      {"em.enters"},
	stopDeploy:     {"em.deployed"},
	stopUnlimber:   {"em.unlimbered"},
	stopCombat:     {"em.combat"},
	stopCounter:    {"em.counterattack"},
	stopReinforce:  {"em.reinforcement"},
	stopPursue:     {"em.pursuit", "em.pursuit-none", "em.pursuit-stays"},
	stopLosses:     {"em.losses", "em.eliminated"},
}

// ComesOf implements [engine.Causal].
func (Ruleset) ComesOf(event phrase.Phrase, stop string) bool {
	return slices.Contains(causes[stop], event.Code)
}
