package sheet

import (
	"maps"
	"slices"

	"berthier/engine"
	"berthier/engine/geometry"
)

// A Draft is a measured field as it is and as it would be if orders went as they are written, by where the pieces of
// both pages stand and how they look. Whoever sees both may see what is drawn of them.
type Draft struct {
	Is, Would engine.Page
	Own       func(piece string) bool // whether a piece is the writer's
}

// Moved lists the pieces that would stand elsewhere, would be turned, or would come on to the field, by their names.
func (d *Draft) Moved() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(d.Would.Stood)), func(piece string) bool {
		return d.Is.Stood[piece] == d.Would.Stood[piece] && d.Is.Looks[piece] == d.Would.Looks[piece]
	})
}

// mostParts is how many parts of a field may show where pieces would stand; what takes more is shown on the whole field.
const mostParts = 2

// Parts gives the parts of a field of some size that show all pieces that would move, where they stand and where they
// would; none if that takes more than two.
func (d *Draft) Parts(w Windows, size geometry.Point) [][2]geometry.Point {
	var places []Place
	var ways [][]geometry.Point
	for _, piece := range d.Moved() {
		var way []geometry.Point
		for _, stood := range [...]map[string]string{d.Is.Stood, d.Would.Stood} {
			if x, y, ok := engine.PlaceOf(stood[piece]); ok {
				way = append(way, geometry.Point{X: x, Y: y})
			}
		}
		lo, hi := geometry.Bounds(way)
		ways, places = append(ways, way), append(places, Place{At: geometry.Point{X: (lo.X + hi.X) / 2, Y: (lo.Y + hi.Y) / 2}, Worth: 1})
	}
	w.Most, w.Least = mostParts, 1
	all := w.Choose(size, places)
	for _, way := range ways {
		if !slices.ContainsFunc(all, func(part [2]geometry.Point) bool {
			return !slices.ContainsFunc(way, func(p geometry.Point) bool { return !Within(part, p) })
		}) {
			return nil
		}
	}
	return all
}

// Draw draws arrows on pictures of the field as it would be, from where pieces stand.
func (d *Draft) Draw(sections []engine.Section) {
	var all []engine.Trace
	for _, piece := range d.Moved() {
		all = append(all, engine.Trace{Kind: engine.Moved, Of: []string{piece}, Way: []string{piece}, Own: d.Own(piece)})
	}
	Trace(&engine.Page{Sections: sections}, &d.Is, all, "")
}
