package hfg

import (
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// quick is the set-up of a game that ends after a pair of turns.
func quick(scenario string, words ...string) engine.Setup {
	s := engine.Setup{Scenario: scenario, Options: map[string]string{"sunset-pairs": "1"}}
	for i := 0; i < len(words); i += 2 {
		s.Options[words[i]] = words[i+1]
	}
	return s
}

// shortGames are games of a few turns that come to every stop.
func shortGames(t testing.TB) []playout.Game {
	games := []playout.Game{{Setup: quick("", "sunset-pairs", "2"), Seed: 7}, {Setup: quick("two-armies"), Seed: 2},
		{Setup: quick("two-armies", "campaign", "yes"), Seed: 3}, {Setup: quick("", "next-day", "yes"), Seed: 4}, {Start: turning(t)}}
	for i := range uint64(4) {
		games = append(games, playout.Game{Start: brawl(t), Seed: i})
	}
	return games
}

// moments are stops of all kinds, with what was answered there. They are shared: whoever changes a
// position clones it.
var moments = rulestest.Once(func(tb testing.TB) []playout.Moment {
	tb.Helper()
	all := rulestest.Moments(tb, 2, func(keep playout.Observer) error {
		for _, g := range shortGames(tb) {
			g.Rules = New()
			if _, err := g.Play(keep); err != nil {
				return err
			}
		}
		return nil
	})
	for kind := range stops {
		if !met(all, kind) {
			tb.Errorf("no game came to the stop %s", kind)
		}
	}
	return all
})

// met says whether a kind of stop is among moments.
func met(all []playout.Moment, kind string) bool {
	for _, m := range all {
		for _, d := range m.Owed {
			if d.Kind == kind {
				return true
			}
		}
	}
	return false
}
