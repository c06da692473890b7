package sheet

import (
	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/orders/phrase"
)

// A Field draws a measured field, or a part of it: places of the field are given as they are
// measured. Labels look for room between what was drawn.
type Field struct {
	*Brush
	engine.Scale

	pieces, labels []geometry.Body // what labels keep clear of
	named          []engine.Name
}

// Point is where a place of the field is on the sheet.
func (f *Field) Point(p geometry.Point) engine.Point { return f.Scale.At(p.X, p.Y) }

// Points are where places of the field are on the sheet.
func (f *Field) Points(places []geometry.Point) []engine.Point {
	all := make([]engine.Point, len(places))
	for i, p := range places {
		all[i] = f.Point(p)
	}
	return all
}

// Long is how long a measure of the field is on the sheet.
func (f *Field) Long(measure int64) int { return int((measure + f.Unit/2) / f.Unit) }

// Bounds is the upright rectangle round a body.
func (f *Field) Bounds(b *geometry.Body) Box {
	p, q := f.Scale.At(b.Lo.X, b.Hi.Y), f.Scale.At(b.Hi.X, b.Lo.Y)
	return Box{X: p.X, Y: p.Y, W: q.X - p.X, H: q.Y - p.Y}
}

// Body draws a rectangle at its angle.
func (f *Field) Body(b *geometry.Body, fill, stroke engine.Ink, width int) {
	f.Polygon(fill, stroke, width, f.Points(b.Corner[:])...)
}

// Part draws a rectangle that lies in the frame of a body.
func (f *Field) Part(b *geometry.Body, part geometry.Box, fill, stroke engine.Ink, width int) {
	p := geometry.NewBody(geometry.Piece{Frame: b.Frame, Box: part})
	f.Body(&p, fill, stroke, width)
}

// Stands notes a body that labels keep clear of.
func (f *Field) Stands(b geometry.Body) { f.pieces = append(f.pieces, b) }

// body is a box of the sheet as it lies on the field.
func (f *Field) body(r Box) geometry.Body {
	at := geometry.Point{X: f.West + int64(2*(r.X-f.Frame.X)+r.W)*f.Unit/2, Y: f.North - int64(2*(r.Y-f.Frame.Y)+r.H)*f.Unit/2}
	w, h := int64(r.W)*f.Unit/2, int64(r.H)*f.Unit/2
	return geometry.NewBody(geometry.Piece{Frame: geometry.Frame{At: at}, Box: geometry.Box{U0: -w, V0: -h, U1: w, V1: h}})
}

// Around lists points about a box, the nearest first: over and under it, beside it, then on
// ever wider rings.
func Around(r Box, w, h, far int) []engine.Point {
	m := r.Middle()
	var all []engine.Point
	for gap := 1; gap <= far; gap += 7 {
		for _, d := range Clock[:12] {
			all = append(all, At(m.X+RoundDiv(d.X*(r.W+w+2*gap), 200), m.Y+RoundDiv(d.Y*(r.H+h+2*gap), 200)))
		}
	}
	return all
}

// Free tells whether a label of this box would lie in the field, over no other label, and over
// no piece but the one that is its own.
func (f *Field) Free(r Box, own *geometry.Body, overPieces bool) bool {
	if r.Common(f.Frame) != r.W*r.H {
		return false
	}
	b := f.body(r)
	for i := range f.labels {
		if !geometry.Apart(&b, &f.labels[i], 0) {
			return false
		}
	}
	if overPieces {
		return true
	}
	for i := range f.pieces {
		if own != nil && f.pieces[i].At == own.At {
			continue
		}
		if !geometry.Apart(&b, &f.pieces[i], 0) {
			return false
		}
	}
	return true
}

// LabelBox is about the room that a text takes round its middle.
func LabelBox(at engine.Point, text string, l Lettering) Box {
	w := TextWidth(text, l.Size, l.Bold) + 2
	return Box{X: at.X - w/2, Y: at.Y - l.Size/2, W: w, H: l.Size}
}

// Name writes a text at the first of some points where there is room; if there is none and it
// must be written, at the first where no other label stands; false: it is not written.
func (f *Field) Name(text string, l Lettering, must bool, points []engine.Point) bool {
	return f.NameAs(Text(text), text, l, must, points)
}

// NameAs is [Field.Name] of what is called otherwise in other languages: widest is the longest of its names,
// for which room is looked for, so that every reader's picture is laid out alike.
func (f *Field) NameAs(name phrase.Value, widest string, l Lettering, must bool, points []engine.Point) bool {
	for _, over := range [2]bool{false, true} {
		if over && !must {
			break
		}
		for _, at := range points {
			if r := LabelBox(at, widest, l); f.Free(r, nil, over) {
				f.writeAs(at, name, widest, l)
				return true
			}
		}
	}
	return false
}

// Names are where the texts stand that were written.
func (f *Field) Names() []engine.Name { return f.named }

// Write writes a text, of which later labels keep clear.
func (f *Field) Write(at engine.Point, text string, l Lettering) { f.writeAs(at, Text(text), text, l) }

func (f *Field) writeAs(at engine.Point, name phrase.Value, widest string, l Lettering) {
	f.named = append(f.named, engine.Name{Box: LabelBox(at, widest, l)})
	f.labels = append(f.labels, f.body(LabelBox(at, widest, l)))
	f.Label(at, name, l)
}

// Widest is the one of some texts that takes most room.
func Widest(l Lettering, texts ...string) string {
	most := ""
	for _, text := range texts {
		if TextWidth(text, l.Size, l.Bold) > TextWidth(most, l.Size, l.Bold) {
			most = text
		}
	}
	return most
}
