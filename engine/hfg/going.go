package hfg

import (
	"berthier/engine/geometry"
)

// Ground and distances: chapter 9.

// A going is how ground hinders moves, the worse the greater (HFG-9.3).
type going int8

const (
	good going = iota
	slow
	hard       // difficult going
	impassable // to anyone by land but at crossings, or to the element asked about
)

// goingOf is the going of an area of ground (HFG-9.3, HFG-4.19, HFG-R18). An SP counts as slow
// only if nobody holds it, see [game.groundFor].
func (g *game) goingOf(a areaID) going {
	switch d := g.area(a); d.kind {
	case waterway:
		return impassable
	case marsh:
		return hard
	case hill:
		if d.slope == difficult {
			return hard
		}
		return good
	case wood:
		if g.woodSlow != 0 {
			return slow
		}
		return hard
	case bua:
		if g.burns(a) {
			return hard
		}
	}
	return slow // a BUA, an SP, slow going
}

// burns says whether a BUA or an SP is on fire (HFG-4.19).
func (g *game) burns(a areaID) bool {
	for _, b := range g.Burning {
		if b == a {
			return true
		}
	}
	return false
}

// worst is the worst going on which a footprint stands: its areas, and water that it has
// ended in off road (HFG-4.21).
func (g *game) worst(b *geometry.Body) going {
	w := good
	for a := areaID(1); int(a) <= len(g.areas); a++ {
		if k := g.goingOf(a); k > w && g.stands(b, a) {
			w = k
		}
	}
	for l := lineID(1); int(l) <= len(g.lines); l++ {
		if g.line(l).water() && w < slow && g.wades(b, l) {
			w = slow
		}
	}
	return w
}
