package napoleon

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/rulestest"
	"berthier/orders/phrase"
)

// Whether a stop opens for a seat hangs on what everybody sees and on its policy: the
// player who would read the pauses has every block of the enemy exchanged (NAP-R100). He
// does so at stops of every kind: what opens next differs from kind to kind.
func TestPoliciesTellNothingByPauses(t *testing.T) {
	games := 1
	if fullSamples {
		games = 8
	}
	resample := func(p engine.Position, side engine.Side, chance *rand.Rand) engine.Position {
		if g := p.(*game); interrupts(g, g.asks[0]) {
			return nil
		}
		return scrambleAlone(p, side, chance)
	}
	shows := func(p, q engine.Position, told []phrase.Phrase, err error) bool {
		return shownUnlike(p.(*game), q.(*game), told) || routLoses(err)
	}
	for _, options := range []map[string]string{{"setup": "historical"}, {"setup": "historical", "fog-of-battle": "full"}} {
		rulestest.PolicyPauses(t, New(), engine.Setup{Options: options}, games, resample, shows, slices.Collect(maps.Keys(declared.Stops))...)
	}
}

// With every policy on ask a game is what it was without any.
func TestAskedEverything(t *testing.T) {
	rulestest.AskedEverything(t, New(), []engine.Setup{{}, {Options: map[string]string{"players": "3"}}, {Options: map[string]string{"edition": "3e"}}}, 2)
}

func TestPositionsWithPolicies(t *testing.T) {
	postal, _ := New().Pace(engine.Postal)
	rulestest.PolicyPositions(t, New(), engine.Setup{Options: map[string]string{"players": "3"}}, postal)
	rulestest.PolicyPositions(t, New(), engine.Setup{}, "reinforce: max\nregroup: none\ncasualties: {lose-first: [infantry], spare: [leader]}\nterrain: {hill: center, else: first-free}\n")
}
