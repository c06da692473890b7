package mistakes

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
	"berthier/orders/phrase"
)

// Whether a stop opens for a seat hangs on what everybody sees and on the seat's own policy. What the
// enemy has ordered for the rest of his share ends in both worlds, but for what comes in the place of
// the manoeuvre that is declared.
func TestPoliciesTellNothingByPauses(t *testing.T) {
	worlds := func(p engine.Position, side engine.Side, chance *rand.Rand) (one, other engine.Position) {
		was, made := p.Clone().(*game), resample(p, side, chance).(*game)
		was.Missions, was.Moves, was.answered = made.Missions, made.Moves, made.answered
		made.standings = was.standings
		if len(made.Moves) > 0 && !made.seesMoves(side) {
			made.Moves = []move{made.Moves[0]}
			made.Moves[0].Else = step{Does: withdrawing}
		}
		return was, made
	}
	shows := func(_, _ engine.Position, _ []phrase.Phrase, err error) bool {
		var pause *playout.PauseError
		return errors.As(err, &pause) && pause.Told.Code == "em.moved" // in the place of the other
	}
	rulestest.PolicyPauses(t, New(), engine.Setup{Options: map[string]string{"game": "short"}}, 1, worlds, shows,
		stopFire, stopAssign, stopOrders, stopManoeuvres, stopInterrupt)
}

// Conditions about a decision are as true in any world that looks the same.
func TestConditions(t *testing.T) {
	rulestest.Conditions(t, New(), append(slices.Clone(moments(t)), charges(t)...), resample, []string{"engaged", "{remaining: few}", "{enemy: hussars}", "{turn: [3]}", "[{balance: '>1', pace: 3}]"},
		"{turn: '>1'}", "{remaining: '>= 10'}", "{losses: '=0'}", "{perdite: '>0'}", "{balance: '>0'}", "{vantaggio: '<= 0'}", "attacked", "unchanged",
		"{of: cavalry}", "{di: fanteria}", "{enemy: cavalry}", "{enemy: none}", "charge", "{near: '< 900'}", "{advance-within: {of: red-7, mm: 900}}", "{moved: blue-28}", "[{balance: '>=0'}, {turn: '>0'}]")
}

// charges are stops at which the enemy has declared a charge.
func charges(t *testing.T) []playout.Moment {
	t.Helper()
	return rulestest.Moments(t, 2, func(keep playout.Observer) error {
		for _, g := range clashes(t, 12) {
			if _, err := g.Play(func(m playout.Moment) error {
				if said, ok := m.Position.(*game).declared(); ok && said.First.Does == charging && len(m.Owed) > 0 && m.Owed[0].Kind == stopInterrupt {
					return keep(m)
				}
				return nil
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// No stop is mostly declined with nothing told by it: who interrupts a manoeuvre, rolls again or brings
// reserves decides before others are asked anything. So nothing opens meanwhile, in any world.
func TestWhatIsAskedMeanwhileTellsNothing(t *testing.T) {
	rulestest.Meanwhile(t, New(), []rulestest.Setup{setups[1]}, 1, resample)
	for kind := range stops {
		if declined, _ := New().Declined(kind); declined {
			t.Errorf("%s is declined, and no game shows what opens meanwhile", kind)
		}
	}
}
