package templates

import (
	"bytes"
	"hash/adler32"
	"image/color"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"berthier/engine"
)

// The checksum of two texts behind each other follows from theirs.
func TestJoinedChecksums(t *testing.T) {
	text := rapid.SliceOfN(rapid.Byte(), 0, 9000)
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		got := joined(adler32.Checksum(a), adler32.Checksum(b), len(b))
		if want := adler32.Checksum(append(a, b...)); got != want {
			t.Fatalf("%08x, want %08x", got, want)
		}
	})
}

// A picture is the same picture whether it is printed strip by strip or, because it would become
// too large, as a whole; and whether its rows were drawn or are those of a kept ground.
func TestPrintedAsAWhole(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	scene := &engine.Scene{Name: "crowd", Width: 700, Height: 600, Foot: 33, Paper: "#ffffff"}
	for i := range 4000 {
		m := engine.Mark{Shape: engine.Disc, Points: []engine.Point{{X: chance.IntN(700), Y: chance.IntN(500)}}, Radius: 3 + chance.IntN(5),
			Fill: []engine.Ink{"#c03020", "#2050a0", "#108030"}[i%3], Stroke: "#000000", Width: 1}
		if i < 1500 {
			scene.Ground = append(scene.Ground, m)
		} else {
			scene.Marks = append(scene.Marks, m)
		}
	}
	p := painter{grounds: newGrounds(mostGroundBytes)}
	b := new(bench)
	large, err := p.drawOn(b, scene, nil)
	if err != nil {
		t.Fatal(err)
	}
	inStrips := func(picture []byte) bool { return bytes.Contains(picture, []byte("IDAT\x78\x01")) }
	if inStrips(large) {
		t.Fatalf("%d bytes are no large picture", len(large))
	}
	whole := decode(t, large)
	if whole.Rect != b.picture.Rect {
		t.Fatalf("%v, want %v", whole.Rect, b.picture.Rect)
	}
	off := 0
	for i, at := range whole.Pix {
		got, want := whole.Palette[at].(color.RGBA), b.picture.Pix[4*i:]
		if diff(got.R, want[0])+diff(got.G, want[1])+diff(got.B, want[2]) > 96 {
			off++
		}
	}
	if off > len(whole.Pix)/100 { // blends at edges for which no colour was left
		t.Errorf("%d of %d pixels differ", off, len(whole.Pix))
	}
	scene.Marks = scene.Marks[:40]
	small, err := p.draw(scene, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !inStrips(small) {
		t.Errorf("%d bytes are a large picture", len(small))
	}
	again, err := (&painter{grounds: newGrounds(0)}).draw(scene, nil)
	if err != nil || string(again) != string(small) {
		t.Errorf("on a kept ground it is another picture: %v", err)
	}
}
