package napoleon

import (
	"slices"

	"berthier/engine"
	"berthier/orders/phrase"
)

// movementPhase asks the active camp for its movement (NAP-2.1). A camp that
// can neither move nor show a leader is not asked.
func (p *campaign) movementPhase() {
	c := p.turns[p.turn].camp
	if p.byTurns() {
		p.moveByTurns()
		return
	}
	var asked []engine.Side
	for _, side := range p.sidesOf(c) {
		if p.canMove(side) {
			asked = append(asked, side)
		}
	}
	if len(asked) == 0 {
		p.phase = battlePhase
		return
	}
	p.ask(asked, "move", "")
}

// canMove tells whether a side has anything to decide in its movement phase.
func (g *game) canMove(side engine.Side) bool {
	for i := range g.units {
		u := &g.units[i]
		if u.dead || u.town == noTown || g.sideOf(u.army) != side {
			continue
		}
		if u.kind == leader || len(g.towns[u.town].roads) > 0 {
			return true
		}
	}
	return false
}

// rate is how many towns a unit moves (NAP-5.3); a forced march adds one.
func (k kind) rate() int {
	switch k {
	case leader, lightCavalry, heavyCavalry, horseArtillery:
		return 2
	}
	return 1
}

// A mover judges and carries out the movement of one player turn, one step at a
// time, in the order in which it is written (NAP-5.8). It is used to judge a file, to show
// in a template how far units can go, to play at random, and to move in earnest.
//
// It reads nothing that the moving side can't see: where enemy blocks stand is known to
// all (NAP-3.2).
type mover struct {
	g      *game
	camp   camp
	night  bool
	enemy  []int16          // enemy units in each town
	used   []int8           // units on each road in this turn (NAP-5.4)
	over   []int8           // units attacking over each road (NAP-5.5)
	steps  []int8           // made by each unit, by unit id
	groups [armies][]townID // towns whose group has used a move (NAP-5.1b)
	fights []fight          // attacks of this phase
	plans  []plannedAttack  // other attacks that the orders make or may make, where a chain of groups suffices (NAP-R07)

	least int // how many units of the side alone an attack needs (NAP-6.6y, NAP-R92)

	far  map[townID][]int // roads to a town from each, as far as they were asked for
	mine []unitID         // the units of the side that orders; of a movement that is carried out nobody

	permits [armies]townID // where a leader permits forced marches at night; noTown without (NAP-8.1c)
}

// A fight is an attack on a town with the groups that make it (NAP-5.2).
type fight struct {
	town    townID  `pos:"town"`
	units   int     `pos:"units,required,min=1,max=units"` // that attack it (NAP-6.6y)
	origins origins `pos:"from,required"`
}

// An origin is a group: the units of one army that stood in one town.
type origin struct {
	army army
	town townID
}

// A plannedAttack is a town that is to be attacked, and a town from which orders send units to attack it.
type plannedAttack struct{ town, from townID }

func newMover(g *game, c camp) *mover {
	m := &mover{
		g: g, camp: c, night: g.turns[g.turn].night,
		enemy: make([]int16, len(g.towns)),
		used:  slices.Clone(g.roadUse),
		over:  make([]int8, len(g.roads)),
		steps: make([]int8, len(g.roster)),
		far:   map[townID][]int{},

		permits: [armies]townID{noTown, noTown, noTown},
	}
	room := make([]townID, 0, 4*armies)
	for a := range m.groups {
		m.groups[a] = room[4*a : 4*a : 4*a+4]
	}
	for i := range g.units {
		if u := &g.units[i]; !u.dead && u.town != noTown && u.army.camp() != c {
			m.enemy[u.town]++
		}
	}
	m.follow(g.ahead)
	return m
}

// mayLead tells whether the group of an army in a town may use a group move:
// each army has its number of them (NAP-5.1c), and an army's group in a town
// uses one however its units move (NAP-5.1b, NAP-5.1e).
func (m *mover) mayLead(o origin) *fault {
	if m.canLead(o) {
		return nil
	}
	return &fault{Clause: "NAP-5.1c", Why: phrase.Say("nap.move-groups", armyArg("army", o.army),
		phrase.Number("n", m.g.numbers.groupMoves[o.army]), m.g.townArg("from", o.town), m.g.townArgs("used", m.groups[o.army]))}
}

// canLead tells whether mayLead has no fault.
func (m *mover) canLead(o origin) bool {
	return m.leads(o) || len(m.groups[o.army]) < m.g.numbers.groupMoves[o.army]
}

func (m *mover) leads(o origin) bool { return slices.Contains(m.groups[o.army], o.town) }

// lead uses a group move.
func (m *mover) lead(o origin) {
	if !m.leads(o) {
		m.groups[o.army] = append(m.groups[o.army], o.town)
	}
}

// An obstacle is what keeps a unit from a step, without the words for it.
type obstacle int8

// What may keep a unit from a step.
const (
	free obstacle = iota
	noRoadThere
	foesBetween
	tooFar
	forcedAtNight
	attackAtNight
	roadFull
	riverFull
	outOfCommand
)

// obstacle judges whether a unit that set out from a town may go from where it now is to
// another town. The checks stand in the order of NAP-5.8.
func (m *mover) obstacle(u *unit, from, at, to townID) obstacle {
	g := m.g
	i, joined := g.roadBetween(at, to)
	if !joined {
		return noRoadThere
	}
	if at != from && m.enemy[at] > 0 {
		return foesBetween
	}
	n, rate := int(m.steps[u.id])+1, u.kind.rate()
	if n > rate+1 {
		return tooFar
	}
	if n > rate && m.night && m.permits[u.army] != from {
		return forcedAtNight
	}
	if m.enemy[to] > 0 && m.night {
		return attackAtNight
	}
	r := &g.roads[i]
	weight := g.weight(u.kind)
	if limit := g.numbers.road.of(*r); int(m.used[i])+weight > max(limit, int(m.used[i])) {
		return roadFull
	}
	if m.enemy[to] == 0 {
		return free
	}
	if limit := g.numbers.river.of(*r); r.river && int(m.over[i])+weight > max(limit, int(m.over[i])) {
		return riverFull
	}
	if !m.mayJoin(origin{u.army, from}, to) {
		return outOfCommand
	}
	return free
}

// mayStep tells why a unit may not make a step; nil if it may.
func (m *mover) mayStep(u *unit, from, at, to townID) *fault {
	g := m.g
	switch m.obstacle(u, from, at, to) {
	case noRoadThere:
		return m.noRoad(at, to)
	case foesBetween:
		return &fault{Clause: "NAP-5.0", Why: phrase.Say("nap.move-through", g.townArg("town", at), g.townArg("to", to))}
	case tooFar:
		return &fault{Clause: "NAP-5.3", Why: phrase.Say("nap.move-far", g.idArg("unit", u.id), kindArg("kind", u.kind), phrase.Number("rate", u.kind.rate()), g.townArg("to", to))}
	case forcedAtNight:
		return &fault{Clause: "NAP-5.7", Why: phrase.Say("nap.move-night-forced", g.idArg("unit", u.id), phrase.Number("rate", u.kind.rate()), g.townArg("to", to))}
	case attackAtNight:
		return &fault{Clause: "NAP-5.7", Why: phrase.Say("nap.move-night-attack", g.townArg("to", to))}
	case roadFull:
		i, _ := g.roadBetween(at, to)
		return &fault{Clause: "NAP-5.4", Why: phrase.Say("nap.move-road-full", g.townArg("from", at), g.townArg("to", to), phrase.Number("limit", g.numbers.road.of(g.roads[i]))),
			Remedy: phrase.Say("nap.move-leave-out", g.idArg("unit", u.id))}
	case riverFull:
		i, _ := g.roadBetween(at, to)
		return &fault{Clause: "NAP-5.5", Why: phrase.Say("nap.move-river-full", g.townArg("from", at), g.townArg("to", to), phrase.Number("limit", g.numbers.river.of(g.roads[i]))),
			Remedy: phrase.Say("nap.move-leave-out", g.idArg("unit", u.id))}
	case outOfCommand:
		return m.mayAttack(origin{u.army, from}, to)
	}
	return nil
}

// noRoad refuses a step between towns that no road joins, and names the towns
// by which it could be made.
func (m *mover) noRoad(at, to townID) *fault {
	o := &fault{Clause: "NAP-5.3", Why: phrase.Say("nap.move-no-road", m.g.townArg("from", at), m.g.townArg("to", to))}
	var by []string
	for _, r := range m.g.towns[at].roads {
		t := m.g.roads[r].from(at)
		if _, joined := m.g.roadBetween(t, to); joined && m.enemy[t] == 0 {
			by = append(by, m.g.towns[t].id)
		}
	}
	if at != to && len(by) > 0 {
		o.Remedy = phrase.Say("nap.move-via", phrase.Names("towns", "town", by))
	}
	return o
}

// mayAttack tells why command control does not let a group attack a town together with the
// groups that do already; nil if it does.
func (m *mover) mayAttack(o origin, t townID) *fault {
	if other, code, far := m.command(o, t); code != "" {
		return m.noCommand(o, other, t, code, far)
	}
	return nil
}

// mayJoin tells whether mayAttack has no fault.
func (m *mover) mayJoin(o origin, t townID) bool {
	_, code, _ := m.command(o, t)
	return code == ""
}

// command judges whether command control lets a group attack a town together with the
// groups that do already (NAP-5.2): where two or more attack, all must be adjacent to the
// town, and every two of them must stand in towns that one road joins (NAP-R07), or in one
// town (NAP-R01). What counts is where they began (NAP-5.2b). If it does not, it gives the
// other group, the phrase and the town that is far; otherwise no phrase.
func (m *mover) command(o origin, t townID) (other origin, code string, far townID) {
	f := m.fight(t)
	if f == nil || slices.Contains(f.origins, o) || m.g.options.commandControl == commandOff {
		return
	}
	next := func(a, b townID) bool {
		_, joined := m.g.roadBetween(a, b)
		return joined
	}
	for _, other := range f.origins {
		switch {
		case !next(o.town, t):
			return other, "nap.move-command-far", o.town
		case !next(other.town, t):
			return other, "nap.move-command-far", other.town
		case m.g.options.commandControl == commandChain && m.chained(o.town, other.town, t):
			// the town need not be joined to this one directly (NAP-R07)
		case o.town != other.town && !next(o.town, other.town):
			return other, "nap.move-command-apart", o.town
		}
	}
	return
}

// chained tells whether roads join two towns by way of other towns next to a target from
// which groups attack it, too, or are about to: the order in which a file writes
// the attacks makes no difference (NAP-R07, option command_control).
func (m *mover) chained(a, b, target townID) bool {
	reached := []townID{a}
	for i := 0; i < len(reached); i++ {
		try := func(t townID) {
			_, joined := m.g.roadBetween(reached[i], t)
			_, adjacent := m.g.roadBetween(t, target)
			if joined && adjacent && !slices.Contains(reached, t) {
				reached = append(reached, t)
			}
		}
		for _, o := range m.fight(target).origins {
			try(o.town)
		}
		for _, p := range m.plans {
			if p.town == target {
				try(p.from)
			}
		}
	}
	return slices.Contains(reached, b)
}

func (m *mover) noCommand(o, other origin, t townID, code string, far townID) *fault {
	return &fault{Clause: "NAP-5.2", Why: phrase.Say(code, m.g.townArg("from", o.town), m.g.townArg("other", other.town),
		m.g.townArg("to", t), m.g.townArg("far", far)), Remedy: phrase.Say("nap.move-command-remedy", m.g.townArg("to", t))}
}

func (m *mover) fight(t townID) *fight {
	if i := m.fightAt(t); i >= 0 {
		return &m.fights[i]
	}
	return nil
}

// fightAt is the index of the attack on a town; -1 if there is none.
func (m *mover) fightAt(t townID) int {
	for i := range m.fights {
		if m.fights[i].town == t {
			return i
		}
	}
	return -1
}

// step makes a step that may be made.
func (m *mover) step(u *unit, from, at, to townID) {
	i, _ := m.g.roadBetween(at, to)
	m.steps[u.id]++
	weight := int8(m.g.weight(u.kind))
	m.used[i] += weight
	if m.enemy[to] == 0 {
		return
	}
	m.over[i] += weight
	o := origin{u.army, from}
	f := m.fight(to)
	if f == nil {
		m.fights = append(m.fights, fight{town: to})
		f = &m.fights[len(m.fights)-1]
	}
	f.units++
	if !slices.Contains(f.origins, o) {
		f.origins = append(f.origins, o)
	}
}

// advance takes a unit along a path as far as it may go, and gives how many steps were made.
func (m *mover) advance(u *unit, from townID, path []townID) int {
	at := from
	for i, to := range path {
		if m.obstacle(u, from, at, to) != free {
			return i
		}
		m.step(u, from, at, to)
		at = to
	}
	return len(path)
}

// march takes a unit along a path as far as it may go. It gives how many steps
// were made and what stopped it, if anything did.
func (m *mover) march(u *unit, from townID, path []townID) (int, *fault) {
	made := m.advance(u, from, path)
	return made, m.stopped(u, from, path, made)
}

// stopped tells what stopped a unit that has made so many steps; nil if it is at the end
// of the path.
func (m *mover) stopped(u *unit, from townID, path []townID, made int) *fault {
	if made == len(path) {
		return nil
	}
	return m.mayStep(u, from, pathAt(from, path, made), path[made])
}

// back takes back steps of a unit, but for the attacks that they made.
func (m *mover) back(u *unit, from townID, path []townID) {
	at, weight := from, int8(m.g.weight(u.kind))
	for _, to := range path {
		i, _ := m.g.roadBetween(at, to)
		m.steps[u.id]--
		m.used[i] -= weight
		if m.enemy[to] > 0 {
			m.over[i] -= weight
		}
		at = to
	}
}

// try takes a unit along a path as far as it may go, calls do there with how many steps
// were made, and takes the unit back.
func (m *mover) try(u *unit, from townID, path []townID, do func(made int)) {
	was, i, fight := *m, -1, fight{}
	if i = m.fightAt(path[len(path)-1]); i >= 0 {
		fight = m.fights[i]
	}
	made := m.advance(u, from, path)
	m.lead(origin{u.army, from})
	do(made)
	m.back(u, from, path[:made])
	if *m = was; i >= 0 {
		m.fights[i] = fight
	}
}

// tryAll lets those units take a road to a town that may, one after the other, calls do
// with them, and takes them back.
func (m *mover) tryAll(units []*unit, from, to townID, do func(went []*unit)) {
	was, i, fight := *m, -1, fight{}
	if i = m.fightAt(to); i >= 0 {
		fight = m.fights[i]
	}
	path, went := []townID{to}, make([]*unit, 0, len(units))
	for _, u := range units {
		if o := (origin{u.army, from}); m.canLead(o) && m.advance(u, from, path) == 1 {
			m.lead(o)
			went = append(went, u)
		}
	}
	do(went)
	for _, u := range went {
		m.back(u, from, path)
	}
	if *m = was; i >= 0 {
		m.fights[i] = fight
	}
}

// mayMarch tells why a unit may not take a path; nil if it may.
func (m *mover) mayMarch(u *unit, from townID, path []townID) (f *fault) {
	if f = m.mayLead(origin{u.army, from}); f == nil && m.goes(u, from, path) < len(path) {
		m.try(u, from, path, func(made int) { f = m.stopped(u, from, path, made) })
	}
	return f
}

// canMarch tells whether mayMarch has no fault.
func (m *mover) canMarch(u *unit, from townID, path []townID) bool {
	return m.canLead(origin{u.army, from}) && m.goes(u, from, path) == len(path)
}

// goes tells how many steps a unit could make along a path. It takes no attack back, since
// it makes none: who is among the enemy goes no farther.
func (m *mover) goes(u *unit, from townID, path []townID) int {
	at, n, made := from, 0, 0
	for ; n < len(path) && m.obstacle(u, from, at, path[n]) == free; n++ {
		if at = path[n]; n+1 < len(path) && m.enemy[at] == 0 {
			m.step(u, from, pathAt(from, path, n), at)
			made++
		}
	}
	m.back(u, from, path[:made])
	return n
}

// pathAt is where somebody stands who has made so many steps.
func pathAt(from townID, path []townID, made int) townID {
	if made == 0 {
		return from
	}
	return path[made-1]
}

// roadsTo is how many roads each town is from one.
func (m *mover) roadsTo(t townID) []int {
	far, known := m.far[t]
	if !known {
		far = m.g.roadsTo([]townID{t})
		m.far[t] = far
	}
	return far
}

// room is how many more units may take a road, going to a town (NAP-5.4,
// NAP-5.5).
func (m *mover) room(i int, to townID) int {
	r := m.g.roads[i]
	n := m.g.numbers.road.of(r) - int(m.used[i])
	if m.enemy[to] > 0 {
		if m.night {
			return 0
		}
		if r.river {
			n = min(n, m.g.numbers.river.of(r)-int(m.over[i]))
		}
	}
	return max(n, 0)
}

// forced tells whether a unit's march was a forced one (NAP-5.6).
func (m *mover) forced(u *unit) bool { return int(m.steps[u.id]) > u.kind.rate() }
