package napoleon

import (
	"berthier/engine"
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

// A counter is what the board shows as one block: a [token] and the farm or
// hill that it occupies.
type counter struct {
	token
	holds piece
}

// counters lists what a camp has on a field of a battle: units that can be
// named, those in a square followed by whom they shelter, then hidden blocks.
// Which of them stand on the same side of a mark never depends on what is
// hidden, only on what is seen.
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
		Alt: phrase.Say("nap.board.alt", phrase.Within("battle", title)),
	}
	b := newBrush(100 + 4*(v.blocks(bt.town, frenchCamp)+v.blocks(bt.town, alliedCamp)))
	b.box(box{4, 4, boardWidth - 8, boardHeight - 8}, "", inkShade, 10)
	b.text(pt(boardWidth/2, 22), phrase.Value{Kind: phrase.KindPhrase, Say: &title}, lettering{size: 16, bold: true, ink: inkBlack})

	v.reserveStrip(b, bt, above, enemyReserveY)
	own, enemy := bt.columnFields(below)
	for i := range own {
		x := boardMargin + i*(positionW+boardMargin)
		v.position(b, bt, enemy[i], box{x, enemyRowY, positionW, positionH}, below, above)
		v.position(b, bt, own[i], box{x, ownRowY, positionW, positionH}, below, above)
		front := box{x, enemyRowY + positionH, positionW, frontH}
		if bt.stream(own[i]) {
			b.streamMark(front)
		} else {
			y := front.y + front.h/2
			b.dashed(inkShade, 12, 6, pt(front.x+8, y), pt(front.x+front.w-8, y))
		}
	}
	v.reserveStrip(b, bt, below, ownReserveY)
	b.key(ownReserveY + reserveH + 20)
	scene.Marks = b.marks
	return scene
}

// key explains the marks of a board.
func (b *brush) key(y int) {
	x := boardMargin + 8
	say := func(what string, w int) {
		b.text(pt(x+30, y), sayPhrase("nap.board.key-"+what), lettering{size: 11, ink: inkBlack, anchor: engine.Start})
		x += w
	}
	sign := func() box { return box{x, y - 7, 22, 14} }
	b.box(sign(), inkMarker, inkBlack, 14)
	b.box(sign().grown(-3), armyInks[french], inkBlack, 8)
	say("square", 170)
	b.house(pt(x+4, y), 14)
	b.mound(pt(x+20, y), 16)
	x += 6
	say("holds", 210)
	b.box(box{x, y - 8, 24, 16}, armyInks[prussian], inkWhite, 6)
	b.text(pt(x+12, y), sayText("P×3"), lettering{size: 10, bold: true, ink: inkWhite})
	say("hidden", 150)
	b.box(sign(), armyInks[french], inkBlack, 8)
	b.disrupted(sign())
	say("disrupted", 100)
}

// reserveStrip draws a camp's reserve, or who waits to be deployed.
func (v *View) reserveStrip(b *brush, bt *battle, c camp, y int) {
	r := box{boardMargin, y, boardWidth - 2*boardMargin, reserveH}
	b.box(r, inkReserve, inkShade, 10)
	code, units := "nap.board.reserve", v.counters(bt, reserve, c)
	if waiting := v.counters(bt, offBoard, c); len(waiting) > 0 {
		code, units = "nap.board.waiting", append(units, waiting...)
	}
	role := "attacker"
	if c != bt.attacker {
		role = "defender"
	}
	b.text(pt(r.x+8, r.y+10), sayPhrase(code, phrase.Name("camp", "camp", campWords[c]),
		phrase.Within("role", phrase.Say("nap.board."+role))), lettering{size: 12, bold: bt.number > 0 && bt.acting == c, ink: inkBlack, anchor: engine.Start})
	v.fill(b, box{r.x + 4, r.y + 18, r.w - 8, r.h - 20}, units)
}

// position draws one of the six positions with what stands on it.
func (v *View) position(b *brush, bt *battle, f field, r box, below, above camp) {
	ground := inkField
	if bt.terrain[f] == wood {
		ground = inkWood
	}
	lower := bt.owner(f) == below // its rear is below
	b.box(r, ground, inkBlack, 12)
	title := box{r.x, r.y, r.w, 18}
	if lower {
		title.y = r.y + r.h - 18
	}
	inner := box{r.x + 4, r.y + 20, r.w - 8, r.h - 23}
	if lower {
		inner.y = r.y + 3
	}
	switch bt.terrain[f] {
	case wood:
		for _, p := range [...]engine.Point{{X: 8, Y: 26}, {X: 30, Y: 84}, {X: 70, Y: 40}, {X: 96, Y: 92}, {X: 116, Y: 20}, {X: 150, Y: 66},
			{X: 188, Y: 34}, {X: 206, Y: 96}, {X: 14, Y: 108}, {X: 168, Y: 104}, {X: 52, Y: 14}} {
			b.tree(pt(inner.x+p.X, inner.y+p.Y))
		}
	case hill:
		m := inner.middle()
		for n := range 4 {
			w, h := inner.w/2-4-n*26, inner.h/2-4-n*14
			b.curve(inkContour, 14, oval(m, w, h)...)
		}
	}
	name := v.placeName(bt, f)
	label := sayPhrase("nap.board.position", filledWith("field", name))
	if p := bt.terrain[f]; p != noPiece {
		label = sayPhrase("nap.board.position", filledWith("field", name), phrase.Name("terrain", "terrain", pieceWords[p]))
	}
	b.text(pt(title.x+8, title.y+title.h/2), label, lettering{size: 12, bold: true, ink: inkBlack, anchor: engine.Start})
	switch bt.terrain[f] {
	case farm:
		b.house(pt(title.x+title.w-16, title.y+title.h/2), 14)
	case hill:
		b.mound(pt(title.x+title.w-18, title.y+title.h/2), 20)
	}

	first, second := v.counters(bt, f, above), v.counters(bt, f, below)
	switch {
	case len(first) == 0:
		v.fill(b, inner, second)
	case len(second) == 0:
		v.fill(b, inner, first)
	default:
		half := inner.h / 2
		v.fill(b, box{inner.x, inner.y, inner.w, half - 1}, first)
		v.fill(b, box{inner.x, inner.y + half + 2, inner.w, half - 2}, second)
		y := inner.y + half
		b.line(inkSword, 16, pt(inner.x, y), pt(inner.x+inner.w, y))
		b.swords(pt(r.x+r.w-9, y), 9)
	}
}

// fill puts counters into a box, as large as they fit, in rows from its middle.
func (v *View) fill(b *brush, r box, units []counter) {
	if len(units) == 0 {
		return
	}
	const gap = 5
	w, h, cols := 0, 0, 1
	for _, size := range [...]engine.Point{{X: 64, Y: 48}, {X: 56, Y: 42}, {X: 50, Y: 38}, {X: 44, Y: 33}, {X: 38, Y: 29}, {X: 34, Y: 26}, {X: 28, Y: 21}, {X: 22, Y: 17}, {X: 16, Y: 12}, {X: 10, Y: 8}} {
		w, h = size.X, size.Y
		cols = max(1, (r.w+gap)/(w+gap))
		if rows := (len(units) + cols - 1) / cols; rows*(h+gap)-gap <= r.h {
			break
		}
	}
	rows := (len(units) + cols - 1) / cols
	cols = (len(units) + rows - 1) / rows // rows of even length
	top := r.y + (r.h-rows*(h+gap)+gap)/2
	for i := range units {
		inRow := min(cols, len(units)-i/cols*cols)
		left := r.x + (r.w-inRow*(w+gap)+gap)/2
		v.counter(b, box{left + i%cols*(w+gap), top + i/cols*(h+gap), w, h}, &units[i])
	}
}

// counter draws one block of the board.
func (v *View) counter(b *brush, r box, c *counter) {
	u := c.unit
	if u != nil && u.inSquares() {
		b.box(r.grown(3), inkMarker, inkBlack, 14)
	}
	switch {
	case u == nil:
		b.hidden(r, c.army, c.n)
	case r.h < 20:
		b.box(r, armyInks[c.army], inkBlack, 8)
		b.text(r.middle(), sayText(v.shortID(u.id)), lettering{size: max(8, r.h*6/10), bold: true, ink: inkWhite})
	default:
		b.box(r, armyInks[c.army], inkBlack, 10)
		b.symbol(box{r.x + r.w*10/100, r.y + r.h*12/100, r.w * 44 / 100, r.h * 40 / 100}, u.kind, inkWhite, 10+r.h/6)
		b.text(pt(r.x+r.w*78/100, r.y+r.h*33/100), sayText(digits(int(u.strength))), lettering{size: r.h * 46 / 100, bold: true, ink: inkWhite})
		b.text(pt(r.x+r.w/2, r.y+r.h*77/100), sayText(v.roster[u.id].id+" F"+digits(int(u.fire))), lettering{size: max(9, r.h*27/100), bold: true, ink: inkWhite})
	}
	if c.disrupted {
		b.disrupted(r)
	}
	switch c.holds {
	case farm:
		b.house(pt(r.x+6, r.y+3), 14)
	case hill:
		b.mound(pt(r.x+7, r.y+3), 18)
	}
}

// tree draws a tree of a wood.
func (b *brush) tree(at engine.Point) {
	b.line(inkTrunk, 20, pt(at.X, at.Y+6), pt(at.X, at.Y+12))
	b.polygon(inkTree, "", 0, pt(at.X, at.Y-8), pt(at.X+7, at.Y+7), pt(at.X-7, at.Y+7))
}

// house draws a farm.
func (b *brush) house(at engine.Point, w int) {
	h := w / 2
	b.polygon(inkMarker, inkBlack, 10, pt(at.X-h, at.Y), pt(at.X, at.Y-h), pt(at.X+h, at.Y),
		pt(at.X+h-1, at.Y), pt(at.X+h-1, at.Y+h-1), pt(at.X-h+1, at.Y+h-1), pt(at.X-h+1, at.Y))
}

// mound draws a hill.
func (b *brush) mound(at engine.Point, w int) {
	h := w / 2
	b.polygon(inkContour, inkBlack, 10, pt(at.X-h, at.Y+h/2), pt(at.X-h/2, at.Y-h/4), pt(at.X, at.Y-h/2), pt(at.X+h/2, at.Y-h/4), pt(at.X+h, at.Y+h/2))
}

// streamMark draws a stream along the front of a column.
func (b *brush) streamMark(r box) {
	y := r.y + r.h/2
	var bank []engine.Point
	for i := 0; i <= 16; i++ {
		off := [4]int{0, 3, 0, -3}[i%4]
		bank = append(bank, pt(r.x+i*r.w/16, y+off))
	}
	b.line(inkStream, 70, bank...)
	b.text(pt(r.x+r.w/2, y), sayName("terrain", pieceWords[stream]), lettering{size: 11, bold: true, ink: inkBlack, rim: inkTable})
}

// oval gives the outline of an ellipse.
func oval(m engine.Point, w, h int) []engine.Point {
	points := make([]engine.Point, 0, 25)
	for i := range 12 {
		for _, d := range [2]engine.Point{clock[i], clock[12+i]} {
			points = append(points, pt(m.X+roundDiv(d.X*w, 100), m.Y+roundDiv(d.Y*h, 100)))
		}
	}
	return append(points, points[0])
}
