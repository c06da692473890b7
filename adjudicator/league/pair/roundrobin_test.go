package pair

import (
	"fmt"
	"slices"
	"testing"
)

// brute counts meetings and sides one by one, and says what a round robin of n must hold.
func brute(rounds []Round, n int) error {
	want := n - 1
	if n%2 == 1 {
		want = n
	}
	if len(rounds) != want {
		return fmt.Errorf("%d rounds, not %d", len(rounds), want)
	}
	met := make([][]int, n)
	for i := range met {
		met[i] = make([]int, n)
	}
	first, games, byes := make([]int, n), make([]int, n), make([]int, n)
	for r, round := range rounds {
		var here []int
		for _, p := range round.Pairings {
			met[p.First][p.Second]++
			met[p.Second][p.First]++
			first[p.First]++
			games[p.First]++
			games[p.Second]++
			here = append(here, p.First, p.Second)
		}
		for _, b := range round.Byes {
			byes[b]++
			here = append(here, b)
		}
		slices.Sort(here)
		if len(here) != n || len(slices.Compact(here)) != n {
			return fmt.Errorf("in round %d somebody is missing or there twice: %v", r+1, round)
		}
	}
	for i := range n {
		for j := range n {
			if i != j && met[i][j] != 1 || i == j && met[i][j] != 0 {
				return fmt.Errorf("%d and %d meet %d times", i, j, met[i][j])
			}
		}
		if d := 2*first[i] - games[i]; d < -1 || d > 1 {
			return fmt.Errorf("%d has the first side in %d games of %d", i, first[i], games[i])
		}
		if byes[i] != n%2 {
			return fmt.Errorf("%d has %d byes", i, byes[i])
		}
	}
	return nil
}

func TestRoundRobin(t *testing.T) {
	for n := 2; n <= 40; n++ {
		for _, turned := range []bool{false, true} {
			rounds, err := RoundRobin(n, turned)
			if err == nil {
				err = brute(rounds, n)
			}
			if err != nil {
				t.Errorf("%d members, turned %v: %v", n, turned, err)
			}
		}
		rounds, _ := RoundRobin(n, false)
		turned, _ := RoundRobin(n, true)
		for r := range rounds {
			for k, p := range rounds[r].Pairings {
				if turned[r].Pairings[k] != p.Exchanged() {
					t.Errorf("%d members, round %d: %v is not turned", n, r+1, p)
				}
			}
		}
	}
	for _, n := range []int{-1, 0, 1, MostMembers + 1} {
		if _, err := RoundRobin(n, false); err == nil {
			t.Errorf("a round robin of %d", n)
		}
	}
}

// TestBerger is FIDE's table for 7 or 8 (Handbook C.05, annex 1), rounds 1 to 3.
func TestBerger(t *testing.T) {
	rounds, _ := RoundRobin(8, false)
	for r, want := range [][]Pairing{
		{{0, 7}, {1, 6}, {2, 5}, {3, 4}},
		{{7, 4}, {5, 3}, {6, 2}, {0, 1}},
		{{1, 7}, {2, 0}, {3, 6}, {4, 5}},
	} {
		if !slices.Equal(rounds[r].Pairings, want) {
			t.Errorf("round %d: %v", r+1, rounds[r].Pairings)
		}
	}
}

// TestBrute: the checker finds what is wrong.
func TestBrute(t *testing.T) {
	for _, spoil := range []func([]Round) []Round{
		func(r []Round) []Round { return r[1:] },
		func(r []Round) []Round { r[0] = r[1]; return r },
		func(r []Round) []Round { r[0].Pairings = r[0].Pairings[1:]; return r },
		func(r []Round) []Round {
			for i := range r {
				for k, p := range r[i].Pairings {
					r[i].Pairings[k] = Pairing{min(p.First, p.Second), max(p.First, p.Second)}
				}
			}
			return r
		},
	} {
		rounds, _ := RoundRobin(6, false)
		if brute(spoil(rounds), 6) == nil {
			t.Error("a spoilt round robin was taken")
		}
	}
}
