package hfg

import (
	"iter"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
)

// What may be chosen of how elements move, by the same words for a move and for what is done in its place.

// A wayPart says where in an order a way is said: in itself, or in what is done in its place.
type wayPart struct {
	pre  string // stands before each word
	late bool   // it is chosen after the move itself
	at   func(*order) *order
}

// The ways of an order: what is done in its place if that is chosen first, its own, and what is done in its place if its own is
// chosen first.
var (
	elsePart = wayPart{"else ", false, func(o *order) *order { return o.Else }}
	mainPart = wayPart{"", false, func(o *order) *order { return o }}
	latePart = wayPart{"else ", true, func(o *order) *order { return o.Else }}
)

// part gives the way of an order; nil if it has none there.
func (p wayPart) part(o *order) *order {
	switch {
	case p.pre == "" && o.goes(), p.pre != "" && o.Late == p.late:
		return p.at(o)
	}
	return nil
}

// with is an order whose way is changed.
func (p wayPart) with(o order, change func(*order)) order {
	return o.with(func(x *order) { change(p.at(x)) })
}

// kinds is the slot of what kind of way it is.
func (p wayPart) kinds() moveSlot {
	return wordSlot(func(w *turnWorld, o order) iter.Seq[order] {
		return func(yield func(order) bool) {
			if p.pre == "" && o.Else != nil && !o.Late && o.single() && !o.March && o.Payer == "" && !w.tasksBeside(o, yield) || !p.begins(w, &o) {
				return
			}
			for _, kind := range wayKinds {
				next := o.with(func(x *order) {
					if p.pre != "" {
						other := o.crew()
						x.Else, x.Late = &other, p.late
					}
					p.at(x).becomes(kind)
				})
				if p.may(&o, kind) && !yield(next) {
					return
				}
			}
		}
	}, func(o order) string {
		switch x := p.part(&o); {
		case x != nil && x.Verb == verbFord:
			return p.pre + fordPrefix + x.kind()
		case x != nil && x.kind() != "":
			return p.pre + x.kind()
		case x == nil && p.pre == "" && o.Else != nil && !o.Late:
			return o.task()
		}
		return ""
	})
}

// begins says whether a way may be said now: what is done in the place of a move that was chosen first only if that is legal.
func (p wayPart) begins(w *turnWorld, o *order) bool {
	switch {
	case !p.late:
		return o.goes()
	case o.Else != nil || !o.goes() && o.Verb != verbBuild && o.Verb != verbWreck || o.Verb == 0:
		return false
	}
	first := o.with(func(x *order) { w.fills(x) })
	return w.legal(first)
}

// may says whether elements may be ordered a kind of way: a group isn't sent to a place, and to search for a ford is no march, and done
// in no other order's place.
func (p wayPart) may(o *order, kind string) bool {
	kind, ford := strings.CutPrefix(kind, fordPrefix)
	switch {
	case kind == kindTo && !o.single() && !o.Column:
		return false
	case ford:
		return p.pre == "" && !o.March && (o.single() || kind == kindTo)
	}
	return true
}

// task is the word for an order to build, or to destroy a bridge.
func (o *order) task() string {
	if o.Verb == verbBuild {
		return "build"
	}
	return "destroy-bridge " + o.To
}

// tasksBeside gives orders to build and to destroy that aren't legal now, of which it is said already what is done in their place.
func (w *turnWorld) tasksBeside(o order, yield func(order) bool) bool {
	all := []order{{Verb: verbBuild, Of: o.Of, Else: o.Else}}
	for _, b := range w.board.Bridges {
		all = append(all, order{Verb: verbWreck, Of: o.Of, To: b.ID, Else: o.Else})
	}
	return !slices.ContainsFunc(all, func(x order) bool { return !w.legal(byItself(&x)) && !yield(x) })
}

// slot is a slot of a way: what may come next, and what it says; put changes the number that was said last, if there are any.
func (p wayPart) slot(again bool, next func(w *turnWorld, o order, x *order, yield func(play.Span[order]) bool), says func(x *order) []engine.Choice, put func(x *order, n int)) moveSlot {
	s := moveSlot{
		Again: again,
		Next: func(w *turnWorld, o order) iter.Seq[play.Span[order]] {
			return func(yield func(play.Span[order]) bool) {
				if x := p.part(&o); x != nil && x.Verb != 0 {
					next(w, o, x, yield)
				}
			}
		},
		Says: func(_ *View, o order) []engine.Choice {
			x := p.part(&o)
			if x == nil || x.Verb == 0 {
				return nil
			}
			all := says(x)
			for i := range all {
				all[i].Of, all[i].What = strings.Fields(o.Of)[0], p.pre+all[i].What
			}
			return all
		},
	}
	if put != nil {
		s.At = func(o order, n int) order { return p.with(o, func(x *order) { put(x, n) }) }
	}
	return s
}

// open says whether whatever is said of a way, the whole order can be legal: something legal is done in its place, or before it.
func (p wayPart) open(w *turnWorld, o order) bool {
	switch {
	case p.late:
		return true
	case p.pre != "" || o.Else == nil:
		return w.resort(&o) != nil
	}
	rest := *o.Else.clone()
	rest.Of = o.Of
	w.fills(&rest)
	return w.legal(rest)
}

// exact gives the numbers from low to high with which the order is legal by itself, in whole runs; all of them if it is anyway.
func (p wayPart) exact(w *turnWorld, o order, low, high, most int, put func(*order, int), yield func(play.Span[order]) bool) bool {
	at := func(n int) order { return p.with(o, func(x *order) { put(x, n) }) }
	if (p.pre != "" || o.Else != nil) && p.open(w, o) {
		return yield(play.Span[order]{Value: at(low), Low: low, High: high})
	}
	good := func(n int) bool {
		x := at(n)
		w.fills(p.at(&x))
		return w.legal(x)
	}
	for s := range play.Spans(low, min(most, high), at, good) {
		if !yield(s) {
			return false
		}
	}
	return true
}

// any gives all numbers from low to high, as the order can be made legal whatever is said.
func (p wayPart) any(w *turnWorld, o order, low, high int, put func(*order, int), yield func(play.Span[order]) bool) bool {
	return !p.open(w, o) || yield(play.Span[order]{Value: p.with(o, func(x *order) { put(x, low) }), Low: low, High: high})
}

// measured is what a number says, if it is not 0.
func measured(what string, n int) []engine.Choice {
	if n == 0 {
		return nil
	}
	return []engine.Choice{{What: what, Measure: true, Value: n}}
}

// sidedly is what a measure to the right or the left says.
func sidedly(what string, n int) []engine.Choice {
	if n < 0 {
		return measured(what+" left", -n)
	}
	return measured(what+" right", n)
}

// slots are what may be said of a way.
func (p wayPart) slots() []moveSlot {
	return []moveSlot{p.kinds(), p.sites(), p.corners(), p.enemies(), p.edges(), p.roads(), p.deep(), p.bends(), p.sidesteps(), p.wheels(), p.facings(), p.distances(), p.shorts()}
}

// sites is the slot of the place to which it goes.
func (p wayPart) sites() moveSlot {
	return p.slot(true, func(w *turnWorld, o order, x *order, yield func(play.Span[order]) bool) {
		switch {
		case x.kind() != kindTo:
		case x.To == anyPlace:
			for text := range w.placings {
				if !yield(play.Span[order]{Value: p.with(o, func(x *order) { x.To = text })}) {
					return
				}
			}
		case p.open(w, o):
			for s := range w.nextOf(x.To) {
				yield(play.Span[order]{Value: p.with(o, func(x *order) { x.To = s.Value }), Low: s.Low, High: s.High})
			}
		}
	}, func(x *order) []engine.Choice { return prefixed(kindTo, saidOf(x.To)) },
		func(x *order, n int) { x.To = numbered(x.To, n) })
}

// prefixed are choices with a word before each of theirs.
func prefixed(word string, all []engine.Choice) []engine.Choice {
	for i := range all {
		all[i].What = word + " " + all[i].What
	}
	return all
}

// via are the places on the way of an order.
func (o *order) via() []string {
	if o.Via == "" {
		return nil
	}
	return strings.Split(o.Via, viaBetween)
}

// corners is the slot of the places on its way (HFG-9.5).
func (p wayPart) corners() moveSlot {
	last := func(x *order, text string) {
		all := x.via()
		all[len(all)-1] = text
		x.Via = strings.Join(all, viaBetween)
	}
	return p.slot(true, func(w *turnWorld, o order, x *order, yield func(play.Span[order]) bool) {
		all := x.via()
		switch n := len(all); {
		case x.kind() != kindTo || !p.open(w, o):
		case n > 0 && openText(all[n-1]):
			for s := range w.nextOf(all[n-1]) {
				yield(play.Span[order]{Value: p.with(o, func(x *order) { last(x, s.Value) }), Low: s.Low, High: s.High})
			}
		case n < mostVia:
			for text := range w.placings {
				if !yield(play.Span[order]{Value: p.with(o, func(x *order) { x.Via = strings.Join(append(slices.Clone(all), text), viaBetween) })}) {
					return
				}
			}
		}
	}, func(x *order) []engine.Choice {
		var said []engine.Choice
		for _, text := range x.via() {
			said = append(said, prefixed("via", saidOf(text))...)
		}
		return said
	}, func(x *order, n int) {
		all := x.via()
		last(x, numbered(all[len(all)-1], n))
	})
}

// enemies is the slot of whom it contacts.
func (p wayPart) enemies() moveSlot {
	return p.slot(false, func(w *turnWorld, o order, x *order, yield func(play.Span[order]) bool) {
		e, ok := w.board.elementNamed(strings.Fields(o.Of)[0])
		if x.kind() != kindContact || !ok || !w.board.on(e) {
			return
		}
		for _, foe := range w.contactable() {
			if !yield(play.Span[order]{Value: p.with(o, func(x *order) { x.Enemy = w.v.def(foe).id })}) {
				return
			}
		}
	}, func(x *order) []engine.Choice {
		if x.Enemy == "" {
			return nil
		}
		return []engine.Choice{{What: "on " + x.Enemy}}
	}, nil)
}

// contactable lists the enemies whom an order may name.
func (w *turnWorld) contactable() []elementID {
	return slices.DeleteFunc(w.board.standing(), func(e elementID) bool { return w.board.def(e).side == w.v.of })
}

// edges is the slot of which edge of his it contacts.
func (p wayPart) edges() moveSlot {
	return p.slot(false, func(_ *turnWorld, o order, x *order, yield func(play.Span[order]) bool) {
		for i := range edgeSides {
			if x.Enemy == "" || !yield(play.Span[order]{Value: p.with(o, func(x *order) { x.Edge = i + 1 })}) {
				return
			}
		}
	}, func(x *order) []engine.Choice {
		if x.Edge == 0 {
			return nil
		}
		return []engine.Choice{{What: "edge " + edgeSides[x.Edge-1]}}
	}, nil)
}

// roads is the slot of the roads along which it goes, one after the other.
func (p wayPart) roads() moveSlot {
	return p.slot(true, func(w *turnWorld, o order, x *order, yield func(play.Span[order]) bool) {
		for i := range w.board.lines {
			d := &w.board.lines[i]
			if x.kind() != kindAlong || d.kind != road {
				continue
			}
			if !yield(play.Span[order]{Value: p.with(o, func(x *order) { x.Road = joined(x.Road, d.id) })}) {
				return
			}
		}
	}, func(x *order) []engine.Choice {
		var all []engine.Choice
		for _, id := range strings.Fields(x.Road) {
			all = append(all, engine.Choice{What: "road " + id})
		}
		return all
	}, nil)
}

// deep is the slot of how deep a line is.
func (p wayPart) deep() moveSlot {
	put := func(x *order, n int) { x.Deep = n }
	return p.slot(false, func(w *turnWorld, o order, x *order, yield func(play.Span[order]) bool) {
		if x.Verb == verbForm && x.Deep > 0 {
			p.exact(w, o, 1, 2, 2, put, yield)
		}
	}, func(x *order) []engine.Choice { return measured("deep", x.Deep) }, put)
}

// lastBend is the last of the further bends of a group's way; nil for none.
func (o *order) lastBend() *order {
	x := o.Then
	for x != nil && x.Then != nil {
		x = x.Then
	}
	return x
}

// bends is the slot of the further wheels and ways of a group (HFG-9.7).
func (p wayPart) bends() moveSlot {
	return p.slot(true, func(w *turnWorld, o order, x *order, yield func(play.Span[order]) bool) {
		if x.kind() != kindGo || o.single() || o.Column || !p.open(w, o) {
			return
		}
		bent := func(change func(*order)) order { return p.with(o, func(x *order) { change(x.lastBend()) }) }
		if last := x.lastBend(); last != nil && last.Far == 0 {
			if last.Wheel == 0 && (!yield(play.Span[order]{Value: bent(func(b *order) { b.Wheel = 1 }), Low: 1, High: mostWheelBy}) ||
				!yield(play.Span[order]{Value: bent(func(b *order) { b.Wheel = -1 }), Low: 1, High: mostWheelBy})) {
				return
			}
			if !yield(play.Span[order]{Value: bent(func(b *order) { b.Far = 1 }), Low: 1, High: mostFar - 1}) {
				return
			}
		}
		if bendsOf(x) < mostWheels {
			yield(play.Span[order]{Value: p.with(o, func(x *order) {
				one := &order{Verb: verbAdvance, Of: o.Of}
				if last := x.lastBend(); last != nil {
					last.Then = one
				} else {
					x.Then = one
				}
			})})
		}
	}, func(x *order) []engine.Choice {
		var all []engine.Choice
		for b := x.Then; b != nil; b = b.Then {
			all = append(all, engine.Choice{What: "then"})
			all = append(all, sidedly("then wheel", b.Wheel)...)
			all = append(all, measured("then advance", b.Far)...)
		}
		return all
	}, func(x *order, n int) {
		switch b := x.lastBend(); {
		case b.Far > 0:
			b.Far = n
		case b.Wheel < 0:
			b.Wheel = -n
		default:
			b.Wheel = n
		}
	})
}

// bendsOf is how many further bends a way has.
func bendsOf(o *order) int {
	n := 0
	for x := o.Then; x != nil; x = x.Then {
		n++
	}
	return n
}

// bothSides gives a measure to the right, then to the left, of a way straight on.
func (p wayPart) bothSides(put func(*order, int), take func(put func(*order, int)) bool) {
	to := func(sign int) func(*order, int) {
		return func(x *order, n int) {
			put(x, sign*n)
			x.straightens()
		}
	}
	_ = take(to(1)) && take(to(-1))
}

// keepsSide puts a number to the side that has been said.
func keepsSide(at func(*order) *int) func(*order, int) {
	return func(x *order, n int) {
		if *at(x) < 0 {
			n = -n
		}
		*at(x) = n
	}
}

// sidesteps is the slot of how far a group shifts to a side (HFG-9.12).
func (p wayPart) sidesteps() moveSlot {
	return p.slot(false, func(w *turnWorld, o order, x *order, yield func(play.Span[order]) bool) {
		if x.kind() != kindGo || x.Verb == verbFord || o.Column {
			return
		}
		p.bothSides(func(x *order, n int) { x.Side = n }, func(put func(*order, int)) bool { return p.any(w, o, 1, mostSide, put, yield) })
	}, func(x *order) []engine.Choice { return sidedly("sidestep", x.Side) }, keepsSide(func(x *order) *int { return &x.Side }))
}

// wheels is the slot of how far it wheels.
func (p wayPart) wheels() moveSlot {
	return p.slot(false, func(w *turnWorld, o order, x *order, yield func(play.Span[order]) bool) {
		if x.kind() != kindGo || x.Verb == verbFord || o.single() && x.Then != nil {
			return
		}
		p.bothSides(func(x *order, n int) { x.Wheel = n }, func(put func(*order, int)) bool { return p.any(w, o, 1, mostWheelBy, put, yield) })
	}, func(x *order) []engine.Choice { return sidedly("wheel", x.Wheel) }, keepsSide(func(x *order) *int { return &x.Wheel }))
}

// facings is the slot of which way it looks at the end.
func (p wayPart) facings() moveSlot {
	put := func(x *order, n int) { x.Turns, x.Facing = true, n }
	return p.slot(false, func(w *turnWorld, o order, x *order, yield func(play.Span[order]) bool) {
		if k := x.kind(); (k == kindGo || k == kindTo) && x.Wheel == 0 {
			p.any(w, o, 0, 359, put, yield)
		}
	}, func(x *order) []engine.Choice {
		if !x.Turns {
			return nil
		}
		return []engine.Choice{{What: "facing", Measure: true, Value: x.Facing}}
	}, put)
}

// distances is the slot of how far it goes, to which side.
func (p wayPart) distances() moveSlot {
	return p.slot(false, func(w *turnWorld, o order, x *order, yield func(play.Span[order]) bool) {
		far := func(x *order, n int) { x.Far = n }
		switch most := w.mostDistance(&o); {
		case x.kind() == kindAlong:
			p.exact(w, o, 1, mostFar-1, most, far, yield)
		case x.kind() == kindGo:
			last := toRear
			switch {
			case o.Column || x.Then != nil:
				last = ahead
			case o.single() && x.Wheel == 0 && x.Side == 0:
				last = toRight
			}
			for to := ahead; to <= last; to++ {
				put := func(x *order, n int) { x.Toward, x.Far = to, n }
				if !yield(play.Span[order]{Value: p.with(o, func(x *order) { put(x, mostFar) })}) || !p.exact(w, o, 1, mostFar-1, most, put, yield) {
					return
				}
			}
		}
	}, func(x *order) []engine.Choice {
		switch {
		case x.kind() == kindAlong && x.Far != mostFar:
			return measured("along", x.Far)
		case x.kind() == kindGo && x.Far == mostFar:
			return []engine.Choice{{What: bearingWords[x.Toward] + " max"}}
		case x.kind() == kindGo:
			return measured(bearingWords[x.Toward], x.Far)
		}
		return nil
	}, func(x *order, n int) { x.Far = n })
}

// mostDistance is how far an order may say at most that it goes: by the table, or where its way is cut at water (HFG-R126) across the
// whole field.
func (w *turnWorld) mostDistance(o *order) int {
	g, most := w.board, 0
	for _, e := range g.who(o) {
		most = max(most, g.setting.moves(g.def(e))[good])
	}
	if slices.ContainsFunc(g.lines, func(d lineDef) bool { return d.kind == stream || d.kind == gully }) && (o.single() || o.Column) {
		most = mostFar - 1
	}
	return most
}

// shorts is the slot of how far short of its place it stops (HFG-R121).
func (p wayPart) shorts() moveSlot {
	put := func(x *order, n int) { x.Short = n + 1 }
	return p.slot(false, func(w *turnWorld, o order, x *order, yield func(play.Span[order]) bool) {
		if x.kind() == kindTo {
			p.exact(w, o, 0, mostFar-1, mostFar-1, put, yield)
		}
	}, func(x *order) []engine.Choice {
		if x.Short == 0 {
			return nil
		}
		return []engine.Choice{{What: "stop-short", Measure: true, Value: x.Short - 1}}
	}, put)
}
