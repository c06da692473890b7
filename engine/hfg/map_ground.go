package hfg

import (
	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/sheet"
)

// Inks of the ground. They differ in lightness as well as in colour, so that the picture can be read
// in grey.
const (
	inkPaper  engine.Ink = "#e9e2cf"
	inkText   engine.Ink = "#1d1b18"
	inkMeadow engine.Ink = "#f6f1df"
	inkGrid   engine.Ink = "#cfc6a8"
	inkRoad   engine.Ink = "#d8b878"
	inkCasing engine.Ink = "#8a6a3c"
	inkStream engine.Ink = "#4d8fbf"
	inkBank   engine.Ink = "#2f6690"
	inkGully  engine.Ink = "#9a8c66"
	inkCard   engine.Ink = "#fdfaf1"
	inkEdge   engine.Ink = "#8b8272"
	inkWork   engine.Ink = "#7b4a1f"
	inkFire   engine.Ink = "#d9541e"
)

// groundFill and groundSign are the inks of areas, and of what is drawn in them.
var (
	groundFill = [...]engine.Ink{waterway: "#bcdcf0", marsh: "#cfe0cf", hill: "#e6d6b0", bua: "#dfc0a4", wood: "#9dbb85", slowGoing: "#e7e0a0", strongPoint: "#cfa88c"}
	groundSign = [...]engine.Ink{waterway: "#2f6690", marsh: "#4d7f8f", hill: "#9a7840", bua: "#8e4b34", wood: "#46703f", slowGoing: "#93892f", strongPoint: "#6f3a28"}
)

// grounded draws the ground with the legend, or gives what was drawn before.
func (k *sketch) grounded() []engine.Mark {
	draw := func() []engine.Mark {
		k.Brush = sheet.NewBrush(400)
		k.ground()
		if !k.near {
			k.legend()
		}
		return k.Marks()
	}
	if k.near {
		return draw()
	}
	return k.view.setting.chart.Kept(draw)
}

// ground draws what never changes in a battle.
func (k *sketch) ground() {
	k.Box(k.Frame, inkMeadow, "", 0)
	for _, kind := range [...]ground{waterway, hill, marsh, slowGoing, wood, bua, strongPoint} {
		for a := areaID(1); int(a) <= len(k.view.areas); a++ {
			if k.view.area(a).kind == kind {
				k.areaMarks(a)
			}
		}
	}
	k.Grid(inkGrid, point(k.view.size), gridUnit)
	for _, kind := range [...]track{gully, stream, river, railway, road} {
		for i := range k.view.lines {
			if k.view.lines[i].kind == kind {
				k.lineMarks(&k.view.lines[i])
			}
		}
	}
	k.Box(k.Frame, "", inkText, 14)
}

// areaMarks draws an area, and signs all over it; of a hill its crest.
func (k *sketch) areaMarks(a areaID) {
	o, d := k.view.outline(a), k.view.area(a)
	width := 10
	if d.square() || d.kind == hill && d.slope == difficult {
		width = 24
	}
	k.Polygon(groundFill[d.kind], groundSign[d.kind], width, k.Points(o.P)...)
	step := [...]int64{waterway: 250 * pace, marsh: 160 * pace, hill: 320 * pace, bua: 130 * pace, wood: 100 * pace, slowGoing: 110 * pace, strongPoint: 125 * pace}[d.kind]
	for _, p := range k.Signs(o, step) {
		k.sign(d.kind, p)
	}
	if crest := k.view.crestLine(a); len(crest) > 1 {
		k.Dashed(groundSign[hill], 16, 8, k.Points(crest)...)
	}
}

// sign draws what stands for a kind of ground.
func (k *sketch) sign(kind ground, at engine.Point) {
	ink, n := groundSign[kind], max(k.Long(10*pace), 1)
	switch kind {
	case hill:
		k.Line(ink, 10, sheet.At(at.X-4*n, at.Y+2*n), sheet.At(at.X, at.Y-2*n), sheet.At(at.X+4*n, at.Y+2*n))
	case wood:
		k.Disc(at, 3*n, ink, groundFill[wood], 6)
	case slowGoing:
		k.Line(ink, 10, sheet.At(at.X-2*n, at.Y+2*n), sheet.At(at.X+2*n, at.Y-2*n))
	case waterway, marsh:
		k.Line(ink, 10, sheet.At(at.X-4*n, at.Y), sheet.At(at.X-n, at.Y-n), sheet.At(at.X+n, at.Y+n), sheet.At(at.X+4*n, at.Y))
	case bua, strongPoint:
		k.Box(engine.Box{X: at.X - 3*n, Y: at.Y - 2*n, W: 6 * n, H: 4 * n}, ink, groundFill[kind], 6)
	}
}

// leastRoad is how wide roads are drawn, in paces, and good ones one and a half times as wide.
const leastRoad = 60

// lineMarks draws a road, a railway, or a course of water as wide as it is.
func (k *sketch) lineMarks(d *lineDef) {
	points := k.Points(d.points)
	wide := k.Long(leastRoad*pace) * 10
	water := max(k.Long(int64(d.width))*10, 40)
	switch d.kind {
	case river, stream:
		k.Curve(inkBank, water+16, points...)
		k.Curve(inkStream, water, points...)
	case gully:
		k.Curve(inkGully, water+16, points...)
		k.Curve(inkMeadow, water-10, points...)
	case railway:
		k.Line(inkText, wide/2+10, points...)
		k.Dashed(inkCard, wide/2-6, 6, points...)
	case road:
		if d.good {
			wide = wide * 3 / 2
		}
		k.Line(inkCasing, wide, points...)
		k.Line(inkRoad, wide*5/8, points...)
	}
}

// spans draws bridges and fords, and flames on what burns.
func (k *sketch) spans() {
	for i := range k.view.Bridges {
		b := k.view.span(k.view.Bridges[i].ID)
		k.Polygon(inkRoad, inkText, 20, k.Points(b.Corner[:])...)
	}
	for _, f := range k.view.Fords {
		k.Disc(k.Point(point(f.At)), max(k.Long(40*pace), 4), "", inkCard, 20)
	}
	for _, a := range k.view.Burning {
		o := k.view.outline(a)
		k.Polygon(inkFire, inkText, 8, sheet.Burst(k.Point(point{X: (o.Lo.X + o.Hi.X) / 2, Y: (o.Lo.Y + o.Hi.Y) / 2}), 12)...)
	}
}

// workMarks draws the works that are seen on the field, their front thick.
func (k *sketch) workMarks() {
	for i := range k.view.Works {
		w := &k.view.Works[i]
		depth := max(int64(w.Depth), 40*pace)
		b := geometry.NewBody(geometry.Piece{Frame: w.frame(), Box: geometry.Box{U0: -int64(w.Width) / 2, V0: -depth, U1: int64(w.Width) / 2}})
		if w.Kind == minefield {
			points := k.Points(b.Corner[:])
			k.Dashed(inkText, 10, 4, append(points, points[0])...)
			continue
		}
		k.Body(&b, inkGully, inkWork, 14)
		k.Line(inkWork, 46, k.Points(frontOf(b))...)
	}
}
