package napoleon

import (
	"math/rand/v2"
	"slices"
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

// Standing orders do what the ruleset says that they would answer.
func TestAnswersOfStandingOrders(t *testing.T) {
	games := wordGames(t)
	rulestest.StandingAnswers(t, New(), games[:min(len(games), 20)], everyOrder, "reinforced guide", // which are noted for those who have plans and the like
		"battle-order", "hits", "morale-order", "regroup", "reinforce", "rout", "skirmish", "supply", "terrain-attacker")
}

// The ruleset tells whether conditions about a decision hold.
func TestConditions(t *testing.T) {
	rulestest.Conditions(t, New(), moments(t), resampled, []string{"engaged", "{remaining: few}", "{enemy: guns}", "{in: own}", "{role: any}", "{turn: [3]}", "{turn: soon}", "{odds: '>1/2'}", "[{odds: '>1', pace: 3}]"},
		"rout-risk", "{at: Waterloo}", "{role: attacker}", "{role: difensore}", "{turn: '>1'}", "{losses: '=0'}", "{battle-turn: '>=2'}",
		"{strength: '<10'}", "{odds: '>1:2'}", "{odds: '>1'}", "[{odds: '>1:2', role: attacker}, {battle-turn: '<9'}]",
		"attacked", "{attacked-by: '>= 4'}", "won", "lost", "routed", "unchanged", "{of: cavalry}", "{di: heavy-cavalry}", "{left: '>= 4'}", "{rimaste: '<9'}",
		"{enemy: cavalry}", "{enemy: none}", "{taken: Charleroi}", "{libera: Ligny}")
}

// resampled is another world that looks the same to a side, which is asked the same.
func resampled(p engine.Position, side engine.Side, chance *rand.Rand) engine.Position {
	g := scrambleAlone(p, side, chance).(*game)
	g.asks = slices.Clone(p.(*game).asks)
	return g
}

// Who files something ahead learns nothing of the blocks of the enemy.
func TestWhatIsFiledAheadTellsNothing(t *testing.T) {
	rulestest.AheadTellsNothing(t, New(), moments(t), resampled,
		"{reinforce: {Thuin: [F-12, A-31]}}", "{regroup: [{at: Ligny, if: {left: '>= 4'}, do: {out: {Fosse: rest}}}, {if: [won, {enemy: cavalry}], do: none}, {else: ask}]}",
		"{casualties: worst-first, hits: [{if: unchanged, do: [F-07]}, {else: default}]}", "{battle-turn: {plan: hold}}", "{terrain: {hill: middle}}", "{attack: all}")
}

// Answers to stops that will come are filed by strangers.
func FuzzFiles(f *testing.F) {
	rulestest.Files(f, New(), moments(f), "{reinforce: {Thuin: [F-12]}}", "{hits: default, regroup: [{at: Ligny, if: {left: '>= 4'}, do: {out: {Fosse: rest}}}, {else: ask}]}",
		"{casualties: [{of: cavalry, do: worst-first}]}", "{terrain: {hill: center, wood: left, farm: right, stream: right}}")
}
