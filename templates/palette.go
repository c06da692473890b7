package templates

import (
	"cmp"
	"encoding/binary"
	"image/color"
	"slices"

	"berthier/engine"
)

// inksOf lists the colours with which marks are drawn, the paper first. Those that can't be read
// are left out: drawing the marks has named them.
func inksOf(paper color.RGBA, marks []engine.Mark) []color.RGBA {
	inks := []color.RGBA{paper}
	for i := range marks {
		for _, ink := range []engine.Ink{marks[i].Fill, marks[i].Stroke} {
			if c, err := colour(ink, ""); err == nil && c != nil && len(inks) < mostInks && !slices.Contains(inks, *c) {
				inks = append(inks, *c)
			}
		}
	}
	return inks
}

// Colours are told apart by their upper bits: 5 of red, 6 of green, 5 of blue.
const (
	cells        = 1 << 16
	mostInks     = 48  // of a ground, and of what lies on it, that have a colour of their own for sure
	groundColors = 80  // of a ground
	mostColors   = 128 // no eye misses the others, and the picture is a tenth smaller
)

func cellOf(r, g, b uint8) uint16 {
	return uint16(r&0xf8)<<8 | uint16(g&0xfc)<<3 | uint16(b)>>3
}

// A tint is a palette, and the place in it, one more, of each cell that has one.
type tint struct {
	palette []color.RGBA
	index   [cells]uint8
}

// place is the place of exactly this colour in the palette; -1 if it has none.
func (t *tint) place(c color.RGBA) int { return slices.Index(t.palette, c) }

// nearest is the place of the colour that is nearest to another, the first of equals.
func (t *tint) nearest(r, g, b uint8) int {
	best, distance := 0, int32(1<<30)
	for i, c := range t.palette {
		dr, dg, db := int32(c.R)-int32(r), int32(c.G)-int32(g), int32(c.B)-int32(b)
		if d := 3*dr*dr + 6*dg*dg + db*db; d < distance {
			best, distance = i, d
		}
	}
	return best
}

// A reducer brings pixels down to few colours: the inks exactly, then those
// that most pixels have, which are the blends at the edges; the rest take the
// nearest. The result depends on the pixels, the inks and the tint alone.
type reducer struct {
	count   [cells]uint32
	seen    []uint16 // cells that are counted
	runs    []run
	popular []uint16
}

// A run is a row of pixels of one colour.
type run struct {
	cell   uint16
	length int32
}

// A piece is some pixels of a picture, and where their places in the palette are to stand.
type piece struct {
	pix     []byte
	indexed []uint8
}

// reduce gives each pixel of some pieces its place in the palette, and adds to the tint what it
// lacks for them, as long as it has fewer than most colours.
func (q *reducer) reduce(t *tint, most int, inks []color.RGBA, pieces ...piece) {
	for _, cell := range q.seen {
		q.count[cell] = 0
	}
	q.seen, q.runs = q.seen[:0], q.runs[:0]
	for _, p := range pieces {
		q.scan(p.pix)
	}
	add := func(c color.RGBA) int {
		t.palette = append(t.palette, c)
		return len(t.palette) - 1
	}
	for _, c := range inks {
		cell := cellOf(c.R, c.G, c.B)
		if q.count[cell] == 0 {
			continue
		}
		at := t.place(c)
		if at < 0 && len(t.palette) < most {
			at = add(c)
		}
		if at >= 0 {
			t.index[cell] = uint8(at + 1)
		}
	}
	// What the tint does not know goes by popularity, ties by the order of colours.
	q.popular = q.popular[:0]
	for _, cell := range q.seen {
		if t.index[cell] == 0 {
			q.popular = append(q.popular, cell)
		}
	}
	slices.SortFunc(q.popular, func(a, b uint16) int {
		return cmp.Or(cmp.Compare(q.count[b], q.count[a]), cmp.Compare(a, b))
	})
	for _, cell := range q.popular {
		r, g, b := middle(cell)
		if len(t.palette) < most {
			t.index[cell] = uint8(add(color.RGBA{r, g, b, 255}) + 1)
			continue
		}
		t.index[cell] = uint8(t.nearest(r, g, b) + 1)
	}
	runs := q.runs
	for _, p := range pieces {
		for rest := p.indexed; len(rest) > 0; runs = runs[1:] {
			index, run := t.index[runs[0].cell]-1, rest[:runs[0].length]
			for i := range run {
				run[i] = index
			}
			rest = rest[len(run):]
		}
	}
}

// scan reads pixels and counts their cells. Most pixels are like the one before: they are read
// once, as runs.
func (q *reducer) scan(pix []byte) {
	for len(pix) >= 4 {
		pixel := binary.LittleEndian.Uint32(pix)
		pair := uint64(pixel)<<32 | uint64(pixel)
		n := 4
		for len(pix)-n >= 8 && binary.LittleEndian.Uint64(pix[n:]) == pair {
			n += 8
		}
		if len(pix)-n >= 4 && binary.LittleEndian.Uint32(pix[n:]) == pixel {
			n += 4
		}
		cell := cellOf(pix[0], pix[1], pix[2])
		if q.count[cell] == 0 {
			q.seen = append(q.seen, cell)
		}
		q.count[cell] += uint32(n / 4)
		q.runs = append(q.runs, run{cell, int32(n / 4)})
		pix = pix[n:]
	}
}

// middle is the colour in the middle of a cell.
func middle(cell uint16) (r, g, b uint8) {
	r, g, b = uint8(cell>>8)&0xf8, uint8(cell>>3)&0xfc, uint8(cell<<3)
	return r | r>>5, g | g>>6, b | b>>5
}
