package hfg

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Chapter 6: deployment. This file has the zones, who may stand where, and commands that come
// later; deploy_works.go the preparations, deploy_line.go the deployment of whoever says
// nothing.

// A deployment is what a side orders before the battle: where its elements stand, what is
// prepared, what is concealed, and which commands come later (HFG-6.1, HFG-6.2).
type deployment struct {
	side   side
	groups []regrouping
	posts  []posting
	works  []workOrder
	delays []delay

	at nodes // "", commands, deploy, works, concealed, delayed
}

// A regrouping gives a command its elements anew (HFG-6.1).
type regrouping struct {
	command  commandID
	elements []elementID

	at *orders.Node
}

// A posting is a place for an element. Those of one line or column are posted together.
type posting struct {
	element elementID
	at      place
	facing  int
	holds   areaID // the BUA that it garrisons
	road    lineID // of a column on a road
	column  int    // the number of its column, from 1; 0: it is in none
	head    int    // how far along the road the column's head is, in paces from the road's first point
	back    bool   // the column looks towards the road's first point
	hidden  int    // the number of its concealed position, from 1; 0: it is shown

	node *orders.Node
}

// A delay is a command that comes later (HFG-6.13).
type delay struct {
	command commandID
	road    lineID
	edge    edge

	at nodes // "", command, by, edge
}

// The zones of deployment, in paces (HFG-6.3).
const (
	defenderSides = 1200 // a defender stays so far from the side edges
	attackerSides = 400
	attackerDepth = 800 // an attacker goes no further from his base edge
)

// A zone is where a side may deploy: a rectangle of the field.
type zone struct{ lo, hi point }

// zoneOf is the zone of a side (HFG-6.3). Free says that the limit at the side edges doesn't
// hold, as for ships of the defender and for what is in a BUA or an SP.
func (s *setting) zoneOf(of side, free bool) zone {
	z := zone{hi: point(s.size)}
	deep, aside := s.size.Y/2, int64(defenderSides)*pace
	if s.role(of) == attacker {
		deep, aside = attackerDepth*pace, attackerSides*pace
	} else if free {
		aside = 0
	}
	z.lo.X, z.hi.X = aside, s.size.X-aside
	if s.base(of) == north {
		z.lo.Y = s.size.Y - deep
	} else {
		z.hi.Y = deep
	}
	return z
}

// has says whether a figure lies in a zone, with half a pace of tolerance.
func (z zone) has(lo, hi point) bool {
	const slack = pace / 2
	return lo.X >= z.lo.X-slack && lo.Y >= z.lo.Y-slack && hi.X <= z.hi.X+slack && hi.Y <= z.hi.Y+slack
}

// role is what a side does in the battle.
func (s *setting) role(of side) role { return s.sides[of-1].role }

// A muster is a field on which a side deploys: what has been put down so far, and all that is
// wrong.
type muster struct {
	game *game
	*deployment
	faults []listFault
}

// say notes a fault at the first place that there is.
func (m *muster) say(clause, code string, at []*orders.Node, args ...phrase.Arg) *listFault {
	m.faults = append(m.faults, listFault{play.Fault{Clause: clause, Why: phrase.Say(code, args...)}, someNode(append(at, m.at[""]))})
	return &m.faults[len(m.faults)-1]
}

// deployed carries a deployment out on a copy of the game, and gives the copy with all that is
// wrong. Whoever hasn't been posted stands nowhere yet.
func (g *game) deployed(d *deployment) (*game, []listFault) {
	m := &muster{game: g.board(), deployment: d}
	m.regroup()
	m.delay()
	for i := range d.works {
		m.work(&d.works[i])
	}
	for i := range d.posts {
		m.post(&d.posts[i])
	}
	m.lineUp()
	m.concealments()
	m.game.veils()
	m.counted()
	return m.game, m.faults
}

// board is a copy of the game with a setting of its own.
func (g *game) board() *game {
	c := *g
	s := *g.setting
	s.areas, s.lines, s.commands, s.roster = slices.Clone(s.areas), slices.Clone(s.lines), slices.Clone(s.commands), slices.Clone(s.roster)
	c.setting = &s
	c.Elements, c.Commands, c.Works, c.Bridges, c.Columns = slices.Clone(g.Elements), slices.Clone(g.Commands), slices.Clone(g.Works), slices.Clone(g.Bridges), slices.Clone(g.Columns)
	c.sights = nil
	return &c
}

// regroup gives commands other elements (HFG-6.1): what holds of a list still holds.
func (m *muster) regroup() {
	if len(m.groups) == 0 {
		return
	}
	seen := map[elementID]bool{}
	for _, r := range m.groups {
		for _, e := range r.elements {
			d := &m.game.roster[e-1]
			if seen[e] {
				m.say("HFG-6.1", "hfg.deploy-grouped-twice", where(r.at), elementText(d.id))
			}
			seen[e] = true
			if d.command != r.command && (m.awaits(d.command) || m.awaits(r.command)) {
				m.say("HFG-20.10", "hfg.group-away", where(r.at), elementText(d.id))
				continue
			}
			if other := m.game.lead(d.command); e == other.general && d.command != r.command {
				m.say("HFG-3.4", "hfg.list-second-general", where(r.at), elementText(d.id), commandText(m.game.lead(r.command).id))
				continue
			}
			d.command = r.command
		}
	}
	m.game.setting.complete()
	after := m.game.armyOf(m.side)
	j := &listJudge{armyList: after, listRules: listRules{year: m.game.year, train: m.game.trains}}
	j.sizes()
	j.trains()
	j.ships()
	for _, f := range j.faults {
		m.faults = append(m.faults, listFault{f.Fault, someNode(where(m.deployment.at["commands"], m.deployment.at[""]))})
	}
}

// awaits says whether a command isn't at the battle when it begins, by what has been settled before: by the map (HFG-20.10).
func (m *muster) awaits(c commandID) bool {
	return m.game.Commands[c].Status == delayed || m.game.Commands[c].Status == absent
}

// armyOf is the army of a side as a list.
func (s *setting) armyOf(of side) *armyList {
	a := &armyList{}
	for i := range s.commands {
		d := &s.commands[i]
		if d.side != of {
			continue
		}
		c := listCommand{id: d.id, rank: d.rank, under: d.under, aggression: unsaid}
		for _, e := range d.elements {
			x := s.def(e)
			if x.troop == spGarrison {
				continue
			}
			if e == d.general {
				c.general = x.id
			} else {
				c.elements = append(c.elements, x.id)
			}
			a.elements = append(a.elements, listElement{id: x.id, troop: x.troop, grades: x.grades})
		}
		a.commands = append(a.commands, c)
	}
	return a
}

// delay judges which commands come later, and how (HFG-6.13): an ally's, from 1795 a
// subordinate's, by a road or from 1859 a railway that enters on the own half; the commander's own
// by the base edge.
func (m *muster) delay() {
	for i := range m.delays {
		d := &m.delays[i]
		c := &m.game.commands[d.command-1]
		name := commandText(c.id)
		line := m.game.line(d.road)
		switch {
		case line.kind == railway && m.game.year < railwaysSince:
			m.say("HFG-6.13", "hfg.piece-early", where(d.at["by"], d.at[""]), phrase.Number("year", railwaysSince))
		case line.kind != road && line.kind != railway:
			m.say("HFG-6.13", "hfg.delay-road", where(d.at["by"], d.at[""]), phrase.Literal("line", line.id))
		case !m.enters(line, d.edge):
			m.say("HFG-6.13", "hfg.delay-edge", where(d.at["edge"], d.at["by"], d.at[""]), phrase.Literal("line", line.id), edgeText("edge", d.edge))
		}
		switch {
		case (c.rank == chief || c.rank == armyLeader) && d.edge != m.game.base(m.side):
			m.say("HFG-6.13", "hfg.delay-base", where(d.at["edge"], d.at[""]), name)
		case c.rank == subordinate && m.game.year < delayedSince:
			m.say("HFG-6.13", "hfg.delay-early", where(d.at["command"], d.at[""]), name, phrase.Number("year", delayedSince))
		}
		if m.awaits(d.command) {
			m.say("HFG-20.10", "hfg.delay-away", where(d.at["command"], d.at[""]), name)
			continue
		}
		for _, e := range c.elements {
			if !m.game.comesBy(e, line.kind) {
				m.say("HFG-6.13", "hfg.delay-never", where(d.at["command"], d.at[""]), elementText(m.game.def(e).id))
			}
		}
		c.arrival = &arrivalDef{road: d.road, edge: d.edge}
		m.game.Commands[d.command].Status = delayed
	}
	m.game.setting.complete()
}

// delayedSince is the first year in which a subordinate general's command may come later.
const delayedSince = 1795

// enters says whether a line enters the field over an edge, on the own half of the field.
func (m *muster) enters(d *lineDef, by edge) bool {
	return slices.ContainsFunc([]point{d.points[0], d.points[len(d.points)-1]}, func(q point) bool {
		return edgeHas(by, q, m.game.size) && m.game.ownHalf(m.side, q)
	})
}

// ownHalf says whether a point lies on the half of the field that is a side's own: nearer to its base edge.
func (s *setting) ownHalf(of side, q point) bool {
	near := q.Y
	if s.base(of) == north {
		near = s.size.Y - q.Y
	}
	return near*2 < s.size.Y
}

// edgeHas says whether a point lies on an edge of the field.
func edgeHas(e edge, q point, size place) bool {
	switch e {
	case north:
		return q.Y == size.Y
	case south:
		return q.Y == 0
	case east:
		return q.X == size.X
	}
	return q.X == 0
}

// post puts an element down, or says why it can't stand there (HFG-6.3, HFG-1.8).
func (m *muster) post(p *posting) {
	d, x := m.game.def(p.element), &m.game.Elements[p.element]
	name := elementArg("element", d)
	at := where(p.node)
	switch {
	case x.Fate == present, x.Fate == exchanged: // Pontoneers have become their bridge (HFG-R45)
		m.say("HFG-6.2", "hfg.deploy-twice", at, name)
		return
	case m.awaits(d.command):
		m.say("HFG-6.13", "hfg.deploy-delayed", at, name)
		return
	}
	x.Fate, x.Holds = present, p.holds
	if p.holds == 0 {
		x.At, x.Facing = p.at, p.facing
	}
	if f := m.unfit(p); f != nil {
		m.faults = append(m.faults, listFault{*f, someNode(append(at, m.at[""]))})
		x.At, x.Facing, x.Holds, x.Fate = place{}, 0, 0, due
		return
	}
	x.Concealed = p.hidden > 0
}

// unfit says why an element can't be deployed where it has been put.
func (m *muster) unfit(p *posting) *play.Fault {
	if p.holds != 0 {
		return m.garrisons(p)
	}
	d, b := m.game.def(p.element), m.game.body(p.element)
	name := elementArg("element", d)
	ship := troops[d.troop].class == naval
	free := m.game.role(m.side) == defender && (ship || m.inBUA(&b))
	if m.game.leaves(&b) {
		return refuse("HFG-1.8", "hfg.position-off", name)
	}
	if z := m.game.zoneOf(m.side, free); !z.has(b.Lo, b.Hi) {
		code := "hfg.deploy-defender"
		if m.game.role(m.side) == attacker {
			code = "hfg.deploy-attacker"
		}
		return refuse("HFG-6.3", code, name)
	}
	if f := m.ground(p.element, &b); f != nil {
		return f
	}
	for _, o := range m.game.standing() {
		if o == p.element || m.game.Elements[o].Holds != 0 || m.game.def(o).side != m.side {
			continue
		}
		if other := m.game.body(o); m.game.overlap(&b, &other) && !m.inColumn(p, o) {
			return refuse("HFG-1.8", "hfg.position-overlap", name, elementArg("other", m.game.def(o)))
		}
	}
	if d.troop == supplyBase && !m.supplied(&b) {
		return refuse("HFG-3.7", "hfg.deploy-supply", name)
	}
	return nil
}

// inColumn says whether an element stands in the same column as another, directly before or behind it: at a bend of the road their bases
// may overlap (HFG-1.8, HFG-R42).
func (m *muster) inColumn(p *posting, other elementID) bool {
	if p.column == 0 {
		return false
	}
	i := slices.IndexFunc(m.posts, func(x posting) bool { return x.element == p.element })
	for _, k := range []int{i - 1, i + 1} {
		if k >= 0 && k < len(m.posts) && m.posts[k].element == other && m.posts[k].column == p.column {
			return true
		}
	}
	return false
}

// lineUp notes the columns that have been put down, so that they march on as such.
func (m *muster) lineUp() {
	for k := 1; ; k++ {
		i := slices.IndexFunc(m.posts, func(p posting) bool { return p.column == k })
		if i < 0 {
			return
		}
		var members []elementID
		long := int64(0)
		for _, p := range m.posts {
			if p.column == k && m.game.Elements[p.element].Fate == present {
				members = append(members, p.element)
				long += -m.game.box(m.game.def(p.element)).V0
			}
		}
		if len(members) == 0 {
			continue
		}
		way, head := m.game.line(m.posts[i].road).points, int64(m.posts[i].head)*pace
		if m.posts[i].back {
			long = -long
		}
		m.game.note(members, stretch(way, min(max(head-long, 0), longOf(way)), head))
	}
}

// garrisons says why an element can't garrison a BUA (HFG-4.17).
func (m *muster) garrisons(p *posting) *play.Fault {
	d, a := m.game.def(p.element), m.game.area(p.holds)
	name, town := elementArg("element", d), phrase.Literal("area", a.id)
	if a.kind != bua {
		return refuse("HFG-4.17", "hfg.deploy-no-bua", name, town)
	}
	if troops[d.troop].class != foot && !d.troop.dismountable() {
		return refuse("HFG-4.17", "hfg.deploy-no-garrison", name)
	}
	for _, o := range m.game.standing() {
		if o != p.element && m.game.Elements[o].Holds == p.holds {
			return refuse("HFG-4.17", "hfg.deploy-second", name, town, elementArg("other", m.game.def(o)))
		}
	}
	o := m.game.outline(p.holds)
	if z := m.game.zoneOf(m.side, m.game.role(m.side) == defender); !z.has(o.Lo, o.Hi) {
		return refuse("HFG-6.3", "hfg.deploy-town-zone", town)
	}
	return nil
}

// inBUA says whether a footprint lies wholly in a BUA.
func (m *muster) inBUA(b *geometry.Body) bool {
	for a := areaID(1); int(a) <= len(m.game.areas); a++ {
		if m.game.area(a).kind == bua && m.game.wholly(b, a) {
			return true
		}
	}
	return false
}

// ground says why an element can't stand on the ground under it: water by land, land by water, or
// ground that its type can't enter (HFG-4.10, HFG-9.3).
func (m *muster) ground(e elementID, b *geometry.Body) *play.Fault {
	d := m.game.def(e)
	name := elementArg("element", d)
	if troops[d.troop].class == naval {
		if !m.afloatAt(d.troop, b) {
			return refuse("HFG-18.2", "hfg.deploy-aground", name)
		}
		return nil
	}
	for a := areaID(1); int(a) <= len(m.game.areas); a++ {
		if !m.game.stands(b, a) {
			continue
		}
		x := m.game.area(a)
		if x.kind == strongPoint {
			return refuse("HFG-1.8", "hfg.deploy-ground", name, phrase.Literal("area", x.id))
		}
		if x.kind == waterway || m.tooHard(d, a) {
			clause := map[ground]string{waterway: "HFG-4.6", marsh: "HFG-4.10"}[x.kind]
			if clause == "" {
				clause = "HFG-9.3"
			}
			return refuse(clause, "hfg.deploy-ground", name, phrase.Literal("area", x.id))
		}
	}
	for l := lineID(1); int(l) <= len(m.game.lines); l++ {
		if x := m.game.line(l); x.kind == river && m.game.wades(b, l) {
			return refuse("HFG-4.8", "hfg.deploy-ground", name, phrase.Literal("area", x.id))
		}
	}
	return nil
}

// tooHard says whether an element can't move on an area at all (HFG-4.10, HFG-9.3).
func (m *muster) tooHard(d *elementDef, a areaID) bool {
	k := m.game.goingOf(a)
	if m.game.area(a).kind == marsh && (d.troop == hq || d.troop == laager || troops[d.troop].class == artillery && d.troop != lightArtillery) {
		return true
	}
	moves := m.game.setting.moves(d)
	return moves[good] > 0 && int(k) < len(moves) && moves[k] == 0
}

// afloatAt says whether a ship's whole base lies in water on which it can sail (HFG-10.9,
// HFG-18.2).
func (m *muster) afloatAt(t troop, b *geometry.Body) bool {
	for a := areaID(1); int(a) <= len(m.game.areas); a++ {
		if m.game.area(a).kind == waterway && m.game.wholly(b, a) {
			return true
		}
	}
	if t != flotilla {
		return false
	}
	for l := lineID(1); int(l) <= len(m.game.lines); l++ {
		d := m.game.line(l)
		if d.kind != river || d.width < navigable*pace {
			continue
		}
		afloat := true
		for _, c := range b.Corner {
			if _, far := geometry.Nearest(d.points, c); far > int64(d.width)/2+slack {
				afloat = false
			}
		}
		if afloat {
			return true
		}
	}
	return false
}

// supplied says whether a Supply Base stands as it must: touching a BUA or the edge of the field,
// and touching a waterway, a navigable river, a road or a railway (HFG-3.7).
func (m *muster) supplied(b *geometry.Body) bool {
	f := outlineOf(b)
	beside := b.Lo.X <= slack || b.Lo.Y <= slack || b.Hi.X >= m.game.size.X-slack || b.Hi.Y >= m.game.size.Y-slack
	served := false
	for a := areaID(1); int(a) <= len(m.game.areas); a++ {
		touches := geometry.Distance(f, geometry.Figure{P: m.game.outline(a).P, Closed: true}) <= slack
		beside = beside || m.game.area(a).kind == bua && touches
		served = served || m.game.area(a).kind == waterway && touches
	}
	for l := lineID(1); int(l) <= len(m.game.lines); l++ {
		d := m.game.line(l)
		half := int64(d.width) / 2
		if d.kind == road || d.kind == railway || d.kind == river && d.width >= navigable*pace {
			served = served || geometry.Distance(f, geometry.Figure{P: d.points}) <= half+slack
		}
	}
	return beside && served
}

// edgeText names an edge of the field.
func edgeText(name string, e edge) phrase.Arg { return phrase.Name(name, "edge", edgeWords[e]) }
