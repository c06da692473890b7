package mistakes

import (
	"slices"

	"berthier/engine"
	"berthier/orders/phrase"
)

// tracesOf is what an event leaves on pictures, as a side was told it: whoever it names, alone or in a list, may
// have moved, which shows by where he stood in the last report.
func tracesOf(told engine.Side, say phrase.Phrase) []engine.Trace {
	named := map[string]string{}
	var all []engine.Trace
	for _, a := range say.Args {
		for _, one := range append([]phrase.Value{a.Value}, a.Value.List...) {
			if one.Kind != "unit" && one.Kind != "leader" {
				continue
			}
			named[a.Name] = one.Text
			moved := engine.Trace{Kind: engine.Moved, Of: []string{one.Text}, Way: []string{one.Text}, Own: ours(told, one)}
			if !slices.ContainsFunc(all, func(t engine.Trace) bool { return t.Of[0] == one.Text }) {
				all = append(all, moved)
			}
		}
	}
	unit := named["unit"]
	switch code := say.Code; {
	case code == "em.fired":
		all = append(all, engine.Trace{Kind: engine.Fired, Of: []string{unit}}, engine.Trace{Kind: engine.Attacked, Of: []string{unit}, Way: []string{named["target"]}})
	case code == "em.combat", code == "em.counterattack":
		all = append(all, engine.Trace{Kind: engine.Attacked, Of: []string{unit}, Way: []string{named["other"]}})
	case code == "em.losses":
		all = append(all, engine.Trace{Kind: engine.Hit, Of: []string{unit}})
	case unit != "" && slices.Contains(removals[:], code):
		all = append(all, engine.Trace{Kind: engine.Gone, Of: []string{unit}})
	}
	return all
}
