package templates

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
	"sync"

	"berthier/engine"
)

// encode writes the picture as a PNG of few colours.
func (b *bench) encode(s *engine.Scene, paper *color.RGBA) ([]byte, error) {
	inks := []color.RGBA{*paper}
	for _, marks := range [][]engine.Mark{s.Marks, s.Ground} {
		for i := range marks {
			for _, ink := range []engine.Ink{marks[i].Fill, marks[i].Stroke} {
				c, err := colour(ink, "")
				if err != nil {
					return nil, err
				}
				if c != nil && len(inks) < mostInks && !slices.Contains(inks, *c) {
					inks = append(inks, *c)
				}
			}
		}
	}
	picture := b.reduce.reduce(b.picture, inks)
	b.out.Reset()
	if err := encoder.Encode(&b.out, picture); err != nil {
		return nil, fmt.Errorf("write png: %w", err)
	}
	if b.out.Len() > largePicture {
		b.out.Reset()
		if err := smallEncoder.Encode(&b.out, picture); err != nil {
			return nil, fmt.Errorf("write png: %w", err)
		}
	}
	return bytes.Clone(b.out.Bytes()), nil
}

// encoder writes PNGs. The fastest compression does for pictures of few colours
// and large even areas.
// Those that become large in spite of it are written again, more slowly.
var (
	encoder      = png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: &encoderBuffers{}}
	smallEncoder = png.Encoder{CompressionLevel: png.DefaultCompression, BufferPool: &encoderBuffers{}}
)

// largePicture is how many bytes of a picture are many for a letter.
const largePicture = 100_000

type encoderBuffers struct{ pool sync.Pool }

func (p *encoderBuffers) Get() *png.EncoderBuffer {
	b, _ := p.pool.Get().(*png.EncoderBuffer)
	return b
}

func (p *encoderBuffers) Put(b *png.EncoderBuffer) { p.pool.Put(b) }

// Colours are told apart by their upper bits: 5 of red, 6 of green, 5 of blue.
const (
	cells      = 1 << 16
	mostInks   = 64  // that have a colour of their own for sure
	mostColors = 128 // no eye misses the others, and the picture is a tenth smaller
)

func cellOf(r, g, b uint8) uint16 {
	return uint16(r&0xf8)<<8 | uint16(g&0xfc)<<3 | uint16(b)>>3
}

// A reducer brings a picture down to few colours: the inks exactly, then those
// that most pixels have, which are the blends at the edges; the rest take the
// nearest. The result depends on the picture and the inks alone.
type reducer struct {
	count   [cells]uint32
	index   [cells]uint8
	runs    []run
	used    []uint16
	popular []uint16
	indexed *image.Paletted
	palette color.Palette
	rgb     [][3]int32
}

// A run is a row of pixels of one colour.
type run struct {
	cell   uint16
	length int32
}

func (q *reducer) reduce(src *image.RGBA, inks []color.RGBA) *image.Paletted {
	clear(q.count[:])
	pix := src.Pix
	// Most pixels are like the one before: they are read once, as runs.
	q.runs = q.runs[:0]
	for rest := pix; len(rest) >= 4; {
		pixel := binary.LittleEndian.Uint32(rest)
		pair := uint64(pixel)<<32 | uint64(pixel)
		n := 4
		for len(rest)-n >= 8 && binary.LittleEndian.Uint64(rest[n:]) == pair {
			n += 8
		}
		if len(rest)-n >= 4 && binary.LittleEndian.Uint32(rest[n:]) == pixel {
			n += 4
		}
		cell := cellOf(rest[0], rest[1], rest[2])
		q.count[cell] += uint32(n / 4)
		q.runs = append(q.runs, run{cell, int32(n / 4)})
		rest = rest[n:]
	}
	q.used = q.used[:0]
	for cell, n := range q.count {
		if n > 0 {
			q.used = append(q.used, uint16(cell))
		}
	}
	// A palette of fewer colours than the picture has cells starts with the
	// inks; what is left goes by popularity, ties by the order of colours.
	q.palette, q.rgb = q.palette[:0], q.rgb[:0]
	add := func(c color.RGBA) uint8 {
		q.palette = append(q.palette, c)
		q.rgb = append(q.rgb, [3]int32{int32(c.R), int32(c.G), int32(c.B)})
		return uint8(len(q.palette) - 1)
	}
	for _, c := range inks {
		cell := cellOf(c.R, c.G, c.B)
		if q.count[cell] > 0 {
			q.index[cell] = add(c)
			q.count[cell] = 0
		}
	}
	q.popular = q.popular[:0]
	for _, cell := range q.used {
		if q.count[cell] > 0 {
			q.popular = append(q.popular, cell)
		}
	}
	slices.SortFunc(q.popular, func(a, b uint16) int {
		return cmp.Or(cmp.Compare(q.count[b], q.count[a]), cmp.Compare(a, b))
	})
	for i, cell := range q.popular {
		r, g, b := middle(cell)
		if i < mostColors-len(inks) && len(q.palette) < mostColors {
			q.index[cell] = add(color.RGBA{r, g, b, 255})
			continue
		}
		q.index[cell] = q.nearest(int32(r), int32(g), int32(b))
	}
	if q.indexed == nil || cap(q.indexed.Pix) < len(pix)/4 {
		q.indexed = image.NewPaletted(src.Rect, nil)
	}
	q.indexed.Pix = q.indexed.Pix[:len(pix)/4]
	q.indexed.Stride, q.indexed.Rect, q.indexed.Palette = src.Rect.Dx(), src.Rect, q.palette
	out := q.indexed.Pix
	for _, r := range q.runs {
		index, piece := q.index[r.cell], out[:r.length]
		for i := range piece {
			piece[i] = index
		}
		out = out[r.length:]
	}
	return q.indexed
}

// middle is the colour in the middle of a cell.
func middle(cell uint16) (r, g, b uint8) {
	r, g, b = uint8(cell>>8)&0xf8, uint8(cell>>3)&0xfc, uint8(cell<<3)
	return r | r>>5, g | g>>6, b | b>>5
}

// nearest is the colour of the palette nearest to another, the first of equals.
func (q *reducer) nearest(r, g, b int32) uint8 {
	best, distance := 0, int32(1<<30)
	for i := range q.rgb {
		c := &q.rgb[i]
		dr, dg, db := c[0]-r, c[1]-g, c[2]-b
		if d := 3*dr*dr + 6*dg*dg + db*db; d < distance {
			best, distance = i, d
		}
	}
	return uint8(best)
}
