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
	order := [3]field{own[1], own[2], own[0]}
	a := battleDeployAnswer{s: g.scenario, own: own}
	at := make(map[unitID]field, len(units))
	able := 0 // units that can stand in a wood and have no place yet
	for _, id := range units {
		if !g.unit(id).kind.artillery() {
			able++
		}
	}
	woods := 0
	for _, f := range order {
		if b.terrain[f] == wood {
			woods++
		}
	}
	first := func(f field, fits func(*unit) bool) *unit {
		for _, id := range units {
			if u := g.unit(id); at[id] == offBoard && fits(u) && b.mayStand(u, f) == nil {
				at[id] = f
				return u
			}
		}
		return nil
	}
	infantryFits := func(u *unit) bool { return u.kind == infantry }
	cavalryFits := func(u *unit) bool { return u.kind.cavalry() }
	gunsFit := func(u *unit) bool { return u.kind.artillery() }
	leaderFits := func(u *unit) bool { return u.kind == leader }
	var corps [3]int
	for i, f := range order {
		corps[i] = -1
		if g.count(b, f, c) > 0 {
			continue // filled by the other player (NAP-R17)
		}
		choice := [4]func(*unit) bool{infantryFits, cavalryFits, gunsFit, leaderFits}
		if b.terrain[f] == wood {
			woods--
		} else if able <= woods { // what is left for woods must not be spent here
			choice = [4]func(*unit) bool{gunsFit, infantryFits, cavalryFits, leaderFits}
		}
		for _, fits := range choice {
			if u := first(f, fits); u != nil {
				corps[i] = g.roster[u.id].corps
				if !u.kind.artillery() {
					able--
				}
				break
			}
		}
	}
	for i, f := range order {
		if corps[i] < 0 {
			continue
		}
		same := func(u *unit) bool { return g.roster[u.id].corps == corps[i] }
		if first(f, func(u *unit) bool { return same(u) && u.kind.artillery() }) == nil {
			first(f, same)
		}
	}
	spare := 0
	for _, id := range units {
		if at[id] == offBoard && g.unit(id).kind != leader {
			spare++
		}
	}
	for _, id := range units {
		to := at[id]
		if to == offBoard {
			to = reserve
			if g.unit(id).kind == leader && spare >= 2 {
				to = own[1]
			}
		}
		a.places = append(a.places, deployPlace{unit: id, field: to})
	}
	for _, f := range own {
		if g.count(b, f, c) > 0 {
			continue
		}
		for i := range a.places {
			l := &a.places[i]
			k := g.unit(l.unit).kind
			if l.field == f && (b.terrain[f] == farm && k == infantry || b.terrain[f] == hill && k.artillery()) {
				l.holds = b.terrain[f]
				break
			}
		}
	}
	a.sort()
	return a
}

// holdElsewhere is the fault of a unit that is to occupy a farm or hill of
// another position than its own.
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
