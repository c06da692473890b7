package mistakes

import (
	"strconv"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/sheet"
)

// Inks of the ground. They differ in lightness as well as in colour, so that the picture can be
// read in grey.
const (
	inkPaper  engine.Ink = "#e9e2cf"
	inkText   engine.Ink = "#1d1b18"
	inkMeadow engine.Ink = "#f6f1df"
	inkGrid   engine.Ink = "#cfc6a8"
	inkLimit  engine.Ink = "#6d5c8f"
	inkRoad   engine.Ink = "#d8b878"
	inkCasing engine.Ink = "#8a6a3c"
	inkStream engine.Ink = "#4d8fbf"
	inkBank   engine.Ink = "#2f6690"
	inkCard   engine.Ink = "#fdfaf1"
	inkEdge   engine.Ink = "#8b8272"
)

// groundFill and groundSign are the inks of areas, and of what is drawn in them.
var (
	groundFill = [...]engine.Ink{hill: "#e6d6b0", wood: "#9dbb85", crops: "#efe08e", town: "#dfc0a4"}
	groundSign = [...]engine.Ink{hill: "#9a7840", wood: "#46703f", crops: "#a8902a", town: "#8e4b34"}
)

// ground draws what never changes.
func (k *sketch) ground() {
	k.Box(k.Frame, inkMeadow, "", 0)
	for _, kind := range [...]ground{hill, crops, wood, town} {
		for a := areaID(1); int(a) <= len(k.view.areas); a++ {
			if k.view.area(a).kind == kind {
				k.areaMarks(a)
			}
		}
	}
	k.Grid(inkGrid, geometry.Point(k.view.size), gridStep)
	if limit := int64(k.view.limit); limit > 0 {
		k.Rule(inkLimit, 14, 9, geometry.Point{X: limit}, geometry.Point{X: limit, Y: k.view.size.Y})
	}
	for _, kind := range [...]track{stream, sunkenRoad, road} {
		for i := range k.view.lines {
			if k.view.lines[i].kind == kind {
				k.lineMarks(&k.view.lines[i])
			}
		}
	}
	for i := range k.view.bridges {
		k.Polygon(inkRoad, inkText, 20, k.Points(k.view.bridge(i).P)...)
	}
	k.Box(k.Frame, "", inkText, 14)
}

// areaMarks draws an area, and signs all over it.
func (k *sketch) areaMarks(a areaID) {
	o, kind := k.view.outline(a), k.view.area(a).kind
	edge, width := groundSign[kind], 10
	if kind == town {
		width = 22
	}
	k.Polygon(groundFill[kind], edge, width, k.Points(o.P)...)
	step := [...]int64{hill: 17_000, wood: 9_000, crops: 8_000, town: 11_000}[kind]
	for _, p := range k.Signs(o, step) {
		k.sign(kind, p)
	}
}

// sign draws what stands for a kind of ground.
func (k *sketch) sign(kind ground, at engine.Point) {
	ink, n := groundSign[kind], k.Long(1000)
	switch kind {
	case hill:
		k.Line(ink, 10, sheet.At(at.X-4*n, at.Y+2*n), sheet.At(at.X, at.Y-2*n), sheet.At(at.X+4*n, at.Y+2*n))
	case wood:
		k.Disc(at, 3*n, ink, groundFill[wood], 6)
	case crops:
		k.Line(ink, 10, sheet.At(at.X-2*n, at.Y+2*n), sheet.At(at.X+2*n, at.Y-2*n))
	case town:
		k.Box(engine.Box{X: at.X - 3*n, Y: at.Y - 2*n, W: 6 * n, H: 4 * n}, ink, groundFill[town], 6)
	}
}

// lineMarks draws a road or a stream.
func (k *sketch) lineMarks(d *lineDef) {
	points, wide := k.Points(d.points), k.Long(2*int64(k.view.measures.road))*10
	switch d.kind {
	case stream:
		k.Curve(inkBank, wide+8, points...)
		k.Curve(inkStream, wide-8, points...)
	case road:
		k.Line(inkCasing, wide, points...)
		k.Line(inkRoad, wide*5/8, points...)
	case sunkenRoad:
		k.Line(inkText, wide+50, points...)
		k.Line(inkMeadow, wide+30, points...)
		k.Dashed(inkCasing, wide+30, 3, points...)
	}
}

// coordinates writes the millimetres of the grid along all four edges.
func (k *sketch) coordinates() {
	step := int64(gridStep)
	if k.near {
		step /= 2
	}
	l := sheet.Lettering{Size: k.text, Bold: true, Ink: inkText}
	f := k.Frame
	for x := int64(0); x <= k.view.size.X; x += step {
		if p := k.At(x, k.North); k.Shows(p) {
			text := sheet.Text(strconv.FormatInt(x/1000, 10))
			k.Label(sheet.At(p.X, f.Y-10), text, l)
			k.Label(sheet.At(p.X, f.Y+f.H+12), text, l)
		}
	}
	for y := int64(0); y <= k.view.size.Y; y += step {
		if p := k.At(k.West, y); k.Shows(p) {
			text := sheet.Text(strconv.FormatInt(y/1000, 10))
			k.Label(sheet.At(f.X/2, p.Y), text, l)
			k.Label(sheet.At(f.X+f.W+mapEdge/2, p.Y), text, l)
		}
	}
}
