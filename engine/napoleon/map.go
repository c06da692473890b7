package napoleon

import (
	"slices"
	"sync"

	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// Size of the map's sheet and of what stands on it.
const (
	mapWidth  = 900
	mapHeight = 720
	cellSize  = 6 // of the grid that tells where there is room
	townDot   = 5
	cityDot   = 9
	townText  = 13
	cityText  = 15
	blockW    = 34
	blockH    = 26
	blockGap  = 2
	panelPad  = 3
)

// A palette is the inks of the ground, by day or by night.
type palette struct {
	paper, river, casing, road, lane, border, line, dot, edge, text, bank engine.Ink
}

var dayInks = palette{
	paper: "#f3ead3", river: "#7fb0cf", bank: "#5f92b5", casing: "#4a3a28", road: "#f7d98c", lane: "#6b5942",
	border: "#a33b2f", line: "#3f6b3a", dot: "#fdfaf1", edge: "#1d1b18", text: "#1d1b18",
}

var nightInks = palette{
	paper: "#2a3348", river: "#53779d", bank: "#6f93b8", casing: "#0f1420", road: "#c9b27a", lane: "#94886f",
	border: "#e08a78", line: "#9cc98f", dot: "#e9e4d4", edge: "#0b0e16", text: "#f4efdf",
}

// A chart is what the map draws of a scenario: it never changes, so it is made
// once. A scenario without one is charted anew each time.
type chart struct {
	once       sync.Once
	at         []engine.Point // of the towns, on the sheet
	day, night []engine.Mark
	clutter    clutter
	card       sheet.Box // title and calendar
}

func (s *scenario) charted() *chart {
	c := s.chart
	if c == nil {
		c = &chart{}
	}
	c.once.Do(func() { c.make(s) })
	return c
}

// A clutter is a grid over the sheet that tells how much would be lost by
// covering a place: sums from the upper left corner, so that any box takes four looks.
type clutter struct {
	w, h int
	sums []int32
}

func newClutter() *clutter {
	r := &clutter{w: mapWidth/cellSize + 1, h: mapHeight/cellSize + 1}
	r.sums = make([]int32, r.w*r.h)
	return r
}

// raise gives the cells of a box at least this weight. It is for before total.
func (r *clutter) raise(b sheet.Box, weight int32) {
	for y := max(0, b.Y/cellSize); y <= (b.Y+b.H)/cellSize && y < r.h; y++ {
		for x := max(0, b.X/cellSize); x <= (b.X+b.W)/cellSize && x < r.w; x++ {
			r.sums[y*r.w+x] = max(r.sums[y*r.w+x], weight)
		}
	}
}

// raiseLine does so along a line.
func (r *clutter) raiseLine(a, b engine.Point, weight int32) {
	if max(a.X, b.X) < 0 || max(a.Y, b.Y) < 0 || min(a.X, b.X) > mapWidth || min(a.Y, b.Y) > mapHeight {
		return
	}
	steps := min(max(abs(b.X-a.X), abs(b.Y-a.Y))/3+1, mapWidth)
	for i := range steps + 1 {
		r.raise(sheet.Box{X: a.X + (b.X-a.X)*i/steps, Y: a.Y + (b.Y-a.Y)*i/steps, W: 0, H: 0}, weight)
	}
}

// total turns weights into sums.
func (r *clutter) total() clutter {
	t := clutter{r.w, r.h, make([]int32, len(r.sums))}
	for y := range r.h {
		row := int32(0)
		for x := range r.w {
			row += r.sums[y*r.w+x]
			t.sums[y*r.w+x] = row
			if y > 0 {
				t.sums[y*r.w+x] += t.sums[(y-1)*r.w+x]
			}
		}
	}
	return t
}

// under is the weight of a box, by sums.
func (r *clutter) under(b sheet.Box) int {
	x0, y0 := max(0, b.X/cellSize)-1, max(0, b.Y/cellSize)-1
	x1, y1 := min(r.w-1, (b.X+b.W)/cellSize), min(r.h-1, (b.Y+b.H)/cellSize)
	if x1 <= x0 || y1 <= y0 {
		return 0
	}
	n := r.sums[y1*r.w+x1]
	if x0 >= 0 {
		n -= r.sums[y1*r.w+x0]
	}
	if y0 >= 0 {
		n -= r.sums[y0*r.w+x1]
		if x0 >= 0 {
			n += r.sums[y0*r.w+x0]
		}
	}
	return int(n)
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// inside tells whether a box lies on the sheet with a little margin.
func inside(b sheet.Box) bool {
	return b.X >= 5 && b.Y >= 5 && b.X+b.W <= mapWidth-5 && b.Y+b.H <= mapHeight-5
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
	scale := s.scale()
	c.at = make([]engine.Point, len(s.towns))
	for i := range s.towns {
		c.at[i] = scale.at(s.towns[i].x, s.towns[i].y)
	}
	rivers := make([][]engine.Point, len(s.rivers))
	for i := range s.rivers {
		rivers[i] = smooth(scale.course(s.rivers[i].points))
	}
	lines := make([][]engine.Point, len(s.lines))
	for i := range s.lines {
		lines[i] = scale.course(s.lines[i].points)
	}
	bridges := s.bridges(c.at, rivers)

	r := newClutter()
	for _, river := range rivers {
		for i := 1; i < len(river); i++ {
			r.raiseLine(river[i-1], river[i], 1)
		}
	}
	for _, road := range s.roads {
		weight := int32(2)
		if road.main {
			weight = 4
		}
		r.raiseLine(c.at[road.a], c.at[road.b], weight)
	}
	for _, b := range bridges {
		r.raise(sheet.Box{X: b.at.X - 5, Y: b.at.Y - 5, W: 10, H: 10}, 12)
	}
	for i := range s.towns {
		t := &s.towns[i]
		dot := townDot + 3
		if t.city {
			dot = cityDot + 4
		}
		r.raise(sheet.Box{X: c.at[i].X - dot, Y: c.at[i].Y - dot, W: 2 * dot, H: 2 * dot}, 250)
		_, _, name := s.nameplace(t, c.at[i])
		r.raise(name, 250)
	}
	names := make([]engine.Point, len(rivers))
	for i := range rivers {
		at, b := riverName(r, rivers[i], s.rivers[i].id, inLanguage(s.rivers[i].name, "en", s.rivers[i].id))
		names[i] = at
		r.raise(b, 20)
	}
	days, parts := s.calendar()
	c.card = r.free(max(330, 84+26*len(days)), 66+17*len(parts), sheet.At(mapWidth, 0))
	r.raise(c.card, 300)
	key := r.free(188, 16+15*len(s.legend()), sheet.At(0, mapHeight))
	r.raise(key, 300)
	arms := r.free(300, 80, sheet.At(mapWidth, mapHeight))
	r.raise(arms, 300)
	c.clutter = r.total()

	draw := func(p *palette) []engine.Mark {
		b := newBrush(4*len(s.roads) + 8*len(s.towns) + 200)
		for _, river := range rivers {
			b.Curve(p.river, 50, river...)
		}
		for i := range s.lines {
			switch s.lines[i].id {
			case "border":
				b.Dashed(p.border, 24, 10, lines[i]...)
			default:
				b.Dashed(p.line, 20, 4, lines[i]...)
			}
		}
		for _, road := range s.roads {
			if !road.main {
				b.Line(p.lane, 16, c.at[road.a], c.at[road.b])
			}
		}
		for _, road := range s.roads {
			if road.main {
				b.Line(p.casing, 52, c.at[road.a], c.at[road.b])
			}
		}
		for _, road := range s.roads {
			if road.main {
				b.Line(p.road, 28, c.at[road.a], c.at[road.b])
			}
		}
		for _, bridge := range bridges {
			b.bridge(bridge, p)
		}
		for i := range rivers {
			b.Label(names[i], sayName("river", s.rivers[i].id), sheet.Lettering{Size: 11, Ink: p.bank, Rim: p.paper})
		}
		for i := range s.towns {
			b.town(&s.towns[i], c.at[i], p)
		}
		for i := range s.towns {
			at, l, _ := s.nameplace(&s.towns[i], c.at[i])
			l.Ink, l.Rim = p.text, p.paper
			b.Label(at, sayName("town", s.towns[i].id), l)
		}
		b.card(s, c.card, days, parts)
		b.legend(s, key, p)
		b.arms(arms)
		return b.Marks()
	}
	c.day, c.night = draw(&dayInks), draw(&nightInks)
}

func (s scale) course(points []engine.Point) []engine.Point {
	out := make([]engine.Point, len(points))
	for i, p := range points {
		out[i] = s.at(p.X, p.Y)
	}
	return out
}

// smooth bends a course through its points: three points are set between each
// two, on a Catmull-Rom spline, so that bridges stand where the river is drawn.
func smooth(points []engine.Point) []engine.Point {
	if len(points) < 3 {
		return points
	}
	out := make([]engine.Point, 0, 4*len(points))
	last := len(points) - 1
	for i := range last {
		p0, p1, p2, p3 := points[max(0, i-1)], points[i], points[i+1], points[min(last, i+2)]
		out = append(out, p1)
		for t := 1; t <= 3; t++ { // quarters of the way
			spline := func(a, b, c, d int) int {
				return sheet.RoundDiv(2*b*64+(c-a)*t*16+(2*a-5*b+4*c-d)*t*t*4+(3*b-a-3*c+d)*t*t*t, 128)
			}
			out = append(out, sheet.At(spline(p0.X, p1.X, p2.X, p3.X), spline(p0.Y, p1.Y, p2.Y, p3.Y)))
		}
	}
	return append(out, points[last])
}

// bridge is where a road crosses a river.
type bridge struct {
	at    engine.Point
	along engine.Point // the road's direction, 100 long
	main  bool
}

// bridges finds where roads with a river cross one.
func (s *scenario) bridges(at []engine.Point, rivers [][]engine.Point) []bridge {
	var out []bridge
	for _, road := range s.roads {
		if !road.river {
			continue
		}
		a, b := at[road.a], at[road.b]
		cross, ok := engine.Point{}, false
		for _, river := range rivers {
			for i := 1; i < len(river) && !ok; i++ {
				cross, ok = crossing(a, b, river[i-1], river[i])
			}
		}
		if !ok { // a bridge that the file's rivers don't show stands halfway
			cross = sheet.At((a.X+b.X)/2, (a.Y+b.Y)/2)
		}
		d := sheet.At(b.X-a.X, b.Y-a.Y)
		length := max(1, root(d.X*d.X+d.Y*d.Y))
		out = append(out, bridge{cross, sheet.At(d.X*100/length, d.Y*100/length), road.main})
	}
	return out
}

// crossing is where two straight lines cross, if they do.
func crossing(a, b, c, d engine.Point) (engine.Point, bool) {
	rx, ry, sx, sy := b.X-a.X, b.Y-a.Y, d.X-c.X, d.Y-c.Y
	det := rx*sy - ry*sx
	if det == 0 {
		return engine.Point{}, false
	}
	t := (c.X-a.X)*sy - (c.Y-a.Y)*sx
	u := (c.X-a.X)*ry - (c.Y-a.Y)*rx
	if det < 0 {
		det, t, u = -det, -t, -u
	}
	if t < 0 || t > det || u < 0 || u > det {
		return engine.Point{}, false
	}
	return sheet.At(a.X+sheet.RoundDiv(rx*t, det), a.Y+sheet.RoundDiv(ry*t, det)), true
}

// riverName finds the place beside a river where its name covers least.
func riverName(r *clutter, river []engine.Point, id, text string) (engine.Point, sheet.Box) {
	w, h := sheet.TextWidth(text, 11, false), 11
	best, where, cost := engine.Point{}, sheet.Box{}, 1<<30
	for i := 1; i < len(river); i++ {
		a, b := river[i-1], river[i]
		for _, off := range [...]engine.Point{{X: 0, Y: -11}, {X: 0, Y: 11}, {X: w/2 + 6, Y: 0}, {X: -w/2 - 6, Y: 0}} {
			m := sheet.At((a.X+b.X)/2+off.X, (a.Y+b.Y)/2+off.Y)
			at := sheet.Box{X: m.X - w/2, Y: m.Y - h/2, W: w, H: h}
			if !inside(at) {
				continue
			}
			if n := r.weigh(at); n < cost {
				best, where, cost = m, at, n
			}
		}
	}
	return best, where
}

// weigh adds up the weights of a box before they are summed.
func (r *clutter) weigh(b sheet.Box) int {
	n := 0
	for y := max(0, b.Y/cellSize); y <= (b.Y+b.H)/cellSize && y < r.h; y++ {
		for x := max(0, b.X/cellSize); x <= (b.X+b.W)/cellSize && x < r.w; x++ {
			n += int(r.sums[y*r.w+x])
		}
	}
	return n
}

// free finds the place for a box of this size where it covers least, and of
// several the one nearest to a corner.
func (r *clutter) free(w, h int, corner engine.Point) sheet.Box {
	t := r.total()
	best, cost := sheet.Box{}, 1<<30
	for y := 6; y+h <= mapHeight-6; y += cellSize {
		for x := 6; x+w <= mapWidth-6; x += cellSize {
			b := sheet.Box{X: x, Y: y, W: w, H: h}
			far := min(abs(x-6), abs(mapWidth-6-x-w)) + min(abs(y-6), abs(mapHeight-6-y-h))
			m := b.Middle()
			n := t.under(b)*20 + far*20 + (abs(m.X-corner.X)+abs(m.Y-corner.Y))/10
			if n < cost {
				best, cost = b, n
			}
		}
	}
	// Flush with the edges that it is near.
	if abs(mapWidth-6-best.X-best.W) < cellSize {
		best.X = mapWidth - 6 - best.W
	}
	if abs(mapHeight-6-best.Y-best.H) < cellSize {
		best.Y = mapHeight - 6 - best.H
	}
	return best
}

// calendar lists the days of the turn track and the parts of a day.
func (s *scenario) calendar() (days, parts []string) {
	for _, t := range s.turns {
		if !slices.Contains(days, t.date) {
			days = append(days, t.date)
		}
		if !slices.Contains(parts, t.part) {
			parts = append(parts, t.part)
		}
	}
	return days, parts
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

// card draws the frame of title and calendar; the turns themselves change.
func (b *brush) card(s *scenario, r sheet.Box, days, parts []string) {
	b.Box(r, inkCard, inkBlack, 12)
	b.Box(r.Grown(-3), "", inkShade, 6)
	b.Label(sheet.At(r.X+r.W/2, r.Y+17), sayName("scenario", s.name), sheet.Lettering{Size: 14, Bold: true, Ink: inkBlack})
	for i, day := range days {
		c := calendarCell(r, len(days), i, 0)
		b.Label(sheet.At(c.X+c.W/2, c.Y-8), sayText(dayOf(day)), sheet.Lettering{Size: 11, Ink: inkBlack})
	}
	for i, part := range parts {
		c := calendarCell(r, len(days), 0, i)
		b.Label(sheet.At(c.X-6, c.Y+c.H/2), sayName("part", part), sheet.Lettering{Size: 11, Ink: inkBlack, Anchor: engine.End})
	}
}

// dayOf is the day of the month of a date, without leading zero.
func dayOf(date string) string {
	if n := len(date); n >= 2 {
		if date[n-2] == '0' {
			return date[n-1:]
		}
		return date[n-2:]
	}
	return date
}

func calendarCell(card sheet.Box, days, day, part int) sheet.Box {
	left := card.X + (card.W-(72+26*days))/2 + 72
	return sheet.Box{X: left + 26*day, Y: card.Y + 58 + 17*part, W: 24, H: 15}
}

// legend lists what the ground shows.
func (s *scenario) legend() []string {
	all := []string{"main-road", "secondary-road", "bridge", "town", "supply"}
	for i := range s.lines {
		all = append(all, s.lines[i].id)
	}
	return all
}

func (b *brush) legend(s *scenario, r sheet.Box, p *palette) {
	b.Box(r, p.paper, inkBlack, 12)
	for i, what := range s.legend() {
		y := r.Y + 15 + 15*i
		from, to := sheet.At(r.X+9, y), sheet.At(r.X+37, y)
		label := sayPhrase("nap.map.legend-" + what)
		switch what {
		case "main-road":
			b.Line(p.casing, 52, from, to)
			b.Line(p.road, 28, from, to)
		case "secondary-road":
			b.Line(p.lane, 16, from, to)
		case "bridge":
			b.Line(p.river, 50, sheet.At(r.X+23, y-6), sheet.At(r.X+23, y+6))
			b.Line(p.lane, 16, from, to)
			b.bridge(bridge{at: sheet.At(r.X+23, y), along: sheet.At(100, 0)}, p)
		case "town":
			b.Disc(sheet.At(r.X+23, y), townDot, p.dot, p.edge, 18)
		case "supply":
			at := sheet.At(r.X+23, y)
			b.Disc(at, 7, p.dot, armyInks[angloDutch], 26)
			b.Polygon(p.edge, "", 0, sheet.Star(at, 5)...)
		default:
			if what == "border" {
				b.Dashed(p.border, 24, 10, from, to)
			} else {
				b.Dashed(p.line, 20, 4, from, to)
			}
		}
		b.Label(sheet.At(r.X+45, y), label, sheet.Lettering{Size: 11, Ink: p.text, Anchor: engine.Start})
	}
}

// arms explains the blocks.
func (b *brush) arms(r sheet.Box) {
	b.Box(r, inkCard, inkBlack, 12)
	all := [...]string{"infantry", "light-cavalry", "heavy-cavalry", "foot-artillery", "horse-artillery",
		"leader", "strength", "hidden", "disrupted", "battle"}
	for i, what := range all {
		x, y := r.X+8, r.Y+12+14*i
		if i >= 5 {
			x, y = r.X+166, y-70
		}
		label := sayPhrase("nap.map.legend-" + what)
		sign := sheet.Box{X: x + 2, Y: y - 5, W: 20, H: 11}
		switch what {
		case "strength":
			b.Box(sign, armyInks[french], "", 0)
			b.Label(sign.Middle(), sayText("3"), sheet.Lettering{Size: 11, Bold: true, Ink: inkWhite})
		case "hidden":
			b.Box(sheet.Box{X: sign.X, Y: sign.Y, W: sign.W + 4, H: sign.H}, armyInks[prussian], "", 0)
			b.Label(sheet.At(sign.X+12, y), sayText("P×3"), sheet.Lettering{Size: 10, Bold: true, Ink: inkWhite})
		case "disrupted":
			b.Box(sign, armyInks[french], "", 0)
			b.disrupted(sign)
		case "battle":
			b.swords(sheet.At(x+12, y), 7)
		default:
			k := kind(slices.Index(kindWords[:], what))
			b.Box(sign, armyInks[french], "", 0)
			b.symbol(sheet.Box{X: sign.X + 3, Y: sign.Y + 1, W: 14, H: 9}, k, inkWhite, 12)
			label = sayName("kind", what)
		}
		b.Label(sheet.At(x+32, y), label, sheet.Lettering{Size: 11, Ink: inkBlack, Anchor: engine.Start})
	}
}

// disrupted marks a block whose unit has retreated (NAP-7.3): a stripe along its
// left edge.
func (b *brush) disrupted(r sheet.Box) {
	b.Box(sheet.Box{X: r.X, Y: r.Y, W: max(3, r.W/9), H: r.H}, inkMarker, inkBlack, 8)
}

// A token is what the map shows as one block: a unit that the side can name, or
// the hidden units of one army, counted.
type token struct {
	unit      *unit // nil: hidden
	army      army
	n         int
	disrupted bool
}

// A stack is what stands in a town: the viewer's tokens, then the enemy's.
type stack struct {
	town   townID
	own    []token
	enemy  []token
	battle bool
	panel  sheet.Box
	cols   int
}

// cells is how many blocks a stack takes in a grid of some columns.
func (s *stack) rows(cols int) int {
	return (len(s.own)+cols-1)/cols + (len(s.enemy)+cols-1)/cols
}

// stacks sorts what the side can see by towns. Enemy tokens stand in an order
// that does not depend on what they hide: named units by id, then counts.
func (v *View) stacks() []stack {
	own := v.camp()
	all := make([]stack, len(v.towns))
	tokens := make([]token, 0, len(v.units)) // one array for all towns' own tokens
	hidden := make([][armies][2]int16, len(v.towns))
	counts := make([]int, len(v.towns))
	for i := range v.units {
		if u := &v.units[i]; u.town != noTown && !u.dead {
			counts[u.town]++
		}
	}
	for t := range all {
		all[t].town = townID(t)
		if counts[t] > 0 {
			n := len(tokens)
			tokens = tokens[:n+counts[t]]
			all[t].own = tokens[n:n:len(tokens)]
		}
	}
	for i := range v.units {
		u := &v.units[i]
		if u.town == noTown || u.dead {
			continue
		}
		s := &all[u.town]
		switch {
		case u.id == noUnit:
			d := 0
			if u.disrupted {
				d = 1
			}
			hidden[u.town][u.army][d]++
		case u.army.camp() == own:
			s.own = append(s.own, token{unit: u, army: u.army, n: 1, disrupted: u.disrupted})
		default:
			s.enemy = append(s.enemy, token{unit: u, army: u.army, n: 1, disrupted: u.disrupted})
		}
	}
	for t := range all {
		s := &all[t]
		for a := range hidden[t] {
			for d, n := range hidden[t][a] {
				if n == 0 {
					continue
				}
				block := token{army: army(a), n: int(n), disrupted: d == 1}
				if army(a).camp() == own { // of an ally who is apart
					s.own = append(s.own, block)
				} else {
					s.enemy = append(s.enemy, block)
				}
			}
		}
	}
	for i := range v.battles {
		b := &v.battles[i]
		if b.stage == finished {
			continue
		}
		s := &all[b.town]
		s.battle = true
		if !b.skirmish && len(s.own)+len(s.enemy) > mostTokens {
			s.enemy = counted(s.enemy) // the battle's board names them
			if len(s.own) > mostOwnTokens {
				s.own = counted(s.own)
			}
		}
	}
	return slices.DeleteFunc(all, func(s stack) bool { return len(s.own)+len(s.enemy) == 0 && !s.battle })
}

// Weights of covering what was placed before, by cell looked at.
const (
	tetherTaken = 1
	panelTaken  = 2
)

var takenCost = [3]int{0, 50, 700}

// A taken grid notes where panels and their tethers stand.
type taken [(mapWidth/cellSize + 1) * (mapHeight/cellSize + 1)]uint8

const takenW = mapWidth/cellSize + 1

func (t *taken) take(b sheet.Box, by uint8) {
	for y := max(0, b.Y/cellSize); y <= min(mapHeight, b.Y+b.H)/cellSize; y++ {
		for x := max(0, b.X/cellSize); x <= min(mapWidth, b.X+b.W)/cellSize; x++ {
			t[y*takenW+x] = max(t[y*takenW+x], by)
		}
	}
}

// under is the cost of covering a box that lies on the sheet, or something above
// the limit. Every other cell is looked at: nothing that is taken is smaller
// than that.
func (t *taken) under(b sheet.Box, limit int) int {
	cost := 0
	x0, x1, y1 := b.X/cellSize, (b.X+b.W)/cellSize, (b.Y+b.H)/cellSize
	for y := b.Y / cellSize; ; y = min(y+2, y1) {
		row := t[y*takenW : y*takenW+takenW]
		for x := x0; ; x = min(x+2, x1) {
			if by := row[x]; by != 0 {
				if cost += takenCost[by]; cost > limit {
					return cost
				}
			}
			if x == x1 {
				break
			}
		}
		if y == y1 {
			return cost
		}
	}
}

// A panel of a battle with more blocks than mostTokens only counts the enemy's,
// and with more own blocks than mostOwnTokens those too.
const (
	mostTokens    = 12
	mostOwnTokens = 18
)

// counted makes one token of all of an army's that are alike disrupted or not.
func counted(tokens []token) []token {
	var n [armies][2]int
	for i := range tokens {
		if tokens[i].disrupted {
			n[tokens[i].army][1] += tokens[i].n
		} else {
			n[tokens[i].army][0] += tokens[i].n
		}
	}
	out := tokens[:0:0]
	for a := range n {
		for d, n := range n[a] {
			if n > 0 {
				out = append(out, token{army: army(a), n: n, disrupted: d == 1})
			}
		}
	}
	return out
}

// cost is what a panel's place covers, above a base: towns, names and roads of
// the ground, panels placed before, and what the line to its town crosses. It may
// stop counting at the limit.
func (c *chart) cost(used *taken, at engine.Point, r sheet.Box, base, limit int) int {
	if !inside(r) {
		return limit
	}
	cost := base + c.clutter.under(r)
	if cost >= limit {
		return cost
	}
	if cost += used.under(r, limit-cost); cost >= limit {
		return cost
	}
	from, to, ok := tether(at, r)
	if !ok {
		return cost
	}
	for n := 1; n < 8; n++ {
		dx, dy := (to.X-from.X)*n/8, (to.Y-from.Y)*n/8
		if abs(dx)+abs(dy) < 2*cityDot { // the town itself
			continue
		}
		x, y := (from.X+dx)/cellSize, (from.Y+dy)/cellSize
		cost += takenCost[used[y*takenW+x]]
		if under := c.clutter.under(sheet.Box{X: x * cellSize, Y: y * cellSize, W: 1, H: 1}); under >= 20 {
			cost += under
		}
	}
	return cost
}

// tetherLength is about how far a panel is from its town.
func tetherLength(at engine.Point, r sheet.Box) int {
	_, to, _ := tether(at, r)
	dx, dy := abs(to.X-at.X), abs(to.Y-at.Y)
	return max(dx, dy) + min(dx, dy)/2
}

// place finds a place for every stack's panel, the largest first: near its
// town, and where it covers least.
func (v *View) place(c *chart, stacks []stack) {
	order := make([]int, 0, len(stacks))
	used := new(taken)
	for i := range stacks {
		s := &stacks[i]
		if s.battle {
			at := c.at[s.town]
			used.take(sheet.Box{X: at.X - 14, Y: at.Y - 14, W: 28, H: 28}, panelTaken)
		}
		if len(s.own)+len(s.enemy) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return len(stacks[b].own) + len(stacks[b].enemy) - len(stacks[a].own) - len(stacks[a].enemy)
	})
	for _, i := range order {
		s := &stacks[i]
		at := c.at[s.town]
		best := 1 << 30
		widest := max(len(s.own), len(s.enemy))
		for shape, cols := range columns(widest) {
			if cols > widest {
				continue
			}
			w := cols*(blockW+blockGap) - blockGap + 2*panelPad
			h := s.rows(cols)*(blockH+blockGap) - blockGap + 2*panelPad
			if len(s.own) > 0 && len(s.enemy) > 0 {
				h += 3
			}
			for _, gap := range [...]int{9, 16, 26, 40, 58, 80, 110, 150} {
				base := gap*5 + shape*12
				if base >= best {
					break
				}
				directions := clock[:]
				if gap > 40 {
					directions = clock[:12]
				}
				for _, d := range directions {
					r := sheet.Box{X: at.X + sheet.RoundDiv(d.X*(gap+w/2), 100) - w/2, Y: at.Y + sheet.RoundDiv(d.Y*(gap+h/2), 100) - h/2, W: w, H: h}
					if cost := c.cost(used, at, r, base, best); cost < best {
						best, s.panel, s.cols = cost, r, cols
					}
				}
			}
		}
		if s.cols > 0 { // shift it a little, as long as that helps
			for _, step := range [...]int{12, 7, 4} {
				for better := true; better; {
					better = false
					for _, d := range clock[:12] {
						r := s.panel
						r.X, r.Y = r.X+sheet.RoundDiv(d.X*step, 100), r.Y+sheet.RoundDiv(d.Y*step, 100)
						if cost := c.cost(used, at, r, tetherLength(at, r)*5, best); cost < best {
							best, s.panel, better = cost, r, true
						}
					}
				}
			}
		}
		if s.cols == 0 { // too large for any place: as near as the sheet allows
			s.cols = columns(widest)[0]
			w := s.cols*(blockW+blockGap) - blockGap + 2*panelPad
			h := s.rows(s.cols)*(blockH+blockGap) - blockGap + 2*panelPad + 3
			s.panel = sheet.Box{X: max(5, min(at.X+12, mapWidth-5-w)), Y: max(5, min(at.Y+12, mapHeight-5-h)), W: w, H: h}
		}
		if from, to, ok := tether(at, s.panel); ok {
			for n := 1; n < 8; n++ {
				used.take(sheet.Box{X: from.X + (to.X-from.X)*n/8, Y: from.Y + (to.Y-from.Y)*n/8, W: 1, H: 1}, tetherTaken)
			}
		}
		used.take(s.panel, panelTaken)
	}
}

// tether is the line from a town to its panel, if they are apart.
func tether(at engine.Point, r sheet.Box) (from, to engine.Point, ok bool) {
	to = sheet.At(max(r.X, min(at.X, r.X+r.W)), max(r.Y, min(at.Y, r.Y+r.H)))
	return at, to, abs(to.X-at.X)+abs(to.Y-at.Y) > townDot+2
}

// columns are the widths of a panel to try, the handiest first.
func columns(n int) []int {
	switch {
	case n <= 1:
		return columnsTo[:1]
	case n == 2:
		return columnsTo[1:3]
	case n == 3:
		return columnsTo[3:6]
	case n == 4:
		return columnsTo[6:8]
	case n <= 6:
		return columnsTo[8:12]
	case n <= 9:
		return columnsTo[12:16]
	case n <= 12:
		return columnsTo[16:20]
	}
	return columnsTo[20:]
}

var columnsTo = [...]int{1, 2, 1, 3, 2, 1, 2, 4, 3, 2, 6, 5, 3, 4, 5, 9, 4, 6, 3, 5, 6, 5, 8, 12}

// mapScene draws the map as the side sees it.
func (v *View) mapScene(title phrase.Phrase) *engine.Scene {
	c := v.charted()
	scene := &engine.Scene{Name: "map", Width: mapWidth, Height: mapHeight, Paper: dayInks.paper, Ground: c.day,
		Alt: phrase.Say("nap.map.alt", phrase.Within("turn", title))}
	if v.turn < len(v.turns) && v.turns[v.turn].night {
		scene.Paper, scene.Ground = nightInks.paper, c.night
	}
	stacks := v.stacks()
	v.place(c, stacks)
	b := newBrush(6*len(v.units) + 2*len(v.turns) + 80)
	v.calendarMarks(b, c, title)
	for i := range stacks {
		s := &stacks[i]
		if len(s.own)+len(s.enemy) == 0 {
			continue
		}
		if from, to, ok := tether(c.at[s.town], s.panel); ok {
			b.Line(inkCard, 34, from, to)
			b.Line(inkBlack, 14, from, to)
			if !s.battle {
				b.Disc(from, 3, inkBlack, inkCard, 8)
			}
		}
	}
	for i := range stacks {
		if s := &stacks[i]; s.battle {
			b.swords(c.at[s.town], 14)
		}
	}
	for i := range stacks {
		v.panel(b, &stacks[i])
	}
	scene.Marks = b.Marks()
	return scene
}

// panel draws what stands in a town.
func (v *View) panel(b *brush, s *stack) {
	if len(s.own)+len(s.enemy) == 0 {
		return
	}
	edge := 8
	if s.battle {
		edge = 20
	}
	b.Box(s.panel, inkCard, inkBlack, edge)
	y := s.panel.Y + panelPad
	for g, group := range [2][]token{s.own, s.enemy} {
		if len(group) == 0 {
			continue
		}
		if g == 1 && len(s.own) > 0 {
			b.Line(inkBlack, 8, sheet.At(s.panel.X, y), sheet.At(s.panel.X+s.panel.W, y))
			y += 3
		}
		for i := range group {
			r := sheet.Box{X: s.panel.X + panelPad + i%s.cols*(blockW+blockGap), Y: y + i/s.cols*(blockH+blockGap), W: blockW, H: blockH}
			v.token(b, r, &group[i])
		}
		y += (len(group) + s.cols - 1) / s.cols * (blockH + blockGap)
	}
}

// token draws one block of the map.
func (v *View) token(b *brush, r sheet.Box, t *token) {
	if t.unit == nil {
		b.hidden(r, t.army, t.n)
	} else {
		b.Box(r, armyInks[t.army], inkBlack, 8)
		b.symbol(sheet.Box{X: r.X + 4, Y: r.Y + 3, W: 15, H: 10}, t.unit.kind, inkWhite, 12)
		b.Label(sheet.At(r.X+27, r.Y+8), sayText(digits(int(t.unit.strength))), sheet.Lettering{Size: 13, Bold: true, Ink: inkWhite})
		b.Label(sheet.At(r.X+r.W/2, r.Y+r.H-7), sayText(v.roster[t.unit.id].id), sheet.Lettering{Size: 11, Bold: true, Ink: inkWhite})
	}
	if t.disrupted {
		b.disrupted(r)
	}
}

// hidden draws so many blocks of an army whose units are not known: a pile.
func (b *brush) hidden(r sheet.Box, a army, n int) {
	for shift := min(n-1, 2); shift > 0; shift-- {
		b.Box(sheet.Box{X: r.X + 2*shift, Y: r.Y, W: r.W - 4, H: r.H - 2*shift}, armyInks[a], inkWhite, 6)
	}
	front := r
	if n > 1 {
		d := 2 * min(n-1, 2)
		front = sheet.Box{X: r.X, Y: r.Y + d, W: r.W - d, H: r.H - d}
	}
	b.Box(front, armyInks[a], inkWhite, 8)
	size := r.H / 2
	if n > 9 {
		size = r.H * 42 / 100
	}
	b.Label(front.Middle(), sayText(armyLetters[a]+"×"+digits(n)), sheet.Lettering{Size: max(10, size), Bold: true, Ink: inkWhite})
}

// calendarMarks draws the turn track: past turns faded, the present one framed.
func (v *View) calendarMarks(b *brush, c *chart, title phrase.Phrase) {
	days, parts := v.calendar()
	b.Label(sheet.At(c.card.X+c.card.W/2, c.card.Y+35), phrase.Value{Kind: phrase.KindPhrase, Say: &title}, sheet.Lettering{Size: 12, Ink: inkBlack})
	var now sheet.Box
	for i := range v.turns {
		t := &v.turns[i]
		r := calendarCell(c.card, len(days), slices.Index(days, t.date), slices.Index(parts, t.part))
		fill, ink, letter := armyInks[french], inkWhite, "F"
		if t.camp == alliedCamp {
			fill, letter = armyInks[angloDutch], "A"
		}
		edge := fill
		if t.night {
			fill = inkBlack
		}
		if i < v.turn {
			fill, ink, edge = inkCard, inkShade, inkShade
		}
		b.Box(r, fill, edge, 14)
		b.Label(r.Middle(), sayText(letter), sheet.Lettering{Size: 11, Bold: true, Ink: ink})
		if i == v.turn {
			now = r
		}
	}
	if now.W > 0 {
		b.Box(now.Grown(2), "", inkBlack, 24)
		b.Box(now.Grown(2), "", inkBurst, 12)
	}
}
