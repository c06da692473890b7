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

// Every face of every die comes as often as the others, and so does every pair of
// faces that follow each other: chi-squared over a million rolls stays below the
// bound that chance passes once in a million times. The rolls are those of many
// stops, as a game has them: ten of each.
func TestSeededDiceAreFair(t *testing.T) {
	bounds := map[int][2]int{ // of faces, of pairs: degrees of freedom s-1 and s²-1
		2: {24, 31}, 3: {28, 43}, 6: {36, 85}, 8: {41, 125}, 10: {45, 176},
	}
	for _, sides := range []int{2, 3, 6, 8, 10} {
		const stops, each = 100_000, 10
		faces, pairs := make([]int, sides), make([]int, sides*sides)
		for stop := range stops {
			d := NewSeededDice([]byte("fair"), "g", stop, sha256.Sum256([]byte{byte(stop), byte(stop >> 8), byte(sides)}))
			for range each / 2 {
				a, b := d.Roll(sides, forTest), d.Roll(sides, forTest)
				if a < 1 || a > sides || b < 1 || b > sides {
					t.Fatalf("a die of %d sides shows %d, %d", sides, a, b)
				}
				faces[a-1]++
				faces[b-1]++
				pairs[(a-1)*sides+b-1]++
			}
		}
		for i, counts := range [][]int{faces, pairs} {
			if chi, scale := chiSquared(counts); chi > bounds[sides][i]*scale {
				t.Errorf("die of %d sides: chi-squared %d/%d over %d, bound %d: %v", sides, chi, scale, len(counts), bounds[sides][i], counts)
			}
		}
	}
}

// chiSquared is how far counts are from being the same, times scale, so that it
// stays a whole number.
func chiSquared(counts []int) (chi, scale int) {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	for _, n := range counts {
		off := n*len(counts) - sum
		chi += off * off
	}
	return chi, sum * len(counts)
}

// Replaced rolls leave the others as they are; a result that the die does not
// have is noted and changes nothing.
func TestRuledDice(t *testing.T) {
	seeded := func() Dice { return NewSeededDice([]byte("seed"), "ligny-7", 12, sha256.Sum256([]byte("orders"))) }
	plain := seeded()
	ruled := &RuledDice{Dice: seeded(), Results: map[int]int{2: 6, 4: 7}}
	for i := 1; i <= 6; i++ {
		want, got := plain.Roll(6, forTest), ruled.Roll(6, forTest)
		if i == 2 {
			want = 6
		}
		if got != want {
			t.Errorf("roll %d is %d, not %d", i, got, want)
		}
	}
	if len(ruled.Faults) != 1 || ruled.Rolled() != 6 {
		t.Errorf("faults %q, %d rolls", ruled.Faults, ruled.Rolled())
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
