package waterloo

import (
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/engine/rulestest"
)

// resampled is a world made up from what a side sees, in which all seats have the
// policies that they have: these decide whether a stop opens, and each has chosen its own.
func resampled(position engine.Position, side engine.Side, chance *rand.Rand) engine.Position {
	was := position.(*game)
	p, err := New().Sample(was.View(side), was.asks[0], chance)
	if err != nil {
		panic(err)
	}
	g := p.(*game)
	g.policies, g.ruled, g.standing = was.policies, was.ruled, was.standing
	return g
}

// Whether an artillery window or another stop opens for a seat hangs on what everybody
// sees and on its policy: the player who would read the pauses deals the enemy another hand
// (WAT-R55).
func TestPoliciesTellNothingByPauses(t *testing.T) {
	games := 2
	if fullSamples {
		games = 12
	}
	rulestest.PolicyPauses(t, New(), engine.Setup{}, games, resampled, nil, stopRound)
}

// With every policy on ask a game is what it was without any.
func TestAskedEverything(t *testing.T) {
	rulestest.AskedEverything(t, New(), []engine.Setup{{}, {Options: map[string]string{"players": "3"}}, {Options: map[string]string{"scenario-length": "quick"}}}, 2)
}

func TestPositionsWithPolicies(t *testing.T) {
	policies := "artillery: {fire: best}\ninitiative: {bid: lowest}\nloss: {default: [cdp, retreat, reduce]}\nattacker-loss: default\nadvance: best\n"
	rulestest.PolicyPositions(t, New(), engine.Setup{Options: map[string]string{"players": "3"}}, policies)
	postal, _ := New().Pace(engine.Postal)
	rulestest.PolicyPositions(t, New(), engine.Setup{}, postal)
}
