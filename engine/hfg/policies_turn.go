package hfg

import (
	"cmp"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The policies of a turn (section 5.3 of the digest): dice, by which generals double and exchange their
// scores before their side is asked for its turn; march, by which columns go along their roads; and rally.
// What they order is judged as an order of the stop turn is; what couldn't be ordered is left out.

// dicesBeforehand doubles or exchanges scores as a seat's policy says, general by general.
func (p *battlefield) dicesBeforehand(seat engine.Side, verb diceVerb) {
	cases := p.casesOf(seat, policyDice)
	if len(cases) == 0 || verb != diceDouble && verb != diceExchange {
		return
	}
	p.presetDice(seat, cases, verb, func(o diceOrder, by policyCase) {
		told := by.Do == "double-exchange" && verb == diceExchange && p.Commands[p.commandOf(o.of)].Doubled
		if p.dices(seat, o) == nil && !told {
			p.creditsSaid(seat, stopDice, by)
		}
	})
}

// presetDice gives what a seat's policy would do with the die of each of its generals, with the case that says so.
func (g *game) presetDice(seat engine.Side, cases []policyCase, verb diceVerb, do func(o diceOrder, by policyCase)) {
	for c := commandID(1); int(c) < len(g.Commands); c++ {
		general := g.lead(c).general
		if g.lead(c).side != g.phasing() || g.seatOf(c) != seat || general == 0 || g.Commands[c].Die == 0 {
			continue
		}
		i := slices.IndexFunc(cases, func(x policyCase) bool {
			return g.suits(&x, general) && holds(x.Die, func() int { return g.Commands[c].Die })
		})
		if i < 0 {
			continue
		}
		o, both := diceOrder{verb: verb, of: g.def(general).id}, cases[i].Do == "double-exchange"
		switch {
		case verb == diceDouble && (both || cases[i].Do == "double"):
		case verb == diceExchange && (both || cases[i].Do == "exchange"):
			below := g.lowestBelow(c)
			if below == 0 {
				continue
			}
			o.to = g.def(g.lead(below).general).id
		default:
			continue
		}
		do(o, cases[i])
	}
}

// lowestBelow is the command directly below another with which its general may exchange scores, the one
// with the lowest score, then the first (HFG-7.4); 0: none.
func (g *game) lowestBelow(c commandID) commandID {
	best := commandID(0)
	for d := commandID(1); int(d) < len(g.Commands); d++ {
		if g.lead(d).general != 0 && g.exchangeFault(c, d) == nil && (best == 0 || g.Commands[d].Score < g.Commands[best].Score) {
			best = d
		}
	}
	return best
}

// A preset is an order of a policy, with the case that gives it.
type preset struct {
	order
	by policyCase
}

// presets lists the marches and the rallies that the policies of a seat order in the world that its own
// orders leave behind, each judged after those before it. Only what has been said counts, unless usual is true:
// then who has said nothing rallies, the cheapest first.
func (w *turnWorld) presets(marches, rallies []policyCase, usual bool) []preset {
	again := *w
	again.board, again.moves = w.board.trial(), slices.Clone(w.moves)
	var all []preset
	try := func(o order, by policyCase) {
		p, fault := again.moveFault(&o)
		if fault != nil {
			return
		}
		all = append(all, preset{o, by})
		again.moves = append(again.moves, o)
		again.board.makes(&o, p)
	}
	word := policyCase{Do: "default"}
	if len(rallies) > 0 {
		word = rallies[0]
	}
	for _, c := range marches {
		if o, ok := again.column(&c); ok && again.keepsBack(&o, &word) {
			try(o, c)
		}
	}
	if usual || !slices.Contains([]string{"default", "ask"}, word.Do) {
		for _, e := range again.toRally(word.Do) {
			try(order{Verb: verbRally, Of: again.board.def(e).id}, word)
		}
	}
	return all
}

// keepsBack says whether a march leaves its command the PIPs that are kept for rallies.
func (w *turnWorld) keepsBack(o *order, word *policyCase) bool {
	if word.Do != "reserve" {
		return true
	}
	p, fault := w.moveFault(o)
	return fault == nil && w.board.pips(w.board.payer(o))-w.board.costs(p).sum() >= min(word.Far, w.board.pips(w.board.payer(o)))
}

// toRally lists the seat's routed elements for which nothing was ordered: the elite first, or the cheapest
// to rally.
func (w *turnWorld) toRally(word string) []elementID {
	var all []elementID
	for _, e := range w.board.standing() {
		if w.v.owns(e) && w.board.Elements[e].Spirit == routed {
			all = append(all, e)
		}
	}
	rank := func(e elementID) int {
		if word == "elite-first" && w.board.def(e).is(elite) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b elementID) int {
		return cmp.Or(rank(a)-rank(b), w.board.rallyCosts(a).sum()-w.board.rallyCosts(b).sum())
	})
	return all
}

// column is the march of a column that a case orders: those of it that are left, none of whom has moved,
// as far as they get along its road this turn; false: they have reached what ends it.
func (w *turnWorld) column(c *policyCase) (order, bool) {
	g := w.board
	var ids []string
	for _, id := range strings.Fields(c.Of) {
		e, ok := g.elementNamed(id)
		if !ok || !w.v.owns(e) || !g.on(e) {
			continue
		}
		if g.Elements[e].Manner != still || c.Near > 0 && w.foeWithin(e, c.Near) {
			return order{}, false
		}
		ids = append(ids, id)
	}
	if len(ids) == 0 || c.Until > 0 && g.ownTurns(w.v.of) >= c.Until {
		return order{}, false
	}
	o := order{Verb: verbAlong, March: true, Column: len(ids) > 1, Of: strings.Join(ids, " "), Road: c.Road, Far: mostFar}
	p, fault := w.moveFault(&o)
	if fault != nil || c.Spot == "" {
		return o, fault == nil
	}
	leader := p.paths[0].element
	goal, fault := g.spot(c.Spot, leader)
	if fault != nil {
		return o, true
	}
	off := func(b geometry.Body) int { return paces(geometry.Dist(b.At, goal.At)) }
	best, least := 0, off(g.body(leader))
	for far := p.price; far > 0; far -= marchStep {
		one := o
		one.Far = far
		if q, fault := w.moveFault(&one); fault == nil && off(q.paths[0].to) < least {
			best, least = far, off(q.paths[0].to)
		}
	}
	o.Far = best
	return o, best > 0
}

// marchStep is how exactly a march finds the place that ends it, in paces.
const marchStep = 25

// foeWithin says whether an enemy whom the seat knows is within some paces of an element.
func (w *turnWorld) foeWithin(e elementID, far int) bool {
	b := w.board.body(e)
	return slices.ContainsFunc(w.board.standing(), func(o elementID) bool {
		if !w.board.enemies(e, o) || w.board.Elements[o].Concealed {
			return false
		}
		x := w.board.body(o)
		return within(between(&b, &x), far)
	})
}

// movesBeforehand adds to the orders of a seat's file what its policies order besides, and tells it which
// did.
func (p *battlefield) movesBeforehand(seat engine.Side, w *turnWorld) {
	var used []policyCase
	for _, one := range w.presets(p.orderedBy(seat, policyMarch), p.orderedBy(seat, policyRally), false) {
		p.Moves = append(p.Moves, one.order)
		if !slices.Contains(used, one.by) {
			used = append(used, one.by)
			p.creditsSaid(seat, stopTurn, one.by)
		}
	}
}

// rallying reads what the policy rally answers.
func (c *caseReader) rallying(said policyCase, n *orders.Node) (policyCase, bool) {
	if n.Kind != orders.Map {
		var ok bool
		said.Do, ok = c.r.Word(n, c.plain(policyRally)...)
		return said, ok
	}
	_, value := c.r.Only(n, "keep-pips")
	if value == nil {
		return said, false
	}
	var ok bool
	said.Do = "reserve"
	said.Far, ok = c.r.Int(value, 1, mostReserve)
	return said, ok
}

// mostReserve is the greatest number of PIPs that may be kept for rallies.
const mostReserve = 99

// marching reads one column of the policy march: {column: [a, b], road: r, until: {..}}.
func (c *caseReader) marching(said policyCase, n *orders.Node) (policyCase, bool) {
	if n.Kind != orders.Map {
		var ok bool
		said.Do, ok = c.r.Word(n, c.plain(policyMarch)...)
		return said, ok
	}
	since := len(c.r.Problems)
	m := &moveReader{w: &turnWorld{fireWorld: *c.w}, r: c.r}
	f := c.r.Fields(n, "column", "road", "until")
	var ids []string
	if at := c.r.Require(f, "column"); at != nil {
		for _, item := range c.r.List(at) {
			if id, ok := m.name(item); ok {
				ids = append(ids, id)
			}
		}
		if len(c.r.List(at)) == 0 {
			c.r.Refuse(at, "HFG-9.9", phrase.Say("hfg.march-nobody"))
		}
	}
	if at := c.r.Require(f, "road"); at != nil {
		said.Road = m.roads(at)
	}
	if at := f.Get("until"); at != nil {
		until := c.r.Fields(at, "known-enemy-within", "at", "turn")
		if far := until.Get("known-enemy-within"); far != nil {
			said.Near, _ = c.r.Int(far, 1, mostFar)
		}
		if spot := until.Get("at"); spot != nil {
			said.Spot = m.place(spot)
		}
		if turn := until.Get("turn"); turn != nil {
			said.Until, _ = c.r.Int(turn, 1, farthestAsked)
		}
	}
	said.Do, said.Of = "march", strings.Join(ids, " ")
	return said, len(c.r.Problems) == since && said.Of != "" && said.Road != ""
}

// marchShape is how a column of the policy march is written.
var marchShape = shape.Record(shape.Need("column", shape.Filled(shape.Name("element"))), shape.Need("road", shape.Filled(shape.Name("road"))),
	shape.May("until", shape.Record(shape.May("known-enemy-within", shape.Number(1, mostFar)), shape.May("at", whereShape),
		shape.May("turn", shape.Number(1, farthestAsked)))))

// marchNode writes a column of the policy march.
func (c *policyCase) marchNode() *orders.Node {
	n := orders.Inline().Set("column", flow(orders.Texts(strings.Fields(c.Of)...))).Set("road", flow(orders.Texts(strings.Fields(c.Road)...)))
	until := orders.Inline()
	if c.Near > 0 {
		until.Set("known-enemy-within", orders.Number(c.Near))
	}
	if c.Spot != "" {
		until.Set("at", placeNode(c.Spot))
	}
	if c.Until > 0 {
		until.Set("turn", orders.Number(c.Until))
	}
	if len(until.Pairs) > 0 {
		n.Set("until", until)
	}
	return n
}

// orderedBy are the cases by which a seat's policy orders something: those before one that leaves it to the
// default, or to itself.
func (g *game) orderedBy(seat engine.Side, k policyKey) []policyCase {
	all := g.casesOf(seat, k)
	if i := slices.IndexFunc(all, func(c policyCase) bool { return c.Do == "default" || c.Do == "ask" }); i >= 0 {
		all = all[:i]
	}
	return all
}

// instructedDice answers the stop dice by what the seat says of its dice; false: it wants to be asked.
func instructedDice(v *View, d engine.Decision) (play.Reply, bool) {
	if v.asksDice(v.seat) {
		return nil, false
	}
	return diceForm.Make(v, d, func(x *draft[*turnWorld]) {
		for _, verb := range []diceVerb{diceDouble, diceExchange} {
			x.World.board.presetDice(v.seat, v.casesOf(v.seat, policyDice), verb, func(o diceOrder, _ policyCase) { x.Try(diceParts[verb-1].key, o) })
		}
	}), true
}
