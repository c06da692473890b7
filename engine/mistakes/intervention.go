package mistakes

import (
	"cmp"
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Moves out of sequence: before a manoeuvre in 3.3 an enemy who comes later in initiative may act
// (EM-9.11).

// A reaction is what an army does out of sequence; the zero value is nothing.
type reaction struct {
	units unitSet // who acts; of one formation
	does  step
	by    leaderID      // who pays
	keep  bool          // with markers alone (EM-R90)
	anew  *redeployment // in place of a manoeuvre
}

// declared gives the manoeuvre that is made next: what is ordered if it can be made, else what is
// ordered for that case. It is false if there is none, or none can be made.
func (g *game) declared() (move, bool) {
	m, _, ok := g.chosen()
	return m, ok
}

// chosen is the same, and says why what was ordered before it, or all, can't be made.
func (g *game) chosen() (m move, not []phrase.Phrase, ok bool) {
	if len(g.Moves) == 0 {
		return move{}, nil, false
	}
	m = g.Moves[0]
	units, ok := g.movers(m)
	if !ok {
		return move{}, []phrase.Phrase{phrase.Say("em.movers-gone")}, false
	}
	for _, s := range []*step{&m.First, &m.Else} {
		if s.Does == 0 {
			continue
		}
		fault := g.stepFault(units, s)
		if fault == nil {
			m.First, m.Else = *s, step{}
			return m, not, true
		}
		if !slices.ContainsFunc(not, fault.Why.Equal) {
			not = append(not, fault.Why)
		}
	}
	return move{}, not, false
}

// interrupters lists the armies that are asked now whether they act before the manoeuvre that is
// declared: those of one seat that follow each other directly in the order of initiative, that
// come later in it than who moves, fight him, and can pay (EM-9.11).
func (g *game) interrupters() []army {
	m, ok := g.declared()
	if !ok {
		return nil
	}
	return g.interruptersOf(m)
}

// interruptersOf is the same for a manoeuvre that is declared.
func (g *game) interruptersOf(m move) []army {
	units, _ := g.movers(m)
	mover := g.def(units[0]).army
	var all []army
	for i, a := range g.Order {
		if i < max(g.Heard, slices.Index(g.Order, mover)+1) || a.allied(mover) || !g.reacts(a) {
			if len(all) > 0 {
				break
			}
			continue
		}
		if len(all) > 0 && g.seatOf(a) != g.seatOf(all[0]) {
			break
		}
		all = append(all, a)
	}
	return all
}

// reacts says whether an army has a unit that may act out of sequence, and a leader who can pay
// for it.
func (g *game) reacts(a army) bool {
	return slices.ContainsFunc(g.Formations, func(f formation) bool {
		return g.army(f.Corps) == a && slices.ContainsFunc(f.Units, func(u unitID) bool {
			return g.lateFault(&f, []unitID{u}) == nil && g.payer(&f, []unitID{u}, false) != 0
		})
	})
}

// payer gives the first leader who can pay for units of a formation to act out of sequence; 0 for
// none.
func (g *game) payer(f *formation, units []unitID, keep bool) leaderID {
	for l := leaderID(1); int(l) < len(g.Leaders); l++ {
		if g.lead(l).army == g.army(f.Corps) && g.earlyFault(l, f, units, keep) == nil {
			return l
		}
	}
	return 0
}

// actsFor gives the units of a formation that may act out of sequence together, and what that costs: all of them, or
// where nobody can pay for all the first whom somebody can pay for; none if there is none.
func (g *game) actsFor(f *formation) ([]unitID, int) {
	for _, units := range append([][]unitID{f.Units}, slices.Collect(slices.Chunk(f.Units, 1))...) {
		if l := g.payer(f, units, false); l != 0 && g.lateFault(f, units) == nil && g.splitFault(f, units) == nil {
			return units, g.earlyPrice(l, units)
		}
	}
	return nil, 0
}

// earlyFault says why a leader can't pay for units of a formation to act out of sequence (EM-9.11).
func (g *game) earlyFault(l leaderID, f *formation, units []unitID, keep bool) *play.Fault {
	if !g.commands(l, f) {
		return g.notHis(l, f)
	}
	generated, markers := g.points(l, f)
	if keep {
		generated = 0
	}
	have := generated + markers
	if have < outOfTurnPrice*len(units) || have < g.earlyPrice(l, units) {
		return &play.Fault{Clause: "EM-9.11", Why: phrase.Say("em.react-price", g.leaderArg("leader", l),
			phrase.Number("price", g.earlyPrice(l, units)), phrase.Number("have", have))}
	}
	return nil
}

// lateFault says why units of a formation may not act out of sequence, whatever they do: it
// recovers, or one of them has made its manoeuvre this turn (EM-9.11).
func (g *game) lateFault(f *formation, units []unitID) *play.Fault {
	switch name := phrase.Literal("formation", f.ID); {
	case f.Orange > 0:
		return &play.Fault{Clause: "EM-9.11", Why: phrase.Say("em.manoeuvre-recovering", name)}
	case slices.ContainsFunc(units, func(u unitID) bool { return g.Units[u].Manoeuvred }):
		return &play.Fault{Clause: "EM-9.11", Why: phrase.Say("em.manoeuvre-done", name)}
	}
	return nil
}

// reactionFault says why an army of those that are asked may not act so out of sequence (EM-9.11).
func (g *game) reactionFault(now []army, x reaction) *play.Fault {
	if fault := g.actorsFault(now, x); fault != nil {
		return fault
	}
	if x.anew != nil {
		fault := cmp.Or(g.anewFault(x.anew), g.outsidersFault(x))
		if fault != nil {
			return fault
		}
		moves, fault := g.relocations(x.anew.spots)
		if fault == nil {
			fault = g.namesFault(x.anew)
		}
		if fault != nil {
			return fault
		}
		return g.aside(x).redeployFault(moves, x.anew.groups)
	}
	if fault := x.does.straightFault(); fault != nil {
		return fault
	}
	m, fault := g.resolve(x.units.list(), &x.does)
	if fault != nil {
		return fault
	}
	return g.wayFault(m)
}

// outsidersFault says which unit a redeployment out of sequence names that doesn't act: the first of them.
func (g *game) outsidersFault(x reaction) *play.Fault {
	for _, u := range x.anew.units() {
		if fault := g.outsiderFault(x, u); fault != nil {
			return fault
		}
	}
	return nil
}

// outsiderFault says that a unit is not among those that act out of sequence (EM-9.11).
func (g *game) outsiderFault(x reaction, u unitID) *play.Fault {
	if x.units.has(u) {
		return nil
	}
	return &play.Fault{Clause: "EM-9.11", Why: phrase.Say("em.react-others", g.unitArg("unit", u))}
}

// actorsFault says why units can't act out of sequence, whatever they do.
func (g *game) actorsFault(now []army, x reaction) *play.Fault {
	units := x.units.list()
	if len(units) == 0 {
		return &play.Fault{Clause: "EM-9.11", Why: phrase.Say("em.react-nobody")}
	}
	f := g.of(units[0])
	for _, u := range units {
		if !g.on(u) || g.of(u) == nil || g.of(u) != f || !slices.Contains(now, g.def(u).army) {
			return &play.Fault{Clause: "EM-9.11", Why: phrase.Say("em.react-units", g.unitArg("unit", u))}
		}
	}
	if fault := g.lateFault(f, units); fault != nil {
		return fault
	}
	if fault := g.splitFault(f, units); fault != nil {
		return fault
	}
	if x.by == 0 {
		return &play.Fault{Clause: "EM-9.11", Why: phrase.Say("em.react-nobody-pays", phrase.Literal("formation", f.ID))}
	}
	if fault := g.earlyFault(x.by, f, units, x.keep); fault != nil {
		return fault
	}
	return nil
}

// react carries out what an army does out of sequence. It needs no green and gives none; the units
// have then made their manoeuvre (EM-R36).
func (p *battlefield) react(x reaction) {
	units := x.units.list()
	f := p.of(units[0])
	price := p.earlyPrice(x.by, units)
	p.pay(x.by, f, price, x.keep) // for the formation in which they stand (EM-R111)
	was := slices.Clone(p.Leaders)
	f = p.actsAlone(f, units)
	p.tell("EM-9.11", "em.reacts", p.leaderArg("leader", x.by), p.unitArg("unit", units[0]), phrase.Number("price", price), p.unitsArg("units", units))
	p.tellLeaders(was, "EM-7.10")
	for _, u := range units {
		p.Units[u].Manoeuvred = true
	}
	f.Manoeuvred = true
	if x.anew != nil {
		moves, _ := p.relocations(x.anew.spots)
		p.redeployed(moves, x.anew.groups)
		for _, f := range p.formationsOf(units) {
			f.Manoeuvred = true
		}
		return
	}
	p.Rush = p.makes(units, &x.does)
}

// actsAlone splits units off their formation, and off those with which it is united; the part has
// the colours of the whole.
func (g *game) actsAlone(f *formation, units []unitID) *formation {
	if len(units) < len(f.Units) {
		id, green := g.freeID(f.ID), f.Green
		g.split(f, units, id)
		f = g.of(units[0])
		f.Green = green
	}
	g.splitOff(f)
	return f
}

// aside is the field as it is when those have been split off who act out of sequence.
func (g *game) aside(x reaction) *game {
	c := g.trial()
	units := x.units.list()
	c.actsAlone(c.of(units[0]), units)
	return c
}

// heard notes that those who are asked let the declared manoeuvre be made.
func (p *battlefield) heard() {
	now := p.interruptersOf(p.Moves[0]) // it is declared: they were asked
	p.Heard = slices.Index(p.Order, now[len(now)-1]) + 1
}

// seesMoves says whether a seat may see what is still to be done of what is ordered for the phase:
// its own (section 7 of the digest).
func (g *game) seesMoves(side engine.Side) bool {
	now := g.acting()
	return side == engine.GM || len(now) > 0 && g.seatOf(now[0]) == side
}
