package waterloo

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// senseArmy lets the Prussians play when they hold as many cards as half the
// Anglo-Allied hand: both hands are then used up in the turn.
func senseArmy(v *View) army {
	if 2*len(v.Decks[prussian].Hand) > len(v.Decks[anglo].Hand) {
		return prussian
	}
	return anglo
}

// senseRound plays the card that does most, with the attack that it allows, or
// ends the round.
func senseRound(v *View) step {
	r := v.roundNow()
	best, worth := step{End: true}, 12
	if r.Rights > 0 {
		m := newMind(v, v.trial())
		if a, gain := m.assault(r.Army, m.game.left()); a != nil && gain > 0 {
			return step{Attack: a}
		}
	}
	for a := french; a <= prussian; a++ {
		if !v.active(r, a) {
			continue
		}
		if st, gain := v.bestMarch(a); gain > worth {
			best, worth = st, gain
		}
		if st, gain := v.bestAction(a); gain > worth {
			best, worth = st, gain
		}
	}
	return best
}

// cheapest is the card of an army, with at least so many MP, that is worth least for any
// other use; 0 if there is none.
func (m *mind) cheapest(a army, mp int) cardID {
	best := cardID(0)
	for _, c := range m.game.Decks[a].Hand {
		if c == 0 || m.game.card(c).mp < mp || m.game.cardFault(c) != nil {
			continue
		}
		if best == 0 || m.price(c) < m.price(best) {
			best = c
		}
	}
	return best
}

// bestMarch is the best step that plays a card of an army for movement.
func (v *View) bestMarch(a army) (step, int) {
	most := 0
	for _, c := range v.Decks[a].Hand {
		if c != 0 && v.cardFault(c) == nil {
			most = max(most, v.card(c).mp)
		}
	}
	if most == 0 {
		return step{}, 0
	}
	m := newMind(v, v.trial())
	moves, spent, gain := m.march(a, most)
	c := m.cheapest(a, spent)
	if c == 0 {
		return step{}, 0
	}
	st := step{Card: c, Moves: moves}
	gain -= m.price(c)
	if v.stepFault(&st) != nil {
		return step{}, 0
	}
	n := v.strikeAfter(&st)
	return st, gain + n
}

// strikeAfter adds to a step the attack that its card allows, if one is worth
// making, and gives its worth.
func (v *View) strikeAfter(st *step) int {
	t := v.trial()
	t.assume(st)
	m := newMind(v, t)
	a, gain := m.assault(v.card(st.Card).army, t.left())
	if a == nil || t.attackFault(a) != nil {
		return 0
	}
	st.Attack = a
	return gain
}

// bestAction is the best step that plays a card of an army as an action.
func (v *View) bestAction(a army) (step, int) {
	m := newMind(v, v.trial())
	best, worth := step{}, 0
	tried := map[action]bool{}
	for _, c := range v.Decks[a].Hand {
		if c == 0 || v.cardFault(c) != nil || tried[v.card(c).action] {
			continue
		}
		act := v.card(c).action
		tried[act] = true
		for _, x := range v.actionSteps(c) {
			gain := m.actionWorth(&x, act) - m.price(c)
			if gain > worth {
				best, worth = step{Card: c, Action: act, Does: x}, gain
			}
		}
	}
	if worth == 0 {
		return step{}, 0
	}
	if best.Action == reorganise && best.Does.Flip == 0 { // a second unit is rallied with the first
		for id, u := range v.everyUnit() {
			if u.Disordered && id != best.Does.Rally[0] && v.mayRally(best.Card, id) == nil {
				best.Does.Rally = append(best.Does.Rally, id)
				slices.Sort(best.Does.Rally)
				break
			}
		}
	}
	if v.stepFault(&best) != nil {
		return step{}, 0
	}
	return best, worth + v.strikeAfter(&best)
}

// actionWorth is what an action is worth to its side.
func (m *mind) actionWorth(x *actionStep, act action) int {
	switch act {
	case artilleryFire:
		target, _, f := m.game.aimed(shot{x.By, x.Side})
		if f != nil {
			return 0
		}
		return m.shotWorth(target)
	case cavalryCharge:
		b := m.game.charging(x.Unit, x.Target, false)
		cards, n := m.arm(b, attacking, m.game.left()-1, func() int { return m.hope(b) })
		x.Cards, x.Filed = cards, true
		x.Advance = m.follow(b, cards)
		return n - 12*m.game.value(x.Unit)
	case mustCharge:
		b := m.game.charging(x.Unit, x.Target, true)
		x.Filed = true
		s := m.stakeOf(b)
		attack, defence := m.game.totals(b)
		return 12*m.game.value(x.Unit) - s.result(attack, defence)
	case reorganise:
		if x.Flip != 0 {
			return 60 * (m.game.def(x.Flip).full - m.game.def(x.Flip).reduced)
		}
		return 22 * m.game.value(x.Rally[0])
	case napoleonsHealth:
		if len(m.game.Decks[french].Hand) >= 6 {
			return 55
		}
		return 15 * min(2, len(m.game.Decks[french].Hand))
	}
	return 0
}

// shotWorth is what fire at a unit is worth: the unit can't attack any more, or is reduced.
func (m *mind) shotWorth(target unitID) int {
	if !m.game.hurts(target) {
		return 0
	}
	d := m.game.def(target)
	if m.game.unit(target).Disordered {
		return 50 * (d.full - d.reduced)
	}
	n := 10 * m.game.value(target)
	for _, e := range m.game.beside(target) {
		if m.game.faces(target, m.game.unit(e).At) {
			n += 15 * m.game.value(target)
			break
		}
	}
	return n
}

// senseContinue goes on with the MP that are left, as if the card were played now.
func senseContinue(x *saying[*onward], _ *rand.Rand) {
	v := x.View
	t, f := v.continuing()
	m := newMind(v, t.game)
	var all []move
	mp := f.MP
	if f.Unit != 0 {
		one := move{Unit: f.Unit}
		if w, ok := m.ways(f.Unit, mp); ok && w.gain >= least && !f.Stopped {
			one.Path = w.move.Path
			m.make(w)
			mp -= w.cost
		}
		all = append(all, one)
	}
	moves, _, _ := m.march(f.Army, mp)
	sayOnward(x, append(all, moves...))
}

// senseCommit chooses cards for a battle.
func senseCommit(v *View, b *battleFrame) []commit {
	m := newMind(v, v.trial())
	who := v.roleIn(b)
	c := m.game.expected(b.Target, b.still(), b.Charge, b.Forced)
	if who == attacking {
		cards, _ := m.arm(c, attacking, m.game.room(c, attacking), func() int { return m.hope(c) })
		return cards
	}
	cards, _ := m.arm(c, defending, m.game.room(c, defending), func() int { return m.dread(c) })
	return cards
}

// senseLoss chooses how a defeat is taken, by what is left afterwards.
func senseLoss(v *View, b *battleFrame) loss {
	m := newMind(v, v.trial())
	id := b.Target
	d := m.game.def(id)
	worth, mine := m.goalAt(b.Square)
	best, least := loss{}, 1<<30
	for _, l := range v.losses(b) {
		cost := 30 * int(l.cdp)
		if worth > 0 && mine {
			cost += 5 * worth * int(l.cdp)
		}
		switch {
		case l.reduces > 1, l.reduces == 1 && !m.game.whole(id):
			cost += 100*d.full + 60*worth
		case l.reduces == 1:
			cost += 40*(d.full-d.reduced) + 20
		}
		if l.to != 0 {
			if mine {
				cost += 65 * worth
			}
			top := -1 << 30
			m.on[b.Square] = 0
			for _, f := range facingsAll {
				if n := m.worthOf(id, l.to, f); n > top {
					top, l.face = n, f
				}
			}
			m.on[b.Square] = id
			cost += max(-40, min(40, m.worthOf(id, b.Square, v.unit(id).Face)-top))
			if l.face == v.unit(id).Face {
				l.face = noFacing
			}
		}
		if cost < least {
			best, least = l, cost
		}
	}
	return best
}

// senseShot finds the best shot, and a card for it that the shot is worth.
func senseShot(v *View) (cardID, shot, bool) {
	m := newMind(v, v.trial())
	best, worth := shot{}, 0
	card := cardID(0)
	for _, c := range v.hand() {
		if c == 0 || v.card(c).action != artilleryFire || v.barred(c) != nil {
			continue
		}
		for _, s := range v.shots(v.card(c).army) {
			target, settled, f := v.aimed(s)
			if f != nil || v.shotFault(c, s) != nil {
				continue
			}
			if n := m.shotWorth(target) - m.price(c); n > worth {
				best, worth, card = settled, n, c
			}
		}
	}
	return card, best, card != 0
}

// senseWithdrawals lets cavalry retreat that would stand better elsewhere.
func senseWithdrawals(v *View, entrant unitID, units []unitID) []withdrawal {
	m := newMind(v, v.trial())
	var list []withdrawal
	for _, id := range units {
		u := m.game.unit(id)
		stay := m.worthOf(id, u.At, u.Face) + 15
		if m.game.value(id) < m.game.value(entrant) {
			stay -= 20
		}
		w := withdrawal{unit: id}
		for _, q := range m.game.escapes(id, entrant) {
			for _, f := range facingsAll {
				if n := m.worthOf(id, q, f); n > stay {
					stay, w.to, w.face = n, q, f
				}
			}
		}
		if w.to != 0 {
			m.on[u.At], m.on[w.to] = 0, id
			u.At, u.Face = w.to, w.face
			list = append(list, w)
		}
	}
	slices.SortFunc(list, func(x, y withdrawal) int { return cmp.Compare(x.unit, y.unit) })
	return list
}
