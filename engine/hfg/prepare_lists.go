package hfg

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// How a game of two armies begins, and how the armies that are listed come into it.

// ownPair is the value of option pair by which no pair of the book meets.
const ownPair = "own"

// Bounds of a field, in paces (chapter 1 of the digest).
const (
	leastField = 3000
	mostWide   = 18000
	mostDeep   = 12000
)

// byLetter are the options of a game whose armies are prepared by letter.
func (s *scenario) byLetter() play.Options[options] {
	pairs := make([]string, 0, len(book().pairs)+1)
	for _, p := range book().pairs {
		pairs = append(pairs, p.id)
	}
	word := func(name, clause string, field func(*options) *play.Setting, values ...string) play.Option[options] {
		return play.Option[options]{Name: name, Clause: clause, Values: values, Field: field}
	}
	natives := []string{"none"}
	for i := range s.set.sides {
		natives = append(natives, s.set.sides[i].id)
	}
	size := play.Option[options]{Name: "field", Clause: "HFG-6.3", Values: []string{writeField(s.set.size), fmt.Sprintf("%d x %d..%d x %d", leastField, leastField, mostWide, mostDeep)}}
	size.Read = func(o *options, value string) *play.Fault {
		p, ok := readField(value)
		if !ok {
			return size.NotA(value)
		}
		o.fieldSize = p
		return nil
	}
	size.Write = func(o *options) string {
		if o.fieldSize == (place{}) {
			return writeField(s.set.size)
		}
		return writeField(o.fieldSize)
	}
	return play.Options[options]{
		word("pair", "HFG-3.1", func(o *options) *play.Setting { return &o.pair }, append(pairs, ownPair)...),
		word("lists", "HFG-3.1", func(o *options) *play.Setting { return &o.ownLists }, "standard", "own"),
		number("year", "HFG-3.1", s.set.year, firstYear, lastYear, func(o *options) *int { return &o.chosenYear }),
		number("ap", "HFG-3.2", usualPoints, leastArmy, mostArmy, func(o *options) *int { return &o.points }),
		size,
		word("campaign", "HFG-20.1", func(o *options) *play.Setting { return &o.campaign }, noYes...),
		word("native-side", "HFG-20.9", func(o *options) *play.Setting { return &o.native }, natives...),
	}
}

// writeField and readField write and read the size of a field: 12000 x 6000.
func writeField(size place) string { return fmt.Sprintf("%d x %d", size.X/pace, size.Y/pace) }

func readField(text string) (place, bool) {
	wide, deep, ok := strings.Cut(text, " x ")
	x, err := strconv.Atoi(wide)
	y, err2 := strconv.Atoi(deep)
	p := place{X: int64(x) * pace, Y: int64(y) * pace}
	ok = ok && err == nil && err2 == nil && x >= leastField && y >= leastField && x <= mostWide && y <= mostDeep && x%2 == 0 && y%2 == 0
	return p, ok && writeField(p) == text
}

// opened is a game whose armies are to be prepared by letter: the first stop is the lists. Two
// lists of the book are those on which the armies stand: of the pair, or the first two of the year
// (HFG-3.1).
func (s *scenario) opened(o options) (*game, orders.Problems) {
	set := s.set
	set.year = o.chosenYear
	if o.fieldSize != (place{}) {
		set.size = o.fieldSize
	}
	bases := make([]string, 2)
	if int(o.pair) < len(book().pairs) {
		for i, l := range book().pairs[o.pair].lists {
			bases[i], set.year = book().lists[l].id, book().lists[l].year
		}
	} else {
		n := 0
		for i := range book().lists {
			if l := &book().lists[i]; l.year == set.year && n < len(bases) {
				bases[n] = l.id
				n++
			}
		}
		if n < len(bases) {
			return nil, orders.Problems{{Clause: "HFG-3.1", Why: phrase.Say("hfg.list-year", phrase.Number("year", set.year))}}
		}
		o.ownLists = 1
	}
	set.complete()
	g := newGame(&set, o)
	g.scenario, g.Turn, g.Phase = s, 0, preparing
	g.Prepare = &preparation{Bases: bases}
	return g, g.tooDear()
}

// tooDear refuses a set-up for which a list of the book costs more than is agreed: it is what the deadline
// takes, and must be legal (HFG-3.2).
func (g *game) tooDear() (all orders.Problems) {
	for _, base := range g.Prepare.Bases {
		l, _ := book().list(base)
		own := book().price(l.army)
		if most := own + max(spentOn(l.army.defending), spentOn(l.army.attacking)); most > g.points {
			all = append(all, orders.Problem{Clause: "HFG-3.2", Why: phrase.Say("hfg.list-ap", phrase.Literal("list", base), phrase.Number("points", most), phrase.Number("most", g.points))})
		}
	}
	return all
}

// A listOrder is what a side answers at the stop list: an army, or what it buys alone.
type listOrder struct {
	base string    // the list on which it stands
	army *armyList // with its purchases
	own  bool      // it isn't the list of the book
}

// listKeys are those of the answer; those of an army go with list: own.
var listKeys = append([]string{"list", "year"}, armyKeys...)

// usualList is the list on which a side's army stands, as it is in the book.
func (g *game) usualList(of side) *listOrder {
	l := g.stock(of)
	return &listOrder{base: l.id, army: l.army}
}

// readList reads the answer and judges it: {list: union-1863}, {list: own, commands: [...],
// elements: {...}, defending: [...]}, or of a fixed list {defending: [...], attacking: [...]}.
func readList(r *orders.Reader, g *game, of side, n *orders.Node) (*listOrder, bool) {
	since := len(r.Problems)
	f := r.Fields(n, listKeys...)
	o := g.usualList(of)
	if year := f.Get("year"); year != nil {
		if v, ok := r.Int(year, firstYear, lastYear); ok && v != g.year {
			r.Refuse(year, "HFG-3.1", phrase.Say("hfg.list-other-year", phrase.Number("year", v), phrase.Number("wanted", g.year)))
		}
	}
	called := f.Get("list")
	fixed, unknown := g.ownLists == 0, false
	switch {
	case called == nil || r.Is(called, o.base):
	case r.Is(called, ownPair) && !fixed:
		o.own = true
	default:
		unknown = !g.otherList(r, called, fixed, o)
	}
	if o.own {
		o.army = readArmy(r, f)
	} else {
		a := *o.army
		o.army = &a
		for _, key := range []string{"nation", "native", "commands", "elements"} {
			if value := f.Get(key); value != nil {
				r.Refuse(value, "HFG-3.1", phrase.Say("hfg.list-fixed"))
			}
		}
		for key, to := range map[string]*[]purchase{"defending": &a.defending, "attacking": &a.attacking} {
			if value := f.Get(key); value != nil {
				*to = readPurchases(r, value)
			}
		}
		a.at = nodes{"": n, "defending": f.Get("defending"), "attacking": f.Get("attacking")}
		a.gaps = gaps{base: unknown}
	}
	faults, _ := o.army.judged(g.listRules(o.base))
	tellFaults(r, faults, n)
	return o, len(r.Problems) == since
}

// otherList takes another list of the book of this year, if lists may be chosen; false: there is none of that name.
func (g *game) otherList(r *orders.Reader, n *orders.Node, fixed bool, o *listOrder) bool {
	var names []string
	for i := range book().lists {
		if l := &book().lists[i]; l.year == g.year && (!fixed || l.id == o.base) {
			names = append(names, l.id)
		}
	}
	text, ok := r.Text(n)
	if !ok {
		return false
	}
	i := slices.IndexFunc(names, func(id string) bool { return orders.Fold(id) == orders.Fold(text) })
	if i < 0 {
		r.Refuse(n, "HFG-3.1", phrase.Say("hfg.list-none", phrase.Literal("name", text), phrase.Literals("names", names)))
		return false
	}
	l, _ := book().list(names[i])
	o.base, o.army = l.id, l.army
	return true
}

// listRules are what an army that stands on a list is judged by in this game (HFG-R144).
func (g *game) listRules(base string) listRules {
	l, _ := book().list(base)
	return listRules{book: book(), year: g.year, points: g.points, train: g.trains, barricades: g.barricades, permits: l.permits}
}

// writeList writes what [readList] reads.
func (g *game) writeList(o *listOrder) *orders.Node {
	n := orders.Mapping()
	if o.own {
		return o.army.write(n.Set("list", orders.Text(ownPair)))
	}
	n.Set("list", orders.Text(o.base))
	return n.Set("defending", writePurchases(o.army.defending)).Set("attacking", writePurchases(o.army.attacking))
}

// enlist brings an army into the game.
func (p *prologue) enlist(of side, o *listOrder) {
	s, id := *p.field.setting, p.field.sides[of-1].id
	l, _ := book().list(o.base)
	p.field.Prepare.Bases[of-1] = o.base
	p.field.Prepare.Buys[of] = wares{waresOf(o.army.defending), waresOf(o.army.attacking)}
	commands, roster := o.army.called(id, of, len(s.commands), l.aggression)
	s.commands, s.roster = slices.Concat(s.commands, commands), slices.Concat(s.roster, roster)
	for range roster {
		p.field.Elements = append(p.field.Elements, element{Fate: due})
	}
	p.field.Commands = append(p.field.Commands, make([]command, len(commands))...)
	s.complete()
	p.field.setting = &s
}

// called gives the commands of an army and their elements, in their order. Everything is called with its side before it, so that
// two armies may use the same names. So many commands are there before these; one of which the list says no aggression has the usual one.
func (a *armyList) called(id string, of side, before, usual int) (commands []commandDef, roster []elementDef) {
	for i := range a.commands {
		c := &a.commands[i]
		d := commandDef{id: id + "-" + c.id, name: c.name, side: of, rank: c.rank, allied: c.rank == ally, nation: c.nation, aggression: c.aggression}
		if c.under != "" {
			d.under = id + "-" + c.under
		}
		if d.aggression == unsaid {
			d.aggression = usual
		}
		commands = append(commands, d)
		for _, one := range c.all() {
			e := a.element(one)
			x := elementDef{id: id + "-" + e.id, command: commandID(before + len(commands)), troop: e.troop, grades: slices.Clone(e.grades), side: of}
			if one == c.general && e.class() == naval && !e.is(flagship) {
				x.grades = append(x.grades, flagship)
			}
			roster = append(roster, x)
		}
	}
	return commands, roster
}
