package mistakes

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Who may make a manoeuvre, and what a formation is parted into when a part of it moves: EM-10.1, EM-10.9, EM-10.12.

// readyFault says why a formation may not manoeuvre (EM-10.1).
func (g *game) readyFault(f *formation) *play.Fault {
	code := ""
	switch {
	case f.Orange > 0:
		code = "em.manoeuvre-recovering"
	case !f.Green:
		code = "em.manoeuvre-still"
	case f.Manoeuvred || slices.ContainsFunc(f.Units, func(u unitID) bool { return g.Units[u].Manoeuvred }):
		code = "em.manoeuvre-done"
	default:
		return nil
	}
	return &play.Fault{Clause: "EM-10.1", Why: phrase.Say(code, phrase.Literal("formation", f.ID)), Remedy: phrase.Say("em.manoeuvre-remedy")}
}

// manoeuvreFault says why units may not make a manoeuvre (EM-10.1 to EM-10.4, EM-10.9): each
// formation among them is ready, several are united and whole, and a part leaves one other part.
// What cuts it short is no fault, but for a charge (EM-10.17).
func (g *game) manoeuvreFault(m *manoeuvre) *play.Fault {
	formations := g.formationsOf(m.Units)
	for _, f := range formations {
		if fault := g.readyFault(f); fault != nil {
			return fault
		}
	}
	if fault := g.groupFault(m.Units, formations); fault != nil {
		return fault
	}
	return g.wayFault(m)
}

// wayFault says why a manoeuvre can't be made as it is told, whoever may make one: it turns too
// far, or is a charge that strikes nobody (EM-3.12, EM-10.4).
func (g *game) wayFault(m *manoeuvre) *play.Fault {
	if fault := g.turnFault(m.Turn); fault != nil {
		return fault
	}
	if m.Does == charging {
		return g.chargeFault(m)
	}
	return nil
}

// turnFault says why a formation can't turn so far (EM-3.12); by option it may turn less far (EM-R4).
func (g *game) turnFault(turn int) *play.Fault {
	most := g.wheelMost()
	if -most <= turn && turn <= most {
		return nil
	}
	return &play.Fault{Clause: "EM-3.12", Why: phrase.Say("em.turn-most", phrase.Number("most", most)), Remedy: phrase.Say("em.turn-remedy", phrase.Number("most", most))}
}

// formationsOf lists the formations of units.
func (g *game) formationsOf(units []unitID) []*formation {
	var all []*formation
	for _, u := range units {
		if f := g.of(u); f != nil && !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}

// groupFault says why units can't do something together: they are neither a formation, nor
// united formations, nor a part that leaves one other part (EM-10.1, EM-10.9, EM-R89).
func (g *game) groupFault(units []unitID, formations []*formation) *play.Fault {
	if len(formations) == 0 {
		return &play.Fault{Clause: "EM-14.1", Why: phrase.Say("em.manoeuvre-garrison")}
	}
	name := phrase.Literal("formation", formations[0].ID)
	if len(formations) > 1 {
		united := g.united(formations[0])
		for _, f := range formations {
			whole := !slices.ContainsFunc(f.Units, func(u unitID) bool { return !slices.Contains(units, u) })
			if !whole || !slices.Contains(united, f) || !g.chained(formations) {
				return &play.Fault{Clause: "EM-10.9", Why: phrase.Say("em.not-united", name, phrase.Literal("other", f.ID))}
			}
		}
		return nil
	}
	return g.splitFault(formations[0], units)
}

// chained says whether formations that are to act together hang together without the others.
func (g *game) chained(formations []*formation) bool {
	var units []unitID
	for _, f := range formations {
		units = append(units, f.Units...)
	}
	slices.Sort(units)
	return len(g.parts(units)) == 1
}

// splitFault says why a part can't be split off a formation: two parts are the most, each in
// contact (EM-10.1). The whole formation is no part.
func (g *game) splitFault(f *formation, part []unitID) *play.Fault {
	rest := slices.DeleteFunc(slices.Clone(f.Units), func(u unitID) bool { return slices.Contains(part, u) })
	if len(rest) > 0 && len(g.parts(rest)) > 1 || len(g.parts(part)) > 1 {
		return &play.Fault{Clause: "EM-10.1", Why: phrase.Say("em.two-parts", phrase.Literal("formation", f.ID))}
	}
	return nil
}

// split makes a part of a formation one of its own, which moves; what is left stands
// (EM-10.12). The pairs across the cut are parted, nothing is moved.
func (g *game) split(f *formation, part []unitID, id string) {
	g.cut(part, f.Units)
	one := *f
	one.ID, one.Units, one.Green = id, slices.Sorted(slices.Values(part)), true
	f.Units = slices.DeleteFunc(slices.Clone(f.Units), func(u unitID) bool { return slices.Contains(part, u) })
	f.Green = false
	g.Formations = append(g.Formations, one)
	g.settle()
}

// cut parts units from the others of a list.
func (g *game) cut(units, from []unitID) {
	for _, u := range units {
		for _, v := range from {
			if !slices.Contains(units, v) && g.contact(u, v) {
				g.part(u, v)
			}
		}
	}
}

// splitOff parts a formation that acts alone from those with which it is united (EM-10.9).
func (g *game) splitOff(f *formation) {
	for _, other := range g.united(f) {
		if other != f {
			g.cut(f.Units, other.Units)
		}
	}
}

// levelWith is how far units get after a turn until the foremost of their front corners is
// level with a point; 0 if it is passed already (EM-R85).
func (g *game) levelWith(units []unitID, turn int, at geometry.Point) int64 {
	bodies := g.wheeled(units, turn)
	frame := bodies[0].Frame
	most := frame.Local(at).Y
	front := frame.Extents(bodies[0].Corner[:]).V1
	for _, b := range bodies {
		front = max(front, frame.Extents(b.Corner[:]).V1)
	}
	return max(most-front, 0)
}
