package mistakes

import (
	"slices"

	"berthier/engine/geometry"
)

// Command, and generals in the corps: chapter 2, with what chapters 3 and 9 say of who sees
// whom.

// inField says whether a leader is on the field.
func (g *game) inField(l leaderID) bool {
	x := &g.Leaders[l]
	return x.Attached != 0 || x.At != place{}
}

// generalOf is the general of a corps; its counter may be a substitute's.
func (s *scenario) generalOf(c corpsID) leaderID {
	return leaderID(slices.IndexFunc(s.leaders, func(d leaderDef) bool { return d.corps == c }) + 1)
}

// chief is the commander-in-chief of an army.
func (s *scenario) chief(a army) leaderID {
	return leaderID(slices.IndexFunc(s.leaders, func(d leaderDef) bool { return d.army == a && d.role == commander }) + 1)
}

// corpsOf is the corps under whose general a unit stands: its own, but for a unit in the
// Grand Battery (EM-7.10).
func (g *game) corpsOf(u unitID) corpsID {
	if f := g.of(u); f != nil {
		return f.Corps
	}
	return g.def(u).corps
}

// mayAttach says whether a leader may be attached to a unit (EM-8.3): a general to one of his
// corps, a commander-in-chief to any of his army, Ney to any but of the corps that he may
// not join (EM-R55). A garrison has no leader.
func (g *game) mayAttach(l leaderID, u unitID) bool {
	d, to := g.lead(l), g.def(u)
	switch {
	case to.garrison() || to.army != d.army:
		return false
	case d.role == general:
		return g.corpsOf(u) == d.corps
	case d.role == ney:
		return !g.barsNey(g.corpsOf(u))
	}
	return true
}

// attachedTo gives the leader attached in a formation; 0 for none (EM-2.4).
func (g *game) attachedTo(f *formation) leaderID {
	for l := leaderID(1); int(l) < len(g.Leaders); l++ {
		if u := g.Leaders[l].Attached; u != 0 && slices.Contains(f.Units, u) {
			return l
		}
	}
	return 0
}

// level is the level of a leader; that of a substitute is lower (EM-5.6).
func (g *game) level(l leaderID) int {
	if g.Leaders[l].Substitute {
		return g.substitute.level
	}
	return g.lead(l).level
}

// generates is how many command points a leader generates in a turn (EM-2.2).
func (g *game) generates(l leaderID) int {
	switch {
	case !g.inField(l):
		return 0
	case g.Leaders[l].Substitute:
		return g.substitute.points
	}
	return g.lead(l).points
}

// splits says whether a leader may serve several formations with the points that he
// generates: those of the highest level of a general may (EM-2.3, EM-R8).
func (g *game) splits(l leaderID) bool {
	return g.splitPoints == 0 && g.level(l) == splitLevel && g.lead(l).role == general
}

// splitLevel is the level of generals that may split their points.
const splitLevel = 3

// commands says whether a leader may order a formation (EM-2.1). A general orders those of
// his corps, but not the one that Ney leads (EM-13.6); the others only the one to which they
// are attached.
func (g *game) commands(l leaderID, f *formation) bool {
	if !g.inField(l) || g.lead(l).army != g.army(f.Corps) {
		return false
	}
	with := g.attachedTo(f)
	if g.lead(l).role != general {
		return with == l
	}
	if g.ownFormation != 0 && g.Leaders[l].Attached != 0 && with != l {
		return false // EM-R62
	}
	return g.lead(l).corps == f.Corps && (with == 0 || g.lead(with).role != ney)
}

// points is how many command points a leader has for a formation: what is left of those he
// generates, and the markers in his box (EM-2.2, EM-2.3).
func (g *game) points(l leaderID, f *formation) (generated, markers int) {
	x := &g.Leaders[l]
	generated = g.generates(l) - x.Spent
	if x.Paid != "" && x.Paid != f.ID && !g.splits(l) {
		generated = 0
	}
	return max(generated, 0), x.Markers
}

// pay takes the price of an order from a leader, generated points first unless he keeps them
// (EM-R90). Markers return to the reserve at once (EM-9.8). It is false, and takes nothing,
// if he has too few.
func (g *game) pay(l leaderID, f *formation, price int, keep bool) bool {
	generated, markers := g.points(l, f)
	if keep {
		generated = 0
	}
	if generated+markers < price {
		return false
	}
	x := &g.Leaders[l]
	if used := min(generated, price); used > 0 {
		x.Spent += used
		x.Paid = f.ID
		price -= used
	}
	x.Markers -= price
	g.Reserve[g.lead(l).army] += price
	return true
}

// remains says whether a unit of a corps is on the field, or still to come (EM-2.5).
func (g *game) remains(c corpsID) bool {
	for u := unitID(1); int(u) < len(g.Units); u++ {
		if g.def(u).corps == c && g.Units[u].Gone == present {
			return true
		}
	}
	return false
}

// bereft eliminates the general of a corps that has lost its last unit; he is never replaced
// (EM-2.5).
func (g *game) bereft(c corpsID) bool {
	l := g.generalOf(c)
	if g.remains(c) || !g.inField(l) {
		return false
	}
	g.remove(l, eliminated, noArmy)
	return true
}

// remove takes a leader off the field; his markers return to the reserve.
func (g *game) remove(l leaderID, how fate, by army) {
	x := &g.Leaders[l]
	g.Reserve[g.lead(l).army] += x.Markers
	*x = leader{Substitute: x.Substitute, Gone: how, By: by, Lost: x.Lost}
}

// sees says whether a leader sees a unit (EM-3.18, EM-9.2): whether no hill, no wood and no
// town that blocks lies on the line between their centres. An area on which one of them
// stands does not hide the unit. A leader always sees the formation he is attached to.
func (g *game) sees(l leaderID, u unitID) bool {
	if with := g.Leaders[l].Attached; with != 0 && g.of(with) != nil && g.of(with) == g.of(u) {
		return true
	}
	from, to := g.whereIs(l), geometry.Point(g.Units[u].At)
	own, his := g.counter(from), g.body(u)
	if with := g.Leaders[l].Attached; with != 0 {
		own = g.body(with)
	}
	var room [8]geometry.Span
	for a := areaID(1); int(a) <= len(g.areas); a++ {
		if !g.blocks(a) || g.onArea(&his, a) || g.ownArea == 0 && g.onArea(&own, a) {
			continue
		}
		if len(g.outline(a).Chord(room[:0], from, to, int64(g.measures.slack))) > 0 {
			return false
		}
	}
	return true
}

// blocks says whether an area blocks sight and fire: hills, woods, and the one town that the
// rules name (EM-7.4, EM-9.2).
func (s *scenario) blocks(a areaID) bool {
	switch d := s.area(a); d.kind {
	case hill, wood:
		return true
	case town:
		return d.blocks
	}
	return false
}
