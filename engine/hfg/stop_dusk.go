package hfg

import (
	"iter"
	"math/rand/v2"

	"berthier/engine"
	"berthier/engine/play"
)

// The stop dusk (HFG-S16 at sunset): whether a side stays on the field, or withdraws by night.

// stopDusk is its kind.
const stopDusk = "dusk"

// A duskWorld is the world of the stop dusk.
type duskWorld struct {
	view  *View
	quits bool
}

// duskForm is the stop dusk: {night: stay}, {night: withdraw}.
var duskForm = &form[*duskWorld]{
	Begin: func(v *View, _ engine.Decision) (*duskWorld, bool) {
		return &duskWorld{view: v}, v.of != noSide && v.Phase == dusk
	},
	Fields: []keyed[*duskWorld]{play.One("night", play.Keywords[*View]([]string{"stay", "withdraw"}, []bool{false, true}), rule[*duskWorld, bool]{
		Next: func(*duskWorld) iter.Seq[bool] {
			return func(yield func(bool) bool) { _ = yield(false) && yield(true) }
		},
		Put: func(w *duskWorld, quits bool) { w.quits = quits },
		Say: func(_ *View, quits bool) engine.Choice {
			if quits {
				return engine.Choice{What: "withdraw"}
			}
			return engine.Choice{What: "stay"}
		},
	})},
	Usual:  func(x *draft[*duskWorld]) { x.Try("night", false) },
	Chance: func(x *draft[*duskWorld], chance *rand.Rand) { x.Try("night", chance.IntN(2) == 0) },
	Do:     func(p *battlefield, d engine.Decision, w *duskWorld) { p.yields[p.sideOf(d.Side)] = w.quits },
}
