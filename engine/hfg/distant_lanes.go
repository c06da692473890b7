package hfg

import (
	"berthier/engine/geometry"
)

// Lanes of shots, and what they may lead over: the second part of chapter 12.

// laneTo finds the lane of a shot: of the shooting edges that have the target in their arc, and
// the edges of the target that face them, the first pair that leaves it clear (HFG-12.7).
func (g *game) laneTo(e elementID, at fighter) (fireLane, bool) {
	b, o := g.body(e), g.bodyOf(at)
	for _, from := range g.shootingEdges(e) {
		if !g.arc(e, from, at) {
			continue
		}
		edge := sideOf(&b, from)
		mid := midpoint(edge[0], edge[1])
		for _, on := range []geometry.Flank{geometry.Front, geometry.Left, geometry.Right, geometry.Rear} {
			met := sideOf(&o, on)
			if geometry.Side(met[0], met[1], mid) <= 0 { // corners run clockwise: left is outside
				continue
			}
			s := g.shotLine(e, at, &b, &o, edge, met)
			if s.isClear() {
				return fireLane{from: from, on: on, crest: s.crest, troops: s.troops}, true
			}
		}
	}
	return fireLane{}, false
}

// A shotLine is one lane that is judged.
type shotLine struct {
	game      *game
	e         elementID
	at        fighter
	own, foe  *geometry.Body
	quad      geometry.Area
	lines     [3][2]point // from end to end without crossing, and from middle to middle
	guns      bool
	far       int64 // the distance of shooter and target
	crest     bool
	troops    bool
	obstacles []geometry.Figure
}

func (g *game) shotLine(e elementID, at fighter, b, o *geometry.Body, edge, met [2]point) *shotLine {
	c, d := met[0], met[1]
	if geometry.Crosses(edge[0], c, edge[1], d) || geometry.Meet(edge[0], c, edge[1], d) {
		c, d = d, c
	}
	s := &shotLine{game: g, e: e, at: at, own: b, foe: o, guns: g.class(e) == artillery || g.class(e) == naval,
		quad:  geometry.NewArea([]point{edge[0], c, d, edge[1]}),
		lines: [3][2]point{{edge[0], c}, {edge[1], d}, {midpoint(edge[0], edge[1]), midpoint(c, d)}}}
	s.far = between(b, o)
	return s
}

// isClear says whether nothing stands in the lane, or what does may be shot over, and no gap
// that it leads through is too narrow (HFG-12.7, HFG-12.9, HFG-12.10, HFG-R118).
func (s *shotLine) isClear() bool {
	for a := areaID(1); int(a) <= len(s.game.areas); a++ {
		if !s.passesGround(a) {
			return false
		}
	}
	for _, x := range s.game.standing() {
		if x != s.e && x != s.at.Element && !s.passesElement(x) {
			return false
		}
	}
	return !s.narrow()
}

// passesElement says whether an element leaves the lane free, or may be shot over.
func (s *shotLine) passesElement(x elementID) bool {
	if s.game.Elements[x].Holds != 0 {
		return true // the piece that it holds counts, if it is a BUA
	}
	found := s.game.body(x)
	if found.Hi.X < s.quad.Lo.X-leastGap*pace || found.Lo.X > s.quad.Hi.X+leastGap*pace ||
		found.Hi.Y < s.quad.Lo.Y-leastGap*pace || found.Lo.Y > s.quad.Hi.Y+leastGap*pace {
		return true
	}
	if s.game.unknown(s.e, x) {
		return true // whom the shooter doesn't know bars no shot of his
	}
	b := found // few come so far that one is kept
	over := s.overElement(x, &b)
	if !over {
		s.obstacles = append(s.obstacles, outlineOf(&b))
	}
	if !geometry.On(&b, &s.quad, drawIn) {
		return true
	}
	s.troops = s.troops || over && !s.game.enemies(s.e, x)
	return over
}

// overElement says whether the shooter may shoot over an element (HFG-12.10).
func (s *shotLine) overElement(x elementID, b *geometry.Body) bool {
	if !s.guns {
		return false
	}
	ownGap, foeGap := between(s.own, b), between(s.foe, b)
	farBoth := !within(ownGap, 400) && !within(foeGap, 400)
	rifledGuns := s.game.def(s.e).troop == rifled
	switch {
	case s.game.class(s.e) == artillery && s.game.def(x).troop == marksmen && (!s.game.enemies(s.e, x) || !within(ownGap, 400)): // (e)
		return true
	case s.game.class(s.e) == artillery && farBoth && s.game.onHill(s.own) != 0, farBoth && s.game.onHill(s.foe) != 0: // (d)
		return true
	case farBoth && rifledGuns && !within(ownGap, 800):
		return true
	case rifledGuns && s.game.year >= 1899 && s.game.ofClass(fighter{Element: x}) == foot: // (b)
		k := s.game.worksIn(x)
		return k == entrenchment || k == feature
	}
	return false
}

// passesGround says whether a piece of ground leaves the lane free, or may be shot over.
func (s *shotLine) passesGround(a areaID) bool {
	switch s.game.area(a).kind {
	case hill:
		return s.passesCrest(a)
	case wood, bua:
	default:
		return true
	}
	if s.at.Area == a || s.at.Element != 0 && s.game.Elements[s.at.Element].Holds == a || s.game.Elements[s.e].Holds == a {
		return true
	}
	if s.overlooksBoth(a) {
		return true
	}
	least := int64(slack)
	inIt := s.game.stands(s.own, a) || s.game.stands(s.foe, a)
	if s.game.area(a).kind == wood && inIt {
		least = edgeSight*pace + pace/2
	} else {
		s.obstacles = append(s.obstacles, geometry.Figure{P: s.game.outline(a).P, Closed: true})
	}
	for _, l := range s.lines {
		if len(s.game.outline(a).Chord(nil, l[0], l[1], least)) > 0 {
			return false
		}
	}
	if inIt {
		return true
	}
	for _, p := range s.game.outline(a).P {
		if s.quad.Where(p) > 0 {
			return false
		}
	}
	return true
}

// overlooksBoth says whether shooter and target both stand in upper halves of hills on which
// an area doesn't lie (HFG-12.9).
func (s *shotLine) overlooksBoth(a areaID) bool {
	return s.game.overlooks(midpoint(s.own.Corner[0], s.own.Corner[1]), a) && s.game.overlooks(s.foe.At, a)
}

// passesCrest says whether the crest of a hill leaves the lane free, or may be shot over
// (HFG-12.9, HFG-12.10, HFG-4.13).
func (s *shotLine) passesCrest(a areaID) bool {
	line := s.game.crestLine(a)
	if len(line) == 0 || geometry.OnLine(s.own, line, slack) || geometry.OnLine(s.foe, line, slack) {
		return true
	}
	met, beyondIt := false, int64(0)
	for _, l := range s.lines {
		if far, ok := s.game.beyondCrest(a, l[0], l[1]); ok {
			met, beyondIt = true, max(beyondIt, far)
		}
	}
	if !met {
		return true
	}
	before := geometry.Distance(outlineOf(s.own), geometry.Figure{P: line})
	gentleHill := s.game.area(a).slope == gentle
	s.crest = true
	switch t := s.game.def(s.e).troop; {
	case t == bayonets && s.game.year >= squaresFrom, t == lightInfantry, t == minie, t == breechloaders, t == repeaters: // (a)
		return within(before, overCrestReach)
	case s.game.class(s.e) == artillery && s.game.Elements[s.e].Manner == tactical:
		return false // not from behind a crest after a move (HFG-12.2)
	case t == rifled && s.game.year >= 1899 && gentleHill: // (b)
		return within(before, 400) && atLeast(before, 200) && atLeast(s.far, 800) || !within(s.far, 1200) && within(beyondIt, 400)
	case t == smoothbore && gentleHill: // (c)
		return !within(s.far, 400) && within(beyondIt, 400)
	}
	return false
}

// narrow says whether two obstacles that are too near each other stand one on each side of the
// lane (HFG-12.7, HFG-R118).
func (s *shotLine) narrow() bool {
	a, b := s.lines[2][0], s.lines[2][1]
	if a == b {
		return false
	}
	long := geometry.Dist(a, b)
	var left, right []geometry.Figure
	for _, f := range s.obstacles {
		toLeft, toRight := false, false
		for _, p := range f.P {
			if along, across := geometry.Leg(a, b, p); along >= 0 && along <= long {
				toLeft, toRight = toLeft || across < 0, toRight || across > 0
			}
		}
		if toLeft {
			left = append(left, f)
		}
		if toRight {
			right = append(right, f)
		}
	}
	for i := range left {
		for j := range right {
			if &left[i].P[0] != &right[j].P[0] && geometry.Distance(left[i], right[j]) < leastGap*pace {
				return true
			}
		}
	}
	return false
}

// atLeast says whether a distance in units is so many paces or more, with the tolerance of
// [within].
func atLeast(distance int64, paces int) bool { return distance >= int64(paces)*pace-pace/2 }
