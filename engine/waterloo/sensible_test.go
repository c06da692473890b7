package waterloo

import (
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// versus lets one camp play sensibly and the other at random.
func versus(c camp) playout.Chooser {
	return rulestest.Versus(func(side engine.Side) bool { return campOfSeat(side) == c })
}

// tally plays games with fixed seeds and counts the wins of each camp and the
// battles.
func tally(t *testing.T, setup engine.Setup, games int, choose playout.Chooser) (wins [camps]int, battles int) {
	t.Helper()
	for i := range games {
		r, err := (playout.Game{Rules: New(), Setup: setup, Seed: uint64(i), Choose: choose}).Play(func(m playout.Moment) error {
			for _, e := range m.Events {
				if e.Tellings[0].Say.Code == "wat.attacks" {
					battles++
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Outcome.Winners) > 0 {
			wins[campOfSeat(r.Outcome.Winners[0])]++
		} else {
			wins[noCamp]++
		}
	}
	return wins, battles
}

// lengths are the kinds of games: full, quick, and with three players.
var lengths = []engine.Setup{{}, {Options: map[string]string{"scenario_length": "quick"}}, {Options: map[string]string{"players": "3"}}}

func TestSensibleBeatsRandom(t *testing.T) {
	games := 10
	if !fullSamples {
		games = 1
	}
	for _, setup := range lengths {
		for c := frenchCamp; c <= alliedCamp; c++ {
			wins, battles := tally(t, setup, games, versus(c))
			t.Log(setup.Options, c, wins, battles)
			if wins[c]*10 < games*9 && games >= 10 {
				t.Errorf("%v: %s wins %d of %d against chance", setup.Options, c, wins[c], games)
			}
		}
	}
}

func TestSensibleGames(t *testing.T) {
	games := 10
	if !fullSamples {
		games = 1
	}
	for _, setup := range lengths {
		wins, battles := tally(t, setup, games, engine.Ruleset.Sensible)
		t.Log(setup.Options, wins, battles)
		if battles < 5*games {
			t.Errorf("%d battles in %d games", battles, games)
		}
		if games >= 10 && (wins[frenchCamp] == 0 || wins[alliedCamp] == 0) {
			t.Errorf("%v: wins are %v", setup.Options, wins)
		}
	}
}

// A sensible answer is legal as an order file, and is the same each time.
func TestSensibleIsLegal(t *testing.T) {
	for i, setup := range setups {
		seed := uint64(100 + i)
		_, err := (playout.Game{Rules: New(), Setup: setup.Setup, Seed: seed, Choose: engine.Ruleset.Sensible}).Play(func(m playout.Moment) error {
			if m.Number%2 != 0 || !fullSamples && m.Number%20 != 0 {
				return nil
			}
			return rulestest.LegalSensibly(New(), seed, m)
		})
		if err != nil {
			t.Errorf("%s: %v", setup.Name, err)
		}
	}
}
