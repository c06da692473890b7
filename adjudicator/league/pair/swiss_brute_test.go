package pair

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
)

// The rules read literally, for few players: all candidates of a bracket are made in the
// order in which the rules make them, each is judged whole, and the first of the best is
// taken. No matching of greatest weight, no digits.

// literal is a round on its way.
type literal struct {
	Swiss
	byeScore int64 // of the player who gets the bye by C5; -1 if nobody does
}

// may is C1 and C3.
func (l literal) may(a, b *standing) bool {
	for _, met := range a.met {
		if met == b.number {
			return false
		}
	}
	bothWant := func(c Colour) bool {
		return a.strength == absolute && b.strength == absolute && a.wants == c && b.wants == c
	}
	if !a.top && !b.top && (bothWant(First) || bothWant(Second)) {
		return false
	}
	return true
}

// completions gives the lowest score with a bye in any way to pair all of a list, in which
// those marked stuck don't meet each other; -1 if nobody is left over, and -2 if there is no way.
func (l literal) completions(all []standing, stuck int) int64 {
	best := int64(-2)
	var try func(left []int, bye int64)
	try = func(left []int, bye int64) {
		if len(left) == 0 {
			if best == -2 || bye < best {
				best = bye
			}
			return
		}
		i := left[0]
		if len(left)%2 == 1 && bye == -1 && !all[i].hadBye {
			try(left[1:], all[i].score)
		}
		for k := 1; k < len(left); k++ {
			j := left[k]
			if (i >= stuck || j >= stuck) && l.may(&all[i], &all[j]) {
				rest := slices.Concat(left[1:k], left[k+1:])
				try(rest, bye)
			}
		}
	}
	indices := make([]int, len(all))
	for i := range all {
		indices[i] = i
	}
	try(indices, -1)
	return best
}

// candidate is pairs within a bracket, by places, sorted.
type candidate []Pairing

func (c candidate) key() string {
	sorted := slices.Clone(c)
	slices.SortFunc(sorted, func(a, b Pairing) int { return cmp.Compare(a.First, b.First) })
	return fmt.Sprint(sorted)
}

// matchings calls f with every set of pairs among the first size of all, of whom the first
// moved don't meet each other.
func (l literal) matchings(all []standing, moved, size int, f func(candidate)) {
	var try func(i int, used []bool, pairs candidate)
	try = func(i int, used []bool, pairs candidate) {
		if i == size {
			f(slices.Clone(pairs))
			return
		}
		try(i+1, used, pairs)
		if used[i] {
			return
		}
		for j := max(i+1, moved); j < size; j++ {
			if !used[j] && l.may(&all[i], &all[j]) {
				used[i], used[j] = true, true
				try(i+1, used, append(pairs, Pairing{i, j}))
				used[i], used[j] = false, false
			}
		}
	}
	try(0, make([]bool, size), nil)
}

// down gives the places of a bracket without a pair, and the players of all who are left.
func down(all []standing, size int, c candidate) (places []int, left []standing) {
	for i := range all {
		if i >= size || !slices.ContainsFunc(c, func(p Pairing) bool { return p.First == i || p.Second == i }) {
			if i < size {
				places = append(places, i)
			}
			left = append(left, all[i])
		}
	}
	return places, left
}

// failures gives what a candidate fails in, criterion after criterion; less is better. It
// gives nil if the rest can't be paired, or not with the right bye [C4, C5].
func (l literal) failures(all []standing, moved, size int, c candidate) []int64 {
	places, left := down(all, size, c)
	if l.completions(left, len(places)) != l.byeScore {
		return nil
	}
	v := []int64{int64(len(places))} // C6
	for i := range size {            // C7
		if i < len(places) {
			v = append(v, all[places[i]].score+1)
		} else {
			v = append(v, 0)
		}
	}
	v = append(v, l.nextFailures(left, len(places))...) // C8
	c9 := int64(0)
	if len(places) == 1 && l.byeScore == left[0].score {
		c9 = int64(left[0].unplayed)
	}
	v = append(v, c9)
	return append(v, l.quality(all, moved, c, places)...)
}

// nextFailures is C6 and C7 of the best that the next bracket can do.
func (l literal) nextFailures(left []standing, moved int) []int64 {
	size := moved
	for size < len(left) && left[size].score == left[moved].score {
		size++
	}
	var best []int64
	l.matchings(left, moved, size, func(c candidate) {
		places, after := down(left, size, c)
		if l.completions(after, len(places)) != l.byeScore {
			return
		}
		v := []int64{int64(len(places))}
		for i := range len(l.Players) {
			if i < len(places) {
				v = append(v, left[places[i]].score+1)
			} else {
				v = append(v, 0)
			}
		}
		if best == nil || slices.Compare(v, best) < 0 {
			best = v
		}
	})
	return best
}

// quality is C10 to C21.
func (l literal) quality(all []standing, moved int, c candidate, places []int) []int64 {
	var n [22]int64
	var lists [22][]int64
	for _, p := range c {
		high, low := &all[p.First], &all[p.Second]
		gets := l.colours(high, low)
		for k, x := range []*standing{high, low} {
			colour := gets
			if k == 1 {
				colour = -gets
			}
			if high.top || low.top {
				n[10] += int64(one(max(x.balance+int(colour), -x.balance-int(colour)) > 2))
				if m := len(x.colours); m >= 2 {
					n[11] += int64(one(x.colours[m-1] == colour && x.colours[m-2] == colour))
				}
			}
			n[12] += int64(one(x.strength > 0 && x.wants != colour))
			n[13] += int64(one(x.strength == strong && x.wants != colour))
		}
		if p.First < moved {
			for age := range 2 {
				n[15+2*age] += int64(one(low.floats[age] < 0))
				if high.floats[age] > 0 {
					lists[18+2*age] = append(lists[18+2*age], high.score-low.score)
				}
				if low.floats[age] < 0 {
					lists[19+2*age] = append(lists[19+2*age], high.score-low.score)
				}
			}
		}
	}
	for _, i := range places {
		for age := range 2 {
			if i >= moved {
				n[14+2*age] += int64(one(all[i].floats[age] > 0))
			} else if all[i].floats[age] > 0 {
				lists[18+2*age] = append(lists[18+2*age], 1_000_000)
			}
		}
	}
	v := n[10:18]
	for k := 18; k <= 21; k++ {
		slices.SortFunc(lists[k], func(a, b int64) int { return cmp.Compare(b, a) })
		list := make([]int64, len(all))
		copy(list, lists[k])
		v = append(slices.Clip(v), list...)
	}
	return v
}

// subsets gives all subsets of a size, in lexicographic order.
func subsets(of []int, size int) [][]int {
	if size == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for i := range of {
		for _, rest := range subsets(of[i+1:], size-1) {
			all = append(all, append([]int{of[i]}, rest...))
		}
	}
	return all
}

// arrangements calls f with every way to put n of a list in order, in lexicographic order,
// and the rest after them as they were, until it says stop.
func arrangements(of []int, n int, f func(first, rest []int) bool) bool {
	if n == 0 {
		return f(nil, of)
	}
	for i := range of {
		others := slices.Concat(of[:i], of[i+1:])
		if arrangements(others, n-1, func(first, rest []int) bool { return f(append([]int{of[i]}, first...), rest) }) {
			return true
		}
	}
	return false
}

// homogeneous tries the candidates of a homogeneous bracket or a remainder in their order
// [3.6, 4.2, 4.3], until f takes one. Players are their in-bracket sequence.
func homogeneous(players []int, n1 int, f func(candidate) bool) bool {
	s1, s2 := players[:n1], players[n1:]
	type exchange struct{ out, in []int } // by numbers from 1
	var exchanges []exchange
	number := func(p int) int { return slices.Index(players, p) + 1 }
	for size := 0; size <= min(len(s1), len(s2)); size++ {
		for _, out := range subsets(s1, size) {
			for _, in := range subsets(s2, size) {
				exchanges = append(exchanges, exchange{out, in})
			}
		}
	}
	slices.SortStableFunc(exchanges, func(a, b exchange) int {
		difference := func(e exchange) (d int) {
			for k := range e.out {
				d += number(e.in[k]) - number(e.out[k])
			}
			return d
		}
		// Subsets are in ascending order: the largest differing number out, the smallest in.
		largest := func(x, y []int) int {
			for k := len(x) - 1; k >= 0; k-- {
				if x[k] != y[k] {
					return cmp.Compare(y[k], x[k])
				}
			}
			return 0
		}
		if len(a.out) != len(b.out) {
			return cmp.Compare(len(a.out), len(b.out))
		}
		return cmp.Or(cmp.Compare(difference(a), difference(b)), largest(a.out, b.out), slices.Compare(a.in, b.in))
	})
	for _, e := range exchanges {
		up, low := slices.Clone(e.in), slices.Clone(e.out)
		for _, p := range s1 {
			if !slices.Contains(e.out, p) {
				up = append(up, p)
			}
		}
		for _, p := range s2 {
			if !slices.Contains(e.in, p) {
				low = append(low, p)
			}
		}
		slices.Sort(up)
		slices.Sort(low)
		if arrangements(low, n1, func(first, _ []int) bool {
			var c candidate
			for k, p := range up {
				c = append(c, Pairing{min(p, first[k]), max(p, first[k])})
			}
			return f(c)
		}) {
			return true
		}
	}
	return false
}

// bracket gives the pairs of a bracket by the rules.
func (l literal) bracket(all []standing, moved, size int) candidate {
	var best []int64
	good := map[string]candidate{}
	l.matchings(all, moved, size, func(c candidate) {
		v := l.failures(all, moved, size, c)
		switch {
		case v == nil:
		case best == nil || slices.Compare(v, best) < 0:
			best, good = v, map[string]candidate{c.key(): c}
		case slices.Equal(v, best):
			good[c.key()] = c
		}
	})
	if best == nil {
		return nil
	}
	pairs, m1 := 0, 0
	for _, c := range good {
		pairs, m1 = len(c), 0
		for _, p := range c {
			m1 += one(p.First < moved)
		}
	}
	var taken candidate
	take := func(c candidate) bool {
		if _, is := good[c.key()]; is {
			taken = c
			return true
		}
		return false
	}
	var downs, residents []int
	for i := range size {
		if i < moved {
			downs = append(downs, i)
		} else {
			residents = append(residents, i)
		}
	}
	for _, s1 := range subsets(downs, m1) { // in the order of 4.4
		if arrangements(residents, m1, func(first, rest []int) bool {
			var fixed candidate
			for k, i := range s1 {
				fixed = append(fixed, Pairing{i, first[k]})
			}
			return homogeneous(rest, pairs-m1, func(c candidate) bool { return take(slices.Concat(fixed, c)) })
		}) {
			break
		}
	}
	if taken == nil {
		taken = candidate{}
	}
	return taken
}

// pair gives the round, its pairings sorted, or false.
func (l literal) pair() (Round, bool) {
	left := l.standings()
	if l.byeScore = l.completions(left, 0); l.byeScore == -2 {
		return Round{}, false
	}
	var round Round
	moved := 0
	for len(left) > 0 {
		size := moved
		for size < len(left) && left[size].score == left[moved].score {
			size++
		}
		if size == moved { // only the bye is left
			break
		}
		c := l.bracket(left, moved, size)
		if c == nil {
			return Round{}, false
		}
		for _, p := range c {
			high, low := &left[p.First], &left[p.Second]
			if l.colours(high, low) == First {
				round.Pairings = append(round.Pairings, Pairing{high.number, low.number})
			} else {
				round.Pairings = append(round.Pairings, Pairing{low.number, high.number})
			}
		}
		places, rest := down(left, size, c)
		left, moved = rest, len(places)
	}
	for _, x := range left {
		round.Byes = append(round.Byes, x.number)
	}
	return round, true
}

// played adds a round to a tournament, with results by chance.
func played(s *Swiss, round Round, draw func(int) int) {
	rounds := len(s.Players[0].Past)
	past := make([]Past, len(s.Players))
	for i := range past {
		past[i] = Past{Against: -1}
		if s.Players[i].Absent && draw(3) == 0 {
			past[i].Scored = s.Win / 2
		}
	}
	for _, p := range round.Pairings {
		got := []int64{s.Win, s.Win / 2, 0}[draw(3)]
		if draw(4) > 0 && got != s.Win/2 { // mostly the stronger wins
			got = s.Win * int64(one(p.First < p.Second))
		}
		past[p.First] = Past{Against: p.Second, Colour: First, Scored: got}
		past[p.Second] = Past{Against: p.First, Colour: Second, Scored: s.Win - got}
		if draw(20) == 0 { // a forfeit: nobody has played
			past[p.First] = Past{Against: -1, Scored: s.Win}
			past[p.Second] = Past{Against: -1}
		}
	}
	for _, b := range round.Byes {
		past[b] = Past{Against: -1, Scored: s.Win}
	}
	for i := range s.Players {
		s.Players[i].Past = append(s.Players[i].Past[:rounds:rounds], past[i])
		s.Players[i].Absent = draw(25) == 0
	}
}

// sortedRound puts pairings in the order of numbers.
func sortedRound(r Round) Round {
	slices.SortFunc(r.Pairings, func(a, b Pairing) int { return cmp.Compare(a.First, b.First) })
	return r
}

// strange is a tournament whose rounds so far nobody has paired well: everybody has met
// anybody on any side. In some the same side always wins, so that all topscorers want the other.
func strange(n int, draw func(int) int) Swiss {
	s := Swiss{Players: make([]Player, n), Win: 2, Initial: First}
	biased := draw(2) == 0
	for range 1 + draw(4) {
		var round Round
		order := shuffled(n, draw)
		for ; len(order) > 1; order = order[2:] {
			round.Pairings = append(round.Pairings, Pairing{order[0], order[1]})
		}
		played(&s, round, draw)
		for i := range s.Players {
			past := s.Players[i].Past
			if last := &past[len(past)-1]; biased && last.Against >= 0 {
				last.Scored = 1 + int64(last.Colour)
			}
		}
	}
	s.Rounds = len(s.Players[0].Past) + 1 + draw(2)
	return s
}

// level is a tournament in which all games were drawn, so that all players are in one bracket.
func level(n int, draw func(int) int) Swiss {
	s := Swiss{Players: make([]Player, n), Rounds: 9, Win: 2, Initial: Second}
	for range 1 + draw(n-2) {
		round, err := s.Pair()
		if err != nil {
			break
		}
		played(&s, round, draw)
		for i := range s.Players {
			past := s.Players[i].Past
			past[len(past)-1].Scored, s.Players[i].Absent = 1, false
		}
	}
	return s
}

// TestSwissByTheRules pairs small tournaments of chance both ways.
func TestSwissByTheRules(t *testing.T) {
	draw := lcg(11)
	paired, unpaired := 0, 0
	for tournament := range 700 {
		n := 3 + draw(8)
		s := Swiss{Players: make([]Player, n), Rounds: 1 + draw(n), Win: 2, Initial: First}
		switch draw(3) {
		case 0:
			s = strange(n, draw)
		case 1:
			s = level(n, draw)
		}
		for len(s.Players[0].Past) < s.Rounds {
			got, err := s.Pair()
			want, ok := literal{Swiss: s}.pair()
			if ok != (err == nil) {
				t.Fatalf("tournament %d, round %d: %v, but by the rules %v\n%+v", tournament, len(s.Players[0].Past)+1, err, want, s)
			}
			if !ok {
				unpaired++
				break
			}
			paired++
			if fmt.Sprint(sortedRound(got)) != fmt.Sprint(sortedRound(want)) {
				t.Fatalf("tournament %d, round %d: %v, but by the rules %v\n%+v", tournament, len(s.Players[0].Past)+1, got, want, s)
			}
			played(&s, got, draw)
		}
	}
	if paired < 1000 || unpaired < 90 {
		t.Errorf("only %d rounds were paired, and %d could not be", paired, unpaired)
	}
}
