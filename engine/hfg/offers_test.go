package hfg

import (
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
	rulestest.Offers(t, "hfg", New(), shortGames(t), listings)
}
