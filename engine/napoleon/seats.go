package napoleon

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
)

// The players: one for each camp, or one for each army (NAP-0.2,
// NAP-11.1). What concerns both Allied players is settled here
// (NAP-R17): one of them leads in a battle and acts first, then the other acts.

// seats of a game for two, by camp, and for three, by army; never changed.
var (
	seats     = [2]engine.Side{"french", "allied"}
	armySeats = [armies]engine.Side{"french", "anglo-dutch", "prussian"}
)

// three tells whether each army has a player of its own.
func (g *game) three() bool { return g.options.players == playersThree }

// sideOf gives the side that commands an army (NAP-0.2, NAP-11.1).
func (g *game) sideOf(a army) engine.Side {
	if g.three() {
		return armySeats[a]
	}
	return seats[a.camp()]
}

// campOf gives the camp of a side.
func (g *game) campOf(side engine.Side) camp {
	if side == "french" {
		return frenchCamp
	}
	return alliedCamp
}

// sidesOf gives the sides that command the armies of a camp.
func (g *game) sidesOf(c camp) []engine.Side {
	switch {
	case !g.three():
		return seats[c : c+1 : c+1]
	case c == frenchCamp:
		return armySeats[:1:1]
	}
	return armySeats[1:]
}

// everyone is all sides.
func (g *game) everyone() []engine.Side { return g.Sides() }

// Sides implements [engine.Position].
func (g *game) Sides() []engine.Side {
	if g.three() {
		return armySeats[:]
	}
	return seats[:]
}

// seatOf is the place of a side among the seats.
func (g *game) seatOf(side engine.Side) int { return max(slices.Index(g.Sides(), side), 0) }

// shared tells whether a camp has two players.
func (g *game) shared(c camp) bool { return c == alliedCamp && g.three() }

// leadOf finds which Allied army leads where some towns are fought for: the one
// with more units there, the Anglo-Dutch if they are equal; or the army of option
// joint_lead, if it is there at all (NAP-R17).
func (g *game) leadOf(towns ...townID) army {
	var n [armies]int
	for i := range g.units {
		if u := &g.units[i]; !u.dead && containsTown(towns, u.town) {
			n[u.army]++
		}
	}
	switch g.options.jointLead {
	case leadAngloDutch:
		if n[angloDutch] > 0 {
			return angloDutch
		}
		return prussian
	case leadPrussian:
		if n[prussian] > 0 {
			return prussian
		}
		return angloDutch
	}
	if n[prussian] > n[angloDutch] {
		return prussian
	}
	return angloDutch
}

// leads is the side that acts first for a camp in a battle (NAP-R17).
func (g *game) leads(b *battle, c camp) engine.Side {
	if g.shared(c) {
		return g.sideOf(b.lead)
	}
	return g.sidesOf(c)[0]
}

// hand is the side that acts for a camp in a battle now: the lead, then the other.
func (g *game) hand(b *battle, c camp) engine.Side {
	if g.shared(c) {
		return g.sideOf(b.handArmy())
	}
	return g.sidesOf(c)[0]
}

func (b *battle) handArmy() army {
	if b.second {
		return ally(b.lead)
	}
	return b.lead
}

// ally is the other Allied army.
func ally(a army) army { return angloDutch + prussian - a }

// inHand tells whether a unit is of the player who acts now for its camp.
func (g *game) inHand(b *battle, u *unit) bool {
	return !g.shared(u.army.camp()) || u.army == b.handArmy()
}

// handOn gives a joint battle to the other player if the lead has acted; it
// tells whether it did.
func (g *game) handOn(b *battle, c camp) bool {
	if !g.shared(c) || b.second {
		b.second = false
		return false
	}
	b.second = true
	return true
}

// of keeps the units of one side.
func (g *game) of(side engine.Side, units []unitID) []unitID {
	var own []unitID
	for _, id := range units {
		if g.sideOf(g.roster[id].army) == side {
			own = append(own, id)
		}
	}
	return own
}

// ownIn lists the units of a side in a town.
func (g *game) ownIn(t townID, side engine.Side) []unitID {
	var all []unitID
	for i := range g.units {
		if u := &g.units[i]; u.present(t) && g.sideOf(u.army) == side {
			all = append(all, u.id)
		}
	}
	return all
}

// share is how many units a side shows in a skirmish: four in all, which two players
// choose in turn, the lead first, as far as each has units (NAP-6.6, NAP-R17).
func (g *game) share(b *battle, side engine.Side) int {
	c := g.campOf(side)
	if !g.shared(c) {
		return maxShown
	}
	lead := g.leads(b, c)
	left := [2]int{len(g.ownIn(b.town, lead)), len(g.unitsIn(b.town, c))}
	left[1] -= left[0]
	var taken [2]int
	for k, n := 0, 0; n < maxShown && (taken[0] < left[0] || taken[1] < left[1]); k = 1 - k {
		if taken[k] < left[k] {
			taken[k]++
			n++
		}
	}
	if side == lead {
		return taken[0]
	}
	return taken[1]
}

// brings counts a unit that one of two players brought or sent by a road, so that the
// other finds what is left of it; the list stays in the order of roads.
func (b *battle) brings(road int) { b.brought = oneMore(b.brought, road) }

// hadBrought is how many units the lead brought by a road.
func (b *battle) hadBrought(road int) int {
	for _, u := range b.brought {
		if u.road == road {
			return int(u.n)
		}
	}
	return 0
}

// apart tells whether the two Allied players see each other's units as the enemy
// does (NAP-R57).
func (g *game) apart() bool { return g.options.allyVision == visionNone && g.three() }

// jointAt tells whether both Allied armies fight in a town.
func (g *game) jointAt(t townID) bool {
	return t != noTown && g.battleIn(t) != nil && len(g.ownIn(t, "anglo-dutch")) > 0 && len(g.ownIn(t, "prussian")) > 0
}

// jointTowns lists the towns where two players who are apart fight together, for
// one of them.
func (g *game) jointTowns(side engine.Side) []townID {
	if !g.apart() || side == engine.Public || g.campOf(side) != alliedCamp {
		return nil
	}
	var towns []townID
	for i := range g.battles {
		if t := g.battles[i].town; g.jointAt(t) {
			towns = append(towns, t)
		}
	}
	return towns
}

// mates are the sides that know the units of an army in a town in full: those of
// its camp; of two who are apart the other only where both armies fight
// (NAP-R57).
func (g *game) mates(a army, t townID) []engine.Side {
	if a == french || !g.apart() || g.jointAt(t) {
		return g.sidesOf(a.camp())
	}
	return []engine.Side{g.sideOf(a)}
}

// others are all sides that are not among some.
func (g *game) others(known []engine.Side) []engine.Side { return play.Others(g.Sides(), known...) }

// isIn tells whether a side has units in a town.
func (g *game) isIn(t townID, side engine.Side) bool { return len(g.ownIn(t, side)) > 0 }
