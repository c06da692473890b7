package hfg

import (
	"slices"
	"strconv"

	"berthier/engine/geometry"
	"berthier/engine/play"
)

// How a piece comes to the field: what its owner wished, or the first legal place.

// A laid piece is an area or a line with its bridges.
type laid struct {
	area    *areaDef
	line    *lineDef
	bridges []bridge
}

// lay makes a piece of the field of what was ordered, or says why it can't lie there.
func (p *plot) lay(x *terrainPiece, w *siting, dry bool) (laid, *play.Fault) {
	id := p.nextID(x.Kind)
	if !x.Kind.line() {
		d, fault := p.area(x, w, id)
		return laid{area: &d}, fault
	}
	d, fault := p.line(x, w, id, dry)
	if fault != nil {
		return laid{}, fault
	}
	d.id = p.nextID(x.Kind)
	if d.kind == gully {
		d.id = p.numbered("gully")
	} else if d.kind == stream {
		d.id = p.numbered("stream")
	}
	return laid{line: &d, bridges: p.bridged(x, &d)}, nil
}

// nextID is how the next piece of a kind is called: hill-2.
func (p *plot) nextID(k pieceKind) string { return p.numbered(k.String()) }

// numbered is a word with the first number that no piece has.
func (p *plot) numbered(word string) string {
	for n := 1; ; n++ {
		id := word + "-" + strconv.Itoa(n)
		if _, taken := p.areaNamed(id); taken {
			continue
		}
		if _, taken := p.lineNamed(id); !taken {
			return id
		}
	}
}

// add puts a piece on the field: the plot gets a setting of its own with it.
func (p *plot) add(l laid) {
	s := *p.setting
	s.areas, s.lines, s.bridges = slices.Clone(s.areas), slices.Clone(s.lines), slices.Clone(s.bridges)
	if l.area != nil {
		s.areas = append(s.areas, *l.area)
	}
	if l.line != nil {
		s.lines = append(s.lines, *l.line)
	}
	for _, b := range l.bridges {
		b.ID = "bridge-" + strconv.Itoa(len(s.bridges)+1)
		s.bridges = append(s.bridges, b)
	}
	s.complete()
	p.setting = &s
}

// The steps in which the first legal place is looked for, in units.
const placeStep = 100 * pace

// first gives the first legal place of a piece: from the middle of the section inwards, then
// to both sides, in steps of 100 paces, facing 0, then 90. It is false if there is none.
func (p *plot) first(x *terrainPiece, dry bool) (siting, bool) {
	switch {
	case x.Kind == waterwayPiece:
		w := siting{}
		_, fault := p.lay(x, &w, dry)
		return w, fault == nil
	case x.Kind.line():
		return p.firstLine(x, dry)
	}
	s := p.sections[0]
	if q := p.unserved(); q != nil && x.Kind == buaPiece {
		if w, ok := p.firstAbout(x, *q); ok {
			return w, true
		}
	}
	a, b := s.ends(p.size)
	wide := max(b.X-a.X, b.Y-a.Y) / 2
	far := p.size.Y
	if !s.long() {
		far = p.size.X
	}
	for aside := range offsets(wide) {
		for ahead := int64(0); ahead <= far; ahead += placeStep {
			middle := s.middle(p.size).Plus(s.along(aside)).Plus(s.inward(ahead))
			if !p.reachable(x, middle) {
				continue
			}
			for _, facing := range []int{0, 90} {
				w := siting{At: place(wholePaces(middle)), Facing: facing}
				if _, fault := p.lay(x, &w, dry); fault == nil {
					return w, true
				}
			}
		}
	}
	return siting{}, false
}

// reachable says, at little cost, whether a piece about a middle may touch what it must lie on: a
// BUA a road, a marsh water.
func (p *plot) reachable(x *terrainPiece, middle point) bool {
	if x.Kind != buaPiece && x.Kind != marshPiece {
		return true
	}
	long, deep := x.extent()
	for i := range p.lines {
		d := &p.lines[i]
		if x.Kind == buaPiece && d.kind != road || x.Kind == marshPiece && d.kind != stream && d.kind != river {
			continue
		}
		if _, distance := geometry.Nearest(d.points, middle); distance <= long+deep {
			return true
		}
	}
	for i := range p.areas {
		if x.Kind == marshPiece && p.areas[i].kind == waterway && geometry.Depth(p.outlines[i].P, middle) <= long+deep {
			return true
		}
	}
	return false
}

// offsets gives 0, a step, a step back, two steps and so on, up to a distance.
func offsets(most int64) func(yield func(int64) bool) {
	return func(yield func(int64) bool) {
		if !yield(0) {
			return
		}
		for n := int64(placeStep); n <= most; n += placeStep {
			if !yield(n) || !yield(-n) {
				return
			}
		}
	}
}

// firstAbout gives the first legal place of a BUA that touches a point: beside it in the
// eight directions.
func (p *plot) firstAbout(x *terrainPiece, q point) (siting, bool) {
	long, _ := x.extent()
	for h := geometry.Heading(0); h < 360; h += 45 {
		for _, n := range []int64{long / 2, long * 7 / 10, long/2 - placeStep} {
			w := siting{At: place(wholePaces(q.Plus(geometry.Step(h, n))))}
			if _, fault := p.lay(x, &w, false); fault == nil {
				return w, true
			}
		}
	}
	return siting{}, false
}

// firstLine gives the first legal course of a line: straight from the middle of one section to
// that of the other, then from points further to both sides. A road that would meet no other
// goes by the point of another that is nearest to its middle; a bad one then ends there, if it
// must.
func (p *plot) firstLine(x *terrainPiece, dry bool) (siting, bool) {
	a, b := p.sections[0], p.sections[1]
	legal := func(w siting) bool {
		_, fault := p.lay(x, &w, dry)
		return fault == nil
	}
	across := x.Kind != railwayPiece && a == b // straight, whatever else is given (HFG-R15)
	if across && legal(siting{}) {
		return siting{}, true
	}
	one, two := a.ends(p.size)
	wide := max(two.X-one.X, two.Y-one.Y) / 2
	for aside := range offsets(wide) {
		from := place(wholePaces(a.middle(p.size).Plus(a.along(aside))))
		w := siting{From: from}
		if legal(w) {
			return w, true
		}
		if x.Kind != roadPiece || across {
			continue
		}
		to := b.middle(p.size)
		if q, ok := p.nearRoad(middleOf([]point{point(from), to})); ok {
			for _, w := range []siting{{From: from, Bends: []place{place(q)}}, {From: from, To: place(q)}} {
				if legal(w) {
					return w, true
				}
			}
		}
	}
	return siting{}, false
}

// nearRoad is the point of the roads that is nearest to a point, at whole paces.
func (p *plot) nearRoad(q point) (point, bool) {
	best, least := point{}, int64(-1)
	for i := range p.lines {
		if d := &p.lines[i]; d.kind == road {
			position, distance := geometry.Nearest(d.points, q)
			if least < 0 || distance < least {
				best, least = wholePaces(geometry.Along(d.points, position)), distance
			}
		}
	}
	return best, least >= 0
}

// wished gives the place that the owner of a piece has wished for what the dice show; false if
// he has none that is legal.
func (p *plot) wished(x *terrainPiece, dry bool) (siting, bool) {
	w, ok := p.wish(x)
	if !ok {
		return siting{}, false
	}
	_, fault := p.lay(x, &w, dry)
	return w, fault == nil
}

// wish gives what the owner has wished for the sections that the dice show: of a line the ends
// by its sections, and the bends by both.
func (p *plot) wish(x *terrainPiece) (siting, bool) {
	of := func(key string) *siting {
		i := slices.IndexFunc(x.Where, func(w wish) bool { return w.For == key })
		if i < 0 {
			return nil
		}
		return &x.Where[i].Siting
	}
	a, b := p.sections[0], p.sections[1]
	if !x.Kind.line() || x.Kind == railwayPiece {
		if w := of(a.String()); w != nil {
			return *w, true
		}
		return siting{}, false
	}
	if w := of(a.String() + "-" + b.String()); w != nil {
		return *w, true
	}
	if w := of(b.String() + "-" + a.String()); w != nil {
		back := siting{From: w.To, To: w.From, Bends: slices.Clone(w.Bends)}
		slices.Reverse(back.Bends)
		return back, true
	}
	one, two := of(a.String()), of(b.String())
	if one == nil || two == nil {
		return siting{}, false
	}
	return siting{From: one.At, To: two.At}, true
}
