package mistakes

import (
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// duels plays games of a fair player of a side against chance, or of chance alone if there is no such
// side. It counts the games that red has won, and gives blue's points less red's.
func duels(t *testing.T, side engine.Side, games int) (wins, balance int) {
	t.Helper()
	for i := range games {
		r, err := (playout.Game{Rules: New(), Seed: uint64(i), Choose: rulestest.Versus(func(s engine.Side) bool { return s == side })}).Play()
		if err != nil {
			t.Fatal(err)
		}
		if slices.Equal(r.Outcome.Winners, []engine.Side{"red"}) {
			wins++
		}
		g := r.Final.(*game)
		balance += g.score(blue) - g.score(red)
	}
	return wins, balance
}

// A fair player of red beats chance in nine games of ten; one of blue ends with a better balance of
// points than chance does against itself.
func TestSensibleBeatsRandom(t *testing.T) {
	games := 1
	if rulestest.FullSamples() {
		games = 10
	}
	if wins, _ := duels(t, "red", games); 10*wins < 9*games {
		t.Errorf("red wins %d of %d against chance", wins, games)
	}
	if !rulestest.FullSamples() {
		return
	}
	_, fair := duels(t, "blue", 3)
	if _, none := duels(t, "", 3); fair <= none {
		t.Errorf("blue's points less red's: %d of a fair player, %d of chance", fair, none)
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
