package napoleon

import "berthier/orders/phrase"

// eliminate takes a unit out of the game for good (NAP-3.4). Who it was is public at once (NAP-R55), unless the game keeps
// losses to numbers and the enemy did not see the unit.
func (p *campaign) eliminate(u *unit) {
	own := p.mates(u.army, u.town)
	named := u.shown || p.options.lossesPublic == lossesIdentity
	at := u.town
	p.remove(u)
	args := []argument{p.unitArg("unit", u), armyArg("army", u.army), phrase.Number("losses", p.losses[u.army]), phrase.Number("limit", p.numbers.defeat[u.army])}
	if at != noTown {
		args = append(args, p.townArg("town", at))
	}
	if named {
		p.Tell("NAP-3.4", to(p.everyone(), "nap.eliminated", args...))
		return
	}
	p.Tell("NAP-3.4", to(own, "nap.eliminated", args...), to(p.others(own), "nap.eliminated-block", args[1:]...))
}

// remove takes a unit off the map and counts it, but tells nobody.
func (p *campaign) remove(u *unit) {
	if p.options.lossesPublic == lossesIdentity {
		p.forget(u)
	}
	*u = unit{id: u.id, army: u.army, kind: u.kind, fire: u.fire, town: noTown, came: noTown, shelter: noUnit, dead: true}
	p.losses[u.army]++
}

// forget drops what the enemy remembered of a unit.
func (g *game) forget(u *unit) {
	seen := &g.seen[u.army.camp().enemy()]
	for i := range *seen {
		if (*seen)[i].unit == u.id {
			*seen = append((*seen)[:i], (*seen)[i+1:]...)
			return
		}
	}
}
