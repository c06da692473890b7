package napoleon

import (
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/engine/rulestest"
	"berthier/orders/phrase"
)

// Whether a stop opens for a seat depends only on what everybody sees and on the seat's
// policy. The player who tries to learn from pauses has all blocks of the enemy
// exchanged (NAP-R100). He tries at stops of every kind, because the stops that open
// next differ from kind to kind.
func TestPoliciesTellNothingByPauses(t *testing.T) {
	games := 1
	if fullSamples {
		games = 8
	}
	worlds := func(p engine.Position, side engine.Side, chance *rand.Rand) (one, other engine.Position) {
		was, made := p.Clone().(*game), scrambleAlone(p, side, chance).(*game)
		for i := range was.battles { // his orders name his units
			if b := &was.battles[i]; b.orders != nil && b.acting != was.campOf(side) {
				b.orders, made.battles[i].orders = &battleOrders{}, &battleOrders{}
			}
		}
		return was, made
	}
	shows := func(p, q engine.Position, told []phrase.Phrase, err error) bool {
		return shownUnlike(p.(*game), q.(*game), told) || routLoses(err)
	}
	for _, options := range []map[string]string{{"setup": "historical"}, {"setup": "historical", "fog-of-battle": "full"}} {
		t.Run(options["fog-of-battle"], func(t *testing.T) {
			rulestest.PolicyPauses(t, New(), engine.Setup{Options: options}, games, worlds, shows, "supply", "reinforce", "hits", "battle-turn", "move")
		})
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

func TestPoliciesThatSayNothing(t *testing.T) { rulestest.PoliciesThatSayNothing(t, New()) }
