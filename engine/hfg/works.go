package hfg

import "berthier/engine/geometry"

// Works that shelter their occupants: chapter 6.

// frame is where a work looks from.
func (w *placedWork) frame() geometry.Frame {
	return geometry.Frame{At: point(w.At), Heading: geometry.Heading(w.Facing)}
}

// body is what a work covers of the field: what lies behind its front edge.
func (w *placedWork) body() geometry.Body {
	half := int64(w.Width) / 2
	return geometry.NewBody(geometry.Piece{Frame: w.frame(), Box: geometry.Box{U0: -half, V0: -int64(w.Depth), U1: half}})
}

// shelter is the work behind which an element stands: a redoubt on whose place it stands, or
// an entrenchment, a feature or a barricade on whose front its own front edge lies, with the
// same heading (HFG-6.6 to HFG-6.9); nil if there is none.
func (g *game) shelter(e elementID) *placedWork {
	x := &g.Elements[e]
	if x.At == (place{}) {
		return nil
	}
	for i := range g.Works {
		w := &g.Works[i]
		if w.Kind == redoubt && !g.def(e).troop.inRedoubt() {
			continue
		}
		if w.Kind == minefield || w.Facing != x.Facing || w.Side != g.def(e).side {
			continue
		}
		b := w.frame().Extents(frontOf(g.body(e)))
		long := int64(w.Width)/2 + slack
		if b.V0 >= -slack && b.V1 <= slack && b.U0 >= -long && b.U1 <= long {
			return w
		}
	}
	return nil
}

// inRedoubt says whether a redoubt holds and protects troops of a type: foot and guns; dismountables stand in it on foot (HFG-6.6).
func (t troop) inRedoubt() bool {
	return troops[t].class == foot || troops[t].class == artillery || t.dismountable()
}

// frontOf are the ends of the front edge of a body.
func frontOf(b geometry.Body) []point { return []point{b.Corner[0], b.Corner[1]} }

// entrenched says whether an element stands behind a work (HFG-2.6).
func (g *game) entrenched(e elementID) bool { return g.shelter(e) != nil }
