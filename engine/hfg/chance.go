package hfg

import (
	"math/rand/v2"
	"slices"
	"strings"

	"berthier/engine/geometry"
)

// Moves by chance: every form in which a move can be written is drawn, so that random games reach all of them.

// A luckyForm draws a move of one form for an element; of verb 0 if it has none.
type luckyForm func(w *turnWorld, e elementID, chance *rand.Rand) order

// luckyForms are the forms of moves, but for those of [turnWorld.worth].
var luckyForms = []luckyForm{luckyStep, luckyGroup, luckyWheels, luckyPlace, luckyThing, luckyElse, luckyFord, luckyTask, luckyPayer, luckyColumn, luckyLine, luckyEdge}

// luckyMove draws a move of any form for an element, with what is done in its place now and then.
func (w *turnWorld) luckyMove(e elementID, chance *rand.Rand) order {
	o := luckyForms[chance.IntN(len(luckyForms))](w, e, chance)
	if one := !o.Column && !strings.Contains(o.Of, " "); one && o.Verb == verbAdvance && o.Wheel == 0 && o.Side == 0 {
		o.Verb = verbGo // so it is read
	}
	if o.Verb != 0 && o.Verb != verbRally && chance.IntN(6) == 0 {
		o.Else = &order{Verb: verbGo, Of: o.Of, Column: o.Column, March: o.March, Payer: o.Payer, Far: 50}
		if o.Column || strings.Contains(o.Of, " ") {
			o.Else.Verb = verbAdvance
		}
	}
	return o
}

// luckyFar draws a distance.
func luckyFar(chance *rand.Rand) int {
	if chance.IntN(5) == 0 {
		return mostFar
	}
	return 1 + chance.IntN(600)
}

// luckySide draws a measure to one side or the other.
func luckySide(chance *rand.Rand, most int) int {
	return (1 + chance.IntN(most)) * (1 - 2*chance.IntN(2))
}

// luckyStep goes some way to any side, with another facing now and then, as a march now and then.
func luckyStep(w *turnWorld, e elementID, chance *rand.Rand) order {
	return order{Verb: verbGo, Of: w.v.def(e).id, Toward: bearing(chance.IntN(4)), Far: luckyFar(chance), March: chance.IntN(3) == 0,
		Turns: chance.IntN(3) == 0}
}

// crewOf is an element with those of its command with whom it can move now.
func (w *turnWorld) crewOf(e elementID) string {
	g := w.board
	return g.ids(g.linked(e, func(o elementID) bool {
		return w.v.owns(o) && g.command(o) == g.command(e) && g.moveFault(o, tactical) == nil
	}))
}

// luckyGroup goes ahead or back with a group, to the side first now and then.
func luckyGroup(w *turnWorld, e elementID, chance *rand.Rand) order {
	o := order{Verb: verbAdvance, Of: w.crewOf(e), Far: luckyFar(chance), Toward: bearing(chance.IntN(2)), March: chance.IntN(4) == 0}
	if chance.IntN(2) == 0 {
		o.Side = luckySide(chance, sideways)
	}
	return o
}

// luckyWheels wheels with a group, once or again, or to a facing.
func luckyWheels(w *turnWorld, e elementID, chance *rand.Rand) order {
	o := order{Verb: verbAdvance, Of: w.crewOf(e), Wheel: luckySide(chance, 40), Far: chance.IntN(200)}
	switch chance.IntN(4) {
	case 0:
		o.Wheel, o.Turns, o.Facing, o.Far = 0, true, (w.board.Elements[e].Facing+350+chance.IntN(20))%360, luckyFar(chance)
	case 1:
		if strings.Contains(o.Of, " ") {
			o.Then = &order{Verb: verbAdvance, Of: o.Of, Wheel: luckySide(chance, 20), Far: 1 + chance.IntN(100)}
		}
	}
	return o
}

// near is a place near an element, as orders have it.
func (w *turnWorld) near(e elementID, chance *rand.Rand) string {
	b := w.board.body(e)
	at := wholePaces(b.At).Plus(point{X: int64(chance.IntN(1201)-600) * pace, Y: int64(chance.IntN(1201)-600) * pace})
	at.X, at.Y = min(max(at.X, 0), w.v.size.X), min(max(at.Y, 0), w.v.size.Y)
	return inline(scale.WritePoint(at))
}

// luckyPlace goes to a place near it, over another one now and then.
func luckyPlace(w *turnWorld, e elementID, chance *rand.Rand) order {
	o := order{Verb: verbGo, Of: w.v.def(e).id, To: w.near(e, chance), March: chance.IntN(4) == 0}
	if chance.IntN(2) == 0 {
		o.Turns, o.Facing = true, chance.IntN(360)
	}
	if chance.IntN(3) == 0 {
		o.Via = w.near(e, chance)
	}
	if chance.IntN(3) == 0 {
		o.Short = 1 + chance.IntN(300)
	}
	return o
}

// luckyThing goes to a place beside an element that it sees, or short of it.
func luckyThing(w *turnWorld, e elementID, chance *rand.Rand) order {
	all := slices.DeleteFunc(w.board.standing(), func(o elementID) bool {
		return o == e || w.board.Elements[o].Concealed || !within(w.board.apart(e, o), 2*leastGap)
	})
	if len(all) == 0 {
		return order{}
	}
	id := w.v.def(all[chance.IntN(len(all))]).id
	to := []string{edgeSides[chance.IntN(len(edgeSides))] + " of " + id, "behind " + id + " 0", "beside " + id + " left 0", "beside " + id + " right 50", id}
	o := order{Verb: verbGo, Of: w.v.def(e).id, To: to[chance.IntN(len(to))]}
	if chance.IntN(2) == 0 {
		o.Short = 1 + chance.IntN(200)
	}
	return o
}

// luckyElse contacts an enemy near it, or goes ahead if it can't.
func luckyElse(w *turnWorld, e elementID, chance *rand.Rand) order {
	o := luckyEdge(w, e, chance)
	if o.Verb != 0 {
		o.Else = &order{Verb: verbGo, Of: o.Of, Far: luckyFar(chance)}
		if strings.Contains(o.Of, " ") {
			o.Else.Verb = verbAdvance
		}
	}
	return o
}

// luckyEdge contacts an enemy near it by one of his edges, with its group now and then.
func luckyEdge(w *turnWorld, e elementID, chance *rand.Rand) order {
	foes := slices.DeleteFunc(w.foes(), func(o elementID) bool { return !within(w.board.apart(e, o), mountedContact) })
	if len(foes) == 0 {
		return order{}
	}
	o := order{Verb: verbContact, Of: w.v.def(e).id, Enemy: w.v.def(foes[chance.IntN(len(foes))]).id, Edge: chance.IntN(5)}
	if chance.IntN(2) == 0 {
		o.Of = w.crewOf(e)
	}
	return o
}

// luckyFord goes straight to the bank of the nearest river, and looks for a ford.
func luckyFord(w *turnWorld, e elementID, chance *rand.Rand) order {
	b := w.board.body(e)
	for i := range w.board.lines {
		d := &w.board.lines[i]
		n, off := geometry.Nearest(d.points, b.At)
		if d.kind != river || !within(off, 2*leastGap) || off <= int64(d.width)/2 {
			continue
		}
		at := geometry.Along(d.points, n)
		way := geometry.Figure{P: []point{at, b.At}}
		to := geometry.Along(way.P, int64(d.width)/2+pace)
		return order{Verb: verbFord, Of: w.v.def(e).id, To: inline(scale.WritePoint(wholePaces(to))), Turns: true, Facing: int(geometry.Toward(b.At, at))}
	}
	return order{}
}

// luckyTask begins a bridge, or to destroy one.
func luckyTask(w *turnWorld, e elementID, chance *rand.Rand) order {
	if n := len(w.board.Bridges); n > 0 && chance.IntN(3) > 0 {
		return order{Verb: verbWreck, Of: w.v.def(e).id, To: w.board.Bridges[chance.IntN(n)].ID}
	}
	return order{Verb: verbBuild, Of: w.v.def(e).id}
}

// luckyPayer goes ahead, or is rallied, for the PIPs of another general of the seat.
func luckyPayer(w *turnWorld, e elementID, chance *rand.Rand) order {
	g := w.board
	for c := commandID(1); int(c) < len(g.Commands); c++ {
		if c == g.command(e) || !w.v.leads(c) || !g.lends(c, e) {
			continue
		}
		o := order{Verb: verbGo, Of: w.v.def(e).id, Payer: w.v.def(g.lead(c).general).id, Far: luckyFar(chance)}
		if g.Elements[e].Spirit == routed {
			o = order{Verb: verbRally, Of: o.Of, Payer: o.Payer}
		}
		return o
	}
	return order{}
}

// luckyFile is a column behind an element, as those stand that are linked to it.
func (w *turnWorld) luckyFile(e elementID) string {
	g := w.board
	crew := strings.Fields(w.crewOf(e))
	all := []string{w.v.def(e).id}
	for last := e; ; {
		i := slices.IndexFunc(crew, func(id string) bool {
			o, _ := g.elementNamed(id)
			return !slices.Contains(all, id) && g.columnFault([]elementID{last, o}) == nil
		})
		if i < 0 {
			return strings.Join(all, " ")
		}
		last, _ = g.elementNamed(crew[i])
		all = append(all, crew[i])
	}
}

// luckyColumn leads a column along its road, off road, to a place, or those into one who stand together.
func luckyColumn(w *turnWorld, e elementID, chance *rand.Rand) order {
	o := order{Column: true, Of: w.luckyFile(e), March: chance.IntN(2) == 0}
	if chance.IntN(3) == 0 {
		all := strings.Fields(w.crewOf(e))
		id := w.v.def(e).id
		o.Of = strings.Join(append([]string{id}, slices.DeleteFunc(all, func(x string) bool { return x == id })...), " ")
	}
	switch chance.IntN(4) {
	case 0:
		o.Verb, o.To = verbGo, w.near(e, chance)
	case 1:
		o.Verb, o.Far, o.Wheel = verbAdvance, luckyFar(chance), chance.IntN(61)-30
	default:
		o.Verb, o.Far = verbAlong, luckyFar(chance)
	}
	return o
}

// luckyLine forms line from a column, or a column from a line.
func luckyLine(w *turnWorld, e elementID, chance *rand.Rand) order {
	o := order{Verb: verbForm, Right: chance.IntN(2) == 0, March: chance.IntN(4) == 0}
	if o.Column = chance.IntN(2) == 0; o.Column {
		o.Of, o.Deep = w.luckyFile(e), 1+chance.IntN(2)
	} else {
		o.Of = w.crewOf(e)
	}
	return o
}
