package mistakes

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Pursuits and reinforcements: what moves in a combat (EM-11.7, EM-11.9 to EM-11.11).

// A chase is the pursuit after a melee (EM-11.9).
type chase struct {
	Army     army     `pos:"army,required"`
	Pursuers []unitID `pos:"pursuers,most=99"` // the winner's units that took part
	Beaten   unitID   `pos:"beaten,required"`
	Mates    []unitID `pos:"mates,most=99"` // the formation of the beaten unit, as it was
	Foes     []unitID `pos:"foes,most=99"`  // the loser's units that took part
	Left     []arm    `pos:"left,most=2"`   // the types that have not rolled yet
	Plan     pursuit  `pos:"plan"`
}

// A pursuit is what the winner says before a die of his pursuit: which type rolls, the signs of
// the modifiers that are his to choose, and how the units go if they must.
type pursuit struct {
	Type    arm    `pos:"type"`
	Target  int    `pos:"target,min=-1,max=1"`  // for a target of quality
	General int    `pos:"general,min=-1,max=1"` // for his general
	Step    int    `pos:"step,min=-1,max=1"`    // a segment to the side first: -1 to the left
	Named   bool   `pos:"named"`                // the turn is named
	Turn    int    `pos:"turn,min=-90,max=90"`
	Prey    unitID `pos:"prey"` // 0: as the rules have it
}

// chases are how many segments a type pursues (EM-11.9).
var chases = [...]int{infantry: 1, cavalry: 2}

// beginChase sets up the pursuit that follows a melee, if one does (EM-11.9). A pursuit has none
// of its own (EM-11.11), step D has none, a garrison neither pursues nor is pursued (EM-R73).
func (p *battlefield) beginChase() {
	c, m := p.Combat, p.Combat.Melee
	if m.Pursuit || m.Beaten == 0 || m.By < 2 || c.Step == reinforceDefence ||
		p.def(m.Attacker).garrison() || p.def(m.Defender).garrison() {
		return
	}
	winner := 0
	if m.Beaten == m.Attacker {
		winner = 1
	}
	c.Chase = &chase{Army: p.def(m.fighters()[winner]).army, Pursuers: m.takers(winner), Beaten: m.Beaten, Mates: m.Mates,
		Foes: m.takers(1 - winner), Left: []arm{cavalry, infantry}}
}

// pursuers lists who pursues of a type: who took part and stands, is not recovering, and has not
// backed off in the last melee (EM-11.9, EM-11.16).
func (g *game) pursuers(of arm) []unitID {
	var all []unitID
	for _, u := range g.Combat.Chase.Pursuers {
		if f := g.of(u); g.on(u) && f != nil && f.Orange == 0 && g.def(u).arm == of && !slices.Contains(g.Combat.Barred, u) {
			all = append(all, u)
		}
	}
	slices.Sort(all)
	return all
}

// quarry lists whom a type may pursue: the beaten unit first, then those of its formation by
// their numbers; infantry no cavalry (EM-11.9).
func (g *game) quarry(of arm) []unitID {
	ch := g.Combat.Chase
	all := append([]unitID{ch.Beaten}, slices.DeleteFunc(slices.Clone(ch.Mates), func(u unitID) bool { return u == ch.Beaten })...)
	return slices.DeleteFunc(all, func(u unitID) bool { return !g.on(u) || of == infantry && g.def(u).arm == cavalry })
}

// goOnChasing asks for the next die of the pursuit, or has a unit fight on that is still in
// contact with a loser, which needs none (EM-11.9). It is a charge nevertheless: a gun is captured by it (EM-10.13, EM-10.14).
func (p *battlefield) goOnChasing() {
	c := p.Combat
	ch := c.Chase
	ch.Left = slices.DeleteFunc(ch.Left, func(of arm) bool { return len(p.pursuers(of)) == 0 || len(p.quarry(of)) == 0 })
	if len(ch.Left) == 0 {
		c.Chase, c.Stage = nil, atStep
		return
	}
	for _, of := range ch.Left {
		for _, u := range p.pursuers(of) {
			against := p.facingMost(u, func(e unitID) bool {
				return slices.Contains(ch.Foes, e) && !(of == infantry && p.def(e).arm == cavalry)
			})
			if len(against) == 0 {
				continue
			}
			ch.Left = slices.DeleteFunc(ch.Left, func(x arm) bool { return x == of })
			p.tell("EM-11.9", "em.pursuit-contact", p.unitArg("unit", u), p.unitArg("other", against[0]))
			if p.def(against[0]).arm == artillery {
				ch.Plan = pursuit{Type: of}
				p.sets(&manoeuvre{Units: []unitID{u}, Does: charging, Chase: chases[of], Target: against[0]})
				return
			}
			p.chargeBegins(against[0])
			p.clash(&melee{Attacker: u, Defender: against[0], Charged: true, Pursuit: true})
			return
		}
	}
	c.Stage = atRush
	c.asks(ch.Army, askPursuit)
}

// pursuitFault says why a pursuit may not be made so, wherever it leads.
func (g *game) pursuitFault(x *pursuit) *play.Fault {
	ch := g.Combat.Chase
	fault := func(clause, code string) *play.Fault {
		return &play.Fault{Clause: clause, Why: phrase.Say(code)}
	}
	switch {
	case !slices.Contains(ch.Left, x.Type):
		return fault("EM-11.9", "em.pursuit-type")
	case x.Step != 0 && x.Type != cavalry:
		return fault("EM-11.9", "em.pursuit-step")
	case x.Prey != 0 && !slices.Contains(g.quarry(x.Type), x.Prey):
		return fault("EM-11.9", "em.pursuit-prey")
	}
	return nil
}

// aimFault says that a heading or a step to the side would lead a pursuit past whom it must charge, the
// beaten unit wherever that can be reached, else one of its formation; or that it charges another than the one who is
// named (EM-R110).
func (g *game) aimFault(x *pursuit, reached reaching) *play.Fault {
	if !x.Named && x.Step == 0 && x.Prey == 0 {
		return nil
	}
	fault := func(code string, u unitID, remedy string) *play.Fault {
		return &play.Fault{Clause: "EM-R110", Why: phrase.Say(code, g.unitArg("unit", u)), Remedy: phrase.Say(remedy)}
	}
	beaten := g.Combat.Chase.Beaten
	goes, ok := g.pursuitBy(*x, reached)
	if !ok || goes.Target != beaten {
		for _, step := range []int{0, x.Step} {
			if best, ok := g.pursuitBy(pursuit{Type: x.Type, Step: step}, reached); ok && best.Target == beaten && (x.Named || x.Step != 0) {
				return fault("em.pursuit-past", beaten, "em.pursuit-past-remedy")
			}
		}
	}
	switch {
	case !ok && x.Named:
		return fault("em.pursuit-nobody", g.pursuers(x.Type)[0], "em.pursuit-past-remedy")
	case x.Prey == 0 || ok && goes.Target == x.Prey:
		return nil
	case ok && goes.Target == beaten:
		return fault("em.pursuit-past", beaten, "em.pursuit-target-remedy")
	}
	return fault("em.pursuit-target", x.Prey, "em.pursuit-target-remedy")
}

// pursues answers stop EM-S18.
func (p *battlefield) pursues(x pursuit) {
	p.Combat.Chase.Plan = x
	p.Combat.answered(p.Combat.Chase.Army, askPursuit)
}

// pursuitModifiers are those of a die of pursuit on a target (EM-11.10).
func (g *game) pursuitModifiers(x *pursuit, target unitID) []modifier {
	units := g.pursuers(x.Type)
	some := func(is func(unitID) bool) bool { return slices.ContainsFunc(units, is) }
	var all []modifier
	add := func(is bool, why string, n int) {
		if is && n != 0 {
			all = append(all, modifier{why, n})
		}
	}
	add(some(func(u unitID) bool { return g.Units[u].Yellow > 0 }), "em.pursuit-shaken", -2)
	add(some(func(u unitID) bool { return g.def(u).quality == recruits }), "em.pursuit-recruits", -1)
	add(x.Type == cavalry, "em.pursuit-cavalry", 1)
	add(g.def(target).quality >= veterans, "em.pursuit-quality", x.Target)
	near := 0
	for _, u := range units {
		for _, l := range []leaderID{g.generalOf(g.corpsOf(u)), g.chief(g.def(u).army)} {
			if l != 0 && g.inField(l) && g.within(g.whereIs(l), geometry.Point(g.Units[u].At), tellingReach) {
				near = max(near, min(g.level(l), 2))
			}
		}
	}
	add(true, "em.pursuit-leader", near*x.General)
	add(true, "em.pursuit-terrain", -g.ground(units))
	return all
}

// tellingReach is within how many segments a leader tells in a pursuit (EM-11.10).
const tellingReach = 2

// Thresholds of the die of pursuit (EM-11.9, EM-R23).
const (
	pursuitFrom   = 5
	pursuitUpTo   = 3 // by option, from the other end
	sideStepTurns = 90
)

// rushHome rolls the die of a pursuit, and carries out what is on its way.
func (p *battlefield) rushHome() {
	c := p.Combat
	if c.Rush == nil {
		p.rollPursuit()
		return
	}
	m := c.Rush
	c.Rush, c.Stage = nil, atStep
	if c.Chase != nil {
		c.Stage = atChase
		if !p.sidesteps(m) {
			return
		}
	}
	before := p.contacts(m.Units)
	o := p.chargeHome(m)
	if !o.moves {
		return
	}
	fighter, against := p.fighterOf(m, m.Target), m.Target
	if fighter == 0 {
		fighter, against = p.fightsInstead(m, before)
	}
	if fighter == 0 {
		return
	}
	p.clash(&melee{Attacker: fighter, Defender: against, Charged: true, Charge: length(o.far),
		Forded: p.Units[fighter].Forded, Pursuit: c.Chase != nil})
}

// contacts lists the pairs of some units and the enemies whom they touch.
func (g *game) contacts(units []unitID) []pair {
	var all []pair
	for _, u := range units {
		for _, e := range g.standing() {
			if g.enemies(u, e) && g.contact(u, e) {
				all = append(all, pairOf(u, e))
			}
		}
	}
	return all
}

// fightsInstead gives who fights whom after a charge in a combat that does not touch its target in the end, a gun that was
// captured or has backed off: another enemy whom it has come to touch, or who took part for the losers of
// a pursuit (EM-11.2, EM-11.9, EM-R121). There may be none.
func (g *game) fightsInstead(m *manoeuvre, before []pair) (fighter, against unitID) {
	ch, most := g.Combat.Chase, int64(0)
	for _, e := range g.standing() {
		u := g.fighterOf(m, e)
		if u == 0 || !g.enemies(u, e) || slices.Contains(before, pairOf(u, e)) && (ch == nil || !slices.Contains(ch.Foes, e)) ||
			ch != nil && (g.def(e).garrison() || g.def(u).arm == infantry && g.def(e).arm == cavalry) {
			continue
		}
		if n := g.frontOn(u, e); fighter == 0 || n > most+int64(g.measures.slack) {
			fighter, against, most = u, e, n
		}
	}
	return fighter, against
}

// fighterOf is the unit that fights a target after a charge in a combat: the one that was named, if it
// touches him by its front; else the one with the greatest length of contact.
func (g *game) fighterOf(m *manoeuvre, target unitID) unitID {
	if !g.on(target) {
		return 0
	}
	t := g.body(target)
	best, most := unitID(0), int64(0)
	for _, u := range m.Units {
		if !g.on(u) || !g.byFront(u, target) || slices.Contains(g.Combat.Barred, u) {
			continue
		}
		b := g.body(u)
		n := g.lengthOn(&b, &t, geometry.Front)
		if u == m.By {
			return u
		}
		if best == 0 || n > most+int64(g.measures.slack) { // by a corner alone, too (EM-11.2)
			best, most = u, n
		}
	}
	return best
}

// rollPursuit rolls the die of a type; if it must pursue, it sets out (EM-11.9).
func (p *battlefield) rollPursuit() {
	c := p.Combat
	ch := c.Chase
	x := &ch.Plan
	c.Stage = atChase
	ch.Left = slices.DeleteFunc(ch.Left, func(of arm) bool { return of == x.Type })
	units := p.pursuers(x.Type)
	first := p.unitArg("unit", units[0])
	modifiers := p.pursuitModifiers(x, p.pursued(x, p.reached))
	die := p.roll("em.roll-pursuit", ch.Army, first)
	total := die + sum(modifiers)
	p.tell("EM-11.10", "em.pursuit-throws", first, armyArg("army", ch.Army), phrase.Number("die", die), explained(modifiers), phrase.Number("total", total))
	if p.pursuitOn == 0 && total < pursuitFrom || p.pursuitOn != 0 && total > pursuitUpTo {
		p.tell("EM-11.9", "em.pursuit-none", first)
		return
	}
	m, ok := p.pursuitWay(x)
	if !ok {
		p.tell("EM-11.11", "em.pursuit-stays", first)
		return
	}
	p.tell("EM-11.9", "em.pursuit", first, p.unitArg("other", m.Target))
	p.sets(m)
}

// sidesteps makes the step to the side that a pursuit begins with, if what is on its way can
// still be done after it.
func (p *battlefield) sidesteps(m *manoeuvre) bool {
	side := p.Combat.Chase.Plan.Step
	if side == 0 {
		return true
	}
	if !p.stepFits(m.Units, side) || !p.after(m.Units, side).look(m).moves {
		return false
	}
	p.stand(m.Units, p.stepped(m.Units, side))
	p.tell("EM-11.9", "em.steps-aside", p.unitArg("unit", m.Units[0]), p.unitsArg("units", m.Units), placeArg("at", p.Units[m.Units[0]].At))
	return true
}

// after is the game as it would be after such a step.
func (g *game) after(units []unitID, side int) *game {
	c := *g
	c.Units, c.Apart = slices.Clone(g.Units), slices.Clone(g.Apart)
	c.stand(units, g.stepped(units, side))
	return &c
}

// sets lets a charge of the combat begin: what it does to the target, and what the owner of a gun
// is asked (EM-10.7, EM-10.13, EM-10.14).
func (p *battlefield) sets(m *manoeuvre) {
	c := p.Combat
	p.chargeBegins(m.Target)
	c.Rush, c.Stage = m, atRush
	switch p.gunAsked(m) {
	case gunLimbered:
		c.asks(p.def(m.Target).army, askGunBack)
	case gunUnlimbered:
		c.asks(p.def(m.Target).army, askGunSwap)
	}
}

// gunAnswers answers stop EM-S10.
func (p *battlefield) gunAnswers(back bool) {
	m := p.rush()
	if p.Combat != nil {
		p.Combat.answered(p.def(m.Target).army, askGunBack)
	}
	if back {
		p.gunBacks(m)
	}
	p.home()
}

// gunSwaps answers stop EM-S11: with a unit, or with none.
func (p *battlefield) gunSwaps(with unitID) {
	m := p.rush()
	if p.Combat != nil {
		p.Combat.answered(p.def(m.Target).army, askGunSwap)
	}
	if with != 0 {
		p.gunDefended(m, with)
	}
	p.home()
}

// stepped is where units stand after a step of a segment to a side, in their own frame (EM-R82).
func (g *game) stepped(units []unitID, side int) []geometry.Body {
	bodies := g.wheeled(units, 0)
	return shifted(bodies, bodies[0].Heading.Plus(side*sideStepTurns), int64(g.segment()))
}

// stepFits says whether units may make such a step: only its end counts, on which lies neither an
// enemy nor a friend of another formation (EM-R82). It is part of a manoeuvre, which blue may not make past
// the limit (EM-10.10).
func (g *game) stepFits(units []unitID, side int) bool {
	own := g.of(units[0])
	for i, b := range g.stepped(units, side) {
		was := g.body(units[i])
		if g.leaves(&b) || g.pastLimit(g.def(units[0]).army, &was, &b) || slices.ContainsFunc(g.standing(), func(v unitID) bool {
			o := g.body(v)
			return !slices.Contains(units, v) && g.of(v) != own && g.overlap(&b, &o)
		}) {
			return false
		}
	}
	return true
}

// A reaching says whom a pursuit of a type can strike with each turn, after a step to a side if there is
// one.
type reaching func(of arm, step int) map[int][]unitID

// reached finds that out by trying all turns; turns that strike nobody are left out, and after a step
// that does not fit nobody is reached.
func (g *game) reached(of arm, step int) map[int][]unitID {
	units, at := g.pursuers(of), g
	if step != 0 {
		if !g.stepFits(units, step) {
			return nil
		}
		at = g.after(units, step)
	}
	w, ok := at.sweepOf(&manoeuvre{Units: units, Does: charging, Chase: chases[of]}, false)
	if !ok {
		return nil
	}
	all := map[int][]unitID{} // only looked up
	for turn := -g.wheelMost(); turn <= g.wheelMost(); turn++ {
		if struck := w.strikes(turn).units; len(struck) > 0 {
			all[turn] = struck
		}
	}
	return all
}

// pursuitWay finds the charge of a pursuit: on the beaten unit, or if that can't be reached on
// another of its formation, with the turn that is named or the least one (EM-11.9). A step to
// the side that leads nowhere is not made.
func (g *game) pursuitWay(x *pursuit) (*manoeuvre, bool) {
	m, ok := g.pursuitBy(*x, g.reached)
	if ok {
		x.Step = m.step
		return &m.manoeuvre, true
	}
	return nil, false
}

// A chasing is the charge of a pursuit, with the step to a side that is made before it.
type chasing struct {
	manoeuvre
	step int
}

// pursued is the target of a pursuit before its die is rolled: whom it strikes if it must be made; where it strikes nobody
// the first whom it might.
func (g *game) pursued(x *pursuit, reached reaching) unitID {
	if m, ok := g.pursuitBy(*x, reached); ok {
		return m.Target
	}
	return g.quarry(x.Type)[0]
}

// pursuitBy is the same where it is known whom a pursuit reaches. Where the beaten unit can't be struck the winner may name
// who is.
func (g *game) pursuitBy(x pursuit, reached reaching) (chasing, bool) {
	all := g.quarry(x.Type)
	if slices.Contains(all, x.Prey) {
		first := 0
		if all[0] == g.Combat.Chase.Beaten {
			first = 1
		}
		all = slices.Insert(all, first, x.Prey)
	}
	struck := reached(x.Type, x.Step)
	for _, e := range all {
		good := func(turn int) bool { return slices.Contains(struck[turn], e) }
		turn, ok := x.Turn, good(x.Turn)
		if !x.Named {
			turn, ok = g.leastTurn(good)
		}
		if ok {
			return chasing{manoeuvre{Units: g.pursuers(x.Type), Does: charging, Chase: chases[x.Type], Target: e, Turn: turn}, x.Step}, true
		}
	}
	if x.Step != 0 {
		x.Step = 0
		return g.pursuitBy(x, reached)
	}
	return chasing{}, false
}

// A reserve is a formation that may reinforce, and a charge that it may make.
type reserve struct {
	formation string
	chargeOffer
}

// reserves lists the reinforcements that may be made in this step (EM-11.7).
func (g *game) reserves() []reserve {
	var all []reserve
	for f, near := range g.helpers {
		for _, offer := range g.chargesBy(f.Units, false, near...) {
			all = append(all, reserve{f.ID, offer})
		}
	}
	return all
}

// reinforceable says whether there are any.
func (g *game) reinforceable() bool {
	for f, near := range g.helpers {
		if g.onlyGuns(f.Units) {
			continue
		}
		w, ok := g.sweepOf(&manoeuvre{Units: f.Units, Does: charging}, false, near...)
		if !ok {
			continue
		}
		if _, ok := w.least(); ok {
			return true
		}
	}
	return false
}

// helpers gives the formations that may reinforce in this step if their charge reaches anybody, each with whom
// it may be on: formations that
// don't recover, in whose engagement area stands a unit of an enemy formation in the combat, but
// for the formation of who fought first, as it stood then, unless it touches no enemy. They are of
// his army (EM-R104), and have somebody who did not back off in the last melee (EM-R101).
func (g *game) helpers(yield func(*formation, []unitID) bool) {
	c := g.Combat
	own, first := 0, c.Attacker
	if c.Step == reinforceDefence {
		own, first = 1, c.Defender
	}
	for i := range g.Formations {
		f := &g.Formations[i]
		used := slices.ContainsFunc(f.Units, func(u unitID) bool { return slices.Contains(c.Spent, u) })
		tied := slices.ContainsFunc(f.Units, func(u unitID) bool { return u == first || slices.Contains(c.First[own], u) }) &&
			slices.ContainsFunc(f.Units, g.engaged)
		barred := !slices.ContainsFunc(f.Units, func(u unitID) bool { return !slices.Contains(c.Barred, u) })
		if g.army(f.Corps) != g.armyIn(own) || f.Orange > 0 || used || tied || barred {
			continue
		}
		var near []unitID
		for _, e := range g.standing() {
			if slices.Contains(c.Involved, e) && g.role(e) != own &&
				slices.ContainsFunc(f.Units, func(u unitID) bool { return g.invades(e, u) }) {
				near = append(near, e)
			}
		}
		if len(near) > 0 && !yield(f, near) {
			return
		}
	}
}

// reserveFault says why a formation may not reinforce so; the turn is one of the intervals.
func (g *game) reserveFault(id string, target unitID, turn int) *play.Fault {
	return reserveFault(g.reserves(), id, target, turn)
}

// reserveFault is the same where it is known who may.
func reserveFault(all []reserve, id string, target unitID, turn int) *play.Fault {
	if slices.ContainsFunc(all, func(r reserve) bool {
		return r.formation == id && r.target == target && slices.ContainsFunc(r.turns, func(s geometry.Span) bool {
			return int64(turn) >= s.Low && int64(turn) <= s.High
		})
	}) {
		return nil
	}
	return &play.Fault{Clause: "EM-11.7", Why: phrase.Say("em.reinforce-not", phrase.Literal("formation", id))}
}

// reinforces answers stop EM-S20: a formation charges, by a unit of it if one is named, or none
// does.
func (p *battlefield) reinforces(id string, target, by unitID, turn int) {
	c := p.Combat
	p.Combat.answered(p.armyIn(int(c.Step-reinforceAttack)), askReserves)
	if id == "" {
		c.Spent = nil
		return
	}
	f := p.formationNamed(id)
	c.Spent = append(c.Spent, f.Units...)
	p.tell("EM-11.7", "em.reinforcement", phrase.Literal("formation", id), p.unitArg("other", target))
	p.sets(&manoeuvre{Units: slices.Clone(f.Units), Does: charging, Turn: turn, Target: target, By: by})
}
