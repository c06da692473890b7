package story

import (
	"math/rand/v2"
	"testing"
)

// The share of games is that which is found by rolling all outcomes of a few unequal dice one
// after the other.
func TestOddsAreThoseOfAllOutcomes(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		var all []Dice
		rolled := 0
		for rolled < 2 || len(all) < 2 {
			d := Dice{Rolled: 1 + chance.IntN(2), Need: chance.IntN(7), Faces: 6}
			all, rolled = append(all, d), rolled+d.Rolled
		}
		var needs []int
		expected := 0
		for _, d := range all {
			for range d.Rolled {
				needs = append(needs, d.Need)
				expected += d.Need // in sixths
			}
		}
		for good := 0; good <= rolled; good++ {
			better, count, outcomes := good*6 >= expected, 0, 1
			for range needs {
				outcomes *= 6
			}
			for o := range outcomes {
				n, rest := 0, o
				for _, need := range needs {
					if rest%6 < need {
						n++
					}
					rest /= 6
				}
				if better && n >= good || !better && n <= good {
					count++
				}
			}
			want := 0
			if count > 0 {
				want = (2*outcomes + count) / (2 * count)
			}
			if games, b := Odds(all, good); games != want || b != better {
				t.Fatalf("%v, %d good: one in %d (better: %v), want one in %d (%v)", all, good, games, b, want, better)
			}
		}
	}
}

// Ten sixes of ten dice come once in 6^10 games; a hundred coins fall on heads sixty times or
// more in one game of 35, and forty times or less as often.
func TestOddsOfWhatIsKnown(t *testing.T) {
	for _, c := range []struct {
		dice   []Dice
		good   int
		games  int
		better bool
	}{
		{[]Dice{{10, 1, 6}}, 10, 60466176, true},
		{[]Dice{{100, 3, 6}}, 60, 35, true},
		{[]Dice{{100, 1, 2}}, 40, 35, false},
		{[]Dice{{50, 3, 6}, {50, 1, 2}}, 40, 35, false},
		{[]Dice{{1, 6, 6}}, 1, 1, true},
		{[]Dice{{1, 0, 6}}, 0, 1, true},
		{[]Dice{{1, 0, 6}}, 1, 0, true},
		{[]Dice{{400, 1, 6}}, 400, mostGames, true},
		{nil, 0, 0, false},
		{[]Dice{{MostDice + 1, 1, 6}}, 3, 0, false},
		{[]Dice{{1, 7, 6}}, 1, 0, false},
	} {
		if games, better := Odds(c.dice, c.good); games != c.games || better != c.better {
			t.Errorf("%v, %d good: one in %d (better: %v), want one in %d (%v)", c.dice, c.good, games, better, c.games, c.better)
		}
	}
}

// What is to be expected is rounded once, to a tenth, halves upwards.
func TestExpectedTenths(t *testing.T) {
	for _, c := range []struct {
		dice []Dice
		want int
	}{{[]Dice{{1, 1, 6}}, 2}, {[]Dice{{3, 1, 6}}, 5}, {[]Dice{{1, 1, 20}}, 1}, {[]Dice{{1, 1, 21}}, 0}, {[]Dice{{7, 2, 6}, {5, 3, 6}}, 48}, {nil, 0}} {
		if got := tenths(c.dice); got != c.want {
			t.Errorf("%v: %d, want %d", c.dice, got, c.want)
		}
	}
}
