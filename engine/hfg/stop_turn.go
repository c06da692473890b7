package hfg

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The stop turn (HFG-S8): what the phasing side does with its dice and its moves.

// A turnWorld is the world of the stop turn: the field as it is if all that has been ordered goes
// as it is written.
type turnWorld struct {
	fireWorld
	dice  []diceOrder
	moves []order
	more  bool
	// resorts are what may be done in the place of moves, by who moves, as the field is now.
	resorts map[order]*order
}

// turnForm is the stop turn.
var turnForm = &form[*turnWorld]{
	Begin: func(v *View, _ engine.Decision) (*turnWorld, bool) {
		return &turnWorld{fireWorld: fireWorld{v: v, board: v.trial()}}, v.of != noSide && v.phasing() == v.of
	},
	Fields: []keyed[*turnWorld]{diceField, movesField, firesField(fireOf), policiesField("combat", combatKeys, fireOf), policiesField("results", resultKeys, fireOf), moreField},
	Stands: true, Gathers: true,
	Usual:  usualTurn,
	Chance: chanceTurn,
	Sense:  senseTurn,
	Note:   noteTurn,
	Do: func(p *battlefield, d engine.Decision, w *turnWorld) {
		for _, o := range w.dice {
			p.usesDie(&o)
		}
		p.Moves = append(p.Moves, w.moves...)
		p.movesBeforehand(d.Side, w)
		p.Moves = inOrder(p.Moves)
		p.keeps(w.fires)
		p.ranks(d.Side, &w.fireWorld)
		p.settlesBeforehand(d.Side, w.cases)
		p.Thinking = slices.DeleteFunc(p.Thinking, func(s string) bool { return s == string(d.Side) })
		if w.more {
			p.rethinks(d.Side)
		}
	},
}

// fireOf is the world of shots of the stop turn.
func fireOf(w *turnWorld) *fireWorld { return &w.fireWorld }

// inOrder puts moves in the order of the rules: searches for fords, marches, tactical moves,
// rallies (HFG-7.1).
func inOrder(all []order) []order {
	rank := func(o order) int {
		switch {
		case o.Verb == verbFord:
			return -1
		case o.March, o.Verb == verbEnter:
			return 0
		case o.Verb == verbRally:
			return 2
		}
		return 1
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b order) int { return rank(a) - rank(b) })
	return sorted
}

// movesField is the key moves: a list of moves.
var movesField = func() keyed[*turnWorld] {
	f := play.List("moves", "", moveTexts, rule[*turnWorld, order]{
		Next:   func(w *turnWorld) iter.Seq[order] { return w.heads },
		Slots:  moveSlots,
		Whole:  func(w *turnWorld, o order) order { return w.settled(w.wholeMove(o)) },
		Settle: func(w *turnWorld, o order) order { return w.settled(o) },
		May: func(w *turnWorld, o order) *play.Fault {
			tried, _, fault := w.outcome(&o)
			if w.letsStand(fault) {
				return nil
			}
			if fault != nil && w.offers() {
				if remedy := w.nearest(tried); !remedy.IsZero() {
					fault.Remedy = remedy
				}
			}
			return fault
		},
		Can: func(w *turnWorld, o order) bool {
			_, _, fault := w.outcome(&o)
			return fault == nil
		},
		Read: func(w *turnWorld, r *orders.Reader, n *orders.Node) (order, bool) {
			w.kept = r.Accepted
			return readMove(w, r, n)
		},
		Put: func(w *turnWorld, o order) {
			w.moves = append(w.moves, o)
			if made, p, fault := w.outcome(&o); fault == nil {
				w.board.makes(made, p)
				w.forgets()
			}
		},
		Say: sayMove,
	})
	f.Optional = true
	return f
}()

// letsStand says whether a move stands although it has a fault: as a shot does, or in an answer that was accepted when garrisons
// could still go off by road or in a formation, with what follows it. It isn't made, and its owner is told why (HFG-4.17).
func (w *turnWorld) letsStand(fault *play.Fault) bool {
	w.astray = w.astray || w.kept && fault != nil && fault.Why.Code == "hfg.order-within"
	return w.fireWorld.letsStand(fault)
}

// moveFault says why a move may not come next, or how it goes. An order that says what is done in its
// place need not be legal yet.
func (w *turnWorld) moveFault(o *order) (*plan, *play.Fault) {
	_, p, fault := w.outcome(o)
	return p, fault
}

// outcome gives what comes of an order now: itself with its plan, or if it isn't legal what it says is done in its place; or
// says why neither may come next.
func (w *turnWorld) outcome(o *order) (*order, *plan, *play.Fault) {
	if o.Verb == verbEnter {
		p, fault := w.entryFault(o)
		return o, p, fault
	}
	all := w.board.who(o)
	if len(all) == 0 {
		return o, nil, refuse("HFG-9.1", "hfg.order-who")
	}
	for _, e := range all {
		if !w.v.owns(e) {
			return o, nil, refuse("HFG-7.6", "hfg.order-foreign", w.v.elementArg("element", e))
		}
	}
	if o.Payer != "" && !w.v.leads(w.board.payer(o)) {
		return o, nil, refuse("HFG-7.9", "hfg.order-payer", w.v.elementArg("element", all[0]), phrase.Literal("general", o.Payer))
	}
	return w.board.carriedOut(o)
}

// entryFault says why a command may not come on next, or how it does.
func (w *turnWorld) entryFault(o *order) (*plan, *play.Fault) {
	c := w.board.commandNamed(o.Of)
	if c == 0 || !w.v.leads(c) {
		return nil, refuse("HFG-6.13", "hfg.entry-who", phrase.Name("command", "corps", o.Of))
	}
	p, fault := w.board.plannedEntry(c, o.Far)
	if fault != nil {
		return nil, fault
	}
	return p, w.board.affords(c, w.board.entryCosts(c, p))
}

// entries are the orders by which commands of the seat come on.
func (w *turnWorld) entries() []order {
	var all []order
	for c := commandID(1); int(c) < len(w.board.Commands); c++ {
		if w.v.leads(c) && w.board.entryFault(c) == nil {
			all = append(all, order{Verb: verbEnter, Of: w.board.lead(c).id, Far: mostFar})
		}
	}
	return all
}

// worth lists moves of one element that may be legal.
func (w *turnWorld) worth(e elementID) []order {
	g, id := w.board, w.board.def(e).id
	if g.Elements[e].Spirit == routed {
		return []order{{Verb: verbRally, Of: id}}
	}
	if g.moveFault(e, tactical) != nil {
		if g.onRoad(e) && g.moveFault(e, march) == nil {
			return []order{{Verb: verbAlong, March: true, Of: id, Far: mostFar}}
		}
		return nil
	}
	all := w.tasks(e)
	b := g.body(e)
	for o := elementID(1); int(o) < len(g.Elements); o++ {
		if g.on(o) && g.enemies(e, o) && !g.Elements[o].Concealed {
			if x := g.body(o); within(between(&b, &x), mountedContact) {
				all = append(all, order{Verb: verbContact, Of: id, Enemy: g.def(o).id})
			}
		}
	}
	all = append(all, order{Verb: verbGo, Of: id, Far: mostFar}, order{Verb: verbGo, Of: id, Toward: toRear, Far: 200})
	if g.onRoad(e) {
		all = append(all, order{Verb: verbAlong, March: true, Of: id, Far: mostFar})
	}
	if crew := g.linked(e, func(o elementID) bool {
		return w.v.owns(o) && g.command(o) == g.command(e) && g.moveFault(o, tactical) == nil
	}); len(crew) > 1 && crew[0] == e {
		var ids []string
		for _, o := range crew {
			ids = append(ids, g.def(o).id)
		}
		all = append(all, order{Verb: verbAdvance, Of: strings.Join(ids, " "), Far: mostFar})
	}
	return all
}

// tasks are what else an element may do where it stands: build, and destroy bridges.
func (w *turnWorld) tasks(e elementID) []order {
	var all []order
	id := w.board.def(e).id
	if one := (order{Verb: verbBuild, Of: id}); w.board.def(e).troop == pontoneers {
		all = append(all, one)
	}
	for i := range w.board.Bridges {
		if b := w.board.Bridges[i].ID; w.board.atBridge(e, b) {
			all = append(all, order{Verb: verbWreck, Of: id, To: b})
		}
	}
	return all
}

// moreField is the key more: the seat is asked again when the moves are made.
var moreField = func() keyed[*turnWorld] {
	f := play.One("more", play.Keywords[*View]([]string{"no", "yes"}, []bool{false, true}), rule[*turnWorld, bool]{
		Next: func(*turnWorld) iter.Seq[bool] { return slices.Values([]bool{true, false}) },
		Put:  func(w *turnWorld, yes bool) { w.more = yes },
		Say: func(_ *View, yes bool) engine.Choice {
			if yes {
				return engine.Choice{What: "more"}
			}
			return engine.Choice{What: "no more"}
		},
	})
	f.Optional = true
	return f
}()

// usualTurn lets come on who arrives, lets columns march that the policy march leads, and rallies as the policy says, else the
// cheapest first, as far as the PIPs go; nothing else moves.
func usualTurn(x *draft[*turnWorld]) {
	w := x.World
	for _, o := range w.entries() {
		x.Try("moves", o)
	}
	for _, one := range w.presets(w.v.orderedBy(w.v.seat, policyMarch), w.v.orderedBy(w.v.seat, policyRally), true) {
		x.Try("moves", one.order)
	}
}

// luckyTries is how many moves of any form are tried for an element that moves by chance.
const luckyTries = 3

// chanceTurn moves by chance: as is worth trying, or in any form in which a move can be written.
func chanceTurn(x *draft[*turnWorld], chance *rand.Rand) {
	usualTurn(x)
	chanceFire(x, chance)
	chanceCases(x, chance)
	w := x.World
	all := w.board.standing()
	chance.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, e := range all {
		if !w.v.owns(e) || w.board.pips(w.board.command(e)) <= 0 || chance.IntN(3) == 0 {
			continue
		}
		if chance.IntN(3) == 0 {
			for range luckyTries {
				if o := w.luckyMove(e, chance); o.Verb != 0 && x.Try("moves", o) {
					break
				}
			}
			continue
		}
		offers := w.worth(e)
		if len(offers) == 0 {
			continue
		}
		o := offers[chance.IntN(len(offers))]
		if o.Far == mostFar && chance.IntN(4) > 0 {
			o.Far = 50 * (1 + chance.IntN(12))
		}
		if o.Verb == verbGo && chance.IntN(4) == 0 {
			o.Turns, o.Facing = true, chance.IntN(360)
		}
		x.Try("moves", o)
	}
}
