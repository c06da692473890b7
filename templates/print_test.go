package templates

import (
	"bytes"
	"hash/adler32"
	"image/color"
	"image/png"
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

// A picture that is printed piece by piece shows what was drawn, is the same to the byte whether its
// ground was kept or drawn anew, and is at most a fifth larger than if it were compressed as a whole: so
// rows are compressed with a look at the rows above them.
func TestPrintedInPieces(t *testing.T) {
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
	b := new(bench)
	kept := painter{grounds: newGrounds(mostGroundBytes)}
	if _, err := kept.drawOn(b, scene, nil); err != nil { // keeps the ground
		t.Fatal(err)
	}
	all := scene.Marks
	for _, marks := range []int{0, 1, 40, 700, len(all)} {
		scene.Marks = all[:marks]
		got, err := kept.drawOn(b, scene, nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := (&painter{grounds: newGrounds(0)}).draw(scene, nil)
		if err != nil || string(again) != string(got) {
			t.Errorf("%d marks: on a ground that is not kept it is another picture: %v", marks, err)
		}
		shown := decode(t, got)
		if shown.Rect != b.picture.Rect {
			t.Fatalf("%d marks: %v, want %v", marks, shown.Rect, b.picture.Rect)
		}
		off := 0
		for i, at := range shown.Pix {
			got, want := shown.Palette[at].(color.RGBA), b.picture.Pix[4*i:]
			if diff(got.R, want[0])+diff(got.G, want[1])+diff(got.B, want[2]) > 96 {
				off++
			}
		}
		if off > len(shown.Pix)/100 { // blends at edges for which no colour was left
			t.Errorf("%d marks: %d of %d pixels differ", marks, off, len(shown.Pix))
		}
		var whole bytes.Buffer
		if err := png.Encode(&whole, shown); err != nil {
			t.Fatal(err)
		}
		if most := whole.Len() * 6 / 5; len(got) > most {
			t.Errorf("%d marks: %d bytes, compressed as a whole %d", marks, len(got), whole.Len())
		}
	}
}
