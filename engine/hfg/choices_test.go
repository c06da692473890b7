package hfg

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/rulestest"
	"berthier/orders"
)

// Two armies are prepared by choices alone, from their lists, or the first dawn of a campaign, to the first
// turn: each that is offered makes an answer that is read as itself and says more than the one before, and
// every stop of the preparation offers some.
func TestArmiesArePreparedByChoices(t *testing.T) {
	games := uint64(2)
	if rulestest.FullSamples() {
		games = 12
	}
	rules, asked, made := New(), map[string]int{}, map[string]int{}
	for seed := range games {
		chance := rand.New(rand.NewPCG(seed, 7))
		options := map[string]string{}
		if seed%2 == 1 {
			options["campaign"] = "yes"
		}
		p, err := rules.New(engine.Setup{Scenario: "two-armies", Options: options})
		if err != nil {
			t.Fatal(err)
		}
		answers := map[engine.Side]engine.Answer{}
		for stop := 0; ; stop++ {
			if _, err := p.Advance(answers, luck{chance}); err != nil {
				t.Fatal(err)
			}
			if g := p.(*game); g.Phase != preparing || stop > 60 { // by chance forces may never meet
				break
			}
			clear(answers)
			for _, d := range p.Owed() {
				asked[d.Kind]++
				answers[d.Side] = chosenAnswer(t, rules, p.View(d.Side), d, chance, made)
			}
		}
	}
	for _, kind := range []string{stopList, stopMap, stopNight, stopTerrain, stopEdge, stopPlan, stopDeploy} {
		if asked[kind] > 0 && made[kind] == 0 || asked[kind] == 0 && rulestest.FullSamples() && kind != stopNight {
			t.Errorf("%s was asked %d times, and %d choices were made", kind, asked[kind], made[kind])
		}
	}
	t.Logf("asked %v, choices %v", asked, made)
}

// chosenAnswer makes an answer of some choices by chance.
func chosenAnswer(t *testing.T, rules Ruleset, v engine.View, d engine.Decision, chance *rand.Rand, made map[string]int) engine.Answer {
	t.Helper()
	var all []engine.Choice
	answer := rules.Default(v, d)
	for range chance.IntN(4) {
		list := rules.Choices(v, d, all)
		if len(list) == 0 {
			break
		}
		for i, c := range list {
			if engine.Offered(list[:i], c) {
				t.Fatalf("%s: %+v is offered twice", d.Kind, c)
			}
		}
		c := list[chance.IntN(len(list))]
		all = append(all, c)
		made[d.Kind]++
		next := rules.Compose(v, d, all)
		text := next.Orders().Encode()
		root, faults := orders.ParseNode([]byte(text))
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		read, faults := rules.Read(v, d, &orders.Document{Orders: root.Get("orders")})
		if len(faults) > 0 || read.Orders().Encode() != text {
			t.Fatalf("%s: %v is read otherwise: %v\n%s", d.Kind, all, faults, text)
		}
		if len(all) > 1 && text == answer.Orders().Encode() {
			t.Fatalf("%s: %+v says nothing more\n%s", d.Kind, c, text)
		}
		if taken := rules.Chosen(v, d, next); !slices.Equal(taken, all) {
			t.Fatalf("%s: of %v %v are found", d.Kind, all, taken)
		}
		answer = next
	}
	return answer
}

// placed is a game at the stop place of a piece, for which the dice show the sections.
func placed(t *testing.T, x terrainPiece, dice ...int) *battlefield {
	t.Helper()
	p, d := letters(t, map[string]string{"pair": "gettysburg"})
	if err := p.advance(nil); err != nil {
		t.Fatal(err)
	}
	p.setting.sides[0].role, p.setting.sides[1].role = defender, attacker
	p.Prepare.Numbers = usualNumbering[1:]
	p.Prepare.Pieces = []terrainPiece{x}
	p.Prepare.Step = placing
	d.fixed = dice
	p.opening().throw(&p.Prepare.Pieces[0])
	p.owed = p.asks()
	return p
}

// At the stop place the first legal place is offered, and points from which an area is turned and shifted to every whole pace, and a
// line gets bend after bend.
func TestPlacesAreOffered(t *testing.T) {
	for name, one := range map[string]struct {
		x    terrainPiece
		dice []int
		then []string
		want string
	}{
		"wood":   {terrainPiece{Kind: woodPiece, By: first, Size: []int{1000, 500}}, []int{3}, []string{"[6500, 4500]", "facing 30", "10 w", "1 n"}, "{at: [6490, 4501], facing: 30}"},
		"stream": {terrainPiece{Kind: streamPiece, By: first}, []int{3, 5}, []string{"[6500, 6000] to [7500, 0]", "bend [7000, 4000]", "bend [7000, 2000]"}, "{from: [6500, 6000], to: [7500, 0], bends: [[7000, 4000], [7000, 2000]]}"},
		"rails":  {terrainPiece{Kind: railwayPiece, By: first}, []int{2}, []string{"[1000, 6000] to [2000, 0]"}, "{from: [1000, 6000], to: [2000, 0]}"},
	} {
		t.Run(name, func(t *testing.T) {
			p := placed(t, one.x, one.dice...)
			d, v := p.owed[0], p.view(p.owed[0].Side)
			var chosen []engine.Choice
			for i, what := range append([]string{firstLegal}, one.then...) {
				c := engine.Choice{Of: "place", What: what}
				if list := New().Choices(v, d, chosen); !engine.Offered(list, c) {
					t.Fatalf("%q is not offered after %v, but %v", what, chosen, list[:min(len(list), 8)])
				}
				if i > 0 {
					chosen = append(chosen, c)
				}
			}
			a := New().Compose(v, d, chosen)
			is(t, "the answer", strings.Contains(a.Orders().OneLine(), strings.Trim(one.want, "{}")), true)
			is(t, "it is taken apart", slices.Equal(New().Chosen(v, d, a), chosen), true)
		})
	}
	p := placed(t, terrainPiece{Kind: woodPiece, By: first, Size: []int{1000, 500}}, 3)
	d, v := p.owed[0], p.view(p.owed[0].Side)
	is(t, "after the first legal place nothing", len(New().Choices(v, d, []engine.Choice{{Of: "place", What: firstLegal}})), 0)
	is(t, "a point of another section is not offered", engine.Offered(New().Choices(v, d, nil), engine.Choice{Of: "place", What: "[1000, 1000]"}), false)
}

// At the stop terrain pieces are made larger, and otherwise, and where they are to stand is wished for; only the defender numbers the
// sections.
func TestPiecesAreOffered(t *testing.T) {
	p, _ := letters(t, map[string]string{"pair": "gettysburg"})
	if err := p.advance(nil); err != nil {
		t.Fatal(err)
	}
	p.setting.sides[0].role, p.setting.sides[1].role = defender, attacker
	p.Prepare.Step = grounding
	p.owed = p.asks()
	for side, as := range map[int]role{0: defender, 1: attacker} {
		of := engine.Side(p.setting.sides[side].id)
		d, v := engine.Decision{Side: of, Kind: stopTerrain}, p.view(of)
		chosen := []engine.Choice{{Of: "pieces", What: "kind: hill"}}
		last := len(New().Choices(v, d, nil)) // only to find the number of the new piece
		if list := New().Choices(v, d, nil); !engine.Offered(list, chosen[0]) {
			t.Fatalf("no hill is offered to the %v, of %d", as, last)
		}
		text := func() string { return New().Compose(v, d, chosen).Orders().Encode() }
		for _, what := range []string{"size: [1500, 1000]", "slope: difficult", "where: {ne: {at: ["} {
			before, found := text(), false
			for _, c := range New().Choices(v, d, chosen) {
				if strings.HasPrefix(c.Of, "hill ") && strings.HasPrefix(c.What, what) {
					chosen, found = append(chosen, c), true
					break
				}
			}
			if !found || text() == before {
				t.Errorf("the %v is not offered %q after %v", as, what, chosen)
			}
		}
		numbers := slices.ContainsFunc(New().Choices(v, d, chosen), func(c engine.Choice) bool { return c.Of == "numbering" })
		is(t, "numbers are offered", numbers, as == defender)
	}
}

// offers are what a stop offers after some choices, by the words before their first number.
func offers(p *battlefield, of engine.Side, kind string, chosen ...engine.Choice) map[string]engine.Choice {
	all := map[string]engine.Choice{}
	for _, c := range New().Choices(p.view(of), engine.Decision{Side: of, Kind: kind}, chosen) {
		name := strings.TrimRight(c.Of+" "+c.What, " ,[]0123456789")
		if _, there := all[name]; !there {
			all[name] = c
		}
	}
	return all
}

// The defender is offered each work that he has bought and the ground bears, bridges over its water, and concealed
// places in its woods; what is placed already is not offered again. An attacker is offered neither.
func TestWorksAreOffered(t *testing.T) {
	rect := func(id string, kind ground, x0, y0, x1, y1 int64) areaDef {
		return areaDef{id: id, kind: kind, outline: []place{paced(x0, y0), paced(x1, y0), paced(x1, y1), paced(x0, y1)}}
	}
	p := planned(t, []areaDef{rect("wood-1", wood, 200, 3000, 3000, 5800), rect("waterway-1", waterway, 6500, 3000, 9000, 5900)},
		[]lineDef{westEast(), lineOf("road-2", road, 0, [2]int64{4000, 4500}, [2]int64{6000, 4500}), lineOf("stream-1", stream, 0, [2]int64{5000, 6000}, [2]int64{5000, 3500})},
		enlisted("pon-1", pontoneers))
	all := offers(p, "blue", stopPlan)
	for _, name := range []string{"strong-point-", "redoubt-", "entrenchment-", "barricade-", "naval-minefield-", "elf-1 road-", "pon-1 stream-", "bay-a-1 concealed"} {
		c, there := all[name]
		if !there {
			t.Errorf("no %q is offered", name)
		}
		again, there := offers(p, "blue", stopPlan, c)[name]
		if there && again == c || there && slices.Contains([]string{"naval-minefield-", "elf-1 road-", "pon-1 stream-", "bay-a-1 concealed"}, name) {
			t.Errorf("%+v is offered after %+v", again, c)
		}
	}
	for name, c := range offers(p, "red", stopPlan) {
		if strings.Contains(name, "redoubt") || strings.Contains(name, "concealed") {
			t.Errorf("the attacker is offered %+v", c)
		}
	}
}

// A side makes an army of its own of one of the book, element by element, and buys what it may; what is too dear is not offered.
func TestAnArmyOfOnesOwnIsOffered(t *testing.T) {
	p, _ := letters(t, map[string]string{"pair": "gettysburg", "lists": "own"})
	if err := p.advance(nil); err != nil {
		t.Fatal(err)
	}
	of := p.owed[0].Side
	book := offers(p, of, stopList)
	base, there := book["list union-"]
	if !there {
		t.Fatalf("no list of the book is offered: %v", book)
	}
	own, there := offers(p, of, stopList, base)["list own"]
	if !there {
		t.Fatal("no list of one's own is offered")
	}
	chosen := []engine.Choice{base, own}
	d := engine.Decision{Side: of, Kind: stopList}
	text := func() string { return New().Compose(p.view(of), d, chosen).Orders().Encode() }
	whole := text()
	for _, kind := range []string{"centre without", "centre minie", "centre without", "defending none", "defending barricade", "attacking concealed-position"} {
		before, all := text(), offers(p, of, stopList, chosen...)
		var next *engine.Choice
		for name, c := range all {
			if strings.HasPrefix(name, kind) {
				next = &c
			}
			if strings.HasPrefix(name, "attacking redoubt") {
				t.Errorf("an attacker is offered what he can't use: %+v", c)
			}
		}
		if next == nil {
			t.Fatalf("%s is not offered: %v", kind, all)
		}
		if chosen = append(chosen, *next); text() == before {
			t.Errorf("%+v changes nothing", *next)
		}
	}
	if all := offers(p, of, stopList, chosen...); text() == whole || len(all) == 0 || strings.Contains(text(), "list: union") {
		t.Errorf("at the end %d are offered after\n%s", len(all), text())
	}
}

// Among what may be chosen at a turn are bridges to build and to destroy, and to be asked again; each is an order by itself.
func TestChoicesOfATurnNameTasks(t *testing.T) {
	g := orderField(t)
	g.Elements[named(t, g, "r8")].At = place(pt(10000, 4900))
	d := engine.Decision{Side: "red", Kind: stopTurn}
	g.owed = []engine.Decision{d}
	v, rules := g.view("red"), New()
	var all []string
	for _, c := range rules.Choices(v, d, nil) {
		all = append(all, c.What)
		if c.What != "more" && !strings.Contains(c.What, "build") && !strings.Contains(c.What, "destroy-bridge") {
			continue
		}
		a := rules.Compose(v, d, []engine.Choice{c})
		if a == nil || !strings.Contains(a.Orders().Encode(), strings.TrimSuffix(strings.Split(strings.Trim(c.What, "{}"), ":")[0], "}")) {
			t.Errorf("%v comes to %v", c, a)
		}
	}
	for _, want := range []string{"{build: r4}", "{destroy-bridge: {element: r8, bridge: span}}", "more"} {
		if !slices.Contains(all, want) {
			t.Errorf("%s isn't offered: %v", want, all)
		}
	}
}
