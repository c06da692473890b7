package hfg

import (
	"testing"

	"berthier/engine"
	"berthier/engine/rulestest"
)

// setups are the set-ups that the tests of all stops play.
var setups = []rulestest.Setup{
	{Name: "waterloo", Setup: engine.Setup{}},
	{Name: "every decision", Setup: engine.AtPace(New(), engine.Setup{}, map[engine.Side]string{"french": engine.EveryDecision, "allied": engine.EveryDecision})},
	{Name: "two armies", Setup: engine.Setup{Scenario: "two-armies"}},
	{Name: "campaign", Setup: engine.Setup{Scenario: "two-armies", Options: map[string]string{"campaign": "yes"}}},
}

// docs/rules/hfg-orders.json holds what games by chance show of each kind of stop.
func TestOrderReference(t *testing.T) { rulestest.EvidenceOfGames(t, "hfg", New(), setups, 60) }
