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
	"berthier/orders/phrase"
)

// Shots as they are ordered: at the stop turn for one's own turn (HFG-S8), at the stop fire for
// the enemy's (HFG-S13). Who isn't named shoots at the nearest valid target.

// A fireOrder is one shot, or who is told to hold his fire; or a case of the policy fire for this turn.
type fireOrder struct {
	by   elementID
	at   elementID // an enemy
	area areaID    // or a BUA, an SP
	span string    // or a bridge
	hold bool
	said policyCase
	turn string // or targets, with spaces between them: in which order they are shot at
}

// settles says whether it is a case of the policy.
func (o *fireOrder) settles() bool { return o.said.Key == policyFire }

// fireTexts are {element: art-1, at: kempt}, {hold: mit-1}, or {order: [kempt, rest]}; or what the policy fire says.
var fireTexts = kind[fireOrder]{
	Shape: shape.Either(shape.Record(shape.Need("element", shape.Name("element")), shape.Need("at", shape.Name("aim"))),
		shape.Record(shape.Need("hold", shape.Name("element"))),
		shape.Record(shape.Need("order", shape.List(shape.Either(shape.Words("rest"), shape.Name("aim"))))), policyFire.caseShape(), policyFire.answerShape()),
	Read: readFire,
	Write: func(v *View, o fireOrder) *orders.Node {
		switch {
		case o.settles() && o.said.bare():
			return o.said.answerNode()
		case o.settles():
			return o.said.text()
		case o.turn != "":
			return orders.Inline().Set("order", flow(orders.Texts(strings.Fields(o.turn)...)))
		case o.hold:
			return orders.Inline().Set("hold", orders.Text(v.def(o.by).id))
		}
		at := o.span
		switch {
		case o.area != 0:
			at = v.area(o.area).id
		case at == "":
			at = v.def(o.at).id
		}
		return orders.Inline().Set("element", orders.Text(v.def(o.by).id)).Set("at", orders.Text(at))
	},
}

// readFire reads one shot, or a case of the policy fire.
func readFire(v *View, r *orders.Reader, n *orders.Node) (fireOrder, bool) {
	c := &caseReader{w: &fireWorld{v: v, board: v.game}, r: r, asked: v.Phase == shooting}
	under := func(key string) bool { return r.Under(n, key) != nil }
	if n.Kind != orders.Map || slices.ContainsFunc([]string{"prefer", "counter-battery"}, under) {
		said, ok := c.answer(policyFire, n)
		return fireOrder{said: said}, ok
	}
	if slices.ContainsFunc([]string{"of", "if", "do", "else"}, under) {
		said, ok := c.one(policyFire, n)
		return fireOrder{said: said}, ok
	}
	f := r.Fields(n, "element", "at", "hold", "order")
	m := &moveReader{w: &turnWorld{fireWorld: fireWorld{v: v, board: v.game}}, r: r}
	if at := f.Get("hold"); at != nil {
		e, ok := m.own(at)
		return fireOrder{by: e, hold: true}, ok
	}
	if list := f.Get("order"); list != nil {
		return readTargets(v, r, list)
	}
	at := r.Require(f, "element")
	target := r.Require(f, "at")
	if at == nil || target == nil {
		return fireOrder{}, false
	}
	e, ok := m.own(at)
	id, found := r.Pick(target, "target", v.aimable())
	if !ok || !found {
		return fireOrder{}, false
	}
	return v.shotAt(e, id), true
}

// readTargets reads in which order targets are shot at; rest may end the list, and changes nothing.
func readTargets(v *View, r *orders.Reader, n *orders.Node) (fireOrder, bool) {
	var ids []string
	items := r.List(n)
	for i, item := range items {
		if i == len(items)-1 && i > 0 && r.Is(item, "rest") {
			continue
		}
		id, ok := r.Pick(item, "target", v.aimable())
		if !ok {
			return fireOrder{}, false
		}
		ids = append(ids, id)
	}
	return fireOrder{turn: strings.Join(ids, " ")}, len(ids) > 0
}

// aimable is what may be shot at: enemies whom the seat knows, BUAs and SPs, bridges.
func (v *View) aimable() []orders.Choice {
	var list []orders.Choice
	for o := elementID(1); int(o) < len(v.Elements); o++ {
		if v.def(o).side != v.of && v.on(o) {
			list = append(list, orders.Choice{ID: v.def(o).id})
		}
	}
	for a := range v.areas {
		if v.areas[a].square() && !slices.ContainsFunc(list, func(c orders.Choice) bool { return c.ID == v.areas[a].id }) {
			list = append(list, orders.Choice{ID: v.areas[a].id})
		}
	}
	for i := range v.Bridges {
		list = append(list, orders.Choice{ID: v.Bridges[i].ID})
	}
	return list
}

// shotAt is the order of an element to shoot at one of the [View.aimable].
func (v *View) shotAt(e elementID, id string) fireOrder {
	o := fireOrder{by: e}
	if enemy, is := v.elementNamed(id); is && v.def(enemy).side != v.of && v.on(enemy) {
		o.at = enemy
	} else if o.area, is = v.areaNamed(id); !is {
		o.area, o.span = 0, id
	}
	return o
}

// shotFor is a shot as combats take it.
func (g *game) shotFor(o fireOrder) shot {
	if o.at == 0 {
		return shot{By: o.by, At: fighter{Area: o.area, Bridge: o.span}}
	}
	return shot{By: o.by, At: g.aimedAt(o.by, o.at)}
}

// A fireWorld is the world of shots: the field as it is when they are judged.
type fireWorld struct {
	v     *View
	board *game
	fires []fireOrder
	turn  string       // in which order targets are shot at, if that is said
	cases []policyCase // what is decided beforehand
	kept  bool         // the answer was accepted before
	// astray is set if a move of it stands that goes nowhere now: what follows was judged from where it led.
	astray bool
	// offered is how many refusals have come with what would be legal.
	offered int
}

// fault says why a shot may not be ordered.
func (w *fireWorld) fault(o fireOrder) *play.Fault {
	if o.settles() {
		return w.caseFault(&o.said)
	}
	if o.turn != "" {
		return w.turnFault()
	}
	if !w.v.owns(o.by) {
		return refuse("HFG-12.1", "hfg.order-foreign", w.v.elementArg("element", o.by))
	}
	if slices.ContainsFunc(w.fires, func(s fireOrder) bool { return s.by == o.by }) {
		return refuse("HFG-12.1", "hfg.named-twice", w.v.elementArg("element", o.by))
	}
	if !o.hold {
		return w.board.shotFault(o.by, w.board.shotFor(o).At)
	}
	if all := w.board.targets(o.by); len(all) > 0 && w.board.compelled(o.by) {
		return refuse("HFG-12.8", "hfg.hold-must", w.v.elementArg("element", o.by), w.v.elementArg("other", all[0]))
	}
	return nil
}

// letsStand says whether a line stands although it has a fault: in an answer that was accepted when opponents whom the table
// excludes could still be named (HFG-14.2), when dismountables could hold their fire although they were to be dismounted
// (HFG-R205), or when ships could shoot at any place (HFG-R208). When its turn comes it isn't done, and its owner is told why.
func (w *fireWorld) letsStand(fault *play.Fault) bool {
	if !w.kept || fault == nil {
		return false
	}
	switch code := fault.Why.Code; {
	case w.astray, code == "hfg.hold-must", fault.Clause == "HFG-R208":
		return true
	default:
		return (code == "hfg.contact-never" || code == "hfg.shot-at-never") && fault.Clause == "HFG-14.2"
	}
}

// turnFault says why the order of targets may not be said: it is the phasing side's to choose, once (HFG-12.15).
func (w *fireWorld) turnFault() *play.Fault {
	switch {
	case w.v.phasing() != w.v.of:
		return refuse("HFG-12.15", "hfg.order-phasing")
	case w.turn != "":
		return refuse("HFG-12.15", "hfg.order-once")
	}
	return nil
}

// caseFault says why another case may not be written for this turn.
func (w *fireWorld) caseFault(c *policyCase) *play.Fault {
	switch {
	case len(w.cases) >= mostCases:
		return refuse("HFG-R107", "hfg.cases-many", phrase.Number("most", mostCases))
	case c.Key == policyFire && c.Do == "ask" && (w.v.Phase == shooting || w.v.phasing() != w.v.of):
		return refuse("HFG-R107", "hfg.fire-asked")
	case c.Key == policyAid && c.Do == "ask" && (w.v.Phase == shooting || w.v.phasing() != w.v.of):
		return refuse("HFG-R158", "hfg.aid-asked")
	}
	return nil
}

// takes adds a shot, or a case.
func (w *fireWorld) takes(o fireOrder) {
	switch {
	case o.settles():
		w.cases = append(w.cases, o.said)
	case o.turn != "":
		w.turn = o.turn
	default:
		w.fires = append(w.fires, o)
	}
}

// firesField is the key fire: a list of shots.
func firesField[W any](of func(W) *fireWorld) keyed[W] {
	f := play.List("fire", "", fireTexts, rule[W, fireOrder]{
		May: func(w W, o fireOrder) *play.Fault {
			fault := of(w).fault(o)
			if of(w).letsStand(fault) {
				return nil
			}
			if fault != nil && of(w).offers() {
				fault.Remedy = of(w).shotsInstead(o, fault)
			}
			return fault
		},
		Can: func(w W, o fireOrder) bool { return of(w).fault(o) == nil },
		Read: func(w W, r *orders.Reader, n *orders.Node) (fireOrder, bool) {
			of(w).kept = r.Accepted
			return readFire(of(w).v, r, n)
		},
		Next:  func(w W) iter.Seq[fireOrder] { return of(w).next },
		Put:   func(w W, o fireOrder) { of(w).takes(o) },
		Slots: append(caseSlots(of, func(o *fireOrder) *policyCase { return &o.said }), turnSlot(of)),
		Whole: func(_ W, o fireOrder) fireOrder {
			if o.settles() {
				o.said = wholeCase(o.said)
			}
			return o
		},
		Say: func(v *View, o fireOrder) engine.Choice {
			if o.settles() {
				return sayCase(o.said)
			}
			if o.turn != "" {
				return engine.Choice{Of: "order", What: strings.Fields(o.turn)[0]}
			}
			if o.hold {
				return engine.Choice{Of: v.def(o.by).id, What: "hold"}
			}
			n := fireTexts.Write(v, o)
			return engine.Choice{Of: v.def(o.by).id, What: n.Get("at").Text}
		},
	})
	f.Optional = true
	return f
}

// next lists each shot that can be made now, at troops and at places, whose fire can be held, which target can be shot at
// first, and what can be said for all of whom nothing is said.
func (w *fireWorld) next(yield func(fireOrder) bool) {
	for _, e := range w.board.standing() {
		if !w.v.owns(e) || w.board.noShot(e) != nil {
			continue
		}
		for _, o := range w.shotsOf(e) {
			if w.fault(o) == nil && !yield(o) {
				return
			}
		}
	}
	for _, o := range w.besideShots() {
		if w.fault(o) == nil && !yield(o) {
			return
		}
	}
}

// shotsOf are the shots of one element, and that it makes none.
func (w *fireWorld) shotsOf(e elementID) []fireOrder {
	var all []fireOrder
	for _, o := range w.board.takeable(e) {
		all = append(all, fireOrder{by: e, at: o})
	}
	if w.board.atPlaces(e) {
		for _, c := range w.v.aimable() {
			if o := w.v.shotAt(e, c.ID); o.at == 0 {
				all = append(all, o)
			}
		}
	}
	return append(all, fireOrder{by: e, hold: true})
}

// besideShots are the other parts of an answer about shots: the target that is shot at first, answers for all, and a case that begins.
func (w *fireWorld) besideShots() []fireOrder {
	var all []fireOrder
	for _, c := range w.v.aimable() {
		all = append(all, fireOrder{turn: c.ID})
	}
	for _, c := range w.bareCases(policyFire) {
		all = append(all, fireOrder{said: c})
	}
	return all
}

// turnSlot names the targets that are shot at after the first.
func turnSlot[W any](of func(W) *fireWorld) play.Slot[*View, W, fireOrder] {
	return play.Slot[*View, W, fireOrder]{Again: true,
		Next: func(w W, o fireOrder) iter.Seq[play.Span[fireOrder]] {
			return func(yield func(play.Span[fireOrder]) bool) {
				for _, c := range of(w).v.aimable() {
					one := o
					if one.turn = joined(o.turn, c.ID); o.turn != "" && !yield(play.Span[fireOrder]{Value: one}) {
						return
					}
				}
			}
		},
		Says: func(_ *View, o fireOrder) []engine.Choice {
			_, more, _ := strings.Cut(o.turn, " ")
			all := wordsSaid(thenPrefix, more)
			for i := range all {
				all[i].Of = "order"
			}
			return all
		},
	}
}

// fireForm is the stop fire (HFG-S13).
var fireForm = &form[*fireWorld]{
	Begin: func(v *View, _ engine.Decision) (*fireWorld, bool) {
		return &fireWorld{v: v, board: v.game}, v.of != noSide && (v.phasing() != v.of || v.Phase == shooting)
	},
	Fields: []keyed[*fireWorld]{firesField(sameFire), policiesField("combat", combatKeys, sameFire), policiesField("results", resultKeys, sameFire)},
	Stands: true, Gathers: true,
	Sense: func(x *draft[*fireWorld], _ *rand.Rand) { senseFire(x, x.World) },
	Note:  noteFire,
	Chance: func(x *draft[*fireWorld], chance *rand.Rand) {
		for _, e := range x.View.standing() {
			if x.View.owns(e) && x.View.noShot(e) == nil && chance.IntN(3) == 0 {
				if all := x.View.targets(e); len(all) > 0 {
					x.Try("fire", fireOrder{by: e, at: all[chance.IntN(len(all))]})
				}
			}
		}
		chanceFire(x, chance)
		chanceCases(x, chance)
	},
	Do: func(p *battlefield, d engine.Decision, w *fireWorld) {
		p.keeps(w.fires)
		p.ranks(d.Side, w)
		p.settlesBeforehand(d.Side, w.cases)
	},
}

// sameFire is the world of shots of the stop fire.
func sameFire(w *fireWorld) *fireWorld { return w }

// keeps notes shots that were ordered; the last word of a shooter counts.
func (p *battlefield) keeps(all []fireOrder) {
	for _, o := range all {
		p.Aimed = slices.DeleteFunc(p.Aimed, func(s shot) bool { return s.By == o.by })
		p.Held = slices.DeleteFunc(p.Held, func(e elementID) bool { return e == o.by })
		if o.hold {
			p.Held = append(p.Held, o.by)
		} else {
			p.Aimed = append(p.Aimed, p.shotFor(o))
		}
	}
}

// ranks notes in which order a seat has targets shot at; its last word counts.
func (p *battlefield) ranks(seat engine.Side, w *fireWorld) {
	if w.turn == "" {
		return
	}
	p.Targets = slices.DeleteFunc(p.Targets, func(t ranked) bool { return t.Seat == string(seat) })
	for _, id := range strings.Fields(w.turn) {
		o := w.v.shotAt(0, id)
		p.Targets = append(p.Targets, ranked{string(seat), fighter{Element: o.at, Area: o.area, Bridge: o.span}})
	}
}
