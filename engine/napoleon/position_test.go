package napoleon

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
	"berthier/orders"
	"berthier/orders/phrase"
)

func TestPositionFaults(t *testing.T) {
	p, err := New().New(engine.Setup{Scenario: "drill"})
	if err != nil {
		t.Fatal(err)
	}
	data, err := p.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, c := range []struct{ name, was, is, code string }{
		{"nothing", text, "", "play.position-empty"},
		{"another ruleset", "ruleset: napoleon", "ruleset: waterloo", "play.ruleset-other"},
		{"an unknown scenario", "scenario: drill", "scenario: moon", "play.scenario-unknown"},
		{"a turn beyond the track", "turn: 1", "turn: 24", "order.want-number"},
		{"an unknown phase", "phase: movement", "phase: tea", "order.unknown-word"},
		{"an unknown unit", "F-03:", "F-93:", "order.unknown-unit"},
		{"a unit twice", "F-03:", "F-02:", "order.key-twice"},
		{"an unknown town", "F-03: {at: depot-french", "F-03: {at: paris", "order.unknown-town"},
		{"more strength than printed", "F-03: {at: depot-french, strength: 4}", "F-03: {at: depot-french, strength: 5}", "order.want-number"},
		{"a mark that is none", "F-03: {at: depot-french,", "F-03: {at: depot-french, asleep: true,", "order.unknown-key"},
		{"on a board in no town", "F-03: {at: depot-french,", "F-03: {field: reserve,", "nap.position-field"},
		{"a road that is none", "units:", "roads: {ghent/liege: 2}\nunits:", "nap.position-road"},
		{"a stop that is none", "kind: move", "kind: sing", "play.position-stop"},
		{"a memory of one's own", "units:", "seen: {french: {F-02: {at: ligny, strength: 2, turn: 1}}}\nunits:", "nap.position-seen"},
		{"a memory of nobody", "units:", "seen: {french: {X-02: {at: ligny, strength: 2, turn: 1}}}\nunits:", "order.unknown-unit"},
		{"a battle that can't be", "units:", "battles: [{town: moon}]\nunits:", "order.unknown-town"},
		{"an option that is none", "units:", "options: {moon: full}\nunits:", "play.option-unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(text, c.was) {
				t.Fatalf("the position has no %q any more", c.was)
			}
			_, err := New().Load([]byte(strings.Replace(text, c.was, c.is, 1)))
			wantProblem(t, err, 0, c.code)
		})
	}
}

// A decision that is owed in another phase than the present one is dropped, and asked
// anew when the position is played on.
func TestLoadDropsWhatIsNotOwedHere(t *testing.T) {
	p, err := New().New(engine.Setup{Scenario: "drill"})
	if err != nil {
		t.Fatal(err)
	}
	data, err := p.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	edited, err := New().Load([]byte(strings.Replace(string(data), "turn: 1", "turn: 2", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if owed := edited.Owed(); len(owed) != 0 {
		t.Fatalf("owed %v", owed)
	}
	if _, err := edited.Advance(nil, &engine.FixedDice{}); err != nil {
		t.Fatal(err)
	}
	if owed := edited.Owed(); len(owed) != 1 || owed[0] != (engine.Decision{Side: "allied", Kind: "move"}) {
		t.Errorf("owed %v", owed)
	}
}

// A change of a copy does not change the original, nor the other way round.
func TestCloneIsApart(t *testing.T) {
	for seed := range uint64(6) {
		var copies []engine.Position
		var texts []string
		_, err := playout.Run(New(), setups[seed%2].Setup, seed, func(m playout.Moment) error {
			text, err := m.Position.Marshal()
			if err != nil {
				return err
			}
			copies, texts = append(copies, m.Position.Clone()), append(texts, string(text))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range copies {
			text, err := c.Marshal()
			if err != nil {
				t.Fatal(err)
			}
			if string(text) != texts[i] {
				t.Fatalf("seed %d: the copy at stop %d changed with the game", seed, i)
			}
			if len(c.Owed()) > 0 { // play the copy on: later copies must not change
				answers := map[engine.Side]engine.Answer{}
				for _, d := range c.Owed() {
					answers[d.Side] = New().Default(c.View(d.Side), d)
				}
				if _, err := c.Advance(answers, engine.NewSeededDice([]byte("x"), "clone", i, [32]byte{})); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// A spoilt position is refused, or it can be played on.
func TestSpoiltPositions(t *testing.T) { rulestest.Spoilt(t, New(), moments(t), 6) }

// newDrill is a position of the drill ground with units where they are wanted.
func newDrill(t testing.TB, change func(*game)) *game {
	t.Helper()
	p, err := New().New(engine.Setup{Scenario: "drill"})
	if err != nil {
		t.Fatal(err)
	}
	g := p.(*game)
	if change != nil {
		change(g)
	}
	return g
}

// put moves a unit of the drill ground.
func put(t testing.TB, g *game, unit, town string) {
	t.Helper()
	at, ok := g.townNamed(town)
	if !ok {
		t.Fatalf("no town %s", town)
	}
	for i := range g.roster {
		if g.roster[i].id == unit {
			g.units[i].town = at
			return
		}
	}
	t.Fatalf("no unit %s", unit)
}

// chance gives random numbers for one test.
func chance(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1815)) }

// Outcomes stand in positions as they always have, with all that their reasons may speak of,
// and are read back as they were. What is wrong with one is refused at its place.
func TestOutcomesOfPositions(t *testing.T) {
	deep := phrase.Say("nap.won-cities", phrase.Names("towns", "town", []string{"bruxelles", "gand"}), phrase.Number("n", -3), phrase.Number("most", 12000),
		phrase.Within("why", phrase.Say("nap.won-time", phrase.Name("who", "who", "french"))))
	for _, o := range []engine.Outcome{
		{Reason: phrase.Say("nap.draw-all-defeated"), Clause: "NAP-10.1"},
		{Winners: []engine.Side{"french"}, Reason: phrase.Say("nap.won-cities", phrase.Names("towns", "town", []string{"bruxelles", "gand"})), Clause: "NAP-10.3"},
		{Winners: []engine.Side{"anglo-dutch", "prussian"}, Reason: phrase.Say("nap.won-time")},
		{Winners: []engine.Side{"allied"}, Reason: deep, Clause: "NAP-10.5"},
	} {
		g := newDrill(t, nil)
		before, err := g.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		g.outcome = &o
		data, err := g.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		want, err := orders.Marshal(struct{ Outcome *engine.Outcome }{&o})
		if err != nil {
			t.Fatal(err)
		}
		if string(data) != string(before)+string(want) {
			t.Errorf("written\n%s\nwant\n%s", data[len(before):], want)
		}
		again, err := New().Load(data)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := again.Outcome(); !reflect.DeepEqual(got, o) {
			t.Errorf("read back as %+v, want %+v", got, o)
		}
		_, err = New().Load([]byte(string(before) + "outcome:\n  winners: [french]\n  reason: {say: nap.won-time, with: [{n: a, v: {k: x, i: much, z: 1}}]}\n  clause: [x]\n"))
		line := strings.Count(string(before), "\n") + 1
		var faults orders.Problems
		if !errors.As(err, &faults) || len(faults) != 3 || faults[0].Line != line+2 || faults[1].Line != line+2 || faults[2].Line != line+3 {
			t.Errorf("refused with %v", err)
		}
	}
}
