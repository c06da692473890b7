package hfg

import "berthier/orders"

// Names implements [engine.Namer]: the elements, generals and commands of a battle that a file sets up,
// which everybody may read. Of armies that were made by letter there is no such list.
func (v *View) Names(kind string) []orders.Choice {
	if v.scenario.Letters {
		return nil
	}
	s := &v.scenario.set
	switch kind {
	case "element", "general", "enemy":
		all := make([]orders.Choice, len(s.roster))
		for i := range s.roster {
			all[i].ID = s.roster[i].id
		}
		return all
	case "troops": // elements, types and classes
		all := v.Names("element")
		for _, w := range subjectWords {
			all = append(all, orders.Choice{ID: w})
		}
		return all
	case "corps":
		return choicesOf(s.commands, func(d *commandDef) (string, string) { return d.id, d.name })
	}
	return nil
}
