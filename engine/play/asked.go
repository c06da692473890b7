package play

import (
	"crypto/sha256"
	"encoding/hex"

	"berthier/engine"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Asked are the conditions that may be asked about any decision, by whoever knows nothing
// of the ruleset. The zero value is none.
type Asked[V engine.View] struct {
	// Shape is how they are written.
	Shape shape.Shape
	// Hold reads conditions and tells whether all of them hold where a decision is owed.
	Hold func(v V, d engine.Decision, since string, r *orders.Reader, n *orders.Node) bool
	// Watch gives in a few letters how the enemy stands, for all that the side sees.
	Watch func(V) string
}

// AskedBy gives the conditions of a table of measures. About is what they are asked of;
// changed tells it whether the enemy stands otherwise than where the conditions were filed,
// or they were filed nowhere. Watched writes how the enemy stands: nothing but what the side
// sees.
func AskedBy[V engine.View, B, X any](m Measures[V, B, X], about func(v V, d engine.Decision, changed bool) X, watched func(V) string) Asked[V] {
	watch := func(v V) string {
		sum := sha256.Sum256([]byte(watched(v)))
		return hex.EncodeToString(sum[:8])
	}
	return Asked[V]{m.Shape(), func(v V, d engine.Decision, since string, r *orders.Reader, n *orders.Node) bool {
		before := len(r.Problems)
		all := m.Read(v, r, n)
		return len(r.Problems) == before && m.Hold(about(v, d, since == "" || since != watch(v)), all)
	}, watch}
}

// Unchanged is a measure for conditions that were filed ahead: it asks whether the enemy still
// stands as he did when they were filed.
func Unchanged[V, B, X any](changed func(X) bool) Measure[V, B, X] {
	return State[V, B]("unchanged", func(x X) bool { return !changed(x) })
}

// Where narrows a measure: it holds only where something else is true, too, such as that there is
// a battle.
func Where[V, B, X any](is func(X) bool, m Measure[V, B, X]) Measure[V, B, X] {
	holds := m.Holds
	m.Holds = func(x X, value any) bool { return is(x) && holds(x, value) }
	return m
}

// Counted is a measure that is a number of things: {remaining: ">= 4"}. Unclear is as in
// [Compared].
func Counted[V, B, X any](key, unclear string, of func(X) int) Measure[V, B, X] {
	return Compared[V, B](key, "", unclear, func(x X) (n, one int) { return of(x), 1 })
}

// Hold implements [engine.Conditions].
func (k Stops[V, P]) Hold(view engine.View, d engine.Decision, since string, conditions *orders.Node) (bool, orders.Problems) {
	r := orders.NewReader(k.Vocabulary)
	if k.Conditions.Hold == nil {
		r.Refuse(conditions, "", phrase.Say("play.no-conditions"))
		return false, r.Problems
	}
	holds := k.Conditions.Hold(view.(V), d, since, r, conditions)
	return holds, r.Problems
}

// Watch implements [engine.Conditions].
func (k Stops[V, P]) Watch(view engine.View) string {
	if k.Conditions.Watch == nil {
		return ""
	}
	return k.Conditions.Watch(view.(V))
}
