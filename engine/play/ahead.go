package play

import (
	"slices"

	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Saying implements [engine.Foreseer].
func (k Stops[V, P]) Saying(view engine.View, d engine.Decision, key string, n *orders.Node) (engine.Answer, orders.Problems) {
	v, r := view.(V), orders.NewReader(k.Vocabulary)
	i := slices.IndexFunc(k.Layered, func(p Policy[V]) bool { return p.Key == key })
	switch {
	case i < 0 || k.Says == nil || !slices.Contains(k.Layered[i].Stops, d.Kind):
		r.Refuse(n, "", phrase.Say("play.ahead-open"))
		return nil, r.Problems
	case r.Is(n, "ask"):
		return nil, nil
	case r.Is(n, "default"):
		return Answer{To: d, Reply: k.Stops[d.Kind].Fallback(v, d)}, nil
	}
	under := k.Says(v, r, key, n)
	if len(r.Problems) > 0 {
		return nil, r.Problems
	}
	reply, ok := k.instructed(under, d)
	if !ok && k.Layered[i].Ends {
		reply, ok = k.Stops[d.Kind].Fallback(v, d), true
	}
	if !ok {
		return nil, nil
	}
	return Answer{To: d, Reply: reply}, nil
}

// Lines implements [engine.Foreseer].
func (k Stops[V, P]) Lines(view engine.View) (standing, policies map[string]string) {
	standing, policies = map[string]string{}, map[string]string{}
	if k.Standing != nil {
		standing = ahead.Lines(k.Standing(view.(V)))
	}
	for _, p := range k.Policies(view) {
		policies[p.Key] = p.Value
		if p.Later != "" {
			policies[p.Key] = p.Later
		}
	}
	return standing, policies
}

// layerShape is how each policy is written.
func (k Stops[V, P]) layerShape() []shape.Policy {
	var all []shape.Policy
	for i := range k.Layered {
		all = append(all, shape.Policy{Key: k.Layered[i].Key, Stops: k.Layered[i].Stops, Shape: k.Layered[i].Shape})
	}
	return all
}
