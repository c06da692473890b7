package hfg

import (
	"math/rand/v2"
	"slices"

	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The stops terrain, place and edge (HFG-S2 to HFG-S4).

var (
	pointShape  = shape.List(shape.Measured("place", `^-?0*1?[0-9]{1,4}(\.[0-9]*)?$`, reach/pace, wrongLength))
	sitingShape = shape.Record(shape.May("at", pointShape), shape.May("facing", facingShape), shape.May("from", pointShape), shape.May("to", pointShape), shape.May("bends", shape.List(pointShape)))
	facingShape = shape.Either(shape.Words(facings...), shape.Number(0, 359))
	pieceShape  = shape.Record(
		shape.Need("kind", shape.Words(pieceWords[1:]...)),
		shape.May("size", shape.List(shape.Number(1, 9999))), shape.May("reach", shape.Number(1, 9999)), shape.May("width", shape.Number(1, 9999)),
		shape.May("outline", shape.List(pointShape)), shape.May("slope", shape.Words(slopeWords...)),
		shape.May("good", shape.Words("yes", "no")), shape.May("bridges", shape.Words("yes", "no")),
		shape.May("upstream", shape.Either(shape.Words("first", "last"), pointShape)),
		shape.May("where", shape.Either(shape.Words(firstLegal), shape.Map(shape.Name("section"), shape.Either(shape.Words(firstLegal), sitingShape)))),
	)
	terrainShape = shape.Record(
		shape.May("numbering", shape.Map(shape.Words(sectionWords[1:]...), shape.Number(1, 6))),
		shape.May("pieces", shape.List(pieceShape)),
	)
	placeShape = shape.Record(shape.May("place", shape.Either(shape.Words(firstLegal), shape.Name("piece"))),
		shape.May("at", pointShape), shape.May("facing", facingShape), shape.May("from", pointShape), shape.May("to", pointShape), shape.May("bends", shape.List(pointShape)),
		shape.May("width", shape.Number(pieceDefs[riverPiece].least, pieceDefs[riverPiece].most)), shape.May("upstream", shape.Words("first", "last")))
	edgeShape = shape.Record(shape.Need("edge", shape.Words("north", "south")))
)

// wrongLength says why a text is no length.
func wrongLength(text string) phrase.Phrase {
	r := orders.NewReader(nil)
	if _, ok := scale.ReadLength(r, orders.Text(text)); !ok {
		return r.Problems[0].Why
	}
	return phrase.Phrase{}
}

// readTerrain reads what a side orders of the ground, and judges it.
func readTerrain(r *orders.Reader, g *game, of side, n *orders.Node) (*terrainOrder, bool) {
	since := len(r.Problems)
	keys := []string{"pieces"}
	if g.role(of) == defender {
		keys = []string{"numbering", "pieces"}
	}
	f := r.Fields(n, keys...)
	o := &terrainOrder{by: of, at: nodes{"": n, "numbering": f.Get("numbering"), "pieces": f.Get("pieces")}}
	o.numbers = readNumbering(r, f.Get("numbering"))
	if f.Get("pieces") == nil && g.role(of) == defender {
		o.pieces = usualTerrain(of).pieces
		o.of = make([]nodes, len(o.pieces))
	} else if !r.Is(f.Get("pieces"), "none") {
		o.readPieces(r, f.Get("pieces"))
	}
	if len(r.Problems) > since {
		return nil, false
	}
	tellFaults(r, o.faults(g.role(of), g.year, g.size, &g.stock(of).terrain), n)
	return o, len(r.Problems) == since
}

// writeTerrain writes what [readTerrain] reads.
func writeTerrain(g *game, of side, o *terrainOrder) *orders.Node {
	n := orders.Mapping()
	if g.role(of) == defender {
		n.Set("numbering", writeNumbering(o.numbers))
	}
	list := orders.Items()
	for i := range o.pieces {
		list.Add(o.pieces[i].write())
	}
	if len(o.pieces) == 0 {
		list.Flow = true
	}
	return n.Set("pieces", list)
}

// terrainPreface is the stop terrain.
var terrainPreface = preface[*terrainOrder]{
	step:    grounding,
	shape:   terrainShape,
	read:    readTerrain,
	write:   writeTerrain,
	usual:   (*game).usualGround,
	chance:  chanceTerrain,
	choices: chooseTerrain,
	primer:  terrainPrimer,
	do:      func(p *prologue, of side, o *terrainOrder) { p.field.Prepare.terrain[of] = o },
}

// usualGround is what a side orders of the ground that says nothing: the defender the usual pieces,
// as far as his list allows them.
func (g *game) usualGround(of side) *terrainOrder {
	if g.role(of) == attacker {
		return &terrainOrder{by: of, numbers: usualNumbering}
	}
	o := usualTerrain(of)
	o.suit(&g.stock(of).terrain, limitOf(g.size))
	return &o
}

// suit makes an order of terrain one that a list and a field allow: what there may not be falls
// away, and hills and woods are added until there are enough (HFG-4.3).
func (o *terrainOrder) suit(list *listTerrain, limit groundLimit) {
	var count [pieceKindsEnd]int
	o.pieces = slices.DeleteFunc(o.pieces, func(x terrainPiece) bool {
		count[x.Kind]++
		return count[x.Kind] > list.most(x.Kind)
	})
	for _, k := range []pieceKind{hillPiece, woodPiece, slowPiece, roadPiece, buaPiece, streamPiece} {
		for len(o.pieces) < limit.least && count[k] < list.most(k) {
			x := terrainPiece{Kind: k, By: o.by, Any: true}
			if k.area() {
				x.Size = []int{pieceDefs[k].least}
			}
			o.pieces = append(o.pieces, x)
			count[k]++
		}
	}
	for len(o.pieces) > limit.most {
		o.pieces = o.pieces[:len(o.pieces)-1]
	}
}

// chanceTerrain orders ground at random.
func chanceTerrain(g *game, of side, chance *rand.Rand) *terrainOrder {
	as := g.role(of)
	list, limit := &g.stock(of).terrain, limitOf(g.size)
	o := &terrainOrder{by: of, numbers: usualNumbering}
	chance.Shuffle(len(o.numbers)-1, func(i, j int) { o.numbers[i+1], o.numbers[j+1] = o.numbers[j+1], o.numbers[i+1] })
	most := chance.IntN(attackerLays + 1)
	if as == defender {
		most = limit.least + chance.IntN(limit.most-limit.least+1)
		for _, k := range []pieceKind{roadPiece, roadPiece, buaPiece, buaPiece} {
			o.pieces = append(o.pieces, randomPiece(k, of, chance))
		}
	}
	for tries := 0; len(o.pieces) < most && tries < 200; tries++ {
		o.pieces = append(o.pieces, randomPiece(pieceKind(1+chance.IntN(int(pieceKindsEnd)-1)), of, chance))
		o.of = make([]nodes, len(o.pieces))
		if slices.ContainsFunc(o.faults(as, g.year, g.size, list), func(f listFault) bool { return f.Why.Code != "hfg.pieces-number" }) {
			o.pieces = o.pieces[:len(o.pieces)-1]
		}
	}
	o.of = make([]nodes, len(o.pieces))
	if len(o.faults(as, g.year, g.size, list)) > 0 {
		return g.usualGround(of)
	}
	return o
}

// randomPiece is a piece of a kind at random.
func randomPiece(k pieceKind, of side, chance *rand.Rand) terrainPiece {
	d := pieceDefs[k]
	x := terrainPiece{Kind: k, By: of, Any: chance.IntN(8) > 0}
	size := func(most int) int { return d.least + chance.IntN(most-d.least+1) }
	switch {
	case k == waterwayPiece || k == riverPiece || k == buaPiece:
		x.Size = []int{size(d.most)}
	case k == marshPiece:
		x.Size = []int{size(1500), size(d.narrow)}
	case k.area():
		x.Size = []int{size(min(d.most, 2000)), size(min(d.most, 1400))}
	}
	if k == hillPiece {
		x.Slope = slope(chance.IntN(2))
	}
	if k == roadPiece {
		x.Bridges = chance.IntN(2) == 0
	}
	return x
}

// A placement is what the owner of a piece answers when its dice have been rolled; without a siting it is the first
// legal place. A stream may become the river then.
type placement struct {
	siting *siting
	width  int // of the river; 0: it stays what it is
	up     bool
	former bool // it was accepted before
}

// piece is the piece as it comes to the field.
func (v *placement) piece(x *terrainPiece) terrainPiece {
	c := *x
	if v.width > 0 {
		c.Kind, c.Size, c.Up = riverPiece, []int{v.width}, v.up
	}
	return c
}

// river reads how wide a river is that a stream becomes (HFG-4.8): there is none yet, the defender's list allows one, and it runs
// between the long edges.
func (v *placement) river(r *orders.Reader, g *game, f orders.Fields) {
	at := f.Get("width")
	if at == nil {
		if n := f.Get("upstream"); n != nil {
			r.Refuse(n, "HFG-4.8", phrase.Say("hfg.place-no-river"))
		}
		return
	}
	d := pieceDefs[riverPiece]
	v.width, _ = r.Int(at, d.least, d.most)
	word, _ := r.Word(f.Get("upstream"), "first", "last")
	v.up = word == "last"
	other := slices.ContainsFunc(g.lines, func(d lineDef) bool { return d.kind == river })
	if g.Prepare.Pieces[0].Kind != streamPiece || other || g.stock(g.defends()).terrain.most(riverPiece) == 0 {
		r.Refuse(at, "HFG-4.8", phrase.Say("hfg.place-no-river"))
	}
}

// placementKeys are those of a placement: after the first those that say where the piece lies and what becomes of it.
var placementKeys = []string{"place", "at", "facing", "from", "to", "bends", "width", "upstream"}

// readPlacement reads {place: hill-1, at: [3200, 4100], facing: 90}, {place: stream-1, width: 300}, or {place: first-legal}.
func readPlacement(r *orders.Reader, g *game, of side, n *orders.Node) (placement, bool) {
	since := len(r.Problems)
	f := r.Fields(n, placementKeys...)
	x := &g.Prepare.Pieces[0]
	id := g.plot().nextID(x.Kind)
	if named := f.Get("place"); r.Is(named, firstLegal) {
		for _, key := range placementKeys[1:] {
			if n := f.Get(key); n != nil {
				r.Refuse(n, "HFG-4.5", phrase.Say("hfg.place-first"))
			}
		}
		return placement{}, len(r.Problems) == since
	} else if named != nil && orders.Fold(named.Text) != orders.Fold(id) {
		r.Refuse(named, "HFG-4.5", phrase.Say("hfg.place-not", phrase.Literal("piece", id)))
		return placement{}, false
	}
	rest := *n
	rest.Pairs = slices.DeleteFunc(slices.Clone(n.Pairs), func(p orders.Pair) bool {
		return p.Value == f.Get("place") || p.Value == f.Get("width") || p.Value == f.Get("upstream")
	})
	w, ok := readSiting(r, &rest)
	v := placement{siting: &w, former: r.Accepted}
	v.river(r, g, f)
	if !ok || len(r.Problems) > since {
		return placement{}, false
	}
	y := v.piece(x)
	plot := g.plot()
	plot.former = v.former
	l, fault := plot.lay(&y, &w, g.dry())
	if fault == nil && v.width > 0 && l.line.kind != river {
		fault = refuse("HFG-4.8", "hfg.place-no-river")
	}
	if fault != nil {
		fault.Refuse(r, n)
		return placement{}, false
	}
	return v, true
}

// placePreface is the stop place.
var placePreface = preface[placement]{
	step:  placing,
	shape: placeShape,
	read:  readPlacement,
	write: func(g *game, _ side, v placement) *orders.Node {
		if v.siting == nil {
			return orders.Inline().Set("place", orders.Text(firstLegal))
		}
		n := orders.Inline().Set("place", orders.Text(g.plot().nextID(g.Prepare.Pieces[0].Kind)))
		n.Pairs = append(n.Pairs, writeSiting(*v.siting).Pairs...)
		if v.width > 0 {
			n.Set("width", orders.Number(v.width))
		}
		if v.up {
			n.Set("upstream", orders.Text("last"))
		}
		return n
	},
	usual: func(*game, side) placement { return placement{} },
	chance: func(g *game, _ side, chance *rand.Rand) placement {
		x, p := &g.Prepare.Pieces[0], g.plot()
		for range 40 {
			w := siting{At: place{X: chance.Int64N(g.size.X/placeStep) * placeStep, Y: chance.Int64N(g.size.Y/placeStep) * placeStep}, Facing: chance.IntN(360)}
			if x.Kind.line() || x.Kind == waterwayPiece {
				break
			}
			if _, fault := p.lay(x, &w, g.dry()); fault == nil {
				return placement{siting: &w}
			}
		}
		return placement{}
	},
	choices: choosePlace,
	primer:  placePrimer,
	do: func(p *prologue, _ side, v placement) {
		x := &p.field.Prepare.Pieces[0]
		if v.siting == nil {
			w, ok := p.field.plot().first(x, p.field.dry())
			if !ok {
				p.leavesOut(x)
				return
			}
			v.siting = &w
		}
		*x = v.piece(x)
		plot := p.field.plot()
		plot.former = v.former
		p.laid(plot, x, v.siting)
	},
}

// edgePreface is the stop edge.
var edgePreface = preface[edge]{
	step:  choosing,
	shape: edgeShape,
	read: func(r *orders.Reader, _ *game, _ side, n *orders.Node) (edge, bool) {
		f := r.Fields(n, "edge")
		word, ok := r.Word(r.Require(f, "edge"), "north", "south")
		if word == "north" {
			return north, ok
		}
		return south, ok
	},
	write: func(_ *game, _ side, e edge) *orders.Node {
		return orders.Inline().Set("edge", orders.Text(map[edge]string{north: "north", south: "south"}[e]))
	},
	usual:   func(*game, side) edge { return south },
	chance:  func(_ *game, _ side, chance *rand.Rand) edge { return [2]edge{north, south}[chance.IntN(2)] },
	choices: chooseEdge,
	primer:  edgePrimer,
	do:      func(p *prologue, _ side, e edge) { p.takesEdge(e) },
}
