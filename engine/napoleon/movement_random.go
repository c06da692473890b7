package napoleon

import (
	"math/rand/v2"
	"slices"
)

// moveByChance is a random movement that has an aim: groups are drawn towards what their
// camp wants and like to attack where they are the stronger. It is legal by construction,
// since every step is tried with the mover.
func moveByChance(x *saying[*marching], chance *rand.Rand) {
	w := newWanderer(x, chance)
	w.aim = w.v.roadsTo(w.m.goals())
	w.permit()
	var target = noTown
	for who := range armies {
		if !w.v.own[who] {
			continue
		}
		for range w.v.numbers.groupMoves[who] {
			if from, ok := w.group(who, target); ok {
				target = w.send(origin{who, from})
			}
		}
	}
	w.show()
	w.dropWeak()
}

func newWanderer(x *saying[*marching], chance *rand.Rand) *wanderer {
	x.Made()
	w := &wanderer{x: x, v: x.View, m: x.World.mover(), chance: chance, answer: &x.World.answer, blocks: make([][2]int, len(x.View.towns))}
	for i := range w.v.units {
		if u := &w.v.units[i]; u.town != noTown && u.present(u.town) {
			w.blocks[u.town][u.army.camp()]++
		}
	}
	return w
}

// permit lets a leader permit forced marches at night now and then (NAP-8.1c).
func (w *wanderer) permit() {
	if !w.m.night || !w.v.reading.nightMarches {
		return
	}
	for i := range w.v.units {
		if l := &w.v.units[i]; l.kind == leader && w.v.own[l.army] && !l.dead && l.town != noTown && w.chance.IntN(3) == 0 {
			w.x.Try("", movePart{does: permitsForce, unit: l.id})
		}
	}
}

// dropWeak leaves out attacks with fewer units than an attack needs (NAP-6.6y);
// the rest stays as legal as it was.
func (w *wanderer) dropWeak() {
	for _, f := range w.m.fights {
		if f.units >= w.v.numbers.minAttack {
			continue
		}
		w.answer.marches = slices.DeleteFunc(w.answer.marches, func(way march) bool { return way.path[len(way.path)-1] == f.town })
	}
	w.answer.forced = slices.DeleteFunc(w.answer.forced, func(id unitID) bool { return !w.answer.takes(id) })
}

// A wanderer makes up a movement order.
type wanderer struct {
	x      *saying[*marching]
	v      *View
	m      *mover
	chance *rand.Rand
	answer *moveAnswer
	blocks [][2]int // units in every town, by camp
	aim    []int    // of every town, how many roads it is from the nearest goal
}

// goals are the towns that a camp wants: for the French the supply towns, for the Allies
// the towns where the French stand.
func (m *mover) goals() []townID {
	var all []townID
	for t := range m.g.towns {
		if supply := m.g.towns[t].loss > 0; supply && m.camp == frenchCamp || m.enemy[t] > 0 && m.camp == alliedCamp {
			all = append(all, townID(t))
		}
	}
	return all
}

// chances is the weight of an attack from one town on another: best is an attack that
// makes a battle and in which the attacker is not the weaker.
func (w *wanderer) chances(from, to townID) int {
	here, there := w.blocks[from][w.m.camp], w.blocks[to][w.m.camp.enemy()]
	switch {
	case here >= minBattle && there >= minBattle && here+1 >= there:
		return 6
	case here > there:
		return 3
	}
	return 1
}

// group draws a town whose group of an army is to move: the larger the likelier,
// and the more so next to an enemy or to an attack that has begun.
func (w *wanderer) group(who army, target townID) (townID, bool) {
	weights := make([]int, len(w.v.towns))
	for i := range w.v.units {
		u := &w.v.units[i]
		if u.army != who || u.dead || u.town == noTown || len(w.v.towns[u.town].roads) == 0 ||
			w.m.leads(origin{who, u.town}) {
			continue
		}
		weights[u.town]++
	}
	sum := 0
	for t, n := range weights {
		if n == 0 {
			continue
		}
		for _, r := range w.v.towns[t].roads {
			switch next := w.v.roads[r].from(townID(t)); {
			case next == target:
				n *= 4
			case w.m.enemy[next] > 0 && !w.m.night:
				n *= w.chances(townID(t), next)
			}
		}
		n = min(n, 1000)
		weights[t] = n
		sum += n
	}
	if sum == 0 {
		return noTown, false
	}
	x := w.chance.IntN(sum)
	for t, n := range weights {
		if x -= n; x < 0 {
			return townID(t), true
		}
	}
	return noTown, false
}

// send moves a group, most of it to one place, and gives the town it attacks.
func (w *wanderer) send(o origin) townID {
	main, ok := w.destination(o)
	if !ok {
		return noTown
	}
	other, _ := w.destination(o)
	push := (!w.m.night || w.m.permits[o.army] == o.town) && w.chance.IntN(4) == 0 // forced marches today
	attack := noTown
	stay := w.chance.IntN(4) // in twelve
	units := make([]unitID, 0, 16)
	for i := range w.v.units {
		if u := &w.v.units[i]; u.army == o.army && u.present(o.town) {
			units = append(units, u.id)
		}
	}
	w.chance.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
	for _, id := range units {
		u := w.v.unit(id)
		switch x := w.chance.IntN(12); {
		case x < stay && len(units) > 1:
			continue
		case x == 11 && other != nil:
			w.try(u, other, push)
		default:
			if w.try(u, main, push) && w.m.enemy[main[len(main)-1]] > 0 {
				attack = main[len(main)-1]
			}
		}
	}
	return attack
}

// destination draws a path of one or two roads out of a town.
func (w *wanderer) destination(o origin) ([]townID, bool) {
	type way struct {
		path   []townID
		weight int
	}
	var ways []way
	sum := 0
	consider := func(t townID, path ...townID) {
		n := 1 + min(w.blocks[t][w.m.camp], 5) // units prefer not to be alone
		switch {
		case w.m.enemy[t] > 0 && w.m.night:
			return
		case w.m.enemy[t] > 0:
			n = 8 * w.chances(o.town, t)
		case w.aim[t] < w.aim[o.town]:
			n += 16
		case w.aim[t] == w.aim[o.town]:
			n += 2
		}
		ways = append(ways, way{path, n})
		sum += n
	}
	for _, r := range w.v.towns[o.town].roads {
		t := w.v.roads[r].from(o.town)
		if w.m.room(r, t) == 0 {
			continue
		}
		consider(t, t)
		if w.m.enemy[t] > 0 || w.chance.IntN(3) > 0 {
			continue
		}
		for _, s := range w.v.towns[t].roads {
			if far := w.v.roads[s].from(t); far != o.town && w.m.room(s, far) > 0 {
				consider(far, t, far)
			}
		}
	}
	if sum == 0 {
		return nil, false
	}
	x := w.chance.IntN(sum)
	for _, way := range ways {
		if x -= way.weight; x < 0 {
			return way.path, true
		}
	}
	return nil, false
}

// try marches a unit as far along a path as it may go, without a forced march or, if push
// is set, with one.
func (w *wanderer) try(u *unit, path []townID, push bool) bool {
	if most := u.kind.rate(); len(path) > most && !push {
		path = path[:most]
	}
	if !w.m.canLead(origin{u.army, u.town}) {
		return false
	}
	made := w.m.advance(u, u.town, path)
	if made > 0 {
		w.x.World.goes(u, path[:made])
	}
	return made > 0 && made == len(path)
}

// show lets a leader show himself where his men set out on a forced march.
func (w *wanderer) show() {
	for i := range w.v.units {
		l := &w.v.units[i]
		if l.kind != leader || !w.v.own[l.army] || l.dead || l.town == noTown || slices.Contains(w.answer.permit, l.id) {
			continue
		}
		for _, way := range w.answer.marches {
			if way.from != l.town {
				continue
			}
			helps := false
			for _, id := range way.units {
				if u := w.v.unit(id); u.army == l.army && w.m.forced(u) {
					helps = true
				}
			}
			if helps && w.chance.IntN(3) > 0 {
				w.x.Try("", movePart{does: showsItself, unit: l.id})
				break
			}
		}
	}
}
