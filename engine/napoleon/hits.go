package napoleon

import (
	"slices"

	"berthier/engine"
	"berthier/orders/phrase"
)

// A shot is a volley whose hits are being placed (NAP-6.4).
type shot struct {
	victims camp         `pos:"victims,required"`
	field   field        `pos:"field,as=position"` // offBoard in a skirmish: the shown units
	squares bool         `pos:"squares"`           // at the square group, else at the others (NAP-6.51)
	long    bool         `pos:"long"`              // can't eliminate (NAP-6.4c)
	cavalry bool         `pos:"cavalry"`           // can't hit a farm's occupant (NAP-6.21e)
	left    int8         `pos:"left,always"`       // hits not placed yet
	settled [armies]bool `pos:"settled,set=army"`  // armies whose share of hits on hidden blocks was named (NAP-R83)
}

// struck lists the units on which the next hit may fall: the strongest of the
// group, in id order (NAP-6.4).
func (g *game) struck(b *battle, s *shot) []unitID {
	var all [32]unitID
	strongest := g.strongest(b, s)
	if strongest == 0 {
		return nil
	}
	list := all[:0]
	for i := range g.units {
		if u := &g.units[i]; s.mayHit(b, u) && u.strength == strongest {
			list = append(list, u.id)
		}
	}
	if g.shared(s.victims) {
		return g.struckArmy(b, s, list)
	}
	return append([]unitID(nil), list...)
}

func (g *game) strongest(b *battle, s *shot) int8 {
	var most int8
	for i := range g.units {
		if u := &g.units[i]; s.mayHit(b, u) {
			most = max(most, u.strength)
		}
	}
	return most
}

// mayHit tells whether a unit belongs to the group that was fired at.
func (s *shot) mayHit(b *battle, u *unit) bool {
	if !u.present(b.town) || u.field != s.field || u.army.camp() != s.victims {
		return false
	}
	if s.field == offBoard {
		return u.shown // (NAP-6.6c)
	}
	return u.inSquares() == s.squares && !(s.cavalry && u.holds == farm)
}

// takeHits places hits one by one on the strongest unit of the group. If more units are
// strongest than hits are left, their owner chooses (NAP-6.4); if there are enough hits
// for all of them there is nothing to choose. If there are hidden blocks, their owner is
// asked before the first hit, whatever the blocks are (NAP-R83).
func (p *campaign) takeHits(b *battle) {
	s := b.hits
	for {
		side, ok := p.asksVeiled(b, s)
		if ok {
			p.ask([]engine.Side{side}, "hits", p.towns[b.town].id)
			return
		}
		if s.left == 0 {
			break
		}
		strongest := p.strongest(b, s)
		if strongest == 0 || s.long && strongest == 1 {
			clause, why := "NAP-6.4", "nap.lost-nobody"
			switch {
			case strongest != 0:
				clause, why = "NAP-6.4c", "nap.lost-long"
			case s.squares:
				clause, why = "NAP-6.51", "nap.lost-squares"
			}
			p.tellAll(clause, "nap.hits-lost", phrase.Number("n", int(s.left)), phrase.Within("why", phrase.Say(why)))
			break
		}
		tied := p.struck(b, s)
		if int(s.left) < len(tied) && !p.veiled(b, s) {
			p.ask([]engine.Side{p.sideOf(p.roster[tied[0]].army)}, "hits", p.towns[b.town].id)
			return
		}
		for _, id := range tied {
			p.hit(b, s, id)
		}
	}
	b.hits = nil
	p.calm(b, s.field)
	p.checkEnd(b)
}

// veiled tells whether the group that was hit has a hidden block and more than that one:
// the enemy does not know which of its units is the strongest (NAP-6.24d).
func (g *game) veiled(b *battle, s *shot) bool {
	n, hidden := 0, false
	for i := range g.units {
		if u := &g.units[i]; s.mayHit(b, u) {
			n++
			hidden = hidden || !u.shown
		}
	}
	return hidden && n > 1
}

// asksVeiled gives the side that must say next which units take hits on hidden blocks:
// each side that has two units of the group, once. This depends only on the number and
// the colour of the blocks, so that a pause tells nothing of their strength (NAP-R83). Of
// two Allied players the first is the one on whose army the hits fall if units are equal
// (NAP-R17).
func (g *game) asksVeiled(b *battle, s *shot) (engine.Side, bool) {
	if !g.veiled(b, s) {
		return "", false
	}
	sides := []army{french}
	switch {
	case g.shared(s.victims):
		sides = []army{g.tieArmy(b, s), ally(g.tieArmy(b, s))}
	case s.victims == alliedCamp:
		sides = []army{angloDutch} // and the Prussians with them
	}
	for _, a := range sides {
		n := 0
		for i := range g.units {
			if u := &g.units[i]; s.mayHit(b, u) && g.sideOf(u.army) == g.sideOf(a) {
				n++
			}
		}
		if n > 1 && !s.settled[a] {
			return g.sideOf(a), true
		}
	}
	return "", false
}

// named notes that a side's share of the hits on hidden blocks is settled.
func (g *game) named(s *shot, side engine.Side) {
	for a := range armies {
		s.settled[a] = s.settled[a] || g.sideOf(a) == side
	}
}

// A volley tries out how the hits of a shot may fall, as a side has to name its
// victims.
type volley struct {
	game *game
	b    *battle
	s    shot
	side engine.Side // for hits on hidden blocks, the side whose share alone it is; empty: all
	own  bool        // the game is a copy, which is made when the first hit falls
}

// volley begins to try out the hits that a side may be asked about.
func (g *game) volley(b *battle, side engine.Side) *volley {
	v := &volley{game: g, b: b, s: *b.hits}
	if !g.veiled(b, b.hits) {
		return v
	}
	share := int8(0)
	for tied := v.next(); len(tied) > 0; tied = v.next() {
		if g.sideOf(g.roster[tied[0]].army) == side {
			share++
		}
		v.hit(tied[0])
	}
	if v.own {
		copy(v.game.units, g.units) // as they were before the hits
	}
	v.s.left, v.side = share, side
	return v
}

// next lists on whom the next hit may fall.
func (v *volley) next() []unitID {
	if v.s.left == 0 {
		return nil
	}
	if v.side == "" {
		if v.s.long && v.game.strongest(v.b, &v.s) == 1 {
			return nil
		}
		return v.game.struck(v.b, &v.s)
	}
	var most int8
	var list []unitID
	for i := range v.game.units {
		u := &v.game.units[i]
		if !v.s.mayHit(v.b, u) || v.game.sideOf(u.army) != v.side || v.s.long && u.strength == 1 {
			continue
		}
		if u.strength > most {
			most, list = u.strength, list[:0]
		}
		if u.strength == most {
			list = append(list, u.id)
		}
	}
	return list
}

// hit lets a hit fall; a square dies with what it shelters (NAP-6.52c).
func (v *volley) hit(id unitID) {
	if !v.own {
		c := *v.game
		c.units = slices.Clone(c.units)
		v.game, v.own = &c, true
	}
	v.s.left--
	u := v.game.unit(id)
	if u.strength--; u.strength > 0 {
		return
	}
	u.dead = true
	for i := range v.game.units {
		if o := &v.game.units[i]; o.shelter == id {
			o.dead = true
		}
	}
}

// gone tells whether a unit has died by the hits that were tried out.
func (v *volley) gone(id unitID) bool { return v.game.unit(id).dead }

// pick places all hits that are left, each on the first unit of an order.
func (v *volley) pick(order func(x, y unitID) int) []unitID {
	var all []unitID
	for tied := v.next(); len(tied) > 0; tied = v.next() {
		id := slices.MinFunc(tied, order)
		v.hit(id)
		all = append(all, id)
	}
	return all
}

// hit lets one hit fall on a unit (NAP-6.4b); sheltered units may have died
// with their square before their own hit came.
func (p *campaign) hit(b *battle, s *shot, id unitID) {
	u := p.unit(id)
	if s.left == 0 || u.dead {
		return
	}
	s.left--
	code, clause := "nap.hit-dies", "NAP-6.4b"
	args := []argument{p.unitArg("unit", u)}
	if u.strength > 1 {
		code, clause = "nap.hit", "NAP-6.4"
		args = append(args, phrase.Number("strength", int(u.strength-1)), phrase.Number("was", int(u.strength)))
	}
	if u.shown {
		p.Tell(clause, to(p.everyone(), code, args...))
	} else { // with full fog only that a block was hit is told (NAP-R83)
		mates := p.mates(u.army, u.town)
		p.Tell(clause, to(mates, code, args...), to(p.others(mates), "nap.hit-block", armyArg("army", u.army)))
	}
	p.lose(u, 1)
}
