package napoleon

// mayMove judges a battle move of one or two steps (NAP-6.32).
func (g *game) mayMove(b *battle, u *unit, path [2]field) *fault {
	walker, crossed := *u, b.crossed
	for _, to := range path {
		if to == offBoard {
			break
		}
		if f := g.mayStep(b, &walker, crossed, to); f != nil {
			return f
		}
		if b.crosses(walker.field, to) {
			crossed[to.column()]++
		}
		walker.step(b, to, g.inContact(b, &walker), to > reserve && g.held(b, to, u.army.camp().enemy()))
	}
	return nil
}

// crosses tells whether a step goes over a stream (NAP-6.21h).
func (b *battle) crosses(from, to field) bool {
	return from > reserve && from.opposite() == to && b.stream(from)
}

// mayStep judges one step of a battle move: engage, disengage or redeploy
// (NAP-6.32b to d).
func (g *game) mayStep(b *battle, u *unit, crossed [3]int8, to field) *fault {
	c := u.army.camp()
	sideways := g.reading.lateral && b.beside(u.field, to, c)
	switch {
	case u.square && !g.squareMoves(b, u, to):
		return faultSquare
	case u.shelter != noUnit:
		return faultSheltered
	case u.fired && u.kind != horseArtillery:
		return faultActed
	case u.kind.cavalry() && u.steps >= u.kind.moves() && u.field > reserve && b.terrain[u.field] == wood:
		return faultStopsWood // it came into this wood in this battle turn
	case u.fired && u.steps > 0, u.steps >= u.kind.moves():
		return faultNoSteps // horse artillery that fires has one step (NAP-6.33h)
	case !sideways && !b.joined(u.field, to, c):
		return faultNoWay
	}
	contact, enemies := g.inContact(b, u), to > reserve && g.held(b, to, c.enemy())
	switch {
	case sideways && u.kind == leader:
		return nil // from and to contested positions, too (NAP-6.32g)
	case sideways && (contact || enemies):
		return faultSideways
	case contact && b.forward(to, c):
		return faultThrough
	case contact && u.engaged, enemies && u.disengaged:
		return faultBothWays
	case contact && enemies:
		return faultBehind
	case enemies && u.kind == footArtillery:
		return faultFootGuns
	case b.terrain[to] == wood && u.kind.artillery():
		return faultGunsWood
	case b.terrain[to] == wood && u.square:
		return faultSquareWood
	}
	if b.crosses(u.field, to) {
		// Horse artillery goes over only to seize an empty position.
		if u.kind == footArtillery || u.kind == horseArtillery && (enemies || b.own(to, c)) {
			return faultGunsStream
		}
		if crossed[to.column()] >= streamLimit {
			return faultStreamFull
		}
	}
	return nil
}

// squareMoves tells whether a unit may step in square: one step as infantry, not
// forward, and not away from what it shelters (NAP-6.5d, NAP-R59).
func (g *game) squareMoves(b *battle, u *unit, to field) bool {
	return g.options.squareMoves == squaresMove && !b.forward(to, u.army.camp()) && !g.shelters(u)
}

// squaresGo tells whether squares retreat, fall back and are routed as infantry is: those of the third edition do,
// where they move at all (NAP-R59, NAP-R101).
func (g *game) squaresGo() bool {
	return g.reading.allGoBack && g.options.squareMoves == squaresMove
}

// mustBreak tells whether a unit is in a square that can't leave as it is: it must break first (NAP-R36), as must one of the third
// edition that shelters a unit (NAP-R101).
func (g *game) mustBreak(u *unit) bool { return u.square && (!g.squaresGo() || g.shelters(u)) }

// shelters tells whether a unit in square shelters another.
func (g *game) shelters(u *unit) bool {
	for i := range g.units {
		if g.units[i].shelter == u.id && !g.units[i].dead {
			return true
		}
	}
	return false
}

// step moves a unit by one step and notes what this changes about the unit itself.
// Contact tells whether it was engaged where it stood, enemies whether there are
// enemies where it goes.
func (u *unit) step(b *battle, to field, contact, enemies bool) {
	u.field, u.holds = to, noPiece
	u.steps++
	if to == reserve {
		u.square = false // there are no squares there (NAP-6.5b, NAP-R59)
	}
	if contact {
		u.disengaged = true
		u.shock, u.salvo = false, false
	}
	if enemies {
		u.engaged = true
		u.shock = u.kind.cavalry()   // (NAP-6.33c)
		u.salvo = u.kind.artillery() // (NAP-6.33f)
	}
	if u.kind.cavalry() && b.terrain[to] == wood {
		u.steps = u.kind.moves() // it stops in a wood (NAP-6.21c)
	}
}

// stepTo moves a unit by one step with everything that this changes on the board.
func (g *game) stepTo(b *battle, u *unit, to field) {
	from, c := u.field, u.army.camp()
	contact, enemies := g.inContact(b, u), to > reserve && g.held(b, to, c.enemy())
	if b.crosses(from, to) {
		b.crossed[to.column()]++
	}
	if enemies && !g.held(b, to, c) {
		for i := range g.units { // artillery that no enemy was in contact with is newly engaged (NAP-6.33f)
			if e := &g.units[i]; e.field == to && b.fights(e) && e.kind.artillery() {
				e.salvo = true
			}
		}
	}
	u.step(b, to, contact, enemies)
	if contact {
		g.calm(b, from)
	}
}

// mayOccupy judges entering a vacant farm or hill of the unit's position
// (NAP-6.21k, NAP-R26).
func (g *game) mayOccupy(b *battle, u *unit, what piece) *fault {
	switch {
	case u.square:
		return faultSquare
	case u.shelter != noUnit:
		return faultSheltered
	case u.acted():
		return faultActed
	case what != farm && what != hill, u.field <= reserve, b.terrain[u.field] != what:
		return faultNoPiece
	case g.holder(b, u.field) != nil:
		return faultHeld
	case what == farm && u.kind != infantry:
		return faultFarmFoot
	}
	return nil
}

// maySwap judges the exchange of the occupant of a farm or hill with another unit
// (NAP-6.21j). Either of the two may be named first.
func (g *game) maySwap(b *battle, u, with *unit) *fault {
	switch {
	case with == nil || with == u || !b.fights(with) || g.sideOf(with.army) != g.sideOf(u.army),
		with.field != u.field, u.holds == noPiece && with.holds == noPiece:
		return faultSwap
	case u.spent || with.spent || u.acted() || with.acted():
		return faultSwapActed
	case u.square || with.square:
		return faultSquare
	case u.shelter != noUnit || with.shelter != noUnit:
		return faultSheltered
	case b.terrain[u.field] == farm && (u.kind != infantry || with.kind != infantry):
		return faultFarmFoot
	}
	return nil
}

// makeStep moves a unit one step, tells of it, and finds out whether this ends
// the battle.
func (p *campaign) makeStep(b *battle, u *unit, t field) {
	from := u.field
	p.stepTo(b, u, t)
	code, clause := "nap.moves", "NAP-6.32d"
	switch {
	case p.inContact(b, u):
		code, clause = "nap.engages", "NAP-6.32b"
		if b.acting == b.attacker {
			b.busy = true
		}
	case p.held(b, from, b.acting.enemy()) && from != reserve:
		code, clause = "nap.disengages", "NAP-6.32c"
	}
	p.tellMoved(clause, b, u, code, from)
	p.checkEnd(b)
}

// tellMoved tells of a unit's step and shows or hides the unit: reserve and woods hide
// it, every other position shows it (NAP-6.24b, NAP-R69); with full fog only contact
// shows it, to all units that meet (NAP-6.24d). A unit that becomes shown is told by name;
// a unit that becomes hidden was still seen as it went.
func (p *campaign) tellMoved(clause string, b *battle, u *unit, code string, from field) {
	hides := u.field == reserve || b.terrain[u.field] == wood
	meets := p.inContact(b, u)
	if !hides && (p.options.fogOfBattle == fogStandard || meets) {
		p.reveal(u)
	}
	if code == "nap.engages" && u.shock && u.shown && !hides {
		code, clause = "nap.charges", "NAP-6.33c"
	}
	c := u.army.camp()
	p.tellUnit(clause, u, code, append(b.fieldArgs("from", from, c), b.fieldArgs("to", u.field, c)...)...)
	switch {
	case hides && b.orders != nil && containsUnit(b.orders.stay, u.id):
		// the owner of the unit leaves it as it is (NAP-R69)
	case hides:
		p.hide(u)
	case meets:
		p.showField(b, u.field)
	}
}
