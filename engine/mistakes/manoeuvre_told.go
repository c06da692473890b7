package mistakes

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// What is told of a manoeuvre. That it was made, how far it went and where it ended everybody sees. What was ordered,
// and so also what cut it short, its own seat alone is told (section 7 of the digest).

// stopsBy say why a manoeuvre ended where it did, by what ended it. Who meets the leader whom he charges has arrived:
// that is not said.
var stopsBy = [...]string{wholeWay: "em.stopped-whole", byArea: "em.stopped-area", byEnemy: "em.stopped-enemy", byContact: "em.stopped-contact",
	byFriend: "em.stopped-friend", onFriend: "em.stopped-on", byTerrain: "em.stopped-terrain", byEdge: "em.stopped-edge",
	byLimit: "em.stopped-limit", withoutRoom: "em.stopped-room"}

// cut says of a manoeuvre how much was asked and why it went less far (EM-10.17); nothing if it went as far as
// it should: a charge to its target, another as far as was asked, or as it may go at all.
func (s *search) cut(o outcome) []phrase.Arg {
	asked := s.m.Does != charging && s.m.Far < asFarAsItGoes
	switch {
	case s.m.Does == charging && o.moves && (o.why == byPrey || s.m.Target != 0 && len(s.game.strikers(s.m, &o, s.m.Target)) > 0),
		asked && o.far >= int64(s.m.Far), !asked && o.moves && o.why == wholeWay && s.m.Does != charging:
		return nil
	}
	why := []phrase.Arg{}
	switch {
	case o.by != 0:
		why = append(why, s.game.unitArg("by", o.by))
	case o.why == byTerrain:
		why = append(why, phrase.Arg{Name: "terrain", Value: sheet.List(s.way.grounds(o.far)...)})
	}
	all := []phrase.Arg{phrase.Within("why", phrase.Say(stopsBy[o.why], why...))}
	if asked && o.moves {
		all = append(all, phrase.Literal("asked", millimetres(int64(s.m.Far))))
	}
	return all
}

// stoppedBy says why units stop, and at whom.
func (g *game) stoppedBy(why stopping, by unitID) phrase.Arg {
	var args []phrase.Arg
	if by != 0 {
		args = append(args, g.unitArg("by", by))
	}
	return phrase.Within("why", phrase.Say(stopsBy[why], args...))
}

// ends lists what terrain ends a way: what it touches behind its end and not before, else all that it has touched.
func (m *march) ends(far int64) []limit {
	var fresh, all []limit
	for i, l := range m.limits {
		if m.since[i] > far+1 {
			continue
		}
		if all = append(all, l); m.since[i] > far {
			fresh = append(fresh, l)
		}
	}
	if len(fresh) > 0 {
		return fresh
	}
	return all
}

// grounds are the names of the terrain that ends a way.
func (m *march) grounds(far int64) []phrase.Value {
	var all []phrase.Value
	for _, l := range m.ends(far) {
		name := ""
		switch {
		case l.area != 0:
			name = m.g.area(l.area).name
		case l.line != 0:
			name = m.g.lines[l.line-1].name
		default:
			name = m.g.bridges[l.bridge-1].name
		}
		all = append(all, sheet.Name("called", name))
	}
	return all
}

// tellMove tells a manoeuvre: its own seat with what cut it short, the others without.
func (p *battlefield) tellMove(m *manoeuvre, clause, code string, cut []phrase.Arg, args ...phrase.Arg) {
	args = append([]phrase.Arg{p.unitArg("unit", m.Units[0]), p.unitsArg("units", m.Units)}, args...)
	p.tellOwn(p.def(m.Units[0]).army, clause, code, args, cut)
}

// tellOwn tells everybody what happened, and the seat of an army what else it may know of it.
func (p *battlefield) tellOwn(a army, clause, code string, args, more []phrase.Arg) {
	if len(more) == 0 {
		p.tell(clause, code, args...)
		return
	}
	own := []engine.Side{p.seatOf(a)}
	others := slices.DeleteFunc(slices.Clone(p.seats()), func(side engine.Side) bool { return side == own[0] })
	p.tellings(clause, play.To(own, code, append(slices.Clone(args), more...)...), play.To(others, code, args...))
}

// unitsArg names several units.
func (g *game) unitsArg(name string, units []unitID) phrase.Arg {
	return phrase.NamesOf(name, "unit", units, func(u unitID) string { return g.def(u).id })
}
