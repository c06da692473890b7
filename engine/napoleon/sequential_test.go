package napoleon

import (
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
)

// What the first of two players has done is read from a position only if it can have
// happened.
func TestAheadOfAPosition(t *testing.T) {
	position, err := New().New(engine.Setup{Scenario: "drill", Options: map[string]string{"players": "3", "allied_order": "sequential"}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := position.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	allied := strings.Replace(string(text), "turn: 1\n", "turn: 2\n", 1)
	for ahead, good := range map[string]bool{
		"{army: anglo-dutch}": true,
		"{army: anglo-dutch, over: {laneffe/charleroi: 2}, attacks: {charleroi: {units: 2, from: [laneffe]}}, forced: [{unit: A-02, from: brussels}], revealed: [brussels]}": true,
		"{army: prussian}": false,
		"{army: french}":   false,
		"{}":               false,
		"{army: anglo-dutch, forced: [{unit: P-02, from: brussels}]}":        false,
		"{army: anglo-dutch, forced: [{unit: A-02}]}":                        false,
		"{army: anglo-dutch, forced: [all]}":                                 false,
		"{army: anglo-dutch, attacks: {charleroi: {units: 0, from: [hal]}}}": false,
		"{army: anglo-dutch, attacks: {nowhere: {units: 1, from: [hal]}}}":   false,
		"{army: anglo-dutch, attacks: {charleroi: 3}}":                       false,
		"{army: anglo-dutch, over: {laneffe/ghent: 2}}":                      false,
		"{army: anglo-dutch, revealed: [nowhere]}":                           false,
		"anglo-dutch": false,
	} {
		for turn, of := range map[string]string{"Allied": allied, "French": string(text)} {
			_, err := New().Load([]byte(strings.Replace(of, "phase: movement\n", "phase: movement\nahead: "+ahead+"\n", 1)))
			if (err == nil) != (good && turn == "Allied") {
				t.Errorf("%s, %s turn: %v", ahead, turn, err)
			}
		}
	}
}

// Nobody sees orders of an ally that are still to be carried out, not even his partner:
// the two positions of the test differ only in these orders.
func TestAllysPendingOrdersDoNotShow(t *testing.T) {
	position, err := New().New(engine.Setup{Scenario: "drill", Options: map[string]string{"players": "3", "allied_order": "sequential"}})
	if err != nil {
		t.Fatal(err)
	}
	g := position.(*game)
	g.turn, g.asks = 1, nil
	for id, town := range map[string]string{"A-02": "brussels", "A-03": "brussels", "P-02": "ligny"} {
		for i := range g.units {
			if g.roster[i].id == id {
				g.units[i].town, _ = g.townNamed(town)
			}
		}
	}
	(&campaign{game: g, Story: play.Story{Dice: noDice{}}}).run()
	seen := func(standing string) []byte {
		c := g.Clone().(*game)
		events := answerBids(t, c, &engine.FixedDice{}, map[engine.Side]string{
			"anglo-dutch": "orders: [{move: {from: Brussels, to: Waterloo, units: [A-02]}}]\nstanding: " + standing,
		})
		return append(allSeen(t, c, events, "prussian"), allSeen(t, c, events, "french")...)
	}
	a := seen("none")
	for _, standing := range []string{
		"[{plan: {at: any, use: withdraw}}, {casualties: {lose_first: [A-03]}}]",
		"[{moves: {turn: 4, orders: [{move: {from: Brussels, to: Ghent, units: [A-03]}}]}}]",
	} {
		if b := seen(standing); string(a) != string(b) {
			t.Errorf("what the others see depends on %s", standing)
		}
	}
}
