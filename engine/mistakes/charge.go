package mistakes

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Charges: chapter 10. Whom units may charge, what becomes of guns that are charged, and what
// a charge leaves for the combat.

// touchesByFront says whether a body touches another by its front (EM-3.7).
func (s *scenario) touchesByFront(b, other *geometry.Body) bool {
	return s.near(b, other) && s.lengthOn(b, other, geometry.Front) >= 0
}

// strikers lists the movers that touch a target by their front at the end of a charge
// (EM-10.4).
func (g *game) strikers(m *manoeuvre, o *outcome, target unitID) []unitID {
	t := g.body(target)
	var all []unitID
	for i, b := range shifted(o.bodies, o.heading, o.far) {
		if g.touchesByFront(&b, &t) {
			all = append(all, m.Units[i])
		}
	}
	return all
}

// protected says whether a unit may not be charged in 3.3: its formation has a unit that
// touches an enemy (EM-10.6).
func (g *game) protected(target unitID) bool {
	units := []unitID{target}
	if f := g.of(target); f != nil {
		units = f.Units
	}
	return slices.ContainsFunc(units, g.engaged)
}

// engaged says whether a unit touches an enemy.
func (g *game) engaged(u unitID) bool {
	return slices.ContainsFunc(g.standing(), func(v unitID) bool { return g.enemies(u, v) && g.contact(u, v) })
}

// never is the number of a sample that does not come.
const never = 1 << 40

// entering gives at which sample of a way the movers first enter the engagement area of an
// enemy (EM-10.4).
func (g *game) entering(o *outcome, e unitID) int64 {
	area, step := g.engagement(e), int64(g.measures.step)
	if !inBounds(o, &area) {
		return never
	}
	for n, t := int64(0), int64(0); ; n, t = n+1, min(t+step, o.far) {
		d := geometry.Step(o.heading, t)
		for i := range o.bodies {
			if b := o.bodies[i].Shifted(d); entered(&b, &area) {
				return n
			}
		}
		if t >= o.far {
			return never
		}
	}
}

// inBounds says whether a figure lies within the bounds of a whole way, so that the way may enter
// it.
func inBounds(o *outcome, b *geometry.Body) bool {
	d := geometry.Step(o.heading, o.far)
	for i := range o.bodies {
		from, to := o.bodies[i], o.bodies[i].Shifted(d)
		if b.Lo.X <= max(from.Hi.X, to.Hi.X) && b.Hi.X >= min(from.Lo.X, to.Lo.X) &&
			b.Lo.Y <= max(from.Hi.Y, to.Hi.Y) && b.Hi.Y >= min(from.Lo.Y, to.Lo.Y) {
			return true
		}
	}
	return false
}

// firstMet lists the enemies whose engagement area a charge enters first, among those that may
// be charged (EM-10.4); all of these if it enters none. Fresh says that it is a charge of 3.3,
// from which EM-10.6 protects.
func (g *game) firstMet(m *manoeuvre, o *outcome, fresh bool) []unitID {
	var all []unitID
	least := int64(never)
	for _, e := range g.standing() {
		if !g.enemies(m.Units[0], e) {
			continue
		}
		switch n := g.entering(o, e); {
		case n > least || fresh && g.protected(e):
		case n < least:
			least, all = n, []unitID{e}
		case n == least:
			all = append(all, e)
		}
	}
	return all
}

// legalTargets lists whom a charge may strike that ends as it was searched (EM-10.4).
func (g *game) legalTargets(m *manoeuvre, o *outcome, fresh bool) []unitID {
	if !o.moves {
		return nil
	}
	ends := shifted(o.bodies, o.heading, o.far)
	var struck []unitID
	for _, e := range g.standing() {
		t := g.body(e)
		if g.enemies(m.Units[0], e) && slices.ContainsFunc(ends, func(b geometry.Body) bool { return g.touchesByFront(&b, &t) }) {
			struck = append(struck, e)
		}
	}
	if len(struck) == 0 {
		return nil
	}
	first := g.firstMet(m, o, fresh)
	return slices.DeleteFunc(struck, func(e unitID) bool { return !slices.Contains(first, e) })
}

// onlyGuns says whether units are artillery alone, which may not charge (EM-10.4).
func (g *game) onlyGuns(units []unitID) bool {
	return !slices.ContainsFunc(units, func(u unitID) bool { return g.def(u).arm != artillery })
}

// chargeFault says why units may not charge as they are told (EM-10.4, EM-10.6, EM-10.15).
func (g *game) chargeFault(m *manoeuvre) *play.Fault {
	fault := func(clause, code string, args ...phrase.Arg) *play.Fault {
		return &play.Fault{Clause: clause, Why: phrase.Say(code, args...)}
	}
	if g.onlyGuns(m.Units) {
		return fault("EM-10.4", "em.charge-guns", g.unitArg("unit", m.Units[0]))
	}
	if m.Prey != 0 {
		return g.preyFault(m)
	}
	switch {
	case !g.on(m.Target) || !g.enemies(m.Units[0], m.Target):
		return fault("EM-10.4", "em.charge-enemy")
	case g.protected(m.Target):
		return fault("EM-10.6", "em.charge-engaged", g.unitArg("unit", m.Target))
	}
	o := g.look(m)
	name := g.unitArg("unit", m.Target)
	switch {
	case !o.moves || len(g.strikers(m, &o, m.Target)) == 0:
		return fault("EM-10.4", "em.charge-short", name)
	case !slices.Contains(g.firstMet(m, &o, true), m.Target):
		return fault("EM-10.4", "em.charge-first", name)
	}
	return nil
}

// preyFault says why units may not charge a free leader: they don't reach him (EM-10.15,
// EM-R87).
func (g *game) preyFault(m *manoeuvre) *play.Fault {
	d := g.lead(m.Prey)
	if g.Leaders[m.Prey].At == (place{}) || d.army.allied(g.def(m.Units[0]).army) {
		return &play.Fault{Clause: "EM-10.15", Why: phrase.Say("em.charge-leader", g.leaderArg("leader", m.Prey))}
	}
	if o := g.look(m); !o.moves || o.why != byPrey {
		return &play.Fault{Clause: "EM-10.15", Why: phrase.Say("em.charge-leader-short", g.leaderArg("leader", m.Prey))}
	}
	return nil
}

// turnTo gives the turn with which a charge is legal that names none: the least, of two equal
// ones the one to the left (EM-10.5, EM-R37).
func (g *game) turnTo(m *manoeuvre) (int, bool) {
	try := *m
	for d := 0; d <= g.wheelMost(); d++ {
		for _, turn := range []int{-d, d} {
			if try.Turn = turn; g.chargeFault(&try) == nil {
				return turn, true
			}
		}
	}
	return 0, false
}

// A chargeOffer is a unit that a formation may charge: with which turns, as intervals, with
// which least one, and how far it goes with that.
type chargeOffer struct {
	target unitID
	turns  []geometry.Span
	least  int
	far    int64
}

// chargesOf lists whom units may charge, in the order of their numbers (EM-10.4, EM-10.5).
func (g *game) chargesOf(units []unitID) []chargeOffer { return g.chargesBy(units, true) }

// chargesBy is the same for charges of 3.3, if they are fresh, and of reinforcements.
func (g *game) chargesBy(units []unitID, fresh bool) []chargeOffer {
	if g.onlyGuns(units) || !g.inReach(units) {
		return nil
	}
	most := g.wheelMost()
	legal, far := make([][]unitID, 2*most+1), make([]int64, 2*most+1)
	for i := range legal {
		m := &manoeuvre{Units: units, Does: charging, Turn: i - most}
		o := g.look(m)
		legal[i], far[i] = g.legalTargets(m, &o, fresh), o.far
	}
	var all []chargeOffer
	for _, e := range g.standing() {
		offer := chargeOffer{target: e}
		offer.turns = geometry.Runs(int64(-most), int64(most), func(turn int64) bool {
			return slices.Contains(legal[int(turn)+most], e)
		})
		if len(offer.turns) == 0 {
			continue
		}
		for d := most; d >= 0; d-- {
			for _, turn := range []int{d, -d} {
				if slices.Contains(legal[turn+most], e) {
					offer.least, offer.far = turn, far[turn+most]
				}
			}
		}
		all = append(all, offer)
	}
	return all
}

// inReach says whether a charge of units might reach an enemy, whichever way it wheels: no unit is
// farther from the pivot than the units are from each other and the size of one more, and a wheel
// moves it by three halves of that at most.
func (g *game) inReach(units []unitID) bool {
	at := func(u unitID) geometry.Point { return geometry.Point(g.Units[u].At) }
	var wide int64
	for i, u := range units {
		for _, v := range units[:i] {
			wide = max(wide, geometry.Dist2(at(u), at(v)))
		}
	}
	tile := int64(g.measures.tile)
	far := int64(g.factor(units))*int64(g.segment()) + 3*(geometry.Root(wide)+2*tile)/2 + 2*tile
	return slices.ContainsFunc(g.standing(), func(e unitID) bool {
		return g.enemies(units[0], e) && slices.ContainsFunc(units, func(u unitID) bool { return geometry.Dist2(at(u), at(e)) <= far*far })
	})
}

// chargeBegins does what the beginning of a legal charge does to the target: its formation
// loses green, and its general the markers in his box (EM-10.7).
func (p *battlefield) chargeBegins(target unitID) {
	f := p.of(target)
	if f == nil {
		return // a garrison has neither
	}
	f.Green = false
	l := p.generalOf(f.Corps)
	if l == 0 {
		return
	}
	p.Reserve[p.lead(l).army] += p.Leaders[l].Markers
	p.Leaders[l].Markers = 0
}

// A gunChoice is what the owner of a gun that is charged is asked (EM-10.13, EM-10.14).
type gunChoice int8

const (
	notAsked      gunChoice = iota
	gunLimbered             // it may back off: stop EM-S10
	gunUnlimbered           // a unit may take its place: stop EM-S11
)

// gunAsked says what the owner of the target of a charge is asked before it goes home.
func (g *game) gunAsked(m *manoeuvre) gunChoice {
	switch {
	case m.Target == 0 || g.def(m.Target).arm != artillery:
		return notAsked
	case g.Units[m.Target].Limber != unlimbered:
		return gunLimbered
	case len(g.swaps(m.Target)) > 0:
		return gunUnlimbered
	}
	return notAsked
}

// gunBack is how many segments a limbered gun may back off from a charge (EM-10.13).
var gunBack = [...]int{foot: 1, horse: 2}

// gunBacks backs a limbered gun off from a charge (EM-10.13). One that can't stays: it need not
// have tried (EM-R94).
func (p *battlefield) gunBacks(m *manoeuvre) {
	o := p.look(m)
	by := m.Units[0]
	if all := p.strikers(m, &o, m.Target); len(all) > 0 {
		by = all[0]
	}
	how, _ := p.giveWay(m.Target, by, gunBack[p.def(m.Target).mount], false)
	if how == backed {
		p.tell("EM-10.13", "em.gun-back", p.unitArg("unit", m.Target))
	}
}

// swapped gives the places of a gun and of the unit that takes its place (EM-10.14): each takes
// the other's front-centre point, and keeps its heading.
func (g *game) swapped(gun, with unitID) (atGun, atUnit geometry.Body) {
	a, b := g.body(gun), g.body(with)
	front := func(x *geometry.Body) geometry.Point { return x.World(geometry.Point{Y: x.V1}) }
	moved := func(x *geometry.Body, to geometry.Point) geometry.Body { return x.Shifted(to.Minus(front(x))) }
	return moved(&b, front(&a)), moved(&a, front(&b))
}

// swaps lists the units that may take the place of an unlimbered gun that is charged: infantry
// and cavalry of its formation, where both fit, and the gun stays in the formation (EM-10.14).
func (g *game) swaps(gun unitID) []unitID {
	f := g.of(gun)
	if f == nil {
		return nil
	}
	var all []unitID
	for _, u := range f.Units {
		if g.def(u).arm != artillery && g.swapFits(gun, u, f) {
			all = append(all, u)
		}
	}
	return all
}

// swapFits says whether a gun and a unit of its formation fit in each other's place.
func (g *game) swapFits(gun, u unitID, f *formation) bool {
	c := *g
	c.Units, c.Apart = slices.Clone(g.Units), slices.Clone(g.Apart)
	atGun, atUnit := g.swapped(gun, u)
	c.stand([]unitID{u, gun}, []geometry.Body{atGun, atUnit})
	for _, v := range []unitID{u, gun} {
		b := c.body(v)
		if c.leaves(&b) || slices.ContainsFunc(c.standing(), func(other unitID) bool {
			o := c.body(other)
			return other != v && c.overlap(&b, &o)
		}) {
			return false
		}
	}
	return len(c.parts(f.Units)) == 1
}

// gunDefended swaps a gun that is charged with a unit of its formation, which is then the
// target (EM-10.14). An enemy whom either comes to touch in this is parted from it: only the
// charge makes contact (EM-R86).
func (p *battlefield) gunDefended(m *manoeuvre, with unitID) {
	gun := m.Target
	atGun, atUnit := p.swapped(gun, with)
	p.stand([]unitID{with, gun}, []geometry.Body{atGun, atUnit})
	for _, u := range []unitID{with, gun} {
		for _, e := range p.standing() {
			if p.game.enemies(u, e) && p.contact(u, e) {
				p.part(u, e)
			}
		}
		p.makeRoom(u)
	}
	m.Target = with
	p.tell("EM-10.14", "em.gun-defended", p.unitArg("unit", gun), p.unitArg("other", with))
}

// chargeHome carries a charge out, after the owner of a gun has answered: the units go as far
// as they can, and what the way does to them in the combat is noted (EM-4.11, EM-10.4). A gun
// that they then touch is captured without a melee (EM-10.13, EM-10.14), a leader whom they
// charged is tested (EM-10.15).
func (p *battlefield) chargeHome(m *manoeuvre) outcome {
	o := p.carryOut(m)
	if !o.moves {
		return o
	}
	bridged := false
	for i, u := range m.Units {
		bonus, shaken := p.chargeTerrain(o.bodies[i], o.heading, o.far)
		x := &p.Units[u]
		x.Charged, x.Charge, x.Forded = true, length(o.far), bonus != 0
		bridged = bridged || shaken
	}
	for _, u := range m.Units {
		p.Units[u].Bridged = bridged
	}
	if m.Prey != 0 && p.Leaders[m.Prey].At != (place{}) {
		p.catches(m.Prey, p.rider(m, o))
	}
	if t := m.Target; t != 0 && p.on(t) && p.def(t).arm == artillery &&
		slices.ContainsFunc(m.Units, func(u unitID) bool { return p.contact(u, t) }) {
		p.takeOff(t, captured, p.def(m.Units[0]).army)
		p.settle()
	}
	return o
}

// rider is the first of the units that meets the leader whom they charge.
func (g *game) rider(m *manoeuvre, o outcome) unitID {
	c := g.counter(geometry.Point(g.Leaders[m.Prey].At))
	for i, b := range shifted(o.bodies, o.heading, o.far+1) {
		if entered(&b, &c) {
			return m.Units[i]
		}
	}
	return m.Units[0]
}
