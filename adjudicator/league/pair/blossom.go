package pair

import "slices"

// close makes a blossom of the way from a base to one end of an edge, the edge, and the way
// back from its other end.
func (m *matcher) close(base int, e ends) {
	b := m.n
	for b < len(m.live) && m.live[b] {
		b++
	}
	if b == len(m.live) {
		m.addNode()
	}
	parts, links := m.wayUp(m.outer[e.from], base)
	slices.Reverse(parts)
	slices.Reverse(links)
	for i := range links {
		links[i] = links[i].back()
	}
	others, rest := m.wayUp(m.outer[e.to], base)
	m.cycle[b] = slices.Concat([]int{base}, parts, others)
	m.link[b] = slices.Concat(links, []ends{e}, rest)
	m.live[b], m.label[b], m.mate[b], m.parent[b] = true, outside, m.mate[base], none
	clear(m.dual[b])
	for _, part := range m.cycle[b] {
		if m.label[part] == inside {
			m.enqueue(part)
		}
	}
	m.setOuter(b, b)
	m.nearest[b] = make([]ends, m.n)
	for v := range m.n {
		m.nearest[b][v] = none
		if m.outer[v] == b {
			continue
		}
		for _, part := range m.cycle[b] {
			if e := m.edgeTo(v, part); e != none && m.nearer(e, m.nearest[b][v]) {
				m.nearest[b][v] = e.back()
			}
		}
	}
	m.findBest(b)
}

// wayUp gives the nodes from an outer node up to a base, without the base, and the edge from
// each to the next.
func (m *matcher) wayUp(node, base int) (parts []int, links []ends) {
	for node != base {
		inner := m.outer[m.mate[node].to]
		parts = append(parts, node, inner)
		links = append(links, m.mate[node], m.parent[inner].back())
		node = m.outer[m.parent[inner].from]
	}
	return parts, links
}

// holds tells whether a vertex lies in a node.
func (m *matcher) holds(node, v int) bool {
	return node == v || node >= m.n && slices.ContainsFunc(m.cycle[node], func(part int) bool { return m.holds(part, v) })
}

// evenWay gives the places of a blossom's cycle from the one that holds a vertex to the
// base, in the direction in which the number of steps is even.
func (m *matcher) evenWay(b, v int) []int {
	at := slices.IndexFunc(m.cycle[b], func(part int) bool { return m.holds(part, v) })
	way := []int{at}
	for at != 0 {
		if way[0]%2 == 0 {
			at--
		} else {
			at = (at + 1) % len(m.cycle[b])
		}
		way = append(way, at)
	}
	return way
}

// between gives the edge from one place of a blossom's cycle to a neighbouring one.
func (m *matcher) between(b, i, j int) ends {
	if j == (i+1)%len(m.cycle[b]) {
		return m.link[b][i]
	}
	return m.link[b][j].back()
}

// setMate matches a node by an edge, and the nodes within it so that all but the end of the
// edge have mates there.
func (m *matcher) setMate(node int, e ends) {
	m.mate[node] = e
	if node < m.n {
		return
	}
	parts, way := m.cycle[node], m.evenWay(node, e.from)
	for i := 1; i < len(way); i += 2 {
		link := m.between(node, way[i], way[i+1])
		m.setMate(parts[way[i]], link)
		m.setMate(parts[way[i+1]], link.back())
	}
	at := way[0]
	m.setMate(parts[at], e)
	m.cycle[node] = slices.Concat(parts[at:], parts[:at])
	m.link[node] = slices.Concat(m.link[node][at:], m.link[node][:at])
}

// open dissolves an inner blossom without a dual: the way through it stays in the tree, the
// other nodes are unreached again.
func (m *matcher) open(b int) {
	parts, way := m.cycle[b], m.evenWay(b, m.parent[b].to)
	for _, part := range parts {
		m.setOuter(part, part)
		m.label[part], m.best[part], m.parent[part] = unreached, none, none
	}
	m.live[b] = false
	for i, at := range way {
		if i%2 == 1 {
			m.label[parts[at]] = outside
			continue
		}
		m.label[parts[at]] = inside
		if i == 0 {
			m.parent[parts[at]] = m.parent[b]
		} else {
			m.parent[parts[at]] = m.between(b, way[i-1], at)
		}
	}
	for _, part := range parts {
		if m.label[part] == inside {
			continue
		}
		m.findBest(part)
		if m.label[part] == outside {
			m.enqueue(part)
		}
	}
}
