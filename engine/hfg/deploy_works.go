package hfg

import (
	"slices"
	"strconv"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// The preparations of the field: HFG-6.5 to HFG-6.12.

// A workOrder is a preparation that a side has placed.
type workOrder struct {
	what    provision
	pontoon elementID // of a bridge that Pontoneers have built before (HFG-6.12); then what is 0
	id      string
	at      place // the middle of its front edge; of a square its middle; of a bridge where it meets the middle of the water
	facing  int
	width   length
	on      lineID    // of a linear feature; of a bridge the water
	holds   elementID // the occupant of a redoubt, for its size
	command commandID // of a strong point's garrison

	node nodes
}

// Sizes and distances of works, in paces.
const (
	strongPointSize = 250
	spFrom          = 1200 // a strong point from strong points and redoubts, a redoubt from strong points
	redoubtFrom     = 200  // a redoubt from redoubts
	entrenchmentLen = 800
	featureLen      = 1200
	barricadeLen    = 400
	minefieldSize   = 400
	redoubtDepth    = 400 // of one that is not built for anybody
)

// work puts a preparation down, or says why it can't stand there.
func (m *muster) work(w *workOrder) {
	if f := m.misplaced(w); f != nil {
		m.faults = append(m.faults, listFault{*f, someNode(where(w.node["at"], w.node[""], m.deployment.at["works"], m.deployment.at[""]))})
		return
	}
	switch w.what {
	case 0:
		m.bridge(w)
	case buysStrongPoint:
		m.strongPoint(w)
	default:
		d := placedWork{ID: w.id, Kind: workKinds[w.what], Side: m.side, At: w.at, Facing: w.facing, Width: w.width, Hidden: w.what == buysMinefield}
		switch w.what {
		case buysRedoubt:
			d.Width, d.Depth = baseWidth*pace, m.redoubtDepth(w)
		case buysMinefield:
			d.Width, d.Depth = minefieldSize*pace, minefieldSize*pace
			d.At = place(d.frame().World(point{Y: minefieldSize * pace / 2})) // the middle of its front edge
		}
		m.game.Works = append(m.game.Works, d)
	}
}

// workKinds are the works by what was bought.
var workKinds = [...]work{buysRedoubt: redoubt, buysEntrenchment: entrenchment, buysELF: feature, buysBarricade: barricade, buysMinefield: minefield}

// redoubtDepth is the depth of a redoubt: that of the element for which it is built (HFG-6.6).
func (m *muster) redoubtDepth(w *workOrder) length {
	if w.holds == 0 {
		return redoubtDepth * pace
	}
	b := m.game.box(m.game.def(w.holds))
	return length(b.V1 - b.V0)
}

// workBody is what a work covers of the field: a square about its middle, or what lies behind its
// front edge.
func (m *muster) workBody(w *workOrder) geometry.Body {
	f := geometry.Frame{At: point(w.at), Heading: geometry.Heading(w.facing)}
	half := int64(w.width) / 2
	switch w.what {
	case buysStrongPoint:
		return geometry.NewBody(geometry.Piece{Frame: f, Box: geometry.Box{U0: -half, V0: -half, U1: half, V1: half}})
	case buysMinefield:
		half = minefieldSize * pace / 2
		return geometry.NewBody(geometry.Piece{Frame: f, Box: geometry.Box{U0: -half, V0: -half, U1: half, V1: half}})
	case buysRedoubt:
		return geometry.NewBody(geometry.Piece{Frame: f, Box: geometry.Box{U0: -baseWidth * pace / 2, V0: -int64(m.redoubtDepth(w)), U1: baseWidth * pace / 2}})
	}
	return geometry.NewBody(geometry.Piece{Frame: f, Box: geometry.Box{U0: -half, U1: half}})
}

// misplaced says why a work can't stand where it was ordered.
func (m *muster) misplaced(w *workOrder) *play.Fault {
	if m.game.role(m.side) != defender {
		if w.what == 0 {
			return refuse("HFG-6.12", "hfg.work-attacker-bridge")
		}
		return refuse("HFG-3.6", "hfg.work-attacker", provisionText(w.what))
	}
	if w.what == 0 {
		return m.misbridged(w)
	}
	b := m.workBody(w)
	if z := m.game.zoneOf(m.side, w.what == buysMinefield || w.what == buysStrongPoint); !z.has(b.Lo, b.Hi) {
		return refuse(provisions[w.what].clause, "hfg.work-zone", provisionText(w.what))
	}
	long := map[provision]int{buysEntrenchment: entrenchmentLen, buysELF: featureLen, buysBarricade: barricadeLen, buysStrongPoint: strongPointSize}[w.what]
	if long > 0 && int64(w.width) > int64(long)*pace+pace/2 {
		return refuse(provisions[w.what].clause, "hfg.work-long", provisionText(w.what), phrase.Number("n", paces(int64(w.width))), phrase.Number("most", long))
	}
	switch w.what {
	case buysMinefield:
		return m.mines(&b)
	case buysELF:
		return m.featured(w, &b)
	case buysRedoubt:
		if d := m.game.roster[max(w.holds, 1)-1]; w.holds != 0 && !d.troop.inRedoubt() {
			return refuse("HFG-6.6", "hfg.work-redoubt-holds", elementArg("element", &d))
		}
	}
	if f := m.onWater(w, &b); f != nil {
		return f
	}
	return m.apartFrom(w, &b)
}

// onWater says that a work stands in water.
func (m *muster) onWater(w *workOrder, b *geometry.Body) *play.Fault {
	for a := areaID(1); int(a) <= len(m.game.areas); a++ {
		if x := m.game.area(a); x.kind == waterway && m.game.stands(b, a) || w.what == buysStrongPoint && (x.kind == strongPoint || x.kind == bua) && m.game.stands(b, a) {
			return refuse(provisions[w.what].clause, "hfg.work-on", provisionText(w.what), phrase.Literal("area", x.id))
		}
	}
	for l := lineID(1); int(l) <= len(m.game.lines); l++ {
		if x := m.game.line(l); x.kind == river && m.game.wades(b, l) {
			return refuse(provisions[w.what].clause, "hfg.work-on", provisionText(w.what), phrase.Literal("area", x.id))
		}
	}
	return nil
}

// apartFrom says that a strong point or a redoubt stands too near to another (HFG-6.5, HFG-6.6):
// "within" a distance is forbidden.
func (m *muster) apartFrom(w *workOrder, b *geometry.Body) *play.Fault {
	if w.what != buysStrongPoint && w.what != buysRedoubt {
		return nil
	}
	f := outlineOf(b)
	for a := areaID(1); int(a) <= len(m.game.areas); a++ {
		if x := m.game.area(a); x.kind == strongPoint {
			if d := geometry.Distance(f, geometry.Figure{P: m.game.outline(a).P, Closed: true}); within(d, spFrom) {
				return refuse(provisions[w.what].clause, "hfg.work-near", provisionText(w.what), phrase.Literal("other", x.id), phrase.Number("n", paces(d)), phrase.Number("least", spFrom))
			}
		}
	}
	far := spFrom
	if w.what == buysRedoubt {
		far = redoubtFrom
	}
	for i := range m.game.Works {
		x := &m.game.Works[i]
		if x.Kind != redoubt {
			continue
		}
		o := x.body()
		if d := geometry.Distance(f, outlineOf(&o)); within(d, far) {
			return refuse(provisions[w.what].clause, "hfg.work-near", provisionText(w.what), phrase.Literal("other", x.ID), phrase.Number("n", paces(d)), phrase.Number("least", far))
		}
	}
	return nil
}

// mines says why a minefield can't lie where it does: wholly in a waterway (HFG-6.11).
func (m *muster) mines(b *geometry.Body) *play.Fault {
	for a := areaID(1); int(a) <= len(m.game.areas); a++ {
		if m.game.area(a).kind == waterway && m.game.wholly(b, a) {
			return nil
		}
	}
	return refuse("HFG-6.11", "hfg.work-mines")
}

// featured says why a linear feature can't be exploited there: it lies along a railway, a road or
// the bank of a river, on a straight stretch (HFG-6.8).
func (m *muster) featured(w *workOrder, b *geometry.Body) *play.Fault {
	d := m.game.line(w.on)
	if !d.featured() {
		return refuse("HFG-6.8", "hfg.work-feature", phrase.Literal("line", d.id))
	}
	for _, q := range []point{b.Corner[0], b.Corner[1]} {
		_, far := geometry.Nearest(d.points, q)
		if off := far - int64(d.width)/2; off > featureSlack || off < -featureSlack {
			return refuse("HFG-6.8", "hfg.work-bends", phrase.Literal("line", d.id))
		}
	}
	return nil
}

// featureSlack is how far the ends of a feature may lie from its line: headings are whole
// degrees, and half a degree of half its length is 5 paces.
const featureSlack = 6 * pace

// misbridged says why Pontoneers can't have built a bridge there: they bridge a river or a stream
// in the zone (HFG-6.12, HFG-10.5).
func (m *muster) misbridged(w *workOrder) *play.Fault {
	d, line := m.game.def(w.pontoon), m.game.line(w.on)
	if d.troop != pontoneers {
		return refuse("HFG-6.12", "hfg.work-no-pontoneers", elementArg("element", d))
	}
	if !line.water() {
		return refuse("HFG-6.12", "hfg.work-no-water", phrase.Literal("line", line.id))
	}
	if _, far := geometry.Nearest(line.points, point(w.at)); far > slack {
		return refuse("HFG-6.12", "hfg.work-off-water", phrase.Literal("line", line.id))
	}
	if z := m.game.zoneOf(m.side, false); !z.has(point(w.at), point(w.at)) {
		return refuse("HFG-6.12", "hfg.work-bridge-zone")
	}
	if m.awaits(d.command) {
		return refuse("HFG-6.13", "hfg.deploy-delayed", elementArg("element", d))
	}
	if m.game.Elements[w.pontoon].Fate == exchanged {
		return refuse("HFG-6.12", "hfg.deploy-twice", elementArg("element", d))
	}
	return nil
}

// bridge puts a bridge in the place of its Pontoneers (HFG-6.12, HFG-R45), square to the water.
func (m *muster) bridge(w *workOrder) {
	d := m.game.line(w.on)
	position, _ := geometry.Nearest(d.points, point(w.at))
	a := geometry.Along(d.points, max(0, position-pace))
	b := geometry.Along(d.points, position+pace)
	m.game.Bridges = append(m.game.Bridges, bridge{ID: "bridge-" + strconv.Itoa(len(m.game.Bridges)+1), Over: w.on, At: w.at, Facing: int(geometry.Toward(a, b).Plus(90)), Temporary: true})
	m.game.Elements[w.pontoon].Fate = exchanged
}

// strongPoint puts a strong point down with its garrison, which is an element of its own
// (HFG-6.5, HFG-R8).
func (m *muster) strongPoint(w *workOrder) {
	b := m.workBody(w)
	m.game.areas = append(m.game.areas, areaDef{id: w.id, kind: strongPoint, outline: places(b.Corner[:]), by: m.side})
	m.game.roster = append(m.game.roster, elementDef{id: w.id + "-garrison", command: w.command, troop: spGarrison, holds: areaID(len(m.game.areas))})
	m.game.Elements = append(m.game.Elements, element{Holds: areaID(len(m.game.areas))})
	m.game.setting.complete()
}

// mostConcealed is how many elements a concealed position has at most (HFG-6.10).
const mostConcealed = 10

// concealments judges the concealed positions: how many elements each has, that they are a group,
// and that the ground conceals each of them (HFG-6.10).
func (m *muster) concealments() {
	var groups [][]*posting
	for i := range m.posts {
		p := &m.posts[i]
		if p.hidden == 0 || m.game.Elements[p.element].Fate != present {
			continue
		}
		for len(groups) < p.hidden {
			groups = append(groups, nil)
		}
		groups[p.hidden-1] = append(groups[p.hidden-1], p)
		if !m.covers(p) {
			m.say("HFG-6.10", "hfg.conceal-not", where(p.node), elementArg("element", m.game.def(p.element)))
		}
	}
	for _, g := range groups {
		if len(g) > mostConcealed {
			m.say("HFG-6.10", "hfg.conceal-many", where(g[0].node), phrase.Number("n", len(g)), phrase.Number("most", mostConcealed))
		}
		if len(g) > 1 && !m.hangsTogether(g) {
			m.say("HFG-6.10", "hfg.conceal-group", where(g[0].node))
		}
	}
}

// hangsTogether says whether elements touch each other, one by one, and look the same way
// (HFG-1.10).
func (m *muster) hangsTogether(all []*posting) bool {
	joined := map[elementID]bool{all[0].element: true}
	for range all {
		for _, p := range all {
			b := m.game.body(p.element)
			for _, o := range all {
				if c := m.game.body(o.element); joined[o.element] && m.game.Elements[o.element].Facing == m.game.Elements[p.element].Facing && touch(&b, &c) {
					joined[p.element] = true
				}
			}
		}
	}
	return len(joined) == len(all)
}

// covers says whether the ground conceals an element: it stands in a BUA, in a wood, or as foot in a
// gully; on a difficult hill; or behind a BUA, a wood or a hill, where it can't be seen from the
// enemy's base edge (HFG-6.10).
func (m *muster) covers(p *posting) bool {
	e := p.element
	if m.game.Elements[e].Holds != 0 {
		return true
	}
	b := m.game.body(e)
	for a := areaID(1); int(a) <= len(m.game.areas); a++ {
		x := m.game.area(a)
		if (x.kind == bua || x.kind == wood || x.kind == hill && x.slope == difficult) && m.game.wholly(&b, a) {
			return true
		}
	}
	for l := lineID(1); int(l) <= len(m.game.lines); l++ {
		if m.game.line(l).kind == gully && troops[m.game.def(e).troop].class == foot && m.game.wades(&b, l) {
			return true
		}
	}
	return !m.seenFromBase(&b)
}

// baseEyes is how far apart the points of the enemy's base edge are from which it is looked, in
// paces.
const baseEyes = 200

// seenFromBase says whether a footprint can be seen from the enemy's base edge (HFG-R145).
func (m *muster) seenFromBase(b *geometry.Body) bool {
	y := int64(0)
	if m.game.base(m.side.enemy()) == north {
		y = m.game.size.Y
	}
	for x := int64(0); x <= m.game.size.X; x += baseEyes * pace {
		eye := point{X: x, Y: y}
		a := geometry.NewBody(geometry.Piece{Frame: geometry.Frame{At: eye}})
		l := &look{g: m.game, a: &a, b: b, from: []point{eye}, to: b.Corner[:]}
		l.gather()
		for _, q := range l.to {
			if l.clear(eye, q) {
				return true
			}
		}
	}
	return false
}

// counted says that no more was placed than was bought for the side's role, and that no id stands
// twice (HFG-3.6).
func (m *muster) counted() {
	var used [provisionsEnd]int
	ids := map[string]bool{}
	for i := range m.works {
		w := &m.works[i]
		used[w.what]++
		if w.id == "" {
			continue
		}
		_, area := m.game.areaNamed(w.id)
		if _, line := m.game.lineNamed(w.id); ids[w.id] || line || area && w.what != buysStrongPoint {
			m.say("HFG-6.2", "hfg.work-twice", where(w.node[""]), phrase.Literal("name", w.id))
		}
		ids[w.id] = true
	}
	for _, p := range m.posts {
		used[buysConcealed] = max(used[buysConcealed], p.hidden)
	}
	for what := buysStrongPoint; int(what) < len(used); what++ {
		have := m.game.Prepare.has(m.side, m.game.role(m.side), what)
		if used[what] > have {
			m.say(provisions[what].clause, "hfg.work-bought", where(m.deployment.at["works"]), provisionText(what), phrase.Number("n", used[what]), phrase.Number("have", have))
		}
	}
}

// inert says whether a side's commander-in-chief is inert.
func (s *setting) inert(of side) bool { return s.graded(of, inert) }

// graded says whether a side's commander-in-chief has a grade.
func (s *setting) graded(of side, g grade) bool {
	for i := range s.commands {
		if d := &s.commands[i]; d.side == of && d.rank == chief && d.general != 0 {
			return s.def(d.general).is(g)
		}
	}
	return false
}

// crosses says whether a move leads into a minefield: not one that begins in it, for who goes on has come in before (HFG-R30).
func (w *placedWork) crosses(x *path) bool {
	b := w.body()
	area := areaOf(&b)
	if geometry.On(&x.from, &area, drawIn) {
		return false
	}
	over := geometry.On(&x.to, &area, drawIn)
	for j := 1; j < len(x.legs); j++ {
		over = over || geometry.MeetsBox(b.Box, b.Local(x.legs[j-1]), b.Local(x.legs[j]))
	}
	return over
}

// inOwnMines says whether a ship that stands so would be in the minefield of its own side (HFG-6.11).
func (g *game) inOwnMines(e elementID, b *geometry.Body) bool {
	return slices.ContainsFunc(g.Works, func(w placedWork) bool {
		x := w.body()
		a := areaOf(&x)
		return w.Kind == minefield && w.Side == g.def(e).side && geometry.On(b, &a, drawIn)
	})
}

// ownMines says that a ship may not enter the minefield of its own side (HFG-6.11).
func (g *game) ownMines(p *plan) *play.Fault {
	for i := range p.paths {
		d := g.def(p.paths[i].element)
		if troops[d.troop].class != naval {
			continue
		}
		for k := range g.Works {
			if w := &g.Works[k]; w.Kind == minefield && w.Side == d.side && w.crosses(&p.paths[i]) {
				return refuse("HFG-6.11", "hfg.own-mines", elementArg("element", d))
			}
		}
	}
	return nil
}

// veils hides the works that concealed troops alone hold, and shows those whose troops are no longer
// concealed (HFG-6.10). One that they have left unseen is hidden until an enemy sees it; so is a ford that was found unseen. A minefield
// is hidden until a ship has entered it.
func (g *game) veils() {
	for i := range g.Fords {
		if f := &g.Fords[i]; f.Hidden != noSide {
			b := f.body(int64(g.line(f.Over).width))
			if g.spotted(f.Hidden, &b) {
				f.Hidden = noSide
			}
		}
	}
	for i := range g.Works {
		w := &g.Works[i]
		if w.Kind == minefield {
			continue
		}
		held, shown := false, false
		for e := elementID(1); int(e) < len(g.Elements); e++ {
			if g.on(e) && g.def(e).side == w.Side && g.shelter(e) == w {
				held, shown = true, shown || !g.Elements[e].Concealed
			}
		}
		if !held && w.Hidden {
			b := w.body()
			w.Hidden = !g.spotted(w.Side.enemy(), &b)
			continue
		}
		w.Hidden = held && !shown
	}
}

// body is the place of a ford: the water where it leads through.
func (f *ford) body(width int64) geometry.Body {
	return geometry.NewBody(geometry.Piece{Frame: geometry.Frame{At: point(f.At), Heading: geometry.Heading(f.Facing)},
		Box: geometry.Box{U0: -baseWidth * pace / 2, V0: -width / 2, U1: baseWidth * pace / 2, V1: width / 2}})
}

// spotted says whether an element of a side sees a place of the field (HFG-5.2).
func (g *game) spotted(of side, b *geometry.Body) bool {
	for _, e := range g.standing() {
		if g.def(e).side != of {
			continue
		}
		x := g.body(e)
		if g.def(e).troop == aeronauts && g.operates(e) {
			if far := g.aloftSight(); far == 0 || within(between(&x, b), far) {
				return true
			}
		}
		if limit := g.sightLimit(); limit > 0 && !within(between(&x, b), limit) {
			continue
		}
		l := &look{g: g, a: &x, b: b, holdsA: g.Elements[e].Holds, from: x.Corner[:], to: b.Corner[:]}
		if l.arrives() {
			return true
		}
	}
	return false
}
