package waterloo

import "berthier/engine/play"

// What standing orders answer at a stop, from what the seat sees. They fill the form of the
// stop, part by part in their order of preference.

// instruction is a standing order that answers stops.
type instruction = play.Instruction[*View]

// prefer is a standing order that fills the form of its stops. Say tells whether the orders
// in force settle the stop.
func prefer[W any](key string, f *form[W], say func(*saying[W], *standing) bool, stops ...string) instruction {
	return play.Prefer(key, f, func(x *saying[W]) bool { return say(x, &x.View.standing[armyOfSeat(x.View.side)]) }, stops...)
}

// instructions are the standing orders that answer stops.
var instructions = []instruction{
	prefer("initiative", bidForm, func(x *saying[bidReply], _ *standing) bool {
		c, ok := x.View.standingBid(armyOfSeat(x.View.side))
		return ok && x.Try("bid", bidOf{card: c})
	}, stopBid),
	prefer("army", armyForm, func(x *saying[armyReply], _ *standing) bool {
		a, ok := x.View.standingArmy(armyOfSeat(x.View.side))
		return ok && x.Try("army", a)
	}, stopArmy),
	prefer("cavalry-retreat", cavalryForm, preferWithdrawals, stopCavalryRetreat),
	prefer("artillery", fireForm, preferFire, stopArtillery, stopRevealed),
	prefer("commander", commanderForm, func(x *saying[*placing], _ *standing) bool {
		f := x.World.f
		id, ok := firstOf(x.View.standing[x.View.lead(f.Commander).army].Commander, f.Choices)
		return ok && x.Try("to", id)
	}, stopCommander),
	prefer("battle", commitForm, preferCommits, stopCommit),
	prefer("loss", lossForm, preferLoss, stopLoss),
	prefer("attacker-loss", attackerLossForm, func(x *saying[lossesReply], s *standing) bool {
		id, ok := firstOf(s.AttackerLoss, x.View.strongest(x.World.b))
		return ok && x.Try("reduce", id)
	}, stopAttackerLoss),
	prefer("advance", advanceForm, preferAdvance, stopAdvance),
}

// preferFire answers an artillery window by the first shot that the rules of an army of the
// seat give, or by not firing where they say so. In play the window sweeps over the armies
// itself and asks for one shot after the other.
func preferFire(x *saying[firingReply], _ *standing) bool {
	v := x.View
	w := under[*windowFrame](v.game)
	if w == nil {
		return false
	}
	for a := french; a <= prussian; a++ {
		if !v.own[a] || w.Held[a] || !w.opens(v.game, a) {
			continue
		}
		if c, s, ok := v.standingShot(w, a); ok {
			return x.Try("fire", firing{c, s})
		}
	}
	return w.holds(v.game, v.side) && x.Try("fire", firing{})
}
