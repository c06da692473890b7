package mistakes

import (
	"cmp"
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// The outcome of a combat: step E (EM-11.12 to EM-11.15), and what stands in its place where a
// garrison fought (EM-14.2).

// A keep is what a player keeps for the outcome: a die, and the sign of a leader's level.
type keep struct {
	Die    int      `pos:"die,max=6"`
	Leader leaderID `pos:"leader"`
	Sign   int      `pos:"sign,min=-1,max=1"`
}

// sharers lists the formations of a role that took part and still stand, in the order of their
// lowest numbers (EM-11.12): all that is left of them, whoever fought for them (EM-R103).
func (g *game) sharers(role int) []*formation {
	var all []*formation
	for _, u := range g.standing() {
		if f := g.of(u); f != nil && !slices.Contains(all, f) && slices.Contains(g.Combat.Involved, u) && g.role(u) == role {
			all = append(all, f)
		}
	}
	return all
}

// rollOutcome rolls a die for each formation that took part, the defender's first, tells all dice and what
// else counts for each side, and asks both which to keep (EM-11.12, stop EM-S21). Where one side has no formation left there is no outcome
// (EM-R96).
func (p *battlefield) rollOutcome() {
	c := p.Combat
	c.Stage = atWithdraw
	if len(p.sharers(0)) == 0 || len(p.sharers(1)) == 0 {
		c.Stage = atEnd
		return
	}
	for _, role := range []int{1, 0} {
		for _, f := range p.sharers(role) {
			c.Dice[role] = append(c.Dice[role], p.roll("em.roll-outcome", p.armyIn(role), p.unitArg("unit", f.Units[0])))
		}
		p.tell("EM-11.12", "em.outcome-dice", armyArg("army", p.armyIn(role)), phrase.Numbers("dice", c.Dice[role]), explained(p.outcomeMarks(role)))
		c.Kept[role] = p.usualKeep(role)
		if len(p.ledIn(role)) > 0 || slices.Min(c.Dice[role]) != slices.Max(c.Dice[role]) {
			c.asks(p.armyIn(role), askKeep)
		}
	}
}

// ledIn lists the leaders who are attached in the formations of a role (EM-11.12).
func (g *game) ledIn(role int) []leaderID {
	var all []leaderID
	for _, f := range g.sharers(role) {
		if l := g.attachedTo(f); l != 0 {
			all = append(all, l)
		}
	}
	return all
}

// usualKeep is what the deadline keeps: the lowest die, the highest level subtracted.
func (g *game) usualKeep(role int) keep {
	k := keep{Die: slices.Min(g.Combat.Dice[role])}
	for _, l := range g.ledIn(role) {
		if k.Leader == 0 || g.level(l) > g.level(k.Leader) {
			k.Leader, k.Sign = l, -1
		}
	}
	return k
}

// keepFault says why an army may not keep so.
func (g *game) keepFault(a army, k keep) *play.Fault {
	role := 1
	if a == g.armyIn(0) {
		role = 0
	}
	led := g.ledIn(role)
	if !slices.Contains(g.Combat.Dice[role], k.Die) {
		return &play.Fault{Clause: "EM-11.12", Why: phrase.Say("em.outcome-die", phrase.Number("die", k.Die))}
	}
	if len(led) == 0 && k.Leader != 0 || len(led) > 0 && (!slices.Contains(led, k.Leader) || k.Sign == 0) {
		return &play.Fault{Clause: "EM-11.12", Why: phrase.Say("em.outcome-leader")}
	}
	return nil
}

// keeps answers stop EM-S21.
func (p *battlefield) keeps(a army, k keep) {
	role := 1
	if a == p.armyIn(0) {
		role = 0
	}
	p.Combat.Kept[role] = k
	p.Combat.answered(a, askKeep)
}

// outcomeModifiers are those of one of the two (EM-11.12).
func (g *game) outcomeModifiers(role int) []modifier {
	k := g.Combat.Kept[role]
	if k.Leader == 0 {
		return g.outcomeMarks(role)
	}
	return append([]modifier{{"em.outcome-level", k.Sign * g.level(k.Leader)}}, g.outcomeMarks(role)...)
}

// outcomeMarks are those that are no choice: what both know before either keeps anything.
func (g *game) outcomeMarks(role int) []modifier {
	c := g.Combat
	var all []modifier
	add := func(why string, n int) {
		if n != 0 {
			all = append(all, modifier{why, n})
		}
	}
	var units []unitID
	elites, marks := 0, 0
	for _, r := range c.Took {
		if g.role(r.Unit) != role {
			continue
		}
		units = append(units, r.Unit)
		if !r.Idle && g.def(r.Unit).quality >= elite {
			elites = -1
		}
		switch {
		case r.Got > 0:
			marks += r.Got + 1
		case slices.Contains(c.Backed, r.Unit):
			marks++
		}
	}
	add("em.outcome-terrain", -g.ground(units))
	add("em.outcome-elite", elites)
	add("em.outcome-marks", marks)
	return all
}

// settleOutcome has the formations of who has the higher total withdraw (EM-11.12).
func (p *battlefield) settleOutcome() {
	c := p.Combat
	var total [2]int
	for role := range total {
		modifiers := p.outcomeModifiers(role)
		total[role] = c.Kept[role].Die + sum(modifiers)
		p.tell("EM-11.12", "em.outcome-throws", armyArg("army", p.armyIn(role)), phrase.Numbers("dice", c.Dice[role]),
			phrase.Number("die", c.Kept[role].Die), explained(modifiers), phrase.Number("total", total[role]))
	}
	loser := 0
	if total[1] > total[0] {
		loser = 1
	}
	c.Back = (max(total[0], total[1]) - min(total[0], total[1]) + 1) / 2
	p.tell("EM-11.12", "em.outcome", armyArg("army", p.armyIn(loser)), phrase.Number("n", c.Back))
	c.Stage = atEnd
	if c.Back == 0 {
		return
	}
	c.Stage = atToll
	var all [][]unitID
	for _, f := range p.sharers(loser) {
		all = append(all, slices.Clone(f.Units))
		c.Withdrew = append(c.Withdrew, withdrawal{ID: f.ID, Units: slices.Clone(f.Units)})
	}
	gone := p.withdraws(all, c.Back, p.armyIn(1-loser))
	choice := false
	for i := range c.Withdrew {
		w := &c.Withdrew[i]
		w.Gone = slices.DeleteFunc(slices.Clone(w.Units), func(u unitID) bool { return !slices.Contains(gone, u) })
		choice = choice || len(p.present(w.Gone)) > 1
	}
	if choice {
		c.asks(p.armyIn(loser), askToll)
	}
}

// A withdrawal is what became of a formation that had to withdraw.
type withdrawal struct {
	ID    string   `pos:"id"`
	Units []unitID `pos:"units,most=99"`
	Gone  []unitID `pos:"gone,most=99"` // which of them have withdrawn
	Pays  unitID   `pos:"pays"`         // which takes the loss
}

// present leaves out of a list the units that are no longer on the field.
func (g *game) present(units []unitID) []unitID {
	return slices.DeleteFunc(slices.Clone(units), func(u unitID) bool { return !g.on(u) })
}

// withdraws moves the units of formations straight back, one by one, the rear-most of all first; one
// that can't get all the way stays and takes a loss (EM-11.13). All must go at once: who is still to go bars nobody's
// way, and who would end on one waits for him. They stay formations as long as their
// units hang together when all have moved (EM-R79). It gives those that have withdrawn.
func (p *battlefield) withdraws(all [][]unitID, segments int, by army) []unitID {
	far := int64(segments) * int64(p.segment())
	bars := make([][]barrier, len(all))
	for i, units := range all {
		bars[i] = p.barsBehind(p.present(units))
	}
	left := p.rearFirst(p.present(slices.Concat(all...)))
	var done, losers []unitID
	waiting := true // whether who may go when others have gone waits for them
	for len(left) > 0 {
		were := len(left)
		for _, u := range slices.Clone(left) {
			i := slices.IndexFunc(all, func(units []unitID) bool { return slices.Contains(units, u) })
			why, bar := p.fallsBack(u, slices.Concat(all[i], left), bars[i], far)
			switch {
			case why == wholeWay:
				done = append(done, u)
			case waiting && (why == withoutRoom || slices.Contains(left, bar)):
				continue
			default:
				p.tell("EM-11.13", "em.withdraws-not", p.unitArg("unit", u), p.stoppedBy(why, bar))
				losers = append(losers, u)
			}
			left = slices.DeleteFunc(left, func(v unitID) bool { return v == u })
			waiting = true
		}
		waiting = len(left) < were // else they wait for each other: the first of them stays
	}
	slices.Sort(losers)
	for _, u := range losers {
		p.lose(u, 1, by)
	}
	p.settle()
	return done
}

// rearFirst puts units in the order in which they withdraw: who stands farthest back in the frame of the lowest number
// goes first, of those within the contact tolerance the lowest number (EM-11.13).
func (g *game) rearFirst(units []unitID) []unitID {
	left := slices.Sorted(slices.Values(units))
	var all []unitID
	if len(left) == 0 {
		return nil
	}
	frame := g.body(left[0]).Frame
	behind := func(u unitID) int64 { return frame.Local(geometry.Point(g.Units[u].At)).Y }
	for len(left) > 0 {
		least := behind(left[0])
		for _, u := range left {
			least = min(least, behind(u))
		}
		i := slices.IndexFunc(left, func(u unitID) bool { return behind(u) <= least+int64(g.measures.contact) })
		all = append(all, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return all
}

// barsBehind lists what the enemies bar to the withdrawal of a formation after a combat: the
// engagement areas that are not exempt and in which none of it stands, and those whom none of it
// touches (EM-R102).
func (g *game) barsBehind(units []unitID) (bars []barrier) {
	for _, e := range g.standing() {
		if len(units) == 0 || !g.enemies(units[0], e) {
			continue
		}
		area := g.engagement(e)
		bars = append(bars, barrier{unit: e, body: g.body(e), area: area,
			enters: g.exempt(e, units) || slices.ContainsFunc(units, func(u unitID) bool { b := g.body(u); return entered(&b, &area) }),
			meets:  slices.ContainsFunc(units, func(u unitID) bool { return g.contact(u, e) })})
	}
	return bars
}

// A barrier is an enemy in the way of a withdrawal after a combat, what he covers and where he
// engages.
type barrier struct {
	unit          unitID
	body, area    geometry.Body
	enters, meets bool // the formation may enter the area, and touch him
}

// holds says whether an enemy bars a place to a unit (EM-R102).
func (p *battlefield) holds(x *barrier, at *geometry.Body) bool {
	return !x.enters && entered(at, &x.area) || !x.meets && p.near(at, &x.body)
}

// fallsBack moves a unit straight back all the way if nothing bars it: an enemy or a friend who
// moves on the way, an engagement area, anybody at its end, the limit of the blue army. Still friends, those of its formation and those who
// withdraw with it are passed (EM-11.13, EM-R75, EM-R102). It says what keeps it, and who; wholeWay if nothing does.
func (p *battlefield) fallsBack(u unitID, with []unitID, bars []barrier, far int64) (stopping, unitID) {
	if !p.limberUp(u) {
		return withoutRoom, 0
	}
	from := p.body(u)
	back := from.Heading.Plus(180)
	end := from.Shifted(geometry.Step(back, far))
	if p.pastLimit(p.def(u).army, &from, &end) {
		return byLimit, 0 // EM-R118
	}
	way := p.straightWay(back, far)
	var barring []geometry.Body
	var barrers, passed []lying
	for _, v := range p.standing() {
		o := p.body(v)
		switch {
		case v == u:
			continue
		case p.overlap(&end, &o):
			return onFriend, v
		case p.enemies(u, v), p.moving(v) && !slices.Contains(with, v):
			barring, barrers = append(barring, o), append(barrers, lying{v, o})
		default:
			passed = append(passed, lying{v, o})
		}
	}
	barred := func(at geometry.Body) func(barrier) bool {
		return func(x barrier) bool { return p.holds(&x, &at) }
	}
	ahead := slices.DeleteFunc(slices.Clone(bars), barred(from)) // its limber may have come to stand in one
	held := func(t int64) bool { return slices.ContainsFunc(ahead, barred(from.Shifted(geometry.Step(back, t)))) }
	if free, ok := way.Slide([]geometry.Body{from}, barring, held); !ok || free < far {
		at := from.Shifted(geometry.Step(back, free+1))
		for _, x := range barrers {
			switch {
			case !entered(&at, &x.body):
			case p.enemies(u, x.unit):
				return byEnemy, x.unit
			default:
				return byFriend, x.unit
			}
		}
		for _, x := range ahead {
			if p.holds(&x, &at) && !x.enters && entered(&at, &x.area) {
				return byArea, x.unit
			}
		}
		for _, x := range ahead {
			if p.holds(&x, &at) {
				return byContact, x.unit
			}
		}
		return byEnemy, 0
	}
	s := &search{game: p.game, m: &manoeuvre{Units: []unitID{u}}, still: passed,
		way: &march{bodies: []geometry.Body{from}, heading: back}}
	p.crossings(s, far)
	was := slices.Clone(p.Apart)
	p.shove([]unitID{u}, back, far, "EM-11.13", "em.withdraws")
	p.partAgain(was)
	return wholeWay, 0
}

// tollFault says why a formation can't have this unit take its loss.
func (g *game) tollFault(id string, u unitID) *play.Fault {
	i := slices.IndexFunc(g.Combat.Withdrew, func(w withdrawal) bool { return w.ID == id })
	if i >= 0 && slices.Contains(g.present(g.Combat.Withdrew[i].Gone), u) {
		return nil
	}
	return &play.Fault{Clause: "EM-11.12", Why: phrase.Say("em.toll-not", phrase.Literal("formation", id))}
}

// usualPayer is who takes the loss if nobody says so: who has most to go, the lowest number first.
func (g *game) usualPayer(gone []unitID) unitID {
	best := unitID(0)
	for _, u := range g.present(gone) {
		if best == 0 || g.room(u) > g.room(best) {
			best = u
		}
	}
	return best
}

// pays answers stop EM-S22: which unit takes the loss of each formation. Of a formation that is
// not named it is the one that has most to go.
func (p *battlefield) pays(a army, by map[string]unitID) {
	for i := range p.Combat.Withdrew {
		w := &p.Combat.Withdrew[i]
		w.Pays = by[w.ID]
	}
	p.Combat.answered(a, askToll)
}

// harshBack is from how many segments on a withdrawal shakes (EM-11.12).
const harshBack = 4

// takeToll shakes all units of the formations that withdrew a long way, one of each at least (EM-R117), and then gives one
// unit of each formation that withdrew its loss (EM-11.12).
func (p *battlefield) takeToll() {
	c := p.Combat
	c.Stage = atEnd
	for _, w := range c.Withdrew {
		for _, v := range p.present(w.Units) {
			switch {
			case c.Back < harshBack, len(w.Gone) == 0:
			case p.Units[v].Yellow == 0:
				p.shake(v, "EM-11.12")
			default:
				p.lose(v, 1, p.armyIn(1-p.role(v)))
			}
		}
		u := w.Pays
		if u == 0 || !p.on(u) {
			u = p.usualPayer(w.Gone)
		}
		if u != 0 {
			p.lose(u, 1, p.armyIn(1-p.role(u)))
		}
	}
}

// leaveGarrison stands in place of the outcome where a garrison fought: enemy formations that
// still touch it withdraw 1, each once (EM-14.2, EM-R60).
func (p *battlefield) leaveGarrison() {
	c := p.Combat
	c.Stage = atEnd
	var all [][]unitID
	by := noArmy
	for _, r := range c.Took {
		u := r.Unit
		if !p.on(u) || !p.def(u).garrison() {
			continue
		}
		by = p.def(u).army
		for i := range p.Formations {
			units := p.Formations[i].Units
			touches := func(e unitID) bool { return p.enemies(u, e) && p.contact(u, e) }
			if slices.ContainsFunc(units, touches) && !slices.ContainsFunc(all, func(f []unitID) bool { return f[0] == units[0] }) {
				all = append(all, slices.Clone(units))
			}
		}
	}
	if len(all) > 0 {
		p.withdraws(all, 1, by)
	}
}

// endCombat ends the combat: formations that took part recover and stand, their guns limber, and
// leaders who were attached to units that took part are tested (EM-11.14, EM-11.15, EM-13.2).
func (p *battlefield) endCombat() {
	c := p.Combat
	for i := range p.Formations {
		f := &p.Formations[i]
		if c.Garrison && p.garrisonOrange == 0 || !slices.ContainsFunc(f.Units, func(u unitID) bool { return slices.Contains(c.Involved, u) }) {
			continue
		}
		f.Orange, f.Green = 2, false
	}
	for _, u := range c.Involved {
		p.Units[u].Bridged = false // EM-4.11: in this combat only
	}
	took := slices.DeleteFunc(slices.Clone(c.Took), func(r record) bool { return r.Idle })
	for _, r := range took {
		if p.on(r.Unit) && !c.Garrison {
			p.limberUp(r.Unit)
		}
	}
	slices.SortStableFunc(took, func(a, b record) int {
		return cmp.Or(p.role(b.Unit)-p.role(a.Unit), int(a.Unit)-int(b.Unit)) // EM-R88
	})
	for _, r := range took {
		if r.Leader != 0 && p.inField(r.Leader) && !p.over() {
			yellow := p.Units[r.Unit].Yellow
			if !p.on(r.Unit) {
				yellow = r.Yellow + r.Got // EM-R113
			}
			p.test(r.Leader, yellow, r.Fought, p.armyIn(1-p.role(r.Unit)))
		}
	}
	for _, r := range took {
		if p.on(r.Unit) {
			p.Units[r.Unit].Fought++
		}
	}
	p.Combat, p.Barred = nil, p.present(c.Barred) // EM-R101
	p.settle()
}
