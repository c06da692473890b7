package mistakes

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Charges: chapter 10. Whom units may charge, what becomes of guns that are charged, and what
// a charge leaves for the combat.

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

// never is a place of a way that does not come.
const never = 1 << 40

// A foe is an enemy of units that charge.
type foe struct {
	unit       unitID
	body, area geometry.Body // what he covers, and where he engages

	asked, safe bool // whether it was asked if EM-10.6 protects him, and whether it does
}

// foesOf lists the enemies of some units who are no farther from one of them than that, in the order of
// their numbers.
func (g *game) foesOf(units []unitID, reach int64) []foe {
	var all []foe
	for _, e := range g.standing() {
		if g.enemies(units[0], e) && slices.ContainsFunc(units, func(u unitID) bool { return !g.beyond(u, e, reach) }) {
			all = append(all, foe{unit: e, body: g.body(e), area: g.engagement(e)})
		}
	}
	return all
}

// protects says whether EM-10.6 protects a foe.
func (g *game) protects(f *foe) bool {
	if !f.asked {
		f.asked, f.safe = true, g.protected(f.unit)
	}
	return f.safe
}

// firstMet lists the enemies whose engagement area a charge enters first, among those that may
// be charged (EM-10.4); all of these if it enters none. Fresh says that it is a charge of 3.3,
// from which EM-10.6 protects.
func (g *game) firstMet(foes []foe, o *outcome, fresh bool) []unitID {
	var all []unitID
	way := geometry.Way{Heading: o.heading, Far: o.far, Step: int64(g.measures.step)}
	least := int64(never)
	for i := range foes {
		f := &foes[i]
		switch t := way.First(o.bodies, &f.area, min(least+1, never)); {
		case t > least || fresh && g.protects(f):
		case t < least:
			least, all = t, []unitID{f.unit}
		default:
			all = append(all, f.unit)
		}
	}
	return all
}

// legalTargets lists whom of some foes a charge may strike that ends as it was searched, where all foes are
// given whose engagement area it may enter (EM-10.4).
func (g *game) legalTargets(some, foes []foe, o *outcome, fresh bool) []unitID {
	if !o.moves {
		return nil
	}
	var struck []unitID
	d := geometry.Step(o.heading, o.far)
	for i := range o.bodies {
		end := o.bodies[i].Shifted(d)
		for j := range some {
			if e := some[j].unit; !slices.Contains(struck, e) && g.touchesByFront(&end, &some[j].body) {
				struck = append(struck, e)
			}
		}
	}
	if len(struck) == 0 {
		return nil
	}
	slices.Sort(struck)
	first := g.firstMet(foes, o, fresh)
	return slices.DeleteFunc(struck, func(e unitID) bool { return !slices.Contains(first, e) })
}

// onlyGuns says whether units are artillery alone, which may not charge (EM-10.4).
func (g *game) onlyGuns(units []unitID) bool {
	return !slices.ContainsFunc(units, func(u unitID) bool { return g.def(u).arm != artillery })
}

// chargeFault says why units may not charge as they are told (EM-10.4, EM-10.6, EM-10.15).
func (g *game) chargeFault(m *manoeuvre) *play.Fault {
	fault := func(clause, code string, args ...phrase.Arg) *play.Fault {
		return &play.Fault{Clause: clause, Why: phrase.Say(code, args...), Remedy: phrase.Say("em.charge-remedy")}
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
	case !slices.Contains(g.firstMet(g.foesOf(m.Units, o.far+g.swing(m.Units)+g.farthest()), &o, true), m.Target):
		return fault("EM-10.4", "em.charge-first", name)
	}
	return nil
}

// preyFault says why units may not charge a free leader: they don't reach him (EM-10.15,
// EM-R87).
func (g *game) preyFault(m *manoeuvre) *play.Fault {
	d := g.lead(m.Prey)
	if g.Leaders[m.Prey].At == (place{}) || d.army.allied(g.def(m.Units[0]).army) {
		return &play.Fault{Clause: "EM-10.15", Why: phrase.Say("em.charge-leader", g.leaderArg("leader", m.Prey)), Remedy: phrase.Say("em.charge-remedy")}
	}
	if o := g.look(m); !o.moves || o.why != byPrey {
		return &play.Fault{Clause: "EM-10.15", Why: phrase.Say("em.charge-leader-short", g.leaderArg("leader", m.Prey)), Remedy: phrase.Say("em.charge-remedy")}
	}
	return nil
}

// turnTo gives the turn with which a charge is legal that names none: the least, of two equal
// ones the one to the left (EM-10.5, EM-R37).
func (g *game) turnTo(m *manoeuvre) (int, bool) {
	if m.Prey != 0 {
		try := *m
		return g.leastTurn(func(turn int) bool {
			try.Turn = turn
			return g.chargeFault(&try) == nil
		})
	}
	w, ok := g.sweepOf(m, true, m.Target)
	if !ok || g.onlyGuns(m.Units) {
		return 0, false
	}
	return w.least()
}

// leastTurn gives the least turn that is good, of two equal ones the one to the left.
func (g *game) leastTurn(good func(turn int) bool) (int, bool) {
	for d := 0; d <= g.wheelMost(); d++ {
		for _, turn := range []int{-d, d} {
			if good(turn) {
				return turn, true
			}
		}
	}
	return 0, false
}

// A chargeOffer is a unit or a free leader whom a formation may charge: with which turns, as intervals, with
// which least one, and how far it goes with that.
type chargeOffer struct {
	target unitID
	prey   leaderID // or a free leader in its place
	turns  []geometry.Span
	least  int
	far    int64
}

// chargesOf lists whom units may charge, in the order of their numbers (EM-10.4, EM-10.5).
func (g *game) chargesOf(units []unitID) []chargeOffer { return g.chargesBy(units, true) }

// chargesBy is the same for charges of 3.3, if they are fresh, and of reinforcements; if targets are given, on
// one of these.
func (g *game) chargesBy(units []unitID, fresh bool, targets ...unitID) []chargeOffer {
	if g.onlyGuns(units) {
		return nil
	}
	w, ok := g.sweepOf(&manoeuvre{Units: units, Does: charging}, fresh, targets...)
	if !ok {
		return nil
	}
	most := int64(g.wheelMost())
	var all []chargeOffer
	for i := range w.near {
		offer := chargeOffer{target: w.near[i].unit}
		good := func(turn int) bool { return slices.Contains(w.strikes(turn).units, offer.target) }
		offer.turns = geometry.Runs(-most, most, func(turn int64) bool { return good(int(turn)) })
		if len(offer.turns) == 0 {
			continue
		}
		offer.least, _ = g.leastTurn(good)
		offer.far = w.strikes(offer.least).far
		all = append(all, offer)
	}
	return all
}

// A sweep measures a charge with one turn after the other.
type sweep struct {
	*search
	near   []foe             // the targets that might be reached, whichever way it wheels
	foes   []foe             // all whose engagement area it may enter
	fresh  bool              // a charge of 3.3, from which EM-10.6 protects
	pivots [2]geometry.Point // of turns to the left, and to the right
	found  map[int]strike    // by turn
}

// A strike is whom a charge may strike, and how far it goes.
type strike struct {
	units []unitID
	far   int64
}

// apart is the square of the distance of a unit from a point.
func (g *game) apart(u unitID, at geometry.Point) int64 {
	return geometry.Dist2(geometry.Point(g.Units[u].At), at)
}

// swing is more than a wheel moves any of some units. None is farther from the pivot than the units are from each
// other and the size of one more, and a wheel moves it by three halves of that at most.
func (g *game) swing(units []unitID) int64 {
	var wide int64
	for i, u := range units {
		for _, v := range units[:i] {
			wide = max(wide, g.apart(u, geometry.Point(g.Units[v].At)))
		}
	}
	return 3 * (geometry.Root(wide) + 2*int64(g.measures.tile)) / 2
}

// preysOf lists the free leaders whom units may charge, in the order of their names in the scenario file
// (EM-10.5, EM-10.15).
func (g *game) preysOf(units []unitID) []chargeOffer {
	if g.onlyGuns(units) {
		return nil
	}
	most, own := int64(g.wheelMost()), []army{g.def(units[0]).army}
	reach := int64(factorOf(g.width(units)))*int64(g.segment()) + g.swing(units) + 2*int64(g.measures.tile)
	var all []chargeOffer
	for l := leaderID(1); int(l) < len(g.Leaders); l++ {
		if !g.preyOf(own, l) || !slices.ContainsFunc(units, func(u unitID) bool { return g.apart(u, geometry.Point(g.Leaders[l].At)) <= reach*reach }) {
			continue
		}
		try := manoeuvre{Units: units, Does: charging, Prey: l, Far: asFarAsItGoes}
		good := func(turn int) bool {
			try.Turn = turn
			return g.preyFault(&try) == nil
		}
		offer := chargeOffer{prey: l, turns: geometry.Runs(-most, most, func(turn int64) bool { return good(int(turn)) })}
		if len(offer.turns) == 0 {
			continue
		}
		offer.least, _ = g.leastTurn(good)
		try.Turn = offer.least
		offer.far = g.look(&try).far
		all = append(all, offer)
	}
	return all
}

// sweepOf prepares a sweep for charges on some targets, or if none are given on anybody; false if it reaches none
// of them, whichever way it wheels.
func (g *game) sweepOf(m *manoeuvre, fresh bool, targets ...unitID) (*sweep, bool) {
	c, ok := g.hitched(m.Units)
	if !ok {
		return nil, false
	}
	tile, swing := int64(g.measures.tile), g.swing(m.Units)
	once := *m
	once.Turn = 0
	w := &sweep{fresh: fresh, found: map[int]strike{},
		search: c.prepareWithin(&once, swing), pivots: [2]geometry.Point{c.pivot(m.Units, true), c.pivot(m.Units, false)}}
	w.near = slices.DeleteFunc(g.foesOf(m.Units, w.way.far+swing+2*tile), func(f foe) bool {
		return len(targets) > 0 && !slices.Contains(targets, f.unit)
	})
	if len(w.near) == 0 {
		return nil, false
	}
	w.foes = g.foesOf(m.Units, w.way.far+swing+g.farthest())
	return w, true
}

// least gives the least turn with which one of the targets is struck, of two equal ones the one to the left.
func (w *sweep) least() (int, bool) {
	return w.game.leastTurn(func(turn int) bool { return len(w.strikes(turn).units) > 0 })
}

// strikes says whom the charge may strike with a turn (EM-10.4).
func (w *sweep) strikes(turn int) strike {
	one, ok := w.found[turn]
	if !ok {
		pivot := w.pivots[0]
		if turn > 0 {
			pivot = w.pivots[1]
		}
		w.way.bodies = w.game.wheeledAbout(w.m.Units, pivot, turn)
		w.way.heading = w.way.bodies[0].Heading
		if w.mayStrike() {
			o := w.ends()
			one = strike{w.game.legalTargets(w.near, w.foes, &o, w.fresh), o.far}
		}
		w.found[turn] = one
	}
	return one
}

// mayStrike says whether a foe lies before the charge, so that it is worth a search: some mover has
// him before his front, and not too far away.
func (w *sweep) mayStrike() bool {
	frame, margin := w.way.bodies[0].Frame, int64(w.game.measures.contact)+roundings
	movers := make([]geometry.Box, len(w.way.bodies))
	for i := range movers {
		movers[i] = frame.Extents(w.way.bodies[i].Corner[:])
	}
	for i := range w.near {
		e := frame.Extents(w.near[i].body.Corner[:])
		for _, b := range movers {
			if e.U1 >= b.U0-margin && e.U0 <= b.U1+margin && e.V1 >= b.V1-margin && e.V0 <= b.V1+w.way.far+margin {
				return true
			}
		}
	}
	return false
}

// roundings are more than all roundings of a charge together.
const roundings = 16

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

// gunBacks backs a limbered gun off from a charge (EM-10.13). One that can't stays, and nobody is
// shaken: it need not have tried (EM-R94).
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
	}
	m.Target = with
	p.tell("EM-10.14", "em.gun-defended", p.unitArg("unit", gun), p.unitArg("other", with))
	p.makeRoom(with)
	p.makeRoom(gun)
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
	if m.Prey != 0 && p.Leaders[m.Prey].At != (place{}) {
		p.catches(m.Prey, p.rider(m, o))
	}
	if t := m.Target; t != 0 && p.on(t) && p.def(t).arm == artillery &&
		slices.ContainsFunc(m.Units, func(u unitID) bool { return p.contact(u, t) }) {
		p.takeOff(t, captured, p.def(m.Units[0]).army)
		p.settle()
	}
	bridged = bridged && slices.ContainsFunc(m.Units, p.engaged) // in the combat that begins so, if one does (EM-4.11)
	for _, u := range m.Units {
		p.Units[u].Bridged = bridged
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
