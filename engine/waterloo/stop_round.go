package waterloo

import (
	"iter"
	"math/rand/v2"
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The stop round (WAT-S3): steps, and within a step the moves or the deed of the
// card, the attack, the cards committed to it and who advances.

// An act is one part of what is said of a round.
type act struct {
	does    doing
	card    cardID
	deed    startOfDeed
	stride  stride
	unit    unitID // that is rallied, or attacks
	target  unitID // of an attack
	commit  commit
	advance advanceOrder
}

// What an act does.
type doing int8

const (
	endRound    doing = iota
	attackAlone       // begins a step: a unit attacks by a right from before
	playForMP         // begins a step: a card is played for movement
	playAsDeed        // begins a step: a card is played as an action
	makeStride        // with the card
	goOnAfter         // reactions that change the move
	rallyMore
	leaveAttack // that the card allows
	attackAfter // the card
	joinAttack
	commitNone
	commitCard
	sayAdvance
	goAfter // the attack
)

// A startOfDeed is an action with the first that it does: a deed without what may
// follow.
type startOfDeed struct {
	action                    action
	shot                      shot
	unit, target, rally, flip unitID
}

// start gives how a deed starts.
func (d *deed) start(a action) startOfDeed {
	s := startOfDeed{action: a, shot: shot{d.By, d.Side}, unit: d.Unit, target: d.Target, flip: d.Flip}
	if len(d.Rally) > 0 {
		s.rally = d.Rally[0]
	}
	return s
}

// step is the step that an act begins.
func (a act) step() step {
	d := a.deed
	st := step{Card: a.card, Action: d.action, End: a.does == endRound,
		Deed: deed{By: d.shot.by, Side: d.shot.side, Unit: d.unit, Target: d.target, Flip: d.flip}}
	if d.rally != 0 {
		st.Deed.Rally = []unitID{d.rally}
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
			all[0] = act{does: playAsDeed, card: st.Card, deed: st.Deed.start(st.Action)}
		}
		for i := range st.Moves {
			for _, s := range st.Moves[i].strides() {
				all = append(all, act{does: makeStride, stride: s})
			}
		}
		if st.OnReaction == reactionContinue {
			all = append(all, act{does: goOnAfter, card: st.Card})
		}
		for _, id := range st.Deed.Rally[min(1, len(st.Deed.Rally)):] {
			all = append(all, act{does: rallyMore, card: st.Card, unit: id})
		}
		all = append(all, filedActs(st.Deed.Filed, st.Deed.Cards, st.Deed.Advance)...)
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

// filing is the battle to which the open step may commit cards, with what it does;
// no battle if it can't.
func (w *rounding) filing() (v *View, b *battleFrame, filed *bool, cards *[]commit, o *advanceOrder) {
	st := w.open
	switch {
	case st == nil:
	case st.Attack != nil:
		if a := st.Attack; !a.Go && !a.Advance.Said {
			v = w.strikes()
			return v, v.expected(a.Target, a.With, false, false), &a.Filed, &a.Cards, &a.Advance
		}
	case (st.Action == cavalryCharge || st.Action == mustCharge) && !st.Idle && !st.Deed.Advance.Said:
		d := &st.Deed
		v = &View{game: w.before().afterCard(st.Card), side: w.v.side, own: w.v.own}
		return v, v.charging(d.Unit, d.Target, st.Action == mustCharge), &d.Filed, &d.Cards, &d.Advance
	}
	return nil, nil, nil, nil, nil
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

// outOfOrder refuses an act for which the open step has no place. No file can say
// one.
var outOfOrder = &fault{}

// fault tells why an act may not come next.
func (w *rounding) fault(a act) *fault {
	if a.does <= playAsDeed {
		return w.startFault(a)
	}
	st := w.open
	if st == nil || st.End || st.Attack != nil && st.Attack.Go {
		return outOfOrder
	}
	early := st.Card != 0 && !st.Idle && st.Attack == nil // the step is at its card yet
	switch a.does {
	case makeStride:
		if !early || st.Action != noAction || st.OnReaction != reactionAsk {
			return outOfOrder
		}
		t, f := w.moves()
		return t.strideFault(f, st.Moves, a.stride)
	case goOnAfter:
		if !early || st.Action != noAction || st.OnReaction != reactionAsk || w.unspent() {
			return outOfOrder
		}
	case rallyMore:
		if !early || st.Action != reorganise || st.Deed.Flip != 0 {
			return outOfOrder
		}
		next := *st
		next.Deed.Rally = append(st.Deed.Rally[:len(st.Deed.Rally):len(st.Deed.Rally)], a.unit)
		return w.before().deedFault(&next)
	case leaveAttack:
		if !early || w.unspent() {
			return outOfOrder
		}
	case attackAfter:
		if !early || w.unspent() {
			return outOfOrder
		}
		return w.strikes().strikeFault(nil, a.target, a.unit)
	case joinAttack:
		if st.Attack == nil || st.Attack.Filed || st.Attack.Advance.Said {
			return outOfOrder
		}
		return w.strikes().strikeFault(st.Attack.With, a.target, a.unit)
	case goAfter:
		if st.Attack == nil {
			return outOfOrder
		}
	default:
		return w.filedFault(a)
	}
	return nil
}

// startFault tells why an act may not begin a step.
func (w *rounding) startFault(a act) *fault {
	if w.unspent() {
		return outOfOrder
	}
	if f := w.lastFault(); f != nil || a.does == endRound {
		return f
	}
	v := w.after()
	if a.does == attackAlone {
		if f := v.rightFault(); f != nil {
			return f
		}
		return v.strikeFault(nil, a.target, a.unit)
	}
	if a.does == playForMP { // what it moves comes after
		return v.cardFault(a.card)
	}
	st := a.step()
	return v.stepFault(&st)
}

// filedFault tells why cards or an advance may not be filed with a battle.
func (w *rounding) filedFault(a act) *fault {
	v, b, filed, cards, _ := w.filing()
	switch {
	case b == nil:
		return outOfOrder
	case a.does == commitNone:
		if *filed {
			return outOfOrder
		}
	case a.does == commitCard:
		if *filed && len(*cards) == 0 {
			return outOfOrder
		}
		if f := v.commitFault(b, b.phasing(), *cards, a.commit); f != nil {
			return f
		}
		if w.counted {
			return v.limitFault(b, b.phasing(), len(*cards)+1)
		}
	case w.open.Attack != nil:
		return v.advanceFault(w.open.Attack.With, *cards, a.advance)
	case w.open.Action == cavalryCharge:
		return w.before().advanceFault([]unitID{w.open.Deed.Unit}, *cards, a.advance)
	default:
		return outOfOrder
	}
	return nil
}

// put adds an act that may come.
func (w *rounding) put(a act) {
	if a.does <= playAsDeed {
		w.finish()
		st := a.step()
		w.open = &st
		return
	}
	st := w.open
	w.follower = nil
	if a.does < leaveAttack {
		w.striker = nil
	}
	switch a.does {
	case makeStride:
		if w.moving != nil {
			st.Moves = w.moving.stride(w.card, st.Moves, a.stride)
		} else {
			st.Moves = with(st.Moves, a.stride)
		}
	case goOnAfter:
		st.OnReaction = reactionContinue
	case rallyMore:
		st.Deed.Rally = append(st.Deed.Rally, a.unit)
	case leaveAttack:
		st.Idle = true
	case attackAfter:
		st.Attack = &attack{Target: a.target, With: []unitID{a.unit}}
	case joinAttack:
		st.Attack.With = append(st.Attack.With, a.unit)
	case goAfter:
		st.Attack.Go = true
	default:
		filed, cards, o := &st.Deed.Filed, &st.Deed.Cards, &st.Deed.Advance
		if st.Attack != nil {
			filed, cards, o = &st.Attack.Filed, &st.Attack.Cards, &st.Attack.Advance
		} else {
			w.striker = nil
		}
		switch a.does {
		case sayAdvance:
			*o = a.advance
		case commitCard:
			*cards = append(*cards, a.commit)
			fallthrough
		case commitNone:
			*filed = true
		}
	}
}

// next are the acts that might come next, legal or not.
func (w *rounding) next(yield func(act) bool) {
	if w.open != nil && !w.nextInStep(yield) {
		return
	}
	if len(w.all()) < mostSteps && (w.open == nil || w.lastFault() == nil && !w.unspent()) {
		w.nextStep(yield)
	}
}

// nextStep are the acts that might begin a step.
func (w *rounding) nextStep(yield func(act) bool) {
	v := w.after()
	if !yield(act{does: endRound}) || v.rightFault() == nil && !v.strikers(attackAlone, yield) {
		return
	}
	for _, c := range v.hand() {
		if v.cardFault(c) != nil {
			continue
		}
		if v.mayMove(c) && !yield(act{does: playForMP, card: c}) {
			return
		}
		for _, d := range v.deeds(c) {
			if !yield(act{does: playAsDeed, card: c, deed: d.start(v.card(c).action)}) {
				return
			}
		}
	}
}

// mayMove tells whether a card may be played for movement without moving anything,
// or can move something (WAT-R48).
func (v *View) mayMove(c cardID) bool {
	w := &rounding{v: v, done: v, open: &step{Card: c}}
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

// nextInStep are the acts that might be added to the open step. It tells whether the
// list goes on.
func (w *rounding) nextInStep(yield func(act) bool) bool {
	v, st := w.before(), w.open
	if a := st.Attack; a != nil {
		t := w.strikes()
		for _, id := range t.attackersOf(t.armyOf(a.With[0]), a.Target) {
			if !slices.Contains(a.With, id) && !yield(act{does: joinAttack, target: a.Target, unit: id}) {
				return false
			}
		}
		able := a.With
		if len(able) > 1 { // who it is may be left open
			able = append([]unitID{0}, able...)
		}
		return w.nextFiled(able, yield) && yield(act{does: goAfter})
	}
	if st.End || st.Idle {
		return true
	}
	if st.Action == noAction {
		t, f := w.moves()
		for s := range t.stridesOn(f, st.Moves) {
			if !yield(act{does: makeStride, stride: s}) {
				return false
			}
		}
		if !yield(act{does: goOnAfter, card: st.Card}) {
			return false
		}
	}
	if st.Action == reorganise {
		for id := range v.everyUnit() {
			if !yield(act{does: rallyMore, card: st.Card, unit: id}) {
				return false
			}
		}
	}
	return w.nextFiled([]unitID{st.Deed.Unit}, yield) && yield(act{does: leaveAttack, card: st.Card}) && w.strikes().strikers(attackAfter, yield)
}

// nextFiled are the cards and the advances that might be filed with a battle. It
// tells whether the list goes on.
func (w *rounding) nextFiled(able []unitID, yield func(act) bool) bool {
	v, b, _, _, _ := w.filing()
	if b == nil {
		return true
	}
	if !yield(act{does: commitNone}) {
		return false
	}
	for c := range v.usesOfHand(b, b.phasing()) {
		if !yield(act{does: commitCard, commit: c}) {
			return false
		}
	}
	for _, id := range able {
		for _, f := range faces {
			if !yield(act{does: sayAdvance, advance: advanceOrder{Unit: id, Face: f, Said: true}}) {
				return false
			}
		}
	}
	return true
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

// actChoice is how an act is listed.
func (v *View) actChoice(a act) engine.Choice {
	of := func(c cardID, what string) engine.Choice { return engine.Choice{Of: v.card(c).id, What: what} }
	strike := func(word string) engine.Choice {
		return engine.Choice{Of: v.def(a.target).id, What: word + v.def(a.unit).id}
	}
	var c engine.Choice
	switch a.does {
	case endRound:
		return engine.Choice{What: "end round", Shown: "end: round"}
	case attackAlone:
		c = strike("attack alone with ")
		c.Shown = c.Of
	case playForMP:
		c = of(a.card, "move")
		c.Shown = c.Of
	case playAsDeed:
		c = of(a.card, v.deedText(a.deed))
		c.Shown = c.Of
	case makeStride:
		return v.strideChoice(a.stride)
	case goOnAfter:
		return of(a.card, "on-reaction continue")
	case rallyMore:
		return of(a.card, "rally "+v.def(a.unit).id)
	case leaveAttack:
		return of(a.card, "attack none")
	case attackAfter:
		return strike("attack with ")
	case joinAttack:
		return strike("with ")
	case commitNone:
		return engine.Choice{What: "cards none"}
	case commitCard:
		return v.commitChoice(a.commit)
	case sayAdvance:
		return v.advanceChoice(a.advance)
	case goAfter:
		return engine.Choice{What: "after go"}
	}
	return c
}

// deedText is how an action is listed.
func (v *View) deedText(d startOfDeed) string {
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
		Say: func(v *View, value any) engine.Choice { return v.actChoice(value.(act)) },
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
	Sense: func(x *saying[*rounding], _ *rand.Rand) {
		st := senseRound(x.View)
		sayStep(x, &st)
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
