package hfg

import (
	"slices"

	"berthier/engine/geometry"
)

// Groups and wheels: chapter 1.

// group says whether elements are a group (HFG-1.10): at least two, of one side, with one
// heading, and each in contact with another so that all hang together.
func (g *game) group(all []elementID) bool {
	if len(all) < 2 {
		return false
	}
	for _, e := range all {
		if !g.on(e) || g.Elements[e].Holds != 0 || g.enemies(e, all[0]) || g.Elements[e].Facing != g.Elements[all[0]].Facing {
			return false
		}
	}
	return len(g.linked(all[0], func(e elementID) bool { return slices.Contains(all, e) })) == len(all)
}

// linked lists the elements that hang together with one (HFG-1.10), of those that count, in
// the order of the list: those of its side with its heading that touch, and so on.
func (g *game) linked(from elementID, counts func(elementID) bool) []elementID {
	found := []elementID{from}
	bodies := []geometry.Body{g.body(from)}
	for i := 0; i < len(found); i++ {
		for e := elementID(1); int(e) < len(g.Elements); e++ {
			if slices.Contains(found, e) || !g.on(e) || g.Elements[e].Holds != 0 || g.enemies(e, from) ||
				g.Elements[e].Facing != g.Elements[from].Facing || !counts(e) {
				continue
			}
			if b := g.body(e); touch(&b, &bodies[i]) {
				found, bodies = append(found, e), append(bodies, b)
			}
		}
	}
	slices.Sort(found)
	return found
}

// pivot is the corner about which a group wheels to the left or the right (HFG-1.11): of the
// front corners within the margin of the one furthest to that side the foremost, of equal
// ones that of the lowest number. Width is the group's front in whole paces.
func pivot(bodies []geometry.Body, right bool) (at point, width int) {
	f := bodies[0].Frame
	var low, high int64
	corner := make([]point, 0, 2*len(bodies))
	for i := range bodies {
		for _, c := range [2]point{bodies[i].Corner[0], bodies[i].Corner[1]} {
			p := f.Local(c)
			if len(corner) == 0 {
				low, high = p.X, p.X
			}
			low, high = min(low, p.X), max(high, p.X)
			corner = append(corner, p)
		}
	}
	best := -1
	for i, p := range corner {
		if right && p.X < high-slack || !right && p.X > low+slack {
			continue
		}
		if best < 0 || p.Y > corner[best].Y+slack {
			best = i
		}
	}
	b := &bodies[best/2]
	return b.Corner[best%2], paces(high - low)
}

// wheelPrice is the length of the arc of a wheel by some degrees, in paces (HFG-1.11).
func wheelPrice(width, degrees int) int {
	return int(geometry.CeilDiv(int64(width)*int64(degrees)*355, 113*180))
}

// wheeled gives bodies after a wheel by degrees, to the right if they are positive, and its
// price in paces (HFG-1.11).
func wheeled(bodies []geometry.Body, by int) ([]geometry.Body, int) {
	if by == 0 {
		return bodies, 0
	}
	at, width := pivot(bodies, by > 0)
	all := make([]geometry.Body, len(bodies))
	for i := range bodies {
		all[i] = geometry.NewBody(geometry.Piece{Frame: bodies[i].Frame.Turned(at, by), Box: bodies[i].Box})
	}
	return all, wheelPrice(width, max(by, -by))
}

// turn gives the shorter turn from one heading to another, to the right if positive: from
// -179 to 180.
func turn(from, to geometry.Heading) int {
	by := int(to.Plus(-int(from)))
	if by > 180 {
		by -= 360
	}
	return by
}

// formed gives the places that a column takes as a line that faces a quarter turn to the
// right or the left of its heading, 1 or 2 deep, from its leader back (HFG-9.10): the lead
// element's outer flank comes to lie on the old front line.
func formed(column []geometry.Body, right bool, deep int) []geometry.Frame {
	lead := &column[0]
	by, sign := 90, int64(1)
	if !right {
		by, sign = -90, -1
	}
	h := lead.Heading.Plus(by)
	all := make([]geometry.Frame, len(column))
	along := int64(0) // back from the old front line
	for i := 0; i < len(column); i += deep {
		across := lead.U1 * sign
		width := column[i].U1 - column[i].U0
		for j := i; j < min(i+deep, len(column)); j++ {
			all[j] = geometry.Frame{At: lead.World(point{X: across, Y: lead.V1 - along - width/2}), Heading: h}
			across -= sign * (column[j].V1 - column[j].V0)
		}
		along += width
	}
	return all
}

// filed gives the places that a line 1 or 2 deep takes as a column that faces a quarter turn
// to the right or the left, in the order of the column (HFG-9.10): the end element of that
// side leads, its new front on the line's old outer flank, the column's flank on the old
// front line. The bodies stand in the order of the column: of a pair the front one first.
func filed(line []geometry.Body, right bool) []geometry.Frame {
	lead := &line[0]
	by, u, sign := 90, lead.U1, int64(1)
	if !right {
		by, u, sign = -90, lead.U0, -1
	}
	all := make([]geometry.Frame, len(line))
	for i := range line {
		half := (line[i].U1 - line[i].U0) / 2
		all[i] = geometry.Frame{At: lead.World(point{X: u, Y: lead.V1 - half}), Heading: lead.Heading.Plus(by)}
		u -= sign * (line[i].V1 - line[i].V0)
	}
	return all
}
