package hfg

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Places as orders name them (section 6 of the digest): [5616, 4530], a named point, a square of the
// grid, a place by an element, a place along a road.

// A spotted is where a place lies; fixed if it has a facing of its own.
type spotted struct {
	geometry.Frame
	fixed bool
	thing geometry.Figure // by which it is named; nothing: the place itself
}

// gap is how far a base is from what a place is named by, in units (HFG-R121).
func (s *spotted) gap(b *geometry.Body) int64 {
	thing := s.thing
	if len(thing.P) == 0 {
		thing.P = []point{s.At}
	}
	return geometry.Distance(outlineOf(b), thing)
}

// gridStep is how wide a square of the grid is, in paces.
const gridStep = 1000

// spot works out a place for an element, from its text.
func (g *game) spot(text string, e elementID) (spotted, *play.Fault) {
	words := strings.Fields(text)
	none := refuse("HFG-1.1", "hfg.place-unknown", phrase.Literal("place", text))
	if strings.HasPrefix(text, "[") {
		n, faults := orders.ParseNode([]byte("at: " + text + "\n"))
		if len(faults) > 0 {
			return spotted{}, none
		}
		at, ok := scale.ReadPoint(orders.NewReader(vocabulary), n.Get("at"))
		if !ok {
			return spotted{}, none
		}
		return spotted{Frame: geometry.Frame{At: at}}, nil
	}
	for i := range g.places { // by its id or its name, which may have several words
		if g.places[i].id == text || strings.EqualFold(g.places[i].name, text) {
			return spotted{Frame: geometry.Frame{At: point(g.places[i].at)}}, nil
		}
	}
	switch {
	case len(words) == 3 && words[1] == "of":
		return g.spotBeside(words[0], words[2], e, none)
	case len(words) == 3 && words[0] == "behind":
		return g.spotBehind(words[1], words[2], none)
	case len(words) == 4 && words[0] == "beside":
		return g.spotFlank(words[1], words[2], words[3], e, none)
	case len(words) == 3 && words[0] == "road":
		return g.spotRoad(words[1], words[2], none)
	case len(words) != 1:
		return spotted{}, none
	}
	if at, ok := g.gridPoint(text); ok {
		return spotted{Frame: geometry.Frame{At: at}}, nil
	}
	if a, ok := g.areaNamed(text); ok {
		o := g.outline(a)
		return spotted{Frame: geometry.Frame{At: point{X: geometry.RDiv(o.Lo.X+o.Hi.X, 2), Y: geometry.RDiv(o.Lo.Y+o.Hi.Y, 2)}}, thing: geometry.Figure{P: o.P, Closed: true}}, nil
	}
	if o, ok := g.seenNamed(text, e); ok {
		b := g.body(o)
		return spotted{Frame: geometry.Frame{At: b.At}, thing: outlineOf(&b)}, nil
	}
	return spotted{}, none
}

// seenNamed finds an element that stands on the field and is known to the side of another.
func (g *game) seenNamed(id string, e elementID) (elementID, bool) {
	o, ok := g.elementNamed(id)
	return o, ok && g.on(o) && (!g.enemies(o, e) || g.known(g.def(e).side, o))
}

// spotBeside is front of x, left of x and so on: the conformed place (HFG-11.7).
func (g *game) spotBeside(side, id string, e elementID, none *play.Fault) (spotted, *play.Fault) {
	var b geometry.Body
	block := false
	if a, ok := g.areaNamed(id); ok && g.area(a).square() {
		b, block = g.block(a), true
	} else if o, ok := g.seenNamed(id, e); ok {
		b, block = g.body(o), g.Elements[o].Holds != 0
	} else {
		return spotted{}, none
	}
	for i, word := range edgeSides {
		if word == side {
			own := g.body(e)
			return spotted{conformed(own.Box, &b, geometry.Flank(i), block, own.At), true, outlineOf(&b)}, nil
		}
	}
	return spotted{}, none
}

// edgeSides are the sides of an element as orders name them.
var edgeSides = []string{"front", "left", "right", "rear"}

// spotBehind is behind x 100: the same heading, so many paces behind its rear edge.
func (g *game) spotBehind(id, far string, none *play.Fault) (spotted, *play.Fault) {
	o, ok := g.elementNamed(id)
	n, err := strconv.Atoi(far)
	if !ok || !g.on(o) || err != nil || n < 0 || n > mostFar {
		return spotted{}, none
	}
	b := g.body(o)
	at := b.World(point{X: (b.U0 + b.U1) / 2, Y: b.V0 - int64(n)*pace})
	return spotted{geometry.Frame{At: at, Heading: b.Heading}, true, outlineOf(&b)}, nil
}

// spotFlank is beside x left 0: the same heading, the flank edges so many paces apart.
func (g *game) spotFlank(id, side, far string, e elementID, none *play.Fault) (spotted, *play.Fault) {
	o, ok := g.elementNamed(id)
	n, err := strconv.Atoi(far)
	if !ok || !g.on(o) || err != nil || n < 0 || n > mostFar || side != "left" && side != "right" {
		return spotted{}, none
	}
	b, own := g.body(o), g.box(g.def(e))
	u := b.U1 + int64(n)*pace - own.U0
	if side == "left" {
		u = b.U0 - int64(n)*pace - own.U1
	}
	return spotted{geometry.Frame{At: b.World(point{X: u, Y: b.V1}), Heading: b.Heading}, true, outlineOf(&b)}, nil
}

// spotRoad is road x 1450: so many paces along a road from its first point.
func (g *game) spotRoad(id, far string, none *play.Fault) (spotted, *play.Fault) {
	l, ok := g.lineNamed(id)
	n, err := strconv.Atoi(far)
	if !ok || err != nil || n < 0 || n > 100*mostFar {
		return spotted{}, none
	}
	return spotted{Frame: geometry.Frame{At: geometry.Along(g.line(l).points, int64(n)*pace)}}, nil
}

// sentTo is the place to which an order sends an element, the way it looks there, and the corners of its way (HFG-R121).
func (g *game) sentTo(o *order, e elementID) (to spotted, facing geometry.Heading, via []point, fault *play.Fault) {
	if to, fault = g.spot(o.To, e); fault != nil {
		return to, 0, nil, fault
	}
	switch facing = g.body(e).Heading; {
	case o.Turns:
		facing = geometry.Heading(o.Facing)
	case to.fixed:
		facing = to.Heading
	}
	for _, text := range strings.Split(o.Via, ";") {
		if text = strings.TrimSpace(text); text != "" {
			at, fault := g.spot(text, e)
			if fault != nil {
				return to, 0, nil, fault
			}
			via = append(via, at.At)
		}
	}
	return to, facing, via, nil
}

// stopShort plans a move towards a place over those on its way, as far as the gap between the base and what the place is named
// by is so many paces (HFG-R121).
func (g *game) stopShort(o *order, e elementID, to spotted, facing geometry.Heading, via []point, how func(*plan) *plan) (*plan, *play.Fault) {
	way := slices.Concat([]point{g.body(e).At}, via, []point{to.At})
	for n := paces(longOf(way)); n >= 0; {
		end := geometry.Frame{At: geometry.Along(way, int64(n)*pace), Heading: facing}
		b := g.bodyAt(e, end)
		lacks := o.Short - 1 - paces(to.gap(&b))
		if lacks <= 0 {
			p := how(g.alone(e, end, passedOn(way, int64(n)*pace)...))
			return p, g.judge(p)
		}
		n -= lacks // no base comes nearer by more than it goes
	}
	return nil, refuse("HFG-R121", "hfg.short-near", g.elementArg("element", e), phrase.Number("short", o.Short-1))
}

// passedOn are the corners of a way that lie between its beginning and a place along it.
func passedOn(way []point, n int64) []point {
	var all []point
	for i := 1; i < len(way)-1; i++ {
		if n -= geometry.Dist(way[i-1], way[i]); n <= 0 {
			break
		}
		all = append(all, way[i])
	}
	return all
}

// gridPoint reads K4 or K4+150+80: the south-west corner of a square of the grid, and paces to
// the east and the north of it.
func (g *game) gridPoint(text string) (point, bool) {
	parts := strings.Split(text, "+")
	if len(parts) != 1 && len(parts) != 3 || len(parts[0]) < 2 {
		return point{}, false
	}
	column := int64(strings.ToUpper(parts[0])[0]) - 'A'
	row, err := strconv.Atoi(parts[0][1:])
	if err != nil || column < 0 || column > 25 || row < 1 || row > 99 {
		return point{}, false
	}
	at := point{X: column * gridStep * pace, Y: int64(row-1) * gridStep * pace}
	if len(parts) == 3 {
		x, errX := strconv.Atoi(parts[1])
		y, errY := strconv.Atoi(parts[2])
		if errX != nil || errY != nil || x < 0 || y < 0 || x > gridStep || y > gridStep {
			return point{}, false
		}
		at.X, at.Y = at.X+int64(x)*pace, at.Y+int64(y)*pace
	}
	return at, at.X <= g.size.X && at.Y <= g.size.Y
}

// place reads a place: its text is kept, and worked out when the move is made.
func (m *moveReader) place(n *orders.Node) string {
	if n.Kind == orders.List {
		at, ok := scale.ReadPoint(m.r, n)
		if !ok {
			return ""
		}
		return inline(scale.WritePoint(at))
	}
	text, ok := m.r.Text(n)
	if !ok {
		return ""
	}
	text = placeWords(text)
	for e := elementID(1); int(e) < len(m.w.board.Elements); e++ {
		if m.w.v.owns(e) {
			if _, fault := m.w.board.spot(text, e); fault != nil {
				fault.Refuse(m.r, n)
				return ""
			}
			break
		}
	}
	if m.r.Accepted {
		return text // as it was written then
	}
	return m.w.board.spelt(text)
}

// spelt gives the text of a place in one spelling: named points as the map has them, squares with a great letter, numbers without
// signs and zeros before them.
func (g *game) spelt(text string) string {
	for i := range g.places {
		switch {
		case g.places[i].id == text:
			return text
		case strings.EqualFold(g.places[i].name, text):
			return g.places[i].name
		}
	}
	if square, rest, _ := strings.Cut(text, "+"); len(text) > 0 {
		if _, ok := g.gridPoint(text); ok {
			row, _ := strconv.Atoi(square[1:])
			text = strings.TrimSuffix(strings.ToUpper(square[:1])+strconv.Itoa(row)+"+"+rest, "+")
		}
	}
	if p, numbers := siteFormOf(text); len(p.keys) > 0 {
		return p.text(numbers...)
	}
	return text
}

// placeWords writes the keywords of a place in English: behind kempt 100, whatever language it was in. Names stay as
// they are.
func placeWords(text string) string {
	words := strings.Fields(text)
	if len(words) < 3 {
		return text
	}
	may := [][]string{{"behind", "beside", "road"}, nil, {"left", "right"}}
	if _, ok := vocabulary.Key(words[1], []string{"of"}); ok {
		may = [][]string{edgeSides, {"of"}, nil}
	}
	for i, allowed := range may {
		if key, ok := vocabulary.Key(words[i], allowed); ok {
			words[i] = key
		}
	}
	return strings.Join(words, " ")
}
