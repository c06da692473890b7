package enginetest

import (
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// What is filed ahead answers its stop as if it came then, or does not.
func TestFiledAhead(t *testing.T) {
	var games []playout.Game
	for seed := range uint64(20) {
		games = append(games, playout.Game{Setup: engine.Setup{Options: map[string]string{"coins": "3"}}, Seed: seed})
	}
	rulestest.Ahead(t, New(), games, Bid, Discard)
}

// Conditions of what is filed ahead ask about what the side sees.
func TestConditions(t *testing.T) {
	rulestest.Conditions(t, New(), lotsMoments(t), resampled(t), []string{"losing", "{round: many}", "{coins: -1}"}, "leading", "{round: '>= 2'}", "{coins: '= 3'}", "[leading, {round: '>= 2'}]",
		"{remaining: '< 3'}", "{left: '>= 3'}", "unchanged")
}

// Answers to stops that will come are filed by strangers.
func FuzzFiles(f *testing.F) {
	rulestest.Files(f, New(), lotsMoments(f), "{discard: R-1}", "{discard: [{if: [leading, {round: '>= 2'}], do: R-1}, {else: standing}]}", "{bid: {bid: R-2, coins: 1}, discard: ask}", "none")
}

// Who files something ahead learns nothing of what others hold.
func TestWhatIsFiledAheadTellsNothing(t *testing.T) {
	rulestest.AheadTellsNothing(t, New(), lotsMoments(t), resampled(t),
		"{discard: R-1}", "{bid: B-1}", "{discard: [{if: leading, do: R-1}, {if: unchanged, do: B-2}, {else: default}]}", "{bid: {bid: R-1, coins: many}}", "{discrad: R-1}")
}

// lotsMoments are moments of some games.
func lotsMoments(tb testing.TB) []playout.Moment {
	return rulestest.Moments(tb, 60, func(keep playout.Observer) error {
		for seed := range uint64(4) {
			if _, err := playout.Run(New(), engine.Setup{Options: map[string]string{"coins": "3"}}, seed, keep); err != nil {
				return err
			}
		}
		return nil
	})
}

// resampled makes up worlds from what a side sees.
func resampled(t *testing.T) playout.Scrambler {
	return func(p engine.Position, side engine.Side, chance *rand.Rand) engine.Position {
		for _, d := range p.Owed() {
			if d.Side == side {
				other, err := New().Sample(p.View(side), d, chance)
				if err != nil {
					t.Fatal(err)
				}
				return other
			}
		}
		return p
	}
}

// What is asked in one letter with what a player owes follows it, and tells nothing; and in
// which letter an answer came changes nothing in the game.
func TestQuestionsAskedTogether(t *testing.T) {
	var games []playout.Game
	for seed := range uint64(6) {
		games = append(games, playout.Game{Setup: engine.Setup{Scenario: []string{"two", "three"}[seed%2], Options: map[string]string{"coins": "3", "rounds": "20"}}, Seed: seed, Choose: engine.Ruleset.Sensible})
	}
	scramble := func(p engine.Position, side engine.Side, chance *rand.Rand) engine.Position {
		return resampled(t)(p, side, chance)
	}
	rulestest.Follow(t, New(), games, scramble, scramble, []string{"discard bid"}, []string{"bid discard", "bid bid"})
	rulestest.StopByStop(t, New(), games)
}
