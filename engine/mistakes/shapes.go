package mistakes

import (
	"slices"
	"strconv"
	"strings"

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
		d := v.def(u)
		c := orders.Choice{ID: d.id, Names: d.names, Shared: d.shared}
		if v.unitText(u) == d.id && !d.garrison() {
			c.Names = d.names[1:] // numbers are those of one's own units
		}
		all = append(all, c)
	}
	return all
}

// nameUnits notes what files may call units besides their ids: by their numbers, and as reports call them, in either
// language, with the id or without, in full or up to the first comma or bracket.
func (s *scenario) nameUnits() {
	all, known := make([][]string, len(s.roster)), map[string]int{}
	for i := range s.roster {
		all[i] = s.roster[i].called()
		for _, name := range all[i] {
			known[orders.Fold(name)]++
		}
	}
	for i := range s.roster {
		d := &s.roster[i]
		if !d.garrison() {
			d.names = []string{strconv.Itoa(d.no)}
		}
		for _, name := range all[i] {
			if known[orders.Fold(name)] > 1 {
				d.shared = append(d.shared, name)
			} else {
				d.names = append(d.names, name)
			}
		}
	}
}

// called lists the names of a unit, each once.
func (d *unitDef) called() []string {
	var all []string
	for _, language := range []string{"en", "it"} {
		name := called(d.name, language)
		more := []string{name, d.id + " " + name}
		if cut := strings.IndexAny(name, ",("); cut > 0 {
			more = append(more, strings.TrimSpace(name[:cut]))
		}
		if d.garrison() {
			of, _ := names.Of("garrison", "of", language)
			more = []string{of + name}
		}
		for _, one := range more {
			if !slices.ContainsFunc(all, func(known string) bool { return orders.Fold(known) == orders.Fold(one) }) {
				all = append(all, one)
			}
		}
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
