package intake

import (
	"slices"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// mostOptions is how many options a game may have.
const mostOptions = 100

// ReadOptions reads options of a ruleset into those that are set. It tells whether there was
// no fault.
func ReadOptions(r *orders.Reader, n *orders.Node, about engine.About, into map[string]string) bool {
	before := len(r.Problems)
	if n.Kind != orders.Map || len(n.Pairs) > mostOptions {
		r.Refuse(n, "", phrase.Say("office.setup.options"))
		return false
	}
	var names []orders.Choice
	for _, option := range about.Options {
		names = append(names, orders.Choice{ID: option.Name})
	}
	for _, p := range n.Pairs {
		name, ok := r.Pick(p.Key, "setup-option", names)
		if !ok {
			continue
		}
		if _, twice := into[name]; twice {
			r.Refuse(p.Key, "", phrase.Say("office.setup.option-twice", phrase.Literal("name", name)))
			continue
		}
		text, ok := r.Text(p.Value)
		if !ok {
			continue
		}
		i := slices.IndexFunc(about.Options, func(o engine.Option) bool { return o.Name == name })
		for _, value := range about.Options[i].Values {
			if orders.Fold(value) == orders.Fold(text) {
				text = value
			}
		}
		into[name] = text
	}
	return len(r.Problems) == before
}
