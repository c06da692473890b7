package napoleon

import (
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// What may be answered at each kind of stop, and what is refused and where, is as the
// golden file has it, in all editions and with each option that matters. Random marches
// seldom bring armies together. So battles are played in games of their own, and
// marches near the enemy from positions of their own.
func TestAnswers(t *testing.T) {
	var games []playout.Game
	for i, one := range append(setups, []rulestest.Setup{
		{Name: "three players", Setup: engine.Setup{Options: map[string]string{"players": "3"}}},
		{Name: "three players, third edition", Setup: engine.Setup{Options: map[string]string{"players": "3", "edition": "3e"}}},
	}...) {
		games = append(games, playout.Game{Setup: one.Setup, Seed: uint64(7000 + i)})
		seed := uint64(7100 + i)
		games = append(games, playout.Game{Start: battleground(t, one.Setup, seed), Seed: seed, MaxStops: 5000})
	}
	var facing []engine.Position
	for i := range rulestest.AnswersFrom(len(marchSetups), 216) {
		facing = append(facing, faceToFace(t, uint64(7200+i))...)
	}
	refused := rulestest.Answers(t, New(), games, facing, "testdata/answers.txt", map[string]rulestest.Look{
		"move": {Files: marchesByChance, Deep: 5},
	})
	if refused == nil {
		return
	}
	for _, code := range []string{"groups", "through", "far", "night-forced", "night-attack", "no-road", "road-full", "river-full",
		"command-far", "command-apart", "not-there", "twice", "nobody", "empty", "reveal", "not-forced", "forced-missing",
		"few", "no-permit", "permit", "permit-day", "permit-only"} {
		if n := refused["move"]["nap.move-"+code]; n < 8 {
			t.Errorf("only %d of the files are refused for %s: the sample of movements is too tame", n, code)
		}
	}
}
