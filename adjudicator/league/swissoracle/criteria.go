package swissoracle

import (
	"cmp"
	"math/bits"
	"slices"
)

// legal says whether two players may meet: not twice [C1], and not two who both have the
// same absolute colour preference unless one of them is a topscorer [C3].
func legal(all []standing, a, b int) bool {
	x, y := all[a], all[b]
	if a == b || x.met.has(b) {
		return false
	}
	clash := x.want == absolute && y.want == absolute && x.wants == y.wants
	return !clash || x.topscorer || y.topscorer
}

// completes says whether the players not yet paired can all be paired, but for one with
// the bye if they are odd in number, by the absolute criteria [C4], the bye going to the
// lowest score to which it can go [C5].
func (r *round) completes(unpaired set) bool {
	if r.bye < 0 {
		return r.known(unpaired)
	}
	return r.known(unpaired | 1<<r.bye)
}

func (r *round) known(who set) bool {
	answer, ok := r.perfect[who]
	if !ok {
		answer = perfect(who, r.edges)
		r.perfect[who] = answer
	}
	return answer
}

// outcome is how well a bracket does in what its downfloaters alone decide: their number
// [C6] and their scores, descending [C7].
type outcome struct {
	floaters int
	scores   []int
}

func (o outcome) compare(p outcome) int {
	return cmp.Or(cmp.Compare(o.floaters, p.floaters), slices.Compare(o.scores, p.scores))
}

// downfloaters lists the sets of downfloaters with which the bracket can be paired within
// the absolute criteria, the completion [C4] and the criterion of the bye [C5], and which
// are best in number [C6] and scores [C7]; only the first of them if one is enough. It
// lists none if the bracket cannot be paired.
func (r *round) downfloaters(b bracket, one bool) (outcome, []set) {
	players := b.players()
	within := r.meetings(b)
	for k := 0; k <= len(players); k++ {
		if b.last && k > 1 {
			break
		}
		var choices [][]int
		combinations(len(players), k, func(choice []int) bool {
			floats := make([]int, k)
			for i, at := range choice {
				floats[i] = players[at]
			}
			choices = append(choices, floats)
			return false
		})
		// Players are in the order of their scores, and so is each choice.
		slices.SortStableFunc(choices, func(x, y []int) int {
			return slices.Compare(r.scores(x), r.scores(y))
		})
		var best []set
		var scores []int
		for _, floats := range choices {
			if len(best) > 0 && (one || slices.Compare(r.scores(floats), scores) > 0) {
				break
			}
			down := setOf(floats)
			if r.completes(down|b.below) && perfect(setOf(players)&^down, within) {
				best, scores = append(best, down), r.scores(floats)
			}
		}
		if len(best) > 0 {
			return outcome{k, scores}, best
		}
	}
	return outcome{}, nil
}

// meetings are the meetings that the bracket allows: a moved-down player meets residents
// alone [3.2, 3.3].
func (r *round) meetings(b bracket) []set {
	within := slices.Clone(r.edges)
	for _, p := range b.mdps {
		within[p] &^= setOf(b.mdps)
	}
	return within
}

func (r *round) scores(players []int) []int {
	list := make([]int, len(players))
	for i, p := range players {
		list[i] = r.all[p].score
	}
	return list
}

// chosen are the best sets of downfloaters by all criteria that ask for them as a set:
// C4 to C9.
func (r *round) chosen(b bracket) []set {
	_, sets := r.downfloaters(b, false)
	if !b.last && len(sets) > 1 {
		// C8: the following bracket, and that alone, does best in C1 to C7.
		sets = least(sets, func(down set) outcome {
			next, _ := r.downfloaters(r.following(b, down), true)
			return next
		}, outcome.compare)
	}
	if r.bye >= 0 && r.all[b.residents[0]].score <= r.byeScore && len(sets) > 1 && sets[0].size() == 1 {
		// C9: the only downfloater of this bracket gets the bye in the end, for by C5 nobody
		// with a lower score gets it.
		sets = least(sets, func(down set) int {
			return r.all[bits.TrailingZeros64(uint64(down))].unplayed
		}, cmp.Compare[int])
	}
	return sets
}

// least keeps the sets whose value is the lowest.
func least[V any](sets []set, value func(set) V, compare func(V, V) int) []set {
	var kept []set
	var low V
	for _, s := range sets {
		v := value(s)
		c := -1
		if len(kept) > 0 {
			c = compare(v, low)
		}
		if c < 0 {
			kept, low = nil, v
		}
		if c <= 0 {
			kept = append(kept, s)
		}
	}
	return kept
}

// failure is how far a pair, or a downfloater, fails the criteria C10 to C21.
type failure struct {
	counts      [8]int   // C10 to C17
	differences [4][]int // C18 to C21
}

// The places of the criteria in a failure.
const (
	c10, c11, c12, c13, c14, c15, c16, c17 = 0, 1, 2, 3, 4, 5, 6, 7
	c18, c19, c20, c21                     = 0, 1, 2, 3
)

// pairFails is the failure of a pair of the bracket; the first player ranks higher.
func (r *round) pairFails(b bracket, higher, lower int) (f failure) {
	white, black := r.t.allocate(r.all, higher, lower)
	top := r.all[higher].topscorer || r.all[lower].topscorer
	for _, given := range []struct {
		who    int
		colour Colour
	}{{white, White}, {black, Black}} {
		p := r.all[given.who]
		if top && abs(p.difference+int(given.colour)) > 2 {
			f.counts[c10]++
		}
		if n := len(p.colours); top && n >= 2 && p.colours[n-1] == given.colour && p.colours[n-2] == given.colour {
			f.counts[c11]++
		}
		if p.wants == -given.colour {
			f.counts[c12]++
			if p.want == strong {
				f.counts[c13]++
			}
		}
	}
	low := r.all[b.residents[0]].score
	if difference := r.all[higher].score - low; difference > 0 {
		r.floatFails(&f, higher, lower, difference)
	}
	return f
}

// floatFails adds what a moved-down player and his opponent fail by their floats.
func (r *round) floatFails(f *failure, mdp, opponent, difference int) {
	for _, places := range []struct{ back, count, his, theirs int }{{1, c15, c18, c19}, {2, c17, c20, c21}} {
		back := places.back
		if r.all[opponent].floats[back] == up {
			f.counts[places.count]++
			f.differences[places.theirs] = append(f.differences[places.theirs], difference)
		}
		if r.all[mdp].floats[back] == down {
			f.differences[places.his] = append(f.differences[places.his], difference)
		}
	}
}

// aloneFails is the failure of a downfloater of the bracket. A moved-down player who is
// not paired counts as paired with a score one point below the bracket's lowest, so that
// his difference is greater than every one with a resident.
func (r *round) aloneFails(b bracket, who int) (f failure) {
	p, low := r.all[who], r.all[b.residents[0]].score
	if p.score == low {
		f.counts[c14] = is(p.floats[1] == down)
		f.counts[c16] = is(p.floats[2] == down)
		return f
	}
	if p.floats[1] == down {
		f.differences[c18] = []int{p.score - low + 1}
	}
	if p.floats[2] == down {
		f.differences[c20] = []int{p.score - low + 1}
	}
	return f
}

func is(b bool) int {
	if b {
		return 1
	}
	return 0
}
