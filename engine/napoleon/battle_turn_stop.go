package napoleon

import (
	"math/rand/v2"
	"slices"
	"strings"

	"berthier/orders"
	"berthier/orders/phrase"
)

// turnAnswer is what a side orders for a battle turn.
type turnAnswer struct {
	s        *scenario
	town     townID
	attacker camp
	acting   camp
	orders   battleOrders
	plan     bool // the plan in force leads the turn
}

// called is a field as the acting camp's files write it.
func (a turnAnswer) called(f field) string {
	b := battle{attacker: a.attacker}
	return b.called(f, a.acting)
}

// A world is a copy of a view on which an order file is tried out.
type world struct {
	game *game
	b    *battle
}

// try copies what actions in a battle may change.
func (g *game) try(b *battle) world {
	c := *g
	c.units = slices.Clone(g.units)
	fight := b.clone()
	c.battles = slices.Clone(g.battles)
	for i := range c.battles {
		if c.battles[i].town == b.town {
			c.battles[i] = fight
			return world{&c, &c.battles[i]}
		}
	}
	return world{&c, &fight}
}

// do lets an action that was judged legal take effect. The effect of a shot is not known
// before the dice are rolled: hits is called for it.
func (w world) do(a action, hits func(u *unit, t target)) {
	u := w.game.unit(a.unit)
	w.b.activated = w.b.activated || a.verb != doRetreat
	switch a.verb {
	case doMove:
		for _, f := range a.path {
			if f != offBoard {
				w.game.stepTo(w.b, u, f)
			}
		}
	case doFire:
		t, _ := w.game.aim(w.b, u, a.group)
		u.fired, u.shock = true, false
		hits(u, t)
	case doRetreat:
		from := u.field
		if w.game.inContact(w.b, u) && w.game.attrition(w.b, u) >= u.strength {
			u.dead = true // it is on its way and takes no place on the road
		} else if way, f := w.game.wayTo(w.b, u, a.to); f == nil {
			w.game.takes(w.b, u, way)
		}
		u.leaveBoard()
		u.town, u.disrupted = a.to, true
		w.game.calm(w.b, from)
	default:
		w.game.manage(u, a)
	}
}

// spared is a shot that hits nobody; swept is a shot that leaves no unit of the group at
// which it was aimed, as far as its range allows (NAP-6.4c).
func (w world) spared(*unit, target) {}

func (w world) swept(u *unit, t target) {
	if t.long {
		return
	}
	s := shot{victims: u.army.camp().enemy(), field: t.field, squares: t.group == squares, cavalry: u.kind.cavalry()}
	for i := range w.game.units {
		if e := &w.game.units[i]; s.mayHit(w.b, e) {
			e.dead = true
		}
	}
	w.game.calm(w.b, t.field)
}

// A turnReader reads the actions of a file, each judged after the actions before it.
type turnReader struct {
	*orders.Reader
	x     *saying[*turning]
	named []unitID // by the actions so far
}

// intent makes an action of a unit where it stands.
type intent func(w world, u *unit) (action, *fault)

// always is the same action wherever the unit stands.
func always(a action) intent {
	return func(world, *unit) (action, *fault) { return a, nil }
}

// act adds one action to the answer, or refuses it.
func (x *turnReader) act(n *orders.Node, id unitID, make intent) {
	if !containsUnit(x.named, id) {
		x.named = append(x.named, id)
	}
	a, f := x.x.World.attempt(id, make)
	if !x.x.View.ofUnit(id, f).Refuse(x.Reader, n) {
		x.x.Add("", order{says: saysAction, action: a})
	}
}

// each applies an intent to a list of units; all means the units that may do it, rest
// those of them that the file has not mentioned yet.
func (x *turnReader) each(n *orders.Node, make intent) {
	items := x.List(n)
	if n != nil && len(items) == 0 {
		x.Refuse(n, "", phrase.Say("nap.act-nobody"))
	}
	for _, item := range items {
		all := x.Is(item, "all")
		if !all && !x.Is(item, "rest") {
			if id, ok := x.x.View.pickUnit(x.Reader, item, x.x.World.own); ok {
				x.act(item, id, make)
			}
			continue
		}
		found := false
		for _, id := range x.x.World.own {
			if !all && containsUnit(x.named, id) {
				continue
			}
			if _, f := x.x.World.attempt(id, make); f == nil {
				x.act(item, id, make)
				found = true
			}
		}
		if !found {
			x.Refuse(item, "", phrase.Say("nap.act-nobody"))
		}
	}
}

// path reads one or two steps by their words.
func (x *turnReader) path(n *orders.Node, most int) ([]string, bool) {
	if n == nil {
		return nil, false
	}
	items := x.List(n)
	var words []string
	for _, item := range items {
		word, ok := x.Word(item, "left", "center", "right", "reserve", "forward")
		if !ok {
			return nil, false
		}
		words = append(words, word)
	}
	if len(words) == 0 || len(words) > most {
		x.Refuse(n, "NAP-6.32", phrase.Say("nap.step-length", phrase.Number("most", most)))
		return nil, false
	}
	return words, true
}

// along finds the fields of a path from where a unit stands: forward is the
// enemy position opposite.
func along(words []string) intent {
	return func(w world, u *unit) (action, *fault) {
		a := action{verb: doMove}
		at := u.field
		for i, word := range words {
			to := reserve
			switch j := slices.Index(placeWords[:], word); {
			case j >= 0:
				to = w.b.ownFields(u.army.camp())[j]
			case word == "forward":
				if !w.b.own(at, u.army.camp()) {
					return a, faultNoWay
				}
				to = at.opposite()
			}
			if to == at {
				return a, faultNoWay
			}
			a.path[i], at = to, to
		}
		return a, nil
	}
}

// disengage is the step back of an engaged unit, or the two steps to the reserve.
func (w world) disengage(u *unit, far bool) (action, *fault) {
	a := action{verb: doMove, path: [2]field{reserve}}
	if !w.game.inContact(w.b, u) {
		return a, refusal("NAP-6.32c", "nap.disengage-free")
	}
	if w.b.forward(u.field, u.army.camp()) {
		a.path[0] = u.field.opposite()
		if far {
			a.path[1] = reserve
		}
	}
	return a, nil
}

// turnAnswer is an answer without orders: nobody does anything.
func (v *View) turnAnswer(b *battle) turnAnswer {
	return turnAnswer{s: v.scenario, town: b.town, attacker: b.attacker, acting: b.acting}
}

// node writes an answer.
func (a turnAnswer) node() *orders.Node {
	if a.plan {
		return orders.Text("plan")
	}
	n := orders.Mapping().Set("at", orders.Text(a.s.towns[a.town].name))
	list := orders.Items()
	for i := 0; i < len(a.orders.actions); {
		// Actions that differ only in their unit are written in one line.
		first, j := a.orders.actions[i], i
		units := orders.Texts()
		for ; j < len(a.orders.actions); j++ {
			next := a.orders.actions[j]
			units.Add(orders.Text(a.s.roster[next.unit].id))
			next.unit = first.unit
			if next != first || j > i && (first.verb == doSwap || first.verb == doShelter || first.verb == doOccupy) {
				units.Items = units.Items[:len(units.Items)-1]
				break
			}
		}
		list.Add(a.actionNode(first, units))
		i = j
	}
	if len(list.Items) == 0 {
		list = orders.Text("none")
	}
	n.Set("actions", list)
	if len(a.orders.stay) > 0 {
		n.Set("show", a.s.unitTexts(a.orders.stay))
	}
	word := func(yes bool, this, that string) *orders.Node {
		if yes {
			return orders.Text(this)
		}
		return orders.Text(that)
	}
	n.Set("then", word(a.orders.again, "ask", "end"))
	n.Set("on-fail", word(a.orders.press, "continue", "ask"))
	if a.orders.reinforce != nil {
		n.Set("reinforce", orNone(a.s.townNodes(a.orders.reinforce.places)))
	}
	if a.orders.regroup != nil {
		n.Set("regroup", a.orders.regroup.value())
	}
	return n
}

// actionNode writes an action of some units.
func (a turnAnswer) actionNode(act action, units *orders.Node) *orders.Node {
	who := func() *orders.Node {
		if len(units.Items) == 1 {
			return units.Items[0]
		}
		return units
	}
	m := orders.Inline()
	switch act.verb {
	case doMove:
		path := orders.Texts()
		for _, f := range act.path {
			if f != offBoard {
				path.Add(orders.Text(a.called(f)))
			}
		}
		return m.Set("move", orders.Inline().Set("units", units).Set("path", path))
	case doFire:
		if act.group == anyGroup {
			return m.Set("fire", who())
		}
		at := "others"
		if act.group == squares {
			at = "squares"
		}
		return m.Set("fire", orders.Inline().Set("units", units).Set("at", orders.Text(at)))
	case doForm:
		return m.Set("square", units)
	case doBreak:
		return m.Set("break", units)
	case doLeave:
		return m.Set("leave", who())
	case doShelter:
		return m.Set("shelter", orders.Inline().Set("unit", who()).Set("in", orders.Text(a.s.roster[act.with].id)))
	case doSwap:
		return m.Set("swap", orders.Inline().Set("unit", who()).Set("with", orders.Text(a.s.roster[act.with].id)))
	case doOccupy:
		return m.Set("occupy", orders.Inline().Set("unit", who()).Set("what", orders.Text(act.what.String())))
	}
	return m.Set("retreat", orders.Inline().Set(a.s.towns[act.to].name, units))
}

// writeStand writes where a unit stands in a battle: F-03 infantry 3F2, left (square).
func (v *View) writeStand(text *strings.Builder, b *battle, u *unit) {
	v.writeBrief(text, u.id)
	text.WriteString(", ")
	text.WriteString(v.turnAnswer(b).called(u.field))
	for _, mark := range [...]struct {
		yes  bool
		word string
	}{{u.square, "square"}, {u.shelter != noUnit, "shelter"}, {u.holds != noPiece, u.holds.String()}} {
		if mark.yes {
			text.WriteString(" (" + mark.word + ")")
		}
	}
}

// holdTurn is the plan hold (section 5.3 of the digest): what is engaged fires,
// unengaged artillery fires at long range, and a position left empty is filled
// from the reserve, infantry first. Shots that can't hurt are not fired.
func (v *View) holdTurn(b *battle) turnAnswer {
	a := v.turnAnswer(b)
	a.orders.press = true
	w := v.try(b)
	for _, contact := range [2]bool{true, false} {
		for i := range w.game.units {
			u := &w.game.units[i]
			if !b.fights(u) || !v.own[u.army] || u.spent || w.game.inContact(w.b, u) != contact {
				continue
			}
			shot := action{verb: doFire, unit: u.id, group: w.heavier(u)}
			t, f := w.game.aim(w.b, u, shot.group)
			if f == faultFarmOnly && shot.group == others {
				shot.group = squares
				t, f = w.game.aim(w.b, u, shot.group)
			}
			if f == nil && w.worthIt(u, t) {
				w.do(shot, w.spared)
				a.orders.actions = append(a.orders.actions, shot)
			}
		}
	}
	for _, f := range w.b.ownFields(b.acting) {
		if w.game.held(w.b, f, frenchCamp) || w.game.held(w.b, f, alliedCamp) {
			continue
		}
		if u := w.filler(f); u != nil {
			move := action{verb: doMove, unit: u.id, path: [2]field{f}}
			w.do(move, w.spared)
			a.orders.actions = append(a.orders.actions, move)
		}
	}
	return a
}

// heavier is the stronger of the groups among a unit's targets, if there are two; if both
// are equal, not the squares.
func (w world) heavier(u *unit) group {
	at := u.field
	if !w.game.inContact(w.b, u) {
		at = at.opposite()
	}
	var sums [2]int
	var there [2]bool
	for i := range w.game.units {
		if e := &w.game.units[i]; e.field == at && w.b.fights(e) && e.army.camp() != u.army.camp() {
			k := 0
			if e.inSquares() {
				k = 1
			}
			there[k] = true
			sums[k] += int(e.strength)
		}
	}
	switch {
	case !there[0] || !there[1]:
		return anyGroup
	case sums[1] > sums[0] && !(u.kind.cavalry() && u.fire < 2):
		return squares
	}
	return others
}

// patience is the battle turn after which hold no longer fires at hidden blocks from
// afar, so that a battle in which both sides take the default ends.
const patience = 24

// worthIt tells whether a shot can take strength: fire from afar eliminates nobody
// (NAP-6.4c), so there must be a stronger unit.
func (w world) worthIt(u *unit, t target) bool {
	if !t.long {
		return true
	}
	for i := range w.game.units {
		e := &w.game.units[i]
		if e.field != t.field || !w.b.fights(e) || e.army.camp() == u.army.camp() || e.inSquares() != (t.group == squares) {
			continue
		}
		if e.strength > 1 || e.id == noUnit && w.b.number < patience {
			return true
		}
	}
	return false
}

// filler finds a unit of the reserve for an empty position: infantry first, then
// cavalry, artillery, leaders.
func (w world) filler(f field) *unit {
	for _, fits := range [4]func(kind) bool{
		func(k kind) bool { return k == infantry }, kind.cavalry, kind.artillery,
		func(k kind) bool { return k == leader },
	} {
		for i := range w.game.units {
			u := &w.game.units[i]
			if u.field == reserve && w.b.fights(u) && u.army.camp() == w.b.acting && w.game.inHand(w.b, u) && fits(u.kind) &&
				w.game.judge(w.b, action{verb: doMove, unit: u.id, path: [2]field{f}}) == nil {
				return u
			}
		}
	}
	return nil
}

// turnByChance makes random orders: most units fire or close with the enemy, some
// retreat, and now and then a whole side does.
func (v *View) turnByChance(b *battle, chance *rand.Rand) turnAnswer {
	a := v.turnAnswer(b)
	a.orders.press = chance.IntN(3) > 0
	leaving := chance.IntN(40) == 0
	w := v.try(b)
	var ids []unitID
	for i := range w.game.units {
		if u := &w.game.units[i]; b.fights(u) && v.own[u.army] {
			ids = append(ids, u.id)
		}
	}
	for _, id := range shuffled(ids, chance) {
		u := w.game.unit(id)
		var may []action
		var weights []int
		sum := 0
		w.game.choices(w.b, u, func(c action) bool {
			k := w.liveliness(u, c, leaving)
			may, weights, sum = append(may, c), append(weights, k), sum+k
			return true
		})
		if sum == 0 {
			continue
		}
		pick := chance.IntN(sum + 3) // sometimes a unit does nothing
		for i, k := range weights {
			if pick -= k; pick < 0 {
				w.do(may[i], w.spared)
				a.orders.actions = append(a.orders.actions, may[i])
				break
			}
		}
	}
	a.orders.again = len(a.orders.actions) > 0 && chance.IntN(8) == 0
	return a
}

// liveliness is the weight of an action in a random choice.
func (w world) liveliness(u *unit, a action, leaving bool) int {
	switch a.verb {
	case doFire:
		return 16
	case doMove:
		end := a.path[0]
		if a.path[1] != offBoard {
			end = a.path[1]
		}
		switch c := u.army.camp(); {
		case w.game.inContact(w.b, u):
			return 1
		case end == reserve:
			return 1
		case w.game.held(w.b, end, c.enemy()):
			return 9
		case w.b.forward(end, c):
			return 30
		case u.field == reserve:
			return 4
		}
		return 1
	case doRetreat:
		if leaving {
			return 60
		}
		return 0
	case doForm:
		return 1
	case doBreak:
		return 6
	}
	return 2
}
