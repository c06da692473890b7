package hfg

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"berthier/engine/geometry"
	"berthier/engine/rulestest"
)

// drawOrder draws a move of an element of the phasing side, and gives the same with south for north.
func (p *battlefield) drawOrder(r *rapid.T) (o, mirrored order, ok bool) {
	var own []elementID
	for _, e := range p.standing() {
		if p.def(e).side == p.phasing() {
			own = append(own, e)
		}
	}
	if len(own) == 0 {
		return o, o, false
	}
	e := rapid.SampledFrom(own).Draw(r, "who")
	o = order{Verb: verbGo, Of: p.def(e).id, March: rapid.IntRange(0, 3).Draw(r, "march") == 0}
	switch rapid.IntRange(0, 3).Draw(r, "how") {
	case 0:
		o.Far, o.Toward = rapid.IntRange(1, 1600).Draw(r, "far"), bearing(rapid.IntRange(0, 1).Draw(r, "toward"))
	case 1:
		x, y := rapid.Int64Range(2000, 6000).Draw(r, "x"), rapid.Int64Range(1000, 5000).Draw(r, "y")
		facing := rapid.IntRange(0, 359).Draw(r, "facing")
		o.To, o.Turns, o.Facing = fmt.Sprintf("[%d, %d]", x, y), true, facing
		mirrored = o
		mirrored.To, mirrored.Facing = fmt.Sprintf("[%d, %d]", x, 6000-y), (540-facing)%360
		return o, mirrored, true
	case 2:
		crew := p.linked(e, func(x elementID) bool { return p.command(x) == p.command(e) })
		if len(crew) < 2 {
			return o, o, false
		}
		o.Of, o.Verb, o.March = "", verbAdvance, false
		for _, x := range crew {
			o.Of += p.def(x).id + " "
		}
		o.Far, o.Wheel = rapid.IntRange(1, 800).Draw(r, "far"), rapid.IntRange(-90, 90).Draw(r, "wheel")
		mirrored = o
		mirrored.Wheel = -o.Wheel
		return o, mirrored, true
	default:
		var foes []elementID
		for _, x := range p.standing() {
			if p.enemies(x, e) && !p.Elements[x].Concealed {
				foes = append(foes, x)
			}
		}
		if len(foes) == 0 {
			return o, o, false
		}
		o.Verb, o.Enemy, o.Edge = verbContact, p.def(rapid.SampledFrom(foes).Draw(r, "enemy")).id, 1
	}
	return o, o, true
}

// Whatever is ordered, in sight of enemies, into concealed ones and through friends: after each move
// nobody stands on another, off the field or where he can't stand, nobody who has marched has made another
// move than marches, nor touches an enemy whom he knew (HFG-9.2), and the position can be written and read.
func TestMovesLeaveLawfulPositions(t *testing.T) {
	made, met := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		p := drawField(r, t, false).made(t, false)
		p.Phase = moving
		p.Commands[p.phasing()].Score = 12
		for e := range p.Elements[1:] {
			x := &p.Elements[e+1]
			if x.Spirit = steady; p.def(elementID(e+1)).side != p.phasing() && x.At != (place{}) {
				x.Concealed = rapid.IntRange(0, 2).Draw(r, "concealed") == 0
			}
		}
		for range rapid.IntRange(1, 8).Draw(r, "orders") {
			o, _, ok := p.drawOrder(r)
			if !ok {
				continue
			}
			before := p.trial()
			p.carriesOut(&o)
			if err := sound(p.game); err != nil {
				r.Fatalf("%+v: %v\n%s\n%s", o, err, before.marshal(), p.marshal())
			}
			for e := range p.Elements[1:] {
				if x := &p.Elements[e+1]; x.Marches > 0 && (x.Manner != march || x.Arrived) {
					r.Fatalf("%+v: %s has marched, and moved otherwise\n%s", o, p.def(elementID(e+1)).id, before.marshal())
				}
			}
		}
		made, met = made+countTold(p, "hfg.moved"), met+countTold(p, "hfg.meets")
		if _, faults := load(p.marshal()); len(faults) > 0 {
			r.Fatalf("%v", faults)
		}
	})
	if made == 0 {
		t.Error("nobody has moved")
	}
	t.Logf("%d moves, %d of which met somebody unknown", made, met)
}

// A group whose elements overlap by as much as they may overlaps by no more when it has wheeled, though corners are rounded anew
// (HFG-1.8).
func TestWheelsAddNothingToAnOverlap(t *testing.T) {
	for by := -90; by <= 90; by++ {
		g := field(t, 1809, piece{"r1", lightHorse, 4000, 3000, 0, nil}, piece{"r2", lightHorse, 4400, 3000, 0, nil}, piece{"r3", lightHorse, 4300, 2700, 0, nil})
		g.Elements[named(t, g, "r2")].At.X -= slack
		g.Elements[named(t, g, "r3")].At.Y += slack
		p := g.together([]elementID{named(t, g, "r1"), named(t, g, "r2"), named(t, g, "r3")}, 0, by, 118)
		for i := range p.paths {
			for j := range i {
				if g.overlap(&p.paths[i].to, &p.paths[j].to) {
					t.Errorf("wheeled by %d, %d overlaps %d", by, i, j)
				}
			}
		}
	}
}

// A move is legal in the mirror if it is here, for the same reason if it isn't, and ends in the
// mirrored place at the same price.
func TestMovesInAMirror(t *testing.T) {
	legal := 0
	rapid.Check(t, func(r *rapid.T) {
		f := drawField(r, t, false)
		for i := range f.states {
			f.states[i] = steady
		}
		p, m := f.made(t, false), f.made(t, true)
		for _, x := range []*battlefield{p, m} {
			x.Phase = moving
			x.Commands[x.phasing()].Score = 12
		}
		for range 4 {
			o, mirrored, ok := p.drawOrder(r)
			if !ok {
				continue
			}
			a, why := p.orderFault(&o)
			b, whyNot := m.orderFault(&mirrored)
			if code(why) != code(whyNot) {
				r.Fatalf("%+v: %q, in the mirror %q", o, code(why), code(whyNot))
			}
			if why != nil || a == nil {
				continue
			}
			legal++
			for i := range a.paths {
				x, y := a.paths[i].to.At, b.paths[i].to.At
				if far := geometry.Dist(x, point{X: y.X, Y: 6000*pace - y.Y}); far > 2 || a.price != b.price {
					r.Fatalf("%+v: %v for %d, in the mirror %v for %d", o, x, a.price, y, b.price)
				}
			}
		}
	})
	if legal == 0 {
		t.Error("no order was legal")
	}
}

// Of a chain of outcome moves that can't be made as a whole nothing is kept (HFG-R119).
func TestNothingMovesUnlessAllCan(t *testing.T) {
	kept, dropped := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		p := drawField(r, t, true).made(t, false)
		all := p.standing()
		e := rapid.SampledFrom(all).Draw(r, "who")
		far := rapid.Int64Range(100, 1200).Draw(r, "far") * pace
		if other := rapid.SampledFrom(all).Draw(r, "behind it"); other != e && p.Elements[other].Holds == 0 { // whoever it meets
			b := p.body(e)
			at := b.World(point{Y: b.V0 - rapid.Int64Range(0, 400).Draw(r, "how far")*pace})
			f := geometry.Frame{At: at, Heading: b.Heading.Plus(180 * rapid.IntRange(0, 1).Draw(r, "facing"))}
			if f.Heading != b.Heading {
				f.At = b.World(point{Y: b.V0}).Plus(geometry.Step(b.Heading.Plus(180), geometry.Dist(b.World(point{Y: b.V0}), at)-p.box(p.def(other)).V0))
			}
			if p.free(other, f) {
				p.Elements[other].At, p.Elements[other].Facing = place(f.At), int(f.Heading)
			}
		}
		before := slices.Clone(p.Elements)
		_, ok := p.try(e, func(c *chain) bool {
			switch rapid.IntRange(0, 2).Draw(r, "how") {
			case 0:
				return c.back(e, geometry.Heading(c.game.Elements[e].Facing).Plus(180), far)
			case 1:
				return c.rout(e, 0, int(far/pace), c.game.spreads(e), "")
			default:
				c.game.about(e)
				return c.flee(flight{e: e, far: far, as: repulsed})
			}
		})
		if ok {
			kept++
			if err := sound(p.game); err != nil {
				r.Fatal(err)
			}
			return
		}
		dropped++
		for i := range before {
			if x, y := &before[i], &p.Elements[i]; x.At != y.At || x.Facing != y.Facing || x.Fate != y.Fate || x.Spirit != y.Spirit {
				r.Fatalf("%s was changed: %+v, %+v", p.def(elementID(i)).id, x, y)
			}
		}
	})
	if kept == 0 || dropped == 0 {
		t.Errorf("%d kept, %d dropped", kept, dropped)
	}
}

// As far as it goes is the farthest of all distances that are legal one by one (HFG-R121).
func TestAsFarAsItGoes(t *testing.T) {
	chance := rand.New(rand.NewPCG(121, 1))
	each := 40
	if rulestest.FullSamples() {
		each = 600
	}
	compared := 0
	for _, m := range moments(t) {
		g, ok := m.Position.(*game)
		if !ok || m.Owed[0].Kind != stopTurn {
			continue
		}
		all := g.standing()
		for range each {
			e := all[chance.IntN(len(all))]
			o := order{Verb: verbGo, Of: g.def(e).id, Far: mostFar, Toward: bearing(chance.IntN(4))}
			if crew := g.linked(e, func(o elementID) bool { return g.command(o) == g.command(e) }); len(crew) > 1 && chance.IntN(2) == 0 {
				o = order{Verb: verbAdvance, Of: g.ids(crew), Far: mostFar}
			} else if chance.IntN(3) == 0 {
				o.Turns, o.Facing = true, chance.IntN(360)
			}
			got, _ := g.planned(&o, g.who(&o))
			n := g.farthest(g.who(&o))
			var want *plan
			for ; n > 0; n-- {
				one := o
				one.Far = n
				if p, fault := g.planned(&one, g.who(&o)); fault == nil {
					want = p
					break
				}
			}
			compared++
			if (got == nil) != (want == nil) || got != nil && (got.price != want.price || got.paths[0].to.Frame != want.paths[0].to.Frame) {
				t.Errorf("%s %+v: it goes %v, and could go %d", g.def(e).id, o, got, n)
			}
		}
	}
	if compared < each {
		t.Errorf("%d were compared", compared)
	}
}

// Friends who look all ways have each other make room in a ring: whoever runs already makes no room once
// more, or the chain would never end (HFG-R119).
func TestWhoRunsMakesNoRoomAgain(t *testing.T) {
	g := field(t, 1809, piece{"b1", muskets, 3000, 3000, 0, nil}, piece{"b2", muskets, 3000, 3100, 90, nil})
	one, other := named(t, g, "b1"), named(t, g, "b2")
	b := g.body(one)
	for _, runs := range []bool{false, true} {
		g.try(one, func(c *chain) bool {
			if runs {
				c.flees = append(c.flees, other)
			}
			is(t, "makes room", c.yields(one, other, b.Heading, &b, false), !runs)
			return false
		})
	}
	g.try(one, func(c *chain) bool {
		is(t, "it runs", c.rout(one, 0, 800, nil, ""), true)
		is(t, "nobody runs after it", len(c.flees), 0)
		return false
	})
}
