package napoleon

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

// An order is one part of what a file says about a battle turn.
type order struct {
	says   saidOfTurn
	action action // of a unit
	unit   unitID // that stays shown
	shift  shift  // that reinforces, or regroups after a victory
	quiet  bool   // a template does not list it
}

// What an order says.
type saidOfTurn int8

const (
	saysAction saidOfTurn = iota
	saysShow
	saysAsk
	saysPress
	saysNobodyComes
	saysComes
	saysNobodyShifts
	saysShifts
	saysNothing // and no other part may stand beside it
	saysPlan    // the same
)

// A turning is the world of the stop battle-turn. It is not known what fire will do, so the
// actions are judged in two worlds, one in which every shot misses and one in which every
// shot clears its target; an action is refused only if both worlds refuse it.
type turning struct {
	v    *View
	b    *battle
	own  []unitID
	said turnAnswer
	none bool

	worlds []world // with so many of the actions done; made only when asked for
	done   int
}

// tried gives the worlds with all actions done. Before the first action there is only one,
// which is the board as it stands.
func (w *turning) tried() []world {
	if len(w.said.orders.actions) == 0 {
		return []world{{w.v.game, w.b}}
	}
	if w.worlds == nil {
		w.worlds = []world{w.v.try(w.b), w.v.try(w.b)}
	}
	for ; w.done < len(w.said.orders.actions); w.done++ {
		a := w.said.orders.actions[w.done]
		for i, one := range w.worlds {
			switch {
			case one.game.judge(one.b, a) != nil:
			case i == 0:
				one.do(a, one.spared)
			default:
				one.do(a, one.swept)
			}
		}
	}
	return w.worlds
}

// attempt finds what a unit may do to fulfil an intent, and gives the fault if no world
// allows it.
func (w *turning) attempt(id unitID, make intent) (action, *fault) {
	var refusal *fault
	for i, one := range w.tried() {
		a, f := make(one, one.game.unit(id))
		if f == nil {
			a.unit = id
			if f = one.game.judge(one.b, a); f == nil {
				return a, nil
			}
		}
		if i == 0 {
			refusal = f
		}
	}
	return action{}, refusal
}

// victory is the battle as it would be if the side had won it.
func (w *turning) victory() *battle {
	b := *w.b
	b.won = w.v.camp()
	return &b
}

// outOfOrder refuses an order that no file can hold beside the others.
var outOfOrder = &fault{}

// fault tells why an order may not be given as well.
func (w *turning) fault(o order) *fault {
	a, s := &w.said.orders, w.said
	switch empty := w.empty(); {
	case w.none || s.plan, o.says >= saysNothing && !empty:
		return outOfOrder
	case o.says == saysAction:
		_, f := w.attempt(o.action.unit, always(o.action))
		return w.v.ofUnit(o.action.unit, f)
	case o.says == saysShow && containsUnit(a.stay, o.unit),
		o.says == saysAsk && (a.again || len(a.actions) == 0 || a.reinforce != nil),
		o.says == saysPress && a.press,
		o.says == saysNobodyComes && (a.again || a.reinforce != nil),
		o.says == saysComes && (a.again || a.reinforce != nil && len(a.reinforce.places) == 0),
		o.says == saysNobodyShifts && a.regroup != nil,
		o.says == saysShifts && a.regroup != nil && len(a.regroup.in)+len(a.regroup.out) == 0:
		return outOfOrder
	case o.says == saysShow && w.v.options.rehide != rehideAsk:
		return refusal("NAP-R69", "nap.turn-show")
	case o.says == saysComes:
		return w.comesFault(o.shift.place)
	case o.says == saysShifts:
		return w.shiftFault(o.shift)
	}
	return nil
}

func (w *turning) comesFault(pl place) *fault {
	var come []place
	if w.said.orders.reinforce != nil {
		come = w.said.orders.reinforce.places
	}
	return (&bringing{v: w.v, b: w.b, come: come}).fault(pl)
}

func (w *turning) shiftFault(one shift) *fault {
	so := regroupAnswer{s: w.v.scenario}
	if w.said.orders.regroup != nil {
		so = *w.said.orders.regroup
	}
	return (&regroups{v: w.v, b: w.victory(), so: so}).fault(one)
}

// empty tells whether nothing has been said.
func (w *turning) empty() bool { return !w.none && w.said.empty() }

// empty tells whether an answer orders nothing.
func (a *turnAnswer) empty() bool {
	o := &a.orders
	return !a.plan && !o.again && !o.press && len(o.actions) == 0 && len(o.stay) == 0 && o.reinforce == nil && o.regroup == nil
}

// put lets an order that may be given take effect.
func (w *turning) put(o order) {
	a := &w.said.orders
	switch o.says {
	case saysAction:
		a.actions = append(a.actions, o.action)
	case saysShow:
		a.stay = append(a.stay, o.unit)
		slices.Sort(a.stay)
	case saysAsk:
		a.again = true
	case saysPress:
		a.press = true
	case saysNobodyComes:
		a.reinforce = &allotment{}
	case saysComes:
		if a.reinforce == nil {
			a.reinforce = &allotment{}
		}
		a.reinforce.places = append(a.reinforce.places, o.shift.place)
	case saysNobodyShifts:
		a.regroup = &regroupAnswer{s: w.v.scenario}
	case saysShifts:
		if a.regroup == nil {
			a.regroup = &regroupAnswer{s: w.v.scenario}
		}
		a.regroup = a.regroup.and(o.shift.in, o.shift.place)
	case saysNothing:
		w.none = true
	case saysPlan:
		w.said.plan = true
	}
}

// parts are the orders that an answer gives, in the order of the file.
func (a turnAnswer) parts() []order {
	if a.plan {
		return []order{{says: saysPlan}}
	}
	var all []order
	say := func(says saidOfTurn, yes bool) {
		if yes {
			all = append(all, order{says: says})
		}
	}
	for _, act := range a.orders.actions {
		all = append(all, order{says: saysAction, action: act})
	}
	for _, id := range a.orders.stay {
		all = append(all, order{says: saysShow, unit: id})
	}
	say(saysAsk, a.orders.again)
	say(saysPress, a.orders.press)
	if come := a.orders.reinforce; come != nil {
		say(saysNobodyComes, len(come.places) == 0)
		for _, pl := range townLists.InOrder(come.places) {
			all = append(all, order{says: saysComes, shift: shift{true, pl}})
		}
	}
	if so := a.orders.regroup; so != nil {
		say(saysNobodyShifts, len(so.in)+len(so.out) == 0)
		for _, one := range so.shifts() {
			all = append(all, order{says: saysShifts, shift: one})
		}
	}
	return all
}

// sayTurn says an answer that the same judges have found legal.
func sayTurn(x *saying[*turning], a turnAnswer) {
	x.World.said, x.World.none = a, a.empty()
	x.Made()
}

// turnForm is the stop battle-turn: the combat step of a side (NAP-6.30).
var turnForm = &form[*turning]{
	Begin: func(v *View, d engine.Decision) (*turning, bool) {
		b := v.battleOf(d)
		if b == nil {
			return nil, false
		}
		w := &turning{v: v, b: b, said: v.turnAnswer(b)}
		for i := range v.units {
			if u := &v.units[i]; b.fights(u) && v.own[u.army] {
				w.own = append(w.own, u.id)
			}
		}
		slices.Sort(w.own)
		return w, true
	},
	Fields: []formField[*turning]{{
		Shape: turnShape,
		Read:  readTurn,
		Write: func(x *saying[*turning], _ []play.Part) *orders.Node { return x.World.said.node() },
		Next: func(w *turning) iter.Seq[any] {
			return func(yield func(any) bool) { w.next(func(o order) bool { return yield(o) }) }
		},
		May: func(w *turning, value any) *fault { return w.fault(value.(order)) },
		Put: func(w *turning, value any) { w.put(value.(order)) },
		Apart: func(w *turning) []any {
			if w.none {
				return []any{order{says: saysNothing}}
			}
			var all []any
			for _, o := range w.said.parts() {
				all = append(all, o)
			}
			return all
		},
		Say: func(v *View, value any) engine.Choice { return v.orderChoice(value.(order)) },
	}},
	// The default is the plan hold (section 5.3 of the digest).
	Usual:  func(x *saying[*turning]) { sayTurn(x, x.View.holdTurn(x.World.b)) },
	Fill:   func(*saying[*turning]) {},
	Chance: func(x *saying[*turning], chance *rand.Rand) { sayTurn(x, x.View.turnByChance(x.World.b, chance)) },
	Sense:  func(x *saying[*turning], _ *rand.Rand) { sayTurn(x, x.View.senseTurn(x.World.b)) },
	Stands: true,
	Note:   noteTurn,
	Do: func(p *campaign, d engine.Decision, w *turning) {
		b := p.battleOf(d)
		if w.said.plan {
			b.letPlan(p.seatOf(d.Side))
			return
		}
		if p.standing.of(p.seatOf(d.Side)).ahead() || p.options.cadence == cadencePlans {
			b.guide = guideHand
		}
		b.orders = w.said.orders.clone()
	},
}

// next are the orders that might be given next.
func (w *turning) next(yield func(order) bool) {
	v := w.v
	for _, id := range w.own {
		if !w.nextOf(id, yield) {
			return
		}
	}
	for _, id := range w.own {
		if v.options.rehide == rehideAsk && !yield(order{says: saysShow, unit: id}) {
			return
		}
	}
	for _, says := range [...]saidOfTurn{saysNothing, saysPlan, saysAsk, saysPress, saysNobodyComes} {
		if !yield(order{says: says}) {
			return
		}
	}
	for pl := range (&bringing{v: v, b: w.b}).mayCome {
		if !yield(order{says: saysComes, shift: shift{true, pl}}) {
			return
		}
	}
	if !yield(order{says: saysNobodyShifts}) {
		return
	}
	for one := range (&regroups{v: v, b: w.victory()}).mayShift {
		if !yield(order{says: saysShifts, shift: one, quiet: true}) {
			return
		}
	}
}

// nextOf are the actions that a unit may do in one of the worlds, each once.
func (w *turning) nextOf(id unitID, yield func(order) bool) bool {
	var seen []action
	worlds := w.tried()
	offer := func(a action, quiet bool) bool {
		if slices.Contains(seen, a) {
			return true
		}
		seen = append(seen, a)
		return yield(order{says: saysAction, action: a, quiet: quiet})
	}
	for _, one := range worlds {
		more := true
		one.game.choices(one.b, one.game.unit(id), func(a action) bool {
			a.unit = id
			more = offer(a, false)
			return more
		})
		for _, at := range [2]group{others, squares} { // a group may be named even if there is only one
			a := action{verb: doFire, unit: id, group: at}
			if more && one.game.judge(one.b, a) == nil {
				more = offer(a, true)
			}
		}
		if !more {
			return false
		}
	}
	return true
}

// orderChoice is how an order is listed.
func (v *View) orderChoice(o order) engine.Choice {
	switch o.says {
	case saysAction:
		a := v.turnOf(o.action.unit)
		c := engine.Choice{Of: v.unitName(o.action.unit), What: a.actionText(o.action), Shown: a.actionShown(o.action)}
		if o.quiet {
			c.Shown = ""
		}
		return c
	case saysShow:
		return engine.Choice{Of: v.unitName(o.unit), What: "show"}
	case saysComes:
		return engine.Choice{Of: v.unitName(o.shift.unit), What: "reinforce " + v.towns[o.shift.town].name, Shown: v.brief(o.shift.unit)}
	case saysShifts:
		c := shiftChoice(v, o.shift)
		c.What, c.Shown = "regroup "+c.What, "" // the template lists whom a victory would set free to move only then
		return c
	}
	return engine.Choice{What: [...]string{saysAsk: "then ask", saysPress: "on-fail continue", saysNobodyComes: "reinforce none",
		saysNobodyShifts: "regroup none", saysNothing: "none", saysPlan: "plan"}[o.says]}
}

// turnOf is an answer without orders of the battle in which a unit fights.
func (v *View) turnOf(id unitID) turnAnswer {
	for i := range v.battles {
		if b := &v.battles[i]; b.fights(v.unit(id)) {
			return v.turnAnswer(b)
		}
	}
	return turnAnswer{s: v.scenario}
}

// actionText is an action as a choice names it.
func (a turnAnswer) actionText(act action) string {
	switch act.verb {
	case doMove:
		var words []string
		for _, f := range act.path {
			if f != offBoard {
				words = append(words, a.called(f))
			}
		}
		return "move " + strings.Join(words, ", ")
	case doFire:
		return strings.TrimSpace("fire " + groupWords[act.group])
	case doShelter, doSwap:
		return verbWords[act.verb] + " " + a.s.roster[act.with].id
	case doOccupy:
		return "occupy " + act.what.String()
	case doRetreat:
		return "retreat " + a.s.towns[act.to].name
	}
	return verbWords[act.verb]
}

// actionShown is what the template writes of an action among those of its unit.
func (a turnAnswer) actionShown(act action) string {
	text := a.actionText(act)
	switch act.verb {
	case doMove:
		return "[" + strings.TrimPrefix(text, "move ") + "]"
	case doRetreat:
		return a.s.towns[act.to].name
	case doFire:
		if act.group != anyGroup {
			return "at: " + groupWords[act.group]
		}
	case doShelter:
		return "in: " + a.s.roster[act.with].id
	case doSwap:
		return "with: " + a.s.roster[act.with].id
	case doOccupy:
		return "what: " + act.what.String()
	}
	return text
}

// readTurn reads {at, plan, actions, show, then, on-fail, reinforce, regroup}, or one of the
// words none, plan, hold. A list of actions that holds nothing but the word end says nothing
// of them: then the plan of the file leads the turn, or else the plan hold.
func readTurn(x *saying[*turning], r *orders.Reader, body *orders.Node) {
	v, w := x.View, x.World
	switch {
	case r.Is(body, "hold"):
		sayTurn(x, v.holdTurn(w.b))
		return
	case r.Is(body, "none"):
		x.Add("", order{says: saysNothing})
		return
	case r.Is(body, "plan"):
		x.Add("", order{says: saysPlan})
		return
	}
	f := r.Fields(body, "at", "plan", "actions", "show", "then", "on-fail", "reinforce", "regroup")
	if at := f.Get("at"); at != nil {
		if t, ok := v.pickTown(r, at); ok && t != w.b.town {
			r.RefuseWith(at, "", phrase.Say("nap.turn-elsewhere", v.townArg("town", t)), phrase.Say("nap.turn-here", v.townArg("town", w.b.town)))
		}
	}
	take := func(at *orders.Node, o order) { x.Judge(r, at, "", o, true, len(r.Problems)) }
	actions, led := readActions(x, r, f)
	if n := f.Get("show"); n != nil && !r.Is(n, "none") {
		if v.options.rehide != rehideAsk {
			r.Refuse(n, "NAP-R69", phrase.Say("nap.turn-show"))
		}
		stay, _ := v.unitsOf(r, n, w.own)
		slices.Sort(stay)
		for _, id := range stay {
			x.Add("", order{says: saysShow, unit: id})
		}
	}
	asks := false
	if n := f.Get("then"); n != nil {
		word, _ := r.Word(n, "ask", "end")
		asks = word == "ask"
		if asks && (led && len(w.said.orders.actions) == 0 || !led && (r.Is(actions, "none") || len(r.List(actions)) == 0)) {
			r.Refuse(n, "NAP-6.30", phrase.Say("nap.turn-ask-nothing"))
		} else if asks {
			x.Add("", order{says: saysAsk})
		}
	}
	if n := f.Get("on-fail"); n != nil {
		switch word, _ := r.Word(n, "ask", "continue"); {
		case led:
			w.said.orders.press = word == "continue"
		case word == "continue":
			take(n, order{says: saysPress})
		}
	}
	if n := f.Get("reinforce"); n != nil {
		if asks {
			r.Refuse(n, "NAP-6.34", phrase.Say("nap.turn-ask-reinforce"))
		}
		list, nodes := townLists.Read(v, r, n, func(t townID) []unitID { return v.ableToCome(w.b, t) })
		for i, pl := range list {
			if f := w.comesFault(pl); !f.Refuse(r, nodes[i]) {
				x.Add("", order{says: saysComes, shift: shift{true, pl}})
			}
		}
		if w.said.orders.reinforce == nil {
			x.Add("", order{says: saysNobodyComes})
		}
	}
	if n := f.Get("regroup"); n != nil {
		v.eachShift(r, w.victory(), n, func(at *orders.Node, one shift) { take(at, order{says: saysShifts, shift: one}) })
		if w.said.orders.regroup == nil {
			take(n, order{says: saysNobodyShifts})
		}
	}
	if w.empty() {
		x.Add("", order{says: saysNothing})
	}
}

// readActions reads actions, or the plan that leads the turn in their place. It gives the list
// of actions, and tells whether a plan leads.
func readActions(x *saying[*turning], r *orders.Reader, f orders.Fields) (actions *orders.Node, led bool) {
	actions = f.Get("actions")
	if led = play.Ended(r, actions) == nil && actions != nil; led {
		actions = nil
	}
	if n := f.Get("plan"); n != nil {
		if led = readLed(x, r, n); actions != nil {
			r.Refuse(actions, "", phrase.Say("nap.turn-plan-actions"))
			actions = nil
		}
	} else if led {
		sayTurn(x, x.View.holdTurn(x.World.b))
	}
	actions = play.Ended(r, actions)
	tr := &turnReader{Reader: r, x: x}
	if !r.Is(actions, "none") {
		for _, item := range r.List(actions) {
			tr.action(item)
		}
	}
	return actions, led
}

// readLed reads the plan that leads one battle turn: hold, withdraw, screen or square, {assault:
// left}, or none for a turn in which nobody acts. It says what the units then do as far as
// that can be foreseen, and tells whether it could be read.
func readLed(x *saying[*turning], r *orders.Reader, n *orders.Node) bool {
	v, b := x.View, x.World.b
	if n.Kind != orders.Map {
		word, ok := r.Word(n, ledBy...)
		if ok {
			sayTurn(x, v.turnLed(b, word, -1))
		}
		return ok
	}
	_, where := r.Only(n, "assault")
	if where == nil {
		return false
	}
	word, ok := r.Word(where, placeWords[:]...)
	if ok {
		sayTurn(x, v.turnLed(b, "assault", slices.Index(placeWords[:], word)))
	}
	return ok
}
