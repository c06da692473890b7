package sheet

import (
	"sync"

	"berthier/engine"
	"berthier/engine/geometry"
)

// Parts of pictures of a measured field.

// A Chart is what is kept of a picture that is drawn again and again.
type Chart struct {
	once  sync.Once
	marks []engine.Mark
}

// Kept gives the marks that draw gives, drawn once; without a chart each time.
func (c *Chart) Kept(draw func() []engine.Mark) []engine.Mark {
	if c == nil {
		return draw()
	}
	c.once.Do(func() { c.marks = draw() })
	return c.marks
}

// PartOf is the scale of a part of the field, given by its south-west and north-east corners, so
// many units of the field to one of the sheet; edge is what is left beside it, head above it.
func PartOf(lo, hi geometry.Point, unit int64, edge, head int) engine.Scale {
	return engine.Scale{West: lo.X, North: hi.Y, Unit: unit,
		Frame: Box{X: edge, Y: head, W: int((hi.X - lo.X) / unit), H: int((hi.Y - lo.Y) / unit)}}
}

// Rule draws a straight line along the field, east or north, as far as it lies in it.
func (f *Field) Rule(ink engine.Ink, width, dash int, from, to geometry.Point) {
	p, q, r := f.Point(from), f.Point(to), f.Frame
	clip := func(p engine.Point) engine.Point {
		return At(min(max(p.X, r.X), r.X+r.W), min(max(p.Y, r.Y), r.Y+r.H))
	}
	if p.X == q.X && (p.X < r.X || p.X > r.X+r.W) || p.Y == q.Y && (p.Y < r.Y || p.Y > r.Y+r.H) {
		return
	}
	f.Dashed(ink, width, dash, clip(p), clip(q))
}

// Grid draws the lines of a grid over a field of some size.
func (f *Field) Grid(ink engine.Ink, size geometry.Point, step int64) {
	for x := int64(0); x <= size.X; x += step {
		f.Rule(ink, 8, 0, geometry.Point{X: x}, geometry.Point{X: x, Y: size.Y})
	}
	for y := int64(0); y <= size.Y; y += step {
		f.Rule(ink, 8, 0, geometry.Point{Y: y}, geometry.Point{X: size.X, Y: y})
	}
}

// Signs gives the points of a pattern of signs, a step apart, that lie in an area with a third of a
// step to spare and are shown.
func (f *Field) Signs(area *geometry.Area, step int64) []engine.Point {
	var all []engine.Point
	margin := geometry.Point{X: step / 3, Y: step / 3}
	row := int64(0)
	for y := area.Lo.Y + step/2; y < area.Hi.Y; y += step {
		row++
		for x := area.Lo.X + step/2 + row%2*step/3; x < area.Hi.X; x += step {
			p := geometry.Point{X: x, Y: y}
			if f.Shows(f.Point(p)) && area.Where(p) > 0 && area.Where(p.Plus(margin)) > 0 && area.Where(p.Minus(margin)) > 0 {
				all = append(all, f.Point(p))
			}
		}
	}
	return all
}

// Mask covers what sticks out of the part of the field that is shown on a sheet of some size, and so far
// below the sheet, where a legend may come.
func (f *Field) Mask(width, height, below int, paper, edge engine.Ink) {
	r := f.Frame
	for _, b := range [...]Box{{W: width, H: r.Y}, {Y: r.Y + r.H, W: width, H: height + below - r.Y - r.H},
		{Y: r.Y, W: r.X, H: r.H}, {X: r.X + r.W, Y: r.Y, W: width - r.X - r.W, H: r.H}} {
		f.Box(b, paper, "", 0)
	}
	f.Box(r, "", edge, 14)
}

// OffField is a place of the field that lies at a point of the sheet, though it is off the field: for
// legends.
func (f *Field) OffField(p engine.Point) geometry.Point {
	return geometry.Point{X: f.West + int64(p.X-f.Frame.X)*f.Unit, Y: f.North - int64(p.Y-f.Frame.Y)*f.Unit}
}

// Tile is a rectangle about a point of the sheet, as wide and high as is said in units of the field.
func (f *Field) Tile(at engine.Point, w, h int64) geometry.Body {
	return geometry.NewBody(geometry.Piece{Frame: geometry.Frame{At: f.OffField(at)}, Box: geometry.Box{U0: -w / 2, V0: -h / 2, U1: w / 2, V1: h / 2}})
}

// A Place is where something happens on a field, and how much.
type Place struct {
	At    geometry.Point
	Worth int
}

// Windows say how close-ups are chosen: how large the part of the field is that each shows, on the
// lines of which grid, how many there are at most, and how much has to happen in one.
type Windows struct {
	Size, Grid  geometry.Point
	Most, Least int
}

// Choose gives the parts of a field of some size where most happens, by their south-west and
// north-east corners, the fullest first. What lies in one counts no more for the next.
func (w Windows) Choose(size geometry.Point, places []Place) [][2]geometry.Point {
	left := append([]Place(nil), places...)
	var all [][2]geometry.Point
	for len(all) < w.Most {
		var best [2]geometry.Point
		most := w.Least - 1
		for _, p := range left {
			if p.Worth == 0 {
				continue
			}
			part := w.about(size, p.At)
			part = w.about(size, midst(part, left))
			if sum := count(part, left); sum > most {
				most, best = sum, part
			}
		}
		if most < w.Least {
			break
		}
		all = append(all, best)
		for i := range left {
			if Within(best, left[i].At) {
				left[i].Worth = 0
			}
		}
	}
	return all
}

// about is the part of the field about a point.
func (w Windows) about(size, at geometry.Point) [2]geometry.Point {
	corner := func(middle, wide, size, grid int64) int64 {
		return max(min((middle-wide/2)/grid*grid, size-wide), 0)
	}
	lo := geometry.Point{X: corner(at.X, w.Size.X, size.X, w.Grid.X), Y: corner(at.Y, w.Size.Y, size.Y, w.Grid.Y)}
	return [2]geometry.Point{lo, lo.Plus(w.Size)}
}

// count adds up what happens in a part of the field.
func count(part [2]geometry.Point, places []Place) int {
	sum := 0
	for _, p := range places {
		if Within(part, p.At) {
			sum += p.Worth
		}
	}
	return sum
}

// midst is the middle of what happens in a part of the field.
func midst(part [2]geometry.Point, places []Place) geometry.Point {
	var all []geometry.Point
	for _, p := range places {
		if p.Worth > 0 && Within(part, p.At) {
			all = append(all, p.At)
		}
	}
	if len(all) == 0 { // whoever stands at the very edge of the field is in no part of it
		return geometry.Point{X: (part[0].X + part[1].X) / 2, Y: (part[0].Y + part[1].Y) / 2}
	}
	lo, hi := geometry.Bounds(all)
	return geometry.Point{X: (lo.X + hi.X) / 2, Y: (lo.Y + hi.Y) / 2}
}

// Within tells whether a point lies in a part of the field, not on its edge.
func Within(part [2]geometry.Point, p geometry.Point) bool {
	return p.X > part[0].X && p.X < part[1].X && p.Y > part[0].Y && p.Y < part[1].Y
}

// Tail draws a wavy line behind a body, for one that runs, in a dark and a light ink.
func (f *Field) Tail(b *geometry.Body, size int64, dark, light engine.Ink) {
	at := func(u, v int64) engine.Point {
		return f.Point(b.World(geometry.Point{X: (b.U0+b.U1)/2 + u, Y: b.V0 - v}))
	}
	points := []engine.Point{at(0, 0), at(-size, size), at(size, 2*size), at(-size, 3*size)}
	f.Line(dark, 40, points...)
	f.Line(light, 22, points...)
}
