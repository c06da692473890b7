package napoleon

import (
	"slices"

	"berthier/engine"
	"berthier/orders"
)

// View is what one side sees now and has been told before (section 7 of the
// digest). It is built up from nothing: what is not copied here, the side does
// not know.
//
// The game in it answers questions of rules as the position does, as far as the
// side can know: enemy units that it can't name are blocks (see [unit]).
type View struct {
	*game
	side engine.Side
	own  [armies]bool // armies that it commands
	sees [armies]bool // armies whose units it sees in full (NAP-R57)
}

// Side implements [engine.View].
func (v *View) Side() engine.Side { return v.side }

// View implements [engine.Position].
func (g *game) View(side engine.Side) engine.View { return g.view(side) }

func (g *game) view(side engine.Side) *View {
	made := &struct {
		view View
		game game
	}{} // one piece of memory: views are made by the ten thousand
	v := &made.view
	v.side = side
	for a := range v.own {
		v.own[a] = side == engine.GM || g.sideOf(army(a)) == side
		v.sees[a] = v.own[a] || side != engine.Public && army(a).camp() == g.campOf(side) && !g.apart()
	}
	v.game = &made.game
	v.scenario, v.options = g.scenario, g.options
	v.turn, v.phase, v.outcome = g.turn, g.phase, g.outcome
	v.auction.bidder, v.auction.bids = g.auction.bidder, slices.Clone(g.auction.bids) // those made are open; sealed ones are not in the game
	v.losses, v.defeated = g.losses, g.defeated
	v.roadUse = make([]int8, len(g.roadUse))
	if !g.numbers.leadersFree || side == engine.GM || side != engine.Public && g.campOf(side) == g.turns[g.turn].camp {
		copy(v.roadUse, g.roadUse) // else what does not count would show a leader
	}
	// Not the pool: the order of pieces that are not drawn is nobody's knowledge.
	if side == engine.GM {
		v.ahead = g.ahead
	} else if side != engine.Public && g.campOf(side) == alliedCamp { // the only camp with two players
		v.ahead = g.ahead.seen()
	}
	v.units = g.unitsFor(v.sees, g.jointTowns(side))
	if len(g.battles) > 0 {
		v.battles = make([]battle, len(g.battles))
		for i := range g.battles {
			v.battles[i] = g.battles[i].seenBy(g, side)
		}
	}
	for _, d := range g.asks {
		if d.Side == side {
			v.asks = append(v.asks, d)
		}
	}
	switch side {
	case engine.GM:
		v.standing, v.policies = g.standing, g.policies
	case engine.Public:
	default:
		c := v.camp()
		v.seen[c] = append([]sighting(nil), g.seen[c]...)
		seat := g.seatOf(side)
		v.standing[seat], v.policies[seat], v.ruled[seat] = g.standing[seat], g.policies[seat], g.ruled[seat]
	}
	return v
}

// camp is the camp of the side.
func (v *View) camp() camp {
	if v.own[french] {
		return frenchCamp
	}
	return alliedCamp
}

// unitsFor gives own units in full, then enemy units that are revealed or
// eliminated, then blocks; an ally's are among the first where both armies fight
// together (NAP-R57). Blocks stand in an order that does not depend on
// what they hide (leak rule 3).
func (g *game) unitsFor(own [armies]bool, joint []townID) []unit {
	units := make([]unit, 0, len(g.units))
	full := func(u *unit) bool {
		return own[u.army] || len(joint) > 0 && u.army.camp() == alliedCamp && !u.dead && containsTown(joint, u.town)
	}
	for i := range g.units {
		if full(&g.units[i]) {
			units = append(units, g.units[i])
		}
	}
	for i := range g.units {
		u := &g.units[i]
		if full(u) || !(u.shown || u.dead && g.options.lossesPublic == lossesIdentity) {
			continue
		}
		units = append(units, unit{
			id: u.id, army: u.army, kind: u.kind, fire: u.fire, strength: u.strength,
			town: u.town, dead: u.dead, disrupted: u.disrupted, came: noTown,
			field: u.field, shown: u.shown, square: u.square, shelter: u.shelter, holds: u.holds,
			shock: u.shock, salvo: u.salvo,
		})
	}
	var room [64]int64
	hidden := room[:0]
	for i := range g.units {
		u := &g.units[i]
		if full(u) || u.shown || u.dead || u.town == noTown {
			continue
		}
		hidden = append(hidden, block(u))
	}
	slices.Sort(hidden)
	for _, b := range hidden {
		units = append(units, blockUnit(b))
	}
	return units
}

// block packs everything that is seen of a hidden unit into one number, by which blocks
// are sorted: army, town, field, marks.
func block(u *unit) int64 {
	b := int64(u.army)<<32 | int64(u.town)<<16 | int64(u.field)<<8 | int64(u.holds)<<1
	if u.disrupted {
		b |= 1
	}
	return b
}

// blockUnit unpacks what block packed.
func blockUnit(b int64) unit {
	return unit{
		id: noUnit, shelter: noUnit, came: noTown,
		army: army(b >> 32), town: townID(b >> 16 & 0x7fff), field: field(b >> 8 & 0xff), holds: piece(b >> 1 & 0x7f),
		disrupted: b&1 == 1,
	}
}

// A face is what a position says of a unit by its id, and a view says of each block.
type face struct {
	army army `pos:"army,always"`
	kind kind `pos:"kind"` // a block has none
	fire int8 `pos:"fire"` // nor this
}

// Marshal implements [engine.View]: everything in the game, in the form of a position. The
// units that have a name stand in the order of the view, and the blocks after them in a
// list, with what is seen of each. Two views are the same if and only if their bytes are;
// TestMarshalIsWhole names what need not be written for that.
func (v *View) Marshal() ([]byte, error) {
	g := *v.game
	g.units = make([]unit, len(v.roster)) // by unitID, as in a position
	places, blocks := make(map[string]int, len(v.roster)), orders.Items()
	for i := range v.units {
		u := &v.units[i]
		if u.id != noUnit {
			g.units[u.id], places[v.roster[u.id].id] = *u, i
			continue
		}
		b := orders.Inline()
		b.Pairs = append(v.codec.Write(&face{u.army, u.kind, u.fire}).Pairs, v.codec.Write(u).Pairs...)
		blocks.Add(b)
	}
	root := g.node()
	if units := root.Get("units"); units != nil {
		slices.SortFunc(units.Pairs, func(a, b orders.Pair) int { return places[a.Key.Text] - places[b.Key.Text] })
	}
	if len(blocks.Items) > 0 {
		root.Set("blocks", blocks)
	}
	own := orders.Texts()
	for a, yes := range v.own {
		if yes {
			own.Add(orders.Text(armyWords[a]))
		}
	}
	return g.encode(root.Set("side", orders.Text(string(v.side))).Set("own", own))
}

// sight notes what the enemy camp learns of a unit.
func (g *game) sight(u *unit) {
	seen := &g.seen[u.army.camp().enemy()]
	now := sighting{unit: u.id, strength: u.strength, town: u.town, turn: g.turn}
	i := 0
	for i < len(*seen) && (*seen)[i].unit < u.id {
		i++
	}
	if i < len(*seen) && (*seen)[i].unit == u.id {
		(*seen)[i] = now
		return
	}
	*seen = append(*seen, sighting{})
	copy((*seen)[i+1:], (*seen)[i:])
	(*seen)[i] = now
}

// reveal turns a unit's face to the enemy (NAP-6.24).
func (g *game) reveal(u *unit) {
	u.shown = true
	g.sight(u)
}

// hide turns a unit's face away again; what was seen stays known (NAP-6.24b).
func (g *game) hide(u *unit) {
	if u.shown {
		g.sight(u)
	}
	u.shown = false
}
