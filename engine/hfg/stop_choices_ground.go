package hfg

import (
	"iter"
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/orders"
)

// What may be chosen at the stops terrain and place: pieces of the ground, what they are like, and where they lie.

// Steps of what is offered of the ground, in paces and degrees.
const (
	sizeStep   = 500
	reachStep  = 200
	siteStep   = 500 // between points that are offered at first
	facingStep = 15
	riverStep  = 100
	wishShares = 4 // a section is wished for at each of its quarters but the ends
)

// shiftSteps are by how many paces a piece may be shifted from where it was to lie: in steps of one every whole pace is reached.
var shiftSteps = []int64{1, 10, 100, 1000}

// chooseTerrain offers one more piece of each kind, to leave one out, to make the last one larger or otherwise (before anything is
// chosen, any), wishes of where it is to stand, and to the defender the numbers of the sections.
func chooseTerrain(g *game, of side, soFar *orders.Node) iter.Seq2[engine.Choice, *orders.Node] {
	return func(yield func(engine.Choice, *orders.Node) bool) {
		o := g.usualGround(of)
		if soFar != nil {
			if said, ok := readTerrain(orders.NewReader(vocabulary), g, of, soFar); ok {
				o = said
			}
		}
		take := func(who, what string, pieces []terrainPiece) bool {
			return yield(engine.Choice{Of: who, What: what}, writeTerrain(g, of, &terrainOrder{by: of, numbers: o.numbers, pieces: pieces}))
		}
		for k := waterwayPiece; k < pieceKindsEnd; k++ {
			x := terrainPiece{Kind: k, By: of, Any: true}
			if d := pieceDefs[k]; d.least > 0 {
				x.Size = []int{d.least}
			}
			if !take("pieces", "kind: "+k.String(), append(slices.Clone(o.pieces), x)) {
				return
			}
		}
		for i := range o.pieces {
			who := o.pieces[i].Kind.String() + " " + strconv.Itoa(i+1)
			if !take(who, "none", slices.Delete(slices.Clone(o.pieces), i, i+1)) {
				return
			}
			if soFar != nil && i < len(o.pieces)-1 {
				continue // the last piece is the one that is being thought about
			}
			for what, x := range g.otherwise(&o.pieces[i]) {
				changed := slices.Clone(o.pieces)
				if changed[i] = x; !take(who, what, changed) {
					return
				}
			}
		}
		g.choosesNumbers(of, o, yield)
	}
}

// choosesNumbers offers the defender to let two sections change their numbers (HFG-4.2).
func (g *game) choosesNumbers(of side, o *terrainOrder, yield func(engine.Choice, *orders.Node) bool) {
	for i := 1; i < len(o.numbers) && g.role(of) == defender; i++ {
		for j := i + 1; j < len(o.numbers); j++ {
			all := o.numbers
			all[i], all[j] = all[j], all[i]
			if !yield(engine.Choice{Of: "numbering", What: writeNumbering(all).OneLine()}, writeTerrain(g, of, &terrainOrder{by: of, numbers: all, pieces: o.pieces})) {
				return
			}
		}
	}
}

// otherwise gives a piece as it might be ordered otherwise, each with the key that then says something else.
func (g *game) otherwise(x *terrainPiece) iter.Seq2[string, terrainPiece] {
	return func(yield func(string, terrainPiece) bool) {
		for _, size := range x.sizes() {
			if c := *x; !slices.Equal(size, x.Size) {
				c.Size = size
				if !yield(c.told("size", "reach", "width"), c) {
					return
				}
			}
		}
		for _, one := range []struct {
			key string
			may bool
			do  func(*terrainPiece)
		}{
			{"slope", x.Kind == hillPiece, func(c *terrainPiece) { c.Slope = gentle + difficult - c.Slope }},
			{"good", x.Kind == roadPiece, func(c *terrainPiece) { c.Good = !c.Good }},
			{"bridges", x.Kind == roadPiece, func(c *terrainPiece) { c.Bridges = !c.Bridges }},
			{"upstream", x.Kind == riverPiece, func(c *terrainPiece) { c.Up = !c.Up }},
		} {
			if c := *x; one.may {
				one.do(&c)
				if !yield(c.told(one.key), c) {
					return
				}
			}
		}
		for s := sectionW; s < sectionsEnd; s++ {
			for _, w := range g.wishesFor(x, s) {
				c := *x
				c.Where = append(slices.DeleteFunc(slices.Clone(x.Where), func(o wish) bool { return o.For == w.For }), w)
				if !yield("where: {"+w.For+": "+writeSiting(w.Siting).OneLine()+"}", c) {
					return
				}
			}
		}
	}
}

// told gives what a piece says under the first of some keys that it has, or that it says nothing there.
func (x *terrainPiece) told(keys ...string) string {
	n := x.write()
	for _, key := range keys {
		if at := n.Get(key); at != nil {
			return key + ": " + at.OneLine()
		}
	}
	return keys[0] + ": none"
}

// sizes are how large a piece may be ordered, in steps; none if its outline is its owner's.
func (x *terrainPiece) sizes() (all [][]int) {
	d := pieceDefs[x.Kind]
	switch {
	case len(x.Outline) > 0 || d.least == 0:
	case x.Kind == waterwayPiece || x.Kind == riverPiece || x.Kind == buaPiece:
		step := reachStep
		if x.Kind != waterwayPiece {
			step = riverStep
		}
		for n := d.least; n <= d.most; n += step {
			all = append(all, []int{n})
		}
	default:
		narrow := d.narrow
		if narrow == 0 {
			narrow = d.most
		}
		for long := d.least; long <= d.most; long += sizeStep {
			for deep := d.least; deep <= min(narrow, long); deep += sizeStep {
				all = append(all, []int{long, deep})
			}
		}
	}
	return all
}

// wishesFor are places that may be wished for in a section, and aren't yet: of a line points of the section, of an area points a fourth
// of the field's depth inward; none for a waterway, whose place its section says, and for a railway, which has two ends.
func (g *game) wishesFor(x *terrainPiece, s section) (all []wish) {
	if x.Kind == waterwayPiece || x.Kind == railwayPiece {
		return nil
	}
	a, b := s.ends(g.size)
	inward := int64(0)
	if !x.Kind.line() {
		if inward = g.size.Y / wishShares; !s.long() {
			inward = g.size.X / wishShares
		}
	}
	for i := int64(1); i < wishShares; i++ {
		at := point{X: a.X + (b.X-a.X)*i/wishShares, Y: a.Y + (b.Y-a.Y)*i/wishShares}.Plus(s.inward(inward))
		w := wish{For: s.String(), Siting: siting{At: place(wholePaces(at))}}
		if !slices.ContainsFunc(x.Where, func(o wish) bool { return o.For == w.For && o.Siting.At == w.Siting.At }) {
			all = append(all, w)
		}
	}
	return all
}

// choosePlace offers the first legal place and points from which to go on: an area turned and shifted to any whole pace, a line with
// one more bend.
func choosePlace(g *game, _ side, soFar *orders.Node) iter.Seq2[engine.Choice, *orders.Node] {
	return func(yield func(engine.Choice, *orders.Node) bool) {
		x := &g.Prepare.Pieces[0]
		take := func(what string, w siting) bool {
			return yield(engine.Choice{Of: "place", What: what}, writeSiting(w))
		}
		if soFar == nil {
			if yield(engine.Choice{Of: "place", What: firstLegal}, orders.Inline().Set("place", orders.Text(firstLegal))) {
				g.choosesSites(x, take)
			}
			return
		}
		if first := soFar.Get("place"); first != nil && first.Text == firstLegal {
			return
		}
		n := orders.Inline()
		for _, p := range soFar.Pairs {
			if word := p.Key.Text; word != "place" && word != "width" && word != "upstream" {
				n.Pairs = append(n.Pairs, p)
			}
		}
		w, _ := readSiting(orders.NewReader(vocabulary), n)
		if x.Kind.line() {
			for width := pieceDefs[riverPiece].least; x.Kind == streamPiece && width <= pieceDefs[riverPiece].most; width += riverStep {
				if !yield(engine.Choice{Of: "place", What: "width " + strconv.Itoa(width)}, writeSiting(w).Set("width", orders.Number(width))) {
					return
				}
			}
			g.choosesBends(w, take)
		} else {
			choosesShifts(w, take)
		}
	}
}

// choosesSites offers an area at points of the field, a line between points of the sections that the dice have shown.
func (g *game) choosesSites(x *terrainPiece, take func(string, siting) bool) {
	if !x.Kind.line() {
		for at := range g.lattice() {
			if !take(scale.WritePoint(at).OneLine(), siting{At: place(at)}) {
				return
			}
		}
		return
	}
	p := g.plot()
	a, b := p.sections[0], p.sections[1]
	one, two := a.ends(g.size)
	three, four := b.ends(g.size)
	if x.Kind == railwayPiece {
		three, four = a.across(one, g.size), a.across(two, g.size)
	}
	for from := range offeredAlong(one, two) {
		for to := range offeredAlong(three, four) {
			if !take(scale.WritePoint(from).OneLine()+" to "+scale.WritePoint(to).OneLine(), siting{From: place(from), To: place(to)}) {
				return
			}
		}
	}
}

// choosesBends offers one more bend of a line.
func (g *game) choosesBends(w siting, take func(string, siting) bool) {
	for at := range g.lattice() {
		bent := w
		bent.Bends = append(slices.Clone(w.Bends), place(at))
		if len(bent.Bends) <= mostBends && !take("bend "+scale.WritePoint(at).OneLine(), bent) {
			return
		}
	}
}

// choosesShifts offers to turn an area, and to shift it.
func choosesShifts(w siting, take func(string, siting) bool) {
	for facing := 0; facing < 360; facing += facingStep {
		turned := w
		if turned.Facing = facing; facing != w.Facing && !take("facing "+strconv.Itoa(facing), turned) {
			return
		}
	}
	for e := north; e <= west; e++ {
		for _, n := range shiftSteps {
			shifted := w
			shifted.At = place(point(w.At).Plus(geometry.Step(geometry.Heading(e.outward()), n*pace)))
			if !take(strconv.FormatInt(n, 10)+" "+edgeWords[e], shifted) {
				return
			}
		}
	}
}

// lattice gives the points of the field that are offered, from west to east and of those from south to north.
func (g *game) lattice() iter.Seq[point] {
	return func(yield func(point) bool) {
		for x := int64(siteStep * pace); x < g.size.X; x += siteStep * pace {
			for y := int64(siteStep * pace); y < g.size.Y; y += siteStep * pace {
				if !yield(point{X: x, Y: y}) {
					return
				}
			}
		}
	}
}

// offeredAlong gives the points that are offered of a section, whose ends are given.
func offeredAlong(a, b point) iter.Seq[point] {
	return func(yield func(point) bool) {
		d := geometry.Dist(a, b)
		for n := int64(0); n <= d; n += siteStep * pace {
			if !yield(point{X: a.X + (b.X-a.X)*n/d, Y: a.Y + (b.Y-a.Y)*n/d}) {
				return
			}
		}
	}
}
