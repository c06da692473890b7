package mistakes

import (
	"slices"
)

// The flow of a turn from the end of 3.3 on: guns unlimber, combats are fought, the turn ends.

// decisionStops are the stops at which a combat asks.
var decisionStops = [...]string{askGunBack: stopLimberedGun, askGunSwap: stopUnlimberedGun, askSide: stopSide, askSupport: stopSupport,
	askReroll: stopReroll, askLosses: stopLosses, askPursuit: stopPursue, askCounter: stopCounter, askReserves: stopReinforce,
	askKeep: stopOutcome, askToll: stopWithdrawLoss}

// unlimbers gives the next seat its guns to unlimber (EM-10.16, stop EM-S13); seats without any
// are passed over.
func (p *battlefield) unlimbers() {
	now := p.acting()
	switch {
	case len(now) == 0:
		p.Phase, p.Next = fighting, 0
	case p.Said || len(p.unlimbering(now)) == 0:
		p.Next, p.Said = p.Next+len(now), false
	default:
		p.ask(p.seatOf(now[0]), stopUnlimber, "")
	}
}

// unlimbering lists the guns of armies that may unlimber.
func (g *game) unlimbering(now []army) []unitID {
	return slices.DeleteFunc(g.standing(), func(u unitID) bool { return !slices.Contains(now, g.def(u).army) || !g.mayUnlimber(u) })
}

// fights goes on with the combat, or begins the next one of the army whose turn it is; where there
// is a choice it asks (EM-11.1, stop EM-S14).
func (p *battlefield) fights() {
	if p.Combat != nil {
		for _, one := range p.fight() {
			p.ask(p.seatOf(one.Army), decisionStops[one.What], "")
		}
		return
	}
	if p.Next >= len(p.Order) {
		p.Phase, p.Next = closing, 0
		return
	}
	a := p.Order[p.Next]
	switch all := p.openings(a); {
	case len(all) == 0:
		p.Next++
	case len(all) == 1 && len(all[0].against) == 1:
		p.engage(all[0].attacker, all[0].against[0])
	default:
		p.ask(p.seatOf(a), stopCombat, a.String())
	}
}

// closes ends the turn (EM-16.1 to EM-16.8), and with the last one the game.
func (p *battlefield) closes() {
	if p.endTurn() {
		p.Phase = over
	}
}
