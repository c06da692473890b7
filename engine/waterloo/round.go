package waterloo

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// The round of one side (WAT-4.20).

// run implements frame.
func (r *roundFrame) run(p *battlefield) {
	switch r.Stage {
	case roundOpening:
		if !p.chooseArmy(r) {
			return
		}
		r.Stage = roundSteps
		p.openWindow(atRoundStart)
	case roundSteps:
		p.nextStep(r)
	case roundCarded:
		r.Stage = roundStrike
		p.openWindow(atAfterCard)
	case roundStrike:
		p.strike(r)
	case roundFought:
		r.Stage = roundSteps
		if !r.Go {
			r.Steps = nil
		}
		r.Go = false
		p.openWindow(atAfterBattle)
	case roundClosing:
		r.Stage = roundOver
		p.openWindow(atRoundEnd)
	case roundOver:
		p.endRound(r)
	}
}

// seat is the seat that plays the round, once the army is known; in an Allied round with
// two players the seat is always known.
func (r *roundFrame) seat(g *game) engine.Side {
	switch {
	case r.Camp == frenchCamp:
		return g.seatOf(french)
	case r.Army != noArmy:
		return g.seatOf(r.Army)
	}
	return g.seatOf(anglo)
}

// seenBy implements frame: only their author knows the steps that were filed.
func (r *roundFrame) seenBy(g *game, side engine.Side) frame {
	c := *r
	c.choice, c.pass = noArmy, false
	c.Stage = roundSteps // it must not be seen at which moment a reaction is waited for
	if r.seat(g) != side {
		c.Steps, c.Attack, c.Ending, c.Go, c.Idle = nil, nil, false, false, false
	}
	c = play.Clone(c)
	return &c
}

// sound tells whether a position may hold the frame.
func (r *roundFrame) sound(g *game, depth int) bool {
	t, ok := g.Flow[0].(*turnFrame)
	if !ok || depth != 1 || t.Stage != turnRounds || r.Camp == noCamp || r.Stage < roundOpening || r.Stage > roundOver || r.Lock == french {
		return false
	}
	if r.Army != noArmy && (r.Army.camp() != r.Camp || r.Army == prussian && !g.prussians()) {
		return false
	}
	for i := range r.Steps {
		if !g.soundStep(&r.Steps[i]) {
			return false
		}
	}
	return r.Attack == nil || g.soundAttack(r.Attack)
}

// soundStep tells whether a position may hold a filed step: whether all that the step
// names exists. Whether it is legal is found when its turn comes.
func (g *game) soundStep(st *step) bool {
	if st.Card == 0 && !st.End && st.Attack == nil {
		return false
	}
	return soundMoves(st.Moves) && (st.Attack == nil || g.soundAttack(st.Attack))
}

func (g *game) soundAttack(a *attack) bool { return a.Target != 0 && !slices.Contains(a.With, 0) }

// asks implements asker.
func (r *roundFrame) asks(g *game, d engine.Decision) bool {
	switch d.Kind {
	case stopArmy:
		return r.Stage == roundOpening && r.Asked && r.Camp == alliedCamp && campOfSeat(d.Side) == alliedCamp && d.At == ""
	case stopRound:
		return r.Stage == roundSteps && d.Side == r.seat(g) && d.At == "" && (r.Army != noArmy || !g.three() || r.Camp == frenchCamp)
	}
	return false
}

// chooseArmy finds the active army (WAT-6.6, WAT-S2). It tells whether the round
// can go on.
func (p *battlefield) chooseArmy(r *roundFrame) bool {
	if r.Camp == frenchCamp {
		r.Army = french
		return true
	}
	switch {
	case r.Lock != noArmy: // by the bid (WAT-7.5)
		r.Army = r.Lock
	case len(p.armiesIn(alliedCamp)) == 1:
		r.Army = anglo
	case len(p.Decks[prussian].Hand) == 0:
		r.Army = anglo
	case len(p.Decks[anglo].Hand) == 0:
		r.Army = prussian
	case !p.three(): // the first card decides
		return true
	case !r.Asked:
		r.Asked = true
		for _, side := range p.seatsIn(alliedCamp) {
			if _, said := p.standingArmy(armyOfSeat(side)); !said || p.Insists(side, stopArmy) {
				p.ask(side, stopArmy, "")
			}
		}
		if len(p.asks) > 0 {
			return false
		}
		fallthrough
	default: // the file of the anglo seat counts (WAT-6.6)
		r.Asked = false
		if r.pass {
			r.pass = false
			r.Stage = roundClosing
			return false
		}
		if r.Army = r.choice; r.choice == noArmy {
			if r.Army, _ = p.standingArmy(anglo); r.Army == noArmy {
				r.Army = anglo
			}
		}
		r.choice = noArmy
	}
	r.Lock = r.Army
	p.announce("WAT-6.6", "wat.army", armyArg("army", r.Army))
	return true
}

// playable lists the cards that may be played in the round now: those of the active
// army, or those of both while it is not known which army that is.
func (g *game) playable(r *roundFrame) []cardID {
	if g.left() == 0 {
		return nil
	}
	var all []cardID
	for _, a := range g.armiesIn(r.Camp) {
		if r.Army == noArmy || r.Army == a {
			all = append(all, g.Decks[a].Hand...)
		}
	}
	return all
}

// canStrike tells whether any attack may be made now (WAT-4.21, WAT-4.22).
func (g *game) canStrike(r *roundFrame) bool {
	if r.Rights == 0 {
		return false
	}
	for id := range g.everyUnit() {
		if g.armyOf(id) != r.Army {
			continue
		}
		for _, e := range g.beside(id) {
			if g.attackFault(&attack{Target: e, With: []unitID{id}}) == nil {
				return true
			}
		}
	}
	return false
}

// nextStep carries out the next filed step, or asks for more (WAT-S3).
func (p *battlefield) nextStep(r *roundFrame) {
	if r.Ending || len(p.playable(r)) == 0 && !p.canStrike(r) {
		r.Steps, r.Stage = nil, roundClosing
		return
	}
	if len(r.Steps) == 0 {
		p.ask(r.seat(p.game), stopRound, "")
		return
	}
	st := r.Steps[0]
	r.Steps = r.Steps[1:]
	if f := p.stepFault(&st); f != nil { // a reaction made it illegal (section 5.1)
		r.Steps = nil
		p.whisper(r.seat(p.game), f.Clause, "wat.step-dropped", phrase.Within("why", f.Why))
		p.ask(r.seat(p.game), stopRound, "")
		return
	}
	p.perform(r, st)
}

// perform carries out a step that is legal.
func (p *battlefield) perform(r *roundFrame, st step) {
	switch {
	case st.End:
		r.Ending, r.Stage = true, roundClosing
		return
	case st.Card == 0: // an attack alone
		r.Attack, r.Stage = st.Attack, roundStrike
		return
	}
	c := p.card(st.Card)
	r.Army = c.army
	p.use(st.Card)
	p.count(st.Card)
	if p.options.bank == on { // WAT-4.21, WAT-R06
		r.Rights++
	} else {
		r.Rights = 1
	}
	r.Attack, r.Stage, r.Idle = st.Attack, roundCarded, st.Idle
	if st.Action == noAction {
		p.announce("WAT-6.1", "wat.card-moves", p.cardArg("card", st.Card), armyArg("army", c.army), phrase.Number("mp", c.mp), phrase.Number("n", r.Played))
		p.push(&moveFrame{Card: st.Card, Army: c.army, MP: c.mp, Moves: st.Moves, Reacts: st.OnReaction})
		return
	}
	p.announce("WAT-11.0", "wat.card-acts", p.cardArg("card", st.Card), armyArg("army", c.army), phrase.Name("action", "action", st.Action.String()), phrase.Number("n", r.Played))
	p.startAction(&st)
}

// strike makes the attack that goes with the step, if it is still legal (WAT-4.21).
func (p *battlefield) strike(r *roundFrame) {
	a := r.Attack
	r.Attack, r.Stage = nil, roundSteps
	if a == nil {
		if r.Idle { // the attack is given up only now: before the window after the card it would be seen
			r.Rights, r.Idle = max(0, r.Rights-1), false
		}
		return
	}
	f := p.rightFault()
	if f == nil {
		f = p.attackFault(a)
	}
	if f != nil {
		r.Steps = nil
		p.whisper(r.seat(p.game), f.Clause, "wat.step-dropped", phrase.Within("why", f.Why))
		return
	}
	r.Rights--
	r.Stage, r.Go = roundFought, a.Go
	p.startAttack(a)
}

// endRound removes the markers (WAT-4.9) and goes back to the turn.
func (p *battlefield) endRound(r *roundFrame) {
	for i := range p.Units {
		u := &p.Units[i]
		u.Moved, u.Reorganised, u.Attacked = false, false, false
	}
	p.pop()
	if r.Played == 0 {
		p.announce("WAT-4.5", "wat.passed", campArg("camp", r.Camp))
	} else {
		p.announce("WAT-4.9", "wat.round-over", campArg("camp", r.Camp), phrase.Number("n", r.Played))
	}
	p.roundEnded(p.turnNow(), r.Camp, r.Played == 0)
}

// rightFault tells why the side has no right to attack now (WAT-4.21).
func (g *game) rightFault() *fault {
	if r := g.roundNow(); r == nil || r.Rights == 0 {
		return refusal("WAT-4.21", "wat.no-right")
	}
	return nil
}

// cardFault tells why a card may not be played as a step of the round now.
func (g *game) cardFault(c cardID) *fault {
	r := g.roundNow()
	a := g.card(c).army
	switch {
	case r == nil || a.camp() != r.Camp || !g.holds(c):
		return refusal("WAT-6.4", "wat.card-not-held", g.cardArg("card", c))
	case g.left() == 0:
		return refusal("WAT-4.4", "wat.card-limit", phrase.Number("limit", g.limit))
	case r.Army != noArmy && r.Army != a:
		return refusal("WAT-6.6", "wat.card-other-army", g.cardArg("card", c), armyArg("army", r.Army))
	}
	return g.barred(c)
}

// stepFault tells why a step is not legal as the game stands.
func (g *game) stepFault(st *step) *fault {
	switch {
	case st.End:
		return nil
	case st.Card == 0:
		if f := g.rightFault(); f != nil {
			return f
		}
		return g.attackFault(st.Attack)
	}
	if f := g.cardFault(st.Card); f != nil {
		return f
	}
	c := g.card(st.Card)
	if st.Action != noAction {
		if st.Action != c.action {
			return refusal("WAT-6.1", "wat.card-no-action", g.cardArg("card", st.Card), phrase.Name("action", "action", st.Action.String()))
		}
		return g.actionFault(st)
	}
	if len(st.Moves) == 0 && g.options.zeroMP == no {
		return refusal("WAT-R48", "wat.card-unspent", g.cardArg("card", st.Card))
	}
	t := g.trial()
	return t.tryMoves(&moveFrame{Card: st.Card, Army: c.army, MP: c.mp, Moves: st.Moves})
}

// trial is a copy of the game for trying moves.
func (g *game) trial() *game {
	c := play.Clone(*g)
	return &c
}
