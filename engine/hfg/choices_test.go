package hfg

import (
	"math/rand/v2"
	"slices"
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

// At the stop place the first legal place is offered, and points of a grid that are legal, too.
func TestPlacesAreOffered(t *testing.T) {
	p, d := letters(t, map[string]string{"pair": "gettysburg"})
	if err := p.advance(nil); err != nil {
		t.Fatal(err)
	}
	p.setting.sides[0].role, p.setting.sides[1].role = defender, attacker
	p.Prepare.Numbers = usualNumbering[1:]
	p.Prepare.Pieces = []terrainPiece{{Kind: woodPiece, By: first, Size: []int{500, 500}}}
	p.Prepare.Step = placing
	d.fixed = []int{3}
	p.opening().throw(&p.Prepare.Pieces[0])
	p.owed = p.asks()
	list := New().Choices(p.view(p.owed[0].Side), p.owed[0], nil)
	is(t, "some are offered", len(list) > 1 && list[0] == engine.Choice{Of: "place", What: firstLegal}, true)
	for _, c := range list {
		is(t, c.What, len(New().Chosen(p.view(p.owed[0].Side), p.owed[0], New().Compose(p.view(p.owed[0].Side), p.owed[0], []engine.Choice{c}))), 1)
	}
}
