package napoleon

import (
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// versus lets one camp play sensibly and the other at random.
func versus(c camp) playout.Chooser {
	return rulestest.Versus(func(side engine.Side) bool { return (side == "french") == (c == frenchCamp) })
}

// measured are the set-ups in which the sensible player is measured.
var measured = []engine.Setup{
	{Scenario: "campaign-1815"},
	{Scenario: "campaign-1815-3e"},
	{Scenario: "campaign-1815", Options: map[string]string{"players": "3"}},
}

// tally plays games with fixed seeds and counts the wins of each camp and the
// battles and forced marches.
func tally(t *testing.T, setup engine.Setup, games int, choose playout.Chooser) (wins [2]int, battles, forced int) {
	t.Helper()
	for i := range games {
		r, err := (playout.Game{Rules: New(), Setup: setup, Seed: uint64(i), Choose: choose}).Play(func(m playout.Moment) error {
			for _, e := range m.Events {
				if e.Tellings[0].Say.Code == "nap.battle-opens" {
					battles++
				}
			}
			for _, a := range m.Answers {
				if w, ok := saidTo[*marching](a.(play.Answer).Reply); ok {
					forced += len(w.answer.forced)
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
	return wins, battles, forced
}

// A camp that plays sensibly beats one that plays at random in nine games of ten, on
// either side, in both editions, and with three players.
func TestSensibleBeatsRandom(t *testing.T) {
	if raceEnabled {
		return // nothing here runs side by side, and it takes long
	}
	for i, setup := range measured {
		games := [...]int{40, 40, 20}[i]
		if !fullSamples {
			games /= 4
		}
		for _, c := range [2]camp{frenchCamp, alliedCamp} {
			wins, _, _ := tally(t, setup, games, versus(c))
			t.Log(setup, c, wins)
			if wins[c]*10 < games*9 {
				t.Errorf("%v: %s wins %d of %d against chance", setup, c, wins[c], games)
			}
		}
	}
}

// If both camps play sensibly, each of them wins now and then, and both fight and use
// forced marches.
func TestSensibleGames(t *testing.T) {
	for i, setup := range measured {
		games := [...]int{24, 24, 12}[i]
		if raceEnabled {
			games = 2
		}
		wins, battles, forced := tally(t, setup, games, engine.Ruleset.Sensible)
		t.Log(setup, wins, battles, forced)
		if battles < games {
			t.Errorf("%v: %d battles in %d games", setup, battles, games)
		}
		if !raceEnabled && (wins[frenchCamp]*8 < games || wins[alliedCamp]*8 < games) {
			t.Errorf("%v: wins are %v", setup, wins)
		}
		if !raceEnabled && forced == 0 {
			t.Errorf("%v: no forced march", setup)
		}
	}
}

// A sensible answer is legal as an order file, and is the same each time.
func TestSensibleIsLegal(t *testing.T) {
	all := threeSetups
	for _, setup := range setups {
		if !raceEnabled {
			all = append(slices.Clip(all), setup.Setup)
		}
	}
	for i, setup := range all {
		seed := uint64(100 + i)
		_, err := (playout.Game{Rules: New(), Setup: setup, Seed: seed, Choose: engine.Ruleset.Sensible}).Play(func(m playout.Moment) error {
			return rulestest.LegalSensibly(New(), seed, m)
		})
		if err != nil {
			t.Errorf("%v: %v", setup.Options, err)
		}
	}
}
