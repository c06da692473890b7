package napoleon

import "berthier/orders/phrase"

// A target is the group at which a shot is aimed, and where it stands.
type target struct {
	field  field
	group  group // others or squares; anyGroup if there is only one group and no square
	long   bool  // long range (NAP-6.33e)
	rating int8  // a die hits if it is not higher (NAP-3.5)
}

// aim judges a shot and gives its target (NAP-6.33).
func (g *game) aim(b *battle, u *unit, at group) (target, *fault) {
	c := u.army.camp()
	switch {
	case u.shelter != noUnit:
		return target{}, faultSheltered
	case u.fired:
		return target{}, faultFired
	case u.steps > 0 && (u.kind != horseArtillery || u.steps > 1):
		return target{}, faultMovedFire
	case u.field == reserve:
		return target{}, faultReserve
	}
	if u.kind == leader && (g.reading.quietLeaders || g.options.ratings == ratingsType) {
		return target{}, faultLeaderFire
	}
	t := target{field: u.field}
	if !g.inContact(b, u) {
		if !u.kind.artillery() {
			return target{}, faultNoContact
		}
		t.field, t.long = u.field.opposite(), true
		switch {
		case g.held(b, t.field, c):
			return target{}, faultFriend
		case !g.held(b, t.field, c.enemy()):
			return target{}, faultNoTarget
		case b.terrain[t.field] == wood:
			return target{}, faultFireWood
		}
	}
	var inSquares, outside, outsideFarm bool
	for i := range g.units {
		e := &g.units[i]
		if e.field != t.field || !b.fights(e) || e.army.camp() == c {
			continue
		}
		switch {
		case e.inSquares():
			inSquares = true
		default:
			outside = true
			outsideFarm = outsideFarm || e.holds != farm
		}
	}
	switch {
	case at == anyGroup && inSquares && outside:
		return target{}, faultGroup
	case at == squares && !inSquares, at == others && !outside:
		return target{}, faultNoGroup
	case at != anyGroup:
		t.group = at
	case inSquares:
		t.group = squares
	default:
		t.group = others
	}
	if u.kind.cavalry() && t.group == others && !outsideFarm {
		return target{}, faultFarmOnly // (NAP-R65)
	}
	if t.rating = g.rating(b, u, t); t.rating <= 0 {
		return target{}, faultNoFire
	}
	return t, nil
}

// rating is a shooter's fire with all modifiers of table 3.4 (NAP-R29).
func (g *game) rating(b *battle, u *unit, t target) int8 {
	r := u.fire
	add := func(yes bool) {
		if yes {
			r++
		}
	}
	switch u.kind {
	case leader:
		switch g.options.leaderFire {
		case leaderFire1:
			return 1
		case leaderFire2:
			return 2
		}
	case infantry:
		add(u.holds == farm)
		add(t.group == squares)
	case lightCavalry, heavyCavalry:
		switch {
		case b.terrain[u.field] == wood:
			return 1
		case t.group == squares:
			return r - 1
		}
		add(u.shock)
	case footArtillery, horseArtillery:
		if t.long {
			add(u.holds == hill)
			add(t.group == squares)
			break
		}
		add(u.salvo)
		add(t.group == squares && u.kind == horseArtillery)
	}
	return r
}

// fire rolls the dice of a shot, one for each strength point (NAP-6.33), and begins to
// place its hits.
func (p *campaign) fire(b *battle, u *unit, at group) {
	t, f := p.aim(b, u, at)
	if f != nil {
		return // it was judged before, so this can't happen
	}
	if !u.shown {
		p.reveal(u) // (NAP-6.24d)
	}
	dice, hits := p.shoot(b, u, t.rating)
	u.fired, u.shock = true, false
	if !t.long {
		u.salvo = false
	}
	if b.acting == b.attacker {
		b.busy = true
	}
	code := "nap.fires"
	switch {
	case t.group == squares:
		code = "nap.fires-squares"
	case t.long:
		code = "nap.fires-long"
	}
	args := append(b.fieldArgs("field", t.field, b.acting.enemy()), phrase.Number("rating", int(t.rating)),
		phrase.Numbers("dice", dice), phrase.Number("hits", hits))
	if t.long {
		args = append(args, b.fieldArgs("from", u.field, b.acting)...)
	}
	p.tellUnit("NAP-6.33", u, code, args...)
	if hits > 0 {
		b.hits = &shot{victims: b.acting.enemy(), field: t.field, squares: t.group == squares, long: t.long, cavalry: u.kind.cavalry(), left: int8(hits)}
		p.takeHits(b)
	}
}

// shoot rolls a unit's dice and counts the hits (NAP-3.3, NAP-3.5).
func (p *campaign) shoot(b *battle, u *unit, rating int8) (dice []int, hits int) {
	purpose := phrase.Say("nap.roll-fire", p.unitArg("unit", u), p.townArg("town", b.town), phrase.Number("rating", int(rating)))
	dice = make([]int, u.strength)
	for i := range dice {
		dice[i] = p.Dice.Roll(6, purpose)
		if dice[i] <= int(rating) {
			hits++
		}
	}
	return dice, hits
}
