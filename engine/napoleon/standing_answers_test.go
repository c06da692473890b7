package napoleon

import (
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/rulestest"
)

// everyOrder are standing orders of each kind that answers a stop, for a side.
func everyOrder(view engine.View) string {
	v := view.(*View)
	var towns, units []string
	for i := range v.towns {
		towns = append(towns, v.towns[i].id)
	}
	for _, id := range v.ownRoster() {
		units = append(units, v.roster[id].id)
	}
	all := "[" + strings.Join(units, ", ") + "]"
	bids := ""
	if v.phase == bidding {
		bids = "  - bid: {camp: allied, up-to: 3}\n"
	}
	return "standing:\n" + bids +
		"  - casualties: {lose-first: " + all + "}\n" +
		"  - retreat-to: {at: any, towns: [" + strings.Join(towns, ", ") + "]}\n" +
		"  - sacrifice: " + all + "\n" +
		"  - regroup: none\n" +
		"  - reinforce: {to: any, keep: 1}\n" +
		"  - skirmish: {show: weakest}\n" +
		"  - battle-order: [rest]\n" +
		"  - morale-order: [right, center, left]\n" +
		"  - terrain: {wood: left, farm: center, stream: right}\n" +
		"  - supply-losses: " + all + "\n" +
		"  - deploy: {at: any, left: [rest]}\n"
}

// What the ruleset says that standing orders would answer is what they do.
func TestAnswersOfStandingOrders(t *testing.T) {
	games := wordGames(t)
	rulestest.StandingAnswers(t, New(), games[:min(len(games), 20)], everyOrder, "reinforced guide", // which are noted for those who have plans and the like
		"battle-order", "hits", "morale-order", "regroup", "reinforce", "rout", "skirmish", "supply", "terrain-attacker")
}

// Of conditions about a decision the ruleset tells whether they hold.
func TestConditions(t *testing.T) {
	rulestest.Conditions(t, New(), moments(t), []string{"engaged", "{in: own}", "{role: any}", "{turn: [3]}", "{turn: soon}", "{odds: '>1/2'}", "[{odds: '>1', pace: 3}]"},
		"rout-risk", "{at: Waterloo}", "{role: attacker}", "{role: difensore}", "{turn: '>1'}", "{losses: '=0'}", "{battle-turn: '>=2'}",
		"{strength: '<10'}", "{odds: '>1:2'}", "{odds: '>1'}", "[{odds: '>1:2', role: attacker}, {battle-turn: '<9'}]")
}
