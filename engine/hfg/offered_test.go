package hfg

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
	"berthier/orders"
)

// drawnFrom puts an answer of a turn together of choices by chance, and checks that it is read as itself and holds them all.
func drawnFrom(rules Ruleset, v engine.View, d engine.Decision, chance *rand.Rand, deep int) (engine.Answer, error) {
	var made []engine.Choice
	for range deep {
		list := rules.Choices(v, d, made)
		if len(list) == 0 {
			break
		}
		c := list[chance.IntN(len(list))]
		for range 3 { // more of the same move, rather than another one
			if len(made) > 0 && c.Of != made[len(made)-1].Of {
				c = list[chance.IntN(len(list))]
			}
		}
		if c.Measure {
			c = c.At([]int{c.Low, c.High, c.Low + chance.IntN(c.High-c.Low+1)}[chance.IntN(3)])
		}
		made = append(made, c)
	}
	a := rules.Compose(v, d, made)
	text := a.Orders().Encode()
	root, faults := orders.ParseNode([]byte(text))
	if len(faults) > 0 {
		return nil, faults
	}
	read, faults := rules.Read(v, d, &orders.Document{Orders: root.Get("orders")})
	if len(faults) > 0 {
		return nil, fmt.Errorf("of %v comes what is refused: %v\n%s", made, playout.Explain(faults), text)
	}
	if again := read.Orders().Encode(); again != text {
		return nil, fmt.Errorf("of %v comes\n%swhich is read as\n%s", made, text, again)
	}
	found := rules.Chosen(v, d, read)
	for _, c := range made {
		if !holdsChoice(found, c) {
			return nil, fmt.Errorf("%+v was chosen and is not in %v\n%s", c, found, text)
		}
	}
	return read, nil
}

func holdsChoice(all []engine.Choice, c engine.Choice) bool {
	for _, o := range all {
		if o.Same(c) {
			return true
		}
	}
	return false
}

// onlyMoves is an answer with nothing but its moves, a few of them in the quick sample.
func onlyMoves(t *testing.T, rules Ruleset, v engine.View, d engine.Decision, a engine.Answer) engine.Answer {
	t.Helper()
	n := orders.Mapping()
	if moves := a.Orders().Get("orders").Get("moves"); moves != nil {
		if moves = moves.Clone(); !rulestest.FullSamples() {
			moves.Items = moves.Items[:min(len(moves.Items), 3)]
		}
		n.Set("moves", moves)
	}
	read, faults := rules.Read(v, d, &orders.Document{Orders: n.Set("more", orders.Text("no"))})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return read
}

// Whatever is offered of the moves of a turn is accepted, to the ends of the intervals, and whatever is accepted, by chance, of a bot
// or put together of choices, is offered word by word and number by number.
func TestMovesAreOffered(t *testing.T) {
	rules, chance := New(), rand.New(rand.NewPCG(1, 21))
	try := func(v engine.View, d engine.Decision, tries int) {
		for range tries {
			a, err := drawnFrom(rules, v, d, chance, 1+chance.IntN(6))
			answers := []engine.Answer{onlyMoves(t, rules, v, d, rules.Random(v, d, chance)), onlyMoves(t, rules, v, d, rules.Sensible(v, d, chance))}
			if err != nil {
				t.Error(err)
			} else {
				answers = append(answers, onlyMoves(t, rules, v, d, a))
			}
			for _, a := range answers {
				if _, err := playout.TakesApart(rules, v, d, a); err != nil {
					t.Error(err)
				}
			}
		}
	}
	g, tries := orderField(t), 4
	if rulestest.FullSamples() {
		tries = 8
	}
	g.owed = []engine.Decision{{Side: "red", Kind: stopTurn}}
	try(g.view("red"), g.owed[0], tries)
	for i, m := range moments(t) {
		for _, d := range m.Owed {
			if d.Kind == stopTurn && i%12 == 0 && rulestest.FullSamples() {
				try(m.Position.View(d.Side), d, 1)
			}
		}
	}
}

// Shots at troops, at towns and at bridges, fire that is held, the target that comes first, and what is said for all others are
// offered as far as they are accepted, and so are the words of combat and results.
func TestShotsAreOffered(t *testing.T) {
	rules := New()
	shot := func(t *testing.T, stop string, at phase, turn int) (*game, engine.Decision) {
		s := &setting{year: 1809, areas: []areaDef{octagon("town", bua, 4000, 2000, 600, 600)}, lines: []lineDef{lineOf("brook", stream, 100, [2]int64{0, 1500}, [2]int64{12000, 1500})}}
		s.areas[0].outline = []place{place(pt(3700, 1700)), place(pt(4300, 1700)), place(pt(4300, 2300)), place(pt(3700, 2300))}
		g := fieldOn(t, s, piece{"r1", smoothbore, 4000, 1000, 0, nil}, piece{"r2", bayonets, 8000, 1000, 0, nil}, piece{"b1", muskets, 4000, 2700, 180, nil}, piece{"b2", bayonets, 8000, 1390, 180, nil})
		g.Bridges = []bridge{{ID: "span", Over: 1, At: place(pt(4000, 1500))}}
		g.Phase, g.Turn = at, turn
		g.Commands[1].Die, g.Commands[1].Score = 6, 6
		d := engine.Decision{Side: "red", Kind: stop}
		g.owed = []engine.Decision{d}
		return g, d
	}
	for _, one := range []struct {
		stop string
		at   phase
		turn int
		text string
	}{
		{stopFire, shooting, 2, "{fire: [{element: r1, at: town}, {element: r2, at: b2}]}"},
		{stopFire, shooting, 2, "{fire: [{element: r1, at: span}]}"},
		{stopFire, shooting, 2, "{fire: [{hold: r1}, hold]}"},
		{stopFire, shooting, 2, "{combat: {dismount: ask, order: default}, results: {press: ask, repulse: default}}"},
		{stopTurn, moving, 1, "{fire: [{hold: r2}, {order: [b2]}, ask], more: no}"},
		{stopTurn, moving, 1, "{fire: [{order: [town]}, nearest], results: {aid: ask, rout: ask}, more: no}"},
		{stopTurn, moving, 1, "{fire: [{order: [b2, town, span, rest]}, [b2, rest, town], ask], more: no}"},
		{stopTurn, moving, 1, "{fire: [{prefer: [foot, artillery]}, {counter-battery: yes}, b2, [rest, rest]], more: no}"},
		{stopTurn, moving, 1, "{fire: [{if: {target: [b1, foot], range: '<=400', odds: '>=-3'}, do: hold}, {of: [r1, bayonets], if: {grade: elite, going: [good, slow], turn: 7}, do: [b1, b2]}, {else: nearest}], more: no}"},
		{stopFire, shooting, 2, "{fire: [{of: foot, do: {prefer: [mounted, foot]}}, {if: {range: '>800'}, do: {counter-battery: yes}}]}"},
		{stopFire, shooting, 2, "{results: {repulse: 700, pursue: {distance: 900, into: any}, rout: brook, charge: b1}}"},
		{stopFire, shooting, 2, "{results: {pursue: {distance: max, into: any}, rout: [{of: r2, do: town}, {else: straight}], face: [{if: {against: [b1, b2]}, do: b1}, {else: least-moved}]}}"},
		{stopFire, shooting, 2, "{combat: {dismount: [{of: mounted, if: {by: [foot], after: shot}, do: best}, {else: mounted}, {else: ask}]}}"},
		{stopTurn, moving, 1, "{combat: {order: [b2, r1, rest]}, results: {press: [{of: r2, if: {against: foot, beaten: [routed, destroyed], leaves: [works, bua], exposes-flank: no, next: '<600', after: close}, do: yes}], repulse: [{if: {turn: '>3'}, do: 800}, {else: min}]}, more: no}"},
		{stopTurn, moving, 1, "{results: {pursue: [{of: [r2], do: {distance: 450, into: any}}, {of: foot, do: {distance: ask, into: any}}, {else: 300}]}, more: no}"},
	} {
		t.Run(one.text, func(t *testing.T) {
			g, d := shot(t, one.stop, one.at, one.turn)
			a, faults := declared.Read(g.view("red"), d, document(t, one.text))
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			if _, err := playout.TakesApart(rules, g.view("red"), d, a); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("by chance", func(t *testing.T) {
		chance, tries := rand.New(rand.NewPCG(1, 22)), 20
		if rulestest.FullSamples() {
			tries = 1000
		}
		for range tries {
			g, d := shot(t, stopFire, shooting, 2)
			a, err := drawnFrom(rules, g.view("red"), d, chance, 1+chance.IntN(12))
			if err == nil {
				_, err = playout.TakesApart(rules, g.view("red"), d, a)
			}
			if err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("foot that must shoot isn't offered to hold", func(t *testing.T) {
		g, d := shot(t, stopFire, shooting, 2)
		for _, c := range rules.Choices(g.view("red"), d, nil) {
			if c.Of == "r2" && c.What == "hold" {
				t.Error("offered")
			}
		}
	})
}

// How far one pursues, and into what ground, is offered to the pace.
func TestPacesAreOffered(t *testing.T) {
	g := replied(t, charged(t), "red", "{results: {pursue: ask}}")
	g = replied(t, g, "blue", "default", 6, 1)
	d, v := g.owed[0], g.view("red")
	for _, text := range []string{"{pursue: {r1: 800}}", "{pursue: {r1: {distance: 301, into: any}}}", "{pursue: {r1: max}}", "{pursue: {r1: {distance: min, into: good}}}", "default"} {
		a, faults := declared.Read(v, d, document(t, text))
		if len(faults) > 0 {
			t.Fatal(text, faults)
		}
		if _, err := playout.TakesApart(New(), v, d, a); err != nil {
			t.Error(err)
		}
	}
	is(t, "as far as it may", intervals(New().Choices(v, d, nil), "r1", "paces"), "300..1200")
	is(t, "into any ground", intervals(New().Choices(v, d, nil), "r1", "paces into any"), "300..1200")
}

// The wind, a score that is doubled or exchanged, and who is transferred are offered at the stop dice and at the turn, in the order in
// which they are done, and before all that hangs on them.
func TestDiceAreOffered(t *testing.T) {
	rules, chance, tries := New(), rand.New(rand.NewPCG(1, 23)), 10
	if rulestest.FullSamples() {
		tries = 200
	}
	at := func(t *testing.T, stop string) (*game, engine.Decision) {
		g := scoredTurn(two(t, hq, 500, brilliant), 5, 0, 2)
		g.Elements[named(t, g, "r4")].Command, g.Elements[named(t, g, "r4")].At = 1, place(pt(5800, 2000))
		if g.Turn = 1; stop == stopDice {
			g.Phase = casting
		}
		d := engine.Decision{Side: "red", Kind: stop}
		g.owed = []engine.Decision{d}
		return g, d
	}
	for _, text := range []string{
		"{wind: w}", "{double: [r1]}", "{exchange: {r1: r3}}", "{transfer: [{elements: [r4, r2], to: r3}]}", "{transfer: [{elements: [r2], to: r3}]}",
		"{wind: se, exchange: {r1: r3}, transfer: [{elements: [r2, r4], to: r3}]}", "{double: [r1], transfer: [{elements: [r4], to: r3}]}",
	} {
		for stop, text := range map[string]string{stopDice: text, stopTurn: "{dice: " + text + ", moves: [{element: r1, forward: 20}], more: no}"} {
			g, d := at(t, stop)
			a, faults := declared.Read(g.view("red"), d, document(t, text))
			if len(faults) > 0 {
				t.Fatal(text, faults)
			}
			if _, err := playout.TakesApart(rules, g.view("red"), d, a); err != nil {
				t.Error(err)
			}
		}
	}
	for range tries {
		for _, stop := range []string{stopDice, stopTurn} {
			g, d := at(t, stop)
			a, err := drawnFrom(rules, g.view("red"), d, chance, 1+chance.IntN(6))
			if err == nil {
				_, err = playout.TakesApart(rules, g.view("red"), d, a)
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
}

// Before phase 3 each word for a dismountable is offered, and the order of as many pairs as there are.
func TestOrderOfPairsIsOffered(t *testing.T) {
	g := field(t, 1870, append(facedUp(repeaters, rifles), piece{"r2", bayonets, 6000, 3000, 0, nil}, piece{"b2", bayonets, 6000, 3000, 180, nil})...)
	g.Phase = moving
	g = replied(t, g, "red", "{combat: {dismount: ask, order: ask}}")
	g = replied(t, g, "blue", "default")
	d, v := g.owed[0], g.view("red")
	for _, text := range []string{"{dismount: {r1: best}, order: [b2, r1, r2, rest]}", "{order: best-first}", "{order: default}", "{dismount: {r1: mounted}, order: [r2]}"} {
		a, faults := declared.Read(v, d, document(t, text))
		if len(faults) > 0 {
			t.Fatal(text, faults)
		}
		if _, err := playout.TakesApart(New(), v, d, a); err != nil {
			t.Error(err)
		}
	}
	chance := rand.New(rand.NewPCG(1, 24))
	for range 20 {
		if _, err := drawnFrom(New(), v, d, chance, 1+chance.IntN(5)); err != nil {
			t.Error(err)
		}
	}
}

// offeredAfter are the choices of the turn of red that come after some words about an element.
func offeredAfter(t *testing.T, g *game, of string, words ...string) (all []engine.Choice) {
	t.Helper()
	d := engine.Decision{Side: "red", Kind: stopTurn}
	g.owed = []engine.Decision{d}
	var made []engine.Choice
	for i := 0; ; i++ {
		all = New().Choices(g.view("red"), d, made)
		if i == len(words) {
			return all
		}
		c := engine.Choice{Of: of, What: words[i]}
		if what, n, ok := strings.Cut(words[i], " = "); ok {
			value, err := strconv.Atoi(n)
			if err != nil {
				t.Fatal(err)
			}
			c = engine.Choice{Of: of, What: what, Measure: true, Value: value}
		}
		if !engine.Offered(all, c) {
			t.Fatalf("%+v is not offered after %v, but %v", c, made, all)
		}
		made = append(made, c)
	}
}

// intervals are those of a number.
func intervals(all []engine.Choice, of, what string) string {
	var s []string
	for _, c := range all {
		if c.Measure && c.Of == of && c.What == what {
			s = append(s, fmt.Sprintf("%d..%d", c.Low, c.High))
		}
	}
	return strings.Join(s, " ")
}

// Numbers on which nothing else hangs are offered as far as they are legal, in as many intervals as there are; those on which others
// hang as far as they can be written.
func TestIntervalsOfMoves(t *testing.T) {
	for _, one := range []struct {
		of    string
		words []string
		what  string
		want  string
	}{
		{"r3", []string{"element", "go"}, "forward", "1..400"},
		{"r3", []string{"element", "go", "wheel right = 10"}, "forward", "1..330"},
		{"r3", []string{"element", "go"}, "wheel right", "1..90"},
		{"r3", []string{"element", "go"}, "facing", "0..359"},
		{"r3", []string{"element", "to", "to point"}, "to x", "-1999999..1999999"},
		{"r3", []string{"element", "to", "to K4+"}, "to east", "0..1000"},
		{"r3", []string{"element", "to", "to point", "to x = 600000", "to y = 240000"}, "stop-short", "0..400"},
		{"r6", []string{"column", "with r7", "march", "along"}, "along", "1..1600"},
		{"r3", []string{"element", "else go", "else forward = 100", "go"}, "forward", "1..9998"},
	} {
		t.Run(strings.Join(append([]string{one.of}, one.words...), ", "), func(t *testing.T) {
			g := orderField(t)
			is(t, one.what, intervals(offeredAfter(t, g, one.of, one.words...), one.of, one.what), one.want)
		})
	}
	t.Run("a friend in the way parts them", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1809}, piece{"r1", lightCavalry, 4000, 2000, 0, nil}, piece{"r2", muskets, 4000, 2700, 0, nil}, piece{"b1", muskets, 9000, 5000, 180, nil})
		g.Commands[1].Score, g.Phase, g.Turn = 40, moving, 1
		is(t, "forward", intervals(offeredAfter(t, g, "r1", "element", "go"), "r1", "forward"), "1..501 999..1600")
	})
}

// Who can't move may still begin a work, and that is offered.
func TestTasksOfWhoCannotMove(t *testing.T) {
	g := orderField(t)
	g.Elements[named(t, g, "r4")].Silenced, g.Elements[named(t, g, "r8")].Manner = g.Turn, tactical
	g.Elements[named(t, g, "r8")].At = place(pt(10000, 4900))
	var all []string
	for _, c := range offeredAfter(t, g, "r4") {
		all = append(all, c.What)
		if c.Of == "r4" && c.What == "element" {
			t.Error("one who is silenced is offered to move")
		}
	}
	for _, want := range []string{"{build: r4}", "{destroy-bridge: {element: r8, bridge: span}}"} {
		is(t, want, slices.Contains(all, want), true)
	}
}

// A place is written in one spelling, whatever spelling a player gave it; a file that was accepted before keeps its own.
func TestPlacesHaveOneSpelling(t *testing.T) {
	for text, want := range map[string]string{"k4": "K4", "C02+0600+5": "C2+600+5", "behind b1 0600": "behind b1 600", "road lane 01000": "road lane 1000"} {
		for accepted, want := range map[bool]string{false: want, true: text} {
			g := orderField(t)
			file := document(t, "{moves: [{element: r3, to: '"+text+"', else: {forward: 100}}]}")
			file.Accepted = accepted
			a, faults := declared.Read(g.view("red"), g.decision("red", stopTurn), file)
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			is(t, text, a.Orders().Get("orders").Get("moves").Items[0].Get("to").OneLine(), want)
		}
	}
}
