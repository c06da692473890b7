package napoleon

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders"
)

// versus lets one camp play sensibly and the other by chance.
func versus(sensible camp) playout.Chooser {
	return func(rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
		if view.(*View).camp() == sensible {
			return rules.Sensible(view, d, chance)
		}
		return rules.Random(view, d, chance)
	}
}

// tally plays games with fixed seeds and counts the wins of each camp and the
// battles.
func tally(t *testing.T, games int, choose playout.Chooser) (wins [2]int, battles int) {
	t.Helper()
	for i := range games {
		r, err := (playout.Game{Rules: New(), Seed: uint64(i), Choose: choose}).Play(func(m playout.Moment) error {
			for _, e := range m.Events {
				if e.Tellings[0].Say.Code == "nap.battle-opens" {
					battles++
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Outcome.Winners) > 0 {
			wins[r.Final.(*game).campOf(r.Outcome.Winners[0])]++
		}
	}
	return wins, battles
}

func TestSensibleBeatsRandom(t *testing.T) {
	for _, c := range [2]camp{frenchCamp, alliedCamp} {
		games := 60
		if raceEnabled {
			games = 10
		}
		wins, _ := tally(t, games, versus(c))
		t.Log(c, wins)
		if !raceEnabled && wins[c]*10 < games*9 {
			t.Errorf("%s wins %d of %d against chance", c, wins[c], games)
		}
	}
}

func TestSensibleGames(t *testing.T) {
	games := 40
	if raceEnabled {
		games = 6
	}
	wins, battles := tally(t, games, engine.Ruleset.Sensible)
	t.Log(wins, battles)
	if battles < games {
		t.Errorf("%d battles in %d games", battles, games)
	}
	if !raceEnabled && (wins[frenchCamp] == 0 || wins[alliedCamp] == 0) {
		t.Errorf("wins are %v", wins)
	}
}

// A sensible answer is legal as an order file, and the same each time.
func TestSensibleIsLegal(t *testing.T) {
	all := threeSetups
	for _, setup := range setups {
		all = append(slices.Clip(all), setup.setup)
	}
	for i, setup := range all {
		seed := uint64(100 + i)
		_, err := (playout.Game{Rules: New(), Setup: setup, Seed: seed, Choose: engine.Ruleset.Sensible}).Play(func(m playout.Moment) error {
			for _, d := range m.Owed {
				v := m.Position.View(d.Side)
				file := func() []byte {
					return []byte(New().Sensible(v, d, rand.New(rand.NewPCG(seed, 3))).Orders().Encode())
				}
				text := file()
				if !bytes.Equal(text, file()) {
					t.Errorf("%v %s: another answer the second time", setup.Options, d.Kind)
				}
				doc, problems := orders.Parse(string(text), nil)
				if len(problems) > 0 {
					t.Fatalf("%v %s: %v\n%s", setup.Options, d.Kind, problems, text)
				}
				if _, problems := New().Read(v, d, doc); len(problems) > 0 {
					t.Fatalf("%v %s: %v\n%s", setup.Options, d.Kind, problems, text)
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("%v: %v", setup.Options, err)
		}
	}
}
