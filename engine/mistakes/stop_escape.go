package mistakes

import (
	"iter"
	"math/rand/v2"
	"slices"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// stopEscape is the stop EM-S23.
const stopEscape = "escape"

// escapeForm is the stop escape (EM-S23): {escape: {derlon: [620, 200]}}. Who is not named goes
// where the deadline would send him.
var escapeForm = &form[*staff]{
	Begin: func(v *View, d engine.Decision) (*staff, bool) {
		w := &staff{v: v, board: v.trial()}
		for _, x := range v.fleeing(d.Side) {
			w.back = append(w.back, x.Leader)
		}
		return w, len(w.back) > 0
	},
	Flow: true,
	Fields: []keyed[*staff]{spoken(leadersField("escape", placeShape,
		func(_ *draft[*staff], r *orders.Reader, l leaderID, n *orders.Node) (posting, bool) {
			at, ok := readPlace(r, n)
			return posting{leader: l, does: goes, at: at}, ok
		},
		func(_ *View, o posting) (leaderID, *orders.Node) { return o.leader, writePlace(o.at) },
		rule[*staff, posting]{
			Next: func(w *staff) iter.Seq[posting] {
				return func(yield func(posting) bool) {
					for _, l := range w.back {
						if at, ok := w.board.escapePlace(w.flight(l)); ok && !yield(posting{leader: l, does: goes, at: place(at)}) {
							return
						}
					}
				}
			},
			May: func(w *staff, o posting) *play.Fault {
				if !slices.Contains(w.back, o.leader) {
					return &play.Fault{Clause: "EM-13.4", Why: phrase.Say("em.escape-not", w.board.leaderArg("leader", o.leader))}
				}
				return w.board.escapeFault(w.flight(o.leader), geometry.Point(o.at))
			},
			Put: func(w *staff, o posting) {
				w.posted = append(w.posted, o)
				w.back = slices.DeleteFunc(slices.Clone(w.back), func(l leaderID) bool { return l == o.leader })
				w.board.posts(o)
			},
			Say: func(v *View, o posting) engine.Choice {
				return engine.Choice{Of: v.lead(o.leader).id, What: "escape " + writePlace(o.at).OneLine()}
			},
		}))},
	Usual:  escapeAway,
	Stands: true,
	Chance: func(x *draft[*staff], chance *rand.Rand) {
		for _, l := range x.World.back {
			at := x.World.flight(l).From
			for range 20 {
				near := geometry.Point(at).Plus(geometry.Point{X: int64(chance.IntN(80)-40) * ringStep, Y: int64(chance.IntN(80)-40) * ringStep})
				if x.Try("escape", posting{leader: l, does: goes, at: place(near)}) {
					break
				}
			}
		}
		escapeAway(x)
	},
	Do: func(p *battlefield, d engine.Decision, w *staff) {
		for _, o := range w.posted {
			p.escapes(w.flight(o.leader), geometry.Point(o.at))
		}
		for _, x := range p.fleeing(d.Side) {
			at, ok := p.escapePlace(x)
			if !ok {
				at, _ = geometry.Rings(geometry.Point(x.From), ringStep, int64(reach), p.freeFor)
			}
			p.escapes(x, at)
		}
	},
}

// flight is how a leader flees.
func (w *staff) flight(l leaderID) flight {
	return w.v.Fleeing[slices.IndexFunc(w.v.Fleeing, func(x flight) bool { return x.Leader == l })]
}

// escapeAway sends those who are not placed yet straight away from who met them (EM-S23).
func escapeAway(x *draft[*staff]) {
	for _, l := range x.World.back {
		if at, ok := x.World.board.escapePlace(x.World.flight(l)); ok {
			x.Try("escape", posting{leader: l, does: goes, at: place(at)})
		}
	}
}
