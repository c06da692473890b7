package mistakes

import (
	"slices"

	"berthier/engine/geometry"
)

// The end of a turn and of the game: chapters 16 to 18.

// boxMost is how many markers a general may keep in his box (EM-16.5).
const boxMost = 4

// endTurn does what is done at the end of a turn, in the order of the rules, and advances the
// counter (EM-16.1 to EM-16.8). It says whether the game is over.
func (p *battlefield) endTurn() bool {
	for _, u := range p.standing() {
		if p.on(u) && p.Units[u].Yellow == 2 {
			p.eliminate(u, p.Units[u].Routed)
		}
	}
	for i := range p.Formations {
		f := &p.Formations[i]
		f.Orange = max(f.Orange-1, 0)
		f.Ordered, f.Kept, f.Started, f.Rest, f.Manoeuvred = false, false, false, false, false
	}
	for _, u := range p.standing() {
		x := &p.Units[u]
		x.Smoke, x.Limbered, x.Unlimbered, x.Fired, x.Manoeuvred, x.Fought, x.Gave = false, false, false, false, false, 0, false
		x.Charged, x.Charge, x.Forded, x.Bridged = false, 0, false, false
	}
	for l := leaderID(1); int(l) < len(p.Leaders); l++ {
		x, most := &p.Leaders[l], 0
		if p.lead(l).role == general {
			most = boxMost
		}
		if over := x.Markers - most; over > 0 {
			x.Markers -= over
			p.Reserve[p.lead(l).army] += over
		}
		x.Spent, x.Paid = 0, ""
	}
	p.Barred = nil // EM-R101
	p.unlink()
	p.separate()
	if p.fallen() != noArmy || p.Turn == p.last() {
		return true
	}
	p.Turn++
	p.Phase, p.Next, p.Said = opening, 0, false
	return false
}

// separate parts all enemies that are still in contact (EM-16.7).
func (g *game) separate() {
	all := g.standing()
	for i, u := range all {
		for _, v := range all[:i] {
			if g.enemies(u, v) && g.contact(u, v) {
				g.part(u, v)
			}
		}
	}
}

// worth is what a removed piece counts: double if it was captured, half and rounded down if
// it left the field (EM-12.8, EM-17.1).
func worth(vp int, how fate) int {
	switch how {
	case present:
		return 0
	case captured:
		return 2 * vp
	case offField:
		return vp / 2
	}
	return vp
}

// lostUnits adds up what the enemies of a side have lost in units and garrisons (EM-17.1).
func (g *game) lostUnits(side army) int {
	n := 0
	for u := unitID(1); int(u) < len(g.Units); u++ {
		if d := g.def(u); !d.army.allied(side) && g.credits(side, g.Units[u].By) {
			n += worth(g.value(u), g.Units[u].Gone)
		}
	}
	return n
}

// lostLeaders adds up what the enemies of a side have lost in leaders and substitutes
// (EM-17.1).
func (g *game) lostLeaders(side army) int {
	n := 0
	for l := leaderID(1); int(l) < len(g.Leaders); l++ {
		d, x := g.lead(l), &g.Leaders[l]
		if d.army.allied(side) {
			continue
		}
		vp := d.vp
		for _, before := range x.Lost {
			if g.credits(side, before.By) {
				n += worth(vp, before.How)
			}
			vp = g.substitute.vp
		}
		if g.credits(side, x.By) {
			n += worth(vp, x.Gone)
		}
	}
	return n
}

// credits says whether what an army has caused counts for a side: always, but where red and black
// are scored for themselves. What no army has caused counts for both (EM-R49).
func (g *game) credits(side, by army) bool {
	return g.separateScores == 0 || side == blue || by == noArmy || by == side
}

// ofSide says whether an army is of a side: red and black are one, but where they are scored for
// themselves (EM-R49).
func (g *game) ofSide(a, side army) bool { return a == side || g.separateScores == 0 && a.allied(side) }

// touching says whether armies of one side have a unit that touches a town (EM-17.2).
func (g *game) touching(a areaID, is func(army) bool, garrisons bool) bool {
	return slices.ContainsFunc(g.standing(), func(u unitID) bool {
		b := g.body(u)
		return is(g.def(u).army) && (garrisons || !g.def(u).garrison()) && geometry.On(&b, g.outline(a), 0)
	})
}

// objectivePoints adds up the objectives that an army holds alone (EM-17.2): a unit of it
// touches the town, or its garrison stands there, and no enemy touches the town; by option the
// garrison alone decides (EM-R69).
func (g *game) objectivePoints(a army) int {
	n := 0
	for _, o := range g.objectives {
		if o.army != a || !(o.garrison && g.garrisonHoldsAlone != 0) && g.touching(o.town, func(b army) bool { return !b.allied(a) }, true) {
			continue
		}
		holds := g.touching(o.town, func(b army) bool { return b == a }, false)
		if o.garrison {
			u, ok := g.unitNamed(g.area(o.town).id)
			holds = ok && g.on(u)
		}
		if holds {
			n += o.vp
		}
	}
	return n
}

// townValues are the points of towns that count in a free scenario, by area.
func (g *game) townValues() []int {
	switch g.length().towns {
	case townsPlus:
		return g.plus
	case townsThreePlus:
		return g.threePlus
	}
	return nil
}

// townPoints adds up the towns that a side holds alone in a free scenario (EM-18.4, EM-18.6).
func (g *game) townPoints(side army) int {
	n := 0
	for a, vp := range g.townValues() {
		if vp > 0 && g.touching(areaID(a), func(b army) bool { return g.ofSide(b, side) }, true) &&
			!g.touching(areaID(a), func(b army) bool { return !b.allied(side) }, true) {
			n += vp
		}
	}
	return n
}

// wounds counts the losses on enemy units that are still on the field (EM-18.3).
func (g *game) wounds(side army) int {
	n := 0
	for _, u := range g.standing() {
		switch x := &g.Units[u]; {
		case g.def(u).army.allied(side):
		case g.credits(side, black) && g.credits(side, red):
			n += x.Losses
		case side == black:
			n += x.ByBlack
		default:
			n += x.Losses - x.ByBlack
		}
	}
	return n
}

// score is how many points a side has: blue, or red for the coalition; or one of three, where red
// and black are scored for themselves (EM-17.1, EM-17.2, EM-18.3 to EM-18.6, EM-R49).
func (g *game) score(side army) int {
	if g.length().scoring == scoreFree {
		n := g.lostUnits(side) + g.wounds(side) + g.townPoints(side)
		if g.freeGenerals != 0 {
			n += g.lostLeaders(side)
		}
		return n
	}
	n := g.lostUnits(side) + g.lostLeaders(side)
	for a := blue; a < armies; a++ {
		if g.ofSide(a, side) {
			n += g.objectivePoints(a)
		}
	}
	return n
}

// winner gives the side that has won if the game is over now: blue, or red for the coalition, or
// one of three where red and black are scored for themselves; none for a draw (EM-13.5, EM-17.3, EM-18.1, EM-18.2).
func (g *game) winner() army {
	switch g.fallen() {
	case blue:
		return red
	case red:
		return blue
	}
	if g.length().scoring == scoreShort {
		return g.shortWinner()
	}
	won, most := noArmy, -1
	for a := blue; a < armies; a++ {
		if a == black && g.separateScores == 0 {
			break
		}
		switch n := g.score(a); {
		case n > most:
			won, most = a, n
		case n == most:
			won = noArmy
		}
	}
	return won
}

// shortWinner is blue if both garrisons are gone and blue alone stands in both towns; else
// red (EM-18.2).
func (g *game) shortWinner() army {
	for _, o := range g.objectives {
		if !o.garrison {
			continue
		}
		u, ok := g.unitNamed(g.area(o.town).id)
		if ok && g.on(u) || !g.touching(o.town, func(a army) bool { return a == blue }, true) ||
			g.touching(o.town, func(a army) bool { return a != blue }, true) {
			return red
		}
	}
	return blue
}
