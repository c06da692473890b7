package hfg

import (
	"slices"
	"strconv"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A loader judges as a whole what a scenario file says.
type loader struct {
	play.Loader
	s    *setting
	root *orders.Node
	// letters says that the setting is being made by letter, so that sides need not have roles and
	// bases yet, nor commands, nor elements places.
	letters bool
}

func (l *loader) say(n *orders.Node, clause, code string, args ...phrase.Arg) {
	l.Refuse(n, clause, phrase.Say(code, args...))
}

// at finds an item of one of the lists of the file.
func (l *loader) at(list string, i int, keys ...string) *orders.Node {
	return play.At(l.root, append([]string{list, strconv.Itoa(i)}, keys...)...)
}

// complete judges what no single part of the file can judge, and works out what follows.
func (l *loader) complete() {
	least := int64(1)
	if l.letters { // armies must find room in it
		least = leastField
	}
	if l.s.size.X < least*pace || l.s.size.Y < least*pace {
		l.say(l.root.Get("size"), "HFG-1.1", "hfg.scenario-size", phrase.Number("least", int(least)))
	}
	l.bases()
	l.ground()
	if len(l.Problems) > 0 {
		return
	}
	l.s.complete()
	l.elements()
	l.commands()
}

// bases refuses sides that don't oppose each other (HFG-4.23).
func (l *loader) bases() {
	a, b := l.s.sides[0], l.s.sides[1]
	if l.letters && a.role == 0 && b.role == 0 {
		return
	}
	if a.role == b.role || a.role == 0 || b.role == 0 {
		l.say(l.at("sides", 1), "HFG-4.1", "hfg.scenario-roles")
	}
	if l.letters && a.base == 0 && b.base == 0 {
		return
	}
	if a.base == 0 || b.base == 0 || (a.base.outward()+180)%360 != b.base.outward() {
		l.say(l.at("sides", 1), "HFG-4.23", "hfg.scenario-bases")
	}
}

// flaws say why points are no polygon.
var flaws = map[geometry.Flaw]string{
	geometry.TooFew: "hfg.scenario-corners", geometry.Repeated: "hfg.scenario-repeated",
	geometry.Straight: "hfg.scenario-straight", geometry.Knotted: "hfg.scenario-knotted",
}

// ground refuses outlines and paths that are none, or leave the field.
func (l *loader) ground() {
	for i := range l.s.areas {
		d := &l.s.areas[i]
		n := l.at("areas", i, "outline")
		l.within(n, d.outline)
		if flaw, at := geometry.Polygon(points(d.outline)); flaw != geometry.Sound {
			l.say(play.At(n, strconv.Itoa(at)), "HFG-1.12", flaws[flaw])
		}
		if d.kind != hill && (d.crest != nil || d.slope != gentle || d.plateau || d.even) {
			l.say(l.at("areas", i), "HFG-4.11", "hfg.scenario-no-hill")
		}
		if flaw, _ := geometry.Path(points(d.crest)); d.kind == hill && flaw != geometry.Sound {
			l.say(l.at("areas", i, "crest"), "HFG-4.11", "hfg.scenario-path")
		}
		if _, ok := blockOf(points(d.outline)); d.square() && !ok {
			l.say(n, "HFG-4.16", "hfg.scenario-square")
		}
	}
	for i := range l.s.lines {
		d := &l.s.lines[i]
		n := l.at("lines", i, "path")
		l.within(n, d.path)
		if flaw, at := geometry.Path(points(d.path)); flaw != geometry.Sound {
			l.say(play.At(n, strconv.Itoa(at)), "HFG-1.12", "hfg.scenario-path")
		}
		if d.water() != (d.width > 0) {
			l.say(l.at("lines", i, "width"), "HFG-4.7", "hfg.scenario-width")
		}
	}
}

// water says whether a line is a course of water, a dry gully included (HFG-10.1).
func (d *lineDef) water() bool { return d.kind == river || d.kind == stream || d.kind == gully }

// featured says whether a line may have a feature that can be exploited (HFG-6.8).
func (d *lineDef) featured() bool { return d.kind == railway || d.kind == road || d.kind == river }

// within refuses places off the field.
func (l *loader) within(n *orders.Node, all []place) {
	for i, p := range all {
		if p.X < 0 || p.Y < 0 || p.X > l.s.size.X || p.Y > l.s.size.Y {
			l.say(play.At(n, strconv.Itoa(i)), "HFG-1.1", "hfg.scenario-off-field")
		}
	}
}

// elements refuses what no element can be.
func (l *loader) elements() {
	for i := range l.s.roster {
		d := &l.s.roster[i]
		wrong := func(is bool, key, clause, code string) {
			if is {
				l.say(l.at("elements", i, key), clause, code, elementArg("element", d))
			}
		}
		wrong(!d.troop.can(l.s.year), "type", "HFG-2.2", "hfg.element-year")
		wrong(d.misgraded(), "grades", "HFG-2.4", "hfg.element-grade")
		wrong(d.holds != 0 && d.at != place{}, "at", "HFG-4.17", "hfg.element-two-places")
		kind := ground(0)
		if d.holds != 0 {
			kind = l.s.area(d.holds).kind
		}
		wrong(d.holds != 0 && kind != bua && kind != strongPoint, "holds", "HFG-4.17", "hfg.element-holds")
		wrong((d.troop == spGarrison) != (kind == strongPoint), "holds", "HFG-6.5", "hfg.element-garrison")
	}
}

// misgraded says whether an element has a grade that its type can't have (HFG-2.4).
func (d *elementDef) misgraded() bool {
	c := troops[d.troop].class
	of := func(g grade) bool {
		switch g {
		case brilliant, inert:
			return c == staff
		case elite:
			return c == mounted || c == foot
		case inferior:
			return c == mounted || c == foot || c == naval
		case horse, heavy:
			return c == artillery && d.troop != lightArtillery
		case brass:
			return d.troop == rifled
		default:
			return c == naval && d.troop != flotilla && d.troop != submarine // flagship (HFG-3.5)
		}
	}
	return slices.ContainsFunc(d.grades, func(g grade) bool { return !of(g) }) ||
		d.is(brilliant) && d.is(inert) || d.is(elite) && d.is(inferior) || d.is(horse) && d.is(heavy) ||
		d.troop == spGarrison && len(d.grades) > 0
}

// commands refuses commands that can't be led, and sums that don't add up (HFG-3.3, HFG-3.4).
func (l *loader) commands() {
	var chiefs [sides]int
	for i := range l.s.commands {
		d := &l.s.commands[i]
		name := phrase.Literal("command", d.id)
		if d.rank == chief {
			chiefs[d.side]++
		}
		leaders, eq := 0, 0
		for _, e := range d.elements {
			if e == d.general || troops[l.s.def(e).troop].class == staff {
				leaders++
			}
			eq += l.s.def(e).eq()
		}
		if leaders != 1 {
			l.say(l.at("commands", i), "HFG-3.4", "hfg.command-general", name)
		}
		if d.under != "" && d.superior == 0 {
			l.say(l.at("commands", i, "under"), "HFG-7.4", "hfg.command-under", name)
		}
		if d.count != 0 && 2*d.count != eq {
			l.say(l.at("commands", i, "eq"), "HFG-2.5", "hfg.command-eq", name,
				phrase.Literal("eq", equivalents(eq)))
		}
		for _, e := range d.elements {
			if x := l.s.def(e); !l.letters && d.arrival == nil && x.at == (place{}) && x.holds == 0 {
				l.say(l.at("elements", int(e)-1), "HFG-6.13", "hfg.element-nowhere", elementArg("element", x))
			}
		}
	}
	for s := first; s < sides; s++ {
		if chiefs[s] != 1 && !(l.letters && len(l.s.commands) == 0) {
			l.say(l.root.Get("commands"), "HFG-3.3", "hfg.command-chiefs", phrase.Literal("side", l.s.sides[s-1].id))
		}
	}
}

// equivalents writes halves of equivalents as players read them: 12, 12½.
func equivalents(halves int) string {
	text := strconv.Itoa(halves / 2)
	if halves%2 != 0 {
		text += "½"
	}
	return text
}

// placed says that the position which the file makes is one that can be.
func (l *loader) placed(s *scenario) {
	o, _ := s.menu().Read(nil)
	b := &breaches{game: s.placed(o)}
	b.impossible()
	for _, one := range b.All {
		l.RefuseWith(l.origin(one.Keys), one.Clause, one.Why, one.Remedy)
	}
}

// origin finds where the file says what a position says under some keys.
func (l *loader) origin(keys []string) *orders.Node {
	if len(keys) < 2 {
		return l.root
	}
	if n := l.root.Get(keys[0]); n != nil {
		for _, item := range n.Items {
			if id := item.Get("id"); id != nil && orders.Fold(id.Text) == orders.Fold(keys[1]) {
				return item
			}
		}
	}
	return l.root
}
