package hfg

import (
	"testing"

	"berthier/engine/geometry"
	"berthier/orders"
)

// musketsAt is a base of Muskets, 400 by 200 paces.
func musketsAt(x, y int64, facing int) geometry.Body {
	return baseAt(200, x, y, facing)
}

// baseAt is a base of some depth, in paces.
func baseAt(depth, x, y int64, facing int) geometry.Body {
	return geometry.NewBody(geometry.Piece{Frame: at(x, y, facing),
		Box: geometry.Box{U0: -200 * pace, V0: -depth * pace, U1: 200 * pace}})
}

// pt is a point given in paces.
func pt(x, y int64) point { return point{X: x * pace, Y: y * pace} }

// Cases of geometry: chapter 1, with the vectors of section 9 of the digest.
func TestGeometryCases(t *testing.T) {
	clause(t, "HFG-1.1", "half a pace is read and written back, a thousandth refused", func(t *testing.T) {
		n, _ := orders.ParseNode([]byte("at: [100.5, 0]\nfine: [100.001, 0]\n"))
		r := orders.NewReader(nil)
		p, ok := scale.ReadPoint(r, n.Get("at"))
		is(t, "is read", ok, true)
		is(t, "the point", p, point{X: 10050})
		is(t, "written", scale.WritePoint(p).Encode(), "[100.5, 0]\n")
		_, ok = scale.ReadPoint(r, n.Get("fine"))
		is(t, "too fine", ok, false)
	})
	clause(t, "HFG-1.2", "100 paces ahead at heading 30", func(t *testing.T) {
		is(t, "the place", point{}.Plus(geometry.Step(30, 100*pace)), point{X: 5000, Y: 8660})
	})
	clause(t, "HFG-1.3", "corners of a base that looks east", func(t *testing.T) {
		b := musketsAt(1000, 1000, 90)
		is(t, "front left", b.Corner[0], pt(1000, 1200))
		is(t, "front right", b.Corner[1], pt(1000, 800))
		is(t, "rear", b.Corner[2].X, 800*pace)
		about := geometry.NewBody(b.AboutFace())
		is(t, "turned about, its front", about.At, pt(800, 1000))
		is(t, "and its front left", about.Corner[0], b.Corner[2])
	})
	clause(t, "HFG-1.4", "half a pace counts as within", func(t *testing.T) {
		is(t, "800.4", within(80040, 800), true)
		is(t, "800.5", within(80050, 800), true)
		is(t, "800.6", within(80060, 800), false)
	})
	clause(t, "HFG-1.5", "corners 0.9 p apart coincide, 1.1 p do not", func(t *testing.T) {
		is(t, "0.9", coincide(point{}, point{X: 90}), true)
		is(t, "1.1", coincide(point{}, point{X: 110}), false)
		a, b := musketsAt(1000, 1000, 0), musketsAt(1400, 1000, 180)
		is(t, "corner to corner touches", touch(&a, &b), true)
		is(t, "and is not frontal", frontal(&a, &b), false)
		b = musketsAt(1390, 1000, 180)
		is(t, "10 p of the front", frontal(&a, &b), true)
		b = musketsAt(1390, 1002, 180)
		is(t, "2 p off", touch(&a, &b), false)
	})
	clause(t, "HFG-1.6", "directly in front by more than a touch of the flank line", func(t *testing.T) {
		b := musketsAt(1000, 1000, 0)
		for _, c := range []struct {
			left int64
			want bool
		}{{1199, true}, {1201, false}} {
			o := geometry.NewArea([]point{pt(c.left, 1300), pt(c.left+50, 1300), pt(c.left+50, 1350), pt(c.left, 1350)})
			is(t, "a corner at u "+geometry.WriteLength(c.left-1000, 0), inFront(&b, &o, endless), c.want)
			is(t, "and not behind", behind(&b, &o, endless), false)
		}
		flank := musketsAt(1400, 950, 0)
		is(t, "beyond the right flank", beyond(&flank, &b, geometry.Right), true)
		flank = musketsAt(1398, 950, 0)
		is(t, "2 p within it", beyond(&flank, &b, geometry.Right), false)
		rear := musketsAt(900, 800, 90)
		is(t, "beyond the rear", beyond(&rear, &b, geometry.Rear), false)
	})
	clause(t, "HFG-1.7", "a shooter on the left, half behind the front line", func(t *testing.T) {
		o := &options{enfilade: 10}
		target := musketsAt(1000, 1000, 0)
		for _, c := range []struct {
			heading int
			want    bool
		}{{90, true}, {80, true}, {79, false}, {101, false}, {45, false}} {
			b := musketsAt(500, 950, c.heading)
			_, ok := o.enfilades(b.Heading, sideOf(&b, geometry.Front), &target)
			is(t, geometry.WriteLength(int64(c.heading), 0), ok, c.want)
		}
		ahead := musketsAt(500, 1300, 90)
		_, ok := o.enfilades(ahead.Heading, sideOf(&ahead, geometry.Front), &target)
		is(t, "wholly before the front line", ok, false)
		right := musketsAt(1500, 950, 270)
		side, _ := o.enfilades(right.Heading, sideOf(&right, geometry.Front), &target)
		is(t, "the side", side, geometry.Right)
	})
	clause(t, "HFG-R4", "the tolerance is an option", func(t *testing.T) {
		o := &options{enfilade: 45}
		target, b := musketsAt(1000, 1000, 0), musketsAt(500, 950, 45)
		_, ok := o.enfilades(b.Heading, sideOf(&b, geometry.Front), &target)
		is(t, "45 degrees", ok, true)
	})
	clause(t, "HFG-1.8", "2 p inside a friend is an overlap, 1 p is not", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", muskets, 1000, 1000, 0, nil}, piece{"r2", muskets, 1398, 1000, 0, nil})
		b := &breaches{game: g}
		b.impossible()
		is(t, "breaches", len(b.All), 1)
		g = field(t, 1815, piece{"r1", muskets, 1000, 1000, 0, nil}, piece{"r2", muskets, 1399, 1000, 0, nil})
		b = &breaches{game: g}
		b.impossible()
		is(t, "breaches at 1 p", len(b.All), 0)
	})
	clause(t, "HFG-1.12", "half a pace inside a wood is not in it", func(t *testing.T) {
		s := &setting{year: 1815, areas: []areaDef{octagon("w", wood, 5000, 3000, 1000, 1000)}}
		g := fieldOn(t, s)
		for _, c := range []struct {
			depth int64
			want  bool
		}{{50, false}, {100, false}, {101, true}} {
			b := musketsAt(0, 0, 0).Shifted(point{X: 5000 * pace, Y: 2500*pace + c.depth})
			is(t, geometry.WriteLength(c.depth, 2), g.stands(&b, 1), c.want)
		}
		b := musketsAt(5000, 3000, 0)
		is(t, "wholly in", g.wholly(&b, 1), true)
		b = musketsAt(5000, 2600, 0)
		is(t, "partly in", g.wholly(&b, 1), false)
	})
	clause(t, "HFG-1.13", "heights on a plateau, and on a hill with a crest of its own", func(t *testing.T) {
		flat := octagon("h", hill, 5000, 3000, 3000, 3000)
		flat.even, flat.plateau, flat.crest = true, true, []place{place(pt(4500, 2500)), place(pt(5500, 2500)), place(pt(5500, 3500)), place(pt(4500, 3500))}
		g := fieldOn(t, &setting{year: 1815, areas: []areaDef{flat}}, piece{"r1", muskets, 5000, 1760, 0, nil})
		is(t, "700 p inside", g.height(pt(5000, 2200)), 500)
		is(t, "260 p inside", g.height(pt(5000, 1760)), 260)
		is(t, "off it", g.height(pt(5000, 1400)), 0)
		g.survey()
		low, high := g.heights(named(t, g, "r1"))
		is(t, "the least of its front", low, 260)
		is(t, "the greatest", high, 260)
		b := begin(t, nil)
		is(t, "on the crest of the allied ridge", b.height(pt(5000, 4550)), 1000)
		is(t, "halfway up", b.height(pt(5000, 4325)), 500)
	})
	clause(t, "HFG-R5", "a front that stands across a slope has two heights", func(t *testing.T) {
		g := begin(t, nil)
		g.survey()
		low, high := g.heights(named(t, g, "guns-2"))
		is(t, "guns on the crest, their front before it", low > 900 && high >= low, true)
	})
	clause(t, "HFG-1.14", "260 p inside a plateau is its upper half", func(t *testing.T) {
		flat := octagon("h", hill, 5000, 3000, 3000, 3000)
		flat.even, flat.plateau, flat.crest = true, true, []place{place(pt(4500, 2500)), place(pt(5500, 2500)), place(pt(5500, 3500)), place(pt(4500, 3500))}
		g := fieldOn(t, &setting{year: 1815, areas: []areaDef{flat}})
		is(t, "260", g.upper(pt(5000, 1760), 1), true)
		is(t, "249", g.upper(pt(5000, 1749), 1), false)
	})
}

// Vectors V1 to V3 of the digest.
func TestVectorsOfCorners(t *testing.T) {
	for _, c := range []struct {
		name string
		b    geometry.Body
		want [4]point // in the order FL, FR, RR, RL
	}{
		{"V1", musketsAt(1000, 1000, 30), [4]point{{X: 82679, Y: 110000}, {X: 117321, Y: 90000}, {X: 107321, Y: 72679}, {X: 72679, Y: 92679}}},
		{"V2", baseAt(300, 1000, 1000, 95), [4]point{{X: 101743, Y: 119924}, {X: 98257, Y: 80076}, {X: 68371, Y: 82691}, {X: 71857, Y: 122539}}},
		{"V3", baseAt(800, 5000, 5000, 225), [4]point{{X: 514142, Y: 485858}, {X: 485858, Y: 514142}, {X: 542426, Y: 570711}, {X: 570711, Y: 542426}}},
	} {
		is(t, c.name, c.b.Corner, c.want)
	}
}

// Cases of elements: chapter 2.
func TestElementCases(t *testing.T) {
	clause(t, "HFG-2.1", "depths of bases", func(t *testing.T) {
		g := field(t, 1740, piece{"r1", rifles, 1000, 1000, 0, nil}, piece{"r2", firelocks, 2000, 1000, 0, nil}, piece{"r3", hq, 3000, 1000, 0, nil}, piece{"b1", sail, 5000, 3000, 0, nil})
		for id, depth := range map[string]int64{"r1": 300, "r2": 200, "r3": 800, "b1": 500} {
			b := g.body(named(t, g, id))
			is(t, id, b.V1-b.V0, depth*pace)
		}
		g.navalBase, g.bodies = 2, nil
		b := g.body(named(t, g, "b1"))
		is(t, "a large ship", b.V1-b.V0, 1500*pace)
		is(t, "its width", b.U1-b.U0, 300*pace)
	})
	clause(t, "HFG-R6", "dismountables have a base 400 deep, by option 300", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", dragoons, 1000, 1000, 0, nil})
		b := g.body(named(t, g, "r1"))
		is(t, "deep", b.V0, -400*pace)
		g.shallowMounts, g.bodies = 1, nil
		b = g.body(named(t, g, "r1"))
		is(t, "by option", b.V0, -300*pace)
	})
	clause(t, "HFG-2.2", "Repeaters are in use from 1863 to 1905", func(t *testing.T) {
		is(t, "1860", repeaters.can(1860), false)
		is(t, "1863", repeaters.can(1863), true)
		is(t, "1905", repeaters.can(1905), true)
		is(t, "1906", repeaters.can(1906), false)
	})
	clause(t, "HFG-R7", "Bombs are as Sail in everything", func(t *testing.T) {
		b, s := troops[bombs], troops[sail]
		is(t, "factors", b.vs, s.vs)
		is(t, "moves", b.move, s.move)
		is(t, "range of 1860", in(b.shoot, 1860), in(s.shoot, 1860))
	})
	clause(t, "HFG-R1", "of a boundary year the later class holds", func(t *testing.T) {
		is(t, "Bayonets in 1790", in(troops[bayonets].shoot, 1790), 400)
		is(t, "Bayonets in 1789", in(troops[bayonets].shoot, 1789), 200)
		is(t, "ships in 1906", in(broadside, 1906), 6000)
	})
	clause(t, "HFG-2.4", "Light artillery is neither horse nor heavy", func(t *testing.T) {
		for _, c := range []struct {
			d    elementDef
			want bool
		}{
			{elementDef{troop: lightArtillery, grades: []grade{horse}}, true},
			{elementDef{troop: smoothbore, grades: []grade{horse}}, false},
			{elementDef{troop: smoothbore, grades: []grade{horse, heavy}}, true},
			{elementDef{troop: bayonets, grades: []grade{elite}}, false},
			{elementDef{troop: ironclad, grades: []grade{elite}}, true},
			{elementDef{troop: ironclad, grades: []grade{inferior, flagship}}, false},
			{elementDef{troop: commandParty, grades: []grade{brilliant}}, false},
		} {
			is(t, c.d.troop.String(), c.d.misgraded(), c.want)
		}
	})
	clause(t, "HFG-2.5", "elite Bayonets and an inferior Ironclad are 2 and 1/2", func(t *testing.T) {
		a, b := elementDef{troop: bayonets, grades: []grade{elite}}, elementDef{troop: ironclad, grades: []grade{inferior}}
		is(t, "sum", equivalents(a.eq()+b.eq()), "2½")
		l := elementDef{troop: laager}
		is(t, "Laager", equivalents(l.eq()), "8")
	})
	clause(t, "HFG-2.6", "Repeaters that have moved 700 p and do not shoot are mounted", func(t *testing.T) {
		g := field(t, 1870, piece{"r1", repeaters, 1000, 1000, 0, nil}, piece{"r2", mountedRifles, 2000, 1000, 0, nil}, piece{"r3", dragoons, 3000, 1000, 0, nil})
		r1, r2, r3 := named(t, g, "r1"), named(t, g, "r2"), named(t, g, "r3")
		g.Elements[r1].Moved, g.Elements[r1].OnFoot = 700, true
		is(t, "Repeaters", g.class(r1), mounted)
		g.Elements[r1].Moved = 600
		is(t, "Repeaters, told to dismount", g.class(r1), dismounted)
		is(t, "Mounted Rifles", g.class(r2), dismounted)
		is(t, "Dragoons", g.class(r3), mounted)
		g.Works = []placedWork{{ID: "e", Kind: entrenchment, Side: first, At: place(pt(3100, 1000)), Width: 800 * pace}}
		is(t, "Dragoons behind an entrenchment", g.class(r3), dismounted)
	})
	clause(t, "HFG-R99", "Dragoons dismount by a shot after any tactical move", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", dragoons, 1000, 1000, 0, nil})
		x := &g.Elements[named(t, g, "r1")]
		x.Moved = 1000
		is(t, "before", g.class(1), mounted)
		x.Shot = true
		is(t, "after", g.class(1), dismounted)
		x.Charged = true
		is(t, "having come over 200 p into contact", g.class(1), mounted)
	})
	clause(t, "HFG-2.7", "an element removed has no place", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", muskets, 1000, 1000, 0, nil})
		g.Elements[1].Fate = destroyed
		b := &breaches{game: g}
		b.impossible()
		is(t, "breaches", len(b.All), 1)
	})
	clause(t, "HFG-R9", "Pontoneers move as field artillery", func(t *testing.T) {
		is(t, "moves", troops[pontoneers].move, [3]int{600, 400, 200})
	})
	clause(t, "HFG-R8", "the garrison of an SP counts one", func(t *testing.T) {
		d := elementDef{troop: spGarrison}
		is(t, "equivalents", equivalents(d.eq()), "1")
	})
	clause(t, "HFG-R10", "Sail, Steamer and Flotilla have one row of factors", func(t *testing.T) {
		is(t, "Steamer", troops[steamer].vs, troops[sail].vs)
		is(t, "Flotilla", troops[flotilla].vs, troops[sail].vs)
	})
}
