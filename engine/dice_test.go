package engine

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"berthier/orders/phrase"
)

var forTest = phrase.Say("test")

// The first rolls of a known seed. Whoever changes the scheme makes every game
// in progress impossible to check; this test is here to make that a decision.
func TestSeededDiceOfAKnownSeed(t *testing.T) {
	orders := sha256.Sum256([]byte("orders"))
	d := NewSeededDice([]byte("seed"), "ligny-7", 12, orders)
	var got []int
	for range 12 {
		got = append(got, d.Roll(6, forTest))
	}
	const want = "[4 3 2 5 3 3 6 1 4 5 3 6]"
	if fmt.Sprint(got) != want {
		t.Errorf("rolls %v, want %s", got, want)
	}
}

func TestSeededDiceDependOnEverything(t *testing.T) {
	orders, others := sha256.Sum256([]byte("orders")), sha256.Sum256([]byte("others"))
	roll := func(seed, game string, stop int, o [32]byte) string {
		d := NewSeededDice([]byte(seed), game, stop, o)
		var all []int
		for range 20 {
			all = append(all, d.Roll(6, forTest))
		}
		return fmt.Sprint(all)
	}
	base := roll("seed", "g", 1, orders)
	if again := roll("seed", "g", 1, orders); again != base {
		t.Errorf("the same stop rolled %s, then %s", base, again)
	}
	for name, other := range map[string]string{
		"seed": roll("seee", "g", 1, orders), "game": roll("seed", "h", 1, orders),
		"stop": roll("seed", "g", 2, orders), "orders": roll("seed", "g", 1, others),
	} {
		if other == base {
			t.Errorf("another %s gives the same dice", name)
		}
	}
}

// Every face of every die comes as often as the others: chi-squared below the
// bound that chance passes once in a million times.
func TestSeededDiceAreFair(t *testing.T) {
	bounds := map[int]int{2: 24, 3: 28, 6: 36, 8: 41, 10: 45}
	for sides, bound := range bounds {
		d := NewSeededDice([]byte("fair"), "g", sides, sha256.Sum256(nil))
		const rolls = 60_000
		count := make([]int, sides+1)
		for range rolls {
			n := d.Roll(sides, forTest)
			if n < 1 || n > sides {
				t.Fatalf("a die of %d sides shows %d", sides, n)
			}
			count[n]++
		}
		chi := 0 // times rolls, so that it stays a whole number
		for _, n := range count[1:] {
			off := n*sides - rolls
			chi += off * off / sides
		}
		if chi > bound*rolls {
			t.Errorf("die of %d sides: %v", sides, count[1:])
		}
	}
}

func TestFixedDiceNoteFaults(t *testing.T) {
	d := &FixedDice{Results: []int{4, 7}}
	if n := d.Roll(6, forTest); n != 4 || len(d.Faults) != 0 {
		t.Errorf("first roll %d, faults %v", n, d.Faults)
	}
	d.Roll(6, forTest)
	d.Roll(6, forTest)
	if len(d.Faults) != 2 || d.Used != 3 {
		t.Errorf("used %d, faults %v; want 3 and two faults", d.Used, d.Faults)
	}
}

func TestRecorderRemembersPurposes(t *testing.T) {
	r := &Recorder{Dice: &FixedDice{Results: []int{3}}}
	r.Roll(6, phrase.Say("morale", phrase.Name("unit", "unit", "F-07")))
	if len(r.Rolls) != 1 || r.Rolls[0].Result != 3 || r.Rolls[0].Sides != 6 || r.Rolls[0].Purpose.Code != "morale" {
		t.Errorf("recorded %+v", r.Rolls)
	}
}

func TestEventIsToldToThoseNamed(t *testing.T) {
	e := Event{Tellings: []Telling{
		{To: []Side{"french"}, Say: phrase.Say("full")},
		{To: []Side{"allied"}, Say: phrase.Say("blocks")},
	}}
	if say, ok := e.For("allied"); !ok || say.Code != "blocks" {
		t.Errorf("the Allies are told %v, %v", say, ok)
	}
	if say, ok := e.For("prussian"); ok {
		t.Errorf("the Prussians are told %v", say)
	}
}
