package templates

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"github.com/klauspost/compress/flate"
	"hash/adler32"
	"hash/crc32"
	"image"
	"image/color"
)

// stripRows is how many rows of a picture are compressed together. Where nothing lies on the
// ground, the strip of the ground is taken as it is.
const stripRows = 8

// A backdrop is a ground that is ready to be printed: its pixels, their places in its tint, and its
// strips, which are compressed as the strips of a PNG.
type backdrop struct {
	pix     []byte
	width   int
	tint    tint
	indexed []uint8
	strips  []strip
	bytes   int // of memory, about
}

// A strip is some rows of a picture as a PNG has them, and the checksum of what was compressed.
type strip struct {
	alone  []byte // compressed so that it fits behind any other
	after  []byte // so that it fits only behind the strip above it
	sum    uint32
	length int
}

// A press compresses rows, and keeps what it needs for it.
type press struct {
	deflate map[int]*flate.Writer // by level
	tint    tint
	indices []uint8 // of the whole picture
	spans   []piece // of rows, which differ from the ground
	raw     []byte  // of what is compressed
	above   []byte  // likewise of the strip above it
	packed  bytes.Buffer
}

// Levels of compression: of the many pictures that share a ground, and of one.
const (
	groundLevel  = 7
	pictureLevel = 5
)

// squeeze compresses rows of a width, with a look at the rows above them. It also gives the rows as a
// PNG has them; both are good until the next.
func (p *press) squeeze(above, indexed []uint8, width, level int) (packed, raw []byte, err error) {
	p.above, p.raw = rawRows(p.above[:0], above, width), rawRows(p.raw[:0], indexed, width)
	p.packed.Reset()
	w := p.deflate[level]
	if w == nil {
		if w, err = flate.NewWriter(&p.packed, level); err != nil {
			return nil, nil, fmt.Errorf("write png: %w", err)
		}
		if p.deflate == nil {
			p.deflate = map[int]*flate.Writer{}
		}
		p.deflate[level] = w
	}
	w.ResetDict(&p.packed, p.above)
	if _, err := w.Write(p.raw); err != nil {
		return nil, nil, fmt.Errorf("write png: %w", err)
	}
	if err := w.Flush(); err != nil {
		return nil, nil, fmt.Errorf("write png: %w", err)
	}
	return p.packed.Bytes(), p.raw, nil
}

// rawRows appends rows as a PNG has them.
func rawRows(raw []byte, indexed []uint8, width int) []byte {
	for ; len(indexed) > 0; indexed = indexed[width:] {
		raw = append(append(raw, 0), indexed[:width]...) // 0: as it is, without a filter
	}
	return raw
}

// cut cuts a picture into strips, the last of which may have fewer rows.
func cut[T any](pix []T, row int) [][]T {
	var all [][]T
	for n := row * stripRows; len(pix) > 0; pix = pix[min(n, len(pix)):] {
		all = append(all, pix[:min(n, len(pix))])
	}
	return all
}

// backdrop makes a ground ready.
func (b *bench) backdrop(pix []byte, width int, inks []color.RGBA) (*backdrop, error) {
	p := &backdrop{pix: bytes.Clone(pix), width: width, indexed: make([]uint8, len(pix)/4)}
	b.reduce.reduce(&p.tint, groundColors, inks, piece{p.pix, p.indexed})
	p.bytes = len(p.pix) + len(p.indexed) + cells
	var above []uint8
	for _, rows := range cut(p.indexed, width) {
		s := strip{}
		for i, to := range []*[]byte{&s.alone, &s.after} {
			packed, raw, err := b.press.squeeze(above[:i*len(above)], rows, width, groundLevel)
			if err != nil {
				return nil, err
			}
			*to, s.sum, s.length = bytes.Clone(packed), adler32.Checksum(raw), len(raw)
			p.bytes += len(packed)
		}
		p.strips, above = append(p.strips, s), rows
	}
	return p, nil
}

// print writes the picture, which lies on a ground, as a PNG of few colours. What differs
// from the ground is reduced, and strips in which something does compressed, anew: those that follow
// each other in one piece.
func (b *bench) print(on *backdrop, inks []color.RGBA) ([]byte, error) {
	p, width := &b.press, on.width
	p.indices = grown(p.indices, len(b.picture.Pix)/4)
	copy(p.indices, on.indexed)
	changed := p.differences(b.picture.Pix, on)
	p.tint.palette, p.tint.index = append(p.tint.palette[:0], on.tint.palette...), on.tint.index
	b.reduce.reduce(&p.tint, mostColors, inks, p.spans...)
	b.out.Reset()
	b.out.Write([]byte{0x78, 0x01}) // zlib, fast
	sum := uint32(1)
	for i := 0; i < len(changed); {
		if !changed[i] {
			s := on.strips[i]
			if i > 0 && !changed[i-1] {
				b.out.Write(s.after)
			} else {
				b.out.Write(s.alone)
			}
			sum = joined(sum, s.sum, s.length)
			i++
			continue
		}
		from := i
		for i < len(changed) && changed[i] {
			i++
		}
		at, n := from*stripRows*width, stripRows*width
		packed, raw, err := p.squeeze(p.indices[max(at-n, 0):at], p.indices[at:min(i*n, len(p.indices))], width, pictureLevel)
		if err != nil {
			return nil, err
		}
		b.out.Write(packed)
		sum = joined(sum, adler32.Checksum(raw), len(raw))
	}
	b.out.Write([]byte{0x03, 0x00}) // the last block, which is empty
	b.out.Write(binary.BigEndian.AppendUint32(nil, sum))
	return framed(b.picture.Rect, p.tint.palette, b.out.Bytes()), nil
}

// spanPixels is how many pixels of a row are compared with the ground at once.
const spanPixels = 64

// differences lists the parts of rows that differ from the ground, or lie below it, and tells of each
// strip whether it has any.
func (p *press) differences(pix []byte, on *backdrop) []bool {
	width := on.width
	changed := make([]bool, (len(pix)/(4*width)+stripRows-1)/stripRows)
	p.spans = p.spans[:0]
	for y := 0; y*4*width < len(pix); y++ {
		from, to := y*4*width, (y+1)*4*width
		if to > len(on.pix) {
			changed[y/stripRows] = true
			p.spans = append(p.spans, piece{pix[from:to], p.indices[from/4 : to/4]})
			continue
		}
		begun := -1 // where parts that differ begin
		for at := from; at <= to; at += 4 * spanPixels {
			end := min(at+4*spanPixels, to)
			differs := at < to && !bytes.Equal(pix[at:end], on.pix[at:end])
			switch {
			case differs && begun < 0:
				begun, changed[y/stripRows] = at, true
			case !differs && begun >= 0:
				p.spans = append(p.spans, piece{pix[begun:at], p.indices[begun/4 : at/4]})
				begun = -1
			}
		}
		if begun >= 0 {
			p.spans = append(p.spans, piece{pix[begun:to], p.indices[begun/4 : to/4]})
		}
	}
	return changed
}

// grown gives a slice of a length, which may be an old one.
func grown(old []uint8, n int) []uint8 {
	if cap(old) < n {
		return make([]uint8, n)
	}
	return old[:n]
}

// framed writes what a PNG has around its compressed pixels.
func framed(size image.Rectangle, palette []color.RGBA, pixels []byte) []byte {
	out := make([]byte, 0, len(pixels)+3*len(palette)+128)
	out = append(out, "\x89PNG\r\n\x1a\n"...)
	chunk := func(name string, parts ...[]byte) {
		at, n := len(out), 0
		for _, p := range parts {
			n += len(p)
		}
		out = append(binary.BigEndian.AppendUint32(out, uint32(n)), name...)
		for _, p := range parts {
			out = append(out, p...)
		}
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[at+4:]))
	}
	head := binary.BigEndian.AppendUint32(nil, uint32(size.Dx()))
	head = binary.BigEndian.AppendUint32(head, uint32(size.Dy()))
	chunk("IHDR", head, []byte{8, 3, 0, 0, 0}) // eight bits a pixel, by a palette
	colors := make([]byte, 0, 3*len(palette))
	for _, c := range palette {
		colors = append(colors, c.R, c.G, c.B)
	}
	chunk("PLTE", colors)
	chunk("IDAT", pixels)
	chunk("IEND")
	return out
}

// joined is the Adler-32 checksum of two texts, one behind the other, made of the checksum of each and the length of
// the second: the sums of RFC 1950, section 8.2, carried on over it.
func joined(first, second uint32, length int) uint32 {
	const base = 65521
	n := uint64(length % base)
	a1, b1 := uint64(first&0xffff), uint64(first>>16)
	a2, b2 := uint64(second&0xffff), uint64(second>>16)
	a := (a1 + a2 + base - 1) % base
	b := (b1 + b2 + n*(a1+base-1)) % base
	return uint32(b<<16 | a)
}
