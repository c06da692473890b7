package hfg

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// How the moves of the stop turn are read.

var (
	farShape   = shape.Either(shape.Words("max"), shape.Number(1, mostFar))
	wheelShape = sidedShape(180)
	sideShape  = sidedShape(mostSide)
	whereShape = shape.Either(shape.Name("place"), shape.List(shape.Name("length")))
)

// mostSide is how far to a side an order may say, in paces: what is too far the rules tell.
const mostSide = 999

// sidedShape is the shape of left or right with a number.
func sidedShape(most int) shape.Shape {
	return shape.Checked("wheel", func(text string) phrase.Phrase {
		if _, ok := sided(text, most); !ok {
			return phrase.Say("hfg.order-sided", phrase.Literal("text", text))
		}
		return phrase.Phrase{}
	})
}

// payloadShapes are the keys that say what a move is.
var payloadShapes = []shape.Key{
	shape.May("to", whereShape), shape.May("via", shape.List(whereShape)), shape.May("stop-short", shape.Number(0, mostFar)),
	shape.May("facing", facingShape), shape.May("forward", farShape), shape.May("back", farShape), shape.May("left", farShape),
	shape.May("right", farShape), shape.May("advance", farShape), shape.May("wheel", wheelShape), shape.May("sidestep", sideShape),
	shape.May("contact", shape.Name("enemy")), shape.May("edge", shape.Words(edgeSides...)), shape.May("road", shape.List(shape.Name("road"))),
	shape.May("along", farShape), shape.May("line", shape.Words("left", "right")), shape.May("deep", shape.Number(1, 2)),
	shape.May("file", shape.Words("left", "right")),
	shape.May("then", shape.List(shape.Record(shape.May("wheel", wheelShape), shape.May("advance", shape.Number(1, mostFar-1))))),
}

// crewShapes are the keys that say who moves.
var crewShapes = []shape.Key{shape.May("element", shape.Name("element")), shape.May("group", shape.List(shape.Name("element"))),
	shape.May("column", shape.List(shape.Name("element"))), shape.May("by", shape.Name("element"))}

// headShapes are the keys of orders that are no plain moves, and what is done in their place.
var headShapes = func() []shape.Key {
	plain := shape.Record(append(slices.Clone(crewShapes), payloadShapes...)...)
	return []shape.Key{shape.May("march", plain), shape.May("rally", shape.Name("element")), shape.May("enter", shape.Name("command")),
		shape.May("ford", plain), shape.May("build", shape.Name("element")), shape.May("destroy-bridge", shape.Record(shape.Need("element", shape.Name("element")), shape.Need("bridge", shape.Name("bridge")))),
		shape.May("else", shape.Record(payloadShapes...))}
}()

// moveShape is how one move is written.
var moveShape = shape.Record(slices.Concat(crewShapes, payloadShapes, headShapes)...)

// keysOf are the keys of shapes.
func keysOf(all []shape.Key) []string {
	var keys []string
	for _, k := range all {
		keys = append(keys, k.Key)
	}
	return keys
}

// sided reads right 10, or left 10: positive to the right.
func sided(text string, most int) (int, bool) {
	words := strings.Fields(text)
	if len(words) != 2 {
		return 0, false
	}
	n, err := strconv.Atoi(words[1])
	if err != nil || n < 1 || n > most {
		return 0, false
	}
	key, _ := vocabulary.Key(words[0], []string{"left", "right"})
	switch key {
	case "right":
		return n, true
	case "left":
		return -n, true
	}
	return 0, false
}

// readMove reads one move in the world that those before it leave behind.
func readMove(w *turnWorld, r *orders.Reader, n *orders.Node) (order, bool) {
	since := len(r.Problems)
	m := moveReader{w: w, r: r}
	keys := slices.Concat(keysOf(crewShapes), keysOf(payloadShapes), keysOf(headShapes))
	all := r.Fields(n, keys...)
	if n.Kind != orders.Map {
		return order{}, false
	}
	f := m.fits(all, keys, headWritings)
	var o order
	switch {
	case f.Get("march") != nil:
		inner := f.Get("march")
		o = m.order(inner, r.Fields(inner, append(keysOf(crewShapes), keysOf(payloadShapes)...)...))
		o.March = true
	case f.Get("ford") != nil:
		inner := f.Get("ford")
		o = m.order(inner, r.Fields(inner, append(keysOf(crewShapes), keysOf(payloadShapes)...)...))
		if o.Verb != verbGo && o.Verb != 0 {
			r.Refuse(inner, "HFG-10.2", phrase.Say("hfg.order-alone"))
		}
		o.Verb = verbFord
	case f.Get("build") != nil:
		o.Verb = verbBuild
		if e, ok := m.own(f.Get("build")); ok {
			o.Of = w.v.def(e).id
		}
	case f.Get("destroy-bridge") != nil:
		o = m.wrecks(f.Get("destroy-bridge"))
	case f.Get("enter") != nil:
		o = m.enters(f)
	case f.Get("rally") != nil:
		o = order{Verb: verbRally}
		if e, ok := m.own(f.Get("rally")); ok {
			o.Of = w.v.def(e).id
		}
		m.payer(all, &o)
	default:
		o = m.order(n, all)
	}
	if at := f.Get("else"); at != nil {
		other := order{Of: o.Of, Column: o.Column, March: o.March, Payer: o.Payer}
		m.payload(at, r.Fields(at, keysOf(payloadShapes)...), &other)
		o.Else = &other
	}
	return o, len(r.Problems) == since && o.Of != "" && o.Verb != 0
}

// enters reads that a command comes on: {enter: iv, along: 600}, as far as it goes if no distance
// is said.
func (m *moveReader) enters(f *moveFields) order {
	var list []orders.Choice
	for c := commandID(1); int(c) < len(m.w.board.Commands); c++ {
		if m.w.v.leads(c) {
			list = append(list, orders.Choice{ID: m.w.v.lead(c).id})
		}
	}
	o := order{Verb: verbEnter, Far: mostFar}
	o.Of, _ = m.r.Pick(f.Get("enter"), "corps", list)
	if at := f.Get("along"); at != nil {
		o.Far = readFar(m.r, at)
	}
	return o
}

// wrecks reads who begins to destroy which bridge.
func (m *moveReader) wrecks(n *orders.Node) order {
	f := m.r.Fields(n, "element", "bridge")
	o := order{Verb: verbWreck}
	if at := m.r.Require(f, "element"); at != nil {
		if e, ok := m.own(at); ok {
			o.Of = m.w.v.def(e).id
		}
	}
	var list []orders.Choice
	for _, b := range m.w.board.Bridges {
		list = append(list, orders.Choice{ID: b.ID})
	}
	if at := m.r.Require(f, "bridge"); at != nil {
		o.To, _ = m.r.Pick(at, "bridge", list)
	}
	return o
}

// A moveReader reads moves.
type moveReader struct {
	w *turnWorld
	r *orders.Reader
}

// own reads one of the seat's elements.
func (m *moveReader) own(n *orders.Node) (elementID, bool) {
	var list []orders.Choice
	for e := elementID(1); int(e) < len(m.w.board.Elements); e++ {
		if m.w.v.owns(e) {
			list = append(list, orders.Choice{ID: m.w.v.def(e).id})
		}
	}
	id, ok := m.r.Pick(n, "element", list)
	if !ok {
		return 0, false
	}
	return m.w.v.elementNamed(id)
}

// order reads who moves, and how.
func (m *moveReader) order(n *orders.Node, f orders.Fields) order {
	var o order
	said := 0
	for _, key := range []string{"element", "group", "column"} {
		at := f.Get(key)
		if at == nil {
			continue
		}
		said++
		o.Column = key == "column"
		var ids []string
		items := []*orders.Node{at}
		switch id, whole := m.together(at); {
		case key == "group" && whole:
			o.Of = m.linkedTo(id)
			continue
		case key != "element":
			items = m.r.List(at)
		}
		for _, item := range items {
			e, ok := m.own(item)
			switch {
			case ok && slices.Contains(ids, m.w.v.def(e).id):
				m.r.Refuse(item, "", phrase.Say("hfg.named-twice", elementArg("element", m.w.v.def(e))))
			case ok:
				ids = append(ids, m.w.v.def(e).id)
			}
		}
		o.Of = strings.Join(ids, " ")
	}
	if said != 1 {
		m.r.Refuse(n, "HFG-9.1", phrase.Say("hfg.order-who"))
		return o
	}
	m.payer(f, &o)
	m.payload(n, f, &o)
	return o
}

// together reads left..right of kempt: the group in which an element stands; false: it is something else.
func (m *moveReader) together(n *orders.Node) (*orders.Node, bool) {
	words := strings.Fields(n.Text)
	if n.Kind != orders.Scalar || len(words) != 3 || !m.r.Is(orders.Text(words[0]), "left..right") || !m.r.Is(orders.Text(words[1]), "of") {
		return nil, false
	}
	one := *n
	one.Text = words[2]
	return &one, true
}

// linkedTo is the group in which an element stands, as far as it may move now (HFG-1.10); "" for none.
func (m *moveReader) linkedTo(n *orders.Node) string {
	e, ok := m.own(n)
	if !ok {
		return ""
	}
	g := m.w.board
	return g.ids(g.linked(e, func(o elementID) bool {
		return m.w.v.owns(o) && g.command(o) == g.command(e) && g.moveFault(o, tactical) == nil
	}))
}

// payer reads the general of another command who pays.
func (m *moveReader) payer(f orders.Fields, o *order) {
	if at := f.Get("by"); at != nil {
		if e, ok := m.own(at); ok {
			o.Payer = m.w.v.def(e).id
		}
	}
}

// payload reads what a move is.
func (m *moveReader) payload(n *orders.Node, all orders.Fields, o *order) {
	r, f := m.r, m.way(all, o.Column)
	if at := f.Get("facing"); at != nil {
		o.Turns = true
		o.Facing, _ = readFacing(r, at)
	}
	one := !o.Column && !strings.Contains(o.Of, " ")
	switch {
	case f.Get("contact") != nil:
		o.Verb = verbContact
		o.Enemy = m.enemy(f.Get("contact"))
		if at := f.Get("edge"); at != nil {
			word, _ := r.Word(at, edgeSides...)
			o.Edge = slices.Index(edgeSides, word) + 1
		}
	case f.Get("line") != nil || f.Get("file") != nil:
		o.Verb = verbForm
		at := f.Get("file")
		if line := f.Get("line"); line != nil {
			at, o.Deep = line, 1
			if deep := f.Get("deep"); deep != nil {
				o.Deep, _ = r.Int(deep, 1, 2)
			}
		}
		word, _ := r.Word(at, "left", "right")
		o.Right = word == "right"
	case f.Get("along") != nil:
		o.Verb, o.Far = verbAlong, readFar(r, f.Get("along"))
		if at := f.Get("road"); at != nil {
			o.Road = m.roads(at)
		}
	case f.Get("to") != nil:
		o.Verb, o.To = verbGo, m.place(f.Get("to"))
		if at := f.Get("via"); at != nil {
			var all []string
			for _, item := range r.List(at) {
				all = append(all, m.place(item))
			}
			if len(all) > mostVia {
				r.Refuse(at, "HFG-9.5", phrase.Say("hfg.order-via", phrase.Number("most", mostVia)))
			}
			o.Via = strings.Join(all, viaBetween)
		}
		if at := f.Get("stop-short"); at != nil {
			n, _ := r.Int(at, 0, mostFar-1)
			o.Short = n + 1
		}
	default:
		m.straight(n, f, o, one)
	}
	if !one && !o.Column && o.Verb == verbGo {
		r.Refuse(n, "HFG-9.7", phrase.Say("hfg.order-alone"))
	}
}

// How many places on the way a move may name (HFG-9.5), and what stands between them in an order.
const (
	mostVia    = 4
	viaBetween = "; "
)

// straight reads a move straight on: of one element some way, of a group with a wheel.
func (m *moveReader) straight(n *orders.Node, f *moveFields, o *order, one bool) {
	r := m.r
	o.Verb = verbAdvance
	if one {
		o.Verb = verbGo
	}
	since := len(r.Problems)
	for i, key := range bearingWords {
		if at := f.Get(key); at != nil {
			o.Toward, o.Far = bearing(i), readFar(r, at)
		}
	}
	if at := f.Get("advance"); at != nil {
		o.Toward, o.Far = ahead, readFar(r, at)
	}
	if o.Column && r.Accepted {
		o.Toward = ahead // so it went when that was accepted
	}
	for i, key := range []string{"wheel", "sidestep"} {
		most := []int{mostWheelBy, mostSide}[i]
		at := f.Get(key)
		if at == nil {
			continue
		}
		text, _ := r.Text(at)
		n, ok := sided(text, most)
		if !ok {
			r.Refuse(at, "HFG-9.7", phrase.Say("hfg.order-sided", phrase.Literal("text", text)))
			continue
		}
		o.Verb = verbAdvance
		if key == "wheel" {
			o.Wheel = n
		} else {
			o.Side = n
		}
	}
	if at := f.Get("then"); at != nil {
		m.bends(at, o, one)
	}
	if o.Verb == verbAdvance && (o.Toward == toLeft || o.Toward == toRight) {
		r.Refuse(n, "HFG-9.7", phrase.Say("hfg.order-sideways"))
	}
	if o.Far == 0 && o.Wheel == 0 && o.Side == 0 && !o.Turns && len(r.Problems) == since && (r.Accepted || len(f.left) == 0) {
		r.Refuse(n, "HFG-9.1", phrase.Say("hfg.order-what"))
	}
}

// How many further wheels a group's move may have, and by how many degrees it may wheel at most (HFG-1.11).
const (
	mostWheels  = 4
	mostWheelBy = 90
)

// bends reads the further wheels of a group's move: then: [{wheel: left 10, advance: 100}, ...].
func (m *moveReader) bends(n *orders.Node, o *order, one bool) {
	items := m.r.List(n)
	if one || o.Column || o.Toward != ahead || len(items) > mostWheels {
		m.r.Refuse(n, "HFG-9.7", phrase.Say("hfg.order-bends", phrase.Number("most", mostWheels)))
		return
	}
	last := o
	for _, item := range items {
		f := m.r.Fields(item, "wheel", "advance")
		x := &order{Verb: verbAdvance, Of: o.Of}
		if at := f.Get("wheel"); at != nil {
			text, _ := m.r.Text(at)
			by, ok := sided(text, mostWheelBy)
			if !ok {
				m.r.Refuse(at, "HFG-9.7", phrase.Say("hfg.order-sided", phrase.Literal("text", text)))
			}
			x.Wheel = by
		}
		if at := f.Get("advance"); at != nil {
			x.Far, _ = m.r.Int(at, 1, mostFar-1)
		}
		last.Then, last = x, x
	}
}

// readFar reads a distance in paces, or max.
func readFar(r *orders.Reader, n *orders.Node) int {
	if r.Is(n, "max") {
		return mostFar
	}
	far, _ := r.Int(n, 1, mostFar-1)
	return far
}

// enemy reads whom a move contacts.
func (m *moveReader) enemy(n *orders.Node) string {
	var list []orders.Choice
	for e := elementID(1); int(e) < len(m.w.board.Elements); e++ {
		if m.w.board.def(e).side != m.w.v.of && m.w.board.on(e) {
			list = append(list, orders.Choice{ID: m.w.v.def(e).id})
		}
	}
	id, _ := m.r.Pick(n, "enemy", list)
	return id
}

// roads reads one road or several.
func (m *moveReader) roads(n *orders.Node) string {
	var list []orders.Choice
	for i := range m.w.board.lines {
		if d := &m.w.board.lines[i]; d.kind == road {
			list = append(list, orders.Choice{ID: d.id, Names: []string{d.name}})
		}
	}
	var all []string
	for _, item := range m.r.List(n) {
		if id, ok := m.r.Pick(item, "road", list); ok {
			all = append(all, id)
		}
	}
	return strings.Join(all, " ")
}
