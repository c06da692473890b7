package enginetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"berthier/engine"
)

// Sample implements [engine.Sampler]: how many units the others have, and how
// strong they are, is drawn by chance. Nobody has lost more units than rounds
// have gone by.
func (Lots) Sample(view engine.View, owed engine.Decision, chance *rand.Rand) (engine.Position, error) {
	v, ok := view.(*View)
	if !ok || v.Who == engine.GM || owed.Side != v.Who {
		return nil, fmt.Errorf("make up a game of lots: it is not the view of %s", owed.Side)
	}
	g := &Game{Round: v.Round, Rounds: v.Rounds}
	if owed.Kind == Discard {
		g.Discard = v.Who
	}
	for _, t := range v.Won {
		p := Player{Side: t.Side, Won: t.Won, Coins: t.Coins, Units: slices.Clone(v.Own)}
		if t.Side != v.Who {
			p.Units = drawn(t.Side, max(1, 4-chance.IntN(v.Round)), chance)
		}
		g.Players = append(g.Players, p)
	}
	if g.player(v.Who) == nil {
		return nil, fmt.Errorf("make up a game of lots: %s is not at the table", v.Who)
	}
	return g, nil
}

// drawn are so many units of a side, of any strength.
func drawn(side engine.Side, n int, chance *rand.Rand) []Unit {
	var units []Unit
	for _, i := range chance.Perm(4)[:n] {
		units = append(units, Unit{ID: unitOf(side, i+1), Strength: 1 + chance.IntN(5)})
	}
	slices.SortFunc(units, func(a, b Unit) int { return strings.Compare(a.ID, b.ID) })
	return units
}
