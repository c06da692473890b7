package mistakes

import (
	"slices"

	"berthier/engine/geometry"
)

// What is told of leaders to whom something happens because of a unit. Everybody sees it.

// makeRoom is [game.makeRoom], told.
func (p *battlefield) makeRoom(u unitID) {
	was := slices.Clone(p.Leaders)
	p.game.makeRoom(u)
	p.tellLeaders(was, "EM-8.5")
}

// limberUp is [game.limberUp], told: a leader may stand where the limber comes to stand.
func (p *battlefield) limberUp(u unitID) bool {
	was := slices.Clone(p.Leaders)
	ok := p.game.limberUp(u)
	p.tellLeaders(was, "EM-8.5")
	return ok
}

// settle is [game.settle], told: leaders whose unit has come to another corps stand free, and the general of a corps that has lost
// its last unit is eliminated.
func (p *battlefield) settle() {
	was := slices.Clone(p.Leaders)
	p.game.settle()
	p.tellLeaders(was, "EM-7.10")
}

// parted is [game.parted], told: the Grand Battery may come apart.
func (p *battlefield) parted(m move) {
	was := slices.Clone(p.Leaders)
	p.game.parted(m)
	p.tellLeaders(was, "EM-7.10")
}

// tellLeaders tells what has become of leaders since they were as is given. Who stood where a unit has come to stand was taken
// along or stepped aside (EM-8.5); who stands free lost his unit by the clause. Who was eliminated was the general of a corps
// without units.
func (p *battlefield) tellLeaders(was []leader, clause string) {
	for l := leaderID(1); int(l) < len(was); l++ {
		switch x, w := &p.Leaders[l], &was[l]; {
		case x.Gone != w.Gone:
			p.tell("EM-2.5", "em.leader-bereft", p.leaderArg("leader", l))
		case x.Attached != w.Attached && x.Attached != 0:
			p.tell("EM-8.5", "em.leader-taken-along", p.leaderArg("leader", l), p.unitArg("unit", x.Attached))
		case x.Attached != w.Attached:
			p.tell(clause, "em.leader-free", p.leaderArg("leader", l), placeArg("place", x.At))
		case x.At != w.At:
			p.tell("EM-8.5", "em.leader-aside", p.leaderArg("leader", l), p.unitArg("unit", p.standsAt(l, w.At)), placeArg("place", x.At))
		}
	}
}

// standsAt is the first unit of a leader's side that stands on his counter where it was; 0 if none does.
func (g *game) standsAt(l leaderID, was place) unitID {
	c := g.counter(geometry.Point(was))
	for _, u := range g.standing() {
		if b := g.body(u); g.lead(l).army.allied(g.def(u).army) && g.overlap(&b, &c) {
			return u
		}
	}
	return 0
}
