package mistakes

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/orders/phrase"
)

// Manoeuvres: chapter 10. How far one goes, and why it ends there; who may make one is in manoeuvre_may.go, what is
// told of it in manoeuvre_told.go. What a charge adds is in charge.go.

// A manner is what a manoeuvre is.
type manner int8

const (
	advancing manner = iota + 1
	withdrawing
	charging
)

// A manoeuvre is what the units of a formation are to do together, or a part of it, or
// several formations that are united.
type manoeuvre struct {
	Units  []unitID `pos:"units,required,items=1,most=99,unique,sorted"`
	Does   manner   `pos:"does,required"`
	Turn   int      `pos:"turn,min=-90,max=90"` // in degrees, to the right
	Far    length   `pos:"far"`                 // the most that is asked for; a charge goes as far as it can
	Target unitID   `pos:"target"`              // of a charge
	Prey   leaderID `pos:"prey"`                // of a charge on a free leader
	By     unitID   `pos:"by"`                  // which unit is to fight, of those that touch the target
	Chase  int      `pos:"chase,max=9"`         // a pursuit, of so many segments whatever the terrain (EM-4.13)
}

// asFarAsItGoes is a distance that no manoeuvre reaches.
const asFarAsItGoes length = 1_000_000

// A stopping is why a manoeuvre ends where it does.
type stopping int8

const (
	wholeWay    stopping = iota // as far as was asked, or as its factor goes
	byArea                      // an enemy's engagement area (EM-10.2, EM-10.3)
	byEnemy                     // an enemy
	byContact                   // it would touch an enemy (EM-10.2)
	byFriend                    // a friend of a formation that moves (EM-10.11)
	onFriend                    // it would end on a friend, and goes less far (EM-R77)
	byTerrain                   // EM-4.6 to EM-4.9
	byEdge                      // the edge of the field (EM-R75)
	byLimit                     // the limit of the blue army (EM-10.10)
	byPrey                      // the leader that is charged
	withoutRoom                 // a gun's limber finds no place (EM-15.2)
)

// An outcome is what becomes of a manoeuvre.
type outcome struct {
	far     int64 // how far it goes
	moves   bool  // false: not even the turn is made
	why     stopping
	by      unitID // which unit ends it, if one does
	bodies  []geometry.Body
	heading geometry.Heading // of the way
}

// A search measures a manoeuvre before anything moves.
type search struct {
	game   *game
	m      *manoeuvre
	way    *march
	starts []geometry.Body // before the turn

	enemies, moving, still []lying // what may lie on the way
	areas                  []lying // the engagement areas that may not be entered
	touching, parted       []pair  // the pairs that may touch: they did at the start, or were parted
}

// A lying is a unit on the way and what it covers there, or its engagement area.
type lying struct {
	unit unitID
	body geometry.Body
}

// hitched gives the game as it is when the guns among units have limbered, as they do before
// any manoeuvre (EM-15.2, EM-R93); false if a limber finds no place.
func (g *game) hitched(units []unitID) (*game, bool) {
	if !slices.ContainsFunc(units, func(u unitID) bool {
		return g.def(u).arm == artillery && g.Units[u].Limber == unlimbered
	}) {
		return g, true
	}
	c := *g
	c.Units, c.Apart, c.Leaders = slices.Clone(g.Units), slices.Clone(g.Apart), slices.Clone(g.Leaders)
	for _, u := range units {
		if !c.limberUp(u) {
			return g, false
		}
	}
	return &c, true
}

// look says what would become of a manoeuvre, whoever may make it: how far it goes, and why it
// ends there.
func (g *game) look(m *manoeuvre) outcome {
	c, ok := g.hitched(m.Units)
	if !ok {
		return outcome{why: withoutRoom}
	}
	return c.prepare(m).run()
}

// prepare gathers what may lie on the way of a manoeuvre.
func (g *game) prepare(m *manoeuvre) *search { return g.prepareWithin(m, 0) }

// prepareWithin is the same for a manoeuvre that may yet be turned, by which none of its units is moved
// farther than that.
func (g *game) prepareWithin(m *manoeuvre, swing int64) *search {
	s := &search{game: g, m: m, starts: g.wheeled(m.Units, 0)}
	bodies, heading, factor, width := s.starts, g.heading(g.of(m.Units[0])), 1, g.width(m.Units)
	switch m.Does {
	case advancing:
		bodies, factor = g.wheeled(m.Units, m.Turn), g.advancesBy(m.Units, width)
	case withdrawing:
		heading = heading.Plus(180)
	case charging:
		bodies, factor = g.wheeled(m.Units, m.Turn), factorOf(width)
	}
	if m.Does != withdrawing {
		heading = bodies[0].Heading
	}
	if m.Chase > 0 {
		factor = m.Chase
	}
	s.way = g.marchOf(m.Units, bodies, heading, factor, width)
	s.way.forced = m.Chase > 0
	if m.Does != charging {
		s.way.far = min(s.way.far, int64(m.Far))
	}
	s.gather(swing)
	for _, all := range [][]lying{s.enemies, s.moving} {
		for i := range all {
			s.way.others = append(s.way.others, all[i].body)
		}
	}
	if m.Prey != 0 {
		s.way.others = append(s.way.others, g.counter(geometry.Point(g.Leaders[m.Prey].At)))
	}
	if s.limitsAny() || len(s.areas) > 0 || len(s.enemies) > 0 && m.Does != charging {
		s.way.also = func(at []geometry.Body) bool { return s.limits(at) || s.enters(at) != 0 || s.meets(at) != 0 }
	}
	return s
}

// gather sorts the other units by what they are to the movers, as far as these may reach them.
func (s *search) gather(swing int64) {
	seg := int64(s.game.segment())
	reach := s.way.far + swing + 2*seg + int64(s.game.measures.tile)
	for _, u := range s.game.standing() {
		at := geometry.Point(s.game.Units[u].At)
		if slices.Contains(s.m.Units, u) || !slices.ContainsFunc(s.way.bodies, func(b geometry.Body) bool {
			return geometry.Dist2(b.At, at) <= reach*reach
		}) {
			continue
		}
		one := lying{u, s.game.body(u)}
		if s.game.enemies(s.m.Units[0], u) {
			s.enemies = append(s.enemies, one)
			continue
		}
		f := s.game.of(u)
		if f != nil && f.Green && !slices.ContainsFunc(s.m.Units, func(v unitID) bool { return slices.Contains(f.Units, v) }) {
			s.moving = append(s.moving, one)
		} else {
			s.still = append(s.still, one)
		}
	}
	if s.m.Does == charging {
		return
	}
	for i := range s.enemies {
		e := s.enemies[i].unit
		for _, u := range s.m.Units {
			x := pairOf(u, e)
			switch {
			case slices.Contains(s.game.Apart, x):
				s.parted = append(s.parted, x)
			case s.game.contact(u, e):
				s.touching = append(s.touching, x)
			}
		}
		if area := (lying{e, s.game.engagement(e)}); !s.game.exempt(e, s.m.Units) && (s.m.Does == advancing || !s.stoodIn(&area.body)) {
			s.areas = append(s.areas, area)
		}
	}
}

// stoodIn says whether the movers were inside the engagement area of an enemy when they began
// (EM-10.3).
func (s *search) stoodIn(area *geometry.Body) bool { return anyEntered(s.starts, area) }

// anyEntered says whether one of some figures strictly overlaps another.
func anyEntered(some []geometry.Body, other *geometry.Body) bool {
	for i := range some {
		if entered(&some[i], other) {
			return true
		}
	}
	return false
}

// exempt says whether the engagement area of an enemy is no bar to units that don't charge
// (EM-10.8): he is in contact with an enemy of his, or another formation has invaded his area
// that touches no enemy. That of a garrison always is a bar (EM-R68).
func (g *game) exempt(e unitID, movers []unitID) bool {
	if g.def(e).garrison() {
		return false
	}
	all := g.standing()
	touched := func(u unitID) bool {
		return slices.ContainsFunc(all, func(v unitID) bool { return g.enemies(u, v) && g.contact(u, v) })
	}
	return touched(e) || slices.ContainsFunc(all, func(v unitID) bool {
		return g.enemies(e, v) && !slices.Contains(movers, v) && g.invades(v, e) && !touched(v)
	})
}

// limitsAny says whether the limit of the blue army holds for the movers.
func (s *search) limitsAny() bool { return s.game.limited() && s.game.def(s.m.Units[0]).army == blue }

// limits says whether units would be brought beyond the limit of the blue army (EM-10.10); who
// was driven beyond it may come back.
func (s *search) limits(at []geometry.Body) bool {
	for i := range at {
		if s.game.pastLimit(s.game.def(s.m.Units[0]).army, &s.starts[i], &at[i]) {
			return true
		}
	}
	return false
}

// enters gives the enemy whose engagement area units have entered that is a bar; 0 for none.
func (s *search) enters(at []geometry.Body) unitID {
	for i := range s.areas {
		if anyEntered(at, &s.areas[i].body) {
			return s.areas[i].unit
		}
	}
	return 0
}

// meets gives the enemy whom units touch who did not touch them at the start; 0 for none. Only
// a charge makes contact (EM-10.2).
func (s *search) meets(at []geometry.Body) unitID {
	if s.m.Does == charging {
		return 0
	}
	for j := range s.enemies {
		e := s.enemies[j].unit
		for i, u := range s.m.Units {
			if s.game.near(&at[i], &s.enemies[j].body) && !slices.Contains(s.touching, pairOf(u, e)) && !slices.Contains(s.parted, pairOf(u, e)) {
				return e
			}
		}
	}
	return 0
}

// shifted gives bodies moved by one way.
func shifted(bodies []geometry.Body, heading geometry.Heading, t int64) []geometry.Body {
	d, all := geometry.Step(heading, t), make([]geometry.Body, len(bodies))
	for i := range bodies {
		all[i] = bodies[i].Shifted(d)
	}
	return all
}

// over gives the first of some units that the movers strictly overlap at t; a pair that did so
// at the start by rounding may go on doing so, and one whose sides are in line may do so by
// rounding (EM-3.14). 0 for none.
func (s *search) over(others []lying, t int64) unitID {
	if len(others) == 0 {
		return 0
	}
	at, way := s.way.placed(t), s.game.straightWay(s.way.heading, s.way.far)
	for j := range others {
		o := &others[j].body
		for i := range at {
			if entered(&at[i], o) && !geometry.Apart(&at[i], o, way.Least(&s.way.bodies[i], o)) {
				return others[j].unit
			}
		}
	}
	return 0
}

// run searches where the manoeuvre ends (EM-3.14), and cuts it back from a friend on whom it
// would end (EM-R77).
func (s *search) run() outcome {
	o := outcome{bodies: s.way.bodies, heading: s.way.heading}
	end, grazed, moves := s.goes()
	switch {
	case !moves:
		o.why, o.by = s.reason(0)
		return o
	case grazed != 0:
		o.why, o.by = byEnemy, grazed
	case end < s.way.far:
		o.why, o.by = s.reason(end + 1)
	}
	if o.far, o.moves = s.cutBack(end); !o.moves || o.far < end {
		o.why, o.by = onFriend, s.over(s.still, end)
	}
	return o
}

// goes says how far the movers get before they are cut back from a friend, and which enemy a charge meets
// there by a corner of its front alone, whom it would else pass: contact made ends a charge, though it be by a
// corner (EM-10.4, EM-R119). Who was touched before is no bar.
func (s *search) goes() (end int64, grazed unitID, moves bool) {
	end, moves = s.way.run()
	if !moves || s.m.Does != charging {
		return end, 0, moves
	}
	for i := range s.way.bodies {
		b := &s.way.bodies[i]
		for j := range s.enemies {
			e := &s.enemies[j]
			t, is := s.game.straightWay(s.way.heading, end).Graze(b, &e.body, int64(s.game.measures.slack))
			if is && t < end && !(s.game.contact(s.m.Units[i], e.unit) && s.game.near(b, &e.body)) {
				end, grazed = t, e.unit
			}
		}
	}
	return end, grazed, true
}

// ends is the same without the reason why it ends there.
func (s *search) ends() outcome {
	o := outcome{bodies: s.way.bodies, heading: s.way.heading}
	if o.far, _, o.moves = s.goes(); o.moves {
		o.far, o.moves = s.cutBack(o.far)
	}
	return o
}

// reason says why the movers may not be at t.
func (s *search) reason(t int64) (stopping, unitID) {
	at := s.way.placed(t)
	if slices.ContainsFunc(at, func(b geometry.Body) bool { return s.game.leaves(&b) }) {
		return byEdge, 0
	}
	if e := s.over(s.enemies, t); e != 0 {
		return byEnemy, e
	}
	if e := s.enters(at); e != 0 {
		return byArea, e
	}
	if e := s.meets(at); e != 0 {
		return byContact, e
	}
	if f := s.over(s.moving, t); f != 0 {
		return byFriend, f
	}
	if s.limits(at) {
		return byLimit, 0
	}
	if s.m.Prey != 0 {
		c := s.game.counter(geometry.Point(s.game.Leaders[s.m.Prey].At))
		if anyEntered(at, &c) {
			return byPrey, 0
		}
	}
	return byTerrain, 0
}

// cutBack takes a way back to where the movers lie on no friend: down by the samples, then
// halved (EM-R77). It is false if there is no such place.
func (s *search) cutBack(far int64) (int64, bool) {
	free := func(t int64) bool { return s.over(s.still, t) == 0 }
	if free(far) {
		return far, true
	}
	step := int64(s.game.measures.step)
	high, low := far, (far-1)/step*step
	for ; low >= 0 && !free(low); low -= step {
		high = low
	}
	if low < 0 {
		return 0, false
	}
	for high-low > 1 {
		if m := (low + high) / 2; free(m) {
			low = m
		} else {
			high = m
		}
	}
	return low, true
}

// crossings shakes friends that are passed by a shaken one, or pass one (EM-10.11).
func (p *battlefield) crossings(s *search, far int64) {
	step, way := int64(s.game.measures.step), s.game.straightWay(s.way.heading, far)
	var shaken []unitID
	for j := range s.still {
		f, b := s.still[j].unit, &s.still[j].body
		for i, u := range s.m.Units {
			if (p.Units[f].Yellow > 0) == (p.Units[u].Yellow > 0) {
				continue
			}
			margin := way.Least(&s.way.bodies[i], b)
			for t := int64(0); ; t = min(t+step, far) {
				at := s.way.bodies[i].Shifted(geometry.Step(s.way.heading, t))
				if !geometry.Apart(&at, b, margin) {
					shaken = append(shaken, u, f)
					break
				}
				if t >= far {
					break
				}
			}
		}
	}
	for _, u := range shaken {
		p.shake(u, "EM-10.11")
	}
}

// carryOut makes a manoeuvre as far as it goes, and says how far that was and why it ended
// (EM-10.17). Whether the units may make it is asked before: see [game.manoeuvreFault]. A
// charge goes on in [battlefield.chargeHome].
func (p *battlefield) carryOut(m *manoeuvre) outcome {
	for _, u := range m.Units {
		if !p.limberUp(u) {
			p.tell("EM-15.2", "em.no-limber", p.unitArg("unit", u))
			return outcome{why: withoutRoom, by: u}
		}
	}
	s := p.prepare(m)
	o := s.run()
	if !o.moves {
		p.tellMove(m, "EM-10.17", "em.not-done", s.cut(o))
		return o
	}
	p.crossings(s, o.far)
	p.tellMove(m, "EM-10.1", "em.moved", s.cut(o), phrase.Literal("mm", millimetres(o.far)), placeArg("at", place(shifted(o.bodies, o.heading, o.far)[0].At)))
	p.arrive(s, o)
	return o
}

// arrive puts the units of a manoeuvre where it ends, with all that this does to them and to
// leaders. Enemies who were parted from them and are still as near stay parted: only a charge
// makes contact.
func (p *battlefield) arrive(s *search, o outcome) {
	units := s.m.Units
	p.stand(units, shifted(o.bodies, o.heading, o.far))
	p.partAgain(s.parted)
	for _, u := range units {
		p.Units[u].Manoeuvred = true
		if f := p.of(u); f != nil {
			f.Manoeuvred = true
		}
	}
	for i, u := range units {
		if p.wade(u, o.bodies[i], o.heading, o.far) {
			p.tell("EM-4.10", "em.shaken", p.unitArg("unit", u))
		}
	}
	p.meet(units, o.bodies, o.heading, o.far)
	for _, u := range units {
		p.makeRoom(u)
	}
	p.settle()
}
