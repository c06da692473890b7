package napoleon

import (
	"strconv"

	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// Size of a battle board's sheet and of its parts. The side whose view it is
// stands below and looks up at the enemy, so its left is on the left.
const (
	boardWidth    = 720
	boardHeight   = 556
	boardMargin   = 12
	positionW     = 224
	positionH     = 156
	reserveH      = 62
	frontH        = 26 // between the positions, where streams lie
	enemyReserveY = 40
	enemyRowY     = enemyReserveY + reserveH + 8
	ownRowY       = enemyRowY + positionH + frontH
	ownReserveY   = ownRowY + positionH + 8
	fieldEdge     = 34 // how far arrows reach into a position
)

const (
	inkTable   engine.Ink = "#ebe2c9"
	inkField   engine.Ink = "#d9dfb4"
	inkWood    engine.Ink = "#aebf8a"
	inkTree    engine.Ink = "#4f6b3a"
	inkTrunk   engine.Ink = "#5a4630"
	inkContour engine.Ink = "#a78a58"
	inkStream  engine.Ink = "#4d8fbf"
	inkReserve engine.Ink = "#f3edda"
)

// A counter is what the board shows as one block: a [token], and the farm or
// hill that it occupies.
type counter struct {
	token
	holds piece
}

// counters lists what a camp has on a field of a battle: units that can be
// named, those in a square followed by the units that they shelter, then hidden blocks.
// Which of them stand on the same side of a mark depends only on what is seen, never on
// what is hidden.
func (v *View) counters(b *battle, f field, c camp) []counter {
	var out []counter
	var hidden [armies][2]int
	for i := range v.units {
		u := &v.units[i]
		if u.town != b.town || u.dead || u.field != f || u.army.camp() != c {
			continue
		}
		switch {
		case u.id == noUnit && u.holds == noPiece:
			d := 0
			if u.disrupted {
				d = 1
			}
			hidden[u.army][d]++
		case u.id == noUnit:
			out = append(out, counter{token{army: u.army, n: 1, disrupted: u.disrupted}, u.holds})
		case u.shelter == noUnit:
			out = append(out, counter{token{unit: u, army: u.army, n: 1, disrupted: u.disrupted}, u.holds})
			if !u.square {
				continue
			}
			for k := range v.units {
				if in := &v.units[k]; in.id != noUnit && in.shelter == u.id && in.town == b.town && !in.dead {
					out = append(out, counter{token{unit: in, army: in.army, n: 1, disrupted: in.disrupted}, in.holds})
				}
			}
		}
	}
	for a := range hidden {
		for d, n := range hidden[a] {
			if n > 0 {
				out = append(out, counter{token{army: army(a), n: n, disrupted: d == 1}, noPiece})
			}
		}
	}
	return out
}

// boardSides tells which camp stands below and which above.
func (v *View) boardSides(b *battle) (below, above camp) {
	if v.side == engine.GM {
		return b.attacker, b.attacker.enemy()
	}
	return v.camp(), v.camp().enemy()
}

// columnFields gives the positions of a board's columns from the left: those
// below and, opposite them, those above.
func (b *battle) columnFields(below camp) (own, enemy [3]field) {
	own = b.ownFields(below)
	for i, f := range own {
		enemy[i] = f.opposite()
	}
	return own, enemy
}

// boardScene draws the board of a battle as the side sees it.
func (v *View) boardScene(bt *battle) *engine.Scene {
	t := &v.towns[bt.town]
	below, above := v.boardSides(bt)
	title := v.battleTitle(bt)
	scene := &engine.Scene{
		Name: "battle-" + t.id, Width: boardWidth, Height: boardHeight, Paper: inkTable,
		Alt: phrase.Say("nap.board.alt", phrase.Within("battle", title)), About: t.id, Spots: map[string]engine.Spot{},
	}
	b := newBrush(100 + 4*(v.blocks(bt.town, frenchCamp)+v.blocks(bt.town, alliedCamp)))
	b.Box(sheet.Box{X: 4, Y: 4, W: boardWidth - 8, H: boardHeight - 8}, "", inkShade, 10)
	b.Label(sheet.At(boardWidth/2, 22), sheet.Said(title), sheet.Lettering{Size: 16, Bold: true, Ink: inkBlack})

	v.reserveStrip(b, bt, above, enemyReserveY, scene.Spots)
	own, enemy := bt.columnFields(below)
	for i := range own {
		x := boardMargin + i*(positionW+boardMargin)
		v.position(b, bt, enemy[i], sheet.Box{X: x, Y: enemyRowY, W: positionW, H: positionH}, below, above, scene.Spots)
		v.position(b, bt, own[i], sheet.Box{X: x, Y: ownRowY, W: positionW, H: positionH}, below, above, scene.Spots)
		front := sheet.Box{X: x, Y: enemyRowY + positionH, W: positionW, H: frontH}
		if bt.stream(own[i]) {
			b.streamMark(front)
		} else {
			y := front.Y + front.H/2
			b.Dashed(inkShade, 12, 6, sheet.At(front.X+8, y), sheet.At(front.X+front.W-8, y))
		}
	}
	v.reserveStrip(b, bt, below, ownReserveY, scene.Spots)
	b.key(ownReserveY + reserveH + 20)
	scene.Marks = b.Marks()
	scene.Below = len(scene.Marks)
	return scene
}

// key explains the marks of a board.
func (b *brush) key(y int) {
	x := boardMargin + 8
	say := func(what string, w int) {
		b.Label(sheet.At(x+30, y), sheet.Phrase("nap.board.key-"+what), sheet.Lettering{Size: 11, Ink: inkBlack, Anchor: engine.Start})
		x += w
	}
	sign := func() sheet.Box { return sheet.Box{X: x, Y: y - 7, W: 22, H: 14} }
	b.Box(sign(), inkMarker, inkBlack, 14)
	b.Box(sign().Grown(-3), armyInks[french], inkBlack, 8)
	say("square", 170)
	b.house(sheet.At(x+4, y), 14)
	b.mound(sheet.At(x+20, y), 16)
	x += 6
	say("holds", 210)
	b.Box(sheet.Box{X: x, Y: y - 8, W: 24, H: 16}, armyInks[prussian], inkWhite, 6)
	b.Label(sheet.At(x+12, y), sheet.Text("P×3"), sheet.Lettering{Size: 10, Bold: true, Ink: inkWhite})
	say("hidden", 150)
	b.Box(sign(), armyInks[french], inkBlack, 8)
	b.disrupted(sign())
	say("disrupted", 100)
}

// reserveStrip draws a camp's reserve, or who waits to be deployed.
func (v *View) reserveStrip(b *brush, bt *battle, c camp, y int, spots map[string]engine.Spot) {
	r := sheet.Box{X: boardMargin, Y: y, W: boardWidth - 2*boardMargin, H: reserveH}
	b.Box(r, inkReserve, inkShade, 10)
	code, units := "nap.board.reserve", v.counters(bt, reserve, c)
	if waiting := v.counters(bt, offBoard, c); len(waiting) > 0 {
		code, units = "nap.board.waiting", append(units, waiting...)
	}
	role := "attacker"
	if c != bt.attacker {
		role = "defender"
	}
	b.Label(sheet.At(r.X+8, r.Y+10), sheet.Phrase(code, phrase.Name("camp", "camp", campWords[c]),
		phrase.Within("role", phrase.Say("nap.board."+role))), sheet.Lettering{Size: 12, Bold: bt.number > 0 && bt.acting == c, Ink: inkBlack, Anchor: engine.Start})
	v.fill(b, sheet.Box{X: r.X + 4, Y: r.Y + 18, W: r.W - 8, H: r.H - 20}, units, spots)
	spots[fieldSpot(fieldWords[reserve], c)] = engine.Spot{Box: r, Taken: true}
}

// position draws one of the six positions with what stands on it.
func (v *View) position(b *brush, bt *battle, f field, r sheet.Box, below, above camp, spots map[string]engine.Spot) {
	spots[fieldWords[f]] = engine.Spot{Box: r.Grown(-fieldEdge), Taken: true}
	ground := inkField
	if bt.terrain[f] == wood {
		ground = inkWood
	}
	lower := bt.owner(f) == below // the rear of the position is below
	b.Box(r, ground, inkBlack, 12)
	title := sheet.Box{X: r.X, Y: r.Y, W: r.W, H: 18}
	if lower {
		title.Y = r.Y + r.H - 18
	}
	inner := sheet.Box{X: r.X + 4, Y: r.Y + 20, W: r.W - 8, H: r.H - 23}
	if lower {
		inner.Y = r.Y + 3
	}
	switch bt.terrain[f] {
	case wood:
		for _, p := range [...]engine.Point{{X: 8, Y: 26}, {X: 30, Y: 84}, {X: 70, Y: 40}, {X: 96, Y: 92}, {X: 116, Y: 20}, {X: 150, Y: 66},
			{X: 188, Y: 34}, {X: 206, Y: 96}, {X: 14, Y: 108}, {X: 168, Y: 104}, {X: 52, Y: 14}} {
			b.tree(sheet.At(inner.X+p.X, inner.Y+p.Y))
		}
	case hill:
		m := inner.Middle()
		for n := range 4 {
			w, h := inner.W/2-4-n*26, inner.H/2-4-n*14
			b.Curve(inkContour, 14, oval(m, w, h)...)
		}
	}
	name := v.placeName(bt, f)
	label := sheet.Phrase("nap.board.position", sheet.Filled("field", name))
	if p := bt.terrain[f]; p != noPiece {
		label = sheet.Phrase("nap.board.position", sheet.Filled("field", name), phrase.Name("terrain", "terrain", pieceWords[p]))
	}
	b.Label(sheet.At(title.X+8, title.Y+title.H/2), label, sheet.Lettering{Size: 12, Bold: true, Ink: inkBlack, Anchor: engine.Start})
	switch bt.terrain[f] {
	case farm:
		b.house(sheet.At(title.X+title.W-16, title.Y+title.H/2), 14)
	case hill:
		b.mound(sheet.At(title.X+title.W-18, title.Y+title.H/2), 20)
	}

	first, second := v.counters(bt, f, above), v.counters(bt, f, below)
	switch {
	case len(first) == 0:
		v.fill(b, inner, second, spots)
	case len(second) == 0:
		v.fill(b, inner, first, spots)
	default:
		half := inner.H / 2
		v.fill(b, sheet.Box{X: inner.X, Y: inner.Y, W: inner.W, H: half - 1}, first, spots)
		v.fill(b, sheet.Box{X: inner.X, Y: inner.Y + half + 2, W: inner.W, H: half - 2}, second, spots)
		y := inner.Y + half
		b.Line(inkSword, 16, sheet.At(inner.X, y), sheet.At(inner.X+inner.W, y))
		b.swords(sheet.At(r.X+r.W-9, y), 9)
	}
}

// fill puts counters into a box, as large as they fit, in rows from its middle.
func (v *View) fill(b *brush, r sheet.Box, units []counter, spots map[string]engine.Spot) {
	if len(units) == 0 {
		return
	}
	const gap = 5
	w, h, cols := 0, 0, 1
	for _, size := range [...]engine.Point{{X: 64, Y: 48}, {X: 56, Y: 42}, {X: 50, Y: 38}, {X: 44, Y: 33}, {X: 38, Y: 29}, {X: 34, Y: 26}, {X: 28, Y: 21}, {X: 22, Y: 17}, {X: 16, Y: 12}, {X: 10, Y: 8}} {
		w, h = size.X, size.Y
		cols = max(1, (r.W+gap)/(w+gap))
		if rows := (len(units) + cols - 1) / cols; rows*(h+gap)-gap <= r.H {
			break
		}
	}
	rows := (len(units) + cols - 1) / cols
	cols = (len(units) + rows - 1) / rows // rows of even length
	top := r.Y + (r.H-rows*(h+gap)+gap)/2
	for i := range units {
		inRow := min(cols, len(units)-i/cols*cols)
		left := r.X + (r.W-inRow*(w+gap)+gap)/2
		at := sheet.Box{X: left + i%cols*(w+gap), Y: top + i/cols*(h+gap), W: w, H: h}
		v.counter(b, at, &units[i])
		if u := units[i].unit; u != nil {
			spots[v.roster[u.id].id] = engine.Spot{Box: at}
		}
	}
}

// counter draws one block of the board.
func (v *View) counter(b *brush, r sheet.Box, c *counter) {
	u := c.unit
	if u != nil && u.inSquares() {
		b.Box(r.Grown(3), inkMarker, inkBlack, 14)
	}
	switch {
	case u == nil:
		b.hidden(r, c.army, c.n)
	case r.H < 20:
		b.Box(r, armyInks[c.army], inkBlack, 8)
		b.Label(r.Middle(), sheet.Text(v.shortID(u.id)), sheet.Lettering{Size: max(8, r.H*6/10), Bold: true, Ink: inkWhite})
	default:
		b.Box(r, armyInks[c.army], inkBlack, 10)
		b.symbol(sheet.Box{X: r.X + r.W*10/100, Y: r.Y + r.H*12/100, W: r.W * 44 / 100, H: r.H * 40 / 100}, u.kind, inkWhite, 10+r.H/6)
		b.Label(sheet.At(r.X+r.W*78/100, r.Y+r.H*33/100), sheet.Text(strconv.Itoa(int(u.strength))), sheet.Lettering{Size: r.H * 46 / 100, Bold: true, Ink: inkWhite})
		b.Label(sheet.At(r.X+r.W/2, r.Y+r.H*77/100), sheet.Text(v.roster[u.id].id+" F"+strconv.Itoa(int(u.fire))), sheet.Lettering{Size: max(9, r.H*27/100), Bold: true, Ink: inkWhite})
	}
	if c.disrupted {
		b.disrupted(r)
	}
	switch c.holds {
	case farm:
		b.house(sheet.At(r.X+6, r.Y+3), 14)
	case hill:
		b.mound(sheet.At(r.X+7, r.Y+3), 18)
	}
}

// tree draws a tree of a wood.
func (b *brush) tree(at engine.Point) {
	b.Line(inkTrunk, 20, sheet.At(at.X, at.Y+6), sheet.At(at.X, at.Y+12))
	b.Polygon(inkTree, "", 0, sheet.At(at.X, at.Y-8), sheet.At(at.X+7, at.Y+7), sheet.At(at.X-7, at.Y+7))
}

// house draws a farm.
func (b *brush) house(at engine.Point, w int) {
	h := w / 2
	b.Polygon(inkMarker, inkBlack, 10, sheet.At(at.X-h, at.Y), sheet.At(at.X, at.Y-h), sheet.At(at.X+h, at.Y),
		sheet.At(at.X+h-1, at.Y), sheet.At(at.X+h-1, at.Y+h-1), sheet.At(at.X-h+1, at.Y+h-1), sheet.At(at.X-h+1, at.Y))
}

// mound draws a hill.
func (b *brush) mound(at engine.Point, w int) {
	h := w / 2
	b.Polygon(inkContour, inkBlack, 10, sheet.At(at.X-h, at.Y+h/2), sheet.At(at.X-h/2, at.Y-h/4), sheet.At(at.X, at.Y-h/2), sheet.At(at.X+h/2, at.Y-h/4), sheet.At(at.X+h, at.Y+h/2))
}

// streamMark draws a stream along the front of a column.
func (b *brush) streamMark(r sheet.Box) {
	y := r.Y + r.H/2
	var bank []engine.Point
	for i := 0; i <= 16; i++ {
		off := [4]int{0, 3, 0, -3}[i%4]
		bank = append(bank, sheet.At(r.X+i*r.W/16, y+off))
	}
	b.Line(inkStream, 70, bank...)
	b.Label(sheet.At(r.X+r.W/2, y), sheet.Name("terrain", pieceWords[stream]), sheet.Lettering{Size: 11, Bold: true, Ink: inkBlack, Rim: inkTable})
}

// oval gives the outline of an ellipse.
func oval(m engine.Point, w, h int) []engine.Point {
	points := make([]engine.Point, 0, 25)
	for i := range 12 {
		for _, d := range [2]engine.Point{sheet.Clock[i], sheet.Clock[12+i]} {
			points = append(points, sheet.At(m.X+sheet.RoundDiv(d.X*w, 100), m.Y+sheet.RoundDiv(d.Y*h, 100)))
		}
	}
	return append(points, points[0])
}
