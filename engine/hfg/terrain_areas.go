package hfg

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Areas of terrain: how a piece becomes an area of the field, and where it may lie (HFG-4.4 to
// HFG-4.22).

// A plot is ground that is being made: what has been placed so far.
type plot struct {
	*setting
	sections [2]section // that the dice of the piece in hand have shown; of one die the first
	former   bool       // the place was accepted before, when a line could lie along an edge and in a bed (HFG-R15, HFG-R177)
}

// fault says why a piece can't lie somewhere.
func (p *plot) fault(clause, code string, args ...phrase.Arg) *play.Fault {
	return &play.Fault{Clause: clause, Why: phrase.Say(code, args...)}
}

// at puts a figure of a piece's own frame on the field, with corners at whole paces (HFG-1.12).
func (w *siting) at(own []point) []point {
	f := geometry.Frame{At: point(w.At), Heading: geometry.Heading(w.Facing)}
	all := make([]point, len(own))
	for i, q := range own {
		all[i] = wholePaces(f.World(q))
	}
	return all
}

// square puts a square on the field, to the unit, so that its corners stay those of one.
func (w *siting) square(own []point) []point {
	lo, hi := geometry.Bounds(own)
	b := geometry.NewBody(geometry.Piece{Frame: geometry.Frame{At: point(w.At), Heading: geometry.Heading(w.Facing)}, Box: geometry.Box{U0: lo.X, V0: lo.Y, U1: hi.X, V1: hi.Y}})
	return b.Corner[:]
}

// wholePaces rounds a point to the nearest whole paces.
func wholePaces(p point) point {
	return point{X: geometry.RDiv(p.X, pace) * pace, Y: geometry.RDiv(p.Y, pace) * pace}
}

// rectangle is a box about a middle.
func rectangle(long, deep int64) []point {
	l, d := long/2, deep/2
	return []point{{X: -l, Y: -d}, {X: l, Y: -d}, {X: l, Y: d}, {X: -l, Y: d}}
}

// own is the outline of a piece in its own frame: as it was ordered, a square, or a rectangle
// whose corners are cut off by a quarter of its lesser extent (HFG-4.16, HFG-4.22).
func (p *terrainPiece) own() []point {
	long, deep := p.extent()
	switch {
	case len(p.Outline) > 0:
		return points(p.Outline)
	case p.Kind == buaPiece:
		return rectangle(long, deep)
	}
	l, d, cut := long/2, deep/2, min(long, deep)/4
	return []point{
		{X: -l + cut, Y: -d}, {X: l - cut, Y: -d}, {X: l, Y: -d + cut}, {X: l, Y: d - cut},
		{X: l - cut, Y: d}, {X: -l + cut, Y: d}, {X: -l, Y: d - cut}, {X: -l, Y: -d + cut},
	}
}

// leastCrest is how long a crest is at least, so that it has a direction.
const leastCrest = 2 * pace

// crestOf gives the crest of a hill in its own frame, and whether it is the rim of a flat top
// (HFG-4.11).
func (p *terrainPiece) crestOf() (crest []point, plateau bool) {
	long, deep := p.extent()
	middle := point{}
	if len(p.Outline) > 0 {
		lo, hi := geometry.Bounds(points(p.Outline))
		middle = point{X: (lo.X + hi.X) / 2, Y: (lo.Y + hi.Y) / 2}
	}
	if p.Slope == gentle && min(long, deep)-2*flatTop*pace >= leastCrest {
		crest, plateau = rectangle(long-2*flatTop*pace, deep-2*flatTop*pace), true
	} else if half := max(long-deep, deep-long, leastCrest) / 2; long >= deep {
		crest = []point{{X: -half}, {X: half}}
	} else {
		crest = []point{{Y: -half}, {Y: half}}
	}
	for i := range crest {
		crest[i] = crest[i].Plus(middle)
	}
	return crest, plateau
}

// area makes an area of a piece, or says why it can't lie there.
func (p *plot) area(x *terrainPiece, w *siting, id string) (areaDef, *play.Fault) {
	d := areaDef{id: id, kind: pieceDefs[x.Kind].ground, by: x.By}
	if x.Kind == waterwayPiece {
		d.outline = places(p.shore(x, w))
		d.from = x.Source
	} else if x.Kind == buaPiece {
		d.outline = places(w.square(x.own()))
	} else {
		d.outline = places(w.at(x.own()))
	}
	if x.Kind == hillPiece {
		crest, plateau := x.crestOf()
		d.slope, d.even, d.plateau, d.crest = x.Slope, true, plateau, places(w.at(crest))
	}
	return d, p.lies(x, &d, w)
}

// lies says why an area can't lie where it does.
func (p *plot) lies(x *terrainPiece, d *areaDef, w *siting) *play.Fault {
	outline := points(d.outline)
	lo, hi := geometry.Bounds(outline)
	if lo.X < 0 || lo.Y < 0 || hi.X > p.size.X || hi.Y > p.size.Y {
		return p.fault("HFG-4.5", "hfg.piece-off-field")
	}
	if flaw, _ := geometry.Polygon(outline); flaw != geometry.Sound {
		return p.fault("HFG-4.22", flaws[flaw])
	}
	f, a := geometry.Figure{P: outline, Closed: true}, geometry.NewArea(outline)
	if x.Kind == waterwayPiece {
		return p.reaches(x, w)
	}
	if !p.serves(x, &f) && !p.sections[0].nearest(f, p.size) {
		return p.fault("HFG-4.5", "hfg.piece-nearest", sectionText("section", p.sections[0]))
	}
	switch x.Kind {
	case buaPiece:
		if fault := p.astride(&f, &a); fault != nil {
			return fault
		}
	case marshPiece:
		if !p.wet(&f, &a) {
			return p.fault("HFG-4.10", "hfg.piece-marsh")
		}
	case hillPiece:
		for _, q := range points(d.crest) {
			if a.Where(q) < 0 {
				return p.fault("HFG-4.11", "hfg.piece-crest")
			}
		}
	}
	return p.clear(x.Kind, &f, &a)
}

// overlaps are the kinds of areas that may lie on each other: hills with what grows or stands
// on them (HFG-R141).
func overlaps(a, b ground) bool {
	if b == hill {
		a, b = b, a
	}
	return a == hill && (b == wood || b == slowGoing || b == bua)
}

// clear says why an area lies wrong beside others: on one on which it can't, with a gap under
// 400 paces (HFG-4.4), or on water.
func (p *plot) clear(kind pieceKind, f *geometry.Figure, a *geometry.Area) *play.Fault {
	own := pieceDefs[kind].ground
	for i := range p.areas {
		other := &p.areas[i]
		if apartBoxes(a, &p.outlines[i], pieceGap*pace) {
			continue
		}
		lapped := areasOverlap(a, &p.outlines[i])
		switch gap := geometry.Distance(*f, geometry.Figure{P: p.outlines[i].P, Closed: true}); {
		case lapped && !overlaps(own, other.kind):
			return p.fault("HFG-4.4", "hfg.piece-on", phrase.Literal("piece", other.id))
		case other.kind == waterway, gap <= slack, lapped:
		case gap < pieceGap*pace-pace/2:
			return p.fault("HFG-4.4", "hfg.piece-gap", phrase.Literal("piece", other.id), phrase.Number("gap", paces(gap)), phrase.Number("least", pieceGap))
		}
	}
	for i := range p.lines {
		d := &p.lines[i]
		dry := d.kind == gully && kind == marshPiece // HFG-4.9
		if !dry && (kind == marshPiece || d.kind != river && (kind != buaPiece || !d.water()) && (kind != hillPiece || d.kind != railway)) {
			continue
		}
		if geometry.Distance(*f, geometry.Figure{P: d.points}) <= int64(d.width)/2+slack {
			return p.fault(lineClauses[d.kind], "hfg.piece-on", phrase.Literal("piece", d.id))
		}
	}
	return nil
}

// lineClauses are the clauses of the kinds of lines.
var lineClauses = [...]string{road: "HFG-4.14", railway: "HFG-4.15", river: "HFG-4.8", stream: "HFG-4.7", gully: "HFG-4.9"}

// apartBoxes says whether the bounds of two areas are further apart than a distance.
func apartBoxes(a, b *geometry.Area, n int64) bool {
	return a.Lo.X > b.Hi.X+n || b.Lo.X > a.Hi.X+n || a.Lo.Y > b.Hi.Y+n || b.Lo.Y > a.Hi.Y+n
}

// areasOverlap says whether two areas overlap by more than a touch.
func areasOverlap(a, b *geometry.Area) bool {
	var room [8]geometry.Span
	for _, pair := range [2][2]*geometry.Area{{a, b}, {b, a}} {
		line := pair[0].P
		for i, q := range line {
			if len(pair[1].Chord(room[:0], q, line[(i+1)%len(line)], slack)) > 0 {
				return true
			}
		}
	}
	return a.Where(middleOf(b.P)) > 0 || b.Where(middleOf(a.P)) > 0
}

// middleOf is the mean of some points.
func middleOf(all []point) point {
	var sum point
	for _, q := range all {
		sum = sum.Plus(q)
	}
	n := int64(len(all))
	return point{X: geometry.RDiv(sum.X, n), Y: geometry.RDiv(sum.Y, n)}
}

// onRoad is how much of a road lies in a BUA at least, in paces (HFG-4.16).
const onRoad = 100

// astride says why a BUA doesn't lie on a road (HFG-4.16). A road may also run along its edge,
// between two sections of a town.
func (p *plot) astride(f *geometry.Figure, a *geometry.Area) *play.Fault {
	grown := geometry.NewArea(grow(a.P, slack))
	var room [8]geometry.Span
	for i := range p.lines {
		if p.lines[i].kind != road {
			continue
		}
		line := p.lines[i].points
		for j := 1; j < len(line); j++ {
			for _, s := range grown.Chord(room[:0], line[j-1], line[j], slack) {
				if s.High-s.Low >= onRoad*pace {
					return nil
				}
			}
		}
	}
	if p.unserved() != nil && p.serves(&terrainPiece{Kind: buaPiece}, f) {
		return nil // at the end of a road by the water
	}
	return p.fault("HFG-4.16", "hfg.piece-no-road")
}

// grow moves the corners of an outline away from its middle by so much on each axis.
func grow(outline []point, n int64) []point {
	middle := middleOf(outline)
	all := slices.Clone(outline)
	for i, q := range all {
		if q.X > middle.X {
			all[i].X += n
		} else {
			all[i].X -= n
		}
		if q.Y > middle.Y {
			all[i].Y += n
		} else {
			all[i].Y -= n
		}
	}
	return all
}

// wet says whether a marsh lies beside a waterway, or on a stream or river so that it juts out
// on both sides (HFG-4.10).
func (p *plot) wet(f *geometry.Figure, a *geometry.Area) bool {
	for i := range p.areas {
		if p.areas[i].kind == waterway && geometry.Distance(*f, geometry.Figure{P: p.outlines[i].P, Closed: true}) <= slack {
			return true
		}
	}
	var room [8]geometry.Span
	for i := range p.lines {
		d := &p.lines[i]
		if d.kind != stream && d.kind != river {
			continue
		}
		for j := 1; j < len(d.points); j++ {
			from, to := d.points[j-1], d.points[j]
			if len(a.Chord(room[:0], from, to, slack)) == 0 {
				continue
			}
			left, right := int64(0), int64(0)
			for _, q := range a.P {
				_, across := geometry.Leg(from, to, q)
				left, right = min(left, across), max(right, across)
			}
			if half := int64(d.width) / 2; left < -half-slack && right > half+slack {
				return true
			}
		}
	}
	return false
}

// shore is the outline of a waterway along a section: what lies between the section and a line
// that runs as far from it as was ordered, with its corners cut off, or through the bends
// (HFG-4.6).
func (p *plot) shore(x *terrainPiece, w *siting) []point {
	s := p.sections[0]
	a, b := s.ends(p.size)
	reach := int64(x.Size[0]) * pace
	in := s.inward(reach)
	outline := []point{a, b}
	if len(w.Bends) > 0 {
		line := points(w.Bends)
		if geometry.Dist2(line[0], b) > geometry.Dist2(line[len(line)-1], b) {
			slices.Reverse(line)
		}
		return append(outline, line...)
	}
	cut := reach / 4
	toward := func(end, other point) []point {
		if !s.long() || end.X == 0 || end.X == p.size.X {
			return []point{end.Plus(in)} // it runs on beyond the field
		}
		step := point{X: cut}
		if other.X < end.X {
			step.X = -cut
		}
		return []point{end.Plus(s.inward(reach - cut)), end.Plus(in).Plus(step)}
	}
	outline = append(outline, toward(b, a)...)
	last := toward(a, b)
	slices.Reverse(last)
	return append(outline, last...)
}

// reaches says why a waterway's shore is none: some of it lies too near to its edge of the
// field, or too far from it (HFG-4.6).
func (p *plot) reaches(x *terrainPiece, w *siting) *play.Fault {
	s := p.sections[0]
	a, b := s.ends(p.size)
	least, most := int64(pieceDefs[waterwayPiece].least)*pace, int64(pieceDefs[waterwayPiece].most)*pace
	for _, q := range points(w.Bends) {
		if d := geometry.DistSegment(q, a, b); d < least || d > most {
			return p.fault("HFG-4.6", "hfg.piece-reach", phrase.Number("n", paces(d)), phrase.Number("least", pieceDefs[waterwayPiece].least), phrase.Number("most", pieceDefs[waterwayPiece].most))
		}
	}
	if x.Source != (place{}) && !onEdge(point(x.Source), p.size) {
		return p.fault("HFG-4.6", "hfg.piece-not-edge")
	}
	return nil
}

// onEdge says whether a point lies on the edge of the field.
func onEdge(p point, size place) bool {
	return p.X == 0 || p.Y == 0 || p.X == size.X || p.Y == size.Y
}

// sectionText names a section.
func sectionText(name string, s section) phrase.Arg {
	return phrase.Keywords(name, []string{s.String()})
}
