package play

import "slices"

// Declined implements [engine.Meanwhile].
func (k Stops[V, P]) Declined(kind string) (declined, public bool) {
	public, declined = k.Declines[kind]
	return declined, public
}

// Foretold implements [engine.Meanwhile].
func (k Stops[V, P]) Foretold(code string) bool { return slices.Contains(k.Foretells, code) }
