package hfg

import (
	"slices"

	"berthier/engine/geometry"
)

// Press forward, charge, pursuit, and passing through: chapter 16.

const (
	pressDistance = 200
	chargeReach   = 600
	pursuitLow    = 300
	pursuitTop    = 1200
	passLow       = 400
	passTop       = 800
)

// An advance is a straight outcome move forward, and what it meets.
type advance struct {
	e     elementID
	far   int64   // units, at most
	rough bool    // may enter slow or difficult going
	leave bool    // may leave the field
	blind bool    // enemies of whom its owner doesn't know count as not there: for what he is asked (HFG-R154)
	road  []point // along which it goes, from behind it on; none: straight ahead (HFG-16.9)
	began int64   // how far along the road it stands

	went    int64
	reached []elementID // enemies whom it touches where it stops
	left    bool        // it has left the field
	friend  bool        // a friend, or ground that it can't enter, bars the way
}

// run finds how far an advance gets: up to an enemy with whom it is in contact, to a friend with
// a gap of 0, to ground that it can't or needn't enter (HFG-16.12, HFG-R121, HFG-R124). Who
// already touches it bars it only if he stands in its way.
func (g *game) run(a advance) advance {
	start := g.body(a.e)
	own := g.worst(&start)
	var unknown []elementID
	if a.blind {
		unknown = slices.DeleteFunc(g.standing(), func(o elementID) bool { return !g.unknown(a.e, o) })
	}
	for a.went < a.far {
		b := g.along(&a, &start, a.went+pace)
		if g.leaves(&b) {
			a.left, a.friend = a.leave, !a.leave
			break
		}
		if a.friend = !g.standsOn(a.e, &b); a.friend {
			break
		}
		if w := g.worst(&b); w > own && !a.rough {
			a.friend = true
			break
		}
		stopped := false
		for _, o := range g.standing() {
			if o == a.e || slices.Contains(unknown, o) {
				continue
			}
			x := g.body(o)
			if g.enemies(a.e, o) && g.overlap(&b, &x) {
				stopped = true
			}
			if !g.enemies(a.e, o) && geometry.Gap(&b, &x) < 0 && geometry.Gap(&start, &x) > geometry.Gap(&b, &x) && !g.mayEnterWith(o) {
				stopped, a.friend = true, true
			}
		}
		if stopped {
			break
		}
		a.went += pace
	}
	end := g.along(&a, &start, a.went)
	for _, o := range g.standing() {
		if !g.enemies(a.e, o) || slices.Contains(unknown, o) {
			continue
		}
		if x := g.body(o); frontal(&end, &x) {
			a.reached = append(a.reached, o)
		}
	}
	return a
}

// along is where an advance has brought a body after some units.
func (g *game) along(a *advance, start *geometry.Body, n int64) geometry.Body {
	if a.road == nil {
		return start.Shifted(geometry.Step(start.Heading, n))
	}
	return g.bodyAt(a.e, onTrack(a.road, a.began+n, start.V1-start.V0))
}

// pressing is how an element presses forward: 200 paces straight ahead, or along its road
// (HFG-16.9).
func (g *game) pressing(e elementID) advance {
	a := advance{e: e, far: pressDistance * pace, rough: true}
	b := g.body(e)
	if at, ok := g.stationOf(b.Frame, b.V1-b.V0); ok {
		a.road = g.track([]elementID{e})
		a.began = longOf(a.road)
		a.road = append(a.road, g.setting.ahead(at, nil)[1:]...)
		a.far = min(a.far, longOf(a.road)-a.began)
	}
	return a
}

// mayEnterWith says whether others may stand inside what an element holds (HFG-4.17).
func (g *game) mayEnterWith(o elementID) bool {
	held := g.Elements[o].Holds
	return held != 0 && g.area(held).kind == bua
}

// goes carries an advance out.
func (c *chain) goes(a advance) {
	b := c.game.body(a.e)
	c.legs = append(c.legs, leg{int(b.Heading), length(a.went)})
	if a.left {
		c.tell(a.e, "HFG-R80", "hfg.pursues-off")
		c.game.remove(a.e, left)
		return
	}
	moved := c.game.along(&a, &b, a.went)
	c.put(a.e, &moved)
	c.game.Elements[a.e].Ran += paces(a.went)
}

// chargeable lists the enemies whom a mounted element may charge: those that it touches first
// straight ahead within 600 paces, over good going and in good going (HFG-15.3, HFG-R124).
func (g *game) chargeable(e elementID) []elementID {
	if g.Elements[e].Holds != 0 || g.fights(e) {
		return nil
	}
	b := g.body(e)
	if g.worst(&b) != good {
		return nil
	}
	a := g.run(advance{e: e, far: chargeReach * pace, blind: true})
	if a.friend {
		return nil
	}
	return slices.DeleteFunc(a.reached, func(o elementID) bool { return g.footing(o) != good })
}

// charges moves a mounted element straight ahead into contact with an enemy (HFG-16.10).
func (g *game) charges(e, enemy elementID) *chain {
	c, _ := g.try(e, func(c *chain) bool {
		a := c.game.run(advance{e: e, far: chargeReach * pace})
		c.tell(e, "HFG-16.10", "hfg.charges", elementArg("other", c.game.def(enemy)))
		c.goes(a)
		c.game.Elements[e].Arrived = true
		if !slices.Contains(a.reached, enemy) && len(a.reached) > 0 {
			enemy = a.reached[0] // who was concealed before him
		}
		c.conform(e, enemy)
		return true
	})
	return c
}

// conform has one of two conform who have come into contact by an outcome move: the contacted
// one if it stands free, may move, defends no edge and is touched on its front, else the mover, else nobody
// (HFG-11.5, HFG-11.8).
func (c *chain) conform(mover, contacted elementID) {
	m, b := c.game.body(mover), c.game.body(contacted)
	if _, ok := meets(m.Box, m.Frame, &b, c.game.Elements[contacted].Holds != 0); ok {
		return
	}
	if !c.game.defendsEdge(contacted) && !c.game.rooted(contacted) && !c.game.touchesBut(contacted, mover) && sideMet(&m, &b) == geometry.Front {
		for _, to := range c.game.closings(contacted, mover, &b) {
			if to.side == geometry.Front {
				c.set(contacted, to.to)
				return
			}
		}
	}
	if all := c.game.closings(mover, contacted, &m); len(all) > 0 && c.game.Elements[mover].Holds == 0 {
		c.set(mover, all[0].to)
	}
}

// set moves an element to a frame.
func (c *chain) set(e elementID, to geometry.Frame) {
	x := &c.game.Elements[e]
	x.At, x.Facing, x.Concealed = place(to.At), int(to.Heading), false
}

// touchesBut says whether an element's front touches another enemy than one.
func (g *game) touchesBut(e, but elementID) bool {
	return slices.ContainsFunc(g.standing(), func(o elementID) bool { return o != but && g.enemies(e, o) && g.fronts(e, o) })
}

// presses moves an element forward, and with it the foot and dismounted who prolong its front
// and are free: not in close combat, nor about to be shot at (HFG-16.9).
func (g *game) presses(e elementID, shotAt func(elementID) bool) (*chain, bool) {
	if g.Elements[e].Holds != 0 || g.worksIn(e) != 0 && g.fights(e) {
		return &chain{game: g}, false
	}
	with := []elementID{e}
	for _, o := range g.prolongs(e) {
		if !g.fights(o) && !shotAt(o) {
			with = append(with, o)
		}
	}
	c, ok := g.pressTogether(e, with)
	if !ok && len(with) > 1 { // those beside it have no room, but it has
		c, ok = g.pressTogether(e, with[:1])
	}
	return c, ok
}

// pressTogether moves an element forward, and others with it.
func (g *game) pressTogether(e elementID, with []elementID) (*chain, bool) {
	return g.try(e, func(c *chain) bool {
		for _, o := range with {
			a := c.game.run(c.game.pressing(o))
			if c.game.tooFar(a) || o == e && a.went == 0 {
				return false
			}
			c.tell(o, "HFG-16.9", "hfg.presses")
			c.goes(a)
			c.game.Elements[o].Pressed = true
			if len(a.reached) > 0 {
				c.game.Elements[o].Arrived = true
				c.conform(o, a.reached[0])
			}
		}
		return true
	})
}

// tooFar says whether an advance would bring an element of a defeated command nearer to the
// enemy's base edge (HFG-17.5).
func (g *game) tooFar(a advance) bool {
	if !g.shaken(a.e) {
		return false
	}
	b := g.body(a.e)
	end := g.along(&a, &b, a.went)
	return g.advances(a.e, &b, &end)
}

// prolongs lists the foot and dismounted friends who prolong an element's front: corners and
// flank edge in contact, same heading, neither repulsed nor routed (HFG-16.9).
func (g *game) prolongs(e elementID) []elementID {
	b := g.body(e)
	var all []elementID
	for _, o := range g.standing() {
		k := g.class(o)
		if o == e || g.enemies(e, o) || k != foot && k != dismounted || g.Elements[o].Holds != 0 || g.Elements[o].Spirit != steady || g.Elements[o].Facing != g.Elements[e].Facing {
			continue
		}
		x := g.body(o)
		if coincide(b.Corner[0], x.Corner[1]) || coincide(b.Corner[1], x.Corner[0]) {
			all = append(all, o)
		}
	}
	return all
}

// willReach says whether an element that presses forward comes into contact with an enemy
// (HFG-15.10).
func (g *game) willReach(e, enemy elementID) bool {
	if g.Elements[e].Holds != 0 {
		return false
	}
	a := g.pressing(e)
	a.blind = true
	return slices.Contains(g.run(a).reached, enemy)
}

// A chase is a pursuit: of whom, in which direction he went, and how far at least and at most.
type chase struct {
	e      elementID
	from   geometry.Frame // where it goes out from if it holds a BUA
	legs   []leg          // of the beaten enemy's outcome move; none: he was destroyed
	low    int            // paces
	far    int            // that its owner wants, from low on
	rough  bool           // into bad going
	off    bool           // off the field
	passed bool           // it has passed through the enemy (HFG-15.2)
}

// pursues carries a pursuit out, and gives the enemies that the pursuer has come to touch
// (HFG-16.12).
func (g *game) pursues(p chase) (*chain, []elementID) {
	var reached []elementID
	c, ok := g.try(p.e, func(c *chain) bool {
		c.leavesBy(p.e, p.from)
		c.towards(p)
		a := c.game.run(advance{e: p.e, far: int64(p.far) * pace, rough: p.rough, leave: p.off})
		if c.game.tooFar(a) { // only the least distance (HFG-17.5, HFG-R103)
			a = c.game.run(advance{e: p.e, far: int64(p.low) * pace})
		}
		c.tell(p.e, "HFG-16.12", "hfg.pursues", paceArg("far", a.went))
		c.goes(a)
		if a.left || len(a.reached) == 0 {
			return true
		}
		c.game.Elements[p.e].Arrived = true
		c.conform(p.e, a.reached[0])
		reached = a.reached
		return true
	})
	if !ok {
		return c, nil
	}
	return c, reached
}

// goesOut is where an element begins to go forward against an enemy whom it fights: where it stands, or if it defends the edge of
// a BUA, on the side that he attacks, before him, looking out (HFG-4.17).
func (g *game) goesOut(e, enemy elementID) geometry.Frame {
	if g.Elements[e].Holds == 0 || enemy == 0 {
		return g.body(e).Frame
	}
	b, o := g.body(e), g.body(enemy)
	f := conformed(g.box(g.def(e)), &b, sideMet(&o, &b), true, o.At)
	f.Heading = f.Heading.Plus(180)
	return f
}

// leavesBy has a garrison stand where it goes out from its BUA.
func (c *chain) leavesBy(e elementID, from geometry.Frame) {
	if c.game.Elements[e].Holds != 0 && from.At != (point{}) {
		b := c.game.bodyAt(e, from)
		c.put(e, &b)
	}
}

// towards turns a pursuer to the direction in which the beaten enemy went, if it can (HFG-R128).
func (c *chain) towards(p chase) {
	if p.passed || len(p.legs) == 0 {
		return
	}
	long := p.legs[0]
	for _, l := range p.legs[1:] {
		if paces(int64(l.Far)) >= paces(int64(long.Far)) {
			long = l
		}
	}
	b := c.game.body(p.e)
	h := geometry.Heading(long.Heading)
	if by := turn(b.Heading, h); by > 90 || by < -90 {
		return
	}
	turned := c.game.bodyAt(p.e, geometry.Frame{At: b.At, Heading: h})
	if !c.game.leaves(&turned) && len(c.game.overlapping(p.e, &turned)) == 0 && c.game.standsOn(p.e, &turned) {
		c.put(p.e, &turned)
	}
}

// beyondIt is how far mounted must go straight ahead to stand clear behind an enemy whom they
// pass through, in paces from 400 to 800; false: there is no room (HFG-15.2, HFG-R63, HFG-R92).
func (g *game) beyondIt(e, enemy elementID) (int, bool) {
	if g.Elements[enemy].Holds != 0 {
		return 0, false
	}
	b, o := g.bodyAt(e, g.goesOut(e, enemy)), g.body(enemy)
	for n := passLow; n <= passTop; n++ {
		x := b.Shifted(geometry.Step(b.Heading, int64(n)*pace))
		if geometry.Gap(&x, &o) >= 0 && !g.leaves(&x) && g.standsOn(e, &x) && g.clear(e, &x) {
			return n, true
		}
	}
	return 0, false
}

// clear says whether nobody stands in the least where a body would.
func (g *game) clear(e elementID, b *geometry.Body) bool {
	return !slices.ContainsFunc(g.standing(), func(o elementID) bool {
		x := g.body(o)
		return o != e && geometry.Gap(b, &x) < 0
	})
}

// room says whether there is room behind an enemy to pass through him.
func (g *game) room(e, enemy elementID) bool {
	_, ok := g.beyondIt(e, enemy)
	return ok
}

// passesThrough moves mounted through an enemy, as far as their owner wants beyond the first
// clear place (HFG-15.2, HFG-15.7).
func (g *game) passesThrough(e, enemy elementID, far int, rough bool) (*chain, []elementID) {
	var reached []elementID
	c, _ := g.try(e, func(c *chain) bool {
		n, ok := c.game.beyondIt(e, enemy)
		if !ok {
			return false
		}
		x := &c.game.Elements[e]
		x.Through = append(slices.Clone(x.Through), enemy)
		if guns := &c.game.Elements[enemy]; c.game.class(enemy) == artillery {
			guns.Passers = append(slices.Clone(guns.Passers), e)
			guns.Blocked = true
		}
		c.tell(e, "HFG-15.2", "hfg.passes", elementArg("other", c.game.def(enemy)))
		c.leavesBy(e, c.game.goesOut(e, enemy))
		c.goes(advance{e: e, went: int64(n) * pace})
		a := c.game.run(advance{e: e, far: int64(max(far-n, 0)) * pace, rough: rough})
		c.goes(a)
		if len(a.reached) > 0 {
			c.game.Elements[e].Arrived = true
			c.conform(e, a.reached[0])
			reached = a.reached
		}
		return true
	})
	return c, reached
}
