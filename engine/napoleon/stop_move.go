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

// Take carries the movement out: first all marches, then the dice of the forced
// ones (NAP-5.6). In the towns that were entered battles begin afterwards.
func (moveStop) Take(p *campaign, d engine.Decision, reply play.Reply) {
	p.gathered = append(p.gathered, gathered{d, reply})
}
