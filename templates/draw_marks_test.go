package templates

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"berthier/engine"
)

// TestDrawOffTheSheet draws rectangles that stand beside the sheet, at each side and corner: they leave
// no trace.
func TestDrawOffTheSheet(t *testing.T) {
	for _, x := range []int{-60, 20, 100} {
		for _, y := range []int{-60, 20, 100} {
			bench := &bench{picture: image.NewRGBA(image.Rect(0, 0, 50, 40))}
			at := func(dx, dy int) engine.Point { return engine.Point{X: x + dx, Y: y + dy} }
			mark := engine.Mark{Shape: engine.Polygon, Points: []engine.Point{at(0, 0), at(9, 0), at(9, 9), at(0, 9)}, Fill: "#102030", Stroke: "#302010", Width: 15}
			if err := bench.mark(&mark, ""); err != nil {
				t.Fatal(err)
			}
			marked := slices.ContainsFunc(bench.picture.Pix, func(v uint8) bool { return v != 0 })
			if on := x == 20 && y == 20; marked != on {
				t.Errorf("a rectangle at %d, %d: marked %v, want %v", x, y, marked, on)
			}
		}
	}
}

// TestRectCoversEachPixel compares rectangles at any place with each pixel's own share of them.
func TestRectCoversEachPixel(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	ink := &color.RGBA{200, 100, 50, 255}
	for range 300 {
		got, want := image.NewRGBA(image.Rect(0, 0, 24, 20)), image.NewRGBA(image.Rect(0, 0, 24, 20))
		for i := range got.Pix {
			got.Pix[i] = uint8(chance.Uint32())
		}
		copy(want.Pix, got.Pix)
		corner := func() point { return point{float32(chance.IntN(160)-32) / 4, float32(chance.IntN(160)-32) / 4} }
		p, q := corner(), corner()
		(&bench{picture: got}).rect(p, q, ink)
		share := func(a, b float32, i int) float32 {
			return max(min(max(a, b), float32(i+1))-max(min(a, b), float32(i)), 0)
		}
		for y := range 20 {
			for x := range 24 {
				blend(want.Pix[want.PixOffset(x, y):], ink, int32(256*share(p.y, q.y, y)*share(p.x, q.x, x)+0.5))
			}
		}
		if !slices.Equal(got.Pix, want.Pix) {
			t.Fatalf("a rectangle from %v to %v covers other pixels", p, q)
		}
	}
}

// TestSpreadReachesAllAround compares rims with each pixel's highest neighbour, fainter with the distance.
func TestSpreadReachesAllAround(t *testing.T) {
	chance := rand.New(rand.NewPCG(3, 4))
	for _, reach := range []float64{0.4, 1, usualRim, 3.3, widestRim} {
		from := image.NewAlpha(image.Rect(5, 7, 5+17, 7+13))
		for range 12 {
			from.Pix[chance.IntN(len(from.Pix))] = uint8(chance.Uint32())
		}
		var got image.Alpha
		spread(&got, from, reach)
		for y := 7; y < 7+13; y++ {
			for x := 5; x < 5+17; x++ {
				most := uint8(0)
				for v := 7; v < 7+13; v++ {
					for u := 5; u < 5+17; u++ {
						weight := uint32(256 * min(max(reach+0.5-math.Hypot(float64(u-x), float64(v-y)), 0), 1))
						most = max(most, uint8(uint32(from.AlphaAt(u, v).A)*weight>>8))
					}
				}
				if got.AlphaAt(x, y).A != most {
					t.Fatalf("reach %v: %d at %d, %d, want %d", reach, got.AlphaAt(x, y).A, x, y, most)
				}
			}
		}
	}
}
