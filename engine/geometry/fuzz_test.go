package geometry

import (
	"encoding/binary"
	"testing"
)

// points reads pairs of coordinates; small ones where the first byte says so, so that
// corners come to lie close together.
func points(data []byte) []Point {
	if len(data) == 0 {
		return nil
	}
	small, data := data[0]%2 == 0, data[1:]
	var p []Point
	if small {
		for len(data) >= 2 && len(p) < 12 {
			p = append(p, Point{int64(int8(data[0])), int64(int8(data[1]))})
			data = data[2:]
		}
		return p
	}
	for len(data) >= 8 && len(p) < 12 {
		x, y := int32(binary.LittleEndian.Uint32(data)), int32(binary.LittleEndian.Uint32(data[4:]))
		p = append(p, Point{int64(x) % Limit, int64(y) % Limit})
		data = data[8:]
	}
	return p
}

// Nothing that a scenario or an order can lead to panics, and what holds for all
// figures holds.
func FuzzFigures(f *testing.F) {
	f.Add([]byte{0, 0, 0, 9, 0, 9, 9, 0, 9}, int32(5), int32(5), uint16(90), uint16(8))
	f.Add([]byte{0, 0, 0, 1, 0, 1, 1}, int32(-500_000_000), int32(500_000_000), uint16(359), uint16(30_000))
	f.Add([]byte{1, 255, 255, 255, 127, 0, 0, 0, 128, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 9, 9, 9, 9}, int32(0), int32(1), uint16(181), uint16(1))
	f.Fuzz(func(t *testing.T, data []byte, x, y int32, heading, size uint16) {
		p := points(data)
		if flaw, _ := Polygon(p); flaw != Sound {
			Path(p)
			return
		}
		n := int64(size%50_000) + 1
		b := NewBody(Piece{Frame{Point{int64(x) % Limit, int64(y) % Limit}, Heading(heading % 360)}, Box{-n, -n, n, n}})
		a := NewArea(p)
		on, in := On(&b, &a, 0), Holds(&a, &b, 0)
		if in && !on {
			t.Errorf("%v lies in %v and not on it", b.Piece, p)
		}
		if Where(p, p[0]) != 0 {
			t.Errorf("a corner of %v is not on it", p)
		}
		outline := Figure{p, true}
		if d := Distance(outline, Figure{b.Corner[:], true}); d < 0 || Distance(Figure{b.Corner[:], true}, outline) != d {
			t.Errorf("the distance of %v and %v is %d", p, b.Piece, d)
		}
		length := Dist(b.At, p[0])
		last := int64(-1)
		for _, s := range a.Chord(nil, b.At, p[0], 0) {
			if s.Low <= last || s.High <= s.Low || s.High > length {
				t.Errorf("a stretch of %v is %v, behind %d", p, s, last)
			}
			last = s.High
		}
		if d, ok := b.Ray(0, n, outline); ok && d < 0 {
			t.Errorf("a ray goes back by %d", d)
		}
		at := Toward(b.At, p[0])
		if at < 0 || at > 359 {
			t.Errorf("a bearing of %d", at)
		}
		position, _ := Nearest(p, b.At)
		Along(p, position)
		Cut(p[0], p[1], b.At, p[2])
	})
}
