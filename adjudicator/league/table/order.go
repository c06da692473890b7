package table

import (
	"cmp"
	"math"
	"slices"
)

// placed is an entry in its place, with what parted it from the one above.
type placed struct {
	entry  int
	parted Tie
}

// order puts entries in the order of the table.
func (m *making) order(entries []int) []placed {
	var all []placed
	for _, group := range classes(entries, func(e int) int64 { return m.rows[e].Points }) {
		for k, p := range m.part(group, 0) {
			if k == 0 && len(all) > 0 {
				p.parted = ByPoints
			}
			all = append(all, p)
		}
	}
	return all
}

// part puts a group of tied entries in order by the ties from number at on.
func (m *making) part(group []int, at int) []placed {
	if len(group) == 1 || at == len(m.Ties) {
		var all []placed
		for _, e := range group {
			all = append(all, placed{entry: e})
		}
		return all
	}
	tie, next := m.Ties[at], at+1
	var parts [][]int
	if tie == Direct {
		if parts = m.direct(group); len(parts) > 1 {
			next = at // those still tied are compared among themselves again
		}
	} else {
		parts = classes(group, func(e int) int64 { return m.better(tie, e) })
	}
	var all []placed
	for k, part := range parts {
		for i, p := range m.part(part, next) {
			if i == 0 && k > 0 {
				p.parted = tie
			}
			all = append(all, p)
		}
	}
	return all
}

// better gives what a rule makes of an entry as a number of which more goes first.
func (m *making) better(tie Tie, entry int) int64 {
	v := m.value(tie, entry)
	switch tie {
	case Forfeits, StartRating:
		return -v.Amount
	case Lot:
		if v.Silent {
			return math.MinInt64
		}
		return -v.Amount
	}
	return v.Amount
}

// classes parts entries by a number, the largest first. Within a class they keep their order.
func classes(entries []int, of func(int) int64) [][]int {
	sorted := slices.Clone(entries)
	slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(of(b), of(a)) })
	var all [][]int
	for i, e := range sorted {
		if i == 0 || of(e) != of(sorted[i-1]) {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], e)
	}
	return all
}

// direct parts a group by its games among themselves.
func (m *making) direct(group []int) [][]int {
	d := m.meetings(group)
	for i, e := range group {
		if _, shown := m.shown[e][Direct]; !shown {
			m.shown[e][Direct] = Value{Tie: Direct, Amount: d.points[i], Of: Twelfths, Silent: d.games == 0}
		}
	}
	if d.games == 0 {
		return [][]int{group}
	}
	at := func(e int) int { return slices.Index(group, e) }
	if d.complete() {
		return classes(group, func(e int) int64 { return d.points[at(e)] })
	}
	// Who leads whatever the missing games bring goes first, then whoever does so of the rest.
	var first [][]int
	rest := slices.Clone(group)
	for len(rest) > 1 {
		leader := slices.IndexFunc(rest, func(e int) bool {
			return !slices.ContainsFunc(rest, func(other int) bool {
				return other != e && m.most(d, at(other)) >= m.least(d, at(e))
			})
		})
		if leader < 0 {
			break
		}
		first = append(first, []int{rest[leader]})
		rest = slices.Delete(rest, leader, leader+1)
	}
	return append(first, rest)
}

// meetings are the games of a group among themselves.
type meetings struct {
	games   int
	points  []int64
	met     [][]int // how often two of them met
	planned int     // how often every two of them meet
}

// meetings gives the games of a group among themselves.
func (m *making) meetings(group []int) meetings {
	d := meetings{points: make([]int64, len(group)), met: make([][]int, len(group))}
	for i := range group {
		d.met[i] = make([]int, len(group))
	}
	if m.Form == RoundRobin && m.Pairing != Trio {
		d.planned = 1
		if m.Pairing == Double {
			d.planned = 2
		}
	}
	for _, r := range m.results {
		if !r.Kind.Counts() || r.Kind == Bye {
			continue
		}
		var among, seats []int
		for k, s := range r.Seats {
			if i := slices.Index(group, m.place[s.Entry]); i >= 0 {
				among, seats = append(among, i), append(seats, k)
			}
		}
		if len(among) < 2 {
			continue
		}
		d.games++
		for a, i := range among {
			d.points[i] += m.Points.Award(r, seats[a])
			for _, j := range among {
				if i != j {
					d.met[i][j]++
					d.planned = max(d.planned, d.met[i][j])
				}
			}
		}
	}
	return d
}

// complete tells whether every two of the group met equally often.
func (d meetings) complete() bool {
	for i := range d.met {
		for j := range d.met {
			if i != j && d.met[i][j] != d.planned {
				return false
			}
		}
	}
	return true
}

// missing is how many games of one of the group among the others are still to come.
func (d meetings) missing(i int) int64 {
	n := 0
	for j := range d.met {
		if j != i {
			n += d.planned - d.met[i][j]
		}
	}
	return int64(n)
}

// most is what one of a group may have when the missing games have been played, and least
// what he has then at any rate.
func (m *making) most(d meetings, i int) int64 {
	return d.points[i] + d.missing(i)*max(m.Points.Win, m.Points.ForfeitWin)
}

func (m *making) least(d meetings, i int) int64 {
	return d.points[i] + d.missing(i)*min(m.Points.Loss, m.Points.ForfeitLoss)
}
