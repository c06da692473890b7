package enginetest

import (
	"fmt"
	"slices"

	"berthier/engine"
	"berthier/engine/play"
)

// A seeing is what a side sees where it owes a decision.
type seeing struct {
	*View
	changed bool
}

func asked(v *View, _ engine.Decision, changed bool) seeing { return seeing{v, changed} }

// watched is what the others have won and have left.
func (v *View) watched() string {
	return fmt.Sprint(slices.DeleteFunc(slices.Clone(v.Won), func(t Tally) bool { return t.Side == v.Who }))
}

// asks are what may be asked about any decision: which round it is, how many coins and lots
// the side has left, whether it has won more rounds than any other, and whether the others
// have won and spent nothing since.
var asks = play.Measures[*View, *View, seeing]{
	play.Compared[*View, *View]("round", "", "lots.comparison", func(x seeing) (int, int) { return x.Round, 1 }),
	play.Compared[*View, *View]("coins", "", "lots.comparison", func(x seeing) (int, int) { return x.Coins, 1 }),
	play.Counted[*View, *View]("remaining", "lots.comparison", func(x seeing) int { return len(x.Own) }),
	play.Unchanged[*View, *View](func(x seeing) bool { return x.changed }),
	play.State[*View, *View]("leading", func(x seeing) bool {
		of := func(t Tally) bool { return t.Side == x.Who }
		own := slices.IndexFunc(x.View.Won, of)
		return own >= 0 && !slices.ContainsFunc(x.View.Won, func(t Tally) bool { return !of(t) && t.Won >= x.View.Won[own].Won })
	}),
}
