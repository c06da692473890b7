package mistakes

import "berthier/orders/phrase"

// Guns that unlimber at the end of 3.3: chapter 15. How they limber stands with the effects,
// for these make them.

// mayUnlimber says whether a gun may unlimber (EM-10.16, EM-15.3): one on foot neither limbered
// nor manoeuvred in this turn, a black horse gun did not limber in it. By option one of the two
// is enough for a gun on foot (EM-R53).
func (g *game) mayUnlimber(u unitID) bool {
	x, d := &g.Units[u], g.def(u)
	if !g.on(u) || d.arm != artillery || x.Limber == unlimbered {
		return false
	}
	if d.mount == horse {
		return d.army != black || !x.Limbered
	}
	if g.footEither != 0 {
		return !x.Limbered || !x.Manoeuvred
	}
	return !x.Limbered && !x.Manoeuvred
}

// unlimberNot says that a gun may not unlimber.
func unlimberNot(g *game, u unitID) phrase.Phrase {
	return phrase.Say("em.unlimber-not", g.unitArg("unit", u))
}

// unlimber takes the limber of a gun off the field. A formation that hung together by it falls
// apart (EM-15.1, EM-15.3).
func (p *battlefield) unlimber(u unitID) {
	x := &p.Units[u]
	x.Limber, x.Unlimbered = unlimbered, true
	p.tell("EM-15.3", "em.unlimbered", p.unitArg("unit", u))
	p.settle()
}
