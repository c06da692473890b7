package mistakes

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/rulestest"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// struckField is a field on which much has happened by chance.
func struckField(t *testing.T, seed uint64) *game {
	t.Helper()
	g := begin(t, map[string]string{"ney": "on"})
	p := &battlefield{game: g}
	r := rand.New(rand.NewPCG(seed, 21))
	p.Dice = chance{r}
	for range 20 * seed {
		p.strike(r)
	}
	return g
}

// On the pictures every unit that is shown stands at its true corners, nothing leaves the sheet
// of the whole field, no label lies on another or is smaller than nine pixels where the picture
// is shown 723 wide, and each army sees the same.
func TestFieldIsDrawnAsItStands(t *testing.T) {
	near := 0
	for seed := range samples(5, 12) {
		g := struckField(t, seed)
		v := g.view("blue")
		sections := v.Page().Sections
		if other := g.view("red").Page().Sections; !reflect.DeepEqual(rulestest.Scenes(sections), rulestest.Scenes(other)) {
			t.Errorf("seed %d: blue and red see different pictures", seed)
		}
		standing := map[string]geometry.Body{}
		for _, u := range v.standing() {
			standing[v.def(u).id] = v.gun(u)
		}
		for i, scene := range rulestest.Scenes(sections) {
			rulestest.FieldPicture(t, fmt.Sprintf("seed %d", seed), scene, standing)
			for _, m := range slices.Concat(scene.Ground, scene.Marks) {
				for _, p := range m.Points {
					if i == 0 && (p.X < 0 || p.Y < 0 || p.X > scene.Width || p.Y > scene.Height) {
						t.Errorf("seed %d, %s: a %s at %v leaves the sheet", seed, scene.Name, m.Shape, p)
					}
				}
			}
			if i > 0 {
				near++
			}
		}
	}
	if near < 5 {
		t.Errorf("only %d close-ups", near)
	}
}

// The names of towns stand on the picture of the whole field, wherever units stand, and none
// that finds room lies over a unit.
func TestTownsAreNamed(t *testing.T) {
	for seed := range samples(5, 12) {
		g := struckField(t, seed)
		v := g.view("red")
		scene := rulestest.Scenes(v.Page().Sections)[0]
		for i := range v.areas {
			if d := &v.areas[i]; d.kind == town && !slices.ContainsFunc(scene.Marks, func(m engine.Mark) bool { return m.Text.Text == d.name && m.Bold }) {
				t.Errorf("seed %d: %s has no name", seed, d.name)
			}
		}
		for _, m := range scene.Marks {
			i := slices.IndexFunc(v.areas, func(d areaDef) bool { return m.Shape == engine.Label && d.name == m.Text.Text })
			if i < 0 {
				continue
			}
			box := sheet.LabelBox(m.Points[0], m.Text.Text, sheet.Lettering{Size: m.Size, Bold: m.Bold})
			for _, u := range v.standing() {
				if s := scene.Spots[v.def(u).id]; v.Units[u].Heading%90 == 0 && s.Grown(-1).Common(box) > 0 {
					t.Errorf("seed %d: %s lies under the name of %s", seed, v.def(u).id, v.areas[i].name)
				}
			}
		}
	}
}

// A leader's initials stand in his disc.
func TestInitialsOfLeaders(t *testing.T) {
	g := begin(t, nil)
	scene := rulestest.Scenes(g.view("blue").Page().Sections)[0]
	for id, want := range map[string]string{"napoleon": "N", "wellington": "W", "derlon": "DE", "reille": "R"} {
		middle := scene.Spots[id].Middle()
		if !slices.ContainsFunc(scene.Marks, func(m engine.Mark) bool {
			return m.Shape == engine.Label && m.Text.Text == want && m.Points[0] == middle
		}) {
			t.Errorf("%s is not written at %v", want, middle)
		}
	}
}

// What an event tells leaves marks: an arrow from where a unit stood in the last report to where
// it stands, a flash at a gun and an arrow at its target, a pip, a ghost.
func TestEventsLeaveTraces(t *testing.T) {
	g := begin(t, nil)
	was := g.view("blue").Page()
	gun, target := unitOf(t, g, "blue-23"), unitOf(t, g, "red-7")
	moved := unitOf(t, g, "blue-19")
	for _, u := range g.of(moved).Units {
		g.Units[u].At.Y += 60_000
	}
	for _, c := range []struct {
		say  phrase.Phrase
		want int // more marks than without it
	}{
		{phrase.Say("em.moved", g.unitArg("unit", moved), phrase.Literal("mm", "60")), 8},
		{phrase.Say("em.moved", g.unitArg("unit", moved), g.unitsArg("units", g.of(moved).Units), phrase.Literal("mm", "60")), 8 * len(g.of(moved).Units)},
		{phrase.Say("em.fired", g.unitArg("unit", gun), g.unitArg("target", target)), 8},
		{phrase.Say("em.losses", g.unitArg("unit", target), phrase.Number("n", 1), phrase.Number("capacity", 3)), 5},
		{phrase.Say("em.shaken", g.unitArg("unit", target)), 0},
		{phrase.Say("em.turn", phrase.Number("turn", 2), phrase.Number("last", 19)), 0},
	} {
		page := g.view("blue").Page()
		before := len(page.Sections[0].Picture.Marks)
		fact := Ruleset{}.Recount("blue", c.say)
		sheet.Trace(&page, &was, fact.Traces, "")
		if got := len(page.Sections[0].Picture.Marks) - before; (got > 0) != (c.want > 0) || got < c.want {
			t.Errorf("%s leaves %d marks, want %d", c.say.Code, got, c.want)
		}
	}
	if f := (Ruleset{}).Recount("red", phrase.Say("em.losses", g.unitArg("unit", target))); !f.Own {
		t.Error("a loss of red is not red's own")
	}
}

func unitOf(t *testing.T, g *game, id string) unitID {
	t.Helper()
	u, ok := g.unitNamed(id)
	if !ok {
		t.Fatalf("there is no %s", id)
	}
	return u
}

// BenchmarkPage is the page of a view, with its pictures.
func BenchmarkPage(b *testing.B) {
	g, faults := begun(library.Scenarios()[0], nil)
	if len(faults) > 0 {
		b.Fatal(faults)
	}
	v := g.view("blue")
	for b.Loop() {
		v.Page()
	}
}
