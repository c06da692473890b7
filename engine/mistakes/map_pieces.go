package mistakes

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/sheet"
)

// Inks of pieces and markers.
const (
	inkWhite  engine.Ink = "#ffffff"
	inkGreen  engine.Ink = "#1f7a3a"
	inkOrange engine.Ink = "#f2a01e"
	inkYellow engine.Ink = "#ffd84d"
	inkLoss   engine.Ink = "#c40000"
	inkSmoke  engine.Ink = "#8f8b84"
)

// A livery is the inks of an army's pieces. In grey they are dark, middling and pale.
type livery struct{ fill, sign, text, edge engine.Ink }

var liveries = [armies]livery{
	blue:  {fill: "#183c7c", sign: "#7f97c4", text: inkWhite, edge: inkWhite},
	red:   {fill: "#c2452f", sign: "#eeaa9b", text: inkWhite, edge: inkWhite},
	black: {fill: "#dedede", sign: "#909090", text: inkText, edge: inkText},
}

// hollow is the livery of a routed unit.
func (l livery) hollow() livery {
	if l.text == inkText {
		return livery{fill: inkWhite, sign: inkGrid, text: inkText, edge: inkText}
	}
	return livery{fill: inkWhite, sign: l.sign, text: l.fill, edge: l.fill}
}

// piece draws a unit at its angle: its front as a bar, the sign of its arm, its losses along
// the rear edge, and a yellow rim if it is shaken or routed.
func (k *sketch) piece(u unitID) {
	d, x := k.view.def(u), &k.view.Units[u]
	whole, b := k.bodies[u], k.view.gun(u)
	l := liveries[d.army]
	if x.Yellow == 2 {
		l = l.hollow()
		k.Tail(&b, 4000, inkText, inkYellow)
	}
	if x.Limber != unlimbered {
		k.Body(&whole, inkCard, l.edge, 8)
		k.Body(&whole, "", liveries[d.army].fill, 16)
		m := geometry.Point{X: whole.U0 + whole.U1, Y: whole.V0 + whole.V1} // the middle of the limber
		k.Disc(k.Point(b.World(m)), k.Long(4500), "", liveries[d.army].fill, 14)
	}
	k.Body(&b, l.fill, l.edge, 10)
	k.arm(&b, d, l)
	front := b.Box
	front.V0 = front.V1 - 3500
	k.Part(&b, geometry.Box{U0: front.U0 + 1000, V0: front.V0, U1: front.U1 - 1000, V1: front.V1 - 800}, l.text, "", 0)
	if d.garrison() {
		k.Part(&b, b.Box.In(-1500), "", l.fill, 24)
	}
	if x.Yellow > 0 {
		k.yellowRim(&b)
	}
	for i := range x.Losses {
		at := geometry.Point{X: b.U0 + 3500 + int64(i)*5500, Y: b.V0 + 3500}
		k.Disc(k.Point(b.World(at)), max(k.Long(2000), 2), inkLoss, inkWhite, 10)
	}
}

// yellowRim marks a unit that is shaken or routed.
func (k *sketch) yellowRim(b *geometry.Body) {
	k.Part(b, b.Box.In(1200), "", inkText, 46)
	k.Part(b, b.Box.In(1200), "", inkYellow, 26)
}

// arm draws the sign of an arm: two crossing lines for infantry, one for cavalry, half filled
// if it is heavy and double if it is medium, a disc for guns.
func (k *sketch) arm(b *geometry.Body, d *unitDef, l livery) {
	at := func(u, v int64) engine.Point { return k.Point(b.World(geometry.Point{X: u, Y: v})) }
	r := b.Box.In(1500)
	wide := max(10, k.Long(1200)*10)
	switch {
	case d.arm == artillery:
		k.Disc(at(0, -1000), k.Long(3500), l.sign, "", 0)
		return
	case d.weight == heavy:
		k.Polygon(l.sign, "", 0, at(r.U0, r.V0), at(r.U1, r.V1), at(r.U1, r.V0))
	case d.weight == medium:
		k.Line(l.sign, 3*wide, at(r.U0, r.V0), at(r.U1, r.V1))
	default:
		k.Line(l.sign, wide, at(r.U0, r.V0), at(r.U1, r.V1))
	}
	if d.arm == infantry {
		k.Line(l.sign, wide, at(r.U0, r.V1), at(r.U1, r.V0))
	}
}

// number is how large the letters on pieces are.
func (k *sketch) number() int {
	if k.near {
		return k.text + 3
	}
	return k.text
}

// numbers writes the numbers of guns or of other units on them, or beside a gun that is too small
// for it. A garrison goes by its town.
func (k *sketch) numbers(guns bool) {
	for _, u := range k.units {
		d, whole := k.view.def(u), k.bodies[u]
		if d.garrison() || (d.arm == artillery) != guns {
			continue
		}
		lv := liveries[d.army]
		if k.view.Units[u].Yellow == 2 {
			lv = lv.hollow()
		}
		on := sheet.Lettering{Size: k.number(), Bold: true, Ink: lv.text, Rim: lv.fill}
		middle, text := k.Point(geometry.Point(k.view.Units[u].At)), strconv.Itoa(d.no)
		box := sheet.LabelBox(middle, text, on)
		if box.Common(k.Frame) != box.W*box.H {
			continue // at the edge of a close-up
		}
		if !guns || k.Free(box, &whole, false) {
			k.Write(middle, text, on)
			continue
		}
		beside := on
		if beside.Ink, beside.Rim = lv.fill, inkMeadow; lv.text == inkText || lv.fill == inkWhite {
			beside.Ink = inkText
		}
		k.numberBeside(u, text, on, beside)
	}
}

// numberBeside writes the number of a gun on which there is no room: close beside it, else on it and
// over other pieces, else as near as there is room, with a line to the gun.
func (k *sketch) numberBeside(u unitID, text string, on, beside sheet.Lettering) {
	const near, far = 4, 200
	r, middle := k.Bounds(&k.bodies[u]), k.Point(geometry.Point(k.view.Units[u].At))
	box := sheet.LabelBox(middle, text, on)
	if k.Name(text, beside, false, sheet.Around(r, box.W, box.H, near)) ||
		k.Name(text, on, true, append([]engine.Point{middle}, sheet.Around(engine.Box{X: middle.X, Y: middle.Y}, 2, 2, 8)...)) {
		return
	}
	if k.Name(text, beside, true, sheet.Around(r, box.W, box.H, far)) {
		at := k.Field.Names()[len(k.Field.Names())-1].Middle()
		k.Line(inkText, 10, middle, sheet.Leave(at, middle, box, 0))
	}
}

// formationRims draws a rim round each formation, green if it moves, orange if it recovers,
// and an arrowhead before the front of one that moves.
func (k *sketch) formationRims(spots map[string]engine.Spot) {
	for i := range k.view.Formations {
		f := &k.view.Formations[i]
		if !slices.ContainsFunc(f.Units, func(u unitID) bool { return slices.Contains(k.units, u) }) {
			continue
		}
		ink, grow := inkText, int64(1200)
		switch {
		case f.Green:
			ink, grow = inkGreen, 3000
		case f.Orange > 0:
			ink, grow = inkOrange, 3000
		}
		for _, rim := range [2]struct {
			ink  engine.Ink
			grow int64
		}{{inkWhite, grow + 800}, {ink, grow}} {
			for _, u := range f.Units {
				b := k.view.body(u)
				k.Part(&b, b.Box.In(-rim.grow), rim.ink, "", 0)
			}
		}
		first, outer := k.view.body(f.Units[0]), k.outer(f)
		all := first.Frame.Extents(outer)
		lo, hi := geometry.Bounds(outer)
		if p, q := k.At(lo.X, hi.Y), k.At(hi.X, lo.Y); k.Shows(k.Point(first.At)) {
			spots[f.ID] = engine.Spot{Box: engine.Box{X: p.X, Y: p.Y, W: q.X - p.X, H: q.Y - p.Y}, Taken: true}
		}
		if f.Green {
			front := geometry.NewBody(geometry.Piece{Frame: first.Frame, Box: all})
			k.arrowhead(&front, all.V1+3000)
		}
	}
}

// arrowhead marks a formation that moves, so far ahead in the frame of a body.
func (k *sketch) arrowhead(b *geometry.Body, ahead int64) {
	at := func(u, v int64) engine.Point {
		return k.Point(b.World(geometry.Point{X: (b.U0+b.U1)/2 + u, Y: ahead + v}))
	}
	k.Polygon(inkGreen, inkWhite, 10, at(-8000, 0), at(0, 8000), at(8000, 0))
}

// outer are the corners of all units of a formation.
func (k *sketch) outer(f *formation) []geometry.Point {
	var all []geometry.Point
	for _, u := range f.Units {
		b := k.view.body(u)
		all = append(all, b.Corner[:]...)
	}
	return all
}

// smoke draws a puff before each gun that has fired.
func (k *sketch) smoke() {
	for _, u := range k.units {
		if b := k.view.gun(u); k.view.Units[u].Smoke {
			for _, puff := range [...][3]int64{{-5000, 5000, 4500}, {5000, 5500, 4500}, {0, 8500, 5500}} {
				k.Disc(k.Point(b.World(geometry.Point{X: puff[0], Y: b.V1 + puff[1]})), k.Long(puff[2]), inkSmoke, inkWhite, 10)
			}
		}
	}
}

// reaches draws, on close-ups, how far units engage enemies, or, while guns may fire, how far
// and how broad each of those fires.
func (k *sketch) reaches() {
	for _, u := range k.units {
		b := k.view.engagement(u)
		ink := liveries[k.view.def(u).army].fill
		if k.view.def(u).army == black {
			ink = inkText
		}
		if k.view.Phase <= firing {
			if !k.view.fires(u) {
				continue
			}
			b = k.view.line(u)
		}
		points := k.Points(b.Corner[:])
		k.Dashed(ink, 10, 4, append(points, points[0])...)
	}
}

// leadersMarks draws the leaders, those who are free or the others: a disc with their initials, at the rear left corner of the
// unit to which they are attached.
func (k *sketch) leadersMarks(free bool, spots map[string]engine.Spot) {
	for l := leaderID(1); int(l) < len(k.view.Leaders); l++ {
		x, d := &k.view.Leaders[l], k.view.lead(l)
		if !k.view.inField(l) || (x.Attached == 0) != free {
			continue
		}
		lv, text := liveries[d.army], sheet.Lettering{Size: k.number(), Bold: true, Ink: liveries[d.army].text, Rim: liveries[d.army].fill}
		radius := text.Size * 6 / 10
		var p engine.Point
		for _, at := range k.corners(l) {
			p = k.Point(at)
			if k.Free(sheet.LabelBox(p, k.initials(l), text), nil, true) {
				break
			}
		}
		if box := sheet.LabelBox(p, k.initials(l), text); box.Common(k.Frame) != box.W*box.H {
			continue // at the edge of a close-up
		}
		if free {
			radius = max(radius, k.Long(int64(k.view.measures.counter)/2))
		}
		k.Stands(k.view.counter(k.view.whereIs(l)))
		edge := inkYellow
		if x.Substitute {
			edge = inkWhite
		}
		k.Disc(p, radius+1, inkText, "", 0)
		k.Disc(p, radius, lv.fill, edge, 18)
		r := engine.Box{X: p.X, Y: p.Y}.Grown(radius)
		spots[d.id] = engine.Spot{Box: r, Taken: true}
		if initials := k.initials(l); k.Free(sheet.LabelBox(p, initials, text), nil, true) {
			k.Write(p, initials, text)
		} else {
			k.Name(initials, text, true, sheet.Around(r, radius, radius, radius))
		}
	}
}

// corners are where a leader may be drawn: where he stands, or about the corners of the unit to
// which he is attached, the rear left one first, far enough out to leave its number free.
func (k *sketch) corners(l leaderID) []geometry.Point {
	all := []geometry.Point{k.view.whereIs(l)}
	if u := k.view.Leaders[l].Attached; u != 0 {
		g := k.view.gun(u)
		c := geometry.NewBody(geometry.Piece{Frame: g.Frame, Box: g.Box.In(-2500)}).Corner
		all = []geometry.Point{c[3], c[2], c[0], c[1]}
	}
	edge := int64(k.text) * k.Unit * 6 / 10
	for i, p := range all {
		all[i] = geometry.Point{X: min(max(p.X, edge), k.view.size.X-edge), Y: min(max(p.Y, edge), k.view.size.Y-edge)}
	}
	return all
}

// initials are the first letter of a leader's name, or the first two if one of his army who
// stands before him in the file has that letter.
func (k *sketch) initials(l leaderID) string {
	name := strings.Map(func(c rune) rune {
		if c == '\'' || c == ' ' {
			return -1
		}
		return c
	}, k.view.lead(l).name)
	for other := leaderID(1); other < l; other++ {
		if k.view.lead(other).army == k.view.lead(l).army && k.view.lead(other).name[0] == name[0] && len(name) > 1 {
			return name[:2]
		}
	}
	return name[:1]
}
