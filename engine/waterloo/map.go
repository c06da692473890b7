package waterloo

import (
	"strconv"
	"strings"
	"sync"

	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// Measures of the map, in units of the sheet. A square is so large that twenty columns
// are readable on a page that is 700 wide.
const (
	cell      = 45
	tokenSize = 37

	leastToken = 12 // size of the smallest letters of a token
	leftEdge   = 26 // room for the letters of the rows
	rightEdge  = 44 // and on the other side for the entry squares too
	headRoom   = 60 // title and turn track
	coordRoom  = 19 // numbers of the columns
	footRoom   = 112
)

// A palette holds the inks of the ground, by day or at nightfall. They differ in
// lightness as well as in colour, so that the picture is readable in grey.
type palette struct {
	paper, text, grid, road, casing, stream, bank, bridge, wall, brick engine.Ink
	fill, mark                                                         [hill + 1]engine.Ink // of squares, and of what is drawn in them
	card, cardText, cardEdge                                           engine.Ink
}

var dayInks = palette{
	paper: "#e9e2cf", text: "#1d1b18", grid: "#cfc6a8", road: "#d8b878", casing: "#8a6a3c", stream: "#4d8fbf", bank: "#2f6690", bridge: "#1d1b18",
	wall: "#5a3620", brick: "#f3ead3",
	fill: [hill + 1]engine.Ink{open: "#f6f1df", wood: "#9dbb85", village: "#e6d3bb", chateau: "#d9d2c6", hill: "#dcc596"},
	mark: [hill + 1]engine.Ink{open: "#f6f1df", wood: "#46703f", village: "#8e4b34", chateau: "#4c443a", hill: "#9a7840"},
	card: "#fdfaf1", cardText: "#1d1b18", cardEdge: "#8b8272",
}

var nightInks = palette{
	paper: "#232b3d", text: "#f4efdf", grid: "#4a5570", road: "#8a7a58", casing: "#2a2418", stream: "#6fa6d0", bank: "#a8cdea", bridge: "#f4efdf",
	wall: "#d0a578", brick: "#2a2018",
	fill: [hill + 1]engine.Ink{open: "#3d4760", wood: "#25402f", village: "#574a4c", chateau: "#4e4c50", hill: "#5d5a52"},
	mark: [hill + 1]engine.Ink{open: "#3d4760", wood: "#6f9c6c", village: "#cf9377", chateau: "#d9d2c6", hill: "#b09a6a"},
	card: "#2f384d", cardText: "#f4efdf", cardEdge: "#7a8398",
}

const (
	inkWhite  engine.Ink = "#ffffff"
	inkBlack  engine.Ink = "#1d1b18"
	inkAlarm  engine.Ink = "#ffd84d" // of disorder, and of the present turn
	inkBattle engine.Ink = "#f2a01e"
)

// armyInks are the colours of the counters, armyPale those of reduced ones. In
// grey they are dark, middling and nearly black.
var (
	armyInks = [armies]engine.Ink{french: "#183c7c", anglo: "#d2543f", prussian: "#232427"}
	armyPale = [armies]engine.Ink{french: "#d7e2f4", anglo: "#f7d9d3", prussian: "#dcdcdc"}
	campInks = [camps]engine.Ink{frenchCamp: "#183c7c", alliedCamp: "#b83a28"}
)

// campLetters mark who controls a victory square; the same in all languages.
var campLetters = [camps]string{frenchCamp: "F", alliedCamp: "A"}

// A mapGround is the part of the map that depends on the board alone: it never changes, so
// it is made once.
type mapGround struct {
	once       sync.Once
	day, night []engine.Mark
	names      []placeName
}

func (s *scenario) charted() *mapGround {
	c := s.chart
	if c == nil {
		c = &mapGround{}
	}
	c.once.Do(func() { c.day, c.night, c.names = s.ground(&dayInks), s.ground(&nightInks), s.placeNames() })
	return c
}

func (s *scenario) mapWidth() int  { return leftEdge + s.columns*cell + rightEdge }
func (s *scenario) mapHeight() int { return headRoom + 2*coordRoom + len(s.rows)*cell + footRoom }

// cellOf is where a square lies on the sheet.
func (s *scenario) cellOf(sq square) sheet.Box {
	return sheet.Box{X: leftEdge + s.column(sq)*cell, Y: headRoom + coordRoom + s.row(sq)*cell, W: cell, H: cell}
}

// gridBox is where all squares lie together.
func (s *scenario) gridBox() sheet.Box {
	return sheet.Box{X: leftEdge, Y: headRoom + coordRoom, W: s.columns * cell, H: len(s.rows) * cell}
}

// A pencil is a brush with the signs of Waterloo.
type pencil struct{ *sheet.Brush }

// ground draws everything that never changes.
func (s *scenario) ground(p *palette) []engine.Mark {
	b := pencil{sheet.NewBrush(6 * s.squares())}
	all := s.gridBox()
	b.Box(all, p.fill[open], "", 0)
	for sq := square(1); int(sq) <= s.squares(); sq++ {
		if t := s.terrain[sq]; t != open {
			b.Box(s.cellOf(sq), p.fill[t], "", 0)
		}
	}
	for i := 0; i <= s.columns; i++ {
		b.Line(p.grid, 8, sheet.At(all.X+i*cell, all.Y), sheet.At(all.X+i*cell, all.Y+all.H))
	}
	for i := 0; i <= len(s.rows); i++ {
		b.Line(p.grid, 8, sheet.At(all.X, all.Y+i*cell), sheet.At(all.X+all.W, all.Y+i*cell))
	}
	for sq := square(1); int(sq) <= s.squares(); sq++ {
		b.terrain(s.cellOf(sq), s.terrain[sq], p)
	}
	s.roadMarks(b, p)
	for sq := square(1); int(sq) <= s.squares(); sq++ {
		for _, d := range [2]facing{south, east} { // each edge once
			b.edge(s.cellOf(sq), d, s.edgeOf(sq, d), p)
		}
	}
	b.Box(all, "", p.text, 16)
	s.coordinateMarks(b, p)
	s.legend(b, p)
	return b.Marks()
}

// terrain draws what fills a square.
func (b pencil) terrain(r sheet.Box, t terrain, p *palette) {
	ink := p.mark[t]
	switch t {
	case wood:
		for _, at := range [...][2]int{{9, 9}, {24, 7}, {37, 12}, {14, 22}, {30, 24}, {8, 36}, {22, 38}, {38, 36}} {
			b.Disc(sheet.At(r.X+at[0], r.Y+at[1]), 5, ink, p.fill[t], 6)
		}
	case village:
		for _, h := range [...]sheet.Box{{X: 4, Y: 5, W: 11, H: 7}, {X: 28, Y: 4, W: 9, H: 11}, {X: 8, Y: 28, W: 8, H: 11}, {X: 27, Y: 30, W: 13, H: 8}, {X: 19, Y: 17, W: 8, H: 7}} {
			b.Box(sheet.Box{X: r.X + h.X, Y: r.Y + h.Y, W: h.W, H: h.H}, ink, p.fill[t], 6)
		}
	case chateau:
		b.Box(r.Grown(-3), "", ink, 36)
		for _, at := range [4][2]int{{3, 3}, {cell - 3, 3}, {3, cell - 3}, {cell - 3, cell - 3}} {
			b.Box(sheet.Box{X: r.X + at[0] - 4, Y: r.Y + at[1] - 4, W: 8, H: 8}, ink, p.fill[t], 6)
		}
	case hill:
		for _, at := range [...][2]int{{11, 11}, {32, 9}, {21, 24}, {10, 38}, {34, 37}} {
			x, y := r.X+at[0], r.Y+at[1]
			b.Line(ink, 16, sheet.At(x-7, y+3), sheet.At(x, y-4), sheet.At(x+7, y+3))
		}
	}
}

// edge draws what lies between a square and the one beyond a side of it.
func (b pencil) edge(r sheet.Box, d facing, e edge, p *palette) {
	from, to, across := sheet.At(r.X+r.W, r.Y), sheet.At(r.X+r.W, r.Y+r.H), sheet.At(1, 0)
	if d == south {
		from, to, across = sheet.At(r.X, r.Y+r.H), sheet.At(r.X+r.W, r.Y+r.H), sheet.At(0, 1)
	}
	along := sheet.At(across.Y, across.X)
	middle := sheet.At((from.X+to.X)/2, (from.Y+to.Y)/2)
	if e.has(pond) {
		for _, n := range [3]int{-12, 0, 12} {
			b.Disc(sheet.At(middle.X+along.X*n, middle.Y+along.Y*n), 8, p.stream, p.bank, 12)
		}
		b.Line(p.stream, 80, sheet.At(middle.X-along.X*12, middle.Y-along.Y*12), sheet.At(middle.X+along.X*12, middle.Y+along.Y*12))
	}
	if e.has(stream) {
		b.Line(p.bank, 68, from, to)
		b.Line(p.stream, 46, from, to)
	}
	if e.has(bridge) {
		b.Line(p.road, 110, sheet.At(middle.X-across.X*6, middle.Y-across.Y*6), sheet.At(middle.X+across.X*6, middle.Y+across.Y*6))
		for _, side := range [2]int{-7, 7} {
			x, y := middle.X+along.X*side, middle.Y+along.Y*side
			b.Line(p.bridge, 24, sheet.At(x-across.X*7, y-across.Y*7), sheet.At(x+across.X*7, y+across.Y*7))
		}
	}
	if e.has(wall) {
		b.Line(p.wall, 64, sheet.At(from.X+along.X*2, from.Y+along.Y*2), sheet.At(to.X-along.X*2, to.Y-along.Y*2))
		b.Line(p.brick, 12, sheet.At(from.X+along.X*3, from.Y+along.Y*3), sheet.At(to.X-along.X*3, to.Y-along.Y*3))
		for n := 8; n < cell-4; n += 9 {
			x, y := from.X+along.X*n, from.Y+along.Y*n
			b.Line(p.brick, 12, sheet.At(x-across.X*2, y-across.Y*2), sheet.At(x+across.X*2, y+across.Y*2))
		}
	}
}

// roadMarks draws the roads from middle to middle of the squares.
func (s *scenario) roadMarks(b pencil, p *palette) {
	for _, pass := range [2]struct {
		ink   engine.Ink
		width int
	}{{p.casing, 60}, {p.road, 36}} {
		for _, road := range s.roads {
			points := make([]engine.Point, len(road))
			for i, sq := range road {
				points[i] = s.cellOf(sq).Middle()
			}
			if len(points) > 1 {
				b.Line(pass.ink, pass.width, points...)
			}
		}
	}
}

// coordinateMarks writes the letters of the rows and the numbers of the columns
// along all four edges.
func (s *scenario) coordinateMarks(b pencil, p *palette) {
	l := sheet.Lettering{Size: 15, Bold: true, Ink: p.text}
	g := s.gridBox()
	for i, row := range s.rows {
		y := g.Y + i*cell + cell/2
		b.Label(sheet.At(leftEdge/2, y), sheet.Text(row), l)
		b.Label(sheet.At(g.X+g.W+13, y), sheet.Text(row), l)
	}
	for i := range s.columns {
		x := g.X + i*cell + cell/2
		b.Label(sheet.At(x, g.Y-coordRoom/2), sheet.Text(strconv.Itoa(i+1)), l)
		b.Label(sheet.At(x, g.Y+g.H+coordRoom/2), sheet.Text(strconv.Itoa(i+1)), l)
	}
}

// placeName is what a square is called, "" for nothing.
func (s *scenario) placeName(q square) string {
	if s.names[q] != "" {
		return s.names[q]
	}
	return s.labels[q]
}

// legendItems are what the legend explains, a column a list.
var legendItems = [...][]string{
	{"wood", "village", "chateau", "hill", "road"},
	{"wall", "stream", "bridge", "pond", "entry"},
	{"french", "anglo", "prussian", "reduced", "elite"},
	{"infantry", "light-cavalry", "heavy-cavalry", "facing", "commander"},
	{"disordered", "moved", "reorganised", "control", "cdp"},
}

// legend explains what the map shows, below it.
func (s *scenario) legend(b pencil, p *palette) {
	g := s.gridBox()
	all := sheet.Box{X: g.X, Y: g.Y + g.H + coordRoom + 3, W: g.W, H: footRoom - 10}
	b.Box(all, p.card, p.cardEdge, 10)
	for i, column := range legendItems {
		x := all.X + 10 + i*(all.W-10)/len(legendItems)
		for j, what := range column {
			y := all.Y + 11 + 20*j
			b.sign(sheet.Box{X: x, Y: y - 8, W: 24, H: 16}, what, p)
			b.Label(sheet.At(x+31, y), sheet.Phrase("wat.map.legend-"+what), sheet.Lettering{Size: 13, Ink: p.cardText, Anchor: engine.Start})
		}
	}
}

// sign draws the sign that an item of the legend explains.
func (b pencil) sign(r sheet.Box, what string, p *palette) {
	m := r.Middle()
	counter := sheet.Box{X: r.X + 3, Y: r.Y, W: 18, H: 16}
	switch what {
	case "wood":
		b.Box(r, p.fill[wood], p.cardEdge, 8)
		for _, x := range [3]int{6, 13, 19} {
			b.Disc(sheet.At(r.X+x, m.Y), 4, p.mark[wood], p.fill[wood], 6)
		}
	case "village":
		b.Box(r, p.fill[village], p.cardEdge, 8)
		b.Box(sheet.Box{X: r.X + 4, Y: r.Y + 4, W: 7, H: 5}, p.mark[village], "", 0)
		b.Box(sheet.Box{X: r.X + 13, Y: r.Y + 6, W: 7, H: 6}, p.mark[village], "", 0)
	case "chateau":
		b.Box(r, p.fill[chateau], p.mark[chateau], 30)
	case "hill":
		b.Box(r, p.fill[hill], p.cardEdge, 8)
		b.Line(p.mark[hill], 16, sheet.At(m.X-7, m.Y+3), sheet.At(m.X, m.Y-4), sheet.At(m.X+7, m.Y+3))
	case "road":
		b.Line(p.casing, 60, sheet.At(r.X, m.Y), sheet.At(r.X+r.W, m.Y))
		b.Line(p.road, 36, sheet.At(r.X, m.Y), sheet.At(r.X+r.W, m.Y))
	case "wall":
		b.Line(p.wall, 64, sheet.At(r.X, m.Y), sheet.At(r.X+r.W, m.Y))
		b.Line(p.brick, 12, sheet.At(r.X+1, m.Y), sheet.At(r.X+r.W-1, m.Y))
		for x := 4; x < r.W; x += 8 {
			b.Line(p.brick, 12, sheet.At(r.X+x, m.Y-2), sheet.At(r.X+x, m.Y+2))
		}
	case "stream", "bridge":
		b.Line(p.bank, 68, sheet.At(r.X, m.Y), sheet.At(r.X+r.W, m.Y))
		b.Line(p.stream, 46, sheet.At(r.X, m.Y), sheet.At(r.X+r.W, m.Y))
		if what == "bridge" {
			b.Line(p.road, 90, sheet.At(m.X, m.Y-5), sheet.At(m.X, m.Y+5))
			b.Line(p.bridge, 22, sheet.At(m.X-6, m.Y-6), sheet.At(m.X-6, m.Y+6))
			b.Line(p.bridge, 22, sheet.At(m.X+6, m.Y-6), sheet.At(m.X+6, m.Y+6))
		}
	case "pond":
		b.Disc(sheet.At(m.X-6, m.Y), 6, p.stream, p.bank, 12)
		b.Disc(sheet.At(m.X+6, m.Y), 6, p.stream, p.bank, 12)
	case "entry":
		b.entry(m, "B", p)
	case "french", "anglo", "prussian":
		a, _ := armyNamed(what)
		b.face(counter, a, false)
	case "reduced":
		b.face(counter, french, true)
		b.Label(counter.Middle(), sheet.Text("2"), sheet.Lettering{Size: 13, Bold: true, Ink: armyInks[french]})
	case "elite":
		b.face(counter, french, false)
		b.Label(sheet.At(counter.X+9, counter.Y+8), sheet.Text("5*"), sheet.Lettering{Size: 13, Bold: true, Ink: inkWhite})
	case "infantry", "light-cavalry", "heavy-cavalry":
		b.face(counter, french, false)
		b.arm(sheet.Box{X: counter.X + 3, Y: counter.Y + 4, W: 12, H: 8}, what != "infantry", what == "heavy-cavalry", inkWhite)
	case "facing":
		body := sheet.Box{X: counter.X, Y: counter.Y + 4, W: 18, H: 12}
		b.wedge(body, north, armyInks[french])
		b.face(body, french, false)
		b.frontBar(body, north, inkWhite)
	case "commander":
		b.commander(m, 8, napoleon)
	case "disordered", "moved", "reorganised":
		b.tag(m, "wat.map.mark-"+what, what == "disordered")
	case "control":
		b.flag(sheet.At(m.X-7, m.Y), frenchCamp)
		b.flag(sheet.At(m.X+7, m.Y), alliedCamp)
	case "cdp":
		b.points(m, 3)
	}
}

// face draws the face of a counter: dark at full strength, pale when reduced; a
// Prussian one also has a stripe.
func (b pencil) face(r sheet.Box, a army, reduced bool) {
	fill, stripe := armyInks[a], engine.Ink("#e7e7e7")
	if reduced {
		fill, stripe = armyPale[a], armyInks[a]
	}
	b.Box(r.Grown(1), inkWhite, "", 0)
	b.Box(r, fill, armyInks[a], 18)
	if a == prussian {
		x := r.X + 2
		b.Line(stripe, 26, sheet.At(x+1, r.Y+2), sheet.At(x+1, r.Y+r.H-2))
	}
}

// wedge points out of a counter in the direction that the unit faces.
func (b pencil) wedge(r sheet.Box, d facing, ink engine.Ink) {
	m := r.Middle()
	w := min(r.W, r.H) / 3
	var points [3]engine.Point
	switch d {
	case north:
		points = [3]engine.Point{{X: m.X - w, Y: r.Y}, {X: m.X, Y: r.Y - 7}, {X: m.X + w, Y: r.Y}}
	case south:
		points = [3]engine.Point{{X: m.X - w, Y: r.Y + r.H}, {X: m.X, Y: r.Y + r.H + 7}, {X: m.X + w, Y: r.Y + r.H}}
	case west:
		points = [3]engine.Point{{X: r.X, Y: m.Y - w}, {X: r.X - 7, Y: m.Y}, {X: r.X, Y: m.Y + w}}
	default:
		points = [3]engine.Point{{X: r.X + r.W, Y: m.Y - w}, {X: r.X + r.W + 7, Y: m.Y}, {X: r.X + r.W, Y: m.Y + w}}
	}
	b.Polygon(ink, inkWhite, 12, points[:]...)
}

// frontBar draws the bar along the front of a counter.
func (b pencil) frontBar(r sheet.Box, d facing, ink engine.Ink) {
	const thick = 4
	switch d {
	case north:
		r.H = thick
	case south:
		r.Y, r.H = r.Y+r.H-thick, thick
	case west:
		r.W = thick
	default:
		r.X, r.W = r.X+r.W-thick, thick
	}
	b.Box(r, ink, "", 0)
}

// arm draws the sign of an arm: crossed belts for infantry, a sabre for cavalry,
// half filled for heavy cavalry.
func (b pencil) arm(r sheet.Box, cavalry, heavy bool, ink engine.Ink) {
	x, y := r.X+r.W, r.Y+r.H
	if heavy {
		b.Polygon(ink, "", 0, sheet.At(r.X, y), sheet.At(x, r.Y), sheet.At(x, y))
	}
	b.Line(ink, 12, sheet.At(r.X, y), sheet.At(x, r.Y))
	if !cavalry {
		b.Line(ink, 12, sheet.At(r.X, r.Y), sheet.At(x, y))
	}
	b.Box(r, "", ink, 12)
}

// commander draws a commander: a disc with his letter, N or W.
func (b pencil) commander(at engine.Point, radius int, who commanderID) {
	b.Disc(at, radius, armyInks[commanderArmies[who]], inkAlarm, 20)
	b.Label(at, sheet.Text(commanderLetters[who]), sheet.Lettering{Size: radius * 3 / 2, Bold: true, Ink: inkWhite})
}

// commanderArmies are the armies of the commanders (WAT-12.1).
var commanderArmies = [...]army{napoleon: french, wellington: anglo}

// commanderLetters are the first letters of their names, which are the same in
// all languages.
var commanderLetters = [...]string{napoleon: "N", wellington: "W"}

// tag draws a letter for a state of a unit.
func (b pencil) tag(at engine.Point, code string, alarm bool) {
	fill := inkWhite
	if alarm {
		fill = inkAlarm
	}
	b.Box(sheet.Box{X: at.X - 6, Y: at.Y - 6, W: 12, H: 12}, fill, inkBlack, 12)
	b.Label(at, sheet.Phrase(code), sheet.Lettering{Size: 12, Bold: true, Ink: inkBlack})
}

// flag marks who controls a victory square.
func (b pencil) flag(at engine.Point, c camp) {
	b.Box(sheet.Box{X: at.X - 6, Y: at.Y - 6, W: 12, H: 12}, inkWhite, campInks[c], 20)
	b.Label(at, sheet.Text(campLetters[c]), sheet.Lettering{Size: 12, Bold: true, Ink: campInks[c]})
}

// points shows how many chateau destruction points are left.
func (b pencil) points(at engine.Point, n int) {
	b.Disc(at, 7, inkWhite, inkBlack, 14)
	b.Label(at, sheet.Text(strconv.Itoa(n)), sheet.Lettering{Size: 12, Bold: true, Ink: inkBlack})
}

// entry marks where reinforcements enter: a letter with an arrow.
func (b pencil) entry(at engine.Point, letter string, p *palette) {
	b.Polygon(armyInks[prussian], inkWhite, 10, sheet.At(at.X-12, at.Y), sheet.At(at.X-4, at.Y-8), sheet.At(at.X+11, at.Y-8),
		sheet.At(at.X+11, at.Y+8), sheet.At(at.X-4, at.Y+8))
	b.Label(sheet.At(at.X+3, at.Y), sheet.Text(letter), sheet.Lettering{Size: 12, Bold: true, Ink: inkWhite})
}

// tokenBox is where the token of a unit lies in its square.
func tokenBox(r sheet.Box) sheet.Box { return r.Grown((tokenSize - cell) / 2) }

// token draws a unit in its square.
func (b pencil) token(r sheet.Box, u *unitLook) {
	t := tokenBox(r)
	ink, bar := inkWhite, inkWhite
	if u.reduced {
		ink, bar = armyInks[u.army], armyInks[u.army]
	}
	b.wedge(t, u.facing, armyInks[u.army])
	b.face(t, u.army, u.reduced)
	b.frontBar(t.Grown(-1), u.facing, bar)
	b.arm(sheet.Box{X: t.X + 6, Y: t.Y + 8, W: 11, H: 9}, u.cavalry, u.heavy, ink)
	if u.elite {
		b.Label(sheet.At(t.X+33, t.Y+11), sheet.Text("*"), sheet.Lettering{Size: 15, Bold: true, Ink: ink})
	}
	b.Label(sheet.At(t.X+26, t.Y+13), sheet.Text(strconv.Itoa(u.value)), sheet.Lettering{Size: 17, Bold: true, Ink: ink})
	short, size := tokenName(u.short)
	b.Label(sheet.At(t.X+tokenSize/2+1, t.Y+27), sheet.Text(short), sheet.Lettering{Size: size, Bold: true, Ink: ink})
	if u.disordered {
		b.tag(sheet.At(t.X+t.W-3, t.Y+2), "wat.map.mark-disordered", true)
	}
	switch {
	case u.reorganised:
		b.tag(sheet.At(t.X+t.W-3, t.Y+18), "wat.map.mark-reorganised", false)
	case u.moved:
		b.tag(sheet.At(t.X+t.W-3, t.Y+18), "wat.map.mark-moved", false)
	}
}

// tokenName gives what stands on a token for the id of a unit without its army, and how large:
// its corps is left out where there is no room. No two units of an army differ in their corps
// alone.
func tokenName(short string) (name string, size int) {
	for size = 12; size > leastToken && sheet.TextWidth(short, size, true) > tokenSize-9; {
		size--
	}
	if sheet.TextWidth(short, size, true) > tokenSize-4 {
		short, _, _ = strings.Cut(short, "/")
	}
	return short, size
}

// A unitLook is what the map shows of a unit.
type unitLook struct {
	army                           army
	facing                         facing
	value                          int
	short                          string // id without its army
	elite, cavalry, heavy          bool
	reduced                        bool
	disordered, moved, reorganised bool
}

// trackMarks draws the title and the turn track.
func (b pencil) trackMarks(width, turns, now int, title phrase.Phrase, score phrase.Value, p *palette) {
	b.Label(sheet.At(leftEdge, 18), sheet.Said(title), sheet.Lettering{Size: 18, Bold: true, Ink: p.text, Anchor: engine.Start})
	b.Label(sheet.At(leftEdge, 43), score, sheet.Lettering{Size: 14, Ink: p.text, Anchor: engine.Start})
	for i := range turns {
		r := sheet.Box{X: width - rightEdge - 30*(turns-i), Y: 14, W: 26, H: 26}
		fill, ink := p.card, p.cardText
		switch {
		case i+1 < now:
			ink = p.cardEdge
		case i+1 == now:
			fill, ink = inkAlarm, inkBlack
		}
		b.Box(r, fill, p.cardEdge, 14)
		b.Label(r.Middle(), sheet.Text(strconv.Itoa(i+1)), sheet.Lettering{Size: 15, Bold: true, Ink: ink})
	}
}

// entrySign is where the map has the sign beside a square where reinforcements enter.
func (s *scenario) entrySign(sq square) engine.Point {
	g := s.gridBox()
	return sheet.At(g.X+g.W+30, s.cellOf(sq).Middle().Y)
}

// dusk tells whether a turn is played by the last light: turns are about 90
// minutes (WAT-1.4), and the seventh after half past eleven begins at half past
// eight in the evening.
func dusk(turn int) bool { return turn >= 7 }

// mapScene draws the map as the side sees it.
func (v *View) mapScene(title phrase.Phrase) *engine.Scene {
	ground := v.charted()
	p, marks := &dayInks, ground.day
	if dusk(v.Turn) {
		p, marks = &nightInks, ground.night
	}
	b := pencil{sheet.NewBrush(10 * len(v.Units))}
	b.trackMarks(v.mapWidth(), v.length().turns, v.Turn, title, v.scoreValue(), p)
	if v.prussians() {
		for i := range v.entries {
			b.entry(v.entrySign(v.entries[i].at), v.entries[i].id, p)
		}
	}
	battle := under[*battleFrame](v.game)
	if battle != nil && battle.Square != 0 {
		b.Box(v.cellOf(battle.Square), inkBattle, inkBlack, 12)
	}
	below := len(b.Marks())
	var blocks []engine.Box
	for id := range v.everyUnit() {
		look := v.look(id)
		b.token(v.cellOf(v.unit(id).At), &look)
		blocks = append(blocks, tokenBox(v.cellOf(v.unit(id).At)))
	}
	for i := range v.objectives {
		if o := &v.objectives[i]; v.marked(objectiveID(i+1)) && v.Control[i+1] != noCamp {
			r := v.cellOf(o.at)
			b.flag(sheet.At(r.X+5, r.Y+5), v.Control[i+1])
		}
	}
	for i := range v.chateaux {
		r := v.cellOf(v.chateaux[i].at)
		b.points(sheet.At(r.X+r.W-6, r.Y+r.H-8), int(v.CDP[i+1]))
	}
	for i := range v.commanders {
		if at := v.Commanders[i+1].At; at != 0 {
			r := v.cellOf(at)
			if v.unitAt(at) == 0 {
				b.commander(r.Middle(), 13, commanderID(i+1))
			} else {
				b.commander(sheet.At(r.X+7, r.Y+r.H-9), 9, commanderID(i+1))
			}
		}
	}
	if battle != nil && battle.Square != 0 {
		for _, f := range battle.Attackers {
			b.blow(v.cellOf(v.unit(f.Unit).At), v.cellOf(battle.Square))
		}
	}
	scene := &engine.Scene{Name: "map", Width: v.mapWidth(), Height: v.mapHeight(), Paper: p.paper, Ground: marks,
		Alt: phrase.Say("wat.map.alt", phrase.Within("turn", title)), Spots: v.spots(), Blocks: blocks, Below: below}
	scene.Names = v.nameMarks(b, ground.names, p)
	scene.Marks = b.Marks()
	return scene
}

// scoreValue is the line below the title: the points as things stand, or what
// the French need (WAT-13.2, WAT-13.3).
func (v *View) scoreValue() phrase.Value {
	if !v.length().prussians {
		return sheet.Phrase("wat.map.goal")
	}
	fs, fu := v.points(frenchCamp)
	as, au := v.points(alliedCamp)
	return sheet.Phrase("wat.map.score", phrase.Number("french", fs+fu), phrase.Number("allied", as+au))
}

// look gives what the map shows of a unit.
func (v *View) look(id unitID) unitLook {
	u, d := v.unit(id), v.def(id)
	_, short, ok := strings.Cut(d.id, "-")
	if !ok {
		short = d.id
	}
	return unitLook{army: d.army, facing: u.Face, value: v.value(id), short: short, elite: d.elite, cavalry: d.arm == cavalry, heavy: d.weight == heavy,
		reduced: u.Reduced, disordered: u.Disordered, moved: u.Moved, reorganised: u.Reorganised}
}

// blow is an arrow from an attacker's square into the square that it attacks, the
// two lying side by side.
func (b pencil) blow(from, to sheet.Box) {
	f, t := from.Middle(), to.Middle()
	dx, dy := signOf(t.X-f.X), signOf(t.Y-f.Y)
	m := sheet.At((f.X+t.X)/2, (f.Y+t.Y)/2)
	at := func(along, across int) engine.Point { return sheet.At(m.X+dx*along-dy*across, m.Y+dy*along+dx*across) }
	b.Polygon(inkBattle, inkBlack, 12, at(-10, -3), at(0, -3), at(0, -8), at(11, 0), at(0, 8), at(0, 3), at(-10, 3))
}

func signOf(n int) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}
