package swissoracle

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// quality is how well a whole candidate does, criterion by criterion [C6 to C21].
type quality struct {
	here, next  outcome // C6 and C7; the same of the following bracket, C8
	unplayed    int     // C9
	counts      [8]int
	differences [4][]int
}

func (q quality) better(than quality) bool {
	c := q.here.compare(than.here)
	if c == 0 {
		c = q.next.compare(than.next)
	}
	if c == 0 {
		c = q.unplayed - than.unplayed
	}
	if c == 0 {
		c = slices.Compare(q.counts[:], than.counts[:])
	}
	for i := 0; i < 4 && c == 0; i++ {
		c = slices.Compare(q.differences[i], than.differences[i])
	}
	return c < 0
}

// judge evaluates a whole candidate [3.4]; ok is whether it complies with C1 to C5.
func (r *round) judge(b bracket, pairs [][2]int, down []int) (q quality, ok bool) {
	floats := setOf(down)
	if b.last && len(down) > 1 || !r.completes(floats|b.below) {
		return q, false
	}
	var total failure
	add := func(f failure) {
		for i := range f.counts {
			total.counts[i] += f.counts[i]
		}
		for i := range f.differences {
			total.differences[i] = append(total.differences[i], f.differences[i]...)
		}
	}
	for _, p := range pairs {
		if !r.edges[p[0]].has(p[1]) {
			return q, false
		}
		if r.rank(p[0], p[1]) > 0 {
			p[0], p[1] = p[1], p[0]
		}
		add(r.pairFails(b, p[0], p[1]))
	}
	slices.SortFunc(down, r.rank)
	for _, p := range down {
		add(r.aloneFails(b, p))
	}
	for i := range total.differences {
		slices.Sort(total.differences[i])
		slices.Reverse(total.differences[i])
	}
	q = quality{here: outcome{len(down), r.scores(down)}, counts: total.counts, differences: total.differences}
	if !b.last {
		q.next, _ = r.downfloaters(r.following(b, floats), true)
	}
	if r.bye >= 0 && len(down) == 1 && r.all[b.residents[0]].score <= r.byeScore {
		q.unplayed = r.all[down[0]].unplayed
	}
	return q, true
}

// literally pairs a bracket as the rules say it, candidate by candidate to the last, with
// no short cut at all.
func (r *round) literally(b bracket) (best [][2]int, floats set) {
	var good quality
	found := false
	offer := func(pairs [][2]int, down []int) {
		q, ok := r.judge(b, slices.Clone(pairs), slices.Clone(down))
		if ok && (!found || q.better(good)) {
			found, good, best, floats = true, q, slices.Clone(pairs), setOf(down)
		}
	}
	n := len(b.players())
	for most := min(n/2, len(b.residents)); most >= 0 && !found; most-- {
		for m1 := min(len(b.mdps), most); m1 >= 0; m1-- {
			combinations(len(b.mdps), m1, func(s1 []int) bool {
				var limbo []int
				for i, p := range b.mdps {
					if !slices.Contains(s1, i) {
						limbo = append(limbo, p)
					}
				}
				transpositions(len(b.residents), m1, func(int, int) bool { return true }, func(s2 []int) bool {
					var pairs [][2]int
					var rest []int
					for i, at := range s2 {
						pairs = append(pairs, [2]int{b.mdps[s1[i]], b.residents[at]})
					}
					for i, p := range b.residents {
						if !slices.Contains(s2, i) {
							rest = append(rest, p)
						}
					}
					r.homogeneous(rest, most-m1, func(more [][2]int, down []int) {
						offer(slices.Concat(pairs, more), slices.Concat(limbo, down))
					})
					return false
				})
				return false
			})
		}
	}
	return best, floats
}

// homogeneous makes every candidate of a homogeneous bracket or a remainder.
func (r *round) homogeneous(players []int, m int, offer func(pairs [][2]int, down []int)) {
	n := len(players)
	for k := 0; m <= n-m && k <= min(m, n-m); k++ {
		for _, e := range exchanges(n, m, k) {
			s1, s2 := e.apply(n, m)
			transpositions(n-m, m, func(int, int) bool { return true }, func(order []int) bool {
				var pairs [][2]int
				var down []int
				for i, at := range order {
					pairs = append(pairs, [2]int{players[s1[i]], players[s2[at]]})
				}
				for i, p := range s2 {
					if !slices.Contains(order, i) {
						down = append(down, players[p])
					}
				}
				offer(pairs, down)
				return false
			})
		}
	}
}

// TestShortCuts: the program leaves out only candidates that would not have been chosen.
// Every bracket of many small tournaments is paired in full as well.
func TestShortCuts(t *testing.T) {
	brackets, mixed, limbo := 0, 0, 0
	for seed := range 400 {
		dice := rand.New(rand.NewPCG(uint64(seed), 7))
		record := Record{Players: 4 + dice.IntN(6), Win: 2, Draw: 1, Initial: White}
		record.Rounds = 2 + dice.IntN(record.Players-2)
		h := habits{draws: 300, forfeits: 60, away: 60, half: 60}
		for number := range record.Rounds {
			next := Round{Bye: -1}
			for i := range record.Players {
				if dice.IntN(1000) < h.away {
					next.Zero = append(next.Zero, i)
				} else if dice.IntN(1000) < h.half {
					next.Half = append(next.Half, i)
				}
			}
			record.Played = append(record.Played, next)
			r := record.Before(number).begin()
			if r == nil {
				break
			}
			var down set
			for i := range r.groups {
				b := r.bracket(i, down)
				want, floats := r.literally(b)
				got, gotFloats, err := r.pair(b)
				if err != nil && want == nil && floats == 0 {
					break
				}
				if err != nil || gotFloats != floats || !samePairs(r, got, want) {
					t.Fatalf("seed %d round %d bracket %d %+v: got %v and %b (%v), in full %v and %b", seed, number+1, i, b, got, gotFloats, err, want, floats)
				}
				down = floats
				brackets++
				mixed += is(len(b.mdps) > 0)
				limbo += is(down&setOf(b.mdps) != 0)
			}
			if err := record.play(dice, h); err != nil {
				t.Fatal(seed, err)
			}
			if record.Played[number].None {
				break
			}
		}
	}
	t.Logf("%d brackets, %d of them with players moved down, %d with a limbo", brackets, mixed, limbo)
	if mixed < 100 || limbo < 10 {
		t.Error("too few brackets of the harder kinds")
	}
}

func samePairs(r *round, a, b [][2]int) bool {
	if len(a) != len(b) {
		return false
	}
	for _, p := range a {
		if !slices.Contains(b, p) && !slices.Contains(b, [2]int{p[1], p[0]}) {
			return false
		}
	}
	return true
}
