package napoleon

import (
	"cmp"
	"slices"

	"berthier/engine"
	"berthier/engine/play"
)

// What standing orders answer at a stop, from what the side sees. Most fill the form of
// the stop, part by part in their order of preference. Three are something else: deploy
// and moves hold the orders of a later stop as a file would write them, and a battle plan
// leads a battle one order at a time, before the stop battle-turn opens.

// instruction is a standing order that answers stops.
type instruction = play.Instruction[*View]

// prefer is a standing order that fills the form of its stops. Say tells whether the orders
// in force settle the stop.
func prefer[W any](key string, f *form[W], say func(*saying[W], *standing) bool, stops ...string) instruction {
	return play.Prefer(key, f, func(x *saying[W]) bool { return say(x, x.View.inForceNow()) }, stops...)
}

// inForceNow gives the standing orders of the view's side; none for the game master.
func (v *View) inForceNow() *standing {
	if v.side == engine.GM {
		return &noOrders
	}
	return v.standing.of(v.seatOf(v.side))
}

// instructions are the standing orders that answer stops.
var instructions = []instruction{
	prefer("battle-order", orderForm, preferBattles, "battle-order"),
	prefer("supply-losses", supplyForm, preferSupply, "supply"),
	prefer("bid", bidForm, func(x *saying[*offer], s *standing) bool {
		b, ok := s.bidFor(x.View.game)
		return ok && x.Try("bid", b)
	}, "bid"),
	prefer("morale-order", moraleForm, preferMorale, "morale-order"),
	prefer("terrain", terrainForm, preferTerrain, "terrain-attacker", "terrain-defender"),
	prefer("skirmish", skirmishForm, preferShown, "skirmish"),
	prefer("retreat-to", leaveForm, preferRetreats, "skirmish-retreat", "rout", "stalemate"),
	{Key: "sacrifice", Stops: []string{"rout"}}, // the units that are lost if the roads of retreat-to don't take all
	prefer("casualties", hitsForm, preferHits, "hits"),
	prefer("reinforce", reinforceForm, preferReinforcements, "reinforce"),
	prefer("regroup", regroupForm, func(_ *saying[*regroups], s *standing) bool { return s.noRegroup }, "regroup"),
	{Key: "deploy", Stops: []string{"deploy-defender", "deploy-attacker"}, Answer: func(v *View, d engine.Decision) (play.Reply, bool) {
		one := v.inForceNow().deployFor(v, d)
		if one == nil {
			return nil, false
		}
		return one.deployment(v, d)
	}},
	{Key: "moves", Stops: []string{"move"}, Answer: func(v *View, d engine.Decision) (play.Reply, bool) {
		one := v.inForceNow().movesFor(v, d)
		if one == nil || v.shared(v.camp()) { // only a side that is alone at the stop
			return nil, false
		}
		return one.movement(v, d)
	}},
	{Key: "plan", Stops: []string{"battle-turn"}},
}

// preferBattles puts the battles that are named first. The last that is left, or the rest if
// the order says so, keep their order.
func preferBattles(x *saying[*ordering], s *standing) bool {
	if s.bestFirst {
		x.World.say(x, x.View.bestOdds())
		return true
	}
	x.World.say(x, s.battles)
	if open := x.View.unordered(); s.battlesRest || len(x.World.towns) == len(open)-1 {
		x.World.say(x, open)
	}
	return true
}

// preferSupply gives up the units that are named, of each army as many as are due.
func preferSupply(x *saying[*listing], s *standing) bool {
	living := x.View.livingUnits()
	removeFirst(x, slices.DeleteFunc(slices.Clone(s.supplyLosses), func(id unitID) bool { return !containsUnit(living, id) }))
	x.World.asNamed = true
	return true
}

// preferMorale lets units roll column by column, or in the order in which they are named.
func preferMorale(x *saying[*listing], s *standing) bool {
	units := s.moraleUnits
	if b := x.World.b; len(s.moralePlaces) == len(placeWords) {
		own := b.ownFields(b.acting)
		units = x.World.tested()
		sortBy(units, func(id unitID) int {
			f := x.View.unit(id).field
			for i, at := range s.moralePlaces {
				if own[at] == f {
					return i
				}
				if own[at].opposite() == f {
					return i + len(placeWords)
				}
			}
			return 2 * len(placeWords)
		})
	}
	for _, id := range units {
		if containsUnit(x.World.tested(), id) {
			x.Try("morale", id)
		}
	}
	return len(x.World.units) > 0
}

// preferTerrain lays each piece at its place. One that has none, or whose place is taken,
// goes to the first that is free if the order says so.
func preferTerrain(x *saying[*laying], s *standing) bool {
	for _, what := range x.World.drawn {
		at := int(s.pieces[what]) - 1
		switch {
		case at >= 0 && x.Try("terrain", lay{what, at}):
		case s.elseFree:
			layFirst(x, what, 0, 1, 2)
		default:
			return false
		}
	}
	return len(x.World.drawn) > 0
}

// preferShown shows the strongest units, the weakest, or those that are named: all of the
// side's share of the four (NAP-R91). A side that has fewer units is asked.
func preferShown(x *saying[*listing], s *standing) bool {
	own, share := x.View.ownIn(x.World.b.town, x.View.side), x.View.share(x.World.b, x.View.side)
	switch s.show {
	case showStrongest, showWeakest:
		tryAll(x, "reveal", x.View.strongestOf(own, s.show == showWeakest, share))
	case showListed:
		tryAll(x, "reveal", slices.DeleteFunc(slices.Clone(s.showUnits), func(id unitID) bool { return !containsUnit(own, id) }))
	}
	return len(x.World.units) == share
}

// preferRetreats lets units leave by the roads to the towns that are named, if these roads
// take all of them, or if no others are left and the order says which units are sacrificed.
func preferRetreats(x *saying[*leaving], s *standing) bool {
	v, w := x.View, x.World
	exits := v.exits(w.b, w.camp)
	v.sortExits(w.camp, exits)
	open := s.openRoads(w.b, exits)
	units := v.of(v.side, w.units)
	if len(open) == 0 {
		return false
	}
	counted := slices.DeleteFunc(slices.Clone(units), func(id unitID) bool { return v.weight(v.unit(id).kind) == 0 })
	if over := len(counted) - room(open); over > 0 {
		if room(open) < room(exits) || w.wait {
			return false // other roads are free, or there is a choice of who goes first
		}
		place := func(id unitID) int { return rank(s.sacrifices, v.unit(id)) }
		lost, ok := cut(counted, over, place)
		if s.ends { // of those alike the weakest is lost
			lost = v.byWorth(counted)
			slices.Reverse(lost)
			sortBy(lost, place)
			lost = lost[:over]
		} else if !ok || slices.ContainsFunc(lost, func(id unitID) bool { return place(id) == len(s.sacrifices) }) {
			return false
		}
		units = slices.DeleteFunc(units, func(id unitID) bool { return containsUnit(lost, id) })
	}
	tryPlaces(x, v.byRoads(units, open))
	return true
}

// preferHits chooses the units that are hit. Among known units these come first in the
// order, if it tells them apart; hidden blocks take all hits by the order, and by the
// default where it leaves them open (NAP-6.4, NAP-R83).
func preferHits(x *saying[*taking], s *standing) bool {
	v, volley, place := x.View, x.World.volley, s.lostFirst(x.View.game)
	settled := func(a, b unitID) int { return place(a) - place(b) }
	switch {
	case s.worstFirst:
		settled = v.worse
	case len(s.loseFirst)+len(s.spareLast) == 0:
		return false
	case s.ends || v.veiled(x.World.b, x.World.b.hits):
		settled = func(a, b unitID) int { return cmp.Or(place(a)-place(b), v.cheaper(a, b)) }
	default:
		if _, ok := cut(volley.next(), int(volley.s.left), place); !ok {
			return false
		}
	}
	takeRest(x, settled)
	return true
}

// preferReinforcements lets nobody come, or units by the first order about the battle: town
// by town as they are named, the strongest units first, leaders last. It settles nothing if
// a town that is named was lost, or has a battle of its own, while other units could come:
// then the side is asked.
func preferReinforcements(x *saying[*bringing], s *standing) bool {
	v, b := x.View, x.World.b
	one := s.bringTo(b.town)
	if s.noReinforce || one == nil {
		return s.noReinforce
	}
	from := one.from
	if len(from) == 0 {
		for _, r := range v.towns[b.town].roads {
			from = append(slices.Clip(from), v.roads[r].from(b.town))
		}
	} else if one.to != noTown && slices.ContainsFunc(from, func(t townID) bool {
		_, joined := v.roadBetween(t, b.town)
		return joined && (v.blocks(t, v.camp().enemy()) > 0 || v.battleIn(t) != nil)
	}) {
		return false
	}
	for _, t := range from {
		spare := max(0, len(v.group(t))-one.keep)
		able := v.byWorth(v.ableToCome(b, t))
		sortBy(able, func(id unitID) int {
			if v.unit(id).kind == leader {
				return 1
			}
			return 0
		})
		for _, id := range able {
			if spare > 0 && (one.perTurn == 0 || len(x.World.come) < one.perTurn) && x.Try("reinforce", place{id, t}) {
				spare--
			}
		}
	}
	return true
}
