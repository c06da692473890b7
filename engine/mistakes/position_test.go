package mistakes

import (
	"bytes"
	"testing"

	"berthier/orders"
)

// A position is read back as it was written, byte for byte.
func TestPositionsAreReadBack(t *testing.T) {
	for _, options := range []map[string]string{nil, {"game": "short", "ney": "on"}, {"game": "ready-3p", "wheel-limit": "45"}} {
		g := begin(t, options)
		u := named(t, g, "blue-9")
		g.Units[u].Smoke, g.Units[u].Losses, g.Units[u].Yellow = true, 1, 2
		g.Units[u].At.X += 125
		g.formationNamed("b-Foy").Green = true
		g.formationNamed("b-Quiot").Orange = 2
		g.part(named(t, g, "red-7"), named(t, g, "blue-13"))
		g.part(named(t, g, "red-7"), named(t, g, "blue-9"))
		text := g.marshal()
		again, faults := load(text)
		if len(faults) > 0 {
			t.Fatalf("%v\n%s", faults, text)
		}
		if !bytes.Equal(again.marshal(), text) {
			t.Errorf("the position reads as another:\n%s\n%s", text, again.marshal())
		}
		is(t, "the x of 9", again.Units[u].At.X, g.Units[u].At.X)
		same(t, "the parted pairs", again.Apart, g.Apart)
	}
}

// What can't be in any game is refused at its line.
func TestPositionFaults(t *testing.T) {
	g := begin(t, map[string]string{"ney": "on"})
	good := string(g.marshal())
	refused(t, good, []spoilt{
		{"ruleset: enemy-mistakes", "ruleset: waterloo", "play.ruleset-other"},
		{"turn: 1", "turn: 20", "em.position-turn"},
		{"turn: 1", "turn: 1\nturns: 1", "order.unknown-key"},
		{"blue-1: {at: [600, 55]}", "blue-1: {at: [600, 55], losses: 5}", "em.position-losses"},
		{"blue-1: {at: [600, 55]}", "blue-1: {at: [600, 55], yellow: 3}", "order.want-number"},
		{"blue-1: {at: [600, 55]}", "blue-1: {at: [600, 55], smoke: true}", "em.position-gun"},
		{"blue-1: {at: [600, 55]}", "blue-1: {at: [600, 55], gone: captured}", "em.position-both"},
		{"blue-1: {at: [600, 55]}", "blue-1: {at: [600, 55], by: red}", "em.position-by"},
		{"blue-1: {at: [600, 55]}", "blue-1: {losses: 1}", "em.position-gone"},
		{"blue-1: {at: [600, 55]}", "blue-1: {gone: captured, by: red}", "em.formation-gone"},
		{"blue-1: {at: [600, 55]}", "blue-1: {at: [600.0001, 55]}", "em.length-fine"},
		{"blue-1: {at: [600, 55]}", "blue-1: {at: [600, 55], heading: 360}", "order.want-number"},
		{"blue-1: {at: [600, 55]}", "blue-1: {at: [14.999, 55]}", "em.position-off"},
		{"blue-1: {at: [600, 55]}", "blue-1: {at: [630, 56]}", "em.position-overlap"},
		{"b-Quiot: {corps: blue-I, units: [blue-13, blue-14]}", "b-Quiot: {corps: blue-I, units: [blue-13]}", "em.position-alone"},
		{"b-Quiot: {corps: blue-I, units: [blue-13, blue-14]}", "b-Quiot: {corps: blue-I, units: [blue-13, blue-14, blue-15]}", "em.formation-twice"},
		{"b-Quiot: {corps: blue-I, units: [blue-13, blue-14]}", "b-Quiot: {corps: blue-II, units: [blue-13, blue-14]}", "em.formation-corps"},
		{"b-Quiot: {corps: blue-I, units: [blue-13, blue-14]}", "b-Quiot: {corps: blue-I, units: [blue-13, blue-14], green: true, orange: 1}", "em.formation-colours"},
		{"r-Kempt: {corps: red-R, units: [red-20]}", "r-Kempt: {corps: red-R, units: [red-20, hougoumont]}", "em.formation-garrison"},
		{"drouot: {at: [628, 88]}", "drouot: {at: [628, 88], attached: blue-1}", "em.leader-two-places"},
		{"drouot: {at: [628, 88]}", "drouot: {at: [628, 5]}", "em.position-leader-off"},
		{"drouot: {at: [628, 88]}", "drouot: {at: [628, 55]}", "em.position-leader-on"},
		{"drouot: {at: [628, 88]}", "drouot: {at: [628, 88], gone: captured}", "em.leader-gone"},
		{"drouot: {at: [628, 88]}", "drouot: {markers: 1}", "em.leader-markers"},
		{"drouot: {at: [628, 88]}", "drouot: {attached: blue-13}", "em.leader-attached"},
		{"lobau: {at: [590, 150]}", "lobau: {attached: blue-37}", "em.leader-two"},
		{"napoleon: {at: [600, 110]}", "napoleon: {at: [600, 110], substitute: true}", "em.leader-substitute"},
		{"options: {ney: on}\n", "", "em.leader-ney"},
		{"reserve: {blue: 36", "reserve: {blue: 35", "em.position-markers"},
		{"hougoumont: {at: [405, 257]", "hougoumont: {at: [405, 258]", "em.position-garrison"},
		{"reserve:", "placed: [blue-GD]\nreserve:", "em.position-enters"},
		{"reserve:", "apart: [{a: blue-2, b: blue-1}]\nreserve:", "em.position-apart"},
	}, func(text []byte) orders.Problems { _, faults := load(text); return faults })
	if t.Failed() {
		t.Log(good)
	}
}
