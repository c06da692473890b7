package waterloo

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

var _ engine.Retold = Ruleset{}

// toldSince are the places of sentences that former programs did not fill.
var toldSince = map[string][]string{
	"wat.total-defence": {"against"},
	"wat.attack-fails":  {"attack", "defence"},
}

// Formerly implements [engine.Retold].
func (Ruleset) Formerly(now, then phrase.Phrase) bool {
	return play.SaysMore(now, then, func(code, place string) bool { return slices.Contains(toldSince[code], place) })
}
