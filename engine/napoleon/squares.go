package napoleon

// Squares and shelter in them (NAP-6.5).

// mayFormSquare judges forming square (NAP-6.5 to 6.5c).
func (g *game) mayFormSquare(b *battle, u *unit) *fault {
	switch {
	case u.kind != infantry:
		return faultNotFoot
	case u.square:
		return faultSquareIs
	case u.acted():
		return faultActed
	case !b.own(u.field, u.army.camp()):
		return faultSquareAt
	case b.terrain[u.field] == wood:
		return faultSquareWood
	case u.holds == farm:
		return faultSquareFarm
	}
	return nil
}

// mayShelter judges taking shelter in a square (NAP-6.52, NAP-R38).
func (g *game) mayShelter(b *battle, u, in *unit) *fault {
	switch {
	case u.kind != leader && !u.kind.artillery():
		return faultShelter
	case u.shelter != noUnit:
		return faultSheltered
	case u.acted():
		return faultActed
	case in == nil || !b.fights(in) || !in.square || in.field != u.field || in.army.camp() != u.army.camp():
		return faultShelterIn
	}
	for i := range g.units {
		if g.units[i].shelter == in.id && !g.units[i].dead {
			return faultShelterTwo
		}
	}
	return nil
}

// breakSquare breaks a square and at once frees the unit that it sheltered, whose action is
// not used up (NAP-R38).
func (g *game) breakSquare(u *unit) {
	u.square = false
	for i := range g.units {
		if g.units[i].shelter == u.id {
			g.units[i].shelter = noUnit
		}
	}
}
