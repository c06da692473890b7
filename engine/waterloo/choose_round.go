package waterloo

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
)

// What may be chosen in a round: steps, and within a step the moves or the deed of
// the card, the attack, the cards committed to it and who advances.

// A roundDraft is a round as far as it has been chosen.
type roundDraft struct {
	v     *View  // with all steps but the open one assumed
	steps []step // finished
	open  *step  // to which more may be added
}

func (roundStop) begin(v *View, d engine.Decision) draft {
	if v.roundNow() == nil {
		return nil
	}
	return roundDraft{v: v}
}

func (r roundDraft) reply() play.Reply {
	a := roundAnswer{s: r.v.scenario, steps: slices.Clone(r.steps)}
	switch {
	case r.open != nil:
		st := *r.open
		if r.unspent() { // something must move (WAT-R48)
			for _, moves := range r.v.cardMoves(&st) {
				st.Moves = moves
				break
			}
		}
		a.steps = append(a.steps, st)
	case len(a.steps) == 0:
		a.steps = []step{{End: true}}
	}
	return a
}

// unspent tells whether the open card is one that must move something and has not
// yet (WAT-R48).
func (r roundDraft) unspent() bool {
	return r.v.options.zeroMP == no && r.open.Card != 0 && r.open.Action == noAction && len(r.open.Moves) == 0
}

// with is the draft with another open step.
func (r roundDraft) with(st step) roundDraft {
	r.open = &st
	return r
}

// closed is the draft whose open step is finished.
func (r roundDraft) closed() roundDraft {
	if r.open == nil {
		return r
	}
	t := r.v.trying()
	t.assume(r.open)
	return roundDraft{v: t, steps: append(r.steps[:len(r.steps):len(r.steps)], *r.open)}
}

func (r roundDraft) options(yield func(engine.Choice, draft) bool) {
	if r.open != nil && !r.more(yield) {
		return
	}
	if len(r.steps) < mostSteps-1 {
		r.closed().first(yield)
	}
}

// first gives how a new step may begin.
func (r roundDraft) first(yield func(engine.Choice, draft) bool) {
	v := r.v
	if !yield(engine.Choice{What: "end round", Shown: "end: round"}, r.with(step{End: true})) {
		return
	}
	if v.rightFault() == nil {
		for c, a := range v.strikeOptions("attack alone with ") {
			c.Shown = c.Of
			if !yield(c, r.with(step{Attack: &a})) {
				return
			}
		}
	}
	for _, c := range v.hand() {
		if v.cardFault(c) != nil {
			continue
		}
		next := r.with(step{Card: c})
		able := !next.unspent()
		if !able {
			for range v.cardMoves(next.open) {
				able = true
				break
			}
		}
		id := v.card(c).id
		if able && !yield(engine.Choice{Of: id, What: "move", Shown: id}, next) {
			return
		}
		for _, d := range v.deeds(c) {
			st := step{Card: c, Action: v.card(c).action, Deed: d}
			choice := v.deedChoice(&st)
			choice.Shown = id
			if !yield(choice, r.with(st)) {
				return
			}
		}
	}
}

// more gives what may be added to the open step. It tells whether another step
// may follow.
func (r roundDraft) more(yield func(engine.Choice, draft) bool) bool {
	v, st := r.v, r.open
	switch {
	case st.End:
		return false
	case st.Attack != nil:
		t := v
		if st.Card != 0 {
			before := *st
			before.Attack = nil
			t = v.trying()
			t.assume(&before)
		}
		for c, a := range t.attackOptions(st.Attack) {
			next := *st
			next.Attack = &a
			if !yield(c, r.with(next)) {
				return false
			}
		}
		return st.Attack.Go
	case st.Idle:
		return true
	}
	card := v.card(st.Card).id
	if st.Action == noAction && st.OnReaction == reactionAsk {
		for c, moves := range v.cardMoves(st) {
			next := *st
			next.Moves = moves
			if !yield(c, r.with(next)) {
				return false
			}
		}
		if r.unspent() {
			return false
		}
		next := *st
		next.OnReaction = reactionContinue
		if !yield(engine.Choice{Of: card, What: "on_reaction continue"}, r.with(next)) {
			return false
		}
	}
	for c, d := range v.deedOptions(st) {
		next := *st
		next.Deed = d
		if !yield(c, r.with(next)) {
			return false
		}
	}
	next := *st
	next.Idle = true
	if !yield(engine.Choice{Of: card, What: "attack none"}, r.with(next)) {
		return false
	}
	t := v.trying()
	t.assume(st)
	for c, a := range t.strikeOptions("attack with ") {
		next := *st
		next.Attack = &a
		if !yield(c, r.with(next)) {
			return false
		}
	}
	return true
}

// cardMoves are the moves that the card of a step may go on with.
func (v *View) cardMoves(st *step) func(func(engine.Choice, []move) bool) {
	t := v.trying()
	t.use(st.Card)
	c := t.card(st.Card)
	f := &moveFrame{Card: st.Card, Army: c.army, MP: c.mp, Moves: st.Moves}
	if t.tryMoves(f) != nil {
		return func(func(engine.Choice, []move) bool) {}
	}
	return t.moveOptions(f, st.Moves)
}

// strikeOptions are the attacks of one unit that may be made as the game stands,
// whether there is a right to attack or not.
func (v *View) strikeOptions(word string) func(func(engine.Choice, attack) bool) {
	return func(yield func(engine.Choice, attack) bool) {
		for target := range v.everyUnit() {
			if v.mayBeAttacked(target, v.camp()) != nil {
				continue
			}
			for a := french; a <= prussian; a++ {
				if !v.own[a] {
					continue
				}
				for _, id := range v.attackersOf(a, target) {
					if v.notActive(id) != nil {
						continue
					}
					if !yield(engine.Choice{Of: v.def(target).id, What: word + v.def(id).id}, attack{Target: target, With: []unitID{id}}) {
						return
					}
				}
			}
		}
	}
}

// attackOptions are what may be added to an attack: more attackers, then cards,
// then who advances, then that the round goes on.
func (v *View) attackOptions(a *attack) func(func(engine.Choice, attack) bool) {
	return func(yield func(engine.Choice, attack) bool) {
		if a.Go {
			return
		}
		if !a.Filed && !a.Advance.Said {
			for _, id := range v.attackersOf(v.armyOf(a.With[0]), a.Target) {
				if slices.Contains(a.With, id) || v.notActive(id) != nil {
					continue
				}
				next := *a
				next.With = append(a.With[:len(a.With):len(a.With)], id)
				if !yield(engine.Choice{Of: v.def(a.Target).id, What: "with " + v.def(id).id}, next) {
					return
				}
			}
		}
		if !a.Advance.Said {
			b := v.expected(a.Target, a.With, false, false)
			for c, cards := range v.filings(b, a.Filed, a.Cards) {
				next := *a
				next.Filed, next.Cards = true, cards
				if !yield(c, next) {
					return
				}
			}
			able := a.With
			if len(able) > 1 { // who it is may be left open
				able = append([]unitID{0}, able...)
			}
			for c, o := range v.advanceOptions(able, a.With, a.Cards) {
				next := *a
				next.Advance = o
				if !yield(c, next) {
					return
				}
			}
		}
		next := *a
		next.Go = true
		yield(engine.Choice{What: "after go"}, next)
	}
}

// filings are the cards that the phasing side may file with a battle it opens:
// none, or one more.
func (v *View) filings(b *battleFrame, filed bool, cards []commit) func(func(engine.Choice, []commit) bool) {
	return func(yield func(engine.Choice, []commit) bool) {
		if !filed && !yield(engine.Choice{What: "cards none"}, nil) || filed && len(cards) == 0 {
			return
		}
		for c, all := range v.commitOptions(b, b.phasing(), cards) {
			if !yield(c, all) {
				return
			}
		}
	}
}

// advanceOptions are the orders to advance that may be filed with a battle.
func (v *View) advanceOptions(able, with []unitID, cards []commit) func(func(engine.Choice, advanceOrder) bool) {
	return func(yield func(engine.Choice, advanceOrder) bool) {
		for _, id := range able {
			for _, f := range faces {
				o := advanceOrder{Unit: id, Face: f, Said: true}
				if v.advanceFault(with, cards, o) == nil && !yield(v.advanceChoice(o), o) {
					return
				}
			}
		}
	}
}

func (v *View) advanceChoice(o advanceOrder) engine.Choice {
	c := engine.Choice{What: "advance" + faceText(o.Face)}
	if o.Unit != 0 {
		c.Of = v.def(o.Unit).id
	}
	return c
}

// deedChoice is an action card with the first that it does.
func (v *View) deedChoice(st *step) engine.Choice {
	d := &st.Deed
	c := engine.Choice{Of: v.card(st.Card).id, What: stepWords[st.Action]}
	switch {
	case d.By != 0:
		c.What = shot{d.By, d.Side}.text(v.game)
	case d.Unit != 0:
		c.What += " " + v.def(d.Unit).id + " target " + v.def(d.Target).id
	case len(d.Rally) > 0:
		c.What = "rally " + v.def(d.Rally[0]).id
	case d.Flip != 0:
		c.What = "flip " + v.def(d.Flip).id
	}
	return c
}

// deedOptions are what may be added to a deed: a second unit to rally; cards and
// the advance of a charge.
func (v *View) deedOptions(st *step) func(func(engine.Choice, deed) bool) {
	return func(yield func(engine.Choice, deed) bool) {
		d := st.Deed
		switch {
		case st.Action == reorganise && d.Flip == 0:
			for id := range v.everyUnit() {
				next := *st
				next.Deed.Rally = append(d.Rally[:len(d.Rally):len(d.Rally)], id)
				if v.deedFault(&next) == nil && !yield(engine.Choice{Of: v.card(st.Card).id, What: "rally " + v.def(id).id}, next.Deed) {
					return
				}
			}
		case (st.Action == cavalryCharge || st.Action == mustCharge) && !d.Advance.Said:
			t := &View{game: v.afterCard(st.Card), side: v.side, own: v.own}
			b := t.charging(d.Unit, d.Target, st.Action == mustCharge)
			for c, cards := range t.filings(b, d.Filed, d.Cards) {
				next := d
				next.Filed, next.Cards = true, cards
				if !yield(c, next) {
					return
				}
			}
			if st.Action == mustCharge {
				return
			}
			for c, o := range v.advanceOptions([]unitID{d.Unit}, []unitID{d.Unit}, d.Cards) {
				next := d
				next.Advance = o
				if !yield(c, next) {
					return
				}
			}
		}
	}
}

func (roundStop) chosen(v *View, d engine.Decision, reply play.Reply) []engine.Choice {
	var list []engine.Choice
	for i := range reply.(roundAnswer).steps {
		list = append(list, v.stepChosen(&reply.(roundAnswer).steps[i])...)
	}
	return list
}

// stepChosen takes a step apart.
func (v *View) stepChosen(st *step) []engine.Choice {
	if st.End {
		return []engine.Choice{{What: "end round"}}
	}
	if st.Card == 0 {
		return v.attackChosen("attack alone with ", st.Attack)
	}
	card := v.card(st.Card).id
	var list []engine.Choice
	if st.Action == noAction {
		list = append(append(list, engine.Choice{Of: card, What: "move"}), v.movesChosen(st.Moves)...)
		if st.OnReaction == reactionContinue {
			list = append(list, engine.Choice{Of: card, What: "on_reaction continue"})
		}
	} else {
		d := &st.Deed
		list = append(list, v.deedChoice(st))
		for _, id := range d.Rally[min(1, len(d.Rally)):] {
			list = append(list, engine.Choice{Of: card, What: "rally " + v.def(id).id})
		}
		list = append(list, v.filedChosen(d.Filed, d.Cards, d.Advance)...)
	}
	switch {
	case st.Attack != nil:
		list = append(list, v.attackChosen("attack with ", st.Attack)...)
	case st.Idle:
		list = append(list, engine.Choice{Of: card, What: "attack none"})
	}
	return list
}

// filedChosen takes apart what was filed with a battle.
func (v *View) filedChosen(filed bool, cards []commit, o advanceOrder) []engine.Choice {
	var list []engine.Choice
	if filed && len(cards) == 0 {
		list = append(list, engine.Choice{What: "cards none"})
	}
	list = append(list, v.commitsChosen(cards)...)
	if o.Said {
		list = append(list, v.advanceChoice(o))
	}
	return list
}

func (v *View) attackChosen(word string, a *attack) []engine.Choice {
	var list []engine.Choice
	for i, id := range a.With {
		if i > 0 {
			word = "with "
		}
		list = append(list, engine.Choice{Of: v.def(a.Target).id, What: word + v.def(id).id})
	}
	list = append(list, v.filedChosen(a.Filed, a.Cards, a.Advance)...)
	if a.Go {
		list = append(list, engine.Choice{What: "after go"})
	}
	return list
}
