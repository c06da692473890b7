package napoleon

import (
	"berthier/engine"
	"berthier/engine/sheet"
)

// smooth bends a course through its points: it adds three points between each two, on a
// Catmull-Rom spline, so that bridges stand where the river is drawn.
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
		length := max(1, sheet.Root(d.X*d.X+d.Y*d.Y))
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
