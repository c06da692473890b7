package mistakes

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// A melee of a combat: who supports, the modifiers, the dice, the effect and the losses
// (EM-11.2 to EM-11.6, EM-11.8).

// A melee is one of those of a combat. Lists have the melee's attacker first, who need not be
// that of the combat.
type melee struct {
	Attacker unitID      `pos:"attacker,required"`
	Defender unitID      `pos:"defender,required"`
	Charged  bool        `pos:"charged"` // a charge made this contact
	Charge   length      `pos:"charge"`  // how far it went
	Forded   bool        `pos:"forded"`  // across a stream
	Pursuit  bool        `pos:"pursuit"` // it was a pursuit
	Rear     bool        `pos:"rear"`    // the defender was struck on the rear
	Flank    bool        `pos:"flank"`   // or on a flank
	Support  [2][]unitID `pos:"support,most=99"`
	Dice     [2]int      `pos:"dice,max=6"`
	Again    [2]bool     `pos:"again"`         // rolls a second time (EM-11.5)
	Hits     [2]int      `pos:"hits,max=99"`   // losses to be given out
	Lost     [2][]toll   `pos:"lost,most=99"`  // as they were given out
	Beaten   unitID      `pos:"beaten"`        // who lost
	By       int         `pos:"by,max=99"`     // the difference
	Mates    []unitID    `pos:"mates,most=99"` // the formation of who lost, as it was
}

// A toll is losses that a unit takes.
type toll struct {
	Unit unitID `pos:"unit,required"`
	N    int    `pos:"n,max=9"`
}

// fighters are the attacker and the defender of the melee.
func (m *melee) fighters() [2]unitID { return [2]unitID{m.Attacker, m.Defender} }

// takers lists who took part for one of the two: the fighter first.
func (m *melee) takers(i int) []unitID { return append([]unitID{m.fighters()[i]}, m.Support[i]...) }

// inMelee gives the place of an army in the melee: 0 for that of its attacker.
func (g *game) inMelee(a army) int {
	if g.def(g.Combat.Melee.Attacker).army == a {
		return 0
	}
	return 1
}

// findSide finds the side on which a charge strikes; its defender chooses where that is at a
// corner (EM-3.8, EM-11.3).
func (p *battlefield) findSide() {
	c, m := p.Combat, p.Combat.Melee
	c.Stage = atSupport
	if !m.Charged || p.def(m.Defender).garrison() {
		return
	}
	first, second, ok := p.struck(m.Defender, m.Attacker)
	switch {
	case !ok:
	case first != second:
		c.asks(p.def(m.Defender).army, askSide)
	default:
		m.strike(first)
	}
}

// strike notes the side that is struck.
func (m *melee) strike(side geometry.Flank) {
	m.Rear, m.Flank = side == geometry.Rear, side == geometry.Left || side == geometry.Right
}

// sideFault says why a side can't be the one that is struck (EM-3.8).
func (g *game) sideFault(side geometry.Flank) *play.Fault {
	m := g.Combat.Melee
	if first, second, ok := g.struck(m.Defender, m.Attacker); ok && (side == first || side == second) {
		return nil
	}
	return &play.Fault{Clause: "EM-3.8", Why: phrase.Say("em.side-none", g.unitArg("unit", m.Defender))}
}

// choosesSide answers stop EM-S12.
func (p *battlefield) choosesSide(side geometry.Flank) {
	m := p.Combat.Melee
	m.strike(side)
	p.Combat.answered(p.def(m.Defender).army, askSide)
}

// frontZone is one segment ahead of a unit's front (EM-11.4).
func (g *game) frontZone(u unitID) geometry.Body {
	b := g.body(u)
	b.V0, b.V1 = b.V1, b.V1+int64(g.segment())
	return geometry.NewBody(b.Piece)
}

// mayBack lists the units that may support one of the two fighters (EM-11.4).
func (g *game) mayBack(i int) []unitID {
	c, m := g.Combat, g.Combat.Melee
	fighter, foe := m.fighters()[i], m.fighters()[1-i]
	f := g.of(fighter)
	if f == nil {
		return nil
	}
	var all []unitID
	for _, one := range g.united(f) {
		for _, u := range one.Units {
			if u != fighter && g.contact(u, fighter) && !slices.Contains(c.Barred, u) && !g.Units[u].Bridged && g.freeToBack(u, foe) {
				all = append(all, u)
			}
		}
	}
	slices.Sort(all)
	return all
}

// freeToBack says whether nothing keeps a unit from supporting against a foe: it touches no
// enemy, and none invades the zone ahead of its front. A gun is unlimbered, has the foe in its
// engagement area, and a horse gun did not limber and unlimber in this turn (EM-11.4, EM-15.4).
func (g *game) freeToBack(u, foe unitID) bool {
	x, gun := &g.Units[u], g.def(u).arm == artillery
	if g.engaged(u) || gun && (x.Limber != unlimbered || !g.invades(foe, u) || g.def(u).mount == horse && x.Limbered && x.Unlimbered) {
		return false
	}
	zone := g.frontZone(u)
	return !slices.ContainsFunc(g.standing(), func(e unitID) bool {
		b := g.body(e)
		return g.enemies(u, e) && (!gun || e != foe) && g.near(&b, &zone)
	})
}

// askSupporters asks both at once who supports (stop EM-S15).
func (p *battlefield) askSupporters() {
	c := p.Combat
	c.Stage = atDice
	for _, i := range []int{1, 0} {
		if u := c.Melee.fighters()[i]; len(p.mayBack(i)) > 0 {
			c.asks(p.def(u).army, askSupport)
		}
	}
}

// supportFault says why units may not support for an army.
func (g *game) supportFault(a army, units []unitID) *play.Fault {
	may := g.mayBack(g.inMelee(a))
	for i, u := range units {
		if !slices.Contains(may, u) || slices.Contains(units[:i], u) {
			return &play.Fault{Clause: "EM-11.4", Why: phrase.Say("em.support-not", g.unitArg("unit", u))}
		}
	}
	return nil
}

// backs answers stop EM-S15.
func (p *battlefield) backs(a army, units []unitID) {
	p.Combat.Melee.Support[p.inMelee(a)] = slices.Sorted(slices.Values(units))
	p.Combat.answered(a, askSupport)
}

// rollMelee rolls a die for each, the defender's first, tells both totals, and asks who may roll again:
// he sees both results (EM-11.5).
func (p *battlefield) rollMelee() {
	c, m := p.Combat, p.Combat.Melee
	c.Stage = atEffect
	for _, i := range []int{1, 0} {
		for _, u := range m.Support[i] {
			p.joins(u)
		}
		p.uses(i)
		m.Dice[i] = p.roll("em.roll-melee", p.def(m.fighters()[i]).army, p.unitArg("unit", m.fighters()[i]))
	}
	for _, i := range []int{1, 0} {
		p.tellThrow(i)
	}
	for _, i := range []int{1, 0} {
		if d := p.def(m.fighters()[i]); d.quality >= guard-quality(p.rerollFrom) {
			c.asks(d.army, askReroll)
		}
	}
}

// tellThrow tells the die of one of the two, what is added to it, and the total, which it gives (EM-11.8).
func (p *battlefield) tellThrow(i int) {
	m := p.Combat.Melee
	u, modifiers := m.fighters()[i], p.meleeModifiers(i)
	p.tell("EM-11.8", "em.throws", p.unitArg("unit", u), armyArg("army", p.def(u).army), phrase.Number("die", m.Dice[i]),
		explained(modifiers), phrase.Number("total", m.Dice[i]+sum(modifiers)))
}

// uses notes the terrain modifier that a formation uses in this melee: of the latest one in which
// it was not 0 (EM-R63).
func (p *battlefield) uses(i int) {
	n := p.meleeTerrain(i)
	if n == 0 {
		return
	}
	for _, u := range p.mates(p.Combat.Melee.fighters()[i]) {
		if r := p.noted(u); r != nil {
			r.Ground = n
		}
	}
}

// ground is the terrain modifier that formations have used in the combat: of several the highest; 0
// if none has used one (EM-R63).
func (g *game) ground(units []unitID) int {
	most := 0
	for _, u := range units {
		if r := g.noted(u); r != nil && r.Ground != 0 && (most == 0 || r.Ground > most) {
			most = r.Ground
		}
	}
	if most == 0 && len(units) > 0 {
		return g.Combat.Ground[g.role(units[0])]
	}
	return most
}

// rerolls answers stop EM-S16.
func (p *battlefield) rerolls(a army, again bool) {
	p.Combat.Melee.Again[p.inMelee(a)] = again
	p.Combat.answered(a, askReroll)
}

// meleeTerrain is what terrain adds to a fighter, and the stream that his charge crossed
// (EM-4.3 to EM-4.5, EM-4.11). By option the defender of the combat keeps his in the
// counterattack (EM-R52).
func (g *game) meleeTerrain(i int) int {
	m := g.Combat.Melee
	u := m.fighters()[i]
	n := g.combatTerrain(u, i == 1 || g.terrainInCounter != 0 && g.Combat.Step == counterattack && !m.Pursuit && g.role(u) == 1)
	if i == 0 && m.Forded {
		n += streamCharge
	}
	return n
}

// weak says whether a unit counts as shaken in the melee: by its marker, since its charge crossed
// a bridge, or as the one that was struck on a flank or the rear (EM-4.11, EM-11.3, EM-R43).
func (g *game) weak(u unitID) bool {
	m := g.Combat.Melee
	struck := u == m.Defender && (m.Flank || m.Rear && g.rearFirm == 0)
	return g.Units[u].Yellow > 0 || g.Units[u].Bridged || struck
}

// supporters counts those who support one of the two, of an arm; firm counts only those who are
// not shaken.
func (g *game) supporters(i int, of arm, firm bool) int {
	n := 0
	for _, u := range g.Combat.Melee.Support[i] {
		if g.def(u).arm == of && (!firm || !g.weak(u)) {
			n++
		}
	}
	return n
}

// supportMost is the most that supporters of the fighter's own arm add.
const supportMost = 2

// meleeModifiers are those of one of the two (EM-11.8), in the order of the table.
func (g *game) meleeModifiers(i int) []modifier {
	m := g.Combat.Melee
	u, foe := m.fighters()[i], m.fighters()[1-i]
	d, x := g.def(u), g.def(foe)
	var all []modifier
	add := func(is bool, why string, n int) {
		if is && n != 0 {
			all = append(all, modifier{why, n})
		}
	}
	add(true, "em.melee-terrain", g.meleeTerrain(i))
	add(i == 0 && m.Charged && m.Charge > g.measures.ruler, "em.melee-charge", 1)
	add(g.of(u) != nil && g.attachedTo(g.of(u)) != 0, "em.melee-leader", 1)
	add(d.quality >= veterans+quality(g.meleeBonus), "em.melee-quality", 1)
	add(slices.Contains(g.Combat.Backed, foe) && !(d.arm == infantry && x.arm == cavalry), "em.melee-backed", 1)
	if d.arm != artillery {
		add(true, "em.melee-support", min(g.supporters(i, d.arm, false), supportMost))
	}
	add(d.quality == recruits, "em.melee-recruits", -1)
	shaken := -1
	if d.arm == infantry && x.arm == cavalry && i == 1 {
		shaken = -2
	}
	add(g.weak(u), "em.melee-shaken", shaken)
	add(d.arm == infantry && x.arm == infantry, "em.melee-fire", d.fire)
	horsemen := 1
	if x.arm == infantry {
		horsemen = 2
	}
	add(d.arm == infantry && x.arm != artillery && g.supporters(i, cavalry, true) > 0, "em.melee-horsemen", horsemen)
	add(d.arm == cavalry && g.supporters(i, infantry, true) > 0, "em.melee-footmen", 1)
	if d.arm == cavalry && x.arm == cavalry {
		add(d.weight > x.weight, "em.melee-weight", int(d.weight-x.weight))
	}
	short := m.Charged && m.Charge > g.measures.ruler && m.Charge <= g.segment()
	add(d.arm == cavalry && i == 0 && x.arm == infantry && !g.weak(foe) && !short && !m.Pursuit, "em.melee-square", -2)
	add(true, "em.melee-guns", g.supporters(i, artillery, false))
	return all
}

// settleMelee compares the totals, lets the lesser suffer, and rolls the losses (EM-11.6).
func (p *battlefield) settleMelee() {
	c, m := p.Combat, p.Combat.Melee
	var total [2]int
	for _, i := range []int{1, 0} {
		u := m.fighters()[i]
		if m.Again[i] {
			p.tell("EM-11.5", "em.throws-again", p.unitArg("unit", u), armyArg("army", p.def(u).army), phrase.Number("die", m.Dice[i]))
			m.Dice[i] = p.roll("em.roll-again", p.def(u).army, p.unitArg("unit", u))
			p.tellThrow(i)
		}
		total[i] = m.Dice[i] + sum(p.meleeModifiers(i))
	}
	won, lost := m.Attacker, m.Defender
	if total[0] < total[1] {
		won, lost = lost, won
	}
	by := max(total[0], total[1]) - min(total[0], total[1])
	p.tell("EM-11.6", "em.melee", p.unitArg("unit", won), p.unitArg("other", lost), phrase.Number("by", by))
	c.Barred = nil
	if total[0] != total[1] {
		loser := 0
		if total[1] < total[0] {
			loser = 1
		}
		m.Beaten, m.By = m.fighters()[loser], total[1-loser]-total[loser]
		m.Mates = []unitID{m.Beaten}
		if f := p.of(m.Beaten); f != nil {
			m.Mates = slices.Clone(f.Units)
		}
		p.suffer(m.Beaten, m.fighters()[1-loser], m.By)
	}
	c.Stage = atLosses
	for _, i := range []int{1, 0} {
		a := p.def(m.fighters()[i]).army
		dice := make([]int, len(m.takers(1-i)))
		for j := range dice {
			if dice[j] = p.roll("em.roll-losses", a); p.costs(dice[j]) {
				m.Hits[i]++
			}
		}
		if len(dice) > 0 {
			p.tell("EM-11.6", "em.melee-losses", armyArg("army", a), armyArg("by", p.def(m.fighters()[1-i]).army), phrase.Numbers("dice", dice), phrase.Number("n", m.Hits[i]))
		}
		all := p.sharings(i)
		if len(all) == 1 {
			m.Lost[i] = all[0]
		} else {
			c.asks(a, askLosses)
		}
	}
}

// suffer does to a unit what losing a melee by a difference does (EM-11.6), and notes who backs
// off.
func (p *battlefield) suffer(u, by unitID, n int) {
	was := slices.Clone(p.Units)
	d, a := p.def(u), p.def(by).army
	switch {
	case n < 2:
	case d.garrison():
		p.garrisonSuffers(u, a, n)
	case d.arm == artillery && n < 5:
		p.takeOff(u, captured, a)
		p.settle()
	case n < 4:
		p.backOff(u, by, 1, false)
	case n == 4:
		p.retreat(u, by, false)
		if p.Units[u].Gone == offField && was[u].Yellow == 0 { // who has left the field counts in the outcome as well (EM-11.12)
			p.took(u).Got = 1
		}
	default:
		p.rout(u, by, false)
	}
	c := p.Combat
	for v := unitID(1); int(v) < len(p.Units); v++ {
		now := &p.Units[v]
		moved := p.on(v) && was[v].At != now.At
		if moved {
			c.Barred = append(c.Barred, v)
		}
		gone := was[v].Gone == 0 && now.Gone == offField // who backs off the field has backed off, too (EM-11.12)
		if (moved || gone) && !slices.Contains(c.Backed, v) {
			c.Backed = append(c.Backed, v)
		}
	}
	p.marks()
}

// marks notes the yellow markers that units of the formations in the combat have received in it.
func (p *battlefield) marks() {
	for i := range p.Combat.Took {
		r := &p.Combat.Took[i]
		if p.on(r.Unit) {
			r.marked(p.Units[r.Unit].Yellow)
		}
	}
}

// marked notes how many yellow markers a unit has.
func (r *record) marked(yellow int) { r.Got = max(r.Got, yellow-r.Yellow) }

// garrisonSuffers does to a garrison what losing a melee does (EM-14.1, EM-14.3, EM-R59): it
// never gives way. A rout eliminates it, and a retreat the one that the file names; the other is
// shaken by it, a second time routed.
func (p *battlefield) garrisonSuffers(u unitID, by army, n int) {
	x := &p.Units[u]
	switch {
	case n < 4:
	case n > 4, p.def(u).frail, x.Yellow > 0:
		p.eliminate(u, by)
	default:
		x.Yellow = 1
		p.tell("EM-14.3", "em.shaken", p.unitArg("unit", u))
	}
}

// room is how many losses a unit on the field can still take.
func (g *game) room(u unitID) int {
	if !g.on(u) {
		return 0
	}
	return g.left(u)
}

// left is how many losses a unit can take yet. A garrison that has as many as its game allows, since the game allowed
// more when it had them, stands until the next.
func (g *game) left(u unitID) int { return max(g.capacity(u)-g.Units[u].Losses, 1) }

// sharings lists all ways in which one of the two may give out his losses (EM-11.6): all that
// can be placed, to the fighter no fewer than to any other, none beyond its capacity (EM-R45).
func (g *game) sharings(i int) [][]toll {
	m := g.Combat.Melee
	takers := m.takers(i)
	most := g.room(takers[0])
	total := most
	for _, u := range takers[1:] {
		total += min(g.room(u), most)
	}
	hits := min(m.Hits[i], total)
	var all [][]toll
	var share func(k, left int, so []toll)
	share = func(k, left int, so []toll) {
		if k == len(takers) {
			if left == 0 {
				all = append(all, slices.Clone(so))
			}
			return
		}
		high := min(g.room(takers[k]), left)
		if k > 0 {
			high = min(high, so[0].N)
		}
		for n := high; n >= 0; n-- {
			share(k+1, left-n, append(so, toll{takers[k], n}))
		}
	}
	share(0, hits, nil)
	return all
}

// lossFault says why losses can't be given out so.
func (g *game) lossFault(a army, so []toll) *play.Fault {
	for _, legal := range g.sharings(g.inMelee(a)) {
		same := true
		for _, x := range legal {
			same = same && x.N == lossOf(so, x.Unit)
		}
		if same && !slices.ContainsFunc(so, func(x toll) bool { return lossOf(legal, x.Unit) != x.N }) {
			return nil
		}
	}
	return &play.Fault{Clause: "EM-11.6", Why: phrase.Say("em.losses-not", phrase.Number("n", g.Combat.Melee.Hits[g.inMelee(a)]))}
}

// lossOf is what a unit takes of losses that were given out.
func lossOf(so []toll, u unitID) int {
	n := 0
	for _, x := range so {
		if x.Unit == u {
			n += x.N
		}
	}
	return n
}

// usualLosses gives losses out as the deadline does: the first to the fighter, then each to who
// may take it and has most to go, the lowest number first.
func (g *game) usualLosses(a army) []toll {
	legal := g.sharings(g.inMelee(a))[0]
	so, hits := make([]toll, len(legal)), 0
	for i, x := range legal {
		so[i].Unit = x.Unit
		hits += x.N
	}
	for n := range hits {
		best := 0
		for i, x := range so {
			left := g.room(x.Unit) - x.N
			if n == 0 || left <= 0 || i > 0 && x.N >= so[0].N {
				continue
			}
			if most := g.room(so[best].Unit) - so[best].N; left > most || left == most && x.Unit < so[best].Unit {
				best = i
			}
		}
		so[best].N++
	}
	return so
}

// givesOut answers stop EM-S17.
func (p *battlefield) givesOut(a army, so []toll) {
	p.Combat.Melee.Lost[p.inMelee(a)] = so
	p.Combat.answered(a, askLosses)
}

// giveLosses gives the losses out, the defender's first, and goes on to the pursuit.
func (p *battlefield) giveLosses() {
	c, m := p.Combat, p.Combat.Melee
	for _, i := range []int{1, 0} {
		by := p.def(m.fighters()[1-i]).army
		for _, x := range m.Lost[i] {
			p.lose(x.Unit, x.N, by)
		}
	}
	p.marks()
	p.beginChase()
	if c.Chase == nil {
		c.Stage = atStep
	} else {
		c.Stage = atChase
	}
}
