package waterloo

import (
	"math/rand/v2"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
	"berthier/orders"
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

// Standing orders do what the ruleset says that they would answer.
func TestAnswersOfStandingOrders(t *testing.T) {
	rulestest.StandingAnswers(t, New(), wordGames()[:12], everyOrder, "", stopArtillery, stopCavalryRetreat, stopCommit, stopLoss, stopAdvance)
}

// The ruleset tells whether conditions about a decision hold.
func TestConditions(t *testing.T) {
	rulestest.Conditions(t, New(), moments(t), dealt, []string{"engaged", "{remaining: few}", "{enemy: artillery}", "{turn: [3]}", "{when: any}", "[{odds: '>1', pace: 3}]"},
		"{turn: '>1'}", "{hand: '>=5'}", "{losses: '=0'}", "{perdite-subite: '>0'}", "{odds: '>1:2'}", "{when: after-card}", "[{odds: '<=1'}, {turn: '<20'}]",
		"attacked", "{attacked-by: '>= 2'}", "won", "lost", "unchanged", "{of: cavalry}", "{left: '>= 4'}", "{enemy: cavalry}", "{enemy: none}",
		"{taken: K-6}", "{libera: K-6}", "{moved: F-4/I}", "{at: K-6}", "{di: F-6/II}")
}

// Orders that name none of the units among which a seat has to choose settle nothing: the
// seat is asked, and a policy falls back on the default.
func TestOrdersThatNameNobodyThereSettleNothing(t *testing.T) {
	tried := map[string]int{}
	for _, m := range moments(t) {
		for _, d := range m.Owed {
			if d.Kind != stopAttackerLoss && d.Kind != stopCommander && d.Kind != stopAdvance {
				continue
			}
			v := m.Position.View(d.Side).(*View)
			for _, id := range v.ofArmies() {
				unit := v.def(id).id
				key, value := d.Kind, "["+unit+"]"
				switch d.Kind {
				case stopCommander:
					value = "{to: [" + unit + "]}"
				case stopAdvance:
					value = "{prefer: [" + unit + "]}"
				}
				p := m.Position.Clone()
				give(t, p, d.Side, "standing: {"+key+": "+value+"}\n")
				if a, ok := New().Answers(p.View(d.Side), d); ok && !strings.Contains(a.Orders().OneLine(), unit) && d.Kind != stopAdvance {
					t.Errorf("%s: %s answers %s", d.Kind, value, a.Orders().OneLine())
				}
				p = m.Position.Clone()
				give(t, p, d.Side, "policies: {"+key+": "+value+"}\n")
				if _, ok := New().Answers(p.View(d.Side), d); !ok {
					t.Errorf("%s: the policy %s leaves the stop open", d.Kind, value)
				}
				tried[d.Kind]++
			}
		}
	}
	if tried[stopAttackerLoss] == 0 || tried[stopAdvance] == 0 {
		t.Errorf("tried at %v", tried)
	}
}

// give puts standing orders or policies of a side in force.
func give(t *testing.T, p engine.Position, side engine.Side, file string) {
	t.Helper()
	doc, faults := orders.Parse(file, nil)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	given, faults := New().ReadStanding(p.View(side), doc)
	if len(faults) > 0 {
		t.Fatalf("%s: %s", file, playout.Explain(faults))
	}
	if err := p.(engine.Instructed).Instruct(side, given); err != nil {
		t.Fatal(err)
	}
}

// dealt is another world that looks the same to a seat: the cards that it does not see are
// others.
func dealt(p engine.Position, side engine.Side, chance *rand.Rand) engine.Position {
	g := p.Clone().(*game)
	g.Decks = scramble(p, side, chance).(*game).Decks
	return g
}

// Who files something ahead learns nothing of the hands of others.
func TestWhatIsFiledAheadTellsNothing(t *testing.T) {
	rulestest.AheadTellsNothing(t, New(), moments(t), dealt,
		"{artillery: none, commit: none}", "{loss: [{at: K-6, if: [attacked, {attacked-by: '>= 2'}], do: reduce}, {else: default}]}",
		"{round: [{if: unchanged, do: {end: round}}, {else: ask}]}", "{commit: {cards: [F-1, X-9]}}", "{bid: middling}")
}

// Answers to stops that will come are filed by strangers.
func FuzzFiles(f *testing.F) {
	rulestest.Files(f, New(), moments(f), "{artillery: {fire: best}}", "{loss: [{at: K-6, if: [attacked, {attacked-by: '>= 2'}], do: default}, {else: ask}]}", "{commit: none}", "{round: {end: round}}")
}
