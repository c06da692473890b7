package story

import "math/big"

// Dice are rolls of one kind: each is good with some of its faces.
type Dice struct {
	Rolled int
	Need   int // faces that are good
	Faces  int
}

// MostDice is how many dice [Odds] takes. With more it says nothing, since it counts exactly
// and the numbers would grow too long.
const MostDice = 2000

// Odds tells in which share of games dice are as good as they were, or better; or as bad, or
// worse, if fewer were good than was to be expected: in one of so many. It tells which of both
// it counted. The number is 0 if nothing can be said: no die was rolled, or too many were.
//
// It counts the outcomes themselves, in whole numbers. A die with k good faces of f is the sum
// (f-k) + k·x: the coefficient of x is in how many of its outcomes it is good. For dice of
// unequal chance as for equal ones the product of all their sums then has, before the n-th
// power of x, in how many of all outcomes n of the dice are good. For equal dice that is the
// binomial distribution. The share of the outcomes that count is rounded only when it is told.
func Odds(all []Dice, good int) (games int, better bool) {
	ways, total := outcomes(all)
	if ways == nil {
		return 0, false
	}
	better = atLeastExpected(all, good)
	count := new(big.Int)
	for got := range ways {
		if better && got >= good || !better && got <= good {
			count.Add(count, ways[got])
		}
	}
	if count.Sign() == 0 {
		return 0, better // it can't be: more were good than were rolled
	}
	total.Lsh(total, 1).Add(total, count) // rounded: (2·total + count) / (2·count)
	share := total.Quo(total, count.Lsh(count, 1))
	if !share.IsInt64() || share.Int64() > mostGames {
		return mostGames, better
	}
	return int(share.Int64()), better
}

// mostGames is the largest number of games that is told: what is rarer is as rare as that.
const mostGames = 1_000_000_000

// outcomes gives in how many outcomes so many dice are good, by their number, and how many
// outcomes there are; nil if there are no dice, too many, or some that can't be.
func outcomes(all []Dice) ([]*big.Int, *big.Int) {
	rolled := 0
	for _, d := range all {
		if d.Rolled < 0 || d.Need < 0 || d.Faces < 1 || d.Need > d.Faces {
			return nil, nil
		}
		rolled += d.Rolled
	}
	if rolled == 0 || rolled > MostDice {
		return nil, nil
	}
	ways, total := []*big.Int{big.NewInt(1)}, big.NewInt(1)
	var more big.Int
	for _, d := range all {
		bad, good, faces := big.NewInt(int64(d.Faces-d.Need)), big.NewInt(int64(d.Need)), big.NewInt(int64(d.Faces))
		for range d.Rolled {
			ways = append(ways, new(big.Int))
			for i := len(ways) - 1; i > 0; i-- { // from above, so that each is made of what was there before
				ways[i].Mul(ways[i], bad).Add(ways[i], more.Mul(ways[i-1], good))
			}
			ways[0].Mul(ways[0], bad)
			total.Mul(total, faces)
		}
	}
	return ways, total
}

// atLeastExpected tells whether no fewer dice were good than was to be expected.
func atLeastExpected(all []Dice, good int) bool {
	expected := new(big.Rat)
	for _, d := range all {
		expected.Add(expected, big.NewRat(int64(d.Rolled)*int64(d.Need), int64(d.Faces)))
	}
	return expected.Cmp(big.NewRat(int64(good), 1)) <= 0
}

// tenths is how many good dice were to be expected, in tenths, rounded.
func tenths(all []Dice) int {
	expected := new(big.Rat)
	for _, d := range all {
		expected.Add(expected, big.NewRat(int64(d.Rolled)*int64(d.Need)*20, int64(d.Faces)))
	}
	expected.Add(expected, big.NewRat(1, 1)) // half a tenth, so that the quotient rounds
	q := new(big.Int).Quo(expected.Num(), expected.Denom())
	return int(q.Int64() / 2)
}
