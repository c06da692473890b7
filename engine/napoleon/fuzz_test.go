package napoleon

import (
	"errors"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// moments gives stops of many kinds, with what was answered there. They are shared:
// whoever changes a position clones it.
var moments = rulestest.Once(findMoments)

func findMoments(tb testing.TB) []playout.Moment {
	tb.Helper()
	return rulestest.Moments(tb, 5, func(keep playout.Observer) error {
		if _, err := playout.Run(New(), engine.Setup{}, 1, keep); err != nil {
			return err
		}
		for i := range uint64(12) {
			start := battleground(tb, setups[int(i)%len(setups)].Setup, i)
			_, err := playout.Game{Rules: New(), Start: start, Seed: i}.Play(whileFighting(keep))
			if err != nil && !errors.Is(err, errPeace) {
				return err
			}
		}
		return nil
	})
}

// Order files come from strangers.
func FuzzRead(f *testing.F) {
	rulestest.Reads(f, moments(f), playout.Properties{Rules: New(), Conserved: conserved},
		"orders: none\nstanding: [casualties: {lose_first: [infantry]}, regroup: none]")
}

// Positions come from files that a game master has edited.
func FuzzLoad(f *testing.F) { rulestest.Loads(f, New(), moments(f)) }
