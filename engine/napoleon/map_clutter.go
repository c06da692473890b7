package napoleon

import (
	"berthier/engine"
	"berthier/engine/sheet"
)

// A clutter is a grid over the sheet that tells how much would be hidden by
// covering a place: it holds sums from the upper left corner, so that any box takes four look-ups.
type clutter struct {
	w, h int
	sums []int32
}

func newClutter() *clutter {
	r := &clutter{w: mapWidth/cellSize + 1, h: mapHeight/cellSize + 1}
	r.sums = make([]int32, r.w*r.h)
	return r
}

// raise gives the cells of a box at least this weight. It must be called before total.
func (r *clutter) raise(b sheet.Box, weight int32) {
	for y := max(0, b.Y/cellSize); y <= (b.Y+b.H)/cellSize && y < r.h; y++ {
		for x := max(0, b.X/cellSize); x <= (b.X+b.W)/cellSize && x < r.w; x++ {
			r.sums[y*r.w+x] = max(r.sums[y*r.w+x], weight)
		}
	}
}

// raiseLine does so along a line.
func (r *clutter) raiseLine(a, b engine.Point, weight int32) {
	if max(a.X, b.X) < 0 || max(a.Y, b.Y) < 0 || min(a.X, b.X) > mapWidth || min(a.Y, b.Y) > mapHeight {
		return
	}
	steps := min(max(abs(b.X-a.X), abs(b.Y-a.Y))/3+1, mapWidth)
	for i := range steps + 1 {
		r.raise(sheet.Box{X: a.X + (b.X-a.X)*i/steps, Y: a.Y + (b.Y-a.Y)*i/steps, W: 0, H: 0}, weight)
	}
}

// total turns weights into sums.
func (r *clutter) total() clutter {
	t := clutter{r.w, r.h, make([]int32, len(r.sums))}
	for y := range r.h {
		row := int32(0)
		for x := range r.w {
			row += r.sums[y*r.w+x]
			t.sums[y*r.w+x] = row
			if y > 0 {
				t.sums[y*r.w+x] += t.sums[(y-1)*r.w+x]
			}
		}
	}
	return t
}

// under is the weight of a box, by sums.
func (r *clutter) under(b sheet.Box) int {
	x0, y0 := max(0, b.X/cellSize)-1, max(0, b.Y/cellSize)-1
	x1, y1 := min(r.w-1, (b.X+b.W)/cellSize), min(r.h-1, (b.Y+b.H)/cellSize)
	if x1 <= x0 || y1 <= y0 {
		return 0
	}
	n := r.sums[y1*r.w+x1]
	if x0 >= 0 {
		n -= r.sums[y1*r.w+x0]
	}
	if y0 >= 0 {
		n -= r.sums[y0*r.w+x1]
		if x0 >= 0 {
			n += r.sums[y0*r.w+x0]
		}
	}
	return int(n)
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// inside tells whether a box lies on the sheet with a little margin.
func inside(b sheet.Box) bool {
	return b.X >= 5 && b.Y >= 5 && b.X+b.W <= mapWidth-5 && b.Y+b.H <= mapHeight-5
}

// weigh adds up the weights of a box before they are summed.
func (r *clutter) weigh(b sheet.Box) int {
	n := 0
	for y := max(0, b.Y/cellSize); y <= (b.Y+b.H)/cellSize && y < r.h; y++ {
		for x := max(0, b.X/cellSize); x <= (b.X+b.W)/cellSize && x < r.w; x++ {
			n += int(r.sums[y*r.w+x])
		}
	}
	return n
}

// free finds the place for a box of this size where it covers least; if there are
// several, the one nearest to a corner.
func (r *clutter) free(w, h int, corner engine.Point) sheet.Box {
	t := r.total()
	best, cost := sheet.Box{}, 1<<30
	for y := 6; y+h <= mapHeight-6; y += cellSize {
		for x := 6; x+w <= mapWidth-6; x += cellSize {
			b := sheet.Box{X: x, Y: y, W: w, H: h}
			far := min(abs(x-6), abs(mapWidth-6-x-w)) + min(abs(y-6), abs(mapHeight-6-y-h))
			m := b.Middle()
			n := t.under(b)*20 + far*20 + (abs(m.X-corner.X)+abs(m.Y-corner.Y))/10
			if n < cost {
				best, cost = b, n
			}
		}
	}
	// The box is moved to the edges that it is near.
	if abs(mapWidth-6-best.X-best.W) < cellSize {
		best.X = mapWidth - 6 - best.W
	}
	if abs(mapHeight-6-best.Y-best.H) < cellSize {
		best.Y = mapHeight - 6 - best.H
	}
	return best
}
