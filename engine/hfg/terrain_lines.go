package hfg

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Lines of terrain: streams, rivers, gullies, roads and railways (HFG-4.7 to HFG-4.9, HFG-4.14,
// HFG-4.15).

// line makes a line of a piece, or says why it can't run so. Dry says that streams are gullies.
func (p *plot) line(x *terrainPiece, w *siting, id string, dry bool) (lineDef, *play.Fault) {
	d := lineDef{id: id, kind: pieceDefs[x.Kind].track, by: x.By, good: x.Good}
	path, fault := p.path(x.Kind, w)
	if fault != nil {
		return d, fault
	}
	switch x.Kind {
	case riverPiece, streamPiece:
		path, fault = p.flow(x, &d, path, dry)
	case roadPiece:
		path, fault = p.road(x, path)
	case railwayPiece:
		fault = p.rails(path)
	}
	d.path, d.points = places(path), path
	return d, fault
}

// path is the line from one section that the dice have shown to the other: through the bends
// that were given. If both dice show one section, it runs straight across, from the point of it that was given or else from its middle
// (HFG-R15); a railway runs straight to the opposite edge (HFG-4.15).
func (p *plot) path(kind pieceKind, w *siting) ([]point, *play.Fault) {
	a, b := p.sections[0], p.sections[1]
	from := a.middle(p.size)
	clause := pieceDefs[kind].clause
	if kind != railwayPiece && a == b {
		if w.From != (place{}) && !p.former && a.has(point(w.From), p.size) {
			from = point(w.From)
		}
		return []point{from, a.across(from, p.size)}, nil
	}
	if w.From != (place{}) {
		from = point(w.From)
	}
	to := a.across(from, p.size)
	if kind != railwayPiece {
		to = b.middle(p.size)
	}
	if w.To != (place{}) {
		to = point(w.To)
	}
	if kind == railwayPiece {
		if !a.has(from, p.size) || !opposite(a, to, p.size) {
			return nil, p.fault(clause, "hfg.piece-rails-ends", sectionText("section", a))
		}
		if !p.former && along([]point{from, to}, p.size) {
			return nil, p.fault("HFG-R177", "hfg.piece-along-edge")
		}
		return []point{from, to}, nil
	}
	one, two := a.has(from, p.size), b.has(to, p.size)
	if kind == roadPiece { // a bad one may end at another road
		one, two = one || two && p.onRoads(from), two || one && p.onRoads(to)
	}
	if !one || !two {
		return nil, p.fault(clause, "hfg.piece-ends", sectionText("one", a), sectionText("other", b))
	}
	path := append([]point{from}, points(w.Bends)...)
	if path = append(path, to); len(path) == 2 && along(path, p.size) {
		path = []point{from, a.bay(from, to), to}
	}
	lo, hi := geometry.Bounds(path)
	if lo.X < 0 || lo.Y < 0 || hi.X > p.size.X || hi.Y > p.size.Y {
		return nil, p.fault("HFG-4.5", "hfg.piece-off-field")
	}
	if flaw, _ := geometry.Path(path); flaw != geometry.Sound {
		return nil, p.fault(clause, "hfg.scenario-path")
	}
	if crossesItself(path) {
		return nil, p.fault(clause, "hfg.piece-knot")
	}
	if !p.former && along(path, p.size) {
		return nil, p.fault("HFG-R177", "hfg.piece-along-edge")
	}
	return path, nil
}

// along says whether a part of a path lies on the edge of the field (HFG-R177).
func along(path []point, size place) bool {
	for i := 1; i < len(path); i++ {
		for e := north; e <= west; e++ {
			if edgeHas(e, path[i-1], size) && edgeHas(e, path[i], size) {
				return true
			}
		}
	}
	return false
}

// bayDepth is how far a line goes into the field that both begins and ends on one edge, in units (HFG-R177).
const bayDepth = 1000 * pace

// bay is the bend of such a line: in the middle between its ends.
func (s section) bay(from, to point) point {
	return middleOf([]point{from, to}).Plus(s.inward(bayDepth))
}

// opposite says whether a point lies on the edge opposite a section.
func opposite(s section, p point, size place) bool {
	switch s.edge() {
	case west:
		return p.X == size.X
	case east:
		return p.X == 0
	case north:
		return p.Y == 0
	}
	return p.Y == size.Y
}

// crossesItself says whether a path meets itself.
func crossesItself(path []point) bool {
	for i := 1; i < len(path); i++ {
		for j := i + 2; j < len(path); j++ {
			if geometry.Meet(path[i-1], path[i], path[j-1], path[j]) {
				return true
			}
		}
	}
	return false
}

// windings is how often a stream's straight length its course may be, as a fraction (HFG-4.7).
const windings, ofStraight = 3, 2

// flow makes the course of a stream, a river or a gully: it ends where it meets water that was
// placed before (HFG-4.7). A stream that is to be a river is one only if it runs between the
// long edges (HFG-4.8); in dry climates others are gullies (HFG-4.9).
func (p *plot) flow(x *terrainPiece, d *lineDef, path []point, dry bool) ([]point, *play.Fault) {
	d.width = streamWidth * pace
	between := opposed(path[0], path[len(path)-1], p.size)
	switch {
	case x.Kind == riverPiece && between:
		d.width, d.up = length(x.Size[0])*pace, x.Up
	case dry:
		d.kind = gully
	default:
		d.kind = stream
	}
	path = p.joined(path)
	if len(path) < 2 {
		return nil, p.fault("HFG-4.7", "hfg.piece-drowned")
	}
	straight := geometry.Dist(path[0], path[len(path)-1])
	if long := lengthOf(path); long*ofStraight > straight*windings {
		return nil, p.fault("HFG-4.7", "hfg.piece-long", phrase.Number("n", paces(long)), phrase.Number("straight", paces(straight)))
	}
	if d.kind == river && p.inWaterway(path[0]) != p.inWaterway(path[len(path)-1]) {
		d.up = p.inWaterway(path[0]) // away from the waterway (HFG-10.8)
	}
	return path, nil
}

// opposed says whether two points lie on the two long edges.
func opposed(a, b point, size place) bool {
	return a.Y == 0 && b.Y == size.Y || a.Y == size.Y && b.Y == 0
}

// lengthOf is how long a path is.
func lengthOf(path []point) int64 {
	n := int64(0)
	for i := 1; i < len(path); i++ {
		n += geometry.Dist(path[i-1], path[i])
	}
	return n
}

// joined is a course of water up to where it meets water that was placed before: it begins at
// the shore of a waterway in which it would begin, and ends at the next shore, river or stream.
// It is nil if nothing is left, or if it would begin on other water.
func (p *plot) joined(path []point) []point {
	if p.drowned(path[0]) {
		meets := p.meetings(path, true)
		last := meets[len(meets)-1]
		path = slices.Compact(append([]point{last.at}, path[last.leg:]...))
	} else if p.inWaterway(path[0]) || p.onWater(path[0]) {
		return nil
	}
	for _, m := range p.meetings(path, false) {
		if m.leg > 1 || m.far > slack {
			return slices.Compact(append(slices.Clone(path[:m.leg]), m.at))
		}
	}
	return path
}

// A cut is where a path meets something: on the leg that ends at its point number leg.
type cut struct {
	leg int
	at  point
	far int64 // from the beginning of the leg
}

// meetings are where a path meets the shores of waterways and, unless shores alone are wanted,
// other courses of water, in the order of the path.
func (p *plot) meetings(path []point, shores bool) []cut {
	var lines [][]point
	for i := range p.areas {
		if p.areas[i].kind == waterway {
			outline := p.outlines[i].P
			lines = append(lines, append(slices.Clone(outline), outline[0]))
		}
	}
	for i := range p.lines {
		if !shores && p.lines[i].water() {
			lines = append(lines, p.lines[i].points)
		}
	}
	return meetingsOf(path, lines)
}

// meetingsOf are where a path meets lines, in the order of the path.
func meetingsOf(path []point, lines [][]point) []cut {
	var all []cut
	for i := 1; i < len(path); i++ {
		from := len(all)
		for _, line := range lines {
			for j := 1; j < len(line); j++ {
				if !geometry.Meet(path[i-1], path[i], line[j-1], line[j]) {
					continue
				}
				at, ok := geometry.Cut(path[i-1], path[i], line[j-1], line[j])
				if !ok { // they run along each other
					at = path[i-1]
				}
				at = wholePaces(at)
				all = append(all, cut{i, at, geometry.Dist(path[i-1], at)})
			}
		}
		slices.SortStableFunc(all[from:], func(a, b cut) int { return int(a.far - b.far) })
	}
	return all
}

// inWaterway says whether a point lies in a waterway or on its shore.
func (p *plot) inWaterway(q point) bool {
	for i := range p.areas {
		if p.areas[i].kind == waterway && p.onShore(q, i) {
			return true
		}
	}
	return false
}

// onShore says whether a point lies in a waterway or within a pace of it.
func (p *plot) onShore(q point, area int) bool {
	return geometry.Distance(geometry.Figure{P: []point{q}}, geometry.Figure{P: p.outlines[area].P, Closed: true}) <= slack
}

// drowned says whether a line that ended at a point would end in a waterway, and not at its
// shore: the edge of the field is none.
func (p *plot) drowned(q point) bool {
	for i := range p.areas {
		if p.areas[i].kind == waterway && p.onShore(q, i) && (onEdge(q, p.size) || geometry.Depth(p.outlines[i].P, q) > slack) {
			return true
		}
	}
	return false
}

// onWater says whether a point lies on a course of water.
func (p *plot) onWater(q point) bool {
	for i := range p.lines {
		if p.lines[i].water() && geometry.Distance(geometry.Figure{P: []point{q}}, geometry.Figure{P: p.lines[i].points}) <= slack {
			return true
		}
	}
	return false
}

// road makes the course of a road: it ends at the shore of a waterway in which it would end,
// crosses none, and meets the roads before it (HFG-4.14).
func (p *plot) road(x *terrainPiece, path []point) ([]point, *play.Fault) {
	for range 2 { // from both ends
		if p.drowned(path[len(path)-1]) {
			meets := p.meetings(path, true)
			if len(meets) == 0 {
				return nil, p.fault("HFG-4.14", "hfg.piece-drowned")
			}
			first := meets[0]
			path = slices.Compact(append(slices.Clone(path[:first.leg]), first.at))
			if len(path) < 2 {
				return nil, p.fault("HFG-4.14", "hfg.piece-drowned")
			}
		}
		slices.Reverse(path)
	}
	for i := range p.areas {
		if p.areas[i].kind == waterway && runsIn(path, &p.outlines[i]) {
			return nil, p.fault("HFG-4.14", "hfg.piece-in-water", phrase.Literal("piece", p.areas[i].id))
		}
	}
	if fault := p.inBed(path); fault != nil {
		return nil, fault
	}
	meets, any := false, false
	for i := range p.lines {
		if p.lines[i].kind == road {
			any = true
			meets = meets || geometry.Distance(geometry.Figure{P: path}, geometry.Figure{P: p.lines[i].points}) <= slack
		}
	}
	if any && !meets {
		return nil, p.fault("HFG-4.14", "hfg.piece-network")
	}
	if x.Good && (p.onRoads(path[0]) && !onEdge(path[0], p.size) || p.onRoads(path[len(path)-1]) && !onEdge(path[len(path)-1], p.size)) {
		return nil, p.fault("HFG-4.14", "hfg.piece-good-ends")
	}
	return path, nil
}

// runsIn says whether more than a pace of a path lies inside an area.
func runsIn(path []point, a *geometry.Area) bool {
	var room [8]geometry.Span
	for i := 1; i < len(path); i++ {
		if len(a.Chord(room[:0], path[i-1], path[i], slack)) > 0 {
			return true
		}
	}
	return false
}

// onRoads says whether a point lies on a road.
func (p *plot) onRoads(q point) bool {
	for i := range p.lines {
		if p.lines[i].kind == road && geometry.Distance(geometry.Figure{P: []point{q}}, geometry.Figure{P: p.lines[i].points}) <= slack {
			return true
		}
	}
	return false
}

// rails says why a railway can't run so: it crosses neither hills nor waterways (HFG-4.15).
func (p *plot) rails(path []point) *play.Fault {
	for i := range p.areas {
		if k := p.areas[i].kind; (k == hill || k == waterway) && runsIn(path, &p.outlines[i]) {
			return p.fault("HFG-4.15", "hfg.piece-rails", phrase.Literal("piece", p.areas[i].id))
		}
	}
	return p.inBed(path)
}

// inBed refuses a road or a railway that runs in the bed of a course of water, which it may only cross (HFG-R177).
func (p *plot) inBed(path []point) *play.Fault {
	for i := range p.lines {
		if d := &p.lines[i]; !p.former && d.water() && follows(path, d.points) {
			return p.fault("HFG-R177", "hfg.piece-in-bed", phrase.Literal("piece", d.id))
		}
	}
	return nil
}

// follows says whether more than a pace of a path lies on a line.
func follows(path, line []point) bool {
	for i := 1; i < len(path); i++ {
		for j := 1; j < len(line); j++ {
			a, b, c, d := path[i-1], path[i], line[j-1], line[j]
			if _, crosses := geometry.Cut(a, b, c, d); crosses || !geometry.Meet(a, b, c, d) {
				continue
			}
			ends := slices.DeleteFunc([]point{a, b, c, d}, func(q point) bool {
				return !geometry.Meet(a, b, q, q) || !geometry.Meet(c, d, q, q)
			})
			if slices.ContainsFunc(ends, func(q point) bool { return geometry.Dist(q, ends[0]) > slack }) {
				return true
			}
		}
	}
	return false
}

// unserved is the end of a road at a waterway at which there is no BUA yet; nil if there is
// none (HFG-4.14).
func (p *plot) unserved() *point {
	for i := range p.lines {
		d := &p.lines[i]
		if d.kind != road {
			continue
		}
		for _, q := range []point{d.points[0], d.points[len(d.points)-1]} {
			if p.inWaterway(q) && !p.served(q) {
				return &q
			}
		}
	}
	return nil
}

// served says whether a BUA stands at a point.
func (p *plot) served(q point) bool {
	for i := range p.areas {
		if p.areas[i].kind == bua && p.onShore(q, i) {
			return true
		}
	}
	return false
}

// serves says whether a BUA stands at the end of a road that needs one: it touches that end,
// and so the waterway. This goes before the die of the BUA.
func (p *plot) serves(x *terrainPiece, f *geometry.Figure) bool {
	if x.Kind != buaPiece {
		return false
	}
	q := p.unserved()
	return q != nil && geometry.Distance(*f, geometry.Figure{P: []point{*q}}) <= slack
}

// bridged gives the bridges of a line that was placed: a road has them where it crosses water
// if they were ordered, a railway always (HFG-4.14, HFG-4.15).
func (p *plot) bridged(x *terrainPiece, d *lineDef) []bridge {
	if d.kind != railway && !(d.kind == road && x.Bridges) {
		return nil
	}
	var all []bridge
	for i := range p.lines {
		water := &p.lines[i]
		if !water.water() {
			continue
		}
		for _, m := range meetingsOf(d.points, [][]point{water.points}) {
			way := geometry.Toward(d.points[m.leg-1], d.points[m.leg])
			all = append(all, bridge{Over: lineID(i + 1), At: place(m.at), Facing: int(way)})
		}
	}
	return all
}
