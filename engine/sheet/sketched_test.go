package sheet

import (
	"testing"

	"berthier/engine"
	"berthier/engine/geometry"
)

// Parts of a field show all that would move, from where it stands to where it would; where that takes more parts than may be, there
// are none.
func TestPartsOfADraft(t *testing.T) {
	w := Windows{Size: geometry.Point{X: 280_000, Y: 180_000}, Grid: geometry.Point{X: 20_000, Y: 20_000}, Most: 2, Least: 6}
	d := &Draft{Is: engine.Page{Stood: map[string]string{"one": engine.Place(600_000, 300_000), "still": engine.Place(10_000, 10_000), "turned": engine.Place(610_000, 310_000)},
		Looks: map[string]int{"turned": 0}},
		Would: engine.Page{Stood: map[string]string{"one": engine.Place(600_000, 390_000), "still": engine.Place(10_000, 10_000), "turned": engine.Place(610_000, 310_000)},
			Looks: map[string]int{"turned": 90}}}
	size := geometry.Point{X: 1_200_000, Y: 700_000}
	for _, c := range []struct {
		name, stood string
		parts       int
		moved       []string
	}{
		{"one", engine.Place(600_000, 390_000), 1, []string{"one", "turned"}},
		{"comes", engine.Place(1_100_000, 600_000), 2, []string{"comes", "one", "turned"}},
		{"far", engine.Place(200_000, 600_000), 0, []string{"comes", "far", "one", "turned"}},
	} {
		d.Would.Stood[c.name] = c.stood
		if got := d.Moved(); len(got) != len(c.moved) {
			t.Errorf("%s: %v would move, want %v", c.name, got, c.moved)
		}
		if got := d.Parts(w, size); len(got) != c.parts {
			t.Errorf("%s: parts %v, want %d of them", c.name, got, c.parts)
		}
	}
	d.Would.Stood = map[string]string{"one": engine.Place(200_000, 390_000)}
	if got := d.Parts(w, size); len(got) != 0 {
		t.Errorf("a way that no part shows from end to end has parts %v", got)
	}
}
