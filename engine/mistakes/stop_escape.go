package mistakes

import (
	"slices"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// stopEscape is the stop EM-S23.
const stopEscape = "escape"

// escapeForm is the stop escape (EM-S23): {escape: {derlon: [620, 200]}}, or {derlon: away} for where
// the deadline would send him.
var escapeForm = placesForm("escape", "away",
	func(v *View, d engine.Decision) []leaderID {
		var all []leaderID
		for _, x := range v.fleeing(d.Side) {
			all = append(all, x.Leader)
		}
		return all
	},
	func(w *staff, l leaderID) (geometry.Point, bool) { return w.board.escapePlace(w.flight(l)) },
	func(w *staff, o posting) (geometry.Point, int) {
		return geometry.Point(w.flight(o.leader).From), int(escapeReach * int64(w.board.segment()) / ringStep)
	},
	func(w *staff, o posting) *play.Fault {
		if !slices.Contains(w.back, o.leader) {
			return &play.Fault{Clause: "EM-13.4", Why: phrase.Say("em.escape-not", w.board.leaderArg("leader", o.leader))}
		}
		return w.board.escapeFault(w.flight(o.leader), geometry.Point(o.at))
	},
	func(p *battlefield, d engine.Decision, w *staff) {
		for _, o := range w.inTurn() {
			p.escapes(w.flight(o.leader), geometry.Point(o.at))
		}
		for _, x := range p.fleeing(d.Side) {
			at, ok := p.escapePlace(x)
			if !ok {
				at, _ = geometry.Rings(geometry.Point(x.From), ringStep, int64(reach), p.freeFor)
			}
			p.escapes(x, at)
		}
	})

// flight is how a leader flees.
func (w *staff) flight(l leaderID) flight {
	return w.v.Fleeing[slices.IndexFunc(w.v.Fleeing, func(x flight) bool { return x.Leader == l })]
}
