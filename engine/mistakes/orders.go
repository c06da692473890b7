package mistakes

import "slices"

// What orders cost: chapter 9.

// The prices of orders in command points (EM-9.2 to EM-9.6, EM-9.11).
const (
	unseenPrice    = 1 // for a formation none of whose units the leader sees
	mixedPrice     = 1 // for a formation of infantry and cavalry
	motionMost     = 5 // setting a formation in motion, before the surcharges
	keepPrice      = 1
	rallyPrice     = 2 // for each unit
	redeployPrice  = 2
	outOfTurnPrice = 4 // for each unit
)

// mixed says whether a formation has both infantry and cavalry (EM-9.3).
func (g *game) mixed(units []unitID) bool {
	has := func(a arm) bool {
		return slices.ContainsFunc(units, func(u unitID) bool { return g.def(u).arm == a })
	}
	return has(infantry) && has(cavalry)
}

// surcharge is what an order to units costs more because the leader sees none of them, by option
// because he doesn't see all (EM-9.2, EM-R33).
func (g *game) surcharge(l leaderID, units []unitID) int {
	seen := func(u unitID) bool { return g.sees(l, u) }
	if g.strictSight == 0 && slices.ContainsFunc(units, seen) || !slices.ContainsFunc(units, func(u unitID) bool { return !seen(u) }) {
		return 0
	}
	return unseenPrice
}

// motionPrice is what it costs to set units in motion that are a formation, or the part of
// one that moves (EM-9.3).
func (g *game) motionPrice(l leaderID, units []unitID) int {
	n := min(1+len(units), motionMost) + g.surcharge(l, units)
	if g.mixed(units) {
		n += mixedPrice
	}
	return n
}

// keepingPrice is what it costs to keep a formation moving (EM-9.4).
func (g *game) keepingPrice(l leaderID, f *formation) int { return keepPrice + g.surcharge(l, f.Units) }

// rallyingPrice is what it costs to rally so many units of a formation (EM-9.5).
func (g *game) rallyingPrice(l leaderID, f *formation, units int) int {
	return rallyPrice*units + g.surcharge(l, f.Units)
}

// rally takes the yellow of a unit that is shaken; one that is routed can't be rallied
// (EM-9.5). It says whether it could.
func (g *game) rally(u unitID) bool {
	if g.Units[u].Yellow != 1 {
		return false
	}
	g.Units[u].Yellow = 0
	return true
}

// redeployingPrice is what it costs to redeploy formations with one order (EM-9.6): once
// more if one of them is mixed, and for each that the leader doesn't see.
func (g *game) redeployingPrice(l leaderID, formations []*formation) int {
	n := redeployPrice
	if slices.ContainsFunc(formations, func(f *formation) bool { return g.mixed(f.Units) }) {
		n += mixedPrice
	}
	for _, f := range formations {
		n += g.surcharge(l, f.Units)
	}
	return n
}

// earlyPrice is what it costs to act with units before an enemy's manoeuvre (EM-9.11): for
// each unit, and for each that the leader doesn't see (EM-R71).
func (g *game) earlyPrice(l leaderID, units []unitID) int {
	n := 0
	for _, u := range units {
		n += outOfTurnPrice + g.surcharge(l, []unitID{u})
	}
	return n
}
