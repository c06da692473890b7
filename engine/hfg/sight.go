package hfg

import (
	"slices"

	"berthier/engine/geometry"
)

// Who sees whom: chapter 5. Visible is to one element; known is to a command (HFG-5.1).

const (
	mistySight = 200  // HFG-8.2
	wetSight   = 1200 // HFG-8.3
	closeSight = 200  // within one wood or BUA (HFG-R22)
	edgeSight  = 100  // so far inside a wood one sees out (HFG-5.4)
	crestSight = 400  // so far beyond a gentle crest one is seen (HFG-5.3)
)

// sights remembers who sees whom for as long as the two stay where they are.
type sights struct {
	sky   sky
	where []pose
	seen  [][]int8 // by who looks, then at whom: 0 unasked, 1 yes, -1 no
}

// A pose is all of an element that matters for sight.
type pose struct {
	at     place
	facing int
	holds  areaID
	fate   fate
}

func (g *game) pose(e elementID) pose {
	x := &g.Elements[e]
	return pose{x.At, x.Facing, x.Holds, x.Fate}
}

// sees says whether an element sees another (HFG-5.2).
func (g *game) sees(a, b elementID) bool {
	if !g.on(a) || !g.on(b) {
		return false
	}
	if g.sights == nil || g.sights.sky != g.Sky || len(g.sights.where) != len(g.Elements) {
		g.sights = &sights{sky: g.Sky, where: make([]pose, len(g.Elements)), seen: make([][]int8, len(g.Elements))}
	}
	m := g.sights
	for _, e := range [2]elementID{a, b} {
		if p := g.pose(e); m.where[e] != p {
			m.where[e], m.seen[e] = p, nil
			for _, row := range m.seen {
				if row != nil {
					row[e] = 0
				}
			}
		}
	}
	if m.seen[a] == nil {
		m.seen[a] = make([]int8, len(g.Elements))
	}
	if m.seen[a][b] == 0 {
		m.seen[a][b] = -1
		if g.looks(a, b) {
			m.seen[a][b] = 1
		}
	}
	return m.seen[a][b] > 0
}

// looks is sees, worked out.
func (g *game) looks(a, b elementID) bool {
	x, y := g.body(a), g.body(b)
	l := &look{g: g, a: &x, b: &y, holdsA: g.Elements[a].Holds, holdsB: g.Elements[b].Holds}
	l.from, l.to = g.eyes(a, &x, b, &y), g.eyes(b, &y, a, &x)
	if limit := g.sightLimit(); limit > 0 && !within(geometry.Distance(edgesOf(l.from, l.holdsA), edgesOf(l.to, l.holdsB)), limit) {
		return false
	}
	return l.arrives()
}

// arrives says whether a line of sight leads from some corner of the one to some corner of the other.
func (l *look) arrives() bool {
	l.gather()
	for _, p := range l.from {
		for _, q := range l.to {
			if l.clear(p, q) {
				return true
			}
		}
	}
	return false
}

// edgesOf is the figure from which the distance of sight is measured (HFG-R131).
func edgesOf(corners []point, holds areaID) geometry.Figure {
	return geometry.Figure{P: corners, Closed: holds == 0}
}

// sightLimit is how far one sees at all, in paces; 0: as far as there is (HFG-5.2).
func (g *game) sightLimit() int {
	switch g.Sky {
	case misty:
		return mistySight
	case rain:
		return wetSight
	}
	return 0
}

// eyes are the corners by which an element sees another and is seen by it: its own, or of a
// garrison those that end the edge nearest to the other, of equal ones all (HFG-R131).
func (g *game) eyes(a elementID, x *geometry.Body, b elementID, y *geometry.Body) []point {
	if g.Elements[a].Holds == 0 {
		return x.Corner[:]
	}
	var found []point
	least := int64(-1)
	for side := geometry.Front; side <= geometry.Rear; side++ {
		e := sideOf(x, side)
		d := int64(paces(geometry.Distance(geometry.Figure{P: e[:]}, outlineOf(y)))) // HFG-R134
		if least < 0 || d < least {
			least, found = d, found[:0]
		}
		if d > least {
			continue
		}
		for _, c := range e {
			if !slices.Contains(found, c) {
				found = append(found, c)
			}
		}
	}
	return found
}

// A look is one element that looks at another, with what may lie between.
type look struct {
	g              *game
	a, b           *geometry.Body
	holdsA, holdsB areaID
	from, to       []point
	covers         []areaID // woods and BUA
	crests         []areaID // hills whose crest neither of the two touches
	last           areaID   // that hid the segment before
	spans          []geometry.Span
}

// gather lists what lies under the bounds of all segments.
func (l *look) gather() {
	lo, hi := geometry.Bounds(append(slices.Clone(l.from), l.to...))
	for a := areaID(1); int(a) <= len(l.g.areas); a++ {
		o := l.g.outline(a)
		if o.Lo.X > hi.X || o.Hi.X < lo.X || o.Lo.Y > hi.Y || o.Hi.Y < lo.Y {
			continue
		}
		switch l.g.area(a).kind {
		case wood, bua:
			l.covers = append(l.covers, a)
		case hill:
			line := l.g.crestLine(a)
			if !geometry.OnLine(l.a, line, slack) && !geometry.OnLine(l.b, line, slack) { // HFG-5.3
				l.crests = append(l.crests, a)
			}
		}
	}
}

// clear says whether a segment is clear (HFG-5.3, HFG-5.4).
func (l *look) clear(p, q point) bool {
	if l.last != 0 && l.hides(l.last, p, q) {
		return false
	}
	for _, a := range l.covers {
		if a != l.last && l.hides(a, p, q) {
			l.last = a
			return false
		}
	}
	for _, a := range l.crests {
		if l.humps(a, p, q) {
			return false
		}
	}
	return true
}

// hides says whether a wood or a BUA hides one end of a segment from the other (HFG-R117).
func (l *look) hides(a areaID, p, q point) bool {
	o := l.g.outline(a)
	long := geometry.Dist(p, q)
	l.spans = o.Chord(l.spans[:0], p, q, slack)
	for _, s := range l.spans {
		begins, ends := s.Low <= 1, s.High >= long-1
		switch {
		case begins && ends:
			if !within(between(l.a, l.b), closeSight) { // HFG-R22
				return true
			}
		case begins || ends:
			if begins && a == l.holdsA || ends && a == l.holdsB {
				continue // HFG-R131
			}
			if l.g.area(a).kind == bua || !within(s.High-s.Low, edgeSight) {
				return true
			}
		case !l.over(a, p) && !l.over(a, q):
			return true
		}
	}
	return false
}

// over says whether a point lies in the upper half of a hill on which an area does not lie
// (HFG-5.3, HFG-R21).
func (l *look) over(a areaID, p point) bool { return l.g.overlooks(p, a) }

// overlooks says whether a point lies in the upper half of a hill on which an area does not
// lie.
func (s *setting) overlooks(p point, a areaID) bool {
	for h := areaID(1); int(h) <= len(s.areas); h++ {
		if s.area(h).kind == hill && s.upper(p, h) && !s.meet(a, h) {
			return true
		}
	}
	return false
}

// meet says whether two areas have a point in common.
func (s *setting) meet(a, b areaID) bool {
	return geometry.Distance(geometry.Figure{P: s.outline(a).P, Closed: true}, geometry.Figure{P: s.outline(b).P, Closed: true}) == 0
}

// humps says whether the crest of a hill hides the target's end q of a segment from p
// (HFG-5.3, HFG-R117).
func (l *look) humps(a areaID, p, q point) bool {
	far, ok := l.g.beyondCrest(a, p, q)
	if !ok {
		return false
	}
	return l.g.area(a).slope == difficult || !within(far, crestSight)
}

// beyondCrest gives how far the end of a segment lies beyond the last point that it has in
// common with the crest of a hill; false: it has none.
func (s *setting) beyondCrest(a areaID, p, q point) (far int64, meets bool) {
	line := s.crestLine(a)
	for i := 1; i < len(line); i++ {
		c, d := line[i-1], line[i]
		if !geometry.Meet(p, q, c, d) {
			continue
		}
		at, crosses := geometry.Cut(p, q, c, d)
		if !crosses { // it runs along the crest
			at = c
			if geometry.Dist2(d, q) < geometry.Dist2(c, q) {
				at = d
			}
		}
		if n := geometry.Dist(at, q); !meets || n < far {
			far = n
		}
		meets = true
	}
	return far, meets
}

// knows says whether an element is known to a command: one of its elements sees it, or its Aeronauts do
// (HFG-5.1). An enemy who is concealed is not known.
func (g *game) knows(c commandID, enemy elementID) bool {
	if !g.on(enemy) || g.Elements[enemy].Concealed && g.def(enemy).side != g.lead(c).side {
		return false
	}
	if g.fog == fogOpen || g.Phase == preparing {
		return true
	}
	for e := elementID(1); int(e) < len(g.Elements); e++ {
		if g.on(e) && g.def(e).side == g.lead(c).side && g.command(e) == c && g.sees(e, enemy) {
			return true
		}
	}
	return g.aloft(c, enemy)
}

// known says whether an enemy is known to any command of a side (HFG-5.8). While an attacker draws up he is shown all
// that isn't concealed (HFG-6.4).
func (g *game) known(of side, enemy elementID) bool {
	if !g.on(enemy) || g.Elements[enemy].Concealed {
		return false
	}
	if g.fog == fogOpen || g.Phase == preparing {
		return true
	}
	for e := elementID(1); int(e) < len(g.Elements); e++ {
		if g.on(e) && g.def(e).side == of && g.sees(e, enemy) {
			return true
		}
	}
	for c := commandID(1); int(c) < len(g.Commands); c++ {
		if g.lead(c).side == of && g.aloft(c, enemy) {
			return true
		}
	}
	return false
}

// aloft says whether Aeronauts that operate see an enemy for a command: all that came from
// the same side of the field, but allied ones (HFG-5.1, HFG-5.5).
func (g *game) aloft(c commandID, enemy elementID) bool {
	for e := elementID(1); int(e) < len(g.Elements); e++ {
		if g.def(e).troop != aeronauts || !g.serves(e, c) {
			continue
		}
		x, y := g.body(e), g.body(enemy)
		if far := g.aloftSight(); (far == 0 || within(between(&x, &y), far)) && !g.sheltered(enemy, &y) {
			return true
		}
	}
	return false
}

// serves says whether Aeronauts operate and tell a command what they see (HFG-5.1).
func (g *game) serves(e elementID, c commandID) bool {
	d := g.lead(c)
	return !d.allied && g.def(e).side == d.side && g.entry(g.command(e)) == g.entry(c) && g.operates(e)
}

// entry is the edge by which a command came to the field (HFG-5.1).
func (g *game) entry(c commandID) edge {
	if a := g.lead(c).arrival; a != nil {
		return a.edge
	}
	return g.base(g.lead(c).side)
}

// aloftSight is how far Aeronauts see, in paces; 0: the whole field (HFG-19.1).
func (g *game) aloftSight() int {
	if g.year >= aeroplanesFrom {
		return 0
	}
	return balloonSight
}

const (
	aeroplanesFrom = 1910
	balloonSight   = 9000
)

// sheltered says whether an element can't be seen from above: it stands in the interior of a BUA, or
// in a wood with every corner more than 100 paces inside (HFG-5.4, HFG-5.5).
func (g *game) sheltered(e elementID, b *geometry.Body) bool {
	if g.Elements[e].Holds != 0 {
		return false
	}
	for a := areaID(1); int(a) <= len(g.areas); a++ {
		k := g.area(a).kind
		if k != wood && k != bua || !g.wholly(b, a) {
			continue
		}
		near := func(c point) bool { return within(geometry.Depth(g.outline(a).P, c), edgeSight) }
		if k == bua || !slices.ContainsFunc(b.Corner[:], near) {
			return true
		}
	}
	return false
}
