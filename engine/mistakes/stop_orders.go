package mistakes

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// An order is one item of the stop orders.
type order struct {
	does  verb
	by    leaderID
	of    string  // the formation; of a join all of them, one word after the other
	units unitSet // who is rallied, or the part that is split off
	as    string  // the formation that a join makes, or the part
	keep  bool    // paid with markers alone (EM-R90)
	anew  *redeployment
}

// A verb is what an order says.
type verb int8

const (
	joins verb = iota + 1
	setsInMotion
	keepsMoving
	rallies
	splitsOff // and sets the part in motion
	redeploys
)

// verbWords are the verbs as files have them.
var verbWords = []string{"", "join", "set-in-motion", "keep-moving", "rally", "split", "redeploy"}

// An ordered is the world of the stop orders: the field as it is after the orders so far.
type ordered struct {
	game   *game
	armies []army
	done   []order
	sound  order // a redeployment that was just found to have no fault

	accepted bool // by the file that is read, once before: what was no fault then is none
}

// ordersForm is the stop orders (EM-S7): joins, then orders, one after the other.
var ordersForm = &form[*ordered]{
	Begin: func(v *View, _ engine.Decision) (*ordered, bool) {
		w := &ordered{game: v.trial(), armies: v.acting()}
		return w, len(w.armies) > 0
	},
	Fields: []keyed[*ordered]{play.List("", "none", orderTexts, rule[*ordered, order]{
		Next: func(w *ordered) iter.Seq[order] { return w.next },
		May:  (*ordered).fault,
		Read: readOrder,
		Put: func(w *ordered, o order) {
			w.done, w.sound = append(w.done, o), order{}
			w.game.obey(o)
		},
		Say:   orderChoice,
		Slots: orderSlots,
		Whole: (*ordered).whole,
	})},
	Ends:   true,
	Sense:  senseOrders,
	Chance: chanceOrders,
	Note:   noteOrders,
	Do: func(p *battlefield, _ engine.Decision, w *ordered) {
		p.Said = true
		for _, o := range w.done {
			p.command(o)
		}
	},
}

// chanceOrders gives orders by chance, few of them to redeploy.
func chanceOrders(x *draft[*ordered], chance *rand.Rand) {
	for {
		all := slices.DeleteFunc(play.Offers[order](x, ""), func(o order) bool { return o.does == redeploys && chance.IntN(8) > 0 })
		if len(all) == 0 || chance.IntN(3) == 0 {
			return
		}
		x.Add("", all[chance.IntN(len(all))])
	}
}

// orderKeys are the keys of an order.
var orderKeys = []string{"by", "join", "set-in-motion", "keep-moving", "rally", "split", "redeploy", "part", "as", "points"}

// orderTexts are orders as files have them. They are read by [readOrder], which knows the
// formations that orders before have made.
var orderTexts = kind[order]{
	Shape: shape.Record(shape.May("by", shape.Name("leader")), shape.May("join", shape.List(shape.Name("formation"))),
		shape.May("set-in-motion", shape.Either(shape.Words("part"), shape.Name("formation"))), shape.May("keep-moving", shape.Name("formation")),
		shape.May("rally", shape.Record(shape.Need("formation", shape.Name("formation")), shape.Need("units", unitSets.Shape))),
		shape.May("split", shape.Name("formation")), shape.May("part", unitSets.Shape), shape.May("as", shape.Name("formation")),
		shape.May("redeploy", redeployShape), shape.May("points", shape.Words("keep"))),
	Write: func(v *View, o order) *orders.Node {
		n := orders.Inline()
		if o.by != 0 {
			n.Set("by", leaderTexts.Write(v, o.by))
		}
		switch o.does {
		case joins:
			n.Set("join", inLine(orders.Texts(strings.Fields(o.of)...))).Set("as", orders.Text(o.as))
		case redeploys:
			n.Set("redeploy", v.redeployNode(o.anew))
		case rallies:
			n.Set("rally", orders.Inline().Set("formation", orders.Text(o.of)).Set("units", unitSets.Write(v, o.units)))
		case splitsOff:
			n.Set("split", orders.Text(o.of)).Set("part", unitSets.Write(v, o.units)).Set("as", orders.Text(o.as)).Set("set-in-motion", orders.Text("part"))
		default:
			n.Set(verbWords[o.does], orders.Text(o.of))
		}
		if o.keep {
			n.Set("points", orders.Text("keep"))
		}
		return n
	},
}

// inLine writes a list in one line.
func inLine(n *orders.Node) *orders.Node {
	n.Flow = true
	return n
}

// named reads a formation that may be named: those of the armies that act.
func (w *ordered) named(r *orders.Reader, n *orders.Node) (string, bool) {
	var list []orders.Choice
	for i := range w.game.Formations {
		if f := &w.game.Formations[i]; slices.Contains(w.armies, w.game.army(f.Corps)) {
			list = append(list, orders.Choice{ID: f.ID})
		}
	}
	return r.Pick(n, "formation", list)
}

// readOrder reads an order in the world that those before it leave behind.
func readOrder(w *ordered, r *orders.Reader, n *orders.Node) (order, bool) {
	since := len(r.Problems)
	w.accepted = r.Accepted
	f, o, v := r.Fields(n, orderKeys...), order{}, &View{game: w.game, side: w.game.seatOf(w.armies[0])}
	if n.Kind != orders.Map {
		return o, false
	}
	for i, word := range verbWords[1:] {
		if f.Get(word) == nil || o.does != 0 && word != "split" {
			continue
		}
		o.does = verb(i + 1)
	}
	if o.does == 0 {
		r.Refuse(n, "EM-9.1", phrase.Say("em.order-verb"))
		return o, false
	}
	w.refuseForeign(r, f, o.does)
	if o.does != joins {
		if by := r.Require(f, "by"); by != nil {
			o.by, _ = leaderTexts.Read(v, r, by)
		}
	}
	nodes := w.readWhat(v, r, f, &o)
	if at := f.Get("points"); at != nil {
		if _, o.keep = r.Word(at, "keep"); o.does == joins {
			r.Refuse(at, "EM-9.10", phrase.Say("em.join-free"))
		}
	}
	switch {
	case o.does != redeploys:
	case len(r.Problems) > since:
		w.game.refuseLone(r, o.anew, nodes)
	default:
		if fault := w.redeployingFault(o); fault != nil {
			fault.Refuse(r, n)
		}
		w.refuseAll(w.game, r, f.Get("redeploy"), o.anew, nodes)
	}
	return o, len(r.Problems) == since
}

// orderOwns are the keys of each verb besides its own.
var orderOwns = [...][]string{joins: {"as"}, setsInMotion: {"by", "points"}, keepsMoving: {"by", "points"}, rallies: {"by", "points"},
	splitsOff: {"by", "points", "part", "as", "set-in-motion"}, redeploys: {"by", "points"}}

// refuseForeign refuses each key that says nothing of what an order does: obeyed without it, the order would not be
// the one that was meant.
func (w *ordered) refuseForeign(r *orders.Reader, f orders.Fields, does verb) {
	for _, key := range orderKeys {
		at := f.Get(key)
		switch {
		case at == nil || key == verbWords[does] || slices.Contains(orderOwns[does], key) || key == "points":
		case slices.Contains(verbWords[1:], key):
			r.Refuse(at, "EM-9.1", phrase.Say("em.order-two"))
		case !r.Accepted: // in a file that was accepted once it is left out, as it was then
			r.RefuseWith(at, "EM-9.1", phrase.Say("em.order-key", phrase.Keywords("key", []string{key}), phrase.Keywords("verb", []string{verbWords[does]})),
				phrase.Say("em.order-key-remedy"))
		}
	}
}

// refuseAll refuses all that is wrong with the places of a redeployment, each unit at its own. It
// gives what is wrong with the names in them.
func (w *ordered) refuseAll(board *game, r *orders.Reader, at *orders.Node, d *redeployment, nodes map[unitID]*orders.Node) *play.Fault {
	moves, fault := board.relocations(d.spots)
	if fault != nil {
		return fault
	}
	for _, one := range board.redeployFaults(moves, d.groups) {
		if nodes[one.unit] != nil {
			one.Fault.Refuse(r, nodes[one.unit])
		} else {
			one.Fault.Refuse(r, at)
		}
	}
	return nil
}

// refuseLone refuses, where something in a redeployment can't be read, what is wrong with the places of the others
// whatever that may be: that they are too far, or off the field.
func (g *game) refuseLone(r *orders.Reader, d *redeployment, nodes map[unitID]*orders.Node) {
	for _, s := range d.spots {
		if s.next != 0 || !g.on(s.unit) {
			continue
		}
		m := g.relocation(s)
		if fault := g.relocationFault(m); fault != nil {
			fault.Refuse(r, nodes[s.unit])
			continue
		}
		after := g.regroupedAs([]relocation{m}, nil)
		if b := after.body(s.unit); g.leaves(&b) {
			g.offFault(s.unit).Refuse(r, nodes[s.unit])
		}
	}
}

// readWhat reads what an order is about; of a redeployment it gives the place of each unit in the file.
func (w *ordered) readWhat(v *View, r *orders.Reader, f orders.Fields, o *order) (nodes map[unitID]*orders.Node) {
	at := f.Get(verbWords[o.does])
	id := func(n *orders.Node) string {
		if n == nil {
			return ""
		}
		text, _ := r.Text(n)
		return text
	}
	switch o.does {
	case joins:
		var all []string
		for _, item := range r.List(at) {
			if name, ok := w.named(r, item); ok {
				all = append(all, name)
			}
		}
		if o.as = id(f.Get("as")); o.as == "" && len(all) > 0 {
			o.as = all[0]
		}
		slices.Sort(all)
		o.of = strings.Join(all, " ")
	case rallies:
		whom := r.Fields(at, "formation", "units")
		if n := r.Require(whom, "formation"); n != nil {
			o.of, _ = w.named(r, n)
		}
		if n := r.Require(whom, "units"); n != nil {
			o.units = w.members(v, r, n, o.of)
		}
	case splitsOff:
		o.of, _ = w.named(r, at)
		if n := r.Require(f, "part"); n != nil {
			o.units = w.members(v, r, n, o.of)
		}
		if o.as = id(f.Get("as")); o.as == "" {
			o.as = w.game.freeID(o.of)
		}
		if n := r.Require(f, "set-in-motion"); n != nil {
			r.Word(n, "part")
		}
	case redeploys:
		if o.anew, nodes = w.readRedeployment(v, r, at); len(o.anew.named) > 0 {
			o.of = o.anew.named[0]
		}
	default:
		o.of, _ = w.named(r, at)
	}
	return nodes
}

// members reads units of a formation.
func (w *ordered) members(v *View, r *orders.Reader, n *orders.Node, of string) unitSet {
	all, whole := unitSets.Read(v, r, n)
	if !whole {
		w.game.refuseStrangers(v, r, n, w.game.formationNamed(of))
	}
	return all
}

// shaken lists the units of a formation that may be rallied.
func (g *game) shaken(f *formation) []unitID {
	return slices.DeleteFunc(slices.Clone(f.Units), func(u unitID) bool { return g.Units[u].Yellow != 1 })
}

// fault says why an order may not come next (EM-9.1 to EM-9.5, EM-9.10).
func (w *ordered) fault(o order) *play.Fault {
	switch o.does {
	case joins:
		return w.joinFault(o)
	case redeploys:
		if o == w.sound {
			return nil
		}
		if fault := w.redeployingFault(o); fault != nil {
			return fault
		}
		moves, _ := w.game.relocations(o.anew.spots)
		return w.game.redeployFault(moves, o.anew.groups)
	}
	f := w.game.formationNamed(o.of)
	name := phrase.Literal("formation", o.of)
	no := func(clause, code string, more ...phrase.Arg) *play.Fault {
		return &play.Fault{Clause: clause, Why: phrase.Say(code, append([]phrase.Arg{name}, more...)...)}
	}
	switch {
	case !w.game.hasFormation(w.armies, o.of):
		return notYours(o.of)
	case !w.game.commands(o.by, f):
		return w.game.notHis(o.by, f)
	case f.Ordered:
		return no("EM-9.1", "em.order-twice")
	case f.Orange > 0 && o.does != rallies:
		return no("EM-9.1", "em.order-recovering")
	case f.Green && (o.does == setsInMotion || o.does == splitsOff):
		return no("EM-9.4", "em.order-moving")
	case f.Rest && !w.accepted && (o.does == setsInMotion || o.does == splitsOff):
		return no("EM-9.3", "em.order-rest")
	case !f.Green && o.does == keepsMoving:
		return no("EM-9.4", "em.order-still")
	}
	if fault := w.unitsFault(f, o); fault != nil {
		return fault
	}
	return w.priceFault(f, o)
}

// unitsFault says what is wrong with the units that an order names, or that it moves.
func (w *ordered) unitsFault(f *formation, o order) *play.Fault {
	name, named := phrase.Literal("formation", f.ID), o.units.list()
	for _, u := range named {
		if fault := w.game.memberFault(f, u); fault != nil {
			return fault
		}
		if o.does == rallies && w.game.Units[u].Yellow != 1 {
			return &play.Fault{Clause: "EM-9.5", Why: phrase.Say("em.order-not-shaken", w.game.unitArg("unit", u))}
		}
	}
	moved := f.Units
	switch {
	case (o.does == rallies || o.does == splitsOff) && len(named) == 0, o.does == splitsOff && len(named) == len(f.Units):
		return &play.Fault{Clause: "EM-9.3", Why: phrase.Say("em.order-some", name)}
	case o.does == splitsOff:
		moved = named
		if fault := w.game.splitFault(f, named); fault != nil {
			return fault
		}
		if fault := w.game.partNameFault(o.as, f.ID); fault != nil {
			return fault
		}
	}
	if _, ok := w.game.hitched(moved); !ok && (o.does == setsInMotion || o.does == splitsOff) {
		return &play.Fault{Clause: "EM-15.2", Why: phrase.Say("em.order-limber", name)}
	}
	return nil
}

// taken says whether a name is no good for a new formation: it is none, or one has it.
func (g *game) taken(id string) bool {
	return noName(id) || g.formationNamed(id) != nil
}

// noName says whether a text can't name a formation: it is none, or has a space in it.
func noName(id string) bool {
	return id == "" || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' })
}

// priceFault says that the leader has too few command points.
func (w *ordered) priceFault(f *formation, o order) *play.Fault {
	generated, markers := w.game.points(o.by, w.game.paidFor(f, o))
	if o.keep || w.game.several(o) {
		generated = 0
	}
	if price := w.game.price(f, o); generated+markers < price {
		return &play.Fault{Clause: "EM-2.2", Why: phrase.Say("em.order-price", phrase.Literal("formation", f.ID), w.game.leaderArg("leader", o.by),
			phrase.Number("price", price), phrase.Number("have", generated+markers))}
	}
	return nil
}

// paidFor is the formation that an order pays for: of a split the part.
func (g *game) paidFor(f *formation, o order) *formation {
	if o.does != splitsOff {
		return f
	}
	return &formation{ID: o.as}
}

// price is what an order costs (EM-9.2 to EM-9.6).
func (g *game) price(f *formation, o order) int {
	switch o.does {
	case setsInMotion:
		return g.motionPrice(o.by, f.Units)
	case splitsOff:
		return g.motionPrice(o.by, o.units.list())
	case keepsMoving:
		return g.keepingPrice(o.by, f)
	case redeploys:
		moves, _ := g.relocations(o.anew.spots)
		return g.redeployingPrice(o.by, g.regrouped(moves, o.anew.groups))
	}
	return g.rallyingPrice(o.by, f, len(o.units.list()))
}

// joinFault says why formations may not be joined (EM-9.10): joins come first; they are of one
// corps, touch, look the same way, have ended a manoeuvre so, and are not led by two leaders.
func (w *ordered) joinFault(o order) *play.Fault {
	no := func(code string, args ...phrase.Arg) *play.Fault {
		return &play.Fault{Clause: "EM-9.10", Why: phrase.Say(code, args...)}
	}
	ids := strings.Fields(o.of)
	var all []unitID
	var led leaderID
	for i, id := range ids {
		f := w.game.formationNamed(id)
		name := phrase.Literal("formation", id)
		if slices.Contains(ids[:i], id) || !w.game.hasFormation(w.armies, id) {
			return notYours(id)
		}
		first := w.game.formationNamed(ids[0])
		if f.Corps != first.Corps || w.game.heading(f) != w.game.heading(first) {
			return no("em.join-other", name, phrase.Literal("other", ids[0]))
		}
		if l := w.game.attachedTo(f); l != 0 && led != 0 {
			return &play.Fault{Clause: "EM-2.4", Why: phrase.Say("em.leader-two", w.game.leaderArg("leader", led), w.game.leaderArg("other", l))}
		} else if l != 0 {
			led = l
		}
		all = append(all, f.Units...)
	}
	switch {
	case slices.ContainsFunc(w.done, func(d order) bool { return d.does != joins }):
		return no("em.join-first")
	case len(ids) < 2:
		return no("em.join-two")
	case len(w.game.parts(slices.Sorted(slices.Values(all)))) > 1:
		return no("em.join-apart", phrase.Literal("formation", ids[0]))
	case w.game.unlinked(ids) != "":
		return no("em.join-manoeuvre", phrase.Literal("formation", w.game.unlinked(ids)), phrase.Literal("other", ids[0]))
	case !slices.Contains(ids, o.as):
		return no("em.join-as", phrase.Literal("formation", o.as))
	}
	return nil
}

// obey carries an order out. It has been judged. It gives what was paid.
func (g *game) obey(o order) int {
	if o.does == joins {
		g.join(strings.Fields(o.of), o.as)
		return 0
	}
	f := g.formationNamed(o.of)
	price := g.price(f, o)
	g.pay(o.by, g.paidFor(f, o), price, o.keep || g.several(o))
	switch o.does {
	case redeploys:
		moves, _ := g.relocations(o.anew.spots)
		g.redeploy(moves, o.anew.groups, g.makeRoom)
		return price
	case splitsOff:
		g.split(f, o.units.list(), o.as)
		f = g.formationNamed(o.as)
		rest := g.formationNamed(o.of)
		rest.Ordered, rest.Rest = false, true
		g.sets(f)
	case setsInMotion:
		g.sets(f)
	case keepsMoving:
		f.Kept = true
	case rallies:
		for _, u := range o.units.list() {
			g.rally(u)
		}
	}
	if f = g.formationNamed(f.ID); f != nil {
		f.Ordered = true
	}
	return price
}

// sets sets a formation in motion; its guns limber (EM-9.3, EM-15.2).
func (g *game) sets(f *formation) {
	f.Green, f.Kept, f.Started = true, true, true
	for _, u := range f.Units {
		g.limberUp(u)
	}
}

// join makes one formation of several (EM-9.10): it moves if all did, and recovers as long as the
// longest of them.
func (g *game) join(ids []string, as string) {
	first := g.formationNamed(ids[0])
	one := formation{ID: as, Corps: first.Corps, Green: true}
	for _, id := range ids {
		f := g.formationNamed(id)
		one.Units = append(one.Units, f.Units...)
		one.Green = one.Green && f.Green
		one.Orange = max(one.Orange, f.Orange)
	}
	slices.Sort(one.Units)
	g.Formations = slices.DeleteFunc(g.Formations, func(f formation) bool { return slices.Contains(ids, f.ID) })
	g.Formations = append(g.Formations, one)
	g.arrange()
}

// movedBy lists whom a redeployment puts elsewhere.
func movedBy(moves []relocation) []unitID {
	all := make([]unitID, len(moves))
	for i, m := range moves {
		all[i] = m.unit
	}
	return all
}

// command carries an order out, and tells it.
func (p *battlefield) command(o order) {
	if o.does == redeploys {
		price := p.price(p.formationNamed(o.of), o)
		moves, _ := p.relocations(o.anew.spots)
		p.pay(o.by, p.formationNamed(o.of), price, o.keep || p.several(o))
		p.tell("EM-9.6", "em.redeployed", p.leaderArg("leader", o.by), phrase.Literals("formations", o.anew.named), phrase.Number("price", price),
			p.unitsArg("units", movedBy(moves)))
		p.redeployed(moves, o.anew.groups)
		return
	}
	was := slices.Clone(p.Leaders)
	price := p.obey(o)
	formation, cost := phrase.Literal("formation", o.of), phrase.Number("price", price)
	if o.does == joins {
		p.tell("EM-9.10", "em.joined", phrase.Literals("formations", strings.Fields(o.of)), phrase.Literal("formation", o.as))
		return
	}
	by := p.leaderArg("leader", o.by)
	switch o.does {
	case setsInMotion:
		p.tell("EM-9.3", "em.set-in-motion", by, formation, cost)
	case splitsOff:
		p.tell("EM-9.3", "em.split-off", by, formation, phrase.Literal("part", o.as), cost)
	case keepsMoving:
		p.tell("EM-9.4", "em.kept-moving", by, formation, cost)
	case rallies:
		p.tell("EM-9.5", "em.rallied", by, formation, cost)
	}
	p.tellLeaders(was, "EM-7.10")
}
