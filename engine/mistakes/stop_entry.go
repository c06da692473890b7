package mistakes

import (
	"cmp"
	"iter"
	"math/rand/v2"
	"slices"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A drawnUp is a formation as it is put on the field.
type drawnUp struct {
	id       string
	base     string // the name without its number, in which a choice begins
	number   int
	heading  int
	units    []stationed // in the order in which they were chosen
	limbered unitSet
}

// A stationed unit has its place.
type stationed struct {
	unit unitID
	at   place
}

// An entrance is the world of the stops entry and deploy: the field as it is after what has been
// placed so far.
type entrance struct {
	v     *View
	board *game
	army  army // that is deployed freely; none: black enters

	rest  bool     // whoever is not named stands where the deadline would put him
	heads []unitID // the first of each column that the deadline makes

	area   *geometry.Area      // in which pieces are placed; nil until it is asked for
	posted []leaderID          // whom this answer has placed
	opened map[int][]stationed // with whom a new formation may begin, by its heading; only looked up
	tried  *drawnUp            // the last formation of which it was asked whether it fits, and whether it does
	fitted bool
	lucky  stationed // the last unit for which a place was found, there
}

// entryForm is the stop entry (EM-S3): formations with the places of their units, leaders, and rest:
// default for whoever is not named. Nobody stays behind for whom there is room (EM-6.2).
var entryForm = &form[*entrance]{
	Begin: func(v *View, _ engine.Decision) (*entrance, bool) {
		return &entrance{v: v, board: v.trial()}, len(v.Entering) > 0
	},
	Fields:  []keyed[*entrance]{drawnUpField, restField, arrivalField},
	Lacks:   (*entrance).lacks,
	Usual:   func(x *draft[*entrance]) { x.Try("rest", true) },
	Stands:  true,
	Gathers: true,
	Note:    notePlaces,
	Chance: func(x *draft[*entrance], chance *rand.Rand) {
		w := x.World
		for _, c := range w.board.Entering {
			w.straggle(x, c, chance)
		}
		x.Try("rest", true)
		for _, l := range w.arriving() {
			near := place{X: w.board.size.X - chance.Int64N(100)*ringStep, Y: chance.Int64N(w.board.size.Y/ringStep) * ringStep}
			if chance.IntN(2) == 0 {
				x.Try("leaders", posting{leader: l, does: goes, at: near})
			}
		}
	},
	Do: func(p *battlefield, _ engine.Decision, w *entrance) {
		for _, c := range p.Entering {
			p.tell("EM-6.2", "em.enters", phrase.Literal("corps", p.corps[c-1].id), phrase.Number("units", len(p.waiting(c))-len(w.board.waiting(c))))
			if !slices.Contains(p.Placed, c) {
				p.begins(c)
			}
		}
		was, after := slices.Clone(p.Leaders), w.filled()
		p.Units, p.Formations, p.Leaders = after.Units, after.Formations, after.Leaders
		p.Entering = nil
		for l := range was {
			if was[l].At == (place{}) && was[l].Attached == 0 { // nobody has pushed him aside: he enters
				was[l] = p.Leaders[l]
			}
		}
		p.tellLeaders(was, "EM-6.2")
	},
}

// drawnUps are formations as files put them on the field.
var drawnUpShape = shape.Record(shape.Need("id", shape.Name("formation")), shape.Need("heading", shape.Either(shape.Words(compass...), shape.Number(0, 359))),
	shape.Need("units", shape.Map(shape.Name("unit"), placeShape)), shape.May("limbered", unitSets.Shape))

// compass are the headings that have a word, from north clockwise.
var compass = []string{"n", "ne", "e", "se", "s", "sw", "w", "nw"}

// readHeading reads whole degrees from north clockwise, or a word of the compass.
func readHeading(r *orders.Reader, n *orders.Node) (int, bool) {
	for i, word := range compass {
		if r.Is(n, word) {
			return 45 * i, true
		}
	}
	return r.Int(n, 0, 359)
}

// drawnUpField are the formations that are put on the field.
var drawnUpField = func() keyed[*entrance] {
	f := play.Custom("formations", rule[*entrance, *drawnUp]{
		Next: func(w *entrance) iter.Seq[*drawnUp] { return w.nextDrawnUp },
		May:  (*entrance).fault,
		Put: func(w *entrance, d *drawnUp) {
			w.opened, w.tried = nil, nil
			w.board.drawUp(d, w.army == noArmy)
		},
		Say:   func(_ *View, d *drawnUp) engine.Choice { return engine.Choice{Of: d.base, What: "formation"} },
		Slots: drawnUpSlots,
		Whole: (*entrance).whole,
	})
	f.Optional, f.Shape = true, shape.List(drawnUpShape)
	f.Read = func(x *draft[*entrance], r *orders.Reader, n *orders.Node) {
		if r.Is(n, "none") {
			return
		}
		for _, item := range r.List(n) {
			since := len(r.Problems)
			d, nodes := readDrawnUp(x.View, r, item)
			d.base, d.number, _ = x.View.nameParts(x.World.owner(), d.id)
			x.World.refusePlaces(r, d, nodes)
			x.Judge(r, item, "formations", d, len(r.Problems) == since && item.Kind == orders.Map, since)
		}
	}
	f.Write = func(x *draft[*entrance], parts []play.Part) *orders.Node {
		if len(parts) == 0 {
			if len(x.Parts) > 0 {
				return nil
			}
			return orders.Text("none")
		}
		list := orders.Items()
		for _, p := range parts {
			list.Add(x.View.drawnUpNode(p.Value.(*drawnUp)))
		}
		return list
	}
	return f
}()

// readDrawnUp reads a formation with the places of its units, and gives each unit's in the file; none where the heading
// is not known, with which all stand otherwise.
func readDrawnUp(v *View, r *orders.Reader, n *orders.Node) (*drawnUp, map[unitID]*orders.Node) {
	f, d, nodes := r.Fields(n, "id", "heading", "units", "limbered"), &drawnUp{}, map[unitID]*orders.Node{}
	if n.Kind != orders.Map {
		return d, nodes
	}
	if at := r.Require(f, "id"); at != nil {
		d.id, _ = r.Text(at)
	}
	looks := false
	if at := r.Require(f, "heading"); at != nil {
		d.heading, looks = readHeading(r, at)
	}
	if at := r.Require(f, "units"); at != nil {
		for _, pair := range play.Entries(r, at) {
			u, named := units.Read(v, r, pair.Key)
			p, placed := readWhole(r, pair.Value)
			if named && placed {
				d.units = append(d.units, stationed{u, p})
				if looks {
					nodes[u] = pair.Value
				}
			}
		}
	}
	if at := f.Get("limbered"); at != nil {
		d.limbered, _ = unitSets.Read(v, r, at)
	}
	d.units = v.inTouch(d)
	return d, nodes
}

// unitsInOrder are the places of units in the order of the units: that of the keys says nothing.
func unitsInOrder(all []stationed) []stationed {
	return slices.SortedStableFunc(slices.Values(all), func(a, b stationed) int { return cmp.Compare(a.unit, b.unit) })
}

// drawnUpNode writes a formation with the places of its units.
func (v *View) drawnUpNode(d *drawnUp) *orders.Node {
	places := orders.Inline()
	for _, s := range unitsInOrder(d.units) {
		places.Set(v.unitText(s.unit), writePlace(s.at))
	}
	n := orders.Inline().Set("id", orders.Text(d.id)).Set("heading", orders.Number(d.heading)).Set("units", places)
	play.Put(n, "limbered", unitSets.Write(v, d.limbered))
	return n
}

// arrivalField is where the leaders who enter stand.
var arrivalField = func() keyed[*entrance] {
	f := play.Custom("leaders", rule[*entrance, posting]{
		Next: func(w *entrance) iter.Seq[posting] { return w.nextArrival },
		May:  (*entrance).arrivalFault,
		Put: func(w *entrance, o posting) {
			w.posted, w.opened, w.tried = append(w.posted, o.leader), nil, nil
			w.board.posts(o)
		},
		Say: func(v *View, o posting) engine.Choice {
			if o.does == attaches {
				return engine.Choice{Of: v.lead(o.leader).id, What: "attach " + v.unitText(o.to)}
			}
			return engine.Choice{Of: v.lead(o.leader).id, What: "place"}
		},
		Slots: arrivals.slots(),
		Whole: arrivals.whole,
	})
	f.Optional, f.Shape = true, shape.Map(shape.Name("leader"), shape.Either(placeShape, shape.Verbs(shape.May("attach", shape.Name("unit")))))
	f.Read = func(x *draft[*entrance], r *orders.Reader, n *orders.Node) {
		if r.Is(n, "none") {
			return
		}
		takeLeaders(x, r, n, "leaders", func(of aLeader) (any, bool) {
			o, whole := posting{leader: of.leader, does: goes}, false
			if of.Value.Kind == orders.Map {
				if _, value := r.Only(of.Value, "attach"); value != nil {
					o.does = attaches
					o.to, whole = units.Read(x.View, r, value)
				}
			} else {
				o.at, whole = readWhole(r, of.Value)
			}
			return o, whole
		})
	}
	f.Write = func(x *draft[*entrance], parts []play.Part) *orders.Node {
		if len(parts) == 0 {
			return nil
		}
		return leadersNode(x.View, parts, func(value any) (leaderID, *orders.Node) {
			o := value.(posting)
			if o.does == attaches {
				return o.leader, orders.Inline().Set("attach", orders.Text(x.View.unitText(o.to)))
			}
			return o.leader, writePlace(o.at)
		})
	}
	return f
}()

// arrivals are the places at which leaders may stand who enter.
var arrivals = &reachable[*entrance, posting]{
	wants: func(o posting) bool { return o.does == goes },
	at:    func(o *posting) *place { return &o.at },
	about: func(w *entrance, _ posting) (geometry.Point, int) {
		lo, hi := geometry.Bounds(points(w.outline()))
		return geometry.Point{X: (lo.X + hi.X) / 2, Y: (lo.Y + hi.Y) / 2}, int(max(hi.X-lo.X, hi.Y-lo.Y) / 2 / ringStep)
	},
	good: func(w *entrance, o posting) bool { return w.arrivalFault(o) == nil },
	of:   func(v *View, o posting) string { return v.lead(o.leader).id },
}

// nextArrival lists the units to which leaders may be attached; free places come when all units stand.
func (w *entrance) nextArrival(yield func(posting) bool) {
	free := w.rest || len(w.allWaiting()) == 0 || w.army == noArmy && w.stays() == nil
	for _, l := range w.arriving() {
		if free && !yield(posting{leader: l, does: goes}) {
			return
		}
		for _, u := range w.board.standing() {
			if w.board.mayAttach(l, u) && !yield(posting{leader: l, does: attaches, to: u}) {
				return
			}
		}
	}
}

// restField says that whoever is not named stands where the deadline would put him.
var restField = keyed[*entrance]{
	Key: "rest", Optional: true, Shape: shape.Words("default"),
	Read: func(x *draft[*entrance], r *orders.Reader, n *orders.Node) {
		since := len(r.Problems)
		_, ok := r.Word(n, "default")
		x.Judge(r, n, "rest", true, ok, since)
	},
	Write: func(_ *draft[*entrance], parts []play.Part) *orders.Node {
		if len(parts) == 0 {
			return nil
		}
		return orders.Text("default")
	},
	Many: func(_ *entrance, n int) *play.Fault {
		if n > 1 {
			return &play.Fault{}
		}
		return nil
	},
	Next: func(*entrance) iter.Seq[any] { return slices.Values([]any{true}) },
	Put:  func(w *entrance, _ any) { w.fill() },
	Say:  func(*View, any) engine.Choice { return engine.Choice{Of: "rest", What: "default"} },
}

// fill puts the units that don't stand yet where the deadline would put them. The leaders whom nobody
// names follow when all is said: see [entrance.filled].
func (w *entrance) fill() {
	w.rest, w.opened, w.tried = true, nil, nil
	if w.army != noArmy {
		w.packed(func(d *drawnUp) bool { return !w.put(d) })
		return
	}
	w.heads = w.columns()
}

// filled is the field when all is said, with the leaders who follow. The answer keeps its own.
func (w *entrance) filled() *game {
	c := &entrance{v: w.v, board: w.board.trial(), army: w.army, heads: w.heads}
	switch {
	case !w.rest:
	case w.army != noArmy:
		c.line()
	default:
		c.join(c.heads)
	}
	return c.board
}

// put puts a formation, or a leader, on the field if it may stand there.
func (w *entrance) put(value any) bool {
	switch one := value.(type) {
	case *drawnUp:
		if w.fault(one) != nil {
			return false
		}
		w.board.drawUp(one, w.army == noArmy)
	case posting:
		if w.arrivalFault(one) != nil {
			return false
		}
		w.board.posts(one)
	}
	return true
}

// arriving lists the leaders who enter and don't stand yet: the generals of the corps that
// begin to enter, and with the first of them the commander-in-chief (EM-6.2, EM-6.3); in a free
// deployment all of the army (EM-1.4).
func (w *entrance) arriving() []leaderID {
	var all []leaderID
	for l := leaderID(1); int(l) < len(w.board.Leaders); l++ {
		d := w.board.lead(l)
		if w.army != noArmy && (d.army != w.army || d.role == ney && w.board.ney == 0) || w.army == noArmy && d.army != black {
			continue
		}
		if !w.board.inField(l) && w.board.Leaders[l].Gone == present &&
			(d.role == commander || w.army != noArmy || slices.Contains(w.board.Entering, d.corps)) {
			all = append(all, l)
		}
	}
	return all
}

// arrivalFault says why a leader may not stand there (EM-6.2): in the area and free, or attached.
func (w *entrance) arrivalFault(o posting) *play.Fault {
	name := w.board.leaderArg("leader", o.leader)
	if !slices.Contains(w.arriving(), o.leader) {
		return &play.Fault{Clause: "EM-6.2", Why: phrase.Say("em.entry-leader", name)}
	}
	if o.does != attaches {
		if !w.admits(geometry.Point(o.at)) {
			return &play.Fault{Clause: "EM-6.2", Why: phrase.Say("em.entry-leader-place", name)}
		}
		return nil
	}
	if !w.board.on(o.to) || !w.board.mayAttach(o.leader, o.to) {
		return &play.Fault{Clause: "EM-8.3", Why: phrase.Say("em.leader-attached", name, w.board.unitArg("unit", o.to))}
	}
	if other := w.board.attachedTo(w.board.of(o.to)); other != 0 {
		return &play.Fault{Clause: "EM-2.4", Why: phrase.Say("em.leader-two", name, w.board.leaderArg("other", other))}
	}
	return nil
}

// outline is the area in which pieces are placed.
func (w *entrance) outline() []place {
	if w.army != noArmy {
		return w.board.deployment[w.army]
	}
	return w.board.entry
}

// admits says whether a free leader may stand at a point of the area.
func (w *entrance) admits(at geometry.Point) bool {
	area, c := geometry.NewArea(points(w.outline())), w.board.counter(at)
	return geometry.Holds(&area, &c, 0) && w.board.freeFor(at)
}

// waits says whether a unit may be placed now, and has not been.
func (w *entrance) waits(u unitID) bool {
	c := w.board.def(u).corps
	if w.army != noArmy && w.board.def(u).army != w.army || w.army == noArmy && !slices.Contains(w.board.Entering, c) {
		return false
	}
	return w.board.toBePlaced(u)
}

// fault says why a formation may not enter so (EM-6.2): its units are of one corps that enters,
// hang together, and each may stand where it is put.
func (w *entrance) fault(d *drawnUp) *play.Fault {
	if fault := w.namedFault(d); fault != nil {
		return fault
	}
	b := w.drawn(d)
	for _, s := range d.units {
		if fault := w.placeFault(b, s.unit); fault != nil {
			return fault
		}
	}
	return w.standFault(b, d)
}

// drawn is the field with a formation on it.
func (w *entrance) drawn(d *drawnUp) *game {
	b := w.board.trial()
	b.drawUp(d, w.army == noArmy)
	return b
}

// placeFault says why a unit may not stand where its formation has it.
func (w *entrance) placeFault(b *game, u unitID) *play.Fault {
	if w.army != noArmy {
		return b.deployFault(u, w.army)
	}
	return b.entryFault(u)
}

// refusePlaces refuses the place of each unit of a formation, but for who else is named, that is wrong.
func (w *entrance) refusePlaces(r *orders.Reader, d *drawnUp, nodes map[unitID]*orders.Node) {
	if len(nodes) == 0 || w.namedFault(d) != nil {
		return
	}
	b := w.drawn(d)
	for _, s := range unitsInOrder(d.units) {
		w.placeFault(b, s.unit).Refuse(r, nodes[s.unit])
	}
}

// namedFault says what is wrong with the name and the units of a formation, wherever it stands.
func (w *entrance) namedFault(d *drawnUp) *play.Fault {
	name := phrase.Literal("formation", d.id)
	no := func(clause, code string, more ...phrase.Arg) *play.Fault {
		return &play.Fault{Clause: clause, Why: phrase.Say(code, append([]phrase.Arg{name}, more...)...)}
	}
	if len(d.units) == 0 {
		return no("EM-6.2", "em.entry-nobody")
	}
	if w.board.taken(d.id) {
		return no("EM-6.2", "em.formation-known")
	}
	if _, _, ok := w.board.nameParts(w.owner(), d.id); !ok {
		return no("EM-6.2", "em.formation-name")
	}
	c, battery := w.board.def(d.units[0].unit).corps, []unitID(nil)
	if w.board.gathers(d) {
		c, battery = w.board.scenario.battery.corps, w.board.scenario.battery.units
	}
	for i, s := range d.units {
		unit := w.board.unitArg("unit", s.unit)
		switch {
		case !w.waits(s.unit), slices.ContainsFunc(d.units[:i], func(o stationed) bool { return o.unit == s.unit }):
			return no("EM-6.2", "em.entry-not", unit)
		case w.board.def(s.unit).corps != c && !slices.Contains(battery, s.unit):
			return no("EM-R54", "em.formation-corps", unit)
		}
	}
	for _, u := range d.limbered.list() {
		if !slices.ContainsFunc(d.units, func(s stationed) bool { return s.unit == u }) || w.board.def(u).arm != artillery {
			return no("EM-15.1", "em.entry-limber", w.board.unitArg("unit", u))
		}
	}
	return nil
}

// standFault says what is wrong with a formation as a whole of which each unit may stand where it is put.
func (w *entrance) standFault(b *game, d *drawnUp) *play.Fault {
	f := b.formationNamed(d.id)
	no := func(clause, code string, more ...phrase.Arg) *play.Fault {
		return &play.Fault{Clause: clause, Why: phrase.Say(code, append([]phrase.Arg{phrase.Literal("formation", d.id)}, more...)...)}
	}
	if w.army == noArmy {
		if fault := b.stretchFault(f, w.board.stretchOf(w.board.def(f.Units[0]).corps)); fault != nil {
			return fault
		}
	}
	for l := leaderID(1); int(l) < len(b.Leaders); l++ {
		if w.spares(l) && w.board.covers(b.placedBodies(d), l) {
			return no("EM-6.2", "em.entry-on-leader", b.leaderArg("leader", l))
		}
	}
	if len(b.parts(f.Units)) > 1 {
		return no("EM-3.6", "em.formation-apart")
	}
	return nil
}

// covers says whether one of some figures lies on the counter of a free leader.
func (g *game) covers(bodies []geometry.Body, l leaderID) bool {
	if g.Leaders[l].At == (place{}) {
		return false
	}
	c := g.counter(geometry.Point(g.Leaders[l].At))
	return slices.ContainsFunc(bodies, func(b geometry.Body) bool { return g.overlap(&c, &b) })
}

// placedBodies is what the units of a formation cover that is put on the field.
func (g *game) placedBodies(d *drawnUp) []geometry.Body {
	all := make([]geometry.Body, len(d.units))
	for i, s := range d.units {
		all[i] = g.placedBody(d, s, d.heading)
	}
	return all
}

// stretchOf is the stretch by which a corps enters; nil for one that never does.
func (s *scenario) stretchOf(c corpsID) *stretchDef {
	if i := slices.IndexFunc(s.stretches, func(d stretchDef) bool { return d.corps == c }); i >= 0 {
		return &s.stretches[i]
	}
	return nil
}

// gathers says whether a formation is the Grand Battery, which has a corps of its own (EM-7.10).
func (g *game) gathers(d *drawnUp) bool {
	f := formation{Corps: g.scenario.battery.corps}
	for _, s := range d.units {
		f.Units = append(f.Units, s.unit)
	}
	return g.battery(&f)
}

// drawUp puts a formation on the field; one that enters is moving (EM-6.2), by option to the end of
// the turn without an order (EM-R31).
func (g *game) drawUp(d *drawnUp, moving bool) {
	f := formation{ID: d.id, Corps: g.def(d.units[0].unit).corps, Green: moving, Kept: moving && g.entryFree != 0}
	if g.gathers(d) {
		f.Corps = g.scenario.battery.corps
	}
	for _, s := range d.units {
		u := &g.Units[s.unit]
		u.At, u.Heading = s.at, d.heading
		if d.limbered.has(s.unit) {
			u.Limber = behind
		}
		f.Units = append(f.Units, s.unit)
	}
	slices.Sort(f.Units)
	g.Formations = append(g.Formations, f)
	g.arrange()
	for _, u := range f.Units {
		g.makeRoom(u)
	}
}
