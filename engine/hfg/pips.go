package hfg

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// PIP dice and what moves cost: chapter 7.

// Easy command distances, in paces (HFG-7.5).
const (
	hqReach = 2400
	cpReach = 800
)

const (
	oldGuns      = 1756 // to this year a tactical move of artillery costs more (HFG-7.7b)
	easyMarches  = 3    // march moves that a turn allows at the usual price (HFG-7.7c)
	hardMarches  = 2    // the same along muddy bad roads, off road, or by ship
	withdrawNear = 400  // so near to an enemy a retreat costs more (HFG-7.7d)
	mostDoubles  = 2    // of a brilliant general in the battle (HFG-7.3)
)

// eachDie lists the commands that roll a PIP die for a turn of a side: those with an element on
// the field or due, but slow allies and a side that is surprised (HFG-6.14, HFG-6.15, HFG-7.2).
func (g *game) eachDie(of side, turn int) []commandID {
	if of != g.attacker() && g.Surprise > 0 {
		return nil
	}
	var all []commandID
	for c := commandID(1); int(c) < len(g.Commands); c++ {
		if d := g.lead(c); d.side == of && g.Commands[c].Status != absent && d.general != 0 && g.rolls(c) && !g.dawdles(c, turn) {
			all = append(all, c)
		}
	}
	return all
}

// rolls says whether a command has an element on the field or due.
func (g *game) rolls(c commandID) bool {
	for e := elementID(1); int(e) < len(g.Elements); e++ {
		if g.command(e) == c && (g.on(e) || g.Elements[e].Fate == due) {
			return true
		}
	}
	return false
}

// dawdles says whether an ally whose general is less aggressive than his superior has no die
// yet: so many own turns must be completed as he is less aggressive, and one more (HFG-6.15,
// HFG-R97).
func (g *game) dawdles(c commandID, turn int) bool {
	d := g.lead(c)
	if d.rank != ally || d.superior == 0 {
		return false
	}
	less := g.lead(d.superior).aggression - d.aggression
	done := (turn - 1) / 2 // completed own turns
	if g.slowBegun != 0 {
		done++
	}
	return less > 0 && done <= less
}

// rollPips rolls the PIP dice of a side for its turn (HFG-7.2), with what an unmodified die
// brings about: the weather, arrivals, generals who recover (HFG-6.13, HFG-8, HFG-16.4). The weather heeds the
// commander-in-chief; if he has no die, the first of his side's commands that has one (HFG-R163).
func (p *battlefield) rollPips(of side, turn int) {
	for c := commandID(1); int(c) < len(p.Commands); c++ {
		if x := &p.Commands[c]; p.lead(c).side == of {
			x.Die, x.Score, x.Spent, x.Exchanged = 0, 0, 0, false
		}
	}
	if of != p.attacker() && p.Surprise > 0 { // how long it lasts the surprised aren't told
		p.tellSide(of, "HFG-6.14", "hfg.surprised")
	}
	dice := p.eachDie(of, turn)
	for _, c := range dice {
		x := &p.Commands[c]
		x.Die = p.roll("hfg.die-pips", p.commandArg("command", c))
		x.Score = p.inertia(c, x.Die)
		args := []phrase.Arg{p.commandArg("command", c), phrase.Number("die", x.Die), phrase.Number("pips", x.Score), p.sideArg("army", of)}
		if x.Score < x.Die {
			args = append(args, phrase.Number("inert", x.Die-x.Score))
		}
		if p.openPips != 0 {
			p.tell("HFG-7.2", "hfg.pips", args...)
		} else {
			p.tellCommand(c, "HFG-7.2", "hfg.pips", args...)
		}
	}
	for _, c := range dice {
		p.summon(c, turn)
		p.recovers(c)
	}
	if len(dice) > 0 {
		heeds := dice[max(slices.IndexFunc(dice, func(c commandID) bool { return p.lead(c).rank == chief }), 0)]
		p.weather(of, turn, p.Commands[heeds].Die)
	}
}

// inertia is a die less what an inert general loses (HFG-7.3, HFG-R113).
func (g *game) inertia(c commandID, die int) int {
	if e := g.lead(c).general; e != 0 && g.def(e).is(inert) {
		return max(die-1, 0)
	}
	return die
}

// summon notes that a delayed command arrives in its side's next turn, by its unmodified die
// (HFG-6.13).
func (p *battlefield) summon(c commandID, turn int) {
	x, a := &p.Commands[c], p.lead(c).arrival
	if x.Status != delayed || x.Arrives != 0 || a == nil {
		return
	}
	if a.historical > 0 && p.prussians == prussiansHistorical || (turn+1)/2 < a.earliest {
		return
	}
	least := a.die
	if least == 0 {
		least = sideArrival
		if a.edge == p.base(p.lead(c).side) {
			least = baseArrival
		}
	}
	if x.Die >= least {
		x.Arrives = turn + 2
		p.tellCommand(c, "HFG-6.13", "hfg.summoned", p.commandArg("command", c))
	}
}

// The least unmodified PIP dice by which a delayed command arrives (HFG-6.13).
const (
	baseArrival = 5
	sideArrival = 6
)

// recovers says that a disabled general is himself again, by an unmodified 6; a brilliant one
// is brilliant no more (HFG-16.4, HFG-R74).
func (p *battlefield) recovers(c commandID) {
	e := p.lead(c).general
	if e == 0 || !p.on(e) || !p.Elements[e].Disabled || p.Commands[c].Die != dieSides {
		return
	}
	x := &p.Elements[e]
	x.Disabled, x.Dulled = false, x.Dulled || p.def(e).is(brilliant)
	p.tellFriends(e, "HFG-16.4", "hfg.recovers", p.elementArg("element", e))
}

// pips are what a command has left of its score.
func (g *game) pips(c commandID) int { return g.Commands[c].Score - g.Commands[c].Spent }

// doubleFault tells why a general may not double his score; nil if he may: a brilliant one who has rolled a die, once,
// and his own initial score, not one that he has exchanged for it (HFG-7.3, HFG-R33).
func (g *game) doubleFault(c commandID) *play.Fault {
	x, e := &g.Commands[c], g.lead(c).general
	switch {
	case e == 0 || !g.def(e).is(brilliant) || g.Elements[e].Dulled || !g.on(e):
		return refuse("HFG-7.3", "hfg.double-who", g.commandArg("command", c))
	case x.Doubles >= mostDoubles:
		return refuse("HFG-7.3", "hfg.double-often", g.commandArg("command", c), phrase.Number("most", mostDoubles))
	case x.Doubled:
		return refuse("HFG-7.3", "hfg.double-twice", g.commandArg("command", c))
	case x.Exchanged:
		return refuse("HFG-R33", "hfg.double-exchanged", g.commandArg("command", c))
	case x.Die == 0:
		return refuse("HFG-7.3", "hfg.double-none", g.commandArg("command", c))
	}
	return nil
}

// double doubles the initial score of a general.
func (g *game) double(c commandID) {
	x := &g.Commands[c]
	x.Score, x.Doubles, x.Doubled = 2*x.Die, x.Doubles+1, true
}

// exchangeFault says why a superior may not exchange his score with a subordinate's (HFG-7.4,
// HFG-R33).
func (g *game) exchangeFault(above, below commandID) *play.Fault {
	a, b := g.lead(above), g.lead(below)
	names := []phrase.Arg{g.commandArg("above", above), g.commandArg("below", below)}
	x, y := &g.Commands[above], &g.Commands[below]
	switch {
	case a.rank != chief && a.rank != armyLeader, b.superior != above, g.foreign(below, above):
		return refuse("HFG-7.4", "hfg.exchange-who", names...)
	case x.Traded:
		return refuse("HFG-R33", "hfg.exchange-twice", names...)
	case y.Score >= x.Score:
		return refuse("HFG-7.4", "hfg.exchange-lower", names...)
	case !g.inReach(above, below):
		return refuse("HFG-7.4", "hfg.exchange-far", names...)
	}
	return nil
}

// foreign says whether a command is an ally's and another one not of the same nation's: then it isn't
// directly subordinate to that (HFG-7.4).
func (g *game) foreign(c, above commandID) bool {
	a, b := g.lead(above), g.lead(c)
	return b.allied && (!a.allied || a.nation != b.nation)
}

// exchange swaps the scores of two commands.
func (g *game) exchange(above, below commandID) {
	x, y := &g.Commands[above], &g.Commands[below]
	x.Score, y.Score = y.Score, x.Score
	x.Exchanged, y.Exchanged, x.Traded = true, true, true
}

// commandReach is the easy command distance of a command's general, in paces (HFG-7.5).
func (g *game) commandReach(c commandID) int {
	if e := g.lead(c).general; e != 0 && g.def(e).troop == hq {
		return hqReach
	}
	return cpReach
}

// transferFault says why an element may not go over to another command (HFG-7.8, HFG-R37). Train stays
// with army commanders, and ships with the commander-in-chief or the flagship (HFG-3.4, HFG-3.5).
func (g *game) transferFault(e elementID, to commandID) *play.Fault {
	from := g.command(e)
	names := []phrase.Arg{g.elementArg("element", e), g.commandArg("command", to)}
	above, below, k := g.lead(from), g.lead(to), troops[g.def(e).troop].class
	switch {
	case above.rank != chief && above.rank != armyLeader, below.superior != from, g.foreign(to, from),
		k == staff, k == naval, k == train && below.rank != armyLeader:
		return refuse("HFG-7.8", "hfg.transfer-who", names...)
	case !g.on(e):
		return refuse("HFG-7.8", "hfg.transfer-gone", names...)
	case g.Commands[from].Status == defeated || g.Commands[to].Status == defeated:
		return refuse("HFG-7.8", "hfg.transfer-defeated", names...)
	case !g.inReach(from, to):
		return refuse("HFG-7.8", "hfg.transfer-far", names...)
	}
	return nil
}

// transfer puts an element under another command; its equivalents move with it (HFG-17.4).
func (g *game) transfer(e elementID, to commandID) {
	from := g.command(e)
	g.Commands[from].Out += g.def(e).eq()
	g.Commands[to].In += g.def(e).eq()
	g.Elements[e].Command = to
}

// A cost is what a move costs in PIPs, with the cases of HFG-7.7 that add to it.
type cost struct {
	base  int
	extra []string // the letters of the cases
}

// sum is the whole price.
func (c cost) sum() int { return c.base + len(c.extra) }

// costs is what a plan costs (HFG-7.6, HFG-7.7).
func (g *game) costs(p *plan) cost {
	c := cost{base: 1}
	all := p.elements()
	first := !slices.ContainsFunc(all, func(e elementID) bool { return g.Elements[e].Marches > 0 })
	if p.manner == march && p.road != 0 && first {
		c.base = 0
	}
	if p.search {
		c.base = 2 // HFG-10.3
	}
	if g.loose(all) {
		c.extra = append(c.extra, "a")
	}
	if p.manner == tactical && slices.ContainsFunc(all, g.cumbersome) {
		c.extra = append(c.extra, "b")
	}
	if p.manner == march && g.tires(all) {
		c.extra = append(c.extra, "c")
	}
	if g.withdraws(p) {
		c.extra = append(c.extra, "d")
	}
	return c
}

// rallyCosts is what it costs to rally an element (HFG-7.6, HFG-7.7).
func (g *game) rallyCosts(e elementID) cost {
	c := cost{base: 2}
	if g.loose([]elementID{e}) {
		c.extra = append(c.extra, "a")
	}
	if !g.Elements[e].Screened && !g.hailed(e) {
		c.extra = append(c.extra, "e")
	}
	return c
}

// loose is case (a): the general is too far from a land element of those, or he is hindered
// (HFG-7.5, HFG-7.7, HFG-R34).
func (g *game) loose(all []elementID) bool {
	if troops[g.def(all[0]).troop].class == naval {
		return false
	}
	c := g.command(all[0])
	general := g.lead(c).general
	if general != 0 && g.Elements[general].Fate == due {
		return false // he is coming on with them
	}
	if general == 0 || !g.on(general) {
		return true
	}
	x := &g.Elements[general]
	b := g.body(general)
	if x.Spirit == routed || x.Disabled || g.fights(general) || g.worst(&b) == hard && !g.onRoad(general) {
		return true
	}
	return slices.ContainsFunc(all, func(e elementID) bool { // who is still to come is of the column that has (HFG-6.13)
		return g.on(e) && !within(g.apart(e, general), g.commandReach(c))
	})
}

// cumbersome is case (b): what moves tactically at a higher price (HFG-7.7).
func (g *game) cumbersome(e elementID) bool {
	switch d := g.def(e); d.troop {
	case stoicFoot, hq, potentate, laager, aeronauts:
		return true
	default:
		if troops[d.troop].class == artillery && g.year <= oldGuns {
			return true
		}
	}
	w := g.shelter(e)
	return w != nil && w.Kind != barricade
}

// tires is case (c): those who have marched so often in this turn (HFG-7.7, HFG-R36).
func (g *game) tires(all []elementID) bool {
	return slices.ContainsFunc(all, func(e elementID) bool {
		x := &g.Elements[e]
		return x.Marches >= easyMarches || x.Marches >= hardMarches && !x.RoadAll
	})
}

// withdraws is case (d): someone within 400 paces of an enemy whom his command knows ends
// further from the nearest one (HFG-7.7, HFG-R133).
func (g *game) withdraws(p *plan) bool {
	for i := range p.paths {
		x := &p.paths[i]
		before, after := int64(-1), int64(-1)
		for o := elementID(1); int(o) < len(g.Elements); o++ {
			if !g.on(o) || !g.enemies(o, x.element) || g.Elements[o].Concealed {
				continue
			}
			b := g.body(o)
			d := between(&x.from, &b)
			if d > 3000*pace && before >= 0 || !g.knows(g.command(x.element), o) {
				continue
			}
			if before < 0 || d < before {
				before = d
			}
			if e := between(&x.to, &b); after < 0 || e < after {
				after = e
			}
		}
		if before >= 0 && within(before, withdrawNear) && after >= before+pace {
			return true
		}
	}
	return false
}

// hailed says whether an element is in full contact with the front of a friendly staff element
// (HFG-7.7e).
func (g *game) hailed(e elementID) bool {
	b := g.body(e)
	for s := elementID(1); int(s) < len(g.Elements); s++ {
		if d := g.def(s); troops[d.troop].class != staff || d.side != g.def(e).side || !g.on(s) || s == e {
			continue
		}
		if x := g.body(s); geometry.Contact(&x, &b, geometry.Front, slack) >= baseWidth*pace-2*slack {
			return true
		}
	}
	return false
}

// lends says whether a general may move or rally an element of another command with his own
// PIPs: it is in contact with his front or rear (HFG-7.9).
func (g *game) lends(c commandID, e elementID) bool {
	general := g.lead(c).general
	if general == 0 || !g.on(general) || !g.on(e) || g.enemies(general, e) || troops[g.def(e).troop].class == staff {
		return false
	}
	x, b := g.body(general), g.body(e)
	return alongside(&x, &b, geometry.Front) >= leastFront || alongside(&x, &b, geometry.Rear) >= leastFront
}
