package log

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/engine/systems"
	"berthier/orders"
	"berthier/orders/phrase"
)

// eachMap calls f for every map of a tree that has more than one entry.
func eachMap(n *orders.Node, f func(*orders.Node)) {
	if len(n.Pairs) > 1 {
		f(n)
	}
	for _, item := range n.Items {
		eachMap(item, f)
	}
	for _, p := range n.Pairs {
		if p.Value != nil {
			eachMap(p.Value, f)
		}
	}
}

// The normal form of an answer, from which dice come, leaves no choice to whoever writes it. An
// answer has the same normal form with its keys in another order, with comments and with other
// spaces; and the normal form says what the answer says.
func TestNormalFormHasNothingToChooseIn(t *testing.T) {
	swapped := 0
	for _, rules := range systems.All() {
		name, setup := rules.About().ID, engine.Setup{}
		if name == "waterloo" {
			setup.Options = map[string]string{"scenario_length": "quick"}
		}
		games, stops := uint64(6), 150
		if name == "enemy-mistakes" || name == "hfg" {
			games, stops = 2, 40 // their fair players think long
		}
		for seed := range games {
			chance := rand.New(rand.NewPCG(seed, 18))
			p, err := rules.New(setup)
			if err != nil {
				t.Fatal(err)
			}
			for range stops {
				if _, over := p.Outcome(); over {
					break
				}
				answers := map[engine.Side]engine.Answer{}
				for _, d := range p.Owed() {
					answers[d.Side] = rules.Random(p.View(d.Side), d, chance)
					if seed%2 == 0 {
						answers[d.Side] = rules.Sensible(p.View(d.Side), d, chance)
					}
					swapped += sameNormalForm(t, rules, p, d, answers[d.Side], chance)
				}
				normal := map[engine.Side]engine.Answer{}
				for _, d := range p.Owed() {
					normal[d.Side] = readAt(t, rules, p, d, NormalForm(Scheme, nil, answers[d.Side]))
				}
				if one, two := played(t, p, answers, seed), played(t, p, normal, seed); one != two {
					t.Fatalf("%s: the normal form plays otherwise", name)
				}
				if _, err := p.Advance(normal, anyDice{chance}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if swapped < 100 {
		t.Errorf("only %d answers could be written otherwise", swapped)
	}
}

// anyDice roll by chance.
type anyDice struct{ *rand.Rand }

func (d anyDice) Roll(sides int, _ phrase.Phrase) int { return d.IntN(sides) + 1 }

func readAt(t *testing.T, rules engine.Ruleset, p engine.Position, d engine.Decision, text string) engine.Answer {
	t.Helper()
	doc, problems := orders.Parse(text, nil)
	if len(problems) == 0 {
		var a engine.Answer
		if a, problems = rules.Read(p.View(d.Side), d, doc); len(problems) == 0 {
			return a
		}
	}
	t.Fatalf("%s refuses %q: %v", d.Kind, text, problems)
	return nil
}

// sameNormalForm writes an answer in other ways and wants the same normal form. It
// tells how often its keys could be put in another order.
func sameNormalForm(t *testing.T, rules engine.Ruleset, p engine.Position, d engine.Decision, a engine.Answer, chance *rand.Rand) (n int) {
	t.Helper()
	want := NormalForm(Scheme, nil, a)
	if !IsPlain(want) {
		t.Errorf("a normal form is not plain: %q", want)
	}
	other := a.Orders().Clone()
	eachMap(other, func(m *orders.Node) {
		n++
		chance.Shuffle(len(m.Pairs), func(i, j int) { m.Pairs[i], m.Pairs[j] = m.Pairs[j], m.Pairs[i] })
		m.Comment = "whatever"
	})
	text := "# first\n" + other.Encode() + "# last\n"
	if IsPlain(text) {
		t.Errorf("%q is called plain", text)
	}
	if got := NormalForm(Scheme, nil, readAt(t, rules, p, d, text)); got != want {
		t.Errorf("%s: written as\n%swhich has the normal form\n%sand not\n%s", d.Kind, text, got, want)
	}
	return n
}

// played is what comes of answers, with dice that do not hang on them.
func played(t *testing.T, p engine.Position, answers map[engine.Side]engine.Answer, seed uint64) string {
	t.Helper()
	next := p.Clone()
	events, err := next.Advance(answers, anyDice{rand.New(rand.NewPCG(seed, 5))})
	if err != nil {
		t.Fatal(err)
	}
	position, err := next.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	told, err := json.Marshal(events)
	if err != nil {
		t.Fatal(err)
	}
	return string(position) + string(told)
}
