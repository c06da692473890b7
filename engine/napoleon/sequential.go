package napoleon

import (
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Movement of two Allied players one after the other (option allied_order of
// NAP-R09): the second orders when he has seen how the first has marched.
// All dice of forced marches wait until both have marched (NAP-5.6, NAP-R04).

// A vanguard is what the first player's movement means for the second's, and
// what of it is still to be rolled.
type vanguard struct {
	army   army     `pos:"army,required"`
	over   uses     `pos:"over"`                  // units that attack over each road (NAP-5.5)
	fights []fight  `pos:"attacks,key=town,flow"` // attacks, with the groups that make them (NAP-5.2)
	forced []forced `pos:"forced"`                // units that still have to roll
	shown  []townID `pos:"revealed"`              // towns where the army's leader has shown himself (NAP-8.1)
}

// A forced march is a unit that marched too far, and where it departed from.
type forced struct {
	unit unitID `pos:"unit,required"`
	from townID `pos:"from,required"`
}

// byTurns tells whether the players of the camp whose turn it is move one after the
// other.
func (g *game) byTurns() bool {
	return g.options.alliedOrder == orderSequential && g.shared(g.turns[g.turn].camp)
}

// marchesFirst is which Allied army marches first in this turn: in the first,
// third, ... Allied turn the Anglo-Dutch, in the others the Prussians (NAP-R09).
func (g *game) marchesFirst() army {
	n := 0
	for i := range g.turns[:g.turn+1] {
		if g.turns[i].camp == alliedCamp {
			n++
		}
	}
	if n%2 == 0 {
		return prussian
	}
	return angloDutch
}

// nextToMove is the side that moves next, of two that move one after the other.
func (g *game) nextToMove() engine.Side {
	first := g.marchesFirst()
	if g.ahead != nil {
		return g.sideOf(ally(first))
	}
	return g.sideOf(first)
}

// moveByTurns asks the first player, then the second; a player who has nothing to
// move is skipped.
func (p *campaign) moveByTurns() {
	if p.ahead == nil {
		if side := p.nextToMove(); p.canMove(side) {
			p.ask([]engine.Side{side}, "move", "")
			return
		}
		p.ahead = &vanguard{army: p.marchesFirst()}
	}
	if side := p.nextToMove(); p.canMove(side) {
		p.ask([]engine.Side{side}, "move", "")
		return
	}
	p.endMovement(nil, nil)
}

// goAhead keeps what the first of two players has done until the second has
// moved; it tells whether there is a second.
func (p *campaign) goAhead(m *mover, who []forced, shown []origin) bool {
	if !p.byTurns() || p.ahead != nil {
		return false
	}
	v := &vanguard{army: p.marchesFirst(), fights: m.fights, forced: who}
	v.over = usesOf(m.over)
	for _, o := range shown {
		v.shown = append(v.shown, o.town)
	}
	p.ahead = v
	return true
}

// endMovement rolls for forced marches, of both players in their order, and ends
// the phase.
func (p *campaign) endMovement(who []forced, shown []origin) {
	if v := p.ahead; v != nil {
		who = append(slices.Clip(v.forced), who...)
		for _, t := range v.shown {
			shown = append(slices.Clip(shown), origin{v.army, t})
		}
		p.ahead = nil
	}
	for _, f := range who {
		if u := &p.units[f.unit]; u.forced && !u.dead {
			p.forcedMarch(u, f.from, shown)
		}
	}
	p.phase = battlePhase
}

// follow tells a mover what the ally's units that moved first have done.
func (m *mover) follow(v *vanguard) {
	if v == nil {
		return
	}
	for _, u := range v.over {
		m.over[u.road] += u.n
	}
	for _, f := range v.fights {
		f.origins = slices.Clone(f.origins)
		m.fights = append(m.fights, f)
	}
}

// seen is what the second player sees of the first one's movement: what his
// blocks have done, but not which of them still have to roll for it.
func (v *vanguard) seen() *vanguard {
	if v == nil {
		return nil
	}
	return &vanguard{army: v.army, over: slices.Clone(v.over), fights: slices.Clone(v.fights)}
}

// SettlePos implements [play.PosSettler]: nobody is ahead but in a movement by turns,
// and what he has done, his own army did.
func (v *vanguard) SettlePos(x *play.Scribe, at orders.Fields) {
	g := x.Whole.(*game)
	if !g.byTurns() || g.phase != movement || v.army != g.marchesFirst() {
		x.Refuse(at.Node, "NAP-R09", phrase.Say("nap.position-ahead", armyArg("army", v.army)))
		return
	}
	for i := range v.fights {
		for j := range v.fights[i].origins {
			v.fights[i].origins[j].army = v.army
		}
	}
	for i, f := range v.forced {
		if g.roster[f.unit].army != v.army {
			x.Refuse(play.At(at.Get("forced"), strconv.Itoa(i), "unit"), "NAP-R09", phrase.Say("nap.position-ahead", armyArg("army", v.army)))
		}
	}
}

// origins are written as towns: the army is known, since it is the one that moved first.
type origins []origin

// MarshalPos implements [play.PosMarshaler].
func (all origins) MarshalPos(x *play.Scribe) *orders.Node {
	n := orders.Texts()
	for _, o := range all {
		n.Add(orders.Text(x.Whole.(*game).towns[o.town].id))
	}
	return n
}

// UnmarshalPos implements [play.PosUnmarshaler].
func (all *origins) UnmarshalPos(x *play.Scribe, n *orders.Node) {
	for _, item := range x.List(n) {
		if t, ok := x.Pick("town", item); ok {
			*all = append(*all, origin{town: townID(t)})
		}
	}
}

// usesOf lists the roads that are used.
func usesOf(n []int8) []use {
	var all []use
	for road, n := range n {
		if n > 0 {
			all = append(all, use{road, n})
		}
	}
	return all
}
