package playout_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/engine/internal/faulty"
	"berthier/engine/playout"
	"berthier/orders"
)

// coins is a set-up in which everything of the game occurs.
var coins = engine.Setup{Scenario: "three", Options: map[string]string{"coins": "3", "rounds": "5"}}

func TestPlayIsRepeatable(t *testing.T) {
	story := func(seed uint64) string {
		var b strings.Builder
		result, err := playout.Run(enginetest.New(), coins, seed, func(m playout.Moment) error {
			text, err := m.Position.Marshal()
			fmt.Fprintf(&b, "%d %s %v %v %v\n", m.Number, text, m.Owed, m.Events, m.Rolls)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(result.Outcome.Winners) == 0 || result.Stops == 0 || result.Rolls == 0 || len(result.Final.Owed()) > 0 {
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
	if _, err := (playout.Game{Rules: enginetest.New(), Seed: 3, Choose: playout.Defaults}).Play(); err != nil {
		t.Fatal(err)
	}
}

// conserved checks that there are never more units than before, and that one is gone
// only if it was discarded.
func conserved(before, after engine.Position) error {
	count := func(p engine.Position) (n int) {
		text, _ := p.Marshal()
		root, _ := orders.ParseNode(text)
		for _, side := range root.Get("sides").Items {
			n += len(side.Get("units").Items)
		}
		return n
	}
	if a, b := count(before), count(after); b > a || b < a-1 || b < a && before.Owed()[0].Kind != enginetest.Discard {
		return fmt.Errorf("%d units became %d", a, b)
	}
	return nil
}

func properties(rules engine.Ruleset) playout.Properties {
	return playout.Properties{Rules: rules, Conserved: conserved, Answers: 3, Broken: 6, Choices: 4, Deep: 2, Scramble: faulty.Scramble, Leaks: 2}
}

func TestPropertiesHold(t *testing.T) {
	rules := faulty.New(faulty.Faults{})
	check := properties(rules)
	check.Samples = 1
	for seed := range uint64(8) {
		if _, err := playout.Run(rules, coins, seed, check.Observe); err != nil {
			t.Error(err)
		}
	}
}

// Every kind of fault that a ruleset may have is found, and is told as what it is.
func TestFaultsAreFound(t *testing.T) {
	for name, test := range map[string]struct {
		faults faulty.Faults
		want   string
	}{
		"view":     {faulty.Faults{LeakView: true}, "in the view"},
		"page":     {faulty.Faults{LeakPage: true}, "on the page"},
		"refusal":  {faulty.Faults{LeakRefusal: true}, "in the faults of an order file"},
		"choice":   {faulty.Faults{LeakChoice: true}, "in what may be chosen"},
		"forget":   {faulty.Faults{Forget: true}, "does not read back"},
		"share":    {faulty.Faults{Share: true}, "a copy that moved on changed the position"},
		"greedy":   {faulty.Faults{Greedy: true}, "its own normal form is refused"},
		"template": {faulty.Faults{OddTemplate: true}, "template"},
		"place":    {faulty.Faults{Misplaced: true}, "is in line 10"},
		"panic":    {faulty.Faults{PanicOn: "R-3"}, "R-3"},
		"endless":  {faulty.Faults{Endless: true}, "not over after 40 stops"},
		"lost":     {faulty.Faults{Lose: true}, "units became"},
		"too much": {faulty.Faults{Overoffer: true}, "was made and is not in the answer"},
		"too few":  {faulty.Faults{Underoffer: true}, "is not offered"},
	} {
		t.Run(name, func(t *testing.T) {
			rules := faulty.New(test.faults)
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
	_, err = playout.Game{Rules: rules, Setup: coins, Seed: seed, MaxStops: 40}.Play(properties(rules).Observe)
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
	result, err := playout.Run(enginetest.New(), engine.Setup{}, 7)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Outcome.Clause)
	// Output: LOT-4.1
}
