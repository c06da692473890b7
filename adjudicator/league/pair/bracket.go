package pair

import "slices"

// bracket is a bracket about to be paired [1.3.2], with all players below it, who must still
// find opponents afterwards [C4].
type bracket struct {
	Swiss
	players   []standing // those moved down, then the residents, then all below
	moved     int        // how many were moved down
	residents int
}

// size is how many players are in the bracket.
func (b *bracket) size() int { return b.moved + b.residents }

// bye is the vertex of the bye, or -1 if the number of players is even.
func (b *bracket) bye() int {
	if len(b.players)%2 == 0 {
		return -1
	}
	return len(b.players)
}

// vertices is how many there are, with the bye's.
func (b *bracket) vertices() int { return len(b.players) + len(b.players)%2 }

// next is how many players, counted from the top, are in this bracket and the next scoregroup.
func (b *bracket) next() int {
	end := b.size()
	for end < len(b.players) && b.players[end].score == b.players[b.size()].score {
		end++
	}
	return end
}

// may tells whether two vertices may be paired in this round, i before j. Two who were moved
// down do not meet in this bracket, nor further down [3.2].
func (b *bracket) may(i, j int) bool {
	if j == b.bye() {
		return !b.players[i].hadBye // [C2]
	}
	return j >= b.moved && mayMeet(&b.players[i], &b.players[j])
}

// pair gives the pairs of the bracket and who moves down, both by their places in it. It
// gives false if there is no way to pair everybody.
func (b *bracket) pair() (pairs []Pairing, down []int, ok bool) {
	most := []criterion{b.byeScore(), {worth: b.inside}}
	mates, ok := arrange(b.vertices(), b.may, most)
	if !ok {
		return nil, nil, false
	}
	maxPairs := len(b.insidePairs(mates))
	criteria := b.criteria(b.size()-2*maxPairs == 1)
	may := b.may
	var fixed []Pairing
	if b.moved > 0 {
		// Who of those moved down is paired, and with whom [3.7, 4.4, 4.2].
		mates, _ = arrange(b.vertices(), may, slices.Concat(criteria, b.movedOrder()))
		mate := slices.Clone(mates)
		for i := range b.moved {
			if mate[i] < b.size() {
				fixed = append(fixed, Pairing{i, mate[i]})
			}
		}
		may = func(i, j int) bool {
			if i < b.moved || j < b.size() && mate[j] < b.moved {
				return mate[i] == j || i < b.moved && mate[i] >= b.size() && j >= b.size() && b.may(i, j)
			}
			return b.may(i, j) && !(i < b.size() && mate[i] < b.moved)
		}
	}
	// The remainder, or the whole of a homogeneous bracket [3.6].
	rest := b.remainder(fixed)
	if n1 := maxPairs - len(fixed); n1 > 0 {
		mates, _ = arrange(b.vertices(), may, slices.Concat(criteria, b.exchanges(rest, n1)))
		upper, lower := halves(rest, mates, b.size())
		before := may
		may = func(i, j int) bool {
			if j < b.size() && slices.Contains(rest, i) && slices.Contains(rest, j) {
				return before(i, j) && slices.Contains(upper, i) != slices.Contains(upper, j)
			}
			return before(i, j)
		}
		mates, _ = arrange(b.vertices(), may, slices.Concat(criteria, b.transposition(upper, lower)))
	}
	for i := range b.size() {
		if mates[i] >= b.size() {
			down = append(down, i)
		}
	}
	return b.insidePairs(mates), down, true
}

// insidePairs gives the pairs of a matching that are within the bracket.
func (b *bracket) insidePairs(mates []int) []Pairing {
	var pairs []Pairing
	for i, j := range mates {
		if i < j && j < b.size() {
			pairs = append(pairs, Pairing{i, j})
		}
	}
	return pairs
}

// remainder gives the residents whom nobody who was moved down meets.
func (b *bracket) remainder(fixed []Pairing) []int {
	var rest []int
	for i := b.moved; i < b.size(); i++ {
		if !slices.ContainsFunc(fixed, func(p Pairing) bool { return p.Second == i }) {
			rest = append(rest, i)
		}
	}
	return rest
}

// halves gives the two subgroups that a matching makes of the rest: those who are paired and
// rank above their opponents, and all others.
func halves(rest, mates []int, size int) (upper, lower []int) {
	for _, i := range rest {
		if mates[i] > i && mates[i] < size {
			upper = append(upper, i)
		} else {
			lower = append(lower, i)
		}
	}
	return upper, lower
}

// once is a criterion of which one edge of a matching is worth more than the others.
func once(worth func(i, j int) int) criterion { return criterion{worth: worth, once: true} }

// one is 1 if something is so.
func one(so bool) int {
	if so {
		return 1
	}
	return 0
}

// movedOrder is the order in which sets of players who were moved down are tried [4.4], and
// then the residents whom they meet [4.2]: the first set has the smallest number in which it
// differs, and each in turn meets the highest ranked that he can.
func (b *bracket) movedOrder() []criterion {
	var all []criterion
	for m := range b.moved {
		all = append(all, once(func(i, j int) int { return one(i == m && j < b.size()) }))
	}
	for m := range b.moved {
		all = append(all, once(func(i, j int) int {
			if i != m || j >= b.size() {
				return 0
			}
			return b.size() - j
		}))
	}
	return all
}

// exchanges is the order in which exchanges between the subgroups of the rest are tried
// [4.3]. Of a pair the one who ranks higher is in the upper subgroup; so a pair from the
// lower subgroup alone has sent its better half up, and whoever of the upper subgroup ranks
// lower in his pair, or has none, has gone down.
func (b *bracket) exchanges(rest []int, n1 int) []criterion {
	number := make([]int, b.vertices()) // in the rest, from 1; 0 of others
	for k, i := range rest {
		number[i] = k + 1
	}
	// up and away give who of an edge goes up and who goes down, by number, or 0.
	up := func(i, j int) int {
		if number[i] > n1 && number[j] > n1 && j < b.size() {
			return min(number[i], number[j])
		}
		return 0
	}
	away := func(i, j int) int {
		switch {
		case number[i] == 0 || number[i] > n1:
			return 0
		case j >= b.size():
			return number[i]
		case number[j] <= n1:
			return max(number[i], number[j])
		}
		return 0
	}
	all := []criterion{
		{worth: func(i, j int) int { return -one(up(i, j) > 0) }},
		{worth: func(i, j int) int { return away(i, j) - up(i, j) }},
	}
	for k := n1; k >= 1; k-- {
		all = append(all, once(func(i, j int) int { return one(away(i, j) == k) }))
	}
	for k := n1 + 1; k <= len(rest); k++ {
		all = append(all, once(func(i, j int) int { return one(up(i, j) == k) }))
	}
	return all
}

// transposition is the order in which the lower subgroup is permuted [4.2]: each of the
// upper in turn meets the highest ranked that he can.
func (b *bracket) transposition(upper, lower []int) []criterion {
	place := make([]int, b.vertices())
	for k, i := range lower {
		place[i] = len(lower) - k
	}
	var all []criterion
	for _, u := range upper {
		all = append(all, once(func(i, j int) int {
			switch {
			case j >= b.size():
				return 0
			case i == u:
				return place[j]
			case j == u:
				return place[i]
			}
			return 0
		}))
	}
	return all
}
