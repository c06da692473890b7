package hfg

import (
	"berthier/engine/geometry"
)

// How the field is measured: chapter 1. Bodies are the footprints of elements.

const (
	// slack is how far footprints may overlap, and how far apart they may be and touch
	// (HFG-1.5, HFG-1.8).
	slack = 1 * pace
	// drawIn is by how much a footprint is drawn in that must be in something by more than
	// slack (HFG-1.12).
	drawIn = slack + 1
)

// box is the footprint of an element about the middle of its front edge (HFG-1.3, HFG-2.1).
func (g *game) box(d *elementDef) geometry.Box {
	t := &troops[d.troop]
	width, depth := baseWidth, t.depth
	switch {
	case t.class == naval:
		width, depth = navalBases[g.navalBase][0], navalBases[g.navalBase][1]
	case d.troop.dismountable() && g.shallowMounts != 0:
		depth = shallowDepth
	}
	return geometry.Box{U0: -int64(width) * pace / 2, V0: -int64(depth) * pace, U1: int64(width) * pace / 2}
}

// shallowDepth is the depth of dismountables by option (HFG-R6), in paces.
const shallowDepth = 300

// body is what an element covers of the field. One that holds a BUA or SP has none: see
// [game.figure].
func (g *game) body(e elementID) geometry.Body {
	x := &g.Elements[e]
	return g.bodyAt(e, geometry.Frame{At: point(x.At), Heading: geometry.Heading(x.Facing)})
}

// bodyAt is what an element would cover elsewhere.
func (g *game) bodyAt(e elementID, at geometry.Frame) geometry.Body {
	return geometry.NewBody(geometry.Piece{Frame: at, Box: g.box(g.def(e))})
}

// figure is the outline by which distances to an element are measured: its footprint, or the
// piece whose edge it defends (HFG-4.17).
func (g *game) figure(e elementID) geometry.Figure {
	if held := g.Elements[e].Holds; held != 0 {
		return geometry.Figure{P: g.outline(held).P, Closed: true}
	}
	b := g.body(e)
	return outlineOf(&b)
}

// outlineOf is the outline of a body.
func outlineOf(b *geometry.Body) geometry.Figure {
	return geometry.Figure{P: b.Corner[:], Closed: true}
}

// apart is the distance of two elements in units (HFG-1.4).
func (g *game) apart(a, b elementID) int64 { return geometry.Distance(g.figure(a), g.figure(b)) }

// within says whether a distance in units is within so many paces: at or closer than, with
// half a pace of tolerance (HFG-1.4).
func within(distance int64, paces int) bool { return distance <= int64(paces)*pace+pace/2 }

// paces is a distance as players read it and as distances are compared to find the nearest
// (HFG-R134).
func paces(distance int64) int { return int(geometry.RDiv(distance, pace)) }

// overlap says whether two footprints overlap by more than is allowed (HFG-1.8).
func (s *setting) overlap(a, b *geometry.Body) bool { return !geometry.Apart(a, b, -slack) }

// touch says whether two footprints are in contact (HFG-1.5).
func touch(a, b *geometry.Body) bool { return !geometry.Apart(a, b, slack+1) }

// coincide says whether two corners are the same place (HFG-1.5).
func coincide(a, b point) bool { return geometry.Dist(a, b) <= slack }

// leaves says whether a footprint leaves the field (HFG-1.8).
func (s *setting) leaves(b *geometry.Body) bool {
	return b.Lo.X < -slack || b.Lo.Y < -slack || b.Hi.X > s.size.X+slack || b.Hi.Y > s.size.Y+slack
}
