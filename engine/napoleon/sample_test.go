package napoleon

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
)

// sampledSetups are the setups and games of three players.
func sampledSetups() map[string]engine.Setup {
	all := map[string]engine.Setup{
		"three":            {Options: map[string]string{"players": "3"}},
		"three, by turns":  {Options: map[string]string{"players": "3", "allied_order": "sequential", "setup": "historical"}},
		"three, apart":     {Options: map[string]string{"players": "3", "ally_vision": "none", "losses_public": "number"}},
		"three, third":     {Options: map[string]string{"players": "3", "edition": "3e"}},
		"drill":            {Scenario: "drill"},
		"three, full fog":  {Options: map[string]string{"players": "3", "fog_of_battle": "full", "setup": "historical"}},
		"numbers, fog":     {Options: map[string]string{"losses_public": "number", "fog_of_battle": "full"}},
		"secret bids, fog": {Options: map[string]string{"sides": "bid", "bids": "secret", "losses_public": "number"}},
	}
	for _, s := range setups {
		all[s.Name] = s.Setup
	}
	return all
}

// Whatever a side sees when it is asked, positions can be made up that give exactly
// this view and can be played on.
func TestSamples(t *testing.T) {
	for name, setup := range sampledSetups() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check := playout.Properties{Rules: New(), Samples: 1, Every: 6}
			if !fullSamples {
				check.Every = 60
			}
			if _, err := playout.Run(New(), setup, 77, check.Observe); err != nil {
				t.Error(err)
			}
		})
		if setup.Scenario != "" {
			continue // battles are set up on the board of the campaign
		}
		t.Run(name+", battles", func(t *testing.T) {
			t.Parallel()
			games := 3
			if !fullSamples {
				games = 1
			}
			for seed := range uint64(games) {
				start := battleground(t, setup, 7000+seed)
				check := playout.Properties{Rules: New(), Samples: 1, Every: 3}
				if raceEnabled {
					check.Every = 24
				}
				game := playout.Game{Rules: New(), Start: start, Seed: seed, MaxStops: 5000}
				if _, err := game.Play(whileFighting(check.Observe)); err != nil && !errors.Is(err, errPeace) {
					t.Error(err)
				}
			}
		})
	}
}

// What is hidden is drawn at random: in the positions made up for one view a block is
// not always the same unit, nor always the true one.
func TestSamplesDiffer(t *testing.T) {
	chance := rand.New(rand.NewPCG(4, 4))
	views, differ := 0, 0
	_, err := playout.Run(New(), engine.Setup{}, 3, func(m playout.Moment) error {
		for _, d := range m.Owed {
			view := m.Position.View(d.Side)
			if view.(*View).turn > 1 {
				continue
			}
			faces := map[string]bool{}
			for range 4 {
				p, err := New().Sample(view, d, chance)
				if err != nil {
					return err
				}
				g := p.(*game)
				faces[fmt.Sprint(g.units)] = true
			}
			if views++; len(faces) == 4 {
				differ++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if views == 0 || differ == 0 {
		t.Errorf("of %d views %d have different samples", views, differ)
	}
}

// Positions are made up only for a side that owes the decision.
func TestSampleRefuses(t *testing.T) {
	p, err := New().New(engine.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(1, 1))
	var rules engine.Sampler = New()
	owed := p.Owed()[0]
	if _, err := rules.Sample(p.View(owed.Side), owed, chance); err != nil {
		t.Errorf("the side that is asked: %v", err)
	}
	if _, err := rules.Sample(p.View(engine.GM), owed, chance); err == nil {
		t.Error("a position was made up from the game master's view")
	}
	if _, err := rules.Sample(p.View("french"), owed, chance); err == nil {
		t.Error("a position was made up for who is not asked")
	}
}
