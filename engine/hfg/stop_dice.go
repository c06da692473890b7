package hfg

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// What is done with the PIP dice before the moves (HFG-7.3, HFG-7.4, HFG-7.8, HFG-8.1): at the stop dice
// (HFG-S7) by whoever has kept it for himself, else by the policy dice, or as part of the stop turn.

// stopDice is the kind of HFG-S7.
const stopDice = "dice"

// A diceVerb is what a diceOrder does.
type diceVerb int8

const (
	diceWind diceVerb = iota + 1
	diceDouble
	diceExchange
	diceTransfer
)

// A diceOrder is one thing that is done before the moves: the wind is chosen (HFG-8.1), a score
// doubled (HFG-7.3) or exchanged (HFG-7.4), an element transferred (HFG-7.8).
type diceOrder struct {
	verb diceVerb
	wind compass
	of   string // a general, or the elements that are transferred, with blanks between them
	to   string // the general below, or the general to whose command it goes
}

// A cast is what a seat has said at the stop dice.
type cast struct {
	seat engine.Side
	diceOrder
}

// A dicePart is one of the keys under which it is written what is done.
type dicePart struct {
	verb  diceVerb
	key   string
	shape shape.Shape
	read  func(m *moveReader, r *orders.Reader, n *orders.Node, take func(at *orders.Node, o diceOrder, ok bool))
	write func(n *orders.Node, o diceOrder) // adds an order to those before it
}

// diceParts are the keys, in the order in which it is done.
var diceParts = []dicePart{
	{diceWind, "wind", shape.Words(facings...),
		func(_ *moveReader, r *orders.Reader, n *orders.Node, take func(*orders.Node, diceOrder, bool)) {
			word, ok := r.Word(n, airWords[1:]...)
			take(n, diceOrder{verb: diceWind, wind: compass(slices.Index(airWords, word))}, ok)
		},
		func(n *orders.Node, o diceOrder) { *n = *orders.Text(airWords[o.wind]) },
	},
	{diceDouble, "double", shape.List(shape.Name("general")),
		func(m *moveReader, r *orders.Reader, n *orders.Node, take func(*orders.Node, diceOrder, bool)) {
			for _, item := range itemsOf(r, n) {
				id, ok := m.name(item)
				take(item, diceOrder{verb: diceDouble, of: id}, ok)
			}
		},
		func(n *orders.Node, o diceOrder) { n.Kind = orders.List; n.Add(orders.Text(o.of)) },
	},
	{diceExchange, "exchange", shape.Map(shape.Name("general"), shape.Name("general")),
		func(m *moveReader, r *orders.Reader, n *orders.Node, take func(*orders.Node, diceOrder, bool)) {
			for _, pair := range play.Entries(r, n) {
				above, ok := m.name(pair.Key)
				below, also := m.friend(pair.Value)
				take(pair.Key, diceOrder{verb: diceExchange, of: above, to: below}, ok && also)
			}
		},
		func(n *orders.Node, o diceOrder) { n.Set(o.of, orders.Text(o.to)) },
	},
	{diceTransfer, "transfer", shape.List(shape.Record(shape.Need("elements", shape.List(shape.Name("element"))), shape.Need("to", shape.Name("general")))),
		func(m *moveReader, r *orders.Reader, n *orders.Node, take func(*orders.Node, diceOrder, bool)) {
			for _, item := range r.List(n) {
				inner := r.Fields(item, "elements", "to")
				to, ok := m.friend(r.Require(inner, "to"))
				var ids []string
				for _, one := range r.List(r.Require(inner, "elements")) {
					id, also := m.name(one)
					ids, ok = append(ids, id), ok && also
				}
				take(item, diceOrder{verb: diceTransfer, of: strings.Join(ids, " "), to: to}, ok && len(ids) > 0)
			}
		},
		func(n *orders.Node, o diceOrder) {
			n.Kind = orders.List
			n.Add(orders.Inline().Set("elements", flow(orders.Texts(strings.Fields(o.of)...))).Set("to", orders.Text(o.to)))
		},
	},
}

// node writes the orders of one key; nil for none.
func (d *dicePart) node(parts []play.Part) *orders.Node {
	var n *orders.Node
	for _, part := range parts {
		if o := part.Value.(diceOrder); o.verb == d.verb {
			if n == nil {
				n = orders.Inline()
			}
			d.write(n, o)
		}
	}
	return n
}

// field is the key at the stop dice.
func (d *dicePart) field() keyed[*turnWorld] {
	f := diceField
	f.Key, f.Shape = d.key, d.shape
	f.Read = func(x *draft[*turnWorld], r *orders.Reader, n *orders.Node) { d.reads(x, r, n, d.key) }
	f.Write = func(x *draft[*turnWorld], parts []play.Part) *orders.Node {
		if len(x.Parts) == 0 && d.verb == diceDouble {
			return flow(orders.Items()) // an answer that does nothing says so
		}
		return d.node(parts)
	}
	f.Next = func(w *turnWorld) iter.Seq[any] {
		return func(yield func(any) bool) {
			for o := range w.diceNext {
				if o.verb == d.verb && w.inDiceOrder(o) && !yield(o) {
					return
				}
			}
		}
	}
	return f
}

// inDiceOrder says whether something is chosen in the order in which it is done, and before the moves and the shots, which hang on it.
func (w *turnWorld) inDiceOrder(o diceOrder) bool {
	if n := len(w.dice); n > 0 && w.dice[n-1].verb > o.verb {
		return false
	}
	return len(w.moves) == 0 && len(w.fires) == 0
}

// reads reads the orders of the key, as parts of an answer with a key of its own.
func (d *dicePart) reads(x *draft[*turnWorld], r *orders.Reader, n *orders.Node, key string) {
	x.World.kept = r.Accepted
	d.read(&moveReader{w: x.World, r: r}, r, n, func(at *orders.Node, o diceOrder, ok bool) {
		if ok {
			x.Judge(r, at, key, o, true, len(r.Problems))
		}
	})
}

// diceField is the key dice of the stop turn.
var diceField = func() keyed[*turnWorld] {
	f := play.Custom("dice", rule[*turnWorld, diceOrder]{
		May: func(w *turnWorld, o diceOrder) *play.Fault {
			fault := w.diceFault(o)
			if w.kept && fault != nil && fault.Why.Code == "hfg.double-none" {
				return nil // accepted when a score could still be doubled without a die: nothing comes of it
			}
			return fault
		},
		Put: func(w *turnWorld, o diceOrder) {
			w.dice = append(w.dice, o)
			(&battlefield{game: w.board}).usesDie(&o)
		},
		Next: func(w *turnWorld) iter.Seq[diceOrder] {
			return func(yield func(diceOrder) bool) {
				for o := range w.diceNext {
					if w.inDiceOrder(o) && !yield(o) {
						return
					}
				}
			}
		},
		Slots: []play.Slot[*View, *turnWorld, diceOrder]{transferSlot},
		Whole: func(w *turnWorld, o diceOrder) diceOrder {
			if o.verb == diceTransfer && strings.Contains(o.of, " ") {
				o.of = w.hangingTogether(o.of)
			}
			return o
		},
		Say: func(_ *View, o diceOrder) engine.Choice {
			d := &diceParts[o.verb-1]
			o.of, _, _ = strings.Cut(o.of, " ")
			return engine.Choice{Of: o.of, What: d.key + ": " + d.node([]play.Part{{Value: o}}).OneLine()}
		},
	})
	f.Optional = true
	var keys []shape.Key
	for i := range diceParts {
		keys = append(keys, shape.May(diceParts[i].key, diceParts[i].shape))
	}
	f.Shape = shape.Record(keys...)
	f.Read = func(x *draft[*turnWorld], r *orders.Reader, n *orders.Node) {
		var keys []string
		for i := range diceParts {
			keys = append(keys, diceParts[i].key)
		}
		fields := r.Fields(n, keys...)
		for i := range diceParts {
			if at := fields.Get(diceParts[i].key); at != nil {
				diceParts[i].reads(x, r, at, "dice")
			}
		}
	}
	f.Write = writeDice
	return f
}()

// transferSlot names those who are transferred with the first, one after the other.
var transferSlot = play.Slot[*View, *turnWorld, diceOrder]{
	Again: true,
	Next: func(w *turnWorld, o diceOrder) iter.Seq[play.Span[diceOrder]] {
		return func(yield func(play.Span[diceOrder]) bool) {
			if o.verb != diceTransfer {
				return
			}
			named := strings.Fields(o.of)
			for _, e := range w.board.standing() {
				id, one := w.v.def(e).id, o
				if slices.Contains(named, id) || w.board.command(e) != w.board.commandOf(named[0]) {
					continue
				}
				if one.of = joined(o.of, id); !yield(play.Span[diceOrder]{Value: one}) {
					return
				}
			}
		}
	},
	Says: func(_ *View, o diceOrder) []engine.Choice {
		first, more, _ := strings.Cut(o.of, " ")
		all := wordsSaid("with ", more)
		for i := range all {
			all[i].Of = first
		}
		return all
	},
}

// writeDice writes what is done before the moves under the key dice of the stop turn.
func writeDice(_ *draft[*turnWorld], parts []play.Part) *orders.Node {
	if len(parts) == 0 {
		return nil
	}
	n := orders.Inline()
	for i := range diceParts {
		if value := diceParts[i].node(parts); value != nil {
			n.Set(diceParts[i].key, value)
		}
	}
	return n
}

// diceNext lists what may be done now.
func (w *turnWorld) diceNext(yield func(diceOrder) bool) {
	try := func(o diceOrder) bool { return w.diceFault(o) != nil || yield(o) }
	g := w.board
	for c := fromNorth; int(c) < len(airWords); c++ {
		if !try(diceOrder{verb: diceWind, wind: c}) {
			return
		}
	}
	for c := commandID(1); int(c) < len(g.Commands); c++ {
		general := g.lead(c).general
		if !w.v.leads(c) || general == 0 {
			continue
		}
		id := g.def(general).id
		if !try(diceOrder{verb: diceDouble, of: id}) {
			return
		}
		for below := commandID(1); int(below) < len(g.Commands); below++ {
			if d := g.lead(below); d.superior != c || d.general == 0 {
				continue
			}
			to := g.def(g.lead(below).general).id
			if !try(diceOrder{verb: diceExchange, of: id, to: to}) {
				return
			}
			for _, e := range g.standing() {
				if g.command(e) == c && !try(diceOrder{verb: diceTransfer, of: g.def(e).id, to: to}) {
					return
				}
			}
		}
	}
}

// diceForm is the stop dice.
var diceForm = &form[*turnWorld]{
	Begin: func(v *View, _ engine.Decision) (*turnWorld, bool) {
		return &turnWorld{fireWorld: fireWorld{v: v, board: v.trial()}}, v.of != noSide && v.phasing() == v.of && v.Phase == casting
	},
	Fields: func() []keyed[*turnWorld] {
		var all []keyed[*turnWorld]
		for i := range diceParts {
			all = append(all, diceParts[i].field())
		}
		return all
	}(),
	Stands: true, Gathers: true,
	Note: noteDice,
	Chance: func(x *draft[*turnWorld], chance *rand.Rand) {
		for i := range diceParts {
			all := slices.Collect(diceParts[i].field().Next(x.World))
			if len(all) > 0 && chance.IntN(3) == 0 {
				x.Try(diceParts[i].key, all[chance.IntN(len(all))])
			}
		}
	},
	Do: func(p *battlefield, d engine.Decision, w *turnWorld) {
		for _, o := range w.dice {
			p.casts = append(p.casts, cast{d.Side, o})
		}
	},
}

// noteDice makes the template of the stop dice: what each general has rolled, and what may be done.
func noteDice(x *draft[*turnWorld], n *orders.Node) {
	w, j := x.Blank().World, &play.Jotter{Words: vocabulary}
	g := w.board
	for c := commandID(1); int(c) < len(g.Commands); c++ {
		if g.Commands[c].Die > 0 && g.lead(c).side == w.v.of && w.v.hearsOf(w.v.seat, c) {
			j.Say(g.def(g.lead(c).general).id + ": " + strconv.Itoa(g.pips(c)) + " PIP")
		}
	}
	shown := [diceTransfer + 1]int{}
	for o := range w.diceNext {
		if shown[o.verb]++; shown[o.verb] <= mostCasts && (o.verb != diceTransfer && o.verb != diceWind || shown[o.verb] == 1) {
			d := &diceParts[o.verb-1]
			j.Show(d.key+": "+d.node([]play.Part{{Value: o}}).OneLine(), "")
		}
	}
	j.Say(w.diceLegend()...)
	*n = orders.Node{Kind: orders.List, Spare: j.Lines(), Items: []*orders.Node{orders.Text("end")}}
}

// mostCasts is how many of each kind a template of the stop dice shows.
const mostCasts = 6

// name reads one of the seat's elements by its id.
func (m *moveReader) name(n *orders.Node) (string, bool) {
	if n == nil {
		return "", false
	}
	e, ok := m.own(n)
	if !ok {
		return "", false
	}
	return m.w.v.def(e).id, true
}

// friend reads an element of the seat's side, another player's, too.
func (m *moveReader) friend(n *orders.Node) (string, bool) {
	if n == nil {
		return "", false
	}
	v := m.w.v
	var list []orders.Choice
	for e := elementID(1); int(e) < len(v.Elements); e++ {
		if v.def(e).side == v.of {
			list = append(list, orders.Choice{ID: v.def(e).id})
		}
	}
	return m.r.Pick(n, "element", list)
}

// diceFault says why something may not be done before the moves.
func (w *turnWorld) diceFault(o diceOrder) *play.Fault {
	g := w.board
	if g.Again {
		return refuse("HFG-7.4", "hfg.dice-late")
	}
	if o.verb == diceWind {
		if chief := g.chiefOf(w.v.of); chief == 0 || g.owner(chief) != w.v.seat {
			return refuse("HFG-8.1", "hfg.wind-who")
		}
		if g.Turn != 1 || g.Wind != 0 {
			return refuse("HFG-8.1", "hfg.wind-when")
		}
		return nil
	}
	all := g.namedBy(o)
	c, to := g.command(all[0]), g.commandOf(o.to)
	if !w.v.leads(c) || o.to != "" && g.lead(to).side != w.v.of {
		return refuse("HFG-7.3", "hfg.order-foreign", g.elementArg("element", all[0]))
	}
	if o.to != "" && !w.v.leads(to) && g.Phase != casting {
		return refuse("HFG-R159", "hfg.dice-between", g.elementArg("element", g.lead(to).general))
	}
	switch o.verb {
	case diceDouble:
		return g.doubleFault(c)
	case diceExchange:
		return g.exchangeFault(c, to)
	default:
		return g.transfersFault(all, to)
	}
}

// transfersFault says why an element, or a group, may not go over to another command (HFG-7.8).
func (g *game) transfersFault(all []elementID, to commandID) *play.Fault {
	if g.Commands[g.command(all[0])].Sent {
		return refuse("HFG-7.8", "hfg.transfer-once", g.elementArg("element", all[0]))
	}
	for _, e := range all {
		if g.command(e) != g.command(all[0]) {
			return refuse("HFG-R112", "hfg.order-commands", g.elementArg("element", e), g.elementArg("other", all[0]))
		}
		if fault := g.transferFault(e, to); fault != nil {
			return fault
		}
	}
	if len(all) > 1 && !g.group(all) {
		var ids []string
		for _, e := range all {
			ids = append(ids, g.def(e).id)
		}
		return refuse("HFG-1.10", "hfg.order-group", phrase.Literals("elements", ids))
	}
	return nil
}

// namedBy lists the elements that an order about dice names first: the general, or who is transferred.
// They have been read before.
func (g *game) namedBy(o diceOrder) []elementID {
	var all []elementID
	for _, id := range strings.Fields(o.of) {
		e, _ := g.elementNamed(id)
		all = append(all, e)
	}
	return all
}

// commandOf is the command of an element; 0: there is no such element.
func (g *game) commandOf(id string) commandID {
	e, ok := g.elementNamed(id)
	if !ok {
		return 0
	}
	return g.command(e)
}

// usesDie does one thing before the moves.
func (p *battlefield) usesDie(o *diceOrder) {
	all, to := p.namedBy(*o), p.commandOf(o.to)
	switch o.verb {
	case diceWind:
		p.Wind = o.wind
	case diceDouble:
		if c := p.command(all[0]); p.Commands[c].Die > 0 {
			p.double(c)
		}
	case diceExchange:
		p.exchange(p.command(all[0]), to)
	case diceTransfer:
		p.Commands[p.command(all[0])].Sent = true
		for _, e := range all {
			p.transfer(e, to)
		}
	}
}

// asksDice says whether a seat is asked what it does with its dice. That hangs on what it has said of it,
// and on no die (HFG-S7).
func (g *game) asksDice(seat engine.Side) bool {
	return len(g.casesOf(seat, policyDice)) == 0 || g.keeps(seat, policyDice)
}

// usesDice does with the dice what the seats of the phasing side have said at the stop dice, and what their
// policies say: first the wind, then all that is doubled, then exchanges, then transfers, whoever ordered
// it (HFG-R33, HFG-R159).
func (p *battlefield) usesDice() {
	casts := p.casts
	p.casts = nil
	for i := range diceParts {
		verb := diceParts[i].verb
		for _, seat := range p.seatsOf(p.phasing()) {
			for _, c := range casts {
				if c.seat != seat || c.verb != verb {
					continue
				}
				if fault := p.dices(seat, c.diceOrder); fault != nil { // another player was faster
					p.Tell(fault.Clause, play.To([]engine.Side{seat}, fault.Why.Code, fault.Why.Args...))
				}
			}
			p.dicesBeforehand(seat, verb)
		}
	}
}

// dices does one thing with a die, if it may be done now, and tells its side.
func (p *battlefield) dices(seat engine.Side, o diceOrder) *play.Fault {
	v := p.view(seat)
	if fault := (&turnWorld{fireWorld: fireWorld{v: v, board: v.game}}).diceFault(o); fault != nil {
		return fault
	}
	all, to := p.namedBy(o), p.commandOf(o.to)
	c := commandID(0)
	if len(all) > 0 {
		c = p.command(all[0])
	}
	p.usesDie(&o)
	switch o.verb {
	case diceDouble:
		p.tellCommand(c, "HFG-7.3", "hfg.doubled", p.commandArg("command", c), phrase.Number("pips", p.pips(c)))
	case diceExchange:
		p.tellCommand(to, "HFG-7.4", "hfg.exchanged", p.commandArg("above", c), p.commandArg("below", to),
			phrase.Number("pips", p.pips(c)), phrase.Number("others", p.pips(to)))
	case diceTransfer:
		p.tellCommand(to, "HFG-7.8", "hfg.transferred", phrase.Names("elements", "element", strings.Fields(o.of)), p.commandArg("command", to))
	}
	return nil
}
