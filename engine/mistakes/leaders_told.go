package mistakes

import "slices"

// What is told of leaders to whom something happens because of a unit. Everybody sees it.

// makeRoom is [game.makeRoom], told.
func (p *battlefield) makeRoom(u unitID) {
	was := slices.Clone(p.Leaders)
	p.game.makeRoom(u)
	p.tellLeaders(was, "EM-8.5", u)
}

// limberUp is [game.limberUp], told: a leader may stand where the limber comes to stand.
func (p *battlefield) limberUp(u unitID) bool {
	was := slices.Clone(p.Leaders)
	ok := p.game.limberUp(u)
	p.tellLeaders(was, "EM-8.5", u)
	return ok
}

// settle is [game.settle], told: leaders whose unit has come to another corps stand free, and the general of a corps that has lost
// its last unit is eliminated.
func (p *battlefield) settle() {
	was := slices.Clone(p.Leaders)
	p.game.settle()
	p.tellLeaders(was, "EM-7.10", 0)
}

// tellLeaders tells what has become of leaders since they were as is given, because of a unit if there is one: who stood in
// its way was taken along or stepped aside; who was with it stands free. Who was eliminated was the general of a corps without units.
func (p *battlefield) tellLeaders(was []leader, clause string, u unitID) {
	for l := leaderID(1); int(l) < len(was); l++ {
		switch x, w := &p.Leaders[l], &was[l]; {
		case x.Gone != w.Gone:
			p.tell("EM-2.5", "em.leader-bereft", p.leaderArg("leader", l))
		case x.Attached != w.Attached && x.Attached != 0:
			p.tell(clause, "em.leader-taken-along", p.leaderArg("leader", l), p.unitArg("unit", x.Attached))
		case x.Attached != w.Attached:
			p.tell(clause, "em.leader-free", p.leaderArg("leader", l), placeArg("place", x.At))
		case x.At != w.At:
			p.tell(clause, "em.leader-aside", p.leaderArg("leader", l), p.unitArg("unit", u), placeArg("place", x.At))
		}
	}
}
