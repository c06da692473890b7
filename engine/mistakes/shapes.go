package mistakes

import (
	"berthier/engine"
	"berthier/orders"
)

var _ engine.Namer = (*View)(nil)

// Names implements [engine.Namer]: units by their ids, one's own by their numbers, too; leaders;
// and what a way may lead to or a charge may be made on. Formations are named anew by whoever
// forms them.
func (v *View) Names(kind string) []orders.Choice {
	var all []orders.Choice
	switch kind {
	case "unit":
		return v.unitChoices(func(unitID) bool { return true })
	case "leader":
		for i := range v.leaders {
			all = append(all, orders.Choice{ID: v.leaders[i].id, Names: []string{v.leaders[i].name}})
		}
	case "landmark":
		return append(append(v.landmarks(), v.Names("unit")...), v.Names("leader")...)
	}
	return all
}

// unitChoices are units as files may name them.
func (v *View) unitChoices(is func(unitID) bool) []orders.Choice {
	var all []orders.Choice
	for u := unitID(1); int(u) < len(v.Units); u++ {
		if !is(u) {
			continue
		}
		c := orders.Choice{ID: v.def(u).id}
		if text := v.unitText(u); text != c.ID {
			c.Names = []string{text}
		}
		all = append(all, c)
	}
	return all
}

// landmarks are the towns and bridges.
func (v *View) landmarks() []orders.Choice {
	var all []orders.Choice
	for i := range v.areas {
		if v.areas[i].kind == town {
			all = append(all, orders.Choice{ID: v.areas[i].id, Names: []string{v.areas[i].name}})
		}
	}
	for _, b := range v.bridges {
		all = append(all, orders.Choice{ID: b.id, Names: []string{b.name}})
	}
	return all
}
