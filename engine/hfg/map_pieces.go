package hfg

import (
	"cmp"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/sheet"
)

// Inks of pieces and marks.
const (
	inkWhite  engine.Ink = "#ffffff"
	inkYellow engine.Ink = "#ffd84d"
)

// A livery is the inks of a side's pieces. In grey they are dark and middling.
type livery struct{ fill, sign engine.Ink }

var liveries = [sides]livery{first: {fill: "#183c7c", sign: "#aebfe4"}, second: {fill: "#b23a26", sign: "#f6c4b8"}}

// bands are the inks that tell commands apart, each the band along the rear edge of their elements.
// An enemy's band is always the first: whom an element belongs to isn't seen.
var bands = [...]engine.Ink{"#ffffff", "#ffd84d", "#7fd08a", "#f2a01e", "#8fd0ff", "#d9a2e8", "#1d1b18", "#c9b07a", "#ff9d9d"}

// band is the ink of an element's command.
func (k *sketch) band(e elementID) engine.Ink {
	n := 0
	for c := commandID(1); c < k.view.command(e); c++ {
		if k.view.lead(c).side == k.view.def(e).side {
			n++
		}
	}
	return bands[n%len(bands)]
}

// piece draws an element at its angle: its front as a bar, the sign of its class, its command as a
// band along its rear. Who is repulsed is hollow, who is routed has a tail, the front of who is
// silenced is grey.
func (k *sketch) piece(e elementID) {
	x, b := &k.view.Elements[e], k.bodies[e]
	l, rim := liveries[k.view.def(e).side], inkWhite
	front := inkWhite
	if x.Spirit != steady {
		l, rim, front = livery{fill: inkWhite, sign: l.fill}, l.fill, l.fill
	}
	if x.Spirit == routed {
		k.Tail(&b, 40*pace, inkText, inkYellow)
	}
	if x.Silenced > 0 {
		front = inkEdge
	}
	k.Body(&b, l.fill, rim, 10)
	k.classSign(&b, k.view.class(e), k.view.def(e), l.sign)
	k.Part(&b, geometry.Box{U0: b.U0 + 20*pace, V0: b.V0 + 8*pace, U1: b.U1 - 20*pace, V1: b.V0 + 38*pace}, k.band(e), "", 0)
	k.Part(&b, geometry.Box{U0: b.U0 + 10*pace, V0: b.V1 - 42*pace, U1: b.U1 - 10*pace, V1: b.V1 - 10*pace}, front, "", 0)
	if x.Damaged || x.Disabled {
		k.Part(&b, b.Box.In(12*pace), "", inkText, 46)
		k.Part(&b, b.Box.In(12*pace), "", inkYellow, 26)
	}
	if x.Concealed {
		points := k.Points(b.Corner[:])
		k.Dashed(inkText, 20, 4, append(points, points[0])...)
	}
}

// classSign draws the sign of a class: two crossing lines for foot, one for mounted, half filled for
// the heavier ones, a disc for guns, a star for staff, a ring for train, a hull for ships.
func (k *sketch) classSign(b *geometry.Body, c class, d *elementDef, ink engine.Ink) {
	lo, hi := b.V0+44*pace, b.V1-50*pace
	at := func(u, v int64) engine.Point { return k.Point(b.World(point{X: u, Y: v})) }
	mid := b.Middle()
	mid.Y = (lo + hi) / 2
	u0, u1 := max(b.U0+50*pace, mid.X-120*pace), min(b.U1-50*pace, mid.X+120*pace)
	wide := max(10, k.Long(12*pace)*10)
	radius := max(k.Long((hi-lo)/2), 3)
	switch c {
	case artillery:
		k.Disc(at(mid.X, mid.Y), radius*2/3, ink, "", 0)
	case staff:
		k.Polygon(ink, "", 0, sheet.Star(at(mid.X, mid.Y), min(radius, k.Long(110*pace)))...)
	case train:
		k.Disc(at(mid.X, mid.Y), radius*2/3, "", ink, 2*wide)
	case naval:
		k.Polygon(ink, "", 0, at(u0, mid.Y), at(u1, mid.Y), at(mid.X, hi))
	case mounted:
		if d.troop == cuirassiers || d.troop == heavyCavalry || d.troop == pistols {
			k.Polygon(ink, "", 0, at(u0, lo), at(u1, hi), at(u1, lo))
		} else {
			k.Line(ink, wide, at(u0, lo), at(u1, hi))
		}
	default:
		k.Line(ink, wide, at(u0, lo), at(u1, hi))
		k.Line(ink, wide, at(u0, hi), at(u1, lo))
	}
}

// lastSeen draws enemies where they were last known, dashed.
func (k *sketch) lastSeen() {
	for s := first; s < sides; s++ {
		for _, x := range k.view.Seen[s] {
			if k.view.on(x.Element) {
				continue
			}
			b := k.view.bodyAt(x.Element, geometry.Frame{At: point(x.At), Heading: geometry.Heading(x.Facing)})
			if k.Shows(k.Point(b.At)) {
				points := k.Points(b.Corner[:])
				k.Dashed(liveries[k.view.def(x.Element).side].fill, 14, 5, append(points, points[0])...)
			}
		}
	}
}

// arcLong is how far arcs of fire are drawn at most, in paces.
const arcLong = 500

// arcs draws on close-ups the arcs of fire of the seat's guns and ships that may shoot, and of others who have somebody to shoot at, as far as
// they reach or as there is room.
func (k *sketch) arcs() {
	for _, e := range k.pieces {
		c := k.view.class(e)
		if !k.view.owns(e) || k.view.noShot(e) != nil || c != artillery && c != naval && len(k.view.targets(e)) == 0 {
			continue
		}
		b, long := k.view.body(e), int64(min(k.view.reaches(e, fighter{Element: e}), arcLong))*pace
		for _, side := range k.view.shootingEdges(e) {
			edge := sideOf(&b, side)
			f := geometry.Frame{At: midpoint(edge[0], edge[1]), Heading: outward(&b, side)}
			wide := geometry.Dist(edge[0], edge[1])/2 + sideways*pace
			at := func(u, v int64) engine.Point { return k.Point(f.World(point{X: u, Y: v})) }
			k.Dashed(liveries[k.view.def(e).side].fill, 12, 5, at(-wide, long), at(-wide, 0), at(wide, 0), at(wide, long))
		}
	}
}

// labels writes the ids of elements on close-ups, on them or beside them, and on the picture of the
// whole field those of generals where there is room. Whoever fights or has moved comes first.
func (k *sketch) labels() {
	all := slices.Clone(k.pieces)
	if !k.near {
		all = slices.DeleteFunc(all, func(e elementID) bool { return k.view.class(e) != staff })
	}
	rank := func(e elementID) int {
		x := &k.view.Elements[e]
		switch {
		case k.view.class(e) == staff:
			return 0
		case x.Moved > 0 || x.Shot || x.Spirit != steady:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(all, func(a, b elementID) int { return cmp.Compare(rank(a), rank(b)) })
	for _, e := range all {
		b := k.bodies[e]
		middle := k.Point(b.World(b.Middle()))
		if !k.Shows(middle) {
			continue
		}
		text := k.view.called(e)
		l := livery{fill: liveries[k.view.def(e).side].fill}
		on := sheet.Lettering{Size: mapText, Bold: true, Ink: inkWhite, Rim: l.fill}
		if k.view.Elements[e].Spirit != steady {
			on.Ink, on.Rim = l.fill, inkWhite
		}
		r := k.Bounds(&b)
		box := sheet.LabelBox(middle, text, on)
		if box.W <= r.W+8 && box.H <= r.H && k.Free(box, &b, false) {
			k.Write(middle, text, on)
			continue
		}
		beside := sheet.Lettering{Size: mapText, Bold: true, Ink: l.fill, Rim: inkMeadow}
		if k.Name(text, beside, false, sheet.Around(r, box.W, box.H, 8)) {
			continue
		}
		if k.near && k.Free(box, nil, true) {
			k.Write(middle, text, on)
		}
	}
}

// called is how an element is called where people read: its id, its first letter large, and Roman
// numbers, too.
func (s *setting) called(e elementID) string { return spelt(s.def(e).id) }

func spelt(id string) string {
	head, rest, more := strings.Cut(id, "-")
	if head == "d" && more {
		return "D'" + spelt(rest)
	}
	if strings.Trim(head, "ivx") == "" {
		head = strings.ToUpper(head)
	} else {
		head = strings.ToUpper(head[:1]) + head[1:]
	}
	if more {
		return head + "-" + rest
	}
	return head
}
