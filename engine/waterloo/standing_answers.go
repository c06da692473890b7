package waterloo

import (
	"berthier/engine"
	"berthier/engine/play"
)

// What standing orders answer at a stop, from what the seat sees: the same functions
// decide as where the stop would open. What they tell reaches nobody here.

// instruction is a standing order that answers stops.
type instruction = play.Instruction[*View]

// dry is a play whose events are lost.
func (v *View) dry() *battlefield { return &battlefield{game: v.game} }

// disputed is an instruction in the battle under way; it has no answer without one.
func disputed(key, stop string, answer func(*View, engine.Decision, *battleFrame) (play.Reply, bool)) instruction {
	return instruction{Key: key, Stops: []string{stop}, Answer: func(v *View, d engine.Decision) (play.Reply, bool) {
		if b := under[*battleFrame](v.game); b != nil {
			return answer(v, d, b)
		}
		return nil, false
	}}
}

// instructions are the standing orders that answer stops.
var instructions = []instruction{
	{Key: "initiative", Stops: []string{stopBid}, Answer: func(v *View, d engine.Decision) (play.Reply, bool) {
		c, ok := v.standingBid(armyOfSeat(v.side))
		return bidForm.Make(v, d, func(x *saying[bidReply]) { x.Try("bid", bidOf{card: c}) }), ok
	}},
	{Key: "army", Stops: []string{stopArmy}, Answer: func(v *View, d engine.Decision) (play.Reply, bool) {
		a, ok := v.standingArmy(armyOfSeat(v.side))
		return armyForm.Make(v, d, func(x *saying[armyReply]) { x.Try("army", a) }), ok
	}},
	{Key: "cavalry-retreat", Stops: []string{stopCavalryRetreat}, Answer: func(v *View, d engine.Decision) (play.Reply, bool) {
		units, entrant := v.asked()
		c := under[*cavalryFrame](v.game)
		if entrant == 0 || c == nil {
			return nil, false
		}
		list, ok := v.dry().standingWithdrawals(c.asking(v.game), units, entrant)
		return cavalryForm.Make(v, d, func(x *saying[*retreating]) {
			for _, one := range list {
				x.Try("retreat", one)
			}
		}), ok
	}},
	{Key: "artillery", Stops: []string{stopArtillery, stopRevealed}, Answer: answerWindow},
	{Key: "commander", Stops: []string{stopCommander}, Answer: func(v *View, d engine.Decision) (play.Reply, bool) {
		f := under[*placeFrame](v.game)
		if f == nil {
			return nil, false
		}
		id, ok := v.standingCommander(v.lead(f.Commander).army, f.Choices)
		return commanderForm.Make(v, d, func(x *saying[*placing]) { x.Try("to", id) }), ok
	}},
	disputed("battle", stopCommit, func(v *View, d engine.Decision, b *battleFrame) (play.Reply, bool) {
		list, ok := v.dry().standingCommits(b, v.roleIn(b))
		return commitForm.Make(v, d, func(x *saying[*filing]) {
			for _, c := range list {
				x.Try("cards", c)
			}
		}), ok
	}),
	disputed("loss", stopLoss, func(v *View, d engine.Decision, b *battleFrame) (play.Reply, bool) {
		l, ok := v.dry().standingLoss(b)
		return lossForm.Make(v, d, func(x *saying[lossReply]) { x.Try("", l) }), ok
	}),
	disputed("attacker-loss", stopAttackerLoss, func(v *View, d engine.Decision, b *battleFrame) (play.Reply, bool) {
		id, ok := v.dry().standingAttackerLoss(b, v.strongest(b))
		return attackerLossForm.Make(v, d, func(x *saying[lossesReply]) { x.Try("reduce", id) }), ok
	}),
	disputed("advance", stopAdvance, func(v *View, d engine.Decision, b *battleFrame) (play.Reply, bool) {
		o, ok := v.dry().standingAdvance(b, v.candidates(b))
		return advanceForm.Make(v, d, func(x *saying[advanceReply]) { x.Try("advance", o) }), ok
	}),
}

// answerWindow answers an artillery window: by the first shot that the rules of an army of
// the seat give, or by not firing where they say so.
func answerWindow(v *View, d engine.Decision) (play.Reply, bool) {
	w := under[*windowFrame](v.game)
	if w == nil {
		return nil, false
	}
	for a := french; a <= prussian; a++ {
		if !v.own[a] || w.Held[a] || !w.opens(v.game, a) {
			continue
		}
		if c, s, ok := v.dry().standingShot(w, a); ok {
			return fireForm.Make(v, d, func(x *saying[firingReply]) { x.Try("fire", firing{c, s}) }), true
		}
	}
	hold := v.standingWindow(v.side, w.Window) == windowHold
	return fireForm.Make(v, d, func(x *saying[firingReply]) { x.Try("fire", firing{}) }), hold
}
