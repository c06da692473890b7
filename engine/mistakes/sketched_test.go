package mistakes

import (
	"testing"

	"berthier/engine"
	"berthier/engine/rulestest"
)

// What is drawn of an answer hangs on nothing that its side can't see, in a game of three who deploy and enter.
func TestSketchesShowNoMore(t *testing.T) {
	all := []rulestest.Setup{{Name: "free deployment of three", Setup: engine.Setup{Options: map[string]string{"game": "free-deploy-3p", "players": "3"}}}}
	rulestest.Sketches(t, New(), all, int(samples(1, 6)), stopManoeuvres, stopOrders, stopAssign, stopEntry, stopDeploy)
}

// A formation that advances is drawn where it would stand, from near, with an arrow from where it stands, and told for those
// who see no picture. An answer by which nobody moves has no picture, and the position is what it was.
func TestSketchOfAManoeuvre(t *testing.T) {
	g := field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"red-7", 600_000, 600_000, 180})
	g.Phase, g.Order = manoeuvring, []army{blue, red}
	f := g.of(named(t, g, "blue-13"))
	f.Green = true
	for l := range g.Leaders {
		g.Leaders[l].Gone = eliminated
	}
	before := string(g.marshal())
	sketched := func(says string) []engine.Section {
		t.Helper()
		v, d := g.view("blue"), engine.Decision{Side: "blue", Kind: stopManoeuvres}
		a, faults := declared.Read(v, d, document(t, says))
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		return New().Sketched(v, d, a)
	}
	is(t, "pictures of an answer that moves nobody", len(sketched("none")), 0)
	all := sketched("[{formation: " + f.ID + ", advance: {mm: 90}}]")
	if len(all) != 1 || len(all[0].Gist) != 1 {
		t.Fatalf("%d pictures: %+v", len(all), all)
	}
	scene := all[0].Picture
	is(t, "the picture", scene.Name, "near-1")
	at := scene.Scale.At(600_000, 390_000)
	is(t, "the middle of the unit as it is drawn", scene.Spots["blue-13"].Middle(), at)
	arrow := false
	for _, m := range scene.Marks {
		arrow = arrow || m.Shape == engine.Polygon && len(m.Points) == 3 && m.Points[0].X-at.X < 20 && at.X-m.Points[0].X < 20 && m.Points[0].Y > at.Y
	}
	is(t, "an arrow leads there from below", arrow, true)
	is(t, "what is said of it", all[0].Gist[0].Code, "em.sketched-unit")
	is(t, "the position after it", string(g.marshal()), before)
}
