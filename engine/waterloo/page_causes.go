package waterloo

import (
	"slices"

	"berthier/orders/phrase"
)

// causes are the events that come of an answer to a stop, by its kind. A gun that is not fired
// brings nothing about.
var causes = map[string][]string{
	"artillery":       fire,
	"revealed":        fire,
	"bid":             {"wat.bid", "wat.no-bid"},
	"army":            {"wat.army"},
	"commit":          {"wat.reveals", "wat.reveals-none"},
	"loss":            {"wat.spends-cdp", "wat.reduced", "wat.eliminated", "wat.retreats"},
	"attacker-loss":   {"wat.reduced", "wat.eliminated"},
	"cavalry-retreat": {"wat.retreats"},
	"advance":         {"wat.advances"},
	"commander":       {"wat.commander-placed"},
}

// fire are the events of a gun that is fired.
var fire = []string{"wat.fire-disorders", "wat.fire-reduces", "wat.fire-nothing", "wat.fire-chateau", "wat.fire-nobody"}

// ComesOf implements [engine.Causal].
func (Ruleset) ComesOf(event phrase.Phrase, stop string) bool {
	return slices.Contains(causes[stop], event.Code)
}
