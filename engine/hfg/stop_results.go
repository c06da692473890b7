package hfg

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// What is decided beforehand for a turn (the keys combat and results of HFG-S8 and HFG-S13), and the
// stops at which an owner decides who has kept a decision for himself (HFG-S9, HFG-S10, HFG-S12).

// The kinds of these stops.
const (
	stopFace   = "face"   // HFG-S9
	stopShot   = "shot"   // HFG-S10
	stopResult = "result" // HFG-S12
)

// The policies of each key of an order file.
var (
	resultKeys = []policyKey{policyFace, policyCharge, policyPress, policyRepulse, policyGuns, policyPursue, policyJoin, policyRout, policyAid}
	combatKeys = []policyKey{policyDismount, policyOrder}
)

var (
	afterWords  = []string{"shot", "close"}
	beatenWords = []string{"recoiled", "repulsed", "routed", "destroyed"}
	leavesWords = []string{"uphill", "works", "wood", "bua"}
	goingWords  = []string{"good", "slow", "difficult"}
)

// answerShape is how a policy answers.
func (k policyKey) answerShape() shape.Shape { return k.answersWith("default", "ask") }

// firstAims is one of a list of targets by preference.
var firstAims = shape.Either(shape.Words("rest"), shape.Name("aim"))

// targetsShape is how kinds of targets are preferred.
var targetsShape = shape.RecordOf([]string{"prefer", "counter-battery"}, shape.May("prefer", shape.List(shape.Words(classWords[1:]...))), shape.May("counter-battery", shape.Words("yes")))

// ownShape is how the owner answers who is asked: he names whom he charges, or faces.
func (k policyKey) ownShape() shape.Shape {
	switch k {
	case policyCharge:
		return shape.Name("enemy")
	case policyFace:
		return shape.Either(shape.Words("none"), shape.Name("enemy"))
	}
	return k.answersWith("default")
}

// answersWith is how a decision is answered, with some words besides its own.
func (k policyKey) answersWith(words ...string) shape.Shape {
	of := shape.Words(append(words, policyAnswers[k]...)...)
	switch k {
	case policyCharge, policyFace:
		return shape.Either(of, shape.Name("enemy"))
	case policyRout:
		return shape.Either(of, shape.Name("feature"))
	case policyRepulse:
		return shape.Either(of, shape.Number(1, 9999))
	case policyPursue:
		far := shape.Either(of, shape.Number(1, 9999))
		return shape.Either(far, shape.Record(shape.Need("distance", far), shape.Need("into", shape.Words("good", "any"))))
	case policyOrder:
		return shape.Either(of, shape.List(shape.Either(shape.Words("rest"), shape.Name("element"))))
	case policyRally:
		return shape.Either(of, shape.Record(shape.Need("keep-pips", shape.Number(1, mostReserve))))
	case policyFire:
		return shape.Either(of, shape.Name("aim"), shape.List(firstAims), targetsShape)
	}
	return of
}

// shape is how a policy is written: an answer, or a list of cases.
func (k policyKey) shape() shape.Shape {
	switch k {
	case policyOrder, policyFound, policyReply, policyRally:
		return k.answerShape()
	case policyMarch:
		return shape.Either(k.answerShape(), shape.Filled(marchShape))
	case policyMap:
		return shape.Either(k.answerShape(), routesShape)
	case policyFire: // a list is one of targets, or of cases
		return shape.Either(shape.Words(append([]string{"default", "ask"}, policyAnswers[k]...)...), shape.Name("aim"), targetsShape, shape.List(shape.Either(firstAims, k.caseShape())))
	}
	return shape.Either(k.answerShape(), shape.List(k.caseShape()))
}

// caseShape is how one case is written.
func (k policyKey) caseShape() shape.Shape {
	return shape.Either(shape.Record(shape.May("of", shape.List(elementShape)), shape.May("if", k.looks()), shape.Need("do", k.answerShape())),
		shape.Record(shape.Need("else", k.answerShape())))
}

// policiesField is a key whose value are policies for the turn.
func policiesField[W any](key string, keys []policyKey, of func(W) *fireWorld) keyed[W] {
	var parts []shape.Key
	for _, k := range keys {
		parts = append(parts, shape.May(policyWords[k], k.shape()))
	}
	f := play.Custom(key, rule[W, policyCase]{
		Next:  func(w W) iter.Seq[policyCase] { return of(w).casesNext(keys) },
		May:   func(w W, c policyCase) *play.Fault { return of(w).caseFault(&c) },
		Put:   func(w W, c policyCase) { of(w).cases = append(of(w).cases, c) },
		Say:   func(_ *View, c policyCase) engine.Choice { return sayCase(c) },
		At:    func(c policyCase, n int) policyCase { c.Far = n; return c },
		Slots: caseSlots(of, func(c *policyCase) *policyCase { return c }),
		Whole: func(_ W, c policyCase) policyCase { return wholeCase(c) },
	})
	f.Optional, f.Shape = true, shape.Record(parts...)
	f.Read = func(x *draft[W], r *orders.Reader, n *orders.Node) {
		var words []string
		for _, k := range keys {
			words = append(words, policyWords[k])
		}
		fields := r.Fields(n, words...)
		c := &caseReader{w: of(x.World), r: r}
		for _, k := range keys {
			at := fields.Get(policyWords[k])
			if at == nil {
				continue
			}
			for _, one := range c.cases(k, at) {
				x.Judge(r, one.at, key, one.said, one.whole, one.since)
			}
		}
	}
	f.Write = func(_ *draft[W], parts []play.Part) *orders.Node { return writeCases(keys, parts) }
	return f
}

// casesNext lists the answers for all that some policies may be given, and cases that may begin. In which order pairs fight is said once.
func (w *fireWorld) casesNext(keys []policyKey) iter.Seq[policyCase] {
	return func(yield func(policyCase) bool) {
		for _, k := range keys {
			if !k.caseable() && slices.ContainsFunc(w.cases, func(c policyCase) bool { return c.Key == k }) {
				continue
			}
			for _, c := range w.bareCases(k) {
				if !yield(c) {
					return
				}
			}
		}
	}
}

// chanceCases says something beforehand at random: at times that the owner is asked.
func chanceCases[W any](x *draft[W], chance *rand.Rand) {
	for _, k := range append(slices.Clone(resultKeys), combatKeys...) {
		if chance.IntN(4) > 0 {
			continue
		}
		key := "results"
		if slices.Contains(combatKeys, k) {
			key = "combat"
		}
		words := append(slices.Clone(policyAnswers[k]), "ask")
		x.Try(key, policyCase{Key: k, Do: words[chance.IntN(len(words))]})
	}
}

// mostCases is how many cases a seat may write for a turn.
const mostCases = 99

// settlesBeforehand notes what a seat has decided for the turn, before what it said earlier: key by key,
// whatever the order in which it was said, so that nothing hangs on it.
func (p *battlefield) settlesBeforehand(seat engine.Side, all []policyCase) {
	of := p.sideOf(seat)
	said := slices.Clone(all)
	for i := range said {
		said[i].Seat = string(seat)
	}
	slices.SortStableFunc(said, func(a, b policyCase) int { return int(a.Key) - int(b.Key) })
	p.Policies[of] = append(said, p.Policies[of]...)
}

// An ownAnswer is what an owner answers to the question that is put to him.
type ownAnswer struct {
	key policyKey
	of  elementID
	answer
}

// A resultWorld is the world of the stops at which an owner decides.
type resultWorld struct {
	v    *View
	said []ownAnswer
}

// resultForm makes the stops at which an owner decides; the keys are those of the policies.
func resultForm(keys ...policyKey) *form[*resultWorld] {
	f := &form[*resultWorld]{
		Begin: func(v *View, _ engine.Decision) (*resultWorld, bool) {
			return &resultWorld{v: v}, v.Fray.Asks != nil && v.owns(v.Fray.Asks.Of)
		},
		Usual: func(x *draft[*resultWorld]) {
			q := x.World.v.Fray.Asks
			x.Try(policyWords[policyOf[q.What]], ownAnswer{policyOf[q.What], q.Of, x.World.v.usual(q)})
		},
		Shows:   func(_ *resultWorld, value any) bool { o := value.(ownAnswer); return !o.measured() },
		Besides: func(x *draft[*resultWorld]) []string { return x.Blank().World.shownFar(keys) },
		Note:    noteQuestion,
		Chance:  func(x *draft[*resultWorld], chance *rand.Rand) { chanceAnswer(x, chance, keys) },
		Do: func(p *battlefield, _ engine.Decision, w *resultWorld) {
			a := p.usual(p.Fray.Asks)
			if len(w.said) > 0 {
				a = w.said[0].answer
			}
			p.answers(a)
		},
	}
	for _, k := range keys {
		f.Fields = append(f.Fields, ownField(k))
	}
	return f
}

// chanceAnswer answers by chance, or leaves it to the deadline.
func chanceAnswer(x *draft[*resultWorld], chance *rand.Rand, keys []policyKey) {
	var all []ownAnswer
	for _, k := range keys {
		all = append(all, slices.DeleteFunc(x.World.examples(k), func(o ownAnswer) bool { return x.World.fault(o) != nil })...)
	}
	if len(all) > 0 && chance.IntN(3) > 0 {
		o := all[chance.IntN(len(all))]
		x.Try(policyWords[o.key], o)
	}
}

// ownField is the key of one decision: {press: {donz-1: yes}}.
func ownField(k policyKey) keyed[*resultWorld] {
	f := play.Custom(policyWords[k], rule[*resultWorld, ownAnswer]{
		Next: func(w *resultWorld) iter.Seq[ownAnswer] {
			return slices.Values(slices.DeleteFunc(w.next(k), func(o ownAnswer) bool { return w.fault(o) != nil }))
		},
		May: func(w *resultWorld, o ownAnswer) *play.Fault { return w.fault(o) },
		Put: func(w *resultWorld, o ownAnswer) { w.said = append(w.said, o) },
		At:  func(o ownAnswer, n int) ownAnswer { o.Far = n; return o },
		Say: func(v *View, o ownAnswer) engine.Choice {
			if c := (policyCase{Do: "paces", Far: o.Far, Rough: o.Rough}); o.measured() {
				said := c.sayPaces(engine.Choice{Of: v.def(o.of).id})
				said.Low, said.High = v.Fray.Asks.Low, v.Fray.Asks.High
				return said
			}
			return engine.Choice{Of: v.def(o.of).id, What: o.node(v).OneLine()}
		},
	})
	f.Optional, f.Shape = true, shape.Map(shape.Name("element"), k.ownShape())
	f.Read = func(x *draft[*resultWorld], r *orders.Reader, n *orders.Node) {
		for _, pair := range play.Entries(r, n) {
			since := len(r.Problems)
			o, ok := x.World.read(k, r, pair.Key, pair.Value)
			x.Judge(r, pair.Key, policyWords[k], o, ok, since)
		}
	}
	f.Write = func(x *draft[*resultWorld], parts []play.Part) *orders.Node {
		if len(parts) == 0 {
			return nil
		}
		n := orders.Inline()
		for _, p := range parts {
			o := p.Value.(ownAnswer)
			n.Set(x.View.def(o.of).id, o.node(x.View))
		}
		return n
	}
	return f
}

// measured says whether an answer is a number of paces.
func (o ownAnswer) measured() bool { return o.key == policyRepulse || o.key == policyPursue }

// read reads one answer.
func (w *resultWorld) read(k policyKey, r *orders.Reader, key, value *orders.Node) (ownAnswer, bool) {
	q := w.v.Fray.Asks
	id, ok := r.Pick(key, "element", []orders.Choice{{ID: w.v.def(q.Of).id}})
	if !ok || id == "" {
		return ownAnswer{}, false
	}
	o := ownAnswer{key: k, of: q.Of}
	c := &caseReader{w: &fireWorld{v: w.v, board: w.v.game}, r: r, asked: true}
	if (k == policyFace || k == policyCharge) && !r.Is(value, "none") {
		id, known := c.enemy(value)
		o.Enemy, ok = w.v.elementNamed(id)
		return o, ok && known
	}
	if k == policyFace {
		return o, r.Is(value, "none")
	}
	said, ok := c.answer(k, value)
	if !ok {
		return o, false
	}
	o.answer, ok = w.v.says(&said, q)
	if said.Far > 0 { // as it is written: a number out of bounds is refused
		o.Far = said.Far
	}
	return o, ok
}

// fault says why an answer may not be given.
func (w *resultWorld) fault(o ownAnswer) *play.Fault {
	q := w.v.Fray.Asks
	name := w.v.elementArg("element", q.Of)
	switch {
	case len(w.said) > 0 || o.of != q.Of || o.key != policyOf[q.What]:
		return refuse("HFG-R107", "hfg.answer-other", name)
	case len(q.Enemies) > 0 && q.What != askPress && !slices.Contains(q.Enemies, o.Enemy) && (o.Enemy != 0 || !q.None):
		return refuse("HFG-11.6", "hfg.answer-enemy", name)
	case q.What == askRout && o.Way != "" && !slices.Contains(q.Ways, o.Way):
		return refuse("HFG-R76", "hfg.answer-way", name, phrase.Literal("feature", o.Way))
	case (q.What == askRepulse || q.What == askPursue) && (o.Far < q.Low || o.Far > q.High):
		return refuse("HFG-16.12", "hfg.answer-far", name, phrase.Number("low", q.Low), phrase.Number("high", q.High))
	}
	return nil
}

// next lists answers to the question; where paces are asked for, one that stands for all distances.
func (w *resultWorld) next(k policyKey) []ownAnswer {
	q := w.v.Fray.Asks
	if one := (ownAnswer{k, q.Of, w.v.usual(q)}); one.measured() {
		one.Far, one.Rough = q.Low, false
		all := []ownAnswer{one}
		if k == policyPursue {
			one.Rough = true
			all = append(all, one)
		}
		return all
	}
	return w.examples(k)
}

// examples lists answers to the question; of distances the usual one and the greatest.
func (w *resultWorld) examples(k policyKey) []ownAnswer {
	q := w.v.Fray.Asks
	usual := ownAnswer{k, q.Of, w.v.usual(q)}
	all := []ownAnswer{usual}
	with := func(change func(o *ownAnswer)) {
		o := usual
		change(&o)
		if !slices.Contains(all, o) {
			all = append(all, o)
		}
	}
	switch k {
	case policyPress, policyGuns, policyJoin, policyAid:
		with(func(o *ownAnswer) { o.Yes = true })
		with(func(o *ownAnswer) { o.Yes = false })
	case policyRepulse, policyPursue:
		with(func(o *ownAnswer) { o.Far = q.High })
	}
	for _, way := range q.Ways {
		with(func(o *ownAnswer) { o.Way = way })
	}
	for _, e := range q.Enemies {
		with(func(o *ownAnswer) { o.Enemy = e })
	}
	if q.None && k == policyFace {
		with(func(o *ownAnswer) { o.Enemy = 0 })
	}
	return all
}

// shownFar are examples of how far somebody goes: as usual, and as far as he may.
func (w *resultWorld) shownFar(keys []policyKey) []string {
	var all []string
	for _, k := range keys {
		for _, o := range w.examples(k) {
			if o.measured() && w.fault(o) == nil {
				all = append(all, fmt.Sprintf("%s: {%s: %s}", policyWords[k], w.v.def(o.of).id, o.node(w.v).OneLine()))
			}
		}
	}
	return all
}

// node writes an answer.
func (o ownAnswer) node(v *View) *orders.Node {
	word := func(yes, no string) *orders.Node {
		if o.Yes {
			return orders.Text(yes)
		}
		return orders.Text(no)
	}
	switch o.key {
	case policyPress, policyJoin:
		return word("yes", "no")
	case policyGuns:
		return word("repulsed", "silenced")
	case policyAid:
		return word("aid", "shoot-later")
	case policyRout:
		if o.Way == "" {
			return orders.Text("straight")
		}
		return orders.Text(o.Way)
	case policyFace, policyCharge:
		if o.Enemy == 0 {
			return orders.Text("none")
		}
		return orders.Text(v.def(o.Enemy).id)
	}
	n := orders.Text(fmt.Sprint(o.Far))
	if o.Rough {
		return orders.Inline().Set("distance", n).Set("into", orders.Text("any"))
	}
	return n
}

// asksOwner opens the stop at which an owner decides.
func (p *battlefield) asksOwner(q *question) {
	p.Fray.Asks = q
	p.owed = []engine.Decision{p.puts(q)}
}

// puts is the decision by which an owner is asked a question.
func (g *game) puts(q *question) engine.Decision {
	return engine.Decision{Side: g.owner(q.Of), Kind: g.stopFor(q), At: g.def(q.Of).id}
}

// stopFor is the kind of the stop at which a question is put.
func (g *game) stopFor(q *question) string {
	switch {
	case q.What == askFace:
		return stopFace
	case !q.Close:
		return stopShot
	}
	return stopResult
}

// faceForm, shotForm and closeForm are the stops, and resultForms all of them by the kind of their decision.
var (
	faceForm  = resultForm(policyFace)
	shotForm  = resultForm(policyCharge, policyPress, policyRepulse, policyGuns, policyRout)
	closeForm = resultForm(policyPursue, policyPress, policyRepulse, policyJoin, policyRout)

	resultForms = map[string]*form[*resultWorld]{stopFace: faceForm, stopShot: shotForm, stopResult: closeForm}
)
