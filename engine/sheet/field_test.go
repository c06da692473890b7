package sheet

import (
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/geometry"
)

// aField is a field of 100 by 50, four units of the field to one of the sheet.
func aField() *Field {
	return &Field{Brush: NewBrush(8), Scale: engine.Scale{West: 0, North: 200, Unit: 4, Frame: Box{X: 10, Y: 20, W: 100, H: 50}}}
}

// Places lie where they are measured, north above, and are found again by their names.
func TestPlacesOfAField(t *testing.T) {
	f := aField()
	for _, c := range []struct {
		at    geometry.Point
		want  engine.Point
		shown bool
	}{{geometry.Point{}, At(10, 70), true}, {geometry.Point{X: 400, Y: 200}, At(110, 20), true}, {geometry.Point{X: -4, Y: 6}, At(9, 69), false}} {
		if got := f.Point(c.at); got != c.want || f.Shows(got) != c.shown {
			t.Errorf("%v lies at %v, shown %v; want %v, %v", c.at, got, f.Shows(got), c.want, c.shown)
		}
		s, ok := f.Scale.Spot(engine.Place(c.at.X, c.at.Y))
		if ok != c.shown || ok && s.Middle() != c.want {
			t.Errorf("the spot of %v is %v, %v", c.at, s, ok)
		}
	}
	if _, ok := f.Scale.Spot("ligny"); ok {
		t.Error("a name is no place of a field")
	}
}

// A label stands where there is room: not on a piece, not on another label, not outside; one that
// must stand somewhere stands on a piece, but on no label.
func TestLabelsFindRoom(t *testing.T) {
	f := aField()
	piece := geometry.NewBody(geometry.Piece{Frame: geometry.Frame{At: geometry.Point{X: 200, Y: 100}}, Box: geometry.Box{U0: -40, V0: -40, U1: 40, V1: 40}})
	f.Stands(piece)
	l := Lettering{Size: 10}
	on, beside := At(60, 45), At(30, 30)
	if f.Name("a", l, false, []engine.Point{on}) {
		t.Error("a label stands on a piece")
	}
	if !f.Name("a", l, false, []engine.Point{At(10, 20), on, beside}) {
		t.Error("no room for a label")
	}
	if f.Name("b", l, true, []engine.Point{beside}) {
		t.Error("a label stands on another")
	}
	if !f.Name("b", l, true, []engine.Point{beside, on}) {
		t.Error("a label that must stand somewhere is left out")
	}
	if got := f.Names(); len(got) != 2 || got[0].Middle() != beside || got[1].Middle() != on {
		t.Errorf("labels stand at %v", got)
	}
}

// On a measured field a piece leaves an arrow from where it stood, unless it has hardly moved.
func TestArrowsOnAField(t *testing.T) {
	for _, c := range []struct {
		from  geometry.Point
		drawn bool
	}{{geometry.Point{X: 40, Y: 40}, true}, {geometry.Point{X: 200, Y: 120}, false}, {geometry.Point{X: 900, Y: 40}, false}} {
		f := aField()
		scene := &engine.Scene{Width: 120, Height: 90, Scale: &f.Scale, Spots: map[string]engine.Spot{"x": {Box: Box{X: 55, Y: 40, W: 10, H: 10}, Taken: true}}}
		page := &engine.Page{Sections: []engine.Section{{Picture: scene}}}
		was := &engine.Page{Stood: map[string]string{"x": engine.Place(c.from.X, c.from.Y)}}
		Trace(page, was, []engine.Trace{{Kind: engine.Moved, Of: []string{"x"}, Way: []string{"x"}}}, "")
		if got := len(scene.Marks) > 0; got != c.drawn {
			t.Errorf("from %v: drawn %v, want %v", c.from, got, c.drawn)
		}
	}
}

// The ring round a counter about which its reader is asked lies below the counter, so that no mark on it is
// hidden, and names that it crosses are written again over it.
func TestARingHidesNothing(t *testing.T) {
	counter := Box{X: 40, Y: 40, W: 40, H: 40}
	name := engine.Mark{Shape: engine.Label, Points: []engine.Point{At(60, 36)}, Size: 12}
	stands := engine.Mark{Shape: engine.Polygon, Fill: "#123456", Points: []engine.Point{At(40, 40), At(80, 40), At(80, 80), At(40, 80)}}
	scene := &engine.Scene{Width: 120, Height: 120, Marks: []engine.Mark{stands}, Spots: map[string]engine.Spot{"H-9": {Box: counter, Taken: true}},
		Names: []engine.Name{{Box: Box{X: 45, Y: 30, W: 30, H: 12}, Label: name}}}
	Trace(&engine.Page{Sections: []engine.Section{{Picture: scene}}}, nil, nil, "H-9")
	var order []string
	for _, m := range scene.Marks {
		switch {
		case m.Shape == engine.Label && slices.Equal(m.Points, name.Points):
			order = append(order, "name")
		case m.Fill == stands.Fill:
			order = append(order, "counter")
		case m.Fill == "" && m.Stroke == inkAttacked && m.Points[0].Y < counter.Y:
			order = append(order, "ring")
		}
	}
	if !slices.Equal(order, []string{"ring", "name", "counter"}) {
		t.Errorf("they are drawn in the order %v", order)
	}
}

// Of what stands across the edge of the part of the field that a picture shows, shots and hits are marked inside it:
// beside it stand the heading and the letters of the grid.
func TestMarksStayOnTheField(t *testing.T) {
	f := aField()
	across := Box{X: f.Frame.X + 20, Y: f.Frame.Y - 30, W: 40, H: 40}
	scene := &engine.Scene{Width: 120, Height: 90, Scale: &f.Scale, Spots: map[string]engine.Spot{"x": {Box: across, Taken: true}}}
	Trace(&engine.Page{Sections: []engine.Section{{Picture: scene}}}, nil,
		[]engine.Trace{{Kind: engine.Fired, Of: []string{"x"}}, {Kind: engine.Hit, Of: []string{"x"}}}, "")
	marks := 0
	for _, m := range scene.Marks {
		if m.Fill != inkAttacked && m.Fill != inkHit || m.Points[0].Y > f.Frame.Y+f.Frame.H {
			continue // of the legend
		}
		marks++
		for _, p := range m.Points {
			if p.Y < f.Frame.Y-flashRadius {
				t.Errorf("a mark at %v, above the field, which begins at %d", p, f.Frame.Y)
			}
		}
	}
	if marks == 0 {
		t.Error("no shot is marked")
	}
}
