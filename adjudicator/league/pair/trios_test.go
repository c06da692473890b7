package pair

import (
	"reflect"
	"slices"
	"testing"
)

// lcg draws numbers that are the same everywhere.
func lcg(seed uint32) func(int) int {
	return func(n int) int {
		seed = seed*1664525 + 1013904223
		return int(uint64(seed>>8) * uint64(n) >> 24)
	}
}

// checkTrios holds what is true of all rounds of three.
func checkTrios(t *testing.T, n int, rounds []TrioRound) {
	t.Helper()
	byes := make([]int, n)
	for r, round := range rounds {
		here := slices.Clone(round.Byes)
		for _, b := range round.Byes {
			byes[b]++
		}
		for _, trio := range round.Trios {
			here = append(here, trio[:]...)
		}
		slices.Sort(here)
		if len(here) != n || len(slices.Compact(here)) != n || len(round.Byes) != n%3 {
			t.Errorf("%d members, round %d: somebody is missing or there twice: %v", n, r+1, round)
		}
	}
	if slices.Max(byes) > slices.Min(byes)+1 {
		t.Errorf("%d members: byes %v", n, byes)
	}
}

func TestTriosByDesign(t *testing.T) {
	for n, rounds := range map[int]int{9: 4, 15: 7, 21: 10} {
		got, err := Trios(n, rounds, lcg(1))
		if err != nil {
			t.Fatal(err)
		}
		checkTrios(t, n, got)
		d := Deviate(n, got)
		if d.MostMet != 1 || d.LeastMet != 1 || d.MostPower-d.LeastPower > 1 {
			t.Errorf("%d members: %+v", n, d)
		}
		twice, _ := Trios(n, 2*rounds, lcg(1))
		checkTrios(t, n, twice)
		if d := Deviate(n, twice); d.MostMet != 2 || d.LeastMet != 2 {
			t.Errorf("%d members, twice: %+v", n, d)
		}
	}
}

func TestTriosBySearch(t *testing.T) {
	for n := 3; n <= 24; n++ {
		rounds := max(1, (n-1)/2)
		got, err := Trios(n, rounds, lcg(uint32(n)))
		if err != nil {
			t.Fatal(err)
		}
		checkTrios(t, n, got)
		d := Deviate(n, got)
		if n > 6 && d.MostMet > 2 || d.MostPower-d.LeastPower > 2 {
			t.Errorf("%d members, %d rounds: %+v", n, rounds, d)
		}
		if again, _ := Trios(n, rounds, lcg(uint32(n))); !reflect.DeepEqual(again, got) {
			t.Errorf("%d members: the same seed gives other rounds", n)
		}
	}
	for _, c := range [][2]int{{2, 1}, {MostMembers + 1, 1}, {9, 0}, {9, MostMembers + 1}} {
		if _, err := Trios(c[0], c[1], lcg(1)); err == nil {
			t.Errorf("%d members, %d rounds were taken", c[0], c[1])
		}
	}
}
