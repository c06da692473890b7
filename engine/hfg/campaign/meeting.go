package campaign

import "slices"

// A Meeting is hostile forces that have met: at a node, or on a stage (HFG-20.10).
type Meeting struct {
	At     Node  `pos:"at"`
	On     Stage `pos:"on"`
	Far    int   `pos:"far,max=60"`                   // along the stage from its first node
	First  int   `pos:"first,min=-1,max=1"`           // the side that was there first and defends; -1: both came at once
	Forces []int `pos:"forces,required,most=60,flow"` // that are there

	// From where forces of each side have come to it in this period: both sides see that.
	Came0 []Node `pos:"came_first,most=60,unique,sorted"`
	Came1 []Node `pos:"came_second,most=60,unique,sorted"`
}

// came is from where forces of a side have come to the meeting.
func (m *Meeting) came(side int) *[]Node {
	if side == 0 {
		return &m.Came0
	}
	return &m.Came1
}

// cameFrom is the node from which a force has come to where it is, in the period that is played; 0: it has stood there.
func (c *Campaign) cameFrom(force int) Node {
	s := &c.Stands[force]
	if len(s.Path) == 0 || s.Gone == 0 {
		return 0
	}
	leg := min((s.Gone-1)/ticks, len(s.Path)-1)
	switch {
	case leg > 0:
		return s.Path[leg-1]
	case s.On == 0:
		return s.At
	}
	d := c.Stage(s.On)
	if s.Path[0] == d.From {
		return d.To
	}
	return d.From
}

// Together says that both sides came to a place at once (HFG-R89).
const Together = -1

// meeting finds hostile forces that are together at this tick: at one node, at one place of a
// stage, or having passed each other on it since the last tick. Of several meetings it is the
// one with the most elements, then that of the lowest node or stage.
func (c *Campaign) meeting() *Meeting {
	var best *Meeting
	size := 0
	for i := range c.Forces {
		for j := i + 1; j < len(c.Forces); j++ {
			if c.Forces[i].Side == c.Forces[j].Side || !c.meets(i, j) {
				continue
			}
			m := c.at(c.where(i), i, j)
			n := 0
			for _, f := range m.Forces {
				n += c.Forces[f].Elements
			}
			if best == nil || n > size || n == size && (m.At < best.At || m.At == best.At && m.On < best.On) {
				best, size = m, n
			}
		}
	}
	return best
}

// meets says whether two forces are together, or have just passed each other.
func (c *Campaign) meets(i, j int) bool {
	a, b := c.where(i), c.where(j)
	if a == b {
		return true
	}
	if a.on == 0 && b.on == 0 {
		return false
	}
	was, had := c.before(i), c.before(j)
	road := max(a.on, b.on)
	pa, oka := c.along(a, road)
	pb, okb := c.along(b, road)
	qa, okc := c.along(was, road)
	qb, okd := c.along(had, road)
	return oka && okb && okc && okd && (pa-pb)*(qa-qb) < 0
}

// before is where a force was one tick ago.
func (c *Campaign) before(force int) spot {
	s := c.Stands[force]
	old := c.Stands[force].Gone
	if old > 0 {
		c.Stands[force].Gone = max(0, old-len(s.Path))
	}
	w := c.where(force)
	c.Stands[force].Gone = old
	return w
}

// along is how far along a stage a spot lies; false if it isn't of it.
func (c *Campaign) along(w spot, road Stage) (int, bool) {
	d := c.Stage(road)
	switch {
	case w.on == road:
		return w.far, true
	case w.on != 0:
		return 0, false
	case w.at == d.From:
		return 0, true
	case w.at == d.To:
		return ticks, true
	}
	return 0, false
}

// at is the meeting of two forces, with all that are at the same node or on the same stage.
func (c *Campaign) at(w spot, i, j int) *Meeting {
	o := c.where(j)
	if w.on == 0 && o.on != 0 {
		w = o // on a stage
	}
	m := &Meeting{At: w.at, On: w.on, Far: w.far, First: Together}
	if w.on != 0 {
		m.At = c.Stage(w.on).From
	}
	since := [2]int{-1, -1}
	for k := range c.Forces {
		v := c.where(k)
		if v != w && k != i && k != j {
			continue
		}
		m.Forces = append(m.Forces, k)
		side := c.Forces[k].Side
		if from, all := c.cameFrom(k), m.came(side); from != 0 && !slices.Contains(*all, from) {
			*all = append(*all, from)
			slices.Sort(*all)
		}
		when := c.Stands[k].Since
		if w.on != 0 && c.Stands[k].Gone > 0 {
			when = c.tick(c.Tick) // on a stage whoever marches comes just now, wherever he came from
		}
		if since[side] < 0 || when < since[side] {
			since[side] = when
		}
	}
	switch {
	case since[0] < since[1]:
		m.First = 0
	case since[1] < since[0]:
		m.First = 1
	}
	return m
}

// halt ends the march of all that have met: they stand where they met.
func (c *Campaign) halt(m *Meeting) {
	for _, f := range m.Forces {
		s := &c.Stands[f]
		if len(s.Path) > 0 {
			s.Used += (s.Gone + ticks - 1) / ticks
			c.ended(s)
		}
		s.Path, s.Gone = nil, 0
		s.At, s.On, s.Far = m.At, m.On, m.Far
		if m.On == 0 {
			s.Far = 0
		}
	}
}

// ended says that a march has ended before its period: it counts as one of it, and who has marched does nothing else in it, and leaves behind what he has dug
// (HFG-20.8).
func (c *Campaign) ended(s *Stand) {
	if !s.Went {
		s.Busy++
	}
	s.Went, s.Tired = true, c.Period == Night
	s.Work, s.Target, s.Done, s.Entrenchments, s.Redoubts = NoWork, 0, 0, 0, 0
}

// left is how many stages all forces of a side at a meeting may still march this day: none if one
// of them must rest in this period (HFG-20.8), which nobody must who has marched in it already.
func (c *Campaign) left(m *Meeting, side int) int {
	left := 9
	for _, f := range m.Forces {
		if c.Forces[f].Side != side {
			continue
		}
		s := &c.Stands[f]
		if !s.Went && (s.Busy >= mostBusy || s.Tired) {
			return 0
		}
		left = min(left, max(0, c.RateOf(f).Day-s.Used))
	}
	return left
}

// Escapes says whether a side can avoid the battle: it has movement left and somewhere to go, and no troops whose
// tactical move is shorter than the shortest of the enemy's (HFG-20.11).
func (c *Campaign) Escapes(m *Meeting, side int) bool {
	least := [2]int{}
	for _, f := range m.Forces {
		s := c.Forces[f].Side
		if least[s] == 0 || c.Forces[f].Tactical < least[s] {
			least[s] = c.Forces[f].Tactical
		}
	}
	return len(c.Refuges(m, side)) > 0 && least[side] >= least[1-side]
}

// Refuges lists the nodes to which a side may get away from a meeting: one stage from its node,
// or an end of its stage, where no enemy was when they met, the nearest to its base first. Without
// movement left it has none. It retires: not through the enemy, where he has come from, and from a stage back to where it has
// itself come from (HFG-R192).
func (c *Campaign) Refuges(m *Meeting, side int) []Node {
	if c.left(m, side) == 0 {
		return nil
	}
	var all []Node
	if m.On != 0 {
		d := c.Stage(m.On)
		all = []Node{d.From, d.To}
	} else {
		for _, n := range c.Beside(m.At) {
			if road, _ := c.Between(m.At, n); !slices.Contains(c.Down, road) {
				all = append(all, n)
			}
		}
	}
	foes, own := *m.came(1 - side), *m.came(side)
	all = slices.DeleteFunc(all, func(n Node) bool {
		if slices.Contains(foes, n) || m.On != 0 && len(own) > 0 && !slices.Contains(own, n) {
			return true
		}
		for i, f := range c.Forces {
			if f.Side != side && c.where(i) == (spot{at: n}) {
				return true
			}
		}
		return false
	})
	slices.SortStableFunc(all, func(a, b Node) int {
		return c.Distance(a, c.Bases[side]) - c.Distance(b, c.Bases[side])
	})
	return all
}

// Avoid takes the forces of a side away from a meeting to a node, and ends it.
func (c *Campaign) Avoid(m *Meeting, side int, to Node) {
	for _, f := range m.Forces {
		if c.Forces[f].Side != side {
			continue
		}
		s := &c.Stands[f]
		s.At, s.On, s.Far, s.Path, s.Gone = to, 0, 0, nil, 0
		s.Used++
		c.ended(s)
		s.Since = c.tick(c.Tick)
	}
	c.Met = nil
}

// Near lists the forces that stand one stage away from a meeting, by a road whose bridge stands: they begin to arrive when the next
// period begins, after 24 turns of each side (HFG-20.10, HFG-R193).
func (c *Campaign) Near(m *Meeting) []int {
	var all []int
	for i := range c.Forces {
		if !slices.Contains(m.Forces, i) && c.near(c.where(i), m) {
			all = append(all, i)
		}
	}
	return all
}

// near says whether a spot lies one stage away from a meeting: on the same stage, or if a node of its own is one of the meeting's or
// joined to one by a road whose bridge stands. Who was stopped on a stage may go to both ends of it, as on his marches.
func (c *Campaign) near(s spot, m *Meeting) bool {
	if m.On != 0 && s.on == m.On {
		return true
	}
	if slices.Contains(c.Down, m.On) { // nobody comes to them on that stage
		return false
	}
	for _, to := range c.ends(m.At, m.On) {
		for _, from := range c.ends(s.at, s.on) {
			if road, ok := c.Between(from, to); from == to || ok && !slices.Contains(c.Down, road) {
				return true
			}
		}
	}
	return false
}

// ends are the nodes of a place: itself, or both ends of a stage.
func (c *Campaign) ends(at Node, on Stage) []Node {
	if on == 0 {
		return []Node{at}
	}
	d := c.Stage(on)
	return []Node{d.From, d.To}
}
