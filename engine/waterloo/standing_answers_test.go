package waterloo

import (
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/rulestest"
)

// everyOrder are standing orders of each kind that answers a stop, for a seat.
func everyOrder(view engine.View) string {
	v := view.(*View)
	var units []string
	for _, id := range v.ofArmies() {
		units = append(units, v.def(id).id)
	}
	all := "[" + strings.Join(units, ", ") + "]"
	text := "standing:\n" +
		"  initiative: {bid: lowest}\n" +
		"  artillery: {windows: hold, rules: [{at: any}]}\n" +
		"  cavalry-retreat: {default: retreat}\n" +
		"  battle: {default: none, rules: [{unit: " + units[0] + ", reach: tie, use: [battle]}]}\n" +
		"  loss: {default: [retreat, reduce]}\n" +
		"  advance: {prefer: " + all + "}\n" +
		"  attacker-loss: " + all + "\n"
	if v.camp() == alliedCamp {
		text += "  army: {prefer: [prussian, anglo]}\n"
	}
	return text
}

// What the ruleset says that standing orders would answer is what they do.
func TestAnswersOfStandingOrders(t *testing.T) {
	rulestest.StandingAnswers(t, New(), wordGames()[:12], everyOrder, "", stopArtillery, stopCavalryRetreat, stopCommit, stopLoss, stopAdvance)
}

// Of conditions about a decision the ruleset tells whether they hold.
func TestConditions(t *testing.T) {
	rulestest.Conditions(t, New(), moments(t), []string{"engaged", "{at: [A-1]}", "{turn: [3]}", "{when: any}", "[{odds: '>1', pace: 3}]"},
		"{turn: '>1'}", "{hand: '>=5'}", "{losses: '=0'}", "{perdite-subite: '>0'}", "{odds: '>1:2'}", "{when: after-card}", "[{odds: '<=1'}, {turn: '<20'}]")
}
