package napoleon

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

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

// node writes an answer.
func (a moveAnswer) node() *orders.Node {
	list := orders.Items()
	some := func(key string, units []unitID) {
		if len(units) > 0 {
			list.Add(orders.Mapping().Set(key, a.s.unitTexts(units)))
		}
	}
	some("night-march", a.permit)
	for _, m := range a.marches {
		list.Add(orders.Mapping().Set("move", a.s.marchNode(m)))
	}
	some("forced", a.forced)
	some("reveal", a.reveal)
	if len(list.Items) == 0 {
		return orders.Text("none")
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

// A movePart is one part of a movement order.
type movePart struct {
	does  moveDoing
	unit  unitID
	from  townID // where a march begins
	way   route  // of a march
	room  int    // of the last road of a march, if a template lists it there
	place int    // of a forced march among the dice
}

// What a part of a movement order does.
type moveDoing int8

const (
	marches moveDoing = iota
	showsItself
	permitsForce
	isForced
)

// A route is the towns of a march, and noTown behind the last of them.
type route [fastest + 1]townID

// fastest is the highest rate of a unit (NAP-5.3).
const fastest = 2

var noRoute = route{noTown, noTown, noTown}

func routeOf(path []townID) route {
	w := noRoute
	copy(w[:], path)
	return w
}

// path gives the towns of a route.
func (w *route) path() []townID {
	if n := slices.Index(w[:], noTown); n >= 0 {
		return w[:n]
	}
	return w[:]
}

// A marching is the world of the stop move.
type marching struct {
	v      *View
	answer moveAnswer
	named  []unitID          // units that marches name, even marches that were refused
	order  []unitID          // the order of the dice of forced marches, as far as it was given
	moved  *mover            // with all marches made; nil until it is asked for
	fits   map[likeness]bool // see [marching.completes]
}

// mover is the mover with all marches made.
func (w *marching) mover() *mover {
	if w.moved == nil {
		m := newMover(w.v.game, w.v.camp())
		m.mine = w.v.livingUnits()
		if m.least = w.v.numbers.minAttack; m.least > 0 {
			m.least -= w.v.help()
		}
		w.moved = m
	}
	return w.moved
}

// fault tells why something may not be ordered as well.
func (w *marching) fault(o movePart) *fault {
	v, a := w.v, &w.answer
	if o.does == marches {
		if f := w.callFault(o.unit, o.from); f != nil {
			return f
		}
		return w.mover().mayMarch(v.unit(o.unit), o.from, o.way.path())
	}
	leads, who := v.roster[o.unit].kind == leader, v.idArg("unit", o.unit)
	switch permit, force := o.does == permitsForce, o.does == isForced; {
	case force && containsUnit(w.order, o.unit):
		return refusal("NAP-5.6", "nap.named-twice", who)
	case force && !w.mover().forced(v.unit(o.unit)):
		return refusal("NAP-5.6", "nap.move-not-forced", who, phrase.Number("rate", v.unit(o.unit).kind.rate()))
	case force:
		return nil
	case permit && !v.reading.nightMarches:
		return refusal("NAP-5.7", "nap.move-no-permit")
	case permit && !leads:
		return refusal("NAP-8.1c", "nap.move-permit", who)
	case permit && !v.night():
		return refusal("NAP-8.1c", "nap.move-permit-day", who)
	case permit && containsUnit(a.permit, o.unit):
		return refusal("NAP-8.1c", "nap.named-twice", who)
	case !leads:
		return refusal("NAP-8.1", "nap.move-reveal", who)
	case containsUnit(a.permit, o.unit), permit && containsUnit(a.reveal, o.unit):
		return refusal("NAP-8.1c", "nap.move-permit-only", who)
	case containsUnit(a.reveal, o.unit):
		return refusal("NAP-8.1", "nap.named-twice", who)
	}
	return nil
}

// can tells whether fault has none.
func (w *marching) can(o movePart) bool {
	if o.does != marches {
		return w.fault(o) == nil
	}
	u := w.v.unit(o.unit)
	return u.town == o.from && !containsUnit(w.named, o.unit) && w.mover().canMarch(u, o.from, o.way.path())
}

// offers tells whether the choices hold a part. It keeps nothing of what it finds, for a
// template asks of each way once.
func (w *marching) offers(o movePart) bool { return w.can(o) && (!w.hinges(o) || w.completed(o)) }

// callFault tells why a unit may not be named for a march out of a town, whatever its
// destination.
func (w *marching) callFault(id unitID, from townID) *fault {
	v := w.v
	switch u := v.unit(id); {
	case u.town != from:
		return refusal("NAP-5.1b", "nap.move-not-there", v.idArg("unit", id), v.townArg("town", from), v.townArg("at", u.town))
	case containsUnit(w.named, id):
		return refusal("NAP-5.1f", "nap.move-twice", v.idArg("unit", id))
	}
	return nil
}

// put lets what may be ordered take effect.
func (w *marching) put(o movePart) {
	switch o.does {
	case marches:
		w.march(o.unit, o.from, o.way.path())
	case showsItself:
		w.answer.reveal = append(w.answer.reveal, o.unit)
	case permitsForce:
		w.answer.permit = append(w.answer.permit, o.unit)
		w.mover().permits[w.v.roster[o.unit].army] = w.v.unit(o.unit).town
	case isForced:
		w.order = append(w.order, o.unit)
	}
	w.fits = nil
}

// march takes a unit along a path as far as the mover lets it, and notes the march if the
// unit comes to its end. It gives how many steps were made and what stopped it, if anything did.
func (w *marching) march(id unitID, from townID, path []townID) (int, *fault) {
	u := w.v.unit(id)
	made, stop := w.mover().march(u, from, path)
	if stop == nil {
		w.goes(u, path)
	} else {
		w.named = append(w.named, id)
	}
	return made, stop
}

// goes notes a march that the mover has made.
func (w *marching) goes(u *unit, path []townID) {
	w.mover().lead(origin{u.army, u.town})
	w.named = append(w.named, u.id)
	w.answer.add(u.town, path, u.id)
	if w.mover().forced(u) {
		w.answer.forced = append(w.answer.forced, u.id)
	}
}

// pushed lists the units that make forced marches, in the order of the file.
func (w *marching) pushed() []unitID {
	var all []unitID
	for _, one := range w.answer.marches {
		for _, id := range one.units {
			if w.mover().forced(w.v.unit(id)) {
				all = append(all, id)
			}
		}
	}
	return all
}

// parts are the parts of an answer, in the order of the file.
func (a *moveAnswer) parts() []any {
	var all []any
	for _, id := range a.permit {
		all = append(all, movePart{does: permitsForce, unit: id})
	}
	for _, one := range a.marches {
		for _, id := range one.units {
			all = append(all, movePart{unit: id, from: one.from, way: routeOf(one.path)})
		}
	}
	for i, id := range a.forced {
		if len(a.forced) > 1 { // a single forced march needs no order
			all = append(all, movePart{does: isForced, unit: id, place: i + 1})
		}
	}
	for _, id := range a.reveal {
		all = append(all, movePart{does: showsItself, unit: id})
	}
	return all
}

// moveForm is the stop move: the movement of a player turn (NAP-5).
var moveForm = &form[*marching]{
	Begin: func(v *View, _ engine.Decision) (*marching, bool) {
		return &marching{v: v, answer: moveAnswer{s: v.scenario}}, true
	},
	Fields: []formField[*marching]{{
		Shape: closedShape,
		Read:  readMoves,
		Write: func(x *saying[*marching], _ []play.Part) *orders.Node { return x.World.answer.node() },
		Next:  func(w *marching) iter.Seq[any] { return w.next },
		May:   func(w *marching, value any) *fault { return w.fault(value.(movePart)) },
		Can:   func(w *marching, value any) bool { return w.can(value.(movePart)) },
		Fits:  func(w *marching, value any) bool { return w.completes(value.(movePart)) },
		Put:   func(w *marching, value any) { w.put(value.(movePart)) },
		Apart: func(w *marching) []any { return w.answer.parts() },
		Say:   func(v *View, value any) engine.Choice { return v.moveChoice(value.(movePart)) },
	}},
	Ends: true,
	Lacks: func(w *marching) *fault {
		return w.v.lacks(w.mover())
	},
	Fill: func(x *saying[*marching]) {
		w := x.World
		var more []movePart
		w.v.complete(w.mover(), &more)
		for _, o := range slices.Backward(more) {
			x.Add("", o)
		}
		w.answer.forced = filled(w.order, w.pushed())
	},
	Chance: moveByChance,
	Sense:  senseMove,
	Note:   noteMoves,
	// All marches come first, then the dice of the forced ones (NAP-5.6). Battles begin
	// afterwards in the towns that were entered.
	Do: func(p *campaign, d engine.Decision, w *marching) {
		p.gathered = append(p.gathered, gathered{d, w.answer})
	},
}

// next are the parts that might come next.
func (w *marching) next(yield func(any) bool) {
	v, m := w.v, w.mover()
	v.mayCome(m)
	for _, id := range m.mine {
		u := v.unit(id)
		if m.steps[id] == 0 {
			for _, one := range m.ways(nil, u, nil) {
				if !yield(movePart{unit: id, from: u.town, way: one, room: v.roomShown(m, u, one.path())}) {
					return
				}
			}
		}
		if u.kind == leader && (!yield(movePart{does: showsItself, unit: id}) || !yield(movePart{does: permitsForce, unit: id})) {
			return
		}
	}
	if pushed := w.pushed(); len(pushed) > 1 {
		for _, id := range pushed {
			if !yield(movePart{does: isForced, unit: id, place: len(w.order) + 1}) {
				return
			}
		}
	}
}

// moveChoice is how a part of a movement order is listed.
func (v *View) moveChoice(o movePart) engine.Choice {
	c := engine.Choice{Of: v.unitName(o.unit)}
	switch o.does {
	case marches:
		path := o.way.path()
		names := make([]string, len(path))
		for i, t := range path {
			names[i] = v.towns[t].name
		}
		c.What = strings.Join(names, goesOn)
		if o.room > 0 {
			c.Shown = v.reach(o.room, path[len(path)-1])
		}
	case showsItself:
		c.What = "reveal"
		c.Shown = "- reveal: " + c.Of
	case permitsForce:
		c.What = "night-march"
		c.Shown = "- night-march: " + c.Of
	case isForced:
		c.What = "forced " + strconv.Itoa(o.place)
	}
	return c
}

// night tells whether it is a night turn.
func (g *game) night() bool { return g.turns[g.turn].night }

// roomShown is the room of the last road of a way, if the template shows it there;
// otherwise 0.
func (v *View) roomShown(m *mover, u *unit, path []townID) int {
	first, _ := v.roadBetween(u.town, path[0])
	room := m.room(first, path[0])
	if len(path) == 1 || room == 0 {
		return room
	}
	if len(path) > 2 || path[1] == u.town || m.night && !slices.ContainsFunc(v.group(u.town), func(id unitID) bool { return v.unit(id).kind.rate() > 1 }) {
		return 0
	}
	second, _ := v.roadBetween(path[0], path[1])
	return m.room(second, path[1])
}

// help counts the units on the map with which an ally might join an attack: the ally's
// orders are secret, and all units count together (NAP-R92).
func (v *View) help() int {
	n := 0
	if v.ahead != nil { // the ally has already moved
		return n
	}
	for i := range v.units {
		if u := &v.units[i]; u.army.camp() == v.camp() && !v.own[u.army] && !u.dead && u.town != noTown && len(v.towns[u.town].roads) > 0 {
			n++
		}
	}
	return n
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

// noteMoves lists every group with its units and, road by road, how many of them
// may take it, and where those that move two towns could go from there. The example order
// takes no more units than the road does:
//
//	Solre: F-10 infantry 4F2>>, F-13 light-cavalry 2F2
//	  > Maubeuge max 6 > Bavay max 6, Mons max 8 ! 1
//	- move: {from: Solre, to: Maubeuge, units: all}
//
// It stands in the list, behind a #, and the list is closed by the word end. Where a group goes
// two towns, an order shows that, and another one a forced march.
//
// "! 1" is one enemy block: to go there is an attack. ">" before the towns that come after
// the first means that units go there, ">>" that they do so only by a forced march. Where
// some do and others don't, both are named behind the towns.
func noteMoves(x *saying[*marching], n *orders.Node) {
	v, w := x.View, x.Blank().World
	v.mayCome(w.mover())
	var text strings.Builder
	text.Grow(8192)
	text.WriteString(v.legend(w.mover()))
	var spare []string
	for t, group := range v.groups(w.mover().mine) {
		spare = w.noteGroup(&text, spare, t, group)
	}
	*n = orders.Node{Kind: orders.List, Above: text.String(), Spare: spare, Items: []*orders.Node{orders.Text("end")}}
}

// noteGroup writes the lines of one group, and adds what it may do to the examples.
func (w *marching) noteGroup(text *strings.Builder, spare []string, t townID, group []unitID) []string {
	v, m := w.v, w.mover()
	mark, marks, who := v.farther(m, group)
	text.WriteString("\n" + v.towns[t].name + ": ")
	for i, id := range group {
		if i > 0 {
			text.WriteString(", ")
		}
		v.writeBrief(text, id)
		text.WriteString(marks[i])
	}
	unlike, near := v.unlike(group), make([]townID, 0, 8)
	var on, pushed string // orders that take a unit two towns, the second by force
	mayGo := func(to, next townID) bool {
		way := route{to, next, noTown}
		i := slices.IndexFunc(unlike, func(id unitID) bool { return w.offers(movePart{unit: id, from: t, way: way}) })
		if i < 0 || next == noTown || m.enemy[next] > 0 {
			return i >= 0
		}
		for _, id := range unlike[i:] {
			u, line, end := v.unit(id), &on, "}"
			if u.kind.rate() == 1 {
				line, end = &pushed, ", force: yes}"
			}
			if *line == "" && (id == unlike[i] || w.offers(movePart{unit: id, from: t, way: way})) {
				*line = v.exampleOn(t, way, u, end)
			}
		}
		return true
	}
	for i, to := range v.towns[t].next {
		if !mayGo(to, noTown) {
			continue
		}
		near = append(near, to)
		text.WriteString("\n  > ")
		v.writeReach(text, m.room(v.towns[t].roads[i], to), to, int(m.enemy[to]))
		between := mark
		for k, next := range v.towns[to].next {
			if next != t && mayGo(to, next) {
				text.WriteString(between)
				v.writeReach(text, m.room(v.towns[to].roads[k], next), next, int(m.enemy[next]))
				between = ", "
			}
		}
		if between == ", " {
			text.WriteString(who)
		}
	}
	for _, to := range near {
		if line := v.exampleMarch(m, group, t, to); line != "" {
			spare = append(spare, line)
			break
		}
	}
	for _, line := range [2]string{on, pushed} {
		if line != "" {
			spare = append(spare, line)
		}
	}
	for _, id := range group {
		for _, does := range [2]moveDoing{showsItself, permitsForce} {
			if o := (movePart{does: does, unit: id}); v.roster[id].kind == leader && w.offers(o) {
				spare = append(spare, v.moveChoice(o).Shown)
			}
		}
	}
	return spare
}

// unlike gives of the units of a group that are equally good for any march only one.
func (v *View) unlike(group []unitID) []unitID {
	var all []unitID
	for _, id := range group {
		u := v.unit(id)
		if !slices.ContainsFunc(all, func(other unitID) bool { return u.like(v.unit(other)) }) {
			all = append(all, id)
		}
	}
	return all
}

// widestExample is how long an example may be, so that it stands on one line of a letter.
const widestExample = 66

// exampleMarch is an order that takes as many units as may go to a near town, or as many of
// them as stand on one line if no enemy is there; "" if that order alone is not a legal
// movement.
func (v *View) exampleMarch(m *mover, group []unitID, from, to townID) (line string) {
	units := make([]*unit, len(group))
	for i, id := range group {
		units[i] = v.unit(id)
	}
	m.tryAll(units, from, to, func(went []*unit) {
		if len(went) == 0 || v.lacking(m) != nil {
			return
		}
		var text strings.Builder
		text.WriteString("- move: {from: " + v.towns[from].name + ", to: " + v.towns[to].name + ", units: ")
		if len(went) == len(group) && len(group) > 1 {
			line = text.String() + "all}"
			return
		}
		for i, u := range went {
			name := v.unitName(u.id)
			if text.Len()+len(name)+4 > widestExample {
				if m.enemy[to] > 0 {
					return
				}
				break
			}
			if i == 0 {
				text.WriteString("[" + name)
			} else {
				text.WriteString(", " + name)
			}
		}
		line = text.String() + "]}"
	})
	return line
}

// exampleOn is an order that takes a unit two towns; "" if it does not stand on one line.
func (v *View) exampleOn(from townID, way route, u *unit, end string) string {
	parts := [...]string{"- move: {from: ", v.towns[from].name, ", via: ", v.towns[way[0]].name, ", to: ", v.towns[way[1]].name,
		", units: ", v.unitName(u.id), end}
	width := 0
	for _, part := range parts {
		width += utf8.RuneCountInString(part)
	}
	if width > play.Widest {
		return ""
	}
	return strings.Join(parts[:], "")
}

// reach writes a town with the room of the road to it and the enemies there.
func (v *View) reach(room int, to townID) string {
	var text strings.Builder
	v.writeReach(&text, room, to, v.blocks(to, v.camp().enemy()))
	return text.String()
}

func (v *View) writeReach(text *strings.Builder, room int, to townID, enemies int) {
	text.WriteString(v.towns[to].name)
	text.WriteString(" max ")
	text.WriteString(strconv.Itoa(room))
	if enemies > 0 {
		text.WriteString(" ! ")
		text.WriteString(strconv.Itoa(enemies))
	}
}

// groups gives those of some units that stand in one town, town by town.
func (v *View) groups(units []unitID) iter.Seq2[townID, []unitID] {
	at := func(id unitID) townID { return v.unit(id).town }
	units = slices.SortedStableFunc(slices.Values(units), func(a, b unitID) int { return int(at(a)) - int(at(b)) })
	return func(yield func(townID, []unitID) bool) {
		for first := 0; first < len(units); {
			t, n := at(units[first]), first+1
			for n < len(units) && at(units[n]) == t {
				n++
			}
			if !yield(t, units[first:n]) {
				return
			}
			first = n
		}
	}
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
