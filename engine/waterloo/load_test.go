package waterloo

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

func scenarioText(t *testing.T, file string) string {
	t.Helper()
	data, err := files.ReadFile("scenarios/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestBattle(t *testing.T) {
	s := library.Scenarios()[0]
	if s.squares() != 320 || len(s.roster) != 50 || len(s.commanders) != 2 || len(s.cards) != 55 {
		t.Errorf("%d squares, %d units, %d commanders, %d cards", s.squares(), len(s.roster), len(s.commanders), len(s.cards))
	}
	for a, want := range [armies]int{french: 26, anglo: 19, prussian: 10} { // RB 2.4
		if got := len(s.deckOf(army(a))); a > 0 && got != want {
			t.Errorf("the %s deck has %d cards, want %d", army(a), got, want)
		}
	}
	for name, want := range map[string]int{"napoleon": 2, "wellington": 1} {
		i := slices.IndexFunc(s.commanders, func(c commanderDef) bool { return c.id == name })
		if i < 0 || s.commanders[i].attack != want {
			t.Errorf("%s attacks with %v, want %d", name, s.commanders, want)
		}
	}
	for q := square(1); int(q) <= s.squares(); q++ {
		for _, f := range facingsAll {
			n := s.next(q, f)
			if n == 0 {
				continue
			}
			if s.next(n, f.back()) != q || s.edgeOf(q, f) != s.edgeOf(n, f.back()) {
				t.Errorf("%s and %s see each other differently", s.squareID(q), s.squareID(n))
			}
		}
	}
}

// The drill ground has the board, the units and the cards of the battle.
func TestDrillGround(t *testing.T) {
	battle, drill := library.Scenarios()[0], library.Scenarios()[1]
	if !slices.Equal(battle.terrain, drill.terrain) || !slices.Equal(battle.sides, drill.sides) || !slices.Equal(battle.cards, drill.cards) {
		t.Error("the boards or the decks differ")
	}
	for i := range battle.roster {
		a, b := battle.roster[i], drill.roster[i]
		if a.id != b.id || a.full != b.full || a.reduced != b.reduced || a.elite != b.elite || a.weight != b.weight || a.arrives != b.arrives || !slices.Equal(a.entries, b.entries) {
			t.Errorf("%s differs", a.id)
		}
		if b.at != 0 {
			t.Errorf("%s stands on the board", b.id)
		}
	}
}

// Every fault of a scenario file is told with its line.
func TestScenarioFaults(t *testing.T) {
	good := scenarioText(t, "drill.yaml")
	if _, faults := readScenario([]byte(good)); len(faults) > 0 {
		t.Fatal(faults)
	}
	for _, test := range []struct{ old, new, want string }{
		{"ruleset: waterloo", "ruleset: napoleon", "play.ruleset-other"},
		{"scenario: drill", "scenario: \"\"", "play.scenario-name"},
		{"reconstruction: true", "reconstructed: true", "order.unknown-key"},
		{"rows: [A, B,", "rows: [A, A,", "wat.scenario-row"},
		{"rows: [A, B,", "rows: [A, BB,", "wat.scenario-row"},
		{"columns: 20", "columns: 41", "order.want-number"},
		{"  A-1: {terrain: wood", "  A-99: {terrain: wood", "order.unknown-square"},
		{"  A-1: {terrain: wood", "  A-1: {terrain: swamp", "order.unknown-word"},
		{"  A-2: {terrain: wood", "  A-1: {terrain: wood", "order.key-twice"},
		{"  H-10: {terrain: chateau", "  H-10: {terrain: village", "wat.scenario-chateau"},
		{"  A-1: {terrain: wood", "  A-1: {terrain: chateau", "wat.scenario-chateau"},
		{"cdp: 4", "cdp: -4", "order.want-number"},
		{"[G-8, H-8]", "[G-8, H-9]", "wat.scenario-apart"},
		{"[G-8, H-8]", "[G-8]", "wat.scenario-pair"},
		{"type: wall}", "type: wall, bridge: true}", "wat.scenario-bridge"},
		{"[A-10, B-10,", "[A-10, C-10,", "wat.scenario-apart"},
		{"squares: [D-10]", "squares: [D-10, D-11]", "wat.scenario-objective"},
		{"squares: [M-14]", "squares: [M-13]", "wat.scenario-objective"},
		{"turns: [1, 4]", "turns: [2, 4]", "order.want-number"},
		{"turns: [1, 4]", "turns: [4]", "wat.scenario-turns"},
		{"players: [2], prussians: false", "players: [2, 3], prussians: false", "wat.scenario-players"},
		{"cards_per_round: 5", "cards_per_round: 0", "order.want-number"},
		{"army: anglo, attack: 1", "army: french, attack: 1", "wat.scenario-commanders"},
		{"{id: F-2/I,", "{id: F-1/I,", "play.twice"},
		{"full: 3, reduced: 2}", "full: 3, reduced: 3}", "wat.scenario-reduced"},
		{"full: 1, reduced: null", "full: 1, reduced: 1", "wat.scenario-reduced"},
		{"{id: P-15/IV, army: prussian, arm: infantry, name: \"Losthin\", corps: \"IV\", full: 3, reduced: 2,", "{id: P-15/IV, army: prussian, arm: infantry, name: \"Losthin\", corps: \"IV\", full: 3, reduced: 2, elite: true,", "wat.scenario-elite"},
		{"reduced: 1, weight: light", "reduced: 1", "wat.scenario-weight"},
		{"name: \"Quiot\", corps: \"I\", full: 3, reduced: 2", "name: \"Quiot\", corps: \"I\", full: 3, reduced: 2, weight: light", "wat.scenario-weight"},
		{"arrives: 3, entry: [B, C]}", "arrives: 4, entry: [B, C]}", "wat.scenario-arrival"},
		{"arrives: 3, entry: [B, C]}", "arrives: 3, entry: [B, D]}", "order.unknown-entry"},
		{"{id: P01, mp: 6, bp: 1, action: none}", "{id: P01, mp: 6, bp: 1, action: command-bonus}", "wat.scenario-card"},
		{"{id: P01, mp: 6, bp: 1, action: none}", "{id: P01, mp: 6, bp: 1, action: elite-bonus}", "wat.scenario-card"},
		{"{id: F01, mp: 6, bp: 1, action: none}", "{id: F01, mp: 6, bp: 1, action: napoleons-health}", "wat.scenario-card"},
		{"{id: F01, mp: 6,", "{id: F01, mp: 10,", "order.want-number"},
		{"french: [26, 26, 26, 26, 26, 26, 26]", "french: [27, 26, 26, 26, 26, 26, 26]", "order.want-number"},
		{"french: [26, 26, 26, 26, 26, 26, 26]", "french: [26, 26]", "wat.scenario-hands"},
		{"  players: 2\n", "  players: 4\n", "play.option-value"},
		{"  players: 2\n", "  gamblers: 2\n", "play.option-unknown"},
	} {
		if !strings.Contains(good, test.old) {
			t.Errorf("the drill ground has no %q", test.old)
			continue
		}
		_, faults := readScenario([]byte(strings.Replace(good, test.old, test.new, 1)))
		i := slices.IndexFunc(faults, func(p orders.Problem) bool { return p.Why.Code == test.want })
		if i < 0 {
			t.Errorf("%.60s: want %s, have %v", test.new, test.want, faults)
			continue
		}
		if faults[i].Line == 0 {
			t.Errorf("%.60s: %s has no line", test.new, test.want)
		}
	}
	for _, broken := range []string{"", "[]", "x", ": :", "ruleset: waterloo"} {
		if _, faults := readScenario([]byte(broken)); len(faults) == 0 {
			t.Errorf("%q was read", broken)
		}
	}
	if _, faults := readScenario(make([]byte, 1<<20+1)); len(faults) != 1 || faults[0].Why.Code != "play.scenario-size" {
		t.Errorf("a file too long: %v", faults)
	}
}

// The position of a game on a user's own scenario holds the file of that scenario.
func TestOwnScenario(t *testing.T) {
	text := strings.Replace(scenarioText(t, "drill.yaml"), "scenario: drill", "scenario: club", 1)
	p, err := New().New(engine.Setup{Data: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	written, err := p.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	again, err := New().Load(written)
	if err != nil {
		t.Fatal(err)
	}
	second, err := again.Marshal()
	if err != nil || string(second) != string(written) {
		t.Error("the position does not read back")
	}
	if again.(*game).name != "club" {
		t.Errorf("the scenario is %s", again.(*game).name)
	}
}

// Every fault of a position is told with its line.
func TestPositionFaults(t *testing.T) {
	p, err := New().New(engine.Setup{Scenario: "drill"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Advance(nil, noDice{t}); err != nil {
		t.Fatal(err)
	}
	data, err := p.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	good := string(data)
	for _, test := range []struct{ old, new, want string }{
		{"turn: 1\n", "turn: 8\n", "wat.position-turn"},
		{"turn: 1\n", "turn: 21\n", "order.want-number"},
		{"turn: 1\n", "round: 1\n", "order.unknown-key"},
		{"scenario: drill", "scenario: none", "play.scenario-unknown"},
		{"ruleset: waterloo", "ruleset: chess", "play.ruleset-other"},
		{"turn: 1\n", "turn: 1\nunits: {F-1/I: {at: A-1}, F-2/I: {at: A-1}}\n", "wat.scenario-place"},
		{"turn: 1\n", "turn: 1\nunits: {A-4/II: {at: A-1, reduced: true}}\n", "wat.position-reduced"},
		{"turn: 1\n", "turn: 1\nunits: {A-4/II: {at: Z-1}}\n", "order.unknown-square"},
		{"turn: 1\n", "turn: 1\nunits: {Z-1: {}}\n", "order.unknown-unit"},
		{"turn: 1\n", "turn: 1\nunits: {A-3/I: {at: A-1}}\ncommanders: {napoleon: {at: A-1}}\n", "wat.position-commander"},
		{"hand: [F01,", "hand: [F01, F01,", "wat.position-card"},
		{"hand: [F01,", "hand: [A01,", "wat.position-card"},
		{"kind: round", "kind: dance", "play.position-stop"},
	} {
		if !strings.Contains(good, test.old) {
			t.Errorf("the position has no %q:\n%s", test.old, good)
			continue
		}
		_, err := New().Load([]byte(strings.Replace(good, test.old, test.new, 1)))
		faults, _ := err.(orders.Problems)
		if !slices.ContainsFunc(faults, func(p orders.Problem) bool { return p.Why.Code == test.want && p.Line > 0 }) {
			t.Errorf("%.60s: want %s, have %v", test.new, test.want, err)
		}
	}
	flow := regexp.MustCompile(`(?s)flow:.*?\n(\w)`)
	for _, bad := range []string{
		"[]", "[{round: {camp: french}}]", "[{turn: {stage: rounds}}]", "[{turn: {}}, {turn: {}}]",
		"[{turn: {stage: rounds, next: french}}, {round: {}}]",
		"[{turn: {stage: rounds, next: french}}, {round: {camp: french, army: anglo}}]",
		"[{turn: {stage: rounds, next: french}}, {round: {camp: french}}, {move: {}}]",
		"[{turn: {stage: rounds, next: french}}, {round: {camp: french}}, {move: {card: A01, army: anglo}}]",
		"[{turn: {stage: rounds, next: french}}, {round: {camp: french}}, {entry: {}}]",
		"[{turn: {stage: rounds, next: french}}, {round: {camp: french}}, {place: {commander: napoleon, choices: [A-3/I]}}]",
		"[{turn: {stage: rounds, next: french}}, {round: {camp: french, steps: [{}]}}]",
	} {
		text := flow.ReplaceAllString(good, "flow: "+bad+"\n$1")
		if text == good {
			text = good[:strings.Index(good, "flow:")] + "flow: " + bad + "\n"
		}
		if _, err := New().Load([]byte(text)); err == nil {
			t.Errorf("flow %s was read", bad)
		}
	}
}

// noDice are dice that fail the test if one of them is rolled.
type noDice struct{ t *testing.T }

func (d noDice) Roll(int, phrase.Phrase) int {
	d.t.Fatal("a die was rolled")
	return 1
}
