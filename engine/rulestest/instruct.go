package rulestest

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders"
)

// StandingAnswers checks that [engine.Instructor.Answers] tells what standing orders do.
// At stops of games where only one side is asked it gives standing orders to that side.
// Where Answers then gives an answer, that is taken as the side's answer, and the game must
// stand as if the orders had been given before the stop, which then never opened. Where
// Answers gives none, the stop must open all the same. An answer must be found for each of
// the kinds. Apart names keys of positions that are kept only because standing orders are
// in force; they are not compared.
func StandingAnswers(t *testing.T, rules engine.Ruleset, games []playout.Game, standing func(engine.View) string, apart string, kinds ...string) {
	if Race {
		return // nothing here runs side by side, and it takes long
	}
	answered, open := map[string]int{}, map[string]int{}
	every := 3
	if FullSamples() {
		every = 1
	}
	for i, g := range games {
		p := g.Start
		if p == nil {
			var err error
			if p, err = rules.New(g.Setup); err != nil {
				t.Fatal(err)
			}
		}
		p = p.Clone()
		chance := rand.New(rand.NewPCG(g.Seed, 77))
		for n := range 200 {
			if _, over := p.Outcome(); over {
				break
			}
			answers := map[engine.Side]engine.Answer{}
			for _, d := range p.Owed() {
				answers[d.Side] = rules.Sensible(p.View(d.Side), d, chance)
				if chance.IntN(2) == 0 {
					answers[d.Side] = rules.Random(p.View(d.Side), d, chance)
				}
			}
			if n%every == 0 {
				compareStanding(t, rules, p, answers, uint64(1000*i+n), standing, apart, answered, open)
			}
			if _, err := p.Advance(answers, playout.NewDice(chance.Uint64())); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("answered %v, open %v", answered, open)
	for _, kind := range kinds {
		if answered[kind] == 0 {
			t.Errorf("standing orders answered no stop %s", kind)
		}
	}
}

// compareStanding plays one stop on twice: once with standing orders given before it, and
// once with standing orders given at the next stop.
func compareStanding(t *testing.T, rules engine.Ruleset, p engine.Position, answers map[engine.Side]engine.Answer, seed uint64, standing func(engine.View) string, apart string, answered, open map[string]int) {
	t.Helper()
	late, dice := p.Clone(), playout.NewDice(seed)
	if _, err := late.Advance(answers, dice); err != nil {
		t.Fatal(err)
	}
	owed := late.Owed()
	if _, over := late.Outcome(); over || len(owed) != 1 || len(late.Sides()) != len(p.Sides()) {
		return
	}
	d := owed[0]
	early := p.Clone()
	if !instructed(t, rules, late, d.Side, standing) || !instructed(t, rules, early, d.Side, standing) {
		return
	}
	if _, err := early.Advance(answers, playout.NewDice(seed)); err != nil {
		t.Fatal(err)
	}
	a, ok := rules.(engine.Instructor).Answers(late.View(d.Side), d)
	if !ok {
		if open[d.Kind]++; len(early.Owed()) != 1 || early.Owed()[0] != d {
			t.Errorf("no answer to %s %s of %s, and the stop does not open", d.Kind, d.At, d.Side)
		}
		return
	}
	answered[d.Kind]++
	insisted(t, p, late, answers, seed, d, func(q engine.Position) bool { return instructed(t, rules, q, d.Side, standing) }, apart)
	if _, err := late.Advance(map[engine.Side]engine.Answer{d.Side: a}, dice); err != nil {
		t.Fatal(err)
	}
	one, err := early.Marshal()
	two, err2 := late.Marshal()
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if one, two = without(one, apart), without(two, apart); !bytes.Equal(one, two) {
		t.Errorf("%s %s of %s: standing orders do not what they are said to answer: %s", d.Kind, d.At, d.Side, playout.Differ(one, two))
	}
}

// insisted holds that a stop which standing orders would answer opens for a side that is to
// be asked there, and that the game then stands as if they had been given at the stop.
func insisted(t *testing.T, p, late engine.Position, answers map[engine.Side]engine.Answer, seed uint64, d engine.Decision, instruct func(engine.Position) bool, apart string) {
	t.Helper()
	asking := p.Clone()
	if _, ok := asking.(engine.Asker); !ok {
		t.Fatal("the position is no engine.Asker")
	}
	instruct(asking)
	if _, err := engine.AdvanceAsking(asking, answers, playout.NewDice(seed), map[engine.Side][]string{d.Side: {d.Kind}}); err != nil {
		t.Fatal(err)
	}
	if owed := asking.Owed(); !slices.Equal(owed, []engine.Decision{d}) {
		t.Errorf("%s is to be asked at %s %s, and %v is owed", d.Side, d.Kind, d.At, owed)
		return
	}
	if one, two := without(marshalled(t, asking), apart), without(marshalled(t, late), apart); !bytes.Equal(one, two) {
		t.Errorf("%s %s of %s: the stop that opened is another: %s", d.Kind, d.At, d.Side, playout.Differ(one, two))
	}
}

// instructed gives a side standing orders.
func instructed(t *testing.T, rules engine.Ruleset, p engine.Position, side engine.Side, standing func(engine.View) string) bool {
	t.Helper()
	text := standing(p.View(side))
	doc, faults := orders.Parse(text, nil)
	if len(faults) > 0 {
		t.Fatalf("%v: %s", faults, text)
	}
	s, faults := rules.(engine.Instructor).ReadStanding(p.View(side), doc)
	if len(faults) > 0 {
		t.Fatalf("%s: %+v", text, faults)
	}
	if err := p.(engine.Instructed).Instruct(side, s); err != nil {
		t.Fatal(err)
	}
	return true
}

// without removes the lines of a position that begin with one of some keys.
func without(position []byte, keys string) []byte {
	var kept [][]byte
	for line := range bytes.Lines(position) {
		if key, _, _ := bytes.Cut(bytes.TrimSpace(line), []byte(":")); !slices.Contains(strings.Fields(keys), string(key)) {
			kept = append(kept, line)
		}
	}
	return bytes.Join(kept, nil)
}
