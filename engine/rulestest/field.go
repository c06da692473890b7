package rulestest

import (
	"fmt"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/geometry"
)

// Scenes gives the pictures of the sections of a page, in their order.
func Scenes(sections []engine.Section) []*engine.Scene {
	var all []*engine.Scene
	for _, s := range sections {
		if s.Picture != nil {
			all = append(all, s.Picture)
		}
	}
	return all
}

// FieldPicture holds that on the picture of a measured field no label lies on another or is lower than nine
// pixels where the picture is shown 723 wide, and that every piece that the picture shows stands at its true
// corners. Pieces are given by what faults call them.
func FieldPicture(t *testing.T, where string, scene *engine.Scene, pieces map[string]geometry.Body) {
	t.Helper()
	where = fmt.Sprintf("%s, %s", where, scene.Name)
	if err := ClearPicture(scene); err != nil {
		t.Errorf("%s: %v", where, err)
	}
	for _, m := range slices.Concat(scene.Ground, scene.Marks) {
		if m.Shape == engine.Label && 723*m.Size < 9*scene.Width-36 {
			t.Errorf("%s: %d wide, a label of %d", where, scene.Width, m.Size)
		}
	}
	for id, b := range pieces {
		if !scene.Scale.Shows(scene.Scale.At(b.At.X, b.At.Y)) {
			continue
		}
		corners := make([]engine.Point, 4)
		for i, c := range b.Corner {
			corners[i] = scene.Scale.At(c.X, c.Y)
		}
		if !slices.ContainsFunc(scene.Marks, func(m engine.Mark) bool {
			return m.Shape == engine.Polygon && m.Fill != "" && slices.Equal(m.Points, corners)
		}) {
			t.Errorf("%s: %s is not drawn at %v", where, id, corners)
		}
	}
}
