package mistakes

import (
	"slices"

	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// What is wrong with formations, leaders and units that an order names, whichever stop it is for.

// hasFormation says whether armies have a formation of this name.
func (g *game) hasFormation(own []army, id string) bool {
	f := g.formationNamed(id)
	return f != nil && slices.Contains(own, g.army(f.Corps))
}

// notHis says that a leader doesn't command a formation, and who does (EM-2.1).
func (g *game) notHis(l leaderID, f *formation) *play.Fault {
	fault := &play.Fault{Clause: "EM-2.1", Why: phrase.Say("em.order-not-his", phrase.Literal("formation", f.ID), g.leaderArg("leader", l))}
	var ids []string
	for by := leaderID(1); int(by) < len(g.Leaders); by++ {
		if g.commands(by, f) {
			ids = append(ids, g.lead(by).id)
		}
	}
	if len(ids) > 0 {
		fault.Remedy = phrase.Say("em.order-his-remedy", phrase.Literals("ids", ids))
	}
	return fault
}

// notYours says that a player has no formation of this name (EM-2.1).
func notYours(id string) *play.Fault {
	return &play.Fault{Clause: "EM-2.1", Why: phrase.Say("em.order-not-yours", phrase.Literal("formation", id)), Remedy: phrase.Say("em.order-yours-remedy")}
}

// memberFault says that a unit is not in a formation of which it is named as a part (EM-10.1).
func (g *game) memberFault(f *formation, u unitID) *play.Fault {
	if slices.Contains(f.Units, u) {
		return nil
	}
	return &play.Fault{Clause: "EM-10.1", Why: phrase.Say("em.order-unit", phrase.Literal("formation", f.ID), g.unitArg("unit", u))}
}

// refuseStrangers refuses, at its place in a list, each unit that is not in the formation of which it is named as a
// part. Another of the list may be wrong for another reason, which is told as well.
func (g *game) refuseStrangers(v *View, r *orders.Reader, n *orders.Node, f *formation) {
	if n == nil || f == nil {
		return
	}
	again := *r // what it finds in the names themselves has been told
	for _, item := range n.Items {
		again.Problems = nil
		if u, ok := units.Read(v, &again, item); ok {
			g.memberFault(f, u).Refuse(r, item)
		}
	}
}

// partNameFault says why a part of a formation can't be called so: it has the name of the formation with a number
// that none has (EM-R79).
func (g *game) partNameFault(as, of string) *play.Fault {
	switch {
	case partNumber(as, of) == 0:
		return &play.Fault{Clause: "EM-R79", Why: phrase.Say("em.part-name", phrase.Literal("formation", g.freeID(of)))}
	case g.taken(as):
		return &play.Fault{Clause: "EM-R79", Why: phrase.Say("em.formation-known", phrase.Literal("formation", as)),
			Remedy: phrase.Say("em.part-name", phrase.Literal("formation", g.freeID(of)))}
	}
	return nil
}
