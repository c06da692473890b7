package hfg

import (
	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

var _ engine.Reckoner = Ruleset{}

// Reckoned implements [engine.Reckoner]: of each order of a turn, if all goes as it is written and by what the seat sees, where
// it ends, what it costs, and what stops it.
func (Ruleset) Reckoned(_ engine.View, _ engine.Decision, given engine.Answer) []phrase.Phrase {
	a, _ := given.(play.Answer)
	x, ok := a.Reply.(*draft[*turnWorld])
	if !ok || len(x.Parts) == 0 {
		return nil
	}
	var all []phrase.Phrase
	again := x.Blank()
	for _, part := range x.Parts {
		if o, is := part.Value.(order); is && part.Key == "moves" {
			all = append(all, again.World.reckons(&o))
		}
		again.Add(part.Key, part.Value)
	}
	return all
}

// reckons says what comes of an order that may come next.
func (w *turnWorld) reckons(o *order) phrase.Phrase {
	made, p, _ := w.outcome(o)
	g, who := w.board, phrase.Literal("elements", o.Of)
	if o.Verb != verbEnter {
		who = phrase.Names("elements", "element", w.ids(g.who(made)))
	}
	if p == nil { // nobody moves
		price := taskCost(made)
		if made.Verb == verbRally {
			price = g.rallyCosts(g.who(made)[0])
		}
		return phrase.Say("hfg.reckoned-task", who, phrase.Number("pips", price.sum()))
	}
	x := &p.paths[0]
	price := g.costs(p)
	if o.Verb == verbEnter {
		price = g.entryCosts(g.commandNamed(o.Of), p)
	}
	say := phrase.Say("hfg.reckoned", who, g.elementArg("first", x.element), phrase.Literal("place", inline(scale.WritePoint(wholePaces(x.to.At)))),
		phrase.Number("facing", int(x.to.Heading)), phrase.Number("paces", p.price), phrase.Number("pips", price.sum()))
	if made != o {
		say = phrase.Say("hfg.reckoned-else", phrase.Within("what", say))
	}
	switch why := w.stops(made, p); {
	case p.cut != 0:
		return phrase.Say("hfg.reckoned-cut", phrase.Within("what", say), phrase.Literal("water", g.line(p.cut).id))
	case why != nil:
		return phrase.Say("hfg.reckoned-stop", phrase.Within("what", say), phrase.Within("why", why.Why))
	}
	return say
}

// stops says what keeps an order that goes as far as it can from going a pace further; nil for any other.
func (w *turnWorld) stops(o *order, p *plan) *play.Fault {
	if o.Far != mostFar || p.far == 0 || o.Verb == verbEnter {
		return nil
	}
	further := *o
	further.Far = p.far + 1
	_, fault := w.board.orderFault(&further)
	return fault
}
