package mistakes

import (
	"cmp"
	"iter"
	"slices"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A deed is what a leader does with his move.
type deed int8

const (
	goes deed = iota + 1
	attaches
	detaches
	asUsual // as at the deadline
)

// deedWords are the deeds as files have them.
var deedWords = []string{"", "move", "attach", "detach"}

// A posting is where a leader goes.
type posting struct {
	leader leaderID
	does   deed
	at     place
	to     unitID
}

// A staff is the world of the stops that place leaders: the field as it is after what has been
// said so far.
type staff struct {
	v      *View
	board  *game
	now    []army
	grants []grant
	posted []posting
	back   []leaderID // substitutes still to be placed
	crowds map[leaderID][]geometry.Body
}

// crowd are the units that a leader may meet on his way. No unit moves while leaders are placed.
func (w *staff) crowd(l leaderID) []geometry.Body {
	if _, known := w.crowds[l]; !known {
		if w.crowds == nil {
			w.crowds = map[leaderID][]geometry.Body{}
		}
		w.crowds[l] = w.board.crowd(w.board.whereIs(l), leaderReach*int64(w.board.segment()))
	}
	return w.crowds[l]
}

// leadersField is a map of leaders, each with what is said of him.
func leadersField[T comparable](key string, value shape.Shape, read func(*draft[*staff], *orders.Reader, leaderID, *orders.Node) (T, bool), write func(*View, T) (leaderID, *orders.Node), f rule[*staff, T]) keyed[*staff] {
	one := play.Custom(key, f)
	one.Optional, one.Shape = true, shape.Map(shape.Name("leader"), value)
	one.Read = func(x *draft[*staff], r *orders.Reader, n *orders.Node) {
		if r.Is(n, "none") {
			return
		}
		takeLeaders(x, r, n, key, func(of aLeader) (any, bool) { return read(x, r, of.leader, of.Value) })
	}
	one.Write = func(x *draft[*staff], parts []play.Part) *orders.Node {
		if len(parts) == 0 {
			return nil
		}
		return leadersNode(x.View, parts, func(value any) (leaderID, *orders.Node) { return write(x.View, value.(T)) })
	}
	return one
}

// aLeader is an entry of a map of leaders.
type aLeader struct {
	leader leaderID
	orders.Pair
}

// leadersNamed reads whom the keys of a map of leaders name, in the order of the leaders: the order of
// keys says nothing, so nobody may choose by it what follows.
func leadersNamed(v *View, r *orders.Reader, n *orders.Node) (all []aLeader) {
	for _, pair := range play.Entries(r, n) {
		if l, ok := leaderTexts.Read(v, r, pair.Key); ok {
			all = append(all, aLeader{l, pair})
		}
	}
	slices.SortStableFunc(all, func(a, b aLeader) int { return cmp.Compare(a.leader, b.leader) })
	return all
}

// takeLeaders takes a map of leaders into an answer. What one says may want another to have gone first, so
// those that can be are taken, again and again, in the order of the leaders; the rest is refused.
func takeLeaders[W any](x *draft[W], r *orders.Reader, n *orders.Node, key string, read func(aLeader) (any, bool)) {
	type said struct {
		aLeader
		value any
		whole bool
		since int
	}
	var left []said
	for _, of := range leadersNamed(x.View, r, n) {
		since := len(r.Problems)
		value, whole := read(of)
		left = append(left, said{of, value, whole, since})
	}
	for before := -1; before != len(left); {
		before = len(left)
		left = slices.DeleteFunc(left, func(s said) bool { return s.whole && x.Try(key, s.value) })
	}
	for _, s := range left {
		x.Judge(r, s.Key, key, s.value, s.whole, s.since)
	}
}

// leadersNode writes a map of leaders, in their order.
func leadersNode(v *View, parts []play.Part, write func(any) (leaderID, *orders.Node)) *orders.Node {
	var all []aLeader
	for _, p := range parts {
		l, node := write(p.Value)
		all = append(all, aLeader{l, orders.Pair{Value: node}})
	}
	slices.SortStableFunc(all, func(a, b aLeader) int { return cmp.Compare(a.leader, b.leader) })
	n := orders.Inline()
	for _, of := range all {
		n.Set(v.lead(of.leader).id, of.Value)
	}
	return n
}

// inTurn are the postings in the order of the leaders.
func (w *staff) inTurn() []posting {
	return slices.SortedStableFunc(slices.Values(w.posted), func(a, b posting) int { return cmp.Compare(a.leader, b.leader) })
}

// spoken is a field in which an answer says that it says nothing: none.
func spoken(f keyed[*staff]) keyed[*staff] {
	write := f.Write
	f.Shape = shape.Either(shape.Words("none"), f.Shape)
	f.Write = func(x *draft[*staff], parts []play.Part) *orders.Node {
		if len(x.Parts) == 0 {
			return orders.Text("none")
		}
		return write(x, parts)
	}
	return f
}

// assignForm is the stop assign (EM-S6): {assign: {derlon: 2}, leaders: {napoleon: {move: [600, 130]}}}.
var assignForm = &form[*staff]{
	Begin: func(v *View, _ engine.Decision) (*staff, bool) {
		w := &staff{v: v, board: v.trial(), now: v.acting()}
		return w, len(w.now) > 0
	},
	Fields:  []keyed[*staff]{spoken(grantField), postingField},
	Sense:   senseAssign,
	Note:    noteGrants,
	Besides: besidesStaff,
	Gathers: true,
	Do: func(p *battlefield, _ engine.Decision, w *staff) {
		p.Said = true
		for _, a := range w.now {
			p.grant(a, w.grantsOf(a))
		}
		for _, o := range w.inTurn() {
			p.post(o)
		}
	},
}

// grantField is how many markers generals are given (EM-8.1).
var grantField = leadersField("assign", shape.Number(1, assignMost),
	func(_ *draft[*staff], r *orders.Reader, l leaderID, n *orders.Node) (grant, bool) {
		v, ok := r.Int(n, 1, 99)
		return grant{l, v}, ok
	},
	func(_ *View, g grant) (leaderID, *orders.Node) { return g.to, orders.Number(g.n) },
	rule[*staff, grant]{
		Next: func(w *staff) iter.Seq[grant] {
			return func(yield func(grant) bool) {
				for l := leaderID(1); int(l) < len(w.board.Leaders); l++ {
					for n := 1; n <= assignMost; n++ {
						if w.yours(l) && !yield(grant{l, n}) {
							return
						}
					}
				}
			}
		},
		May: func(w *staff, g grant) *play.Fault {
			name := w.board.leaderArg("leader", g.to)
			switch {
			case !w.yours(g.to):
				return &play.Fault{Clause: "EM-8.1", Why: phrase.Say("em.assign-nobody", name)}
			case slices.ContainsFunc(w.grants, func(o grant) bool { return o.to == g.to }):
				return &play.Fault{Clause: "EM-8.1", Why: phrase.Say("em.leader-twice", name)}
			}
			a := w.board.lead(g.to).army
			return w.board.assignFault(a, append(w.grantsOf(a), g))
		},
		Put: func(w *staff, g grant) { w.grants = append(w.grants, g) },
		Say: func(v *View, g grant) engine.Choice {
			return engine.Choice{Of: v.lead(g.to).id, What: "assign " + orders.Number(g.n).Text}
		},
	})

// postingField is where leaders go (EM-8.3).
var postingField = leadersField("leaders", postingShape, readPosting,
	func(v *View, o posting) (leaderID, *orders.Node) {
		n := orders.Inline()
		if o.does == attaches {
			return o.leader, n.Set("attach", orders.Text(v.unitText(o.to)))
		}
		return o.leader, n.Set(deedWords[o.does], writePlace(o.at))
	},
	rule[*staff, posting]{
		Next: func(w *staff) iter.Seq[posting] { return w.nextPosting },
		May:  (*staff).postingFault,
		Put: func(w *staff, o posting) {
			w.posted = append(w.posted, o)
			w.board.posts(o)
		},
		Say: func(v *View, o posting) engine.Choice {
			what := deedWords[o.does]
			if o.does == attaches {
				what += " " + v.unitText(o.to)
			}
			return engine.Choice{Of: v.lead(o.leader).id, What: what}
		},
		Slots: postings.slots(),
		Whole: postings.whole,
	})

// postings are the places to which leaders may go.
var postings = where(func(w *staff, o posting) (geometry.Point, int) {
	return w.board.whereIs(o.leader), int(leaderReach * int64(w.board.segment()) / ringStep)
}, func(w *staff, o posting) bool {
	at := geometry.Point(o.at) // most places that are no good are too far, or not free
	return w.board.within(w.board.whereIs(o.leader), at, leaderReach) && w.board.freeAmong(at, w.crowd(o.leader)) && w.postingFault(o) == nil
})

// postingShape is {move: [600, 130]}, {attach: 13} or {detach: [480, 200]}.
var postingShape = shape.Verbs(shape.May("move", placeShape), shape.May("attach", shape.Name("unit")), shape.May("detach", placeShape))

// readPosting reads where a leader goes.
func readPosting(x *draft[*staff], r *orders.Reader, l leaderID, n *orders.Node) (posting, bool) {
	o := posting{leader: l}
	key, value := r.Only(n, deedWords[1:]...)
	if value == nil {
		return o, false
	}
	o.does = deed(slices.Index(deedWords, key))
	ok := false
	if o.does == attaches {
		o.to, ok = units.Read(x.View, r, value)
	} else {
		o.at, ok = readWhole(r, value)
	}
	return o, ok
}

// grantsOf lists what is given in one army.
func (w *staff) grantsOf(a army) []grant {
	return slices.DeleteFunc(slices.Clone(w.grants), func(g grant) bool { return w.board.lead(g.to).army != a })
}

// yours says whether a leader is of an army whose share it is.
func (w *staff) yours(l leaderID) bool { return slices.Contains(w.now, w.board.lead(l).army) }

// isPosted says whether it has been said where a leader goes.
func (w *staff) isPosted(l leaderID) bool {
	return slices.ContainsFunc(w.posted, func(p posting) bool { return p.leader == l })
}

// nextPosting lists what leaders may do: attach themselves to a unit, or go somewhere.
func (w *staff) nextPosting(yield func(posting) bool) {
	for l := leaderID(1); int(l) < len(w.board.Leaders); l++ {
		if !w.yours(l) || !w.board.inField(l) || w.isPosted(l) {
			continue // who goes somewhere already can't go anywhere else, and no place need be looked for
		}
		does := goes
		if w.board.Leaders[l].Attached != 0 {
			does = detaches
		}
		if !yield(posting{leader: l, does: does}) {
			return
		}
		for _, u := range w.board.standing() {
			if w.board.mayAttach(l, u) && !yield(posting{leader: l, does: attaches, to: u}) {
				return
			}
		}
	}
}

// postingFault says why a leader may not go there.
func (w *staff) postingFault(o posting) *play.Fault {
	name := w.board.leaderArg("leader", o.leader)
	attached := w.board.Leaders[o.leader].Attached
	switch {
	case !w.yours(o.leader):
		return &play.Fault{Clause: "EM-8.3", Why: phrase.Say("em.leader-not-yours", name)}
	case w.isPosted(o.leader):
		return &play.Fault{Clause: "EM-8.3", Why: phrase.Say("em.leader-twice", name)}
	case o.does == attaches && attached == o.to:
		return &play.Fault{Clause: "EM-8.3", Why: phrase.Say("em.leader-there", name)}
	case o.does == attaches:
		return w.board.attachFault(o.leader, o.to)
	case o.does == detaches && attached == 0 && w.board.inField(o.leader):
		return &play.Fault{Clause: "EM-8.3", Why: phrase.Say("em.leader-is-free", name)}
	case o.does == goes && attached != 0:
		return &play.Fault{Clause: "EM-8.3", Why: phrase.Say("em.leader-is-attached", name)}
	}
	return w.board.moveFault(o.leader, geometry.Point(o.at))
}

// posts puts a leader where he goes.
func (g *game) posts(o posting) {
	if o.does == attaches {
		g.attach(o.leader, o.to)
		return
	}
	g.moveLeader(o.leader, geometry.Point(o.at))
}

// post puts a leader where he goes, and tells it.
func (p *battlefield) post(o posting) {
	p.posts(o)
	if o.does == attaches {
		p.tell("EM-8.3", "em.leader-attaches", p.leaderArg("leader", o.leader), p.unitArg("unit", o.to))
		return
	}
	p.tell("EM-8.3", "em.leader-moves", p.leaderArg("leader", o.leader), placeArg("place", o.at))
}

// grant gives markers to the generals of an army, and tells it; Ney has his unasked (EM-8.1).
func (p *battlefield) grant(a army, grants []grant) {
	before := make([]int, len(p.Leaders))
	for l := range p.Leaders {
		before[l] = p.Leaders[l].Markers
	}
	p.assign(a, grants)
	for l := leaderID(1); int(l) < len(p.Leaders); l++ {
		if n := p.Leaders[l].Markers - before[l]; n > 0 {
			p.tell("EM-8.1", "em.assigned", p.leaderArg("leader", l), phrase.Number("n", n))
		}
	}
}

// placeArg is a place of the field in a sentence.
func placeArg(name string, at place) phrase.Arg {
	return phrase.Literal(name, writePlace(at).OneLine())
}

// placesField is where leaders who come to the field, or flee on it, are put: whole millimetres, or
// by a word where the deadline would put them.
func placesField(key, word string, usual func(*staff, leaderID) (geometry.Point, bool), about func(*staff, posting) (geometry.Point, int), may func(*staff, posting) *play.Fault) keyed[*staff] {
	fault := func(w *staff, o posting) *play.Fault {
		if o.does == asUsual && slices.Contains(w.back, o.leader) {
			at, ok := usual(w, o.leader)
			if !ok {
				return &play.Fault{Clause: "EM-8.3", Why: phrase.Say("em.leader-no-room", w.board.leaderArg("leader", o.leader))}
			}
			o.at = place(at)
		}
		return may(w, o)
	}
	places := where(about, func(w *staff, o posting) bool { return fault(w, o) == nil })
	one := leadersField(key, shape.Either(shape.Words(word), placeShape),
		func(_ *draft[*staff], r *orders.Reader, l leaderID, n *orders.Node) (posting, bool) {
			if r.Is(n, word) {
				return posting{leader: l, does: asUsual}, true
			}
			at, ok := readWhole(r, n)
			return posting{leader: l, does: goes, at: at}, ok
		},
		func(_ *View, o posting) (leaderID, *orders.Node) {
			if o.does == asUsual {
				return o.leader, orders.Text(word)
			}
			return o.leader, writePlace(o.at)
		},
		rule[*staff, posting]{
			Next: func(w *staff) iter.Seq[posting] {
				return func(yield func(posting) bool) {
					for _, l := range w.back {
						if !yield(posting{leader: l, does: asUsual}) || !yield(posting{leader: l, does: goes}) {
							return
						}
					}
				}
			},
			May: fault,
			Put: func(w *staff, o posting) {
				w.back = slices.DeleteFunc(slices.Clone(w.back), func(l leaderID) bool { return l == o.leader })
				if o.does == asUsual {
					at, _ := usual(w, o.leader)
					o = posting{leader: o.leader, does: goes, at: place(at)}
				}
				w.posted = append(w.posted, o)
				w.board.posts(o)
			},
			Say: func(v *View, o posting) engine.Choice {
				if o.does == asUsual {
					return engine.Choice{Of: v.lead(o.leader).id, What: word}
				}
				return engine.Choice{Of: v.lead(o.leader).id, What: key}
			},
			Slots: places.slots(),
			Whole: places.whole,
		})
	return spoken(one)
}

// placesForm is the form of a stop at which leaders are put somewhere. Who is not named goes where
// the deadline would put him.
func placesForm(key, word string, back func(*View, engine.Decision) []leaderID, usual func(*staff, leaderID) (geometry.Point, bool), about func(*staff, posting) (geometry.Point, int), may func(*staff, posting) *play.Fault, do func(*battlefield, engine.Decision, *staff)) *form[*staff] {
	return &form[*staff]{
		Begin: func(v *View, d engine.Decision) (*staff, bool) {
			w := &staff{v: v, board: v.trial(), back: back(v, d)}
			return w, len(w.back) > 0
		},
		Flow:   true,
		Fields: []keyed[*staff]{placesField(key, word, usual, about, may)},
		Usual: func(x *draft[*staff]) {
			for _, l := range x.World.back {
				x.Try(key, posting{leader: l, does: asUsual})
			}
		},
		Do: do,
	}
}

// substituteForm is the stop substitute (EM-S2): {place: {derlon: [640, 260]}}, or {derlon: beside} for
// where the deadline would place him.
var substituteForm = placesForm("place", "beside",
	func(v *View, d engine.Decision) []leaderID {
		return slices.DeleteFunc(slices.Clone(v.Back), func(l leaderID) bool { return v.seatOf(v.lead(l).army) != d.Side })
	},
	func(w *staff, l leaderID) (geometry.Point, bool) { return w.board.substitutePlace(l) },
	func(w *staff, o posting) (geometry.Point, int) {
		lo, hi := geometry.Point{X: geometry.Limit, Y: geometry.Limit}, geometry.Point{}
		for _, u := range w.board.standing() {
			if at := w.board.Units[u].At; w.board.corpsOf(u) == w.board.lead(o.leader).corps {
				lo, hi = geometry.Point{X: min(lo.X, at.X), Y: min(lo.Y, at.Y)}, geometry.Point{X: max(hi.X, at.X), Y: max(hi.Y, at.Y)}
			}
		}
		far := max(hi.X-lo.X, hi.Y-lo.Y)/2 + substituteReach*int64(w.board.segment())
		return geometry.Point{X: (lo.X + hi.X) / 2, Y: (lo.Y + hi.Y) / 2}, int(far / ringStep)
	},
	func(w *staff, o posting) *play.Fault {
		if !slices.Contains(w.back, o.leader) {
			return &play.Fault{Clause: "EM-5.6", Why: phrase.Say("em.substitute-not", w.board.leaderArg("leader", o.leader))}
		}
		return w.board.standsFault(o.leader, geometry.Point(o.at))
	},
	func(p *battlefield, _ engine.Decision, w *staff) {
		for _, o := range w.inTurn() {
			p.post(o)
		}
		for _, l := range w.back {
			if at, ok := p.substitutePlace(l); ok {
				p.post(posting{leader: l, does: goes, at: place(at)})
			}
		}
		p.Back = slices.DeleteFunc(p.Back, func(l leaderID) bool { return p.inField(l) })
	})
