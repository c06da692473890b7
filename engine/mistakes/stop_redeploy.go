package mistakes

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// How files say a redeployment: {b-Lobau: {36: [500, 150, 0], 37: {behind: 36}}, new:
// {b-Lobau-2: [36, 37]}}.

// A spotBy is how a file says where a unit is put.
type spotBy int8

const (
	inPlace spotBy = iota // it only turns
	atPlace
	backward // so far in its own frame
	forward
	leftward
	rightward
	behindOf // touching another
	frontOf
	leftOf
	rightOf
)

// mostTurn is how far a unit that is redeployed may turn, in degrees.
const mostTurn = 180

// spotWords are the keys of a spot.
var spotWords = []string{"", "", "back", "forward", "left", "right", "behind", "front-of", "beside", "beside"}

// A spot is where a unit is put, as a file says it.
type spot struct {
	of     string // the formation that the file names for the unit
	unit   unitID
	by     spotBy
	at     place
	far    length
	next   unitID // whom it touches
	turned bool
	turn   int // to the right; at a place the heading
}

// A redeployment is what an order to redeploy says: where units are put, in the order in which that is
// chosen, and the formations as they are restated.
type redeployment struct {
	named  []string // the formations of all these units
	spots  []spot
	groups []regroup
}

// farShape is a distance in whole millimetres.
var farShape = shape.Number(1, mostFar)

// spotShape is [630, 250], [630, 250, 90], or one of the ways to say it without numbers of the field.
var spotShape = shape.Either(shape.List(shape.Either(shape.Words(compass...), lengthShape)), shape.Record(
	shape.May("back", farShape), shape.May("forward", farShape), shape.May("left", farShape), shape.May("right", farShape),
	shape.May("behind", shape.Name("unit")), shape.May("front-of", shape.Name("unit")), shape.May("beside", shape.Name("unit")),
	shape.May("turn", degreesShape(mostTurn, "em.turn-text"))))

// redeployShape is how a redeployment is written.
var redeployShape = shape.Map(shape.Either(shape.Words("new"), shape.Name("formation")),
	shape.Either(shape.Map(shape.Name("unit"), spotShape), shape.Map(shape.Name("formation"), unitSets.Shape)))

// readRedeployment reads a redeployment, in the world that the orders before it leave behind, and
// the place of each unit in the file.
func (w *ordered) readRedeployment(v *View, r *orders.Reader, n *orders.Node) (*redeployment, map[unitID]*orders.Node) {
	d, nodes := &redeployment{}, map[unitID]*orders.Node{}
	named, since := map[string]*orders.Node{}, len(r.Problems)
	for _, pair := range play.Entries(r, n) {
		if r.Is(pair.Key, "new") {
			for _, one := range play.Entries(r, pair.Value) {
				id, _ := r.Text(one.Key)
				units, whole := unitSets.Read(v, r, one.Value)
				next := regroup{id: id, units: units.list()}
				for _, fault := range v.groupFaults(&next) {
					if whole || len(next.units) > 0 {
						fault.Refuse(r, one.Value)
					}
				}
				d.groups = append(d.groups, next)
			}
			continue
		}
		id, ok := w.named(r, pair.Key)
		if ok {
			named[id] = pair.Key
		}
		for _, one := range play.Entries(r, pair.Value) {
			s, fine := readSpot(v, r, one)
			switch {
			case !fine || !ok:
			case w.game.memberFault(w.game.formationNamed(id), s.unit).Refuse(r, one.Key):
			case nodes[s.unit] != nil:
				r.Refuse(one.Key, "EM-9.6", phrase.Say("em.named-twice", v.unitArg("unit", s.unit)))
			default:
				s.of = id
				d.spots, nodes[s.unit] = append(d.spots, s), one.Value
			}
		}
	}
	if len(r.Problems) > since {
		return d, nodes
	}
	w.game.inOrder(d)
	for _, id := range slices.Sorted(maps.Keys(named)) {
		if !slices.Contains(d.named, id) {
			r.Refuse(named[id], "EM-9.6", phrase.Say("em.redeploy-idle", phrase.Literal("formation", id)))
		}
	}
	if len(d.named) == 0 && len(named) == 0 && n.Kind == orders.Map {
		r.Refuse(n, "EM-9.6", phrase.Say("em.redeploy-nobody"))
	}
	return d, nodes
}

// inOrder puts what a redeployment says in the order in which it is chosen: that of the keys says nothing,
// so nobody may choose by it what follows. Units come before those that are put where they stand, or that
// are to touch them, and else by their numbers. A formation that is restated begins with the first of its
// units from the formation that has its name; each other one touches one before it.
func (g *game) inOrder(d *redeployment) {
	slices.SortStableFunc(d.spots, func(a, b spot) int { return cmp.Compare(a.unit, b.unit) })
	moves, fault := g.relocations(d.spots)
	if fault == nil {
		g.outOfTheWay(d, moves)
	}
	var after *game
	if len(d.groups) > 0 {
		after = g.regroupedAs(moves, nil)
	}
	d.named = nil
	for _, s := range d.spots {
		d.named = append(d.named, s.of)
	}
	for i := range d.groups {
		one := &d.groups[i]
		for _, u := range one.units {
			if f := g.of(u); f != nil {
				d.named = append(d.named, f.ID)
			}
		}
		g.beginGroup(one)
		for k := 1; k < len(one.units); k++ {
			n := slices.IndexFunc(one.units[k:], func(u unitID) bool {
				return slices.ContainsFunc(one.units[:k], func(o unitID) bool { return after.contact(u, o) })
			})
			if n > 0 {
				u := one.units[k+n]
				one.units = slices.Insert(slices.Delete(one.units, k+n, k+n+1), k, u)
			}
		}
	}
	slices.SortStableFunc(d.groups, func(a, b regroup) int { return cmp.Compare(a.units[0], b.units[0]) })
	slices.Sort(d.named)
	d.named = slices.Compact(d.named)
}

// outOfTheWay puts spots in an order in which each unit finds its place free, as far as there is one.
func (g *game) outOfTheWay(d *redeployment, moves []relocation) {
	after := *g
	after.Units = slices.Clone(g.Units)
	for _, m := range moves {
		after.put(m)
	}
	var all []spot
	for left := d.spots; len(left) > 0; {
		leans := func(s spot) bool {
			return s.next != 0 && slices.ContainsFunc(left, func(o spot) bool { return o.unit == s.next })
		}
		bars := func(s spot) bool {
			to := after.body(s.unit)
			return slices.ContainsFunc(left, func(o spot) bool {
				from := g.body(o.unit)
				return o.unit != s.unit && g.overlap(&to, &from)
			})
		}
		i := slices.IndexFunc(left, func(s spot) bool { return !leans(s) && !bars(s) })
		if i < 0 { // some change places
			i = slices.IndexFunc(left, func(s spot) bool { return !leans(s) })
		}
		all = append(all, left[i])
		left = slices.Delete(slices.Clone(left), i, i+1)
	}
	d.spots = all
}

// beginGroup puts the units of a formation that is restated in the order of their numbers, but for the first
// from the formation by whose name it is called.
func (g *game) beginGroup(one *regroup) {
	slices.Sort(one.units)
	first := func(named func(*formation) bool) int {
		return slices.IndexFunc(one.units, func(u unitID) bool { f := g.of(u); return f != nil && named(f) })
	}
	i := first(func(f *formation) bool { return f.ID == one.id })
	if one.keeps = i >= 0; !one.keeps {
		i = max(first(func(f *formation) bool { return partNumber(one.id, f.ID) > 0 }), 0)
	}
	u := one.units[i]
	one.units = slices.Insert(slices.Delete(one.units, i, i+1), 0, u)
}

// namesFault says what is wrong with the names of formations that are restated: each is that of the
// formation of one of its units, or this with a number that no formation has.
func (g *game) namesFault(d *redeployment) *play.Fault {
	for _, one := range d.groups {
		f := g.of(one.units[0])
		if f == nil || one.keeps {
			continue
		}
		if fault := g.partNameFault(one.id, f.ID); fault != nil {
			return fault
		}
	}
	return nil
}

// readSpot reads where one unit is put.
func readSpot(v *View, r *orders.Reader, pair orders.Pair) (spot, bool) {
	since := len(r.Problems)
	u, ok := units.Read(v, r, pair.Key)
	s := spot{unit: u}
	if n := pair.Value; n.Kind == orders.List {
		s.by = atPlace
		if len(n.Items) == 3 {
			s.turn, _ = readHeading(r, n.Items[2])
			s.turned = true
			n = inLine(orders.Items(n.Items[:2]...))
			n.Line, n.Column = pair.Value.Line, pair.Value.Column
		}
		s.at, _ = readWhole(r, n)
		return s, ok && len(r.Problems) == since
	}
	f := r.Fields(pair.Value, "back", "forward", "left", "right", "behind", "front-of", "beside", "turn")
	for by := backward; by <= leftOf; by++ {
		n := f.Get(spotWords[by])
		switch {
		case n == nil:
			continue
		case s.by != inPlace:
			r.Refuse(n, "EM-9.6", phrase.Say("em.redeploy-two"))
		case by <= rightward:
			far, _ := r.Int(n, 1, mostFar)
			s.far = length(far) * ringStep
		default:
			s.next = readNext(v, r, n, &by)
		}
		s.by = by
	}
	if n := f.Get("turn"); n != nil {
		s.turned = true
		if s.turn = readDegrees(r, n, mostTurn, "em.turn-text"); s.by > rightward {
			r.Refuse(n, "EM-9.6", phrase.Say("em.redeploy-two"))
		}
	}
	if s.by == inPlace && !s.turned && pair.Value.Kind == orders.Map && len(r.Problems) == since {
		r.Refuse(pair.Value, "EM-9.6", phrase.Say("em.redeploy-where"))
	}
	return s, ok && len(r.Problems) == since && pair.Value.Kind == orders.Map
}

// readNext reads whom a unit is to touch; beside it stands a side: {beside: 14 left}.
func readNext(v *View, r *orders.Reader, n *orders.Node, by *spotBy) unitID {
	if *by != leftOf {
		return onField(v, r, n, readUnit(v, r, n))
	}
	text, _ := r.Text(n)
	i := strings.LastIndexByte(text, ' ') + 1
	one := orders.Text(text[i:])
	switch {
	case r.Is(one, "left"):
	case r.Is(one, "right"):
		*by = rightOf
	default:
		r.Refuse(n, "EM-9.6", phrase.Say("em.redeploy-beside"))
		return 0
	}
	one = orders.Text(strings.TrimSpace(text[:i]))
	one.Line, one.Column = n.Line, n.Column
	return onField(v, r, n, readUnit(v, r, one))
}

// readUnit reads a unit; 0 for none.
func readUnit(v *View, r *orders.Reader, n *orders.Node) unitID {
	u, _ := units.Read(v, r, n)
	return u
}

// onField refuses a unit that is not on the field.
func onField(v *View, r *orders.Reader, n *orders.Node, u unitID) unitID {
	v.awayFault(u).Refuse(r, n)
	return u
}

// redeployNode writes a redeployment, formations, units and those that are restated by their names.
func (v *View) redeployNode(d *redeployment) *orders.Node {
	n := orders.Inline()
	spots := slices.Clone(d.spots)
	slices.SortFunc(spots, func(a, b spot) int { return cmp.Compare(a.unit, b.unit) })
	for _, id := range d.named {
		all := orders.Inline()
		for _, s := range spots {
			if s.of == id {
				all.Set(v.unitText(s.unit), v.spotNode(s))
			}
		}
		n.Set(id, all)
	}
	if len(d.groups) > 0 {
		all, groups := orders.Inline(), slices.Clone(d.groups)
		slices.SortStableFunc(groups, func(a, b regroup) int { return strings.Compare(a.id, b.id) })
		for _, one := range groups {
			all.Set(one.id, unitSets.Write(v, setOf(one.units)))
		}
		n.Set("new", all)
	}
	return n
}

// spotNode writes where a unit is put.
func (v *View) spotNode(s spot) *orders.Node {
	if s.by == atPlace {
		n := writePlace(s.at)
		if s.turned {
			n.Add(orders.Number(s.turn))
		}
		return n
	}
	n := orders.Inline()
	switch {
	case s.by >= leftOf:
		n.Set("beside", orders.Text(v.unitText(s.next)+" "+spotWords[s.by-leftOf+leftward]))
	case s.by >= behindOf:
		n.Set(spotWords[s.by], orders.Text(v.unitText(s.next)))
	case s.by >= backward:
		n.Set(spotWords[s.by], s.far.MarshalPos(nil))
	}
	if s.turned {
		n.Set("turn", orders.Text(wheelText(s.turn)))
	}
	return n
}

// relocations works out where spots are. Those that touch a unit that is named, too, touch it where
// it is put; a ring of such is refused (EM-R84).
func (g *game) relocations(spots []spot) ([]relocation, *play.Fault) {
	all := make([]relocation, len(spots))
	if !slices.ContainsFunc(spots, func(s spot) bool { return s.next != 0 }) {
		for i, s := range spots {
			all[i] = g.relocation(s)
		}
		return all, nil
	}
	c := *g
	c.Units = slices.Clone(g.Units)
	for left := slices.Clone(spots); len(left) > 0; {
		waits := func(s spot) bool {
			return s.next != 0 && slices.ContainsFunc(left, func(o spot) bool { return o.unit == s.next })
		}
		i := slices.IndexFunc(left, func(s spot) bool { return !waits(s) })
		if i < 0 {
			return nil, &play.Fault{Clause: "EM-R84", Why: phrase.Say("em.redeploy-ring", g.unitArg("unit", left[0].unit))}
		}
		m := c.relocation(left[i])
		c.put(m)
		all[slices.IndexFunc(spots, func(s spot) bool { return s.unit == m.unit })] = m
		left = slices.Delete(left, i, i+1)
	}
	return all, nil
}

// relocation works out where a spot is, on the field as it stands.
func (g *game) relocation(s spot) relocation {
	own := geometry.Frame{At: geometry.Point(g.Units[s.unit].At), Heading: geometry.Heading(g.Units[s.unit].Heading)}
	to := relocation{s.unit, g.Units[s.unit].At, g.Units[s.unit].Heading}
	far := int64(s.far)
	switch s.by {
	case atPlace:
		if to.at = s.at; s.turned {
			to.heading = s.turn
		}
		return to
	case backward, forward, leftward, rightward:
		way := [...]geometry.Point{{Y: -far}, {Y: far}, {X: -far}, {X: far}}[s.by-backward]
		to.at = place(own.World(way))
	case behindOf, frontOf, leftOf, rightOf:
		b := g.footprint(g.def(s.unit), behindIf(g.Units[s.unit].Limber))
		o := g.body(s.next)
		way := [...]geometry.Point{{Y: o.V0 - b.V1}, {Y: o.V1 - b.V0}, {X: o.U0 - b.U1, Y: o.V1 - b.V1}, {X: o.U1 - b.U0, Y: o.V1 - b.V1}}[s.by-behindOf]
		to.at, to.heading = place(o.World(way)), int(o.Heading)
	}
	to.heading = int(geometry.Heading(to.heading).Plus(s.turn))
	return to
}

// units are all that a redeployment names, those that it puts somewhere first.
func (d *redeployment) units() []unitID {
	var all []unitID
	for _, s := range d.spots {
		all = append(all, s.unit)
	}
	for _, one := range d.groups {
		all = append(all, one.units...)
	}
	return all
}

// redeployingFault says why a leader may not order this redeployment, wherever it puts units: the
// formations are not his, have had their order, or recover.
func (w *ordered) redeployingFault(o order) *play.Fault {
	if fault := w.game.anewFault(o.anew); fault != nil {
		return fault
	}
	moves, fault := w.game.relocations(o.anew.spots)
	if fault == nil {
		fault = w.game.namesFault(o.anew)
	}
	if fault != nil {
		return fault
	}
	list := w.game.regrouped(moves, o.anew.groups)
	if len(list) == 0 {
		return &play.Fault{Clause: "EM-9.6", Why: phrase.Say("em.redeploy-nobody")}
	}
	for _, f := range list {
		name := phrase.Literal("formation", f.ID)
		switch {
		case !w.game.commands(o.by, f):
			return w.game.notHis(o.by, f)
		case f.Ordered:
			return &play.Fault{Clause: "EM-9.1", Why: phrase.Say("em.order-twice", name)}
		case f.Orange > 0:
			return &play.Fault{Clause: "EM-9.1", Why: phrase.Say("em.order-recovering", name)}
		}
	}
	return w.priceFault(list[0], o)
}

// several says whether the points that a leader generates may not pay for an order, because it names
// several formations (EM-9.6).
func (g *game) several(o order) bool {
	return o.does == redeploys && len(o.anew.named) > 1 && !g.splits(o.by)
}
