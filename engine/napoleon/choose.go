package napoleon

import (
	"slices"

	"berthier/engine"
)

// unitCalled finds a unit by its id; noUnit if there is none.
func (s *scenario) unitCalled(id string) unitID {
	return unitID(slices.IndexFunc(s.roster, func(c unitDef) bool { return c.id == id }))
}

// townCalled finds a town by its name; noTown if there is none.
func (s *scenario) townCalled(name string) townID {
	for t := range s.towns {
		if s.towns[t].name == name {
			return townID(t)
		}
	}
	return noTown
}

// unitsChosen lists units as choices.
func (v *View) unitsChosen(units []unitID, what func(i int) string) []engine.Choice {
	list := make([]engine.Choice, len(units))
	for i, id := range units {
		list[i] = engine.Choice{Of: v.unitName(id), What: what(i)}
	}
	return list
}

func constant(what string) func(int) string { return func(int) string { return what } }

// filled adds to a list those of another that it does not hold.
func filled(list, more []unitID) []unitID {
	list = slices.Clone(list)
	for _, id := range more {
		if !containsUnit(list, id) {
			list = append(list, id)
		}
	}
	return list
}
