package napoleon

import (
	"slices"
	"sync"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/sheet"
)

// A chart is the part of the map that depends on the scenario alone: it never changes, so
// it is made once. A scenario without a chart is charted anew each time.
type chart struct {
	once       sync.Once
	at         []engine.Point // of the towns, on the sheet
	day, night []engine.Mark
	named      [2][]engine.Name // of the towns, by day and by night
	clutter    clutter
	card       sheet.Box   // title and calendar
	names      []sheet.Box // of the towns
	kept       []sheet.Box // what no panel may cover: towns, their names, cards
}

func (s *scenario) charted() *chart {
	c := s.chart
	if c == nil {
		c = &chart{}
	}
	c.once.Do(func() { c.make(s) })
	return c
}

// A scale takes places of the scenario to places of the sheet.
type scale struct{ x, y, num, den, left, top int }

func (s scale) at(x, y int) engine.Point {
	return sheet.At(s.left+sheet.RoundDiv((x-s.x)*s.num, s.den), s.top+sheet.RoundDiv((y-s.y)*s.num, s.den))
}

// scale fits the scenario's towns on the sheet. The frame of 1000 by 800 that
// scenario files are drawn in is kept if all towns lie in it and fill most of
// it; else the towns' own frame is used.
func (s *scenario) scale() scale {
	x0, y0, x1, y1 := 1<<30, 1<<30, -1<<30, -1<<30
	for i := range s.towns {
		t := &s.towns[i]
		x0, y0, x1, y1 = min(x0, t.x), min(y0, t.y), max(x1, t.x), max(y1, t.y)
	}
	if x0 >= 0 && y0 >= 0 && x1 <= 1000 && y1 <= 800 && x1-x0 >= 500 && y1-y0 >= 400 {
		return scale{num: mapWidth, den: 1000}
	}
	w, h := max(1, x1-x0), max(1, y1-y0)
	const margin = 110
	out := scale{x: x0, y: y0, num: mapWidth - 2*margin, den: w}
	if (mapHeight-2*margin)*w < out.num*h {
		out.num, out.den = mapHeight-2*margin, h
	}
	out.left = (mapWidth - w*out.num/out.den) / 2
	out.top = (mapHeight - h*out.num/out.den) / 2
	return out
}

// nameplace is where the name of a town stands: the label's point and anchor,
// and about the box that it fills. It is the side that the file names, or, if
// the name would leave the sheet there, the first side where it does not.
func (s *scenario) nameplace(t *town, at engine.Point) (engine.Point, sheet.Lettering, sheet.Box) {
	place := func(side string) (engine.Point, sheet.Lettering, sheet.Box) {
		l := sheet.Lettering{Size: townText}
		off, at := townDot+6, at
		if t.city {
			l.Size, l.Bold, off = cityText, true, cityDot+6
		}
		w, h := sheet.TextWidth(t.name, l.Size, l.Bold), l.Size
		switch side {
		case "north":
			at.Y -= off + h/2 - 3
			return at, l, sheet.Box{X: at.X - w/2, Y: at.Y - h/2, W: w, H: h}
		case "south":
			at.Y += off + h/2 - 3
			return at, l, sheet.Box{X: at.X - w/2, Y: at.Y - h/2, W: w, H: h}
		case "west":
			at.X -= off
			l.Anchor = engine.End
			return at, l, sheet.Box{X: at.X - w, Y: at.Y - h/2, W: w, H: h}
		}
		at.X += off
		l.Anchor = engine.Start
		return at, l, sheet.Box{X: at.X, Y: at.Y - h/2, W: w, H: h}
	}
	for _, side := range [...]string{t.label, "south", "north", "east", "west"} {
		if p, l, b := place(side); inside(b) {
			return p, l, b
		}
	}
	return place(t.label)
}

// make charts a scenario.
func (c *chart) make(s *scenario) {
	g := ground{chart: c, s: s}
	g.survey()
	g.days, g.parts = s.calendar()
	r := newClutter()
	g.weigh(r)
	c.card = r.free(max(330, 84+26*len(g.days)), 66+17*len(g.parts), sheet.At(mapWidth, 0))
	r.raise(c.card, 300)
	g.key = r.free(188, 16+15*len(s.legend()), sheet.At(0, mapHeight))
	r.raise(g.key, 300)
	g.arms = r.free(300, 80, sheet.At(mapWidth, mapHeight))
	r.raise(g.arms, 300)
	c.kept = append(c.kept, c.card, g.key, g.arms)
	c.clutter = r.total()
	c.day, c.night = g.draw(&dayInks), g.draw(&nightInks)
	c.named = [2][]engine.Name{g.labels(c.day), g.labels(c.night)}
}

// A ground holds what a chart is made from.
type ground struct {
	*chart
	s           *scenario
	rivers      [][]engine.Point
	lines       [][]engine.Point
	bridges     []bridge
	waters      []engine.Point // where the names of the rivers stand
	days, parts []string       // of the calendar
	key, arms   sheet.Box
}

// survey finds where towns, rivers, lines and bridges are on the sheet.
func (g *ground) survey() {
	s, scale := g.s, g.s.scale()
	g.at = make([]engine.Point, len(s.towns))
	for i := range s.towns {
		g.at[i] = scale.at(s.towns[i].x, s.towns[i].y)
	}
	g.rivers = make([][]engine.Point, len(s.rivers))
	for i := range s.rivers {
		g.rivers[i] = smooth(scale.course(s.rivers[i].points))
	}
	g.lines = make([][]engine.Point, len(s.lines))
	for i := range s.lines {
		g.lines[i] = scale.course(s.lines[i].points)
	}
	g.bridges = s.bridges(g.at, g.rivers)
}

// weigh says how much would be hidden by covering each place, and finds places for
// the rivers' names in what is left.
func (g *ground) weigh(r *clutter) {
	s := g.s
	for _, river := range g.rivers {
		for i := 1; i < len(river); i++ {
			r.raiseLine(river[i-1], river[i], 1)
		}
	}
	for _, road := range s.roads {
		weight := int32(2)
		if road.main {
			weight = 4
		}
		r.raiseLine(g.at[road.a], g.at[road.b], weight)
	}
	for _, b := range g.bridges {
		r.raise(sheet.Box{X: b.at.X - 5, Y: b.at.Y - 5, W: 10, H: 10}, 12)
	}
	for i := range s.towns {
		t := &s.towns[i]
		dot := townDot + 3
		if t.city {
			dot = cityDot + 4
		}
		town := sheet.Box{X: g.at[i].X - dot, Y: g.at[i].Y - dot, W: 2 * dot, H: 2 * dot}
		r.raise(town, 250)
		_, _, name := s.nameplace(t, g.at[i])
		r.raise(name, 250)
		g.chart.names = append(g.chart.names, name)
		g.kept = append(g.kept, town.Grown(-2), name)
	}
	g.waters = make([]engine.Point, len(g.rivers))
	for i := range g.rivers {
		at, b := riverName(r, g.rivers[i], s.rivers[i].id, play.InLanguage(s.rivers[i].name, "en", s.rivers[i].id))
		g.waters[i] = at
		r.raise(b, 20)
	}
}

// draw draws the ground, by day or by night.
func (g *ground) draw(p *palette) []engine.Mark {
	s := g.s
	b := newBrush(4*len(s.roads) + 8*len(s.towns) + 200)
	for _, river := range g.rivers {
		b.Curve(p.river, 50, river...)
	}
	for i := range s.lines {
		switch s.lines[i].id {
		case "border":
			b.Dashed(p.border, 24, 10, g.lines[i]...)
		default:
			b.Dashed(p.line, 20, 4, g.lines[i]...)
		}
	}
	g.drawRoads(b, p)
	for _, bridge := range g.bridges {
		b.bridge(bridge, p)
	}
	for i := range g.rivers {
		b.Label(g.waters[i], sheet.Name("river", s.rivers[i].id), sheet.Lettering{Size: 12, Ink: p.bank, Rim: p.paper})
	}
	for i := range s.towns {
		b.town(&s.towns[i], g.at[i], p)
	}
	for i := range s.towns {
		at, l, _ := s.nameplace(&s.towns[i], g.at[i])
		l.Ink, l.Rim = p.text, p.paper
		b.Label(at, sheet.Name("town", s.towns[i].id), l)
	}
	b.card(s, g.card, g.days, g.parts)
	b.legend(s, g.key, p)
	b.arms(g.arms)
	return b.Marks()
}

// labels are the names of the towns among the marks of a ground.
func (g *ground) labels(marks []engine.Mark) []engine.Name {
	all := make([]engine.Name, len(g.s.towns))
	for i := range g.s.towns {
		at := slices.IndexFunc(marks, func(m engine.Mark) bool { return m.Text.Kind == "town" && m.Text.Text == g.s.towns[i].id })
		all[i] = engine.Name{Box: g.chart.names[i], Label: marks[at]}
	}
	return all
}

// drawRoads draws the secondary roads, and over them the main ones, all of their
// casings first, so that they join.
func (g *ground) drawRoads(b *brush, p *palette) {
	for _, road := range g.s.roads {
		if !road.main {
			b.Line(p.lane, 16, g.at[road.a], g.at[road.b])
		}
	}
	for _, road := range g.s.roads {
		if road.main {
			b.Line(p.casing, 52, g.at[road.a], g.at[road.b])
		}
	}
	for _, road := range g.s.roads {
		if road.main {
			b.Line(p.road, 28, g.at[road.a], g.at[road.b])
		}
	}
}

func (s scale) course(points []engine.Point) []engine.Point {
	out := make([]engine.Point, len(points))
	for i, p := range points {
		out[i] = s.at(p.X, p.Y)
	}
	return out
}

// town draws a town's dot: a city has a star in it, a supply town a ring in the
// colour of its army.
func (b *brush) town(t *town, at engine.Point, p *palette) {
	if t.loss > 0 {
		b.Disc(at, cityDot+4, p.dot, p.edge, 10)
		b.Disc(at, cityDot+2, "", armyInks[t.supply], 34)
	}
	if t.city {
		b.Disc(at, cityDot-1, p.dot, p.edge, 16)
		b.Polygon(p.edge, "", 0, sheet.Star(at, cityDot-2)...)
		return
	}
	b.Disc(at, townDot, p.dot, p.edge, 18)
}

// bridge draws the two parapets of a bridge.
func (b *brush) bridge(br bridge, p *palette) {
	half, off, turn := 5, 4, 2 // half length, distance from the road, wing walls
	if !br.main {
		off = 3
	}
	along := func(n, side int) engine.Point {
		return sheet.At(br.at.X+sheet.RoundDiv(br.along.X*n-br.along.Y*side, 100), br.at.Y+sheet.RoundDiv(br.along.Y*n+br.along.X*side, 100))
	}
	for _, side := range [2]int{-1, 1} {
		b.Line(p.edge, 15, along(-half-1, side*(off+turn)), along(-half+2, side*off), along(half-2, side*off), along(half+1, side*(off+turn)))
	}
}
