package hfg

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
)

// What may be chosen of the moves of the stop turn: who moves, and behind that word by word how. Of numbers intervals are
// offered. The last number of a move, which nothing hangs on any more, is offered exactly: how far it goes, how far it wheels, how
// short of its place it stops. Of one that others may follow, all that can be written is offered, for what follows may make it legal;
// if nothing does, the answer says what is done in its place, as any order may ([turnWorld.wholeMove]).

type moveSlot = play.Slot[*View, *turnWorld, order]

// moreElements stands in an order for elements that are named later.
const moreElements = "+"

// heads lists who may move next, or what else may be done: the element or those with it, then tasks.
func (w *turnWorld) heads(yield func(order) bool) {
	for _, o := range w.entries() {
		if !yield(o) {
			return
		}
	}
	for _, e := range w.byNearness(func(e elementID) bool { return w.v.owns(e) }) {
		id := w.v.def(e).id
		all := w.tasks(e)
		if w.board.Elements[e].Spirit == routed {
			all = append(all, order{Verb: verbRally, Of: id})
		}
		for _, o := range append(all, order{Of: id}, order{Of: id + " " + moreElements}, order{Of: id, Column: true}) {
			if !yield(o) {
				return
			}
		}
	}
}

// sayMove says who moves, or what is done besides.
func sayMove(v *View, o order) engine.Choice {
	c := engine.Choice{Of: strings.Fields(o.Of)[0], What: "element"}
	switch {
	case o.Verb == verbEnter:
		c.What = "enter"
	case o.tasked() && (o.Else == nil || o.Late):
		o.Payer, o.Else = "", nil
		c.What = moveTexts.Write(v, o).OneLine()
	case o.Column:
		c.What = "column"
	case len(strings.Fields(o.Of)) > 1:
		c.What = "group"
	}
	return c
}

// tasked says whether an order is none to go anywhere.
func (o *order) tasked() bool {
	return o.Verb == verbRally || o.Verb == verbBuild || o.Verb == verbWreck
}

// goes says whether an order is one of a move, whose kind may be open yet.
func (o *order) goes() bool { return !o.tasked() && o.Verb != verbEnter }

// single says whether an order is one of a single element.
func (o *order) single() bool { return !o.Column && !strings.Contains(o.Of, " ") }

// with is an order in which something else is said; what it points to is copied.
func (o order) with(change func(*order)) order {
	o = *o.clone()
	change(&o)
	return o
}

// clone copies an order with what it points to.
func (o *order) clone() *order {
	c := *o
	if o.Then != nil {
		c.Then = o.Then.clone()
	}
	if o.Else != nil {
		c.Else = o.Else.clone()
	}
	return &c
}

// crew is an order of the same elements that says nothing else.
func (o *order) crew() order {
	return order{Of: o.Of, Column: o.Column, March: o.March, Payer: o.Payer}
}

// legal says whether an order may come next.
func (w *turnWorld) legal(o order) bool {
	if strings.Contains(o.Of, moreElements) {
		return false
	}
	_, _, fault := w.outcome(&o)
	return fault == nil
}

// moveSlots are what may be said of a move, in the order in which it is chosen.
var moveSlots = slices.Concat([]moveSlot{crewSlot, payerSlot, marchSlot, entrySlot},
	elsePart.slots(), mainPart.slots(), latePart.slots())

// wordSlot is a slot in which one of some things is said by a word.
func wordSlot(next func(*turnWorld, order) iter.Seq[order], says func(order) string) moveSlot {
	return moveSlot{
		Next: func(w *turnWorld, o order) iter.Seq[play.Span[order]] {
			return play.Good(next(w, o), func(order) bool { return true })
		},
		Says: func(_ *View, o order) []engine.Choice {
			if what := says(o); what != "" {
				return []engine.Choice{{Of: strings.Fields(o.Of)[0], What: what}}
			}
			return nil
		},
	}
}

// crewSlot names those who move with the first, one after the other.
var crewSlot = moveSlot{
	Again: true,
	Next: func(w *turnWorld, o order) iter.Seq[play.Span[order]] {
		return func(yield func(play.Span[order]) bool) {
			named := strings.Fields(strings.TrimSuffix(o.Of, moreElements))
			if !o.goes() || o.single() {
				return
			}
			for _, e := range w.board.standing() {
				id := w.v.def(e).id
				if !w.v.owns(e) || slices.Contains(named, id) {
					continue
				}
				next := o
				if next.Of = strings.Join(append(slices.Clone(named), id), " "); !yield(play.Span[order]{Value: next}) {
					return
				}
			}
		}
	},
	Says: func(_ *View, o order) []engine.Choice {
		var all []engine.Choice
		for i, id := range strings.Fields(o.Of) {
			if i > 0 && id != moreElements && o.goes() {
				all = append(all, engine.Choice{Of: strings.Fields(o.Of)[0], What: "with " + id})
			}
		}
		return all
	},
}

// payerSlot says whose general pays for a single element (HFG-7.9).
var payerSlot = wordSlot(func(w *turnWorld, o order) iter.Seq[order] {
	return func(yield func(order) bool) {
		e, ok := w.board.elementNamed(o.Of)
		if o.Verb != verbRally && !o.goes() || !ok {
			return
		}
		for _, by := range w.board.standing() {
			if !w.v.owns(by) || !w.board.lends(w.board.command(by), e) {
				continue
			}
			next := o
			if next.Payer = w.v.def(by).id; !yield(next) {
				return
			}
		}
	}
}, func(o order) string {
	if o.Payer == "" {
		return ""
	}
	return "by " + o.Payer
})

// marchSlot says that it is a march.
var marchSlot = wordSlot(func(_ *turnWorld, o order) iter.Seq[order] {
	return func(yield func(order) bool) {
		if o.March = true; o.goes() {
			yield(o)
		}
	}
}, func(o order) string {
	if o.March {
		return "march"
	}
	return ""
})

// entrySlot says how far a command comes on; unsaid it comes as far as it can.
var entrySlot = moveSlot{
	Next: func(w *turnWorld, o order) iter.Seq[play.Span[order]] {
		if o.Verb != verbEnter {
			return nothing
		}
		far := func(n int) order { return o.with(func(x *order) { x.Far = n }) }
		return play.Spans(1, min(w.mostEntry(w.board.commandNamed(o.Of)), mostFar-1), far, func(n int) bool { return w.legal(far(n)) })
	},
	Says: func(_ *View, o order) []engine.Choice {
		if o.Verb != verbEnter || o.Far == mostFar {
			return nil
		}
		return []engine.Choice{{Of: o.Of, What: "along", Measure: true, Value: o.Far}}
	},
	At: func(o order, n int) order { return o.with(func(x *order) { x.Far = n }) },
}

// nothing gives nothing.
func nothing(func(play.Span[order]) bool) {}

// wholeMove completes an order of which not all is said. Who is left open moves with the first, if he hangs together with him; a kind
// that is left open is the first of the [turnWorld.candidates] that is legal, a distance as far as it goes. What isn't legal then gets
// an order in its place.
func (w *turnWorld) wholeMove(o order) order {
	o = *o.clone()
	switch {
	case o.Verb == verbEnter:
		return o
	case strings.HasSuffix(o.Of, moreElements):
		return w.withNeighbour(o)
	case !o.single() && !o.Column:
		o.Of = w.hangingTogether(o.Of)
	}
	if o.Verb == verbRally && o.Payer == "" && !w.legal(o) {
		return w.paid(o, w.legal)
	}
	if o.Else != nil {
		o.Else.Of = o.Of
		w.fills(o.Else)
	}
	if o.Verb == 0 {
		return w.anyMove(o)
	}
	if o.goes() {
		w.fills(&o)
	}
	if o.Else == nil && o.goes() && !w.legal(o) {
		if o.Else = w.resort(&o); o.Else != nil {
			o.Else = o.Else.clone()
		}
	}
	return o
}

// settled says of an order whether what is done in its place is chosen before the move itself, as it is where it is legal now: then
// the move may be whatever can be written. Else the move itself is legal, and it is chosen first; so is a task that is.
func (w *turnWorld) settled(o order) order {
	switch {
	case o.Else == nil:
		o.Late = false
	case o.tasked():
		o.Late = w.legal(byItself(&o))
	default:
		o.Late = !w.legal(*o.Else)
	}
	return o
}

// withNeighbour completes the order of a group of which one is named by another who touches him.
func (w *turnWorld) withNeighbour(o order) order {
	first := strings.Fields(o.Of)[0]
	e, _ := w.board.elementNamed(first)
	for _, x := range w.board.linked(e, w.mates(e)) {
		if x == e || !w.board.near(e, x) {
			continue
		}
		if next := w.wholeMove(o.with(func(n *order) { n.Of = first + " " + w.board.def(x).id })); w.legal(next) {
			return next
		}
	}
	o.Of = "" // it is nobody's
	return o
}

// mates says of elements whether they may move with another one.
func (w *turnWorld) mates(e elementID) func(elementID) bool {
	return func(o elementID) bool { return w.v.owns(o) && w.board.command(o) == w.board.command(e) }
}

// hangingTogether adds to the elements of a group those by whom they hang together: at each step the shortest way between them.
func (w *turnWorld) hangingTogether(of string) string {
	g := w.board
	all := g.who(&order{Of: of})
	for len(all) > 1 && !g.group(all) {
		whole := g.linked(all[0], func(e elementID) bool { return slices.Contains(all, e) })
		from := map[elementID]elementID{}
		for _, e := range whole {
			from[e] = e
		}
		line := slices.Clone(whole)
		reached := elementID(0)
		for i := 0; i < len(line) && reached == 0; i++ {
			for _, e := range g.linked(line[i], func(x elementID) bool { return w.mates(line[i])(x) && g.near(line[i], x) }) {
				if _, there := from[e]; there {
					continue
				}
				from[e] = line[i]
				line = append(line, e)
				if slices.Contains(all, e) {
					reached = e
					break
				}
			}
		}
		if reached == 0 {
			return of
		}
		for e := from[reached]; from[e] != e; e = from[e] {
			all = append(all, e)
		}
	}
	return w.board.ids(all)
}

// near says whether two elements touch.
func (g *game) near(a, b elementID) bool {
	x, y := g.body(a), g.body(b)
	return touch(&x, &y)
}

// anyMove completes an order that doesn't say yet what kind of move it is.
func (w *turnWorld) anyMove(o order) order {
	for _, x := range w.candidates(&o) {
		x.Else = o.Else
		if w.legal(x) {
			return x
		}
	}
	if o.Else != nil {
		return o
	}
	if !o.March {
		march := o
		march.March = true
		for _, x := range w.candidates(&march) {
			if w.legal(x) {
				return x
			}
		}
	}
	if o.Payer == "" && o.single() {
		return w.paid(o, func(x order) bool { return w.legal(w.anyMove(x)) })
	}
	return o
}

// paid completes the order of one for whom his own general can't pay by another who can, if there is one.
func (w *turnWorld) paid(o order, may func(order) bool) order {
	for one := range payerSlot.Next(w, o) {
		if may(one.Value) {
			if one.Value.Verb == 0 {
				return w.anyMove(one.Value)
			}
			return one.Value
		}
	}
	return o
}

// candidates are moves of the elements of an order: where they stand, as far as they go to each side, and along their road; into
// contact, into line and into column.
func (w *turnWorld) candidates(o *order) []order {
	g, crew := w.board, o.crew()
	who := g.who(&crew)
	if len(who) == 0 || w.barredAll(&order{Verb: verbRally, Of: o.Of, March: o.March}) {
		return nil
	}
	turns, straight := crew, crew
	turns.Turns, turns.Facing, turns.Verb, straight.Verb = true, g.Elements[who[0]].Facing, verbAdvance, verbAdvance
	last := toRear
	switch {
	case o.single():
		turns.Verb, straight.Verb, last = verbGo, verbGo, toRight
	case o.Column:
		last = ahead
	}
	all := []order{turns}
	for to := ahead; to <= last; to++ {
		all = append(all, straight.with(func(x *order) { x.Toward, x.Far = to, mostFar }))
	}
	if o.Column {
		all = append(all, crew.with(func(x *order) { x.Verb, x.To = verbGo, inline(scale.WritePoint(g.body(who[0]).At)) }))
	}
	if g.onRoad(who[0]) {
		all = append(all, crew.with(func(x *order) { x.Verb, x.Far = verbAlong, mostFar }))
	}
	if !o.March {
		for _, e := range w.foesOf(who[0]) {
			all = append(all, crew.with(func(x *order) { x.Verb, x.Enemy = verbContact, w.v.def(e).id }))
		}
	}
	for _, right := range []bool{false, true} {
		for deep := range 3 {
			all = append(all, crew.with(func(x *order) { x.Verb, x.Right, x.Deep = verbForm, right, deep }))
		}
	}
	return all
}

// foesOf lists the enemies whom the seat knows and whom an element may perhaps contact, the nearest first.
func (w *turnWorld) foesOf(e elementID) []elementID {
	b := w.board.body(e)
	all := slices.DeleteFunc(w.foes(), func(o elementID) bool {
		x := w.board.body(o)
		return geometry.Apart(&b, &x, mountedContact*pace+slack) || !within(between(&b, &x), mountedContact)
	})
	slices.SortStableFunc(all, func(a, b elementID) int { return cmp.Compare(w.board.apart(e, a), w.board.apart(e, b)) })
	return all
}

// resort is what is done in the place of a move that isn't legal: the first of the candidates that is; nil if none is.
func (w *turnWorld) resort(o *order) *order {
	key := o.crew()
	if found, ok := w.resorts[key]; ok {
		return found
	}
	var found *order
	all := w.candidates(&key)
	if i := slices.IndexFunc(all, w.legal); i >= 0 {
		found = &all[i]
	}
	if w.resorts == nil {
		w.resorts = map[order]*order{}
	}
	w.resorts[key] = found
	return found
}

// forgets forgets what was found out of the field before something moved.
func (w *turnWorld) forgets() { clear(w.resorts) }
