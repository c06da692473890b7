package swissoracle

import (
	"fmt"
	"math/bits"
	"slices"
)

// search looks for the best candidate of a bracket. Players are their places in it: its
// in-bracket sequence numbers (BSN) less one [4.1].
type search struct {
	n, mdps int
	allowed []set      // whom each may meet here
	pair    [][]weight // what a pair fails
	alone   []weight   // what a downfloater fails
	downs   []set      // the best sets of downfloaters
	budget  weight     // what the best candidate fails
	found   map[set]weight
	floor   map[set]weight // sets that are known to weigh at least so much
}

// pair pairs a bracket [3]. It gives the pairs, who ranks higher first, and the
// downfloaters.
func (r *round) pair(b bracket) ([][2]int, set, error) {
	players, sets := b.players(), r.chosen(b)
	if len(sets) == 0 {
		return nil, 0, fmt.Errorf("no candidate of the bracket of %d points complies with C1 to C5", r.all[b.residents[0]].score)
	}
	s := r.weigh(b, players)
	for _, down := range sets {
		var places set
		for i, p := range players {
			if down.has(p) {
				places |= 1 << i
			}
		}
		s.downs = append(s.downs, places)
	}
	s.budget = forbidden
	for _, down := range s.downs {
		if w := s.floating(down).plus(s.cheapest(s.everybody()&^down, s.budget)); w.less(s.budget) {
			s.budget = w
		}
	}
	pairs, down := s.first()
	games := make([][2]int, len(pairs))
	for i, p := range pairs {
		games[i] = [2]int{players[min(p[0], p[1])], players[max(p[0], p[1])]}
	}
	var floats set
	for i, p := range players {
		if down.has(i) {
			floats |= 1 << p
		}
	}
	return games, floats, nil
}

// weigh turns the failures of all pairs and downfloaters into weights.
func (r *round) weigh(b bracket, players []int) *search {
	n := len(players)
	s := &search{n: n, mdps: len(b.mdps), allowed: make([]set, n), pair: make([][]weight, n),
		alone: make([]weight, n), found: map[set]weight{}, floor: map[set]weight{}}
	within := r.meetings(b)
	pairs, alone := make([][]failure, n), make([]failure, n)
	var scale digits
	for i, p := range players {
		s.pair[i], pairs[i] = make([]weight, n), make([]failure, n)
		alone[i] = r.aloneFails(b, p)
		scale.see(alone[i])
		for j := range i {
			if within[p].has(players[j]) {
				s.allowed[i] |= 1 << j
				s.allowed[j] |= 1 << i
				pairs[i][j] = r.pairFails(b, players[j], p)
				scale.see(pairs[i][j])
			}
		}
	}
	scale.place(n)
	for i := range n {
		s.alone[i] = scale.weigh(alone[i])
		for j := range i {
			s.pair[i][j] = scale.weigh(pairs[i][j])
			s.pair[j][i] = s.pair[i][j]
		}
	}
	return s
}

// digits says where each criterion stands in a weight: those that nobody fails have no
// digits. A list of differences is as many numbers as there are different ones, the
// greatest first, for lists of one length compare as those numbers do.
type digits struct {
	counts      [8]bool
	differences [4][]int
	countAt     [8]int
	differAt    [4][]int
}

func (d *digits) see(f failure) {
	for i, n := range f.counts {
		d.counts[i] = d.counts[i] || n > 0
	}
	for i, list := range f.differences {
		for _, n := range list {
			if !slices.Contains(d.differences[i], n) {
				d.differences[i] = append(d.differences[i], n)
			}
		}
	}
}

func (d *digits) place(players int) {
	at, width := 0, bits.Len(uint(players))
	for i := 3; i >= 0; i-- {
		slices.Sort(d.differences[i])
		for range d.differences[i] {
			d.differAt[i] = append(d.differAt[i], at)
			at += width
		}
	}
	for i := 7; i >= 0; i-- {
		d.countAt[i] = at
		if d.counts[i] {
			at += width
		}
	}
	if at > weightBits {
		panic("the criteria of this bracket do not fit a weight")
	}
}

func (d *digits) weigh(f failure) (w weight) {
	for i, n := range f.counts {
		if n > 0 {
			w = w.plus(digit(n, d.countAt[i]))
		}
	}
	for i, list := range f.differences {
		for _, n := range list {
			w = w.plus(digit(1, d.differAt[i][slices.Index(d.differences[i], n)]))
		}
	}
	return w
}

func (s *search) everybody() set {
	if s.n == 64 {
		return ^set(0)
	}
	return 1<<s.n - 1
}

// floating is what a set of downfloaters fails.
func (s *search) floating(down set) (w weight) {
	for ; down != 0; down &= down - 1 {
		w = w.plus(s.alone[bits.TrailingZeros64(uint64(down))])
	}
	return w
}

func (s *search) cost(i, j int) weight {
	if !s.allowed[i].has(j) {
		return forbidden
	}
	return s.pair[i][j]
}

// cheapest weighs the best pairing of all players of the set, or gives the limit if none
// is below it. A pairing is an assignment in which each player has the player who has
// him; the best assignment of any kind weighs at most twice as much. Where it has no round
// of odd length, it can be taken apart into a pairing that weighs half of it. Else one
// player of such a round is tried with each of the others.
func (s *search) cheapest(who set, limit weight) weight {
	if who == 0 {
		if (weight{}).less(limit) {
			return weight{}
		}
		return limit
	}
	if w, ok := s.found[who]; ok {
		if w.less(limit) {
			return w
		}
		return limit
	}
	if w, ok := s.floor[who]; ok && !w.less(limit) {
		return limit
	}
	var players []int
	for rest := who; rest != 0; rest &= rest - 1 {
		players = append(players, bits.TrailingZeros64(uint64(rest)))
	}
	total, has := assign(len(players), func(i, j int) weight { return s.cost(players[i], players[j]) })
	if low := total.half(); !total.less(forbidden) || !low.less(limit) {
		s.floor[who] = low
		return limit
	}
	odd := oddRound(has)
	if odd < 0 {
		s.found[who] = total.half()
		return total.half()
	}
	best, one := limit, players[odd]
	for rest := who & s.allowed[one]; rest != 0; rest &= rest - 1 {
		other := bits.TrailingZeros64(uint64(rest))
		if left := best.minus(s.pair[one][other]); left.hi >= 0 {
			if w := s.cheapest(who&^(1<<one|1<<other), left); w.less(left) {
				best = w.plus(s.pair[one][other])
			}
		}
	}
	if best.less(limit) {
		s.found[who] = best
	} else {
		s.floor[who] = limit
	}
	return best
}

// oddRound is somebody in a round of odd length, -1 if there is none.
func oddRound(has []int) int {
	seen := make([]bool, len(has))
	for i := range has {
		length := 0
		for j := i; !seen[j]; j = has[j] {
			seen[j] = true
			length++
		}
		if length%2 == 1 {
			return i
		}
	}
	return -1
}
