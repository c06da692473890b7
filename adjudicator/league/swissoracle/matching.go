package swissoracle

import "math/bits"

// perfect says whether every player of the set can be paired with another of it, where
// edges[i] are those whom i may meet: Edmonds' search for augmenting paths, in which a
// closed walk of odd length (a blossom) is taken as one place.
func perfect(who set, edges []set) bool {
	m := matcher{who: who, edges: edges}
	for i := range m.mate {
		m.mate[i] = -1
	}
	if who.size()%2 == 1 {
		return false
	}
	for rest := who; rest != 0; rest &= rest - 1 { // pairs that offer themselves
		i := bits.TrailingZeros64(uint64(rest))
		if m.mate[i] >= 0 {
			continue
		}
		for free := edges[i] & who; free != 0; free &= free - 1 {
			if j := bits.TrailingZeros64(uint64(free)); m.mate[j] < 0 {
				m.mate[i], m.mate[j] = j, i
				break
			}
		}
	}
	for rest := who; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(uint64(rest))
		if m.mate[i] < 0 && !m.augment(i) {
			return false
		}
	}
	return true
}

type matcher struct {
	who          set
	edges        []set
	mate         [64]int
	parent, base [64]int
}

// augment pairs the root by a path on which pairs and open meetings alternate.
func (m *matcher) augment(root int) bool {
	for i := range m.base {
		m.base[i], m.parent[i] = i, -1
	}
	reached := set(1) << root
	queue := []int{root}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for next := m.edges[v] & m.who; next != 0; next &= next - 1 {
			to := bits.TrailingZeros64(uint64(next))
			if m.base[v] == m.base[to] || m.mate[v] == to {
				continue
			}
			if to == root || m.mate[to] >= 0 && m.parent[m.mate[to]] >= 0 {
				queue = m.contract(v, to, &reached, queue)
			} else if m.parent[to] < 0 {
				m.parent[to] = v
				if m.mate[to] < 0 {
					m.flip(to)
					return true
				}
				reached |= 1 << m.mate[to]
				queue = append(queue, m.mate[to])
			}
		}
	}
	return false
}

// contract takes the closed walk that v and to complete as one place.
func (m *matcher) contract(v, to int, reached *set, queue []int) []int {
	common := m.meet(v, to)
	var walk set
	m.mark(v, common, to, &walk)
	m.mark(to, common, v, &walk)
	for rest := m.who; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(uint64(rest))
		if !walk.has(m.base[i]) {
			continue
		}
		m.base[i] = common
		if !reached.has(i) {
			*reached |= 1 << i
			queue = append(queue, i)
		}
	}
	return queue
}

// meet is the place at which the ways from a and b to the root join.
func (m *matcher) meet(a, b int) int {
	var seen set
	for {
		a = m.base[a]
		seen |= 1 << a
		if m.mate[a] < 0 {
			break
		}
		a = m.parent[m.mate[a]]
	}
	for {
		b = m.base[b]
		if seen.has(b) {
			return b
		}
		b = m.parent[m.mate[b]]
	}
}

func (m *matcher) mark(v, common, child int, walk *set) {
	for m.base[v] != common {
		*walk |= 1<<m.base[v] | 1<<m.base[m.mate[v]]
		m.parent[v] = child
		child = m.mate[v]
		v = m.parent[m.mate[v]]
	}
}

func (m *matcher) flip(v int) {
	for v >= 0 {
		before := m.parent[v]
		next := m.mate[before]
		m.mate[v], m.mate[before] = before, v
		v = next
	}
}
