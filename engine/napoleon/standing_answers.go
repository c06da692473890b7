package napoleon

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
)

// What standing orders answer at a stop, from what the side sees: the same functions
// decide as where the stop would open. Battle plans are not among them: they lead a
// battle one order at a time, before the stop battle-turn opens.

// instruction is a standing order that answers stops.
type instruction = play.Instruction[*View]

// inForceNow gives the standing orders of the view's side; none for the game master.
func (v *View) inForceNow() *standing {
	if v.side == engine.GM {
		return &standing{}
	}
	return &v.standing[v.seatOf(v.side)]
}

// fought is an instruction of the battle of a decision; it has no answer without one.
func fought(key string, answer func(*View, engine.Decision, *battle) (play.Reply, bool), stops ...string) instruction {
	return instruction{Key: key, Stops: stops, Answer: func(v *View, d engine.Decision) (play.Reply, bool) {
		if b := v.battleOf(d); b != nil {
			return answer(v, d, b)
		}
		return nil, false
	}}
}

// instructions are the standing orders that answer stops.
var instructions = []instruction{
	{Key: "battle-order", Stops: []string{"battle-order"}, Answer: func(v *View, d engine.Decision) (play.Reply, bool) {
		towns, ok := v.inForceNow().battleOrder(v.game, v.unordered())
		if v.inForceNow().bestFirst {
			towns, ok = v.bestOdds(), true
		}
		return orderForm.Make(v, d, func(x *saying[*ordering]) { x.World.say(x, towns) }), ok
	}},
	{Key: "supply-losses", Stops: []string{"supply"}, Answer: func(v *View, d engine.Decision) (play.Reply, bool) {
		units, ok := (&campaign{game: v.game}).supplyByStanding(d, v.supplyDue())
		return supplyForm.Make(v, d, func(x *saying[*listing]) { tryAll(x, "remove", units) }), ok
	}},
	{Key: "bid", Stops: []string{"bid"}, Answer: func(v *View, d engine.Decision) (play.Reply, bool) {
		b, ok := v.inForceNow().bidFor(v.game)
		return bidForm.Make(v, d, func(x *saying[*offer]) { x.Try("bid", b) }), ok
	}},
	fought("morale-order", func(v *View, d engine.Decision, b *battle) (play.Reply, bool) {
		own := *b
		own.morale = v.of(v.side, b.morale)
		units, ok := v.inForceNow().moraleOrder(v.game, &own)
		return moraleForm.Make(v, d, func(x *saying[*listing]) { tryAll(x, "morale", units) }), ok
	}, "morale-order"),
	fought("terrain", func(v *View, d engine.Decision, b *battle) (play.Reply, bool) {
		c := v.camp()
		places, ok := v.inForceNow().terrain(b, c)
		own := b.ownFields(c)
		return terrainForm.Make(v, d, func(x *saying[*laying]) {
			for i, f := range places {
				x.Try("terrain", lay{b.drawn[i], slices.Index(own[:3], f)})
			}
		}), ok
	}, "terrain-attacker", "terrain-defender"),
	fought("skirmish", func(v *View, d engine.Decision, b *battle) (play.Reply, bool) {
		units, ok := v.inForceNow().skirmish(v.game, v.ownIn(b.town, v.side))
		return skirmishForm.Make(v, d, func(x *saying[*listing]) { tryAll(x, "reveal", units) }), ok && len(units) == v.share(b, v.side)
	}, "skirmish"),
	fought("retreat-to", func(v *View, d engine.Decision, b *battle) (play.Reply, bool) {
		c, units := v.leaving(b)
		a, ok := v.inForceNow().retreatTo(v.game, b, v.of(v.side, units), v.exits(b, c), d.Kind == "stalemate")
		return leaveForm.Make(v, d, func(x *saying[*leaving]) { tryPlaces(x, a.places) }), ok
	}, "skirmish-retreat", "rout", "stalemate"),
	{Key: "sacrifice", Stops: []string{"rout"}}, // the units that are lost if the roads of retreat-to don't take all
	fought("casualties", answerHits, "hits"),
	fought("reinforce", func(v *View, d engine.Decision, b *battle) (play.Reply, bool) {
		s := v.inForceNow()
		if order, a, ok := s.speaksOf(v, d, true); order != "" {
			return a, ok
		}
		return reinforceForm.Make(v, d, func(*saying[*bringing]) {}), s.noReinforce
	}, "reinforce"),
	fought("regroup", func(v *View, d engine.Decision, b *battle) (play.Reply, bool) {
		return regroupForm.Make(v, d, func(*saying[*regroups]) {}), v.inForceNow().noRegroup
	}, "regroup"),
	{Key: "deploy", Stops: []string{"deploy-defender", "deploy-attacker"}, Answer: answerLater},
	{Key: "moves", Stops: []string{"move"}, Answer: answerLater},
	{Key: "plan", Stops: []string{"battle-turn"}}, // which leads the turn before the stop opens
}

// answerLater makes the answer of an order that holds orders of a later stop.
func answerLater(v *View, d engine.Decision) (play.Reply, bool) {
	_, a, ok := v.inForceNow().speaksOf(v, d, !v.shared(v.camp()))
	return a, ok
}

// answerHits chooses the units that are hit. Among known units these come first in the
// order, if it tells them apart; hidden blocks take all hits by the order, and by the
// default where it leaves them open (NAP-6.4, NAP-R83).
func answerHits(v *View, d engine.Decision, b *battle) (play.Reply, bool) {
	s := v.inForceNow()
	if b.hits == nil || len(s.loseFirst)+len(s.spareLast) == 0 && !s.worstFirst {
		return nil, false
	}
	if s.worstFirst {
		return hitsForm.Make(v, d, func(x *saying[*taking]) { takeRest(x, v.worse) }), true
	}
	place := s.lostFirst(v.game)
	if !v.veiled(b, b.hits) && !s.ends {
		if _, ok := s.casualties(v.game, v.volley(b, d.Side).next(), int(b.hits.left)); !ok {
			return nil, false
		}
	}
	return hitsForm.Make(v, d, func(x *saying[*taking]) {
		takeRest(x, func(a, o unitID) int {
			if w := place(a) - place(o); w != 0 {
				return w
			}
			return v.cheaper(a, o)
		})
	}), true
}
