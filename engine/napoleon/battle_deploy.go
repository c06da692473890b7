package napoleon

import (
	"slices"

	"berthier/orders"
)

// battleDeployAnswer puts all units of a camp onto the board.
type battleDeployAnswer struct {
	s      *scenario
	own    [3]field // the camp's positions
	places []deployPlace
}

// A deployPlace is where one unit begins a battle.
type deployPlace struct {
	unit  unitID
	field field
	holds piece // the farm or hill that it stands on
}

// node writes a deployment.
func (a battleDeployAnswer) node() *orders.Node {
	n := orders.Mapping()
	on := func(f field) *orders.Node {
		list := orders.Texts()
		for _, l := range a.places {
			if l.field == f {
				list.Add(orders.Text(a.s.roster[l.unit].id))
			}
		}
		return list
	}
	for i, f := range a.own {
		n.Set(placeWords[i], on(f))
	}
	n.Set("reserve", on(reserve))
	for _, what := range [2]piece{farm, hill} {
		held := orders.Inline()
		for i, f := range a.own {
			for _, l := range a.places {
				if l.field == f && l.holds == what {
					held.Set(placeWords[i], orders.Text(a.s.roster[l.unit].id))
				}
			}
		}
		if len(held.Pairs) > 0 {
			n.Set(what.String(), held)
		}
	}
	return n
}

// sort puts the places in the order of units, so that an answer has one form.
func (a *battleDeployAnswer) sort() {
	slices.SortFunc(a.places, func(x, y deployPlace) int { return int(x.unit) - int(y.unit) })
}

// byCorps sorts a camp's units for deployment: the corps with most units
// present first, leaders last, then by id.
func (g *game) byCorps(b *battle, c camp) []unitID {
	units := g.unitsIn(b.town, c)
	present := make([]int, len(g.corps)+1)
	size := func(id unitID) int { return present[g.roster[id].corps+1] }
	for _, id := range units {
		present[g.roster[id].corps+1]++
	}
	present[0] = 0 // leaders belong to no corps (NAP-R20)
	slices.SortStableFunc(units, func(x, y unitID) int {
		if n := size(y) - size(x); n != 0 {
			return n
		}
		return int(x) - int(y)
	})
	return units
}

// deployInOrder fills the positions center, right, left with units in the given
// order: one each, infantry before cavalry before artillery, then a second of
// the same corps, guns preferred; the rest goes to the reserve.
func (g *game) deployInOrder(b *battle, c camp, units []unitID) battleDeployAnswer {
	own := b.ownFields(c)
	x := &lineup{game: g, b: b, camp: c, units: units, order: [3]field{own[1], own[2], own[0]}, at: make([]field, len(g.roster))}
	x.firsts()
	x.seconds()
	a := battleDeployAnswer{s: g.scenario, own: own, places: x.places(own[1])}
	x.hold(&a)
	a.sort()
	return a
}

// A lineup is a deployment by corps that is being made.
type lineup struct {
	game  *game
	b     *battle
	camp  camp
	units []unitID // in the order in which they are taken
	order [3]field // in which positions are filled
	at    []field  // by unit
	corps [3]int   // of the first unit in each position, in that order; -1 for none
}

// infantryFits tells whether a unit may be sought for a position; cavalryFits and gunsFit do the same.
func infantryFits(u *unit) bool { return u.kind == infantry }
func cavalryFits(u *unit) bool  { return u.kind.cavalry() }
func gunsFit(u *unit) bool      { return u.kind.artillery() }
func leaderFits(u *unit) bool   { return u.kind == leader }

// first places the first unit that fits; nil if there is none.
func (x *lineup) first(f field, fits func(*unit) bool) *unit {
	for _, id := range x.units {
		if u := x.game.unit(id); x.at[id] == offBoard && fits(u) && x.b.mayStand(u, f) == nil {
			x.at[id] = f
			return u
		}
	}
	return nil
}

// firsts places one unit in each position.
func (x *lineup) firsts() {
	able := 0 // units that can stand in a wood and have no place yet
	for _, id := range x.units {
		if !x.game.unit(id).kind.artillery() {
			able++
		}
	}
	woods := 0
	for _, f := range x.order {
		if x.b.terrain[f] == wood {
			woods++
		}
	}
	for i, f := range x.order {
		x.corps[i] = -1
		if x.game.count(x.b, f, x.camp) > 0 {
			continue // filled by the other player (NAP-R17)
		}
		choice := [4]func(*unit) bool{infantryFits, cavalryFits, gunsFit, leaderFits}
		if x.b.terrain[f] == wood {
			woods--
		} else if able <= woods { // what is left for woods must not be spent here
			choice = [4]func(*unit) bool{gunsFit, infantryFits, cavalryFits, leaderFits}
		}
		for _, fits := range choice {
			if u := x.first(f, fits); u != nil {
				x.corps[i] = x.game.roster[u.id].corps
				if !u.kind.artillery() {
					able--
				}
				break
			}
		}
	}
}

// seconds adds a second unit of the same corps to each position, guns if it has
// some.
func (x *lineup) seconds() {
	for i, f := range x.order {
		if x.corps[i] < 0 {
			continue
		}
		same := func(u *unit) bool { return x.game.roster[u.id].corps == x.corps[i] }
		if x.first(f, func(u *unit) bool { return same(u) && u.kind.artillery() }) == nil {
			x.first(f, same)
		}
	}
}

// places lists where all units stand: those without a place go into the reserve, but a
// leader into the center if there are others behind him.
func (x *lineup) places(center field) []deployPlace {
	spare := 0
	for _, id := range x.units {
		if x.at[id] == offBoard && x.game.unit(id).kind != leader {
			spare++
		}
	}
	var all []deployPlace
	for _, id := range x.units {
		to := x.at[id]
		if to == offBoard {
			to = reserve
			if x.game.unit(id).kind == leader && spare >= 2 {
				to = center
			}
		}
		all = append(all, deployPlace{unit: id, field: to})
	}
	return all
}

// hold puts on the farm or hill of each position the first unit that can occupy it.
func (x *lineup) hold(a *battleDeployAnswer) {
	for _, f := range a.own {
		if x.game.count(x.b, f, x.camp) > 0 {
			continue
		}
		for i := range a.places {
			l := &a.places[i]
			k := x.game.unit(l.unit).kind
			if l.field == f && (x.b.terrain[f] == farm && k == infantry || x.b.terrain[f] == hill && k.artillery()) {
				l.holds = x.b.terrain[f]
				break
			}
		}
	}
}

// holdElsewhere is the fault of a unit that is to occupy a farm or hill in a position in
// which it does not stand.
var holdElsewhere = refusal("NAP-6.22", "nap.hold-elsewhere")

// A corpsList is the units of one corps that are in a battle.
type corpsList struct {
	name  string
	units []unitID
}

// corpsIn lists a camp's units in a battle by corps, leaders first.
func (g *game) corpsIn(b *battle, c camp) []corpsList {
	var all []corpsList
	units := g.unitsIn(b.town, c)
	for k := -1; k < len(g.corps); k++ {
		l := corpsList{name: leader.String()}
		if k >= 0 {
			l.name = g.corps[k].id
		}
		for _, id := range units {
			if g.roster[id].corps == k {
				l.units = append(l.units, id)
			}
		}
		if len(l.units) > 0 {
			all = append(all, l)
		}
	}
	return all
}
