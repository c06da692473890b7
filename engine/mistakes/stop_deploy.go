package mistakes

import (
	"math/rand/v2"
	"slices"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// stopDeploy is the stop EM-S0.
const stopDeploy = "deploy"

// deployForm is the stop deploy (EM-S0): formations with the places of their units, and leaders, as
// at the stop entry, but every one of them. The deadline places them in packed rows (EM-R48).
var deployForm = &form[*entrance]{
	Begin: func(v *View, d engine.Decision) (*entrance, bool) {
		w := &entrance{v: v, board: v.trial(), army: max(army(slices.Index(armyWords, string(d.Side))), noArmy)}
		return w, v.Phase == deploying && v.deploys(w.army)
	},
	Fields:  []keyed[*entrance]{drawnUpField, restField, arrivalField},
	Lacks:   (*entrance).lacks,
	Usual:   func(x *draft[*entrance]) { x.Try("rest", true) },
	Sense:   senseDeploy,
	Stands:  true,
	Gathers: true,
	Note:    notePlaces,
	Chance: func(x *draft[*entrance], chance *rand.Rand) {
		w := x.World
		lo, hi := geometry.Bounds(points(w.outline()))
		for u := unitID(1); int(u) < len(w.board.Units); u++ {
			if chance.IntN(8) > 0 || !w.waits(u) {
				continue
			}
			at := place{X: lo.X/ringStep*ringStep + chance.Int64N((hi.X-lo.X)/ringStep)*ringStep, Y: lo.Y/ringStep*ringStep + chance.Int64N((hi.Y-lo.Y)/ringStep)*ringStep}
			x.Try("formations", w.board.fresh(w.board.def(u).corps, chance.IntN(360), stationed{u, at}))
		}
		x.Try("rest", true)
	},
	Do: func(p *battlefield, _ engine.Decision, w *entrance) {
		after := w.filled()
		for u := unitID(1); int(u) < len(p.Units); u++ {
			if p.def(u).army == w.army {
				p.Units[u] = after.Units[u]
			}
		}
		for l := leaderID(1); int(l) < len(p.Leaders); l++ {
			if p.lead(l).army == w.army {
				p.Leaders[l] = after.Leaders[l]
			}
		}
		for _, f := range after.Formations {
			if p.army(f.Corps) == w.army {
				p.Formations = append(p.Formations, f)
			}
		}
		p.arrange()
		p.tell("EM-1.4", "em.deployed", armyArg("army", w.army))
	},
}

// lacks says who is not deployed yet: every unit and every leader must be (EM-1.4); of those who enter,
// all for whom there is room where the deadline would put them (EM-6.2, EM-6.4).
func (w *entrance) lacks() *play.Fault {
	if w.army == noArmy {
		return w.stays()
	}
	if w.rest {
		return w.roomless()
	}
	return w.unnamed("EM-1.4", "em.deploy-lacks", w.waits)
}

// unnamed says which units, and which leaders who arrive, are still to be named.
func (w *entrance) unnamed(clause, code string, lacks func(unitID) bool) *play.Fault {
	var all []string
	for u := unitID(1); int(u) < len(w.board.Units); u++ {
		if lacks(u) {
			all = append(all, w.v.unitText(u))
		}
	}
	for _, l := range w.arriving() {
		all = append(all, w.board.lead(l).id)
	}
	if len(all) == 0 {
		return nil
	}
	return &play.Fault{Clause: clause, Why: phrase.Say(code, phrase.Literals("who", all)), Remedy: phrase.Say("em.deploy-lacks-remedy")}
}

// roomless says for whom there was no room where the deadline would put him.
func (w *entrance) roomless() *play.Fault {
	for u := unitID(1); int(u) < len(w.board.Units); u++ {
		if w.waits(u) {
			return &play.Fault{Clause: "EM-R48", Why: phrase.Say("em.deploy-no-room", w.board.unitArg("unit", u))}
		}
	}
	return nil
}

// stays says who stays behind though there is room for him.
func (w *entrance) stays() *play.Fault {
	if w.rest {
		return nil
	}
	full := &entrance{v: w.v, board: w.board.trial()}
	full.fill()
	return w.unnamed("EM-6.2", "em.entry-stays", func(u unitID) bool { return !w.board.on(u) && full.board.on(u) })
}

// deploys says whether an army is still to be deployed freely (EM-1.4).
func (g *game) deploys(a army) bool {
	return g.length().deploy && (a == blue || a == red) && !g.fielded(a)
}

// deployFault says why a unit of a formation may not be deployed so (EM-1.4): it lies in the army's
// area, and on no other.
func (g *game) deployFault(u unitID, a army) *play.Fault {
	area, b := geometry.NewArea(points(g.deployment[a])), g.body(u)
	if !geometry.Holds(&area, &b, 0) {
		return &play.Fault{Clause: "EM-1.4", Why: phrase.Say("em.deploy-area", g.unitArg("unit", u)), Remedy: g.areaRemedy(g.deployment[a])}
	}
	for _, other := range g.standing() {
		if g.beyond(u, other, g.farthest()) {
			continue
		}
		if o := g.body(other); other != u && g.overlap(&b, &o) {
			return &play.Fault{Clause: "EM-1.4", Why: phrase.Say("em.position-overlap", g.unitArg("unit", u), g.unitArg("other", other)), Remedy: phrase.Say("em.overlap-remedy")}
		}
	}
	return nil
}

// areaRemedy says between which millimetres an area lies in which units are placed.
func (g *game) areaRemedy(outline []place) phrase.Phrase {
	lo, hi := geometry.Bounds(points(outline))
	return phrase.Say("em.area-remedy", placeArg("from", place(lo)), placeArg("to", place(hi)))
}

// line places Ney, if nobody has placed him, with the unit of EM-1.2, then the generals with the lowest-numbered
// unit of their corps whose formation has no leader, then the others with the lowest-numbered such unit (EM-R48).
func (w *entrance) line() {
	for _, l := range w.arriving() {
		if d := w.board.lead(l); d.role == ney {
			w.put(posting{leader: l, does: attaches, to: d.attached})
		}
	}
	for _, first := range []bool{true, false} {
		for _, l := range w.arriving() {
			if (w.board.lead(l).role == general) != first {
				continue
			}
			if !slices.ContainsFunc(w.board.standing(), func(u unitID) bool {
				return w.board.mayAttach(l, u) && w.put(posting{leader: l, does: attaches, to: u})
			}) {
				w.arrive(l)
			}
		}
	}
}

// rowGap is how far apart formations stand in packed rows, and these from each other (EM-R48).
const rowGap = 2000

// packed offers a place to each formation of the historical set-up, without the units that stand
// already, in rows from the west end, the first at the edge of the area on the army's own side.
// A place that is not taken is followed by the next one to the east, then by the next row.
func (w *entrance) packed(refused func(*drawnUp) bool) {
	lo, hi := geometry.Bounds(points(w.outline()))
	at, deep := geometry.Point{X: lo.X}, int64(0) // the row is so far from the edge, and so deep
	for i := range w.board.scenario.formations {
		def := &w.board.scenario.formations[i]
		if def.army != w.army {
			continue
		}
		for _, units := range w.leftOf(def) {
			corner, size := w.board.box(units)
			for {
				if at.X+size.X > hi.X { // the row is full
					at, deep = geometry.Point{X: lo.X, Y: at.Y + deep + rowGap}, 0
				}
				if at.Y+size.Y > hi.Y-lo.Y {
					return // there is no room
				}
				to := geometry.Point{X: at.X, Y: lo.Y + at.Y}
				if w.army == red {
					to.Y = hi.Y - at.Y - size.Y
				}
				if !refused(w.moved(def.id, units, to.Minus(corner))) {
					at.X, deep = at.X+size.X+rowGap, max(deep, size.Y)
					break
				}
				at.X += ringStep
			}
		}
	}
}

// leftOf lists the units of a formation of the set-up that are still to be placed: together if they
// hang together there, else in parts.
func (w *entrance) leftOf(def *formationDef) [][]unitID {
	left := slices.DeleteFunc(slices.Sorted(slices.Values(def.units)), func(u unitID) bool { return !w.waits(u) })
	set := w.board.set()
	var all [][]unitID
	for _, part := range set.parts(left) {
		f := formation{Corps: w.board.scenario.battery.corps, Units: part}
		if len(part) == len(def.units) || !slices.ContainsFunc(part, func(u unitID) bool { return set.def(u).corps != set.def(part[0]).corps }) || set.battery(&f) {
			all = append(all, part)
			continue
		}
		for _, u := range part { // what is left of the Grand Battery
			all = append(all, []unitID{u})
		}
	}
	return all
}

// set is the field as the scenario sets it up.
func (g *game) set() *game {
	c := *g
	c.Units = slices.Clone(g.Units)
	for i := range g.roster {
		c.Units[i+1] = g.setUp(unitID(i + 1))
	}
	return &c
}

// box gives the south-west corner of the bounds of units as they are set up, and their extent.
func (g *game) box(units []unitID) (corner, size geometry.Point) {
	set := g.set()
	first := set.body(units[0])
	lo, hi := first.Lo, first.Hi
	for _, u := range units[1:] {
		b := set.body(u)
		lo, hi = geometry.Point{X: min(lo.X, b.Lo.X), Y: min(lo.Y, b.Lo.Y)}, geometry.Point{X: max(hi.X, b.Hi.X), Y: max(hi.Y, b.Hi.Y)}
	}
	return lo, hi.Minus(lo)
}

// moved is a formation of the set-up, shifted.
func (w *entrance) moved(id string, units []unitID, by geometry.Point) *drawnUp {
	if w.board.taken(id) {
		id = w.board.freeID(id)
	}
	d := &drawnUp{id: id, heading: w.board.def(units[0]).heading}
	var limbered []unitID
	for _, u := range units {
		d.units = append(d.units, stationed{u, place(geometry.Point(w.board.def(u).at).Plus(by))})
		if w.board.def(u).limbered {
			limbered = append(limbered, u)
		}
	}
	d.limbered = setOf(limbered)
	return d
}
