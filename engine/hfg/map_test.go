package hfg

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/rulestest"
)

// fought are positions of a battle on the way.
func fought(t *testing.T, stops int) []*game {
	t.Helper()
	var all []*game
	playOut(t, engine.Setup{}, 3, stops, func(g *game) error {
		if g.Turn%4 == 1 {
			all = append(all, g.trial())
		}
		return nil
	})
	return all
}

// On the pictures every element that is shown stands at its true corners, no label lies on another or is
// lower than nine pixels where the picture is shown 723 wide, and each town has its name.
func TestFieldIsDrawnAsItStands(t *testing.T) {
	near := 0
	for i, g := range fought(t, 40) {
		for _, seat := range g.seats() {
			v := g.view(seat)
			standing := map[string]geometry.Body{}
			for _, e := range v.standing() {
				standing[v.def(e).id] = v.drawn(e)
			}
			for j, scene := range rulestest.Scenes(v.Page().Sections) {
				rulestest.FieldPicture(t, fmt.Sprintf("position %d, %s", i, seat), scene, standing)
				if j > 0 {
					near++
				}
			}
		}
	}
	if near < 5 {
		t.Errorf("only %d close-ups", near)
	}
}

// Whoever moves an enemy whom a side doesn't know changes nothing of its pictures, nor of its page.
func TestPicturesHideWhatIsHidden(t *testing.T) {
	tried := 0
	for _, g := range fought(t, 24) {
		for _, seat := range g.seats() {
			page := g.view(seat).Page()
			for _, e := range g.standing() {
				if g.def(e).side == g.sideOf(seat) || g.seatKnows(seat, e) || g.Elements[e].Holds != 0 {
					continue
				}
				other := g.trial()
				other.bodies, other.sights = nil, nil
				if other.Elements[e].Facing = (other.Elements[e].Facing + 1) % 360; other.seatKnows(seat, e) {
					continue
				}
				other.Elements[e].Spirit = repulsed
				if other.known(other.sideOf(seat), e) {
					continue
				}
				tried++
				if got := other.view(seat).Page(); !reflect.DeepEqual(got, page) {
					t.Fatalf("%s sees that %s has turned", seat, g.def(e).id)
				}
				break
			}
		}
	}
	if tried == 0 {
		t.Error("nobody was hidden from anybody")
	}
}

// A position that is made up from a view gives that view again, byte for byte, owes the same decision and
// is read back as it was written; in a game of lists, too, whose armies are the enemy's own.
func TestSamplesGiveTheViewAgain(t *testing.T) {
	positions := fought(t, 40)
	for seed := range uint64(3) { // one with each kind of lists
		most := 0
		playOut(t, setupOf(seed), seed, 150, func(g *game) error {
			if g.Phase != preparing && len(g.owed) > 0 && g.Turn%3 == 1 && most < 4 {
				most++
				positions = append(positions, g.trial())
			}
			return nil
		})
	}
	tried, lists := 0, 0
	for _, g := range positions {
		for _, d := range g.Owed() {
			made := sampleGivesView(t, g, d, 2)
			if tried += made; g.scenario.Letters {
				lists += made
			}
		}
	}
	if tried < 25 || lists < 10 {
		t.Errorf("only %d samples, %d of them of lists", tried, lists)
	}
}

// sampleGivesView makes so many samples of a view of a position, and counts them.
func sampleGivesView(t *testing.T, g *game, d engine.Decision, most int) (made int) {
	t.Helper()
	rules, view := New(), g.View(d.Side)
	want, err := view.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(most) {
		p, err := rules.Sample(view, d, rand.New(rand.NewPCG(seed, 4)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.View(d.Side).Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Fatalf("turn %d: %s sees something else in the sample: %s", g.Turn, d.Side, rulestest.FirstDifference(string(got), string(want)))
		}
		if !slices.Contains(p.Owed(), d) {
			t.Errorf("turn %d: %s owes %v, not %v", g.Turn, d.Side, p.Owed(), d)
		}
		text, err := p.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := rules.Load(text); err != nil {
			t.Fatalf("turn %d: the sample is refused: %v", g.Turn, err)
		}
		made++
	}
	return made
}
