package mistakes

import (
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Assigning: chapter 8. Markers to generals, and leaders that move.

// assignMost is how many markers a general may be given in a turn, and how many Ney must have
// (EM-8.1).
const assignMost = 2

// A grant is how many markers a leader is given.
type grant struct {
	to leaderID
	n  int
}

// marshalNey is the leader with the role of Ney; 0 for none.
func (s *scenario) marshalNey() leaderID {
	for i := range s.leaders {
		if s.leaders[i].role == ney {
			return leaderID(i + 1)
		}
	}
	return 0
}

// neysDue is how many markers an army owes Ney: two, or all there are. It gives them to him
// where he is on the field, and loses them where he was removed (EM-8.1, EM-8.2, EM-13.6).
func (g *game) neysDue(a army) int {
	l := g.marshalNey()
	if l == 0 || g.ney == 0 || g.lead(l).army != a {
		return 0
	}
	return min(assignMost, g.Leaders[g.chief(a)].Markers)
}

// assignFault says why markers may not be given so (EM-8.1): to a general on the field at most
// two, to Ney just what is due to him, and no more than lie in the box of the
// commander-in-chief.
func (g *game) assignFault(a army, grants []grant) *play.Fault {
	total, due := 0, g.neysDue(a)
	var to [64]int // by leader: a file has no more than 30
	for _, x := range grants {
		d, name := g.lead(x.to), g.leaderArg("leader", x.to)
		to[x.to] += x.n
		total += x.n
		switch {
		case d.army != a || d.role == commander || !g.inField(x.to) || x.n < 1:
			return &play.Fault{Clause: "EM-8.1", Why: phrase.Say("em.assign-nobody", name)}
		case d.role == ney && to[x.to] != due:
			return &play.Fault{Clause: "EM-13.6", Why: phrase.Say("em.assign-ney", name, phrase.Number("n", due))}
		case to[x.to] > assignMost:
			return &play.Fault{Clause: "EM-8.1", Why: phrase.Say("em.assign-most", name, phrase.Number("most", assignMost))}
		}
	}
	if l := g.marshalNey(); due > 0 && to[l] == 0 {
		total += due // he gets them unsaid, or they are lost
	}
	if have := g.Leaders[g.chief(a)].Markers; total > have {
		return &play.Fault{Clause: "EM-8.1", Why: phrase.Say("em.assign-box", armyArg("army", a), phrase.Number("n", total), phrase.Number("have", have))}
	}
	return nil
}

// assign gives markers to generals, and Ney what is due to him, named or not; where he was
// removed they return to the reserve (EM-8.1, EM-8.2).
func (g *game) assign(a army, grants []grant) {
	chief := &g.Leaders[g.chief(a)]
	due, l := g.neysDue(a), g.marshalNey()
	for _, x := range grants {
		if x.to != l {
			chief.Markers -= x.n
			g.Leaders[x.to].Markers += x.n
		}
	}
	chief.Markers -= due
	if due > 0 && g.inField(l) {
		g.Leaders[l].Markers += due
	} else {
		g.Reserve[a] += due
	}
}

// leaderReach is how far a leader may move, in segments (EM-8.3).
const leaderReach = 2

// moveFault says why a leader may not move to a free place, leaving his unit if he has one
// (EM-8.3).
func (g *game) moveFault(l leaderID, to geometry.Point) *play.Fault {
	switch {
	case !g.inField(l):
		return &play.Fault{Clause: "EM-8.3", Why: phrase.Say("em.leader-away", g.leaderArg("leader", l))}
	case !g.within(g.whereIs(l), to, leaderReach):
		return &play.Fault{Clause: "EM-8.3", Why: phrase.Say("em.leader-far", g.leaderArg("leader", l))}
	case !g.freeFor(to):
		return &play.Fault{Clause: "EM-8.3", Why: phrase.Say("em.leader-no-room", g.leaderArg("leader", l))}
	}
	return nil
}

// attachFault says why a leader may not be attached to a unit (EM-2.4, EM-8.3).
func (g *game) attachFault(l leaderID, u unitID) *play.Fault {
	name := g.leaderArg("leader", l)
	switch {
	case !g.inField(l):
		return &play.Fault{Clause: "EM-8.3", Why: phrase.Say("em.leader-away", name)}
	case !g.on(u) || !g.mayAttach(l, u):
		return &play.Fault{Clause: "EM-8.3", Why: phrase.Say("em.leader-attached", name, g.unitArg("unit", u))}
	case !g.within(g.whereIs(l), geometry.Point(g.Units[u].At), leaderReach):
		return &play.Fault{Clause: "EM-8.3", Why: phrase.Say("em.leader-far", name)}
	}
	if other := g.attachedTo(g.of(u)); other != 0 && other != l {
		return &play.Fault{Clause: "EM-2.4", Why: phrase.Say("em.leader-two", name, g.leaderArg("other", other))}
	}
	return nil
}

// moveLeader moves a leader to a free place.
func (g *game) moveLeader(l leaderID, to geometry.Point) {
	g.Leaders[l].At, g.Leaders[l].Attached = place(to), 0
}

// attach attaches a leader to a unit, whose place is his from now on (EM-8.4).
func (g *game) attach(l leaderID, u unitID) {
	g.Leaders[l].At, g.Leaders[l].Attached = place{}, u
}
