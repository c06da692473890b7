package waterloo

import (
	"slices"

	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
)

// What the rules of standing orders may ask (section 5.3 of the digest).

type (
	condition       = play.Condition
	measure[X any]  = play.Measure[*View, *scenario, X]
	measures[X any] = play.Measures[*View, *scenario, X]
)

// unitStates are the states of a unit, by name; any is none that a rule asks for.
var unitStates = namedBy[unitState]{Shape: shape.Words(stateWords[:]...),
	Read: func(_ *View, r *orders.Reader, n *orders.Node) (unitState, bool) {
		word, ok := r.Word(n, stateWords[:]...)
		return unitState(slices.Index(stateWords[:], word)), ok && word != stateWords[anyState]
	},
	Write: func(_ *scenario, s unitState) string { return stateWords[s] },
}

// artilleryWindows are the windows of artillery, by name.
var artilleryWindows = namedBy[window]{Shape: shape.Words(windowWords[atRoundStart:]...),
	Read: func(_ *View, r *orders.Reader, n *orders.Node) (window, bool) {
		word, ok := r.Word(n, windowWords[atRoundStart:]...)
		return window(slices.Index(windowWords[:], word)), ok
	},
	Write: func(_ *scenario, w window) string { return windowWords[w] },
}

// An aim is a shot that could be fired in a window.
type aim struct {
	game   *game
	w      *windowFrame
	s      shot
	target unitID
}

// What rules of artillery ask about a shot.
var (
	aimedAt    = play.Among("at", "", true, enemyUnits, func(x aim, all []unitID) bool { return slices.Contains(all, x.target) })
	inState    = play.Is("state", unitStates, func(x aim, s unitState) bool { return s.fits(x.game.unit(x.target)) })
	firedBy    = play.Among("by", "", true, ownUnits, func(x aim, all []unitID) bool { return slices.Contains(all, x.s.by) })
	firedWhen  = play.Is("when", artilleryWindows, func(x aim, w window) bool { return x.w.Window == w })
	aimingAsks = measures[aim]{aimedAt, inState, firedBy, firedWhen}
)

// What rules of losses ask about a battle that was lost.
var (
	losingUnit   = play.Is("unit", ownUnits, func(b *battleFrame, id unitID) bool { return b.Target == id })
	losingSquare = play.Is("square", someSquares, func(b *battleFrame, q square) bool { return b.Square == q })
	losingAsks   = measures[*battleFrame]{losingUnit, losingSquare}
)

// What rules of cards ask about those who fight.
var (
	fightingUnit = play.Is("unit", ownUnits, func(in []unitID, id unitID) bool { return slices.Contains(in, id) })
	fightingAsks = measures[[]unitID]{fightingUnit}
)

// unitsOf gives the units that conditions name.
func unitsOf(all []condition) (units []unitID) {
	for _, c := range all {
		switch named := c.Value.(type) {
		case unitID:
			units = append(units, named)
		case []unitID:
			units = append(units, named...)
		}
	}
	return units
}
