package napoleon

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
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
// time, in the order in which it is written (NAP-5.8). Judging a file, the reach
// shown in a template, random play and the real thing all use it.
//
// It reads nothing that the moving side can't see: enemy blocks in towns are
// open (NAP-3.2).
type mover struct {
	g      *game
	camp   camp
	night  bool
	enemy  []bool          // towns with enemy units
	used   []int8          // units on each road in this turn (NAP-5.4)
	over   []int8          // units attacking over each road (NAP-5.5)
	steps  []int8          // made by each unit, by unit id
	groups [armies][]int16 // towns whose group has used a move (NAP-5.1b)
	fights []fight         // attacks of this phase
	plans  []plannedAttack // what else the orders want, where a chain of groups suffices (NAP-R07)

	permits [armies]townID // where a leader permits forced marches at night; noTown without (NAP-8.1c)
}

// A fight is an attack on a town with the groups that make it (NAP-5.2).
type fight struct {
	town    townID
	origins []origin
	units   int // that attack it (NAP-6.6y)
}

// An origin is a group: the units of one army that stood in one town.
type origin struct {
	army army
	town townID
}

// A plannedAttack is a town and one from which orders send units to attack it.
type plannedAttack struct{ town, from townID }

func newMover(g *game, c camp) *mover {
	m := &mover{
		g: g, camp: c, night: g.turns[g.turn].night,
		enemy: make([]bool, len(g.towns)),
		used:  slices.Clone(g.roadUse),
		over:  make([]int8, len(g.roads)),
		steps: make([]int8, len(g.roster)),

		permits: [armies]townID{noTown, noTown, noTown},
	}
	for i := range g.units {
		if u := &g.units[i]; !u.dead && u.town != noTown && u.army.camp() != c {
			m.enemy[u.town] = true
		}
	}
	m.follow(g.ahead)
	return m
}

// mayLead tells whether the group of an army in a town may use a group move:
// each army has its number of them (NAP-5.1c), and an army's group in a town
// uses one however its units move (NAP-5.1b, NAP-5.1e).
func (m *mover) mayLead(o origin) *fault {
	if m.leads(o) || len(m.groups[o.army]) < m.g.numbers.groupMoves[o.army] {
		return nil
	}
	return &fault{Clause: "NAP-5.1c", Why: phrase.Say("nap.move-groups", armyArg("army", o.army),
		phrase.Number("n", m.g.numbers.groupMoves[o.army]), m.g.townArg("from", o.town), m.townNames("used", m.groups[o.army]))}
}

func (m *mover) townNames(place string, towns []int16) argument {
	names := make([]string, len(towns))
	for i, t := range towns {
		names[i] = m.g.towns[t].id
	}
	return phrase.Names(place, "town", names)
}

func (m *mover) leads(o origin) bool { return slices.Contains(m.groups[o.army], int16(o.town)) }

// lead uses a group move.
func (m *mover) lead(o origin) {
	if !m.leads(o) {
		m.groups[o.army] = append(m.groups[o.army], int16(o.town))
	}
}

// mayStep tells why a unit that set out from a town may not go from where it
// now is to another town; nil if it may. The checks stand in the order of
// NAP-5.8.
func (m *mover) mayStep(u *unit, from, at, to townID) *fault {
	g := m.g
	i, joined := g.roadBetween(at, to)
	if !joined {
		return m.noRoad(at, to)
	}
	if at != from && m.enemy[at] {
		return &fault{Clause: "NAP-5.0", Why: phrase.Say("nap.move-through", g.townArg("town", at), g.townArg("to", to))}
	}
	n, rate := int(m.steps[u.id])+1, u.kind.rate()
	if n > rate+1 {
		return &fault{Clause: "NAP-5.3", Why: phrase.Say("nap.move-far", g.idArg("unit", u.id), kindArg("kind", u.kind), phrase.Number("rate", rate), g.townArg("to", to))}
	}
	if n > rate && m.night && m.permits[u.army] != from {
		return &fault{Clause: "NAP-5.7", Why: phrase.Say("nap.move-night-forced", g.idArg("unit", u.id), phrase.Number("rate", rate), g.townArg("to", to))}
	}
	if m.enemy[to] && m.night {
		return &fault{Clause: "NAP-5.7", Why: phrase.Say("nap.move-night-attack", g.townArg("to", to))}
	}
	r := g.roads[i]
	weight := g.weight(u.kind)
	if limit := g.numbers.road.of(r); int(m.used[i])+weight > max(limit, int(m.used[i])) {
		return &fault{Clause: "NAP-5.4", Why: phrase.Say("nap.move-road-full", g.townArg("from", at), g.townArg("to", to), phrase.Number("limit", limit)),
			Remedy: phrase.Say("nap.move-leave-out", g.idArg("unit", u.id))}
	}
	if !m.enemy[to] {
		return nil
	}
	if limit := g.numbers.river.of(r); r.river && int(m.over[i])+weight > max(limit, int(m.over[i])) {
		return &fault{Clause: "NAP-5.5", Why: phrase.Say("nap.move-river-full", g.townArg("from", at), g.townArg("to", to), phrase.Number("limit", limit)),
			Remedy: phrase.Say("nap.move-leave-out", g.idArg("unit", u.id))}
	}
	return m.mayAttack(origin{u.army, from}, to)
}

// noRoad refuses a step between towns that no road joins, and names the towns
// by which it could be made.
func (m *mover) noRoad(at, to townID) *fault {
	o := &fault{Clause: "NAP-5.3", Why: phrase.Say("nap.move-no-road", m.g.townArg("from", at), m.g.townArg("to", to))}
	var by []string
	for _, r := range m.g.towns[at].roads {
		t := m.g.roads[r].from(at)
		if _, joined := m.g.roadBetween(t, to); joined && !m.enemy[t] {
			by = append(by, m.g.towns[t].id)
		}
	}
	if at != to && len(by) > 0 {
		o.Remedy = phrase.Say("nap.move-via", phrase.Names("towns", "town", by))
	}
	return o
}

// mayAttack tells whether command control lets a group attack a town together
// with the groups that do already (NAP-5.2): where two or more attack, all must
// be adjacent to the town and every two of them in towns that one road joins
// (NAP-R07), or in one town (NAP-R01). What counts is where they began
// (NAP-5.2b).
func (m *mover) mayAttack(o origin, t townID) *fault {
	f := m.fight(t)
	if f == nil || slices.Contains(f.origins, o) || m.g.options.commandControl == commandOff {
		return nil
	}
	next := func(a, b townID) bool {
		_, joined := m.g.roadBetween(a, b)
		return joined
	}
	for _, other := range f.origins {
		switch {
		case !next(o.town, t):
			return m.noCommand(o, other, t, "nap.move-command-far", o.town)
		case !next(other.town, t):
			return m.noCommand(o, other, t, "nap.move-command-far", other.town)
		case m.g.options.commandControl == commandChain && m.chained(o.town, other.town, t):
			// it need not be joined to this one itself (NAP-R07)
		case o.town != other.town && !next(o.town, other.town):
			return m.noCommand(o, other, t, "nap.move-command-apart", o.town)
		}
	}
	return nil
}

// chained tells whether roads join two towns by others next to a target from
// which groups attack it, too, or are about to: the order in which a file writes
// them makes no difference (NAP-R07, option command_control).
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
	for i := range m.fights {
		if m.fights[i].town == t {
			return &m.fights[i]
		}
	}
	return nil
}

// step makes a step that may be made.
func (m *mover) step(u *unit, from, at, to townID) {
	i, _ := m.g.roadBetween(at, to)
	m.steps[u.id]++
	weight := int8(m.g.weight(u.kind))
	m.used[i] += weight
	if !m.enemy[to] {
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

// march takes a unit along a path as far as it may go. It gives how many steps
// were made and what stopped it, if anything did.
func (m *mover) march(u *unit, from townID, path []townID) (int, *fault) {
	at := from
	for i, to := range path {
		if stop := m.mayStep(u, from, at, to); stop != nil {
			return i, stop
		}
		m.step(u, from, at, to)
		at = to
	}
	return len(path), nil
}

// room is how many more units may take a road, going to a town (NAP-5.4,
// NAP-5.5).
func (m *mover) room(i int, to townID) int {
	r := m.g.roads[i]
	n := m.g.numbers.road.of(r) - int(m.used[i])
	if m.enemy[to] {
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

// moveStop is the stop move: the movement of a player turn (NAP-5).
type moveStop struct{}

// moveAnswer is a movement order.
type moveAnswer struct {
	s       *scenario
	marches []march
	forced  []unitID // that march one town more than their rate, in the order of their dice (NAP-0.6)
	reveal  []unitID // leaders who show themselves (NAP-8.1)
	permit  []unitID // leaders who permit forced marches at night (NAP-8.1c)
}

// A march takes units of one town along one path.
type march struct {
	from  townID
	path  []townID // ends at the destination
	units []unitID
}

func (a moveAnswer) Node() *orders.Node {
	if len(a.marches) == 0 && len(a.reveal) == 0 && len(a.permit) == 0 {
		return orders.Text("none")
	}
	list := orders.Items()
	if len(a.permit) > 0 {
		list.Add(orders.Mapping().Set("night-march", a.s.unitTexts(a.permit)))
	}
	for _, m := range a.marches {
		list.Add(orders.Mapping().Set("move", a.s.marchNode(m)))
	}
	if len(a.forced) > 0 {
		list.Add(orders.Mapping().Set("forced", a.s.unitTexts(a.forced)))
	}
	if len(a.reveal) > 0 {
		list.Add(orders.Mapping().Set("reveal", a.s.unitTexts(a.reveal)))
	}
	return list
}

// add notes a unit's march, together with others of the same way.
func (a *moveAnswer) add(from townID, path []townID, id unitID) {
	for i := range a.marches {
		if a.marches[i].from == from && slices.Equal(a.marches[i].path, path) {
			a.marches[i].units = append(a.marches[i].units, id)
			return
		}
	}
	a.marches = append(a.marches, march{from, path, []unitID{id}})
}

// takes tells whether a unit marches.
func (a *moveAnswer) takes(id unitID) bool {
	return slices.ContainsFunc(a.marches, func(m march) bool { return slices.Contains(m.units, id) })
}

// A moveReader reads a movement order.
type moveReader struct {
	*orders.Reader
	v      *View
	m      *mover
	answer moveAnswer
	own    []unitID // the side's living units
	named  []bool   // units that a move names, by id
	marked []string // faults already reported of the present march

	attacks []attackAt // where the file first names each attack
	pushes  []pushAt   // where the file makes each forced march
}

// An attackAt is where a file names the town of an attack.
type attackAt struct {
	town townID
	node *orders.Node
}

func (moveStop) Read(v *View, d engine.Decision, r *orders.Reader, body *orders.Node) play.Reply {
	if body == nil || r.Is(body, "default") || r.Is(body, "none") {
		return moveStop{}.Fallback(v, d)
	}
	x := &moveReader{
		Reader: r, v: v, m: newMover(v.game, v.camp()),
		answer: moveAnswer{s: v.scenario}, own: v.livingUnits(), named: make([]bool, len(v.roster)),
	}
	var forced []*orders.Node
	for _, item := range r.List(body) { // a permission holds for all marches of the file
		if item.Kind == orders.Map && len(item.Pairs) == 1 && r.Is(item.Pairs[0].Key, "night-march") {
			x.permit(item.Pairs[0].Value)
		}
	}
	x.foresee(body)
	for _, item := range r.List(body) {
		switch key, value := r.Only(item, "move", "forced", "reveal", "night-march"); key {
		case "move":
			x.move(value)
		case "forced":
			forced = append(forced, value)
		case "reveal":
			x.reveal(value)
		}
	}
	x.forced(forced)
	x.strong()
	return x.answer
}

// foresee notes the attacks that a file means to make. What can't be read is
// told when its turn comes.
func (x *moveReader) foresee(body *orders.Node) {
	if x.v.options.commandControl != commandChain {
		return
	}
	for _, item := range x.List(body) {
		if item.Kind != orders.Map || len(item.Pairs) != 1 || !x.Is(item.Pairs[0].Key, "move") || item.Pairs[0].Value.Kind != orders.Map {
			continue
		}
		from, to := noTown, noTown
		for _, pair := range item.Pairs[0].Value.Pairs {
			if t, ok := x.v.townNamed(pair.Value.Text); ok && pair.Value.Kind == orders.Scalar {
				switch {
				case x.Is(pair.Key, "from"):
					from = t
				case x.Is(pair.Key, "to"):
					to = t
				}
			}
		}
		if from != noTown && to != noTown && len(x.v.group(from)) > 0 {
			x.m.plans = append(x.m.plans, plannedAttack{to, from})
		}
	}
}

// strong refuses attacks of fewer units than the game asks for (NAP-6.6y), unless
// an ally might bring the others (NAP-R92). One
// that has lost units to other faults is not refused twice.
func (x *moveReader) strong() {
	if len(x.Problems) > 0 {
		return
	}
	for _, a := range x.attacks {
		if n, least := x.m.fight(a.town).units, x.v.numbers.minAttack; n+x.v.help() < least {
			x.RefuseWith(a.node, "NAP-6.6y", phrase.Say("nap.move-few", x.v.townArg("to", a.town), phrase.Number("n", n), phrase.Number("least", least)),
				phrase.Say("nap.move-few-remedy"))
		}
	}
}

// help counts the units on the map with which an ally might join an attack: what
// he orders is secret, and all units count together (NAP-R92).
func (v *View) help() int {
	n := 0
	if v.ahead != nil { // he has moved
		return n
	}
	for i := range v.units {
		if u := &v.units[i]; u.army.camp() == v.camp() && !v.own[u.army] && !u.dead && u.town != noTown && len(v.towns[u.town].roads) > 0 {
			n++
		}
	}
	return n
}

// permit reads the leaders who permit forced marches at night instead of
// helping them (NAP-8.1c).
func (x *moveReader) permit(n *orders.Node) {
	for _, item := range x.List(n) {
		id, ok := x.v.pickUnit(x.Reader, item, x.own)
		switch {
		case !ok:
		case !x.v.reading.nightMarches:
			x.Refuse(item, "NAP-5.7", phrase.Say("nap.move-no-permit"))
		case x.v.roster[id].kind != leader:
			x.Refuse(item, "NAP-8.1c", phrase.Say("nap.move-permit", x.v.idArg("unit", id)))
		case !x.m.night:
			x.Refuse(item, "NAP-8.1c", phrase.Say("nap.move-permit-day", x.v.idArg("unit", id)))
		case slices.Contains(x.answer.permit, id):
			x.Refuse(item, "NAP-8.1c", phrase.Say("nap.named-twice", x.v.idArg("unit", id)))
		default:
			x.answer.permit = append(x.answer.permit, id)
			x.m.permits[x.v.roster[id].army] = x.v.unit(id).town
		}
	}
}

// livingUnits lists the side's units on the map.
func (v *View) livingUnits() []unitID {
	var ids []unitID
	for i := range v.units {
		if u := &v.units[i]; v.own[u.army] && !u.dead && u.town != noTown {
			ids = append(ids, u.id)
		}
	}
	slices.Sort(ids)
	return ids
}

// move reads {from, via, to, units}.
func (x *moveReader) move(n *orders.Node) {
	v, m := x.v, x.m
	x.marked = x.marked[:0]
	f := x.Fields(n, "from", "via", "to", "units")
	if n == nil || n.Kind != orders.Map {
		return
	}
	fromNode := x.Require(f, "from")
	from, ok := v.townIn(x.Reader, fromNode)
	var path []townID
	var steps []*orders.Node
	for _, item := range append(slices.Clone(x.List(f.Get("via"))), x.Require(f, "to")) {
		t, known := v.townIn(x.Reader, item)
		ok = ok && known
		path, steps = append(path, t), append(steps, item)
	}
	units, places := x.units(x.Require(f, "units"), from)
	if !ok {
		return
	}

	// Each army's group in a town needs a move of its army (NAP-5.1e).
	for a := range armies {
		o := origin{a, from}
		if !slices.ContainsFunc(units, func(id unitID) bool { return v.roster[id].army == a && v.unit(id).town == from }) {
			continue
		}
		if stop := m.mayLead(o); stop != nil {
			x.obstruct(fromNode, stop)
		}
		m.lead(o)
	}

	// Faults of the path are told once, where the path is written.
	sound := true
	at := from
	for i, to := range path {
		if _, joined := v.roadBetween(at, to); !joined {
			x.obstruct(steps[i], m.noRoad(at, to))
			sound = false
		}
		at = to
	}
	for i, id := range units {
		u := v.unit(id)
		if u.town != from {
			x.RefuseWith(places[i], "NAP-5.1b", phrase.Say("nap.move-not-there", v.idArg("unit", id), v.townArg("town", from), v.townArg("at", u.town)), phrase.Phrase{})
			continue
		}
		if x.named[id] {
			x.Refuse(places[i], "NAP-5.1f", phrase.Say("nap.move-twice", v.idArg("unit", id)))
			continue
		}
		x.named[id] = true
		if !sound {
			continue
		}
		made, stop := m.march(u, from, path)
		if stop != nil {
			place := places[i]
			if stop.Clause == "NAP-5.0" || stop.Why.Code == "nap.move-night-attack" {
				place = steps[made]
			}
			x.obstruct(place, stop)
			continue
		}
		if m.forced(u) {
			x.answer.forced = append(x.answer.forced, id)
			x.pushes = append(x.pushes, pushAt{id, places[i], from, path})
		}
		if t := path[len(path)-1]; m.enemy[t] && !slices.ContainsFunc(x.attacks, func(a attackAt) bool { return a.town == t }) {
			x.attacks = append(x.attacks, attackAt{t, steps[len(steps)-1]})
		}
		x.answer.add(from, path, id)
	}
}

// townIn reads a town; nil is not there.
func (v *View) townIn(r *orders.Reader, n *orders.Node) (townID, bool) {
	if n == nil {
		return noTown, false
	}
	return v.pickTown(r, n)
}

// obstruct refuses an order, but not twice for the same cause in one march.
func (x *moveReader) obstruct(n *orders.Node, o *fault) {
	key := o.Why.Code
	for _, a := range o.Why.Args {
		key += " " + a.Value.Text
	}
	if slices.Contains(x.marked, key) {
		return
	}
	x.marked = append(x.marked, key)
	x.RefuseWith(n, o.Clause, o.Why, o.Remedy)
}

// units reads the units of a march with the node that names each: a list, or
// all of the group, or the rest of it that no order of the file has named yet.
func (x *moveReader) units(n *orders.Node, from townID) (ids []unitID, places []*orders.Node) {
	if n == nil {
		return nil, nil
	}
	items := x.List(n)
	if len(items) == 0 {
		x.Refuse(n, "NAP-5.1b", phrase.Say("nap.move-nobody"))
	}
	for _, item := range items {
		all, rest := x.Is(item, "all"), x.Is(item, "rest")
		if !all && !rest {
			if id, ok := x.v.pickUnit(x.Reader, item, x.own); ok {
				ids, places = append(ids, id), append(places, item)
			}
			continue
		}
		if from == noTown {
			continue
		}
		found := false
		for _, id := range x.own {
			if x.v.unit(id).town == from && !slices.Contains(ids, id) && (all || !x.named[id]) {
				ids, places, found = append(ids, id), append(places, item), true
			}
		}
		if !found {
			x.Refuse(item, "NAP-5.1b", phrase.Say("nap.move-empty", x.v.townArg("town", from)))
		}
	}
	return ids, places
}

// reveal reads the leaders who show themselves (NAP-8.1, NAP-R06).
func (x *moveReader) reveal(n *orders.Node) {
	for _, item := range x.List(n) {
		id, ok := x.v.pickUnit(x.Reader, item, x.own)
		switch {
		case !ok:
		case x.v.roster[id].kind != leader:
			x.Refuse(item, "NAP-8.1", phrase.Say("nap.move-reveal", x.v.idArg("unit", id)))
		case slices.Contains(x.answer.permit, id):
			x.Refuse(item, "NAP-8.1c", phrase.Say("nap.move-permit-only", x.v.idArg("unit", id)))
		case slices.Contains(x.answer.reveal, id):
			x.Refuse(item, "NAP-8.1", phrase.Say("nap.named-twice", x.v.idArg("unit", id)))
		default:
			x.answer.reveal = append(x.answer.reveal, id)
		}
	}
}

// Template lists every group with its units and, road by road, how many of them
// may take it and where those who move two towns could go on to. The order that
// follows takes no more units than the road does:
//
//	Solre: F-10 infantry 4F2>>, F-13 light-cavalry 2F2
//	  > Maubeuge max 6 > Bavay max 6, Mons max 8 ! 1
//	- move: {from: Solre, to: Maubeuge, units: [F-10, F-13]}
//
// "! 1" is one enemy block: going there is an attack. ">>" behind a unit: it goes
// on from the first town only if it is forced; before the towns, all of them.
func (moveStop) Template(v *View, d engine.Decision) *orders.Node {
	m := newMover(v.game, v.camp())
	lines := []string{v.legend(m)}
	for t := range v.towns {
		t := townID(t)
		group := v.group(t)
		if len(group) == 0 {
			continue
		}
		var names, ids []string
		mark, marks := v.farther(m, group)
		for i, id := range group {
			names = append(names, v.brief(id)+marks[i])
			ids = append(ids, v.roster[id].id)
		}
		lines = append(lines, v.towns[t].name+": "+strings.Join(names, ", "))
		first, most := "", 0
		for _, r := range v.towns[t].roads {
			to := v.roads[r].from(t)
			room := m.room(r, to)
			if room == 0 {
				continue
			}
			if first == "" {
				first, most = v.towns[to].name, min(room, len(ids))
			}
			line := "  > " + v.reach(m, r, to)
			var farther []string
			for _, s := range v.towns[to].roads {
				if next := v.roads[s].from(to); mark != "" && !m.enemy[to] && next != t && m.room(s, next) > 0 {
					farther = append(farther, v.reach(m, s, next))
				}
			}
			if len(farther) > 0 {
				line += mark + strings.Join(farther, ", ")
			}
			lines = append(lines, line)
		}
		if first != "" {
			lines = append(lines, "- move: {from: "+v.towns[t].name+", to: "+first+", units: ["+strings.Join(ids[:most], ", ")+"]}")
		}
		for _, id := range group {
			if v.roster[id].kind == leader {
				word := "reveal"
				if m.night && v.reading.nightMarches {
					word = "night-march"
				}
				lines = append(lines, "- "+word+": "+v.roster[id].id)
			}
		}
	}
	n := orders.Text("none")
	n.Above = strings.Join(lines, "\n")
	return n
}

// reach writes a town with the room of the road to it and the enemies there.
func (v *View) reach(m *mover, road int, to townID) string {
	text := v.towns[to].name + " max " + strconv.Itoa(m.room(road, to))
	if n := v.blocks(to, v.camp().enemy()); n > 0 {
		text += " ! " + strconv.Itoa(n)
	}
	return text
}

// group lists the side's units in a town.
func (v *View) group(t townID) []unitID {
	var ids []unitID
	for i := range v.units {
		if u := &v.units[i]; v.own[u.army] && u.present(t) {
			ids = append(ids, u.id)
		}
	}
	return ids
}

// Fallback is no movement.
func (moveStop) Fallback(v *View, d engine.Decision) play.Reply { return moveAnswer{s: v.scenario} }

func kindArg(place string, k kind) argument { return phrase.Name(place, "kind", k.String()) }

// whoArg gives a place of a sentence a side or a camp as its subject: "the
// Allies".
func whoArg(place, id string) argument { return phrase.Name(place, "who", id) }

// Take carries the movement out: first all marches, then the dice of the forced
// ones (NAP-5.6). In the towns that were entered battles begin afterwards.
func (moveStop) Take(p *campaign, d engine.Decision, reply play.Reply) {
	p.gathered = append(p.gathered, gathered{d, reply})
}

// marchTogether carries out the movement of a turn: that of one player, or of
// both Allied players one after the other (NAP-11.4, NAP-R09).
func (p *campaign) marchTogether(all []gathered) {
	c := p.turns[p.turn].camp
	p.inMarchOrder(all)
	var shown []origin
	m := newMover(p.game, c)
	for _, one := range all {
		shown = p.showLeaders(m, one.reply.(moveAnswer), shown)
	}
	for _, one := range all {
		for _, way := range one.reply.(moveAnswer).marches {
			m.plans = append(m.plans, plannedAttack{way.path[len(way.path)-1], way.from})
		}
	}
	for _, one := range all {
		a := one.reply.(moveAnswer)
		for _, way := range a.marches {
			p.march(m, way, a.forced)
		}
		if len(a.marches) == 0 {
			p.Tell("NAP-5.0", to(p.everyone(), "nap.move-none", whoArg("side", string(one.d.Side))))
		}
	}
	copy(p.roadUse, m.used)
	var pushed []forced
	for _, one := range all {
		a := one.reply.(moveAnswer)
		for _, id := range a.forced {
			for _, way := range a.marches {
				if slices.Contains(way.units, id) && p.units[id].forced {
					pushed = append(pushed, forced{id, way.from})
				}
			}
		}
	}
	if !p.goAhead(m, pushed, shown) {
		p.endMovement(pushed, shown)
	}
}

// inMarchOrder puts two players' orders in the order in which they are carried
// out: in the first, third, ... Allied turn the Anglo-Dutch before the
// Prussians, in the others the Prussians before them (NAP-R09).
func (p *campaign) inMarchOrder(all []gathered) {
	if len(all) == 2 && p.marchesFirst() == prussian {
		all[0], all[1] = all[1], all[0]
	}
}

// showLeaders shows the leaders of a movement order.
func (p *campaign) showLeaders(m *mover, a moveAnswer, shown []origin) []origin {
	for _, id := range a.reveal { // NAP-R06: seen now, hidden again when the phase ends
		u := &p.units[id]
		shown = append(shown, origin{u.army, u.town})
		p.sight(u)
		p.Tell("NAP-8.1", to(p.everyone(), "nap.leader-shown", p.unitArg("unit", u), p.townArg("town", u.town)))
	}
	for _, id := range a.permit { // NAP-8.1c: shown too, but without a bonus
		u := &p.units[id]
		m.permits[u.army] = u.town
		p.sight(u)
		p.Tell("NAP-8.1c", to(p.everyone(), "nap.leader-permits", p.unitArg("unit", u), p.townArg("town", u.town)))
	}
	return shown
}

// march moves the units of one march. Each army's part of them is told by
// itself: the enemy sees how many blocks of each go where, and how many of them
// are forced.
func (p *campaign) march(m *mover, way march, forced []unitID) {
	for a := range armies {
		var moved, pushed []unitID
		short := make([][]unitID, len(way.path)) // who was stopped after so many steps
		for _, id := range way.units {
			u := &p.units[id]
			if u.army != a {
				continue
			}
			m.lead(origin{a, way.from})
			made, stop := m.march(u, way.from, way.path)
			if stop != nil { // by what the other player did (NAP-R09)
				at := way.from
				if made > 0 {
					at = way.path[made-1]
				}
				p.Tell("NAP-R09", to(p.mates(a, noTown), "nap.march-stopped", p.unitArg("unit", u), p.townArg("town", at), phrase.Within("why", stop.Why)))
			}
			if made == 0 {
				continue
			}
			u.moved, u.forced = true, m.forced(u)
			u.town, u.came = way.path[made-1], way.from
			if made > 1 {
				u.came = way.path[made-2]
			}
			if stop != nil {
				short[made] = append(short[made], id)
				continue
			}
			moved = append(moved, id)
			if slices.Contains(forced, id) {
				pushed = append(pushed, id)
			}
		}
		for made, units := range short {
			if len(units) > 0 {
				p.tellMarch(march{way.from, way.path[:made], units}, a, nil)
			}
		}
		if len(moved) > 0 {
			p.tellMarch(march{way.from, way.path, moved}, a, pushed)
		}
	}
}

// tellMarch tells of an army's units that marched one way.
func (p *campaign) tellMarch(way march, a army, pushed []unitID) {
	moved := way.units
	last := len(way.path) - 1
	road := []argument{p.townArg("from", way.from), p.townArg("to", way.path[last])}
	if last > 0 {
		via := make([]string, last)
		for i, t := range way.path[:last] {
			via[i] = p.towns[t].id
		}
		road = append(road, phrase.Names("via", "town", via))
	}
	full := append([]argument{p.unitNames("units", moved)}, road...)
	blocks := append([]argument{phrase.Number("n", len(moved)), armyArg("army", a)}, road...)
	if len(pushed) > 0 {
		full = append(full, p.unitNames("forced", pushed))
		blocks = append(blocks, phrase.Number("forced", len(pushed)))
	}
	mates := p.mates(a, noTown)
	p.Tell("NAP-5.1b", to(mates, "nap.march", full...), to(p.others(mates), "nap.march-blocks", blocks...))
}

// forcedMarch rolls for a unit that marched too far: from 1 to 3 it loses one
// strength; the leader of its army gives 1 if he showed himself in the town it
// departed from, whether or not he left it (NAP-5.6, NAP-8.1, NAP-R06).
func (p *campaign) forcedMarch(u *unit, from townID, shown []origin) {
	bonus := 0
	if slices.Contains(shown, origin{u.army, from}) && !p.leaderDead(u.army) {
		bonus = 1
	}
	die := p.Dice.Roll(6, phrase.Say("nap.dice-forced", p.unitArg("unit", u), p.townArg("town", from)))
	lost := die+bonus <= 3 && !(u.kind == leader && p.reading.hardyLeaders) // (NAP-5.6)
	result := []argument{armyArg("army", u.army), p.townArg("town", from), phrase.Number("die", die)}
	if bonus > 0 {
		result = append(result, phrase.Number("bonus", bonus))
	}
	code := "nap.forced-held"
	if lost {
		code = "nap.forced-lost"
	}
	mates := p.mates(u.army, noTown)
	p.Tell("NAP-5.6", to(mates, code, append([]argument{p.unitArg("unit", u)}, result...)...), to(p.others(mates), code+"-block", result...))
	if !lost {
		return
	}
	if u.strength > 1 {
		u.strength--
		return
	}
	p.eliminate(u)
}

// leaderDead tells whether an army's leader is eliminated: nothing he gave is
// left then (NAP-8.3).
func (g *game) leaderDead(a army) bool {
	for i := range g.units {
		if u := &g.units[i]; u.kind == leader && u.army == a {
			return u.dead
		}
	}
	return false
}
