package napoleon

import (
	"slices"
	"strings"

	"berthier/orders/phrase"
)

// causes are the events that come of an answer to a stop, by its kind; "-block" at the end of
// a code is left out.
var causes = map[string][]string{
	"hits":             {"nap.hit", "nap.hit-dies"},
	"skirmish":         {"nap.skirmish-shows"},
	"skirmish-retreat": departures,
	"rout":             departures,
	"stalemate":        append([]string{"nap.stalemate-waits"}, departures...),
	"supply":           {"nap.eliminated"},
	"morale-order":     {"nap.morale-high", "nap.morale-low"},
	"battle-order":     {"nap.battle-order"},
	"regroup":          {"nap.regroups"},
	"reinforce":        {"nap.reinforces"},
	"terrain-attacker": {"nap.terrain-placed"},
	"terrain-defender": {"nap.terrain-placed"},
	"deploy":           {"nap.deployed"},
	"deploy-attacker":  {"nap.battle-deployed"},
	"deploy-defender":  {"nap.battle-deployed"},
	"move":             {"nap.march", "nap.move-none", "nap.leader-shown", "nap.leader-permits"},
	"battle-turn":      {"nap.fires", "nap.fires-long", "nap.fires-squares", "nap.moves", "nap.engages", "nap.charges", "nap.disengages", "nap.retreats"},
}

// departures are the events of units that leave a battle.
var departures = []string{"nap.retreats", "nap.retreat-costs", "nap.no-road", "nap.rout-costs", "nap.rout-costs-blocks", "nap.eliminated"}

// ComesOf implements [engine.Causal].
func (Ruleset) ComesOf(event phrase.Phrase, stop string) bool {
	return slices.Contains(causes[stop], strings.TrimSuffix(event.Code, "-block"))
}
