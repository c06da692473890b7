package hfg

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
	"berthier/orders"
)

// document is an order file with the value of its orders key.
func document(t testing.TB, text string) *orders.Document {
	t.Helper()
	if !strings.HasPrefix(text, "orders:") {
		text = "orders: " + text
	}
	root, faults := orders.ParseNode([]byte(text))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return &orders.Document{Orders: root.Get("orders")}
}

// written is an answer in its normal form, or the codes of what it is refused for.
func written(t testing.TB, g *game, d engine.Decision, text string) string {
	t.Helper()
	a, faults := declared.Read(g.view(d.Side), d, document(t, text))
	if len(faults) == 0 {
		return a.Orders().Encode()
	}
	var codes []string
	for _, f := range faults {
		codes = append(codes, f.Why.Code)
	}
	return strings.Join(codes, " ")
}

// replied answers what one seat is asked, with dice, through a position that was saved and read in
// between.
func replied(t testing.TB, g *game, side engine.Side, text string, dice ...int) *game {
	t.Helper()
	threes := slices.Repeat([]int{3}, 40)
	g = again(t, g)
	switch {
	case len(g.asked()) == 0:
		if err := (&battlefield{game: g, Story: play.Story{Dice: &engine.FixedDice{Results: threes}}}).advance(nil); err != nil {
			t.Fatal(err)
		}
	default:
		g.owed = g.asked()
	}
	if len(g.owed) != 1 || g.owed[0].Side != side {
		t.Fatalf("%v is owed", g.owed)
	}
	a, faults := declared.Read(g.view(side), g.owed[0], document(t, text))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	p := &battlefield{game: g, Story: play.Story{Dice: &engine.FixedDice{Results: append(dice, threes...)}}}
	if err := p.advance(map[engine.Side]engine.Answer{side: a}); err != nil {
		t.Fatal(err)
	}
	return g
}

// charged is a field in which light cavalry fights muskets, in red's turn.
func charged(t testing.TB) *game {
	t.Helper()
	return field(t, 1809, append(append(facedUp(lightCavalry, muskets), piece{"b2", muskets, 9000, 5000, 180, nil}), army("bb", 5, muskets, 5600, 0)...)...)
}

func TestPolicyCases(t *testing.T) {
	turn := engine.Decision{Side: "red", Kind: stopTurn}
	clause(t, "HFG-R107", "what is said beforehand is carried out without a stop; ask opens one", func(t *testing.T) {
		for says, want := range map[string]int64{
			"{results: {pursue: max}}": 4200,
			"{results: {pursue: 700}}": 3700,
			"{results: {pursue: [{if: {beaten: routed}, do: max}, {else: min}]}}":              3300,
			"{results: {pursue: [{if: {beaten: destroyed}, do: max}, {else: min}]}}":           4200,
			"{results: {pursue: [{of: r1, if: {against: foot}, do: 900}]}}":                    3900,
			"{results: {pursue: [{of: artillery, do: max}, {if: {next: <999}, do: max}]}}":     3300,
			"{results: {pursue: [{of: [light-cavalry, b], do: {distance: max, into: good}}]}}": 4200,
			"default": 3300,
		} {
			if strings.Contains(says, ", b]") { // who is nobody's is refused
				is(t, says, strings.Contains(written(t, charged(t), turn, says), "order."), true)
				continue
			}
			g := replied(t, charged(t), "red", says)
			is(t, "asked next", g.owed[0].Kind, stopFire)
			g = replied(t, g, "blue", "default", 6, 1, 3, 3)
			is(t, says, standsAt(t, g, "r1")[1], want)
		}
		g := replied(t, charged(t), "red", "{results: {pursue: ask}}")
		g = replied(t, g, "blue", "default", 6, 1)
		is(t, "who is asked", len(g.owed) == 1 && g.owed[0] == engine.Decision{Side: "red", Kind: stopResult, At: "r1"}, true)
		is(t, "blue sees nothing of it", g.view("blue").Fray.Asks == nil && g.view("blue").Policies[first] == nil, true)
		is(t, "nor which policies red has", strings.Contains(mustMarshal(t, g.view("blue")), "settled"), false)
		is(t, "too far", written(t, g, g.owed[0], "{pursue: {r1: 1300}}"), "hfg.answer-far")
		is(t, "another decision", strings.Contains(written(t, g, g.owed[0], "{press: {r1: yes}}"), "hfg.answer-other"), true)
		g = replied(t, g, "red", "{pursue: {r1: 800}}", 3, 3, 3)
		is(t, "where", standsAt(t, g, "r1")[1], 3800)
		is(t, "the turn has gone on", g.Turn, 2)
		is(t, "they were for that turn", len(g.Policies[first]), 0)
	})
	clause(t, "HFG-15.1", "the beaten one first, then the winner's choice", func(t *testing.T) {
		g := replied(t, charged(t), "red", "{results: {pursue: ask}}")
		g = replied(t, g, "blue", "default", 6, 1)
		is(t, "the beaten one is gone while its winner is asked", g.on(named(t, g, "b1")), false)
		is(t, "who hasn't moved yet", standsAt(t, g, "r1")[1], 3000)
	})
	clause(t, "HFG-R67", "the owner chooses silenced or repulsed", func(t *testing.T) {
		for says, want := range map[string]spirit{"default": steady, "{results: {guns: repulsed}}": repulsed} {
			g := field(t, 1809, piece{"r1", smoothbore, 4000, 3000, 0, nil}, piece{"b1", smoothbore, 4000, 3700, 180, nil})
			g = replied(t, g, "red", "{fire: [{element: r1, at: b1}]}")
			g = replied(t, g, "blue", says, 5, 3) // 7 against 5: two less
			is(t, says, g.Elements[named(t, g, "b1")].Spirit, want)
			is(t, "silenced", g.Elements[named(t, g, "b1")].Silenced > 0, want == steady)
		}
	})
	clause(t, "HFG-2.6", "Repeaters fight as their owner says, unless their move has settled it", func(t *testing.T) {
		for word, want := range map[string]bool{"mounted": false, "dismounted": true, "best": true} {
			g := field(t, 1870, facedUp(repeaters, rifles)...)
			p := played(t, g)
			p.settlesBeforehand("red", []policyCase{{Key: policyDismount, Do: word}})
			p.standsDown()
			is(t, word, g.class(named(t, g, "r1")) == dismounted, want)
		}
		g := field(t, 1870, facedUp(repeaters, rifles)...)
		g.Elements[named(t, g, "r1")].Moved = 700
		is(t, "moved 700: nobody decides", len(g.declarable()), 0)
	})
	clause(t, "HFG-11.6", "after close combat who is touched on a flank turns, as its owner says", func(t *testing.T) {
		flanked := func() *game {
			g := field(t, 1809, append([]piece{{"r1", muskets, 4000, 3000, 0, nil}, {"b1", muskets, 4200, 2800, 270, nil}, {"r2", muskets, 8000, 1000, 0, nil}, {"r3", muskets, 9000, 1000, 0, nil}},
				army("bb", 5, muskets, 5600, 0)...)...)
			g.Elements[named(t, g, "b1")].Moved = 300
			return g
		}
		is(t, "who moved 300 doesn't make it turn at once", len(flanked().facedAtOnce(named(t, flanked(), "b1"))), 0)
		for answer, want := range map[string]int64{"{face: {r1: none}}": 0, "{face: {r1: b1}}": 90, "default": 90} {
			// Both halt: r1 is touched on its flank only, so b1 fights it, and dice are equal with the -3.
			g := replied(t, flanked(), "red", "{results: {face: ask}}")
			g = replied(t, g, "blue", "default", 6, 3)
			is(t, "who is asked", len(g.owed) == 1 && g.owed[0] == engine.Decision{Side: "red", Kind: stopFace, At: "r1"}, true)
			is(t, "another enemy", written(t, g, g.owed[0], "{face: {r1: bba}}"), "hfg.answer-enemy")
			g = replied(t, g, "red", answer)
			is(t, answer, standsAt(t, g, "r1")[2], want)
		}
	})
	t.Run("orders are written back as they were read", func(t *testing.T) {
		for _, says := range []string{
			"{results: {press: yes}}",
			"{results: {repulse: {of: [r1], do: max}}}",
			"{combat: {dismount: best, order: [r1]}}",
			"{results: {repulse: [{of: [r1], if: {against: [artillery]}, do: max}, {else: min}]}}",
			"{results: {pursue: [{if: {beaten: [routed, destroyed], next: <=600}, do: {distance: 400, into: any}}, {else: ask}]}}",
		} {
			got := written(t, charged(t), turn, says)
			is(t, "the normal form of its normal form", written(t, charged(t), turn, got), got)
			is(t, says+" is taken", strings.HasPrefix(got, "orders:"), true)
		}
		is(t, "one case stands for a list of it", written(t, charged(t), turn, "{results: {repulse: {of: [r1], do: max}}}"), written(t, charged(t), turn, "{results: {repulse: [{of: [r1], do: max}]}}"))
		for says, want := range map[string]string{
			"{results: {press: {off: r1, do: yes}}}":               "order.unknown-key",
			"{results: {press: {of: r1}}}":                         "order.",
			"{results: {press: maybe}}":                            "order.",
			"{results: {pursue: [{if: {next: far}, do: max}]}}":    "hfg.case-compare",
			"{results: {pursue: [{if: {beaten: gone}, do: max}]}}": "order.",
			"{results: {join: [{do: yes, of: b1}]}}":               "order.",
		} {
			is(t, says, strings.HasPrefix(written(t, charged(t), turn, says), want), true)
		}
	})
}

// mustMarshal is a view as it is sent.
func mustMarshal(t testing.TB, v *View) string {
	t.Helper()
	data, err := v.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Combats by chance, in which owners are often asked in the middle of a turn: all answers are taken,
// the position can be saved at each stop, and the turns go on.
func TestAskedInTheMiddleOfATurn(t *testing.T) {
	asked := map[string]int{}
	rapid.Check(t, func(r *rapid.T) {
		p := drawField(r, t, false).made(t, false)
		chance := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "chance"), 1))
		rules := New()
		var at engine.Position = p.game
		answers := map[engine.Side]engine.Answer{}
		for range 12 {
			if _, err := at.Advance(answers, luck{chance}); err != nil {
				r.Fatal(err)
			}
			g := at.(*game)
			if err := sound(g); err != nil {
				r.Fatal(err)
			}
			if len(g.owed) == 0 {
				return // it is over
			}
			clear(answers)
			for _, d := range g.owed {
				asked[d.Kind]++
				answers[d.Side] = rules.Random(g.View(d.Side), d, chance)
				if answers[d.Side] == nil {
					r.Fatalf("nothing to say at %v", d)
				}
			}
			data, err := g.Marshal()
			if err != nil {
				r.Fatal(err)
			}
			if at, err = rules.Load(data); err != nil {
				r.Fatal(err)
			}
		}
	})
	if !testing.Short() && asked[stopShot]+asked[stopResult] == 0 { // twenty battles may have none
		t.Errorf("nobody was asked in the middle of a turn: %v", asked)
	}
}

// Who has set nothing is asked what he is asked with every policy on ask.
func TestAskedEverything(t *testing.T) {
	rulestest.AskedEverything(t, New(), []engine.Setup{quick("", "sunset-pairs", "3"), quick("two-armies")}, 2)
}

// Standing orders do what the ruleset says that they would answer.
func TestAnswersOfStandingOrders(t *testing.T) {
	const every = "standing: {face: least-moved, charge: nearest, press: \"yes\", repulse: max, guns: silenced, pursue: max, join: \"no\", rout: straight, aid: aid}"
	games := append(shortGames(t)[4:], questions(t)...)
	rulestest.StandingAnswers(t, New(), games, func(engine.View) string { return every }, "", stopResult, stopFace)
}

// Whether a stop opens for a seat hangs on what everybody sees and on the seat's own policy.
func TestPoliciesTellNothingByPauses(t *testing.T) {
	worlds := func(p engine.Position, side engine.Side, chance *rand.Rand) (one, other engine.Position) {
		was, made := p.Clone().(*game), resample(p, side, chance).(*game)
		made.Standing, made.Ruled = slices.Clone(was.Standing), slices.Clone(was.Ruled)
		if was.Fray.Asks != nil { // what the seat is asked is done in both, and nothing else that combats have still to do
			was.Fray.Shots, was.Fray.Jobs = nil, was.Fray.Jobs[:min(len(was.Fray.Jobs), 1)]
			made.Fray = play.Clone(was.Fray)
		}
		return was, made
	}
	pairs, kinds := "1", []string{stopTurn, stopFire}
	if rulestest.FullSamples() { // in which a question comes up, too
		pairs, kinds = "2", append(kinds, stopShot)
	}
	rulestest.PolicyPauses(t, New(), quick("", "sunset-pairs", pairs), 1, worlds, nil, kinds...)
}

// Conditions about a decision are as true in any world that looks the same.
func TestConditions(t *testing.T) {
	all := slices.Clone(moments(t))
	for _, g := range questions(t) {
		all = append(all, playout.Moment{Position: g.Start, Owed: g.Start.Owed()})
	}
	ridden := brawl(t) // foot that horse has beaten
	q := question{What: askRepulse, Close: true, Low: 400, High: 800}
	q.Of, _ = ridden.elementNamed("pack")
	q.By, _ = ridden.elementNamed("dubois")
	ridden.Said, ridden.Fray = true, fray{Stage: 1, Asks: &q}
	ridden.owed = []engine.Decision{ridden.puts(&q)}
	all = append(all, playout.Moment{Position: ridden, Owed: ridden.Owed()})
	rulestest.Conditions(t, New(), all, resample, []string{"engaged", "{remaining: few}", "{enemy: {a: b}}", "{turn: [3]}", "[{distance: '>1', pace: 3}]"},
		"attacked", "unchanged", "{of: mounted}", "{di: bayonets}", "{remaining: '>4'}", "{enemy: none}", "{enemy: foot}", "{nemico: mounted}",
		"{turn: '>1'}", "{losses: '>0'}", "{perdite: '=0'}", "{distance: '<400'}", "{distanza: '>=900'}", "{pips: '>=4'}", "[{pips: '>0'}, {turn: '=1'}]")
}
