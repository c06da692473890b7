package waterloo

import (
	"slices"

	"berthier/engine"
)

// Cavalry retreat before battle (WAT-9.50 to 9.53).

// A cavalryFrame lets cavalry retreat from an infantry unit that has just entered
// a square next to it by movement. Seats answer one after the other, the anglo
// before the prussian (WAT-R28).
type cavalryFrame struct {
	Unit unitID // the unit that has entered
	Done []army // armies whose owners have answered, or need not be asked
}

// A withdrawal is one cavalry unit's retreat before battle.
type withdrawal struct {
	unit unitID
	to   square
	face facing // none: as before
}

// cavalryBefore lets the enemy's cavalry retreat before a unit that has entered a
// square by movement, if that unit is infantry (WAT-9.50, WAT-9.53).
func (p *battlefield) cavalryBefore(entrant unitID) {
	if len(p.startled(entrant)) > 0 {
		p.push(&cavalryFrame{Unit: entrant})
	}
}

// startled lists the cavalry that may retreat before an entering unit, whether it
// has a square to go to or not. A pond between them makes no difference (WAT-R18), nor
// does disorder (WAT-R27).
func (g *game) startled(entrant unitID) []unitID {
	if g.def(entrant).arm != infantry || g.unit(entrant).At == 0 {
		return nil
	}
	var all []unitID
	for _, id := range g.beside(entrant) {
		if g.def(id).arm == cavalry {
			all = append(all, id)
		}
	}
	slices.Sort(all)
	return all
}

// startledOf lists such cavalry of one army.
func (g *game) startledOf(a army, entrant unitID) []unitID {
	return slices.DeleteFunc(g.startled(entrant), func(id unitID) bool { return g.armyOf(id) != a })
}

// escapes lists where a cavalry unit may go: the entering infantry counts as its
// only attacker (WAT-R27).
func (g *game) escapes(id, entrant unitID) []square {
	return g.retreats(id, []square{g.unit(entrant).At})
}

// seenBy implements [frame]: only the seat that is asked knows of the frame.
func (c *cavalryFrame) seenBy(g *game, side engine.Side) frame {
	for _, d := range g.asks {
		if d.Side == side && d.Kind == stopCavalryRetreat {
			return &cavalryFrame{Unit: c.Unit, Done: slices.Clone(c.Done)}
		}
	}
	return nil
}

// run implements [frame].
func (c *cavalryFrame) run(p *battlefield) {
	for _, a := range p.armiesIn(p.campOf(c.Unit).enemy()) {
		if slices.Contains(c.Done, a) {
			continue
		}
		units := p.startledOf(a, c.Unit)
		if !slices.ContainsFunc(units, func(id unitID) bool { return len(p.escapes(id, c.Unit)) > 0 }) {
			c.Done = append(c.Done, a)
			continue
		}
		p.ask(p.seatOf(a), stopCavalryRetreat, p.def(c.Unit).id)
		return
	}
	p.pop()
}

// asking is the army whose cavalry the seat is asked about.
func (c *cavalryFrame) asking(g *game) army {
	for _, a := range g.armiesIn(g.campOf(c.Unit).enemy()) {
		if !slices.Contains(c.Done, a) && slices.ContainsFunc(g.startledOf(a, c.Unit), func(id unitID) bool { return len(g.escapes(id, c.Unit)) > 0 }) {
			return a
		}
	}
	return noArmy
}

// withdraw carries out an army's retreats in the order that its owner gave (WAT-9.50,
// WAT-9.51). It notes the squares that they leave for the unit that entered
// (WAT-9.52).
func (c *cavalryFrame) withdraw(p *battlefield, a army, list []withdrawal) {
	c.Done = append(c.Done, a)
	for _, w := range list {
		if !slices.Contains(p.startledOf(a, c.Unit), w.unit) || !slices.Contains(p.escapes(w.unit, c.Unit), w.to) {
			continue
		}
		from := p.unit(w.unit).At
		p.fallBack(w.unit, w.to, w.face, "WAT-9.50")
		if m := under[*moveFrame](p.game); m != nil {
			m.Vacated = append(m.Vacated, from)
			m.Changed = true
		}
	}
}

// sound tells whether a position may hold the frame.
func (c *cavalryFrame) sound(g *game, depth int) bool {
	return depth > 1 && c.Unit != 0 && g.unit(c.Unit).At != 0 && !slices.Contains(c.Done, noArmy)
}

// asks implements asker.
func (c *cavalryFrame) asks(g *game, d engine.Decision) bool {
	a := c.asking(g)
	return a != noArmy && d == engine.Decision{Side: g.seatOf(a), Kind: stopCavalryRetreat, At: g.def(c.Unit).id}
}
