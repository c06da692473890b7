package waterloo

import (
	"slices"

	"berthier/engine"
)

// The verbs of a round: what a file may say of it, one row a verb.

// A roundVerb is one thing that may be said of a round.
type roundVerb struct {
	// fits tells whether the open step has a place for it. Nil begins a step.
	fits func(w *rounding, st *step) bool
	// may tells why it may not be said where it fits; nil if nothing more stands against it.
	may func(w *rounding, a act) *fault
	// next gives the acts worth trying, and tells whether the list goes on.
	next func(w *rounding, yield func(act) bool) bool
	// put lets it take effect in the open step; what begins a step opens it.
	put func(w *rounding, st *step, a act)
	// say is how it is listed as a choice.
	say func(v *View, a act) engine.Choice
}

// roundVerbs are the verbs, in the order in which they are offered.
var roundVerbs = [...]roundVerb{
	endRound: {
		next: func(_ *rounding, yield func(act) bool) bool { return yield(act{does: endRound}) },
		say:  func(*View, act) engine.Choice { return engine.Choice{What: "end round", Shown: "end: round"} },
	},
	attackAlone: {
		may: func(w *rounding, a act) *fault {
			v := w.after()
			if f := v.rightFault(); f != nil {
				return f
			}
			return v.strikeFault(nil, a.target, a.unit)
		},
		next: func(w *rounding, yield func(act) bool) bool {
			v := w.after()
			return v.rightFault() != nil || v.strikers(attackAlone, yield)
		},
		say: func(v *View, a act) engine.Choice {
			c := v.strikeChoice(a, "attack alone with ")
			c.Shown = c.Of
			return c
		},
	},
	playForMP: {
		may:  func(w *rounding, a act) *fault { return w.after().cardFault(a.card) }, // what it moves comes after
		next: nextCards,
		say: func(v *View, a act) engine.Choice {
			c := v.cardChoice(a, "move")
			c.Shown = c.Of
			return c
		},
	},
	playAsAction: {
		may: func(w *rounding, a act) *fault {
			st := a.step()
			return w.after().stepFault(&st)
		},
		next: nothingMore, // card by card, with playForMP
		say: func(v *View, a act) engine.Choice {
			c := v.cardChoice(a, v.actionText(a.start))
			c.Shown = c.Of
			return c
		},
	},
	makeStride: {
		fits: func(_ *rounding, st *step) bool { return st.mayMove() },
		may: func(w *rounding, a act) *fault {
			t, f := w.moves()
			return t.strideFault(f, w.open.Moves, a.stride)
		},
		next: func(w *rounding, yield func(act) bool) bool {
			t, f := w.moves()
			for s := range t.stridesOn(f, w.open.Moves) {
				if !yield(act{does: makeStride, stride: s}) {
					return false
				}
			}
			return true
		},
		put: func(w *rounding, st *step, a act) {
			if w.striker = nil; w.moving != nil {
				st.Moves = w.moving.stride(w.card, st.Moves, a.stride)
			} else {
				st.Moves = with(st.Moves, a.stride)
			}
		},
		say: func(v *View, a act) engine.Choice { return v.strideChoice(a.stride) },
	},
	goOnAfter: {
		fits: func(w *rounding, st *step) bool { return st.mayMove() && !w.unspent() },
		next: func(w *rounding, yield func(act) bool) bool { return yield(act{does: goOnAfter, card: w.open.Card}) },
		put: func(w *rounding, st *step, _ act) {
			w.striker = nil
			st.OnReaction = reactionContinue
		},
		say: func(v *View, a act) engine.Choice { return v.cardChoice(a, "on-reaction continue") },
	},
	rallyMore: {
		fits: func(_ *rounding, st *step) bool {
			return st.atCard() && st.Action == reorganise && st.Does.Flip == 0
		},
		may: func(w *rounding, a act) *fault {
			next := *w.open
			next.Does.Rally = append(slices.Clone(next.Does.Rally), a.unit)
			return w.before().actionFault(&next)
		},
		next: func(w *rounding, yield func(act) bool) bool {
			for id := range w.before().everyUnit() {
				if !yield(act{does: rallyMore, card: w.open.Card, unit: id}) {
					return false
				}
			}
			return true
		},
		put: func(w *rounding, st *step, a act) {
			w.striker = nil
			st.Does.Rally = append(st.Does.Rally, a.unit)
		},
		say: func(v *View, a act) engine.Choice { return v.cardChoice(a, "rally "+v.def(a.unit).id) },
	},
	joinAttack: {
		fits: func(_ *rounding, st *step) bool {
			return st.Attack != nil && !st.Attack.Filed && !st.Attack.Advance.Said
		},
		may: func(w *rounding, a act) *fault {
			return w.strikes().strikeFault(w.open.Attack.With, a.target, a.unit)
		},
		next: func(w *rounding, yield func(act) bool) bool {
			t, a := w.strikes(), w.open.Attack
			for _, id := range t.attackersOf(t.armyOf(a.With[0]), a.Target) {
				if !slices.Contains(a.With, id) && !yield(act{does: joinAttack, target: a.Target, unit: id}) {
					return false
				}
			}
			return true
		},
		put: func(_ *rounding, st *step, a act) { st.Attack.With = append(st.Attack.With, a.unit) },
		say: func(v *View, a act) engine.Choice { return v.strikeChoice(a, "with ") },
	},
	commitNone: {
		fits: func(w *rounding, _ *step) bool {
			f := w.filing()
			return f != nil && !*f.filed
		},
		next: func(_ *rounding, yield func(act) bool) bool { return yield(act{does: commitNone}) },
		put:  func(w *rounding, _ *step, _ act) { *w.files().filed = true },
		say:  func(*View, act) engine.Choice { return engine.Choice{What: "cards none"} },
	},
	commitCard: {
		fits: func(w *rounding, _ *step) bool {
			f := w.filing()
			return f != nil && (!*f.filed || len(*f.cards) > 0)
		},
		may: func(w *rounding, a act) *fault {
			v, b := w.fought()
			cards := *w.filing().cards
			if f := v.commitFault(b, b.phasing(), cards, a.commit); f != nil || !w.counted {
				return f
			}
			return v.limitFault(b, b.phasing(), len(cards)+1)
		},
		next: func(w *rounding, yield func(act) bool) bool {
			v, b := w.fought()
			for c := range v.usesOfHand(b, b.phasing()) {
				if !yield(act{does: commitCard, commit: c}) {
					return false
				}
			}
			return true
		},
		put: func(w *rounding, _ *step, a act) {
			f := w.files()
			*f.cards, *f.filed = append(*f.cards, a.commit), true
		},
		say: func(v *View, a act) engine.Choice { return v.commitChoice(a.commit) },
	},
	sayAdvance: {
		fits: func(w *rounding, st *step) bool {
			return w.filing() != nil && (st.Attack != nil || st.Action == cavalryCharge)
		},
		may: func(w *rounding, a act) *fault {
			v, able := w.before(), []unitID{w.open.Does.Unit}
			if w.open.Attack != nil {
				v, able = w.strikes(), w.open.Attack.With
			}
			return v.advanceFault(able, *w.filing().cards, a.advance)
		},
		next: nextAdvances,
		put:  func(w *rounding, _ *step, a act) { *w.files().advance = a.advance },
		say:  func(v *View, a act) engine.Choice { return v.advanceChoice(a.advance) },
	},
	goAfter: {
		fits: func(_ *rounding, st *step) bool { return st.Attack != nil },
		next: func(_ *rounding, yield func(act) bool) bool { return yield(act{does: goAfter}) },
		put:  func(_ *rounding, st *step, _ act) { st.Attack.Go = true },
		say:  func(*View, act) engine.Choice { return engine.Choice{What: "after go"} },
	},
	leaveAttack: {
		fits: func(w *rounding, st *step) bool { return st.atCard() && !w.unspent() },
		next: func(w *rounding, yield func(act) bool) bool { return yield(act{does: leaveAttack, card: w.open.Card}) },
		put:  func(_ *rounding, st *step, _ act) { st.Idle = true },
		say:  func(v *View, a act) engine.Choice { return v.cardChoice(a, "attack none") },
	},
	attackAfter: {
		fits: func(w *rounding, st *step) bool { return st.atCard() && !w.unspent() },
		may: func(w *rounding, a act) *fault {
			return w.strikes().strikeFault(nil, a.target, a.unit)
		},
		next: func(w *rounding, yield func(act) bool) bool { return w.strikes().strikers(attackAfter, yield) },
		put: func(_ *rounding, st *step, a act) {
			st.Attack = &attack{Target: a.target, With: []unitID{a.unit}}
		},
		say: func(v *View, a act) engine.Choice { return v.strikeChoice(a, "attack with ") },
	},
}

// atCard tells whether a step is still at its card: nothing has been said of an attack.
func (st *step) atCard() bool { return st.Card != 0 && !st.Idle && st.Attack == nil }

// mayMove tells whether the card of a step may still move pieces.
func (st *step) mayMove() bool {
	return st.atCard() && st.Action == noAction && st.OnReaction == reactionAsk
}

// outOfOrder refuses an act for which the open step has no place. No file can say one.
var outOfOrder = &fault{}

// fault tells why an act may not come next.
func (w *rounding) fault(a act) *fault {
	verb := &roundVerbs[a.does]
	switch {
	case verb.fits != nil:
		if !w.fits(verb) {
			return outOfOrder
		}
	case w.unspent():
		return outOfOrder
	default:
		if f := w.lastFault(); f != nil {
			return f
		}
	}
	if verb.may == nil {
		return nil
	}
	return verb.may(w, a)
}

// fits tells whether the open step has a place for a verb that begins none.
func (w *rounding) fits(verb *roundVerb) bool {
	st := w.open
	return st != nil && !st.End && (st.Attack == nil || !st.Attack.Go) && verb.fits(w, st)
}

// put adds an act that may come.
func (w *rounding) put(a act) {
	verb := &roundVerbs[a.does]
	if verb.fits == nil {
		w.finish()
		st := a.step()
		w.open = &st
		return
	}
	w.follower = nil
	verb.put(w, w.open, a)
}

// files is where it is noted what is filed with the battle of the open step. An attack is
// judged after a charge has been fought.
func (w *rounding) files() *filings {
	if w.open.Attack == nil {
		w.striker = nil
	}
	return w.filing()
}

// next are the acts that might come next, legal or not: first those of the open step, then
// those that begin a step.
func (w *rounding) next(yield func(act) bool) {
	for i := range roundVerbs {
		if verb := &roundVerbs[i]; verb.fits != nil && w.fits(verb) && !verb.next(w, yield) {
			return
		}
	}
	if !w.begins() {
		return
	}
	for i := range roundVerbs {
		if verb := &roundVerbs[i]; verb.fits == nil && !verb.next(w, yield) {
			return
		}
	}
}

// nextOf are those of next that one verb lists.
func (w *rounding) nextOf(does doing, yield func(act) bool) {
	verb := &roundVerbs[does]
	if verb.fits != nil && w.fits(verb) || verb.fits == nil && w.begins() {
		verb.next(w, yield)
	}
}

// begins tells whether another step may begin.
func (w *rounding) begins() bool {
	return len(w.all()) < mostSteps && (w.open == nil || w.lastFault() == nil && !w.unspent())
}

// nothingMore are no acts besides those of other verbs.
func nothingMore(*rounding, func(act) bool) bool { return true }

// nextCards are the cards that might be played, each for movement and as its action.
func nextCards(w *rounding, yield func(act) bool) bool {
	v := w.after()
	for _, c := range v.hand() {
		if v.cardFault(c) != nil {
			continue
		}
		if v.mayMove(c) && !yield(act{does: playForMP, card: c}) {
			return false
		}
		for _, d := range v.actionSteps(c) {
			if !yield(act{does: playAsAction, card: c, start: d.start(v.card(c).action)}) {
				return false
			}
		}
	}
	return true
}

// nextAdvances are the units that might advance after the battle of the open step.
func nextAdvances(w *rounding, yield func(act) bool) bool {
	able := []unitID{w.open.Does.Unit}
	if a := w.open.Attack; a != nil {
		if able = a.With; len(able) > 1 { // who it is may be left open
			able = append([]unitID{0}, able...)
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

// cardChoice is how something that a card does is listed.
func (v *View) cardChoice(a act, what string) engine.Choice {
	return engine.Choice{Of: v.card(a.card).id, What: what}
}

// strikeChoice is how a unit that attacks another is listed.
func (v *View) strikeChoice(a act, word string) engine.Choice {
	return engine.Choice{Of: v.def(a.target).id, What: word + v.def(a.unit).id}
}
