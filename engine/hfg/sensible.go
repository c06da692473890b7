package hfg

import (
	"math/rand/v2"
	"slices"
	"strings"

	"berthier/engine/geometry"
)

// Answers of a fair player, who looks at nothing but the view: he rallies, goes into contact where the
// factors are with him, brings up what isn't in the fight, and lets guns that have a target shoot.

// enough is by how much a total before dice must be the greater for a fair player to go into contact.
const enough = 1

// A blow is a contact that may be made.
type blow struct {
	order order
	odds  int
}

// senseTurn moves as a fair player does: who comes on and who rallies first, then contacts, the best
// first, then everybody else towards the enemy, those nearest to him first. The defender waits for the
// enemy to come.
func senseTurn(x *draft[*turnWorld], _ *rand.Rand) {
	usualTurn(x)
	w := x.World
	x.Try("combat", policyCase{Key: policyOrder, Do: "best-first"})
	g := w.board
	mine, foes := w.ready(), w.foes()
	if len(foes) == 0 {
		return
	}
	for _, b := range w.blows(mine, foes) {
		x.Try("moves", b.order)
	}
	moved := map[elementID]bool{}
	for _, e := range mine {
		c := g.command(e)
		if moved[e] || g.pips(c) <= 0 || g.moveFault(e, tactical) != nil || !w.wanders(e, foes) {
			continue
		}
		crew := g.linked(e, func(o elementID) bool {
			return w.v.owns(o) && g.command(o) == c && g.moveFault(o, tactical) == nil && w.wanders(o, foes)
		})
		for _, o := range crew {
			moved[o] = true
		}
		w.closes(x, crew, foes)
	}
}

// ready lists the elements of the seat that may move, those nearest to an enemy first.
func (w *turnWorld) ready() []elementID {
	return w.byNearness(func(e elementID) bool {
		return w.v.owns(e) && w.board.Elements[e].Holds == 0 && w.board.moveFault(e, tactical) == nil
	})
}

// byNearness lists the elements on the field that count, those nearest to an enemy of the seat first.
func (w *turnWorld) byNearness(counts func(elementID) bool) []elementID {
	g, foes := w.board, w.foes()
	all := slices.DeleteFunc(g.standing(), func(e elementID) bool { return !counts(e) })
	far := map[elementID]int{}
	for _, e := range all {
		_, n := g.nearest(e, foes)
		far[e] = paces(n)
	}
	slices.SortStableFunc(all, func(a, b elementID) int { return far[a] - far[b] })
	return all
}

// foes lists the enemies whom the seat knows.
func (w *turnWorld) foes() []elementID {
	return slices.DeleteFunc(w.board.standing(), func(e elementID) bool {
		return w.board.def(e).side == w.v.of || w.board.Elements[e].Concealed
	})
}

// nearest is the nearest of some elements to one, by their middles, and how far off it is.
func (g *game) nearest(e elementID, of []elementID) (elementID, int64) {
	b := g.body(e)
	best, least := elementID(0), int64(geometry.Reach)
	for _, o := range of {
		x := g.body(o)
		if d := geometry.Dist(b.At, centre(&x)); d < least {
			best, least = o, d
		}
	}
	return best, least
}

// blows lists the contacts that some elements may make with the factors on their side, the best first,
// of each element the best one.
func (w *turnWorld) blows(mine, foes []elementID) []blow {
	g := w.board
	var all []blow
	for _, e := range mine {
		if k := g.class(e); k == artillery || k == staff || k == train || k == naval || g.pips(g.command(e)) <= 0 {
			continue
		}
		best := blow{odds: enough - 1}
		b := g.body(e)
		for _, o := range foes {
			x := g.body(o)
			if !within(between(&b, &x), g.contactReach(e)) {
				continue
			}
			one := order{Verb: verbContact, Of: g.def(e).id, Enemy: g.def(o).id}
			if odds := w.odds(&one, e, o); odds > best.odds {
				best = blow{one, odds}
			}
		}
		if best.odds >= enough {
			all = append(all, best)
		}
	}
	slices.SortStableFunc(all, func(a, b blow) int { return b.odds - a.odds })
	return all
}

// odds is by how much the total of an element before dice would be the greater in the combat that a
// contact leads to; much less than nothing if it isn't legal.
func (w *turnWorld) odds(o *order, e, enemy elementID) int {
	p, fault := w.moveFault(o)
	if fault != nil {
		return -99
	}
	own, foe := w.board.meeting(o, p, e, enemy)
	return own - foe
}

// meeting gives the totals before the dice of the combat to which a contact leads, of who makes it and of his
// enemy.
func (g *game) meeting(o *order, p *plan, e, enemy elementID) (own, foe int) {
	g = g.trial()
	g.makes(o, p)
	b := &bout{A: fighter{Element: e}, B: fighter{Element: enemy}, Flank: g.Elements[enemy].Holds == 0 && g.touchedSide(enemy, e) != geometry.Front}
	return g.before(b)
}

// Distances of a fair player, in paces.
const (
	closeEnough = 500  // nobody goes on by himself who is so near to an enemy
	defends     = 1500 // a defender moves only against enemies who are so near
	behindLine  = 1200 // staff keeps so far from enemies
	leastStep   = 100
)

// wanders says whether an element is to go towards the enemy: not if it shoots from where it stands, nor
// if it is staff or train near enough, nor if it is the enemy who must come.
func (w *turnWorld) wanders(e elementID, foes []elementID) bool {
	g := w.board
	_, far := g.nearest(e, foes)
	switch g.class(e) {
	case artillery:
		if len(g.targets(e)) > 0 {
			return false
		}
	case staff, train:
		if within(far, behindLine) {
			return false
		}
	case naval:
		return false
	}
	if within(far, closeEnough) {
		return false
	}
	return w.v.of == g.attacker() || g.lead(g.command(e)).arrival != nil || within(far, defends) && g.class(e) == mounted
}

// closes moves elements that stand together towards the enemy: by their road while he is far, else
// straight on as far as they can, or, if he is elsewhere, each towards him.
func (w *turnWorld) closes(x *draft[*turnWorld], crew, foes []elementID) {
	g := w.board
	enemy, far := g.nearest(crew[0], foes)
	b, there := g.body(crew[0]), g.body(enemy)
	way := geometry.Toward(b.At, centre(&there))
	if g.onRoad(crew[0]) && !within(far, 2*defends) && x.Try("moves", order{Verb: verbAlong, March: true, Column: len(crew) > 1, Of: g.file(crew), Far: mostFar}) {
		return
	}
	most := min(g.farthest(crew), paces(far)-closeEnough+leastStep)
	if turnBetween(b.Heading, way) <= 45 {
		for n := most / leastStep * leastStep; n >= leastStep; n -= leastStep {
			o := order{Verb: verbGo, Of: g.def(crew[0]).id, Far: n}
			if len(crew) > 1 {
				o = order{Verb: verbAdvance, Of: g.ids(crew), Far: n}
			}
			if x.Try("moves", o) {
				return
			}
		}
	}
	for _, e := range crew[:min(len(crew), g.pips(g.command(crew[0])))] {
		w.turnsTo(x, e, foes)
	}
}

// turnsTo moves one element towards the enemy, with its front to him.
func (w *turnWorld) turnsTo(x *draft[*turnWorld], e elementID, foes []elementID) {
	g := w.board
	enemy, far := g.nearest(e, foes)
	b, there := g.body(e), g.body(enemy)
	way := geometry.Toward(b.At, centre(&there))
	for n := min(g.farthest([]elementID{e}), paces(far)-closeEnough) / leastStep * leastStep; n >= leastStep; n -= 2 * leastStep {
		at := wholePaces(b.At.Plus(geometry.Step(way, int64(n)*pace)))
		if x.Try("moves", order{Verb: verbGo, Of: g.def(e).id, To: inline(scale.WritePoint(at)), Turns: true, Facing: int(way)}) {
			return
		}
	}
}

// ids are elements as an order has them.
func (g *game) ids(all []elementID) string {
	var ids []string
	for _, e := range all {
		ids = append(ids, g.def(e).id)
	}
	return strings.Join(ids, " ")
}

// file is a column as an order has it: who is foremost in their direction comes first.
func (g *game) file(crew []elementID) string {
	lead := g.body(crew[0])
	ahead := func(e elementID) int64 { b := g.body(e); return lead.Local(b.At).Y }
	all := slices.Clone(crew)
	slices.SortStableFunc(all, func(a, b elementID) int { return paces(ahead(b)) - paces(ahead(a)) })
	return g.ids(all)
}
