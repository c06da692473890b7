package hfg

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
)

// The stop combat (HFG-S11): before phase 3 whoever has kept it for himself says which of his
// dismountables fight dismounted, and the phasing side in which order pairs fight.

// asksCombat lists who is asked before phase 3. Whether anybody is hangs on what both see, and on what
// the seat itself has said.
func (g *game) asksCombat() []engine.Decision {
	var all []engine.Decision
	for _, seat := range g.seats() {
		if len(g.undeclared(seat)) > 0 || g.ordersPairs(seat) {
			all = append(all, engine.Decision{Side: seat, Kind: stopCombat})
		}
	}
	return all
}

// undeclared lists the dismountables of which a seat wants to be asked.
func (g *game) undeclared(seat engine.Side) []elementID {
	return slices.DeleteFunc(g.declarable(), func(e elementID) bool {
		if g.owner(e) != seat {
			return true
		}
		for _, c := range g.casesOf(seat, policyDismount) {
			if g.applies(&c, g.declaring(e)) {
				return c.Do != "ask"
			}
		}
		return false
	})
}

// ordersPairs says whether a seat wants to be asked in which order pairs fight: it is the phasing
// side's, and there are two at least.
func (g *game) ordersPairs(seat engine.Side) bool {
	return g.sideOf(seat) == g.phasing() && g.wants(seat, policyOrder) && len(g.duels()) > 1
}

// A combatWorld is the world of the stop combat.
type combatWorld struct {
	v     *View
	cases []policyCase
}

// combatForm is the stop combat: {dismount: {rep-1: dismounted}, order: [la-haye-sainte, rest]}.
var combatForm = &form[*combatWorld]{
	Begin: func(v *View, _ engine.Decision) (*combatWorld, bool) {
		return &combatWorld{v: v}, v.of != noSide && v.Phase == melee
	},
	Fields: []keyed[*combatWorld]{declareField, pairsField},
	Shows: func(_ *combatWorld, value any) bool { // what says something of its own, in one word
		c := value.(policyCase)
		return c.Do != "best" && slices.Contains(policyAnswers[c.Key], c.Do)
	},
	Note: func(_ *draft[*combatWorld], n *orders.Node) {
		n.Above = "dismount: {a: " + strings.Join(policyAnswers[policyDismount], " | ") + "}, order: " + strings.Join(policyAnswers[policyOrder], " | ") + " | [a, rest]"
	},
	Chance: func(x *draft[*combatWorld], chance *rand.Rand) {
		for _, e := range x.View.declarable() {
			x.Try("dismount", policyCase{Key: policyDismount, Of: x.View.def(e).id, Do: policyAnswers[policyDismount][chance.IntN(3)]})
		}
	},
	Do: func(p *battlefield, d engine.Decision, w *combatWorld) { p.settlesBeforehand(d.Side, w.cases) },
}

// declareField is the key dismount: what elements count as.
var declareField = keyed[*combatWorld]{Key: "dismount", Optional: true, Shape: shape.Map(shape.Name("element"), shape.Words(policyAnswers[policyDismount]...)),
	Read: func(x *draft[*combatWorld], r *orders.Reader, n *orders.Node) {
		m := &moveReader{w: &turnWorld{fireWorld: fireWorld{v: x.View, board: x.View.game}}, r: r}
		for _, pair := range play.Entries(r, n) {
			since := len(r.Problems)
			e, ok := m.own(pair.Key)
			word, fine := r.Word(pair.Value, policyAnswers[policyDismount]...)
			if !ok {
				continue
			}
			x.Judge(r, pair.Key, "dismount", policyCase{Key: policyDismount, Of: x.View.def(e).id, Do: word}, fine, since)
		}
	},
	Write: func(_ *draft[*combatWorld], parts []play.Part) *orders.Node {
		if len(parts) == 0 {
			return nil
		}
		n := orders.Inline()
		for _, p := range parts {
			c := p.Value.(policyCase)
			n.Set(c.Of, orders.Text(c.Do))
		}
		return n
	},
	May: func(w *combatWorld, value any) *play.Fault {
		c := value.(policyCase)
		e, _ := w.v.elementNamed(c.Of)
		if !slices.Contains(w.v.declarable(), e) || !w.v.owns(e) {
			return refuse("HFG-2.6", "hfg.answer-other", w.v.elementArg("element", e))
		}
		if slices.ContainsFunc(w.cases, func(o policyCase) bool { return o.Key == policyDismount && o.Of == c.Of }) {
			return refuse("HFG-2.6", "hfg.named-twice", w.v.elementArg("element", e))
		}
		return nil
	},
	Put: func(w *combatWorld, value any) { w.cases = append(w.cases, value.(policyCase)) },
	Next: func(w *combatWorld) iter.Seq[any] {
		return func(yield func(any) bool) {
			for _, e := range w.v.declarable() {
				for _, word := range policyAnswers[policyDismount] {
					if w.v.owns(e) && !yield(policyCase{Key: policyDismount, Of: w.v.def(e).id, Do: word}) {
						return
					}
				}
			}
		}
	},
	Say: func(_ *View, value any) engine.Choice {
		c := value.(policyCase)
		return engine.Choice{Of: c.Of, What: c.Do}
	},
}

// pairsField is the key order: a word, or elements and then the rest.
var pairsField = func() keyed[*combatWorld] {
	fires := func(w *combatWorld) *fireWorld { return &fireWorld{v: w.v, board: w.v.game} }
	f := play.Custom("order", rule[*combatWorld, policyCase]{
		Many: func(_ *combatWorld, n int) *play.Fault {
			if n > 1 {
				return &play.Fault{}
			}
			return nil
		},
		May: func(w *combatWorld, _ policyCase) *play.Fault {
			if w.v.phasing() != w.v.of {
				return refuse("HFG-13.8", "hfg.order-phasing")
			}
			return nil
		},
		Put: func(w *combatWorld, c policyCase) { w.cases = append(w.cases, c) },
		Next: func(w *combatWorld) iter.Seq[policyCase] {
			return slices.Values(slices.DeleteFunc(fires(w).answersTo(policyOrder), func(c policyCase) bool { return c.Do == "ask" }))
		},
		Slots: []play.Slot[*View, *combatWorld, policyCase]{thenSlot(fires, func(c *policyCase) *policyCase { return c })},
		Say: func(_ *View, c policyCase) engine.Choice {
			return engine.Choice{Of: "order", What: c.firstOnly().Do}
		},
	})
	f.Optional, f.Shape = true, policyOrder.ownShape()
	f.Read = func(x *draft[*combatWorld], r *orders.Reader, n *orders.Node) {
		since := len(r.Problems)
		c := &caseReader{w: fires(x.World), r: r, asked: true}
		said, ok := c.answer(policyOrder, n)
		x.Judge(r, n, "order", said, ok, since)
	}
	f.Write = func(_ *draft[*combatWorld], parts []play.Part) *orders.Node {
		if len(parts) == 0 {
			return nil
		}
		c := parts[0].Value.(policyCase)
		return c.answerNode()
	}
	return f
}()
