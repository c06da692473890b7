package napoleon

import (
	"slices"
	"strings"

	"berthier/engine"
	"berthier/orders/phrase"
)

// A stage is where a battle stands between its opening and its end (NAP-6.1e).
type stage int8

const (
	opened            stage = iota // nothing done yet
	revealing                      // skirmish: both choose whom to show (NAP-6.6)
	skirmishing                    // skirmish: the shown units fire (NAP-6.6b)
	withdrawing                    // skirmish: the loser retreats (NAP-6.6e)
	drawing                        // terrain of the attacker is placed (NAP-6.21)
	answering                      // terrain of the defender is placed
	deployingDefender              // (NAP-6.22)
	deployingAttacker              //
	fighting                       // in battle turns (NAP-6.30)
	routing                        // one side is routed and leaves (NAP-7.4)
	regrouping                     // the winner regroups (NAP-7.5)
	finished                       //
)

// A step is where a battle turn stands (NAP-6.30).
type step int8

const (
	turnDue       step = iota // not begun
	moraleStep                // (NAP-6.31)
	combatStep                // (NAP-6.32, NAP-6.33)
	reinforceStep             // (NAP-6.34)
	retreatStep               // of a side in a stalemate (NAP-6.7)
	turnOver                  // all done but the count
)

// townArg fills a place of a sentence with a town.
func (g *game) townArg(place string, t townID) argument {
	return phrase.Name(place, "town", g.towns[t].id)
}

// townArgs fills a place of a sentence with towns.
func (g *game) townArgs(place string, towns []townID) argument {
	return phrase.NamesOf(place, "town", towns, func(t townID) string { return g.towns[t].id })
}

// unitArg fills a place of a sentence with a unit.
func (g *game) unitArg(place string, u *unit) argument {
	return phrase.Name(place, "unit", g.unitName(u.id))
}

// fieldArgs fill a place of a sentence with a field of the board, and the place with "-of"
// at its end with the same by its owner, whom both sides call alike: "the French right". Of
// the reserve, which both have, the owner is the camp that is given.
func (b *battle) fieldArgs(place string, f field, c camp) []argument {
	switch f {
	case attackerLeft, attackerCenter, attackerRight:
		c = b.attacker
	case defenderLeft, defenderCenter, defenderRight:
		c = b.attacker.enemy()
	}
	word := f.String()
	flank := c.String() + "-" + word[strings.LastIndexByte(word, '-')+1:]
	return []argument{phrase.Name(place, "field", word), phrase.Name(place+ownedMark, "flank", flank)}
}

// ownedMark is the end of the name of a place that tells the owner of a field, too.
const ownedMark = "-of"

func armyArg(place string, a army) argument { return phrase.Name(place, "army", a.String()) }

func kindArg(place string, k kind) argument { return phrase.Name(place, "kind", k.String()) }

// whoArg fills a place of a sentence with a side or a camp as its subject: "the
// Allies".
func whoArg(place, id string) argument { return phrase.Name(place, "who", id) }

func campArg(place string, c camp) argument { return phrase.Name(place, "camp", c.String()) }

// tellUnit notes what one unit does: everybody learns it if the enemy sees the unit;
// otherwise the enemy is told of a block, under the code with "-block" at its end.
func (p *campaign) tellUnit(clause string, u *unit, code string, args ...argument) {
	named := append([]argument{p.unitArg("unit", u)}, args...)
	if u.shown {
		p.Tell(clause, to(p.everyone(), code, named...))
		return
	}
	mates := p.mates(u.army, u.town)
	block := append([]argument{armyArg("army", u.army)}, args...)
	p.Tell(clause, to(mates, code, named...), to(p.others(mates), code+"-block", block...))
}

// tellAll notes what everybody may know.
func (p *campaign) tellAll(clause, code string, args ...argument) {
	p.Tell(clause, to(p.everyone(), code, args...))
}

// battlePhase plays the battle phase on by one step: skirmishes, then the
// set-up of every battle, then cycles of battle turns (NAP-6.1e).
func (p *campaign) battlePhase() {
	if len(p.battles) == 0 {
		p.openBattles()
	}
	b := p.nextBattle()
	switch {
	case b == nil:
		p.closeBattles()
	case !b.ordered && p.orderNeeded(b):
		// the attacker was asked
	case b.skirmish:
		p.skirmish(b)
	case b.stage < fighting:
		p.setUp(b)
	case b.stage == routing:
		p.rout(b)
	case b.stage == regrouping:
		p.regroup(b)
	default:
		p.battleTurn(b)
	}
}

// openBattles finds the towns where both camps stand (NAP-6.1) and tells
// battles from skirmishes (NAP-6.1b).
func (p *campaign) openBattles() {
	attacker := p.turns[p.turn].camp
	present := make([][2]int, len(p.towns))
	for i := range p.units {
		if u := &p.units[i]; !u.dead && u.town != noTown {
			present[u.town][u.army.camp()]++
		}
	}
	for t := range p.towns {
		t := townID(t)
		mine, theirs := present[t][attacker], present[t][attacker.enemy()]
		if mine == 0 || theirs == 0 {
			continue
		}
		if least := p.numbers.minAttack; mine < least && p.failAttack(t, attacker) {
			continue
		}
		b := battle{town: t, attacker: attacker, skirmish: min(mine, theirs) < minBattle, acting: attacker}
		if p.three() {
			b.lead = p.leadOf(t)
		}
		for i := range p.units { // (NAP-7.1, NAP-R70)
			if u := &p.units[i]; u.present(t) && u.army.camp() == attacker && u.came != noTown {
				b.enters(u.came)
			}
		}
		p.battles = append(p.battles, b)
		code := "nap.battle-opens"
		if b.skirmish {
			code = "nap.skirmish-opens"
		}
		if p.numbers.minAttack > 0 {
			if b.skirmish = theirs < p.numbers.minAttack; b.skirmish {
				code = "nap.forced-retreat-opens"
			}
		}
		p.tellAll("NAP-6.1", code, p.townArg("town", t), whoArg("attacker", attacker.String()),
			phrase.Number("mine", mine), phrase.Number("theirs", theirs))
	}
	sortByName(p.scenario, p.battles)
	p.pool = p.freshPool()
}

// minBattle is the least number of units of a camp for a battle (NAP-6.1b).
const minBattle = 3

// sortByName puts battles in the alphabetical order of their towns, which
// holds until the attacker chooses another.
func sortByName(s *scenario, battles []battle) {
	for i := 1; i < len(battles); i++ {
		for j := i; j > 0 && s.towns[battles[j].town].name < s.towns[battles[j-1].town].name; j-- {
			battles[j], battles[j-1] = battles[j-1], battles[j]
		}
	}
}

// closeBattles ends the battle phase.
func (p *campaign) closeBattles() {
	p.battles, p.pool = nil, nil
	p.phase = supplyPhase
}

// nextBattle gives the battle to go on with; nil when none is open.
//
// Skirmishes come before all (NAP-6.1d), then what has been begun, then the
// set-up of battles in their order (NAP-R27), then the turns of a cycle: one of
// the attacker and one of the defender in each battle, or the attacker's in all
// and then the defender's (NAP-6.1c, option interleave).
func (p *campaign) nextBattle() *battle {
	var unset, turn, fresh *battle
	for i := range p.battles {
		b := &p.battles[i]
		switch {
		case b.stage == finished:
		case b.skirmish:
			return b
		case b.stage == routing || b.stage == regrouping || b.step != turnDue || b.hits != nil,
			b.stage > opened && b.stage < fighting:
			return b
		case b.stage == opened:
			if unset == nil {
				unset = b
			}
		case !b.ordered:
			if fresh == nil {
				fresh = b
			}
		case turn == nil || p.before(b, turn):
			turn = b
		}
	}
	switch {
	case unset != nil:
		return unset
	case turn != nil:
		return turn
	}
	return fresh
}

// before tells whether the turn that is due in one battle comes before the turn that is
// due in another, which is earlier in battle order.
func (p *campaign) before(b, other *battle) bool {
	if p.options.interleave == interleaveBySide {
		return b.number < other.number
	}
	return b.number%2 == 0 && other.number%2 == 1 // the defender of the first answers first
}

// orderNeeded asks the attacker for the order of the open skirmishes or battles
// if there are two or more; otherwise their order is settled (NAP-6.1d, NAP-R10).
// The order of the set-up also holds for the first cycle.
func (p *campaign) orderNeeded(b *battle) bool {
	open := p.unordered()
	if len(open) < 2 {
		b.ordered = true
		return false
	}
	p.ask([]engine.Side{p.ordersBattles(b.attacker, open)}, "battle-order", "")
	return true
}

// ordersBattles is who settles the order of battles for the attacker (NAP-R17).
func (g *game) ordersBattles(c camp, open []townID) engine.Side {
	if g.shared(c) {
		return g.sideOf(g.leadOf(open...))
	}
	return g.sidesOf(c)[0]
}

// unordered lists the towns whose place in the order is not settled: those of the
// skirmishes, or else those of the battles.
func (g *game) unordered() []townID {
	var skirmishes, others []townID
	for i := range g.battles {
		b := &g.battles[i]
		switch {
		case b.stage == finished || b.ordered:
		case b.skirmish:
			skirmishes = append(skirmishes, b.town)
		default:
			others = append(others, b.town)
		}
	}
	if len(skirmishes) > 0 {
		return skirmishes
	}
	return others
}

// orderBattles puts battles in the order of the attacker's choice.
func (p *campaign) orderBattles(order []townID) {
	sorted := make([]battle, 0, len(p.battles))
	for i := range p.battles {
		if b := &p.battles[i]; !containsTown(order, b.town) {
			sorted = append(sorted, *b)
		}
	}
	for _, t := range order {
		for i := range p.battles {
			if b := &p.battles[i]; b.town == t {
				b.ordered = true
				sorted = append(sorted, *b)
			}
		}
	}
	p.battles = sorted
	p.tellAll("NAP-6.1c", "nap.battle-order", p.townArgs("towns", order))
}

func containsTown(towns []townID, t townID) bool {
	for _, o := range towns {
		if o == t {
			return true
		}
	}
	return false
}

func containsUnit(units []unitID, u unitID) bool {
	for _, o := range units {
		if o == u {
			return true
		}
	}
	return false
}

// lose takes strength from a unit; a unit that has none left is eliminated, together with
// the unit that it sheltered (NAP-3.4, NAP-6.52c).
func (p *campaign) lose(u *unit, n int8) {
	if n == 0 || u.dead {
		return
	}
	if u.strength > n {
		u.strength -= n
		if u.shown {
			p.sight(u)
		}
		return
	}
	p.kill(u)
}

// kill eliminates a unit and the unit that it sheltered.
func (p *campaign) kill(u *unit) {
	square, id := u.square, u.id
	p.eliminate(u)
	u.leaveBoard()
	if !square {
		return
	}
	for i := range p.units {
		if s := &p.units[i]; s.shelter == id && !s.dead {
			p.kill(s)
		}
	}
}

// checkEnd finds out whether the battle is over after something changed: a side
// is routed when one of its own positions is held by enemies only (NAP-7.4), and
// beaten when no unit of its is left on the board (NAP-7.0c). It must be called
// after every single change.
func (p *campaign) checkEnd(b *battle) {
	if b.stage != fighting {
		return
	}
	var stands [fields][2]bool
	var any [2]bool
	for i := range p.units {
		if u := &p.units[i]; b.fights(u) {
			stands[u.field][u.army.camp()] = true
			any[u.army.camp()] = true
		}
	}
	for c := range any {
		if !any[c] {
			p.win(b, camp(c).enemy(), !any[camp(c).enemy()])
			return
		}
	}
	for f := attackerLeft; f < fields; f++ {
		if c := b.owner(f); stands[f][c.enemy()] && !stands[f][c] {
			p.beginRout(b, c, "nap.rout", f)
			return
		}
	}
	if !p.reading.emptyRouts {
		return
	}
	for f := attackerLeft; f < fields; f++ { // (NAP-R60)
		c := b.owner(f)
		here := stands[f][c] || p.options.routTest == sectorOwnOrForward && stands[f.opposite()][c]
		b.vacant[f] = b.vacant[f] && !here
		if !here && !b.vacant[f] {
			p.beginRout(b, c, "nap.rout-empty", f)
			return
		}
	}
}

// win ends the fighting; the winner may regroup (NAP-7.42, NAP-7.6). Nobody
// wins when nobody is left (NAP-R74).
func (p *campaign) win(b *battle, winner camp, empty bool) {
	if b.stage == fighting { // otherwise the rout has already been told
		p.tellVoid(b)
	}
	b.won, b.empty = winner, empty
	b.stage, b.step = regrouping, turnDue
	b.hits, b.morale = nil, nil
	if b.orders != nil {
		b.orders.actions = nil
		if winner != b.acting || b.second {
			b.orders = nil
		}
	}
	b.second, b.brought = false, nil
	for i := range p.units {
		if u := &p.units[i]; u.present(b.town) {
			p.hide(u)
			u.leaveBoard()
		}
	}
	if empty {
		p.tellAll("NAP-R74", "nap.battle-empty", p.townArg("town", b.town))
		p.finish(b)
		return
	}
	p.tellAll("NAP-7.6", "nap.battle-won", p.townArg("town", b.town), whoArg("winner", winner.String()))
}

// finish closes a battle. It stays in the list until the end of the phase.
func (p *campaign) finish(b *battle) {
	*b = battle{
		town: b.town, attacker: b.attacker, skirmish: b.skirmish, entries: b.entries,
		stage: finished, ordered: true, number: b.number, acting: b.acting, lead: b.lead, won: b.won, empty: b.empty,
	}
}

// seenBy gives what a side knows of a battle: everything except what the enemy has
// ordered but not done yet, and which answer of his is waited for (section 7 of the digest).
func (b *battle) seenBy(g *game, side engine.Side) battle {
	v := battle{
		town: b.town, attacker: b.attacker, skirmish: b.skirmish, entries: b.entries, stage: b.stage,
		terrain: b.terrain, streams: b.streams, drawn: slices.Clone(b.drawn),
		number: b.number, acting: b.acting, step: b.step, crossed: b.crossed, activated: b.activated, vacant: b.vacant,
		idle: b.idle, stalemate: b.stalemate, busy: b.busy, won: b.won, empty: b.empty,
	}
	commands := func(c camp) bool {
		for _, s := range g.sidesOf(c) {
			if s == side {
				return true
			}
		}
		return side == engine.GM
	}
	// A player who is apart from his ally knows of a battle in which he has no unit only
	// what the enemy knows, and what both must know in order to give orders (NAP-R57).
	knows := func(c camp) bool {
		return commands(c) && (c == frenchCamp || side == engine.GM || !g.apart() || g.isIn(b.town, side))
	}
	if commands(b.acting) || !g.numbers.leadersFree { // otherwise a unit that does not count would be known as a leader
		v.roadUse = slices.Clone(b.roadUse)
	}
	v.lead = b.lead
	if commands(alliedCamp) {
		v.second, v.brought = b.second, slices.Clone(b.brought)
	}
	if commands(b.attacker) {
		v.ordered = b.ordered
	}
	if last := (&battle{attacker: b.attacker, number: b.reinforced}); commands(last.usualActing().enemy()) {
		v.reinforced = b.reinforced // for the plans of the side that did not bring them
	}
	for i, s := range g.Sides() {
		if s == side || side == engine.GM {
			v.planned[i] = b.planned[i]
		}
	}
	if knows(b.acting) {
		v.guide = b.guide
		v.morale = slices.Clone(b.morale)
		if b.orders != nil && (side == engine.GM || side == g.hand(b, b.acting)) {
			v.orders = b.orders.clone()
		}
	} else if b.stage == fighting && b.step != turnDue {
		v.step = combatStep
	}
	if b.hits != nil && knows(b.hits.victims) {
		hits := *b.hits
		v.hits = &hits
	}
	return v
}

// clone is a copy that shares nothing that changes. Slices of a battle that are
// only ever replaced whole are shared.
func (b *battle) clone() battle {
	c := *b
	c.drawn = slices.Clone(b.drawn)
	c.entries = slices.Clone(b.entries)
	c.roadUse = slices.Clone(b.roadUse)
	c.brought = slices.Clone(b.brought)
	c.morale = slices.Clone(b.morale)
	if b.orders != nil {
		c.orders = b.orders.clone()
	}
	if b.hits != nil {
		hits := *b.hits
		c.hits = &hits
	}
	return c
}
