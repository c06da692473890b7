package swissoracle

import (
	"cmp"
	"slices"
)

// combinations calls f with each choice of k of the numbers 0 to n-1, ascending inside a
// choice and the choices in lexicographic order, until f says stop. f must not keep what
// it is given.
func combinations(n, k int, f func([]int) (stop bool)) {
	choice := make([]int, k)
	var fill func(at, from int) bool
	fill = func(at, from int) bool {
		if at == k {
			return f(choice)
		}
		for i := from; i <= n-(k-at); i++ {
			choice[at] = i
			if fill(at+1, i+1) {
				return true
			}
		}
		return false
	}
	fill(0, 0)
}

// transpositions calls f with each ordered choice of k of the numbers 0 to n-1 in
// lexicographic order: the orders of S2 as far as they differ for an S1 of k players
// [4.2]. enter is asked before the choice grows by the number at the place; where it says
// no, all choices that begin so are left out. It ends when f says stop.
func transpositions(n, k int, enter func(place, number int) bool, f func([]int) (stop bool)) {
	choice, used := make([]int, 0, k), make([]bool, n)
	var fill func() bool
	fill = func() bool {
		if len(choice) == k {
			return f(choice)
		}
		for i := range n {
			if used[i] || !enter(len(choice), i) {
				continue
			}
			used[i], choice = true, append(choice, i)
			if fill() {
				return true
			}
			used[i], choice = false, choice[:len(choice)-1]
		}
		return false
	}
	fill()
}

// exchange swaps players between the original S1 and S2 by their numbers in the bracket
// (BSN), each list ascending [4.3].
type exchange struct{ out, in []int }

// exchanges lists every exchange of k players where S1 has the numbers 0 to s1-1 and S2
// those from s1 to n-1, in the order of 4.3.2.
func exchanges(n, s1, k int) []exchange {
	var all []exchange
	combinations(s1, k, func(out []int) bool {
		gone := slices.Clone(out)
		combinations(n-s1, k, func(chosen []int) bool {
			in := slices.Clone(chosen)
			for i := range in {
				in[i] += s1
			}
			all = append(all, exchange{gone, in})
			return false
		})
		return false
	})
	slices.SortFunc(all, func(a, b exchange) int {
		return cmp.Or(
			cmp.Compare(sum(a.in)-sum(a.out), sum(b.in)-sum(b.out)),
			comparePlaces(b.out, a.out, true),
			comparePlaces(a.in, b.in, false),
		)
	})
	return all
}

// comparePlaces compares two ascending lists of one length by the first place at which
// they differ, from the end or from the beginning.
func comparePlaces(a, b []int, fromEnd bool) int {
	for i := range a {
		j := i
		if fromEnd {
			j = len(a) - 1 - i
		}
		if c := cmp.Compare(a[j], b[j]); c != 0 {
			return c
		}
	}
	return 0
}

// apply gives the numbers of S1 and S2 after the exchange, each in order.
func (e exchange) apply(n, s1 int) (first, second []int) {
	for i := range n {
		moved := slices.Contains(e.out, i) || slices.Contains(e.in, i)
		if (i < s1) != moved {
			first = append(first, i)
		} else {
			second = append(second, i)
		}
	}
	return first, second
}

func sum(numbers []int) (total int) {
	for _, n := range numbers {
		total += n
	}
	return total
}
