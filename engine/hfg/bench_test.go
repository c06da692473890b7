package hfg

import (
	"math/rand/v2"
	"testing"

	"berthier/engine"
)

// A moment is a stop of a battle, with the answers that were given.
type moment struct {
	at      *game
	answers map[engine.Side]engine.Answer
}

// turnsOfBattle has fair players play the battle of 1815 with a seat for each contingent, who see what their own
// commands know, and gives all its turns, each as its stops.
func turnsOfBattle(b *testing.B) [][]moment {
	b.Helper()
	chance := rand.New(rand.NewPCG(1815, 16))
	rules := New()
	p, err := rules.New(engine.Setup{Options: map[string]string{"fog": "command", "seats": "several"}})
	if err != nil {
		b.Fatal(err)
	}
	var all [][]moment
	answers := map[engine.Side]engine.Answer{}
	for last := 0; ; {
		g := p.(*game)
		if len(answers) > 0 {
			if g.Turn != last {
				all, last = append(all, nil), g.Turn
			}
			all[len(all)-1] = append(all[len(all)-1], moment{g.trial(), answers})
		}
		if _, err := p.Advance(answers, luck{chance}); err != nil {
			b.Fatal(err)
		}
		if _, ended := p.Outcome(); ended {
			return all
		}
		answers = map[engine.Side]engine.Answer{}
		for _, d := range p.Owed() {
			answers[d.Side] = rules.Sensible(p.View(d.Side), d, chance)
		}
	}
}

// BenchmarkTurn plays whole turns of the battle of 1815 again, as fair players have answered: moves, fire, close
// combat, PIP dice of the next turn, who sees whom by command, and the views of all seats at each stop. What players
// think isn't in it.
func BenchmarkTurn(b *testing.B) {
	turns := turnsOfBattle(b)
	chance := rand.New(rand.NewPCG(1, 1))
	b.ResetTimer()
	for i := range b.N {
		for _, m := range turns[i%len(turns)] {
			g := m.at.trial()
			if _, err := g.Advance(m.answers, luck{chance}); err != nil {
				b.Fatal(err)
			}
			for _, seat := range g.seats() {
				g.View(seat)
			}
		}
	}
}

// BenchmarkSightOfTurn works out who sees whom, by command, in the positions of those turns, from nothing.
func BenchmarkSightOfTurn(b *testing.B) {
	turns := turnsOfBattle(b)
	b.ResetTimer()
	for i := range b.N {
		for _, m := range turns[i%len(turns)][:1] {
			g := m.at.trial()
			g.sights = nil
			for c := commandID(1); int(c) < len(g.Commands); c++ {
				for _, e := range g.standing() {
					if g.def(e).side != g.lead(c).side {
						g.knows(c, e)
					}
				}
			}
		}
	}
}
