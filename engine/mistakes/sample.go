package mistakes

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"berthier/engine"
)

var _ engine.Sampler = Ruleset{}

// Sample implements [engine.Sampler]. Nothing on the field is hidden: what is made up is what others
// have ordered for the rest of their share of the phase, which is taken to be nothing, and their
// standing orders, which they are taken not to have.
func (Ruleset) Sample(view engine.View, owed engine.Decision, _ *rand.Rand) (engine.Position, error) {
	v, ok := view.(*View)
	if !ok || v.side == engine.GM || !slices.Contains(v.owed, owed) {
		return nil, fmt.Errorf("make up a position: %s owes no %s in this view", owed.Side, owed.Kind)
	}
	g := v.trial()
	var all []engine.Decision
	for _, side := range g.seats() {
		if side == owed.Side {
			all = append(all, owed)
			continue
		}
		for _, kind := range g.besides(owed.Kind) {
			if d := (engine.Decision{Side: side, Kind: kind}); g.due(d) {
				all = append(all, d)
				break
			}
		}
	}
	g.owed = all
	return g, nil
}

// besides are the stops that others may owe while a side owes one of a kind.
func (g *game) besides(kind string) []string {
	switch kind {
	case stopDeploy, stopBid, stopSubstitute, stopEscape:
		return []string{kind}
	}
	if slices.Contains(decisionStops[:], kind) {
		return decisionStops[1:]
	}
	return nil
}
