package waterloo

import "slices"

// Battle points (WAT-9.20 to 9.26). These functions only read a game, so they work on a
// position and on a view alike.

// A role is what a side is in a battle.
type role int8

const (
	attacking role = iota
	defending
)

// A fighter is an attacking unit.
type fighter struct {
	Unit   unitID
	Out    bool // disordered by artillery, so no longer in the battle (WAT-9.16)
	Points int  `pos:"points,max=9999"` // with command and without cards, from the reveal on (WAT-R37)
}

// A party is what one role puts into a battle.
type party struct {
	Filed bool     // it is settled what the role commits; secret
	Cards []commit // in the order in which their owner gave them; secret until the reveal
	Total int      `pos:"total,max=9999"` // battle points; set at the reveal
}

// of gives the party that plays a role.
func (b *battleFrame) of(r role) *party {
	if r == attacking {
		return &b.Attack
	}
	return &b.Defence
}

// still lists the attackers that are still in the battle.
func (b *battleFrame) still() []unitID {
	var ids []unitID
	for _, f := range b.Attackers {
		if !f.Out {
			ids = append(ids, f.Unit)
		}
	}
	return ids
}

// fighting gives the army whose units fight in a role. All attackers are of one army
// (WAT-9.3).
func (g *game) fighting(b *battleFrame, r role) army {
	if r == defending || len(b.Attackers) == 0 {
		return g.armyOf(b.Target)
	}
	return g.armyOf(b.Attackers[0].Unit)
}

// elites counts the elite cards that a role has played on a unit.
func (b *battleFrame) elites(r role, id unitID) int {
	n := 0
	for _, c := range b.of(r).Cards {
		if c.As == asElite && c.Unit == id {
			n++
		}
	}
	return n
}

// commands counts the command cards of a role (WAT-11.2).
func (b *battleFrame) commands(r role) int {
	n := 0
	for _, c := range b.of(r).Cards {
		if c.As == asCommand {
			n++
		}
	}
	return n
}

// doubled is a value doubled so many times.
func doubled(v, times int) int { return v << min(times, 8) }

// bearing tells on which side of a unit a square lies: 1 is its front, 2 a flank, 3 its
// rear. An attack from there is multiplied by this number (WAT-9.24, WAT-R02). Infantry in
// a chateau has its front on all sides (WAT-10.2).
func (g *game) bearing(target unitID, from square) int {
	if g.allRound(target) {
		return 1
	}
	u := g.unit(target)
	switch side, _ := g.toward(u.At, from); side {
	case u.Face:
		return 1
	case u.Face.back():
		return 3
	}
	return 2
}

// crossing is what an attack over an edge costs: 1 over a wall or a stream, and no more
// over both (WAT-9.20, WAT-R03, WAT-R04).
func (g *game) crossing(from square, side facing) int {
	if g.obstacle(g.edgeOf(from, side)) {
		return 1
	}
	return 0
}

// obstacle tells whether an edge takes a point from an attacker and stops a charge: a
// wall or a stream, even one with a bridge (WAT-R04).
func (g *game) obstacle(e edge) bool {
	return e.has(wall) || e.has(stream) && !(e.has(bridge) && g.options.bridgeCancels == on)
}

// attackPoints are an attacker's own battle points, without command and cards
// (WAT-9.20).
func (g *game) attackPoints(b *battleFrame, id unitID) int {
	u := g.unit(id)
	side, _ := g.toward(u.At, b.Square)
	position := g.bearing(b.Target, u.At)
	v := doubled(g.value(id), b.elites(attacking, id))
	if g.options.chateauAttack == on && g.allRound(id) {
		v *= 2 // WAT-R22
	}
	if b.Charge && (g.def(b.Target).arm == cavalry || position != 1) {
		v *= g.shock(id)
	}
	return max(0, v*position-g.crossing(u.At, side))
}

// shock is the number by which a charge multiplies a cavalry unit (WAT-11.4).
func (g *game) shock(id unitID) int {
	if g.def(id).weight == heavy {
		return 3
	}
	return 2
}

// commandBonus is what the command cards of its role give to a unit: the commander of
// its own army must be in its square or orthogonally next to it (WAT-9.25, WAT-R12).
func (g *game) commandBonus(b *battleFrame, r role, id unitID) int {
	n := b.commands(r)
	c := g.commanderOf(g.armyOf(id))
	if n == 0 || c == 0 || g.Commanders[c].At == 0 {
		return 0
	}
	if at := g.Commanders[c].At; at != g.unit(id).At {
		if _, near := g.toward(at, g.unit(id).At); !near {
			return 0
		}
	}
	if r == attacking {
		return n * g.options.commands[c].attack
	}
	return n * g.options.commands[c].defence
}

// cover is the number by which the ground multiplies the defender (WAT-9.23).
func (g *game) cover(b *battleFrame) int {
	switch g.terrain[b.Square] {
	case wood, village, chateau:
		return 2
	case hill:
		if !slices.ContainsFunc(b.still(), func(id unitID) bool { return g.terrain[g.unit(id).At] == hill }) {
			return 2
		}
	}
	return 1
}

// finalPoints are an attacker's battle points with command and without cards
// (WAT-R37).
func (g *game) finalPoints(b *battleFrame, id unitID) int {
	return g.attackPoints(b, id) + g.commandBonus(b, attacking, id)
}

// defencePoints are the battle points of the defender, with command and without cards (WAT-9.22).
func (g *game) defencePoints(b *battleFrame) int {
	return doubled(g.value(b.Target)*g.cover(b), b.elites(defending, b.Target)) + g.commandBonus(b, defending, b.Target)
}

// totals are the battle points of attacker and defender (WAT-9.21, WAT-9.22).
func (g *game) totals(b *battleFrame) (attack, defence int) {
	for _, id := range b.still() {
		attack += g.finalPoints(b, id)
	}
	defence = g.defencePoints(b)
	for _, c := range b.Attack.Cards {
		if c.As == asBattle {
			attack += g.card(c.Card).bp
		}
	}
	for _, c := range b.Defence.Cards {
		if c.As == asBattle {
			defence += g.card(c.Card).bp
		}
	}
	return attack, defence
}

// A sum tells for reports of what the total of a role is made.
type sum struct {
	Unit    unitID
	Points  int // without command and cards
	Command int
}

// sums lists what each unit of a role adds.
func (g *game) sums(b *battleFrame, r role) []sum {
	if r == defending {
		command := g.commandBonus(b, r, b.Target)
		return []sum{{b.Target, g.defencePoints(b) - command, command}}
	}
	var all []sum
	for _, id := range b.still() {
		all = append(all, sum{id, g.attackPoints(b, id), g.commandBonus(b, r, id)})
	}
	return all
}

// cardPoints adds up the battle cards of a role.
func (g *game) cardPoints(b *battleFrame, r role) int {
	n := 0
	for _, c := range b.of(r).Cards {
		if c.As == asBattle {
			n += g.card(c.Card).bp
		}
	}
	return n
}

// expected is a battle as anybody can foresee it before the cards are known: for
// templates, bots and standing orders.
func (g *game) expected(target unitID, with []unitID, charge, forced bool) *battleFrame {
	b := &battleFrame{Target: target, Square: g.unit(target).At, Charge: charge, Forced: forced}
	with = slices.Clone(with)
	slices.Sort(with)
	for _, id := range with {
		b.Attackers = append(b.Attackers, fighter{Unit: id})
	}
	return b
}
