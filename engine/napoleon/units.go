package napoleon

import "slices"

// def gives what is printed on a unit; nil for a block.
func (g *game) def(u *unit) *unitDef {
	if u.id == noUnit {
		return nil
	}
	return &g.roster[u.id]
}

// unit finds a unit that can be named; nil if it can't be seen here.
func (g *game) unit(id unitID) *unit {
	if int(id) < len(g.units) && g.units[id].id == id {
		return &g.units[id]
	}
	for i := range g.units {
		if g.units[i].id == id {
			return &g.units[i]
		}
	}
	return nil
}

// present tells whether a unit stands in a town.
func (u *unit) present(t townID) bool { return u.town == t && !u.dead }

// unitName is a unit's id as players write it.
func (g *game) unitName(id unitID) string { return g.roster[id].id }

// blocksOf counts the blocks of an army at a town, which everybody sees.
func (g *game) blocksOf(t townID, a army) (n int) {
	for i := range g.units {
		if u := &g.units[i]; u.army == a && u.present(t) {
			n++
		}
	}
	return n
}

// blocks counts the units of a camp in a town, seen or not.
func (g *game) blocks(t townID, c camp) int {
	n := 0
	for i := range g.units {
		if g.units[i].present(t) && g.units[i].army.camp() == c {
			n++
		}
	}
	return n
}

// roadBetween finds the road that joins two towns directly.
func (s *scenario) roadBetween(a, b townID) (int, bool) {
	if i := slices.Index(s.towns[a].next, b); i >= 0 {
		return s.towns[a].roads[i], true
	}
	return 0, false
}

// filled adds to a list the items of another list that it does not hold.
func filled(list, more []unitID) []unitID {
	list = slices.Clone(list)
	for _, id := range more {
		if !containsUnit(list, id) {
			list = append(list, id)
		}
	}
	return list
}
