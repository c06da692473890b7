package hfg

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/orders/phrase"
)

// luck are dice by chance.
type luck struct{ *rand.Rand }

// Roll implements [engine.Dice].
func (c luck) Roll(sides int, _ phrase.Phrase) int { return c.IntN(sides) + 1 }

// playOut plays a game by chance to its end, or for so many stops; it looks at each position with
// check.
func playOut(t testing.TB, setup engine.Setup, seed uint64, most int, check func(g *game) error) *game {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 16))
	rules := New()
	p, err := rules.New(setup)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[engine.Side]engine.Answer{}
	for stop := range most {
		if _, err := p.Advance(answers, luck{r}); err != nil {
			t.Fatal(err)
		}
		g := p.(*game)
		if err := check(g); err != nil {
			t.Fatalf("seed %d, stop %d, turn %d: %v\n%s", seed, stop, g.Turn, err, g.marshal())
		}
		if _, ended := p.Outcome(); ended {
			return g
		}
		if len(p.Owed()) == 0 {
			t.Fatalf("seed %d, stop %d: nobody is asked", seed, stop)
		}
		clear(answers)
		for _, d := range p.Owed() {
			answers[d.Side] = rules.Random(p.View(d.Side), d, r)
		}
	}
	return p.(*game)
}

// sound checks that a position can be.
func sound(g *game) error {
	b := &breaches{game: g}
	b.impossible()
	if len(b.All) > 0 {
		return fmt.Errorf("%v", b.All[0].Fault.Why)
	}
	return nil
}

// A battle by chance comes to its end, through positions that can be.
func TestBattleByChance(t *testing.T) {
	g := playOut(t, engine.Setup{}, 1, 400, sound)
	if _, ended := g.Outcome(); !ended {
		t.Errorf("it has not ended in turn %d", g.Turn)
	}
	t.Logf("turn %d: %v lost %v, %v lost %v", g.Turn, g.sides[0].id, g.tollOn(first), g.sides[1].id, g.tollOn(second))
}

// Two armies are prepared and fight by chance, through positions that can be and are read back as
// they were written.
func TestTwoArmiesByChance(t *testing.T) {
	playOut(t, engine.Setup{Scenario: "two-armies"}, 2, 40, func(g *game) error {
		if err := sound(g); err != nil {
			return err
		}
		text := g.marshal()
		back, faults := load(text)
		if len(faults) > 0 {
			return faults
		}
		if string(back.marshal()) != string(text) {
			return fmt.Errorf("it is read back otherwise:\n%s", back.marshal())
		}
		return nil
	})
}
