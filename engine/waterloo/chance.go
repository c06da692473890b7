package waterloo

import (
	"math/rand/v2"

	"berthier/engine"
)

// Random steps and moves.

// randomStep is a random legal step.
func (v *View) randomStep(chance *rand.Rand) (step, bool) {
	r := v.roundNow()
	if r == nil || chance.IntN(12) == 0 {
		return step{End: true}, true
	}
	if r.Rights > 0 && chance.IntN(2) == 0 {
		if a := randomAttack(v, chance); a != nil && v.attackFault(a) == nil {
			return step{Attack: a}, true
		}
	}
	var cards []cardID
	for _, c := range v.hand() {
		if v.cardFault(c) == nil {
			cards = append(cards, c)
		}
	}
	if len(cards) == 0 {
		return step{End: true}, true
	}
	st := step{Card: cards[chance.IntN(len(cards))]}
	c := v.card(st.Card)
	if c.action != noAction && c.action != commandBonus && c.action != eliteBonus && chance.IntN(2) == 0 {
		if d, ok := randomAction(v, st.Card, chance); ok {
			st.Action, st.Does = c.action, d
			if v.stepFault(&st) != nil {
				st.Action, st.Does = noAction, actionStep{}
			}
		}
	}
	if st.Action == noAction {
		st.Moves = v.randomMoves(st.Card, chance)
		if len(st.Moves) == 0 && v.options.zeroMP == no {
			return step{}, false
		}
		st.OnReaction = reaction(chance.IntN(2))
	}
	t := &View{game: v.trial(), side: v.side, own: v.own}
	t.assume(&st)
	switch chance.IntN(4) {
	case 0:
		st.Idle = true
	case 1:
	default:
		if a := randomAttack(t, chance); a != nil && t.attackFault(a) == nil {
			st.Attack = a
		}
	}
	return st, true
}

// randomMoves spends a card on random pieces.
func (v *View) randomMoves(card cardID, chance *rand.Rand) []move {
	g := v.trial()
	g.use(card)
	a := g.card(card).army
	return g.randomSpend(&moveFrame{Card: card, Army: a, MP: g.card(card).mp}, chance)
}

// randomRest is a random way in which a movement card under way may go on.
func (v *View) randomRest(chance *rand.Rand) []move {
	w, ok := saidTo[*onward](continueForm.Random(v, engine.Decision{}, chance))
	if !ok {
		return nil
	}
	t, f := v.continuing()
	f.Moves = w.moves
	if chance.IntN(2) == 0 || t.tryMoves(f) != nil {
		return w.moves
	}
	f.Unit = 0
	return append(w.moves, t.randomSpend(f, chance)...)
}

// randomSpend spends what is left of a card on random pieces. The game is a copy for
// trying.
func (g *game) randomSpend(f *moveFrame, chance *rand.Rand) []move {
	a := f.Army
	var pieces []move
	for i := range g.roster {
		id := unitID(i + 1)
		if g.armyOf(id) != a {
			continue
		}
		m := move{Unit: id}
		if d := g.def(id); g.Units[id].At == 0 && len(d.entries) > 0 {
			m.Enter = g.entries[d.entries[chance.IntN(len(d.entries))]].at
			m.EnterFace = facing(chance.IntN(5))
		}
		pieces = append(pieces, m)
	}
	if c := g.commanderOf(a); c != 0 {
		pieces = append(pieces, move{Commander: c})
	}
	chance.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	var moves []move
	for _, m := range pieces {
		if f.MP == 0 || len(moves) == 4 {
			break
		}
		f.Stopped = false
		if _, why := g.tryPaces(f, &m, false); why != nil {
			if m.Unit != 0 && g.Units[m.Unit].At == 0 {
				g.Units[m.Unit].Moved = false
			}
			continue
		}
		for len(m.Path) < 6 && chance.IntN(4) > 0 {
			p, ok := g.randomPace(f, &m, chance)
			if !ok {
				break
			}
			m.Path = append(m.Path, p)
		}
		if len(m.Path) > 0 || m.Enter != 0 {
			moves = append(moves, m)
		}
	}
	return moves
}

// randomPace tries a random pace and does it on the copy.
func (g *game) randomPace(f *moveFrame, m *move, chance *rand.Rand) (pace, bool) {
	at := g.Commanders[max(m.Commander, 0)].At
	if m.Unit != 0 {
		at = g.Units[m.Unit].At
	}
	for range 4 {
		p := pace{}
		side := facing(1 + chance.IntN(4))
		switch {
		case m.Unit != 0 && chance.IntN(3) == 0:
			p.Face = side
		case m.Unit != 0 && !g.allRound(m.Unit):
			p.To = g.next(at, g.Units[m.Unit].Face)
		default:
			p.To = g.next(at, side)
		}
		if p.To == 0 && p.Face == noFacing {
			continue
		}
		if m.Unit != 0 && p.To != 0 && g.inChateau(m.Unit) && chance.IntN(2) == 0 {
			p.Face = facing(1 + chance.IntN(4))
		}
		cost, why := g.paceFault(f, m, p)
		if why != nil {
			continue
		}
		if to := g.stepPace(f, m, p, cost); to != 0 && m.Unit != 0 {
			g.Units[m.Unit].At = to
		}
		return p, true
	}
	return pace{}, false
}
