package mistakes

import (
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// duels plays games of a fair player of a side against chance, and counts those that he wins.
func duels(t *testing.T, side engine.Side, games int) (wins int) {
	t.Helper()
	for i := range games {
		r, err := (playout.Game{Rules: New(), Seed: uint64(i), Choose: rulestest.Versus(func(s engine.Side) bool { return s == side })}).Play()
		if err != nil {
			t.Fatal(err)
		}
		if slices.Equal(r.Outcome.Winners, []engine.Side{side}) {
			wins++
		}
	}
	return wins
}

// A fair player of either side beats chance in nine games of ten.
func TestSensibleBeatsRandom(t *testing.T) {
	games := 1
	if rulestest.FullSamples() {
		games = 10
	}
	for _, side := range []engine.Side{"red", "blue"} {
		if wins := duels(t, side, games); 10*wins < 9*games {
			t.Errorf("%s wins %d of %d against chance", side, wins, games)
		}
	}
}

// Whatever a fair player answers is legal.
func TestSensibleIsLegal(t *testing.T) {
	for i, one := range setups[1:2] {
		if _, err := (playout.Game{Rules: New(), Setup: one.Setup, Seed: uint64(i), Choose: engine.Ruleset.Sensible}).Play(inOrder()); err != nil {
			t.Error(err)
		}
	}
}
