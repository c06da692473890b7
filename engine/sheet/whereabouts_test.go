package sheet

import (
	"slices"
	"strconv"
	"testing"

	"berthier/engine/geometry"
)

func TestOctant(t *testing.T) {
	for h, want := range map[geometry.Heading]string{0: "n", 22: "n", 23: "ne", 67: "ne", 68: "e", 90: "e", 135: "se", 180: "s", 225: "sw", 270: "w", 315: "nw", 337: "nw", 338: "n", 359: "n"} {
		if got := Octant(h); got != want {
			t.Errorf("%d degrees are %s, want %s", h, got, want)
		}
	}
}

// A place is told by the nearest landmark, by what it lies in, or by both.
func TestWhereabouts(t *testing.T) {
	square := func(x, y, size int64) []geometry.Point {
		return []geometry.Point{{X: x, Y: y}, {X: x + size, Y: y}, {X: x + size, Y: y + size}, {X: x, Y: y + size}}
	}
	all := []Landmark{
		{Name: Text("town"), Path: square(0, 0, 100), Holds: "in", Far: true},
		{Name: Text("farm"), Path: []geometry.Point{{X: 1000, Y: 0}}, Far: true},
		{Name: Text("wood"), Path: square(200, 0, 300), Holds: "in"},
	}
	for _, c := range []struct {
		at   geometry.Point
		want []string
	}{
		{geometry.Point{X: 50, Y: 50}, []string{"in town"}},
		{geometry.Point{X: 300, Y: 50}, []string{"off 20 e town", "in wood"}},
		{geometry.Point{X: 50, Y: 400}, []string{"off 30 n town"}},
		{geometry.Point{X: 960, Y: -30}, []string{"off 5 sw farm"}},
	} {
		var got []string
		for _, p := range Whereabouts(all, c.at, "off", 10) {
			text := p.Code
			for _, a := range p.Args {
				switch {
				case a.Value.Say != nil:
					text += " " + a.Value.Say.Code[len("play.toward-"):]
				case a.Value.Text != "":
					text += " " + a.Value.Text
				default:
					text += " " + strconv.Itoa(a.Value.Num)
				}
			}
			got = append(got, text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v is %q, want %q", c.at, got, c.want)
		}
	}
	if got := Whereabouts(nil, geometry.Point{}, "off", 10); got != nil {
		t.Errorf("without landmarks it is %v", got)
	}
}

// Of some pieces those are told that are nearest to an enemy, the nearest first.
func TestFacings(t *testing.T) {
	at := map[string]geometry.Point{"a": {}, "b": {X: 1000}, "c": {X: 5000}, "X": {X: 1300}, "Y": {Y: -400}}
	body := func(id string) geometry.Body {
		return geometry.NewBody(geometry.Piece{Frame: geometry.Frame{At: at[id]}, Box: geometry.Box{U0: -50, V0: -100, U1: 50}})
	}
	enemies := func(a, b string) bool { return (a < "a") != (b < "a") }
	got := Facings([]string{"a", "b", "c"}, []string{"a", "b", "c", "X", "Y"}, body, enemies, 2)
	want := []Facing[string]{{"b", "X", 200, "e"}, {"a", "Y", 300, "s"}}
	if !slices.Equal(got, want) {
		t.Errorf("they are %v, want %v", got, want)
	}
	if got := Facings([]string{"a"}, []string{"a", "b"}, body, enemies, 2); len(got) != 0 {
		t.Errorf("without enemies they are %v", got)
	}
}
