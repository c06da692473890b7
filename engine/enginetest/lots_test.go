package enginetest

import (
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/orders/phrase"
)

type chance struct{ *rand.Rand }

func (c chance) Roll(sides int, _ phrase.Phrase) int { return c.IntN(sides) + 1 }

func TestPlayout(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		scenario := []string{"two", "three"}[seed%2]
		p, err := Lots{}.New(engine.Setup{Scenario: scenario, Options: map[string]string{"rounds": "5"}})
		if err != nil {
			t.Fatal(err)
		}
		for stops := 0; ; stops++ {
			data, err := p.Marshal()
			if err != nil {
				t.Fatal(err)
			}
			again, err := Lots{}.Load(data)
			if err != nil {
				t.Fatal(err)
			}
			if same, err := Same(p, again); !same || err != nil {
				t.Fatalf("seed %d: a loaded position is another: %v", seed, err)
			}
			owed := p.Owed()
			if len(owed) == 0 {
				if _, over := p.Outcome(); !over {
					t.Fatalf("seed %d: nothing owed, and not over", seed)
				}
				break
			}
			answers := map[engine.Side]engine.Answer{}
			for _, d := range owed {
				answers[d.Side] = Lots{}.Random(p.View(d.Side), d, r)
				if r.IntN(3) == 0 {
					answers[d.Side] = Lots{}.Default(p.View(d.Side), d)
				}
			}
			if _, err := p.Advance(answers, chance{r}); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if stops > 20 {
				t.Fatalf("seed %d: no end", seed)
			}
		}
	}
}

func TestNewRefuses(t *testing.T) {
	if _, err := (Lots{}).New(engine.Setup{Scenario: "four", Options: map[string]string{"rounds": "9", "x": "1"}}); err == nil {
		t.Error("bad options were taken")
	}
}
