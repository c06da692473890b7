package mistakes

import (
	"math/rand/v2"

	"berthier/engine/geometry"
)

// How a fair player draws up an army that is deployed freely (EM-1.4).

// By how much a formation is put farther back, step by step, until there is room for it, and how many steps are tried.
const (
	backStep  = 10 * ringStep
	backSteps = 30
)

// senseDeploy draws the army up as it stood that day, ready for battle: each formation where the set-up has it, or as
// little behind that as it must. Whoever finds no room there stands in the rows of the deadline. So do all where black
// comes later, since then there is time to march up, and where towns count: the points of those games are balanced for that.
func senseDeploy(x *draft[*entrance], _ *rand.Rand) {
	w := x.World
	if l := w.board.length(); !l.stands || l.towns != 0 {
		x.Try("rest", true)
		return
	}
	toRear := int64(-backStep)
	if w.army == red {
		toRear = backStep
	}
	stands := func(id string, units []unitID, back int) bool {
		d := w.moved(id, units, geometry.Point{Y: int64(back) * toRear})
		d.base, d.number, _ = w.board.nameParts(w.army, d.id)
		d.toWhole()
		d.units = w.v.inTouch(d)
		return w.fault(d) == nil && x.Try("formations", d)
	}
	for _, steps := range []int{0, backSteps} { // who needs no other place comes first
		for i := range w.board.scenario.formations {
			def := &w.board.scenario.formations[i]
			if def.army != w.army {
				continue
			}
			for _, units := range w.leftOf(def) {
				for back := 0; back <= steps && !stands(def.id, units, back); back++ {
				}
			}
		}
	}
	x.Try("rest", true) // before the leaders: free places are offered once it is said where all units stand
	for _, l := range w.arriving() {
		if at := w.board.lead(l).at; at != (place{}) {
			x.Try("leaders", posting{leader: l, does: goes, at: at})
		}
	}
}

// toWhole puts the units of a formation at whole millimetres, as an order does, half a millimetre away from the first where the
// set-up has halves: there they still touch.
func (d *drawnUp) toWhole() {
	away := func(n, from int64) int64 {
		if n > from {
			return (n + ringStep - 1) / ringStep * ringStep
		}
		return n / ringStep * ringStep
	}
	for i := range d.units {
		at, first := &d.units[i].at, d.units[0].at
		*at = place{X: away(at.X, first.X), Y: away(at.Y, first.Y)}
	}
}
