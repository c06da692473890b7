package hfg

// Train: chapter 19.

// operates says whether Aeronauts see for their side (HFG-19.1): they have stood still in
// this turn and the one before, in good going and good weather, near an Army HQ.
func (g *game) operates(e elementID) bool {
	x := &g.Elements[e]
	if !g.on(e) || !g.goodWeather() || x.Manner != still || x.Spirit != steady || !x.Rested {
		return false
	}
	b := g.body(e)
	if g.worst(&b) != good {
		return false
	}
	for h := elementID(1); int(h) < len(g.Elements); h++ {
		if d := g.def(h); d.troop == hq && d.side == g.def(e).side && g.on(h) && within(g.apart(h, e), hqReach) {
			return true
		}
	}
	return false
}
