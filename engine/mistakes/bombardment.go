package mistakes

import (
	"slices"

	"berthier/engine/play"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// The effects of a bombardment: chapter 7, from the dice on.

// fireFault says why a gun may not fire at a target with these supporters (EM-7.1 to EM-7.10).
func (g *game) fireFault(lead, target unitID, supporters []unitID) *play.Fault {
	fault := func(clause, code string, u unitID) *play.Fault {
		return &play.Fault{Clause: clause, Why: phrase.Say(code, g.unitArg("unit", u))}
	}
	switch {
	case !g.gunner(lead):
		return fault("EM-7.2", "em.fire-no-gun", lead)
	case !g.fires(lead):
		return fault("EM-7.1", "em.fire-not-ready", lead)
	case !slices.Contains(g.targets(lead), target):
		fault := fault("EM-7.3", "em.fire-no-line", target)
		fault.Remedy = phrase.Say("em.fire-remedy")
		return fault
	}
	for i, s := range supporters {
		if slices.Contains(supporters[:i], s) || !g.supports(s, lead, target) {
			return fault("EM-7.8", "em.fire-no-support", s)
		}
	}
	return nil
}

// bombard carries out a mission up to the losses (EM-7.6, EM-7.9): smoke for who took part,
// the dice, what a natural 2 does to the gun, damage, losses, and the test of a leader with
// the target. What is left to do is in the row that it gives: see [battlefield.shelled].
func (p *battlefield) bombard(lead, target unitID, supporters []unitID) fireRow {
	modifiers := p.fireModifiers(lead, target, len(supporters))
	army := p.def(lead).army
	p.spend(lead, supporters)
	arg := p.unitArg("unit", lead)
	dice := []int{p.roll("em.roll-fire", army, arg), p.roll("em.roll-fire", army, arg)}
	natural := dice[0] + dice[1]
	row := fireEffect(natural, sum(modifiers))
	if natural < modified {
		modifiers = nil
	}
	p.tell("EM-7.6", "em.fired", arg, p.unitArg("target", target), armyArg("army", army), phrase.Numbers("dice", dice), explained(modifiers),
		phrase.Number("total", natural+sum(modifiers)), sheet.Filled("effect", sheet.Phrase(fireEffects[row])))
	switch row {
	case fireBackfires:
		p.backfire(lead)
	case fireDamage:
		p.hit(target, army, 1, 0)
	case fireHeavy:
		p.hit(target, army, 2, 0)
	case fireRetreat:
		p.hit(target, army, 2, 1)
	}
	return row
}

// spend gives smoke to who takes part in a mission, but for those that support it for nothing
// (EM-7.9, EM-7.10).
func (g *game) spend(lead unitID, supporters []unitID) {
	for _, u := range append([]unitID{lead}, supporters...) {
		used := u == lead || !g.free(u, lead)
		g.Units[u].Fired = g.Units[u].Fired || used
		g.Units[u].Smoke = g.Units[u].Smoke || used
	}
}

// backfire shakes the gun of a natural 2; one that was shaken is routed (EM-7.9, EM-R70).
func (p *battlefield) backfire(lead unitID) {
	if p.Units[lead].Yellow == 0 {
		p.shake(lead, "EM-7.9")
		return
	}
	p.rout(lead, 0, false)
}

// hit rolls the damage of a bombardment, adds losses, and tests the leader who was attached to
// the target (EM-7.9, EM-13.2).
func (p *battlefield) hit(target unitID, by army, damage, losses int) {
	l, was := p.leaderOf(target), p.Units[target]
	losses += p.damage(target, damage, by)
	p.lose(target, losses, by)
	if l != 0 && p.inField(l) {
		p.test(l, was.Yellow, was.Fought > 0, by)
	}
}

// asks says whether the owner of a target must be asked whether it backs off (stop EM-S5):
// where it may do otherwise than stand.
func (g *game) asks(lead, target unitID, row fireRow) bool {
	return row == fireHeavy && g.on(target) && !g.def(target).garrison() && !g.onRear(lead, target)
}

// shelled carries out what a bombardment makes of a target that is left (EM-7.9): in the row 8
// to 10 it backs off, or stands if its owner says so and is shaken, or loses 1 if it was
// (EM-R17); in the row 11 it retreats. A garrison stays, unshaken in the first row, shaken in
// the second (EM-14.3, EM-R59).
func (p *battlefield) shelled(lead, target unitID, row fireRow, stand bool) {
	if !p.on(target) {
		return
	}
	rear := p.onRear(lead, target)
	switch {
	case p.def(target).garrison():
		if row == fireRetreat {
			p.garrisonShelled(target, p.def(lead).army)
		}
	case row == fireHeavy && stand:
		p.balked(target, p.def(lead).army)
	case row == fireHeavy:
		p.backOff(target, lead, 1, rear)
	case row == fireRetreat:
		p.retreat(target, lead, rear)
	}
}

// garrisonShelled does to a garrison what a retreat by bombardment does (EM-14.3): it is shaken, and
// routed if it was, which eliminates it. The one that the file names has one marker at most.
func (p *battlefield) garrisonShelled(u unitID, by army) {
	switch x := &p.Units[u]; {
	case x.Yellow == 0:
		x.Yellow = 1
		p.tell("EM-14.3", "em.shaken", p.unitArg("unit", u))
	case !p.def(u).frail:
		p.eliminate(u, by)
	}
}
