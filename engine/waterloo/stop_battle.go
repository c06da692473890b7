package waterloo

import (
	"iter"
	"math/rand/v2"
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The stops of a battle: WAT-S7 to S10.

type lossesReply = *reply[unitID]

// attackerLossForm is the stop attacker-loss: which of the strongest attackers is
// reduced (WAT-S9).
var attackerLossForm = &form[lossesReply]{
	Begin: ofAttackers[unitID],
	Fields: []field[lossesReply]{play.One("reduce", units, rule[lossesReply, unitID]{
		Next: func(w lossesReply) iter.Seq[unitID] { return slices.Values(w.v.strongest(w.b)) },
		May: func(w lossesReply, id unitID) *fault {
			tied := w.v.strongest(w.b)
			if slices.Contains(tied, id) {
				return nil
			}
			f := refusal("WAT-9.35", "wat.attacker-loss-not", w.v.unitArg("unit", id))
			f.Remedy = phrase.Say("wat.one-of-units", w.v.unitsArg("units", tied))
			return f
		},
		Put: lossesReply.put,
		Say: func(v *View, id unitID) engine.Choice {
			return engine.Choice{Of: v.def(id).id, What: "reduce", Shown: v.def(id).id}
		},
	})},
	// A unit with a reduced side, then the lowest full value, then the first.
	Usual: func(x *saying[lossesReply]) {
		v, tied := x.View, x.World.v.strongest(x.World.b)
		best := tied[0]
		for _, id := range tied[1:] {
			if v.whole(id) != v.whole(best) {
				if v.whole(id) {
					best = id
				}
			} else if v.def(id).full < v.def(best).full {
				best = id
			}
		}
		x.Try("reduce", best)
	},
	Note: func(x *saying[lossesReply], n *orders.Node) {
		var lines []string
		for _, id := range x.View.strongest(x.World.b) {
			lines = append(lines, x.View.unitLine(id))
		}
		overText(n.Pairs[0].Key, lines...)
	},
	Do: func(p *battlefield, _ engine.Decision, w lossesReply) {
		if b, ok := p.top().(*battleFrame); ok && b.Stage == battleJudged && slices.Contains(p.strongest(b), w.is) {
			b.loseAttacker(p, w.is)
		}
	},
}

type advanceReply = *reply[advanceOrder]

// advances are orders to advance. A unit that is left out is 0.
var advances = kind[advanceOrder]{
	Read: func(v *View, r *orders.Reader, n *orders.Node) (advanceOrder, bool) {
		since := len(r.Problems)
		o := v.readAdvance(r, n, nil)
		return o, len(r.Problems) == since
	},
	Write: func(v *View, o advanceOrder) *orders.Node { return v.advanceNode(o) },
}

// advanceForm is the stop advance: which attacker takes the square (WAT-S10).
var advanceForm = &form[advanceReply]{
	Begin: ofAttackers[advanceOrder],
	Fields: []field[advanceReply]{play.One("advance", advances, rule[advanceReply, advanceOrder]{
		Next: func(w advanceReply) iter.Seq[advanceOrder] {
			return func(yield func(advanceOrder) bool) {
				for _, id := range w.v.candidates(w.b) {
					for _, f := range faces {
						if !yield(advanceOrder{id, f, true}) {
							return
						}
					}
				}
			}
		},
		Settle: func(w advanceReply, o advanceOrder) advanceOrder {
			if able := w.v.candidates(w.b); o.Unit == 0 && len(able) == 1 {
				o.Unit = able[0]
			}
			return o
		},
		May: advanceReply.mayAdvance,
		Put: advanceReply.put,
		Say: func(v *View, o advanceOrder) engine.Choice {
			c := v.advanceChoice(o)
			c.Shown = c.Of
			return c
		},
	})},
	// The unit with most battle points, facing kept.
	Usual: func(x *saying[advanceReply]) {
		able := x.View.candidates(x.World.b)
		best, most := able[0], -1
		for _, f := range x.World.b.Attackers {
			if slices.Contains(able, f.Unit) && f.Points > most {
				best, most = f.Unit, f.Points
			}
		}
		x.Try("advance", advanceOrder{Unit: best, Said: true})
	},
	Chance: func(x *saying[advanceReply], chance *rand.Rand) {
		able := x.View.candidates(x.World.b)
		x.Try("advance", advanceOrder{Unit: able[chance.IntN(len(able))], Face: facing(chance.IntN(5)), Said: true})
	},
	Sense: func(x *saying[advanceReply], _ *rand.Rand) {
		x.Try("advance", newMind(x.View, x.View.trial()).followers(x.World.b.Square, x.View.candidates(x.World.b)))
	},
	Note: func(x *saying[advanceReply], n *orders.Node) {
		var lines []string
		for _, id := range x.View.candidates(x.World.b) {
			lines = append(lines, x.View.unitLine(id))
		}
		overText(n.Pairs[0].Key, append(lines, "face: N | E | S | W | keep")...)
	},
	Do: func(p *battlefield, _ engine.Decision, w advanceReply) {
		if b, ok := p.top().(*battleFrame); ok && b.Stage == battleAdvancing && slices.Contains(p.candidates(b), w.is.Unit) {
			b.follow(p, w.is.Unit, w.is.Face)
		}
	},
}

// mayAdvance tells why a unit may not take the square of the battle (WAT-9.39).
func (w advanceReply) mayAdvance(o advanceOrder) *fault { return nil }
