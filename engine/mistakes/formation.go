package mistakes

import (
	"cmp"
	"slices"

	"berthier/engine/geometry"
)

// Formations: their frame and width, columns, what hangs together. They are given as
// the units of one formation, or of several that are united, in the order of their numbers.

// boxes gives the extents of units in the frame of the lowest-numbered one (EM-3.10); with
// guns alone, without their limbers (EM-R83).
func (g *game) boxes(units []unitID, guns bool) []geometry.Box {
	of, all := g.body, make([]geometry.Box, len(units))
	if guns {
		of = g.gun
	}
	frame := g.frame(units[0])
	for i, u := range units {
		b := of(u)
		all[i] = frame.Extents(b.Corner[:])
	}
	return all
}

// width is how many units stand side by side (EM-3.10): the most whose extents have nothing
// in common, within the contact tolerance. Horse artillery does not count where light cavalry
// is all that stands with it (EM-R56).
func (g *game) width(units []unitID) int {
	type extent struct {
		unit        unitID
		left, right int64
	}
	mixed := g.lightOnly(units)
	var all []extent
	for i, b := range g.boxes(units, true) {
		if !mixed || g.def(units[i]).arm != artillery {
			all = append(all, extent{units[i], b.U0, b.U1})
		}
	}
	slices.SortFunc(all, func(a, b extent) int {
		return cmp.Or(cmp.Compare(a.right, b.right), cmp.Compare(a.unit, b.unit))
	})
	count := 0
	var last int64
	for _, e := range all {
		if count == 0 || e.left >= last-int64(g.measures.contact) {
			count, last = count+1, e.right
		}
	}
	return count
}

// lightOnly says whether units are light cavalry, one at least, and besides it only horse
// artillery (EM-R56).
func (g *game) lightOnly(units []unitID) bool {
	some := false
	for _, u := range units {
		d := g.def(u)
		switch {
		case d.arm == cavalry && d.weight == light:
			some = true
		case d.mount != horse:
			return false
		}
	}
	return some
}

// follows says whether a unit stands in contact with the rear of another by its own front
// (EM-3.11). A garrison has neither front nor rear.
func (g *game) follows(rear, front unitID) bool {
	if g.def(rear).garrison() || g.def(front).garrison() || !g.contact(rear, front) {
		return false
	}
	f, r, eps := g.body(front), g.body(rear), int64(g.measures.contact)
	return g.lengthOn(&f, &r, geometry.Rear) > eps && g.lengthOn(&r, &f, geometry.Front) > eps
}

// column lists the friends in column with a unit, without it (EM-3.11).
func (g *game) column(u unitID) []unitID {
	found := []unitID{u}
	for i := 0; i < len(found); i++ {
		for _, other := range g.standing() {
			if !g.enemies(u, other) && !slices.Contains(found, other) &&
				(g.follows(other, found[i]) || g.follows(found[i], other)) {
				found = append(found, other)
			}
		}
	}
	found = found[1:]
	slices.Sort(found)
	return found
}

// parts gives the sets of units that hang together by contact, each in the order of its
// numbers, the one of the lowest number first (EM-R79).
func (g *game) parts(units []unitID) [][]unitID {
	left := slices.Clone(units)
	var all [][]unitID
	for len(left) > 0 {
		part := []unitID{left[0]}
		left = left[1:]
		for i := 0; i < len(part); i++ {
			left = slices.DeleteFunc(left, func(u unitID) bool {
				touches := g.contact(part[i], u)
				if touches {
					part = append(part, u)
				}
				return touches
			})
		}
		slices.Sort(part)
		all = append(all, part)
	}
	return all
}

// touches says whether two formations touch (EM-3.20).
func (g *game) touches(a, b *formation) bool {
	return slices.ContainsFunc(a.Units, func(u unitID) bool {
		return slices.ContainsFunc(b.Units, func(v unitID) bool { return g.contact(u, v) })
	})
}

// united lists the formations that are united with one, and it (EM-10.9): those of other
// corps of its army that touch it, or each other, and have its heading.
func (g *game) united(f *formation) []*formation {
	all := []*formation{f}
	for i := 0; i < len(all); i++ {
		for j := range g.Formations {
			other := &g.Formations[j]
			if !slices.Contains(all, other) && other.Corps != all[i].Corps && g.army(other.Corps) == g.army(f.Corps) &&
				g.heading(other) == g.heading(f) && g.touches(all[i], other) {
				all = append(all, other)
			}
		}
	}
	return all
}

// factors are the segments that a formation may advance or charge, by its width.
var factors = [...]int{1: 4, 2: 3, 3: 2, 4: 1}

// factor is how many segments units may charge (table of chapter 3.2). Where nothing counts
// for the width, it is 1.
func (g *game) factor(units []unitID) int { return factorOf(g.width(units)) }

// factorOf is the factor of a width.
func factorOf(width int) int { return factors[min(max(width, 1), len(factors)-1)] }

// advanceFactor is how many segments units may advance: light cavalry 1 more (EM-10.2).
func (g *game) advanceFactor(units []unitID) int { return g.advancesBy(units, g.width(units)) }

// advancesBy is the same for units whose width is known.
func (g *game) advancesBy(units []unitID, width int) int {
	if g.lightOnly(units) {
		return factorOf(width) + 1
	}
	return factorOf(width)
}

// pivot is the point about which units turn (EM-3.12): to the left about the front right
// corner of the unit with the greatest right edge, to the right about the front left corner
// of the one with the least left edge. Of edges within the contact tolerance the front-most
// counts, then the lowest number.
func (g *game) pivot(units []unitID, left bool) geometry.Point {
	boxes, eps := g.boxes(units, false), int64(g.measures.contact)
	out := func(b geometry.Box) int64 {
		if left {
			return b.U1
		}
		return -b.U0
	}
	most := out(boxes[0])
	for _, b := range boxes {
		most = max(most, out(b))
	}
	best := -1
	for i, b := range boxes {
		if out(b) >= most-eps && (best < 0 || b.V1 > boxes[best].V1+eps) {
			best = i
		}
	}
	body := g.body(units[best])
	if left {
		return body.Corner[1]
	}
	return body.Corner[0]
}

// wheeled gives where units stand after a turn by degrees, to the right if it is positive
// (EM-3.12).
func (g *game) wheeled(units []unitID, by int) []geometry.Body {
	if by == 0 {
		return g.wheeledAbout(units, geometry.Point{}, 0)
	}
	return g.wheeledAbout(units, g.pivot(units, by < 0), by)
}

// wheeledAbout is the same about a pivot that is known.
func (g *game) wheeledAbout(units []unitID, pivot geometry.Point, by int) []geometry.Body {
	all := make([]geometry.Body, len(units))
	for i, u := range units {
		frame := g.frame(u)
		if by != 0 {
			frame = frame.Turned(pivot, by)
		}
		all[i] = g.bodyAt(u, frame)
	}
	return all
}

// stand puts units where their bodies are, so that they have moved.
func (g *game) stand(units []unitID, bodies []geometry.Body) {
	for i, u := range units {
		g.Units[u].At, g.Units[u].Heading = place(bodies[i].At), int(bodies[i].Heading)
		g.moved(u)
	}
}

// battery says whether a formation is the Grand Battery: the units of it, and maybe others
// (EM-7.10).
func (g *game) battery(f *formation) bool {
	return len(g.scenario.battery.units) > 0 && f.Corps == g.scenario.battery.corps &&
		!slices.ContainsFunc(g.scenario.battery.units, func(u unitID) bool { return !slices.Contains(f.Units, u) })
}
