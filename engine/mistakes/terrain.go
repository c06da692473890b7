package mistakes

import (
	"slices"

	"berthier/engine/geometry"
)

// Terrain: chapter 4. What an area adds in a combat, and how far a manoeuvre gets through
// areas and over lines.

// combatTerrain is what terrain adds to a unit in a melee (EM-4.2 to EM-4.5): only areas that
// hold it entirely count. Defends says that it is the defender of this melee.
func (g *game) combatTerrain(u unitID, defends bool) int {
	b, d := g.body(u), g.def(u)
	still := defends && !g.moving(u)
	sum := 0
	for a := areaID(1); int(a) <= len(g.areas); a++ {
		kind := g.area(a).kind
		bonus := 0
		switch {
		case kind == hill && still:
			bonus = g.hillBonus()
		case kind != hill && d.arm == cavalry:
			bonus = cavalryInCover
		case kind != hill && d.arm == infantry && still:
			bonus = cover[kind]
		}
		if bonus != 0 && g.inside(&b, a) {
			sum += bonus
		}
	}
	return sum
}

// cover is what a wood, crops and a town add to infantry that defends and does not move.
var cover = [...]int{wood: 1, crops: 2, town: 2}

// cavalryInCover is what these add to cavalry in any melee.
const cavalryInCover = -1

// hillBonus is what a hill adds to a defender that does not move: once, though the rulebook
// lists it twice (EM-4.4), but by option (EM-R9).
func (g *game) hillBonus() int { return 1 + int(g.hillStacks) }

// caps are the most segments of a manoeuvre that touches such an area (EM-4.6).
var caps = map[ground]int{wood: 1, crops: 2}

// A march is a straight move of units to be searched: a manoeuvre, or a part of a charge.
type march struct {
	g       *game
	bodies  []geometry.Body  // where they start, after the turn
	heading geometry.Heading // of the move
	far     int64            // the most that is asked for
	factor  int              // segments, before terrain
	width   int
	onRoad  bool            // began the manoeuvre on a road, with a width of 1 (EM-4.8)
	forced  bool            // no terrain limits it (EM-4.13)
	others  []geometry.Body // what they may not strictly overlap
	also    func(at []geometry.Body) bool

	limits []limit         // what they may touch on the way
	since  []int64         // of each of them the first place where they were found to touch it, or never
	at     []geometry.Body // of a sample; none: a way begins
	gone   geometry.Point  // how far that is from the start
}

// A limit is an area, a line or a bridge that may lie on the way.
type limit struct {
	area   areaID
	line   lineID
	bridge int // less one the number of the bridge
}

// marchOf begins a march of units from where their bodies are, after a turn. It is a
// manoeuvre with a factor in segments.
func (g *game) marchOf(units []unitID, bodies []geometry.Body, heading geometry.Heading, factor, width int) *march {
	m := &march{g: g, bodies: bodies, heading: heading, factor: factor, width: width}
	m.far = int64(factor) * int64(g.segment())
	if m.width == 1 {
		for _, u := range units {
			b := g.body(u)
			m.onRoad = m.onRoad || g.anyRoad(&b)
		}
	}
	return m
}

// anyRoad says whether a figure stands on a road.
func (s *scenario) anyRoad(b *geometry.Body) bool {
	for l := range s.lines {
		if s.lines[l].kind == road && s.onLine(b, lineID(l+1)) {
			return true
		}
	}
	return false
}

// run says how far the units get (EM-3.13, EM-3.14); false: they may not even stand where they
// start.
func (m *march) run() (int64, bool) {
	lo, hi := m.bounds()
	m.findLimits(lo, hi)
	m.since, m.at = m.since[:0], m.at[:0]
	for range m.limits {
		m.since = append(m.since, never)
	}
	way := m.g.straightWay(m.heading, m.far)
	if size := m.g.size; len(m.limits) == 0 && m.also == nil && lo.X >= rounding && lo.Y >= rounding && hi.X <= size.X-rounding && hi.Y <= size.Y-rounding {
		return way.Slide(m.bodies, m.others, nil) // there is nothing besides
	}
	return way.Slide(m.bodies, m.others, m.forbidden)
}

// straightWay is a straight move as it is searched (EM-3.14).
func (s *scenario) straightWay(heading geometry.Heading, far int64) geometry.Way {
	ms := &s.measures
	return geometry.Way{Heading: heading, Far: far, Step: int64(ms.step), Fine: 1, Slack: -int64(ms.slack)}
}

// rounding is more than a way is off its bounds.
const rounding = 8

// bounds are those of the whole way.
func (m *march) bounds() (lo, hi geometry.Point) {
	d := geometry.Step(m.heading, m.far)
	lo, hi = m.bodies[0].Lo, m.bodies[0].Hi
	for i := range m.bodies {
		b := &m.bodies[i]
		lo = geometry.Point{X: min(lo.X, b.Lo.X), Y: min(lo.Y, b.Lo.Y)}
		hi = geometry.Point{X: max(hi.X, b.Hi.X), Y: max(hi.Y, b.Hi.Y)}
	}
	return lo.Plus(geometry.Point{X: min(d.X, 0), Y: min(d.Y, 0)}), hi.Plus(geometry.Point{X: max(d.X, 0), Y: max(d.Y, 0)})
}

// findLimits lists what lies under the bounds of the whole way.
func (m *march) findLimits(lo, hi geometry.Point) {
	s := m.g.scenario
	under := func(low, high geometry.Point) bool {
		return low.X <= hi.X+rounding && high.X >= lo.X-rounding && low.Y <= hi.Y+rounding && high.Y >= lo.Y-rounding
	}
	m.limits = m.limits[:0]
	for a := areaID(1); int(a) <= len(s.areas); a++ {
		if o := s.outline(a); s.area(a).kind != hill && under(o.Lo, o.Hi) {
			m.limits = append(m.limits, limit{area: a})
		}
	}
	for i := range s.lines {
		if s.lines[i].kind == road {
			continue
		}
		if low, high := geometry.Bounds(s.lines[i].points); under(low, high) {
			m.limits = append(m.limits, limit{line: lineID(i + 1)})
		}
	}
	for i := range s.bridges {
		if o := s.bridge(i); under(o.Lo, o.Hi) {
			m.limits = append(m.limits, limit{bridge: i + 1})
		}
	}
}

// placed gives the units where they are at t, until it is asked for another place.
func (m *march) placed(t int64) []geometry.Body {
	d := geometry.Step(m.heading, t)
	if len(m.at) == 0 {
		m.at, m.gone = append(m.at, m.bodies...), geometry.Point{}
	}
	for i := range m.at {
		m.at[i].Shift(d.Minus(m.gone))
	}
	m.gone = d
	return m.at
}

// forbidden says whether the units may not be at t: beyond what terrain allows, off the
// field, on a bridge too narrow for them, or for the reason that the manoeuvre adds.
func (m *march) forbidden(t int64) bool {
	for i := range m.placed(t) {
		if m.g.leaves(&m.at[i]) {
			return true
		}
	}
	bridged := slices.ContainsFunc(m.limits, m.crosses)
	if bridged && m.width > 1 {
		return true // a pursuit, too (EM-4.9)
	}
	if m.forced {
		return m.also != nil && m.also(m.at)
	}
	m.note(t, bridged)
	return t > m.allowance(t) || m.also != nil && m.also(m.at)
}

// note notes what limits the manoeuvre where the units are now, at t. On a road that they began
// on nothing does (EM-4.8).
func (m *march) note(t int64, bridged bool) {
	if m.onRoad && !m.some(func(b *geometry.Body) bool { return !m.g.anyRoad(b) }) {
		return
	}
	for i, l := range m.limits {
		if t < m.since[i] && m.touches(l, bridged) {
			m.since[i] = t
		}
	}
}

// touches says whether the units touch an area, a line or a bridge where they are now; on a bridge
// no stream (EM-4.9).
func (m *march) touches(l limit, bridged bool) bool {
	switch {
	case l.area != 0:
		return m.some(func(b *geometry.Body) bool { return m.g.onArea(b, l.area) })
	case l.line != 0:
		return !m.dry(l.line, bridged) && m.some(func(b *geometry.Body) bool { return m.g.onLine(b, l.line) })
	}
	return m.crosses(l)
}

// crosses says whether a limit is a bridge on which one of the units is now.
func (m *march) crosses(l limit) bool {
	return l.bridge != 0 && m.some(func(b *geometry.Body) bool { return m.g.onBridge(b, l.bridge-1) })
}

// dry says whether a line is a stream that is crossed by a bridge.
func (m *march) dry(l lineID, bridged bool) bool {
	return bridged && m.g.lines[l-1].kind == stream && m.g.bridgeFord == 0
}

func (m *march) some(is func(*geometry.Body) bool) bool {
	for i := range m.at {
		if is(&m.at[i]) {
			return true
		}
	}
	return false
}

// allowance is how far the manoeuvre may go by what it has touched up to t (EM-4.6).
func (m *march) allowance(t int64) int64 {
	most, less := m.factor, 0
	for i, l := range m.limits {
		switch {
		case m.since[i] > t:
		case l.area != 0 && m.g.area(l.area).kind == town, l.line != 0:
			less++
		case l.area != 0:
			most = min(most, caps[m.g.area(l.area).kind])
		}
	}
	return max(int64(most-less), 0) * int64(m.g.segment())
}

// crossed says what a move of a body touched on its way: a stream off a bridge, and a bridge
// (EM-4.10, EM-4.11).
func (g *game) crossed(from geometry.Body, heading geometry.Heading, far int64) (water, bridge bool) {
	for t := int64(0); ; t = min(t+int64(g.measures.step), far) {
		b := from.Shifted(geometry.Step(heading, t))
		on := false
		for i := range g.bridges {
			on = on || g.onBridge(&b, i)
		}
		bridge = bridge || on
		for l := range g.lines {
			if !on && g.lines[l].kind == stream && g.onLine(&b, lineID(l+1)) {
				water = true
			}
		}
		if t >= far {
			return water, bridge
		}
	}
}

// wade shakes a gun that has crossed a stream and was not shaken, whatever moved it
// (EM-4.10).
func (g *game) wade(u unitID, from geometry.Body, heading geometry.Heading, far int64) bool {
	if water, _ := g.crossed(from, heading, far); !water || g.def(u).arm != artillery || g.Units[u].Yellow > 0 {
		return false
	}
	g.Units[u].Yellow = 1
	return true
}

// chargeTerrain is what the way of a charge adds for the units of the formation in the combat
// that it starts (EM-4.11): -1 to a unit that crossed a stream; units that crossed a bridge
// count as shaken, and none of theirs may support.
func (g *game) chargeTerrain(from geometry.Body, heading geometry.Heading, far int64) (bonus int, shaken bool) {
	water, bridge := g.crossed(from, heading, far)
	if water {
		bonus = streamCharge
	}
	return bonus, bridge
}

// streamCharge is what a stream adds to who charges across it.
const streamCharge = -1
