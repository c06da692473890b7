package hfg

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
)

// Losses, defeated commands, and who loses the battle: chapter 17.

// lost says whether an element counts as lost: destroyed, run off the field, or routed and still on
// it (HFG-17.1).
func (g *game) lost(e elementID) bool {
	x := &g.Elements[e]
	return x.Fate == destroyed || x.Fate == fled || x.Fate == present && x.Spirit == routed
}

// A toll is what has been lost of what there was, in halves of equivalents (HFG-17.2).
type toll struct{ lost, original int }

// counts says whether an element counts in the original total of its side: not if its command is
// not in the game, nor, where the file says so, before its command's first element is on the
// field (HFG-17.6).
func (g *game) counts(e elementID) bool {
	c := g.def(e).command
	switch g.Commands[c].Status {
	case absent:
		return false
	case delayed, arriving:
		return !g.scenario.OnArrival || slices.ContainsFunc(g.lead(c).elements, func(o elementID) bool { return g.Elements[o].Fate != due })
	}
	return true
}

// tollOf is that of a command: what it had at the start, with what was transferred to and from it,
// and the losses of those who belong to it now (HFG-17.3, HFG-17.4).
func (g *game) tollOf(c commandID) toll {
	x := &g.Commands[c]
	t := toll{original: x.In - x.Out}
	for e := elementID(1); int(e) < len(g.Elements); e++ {
		if g.def(e).command == c {
			t.original += g.def(e).eq()
		}
		if g.command(e) == c && g.lost(e) {
			t.lost += g.def(e).eq()
		}
	}
	return t
}

// tollOn is that of a side.
func (g *game) tollOn(of side) toll {
	var t toll
	for e := elementID(1); int(e) < len(g.Elements); e++ {
		if d := g.def(e); d.side == of && g.counts(e) {
			t.original += d.eq()
			if g.lost(e) {
				t.lost += d.eq()
			}
		}
	}
	return t
}

// breaks says whether a command is defeated by what it has lost: a third, or all its original
// elements lost or spent (HFG-17.3).
func (g *game) breaks(c commandID) bool {
	t := g.tollOf(c)
	if t.original > 0 && 3*t.lost >= t.original {
		return true
	}
	all := g.lead(c).elements
	return len(all) > 0 && !slices.ContainsFunc(all, func(e elementID) bool {
		return !g.lost(e) && g.Elements[e].Fate != spent
	})
}

// reckons ends a turn: commands that are defeated stay so, and their own side is told; then it
// says how the battle stands (HFG-17.2, HFG-17.3, HFG-17.8, HFG-R81).
func (p *battlefield) reckons() ending {
	for c := commandID(1); int(c) < len(p.Commands); c++ {
		x := &p.Commands[c]
		if x.Status == absent || x.Status == defeated || !p.breaks(c) {
			continue
		}
		x.Status = defeated
		p.tellCommand(c, "HFG-17.3", "hfg.command-defeated", p.commandArg("command", c))
	}
	return p.ending()
}

// An ending is how a battle has ended.
type ending struct {
	over bool
	lost side // noSide: a draw
}

// beaten says whether a side has lost the battle by itself: more than a quarter of what it had, and
// at least one command defeated (HFG-17.6).
func (g *game) beaten(of side) bool {
	t := g.tollOn(of)
	if 4*t.lost <= t.original {
		return false
	}
	for c := commandID(1); int(c) < len(g.Commands); c++ {
		if g.lead(c).side == of && g.Commands[c].Status == defeated {
			return true
		}
	}
	return false
}

// ending says whether the battle is over at the end of this turn, and who has lost it: of two who
// have both, the one with the greater share; at sunset nobody (HFG-17.6, HFG-17.7, HFG-R60,
// HFG-R83).
func (g *game) ending() ending {
	if g.Yielded != noSide {
		return ending{true, g.Yielded}
	}
	one, two := g.beaten(first), g.beaten(second)
	switch {
	case one && two:
		a, b := g.tollOn(first), g.tollOn(second)
		switch x, y := a.lost*b.original, b.lost*a.original; {
		case x > y:
			return ending{true, first}
		case y > x:
			return ending{true, second}
		}
		return ending{over: true}
	case one:
		return ending{true, first}
	case two:
		return ending{true, second}
	}
	return ending{over: g.Turn%2 == 0 && g.pair() >= g.lastPair()}
}

// Commands that are defeated: HFG-17.5.

// toEdge is how far a body is from an edge of the field, in units.
func (s *setting) toEdge(b *geometry.Body, of edge) int64 {
	switch of {
	case north:
		return s.size.Y - b.Hi.Y
	case east:
		return s.size.X - b.Hi.X
	case south:
		return b.Lo.Y
	}
	return b.Lo.X
}

// shaken says whether an element belongs to a defeated command.
func (g *game) shaken(e elementID) bool { return g.Commands[g.command(e)].Status == defeated }

// advances says whether a move brings an element nearer to the enemy's base edge than it was
// (HFG-17.5).
func (g *game) advances(e elementID, from, to *geometry.Body) bool {
	base := g.base(g.def(e).side.enemy())
	return paces(g.toEdge(to, base)) < paces(g.toEdge(from, base))
}

// held says why a plan may not be made by a defeated command: its elements may not end nearer to
// the enemy's base edge (HFG-17.5, HFG-R103). Allies make no move but their withdrawal. Whoever reappears may come on (HFG-R190).
func (g *game) held(p *plan) *play.Fault {
	for i := range p.paths {
		if x := &p.paths[i]; g.on(x.element) && g.shaken(x.element) && !g.withdrawn(x.element) && g.advances(x.element, &x.from, &x.to) {
			return refuse("HFG-17.5", "hfg.move-defeated", elementArg("element", g.def(x.element)))
		}
	}
	return nil
}

// withdrawn says whether an element belongs to a defeated allied command: it withdraws, and its
// owner gives it no moves (HFG-R129).
func (g *game) withdrawn(e elementID) bool {
	return g.shaken(e) && g.lead(g.command(e)).allied
}

// withdrawals has the defeated allied commands of the phasing side leave the field by the edge that
// they came by, those nearest to it first: after the dice are used and before all other moves,
// without PIPs (HFG-17.5, HFG-R129).
func (p *battlefield) withdrawals() {
	var all []elementID
	for _, e := range p.standing() {
		if d := p.def(e); d.side == p.phasing() && p.withdrawn(e) && p.moveFault(e, tactical) == nil {
			all = append(all, e)
		}
	}
	far := func(e elementID) int64 { b := p.body(e); return p.toEdge(&b, p.entry(p.command(e))) }
	slices.SortStableFunc(all, func(a, b elementID) int { return paces(far(a)) - paces(far(b)) })
	for _, e := range all {
		if !p.withdrawsByRoad(e) {
			p.withdraw(e)
		}
	}
}

// withdraw makes one element's move to the edge: it turns to it and goes straight as far as the
// rules allow (HFG-R129), a garrison from the middle of its BUA, whose edge it takes up no more
// (HFG-4.17). An enemy who sees it reads of a move like others: that its command is defeated he
// isn't told (HFG-17.8).
func (p *battlefield) withdraw(e elementID) {
	out := p.entry(p.command(e))
	h := geometry.Heading(out.outward())
	at := geometry.Frame{At: p.starts(e, h).At, Heading: h} // it turns about the middle of its front
	turned := p.bodyAt(e, at)
	inside := p.toEdge(&turned, out) + slack
	longest := p.setting.moves(p.def(e))[good]
	for n := longest; n >= 0; n-- {
		to := geometry.Frame{At: at.At.Plus(geometry.Step(h, int64(n)*pace)), Heading: h}
		end := p.bodyAt(e, to)
		if p.leaves(&end) {
			if int64(n)*pace > inside {
				if last := p.alone(e, geometry.Frame{At: at.At.Plus(geometry.Step(h, max(inside-slack, 0)/pace*pace)), Heading: h}); p.judge(last) == nil {
					p.tellParting(e, "HFG-R82", "hfg.withdrawn")
					p.remove(e, left)
					return
				}
			}
			continue
		}
		if plan := p.alone(e, to); p.judge(plan) == nil {
			if p.Elements[e].Holds != 0 && plan.price == 0 {
				return // it can't get out: it holds its BUA
			}
			p.withdrawsBy(e, plan)
			return
		}
	}
}
