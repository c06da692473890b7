package mistakes

import (
	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// Pictures: the whole field to scale, and close-ups of where things happen. Corners are
// rounded to the sheet for drawing alone.

// How pictures are measured: the field's measure of one unit of the sheet, and the smallest
// letters. A picture is shown some 720 pixels wide, and no letter may be lower than nine there.
const (
	fieldUnit = 1000
	fieldText = 15
	nearUnit  = 400
	nearText  = 12

	mapEdge  = 34 // beside the field, for the coordinates
	mapHead  = 54 // above it, for the title too
	gridStep = 100_000
)

// A sketch draws the field or a part of it.
type sketch struct {
	sheet.Field
	view *View

	near   bool // a close-up
	text   int  // size of the smallest letters
	units  []unitID
	bodies []geometry.Body // by unit, of those
}

// grounded draws the ground with the legend, or gives what was drawn before.
func (k *sketch) grounded() []engine.Mark {
	draw := func() []engine.Mark {
		k.Brush = sheet.NewBrush(4 * len(k.view.Units))
		k.ground()
		if !k.near {
			k.legend()
		}
		return k.Marks()
	}
	if k.near {
		return draw()
	}
	return k.view.chart.Kept(draw)
}

// fieldSection is the picture of the whole field.
func (v *View) fieldSection(title phrase.Phrase) engine.Section {
	k := v.sketch(geometry.Point{}, geometry.Point(v.size), false)
	scene := k.scene("map", title)
	scene.Alt = phrase.Say("em.map-alt", phrase.Within("turn", title))
	return engine.Section{Heading: phrase.Say("em.map-field"), Picture: scene}
}

// nearSections are pictures of the parts of the field where things happen, the fullest first.
func (v *View) nearSections(title phrase.Phrase) []engine.Section {
	parts, marks := v.windows(), v.guidemarks()
	all := v.closeUpsOf(parts, title)
	for i := range all {
		all[i].Gist = v.nearWhere(marks, parts[i])
	}
	return all
}

// closeUpsOf are pictures of parts of the field, under the headings that tell where they lie.
func (v *View) closeUpsOf(parts [][2]geometry.Point, title phrase.Phrase) []engine.Section {
	var all []engine.Section
	for i, w := range parts {
		k := v.sketch(w[0], w[1], true)
		scene := k.scene([...]string{"near-1", "near-2", "near-3", "near-4"}[i], title)
		args := []phrase.Arg{phrase.Literal("town", v.nearestTown(w))}
		for j, name := range [2][2]string{{"west", "south"}, {"east", "north"}} {
			args = append(args, phrase.Number(name[0], int(w[j].X/1000)), phrase.Number(name[1], int(w[j].Y/1000)))
		}
		scene.Alt = phrase.Say("em.map-near-alt", args...)
		all = append(all, engine.Section{Heading: phrase.Say("em.map-near", args...), Picture: scene})
	}
	return all
}

// sketch begins the picture of a part of the field.
func (v *View) sketch(lo, hi geometry.Point, near bool) *sketch {
	unit, text := int64(fieldUnit), fieldText
	if near {
		unit, text = nearUnit, nearText
	}
	k := &sketch{view: v, near: near, text: text}
	k.Scale = sheet.PartOf(lo, hi, unit, mapEdge, mapHead)
	margin := int64(v.segment()) // what stands outside may reach into it
	part := [2]geometry.Point{lo.Plus(geometry.Point{X: -margin, Y: -margin}), hi.Plus(geometry.Point{X: margin, Y: margin})}
	k.bodies = make([]geometry.Body, len(v.Units))
	for _, u := range v.standing() {
		if sheet.Within(part, geometry.Point(v.Units[u].At)) {
			k.units, k.bodies[u] = append(k.units, u), v.body(u)
		}
	}
	return k
}

// scene draws everything.
func (k *sketch) scene(name string, title phrase.Phrase) *engine.Scene {
	s := &engine.Scene{Name: name, Width: k.Frame.W + 2*mapEdge, Height: k.Frame.Y + k.Frame.H + mapEdge, Paper: inkPaper, Scale: &k.Scale, Ground: k.grounded()}
	if !k.near {
		s.Height += legendHeight
	}
	k.Brush = sheet.NewBrush(60 + 9*len(k.units))
	s.Spots = map[string]engine.Spot{}
	for _, u := range k.units {
		if b := k.bodies[u]; k.Shows(k.Point(b.At)) {
			k.Stands(b)
			s.Spots[k.view.def(u).id] = engine.Spot{Box: k.Bounds(&b), Taken: true}
		}
	}
	if k.near {
		k.reaches()
	}
	k.formationRims(s.Spots)
	k.smoke()
	for _, u := range k.units {
		k.piece(u)
	}
	if k.near {
		k.Mask(s.Width, s.Height, s.Height, inkPaper, inkText) // what marks mean is written below
	}
	k.coordinates()
	k.Label(sheet.At(mapEdge, 18), sheet.Said(title), sheet.Lettering{Size: 18, Bold: true, Ink: inkText, Anchor: engine.Start})
	k.numbers(false)
	for _, free := range [2]bool{true, false} {
		k.leadersMarks(free, s.Spots)
	}
	k.numbers(true)
	k.placeNames(s.Spots)
	s.Names = k.Field.Names()
	s.Marks = k.Marks()
	return s
}

// closeUps are how close-ups are chosen.
var closeUps = sheet.Windows{Size: geometry.Point{X: 280_000, Y: 180_000}, Grid: geometry.Point{X: 20_000, Y: 20_000}, Most: 4, Least: 6}

// windows are the parts of the field where most happens, given by two corners.
func (v *View) windows() [][2]geometry.Point {
	happens := v.happens()
	var all []sheet.Place
	for _, u := range v.standing() {
		all = append(all, sheet.Place{At: geometry.Point(v.Units[u].At), Worth: happens[u]})
	}
	return closeUps.Choose(geometry.Point(v.size), all)
}

// happens weighs what happens about each unit: a combat, contact with an enemy, fire that may
// be opened, movement.
func (v *View) happens() []int {
	all := make([]int, len(v.Units))
	standing := v.standing()
	bodies := make([]geometry.Body, len(standing))
	for i, u := range standing {
		x, f := &v.Units[u], v.of(u)
		bodies[i] = v.body(u)
		if x.Fired || x.Fought > 0 || x.Yellow > 0 {
			all[u] += 2
		}
		if f != nil && f.Green {
			all[u] += 2
		}
		for j, e := range standing[:i] {
			if v.enemies(u, e) && v.near(&bodies[i], &bodies[j]) && v.contact(u, e) {
				all[u], all[e] = all[u]+6, all[e]+6
			}
		}
		if v.Phase <= firing && v.fires(u) {
			for _, target := range v.targets(u) {
				all[u], all[target] = all[u]+3, all[target]+3
			}
		}
	}
	if c := v.Combat; c != nil {
		all[c.Attacker], all[c.Defender] = all[c.Attacker]+9, all[c.Defender]+9
	}
	return all
}

// nearestTown names the town that is nearest to the middle of a part of the field.
func (v *View) nearestTown(w [2]geometry.Point) string {
	middle := geometry.Point{X: (w[0].X + w[1].X) / 2, Y: (w[0].Y + w[1].Y) / 2}
	name, least := "", int64(-1)
	for a := areaID(1); int(a) <= len(v.areas); a++ {
		if d := geometry.Dist2(middle, v.middle(a)); v.area(a).kind == town && (least < 0 || d < least) {
			name, least = v.area(a).name, d
		}
	}
	return name
}

// stood is where each unit and leader stands, as the next report must know it.
func (v *View) stood() map[string]string {
	all := map[string]string{}
	for _, u := range v.standing() {
		all[v.def(u).id] = engine.Place(v.Units[u].At.X, v.Units[u].At.Y)
	}
	for l := leaderID(1); int(l) < len(v.Leaders); l++ {
		if v.inField(l) {
			p := v.whereIs(l)
			all[v.lead(l).id] = engine.Place(p.X, p.Y)
		}
	}
	return all
}

// looks is the heading of each unit on the field.
func (v *View) looks() map[string]int {
	all := map[string]int{}
	for _, u := range v.standing() {
		all[v.def(u).id] = v.Units[u].Heading
	}
	return all
}

// placeNames writes the names of places where there is room: towns always, others if there is
// some.
func (k *sketch) placeNames(spots map[string]engine.Spot) {
	for _, pass := range [2]bool{true, false} {
		for a := areaID(1); int(a) <= len(k.view.areas); a++ {
			d, o := k.view.area(a), k.view.outline(a)
			p, q := k.At(o.Lo.X, o.Hi.Y), k.At(o.Hi.X, o.Lo.Y)
			r := engine.Box{X: p.X, Y: p.Y, W: q.X - p.X, H: q.Y - p.Y}
			if !k.Shows(r.Middle()) || (d.kind == town) != pass || d.kind == crops && !k.near {
				continue
			}
			if !spots[d.id].Taken { // a garrison goes by its town
				spots[d.id] = engine.Spot{Box: r}
			}
			l := sheet.Lettering{Size: k.text, Bold: pass, Ink: inkText, Rim: inkMeadow}
			widest := sheet.Widest(l, onMap(d.name, "en"), onMap(d.name, "it"))
			w := sheet.TextWidth(widest, l.Size, l.Bold) + 2
			points := []engine.Point{r.Middle()}
			if pass {
				points = sheet.Around(r, w, l.Size, 3*k.text)
			} else if d.kind == wood {
				points = append(points, sheet.Around(r, w, l.Size, 4)...)
			}
			k.NameAs(sheet.Name("on-map", d.name), widest, l, pass, points)
		}
	}
}
