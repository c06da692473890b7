package napoleon

import (
	"slices"

	"berthier/engine"
	"berthier/orders/phrase"
)

// How many pieces of terrain each side draws (NAP-6.21, NAP-R23).
const (
	attackerDraws = 1
	defenderDraws = 2
)

// setUp goes one step further in the set-up of a battle: terrain, then deployment,
// first of the attacker or defender, then of the other (NAP-6.2).
func (p *campaign) setUp(b *battle) {
	switch b.stage {
	case opened:
		if len(p.pool) >= attackerDraws+defenderDraws {
			p.drawTerrain(b, b.attacker, attackerDraws)
			b.stage = drawing
			p.askTerrain(b, b.attacker, "terrain-attacker")
			return
		}
		b.stage = drawing
	case drawing:
		b.stage = answering
		if len(p.pool) >= defenderDraws {
			p.drawTerrain(b, b.attacker.enemy(), defenderDraws)
			p.askTerrain(b, b.attacker.enemy(), "terrain-defender")
		}
	case answering:
		b.stage = deployingDefender
		p.ask([]engine.Side{p.leads(b, b.attacker.enemy())}, "deploy-defender", p.towns[b.town].id)
	case deployingDefender:
		if p.otherDeploys(b, b.attacker.enemy(), "deploy-defender") {
			return
		}
		b.stage = deployingAttacker
		p.ask([]engine.Side{p.leads(b, b.attacker)}, "deploy-attacker", p.towns[b.town].id)
	case deployingAttacker:
		if p.otherDeploys(b, b.attacker, "deploy-attacker") {
			return
		}
		p.revealDeployed(b)
		b.stage, b.step = fighting, turnDue
		b.number, b.acting = 1, b.attacker
	}
}

// otherDeploys asks the second of two players, after the lead, if he has units
// there (NAP-R17).
func (p *campaign) otherDeploys(b *battle, c camp, kind string) bool {
	if !p.handOn(b, c) {
		return false
	}
	if side := p.hand(b, c); len(p.ownIn(b.town, side)) > 0 {
		p.ask([]engine.Side{side}, kind, p.towns[b.town].id)
		return true
	}
	b.second = false
	return false
}

// drawTerrain takes pieces from the pool, face up (NAP-6.21, NAP-0.6).
func (p *campaign) drawTerrain(b *battle, c camp, n int) {
	names := make([]string, 0, n)
	b.drawn = nil
	for range n {
		i := 0
		if len(p.pool) > 1 {
			i = p.Dice.Roll(len(p.pool), phrase.Say("nap.roll-terrain", p.townArg("town", b.town), campArg("camp", c))) - 1
		}
		drawn := p.pool[i]
		pool := append([]piece(nil), p.pool[:i]...)
		p.pool = append(pool, p.pool[i+1:]...)
		b.drawn = append(b.drawn, drawn)
		names = append(names, drawn.String())
	}
	p.tellAll("NAP-6.21", "nap.terrain-drawn", p.townArg("town", b.town), campArg("camp", c), phrase.Names("pieces", "terrain", names))
}

// askTerrain asks a side where its pieces go.
func (p *campaign) askTerrain(b *battle, c camp, kind string) {
	p.ask([]engine.Side{p.leads(b, c)}, kind, p.towns[b.town].id)
}

// placeTerrain puts the drawn pieces on positions of the side that drew them.
func (p *campaign) placeTerrain(b *battle, c camp, places []field) {
	for i, f := range places {
		what := b.drawn[i]
		if what == stream {
			b.streams[f] = true
		} else {
			b.terrain[f] = what
		}
		p.tellAll("NAP-6.21", "nap.terrain-placed", append([]argument{p.townArg("town", b.town), campArg("camp", c),
			phrase.Name("piece", "terrain", what.String())}, b.fieldArgs("field", f, c)...)...)
	}
	b.drawn = nil
}

// tellRevealed tells which units of a field are seen from now on.
func (p *campaign) tellRevealed(b *battle, f field, names []string) {
	args := append([]argument{p.townArg("town", b.town)}, b.fieldArgs("field", f, b.attacker)...)
	p.tellAll("NAP-6.24", "nap.revealed", append(args, phrase.Names("units", "unit", names))...)
}

// deployBattle carries a deployment out; all units are hidden (NAP-6.24).
func (p *campaign) deployBattle(b *battle, c camp, d battleDeployAnswer) {
	for i := range p.units {
		u := &p.units[i]
		if !u.present(b.town) || u.army.camp() != c || !p.inHand(b, u) {
			continue
		}
		u.leaveBoard()
		u.shown = false
		u.field = reserve
	}
	for _, l := range d.places {
		u := p.unit(l.unit)
		u.field, u.holds = l.field, l.holds
	}
	if p.shared(c) && !b.second && len(p.ownIn(b.town, p.sideOf(ally(b.lead)))) > 0 {
		return // it is told when the other has deployed, too
	}
	args := []argument{p.townArg("town", b.town), campArg("camp", c)}
	for i, f := range b.ownFields(c) {
		args = append(args, phrase.Number(placeWords[i], p.count(b, f, c)))
	}
	p.tellAll("NAP-6.22", "nap.battle-deployed", append(args, phrase.Number("reserve", p.count(b, reserve, c)))...)
}

// revealDeployed shows what stands on positions, but not in woods or in reserve
// (NAP-6.24); nothing with full fog (NAP-6.24d).
func (p *campaign) revealDeployed(b *battle) {
	for f := attackerLeft; f < fields; f++ { // a position that could not be filled does not cause a rout (NAP-R18)
		b.vacant[f] = p.reading.emptyRouts && !p.held(b, f, b.owner(f))
	}
	if p.options.fogOfBattle == fogFull {
		return
	}
	for f := attackerLeft; f < fields; f++ {
		if b.terrain[f] == wood {
			continue
		}
		var names []string
		for i := range p.units {
			if u := &p.units[i]; b.fights(u) && u.field == f {
				p.reveal(u)
				names = append(names, p.unitName(u.id))
			}
		}
		if len(names) > 0 {
			p.tellRevealed(b, f, names)
		}
	}
}

// mayBeEmpty tells how many of a camp's positions must stay empty because only
// artillery is left for woods (NAP-6.21d, NAP-R18).
func (g *game) mayBeEmpty(b *battle, c camp) int {
	woods, able := 0, 0
	for _, f := range b.ownFields(c) {
		if b.terrain[f] == wood {
			woods++
		}
	}
	units := 0
	for i := range g.units {
		if u := &g.units[i]; u.present(b.town) && u.army.camp() == c {
			units++
			if !u.kind.artillery() {
				able++
			}
		}
	}
	return max(0, woods-able, 3-units)
}

// mayStand tells why a unit may not be deployed in a position (NAP-6.21c).
func (b *battle) mayStand(u *unit, f field) *fault {
	if f > reserve && b.terrain[f] == wood && u.kind.artillery() {
		return faultGunsWood
	}
	return nil
}

// corpsFault judges the corps of the units of one position: one, or two with a
// leader; two corps of one army need a leader of that army (NAP-6.23, NAP-6.23b, NAP-8.0,
// NAP-R19).
func (g *game) corpsFault(units []*unit) *fault {
	if g.options.corpsIntegrity == corpsOff {
		return nil
	}
	var corps [3]int
	var of [3]army // whose they are
	var leaders []army
	n := 0
	for _, u := range units {
		own := g.roster[u.id].corps
		if u.kind == leader || own < 0 {
			if u.kind == leader {
				leaders = append(leaders, u.army)
			}
			continue
		}
		known := false
		for _, c := range corps[:n] {
			known = known || c == own
		}
		if !known {
			if n == 2 {
				return refusal("NAP-6.23", "nap.corps-three")
			}
			corps[n], of[n] = own, u.army
			n++
		}
	}
	led := len(leaders) > 0 && (of[0] != of[1] || slices.Contains(leaders, of[0]))
	if n == 2 && !led && !(g.options.jointCorps == jointBoard && g.ledBoard(units[0])) {
		return refusal("NAP-6.23", "nap.corps-two")
	}
	return nil
}

// holdFault judges who stands on a farm or hill from the start (NAP-6.22).
func (b *battle) holdFault(u *unit, f field, what piece) *fault {
	switch {
	case f <= reserve || b.terrain[f] != what:
		return faultNoPiece
	case what == farm && u.kind != infantry:
		return faultFarmFoot
	}
	return nil
}

// ledBoard tells whether a leader of a unit's camp is in its town (NAP-R19,
// option joint_corps).
func (g *game) ledBoard(u *unit) bool {
	for i := range g.units {
		if l := &g.units[i]; l.kind == leader && l.present(u.town) && l.army.camp() == u.army.camp() {
			return true
		}
	}
	return false
}
