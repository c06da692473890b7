package mistakes

import (
	"cmp"
	"slices"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Leaders: chapter 13.

// deadlyAttached is the greatest total of two dice that eliminates an attached leader,
// deadlyFree the greatest die with which a free one is captured; by option they change places
// (EM-R24).
const (
	deadlyAttached = 2
	deadlyFree     = 3
)

func (g *game) deadly(free bool) int {
	if free == (g.leaderTest == 0) {
		return deadlyFree
	}
	return deadlyAttached
}

// attachedModifier is what counts against a leader who was attached to a unit (EM-13.2).
// Yellow is how many markers it has, or had when it was destroyed (EM-R113); fought says that it was
// in a melee of an earlier combat of the turn (EM-R58).
func (g *game) attachedModifier(l leaderID, yellow int, fought bool) int {
	n := -1
	if g.level(l) >= 2 {
		n = -2
	}
	n -= yellow // routed 2, shaken 1
	if fought {
		n--
	}
	return n
}

// test tests a leader who was attached to a unit that took damage or fought (EM-13.2). He is
// eliminated, by the army that fired or fought, or not; it says whether he is. Yellow and fought are as in
// attachedModifier.
func (p *battlefield) test(l leaderID, yellow int, fought bool, by army) bool {
	modifier := p.attachedModifier(l, yellow, fought)
	a := p.lead(l).army
	total := p.roll("em.roll-leader", a, p.leaderArg("leader", l)) + p.roll("em.roll-leader", a, p.leaderArg("leader", l)) + modifier
	hit := total <= p.deadly(false)
	code := "em.leader-safe"
	if hit {
		p.remove(l, eliminated, by)
		code = "em.leader-killed"
	}
	p.tell("EM-13.2", code, p.leaderArg("leader", l), phrase.Number("total", total))
	return hit
}

// caught tests a free leader whom an enemy unit has met: he is captured, or must move away
// (EM-13.4). It says whether he is captured.
func (p *battlefield) caught(l leaderID, by unitID) bool {
	d := p.def(by)
	die := p.roll("em.roll-caught", p.lead(l).army, p.leaderArg("leader", l))
	switch {
	case d.arm == cavalry && d.weight == light:
		die -= 2
	case d.arm == cavalry:
		die--
	}
	hit := die <= p.deadly(true)
	code := "em.leader-escapes"
	if hit {
		p.remove(l, captured, d.army)
		code = "em.leader-caught"
	}
	p.tell("EM-13.4", code, p.leaderArg("leader", l), phrase.Number("total", die))
	return hit
}

// meets says how far a body gets on its way until it lies over the counter of a free leader,
// the start and the end included (EM-R87); false if it never does.
func (g *game) meets(l leaderID, from geometry.Body, heading geometry.Heading, far int64) (int64, bool) {
	if g.Leaders[l].At == (place{}) {
		return 0, false
	}
	c := g.counter(geometry.Point(g.Leaders[l].At))
	for t := int64(0); ; t = min(t+int64(g.measures.step), far) {
		b := from.Shifted(geometry.Step(heading, t))
		if entered(&b, &c) {
			return t, true
		}
		if t >= far {
			return 0, false
		}
	}
}

// meet tests the free enemy leaders whom units have met on their way, each once, in the order
// in which they were met, ties by name; who isn't captured escapes (EM-13.4, EM-R87).
func (p *battlefield) meet(units []unitID, from []geometry.Body, heading geometry.Heading, far int64) {
	type meeting struct {
		l leaderID
		u unitID
		t int64
	}
	var all []meeting
	for l := leaderID(1); int(l) < len(p.Leaders); l++ {
		if p.lead(l).army.allied(p.def(units[0]).army) {
			continue
		}
		first := meeting{l: l}
		for i, u := range units {
			if t, is := p.meets(l, from[i], heading, far); is && (first.u == 0 || t < first.t) {
				first.u, first.t = u, t
			}
		}
		if first.u != 0 {
			all = append(all, first)
		}
	}
	slices.SortFunc(all, func(a, b meeting) int {
		return cmp.Or(cmp.Compare(a.t, b.t), cmp.Compare(p.lead(a.l).id, p.lead(b.l).id))
	})
	for _, m := range all {
		p.catches(m.l, m.u)
	}
}

// A flight is a leader who was met and not caught: his counter is taken up until his player says
// where he goes (EM-13.4, stop EM-S23).
type flight struct {
	Leader leaderID `pos:"leader,required,unique"`
	From   place    `pos:"from,required"`
	Away   int      `pos:"away,max=359"` // the heading away from the unit that met him
}

// catches tests a free leader whom a unit has met; if he isn't captured he flees (EM-13.4).
func (p *battlefield) catches(l leaderID, u unitID) {
	if p.caught(l, u) {
		return
	}
	from := p.whereIs(l)
	p.Leaders[l].At = place{}
	p.Fleeing = append(p.Fleeing, flight{l, place(from), int(bearing(geometry.Point(p.Units[u].At), from))})
}

// escapeReach is how far a leader who was not caught may move, in segments (EM-13.4).
const escapeReach = 2

// escapeFault says why a leader may not escape to a point (EM-13.4).
func (g *game) escapeFault(x flight, to geometry.Point) *play.Fault {
	switch {
	case !g.within(geometry.Point(x.From), to, escapeReach):
		return &play.Fault{Clause: "EM-13.4", Why: phrase.Say("em.escape-far", g.leaderArg("leader", x.Leader))}
	case !g.freeFor(to):
		return &play.Fault{Clause: "EM-8.3", Why: phrase.Say("em.leader-no-room", g.leaderArg("leader", x.Leader))}
	}
	return nil
}

// escapePlace is where a leader escapes if nobody says where: straight away from the unit that
// met him, as far as two segments, or the last free millimetre before that (stop EM-S23). If
// there is none on that line, the least ring about him that is free.
func (g *game) escapePlace(x flight) (geometry.Point, bool) {
	at := geometry.Point(x.From)
	for far := escapeReach * int64(g.segment()); far >= 0; far -= ringStep {
		to := at.Plus(geometry.Step(geometry.Heading(x.Away), far))
		if g.escapeFault(x, to) == nil {
			return to, true
		}
	}
	return geometry.Rings(at, ringStep, escapeReach*int64(g.segment()), func(to geometry.Point) bool {
		return g.escapeFault(x, to) == nil
	})
}

// escapes puts a leader who was not caught where he goes. If his corps has lost its last unit
// meanwhile he is eliminated (EM-2.5); where no place at all is free within his reach he goes to
// the nearest beyond it.
func (p *battlefield) escapes(x flight, to geometry.Point) {
	p.Fleeing = slices.DeleteFunc(p.Fleeing, func(o flight) bool { return o.Leader == x.Leader })
	p.Leaders[x.Leader].At = place(to)
	if p.lead(x.Leader).role == general && p.bereft(p.lead(x.Leader).corps) {
		p.tell("EM-2.5", "em.leader-bereft", p.leaderArg("leader", x.Leader))
		return
	}
	p.tell("EM-13.4", "em.leader-moves", p.leaderArg("leader", x.Leader), placeArg("place", place(to)))
}

// fleeing lists the flights of a seat's leaders.
func (g *game) fleeing(side engine.Side) []flight {
	return slices.DeleteFunc(slices.Clone(g.Fleeing), func(x flight) bool { return g.seatOf(g.lead(x.Leader).army) != side })
}

// fallen gives the army whose loss of its commander-in-chief ends the game: blue or red; none
// if both stand. Without Blucher black fights on (EM-13.5).
func (g *game) fallen() army {
	for _, a := range []army{blue, red} {
		if g.Leaders[g.chief(a)].Gone != present {
			return a
		}
	}
	return noArmy
}

// leaderOf gives the leader attached to a unit; 0 for none.
func (g *game) leaderOf(u unitID) leaderID {
	return leaderID(max(slices.IndexFunc(g.Leaders, func(x leader) bool { return u != 0 && x.Attached == u }), 0))
}
