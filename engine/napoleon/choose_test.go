package napoleon

import (
	"errors"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// Whatever may be chosen is accepted, and whatever is accepted could be chosen, at the
// stops of random games in all editions and with two and three players.
func TestChoices(t *testing.T) {
	for i, one := range append(setups, []rulestest.Setup{
		{Name: "three players", Setup: engine.Setup{Options: map[string]string{"players": "3"}}},
		{Name: "bids", Setup: engine.Setup{Options: map[string]string{"sides": "bid", "bid_step": "any"}}},
		{Name: "secret bids", Setup: engine.Setup{Options: map[string]string{"sides": "bid", "bids": "secret"}}},
		{Name: "three players, third edition", Setup: engine.Setup{Options: map[string]string{"players": "3", "edition": "3e"}}},
	}...) {
		t.Run(one.Name, func(t *testing.T) {
			t.Parallel()
			check := playout.Properties{Rules: New(), Answers: 2, Broken: 3, Choices: 3, Deep: 6, Every: 151}
			if !fullSamples {
				check.Every = 499
			}
			if _, err := playout.Run(New(), one.Setup, uint64(3000+i), check.Observe); err != nil {
				t.Error(err)
			}
			check.Every = 5
			if !fullSamples {
				check.Every = 19
			}
			start := battleground(t, one.Setup, uint64(50+i))
			game := playout.Game{Rules: New(), Start: start, Seed: uint64(i), MaxStops: 5000}
			if _, err := game.Play(whileFighting(check.Observe)); err != nil && !errors.Is(err, errPeace) {
				t.Error(err)
			}
		})
	}
}
