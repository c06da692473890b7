package waterloo

import (
	"iter"
	"math/rand/v2"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The stop round (WAT-S3): steps, and within a step the moves or the action of the
// card, the attack, the cards committed to it and who advances.

// An act is one part of what is said of a round.
type act struct {
	does    doing
	card    cardID
	start   startOfAction
	stride  stride
	unit    unitID // that is rallied, or attacks
	target  unitID // of an attack
	commit  commit
	advance advanceOrder
}

// What an act does: which of [roundVerbs] it is.
type doing int8

const (
	endRound     doing = iota
	attackAlone        // begins a step: a unit attacks by a right from before
	playForMP          // begins a step: a card is played for movement
	playAsAction       // begins a step: a card is played as an action
	makeStride         // with the card
	goOnAfter          // reactions that change the move
	rallyMore
	joinAttack
	commitNone
	commitCard
	sayAdvance
	goAfter     // the attack
	leaveAttack // that the card allows
	attackAfter // the card
)

// A startOfAction is an action with the first that it does: an action step without what may
// follow.
type startOfAction struct {
	action                    action
	shot                      shot
	unit, target, rally, flip unitID
}

// start gives how an action step starts.
func (d *actionStep) start(a action) startOfAction {
	s := startOfAction{action: a, shot: shot{d.By, d.Side}, unit: d.Unit, target: d.Target, flip: d.Flip}
	if len(d.Rally) > 0 {
		s.rally = d.Rally[0]
	}
	return s
}

// step is the step that an act begins.
func (a act) step() step {
	d := a.start
	st := step{Card: a.card, Action: d.action, End: a.does == endRound,
		Does: actionStep{By: d.shot.by, Side: d.shot.side, Unit: d.unit, Target: d.target, Flip: d.flip}}
	if d.rally != 0 {
		st.Does.Rally = []unitID{d.rally}
	}
	if a.does == attackAlone {
		st.Attack = &attack{Target: a.target, With: []unitID{a.unit}}
	}
	return st
}

// acts takes a step apart.
func (st *step) acts() []act {
	if st.End {
		return []act{{does: endRound}}
	}
	var all []act
	strike := attackAlone
	if st.Card != 0 {
		strike = attackAfter
		all = append(all, act{does: playForMP, card: st.Card})
		if st.Action != noAction {
			all[0] = act{does: playAsAction, card: st.Card, start: st.Does.start(st.Action)}
		}
		for i := range st.Moves {
			for _, s := range st.Moves[i].strides() {
				all = append(all, act{does: makeStride, stride: s})
			}
		}
		if st.OnReaction == reactionContinue {
			all = append(all, act{does: goOnAfter, card: st.Card})
		}
		for _, id := range st.Does.Rally[min(1, len(st.Does.Rally)):] {
			all = append(all, act{does: rallyMore, card: st.Card, unit: id})
		}
		all = append(all, filedActs(st.Does.Filed, st.Does.Cards, st.Does.Advance)...)
	}
	switch {
	case st.Attack != nil:
		for i, id := range st.Attack.With {
			if i > 0 {
				strike = joinAttack
			}
			all = append(all, act{does: strike, target: st.Attack.Target, unit: id})
		}
		all = append(all, filedActs(st.Attack.Filed, st.Attack.Cards, st.Attack.Advance)...)
		if st.Attack.Go {
			all = append(all, act{does: goAfter})
		}
	case st.Idle:
		all = append(all, act{does: leaveAttack, card: st.Card})
	}
	return all
}

// filedActs takes apart what was filed with a battle.
func filedActs(filed bool, cards []commit, o advanceOrder) []act {
	var all []act
	if filed && len(cards) == 0 {
		all = append(all, act{does: commitNone})
	}
	for _, c := range cards {
		all = append(all, act{does: commitCard, commit: c})
	}
	if o.Said {
		all = append(all, act{does: sayAdvance, advance: o})
	}
	return all
}

// A rounding is the world of the stop round. Every step is judged as if nothing came
// of those before but what is sure: moves without reactions, attacks without a
// result. The copies of the game on which that is judged are made when they are
// asked for.
type rounding struct {
	v     *View
	steps []step
	open  *step // to which more may be added

	// counted tells that cards for a battle are counted one by one, not at the end of
	// the list that is read.
	counted bool
	// spoilt tells that a fault of the open card has been told: what follows is judged
	// as if the card had done something.
	spoilt bool

	done     *View // with so many of the steps assumed
	assumed  int
	moving   *View // besides with the card of the open step used, and its moves made
	card     *moveFrame
	striker  *View // besides with all of the open step assumed but its attack
	follower *View // with all steps assumed
}

// all are the steps that have been said.
func (w *rounding) all() []step {
	if w.open == nil {
		return w.steps
	}
	return append(w.steps[:len(w.steps):len(w.steps)], *w.open)
}

// finish closes the open step.
func (w *rounding) finish() {
	w.steps, w.open = w.all(), nil
	w.forget()
}

// forget drops what was known of the open step.
func (w *rounding) forget() {
	w.moving, w.card, w.striker, w.follower, w.spoilt = nil, nil, nil, nil, false
}

// before is the view on the game before the open step.
func (w *rounding) before() *View {
	if w.done == nil && len(w.steps) == 0 {
		return w.v
	}
	if w.done == nil {
		w.done = w.v.trying()
	}
	for ; w.assumed < len(w.steps); w.assumed++ {
		w.done.assume(&w.steps[w.assumed])
	}
	return w.done
}

// after is the view on the game after all steps, on which a new one begins.
func (w *rounding) after() *View {
	if w.open == nil {
		return w.before()
	}
	if w.follower == nil {
		w.follower = w.before().trying()
		w.follower.assume(w.open)
	}
	return w.follower
}

// moves is the view on the game on which the card of the open step moves pieces.
func (w *rounding) moves() (*View, *moveFrame) {
	if w.moving == nil {
		t := w.before().trying()
		t.use(w.open.Card)
		c := t.card(w.open.Card)
		w.moving, w.card = t, &moveFrame{Card: w.open.Card, Army: c.army, MP: c.mp}
		for i := range w.open.Moves {
			t.tryMove(w.card, &w.open.Moves[i], false)
		}
	}
	return w.moving, w.card
}

// strikes is the view on the game on which the attack of the open step is made.
func (w *rounding) strikes() *View {
	if w.open == nil || w.open.Card == 0 {
		return w.before()
	}
	if w.striker == nil {
		st := *w.open
		st.Attack = nil
		w.striker = w.before().trying()
		w.striker.assume(&st)
	}
	return w.striker
}

// unspent tells whether the open card is one that must move something and has not
// yet (WAT-R48).
func (w *rounding) unspent() bool {
	st := w.open
	return w.v.options.zeroMP == no && !w.spoilt && st != nil && st.Card != 0 && st.Action == noAction && len(st.Moves) == 0
}

// A filings is what may be filed with a battle: cards, and who advances.
type filings struct {
	filed   *bool // it has been said which cards, if any
	cards   *[]commit
	advance *advanceOrder
}

// filing is what may be filed with the battle of the open step; nil if nothing may.
func (w *rounding) filing() *filings {
	switch st := w.open; {
	case st == nil:
	case st.Attack != nil:
		if a := st.Attack; !a.Go && !a.Advance.Said {
			return &filings{&a.Filed, &a.Cards, &a.Advance}
		}
	case st.charges() && !st.Idle && !st.Does.Advance.Said:
		return &filings{&st.Does.Filed, &st.Does.Cards, &st.Does.Advance}
	}
	return nil
}

// charges tells whether the card of a step is a charge, which is a battle.
func (st *step) charges() bool { return st.Action == cavalryCharge || st.Action == mustCharge }

// fought is the battle of the open step, with the view on the game in which it is fought.
func (w *rounding) fought() (*View, *battleFrame) {
	st := w.open
	if a := st.Attack; a != nil {
		v := w.strikes()
		return v, v.expected(a.Target, a.With, false, false)
	}
	v := &View{game: w.before().afterCard(st.Card), side: w.v.side, own: w.v.own}
	return v, v.charging(st.Does.Unit, st.Does.Target, st.Action == mustCharge)
}

// lastFault tells why no step may follow the last one.
func (w *rounding) lastFault() *fault {
	last := w.open
	if n := len(w.steps); last == nil && n > 0 {
		last = &w.steps[n-1]
	}
	switch {
	case last == nil:
	case last.End:
		return refusal("WAT-4.20", "wat.step-after-end")
	case last.Attack != nil && !last.Attack.Go:
		f := refusal("WAT-4.20", "wat.step-after-attack")
		f.Remedy = phrase.Say("order.write", phrase.Literal("text", "after: go"))
		return f
	}
	return nil
}

// mayMove tells whether a card may be played for movement without moving anything,
// or can move something (WAT-R48).
func (v *View) mayMove(c cardID) bool {
	w := &rounding{v: v, open: &step{Card: c}}
	if !w.unspent() {
		return true
	}
	_, ok := w.anyStride()
	return ok
}

// anyStride is a legal stride of the card of the open step.
func (w *rounding) anyStride() (stride, bool) {
	t, f := w.moves()
	for s := range t.stridesOn(f, w.open.Moves) {
		if t.strideFault(f, w.open.Moves, s) == nil {
			return s, true
		}
	}
	return stride{}, false
}

// strikers are the attacks of one unit that might be made as the game stands,
// whether there is a right to attack or not. It tells whether the list goes on.
func (v *View) strikers(does doing, yield func(act) bool) bool {
	for target := range v.everyUnit() {
		if v.mayBeAttacked(target, v.camp()) != nil {
			continue
		}
		for a := french; a <= prussian; a++ {
			if !v.own[a] {
				continue
			}
			for _, id := range v.attackersOf(a, target) {
				if !yield(act{does: does, target: target, unit: id}) {
					return false
				}
			}
		}
	}
	return true
}

// actionText is how an action is listed.
func (v *View) actionText(d startOfAction) string {
	switch {
	case d.shot.by != 0:
		return d.shot.text(v.game)
	case d.unit != 0:
		return stepWords[d.action] + " " + v.def(d.unit).id + " target " + v.def(d.target).id
	case d.rally != 0:
		return "rally " + v.def(d.rally).id
	case d.flip != 0:
		return "flip " + v.def(d.flip).id
	}
	return stepWords[d.action]
}

// roundForm is the stop round: the next steps of the round (WAT-S3).
var roundForm = &form[*rounding]{
	Clause: "WAT-4.20",
	Begin: func(v *View, _ engine.Decision) (*rounding, bool) {
		return &rounding{v: v, counted: true}, v.roundNow() != nil
	},
	Fields: []field[*rounding]{{
		Shape: roundShape,
		Read:  readRound,
		Write: func(x *saying[*rounding], _ []play.Part) *orders.Node {
			n := orders.Items()
			for _, st := range x.World.all() {
				n.Add(x.View.stepNode(&st))
			}
			return n
		},
		Next: func(w *rounding) iter.Seq[any] {
			return func(yield func(any) bool) { w.next(func(a act) bool { return yield(a) }) }
		},
		May: func(w *rounding, value any) *fault { return w.fault(value.(act)) },
		Place: func(value any, _ *fault) []string {
			if a := value.(act); a.does == commitCard {
				return placesOfCommit[a.commit.As]
			}
			return nil
		},
		Put: func(w *rounding, value any) { w.put(value.(act)) },
		Say: func(v *View, value any) engine.Choice { a := value.(act); return roundVerbs[a.does].say(v, a) },
		Apart: func(w *rounding) []any {
			var all []any
			for _, st := range w.all() {
				for _, a := range st.acts() {
					all = append(all, a)
				}
			}
			return all
		},
	}},
	Ends:  true,
	Usual: func(x *saying[*rounding]) { x.Try("", act{does: endRound}) },
	Fill: func(x *saying[*rounding]) {
		if x.World.unspent() {
			if s, ok := x.World.anyStride(); ok {
				x.Try("", act{does: makeStride, stride: s})
			}
		}
		if len(x.World.all()) == 0 {
			x.Try("", act{does: endRound})
		}
	},
	// One step or two, or the end of the round.
	Chance: func(x *saying[*rounding], chance *rand.Rand) {
		t := x.View.trying()
		for range 1 + chance.IntN(2) {
			st, ok := t.randomStep(chance)
			if !ok {
				return
			}
			sayStep(x, &st)
			if st.End || st.Attack != nil && !st.Attack.Go {
				return
			}
			t.assume(&st)
		}
	},
	// The steps up to the first of which nobody can know what comes of it.
	Sense: func(x *saying[*rounding], _ *rand.Rand) {
		t := x.View.trying()
		for {
			st := senseRound(t)
			sayStep(x, &st)
			if st.Card == 0 || st.Attack != nil || st.Action != noAction && st.Action != reorganise {
				return
			}
			t.assume(&st)
			if len(t.playable(t.roundNow())) == 0 && !t.canStrike(t.roundNow()) {
				return
			}
		}
	},
	Note: func(x *saying[*rounding], n *orders.Node) { *n = *x.View.roundTemplate(x.Blank()) },
	Do: func(p *battlefield, _ engine.Decision, w *rounding) {
		p.roundNow().Steps = play.Clone(w.all()) // the answer stays as it is
	},
}

// sayStep says a step that was found legal, by the same judges.
func sayStep(x *saying[*rounding], st *step) {
	one := *st
	x.World.finish()
	x.World.open = &one
	x.Made()
}
