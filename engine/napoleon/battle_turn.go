package napoleon

import (
	"berthier/engine"
	"berthier/orders/phrase"
)

// battleOrders is what the acting side has ordered for the rest of its battle
// turn.
type battleOrders struct {
	actions   []action       `pos:"actions,block"`
	again     bool           `pos:"ask"`       // ask once more after the actions (then: ask)
	press     bool           `pos:"continue"`  // leave out what has become impossible (on-fail: continue)
	stay      []unitID       `pos:"stay"`      // units that stay shown where they could hide (NAP-R69, option rehide)
	reinforce *allotment     `pos:"reinforce"` // at the end of the turn; nil: ask
	regroup   *regroupAnswer `pos:"regroup"`   // if this turn wins the battle; nil: ask
}

func (o *battleOrders) clone() *battleOrders {
	c := *o
	c.actions = append([]action(nil), o.actions...)
	return &c
}

// battleTurn goes one step further in a battle turn: morale, combat,
// reinforcements (NAP-6.30).
func (p *campaign) battleTurn(b *battle) {
	if b.hits != nil {
		p.takeHits(b)
		return
	}
	switch b.step {
	case turnDue:
		p.beginTurn(b)
	case moraleStep:
		p.morale(b)
	case combatStep:
		p.combat(b)
	case reinforceStep:
		p.reinforcements(b)
	case retreatStep:
		p.stalemateRetreat(b)
	case turnOver:
		p.endBattleTurn(b)
	}
}

// beginTurn clears what the acting side's units did in their last turn and
// finds the units that roll morale.
func (p *campaign) beginTurn(b *battle) {
	if p.checkEnd(b); b.stage != fighting {
		return // a position may begin with nobody on the board (NAP-R74)
	}
	for i := range p.units {
		if u := &p.units[i]; b.fights(u) && u.army.camp() == b.acting {
			u.steps, u.spent, u.fired, u.engaged, u.disengaged = 0, false, false, false, false
		}
	}
	b.roadUse, b.crossed, b.orders, b.guide = nil, [3]int8{}, nil, guideOpen
	b.activated = false
	b.second, b.brought = false, nil
	if b.acting == b.attacker {
		b.busy = false
	}
	p.tellAll("NAP-6.30", "nap.battle-turn-begins", p.townArg("town", b.town), phrase.Number("number", b.number), campArg("camp", b.acting))
	b.morale = p.mustRoll(b)
	b.step = moraleStep
	if p.shared(b.acting) {
		p.askMorale(b)
		return
	}
	if len(b.morale) > 1 && p.orderMatters(b) {
		p.ask(p.sidesOf(b.acting), "morale-order", p.towns[b.town].id)
	}
}

// combat lets units act as ordered, one at a time, and each action has its effect at
// once; when no more orders are left the side is asked (NAP-6.30).
func (p *campaign) combat(b *battle) {
	if b.stalemate && b.acting == b.attacker {
		b.step = retreatStep
		return
	}
	if b.orders == nil {
		if p.handCanAct(b) {
			if p.planActs(b) {
				return
			}
			p.ask([]engine.Side{p.hand(b, b.acting)}, "battle-turn", p.towns[b.town].id)
			return
		}
		b.step = reinforceStep
		return
	}
	for len(b.orders.actions) > 0 {
		a := b.orders.actions[0]
		b.orders.actions = b.orders.actions[1:]
		if f := p.judge(b, a); f != nil {
			p.tellFailed(b, a, f)
			if b.orders.press {
				continue
			}
			if left := len(b.orders.actions); left > 0 {
				p.Tell(f.Clause, to(p.commands(b, b.acting), "nap.act-left", p.townArg("town", b.town), phrase.Number("n", left)))
			}
			b.orders = nil
			return
		}
		p.perform(b, a)
		if b.stage != fighting || b.hits != nil {
			return
		}
	}
	if b.orders.again {
		b.orders = nil
		return
	}
	b.step = reinforceStep
}

// perform carries out an action that was judged legal.
func (p *campaign) perform(b *battle, a action) {
	u := p.unit(a.unit)
	b.activated = b.activated || a.verb != doRetreat
	switch a.verb {
	case doMove:
		for _, f := range a.path {
			if f == offBoard || b.stage != fighting {
				break
			}
			p.makeStep(b, u, f)
		}
	case doFire:
		p.fire(b, u, a.group)
	case doRetreat:
		p.retreat(b, u, a.to)
		p.checkEnd(b)
	default:
		p.manage(u, a)
		p.tellManaged(b, u, a)
	}
}

// tellFailed tells a commander which order was not carried out, why, and where the unit stays.
func (p *campaign) tellFailed(b *battle, a action, f *fault) {
	args := []argument{p.townArg("town", b.town), phrase.Name("unit", "unit", p.unitName(a.unit)),
		phrase.Name("order", phrase.KindKeyword, verbWords[a.verb]), phrase.Within("why", f.Why)}
	if u := p.unit(a.unit); b.fights(u) {
		args = append(args, b.fieldArgs("field", u.field, u.army.camp())...)
	}
	p.Tell(f.Clause, to(p.commands(b, b.acting), "nap.act-fails", args...))
}

// tellManaged tells of squares, shelter, farms and hills. A unit that gets a marker
// on the board is shown (NAP-R86).
func (p *campaign) tellManaged(b *battle, u *unit, a action) {
	at := b.fieldArgs("field", u.field, u.army.camp())
	switch a.verb {
	case doForm:
		p.reveal(u)
		p.tellUnit("NAP-6.5", u, "nap.square-formed", at...)
	case doBreak:
		p.tellUnit("NAP-6.5", u, "nap.square-broken", at...)
	case doShelter:
		p.reveal(u)
		p.tellUnit("NAP-6.52", u, "nap.sheltered", append(at, p.unitArg("square", p.unit(a.with)))...)
	case doLeave:
		p.tellUnit("NAP-R38", u, "nap.shelter-left", at...)
	case doOccupy:
		p.tellUnit("NAP-6.21k", u, "nap.occupied", append(at, phrase.Name("piece", "terrain", a.what.String()))...)
	case doSwap:
		holder := u
		if holder.holds == noPiece {
			holder = p.unit(a.with)
		}
		p.tellUnit("NAP-6.21j", holder, "nap.occupied", append(at, phrase.Name("piece", "terrain", holder.holds.String()))...)
	}
}

// endBattleTurn closes a battle turn: units that met the enemy in a wood are shown
// (NAP-6.24c), the stalemate is counted, and the other side is next.
func (p *campaign) endBattleTurn(b *battle) {
	for f := attackerLeft; f < fields; f++ {
		if b.terrain[f] == wood && p.contested(b, f) {
			p.showField(b, f)
		}
	}
	if p.options.shockLasts == shockNextTurn {
		for i := range p.units {
			if u := &p.units[i]; b.fights(u) && u.army.camp() == b.acting && !u.engaged {
				u.shock = false
			}
		}
	}
	if b.acting == b.attacker && !b.stalemate && p.countIdle(b) {
		return
	}
	b.orders, b.roadUse, b.crossed, b.morale, b.guide = nil, nil, [3]int8{}, nil, guideOpen
	b.activated = false
	b.step = turnDue
	b.number++
	b.acting = b.acting.enemy()
	if b.acting == b.attacker {
		b.ordered = false
	}
}

// showField reveals all units of a field, of both camps, and tells of those
// that were hidden.
func (p *campaign) showField(b *battle, f field) {
	var names []string
	for i := range p.units {
		if u := &p.units[i]; b.fights(u) && u.field == f && !u.shown {
			p.reveal(u)
			names = append(names, p.unitName(u.id))
		}
	}
	if len(names) > 0 {
		p.tellRevealed(b, f, names)
	}
}
