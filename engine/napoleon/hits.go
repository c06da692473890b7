package napoleon

import (
	"berthier/engine"
	"berthier/orders/phrase"
)

// A shot is a volley whose hits are being taken (NAP-6.4).
type shot struct {
	victims camp
	field   field // offBoard in a skirmish: the shown units
	squares bool  // at the square group, else at the others (NAP-6.51)
	long    bool  // can't eliminate (NAP-6.4c)
	cavalry bool  // can't hit a farm's occupant (NAP-6.21e)
	left    int8  // hits not taken yet
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

// takeHits gives hits one by one to the strongest unit of the group. Where
// fewer hits are left than units are strongest, their owner chooses (NAP-6.4);
// where there are enough for all of them there is nothing to choose.
func (p *campaign) takeHits(b *battle) {
	s := b.hits
	for s.left > 0 {
		strongest := p.strongest(b, s)
		if strongest == 0 || s.long && strongest == 1 {
			clause := "NAP-6.4"
			switch {
			case strongest != 0:
				clause = "NAP-6.4c"
			case s.squares:
				clause = "NAP-6.51"
			}
			p.tellAll(clause, "nap.hits-lost", phrase.Number("n", int(s.left)))
			break
		}
		tied := p.struck(b, s)
		if int(s.left) < len(tied) {
			d := engine.Decision{Side: p.sideOf(p.roster[tied[0]].army), Kind: "hits", At: p.towns[b.town].id}
			victims, ok := p.standing[p.seatOf(d.Side)].casualties(p.game, tied, int(s.left))
			if !ok {
				p.ask([]engine.Side{d.Side}, d.Kind, d.At)
				return
			}
			p.useStanding(d, "casualties")
			tied = victims
		}
		for _, id := range tied {
			p.hit(b, s, id)
		}
	}
	b.hits = nil
	p.calm(b, s.field)
	p.checkEnd(b)
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
		args = append(args, phrase.Number("strength", int(u.strength-1)))
	}
	if u.shown {
		p.Tell(clause, to(p.everyone(), code, args...))
	} else { // with full fog: that a block was hit, and no more (NAP-R83)
		mates := p.mates(u.army, u.town)
		p.Tell(clause, to(mates, code, args...), to(p.others(mates), "nap.hit-block", armyArg("army", u.army)))
	}
	p.lose(u, 1)
}
