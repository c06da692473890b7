package hfg

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/hfg/campaign"
	"berthier/engine/rulestest"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
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

// everythingField is a field with every kind of ground, of lines and of classes, and with every state that is drawn.
func everythingField(t testing.TB) *game {
	t.Helper()
	set := &setting{year: 1870, areas: []areaDef{octagon("sea", waterway, 11000, 3000, 1600, 5900), octagon("bog", marsh, 1000, 5000, 900, 500), octagon("hill", hill, 3000, 5000, 900, 700), octagon("town", bua, 5000, 5000, 500, 500),
		octagon("wood", wood, 7000, 5000, 900, 700), octagon("field", slowGoing, 8500, 5000, 900, 700), octagon("fort", strongPoint, 5000, 4000, 400, 400)},
		lines: []lineDef{lineOf("elbe", river, 200, [2]int64{0, 3500}, [2]int64{9000, 3500}), lineOf("brook", stream, 100, [2]int64{0, 3000}, [2]int64{9000, 3000}), lineOf("ditch", gully, 100, [2]int64{0, 2500}, [2]int64{9000, 2500}),
			lineOf("rails", railway, 0, [2]int64{9500, 0}, [2]int64{9500, 6000}), lineOf("lane", road, 0, [2]int64{500, 0}, [2]int64{500, 6000})}}
	set.areas[2].crest = []place{place(pt(2900, 5000)), place(pt(3100, 5000))}
	set.lines[4].good = true
	g := fieldOn(t, set,
		piece{"r1", bayonets, 2000, 1000, 0, nil}, piece{"r2", heavyCavalry, 3000, 1000, 0, nil}, piece{"r3", lightHorse, 4000, 1000, 0, nil}, piece{"r4", rifled, 5000, 1000, 0, nil}, piece{"r5", commandParty, 6000, 1000, 0, nil},
		piece{"r6", supplyBase, 7000, 1000, 0, nil}, piece{"r7", ironclad, 11000, 2000, 0, nil}, piece{"r8", minie, 8000, 1000, 0, nil}, piece{"r9", minie, 8000, 2000, 0, nil}, piece{"b1", minie, 8000, 1500, 180, nil}, piece{"b2", rifled, 4000, 4500, 180, nil})
	at := func(id string) *element { return &g.Elements[named(t, g, id)] }
	at("r1").Concealed, at("r2").Spirit, at("r3").Spirit, at("r4").Silenced, at("r5").Disabled, at("r7").Damaged = true, repulsed, routed, 1, true, true
	g.Phase, g.Burning = moving, []areaID{4}
	g.Bridges = []bridge{{ID: "span", Over: 1, At: place(pt(500, 3500))}}
	g.Fords = []ford{{Over: 1, At: place(pt(3000, 3500))}}
	g.Works = []placedWork{{ID: "w1", Kind: redoubt, Side: first, At: place(pt(2000, 1600)), Width: 400 * pace, Depth: 200 * pace}}
	at("b2").Concealed = true
	g.Seen[first] = sightings{{Element: named(t, g, "b2"), At: place(pt(4000, 4500)), Facing: 180}}
	return g
}

// inksOf are the inks of marks, by shape and whether they fill or draw.
func inksOf(marks []engine.Mark) map[string]bool {
	all := map[string]bool{}
	for _, m := range marks {
		if m.Shape != engine.Label {
			all["fill "+string(m.Fill)], all["stroke "+string(m.Stroke)] = true, true
		}
	}
	return all
}

// Whatever is drawn on a field is explained by its legend: no ink is drawn there that no sign of the legend has, and no sign stands on another.
func TestLegendExplainsWhatIsDrawn(t *testing.T) {
	g := everythingField(t)
	v := g.view("red")
	k := v.sketch(point{}, point(v.size), false)
	k.Brush = sheet.NewBrush(100)
	k.legend()
	legend := inksOf(k.Marks())
	scene := v.fieldSection(phrase.Say("hfg.page-before")).Picture
	low := k.Frame.Y + k.Frame.H
	onField := func(marks []engine.Mark) (all []engine.Mark) {
		for _, m := range marks {
			if m.Points[0].Y < low {
				all = append(all, m)
			}
		}
		return all
	}
	plain := []string{"fill ", "stroke ", "fill " + string(inkMeadow), "fill " + string(inkPaper), "stroke " + string(inkGrid),
		"fill " + string(liveries[second].sign), "stroke " + string(liveries[second].sign)} // signs of classes, as those of the other side
	for ink := range inksOf(onField(slices.Concat(scene.Ground, scene.Marks))) {
		if !legend[ink] && !slices.Contains(plain, ink) {
			t.Errorf("%s is drawn on the field, and in no sign of the legend", ink)
		}
	}
	words := 0
	for _, column := range legendItems {
		for _, item := range column {
			k.Brush = sheet.NewBrush(9)
			item.draw(k, sheet.At(600, low+60))
			if len(k.Marks()) == 0 {
				t.Errorf("%s has no sign", item.says)
			}
			for _, m := range k.Marks() {
				for _, p := range m.Points {
					if p.X < 574 || p.X > 626 || p.Y < low+60-legendRow/2 || p.Y > low+60+legendRow/2 {
						t.Errorf("the sign of %s reaches to %v", item.says, p)
					}
				}
			}
			words++
		}
	}
	is(t, "signs", words, 30)
}

// Arcs of fire are drawn of one's guns and ships, and of foot that has somebody to shoot at: two lines to each side of each shooting edge, as far
// as they shoot.
func TestArcsOfFire(t *testing.T) {
	g := everythingField(t)
	g.Elements[named(t, g, "r4")].Silenced = 0
	arcs := func(id string) (all []engine.Mark) {
		v := g.view("red")
		k := v.sketch(point{}, point(v.size), true)
		k.Brush = sheet.NewBrush(9)
		k.pieces = []elementID{named(t, g, id)}
		k.arcs()
		return k.Marks()
	}
	for id, want := range map[string]int{"r4": 1, "r7": len(g.shootingEdges(named(t, g, "r7"))), "r8": 1, "r9": 0, "r2": 0, "b1": 0} {
		if got := len(arcs(id)); got != want {
			t.Errorf("%s has %d arcs, want %d", id, got, want)
		}
	}
	m := arcs("r8")[0]
	front := sideOf(ptr(g.body(named(t, g, "r8"))), geometry.Front)
	k := g.view("red").sketch(point{}, point(g.size), true)
	far := min(g.reaches(named(t, g, "r8"), fighter{Element: named(t, g, "b1")}), arcLong)
	is(t, "it begins at the front edge", m.Points[1].Y, k.Point(front[0]).Y)
	is(t, "and reaches so far", m.Points[0].Y, k.Point(front[0].Plus(point{Y: int64(far) * pace})).Y)
}

// The map of a campaign is a picture: every node with its name, every road, one's own forces as many as there are; the enemy's where they stood
// at dawn, and nothing else of him.
func TestCampaignHasAPicture(t *testing.T) {
	looked := 0
	playOut(t, setupOf(2), 2, 60, func(g *game) error {
		if g.Prepare == nil || g.Prepare.Map == nil || g.Phase != preparing || len(g.roster) == 0 {
			return nil
		}
		for _, seat := range []engine.Side{"red", "blue"} {
			var scene *engine.Scene
			for _, s := range rulestest.Scenes(g.view(seat).Page().Sections) {
				if s.Name == "campaign" {
					scene = s
				}
			}
			if scene == nil {
				return fmt.Errorf("%s has no picture of the map", seat)
			}
			rulestest.FieldPicture(t, string(seat), scene, nil)
			labels := map[string]int{}
			for _, m := range scene.Marks {
				if m.Shape == engine.Label {
					labels[m.Text.Text]++
				}
				for _, p := range m.Points {
					if p.X < 0 || p.Y < 0 || p.X > scene.Width || p.Y > scene.Height {
						t.Errorf("%v lies off the sheet", p)
					}
				}
			}
			for _, n := range campaign.TwoValleys().Nodes {
				is(t, n.Name, labels[n.Name], 1)
			}
			other := g.trial()
			for i := range other.Prepare.Map.Stands {
				if g.commands[i].side != g.sideOf(seat) {
					other.Prepare.Map.Stands[i].At = campaign.Node(1 + i%5)
				}
			}
			if got := other.view(seat).mapSection().Picture; !reflect.DeepEqual(got, g.view(seat).mapSection().Picture) {
				t.Errorf("%s sees where the enemy marches", seat)
			}
			looked++
		}
		return nil
	})
	if looked < 4 {
		t.Errorf("only %d pictures", looked)
	}
}
