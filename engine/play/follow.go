package play

import (
	"slices"

	"berthier/engine"
)

// Follows is part of [engine.Follower].
func (k Stops[V, P]) Follows(d engine.Decision) []engine.Decision {
	if k.Joins == nil {
		return nil
	}
	return k.Joins(d)
}

// Idle is part of [engine.Follower].
func (k Stops[V, P]) Idle(kind string) bool { return slices.Contains(k.Idles, kind) }

// Then lists kinds of stops, at whatever place, that may follow a stop at once.
func Then(kinds ...string) (all []engine.Decision) {
	for _, kind := range kinds {
		all = append(all, engine.Decision{Kind: kind})
	}
	return all
}
