package hfg

import (
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// Pictures: the whole field to scale, and close-ups of where things happen. Corners are rounded to
// the sheet for drawing alone.

// How pictures are measured: the field's measure of one unit of the sheet, the smallest letters, and
// what is left beside the field and above it. A picture is shown some 720 pixels wide, and no letter
// may be lower than nine there.
const (
	sheetWide = 1200 // of the field on the sheet
	nearUnit  = 3 * pace
	mapText   = 16
	mapEdge   = 34
	mapHead   = 54
	gridUnit  = gridStep * pace
)

// deepest is how deep the deepest base is, in paces: so far an element may stick out of a close-up.
const deepest = 1500

// A sketch draws the field or a part of it.
type sketch struct {
	sheet.Field
	view *View

	near   bool // a close-up
	pieces []elementID
	bodies []geometry.Body // by element, of those
}

// wideUnit is the measure of one unit of the sheet on a picture of the whole field, in whole paces.
func (v *View) wideUnit() int64 {
	return geometry.CeilDiv(v.size.X, sheetWide*pace) * pace
}

// fieldSection is the picture of the whole field.
func (v *View) fieldSection(title phrase.Phrase) engine.Section {
	k := v.sketch(point{}, point(v.size), false)
	scene := k.scene("map", title)
	scene.Alt = phrase.Say("hfg.map-alt", phrase.Within("turn", title))
	return engine.Section{Heading: phrase.Say("hfg.page-field"), Picture: scene,
		Lines: v.skyLines()}
}

// closeUps are how close-ups are chosen.
var closeUps = sheet.Windows{Size: point{X: 3600 * pace, Y: 2400 * pace}, Grid: point{X: 200 * pace, Y: 200 * pace}, Most: 4, Least: 6}

// nearSections are pictures of the parts of the field where things happen, the fullest first.
func (v *View) nearSections(title phrase.Phrase) []engine.Section {
	if !v.closer() {
		return nil
	}
	var all []engine.Section
	marks := v.landmarks()
	for i, w := range closeUps.Choose(point(v.size), v.happens()) {
		k, s := v.closeUp(i, w, title)
		s.Gist = v.nearWhere(marks, k, w)
		all = append(all, s)
	}
	return all
}

// closer says whether the field is larger than a close-up.
func (v *View) closer() bool { return v.size.X > closeUps.Size.X && v.size.Y > closeUps.Size.Y }

// closeUp is the picture of a part of the field, the first, the second and so on of a letter.
func (v *View) closeUp(i int, w [2]point, title phrase.Phrase) (*sketch, engine.Section) {
	k := v.sketch(w[0], w[1], true)
	scene := k.scene([...]string{"near-1", "near-2", "near-3", "near-4"}[i], title)
	scene.Alt = phrase.Say("hfg.map-near", phrase.Literal("from", gridName(w[0])), phrase.Literal("to", gridName(w[1])))
	return k, engine.Section{Heading: scene.Alt, Picture: scene}
}

// gridName is the square of the grid in which a point lies: K4.
func gridName(p point) string {
	return string(rune('A'+min(p.X/gridUnit, 25))) + strconv.FormatInt(p.Y/gridUnit+1, 10)
}

// sketch begins the picture of a part of the field.
func (v *View) sketch(lo, hi point, near bool) *sketch {
	unit := v.wideUnit()
	if near {
		unit = nearUnit
	}
	k := &sketch{view: v, near: near}
	k.Scale = sheet.PartOf(lo, hi, unit, mapEdge, mapHead)
	const margin = 800 * pace // what stands outside may reach into it
	part := [2]point{lo.Plus(point{X: -margin, Y: -margin}), hi.Plus(point{X: margin, Y: margin})}
	k.bodies = make([]geometry.Body, len(v.Elements))
	for _, e := range v.standing() {
		if b := v.drawn(e); sheet.Within(part, b.At) {
			k.pieces, k.bodies[e] = append(k.pieces, e), b
		}
	}
	return k
}

// drawn is the body of an element as it is drawn: who holds a BUA or an SP stands in the middle of it.
func (g *game) drawn(e elementID) geometry.Body {
	b := g.body(e)
	if g.Elements[e].Holds == 0 {
		return b
	}
	box := g.box(g.def(e))
	at := b.World(b.Middle())
	f := geometry.Frame{At: at, Heading: geometry.Heading(g.toEnemy(g.def(e).side))}
	if g.attacker() == noSide {
		f.Heading = b.Heading
	}
	f.At = f.World(point{Y: (box.V1 - box.V0) / 2})
	return geometry.NewBody(geometry.Piece{Frame: f, Box: box})
}

// scene draws everything.
func (k *sketch) scene(name string, title phrase.Phrase) *engine.Scene {
	s := &engine.Scene{Name: name, Width: k.Frame.W + 2*mapEdge, Height: k.Frame.Y + k.Frame.H + mapEdge, Paper: inkPaper, Scale: &k.Scale, Ground: k.grounded()}
	if !k.near {
		s.Height += legendHeight
	}
	k.Brush = sheet.NewBrush(60 + 8*len(k.pieces))
	s.Spots = map[string]engine.Spot{}
	for _, e := range k.pieces {
		b := k.bodies[e]
		if r := k.Bounds(&b); 2*r.Common(k.Frame) > r.W*r.H {
			k.Stands(b)
			s.Spots[k.view.def(e).id] = engine.Spot{Box: r, Taken: true}
		}
	}
	k.spans()
	k.workMarks()
	k.lastSeen()
	if k.near {
		k.arcs()
	}
	for _, e := range k.pieces {
		k.piece(e)
	}
	if k.near {
		k.Mask(s.Width, s.Height, k.Long(deepest*pace), inkPaper, inkText)
	}
	k.coordinates()
	k.Label(sheet.At(mapEdge, 18), sheet.Said(title), sheet.Lettering{Size: 18, Bold: true, Ink: inkText, Anchor: engine.Start})
	k.townNames(s.Spots)
	k.labels()
	k.groundNames(s.Spots)
	s.Names = k.Field.Names()
	s.Marks = k.Marks()
	return s
}

// happens weighs what happens about each element that is seen: contact with an enemy, shots that may
// be made, moves and what they suffered.
func (v *View) happens() []sheet.Place {
	standing := v.standing()
	worth := make([]int, len(v.Elements))
	bodies := make([]geometry.Body, len(standing))
	for i, e := range standing {
		x := &v.Elements[e]
		bodies[i] = v.body(e)
		if x.Shot || x.Spirit != steady || x.Arrived {
			worth[e] += 2
		}
		if x.Moved > 0 {
			worth[e]++
		}
		for j, o := range standing[:i] {
			if v.enemies(e, o) && geometry.Dist2(bodies[i].At, bodies[j].At) < nearBy*nearBy {
				n := 2
				if touch(&bodies[i], &bodies[j]) {
					n = 6
				}
				worth[e], worth[o] = worth[e]+n, worth[o]+n
			}
		}
	}
	all := make([]sheet.Place, len(standing))
	for i, e := range standing {
		all[i] = sheet.Place{At: bodies[i].At, Worth: worth[e]}
	}
	return all
}

// nearBy is how near two enemies stand between whom something may happen.
const nearBy = 800 * pace

// coordinates writes the letters of the columns of the grid along the upper and lower edge, and the
// numbers of its rows along the others, in the middle of each.
func (k *sketch) coordinates() {
	l := sheet.Lettering{Size: mapText, Bold: true, Ink: inkText}
	f := k.Frame
	for x := int64(gridUnit / 2); x < k.view.size.X; x += gridUnit {
		if p := k.At(x, k.North); k.Shows(p) {
			text := sheet.Text(string(rune('A' + x/gridUnit)))
			k.Label(sheet.At(p.X, f.Y-10), text, l)
			k.Label(sheet.At(p.X, f.Y+f.H+13), text, l)
		}
	}
	for y := int64(gridUnit / 2); y < k.view.size.Y; y += gridUnit {
		if p := k.At(k.West, y); k.Shows(p) {
			text := sheet.Text(strconv.FormatInt(y/gridUnit+1, 10))
			k.Label(sheet.At(f.X/2, p.Y), text, l)
			k.Label(sheet.At(f.X+f.W+mapEdge/2, p.Y), text, l)
		}
	}
}

// townNames writes the names of towns and strong points, groundNames those of other ground where
// there is room.
func (k *sketch) townNames(spots map[string]engine.Spot) { k.placeNames(spots, true) }

func (k *sketch) groundNames(spots map[string]engine.Spot) { k.placeNames(spots, false) }

func (k *sketch) placeNames(spots map[string]engine.Spot, towns bool) {
	for a := areaID(1); int(a) <= len(k.view.areas); a++ {
		d, o := k.view.area(a), k.view.outline(a)
		p, q := k.At(o.Lo.X, o.Hi.Y), k.At(o.Hi.X, o.Lo.Y)
		r := engine.Box{X: p.X, Y: p.Y, W: q.X - p.X, H: q.Y - p.Y}
		if !k.Shows(r.Middle()) || d.square() != towns {
			continue
		}
		if !spots[d.id].Taken {
			spots[d.id] = engine.Spot{Box: r}
		}
		name := d.name
		if name == "" {
			name = d.id
		}
		l := sheet.Lettering{Size: mapText, Bold: towns, Ink: inkText, Rim: inkMeadow}
		widest := sheet.Widest(l, onMap(name, "en"), onMap(name, "it"))
		w := sheet.TextWidth(widest, l.Size, l.Bold) + 2
		where := sheet.Around(r, w, l.Size, 3*mapText)
		if !towns {
			where = append([]engine.Point{r.Middle()}, sheet.Around(engine.Box{X: r.Middle().X, Y: r.Middle().Y}, r.W, r.H, 4)...)
		}
		k.NameAs(sheet.Name("on-map", name), widest, l, false, where)
	}
}

// skyLines tell the weather, which no die has made before the battle, and the wind where it moves a ship
// that is seen.
func (v *View) skyLines() []phrase.Phrase {
	if v.Phase == preparing {
		return nil
	}
	all := []phrase.Phrase{phrase.Say("hfg.weather", skyArg(v.Sky))}
	if slices.ContainsFunc(v.standing(), func(e elementID) bool { return v.def(e).troop.sails() }) {
		all = append(all, phrase.Say("hfg.wind", phrase.Name("air", "air", airWords[v.blows()])))
	}
	return all
}
