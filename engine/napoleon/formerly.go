package napoleon

import (
	"slices"
	"strings"

	"berthier/engine/play"
	"berthier/orders/phrase"
)

// toldSince are the places of sentences that former programs did not fill, besides the
// owners of fields.
var toldSince = map[string][]string{
	"nap.hit":               {"was"},
	"nap.hits-lost":         {"why"},
	"nap.fires-long":        {"from"},
	"nap.fires-long-block":  {"from"},
	"nap.forced-lost":       {"to", "was", "strength"},
	"nap.forced-held":       {"to"},
	"nap.reinforces-blocks": {"left"},
	"nap.act-fails":         {"order", "field"},
}

// Formerly implements [engine.Retold].
func (Ruleset) Formerly(now, then phrase.Phrase) bool {
	return play.SaysMore(now, then, func(code, place string) bool {
		return strings.HasSuffix(place, ownedMark) || slices.Contains(toldSince[code], place)
	})
}
