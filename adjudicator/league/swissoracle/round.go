package swissoracle

import (
	"cmp"
	"errors"
	"slices"
)

// ErrNoPairing says that the round cannot be paired by the absolute criteria [1.9.3].
var ErrNoPairing = errors.New("no pairing of the round complies with the absolute criteria")

// Game is a pair with its colours, by the players' numbers.
type Game struct{ White, Black int }

// round is a round as it is being paired.
type round struct {
	t        Tournament
	all      []standing
	edges    []set // whom each player may meet; a player who may have the bye meets its place
	bye      int   // the place that stands for the bye, -1 if nobody gets it
	byeScore int   // the score to which the bye goes [C5]
	groups   [][]int
	perfect  map[set]bool
}

// bracket is a pairing bracket [1.3.2].
type bracket struct {
	mdps, residents []int // ranked [1.2]
	group           int   // the residents' scoregroup
	below           set   // all players of lower scores
	last            bool
}

func (b bracket) players() []int { return slices.Concat(b.mdps, b.residents) }

// Pair pairs the next round [1.9]. bye is the player with the pairing-allocated bye, or
// -1. The error is ErrNoPairing.
func (t Tournament) Pair() (games []Game, bye int, err error) {
	r := t.begin()
	if r == nil {
		return nil, -1, ErrNoPairing
	}
	var down set
	for i := range r.groups {
		b := r.bracket(i, down)
		var pairs [][2]int
		if pairs, down, err = r.pair(b); err != nil {
			return nil, -1, err
		}
		for _, p := range pairs {
			white, black := t.allocate(r.all, p[0], p[1])
			games = append(games, Game{white, black})
		}
	}
	bye = -1
	for i := range t.Players {
		if down.has(i) {
			bye = i
		}
	}
	return games, bye, nil
}

// begin puts the players in their scoregroups and finds to which score the bye goes; nil
// if the round cannot be paired.
func (t Tournament) begin() *round {
	r := &round{t: t, all: t.standings(), edges: make([]set, 64), bye: -1, perfect: map[set]bool{}}
	var present []int
	for i, p := range t.Players {
		if !p.Absent {
			present = append(present, i)
		}
	}
	for _, i := range present {
		for _, j := range present {
			if legal(r.all, i, j) {
				r.edges[i] |= 1 << j
			}
		}
	}
	slices.SortStableFunc(present, r.rank)
	for i, p := range present {
		if i == 0 || r.all[p].score != r.all[present[i-1]].score {
			r.groups = append(r.groups, nil)
		}
		last := len(r.groups) - 1
		r.groups[last] = append(r.groups[last], p)
	}
	who := setOf(present)
	if len(present)%2 == 0 {
		if !perfect(who, r.edges) {
			return nil
		}
		return r
	}
	for r.bye = 0; who.has(r.bye); r.bye++ { // the number of nobody who is there
	}
	for _, group := range slices.Backward(r.groups) {
		trial := slices.Clone(r.edges)
		for _, p := range group {
			if !r.all[p].noBye {
				trial[p] |= 1 << r.bye
				trial[r.bye] |= 1 << p
			}
		}
		if perfect(who|1<<r.bye, trial) {
			r.edges, r.byeScore = trial, r.all[group[0]].score
			return r
		}
	}
	return nil
}

// rank orders players by score, then by TPN [1.2].
func (r *round) rank(a, b int) int {
	return cmp.Or(cmp.Compare(r.all[b].score, r.all[a].score), cmp.Compare(a, b))
}

// bracket is the bracket of a scoregroup with those who came down to it.
func (r *round) bracket(group int, down set) bracket {
	b := bracket{residents: r.groups[group], group: group, last: group == len(r.groups)-1}
	for i := range r.t.Players {
		if down.has(i) {
			b.mdps = append(b.mdps, i)
		}
	}
	slices.SortStableFunc(b.mdps, r.rank)
	for _, g := range r.groups[group+1:] {
		b.below |= setOf(g)
	}
	return b
}

// following is the bracket after b if these players go down to it.
func (r *round) following(b bracket, down set) bracket { return r.bracket(b.group+1, down) }
