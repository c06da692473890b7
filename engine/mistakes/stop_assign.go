package mistakes

import (
	"iter"
	"math/rand/v2"
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
}

// leadersField is a map of leaders, each with what is said of him.
func leadersField[T comparable](key string, value shape.Shape, read func(*draft[*staff], *orders.Reader, leaderID, *orders.Node) (T, bool), write func(*View, T) (leaderID, *orders.Node), f rule[*staff, T]) keyed[*staff] {
	one := keyed[*staff]{
		Key: key, Optional: true, Shape: shape.Map(shape.Name("leader"), value),
		Read: func(x *draft[*staff], r *orders.Reader, n *orders.Node) {
			if r.Is(n, "none") {
				return
			}
			for _, pair := range play.Entries(r, n) {
				l, ok := leaderTexts.Read(x.View, r, pair.Key)
				if !ok {
					continue
				}
				since := len(r.Problems)
				v, whole := read(x, r, l, pair.Value)
				x.Take(r, pair.Key, key, v, whole, since)
			}
		},
		Write: func(x *draft[*staff], parts []play.Part) *orders.Node {
			if len(parts) == 0 {
				return nil
			}
			n := orders.Inline()
			for _, p := range parts {
				l, node := write(x.View, p.Value.(T))
				n.Set(x.View.lead(l).id, node)
			}
			return n
		},
		Next: func(w *staff) iter.Seq[any] {
			return func(yield func(any) bool) {
				for v := range f.Next(w) {
					if !yield(v) {
						return
					}
				}
			}
		},
		May: func(w *staff, v any) *play.Fault { return f.May(w, v.(T)) },
		Put: func(w *staff, v any) { f.Put(w, v.(T)) },
		Say: func(v *View, value any) engine.Choice { return f.Say(v, value.(T)) },
	}
	return one
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
	Fields: []keyed[*staff]{spoken(grantField), postingField},
	Sense:  senseAssign,
	Note: func(x *draft[*staff], n *orders.Node) {
		n.Spare = append(n.Spare, "assign: "+assignExample(x.View))
	},
	Stands: true,
	Do: func(p *battlefield, _ engine.Decision, w *staff) {
		p.Said = true
		for _, a := range w.now {
			p.grant(a, w.grantsOf(a))
		}
		for _, o := range w.posted {
			p.post(o)
		}
	},
}

// assignExample is how markers are given to the first general who may have some.
func assignExample(v *View) string {
	for l := leaderID(1); int(l) < len(v.Leaders); l++ {
		if d := v.lead(l); v.owns(d.army) && d.role == general && v.inField(l) {
			return "{" + d.id + ": 1}"
		}
	}
	return "none"
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
			what := deedWords[o.does] + " "
			if o.does == attaches {
				what += v.unitText(o.to)
			} else {
				what += writePlace(o.at).OneLine()
			}
			return engine.Choice{Of: v.lead(o.leader).id, What: what}
		},
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
		o.at, ok = readPlace(r, value)
	}
	return o, ok
}

// grantsOf lists what is given in one army.
func (w *staff) grantsOf(a army) []grant {
	return slices.DeleteFunc(slices.Clone(w.grants), func(g grant) bool { return w.board.lead(g.to).army != a })
}

// yours says whether a leader is of an army whose share it is.
func (w *staff) yours(l leaderID) bool { return slices.Contains(w.now, w.board.lead(l).army) }

// nextPosting lists moves that are worth trying: to each unit that is near, and to the four
// sides as far as a leader goes.
func (w *staff) nextPosting(yield func(posting) bool) {
	far := leaderReach * int64(w.board.segment())
	for l := leaderID(1); int(l) < len(w.board.Leaders); l++ {
		if !w.yours(l) || !w.board.inField(l) {
			continue
		}
		at, does := w.board.whereIs(l), goes
		if w.board.Leaders[l].Attached != 0 {
			does = detaches
		}
		for h := 0; h < 360; h += 90 {
			if !yield(posting{leader: l, does: does, at: place(at.Plus(geometry.Step(geometry.Heading(h), far)))}) {
				return
			}
		}
		for _, u := range w.board.standing() {
			if w.board.within(at, geometry.Point(w.board.Units[u].At), leaderReach) && w.board.mayAttach(l, u) && !yield(posting{leader: l, does: attaches, to: u}) {
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
	case slices.ContainsFunc(w.posted, func(p posting) bool { return p.leader == o.leader }):
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

// substituteForm is the stop substitute (EM-S2): {place: {derlon: [640, 260]}}. Who is not named
// stands where the deadline would place him.
var substituteForm = &form[*staff]{
	Begin: func(v *View, d engine.Decision) (*staff, bool) {
		w := &staff{v: v, board: v.trial()}
		for _, l := range v.Back {
			if v.seatOf(v.lead(l).army) == d.Side {
				w.back = append(w.back, l)
			}
		}
		return w, len(w.back) > 0
	},
	Flow: true,
	Fields: []keyed[*staff]{spoken(leadersField("place", placeShape,
		func(_ *draft[*staff], r *orders.Reader, l leaderID, n *orders.Node) (posting, bool) {
			at, ok := readPlace(r, n)
			return posting{leader: l, does: goes, at: at}, ok
		},
		func(_ *View, o posting) (leaderID, *orders.Node) { return o.leader, writePlace(o.at) },
		rule[*staff, posting]{
			Next: func(w *staff) iter.Seq[posting] {
				return func(yield func(posting) bool) {
					for _, l := range w.back {
						if at, ok := w.board.substitutePlace(l); ok && !yield(posting{leader: l, does: goes, at: place(at)}) {
							return
						}
					}
				}
			},
			May: func(w *staff, o posting) *play.Fault {
				if !slices.Contains(w.back, o.leader) {
					return &play.Fault{Clause: "EM-5.6", Why: phrase.Say("em.substitute-not", w.board.leaderArg("leader", o.leader))}
				}
				return w.board.standsFault(o.leader, geometry.Point(o.at))
			},
			Put: func(w *staff, o posting) {
				w.posted = append(w.posted, o)
				w.back = slices.DeleteFunc(slices.Clone(w.back), func(l leaderID) bool { return l == o.leader })
				w.board.posts(o)
			},
			Say: func(v *View, o posting) engine.Choice {
				return engine.Choice{Of: v.lead(o.leader).id, What: "place " + writePlace(o.at).OneLine()}
			},
		}))},
	Usual:  placeSubstitutes,
	Stands: true,
	Chance: func(x *draft[*staff], chance *rand.Rand) {
		for _, l := range x.World.back {
			at, ok := x.World.board.substitutePlace(l)
			if !ok {
				continue
			}
			for range 20 {
				near := at.Plus(geometry.Point{X: int64(chance.IntN(60)-30) * ringStep, Y: int64(chance.IntN(60)-30) * ringStep})
				if x.Try("place", posting{leader: l, does: goes, at: place(near)}) {
					break
				}
			}
		}
		placeSubstitutes(x)
	},
	Do: func(p *battlefield, _ engine.Decision, w *staff) {
		for _, o := range w.posted {
			p.post(o)
		}
		for _, l := range w.back {
			if at, ok := p.substitutePlace(l); ok {
				p.post(posting{leader: l, does: goes, at: place(at)})
			}
		}
		p.Back = slices.DeleteFunc(p.Back, func(l leaderID) bool { return p.inField(l) })
	},
}

// placeSubstitutes puts those who are not placed yet where the rules put them (EM-S2).
func placeSubstitutes(x *draft[*staff]) {
	for _, l := range x.World.back {
		if at, ok := x.World.board.substitutePlace(l); ok {
			x.Try("place", posting{leader: l, does: goes, at: place(at)})
		}
	}
}
