// Package sheet helps rulesets to draw: it puts marks on the sheet of an
// [engine.Scene], and makes the values that labels and cells of tables hold. All
// measures are whole numbers; y grows downwards.
package sheet

import (
	"strings"

	"berthier/engine"
	"berthier/orders/phrase"
)

// A Brush puts marks on a sheet, each on top of those before it.
type Brush struct {
	marks  []engine.Mark
	points []engine.Point // the points of all marks, so that they are not allocated one by one
}

// NewBrush is a brush for about so many marks.
func NewBrush(marks int) *Brush {
	return &Brush{marks: make([]engine.Mark, 0, marks), points: make([]engine.Point, 0, marks*3)}
}

// Marks gives what was drawn.
func (b *Brush) Marks() []engine.Mark { return b.marks }

// at keeps points and gives them back as the points of one mark.
func (b *Brush) at(points ...engine.Point) []engine.Point {
	n := len(b.points)
	b.points = append(b.points, points...)
	return b.points[n:len(b.points):len(b.points)]
}

// At is a point.
func At(x, y int) engine.Point { return engine.Point{X: x, Y: y} }

// A Box is an upright rectangle.
type Box = engine.Box

// Box draws a rectangle. Width is the width of its edge, in tenths.
func (b *Brush) Box(r Box, fill, stroke engine.Ink, width int) {
	b.Polygon(fill, stroke, width, At(r.X, r.Y), At(r.X+r.W, r.Y), At(r.X+r.W, r.Y+r.H), At(r.X, r.Y+r.H))
}

// Polygon draws an area. Width is the width of its edge, in tenths.
func (b *Brush) Polygon(fill, stroke engine.Ink, width int, points ...engine.Point) {
	b.marks = append(b.marks, engine.Mark{Shape: engine.Polygon, Points: b.at(points...), Fill: fill, Stroke: stroke, Width: width})
}

// Line draws a line. Width is in tenths.
func (b *Brush) Line(ink engine.Ink, width int, points ...engine.Point) {
	b.marks = append(b.marks, engine.Mark{Shape: engine.Line, Points: b.at(points...), Stroke: ink, Width: width})
}

// Curve draws a line that bends smoothly through its points.
func (b *Brush) Curve(ink engine.Ink, width int, points ...engine.Point) {
	b.marks = append(b.marks, engine.Mark{Shape: engine.Curve, Points: b.at(points...), Stroke: ink, Width: width})
}

// Dashed draws a line of dashes. Width is in tenths, dash is the length of a dash.
func (b *Brush) Dashed(ink engine.Ink, width, dash int, points ...engine.Point) {
	b.marks = append(b.marks, engine.Mark{Shape: engine.Line, Points: b.at(points...), Stroke: ink, Width: width, Dash: dash})
}

// Disc draws a disc. Width is the width of its edge, in tenths.
func (b *Brush) Disc(at engine.Point, radius int, fill, stroke engine.Ink, width int) {
	b.marks = append(b.marks, engine.Mark{Shape: engine.Disc, Points: b.at(at), Radius: radius, Fill: fill, Stroke: stroke, Width: width})
}

// Lettering is how a text looks.
type Lettering struct {
	Size   int
	Bold   bool
	Ink    engine.Ink
	Rim    engine.Ink // around the letters; "" for none
	Anchor engine.Anchor
}

// Label writes a text.
func (b *Brush) Label(at engine.Point, what phrase.Value, l Lettering) {
	m := engine.Mark{Shape: engine.Label, Points: b.at(at), Text: what, Fill: l.Ink, Size: l.Size, Bold: l.Bold, Anchor: l.Anchor}
	if l.Rim != "" {
		m.Stroke, m.Width = l.Rim, 30
	}
	b.marks = append(b.marks, m)
}

// Again writes the name of a place over what was drawn across it.
func (b *Brush) Again(n engine.Name) {
	if n.Label.Shape != "" {
		b.marks = append(b.marks, n.Label)
	}
}

// TextWidth is roughly the width of a text, in the typeface that pictures use.
func TextWidth(text string, size int, bold bool) int {
	w := 0
	for _, c := range text {
		switch {
		case strings.ContainsRune("iljtfrI.,'- ", c):
			w += 34
		case strings.ContainsRune("mwMW", c):
			w += 86
		case c >= 'A' && c <= 'Z':
			w += 66
		default:
			w += 57
		}
	}
	if bold {
		w += w / 10
	}
	return w * size / 100
}

// Star gives the corners of a star around a point, five-pointed and upright.
func Star(at engine.Point, radius int) []engine.Point {
	var points []engine.Point
	for _, p := range [...]engine.Point{{X: 0, Y: -100}, {X: 24, Y: -32}, {X: 95, Y: -31}, {X: 38, Y: 12}, {X: 59, Y: 81},
		{X: 0, Y: 40}, {X: -59, Y: 81}, {X: -38, Y: 12}, {X: -95, Y: -31}, {X: -24, Y: -32}} {
		points = append(points, At(at.X+RoundDiv(p.X*radius, 100), at.Y+RoundDiv(p.Y*radius, 100)))
	}
	return points
}

// Burst gives the corners of a burst of twelve points.
func Burst(at engine.Point, radius int) []engine.Point {
	var points []engine.Point
	for i := range 12 {
		long, short := Clock[i], Clock[12+i]
		points = append(points,
			At(at.X+RoundDiv(long.X*radius, 100), at.Y+RoundDiv(long.Y*radius, 100)),
			At(at.X+RoundDiv(short.X*radius*72, 10000), at.Y+RoundDiv(short.Y*radius*72, 10000)))
	}
	return points
}

// Clock holds twelve directions by the hours from twelve o'clock on, then the
// twelve half hours, at a distance of 100.
var Clock = [24]engine.Point{
	{X: 0, Y: -100}, {X: 50, Y: -87}, {X: 87, Y: -50}, {X: 100, Y: 0}, {X: 87, Y: 50}, {X: 50, Y: 87},
	{X: 0, Y: 100}, {X: -50, Y: 87}, {X: -87, Y: 50}, {X: -100, Y: 0}, {X: -87, Y: -50}, {X: -50, Y: -87},
	{X: 26, Y: -97}, {X: 71, Y: -71}, {X: 97, Y: -26}, {X: 97, Y: 26}, {X: 71, Y: 71}, {X: 26, Y: 97},
	{X: -26, Y: 97}, {X: -71, Y: 71}, {X: -97, Y: 26}, {X: -97, Y: -26}, {X: -71, Y: -71}, {X: -26, Y: -97},
}

// Root is the whole part of a square root.
func Root(n int) int {
	if n < 2 {
		return max(n, 0)
	}
	x := n
	for y := (x + 1) / 2; y < x; y = (x + n/x) / 2 {
		x = y
	}
	return x
}

// RoundDiv divides and rounds to the nearest whole number, halves away from zero.
func RoundDiv(a, b int) int {
	if (a < 0) != (b < 0) {
		return (a - b/2) / b
	}
	return (a + b/2) / b
}
