package waterloo

import "berthier/engine"

// spots are where squares, units and commanders are on the map, and the signs beside it where
// reinforcements enter.
func (v *View) spots() map[string]engine.Spot {
	all := make(map[string]engine.Spot, v.squares()+len(v.Units)+8)
	for sq := square(1); int(sq) <= v.squares(); sq++ {
		all[v.squareID(sq)] = engine.Spot{Box: tokenBox(v.cellOf(sq)), Taken: v.unitAt(sq) != 0}
	}
	for name, at := range v.stood() {
		all[name] = engine.Spot{Box: all[at].Box}
	}
	if v.prussians() {
		for i := range v.entries {
			e := &v.entries[i]
			m := v.entrySign(e.at)
			all[entrySpot(v.squareID(e.at))] = engine.Spot{Box: engine.Box{X: m.X - 8, Y: m.Y - 8, W: 16, H: 16}, Taken: true}
		}
	}
	return all
}

// stood tells where each unit and commander stands, as the next report must know it: events
// tell only the squares that a piece enters.
func (v *View) stood() map[string]string {
	all := make(map[string]string, len(v.Units)+2)
	for id := range v.everyUnit() {
		all[v.def(id).id] = v.squareID(v.unit(id).At)
	}
	for i := range v.commanders {
		if at := v.Commanders[i+1].At; at != 0 {
			all[v.commanders[i].id] = v.squareID(at)
		}
	}
	return all
}
