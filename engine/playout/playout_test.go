package playout_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/internal/stones"
	"berthier/engine/playout"
	"berthier/orders"
)

func TestPlayIsRepeatable(t *testing.T) {
	story := func(seed uint64) string {
		var b strings.Builder
		result, err := playout.Run(stones.Rules{}, engine.Setup{}, seed, func(m playout.Moment) error {
			text, err := m.Position.Marshal()
			fmt.Fprintf(&b, "%d %s %v %v %v\n", m.Number, text, m.Owed, m.Events, m.Rolls)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(result.Outcome.Winners) != 1 || result.Stops == 0 || result.Rolls == 0 || len(result.Final.Owed()) > 0 {
			t.Fatalf("an odd end: %+v", result)
		}
		return b.String()
	}
	first := story(1)
	if again := story(1); again != first {
		t.Error("the same seed played two games")
	}
	if first == story(2) {
		t.Error("two seeds played one game")
	}
}

func TestDefaultsPlayAGame(t *testing.T) {
	if _, err := (playout.Game{Rules: stones.Rules{}, Seed: 3, Choose: playout.Defaults}).Play(); err != nil {
		t.Fatal(err)
	}
}

// conserved holds if stones only ever get fewer by one that is paid.
func conserved(before, after engine.Position) error {
	count := func(p engine.Position) int {
		text, _ := p.View("red").Marshal()
		root, _ := orders.ParseNode(text)
		var red, blue int
		fmt.Sscan(root.Get("red").Text, &red)
		fmt.Sscan(root.Get("blue").Text, &blue)
		return red + blue
	}
	if a, b := count(before), count(after); b > a || b < a-1 {
		return fmt.Errorf("%d stones became %d", a, b)
	}
	return nil
}

func properties(rules engine.Ruleset) playout.Properties {
	return playout.Properties{Rules: rules, Conserved: conserved, Answers: 3, Broken: 6, Choices: 4, Deep: 2, Scramble: stones.Scramble, Leaks: 2}
}

func TestPropertiesHold(t *testing.T) {
	for seed := range uint64(30) {
		if _, err := playout.Run(stones.Rules{}, engine.Setup{Options: map[string]string{"stones": "5"}}, seed, properties(stones.Rules{}).Observe); err != nil {
			t.Error(err)
		}
	}
}

// Every fault that a ruleset may have must be found, and told as what it is.
func TestFaultsAreFound(t *testing.T) {
	for name, test := range map[string]struct {
		faults stones.Faults
		want   string
	}{
		"view":     {stones.Faults{LeakView: true}, "in the view"},
		"page":     {stones.Faults{LeakPage: true}, "on the page"},
		"refusal":  {stones.Faults{LeakRefusal: true}, "in the faults of an order file"},
		"choice":   {stones.Faults{LeakChoice: true}, "in what may be chosen"},
		"forget":   {stones.Faults{Forget: true}, "does not read back"},
		"share":    {stones.Faults{Share: true}, "a copy that moved on changed the position"},
		"greedy":   {stones.Faults{Greedy: true}, "its own normal form is refused"},
		"template": {stones.Faults{OddTemplate: true}, "template"},
		"place":    {stones.Faults{Misplaced: true}, "is in line 10"},
		"panic":    {stones.Faults{PanicOnThree: true}, "three"},
		"endless":  {stones.Faults{Endless: true}, "not over after 200 stops"},
		"lost":     {stones.Faults{Lose: true}, "stones became"},
		"too much": {stones.Faults{Overoffer: true}, "its own normal form is refused"},
		"too few":  {stones.Faults{Underoffer: true}, "is not offered"},
	} {
		t.Run(name, func(t *testing.T) {
			rules := stones.Rules{Faults: test.faults}
			var found []string
			for seed := range uint64(20) {
				err := play(rules, seed)
				if err == nil {
					continue
				}
				if strings.Contains(err.Error(), test.want) {
					return
				}
				found = append(found, err.Error())
			}
			t.Errorf("want %q, found %q", test.want, found)
		})
	}
}

func play(rules engine.Ruleset, seed uint64) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	_, err = playout.Game{Rules: rules, Setup: engine.Setup{Options: map[string]string{"stones": "5"}}, Seed: seed, MaxStops: 200}.Play(properties(rules).Observe)
	return err
}

func TestBreakIsRepeatableAndNeverFails(t *testing.T) {
	const file = "orders:\n  - move: {from: Laneffe, to: Charleroi, units: [F-02, F-03]}\n  - reveal: F-01\nstanding: none\n"
	changed := 0
	for seed := range uint64(2000) {
		a := playout.Break(file, rand.New(rand.NewPCG(seed, 0)))
		if b := playout.Break(file, rand.New(rand.NewPCG(seed, 0))); a != b {
			t.Fatalf("seed %d breaks a file in two ways", seed)
		}
		if a != file {
			changed++
		}
	}
	if changed < 1500 {
		t.Errorf("only %d of 2000 files were changed", changed)
	}
	playout.Break("", rand.New(rand.NewPCG(1, 1)))
}

func ExampleRun() {
	result, err := playout.Run(stones.Rules{}, engine.Setup{}, 7)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Outcome.Clause)
	// Output: STO-3.1
}
