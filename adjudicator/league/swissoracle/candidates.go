package swissoracle

import (
	"slices"
)

// first takes the candidates in their order and gives the first that fails no more than
// the best must: a choice of MDPs for S1 [4.4], for each the transpositions of S2 [4.2],
// for each the candidates of the remainder [3.7]. In a homogeneous bracket all players are
// the remainder [3.6].
func (s *search) first() (pairs [][2]int, down set) {
	residents := s.n - s.mdps
	above := set(1)<<s.mdps - 1
	m1 := s.mdps - (s.downs[0] & above).size()
	combinations(s.mdps, m1, func(s1 []int) bool {
		limbo := above &^ setOf(s1)
		var downs []set
		for _, d := range s.downs {
			if d&above == limbo {
				downs = append(downs, d)
			}
		}
		spent, left := make([]weight, m1+1), make([]set, m1+1)
		left[0] = s.everybody() &^ limbo
		transpositions(residents, m1, func(at, number int) bool {
			mdp, resident := s1[at], s.mdps+number
			if !s.allowed[mdp].has(resident) {
				return false
			}
			spent[at+1] = spent[at].plus(s.pair[mdp][resident])
			left[at+1] = left[at] &^ (1<<mdp | 1<<resident)
			return s.reachable(spent[at+1], left[at+1], downs)
		}, func(s2 []int) bool {
			var remainder []int
			for i := range residents {
				if !slices.Contains(s2, i) {
					remainder = append(remainder, s.mdps+i)
				}
			}
			rest, floats, ok := s.remainder(remainder, spent[m1], downs)
			if ok {
				for i, number := range s2 {
					pairs = append(pairs, [2]int{s1[i], s.mdps + number})
				}
				pairs, down = append(pairs, rest...), floats
			}
			return ok
		})
		return pairs != nil || m1 == 0 && s.done(down)
	})
	return pairs, down
}

// done says whether a bracket without any pair has its downfloaters.
func (s *search) done(down set) bool { return down == s.everybody() }

// reachable says whether the players left can be paired, but for one of the sets of
// downfloaters, so that the whole fails no more than the best candidate.
func (s *search) reachable(spent weight, left set, downs []set) bool {
	for _, d := range downs {
		whole := spent.plus(s.floating(d))
		if d&^left&^(1<<s.mdps-1) != 0 || s.budget.less(whole) {
			continue // a downfloater is paired already
		}
		room := s.budget.minus(whole).plus(weight{lo: 1})
		if s.cheapest(left&^d, room).less(room) {
			return true
		}
	}
	return false
}

// remainder takes the candidates of a homogeneous bracket or a remainder in their order:
// first all transpositions of S2, then the same after each exchange [3.6, 4.3].
func (s *search) remainder(players []int, spent weight, downs []set) (pairs [][2]int, down set, ok bool) {
	all := setOf(players)
	var possible []set
	for _, d := range downs {
		if d&^all&^(1<<s.mdps-1) == 0 {
			possible = append(possible, d)
		}
	}
	if len(possible) == 0 {
		return nil, 0, false
	}
	n := len(players)
	m := (n - (possible[0] & all).size()) / 2
	for k := 0; k <= min(m, n-m); k++ {
		for _, e := range exchanges(n, m, k) {
			first, second := e.apply(n, m)
			for i := range first {
				first[i] = players[first[i]]
			}
			for i := range second {
				second[i] = players[second[i]]
			}
			if pairs, down, ok = s.transposed(first, second, spent, possible); ok {
				return pairs, down, true
			}
		}
	}
	return nil, 0, false
}

// transposed takes the transpositions of S2 in their order.
func (s *search) transposed(s1, s2 []int, spent weight, downs []set) (pairs [][2]int, down set, ok bool) {
	if !s.assignable(s1, setOf(s2), spent, downs) {
		return nil, 0, false
	}
	paid, left := make([]weight, len(s1)+1), make([]set, len(s1)+1)
	paid[0], left[0] = spent, setOf(s2)
	transpositions(len(s2), len(s1), func(at, number int) bool {
		one, other := s1[at], s2[number]
		if !s.allowed[one].has(other) {
			return false
		}
		paid[at+1] = paid[at].plus(s.pair[one][other])
		left[at+1] = left[at] &^ (1 << other)
		return s.assignable(s1[at+1:], left[at+1], paid[at+1], downs)
	}, func(order []int) bool {
		ok = true
		for i, number := range order {
			pairs = append(pairs, [2]int{s1[i], s2[number]})
		}
		for _, d := range downs {
			if d&^(1<<s.mdps-1) == left[len(s1)] {
				down = d
			}
		}
		return true
	})
	return pairs, down, ok
}

// assignable says whether these players of S1 can be paired with the players of S2 that
// are left, but for one of the sets of downfloaters, so that the whole fails no more than
// the best candidate.
func (s *search) assignable(s1 []int, left set, spent weight, downs []set) bool {
	for _, d := range downs {
		whole := spent.plus(s.floating(d))
		floating := d &^ (1<<s.mdps - 1)
		if floating&^left != 0 || s.budget.less(whole) {
			continue
		}
		var s2 []int
		for i := range s.n {
			if (left &^ floating).has(i) {
				s2 = append(s2, i)
			}
		}
		if len(s2) != len(s1) {
			continue
		}
		total, _ := assign(len(s1), func(i, j int) weight { return s.cost(s1[i], s2[j]) })
		if !s.budget.less(whole.plus(total)) {
			return true
		}
	}
	return false
}
