package templates

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"berthier/engine"
	"berthier/orders/phrase"

	"pgregory.net/rapid"
)

func decode(tb testing.TB, data []byte) *image.Paletted {
	tb.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		tb.Fatal(err)
	}
	p, ok := img.(*image.Paletted)
	if !ok {
		tb.Fatalf("the picture is %T, not one with a palette", img)
	}
	return p
}

// TestDraw compares the sample's map with the golden one, with the tolerance
// that rounding on other machines needs.
func TestDraw(t *testing.T) {
	scene := sampleScene()
	data, err := Draw(scene, Labels(sampleWords(t), "en", sampleSpell, scene))
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 100_000 {
		t.Errorf("%d bytes", len(data))
	}
	path := filepath.Join("testdata", "map.png")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, want := decode(t, data), decode(t, kept)
	if got.Rect != want.Rect {
		t.Fatalf("%v, want %v", got.Rect, want.Rect)
	}
	off := 0
	for i := range got.Pix {
		a, b := got.Palette[got.Pix[i]].(color.RGBA), want.Palette[want.Pix[i]].(color.RGBA)
		if diff(a.R, b.R)+diff(a.G, b.G)+diff(a.B, b.B) > 48 {
			off++
		}
	}
	if off > len(got.Pix)/2000 {
		t.Errorf("%d of %d pixels differ", off, len(got.Pix))
	}
}

func diff(a, b uint8) int {
	if a > b {
		a, b = b, a
	}
	return int(b - a)
}

// TestDrawIsDeterministic draws with and without kept grounds and buffers, and
// at the same time: the bytes must not depend on it.
func TestDrawIsDeterministic(t *testing.T) {
	scene := sampleScene()
	labels := Labels(sampleWords(t), "it", sampleSpell, scene)
	fresh := painter{grounds: newGrounds(0)}
	want, err := fresh.draw(scene, labels)
	if err != nil {
		t.Fatal(err)
	}
	other := &engine.Scene{Name: "other", Width: 333, Height: 1200, Paper: "#203040",
		Marks: []engine.Mark{{Shape: engine.Label, Points: []engine.Point{{X: 100, Y: 100}}, Size: 30, Fill: "#ffffff"}}}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 3 {
				got, err := Draw(scene, labels)
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("the same scene gave other bytes (%v)", err)
				}
				if _, err := Draw(other, []string{"x"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

func TestDrawInksAreExact(t *testing.T) {
	scene := &engine.Scene{Width: 40, Height: 20, Paper: "#f4ecd8", Marks: []engine.Mark{
		{Shape: engine.Polygon, Points: []engine.Point{{X: 0, Y: 0}, {X: 20, Y: 0}, {X: 20, Y: 20}, {X: 0, Y: 20}}, Fill: "#123457"},
	}}
	data, err := Draw(scene, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := decode(t, data)
	if got := p.At(5, 5); got != (color.RGBA{0x12, 0x34, 0x57, 0xff}) {
		t.Errorf("%v", got)
	}
	if got := p.At(35, 5); got != (color.RGBA{0xf4, 0xec, 0xd8, 0xff}) {
		t.Errorf("%v", got)
	}
}

func TestDrawLine(t *testing.T) {
	line := func(m engine.Mark) *image.Paletted {
		m.Points, m.Stroke, m.Width = []engine.Point{{X: 10, Y: 10}, {X: 50, Y: 10}, {X: 50, Y: 90}}, "#000000", 40
		data, err := Draw(&engine.Scene{Width: 100, Height: 100, Marks: []engine.Mark{m}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return decode(t, data)
	}
	black := func(p *image.Paletted) int {
		n := 0
		for _, i := range p.Pix {
			if p.Palette[i] == (color.RGBA{A: 255}) {
				n++
			}
		}
		return n
	}
	whole, dashed := black(line(engine.Mark{Shape: engine.Line})), black(line(engine.Mark{Shape: engine.Line, Dash: 10}))
	if whole < 460 || whole > 500 {
		t.Errorf("a line of 120 by 4 covers %d pixels", whole)
	}
	if dashed < whole/2 || dashed > whole*3/4 {
		t.Errorf("dashes cover %d of %d pixels", dashed, whole)
	}
	if p := line(engine.Mark{Shape: engine.Line}); p.At(30, 10) != (color.RGBA{A: 255}) || p.At(30, 20) == (color.RGBA{A: 255}) {
		t.Error("the line is not where it should be")
	}
}

func TestDrawErrors(t *testing.T) {
	at := []engine.Point{{X: 1, Y: 1}}
	for _, c := range []struct {
		name   string
		scene  *engine.Scene
		labels []string
		want   string
	}{
		{"none", nil, nil, "draw scene: there is none"},
		{"size", &engine.Scene{Name: "m", Width: 5000, Height: 1}, nil, "draw scene m: 5000 by 1 is no size to draw"},
		{"area", &engine.Scene{Name: "m", Width: 4000, Height: 4000}, nil, "is no size to draw"},
		{"labels", &engine.Scene{Width: 9, Height: 9}, []string{"x"}, "1 labels for 0 marks with text"},
		{"paper", &engine.Scene{Width: 9, Height: 9, Paper: "red"}, nil, `paper: "red" is no ink`},
		{"ink", &engine.Scene{Width: 9, Height: 9, Marks: []engine.Mark{{Shape: engine.Disc, Points: at, Fill: "#12345g"}}}, nil, `marks 1 (disc): "#12345g" is no ink`},
		{"points", &engine.Scene{Width: 9, Height: 9, Ground: []engine.Mark{{Shape: engine.Line, Points: at}}}, nil, "ground 1 (line): has 1 of at least 2 points"},
		{"shape", &engine.Scene{Width: 9, Height: 9, Marks: []engine.Mark{{Shape: "cube", Points: at}}}, nil, "marks 1 (cube): is no shape"},
		{"text", &engine.Scene{Width: 9, Height: 9, Marks: []engine.Mark{{Shape: engine.Label, Points: at, Size: 900}}}, []string{"x"}, "900 is no size of text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Draw(c.scene, c.labels)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// TestDrawAnything draws scenes of any numbers: an error or a picture, and the
// same again.
func TestDrawAnything(t *testing.T) {
	ink := rapid.SampledFrom([]engine.Ink{"", "#000000", "#ffffff", "#a1b2c3", "#ff0000"})
	number := rapid.OneOf(rapid.IntRange(-50, 150), rapid.Int())
	mark := rapid.Custom(func(t *rapid.T) engine.Mark {
		m := engine.Mark{
			Shape: rapid.SampledFrom([]engine.Shape{engine.Polygon, engine.Line, engine.Curve, engine.Disc, engine.Label}).Draw(t, "shape"),
			Fill:  ink.Draw(t, "fill"), Stroke: ink.Draw(t, "stroke"),
			Radius: number.Draw(t, "radius"), Width: number.Draw(t, "width"), Dash: number.Draw(t, "dash"),
			Size: rapid.IntRange(-1, 210).Draw(t, "size"), Bold: rapid.Bool().Draw(t, "bold"),
			Anchor: rapid.SampledFrom([]engine.Anchor{engine.Start, engine.Middle, engine.End}).Draw(t, "anchor"),
		}
		for range rapid.IntRange(0, 6).Draw(t, "points") {
			m.Points = append(m.Points, engine.Point{X: number.Draw(t, "x"), Y: number.Draw(t, "y")})
		}
		return m
	})
	rapid.Check(t, func(t *rapid.T) {
		s := &engine.Scene{Width: rapid.IntRange(0, 120).Draw(t, "width"), Height: rapid.IntRange(1, 120).Draw(t, "height"), Paper: "#eeeeee",
			Ground: rapid.SliceOfN(mark, 0, 3).Draw(t, "ground"), Marks: rapid.SliceOfN(mark, 0, 4).Draw(t, "marks")}
		labels := make([]string, countLabels(s.Ground)+countLabels(s.Marks))
		for i := range labels {
			labels[i] = nastyText().Draw(t, "label")
		}
		a, errA := Draw(s, labels)
		b, errB := Draw(s, labels)
		if (errA == nil) != (errB == nil) || !bytes.Equal(a, b) {
			t.Fatalf("the same scene gave two pictures (%v, %v)", errA, errB)
		}
		if errA == nil {
			if _, err := png.Decode(bytes.NewReader(a)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestLabels(t *testing.T) {
	label := func(v phrase.Value) engine.Mark { return engine.Mark{Shape: engine.Label, Text: v} }
	s := &engine.Scene{
		Ground: []engine.Mark{{Shape: engine.Line}, label(phrase.Value{Kind: "town", Text: "ligny"})},
		Marks:  []engine.Mark{label(phrase.Value{}), label(phrase.Value{Kind: phrase.KindNumber, Num: 3})},
	}
	if got := fmt.Sprintf("%q", Labels(sampleWords(t), "en", sampleSpell, s)); got != `["Ligny" "" "3"]` {
		t.Error(got)
	}
	if Labels(sampleWords(t), "en", nil, nil) != nil {
		t.Error("labels of nothing")
	}
}

// TestGroundsGiveWay keeps to its bound and drops what was used longest ago.
func TestGroundsGiveWay(t *testing.T) {
	g := newGrounds(100)
	key := func(n byte) (k [32]byte) { k[0] = n; return }
	for n := range byte(5) {
		g.put(key(n), &backdrop{bytes: 30})
		g.get(key(0))
	}
	if g.bytes > 100 || g.get(key(0)) == nil || g.get(key(4)) == nil || g.get(key(1)) != nil {
		t.Errorf("%d bytes, %d grounds", g.bytes, len(g.byKey))
	}
	g.put(key(9), &backdrop{bytes: 101})
	if g.get(key(9)) != nil {
		t.Error("a ground beyond the bound was kept")
	}
}

func benchmarkDraw(b *testing.B, p *painter) {
	scene := sampleScene()
	labels := Labels(sampleWords(b), "en", sampleSpell, scene)
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		data, err := p.draw(scene, labels)
		if err != nil {
			b.Fatal(err)
		}
		size = len(data)
	}
	b.ReportMetric(float64(size), "bytes/picture")
}

func BenchmarkDraw(b *testing.B)       { benchmarkDraw(b, &painter{grounds: newGrounds(mostGroundBytes)}) }
func BenchmarkDrawGround(b *testing.B) { benchmarkDraw(b, &painter{grounds: newGrounds(0)}) }
