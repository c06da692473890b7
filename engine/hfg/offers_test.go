package hfg

import (
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/rulestest"
	"berthier/orders"
)

// Every example in a template is legal as it stands. They are examples, not all that is legal: what a
// move may be can't be listed.
func TestTemplatesOfferWhatIsLegal(t *testing.T) {
	listings := map[string]rulestest.Listing{}
	for kind := range stops {
		listings[kind] = rulestest.Listing{Offered: func(engine.View, *orders.Node) []string { return nil },
			Choice: func(engine.View, engine.Choice) []string { return nil },
			Files:  func(_ engine.View, n *orders.Node) []string { return rulestest.Examples(n) }}
	}
	for _, kind := range []string{stopList, stopTerrain} { // what may be added to the default stands there, too
		one := listings[kind]
		one.Files = func(_ engine.View, n *orders.Node) []string {
			return slices.DeleteFunc(rulestest.Examples(n), func(line string) bool { return strings.HasPrefix(line, "- {kind") || strings.HasPrefix(line, "year") })
		}
		listings[kind] = one
	}
	rulestest.Offers(t, "hfg", New(), shortGames(t), listings)
}
