package pair

import (
	"math/bits"
	"slices"
)

// A weight is a whole number of many words, the least significant first. The criteria of a
// pairing stand in it one under the other, as digits of one number do, so that comparing
// two weights compares criterion after criterion.
type weight []uint64

// compare gives -1, 0 or 1 as a is below, equal to or above b.
func compare(a, b weight) int {
	for i := len(a) - 1; i >= 0; i-- {
		if a[i] != b[i] {
			if a[i] < b[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}

// add puts a + b into sum.
func add(sum, a, b weight) {
	carry := uint64(0)
	for i := range sum {
		sum[i], carry = bits.Add64(a[i], b[i], carry)
	}
}

// subtract puts a - b into difference; b is no more than a.
func subtract(difference, a, b weight) {
	borrow := uint64(0)
	for i := range difference {
		difference[i], borrow = bits.Sub64(a[i], b[i], borrow)
	}
}

// halve divides a by two.
func halve(a weight) {
	for i := range a {
		a[i] >>= 1
		if i+1 < len(a) {
			a[i] |= a[i+1] << 63
		}
	}
}

// zero tells whether a is nothing.
func zero(a weight) bool {
	for _, word := range a {
		if word != 0 {
			return false
		}
	}
	return true
}

// matcher finds a matching of greatest weight in a graph that need not be bipartite: the
// primal-dual method of Edmonds, in the form that takes O(n^3) (Galil, "Efficient algorithms
// for finding maximum matching in graphs", ACM Computing Surveys 18, 1986).
//
// Every vertex has a dual, and so has every blossom: an odd cycle that is treated as one
// vertex while the tree grows through it. The slack of an edge, the duals of its ends less
// twice its weight, is never below nothing; edges without slack are tight. Trees of tight
// edges grow from all free vertices at once, until one tree meets another and the matching
// grows by an edge, or the duals have to change for an edge to become tight.
//
// Nodes are the vertices 0 to n-1 and, from n on, blossoms.
type matcher struct {
	n, words int
	edge     [][]weight // between vertices; nil if there is none
	dual     []weight   // of nodes
	mate     []ends     // of outermost nodes: the matched edge, seen from here
	outer    []int      // the outermost node that a node is in
	label    []label    // of outermost nodes
	parent   []ends     // the tree's edge by which an outermost inner node, or a root's neighbour, was reached
	cycle    [][]int    // of blossoms: the nodes in it, from its base round
	link     [][]ends   // of blossoms: the edge from each node of the cycle to the next
	live     []bool     // of nodes: blossoms that are there
	best     []ends     // of outermost nodes: an edge of least slack from an outer vertex
	nearest  [][]ends   // of blossoms, for each vertex outside: the blossom's edge of least slack to it
	queue    []int      // outer vertices whose edges are to be looked at
	scratch  weight
	other    weight
}

// ends are the two vertices of an edge; none has from -1.
type ends struct{ from, to int }

var none = ends{-1, -1}

func (e ends) back() ends { return ends{e.to, e.from} }

// label tells how a node hangs in a tree.
type label int8

const (
	unreached label = iota
	outside         // an even number of edges from the root
	inside          // an odd one
)

// match gives a matching of greatest weight: each vertex's mate, or -1. Edge gives the
// weight of an edge, all of the same number of words, or nil; it is asked once for each two.
// The three bits at the top of a weight are
// free: sums of duals come to four times the greatest weight.
func match(n, words int, edge func(i, j int) weight) []int {
	m := &matcher{n: n, words: words, scratch: make(weight, words), other: make(weight, words)}
	m.edge = make([][]weight, n)
	for i := range m.edge {
		m.edge[i] = make([]weight, n)
	}
	most := make(weight, words)
	for i := range n {
		for j := range i {
			if w := edge(i, j); w != nil && !zero(w) {
				m.edge[i][j], m.edge[j][i] = w, w
				if compare(w, most) > 0 {
					most = w
				}
			}
		}
		m.addNode()
		m.live[i] = true
	}
	for i := range n {
		copy(m.dual[i], most)
	}
	for m.grow() {
	}
	mates := make([]int, n)
	for i := range mates {
		mates[i] = m.mate[i].to
	}
	return mates
}

// addNode makes room for one more node.
func (m *matcher) addNode() {
	m.dual = append(m.dual, make(weight, m.words))
	m.mate = append(m.mate, none)
	m.outer = append(m.outer, len(m.outer))
	m.label = append(m.label, unreached)
	m.parent = append(m.parent, none)
	m.cycle = append(m.cycle, nil)
	m.link = append(m.link, nil)
	m.live = append(m.live, false)
	m.best = append(m.best, none)
	m.nearest = append(m.nearest, nil)
}

// slack puts the slack of an edge between vertices into s.
func (m *matcher) slack(s weight, e ends) {
	add(s, m.dual[e.from], m.dual[e.to])
	w := m.edge[e.from][e.to]
	subtract(s, s, w)
	subtract(s, s, w)
}

// tight tells whether an edge has no slack.
func (m *matcher) tight(e ends) bool {
	m.slack(m.scratch, e)
	return zero(m.scratch)
}

// nearer tells whether edge a has less slack than b.
func (m *matcher) nearer(a, b ends) bool {
	if b == none {
		return true
	}
	m.slack(m.scratch, a)
	m.slack(m.other, b)
	return compare(m.scratch, m.other) < 0
}

// vertices calls f for each vertex of a node.
func (m *matcher) vertices(node int, f func(int)) {
	if node < m.n {
		f(node)
		return
	}
	for _, part := range m.cycle[node] {
		m.vertices(part, f)
	}
}

// setOuter says that a node and all in it lie in an outermost node.
func (m *matcher) setOuter(node, outermost int) {
	m.outer[node] = outermost
	if node >= m.n {
		for _, part := range m.cycle[node] {
			m.setOuter(part, outermost)
		}
	}
}

// enqueue has the edges of all vertices of an outer node looked at.
func (m *matcher) enqueue(node int) {
	m.vertices(node, func(v int) { m.queue = append(m.queue, v) })
}

// findBest sets the edge of least slack from outer vertices to an outermost node.
func (m *matcher) findBest(node int) {
	m.best[node] = none
	for v := range m.n {
		if m.outer[v] == node || m.label[m.outer[v]] != outside {
			continue
		}
		if e := m.edgeTo(v, node); e != none && m.nearer(e, m.best[node]) {
			m.best[node] = e
		}
	}
}

// edgeTo gives the edge of least slack from a vertex to an outermost node.
func (m *matcher) edgeTo(v, node int) ends {
	if node < m.n {
		if m.edge[v][node] == nil {
			return none
		}
		return ends{v, node}
	}
	if e := m.nearest[node][v]; e != none {
		return e.back()
	}
	return none
}

// grow makes the matching larger by an edge, and tells whether it did.
func (m *matcher) grow() bool {
	m.queue = m.queue[:0]
	for node := range m.live {
		m.label[node], m.best[node], m.parent[node] = unreached, none, none
	}
	for node, live := range m.live {
		if live && m.outer[node] == node && m.mate[node] == none {
			m.label[node] = outside
			m.enqueue(node)
		}
	}
	if len(m.queue) == 0 {
		return false
	}
	for {
		for len(m.queue) > 0 {
			v := m.queue[0]
			m.queue = m.queue[1:]
			if m.look(v) {
				return true
			}
		}
		if !m.shift() {
			return false
		}
		for node := 0; node < len(m.live); node++ {
			e := m.best[node]
			if m.live[node] && m.outer[node] == node && e != none && m.outer[e.from] != node && m.tight(e) && m.found(e) {
				return true
			}
		}
		for node := m.n; node < len(m.live); node++ {
			if m.live[node] && m.outer[node] == node && m.label[node] == inside && zero(m.dual[node]) {
				m.open(node)
			}
		}
	}
}

// look goes through the edges of an outer vertex, and tells whether the matching grew.
func (m *matcher) look(v int) bool {
	if m.label[m.outer[v]] == inside {
		return false
	}
	for u := range m.n {
		if m.edge[v][u] == nil || m.outer[u] == m.outer[v] {
			continue
		}
		e := ends{v, u}
		if m.tight(e) {
			if m.found(e) {
				return true
			}
		} else if to := m.outer[u]; m.nearer(e, m.best[to]) {
			m.best[to] = e
		}
	}
	return false
}

// shift changes the duals by as much as leaves every slack where it may be, and tells
// whether that can help: no dual of a free vertex falls to nothing.
func (m *matcher) shift() bool {
	var by weight
	least := func(w weight) {
		if by == nil || compare(w, by) < 0 {
			by = slices.Clone(w)
		}
	}
	s := make(weight, m.words)
	for node, live := range m.live {
		if !live || m.outer[node] != node {
			continue
		}
		if node >= m.n && m.label[node] == inside {
			copy(s, m.dual[node])
			halve(s)
			least(s)
		}
		if m.best[node] == none || m.label[node] == inside {
			continue
		}
		m.slack(s, m.best[node])
		if m.label[node] == outside {
			halve(s)
		}
		least(s)
	}
	for v := range m.n {
		if m.label[m.outer[v]] == outside && (by == nil || compare(m.dual[v], by) <= 0) {
			return false
		}
	}
	for v := range m.n {
		switch m.label[m.outer[v]] {
		case outside:
			subtract(m.dual[v], m.dual[v], by)
		case inside:
			add(m.dual[v], m.dual[v], by)
		}
	}
	for node := m.n; node < len(m.live); node++ {
		if !m.live[node] || m.outer[node] != node {
			continue
		}
		for range 2 {
			switch m.label[node] {
			case outside:
				add(m.dual[node], m.dual[node], by)
			case inside:
				subtract(m.dual[node], m.dual[node], by)
			}
		}
	}
	return true
}

// found takes a tight edge from an outer node: a tree grows, a blossom closes, or two trees
// meet and the matching grows, which it tells.
func (m *matcher) found(e ends) bool {
	u, v := m.outer[e.from], m.outer[e.to]
	switch m.label[v] {
	case unreached:
		m.label[v], m.parent[v] = inside, e
		next := m.outer[m.mate[v].to]
		m.label[next] = outside
		m.best[v], m.best[next] = none, none
		m.enqueue(next)
	case outside:
		base := m.ancestor(u, v)
		if base < 0 {
			m.augment(e)
			m.augment(e.back())
			return true
		}
		m.close(base, e)
	}
	return false
}

// up gives the next outer node towards the root, or -1 at the root.
func (m *matcher) up(node int) int {
	if m.mate[node] == none {
		return -1
	}
	return m.outer[m.parent[m.outer[m.mate[node].to]].from]
}

// ancestor gives the outer node at which the ways of two to their roots meet, or -1.
func (m *matcher) ancestor(u, v int) int {
	seen := map[int]bool{}
	for ; u >= 0; u = m.up(u) {
		seen[u] = true
	}
	for ; v >= 0; v = m.up(v) {
		if seen[v] {
			return v
		}
	}
	return -1
}

// augment turns round what is matched on the way from the start of an edge to its root,
// and matches the edge.
func (m *matcher) augment(e ends) {
	for {
		node := m.outer[e.from]
		old := m.mate[node]
		m.setMate(node, e)
		if old == none {
			return
		}
		inner := m.outer[old.to]
		e = m.parent[inner]
		m.setMate(inner, e.back())
	}
}
