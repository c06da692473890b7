package napoleon

// Deployment of a battle by two players: the lead first, then the other, who
// fills the positions that are left empty before he adds elsewhere (NAP-R17).

// alliesOn lists the ally's units on a position.
func (v *View) alliesOn(b *battle, f field) []*unit {
	var all []*unit
	for i := range v.units {
		if u := &v.units[i]; b.fights(u) && u.field == f && u.army.camp() == v.camp() && !v.own[u.army] {
			all = append(all, u)
		}
	}
	return all
}

// heldByAlly tells whether the ally occupies the farm or hill of a position.
func (v *View) heldByAlly(b *battle, f field, what piece) bool {
	for _, u := range v.alliesOn(b, f) {
		if u.holds == what {
			return true
		}
	}
	return false
}

// fillable counts how many of some positions units can fill: any unit can stand
// where there is no wood, artillery only there (NAP-6.21c).
func (g *game) fillable(b *battle, positions []field, units []unitID) int {
	woods, able := 0, 0
	for _, f := range positions {
		if b.terrain[f] == wood {
			woods++
		}
	}
	for _, id := range units {
		if !g.unit(id).kind.artillery() {
			able++
		}
	}
	inWoods := min(woods, able)
	return inWoods + min(len(positions)-woods, len(units)-inWoods)
}

// mayLeaveEmpty tells how many positions a side may leave empty; at is where its
// units are to stand. The lead may leave to the second player what that one can fill; the
// second must fill what he can.
func (v *View) mayLeaveEmpty(b *battle, c camp, at []field) int {
	others := v.of(v.sideOf(ally(b.lead)), v.unitsIn(b.town, c))
	if !v.shared(c) || !b.second && len(others) == 0 {
		return v.mayBeEmpty(b, c)
	}
	var before, after []field // positions without a unit before and after this deployment
	own := v.ownIn(b.town, v.side)
	for _, f := range b.ownFields(c) {
		if v.count(b, f, c) > 0 {
			continue
		}
		before = append(before, f)
		filled := false
		for _, id := range own {
			filled = filled || at[id] == f
		}
		if !filled {
			after = append(after, f)
		}
	}
	unavoidable := len(before) - v.fillable(b, before, own)
	if !b.second && len(after)-v.fillable(b, after, others) <= v.mayBeEmpty(b, c) {
		return len(after)
	}
	return unavoidable
}
