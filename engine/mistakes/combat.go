package mistakes

import (
	"slices"

	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Combat: chapter 11. A combat is a machine that goes on by itself until somebody has to
// decide. All that it knows stands in the position, so it can wait between two letters.

// A passage is one of the five steps of a combat (EM-11.7).
type passage int8

const (
	attack passage = iota + 1
	counterattack
	reinforceAttack
	reinforceDefence
	outcomeStep
)

// A stage is what a combat does next.
type stage int8

const (
	atSide     stage = iota + 1 // which side is struck
	atSupport                   // who supports
	atDice                      // both roll
	atEffect                    // dice stand: the effect, and the dice of losses
	atLosses                    // losses are given out
	atChase                     // who pursues, with the die
	atRush                      // a pursuit or a reinforcement goes home
	atStep                      // the step is over: the next one
	atAnswered                  // a counterattack or a reinforcement is chosen, or none
	atKeep                      // dice of the outcome are rolled
	atWithdraw                  // they are kept: who withdraws
	atToll                      // losses of those who withdrew
	atEnd
)

// A decision is what a player is asked in a combat: one of the stops EM-S10 to EM-S22.
type decision int8

const (
	askGunBack  decision = iota + 1 // EM-S10
	askGunSwap                      // EM-S11
	askSide                         // EM-S12
	askSupport                      // EM-S15
	askReroll                       // EM-S16
	askLosses                       // EM-S17
	askPursuit                      // EM-S18
	askCounter                      // EM-S19
	askReserves                     // EM-S20
	askKeep                         // EM-S21
	askToll                         // EM-S22
)

// An ask is a decision that an army owes.
type ask struct {
	Army army     `pos:"army,required"`
	What decision `pos:"what,required"`
}

// A combat is what is being fought out. Lists by role have the attacker of step A first.
type combat struct {
	Attacker unitID  `pos:"attacker,required"` // who gave rise to it
	Defender unitID  `pos:"defender,required"`
	Step     passage `pos:"step,required,min=1,max=5"`
	Stage    stage   `pos:"stage,required,min=1,max=13"`
	Asks     []ask   `pos:"asks,most=4"`

	Melee *melee     `pos:"melee"`
	Chase *chase     `pos:"chase"`
	Rush  *manoeuvre `pos:"rush"` // a pursuit or a reinforcement on its way
	Spent []unitID   `pos:"spent,most=99"`

	First    [2][]unitID `pos:"first,most=99"`    // the formations of attacker and defender, as the combat began
	Took     []record    `pos:"took,most=99"`     // who took part, and the units of their formations that did not
	Involved []unitID    `pos:"involved,most=99"` // the units of their formations
	Backed   []unitID    `pos:"backed,most=99"`   // who has backed off in it
	Barred   []unitID    `pos:"barred,most=99"`   // who backed off in the last melee
	Garrison bool        `pos:"garrison"`         // one took part (EM-14.2)
	Ground   [2]int      `pos:"ground,min=-9"`    // the terrain modifier of each role, in a combat begun before formations had their own
	Dice     [2][]int    `pos:"dice,most=99"`     // of the outcome
	Kept     [2]keep     `pos:"kept"`
	Back     int         `pos:"back,max=99"` // segments of the withdrawal

	Withdrew []withdrawal `pos:"withdrew,most=99"`
}

// A record is what a combat has done to a unit of a formation that took part in it.
type record struct {
	Unit   unitID   `pos:"unit,required"`
	Yellow int      `pos:"yellow,max=2"`  // how many yellow markers it had
	Got    int      `pos:"got,max=2"`     // how many it received (EM-11.12)
	Leader leaderID `pos:"leader"`        // who was attached to it
	Fought bool     `pos:"fought"`        // took part in an earlier combat of the turn (EM-R58)
	Ground int      `pos:"ground,min=-9"` // the terrain modifier of its formation (EM-R63)
	Idle   bool     `pos:"idle"`          // has neither fought nor supported itself
}

// role is 0 for the army of the attacker of step A, 1 for the other.
func (g *game) role(u unitID) int {
	if g.def(u).army == g.def(g.Combat.Attacker).army {
		return 0
	}
	return 1
}

// armyIn is the army of a role in the combat.
func (g *game) armyIn(role int) army {
	if role == 0 {
		return g.def(g.Combat.Attacker).army
	}
	return g.def(g.Combat.Defender).army
}

// attacks says whether a unit is the attacker of an enemy whom it touches (EM-11.1, EM-R42): it
// touches him by its front, and of the two formations its own moves; if both or none do, it has
// charged and the other hasn't; else its army is earlier in initiative, or the other does not
// touch it by its front (EM-R95). A garrison attacks, too, and touches by all its sides (EM-14.1).
func (g *game) attacks(u, e unitID) bool {
	if !g.enemies(u, e) || !g.byFront(u, e) {
		return false
	}
	x, y := g.Units[u].Charged, g.Units[e].Charged
	switch {
	case g.moving(u) != g.moving(e):
		return g.moving(u)
	case x != y:
		return x
	case !g.byFront(e, u):
		return true
	}
	return slices.Index(g.Order, g.def(u).army) < slices.Index(g.Order, g.def(e).army)
}

// A bout is a combat that is still to be fought: an attacker, and the enemies against whom
// it may be, more than one where lengths of contact are equal (EM-11.2).
type bout struct {
	attacker unitID
	against  []unitID
}

// openings lists the combats of an army that are still to be fought, in the order of the
// numbers of the attackers (EM-11.1). Neither of the two has had his combat in this turn (EM-R100),
// and the attacker has not backed off in the last melee (EM-R101).
func (g *game) openings(a army) []bout {
	var all []bout
	for _, u := range g.standing() {
		if g.def(u).army != a || g.Units[u].Gave || slices.Contains(g.Barred, u) {
			continue
		}
		if against := g.facingMost(u, func(e unitID) bool { return !g.Units[e].Gave && g.attacks(u, e) }); len(against) > 0 {
			all = append(all, bout{u, against})
		}
	}
	return all
}

// facingMost lists the enemies on whom a unit's front has the greatest length of contact, within
// the slack, among those that may be (EM-11.2, EM-R92).
func (g *game) facingMost(u unitID, may func(unitID) bool) []unitID {
	var found []unitID
	var lengths []int64
	most := int64(-1)
	for _, e := range g.touchedBy(u) {
		if !may(e) {
			continue
		}
		length := g.frontOn(u, e)
		found, lengths, most = append(found, e), append(lengths, length), max(most, length)
	}
	var all []unitID
	for i, e := range found {
		if lengths[i] >= most-int64(g.measures.slack) {
			all = append(all, e)
		}
	}
	return all
}

// touchedBy lists the enemies whom a unit's front touches.
func (g *game) touchedBy(u unitID) []unitID {
	return slices.DeleteFunc(g.standing(), func(e unitID) bool { return !g.enemies(u, e) || !g.byFront(u, e) })
}

// frontOn is the length of contact of an enemy on a unit's front; a garrison has one on each side (EM-14.1).
func (g *game) frontOn(u, e unitID) int64 {
	b, o, length := g.body(u), g.body(e), int64(0)
	for _, side := range sides {
		if side == sides[0] || g.def(u).garrison() {
			length = max(length, g.lengthOn(&b, &o, side))
		}
	}
	return length
}

// openingFault says why a combat may not be fought next.
func (g *game) openingFault(a army, u, e unitID) *play.Fault {
	i := slices.IndexFunc(g.openings(a), func(o bout) bool { return o.attacker == u })
	switch {
	case u == 0 || i < 0:
		return &play.Fault{Clause: "EM-11.1", Why: phrase.Say("em.combat-none")}
	case !slices.Contains(g.openings(a)[i].against, e):
		return &play.Fault{Clause: "EM-11.2", Why: phrase.Say("em.combat-against", g.unitArg("unit", u))}
	}
	return nil
}

// engage begins a combat (EM-11.1). It goes on with [battlefield.fight].
func (p *battlefield) engage(u, e unitID) {
	p.Combat = &combat{Attacker: u, Defender: e, Step: attack, Barred: p.Barred}
	p.Combat.First = [2][]unitID{p.mates(u), p.mates(e)}
	p.Barred = nil
	p.tell("EM-11.1", "em.combat", p.unitArg("unit", u), p.unitArg("other", e))
	x := &p.Units[u]
	p.clash(&melee{Attacker: u, Defender: e, Charged: x.Charged, Charge: x.Charge, Forded: x.Charged && x.Forded})
}

// mates lists the units of a unit's formation; of a garrison itself alone.
func (g *game) mates(u unitID) []unitID {
	if f := g.of(u); f != nil {
		return slices.Clone(f.Units)
	}
	return []unitID{u}
}

// clash begins a melee of the combat. Whoever fights in it has given rise to his combat of the turn
// (EM-R100).
func (p *battlefield) clash(m *melee) {
	c := p.Combat
	c.Melee, c.Stage = m, atSide
	p.Units[m.Attacker].Gave, p.Units[m.Defender].Gave = true, true
	p.joins(m.Attacker)
	p.joins(m.Defender)
}

// joins notes that a unit takes part: its formation is in the combat, and a leader who is
// attached to it loses his markers (EM-11.15).
func (p *battlefield) joins(u unitID) {
	c := p.Combat
	c.Garrison = c.Garrison || p.def(u).garrison()
	for _, v := range p.mates(u) {
		if !slices.Contains(c.Involved, v) {
			c.Involved = append(c.Involved, v)
		}
		if v != u && p.noted(v) == nil {
			c.Took = append(c.Took, record{Unit: v, Yellow: p.Units[v].Yellow, Idle: true})
		}
	}
	if p.took(u) != nil {
		return
	}
	r := record{Unit: u, Yellow: p.Units[u].Yellow}
	if was := p.noted(u); was != nil {
		r = *was
		c.Took = slices.DeleteFunc(c.Took, func(x record) bool { return x.Unit == u })
	}
	l := p.leaderOf(u)
	if p.testFormation != 0 && l == 0 && p.of(u) != nil {
		l = p.attachedTo(p.of(u))
	}
	if l != 0 {
		p.Reserve[p.lead(l).army] += p.Leaders[l].Markers
		p.Leaders[l].Markers = 0
		if slices.ContainsFunc(c.Took, func(r record) bool { return r.Leader == l }) {
			l = 0
		}
	}
	r.Leader, r.Fought, r.Idle = l, p.Units[u].Fought > 0, false
	c.Took = append(c.Took, r)
}

// noted finds what the combat has noted of a unit; nil if its formation has taken no part.
func (g *game) noted(u unitID) *record {
	i := slices.IndexFunc(g.Combat.Took, func(r record) bool { return r.Unit == u })
	if i < 0 {
		return nil
	}
	return &g.Combat.Took[i]
}

// took is the same of a unit that has taken part itself; nil if it has not.
func (g *game) took(u unitID) *record {
	if r := g.noted(u); r != nil && !r.Idle {
		return r
	}
	return nil
}

// fight goes on with the combat until somebody must decide, or it is over. It gives who must
// decide what: nobody if it is over, or if a leader who flees must be placed first.
func (p *battlefield) fight() []ask {
	for p.Combat != nil && len(p.Combat.Asks) == 0 && len(p.Fleeing) == 0 && !p.over() {
		p.next()
	}
	if p.Combat == nil || len(p.Fleeing) > 0 || p.over() {
		return nil
	}
	return p.Combat.Asks
}

// asks has an army decide; the combat goes on with a stage when all who are asked have.
func (c *combat) asks(a army, what decision) { c.Asks = append(c.Asks, ask{a, what}) }

// answered notes that an army has decided.
func (c *combat) answered(a army, what decision) {
	c.Asks = slices.DeleteFunc(c.Asks, func(x ask) bool { return x.Army == a && x.What == what })
}

// next does what comes next.
func (p *battlefield) next() {
	switch c := p.Combat; c.Stage {
	case atSide:
		p.findSide()
	case atSupport:
		p.askSupporters()
	case atDice:
		p.rollMelee()
	case atEffect:
		p.settleMelee()
	case atLosses:
		p.giveLosses()
	case atChase:
		p.goOnChasing()
	case atRush:
		p.rushHome()
	case atStep:
		p.nextStep()
	case atAnswered:
		c.Stage = atStep
	case atKeep:
		p.rollOutcome()
	case atWithdraw:
		p.settleOutcome()
	case atToll:
		p.takeToll()
	case atEnd:
		p.endCombat()
	}
}

// nextStep goes on to the next step of the combat (EM-11.7), and asks where one may be fought.
func (p *battlefield) nextStep() {
	c := p.Combat
	if c.Garrison && p.garrisonWithdraw != 0 {
		p.leaveGarrison() // EM-R60
	}
	c.Melee, c.Chase, c.Rush = nil, nil, nil
	again := p.reinforceAll != 0 && len(c.Spent) > 0 && (c.Step == reinforceAttack || c.Step == reinforceDefence)
	if !again {
		c.Step++
		c.Spent = nil
	}
	c.Stage = atAnswered
	switch c.Step {
	case counterattack:
		if len(p.counters()) > 0 {
			c.asks(p.armyIn(1), askCounter)
		}
	case reinforceAttack, reinforceDefence:
		if p.reinforceable() {
			c.asks(p.armyIn(int(c.Step-reinforceAttack)), askReserves)
		} else if again {
			c.Spent = nil
			c.Stage = atStep
		}
	case outcomeStep:
		c.Stage = atKeep
		if c.Garrison {
			p.leaveGarrison()
		}
	}
}

// A counter is a counterattack that may be made: a unit, and the enemies against whom it may be.
type counter = bout

// counters lists the counterattacks that the defender may make (EM-11.7): by a unit that took
// part, or of a formation that did, that has not backed off in the last melee (EM-R101), and touches
// by its front an enemy who took part.
func (g *game) counters() []counter {
	var all []counter
	c := g.Combat
	for _, u := range g.standing() {
		if !slices.Contains(c.Involved, u) || g.role(u) != 1 || slices.Contains(c.Barred, u) {
			continue
		}
		if against := g.facingMost(u, func(e unitID) bool { return g.took(e) != nil }); len(against) > 0 {
			all = append(all, counter{u, against})
		}
	}
	return all
}

// counterFault says why a counterattack may not be made.
func (g *game) counterFault(u, e unitID) *play.Fault {
	if u == 0 && e == 0 {
		return nil
	}
	if slices.ContainsFunc(g.counters(), func(c counter) bool { return c.attacker == u && slices.Contains(c.against, e) }) {
		return nil
	}
	return &play.Fault{Clause: "EM-11.7", Why: phrase.Say("em.counter-none")}
}

// counterattacks answers stop EM-S19: a unit counterattacks an enemy, or none does.
func (p *battlefield) counterattacks(u, e unitID) {
	p.Combat.answered(p.armyIn(1), askCounter)
	if u != 0 {
		p.tell("EM-11.7", "em.counterattack", p.unitArg("unit", u), p.unitArg("other", e))
		p.clash(&melee{Attacker: u, Defender: e})
	}
}
