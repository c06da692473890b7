package napoleon

import (
	"strconv"

	"berthier/engine"
	"berthier/orders/phrase"
)

// Inks. They differ in lightness as well as in colour, so that the pictures
// hold in greyscale; letters and symbols tell the armies apart besides.
const (
	inkWhite  engine.Ink = "#ffffff"
	inkBlack  engine.Ink = "#1d1b18"
	inkCard   engine.Ink = "#fdfaf1" // of panels, boxes and legends
	inkShade  engine.Ink = "#8b8272" // of what is past or beside the point
	inkBurst  engine.Ink = "#f2c230"
	inkSword  engine.Ink = "#4d1410"
	inkMarker engine.Ink = "#ffd84d" // of marks on units
)

// armyInks are the colours of the blocks (NAP-3.1).
var armyInks = [armies]engine.Ink{"#2456a6", "#c0342c", "#2f3033"}

// armyLetters stand before the numbers of a unit's id.
var armyLetters = [armies]string{"F", "A", "P"}

// A brush puts marks on a sheet.
type brush struct {
	marks  []engine.Mark
	points []engine.Point // of all marks, so that they are not allocated one by one
}

func newBrush(marks int) *brush {
	return &brush{marks: make([]engine.Mark, 0, marks), points: make([]engine.Point, 0, marks*3)}
}

// at keeps points and gives them as those of one mark.
func (b *brush) at(points ...engine.Point) []engine.Point {
	n := len(b.points)
	b.points = append(b.points, points...)
	return b.points[n:len(b.points):len(b.points)]
}

func pt(x, y int) engine.Point { return engine.Point{X: x, Y: y} }

// A box is an upright rectangle: its upper left corner, its width and height.
type box struct{ x, y, w, h int }

func (r box) grown(by int) box { return box{r.x - by, r.y - by, r.w + 2*by, r.h + 2*by} }

func (r box) middle() engine.Point { return pt(r.x+r.w/2, r.y+r.h/2) }

// common is the area that two boxes share.
func (r box) common(s box) int {
	w := min(r.x+r.w, s.x+s.w) - max(r.x, s.x)
	h := min(r.y+r.h, s.y+s.h) - max(r.y, s.y)
	if w <= 0 || h <= 0 {
		return 0
	}
	return w * h
}

// box draws a rectangle. Width is of its edge, in tenths.
func (b *brush) box(r box, fill, stroke engine.Ink, width int) {
	b.polygon(fill, stroke, width, pt(r.x, r.y), pt(r.x+r.w, r.y), pt(r.x+r.w, r.y+r.h), pt(r.x, r.y+r.h))
}

func (b *brush) polygon(fill, stroke engine.Ink, width int, points ...engine.Point) {
	b.marks = append(b.marks, engine.Mark{Shape: engine.Polygon, Points: b.at(points...), Fill: fill, Stroke: stroke, Width: width})
}

func (b *brush) line(ink engine.Ink, width int, points ...engine.Point) {
	b.marks = append(b.marks, engine.Mark{Shape: engine.Line, Points: b.at(points...), Stroke: ink, Width: width})
}

// curve draws a line that bends smoothly through its points.
func (b *brush) curve(ink engine.Ink, width int, points ...engine.Point) {
	b.marks = append(b.marks, engine.Mark{Shape: engine.Curve, Points: b.at(points...), Stroke: ink, Width: width})
}

func (b *brush) dashed(ink engine.Ink, width, dash int, points ...engine.Point) {
	b.marks = append(b.marks, engine.Mark{Shape: engine.Line, Points: b.at(points...), Stroke: ink, Width: width, Dash: dash})
}

func (b *brush) disc(at engine.Point, radius int, fill, stroke engine.Ink, width int) {
	b.marks = append(b.marks, engine.Mark{Shape: engine.Disc, Points: b.at(at), Radius: radius, Fill: fill, Stroke: stroke, Width: width})
}

// lettering is how a text looks.
type lettering struct {
	size   int
	bold   bool
	ink    engine.Ink
	rim    engine.Ink // around the letters; "" none
	anchor engine.Anchor
}

func (b *brush) text(at engine.Point, what phrase.Value, l lettering) {
	m := engine.Mark{Shape: engine.Label, Points: b.at(at), Text: what, Fill: l.ink, Size: l.size, Bold: l.bold, Anchor: l.anchor}
	if l.rim != "" {
		m.Stroke, m.Width = l.rim, 30
	}
	b.marks = append(b.marks, m)
}

// Values of labels and of cells of tables.

func sayText(text string) phrase.Value { return phrase.Value{Kind: phrase.KindLiteral, Text: text} }

func sayNumber(n int) phrase.Value { return phrase.Value{Kind: phrase.KindNumber, Num: n} }

func sayName(kind, id string) phrase.Value { return phrase.Value{Kind: kind, Text: id} }

func sayPhrase(code string, args ...argument) phrase.Value {
	p := phrase.Say(code, args...)
	return phrase.Value{Kind: phrase.KindPhrase, Say: &p}
}

func sayList(values ...phrase.Value) phrase.Value {
	return phrase.Value{Kind: phrase.KindList, List: values}
}

func filledWith(place string, v phrase.Value) argument { return argument{Name: place, Value: v} }

// star gives the corners of a star around a point, five-pointed and upright,
// by a table for radius 100.
func star(at engine.Point, radius int) []engine.Point {
	var points []engine.Point
	for _, p := range [...]engine.Point{{X: 0, Y: -100}, {X: 24, Y: -32}, {X: 95, Y: -31}, {X: 38, Y: 12}, {X: 59, Y: 81},
		{X: 0, Y: 40}, {X: -59, Y: 81}, {X: -38, Y: 12}, {X: -95, Y: -31}, {X: -24, Y: -32}} {
		points = append(points, pt(at.X+roundDiv(p.X*radius, 100), at.Y+roundDiv(p.Y*radius, 100)))
	}
	return points
}

// burst gives the corners of a burst of twelve points.
func burst(at engine.Point, radius int) []engine.Point {
	var points []engine.Point
	for i := range 12 {
		long, short := clock[i], clock[12+i]
		points = append(points,
			pt(at.X+roundDiv(long.X*radius, 100), at.Y+roundDiv(long.Y*radius, 100)),
			pt(at.X+roundDiv(short.X*radius*72, 10000), at.Y+roundDiv(short.Y*radius*72, 10000)))
	}
	return points
}

// clock holds twelve directions by the hours from twelve o'clock on, then the
// twelve half hours, at a distance of 100.
var clock = [24]engine.Point{
	{X: 0, Y: -100}, {X: 50, Y: -87}, {X: 87, Y: -50}, {X: 100, Y: 0}, {X: 87, Y: 50}, {X: 50, Y: 87},
	{X: 0, Y: 100}, {X: -50, Y: 87}, {X: -87, Y: 50}, {X: -100, Y: 0}, {X: -87, Y: -50}, {X: -50, Y: -87},
	{X: 26, Y: -97}, {X: 71, Y: -71}, {X: 97, Y: -26}, {X: 97, Y: 26}, {X: 71, Y: 71}, {X: 26, Y: 97},
	{X: -26, Y: 97}, {X: -71, Y: 71}, {X: -97, Y: 26}, {X: -97, Y: -26}, {X: -71, Y: -71}, {X: -26, Y: -97},
}

// roundDiv divides to the nearest whole number, halves away from zero.
func roundDiv(a, b int) int {
	if (a < 0) != (b < 0) {
		return (a - b/2) / b
	}
	return (a + b/2) / b
}

// root is the whole part of a square root.
func root(n int) int {
	if n < 2 {
		return max(n, 0)
	}
	x := n
	for y := (x + 1) / 2; y < x; y = (x + n/x) / 2 {
		x = y
	}
	return x
}

// swords marks a battle: crossed swords on a burst.
func (b *brush) swords(at engine.Point, radius int) {
	b.polygon(inkBurst, inkSword, 8, burst(at, radius)...)
	d := radius * 52 / 100
	g, h := d*45/100, max(2, radius*22/100) // the guard: how far from the middle, how wide
	for _, side := range [2]int{-1, 1} {
		b.line(inkSword, 10+radius/2, pt(at.X-side*d, at.Y-d), pt(at.X+side*d, at.Y+d))
		b.line(inkSword, 10+radius/2, pt(at.X+side*(g+h), at.Y+g-h), pt(at.X+side*(g-h), at.Y+g+h))
	}
}

// symbol draws the arm of a unit in a box: crossed belts for infantry, a sabre
// for cavalry (heavy cavalry half filled), a ball for artillery (on a sabre for
// horse artillery), a star for a leader.
func (b *brush) symbol(r box, k kind, ink engine.Ink, width int) {
	x, y := r.x+r.w, r.y+r.h
	if k == leader {
		b.polygon(ink, "", 0, star(pt(r.x+r.w/2, r.y+r.h/2+1), r.h*62/100)...)
		return
	}
	if k == heavyCavalry {
		b.polygon(ink, "", 0, pt(r.x, y), pt(x, r.y), pt(x, y))
	}
	switch k {
	case infantry:
		b.line(ink, width, pt(r.x, r.y), pt(x, y))
		b.line(ink, width, pt(r.x, y), pt(x, r.y))
	case lightCavalry, heavyCavalry, horseArtillery:
		b.line(ink, width, pt(r.x, y), pt(x, r.y))
	}
	if k.artillery() {
		b.disc(r.middle(), max(2, r.h*3/10), ink, "", 0)
	}
	b.box(r, "", ink, width)
}

// idNumber is a unit's id without the letter of its army: "03".
func (s *scenario) shortID(id unitID) string {
	full := s.roster[id].id
	for i := range full {
		if full[i] == '-' {
			return full[i+1:]
		}
	}
	return full
}

// digits are the texts of small numbers, so that labels don't allocate.
func digits(n int) string { return strconv.Itoa(n) }
