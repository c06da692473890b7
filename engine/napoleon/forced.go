package napoleon

import (
	"slices"
	"strings"

	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A pushAt is a place of a movement order that makes a unit march by force.
type pushAt struct {
	unit unitID
	node *orders.Node
	from townID
	path []townID
}

// forced checks that the units that a file forces are those that need a forced
// march, and takes the order of their dice from the file (NAP-0.6). Several lines are
// one list. If a unit needs a forced march and no line names it, the order is refused: a
// die that may cost a strength point must be ordered, it is never added (NAP-5.6). Only a
// file that was accepted in the past may leave the lines out; then all units that need it
// are forced, as such files were read at that time. So it is where the side has said so once
// for all, by its policy; a line that says none still means that no unit is forced.
func (x *moveReader) forced(lines []*orders.Node) {
	fills := x.v.forcing("as-needed") && !slices.ContainsFunc(lines, func(n *orders.Node) bool { return x.Is(n, "none") })
	if len(lines) == 0 && (x.Accepted || fills) {
		return
	}
	whole := true
	for _, n := range lines {
		if x.Is(n, "none") {
			continue
		}
		for _, item := range x.List(n) {
			if x.Is(item, "all") || x.Is(item, "rest") {
				x.w.order = filled(x.w.order, x.w.answer.forced)
				continue
			}
			id, ok := x.v.pickUnit(x.Reader, item, x.own)
			if ok && (x.w.answer.takes(id) || !containsUnit(x.w.named, id)) { // otherwise its march was refused
				x.x.Judge(x.Reader, item, "", movePart{does: isForced, unit: id}, true, len(x.Problems))
			}
			whole = whole && ok && containsUnit(x.w.order, id)
		}
	}
	if fills {
		x.w.order = filled(x.w.order, x.w.answer.forced)
	}
	if whole && x.unforced(x.w.order) == 0 {
		x.w.answer.forced = x.w.order
	}
}

// unforced refuses the marches of units that need force and that no line names, once for
// each march, with both remedies ready: to force the units, or to let them stop one
// town short. It tells how many units they are.
func (x *moveReader) unforced(listed []unitID) int {
	n := 0
	for i := 0; i < len(x.pushes); {
		first := x.pushes[i]
		var missing []unitID
		at := first.node
		for ; i < len(x.pushes) && sameMarch(x.pushes[i], first); i++ {
			if one := x.pushes[i]; !slices.Contains(listed, one.unit) {
				if len(missing) == 0 {
					at = one.node
				}
				missing = append(missing, one.unit)
			}
		}
		if len(missing) > 0 {
			n += len(missing)
			x.RefuseWith(at, "NAP-5.6", phrase.Say("nap.move-forced-missing", x.v.unitNames("units", missing), x.v.townArg("to", first.path[len(first.path)-1])),
				x.forceOrStop(first, missing))
			x.Problems[len(x.Problems)-1].Either = x.ways(first, missing)
		}
	}
	return n
}

func sameMarch(a, b pushAt) bool { return a.from == b.from && slices.Equal(a.path, b.path) }

// forceOrStop writes both remedies as lines of an order file: the line that forces the
// units, unless the side has said that it never wants to and, where that is legal, the lines that replace their march if they stop short.
func (x *moveReader) forceOrStop(push pushAt, units []unitID) phrase.Phrase {
	code, args := "nap.move-forced-short", []argument{}
	if !x.v.forcing("never") {
		code, args = "nap.move-forced-remedy", append(args, phrase.Literal("force", "- forced: "+play.OneLine(x.v.unitTexts(units))))
	}
	if far, near, ok := x.stopShort(push, units); ok {
		args = append(args, x.v.townArg("town", near.path[len(near.path)-1]), phrase.Literal("stop", "- move: "+play.OneLine(x.v.marchNode(near))))
		if len(far.units) > 0 {
			args = append(args, phrase.Literal("others", "- move: "+play.OneLine(x.v.marchNode(far))))
		}
	}
	return phrase.Say(code, args...)
}

// ways gives both remedies as entries of the list of orders: to force the units, unless the
// side has said that it never wants to, and to let them stop one town short, where that is
// legal. A die that may cost a strength point is chosen by the side, never by the office.
func (x *moveReader) ways(push pushAt, units []unitID) orders.Remedies {
	var c orders.Remedies
	if !x.v.forcing("never") {
		c[0] = &orders.Remedy{Entries: []*orders.Node{orders.Mapping().Set("forced", x.v.unitTexts(units))}, What: phrase.Say("nap.move-forced-yes", x.v.unitNames("units", units))}
	}
	if far, near, ok := x.stopShort(push, units); ok {
		c[1] = &orders.Remedy{Instead: true, What: phrase.Say("nap.move-forced-no", x.v.unitNames("units", units), x.v.townArg("town", near.path[len(near.path)-1]))}
		for _, m := range []march{far, near} {
			if len(m.units) > 0 {
				c[1].Entries = append(c[1].Entries, orders.Mapping().Set("move", x.v.marchNode(m)))
			}
		}
	}
	return c
}

// stopShort splits a march: some of its units go one town less, the others as
// ordered. It tells whether the movement is then legal.
func (x *moveReader) stopShort(push pushAt, units []unitID) (far, near march, ok bool) {
	near = march{push.from, push.path[:len(push.path)-1], units}
	short := moveAnswer{permit: x.w.answer.permit}
	for _, m := range x.w.answer.marches {
		if m.from == push.from && slices.Equal(m.path, push.path) {
			m.units = slices.DeleteFunc(slices.Clone(m.units), func(id unitID) bool { return containsUnit(units, id) })
			far = m
		}
		short.marches = append(short.marches, m)
	}
	short.marches = append(short.marches, near)
	w := &marching{v: x.v}
	for _, o := range short.parts() {
		if w.fault(o.(movePart)) != nil {
			return far, near, false
		}
		w.put(o.(movePart))
	}
	lack := x.v.lacks(w.mover())
	return far, near, lack == nil
}

// marchNode is a march as an order file writes it.
func (s *scenario) marchNode(m march) *orders.Node {
	n := orders.Inline().Set("from", orders.Text(s.towns[m.from].name))
	last := len(m.path) - 1
	if last > 0 {
		via := orders.Texts()
		for _, t := range m.path[:last] {
			via.Add(orders.Text(s.towns[t].name))
		}
		n.Set("via", via)
	}
	return n.Set("to", orders.Text(s.towns[m.path[last]].name)).Set("units", s.unitTexts(m.units))
}

// laterForce is what the standing order moves says about forced marches. Which units will
// be there on the day is not known yet; which units it names, and how far they go, is.
type laterForce struct {
	said  bool // there is a line forced
	none  int  // how many of these lines are "none": at most one counts
	rest  bool // a line says rest: all units that need it
	named []string
	need  []laterPush
	open  bool // units that are not named go so far that force may be needed
}

// A laterPush is a unit that a line of moves can take to its end only by force.
type laterPush struct {
	unit unitID
	to   townID
	node *orders.Node
}

// name notes a line forced in normal form.
func (l *laterForce) name(line *orders.Node) {
	l.said = true
	for _, item := range line.Items {
		l.rest = l.rest || item.Text == "rest"
		l.named = append(l.named, item.Text)
	}
}

// march notes a line move in normal form, of whose units node is the source.
func (l *laterForce) march(v *View, move, node *orders.Node, own []unitID) {
	steps, to := 1, noTown
	var units *orders.Node
	for _, p := range move.Pairs {
		switch p.Key.Text {
		case "via":
			steps += len(p.Value.Items)
		case "to":
			to, _ = v.townNamed(p.Value.Text)
		case "units":
			units = p.Value
		}
	}
	for _, item := range units.Items {
		if item.Text == "rest" {
			l.open = l.open || steps > 1
			continue
		}
		for _, id := range own {
			if v.roster[id].id == item.Text && steps == v.roster[id].kind.rate()+1 {
				l.need = append(l.need, laterPush{id, to, node})
			}
		}
	}
}

// check refuses marches that need force which no line orders (NAP-5.6). If no line speaks
// of force and a unit that is not named might need it, check adds that no unit is forced:
// such moves are then not legal on the day, and the side is asked.
func (l *laterForce) check(v *View, r *orders.Reader, list *orders.Node) {
	if r.Accepted {
		return
	}
	var missing []unitID
	var at *laterPush
	for i, push := range l.need {
		if !l.rest && !slices.Contains(l.named, v.roster[push.unit].id) {
			missing = append(missing, push.unit)
			if at == nil && push.to != noTown { // what names no town is refused already
				at = &l.need[i]
			}
		}
	}
	if at != nil {
		r.RefuseWith(at.node, "NAP-5.6", phrase.Say("nap.move-forced-missing", v.unitNames("units", missing), v.townArg("to", at.to)),
			phrase.Say("nap.moves-forced-remedy", phrase.Literal("force", "- forced: "+play.OneLine(v.unitTexts(missing)))))
	}
	if l.open && !l.said {
		list.Add(orders.Inline().Set("forced", orders.Text("none")))
	}
}

// Marks of the order file of a movement: before towns they say how a group gets there, after
// a unit that it goes no farther than one town.
const (
	goesOn  = " > "
	byForce = " >> " // by a forced march only (NAP-5.6)
	noMore  = " |"   // not at all (NAP-5.7)
)

// farther tells how the units of a group go on from the first town: what stands
// before the next towns, "" if nobody goes on, what stands behind each unit that does not,
// and behind the towns who goes there and who only by force, where they are not all alike. By
// night nobody is forced, unless a leader of his army may permit it (NAP-5.7, NAP-8.1c).
func (v *View) farther(m *mover, group []unitID) (mark string, marks []string, who string) {
	var some [3][]string // the names of those who go on, who do by force, who do not
	const on, force, stays = 0, 1, 2
	marks = make([]string, len(group))
	for i, id := range group {
		permitted := v.reading.nightMarches && slices.ContainsFunc(group, func(l unitID) bool {
			return v.roster[l].kind == leader && v.roster[l].army == v.roster[id].army
		})
		k := stays
		switch {
		case v.unit(id).kind.rate() > 1:
			k = on
		case !m.night || permitted:
			k = force
		default:
			marks[i] = strings.TrimSpace(noMore)
		}
		some[k] = append(some[k], v.unitName(id))
	}
	switch {
	case len(some[on]) > 0:
		mark = goesOn
	case len(some[force]) > 0:
		mark = byForce
	default: // that nobody goes on is seen
		clear(marks)
	}
	if len(some[on]) > 0 && len(some[force]) > 0 {
		who = " (" + listed(some[on]) + ");" + byForce + forcedFor + listed(some[force]) + forcedLoses
	}
	return mark, marks, who
}

// Around those who go on only by a forced march.
var (
	forcedFor   = orders.Tongues("for ", "per ")
	forcedLoses = orders.Tongues(": 1-3 loses 1", ": 1-3 perde 1")
)

// legend explains the lines of the template.
func (v *View) legend(m *mover) string {
	en, it := "max = units the road still takes; ! = enemy blocks", "massimo = unità che la strada ancora regge; ! = blocchi nemici"
	if !m.night || v.reading.nightMarches {
		en += "; >> = only by a forced march, ordered with force: yes or - forced: [units], 1-3 loses 1"
		it += "; >> = solo a marcia forzata, ordinata con a-forza: sì o - forzata: [unità], 1-3 perde 1"
	}
	if m.night {
		en, it = en+"; | = one town only", it+"; | = una sola città"
	}
	return orders.Tongues(en, it)
}
