package napoleon

import (
	"errors"
	"fmt"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
)

// threeSetups are the set-ups that the tests of three players play.
var threeSetups = []engine.Setup{
	{Options: map[string]string{"players": "3"}},
	{Options: map[string]string{"players": "3", "setup": "historical", "joint_lead": "prussian", "fog_of_battle": "full"}},
	{Options: map[string]string{"players": "3", "joint_lead": "anglo-dutch", "terrain_pool": "8/0/0/0"}},
	{Options: map[string]string{"players": "3", "allied_order": "sequential", "setup": "historical"}},
	{Options: map[string]string{"players": "3", "allied_order": "sequential", "edition": "3e"}},
	{Options: map[string]string{"players": "3", "ally_vision": "none"}},
	{Options: map[string]string{"players": "3", "ally_vision": "none", "allied_order": "sequential", "fog_of_battle": "full", "losses_public": "number"}},
	{Options: map[string]string{"players": "3", "ally_vision": "none", "edition": "3e", "setup": "historical", "cadence": "plans-first"}},
	{Options: map[string]string{"players": "3", "edition": "3e", "setup": "gambit"}},
}

// Random games of three players come to their end, and what holds for every ruleset
// holds at their stops.
func TestPlayoutsOfThree(t *testing.T) {
	games := 60
	if !fullSamples {
		games = 4
	}
	for i := range games {
		if _, err := playout.Run(New(), threeSetups[i%len(threeSetups)], uint64(i), inOrder()); err != nil {
			t.Errorf("%d: %v", i, err)
		}
	}
}

func TestPropertiesOfThree(t *testing.T) {
	for i, setup := range threeSetups {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			check := playout.Properties{Rules: New(), Conserved: conserved, Answers: 1, Broken: 2, Scramble: scramble, Leaks: 1, Every: 3}
			switch {
			case raceEnabled:
				check.Every = 36
			case !fullSamples:
				check.Every = 9
			}
			if _, err := playout.Run(New(), setup, uint64(4000+i), check.Observe); err != nil {
				t.Error(err)
			}
		})
	}
}

// Joint battles are played in games of their own, which begin where the armies have
// met.
func TestPlayoutsOfJointBattles(t *testing.T) {
	battles, checked := 240, 12
	if !fullSamples {
		battles, checked = 6, 2
	}
	if raceEnabled {
		battles, checked = 4, 1
	}
	for i := range battles {
		setup := threeSetups[i%len(threeSetups)]
		start := battleground(t, setup, uint64(i))
		observe := inOrder()
		if i < checked {
			observe = ofBattles().Observe
		}
		game := playout.Game{Rules: New(), Start: start, Seed: uint64(i), MaxStops: 8000}
		if _, err := game.Play(whileFighting(observe)); err != nil && !errors.Is(err, errPeace) {
			t.Fatalf("%d: %v", i, err)
		}
	}
}
