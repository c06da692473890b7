package sheet

import (
	"slices"
	"testing"

	"berthier/engine"
)

// Marks keep their own points, whatever is drawn after them.
func TestMarksKeepTheirPoints(t *testing.T) {
	b := NewBrush(1)
	for i := range 200 {
		b.Line("#000000", 10, At(i, 0), At(0, i))
		b.Box(Box{X: i, Y: i, W: 2, H: 3}, "#ffffff", "", 0)
	}
	marks := b.Marks()
	for i := range 200 {
		line, box := marks[2*i], marks[2*i+1]
		if line.Shape != engine.Line || !slices.Equal(line.Points, []engine.Point{{X: i}, {Y: i}}) {
			t.Fatalf("line %d is %v", i, line)
		}
		want := []engine.Point{{X: i, Y: i}, {X: i + 2, Y: i}, {X: i + 2, Y: i + 3}, {X: i, Y: i + 3}}
		if box.Shape != engine.Polygon || !slices.Equal(box.Points, want) {
			t.Fatalf("box %d is %v", i, box)
		}
	}
	if extended := append(marks[0].Points, At(9, 9)); slices.Equal(marks[1].Points[:1], extended[2:]) {
		t.Error("a mark's points run into the next one's")
	}
}

func TestBoxes(t *testing.T) {
	r := Box{X: 10, Y: 20, W: 30, H: 40}
	if got := r.Grown(-5).Grown(5); got != r {
		t.Errorf("shrunk and grown: %v", got)
	}
	if got := r.Middle(); got != At(25, 40) {
		t.Errorf("the middle is %v", got)
	}
	for _, c := range []struct {
		other Box
		area  int
	}{{Box{X: 30, Y: 50, W: 30, H: 40}, 100}, {Box{X: 40, Y: 20, W: 5, H: 5}, 0}, {r, 1200}, {Box{W: 5, H: 5}, 0}} {
		if got := r.Common(c.other); got != c.area {
			t.Errorf("%v and %v share %d, want %d", r, c.other, got, c.area)
		}
	}
}

func TestRoundDiv(t *testing.T) {
	for _, c := range [][3]int{{7, 2, 4}, {-7, 2, -4}, {6, 4, 2}, {5, 4, 1}, {-5, 4, -1}, {0, 3, 0}} {
		if got := RoundDiv(c[0], c[1]); got != c[2] {
			t.Errorf("%d by %d is %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

func TestTextWidth(t *testing.T) {
	if TextWidth("Wellington", 12, true) <= TextWidth("Wellington", 12, false) || TextWidth("iii", 12, false) >= TextWidth("mmm", 12, false) {
		t.Error("bold and broad letters are no wider")
	}
}
