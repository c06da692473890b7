package hfg

import (
	"testing"

	"berthier/engine"
)

// Who enters a town, or leaves one that he holds, is drawn where he would stand, with an arrow from where he stands.
func TestSketchOfATown(t *testing.T) {
	farm := areaDef{id: "farm", kind: bua, outline: []place{paced(4700, 2700), paced(5300, 2700), paced(5300, 3300), paced(4700, 3300)}}
	for name, one := range map[string]struct {
		at    int64 // to the north
		holds bool
		order string
	}{
		"enters": {2600, false, "{element: r1, forward: 500}"},
		"leaves": {3000, true, "{element: r1, to: [5000, 2500], facing: 180}"},
	} {
		t.Run(name, func(t *testing.T) {
			g := fieldOn(t, &setting{year: 1860, areas: []areaDef{farm}}, piece{"r1", bayonets, 5000, one.at, 0, nil}, piece{"r2", muskets, 9000, 1000, 0, nil}, piece{"b1", muskets, 9000, 5000, 180, nil})
			g.Commands[1].Score, g.Phase, g.Turn = 6, moving, 1
			if one.holds {
				x := &g.Elements[named(t, g, "r1")]
				x.Holds, x.At, x.Facing = 1, place{}, 0
			}
			v, d := g.view("red"), g.decision("red", stopTurn)
			a, faults := declared.Read(v, d, document(t, "{moves: ["+one.order+"]}"))
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			all := New().Sketched(v, d, a)
			if len(all) != 1 {
				t.Fatalf("%d pictures", len(all))
			}
			scene := all[0].Picture
			_, there := scene.Spots["r1"]
			is(t, "it is drawn", there, true)
			arrows := 0
			for _, m := range scene.Marks {
				if m.Shape == engine.Polygon && len(m.Points) == 3 {
					arrows++
				}
			}
			is(t, "an arrow leads there", arrows > 0, true)
		})
	}
}
