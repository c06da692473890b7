package hfg

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders"

	"pgregory.net/rapid"
)

// standardField is the size of the standard field.
var standardField = place{X: 12000 * pace, Y: 6000 * pace}

// soil is a plot with some pieces on it, at the sections that dice have shown.
func soil(areas []areaDef, lines []lineDef, sections ...section) *plot {
	s := &setting{year: 1863, size: standardField, areas: areas, lines: lines}
	s.complete()
	p := &plot{setting: s}
	copy(p.sections[:], sections)
	return p
}

// lays lays a piece, and gives the code of the fault.
func lays(p *plot, x terrainPiece, w siting) (laid, string) {
	l, fault := p.lay(&x, &w, false)
	if fault != nil {
		return l, fault.Clause + " " + fault.Why.Code
	}
	return l, ""
}

// paced is a place in paces.
func paced(x, y int64) place { return place{X: x * pace, Y: y * pace} }

// pieceOf is a piece of a size.
func pieceOf(k pieceKind, size ...int) terrainPiece {
	return terrainPiece{Kind: k, By: second, Size: size}
}

// westEast is a road across the middle of the field.
func westEast() lineDef { return lineOf("road-1", road, 0, [2]int64{0, 3000}, [2]int64{12000, 3000}) }

func TestPieces(t *testing.T) {
	clause(t, "HFG-4.2", "the numbers of the sections are all different", func(t *testing.T) {
		root, _ := orders.ParseNode([]byte("{w: 1, nw: 2, ne: 2, e: 4, se: 5, sw: 6}"))
		r := orders.NewReader(vocabulary)
		readNumbering(r, root)
		is(t, "faults", len(r.Problems), 1)
		is(t, "code", r.Problems[0].Why.Code, "hfg.numbering-twice")
		is(t, "clause", r.Problems[0].Clause, "HFG-4.2")
		root, _ = orders.ParseNode([]byte("{w: 6, nw: 5, ne: 4, e: 3, se: 2, sw: 1}"))
		r = orders.NewReader(vocabulary)
		is(t, "a 1 shows", readNumbering(r, root)[1], sectionSW)
		is(t, "by default a 1 shows", readNumbering(r, nil)[1], sectionW)
	})
	clause(t, "HFG-4.3", "how many pieces there may be", func(t *testing.T) {
		order := func(more string) string {
			return "[{kind: road}, {kind: road}, {kind: bua, size: 500}, {kind: bua, size: 500}" + more + "]"
		}
		woods := func(n int) string { return strings.Repeat(", {kind: wood, size: 600}", n) }
		for _, one := range []struct {
			name, pieces string
			want         []string
		}{
			{"13 on 18 square miles", order(woods(6) + ", {kind: hill, size: 900}, {kind: hill, size: 900}, {kind: stream}"), []string{"HFG-4.3 hfg.pieces-number"}},
			{"12", order(woods(6) + ", {kind: hill, size: 900}, {kind: stream}"), nil},
			{"seven", order(woods(3)), []string{"HFG-4.3 hfg.pieces-number"}},
			{"seven woods", order(woods(7)), []string{"HFG-4.3 hfg.pieces-kind"}},
			{"two railways", order(woods(2) + ", {kind: railway}, {kind: railway}"), []string{"HFG-4.3 hfg.pieces-kind"}},
			{"five big ones", order(strings.Repeat(", {kind: wood, size: 1100}", 5)), []string{"HFG-4.3 hfg.pieces-big"}},
			{"no roads", "[{kind: bua, size: 500}, {kind: bua, size: 500}" + woods(6) + "]", []string{"HFG-4.3 hfg.pieces-few"}},
			{"one BUA", "[{kind: road}, {kind: road}, {kind: bua, size: 500}" + woods(5) + "]", []string{"HFG-4.3 hfg.pieces-few"}},
			{"two good roads", "[{kind: road, good: yes}, {kind: road, good: yes}, {kind: bua, size: 500}, {kind: bua, size: 500}" + woods(4) + "]", []string{"HFG-4.14 hfg.pieces-good"}},
		} {
			got := ordered(t, one.pieces, defender, 1863)
			if !slices.Equal(got, one.want) {
				t.Errorf("%s: %q, want %q", one.name, got, one.want)
			}
		}
		is(t, "a field of 36 square miles", limitOf(place{X: 12000 * pace, Y: 12000 * pace}), groundLimit{16, 24, 8})
		is(t, "one of 6", limitOf(place{X: 6000 * pace, Y: 4000 * pace}), groundLimit{4, 6, 2})
	})
	clause(t, "HFG-R105", "one waterway, one river and one railway may all be there", func(t *testing.T) {
		got := ordered(t, "[{kind: road}, {kind: road}, {kind: bua, size: 500}, {kind: bua, size: 500}, {kind: wood, size: 600}, {kind: waterway, reach: 800}, {kind: river, width: 300}, {kind: railway}]", defender, 1863)
		is(t, "faults", len(got), 0)
	})
	clause(t, "HFG-R13", "roads and BUA count in the number", func(t *testing.T) {
		got := ordered(t, "[{kind: road}, {kind: road}, {kind: road}, {kind: bua, size: 500}, {kind: bua, size: 500}, {kind: bua, size: 500}, {kind: hill, size: 900}, {kind: hill, size: 900}]", defender, 1863)
		is(t, "faults", len(got), 0)
	})
	clause(t, "HFG-4.4", "the attacker places two pieces at most", func(t *testing.T) {
		got := ordered(t, "[{kind: wood, size: 600}, {kind: wood, size: 600}, {kind: wood, size: 600}]", attacker, 1863)
		if !slices.Equal(got, []string{"HFG-4.4 hfg.pieces-attacker"}) {
			t.Errorf("%q", got)
		}
		is(t, "two", len(ordered(t, "[{kind: wood, size: 600}, {kind: wood, size: 600}]", attacker, 1863)), 0)
		is(t, "none", len(ordered(t, "[]", attacker, 1863)), 0)
	})
	clause(t, "HFG-R140", "of one kind the defender's come first, and what is too much falls away", func(t *testing.T) {
		o := usualTerrain(second)
		theirs := terrainOrder{by: first, pieces: []terrainPiece{{Kind: hillPiece, By: first, Size: []int{600}}, {Kind: woodPiece, By: first, Size: []int{600}}}}
		all := together(&o, &theirs, &listTerrain{}, standardField)
		is(t, "pieces", len(all), 10)
		is(t, "the third hill is", all[2].By, first)
		is(t, "the first hill is", all[0].By, second)
		o.pieces = append(o.pieces, slices.Repeat([]terrainPiece{pieceOf(woodPiece, 600)}, 4)...)
		all = together(&o, &theirs, &listTerrain{}, standardField)
		is(t, "pieces", len(all), 12)
		is(t, "the attacker's", len(slices.DeleteFunc(slices.Clone(all), func(x terrainPiece) bool { return x.By != first })), 2)
	})
	clause(t, "HFG-R14", "waterways come first and slow going last", func(t *testing.T) {
		var all []terrainPiece
		for k := pieceKindsEnd - 1; k > 0; k-- {
			all = append(all, terrainPiece{Kind: k})
		}
		got := pieceOrder(all, second)
		is(t, "first", got[0].Kind, waterwayPiece)
		is(t, "then a stream, or a river made of one", got[1].Kind, streamPiece)
		is(t, "last", got[len(got)-1].Kind, slowPiece)
	})
}

// ordered reads an order of pieces and gives its faults, in the order of the file.
func ordered(t testing.TB, text string, as role, year int) []string {
	t.Helper()
	root, faults := orders.ParseNode([]byte("pieces: " + text))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	r := orders.NewReader(vocabulary)
	o := terrainOrder{by: second, at: nodes{"": root, "pieces": root.Get("pieces")}}
	o.readPieces(r, root.Get("pieces"))
	if len(r.Problems) == 0 {
		tellFaults(r, o.faults(as, year, standardField, &listTerrain{}), root)
	}
	r.Problems.Sort()
	var all []string
	for _, p := range r.Problems {
		if p.Line == 0 {
			t.Errorf("%v has no place", p)
		}
		all = append(all, p.Clause+" "+p.Why.Code)
	}
	return all
}

func TestSizes(t *testing.T) {
	base := "{kind: road}, {kind: road}, {kind: bua, size: 500}, {kind: bua, size: 500}, {kind: hill, size: 900}, {kind: wood, size: 600}, {kind: slow-going, size: 600}"
	for _, one := range []struct{ clause, name, piece, want string }{
		{"HFG-4.6", "a waterway that reaches 2,100 paces", "{kind: waterway, reach: 2100}", "HFG-4.6 hfg.piece-size"},
		{"HFG-4.6", "and 2,000", "{kind: waterway, reach: 2000}", ""},
		{"HFG-4.8", "a river of 401 paces", "{kind: river, width: 401}", "HFG-4.8 hfg.piece-size"},
		{"HFG-4.10", "a marsh of 3,000 by 600", "{kind: marsh, size: [3000, 600]}", "HFG-4.10 hfg.piece-narrow"},
		{"HFG-4.10", "and by 500", "{kind: marsh, size: [3000, 500]}", ""},
		{"HFG-4.11", "a hill of 4,001 paces", "{kind: hill, size: [4001, 900]}", "HFG-4.11 hfg.piece-size"},
		{"HFG-4.11", "a difficult one of 4,000", "{kind: hill, size: [4000, 900], slope: difficult}", ""},
		{"HFG-4.15", "a railway has no size", "{kind: railway, size: 500}", "HFG-4.15 hfg.piece-key"},
		{"HFG-4.16", "a BUA of 601", "{kind: bua, size: 601}", "HFG-4.16 hfg.piece-size"},
		{"HFG-4.16", "a BUA is a square", "{kind: bua, size: [500, 600]}", "HFG-4.16 hfg.piece-sizes"},
		{"HFG-4.16", "a BUA has no outline", "{kind: bua, size: 500, outline: [[0, 0], [1, 0], [0, 1]]}", "HFG-4.16 hfg.piece-key"},
		{"HFG-4.20", "a wood of 400", "{kind: wood, size: [400, 600]}", "HFG-4.20 hfg.piece-size"},
		{"HFG-4.21", "slow going of 3,001", "{kind: slow-going, size: [3001, 600]}", "HFG-4.21 hfg.piece-size"},
		{"HFG-4.22", "an outline of six corners", "{kind: wood, outline: [[-300, -200], [300, -200], [400, 0], [300, 300], [-300, 300], [-400, 0]]}", "HFG-4.22 hfg.piece-corners"},
		{"HFG-4.22", "one of eight", "{kind: wood, outline: [[-200, -300], [200, -300], [300, -200], [300, 200], [200, 300], [-200, 300], [-300, 200], [-300, -200]]}", ""},
		{"HFG-4.22", "one that is knotted", "{kind: wood, outline: [[-200, -300], [200, 300], [300, -200], [300, 200], [200, -300], [-200, 300], [-300, 200], [-300, -200]]}", "HFG-4.22 hfg.scenario-knotted"},
		{"HFG-4.22", "size and outline", "{kind: wood, size: 600, outline: [[-200, -300], [200, -300], [300, -200], [300, 200], [200, 300], [-200, 300], [-300, 200], [-300, -200]]}", "HFG-4.22 hfg.piece-size-outline"},
		{"HFG-4.5", "a wish for what no die shows", "{kind: wood, size: 600, where: {north: {at: [1, 1]}}}", "HFG-4.5 hfg.wish-key"},
		{"HFG-4.5", "two sections for a piece of one die", "{kind: wood, size: 600, where: {w-ne: {at: [1, 1]}}}", "HFG-4.5 hfg.wish-key"},
		{"HFG-4.5", "a wish that is no map", "{kind: wood, size: 600, where: [1, 1]}", "HFG-4.5 hfg.wish-map"},
	} {
		clause(t, one.clause, one.name, func(t *testing.T) {
			got := strings.Join(ordered(t, "["+base+", "+one.piece+"]", defender, 1863), " ")
			is(t, one.piece, got, one.want)
		})
	}
	clause(t, "HFG-4.15", "no railway before 1859", func(t *testing.T) {
		is(t, "1858", strings.Join(ordered(t, "["+base+", {kind: railway}]", defender, 1858), " "), "HFG-4.15 hfg.piece-early")
		is(t, "1859", strings.Join(ordered(t, "["+base+", {kind: railway}]", defender, 1859), " "), "")
	})
}

func TestAreas(t *testing.T) {
	hillAt := func(x, y int64, size ...int) areaDef {
		w := siting{At: paced(x, y)}
		p := pieceOf(hillPiece, size...)
		return areaDef{id: "hill-1", kind: hill, outline: places(w.at(p.own()))}
	}
	clause(t, "HFG-4.4", "a gap of 300 paces between two areas is refused, 400 and none are taken", func(t *testing.T) {
		for _, one := range []struct {
			gap  int64
			want string
		}{{300, "HFG-4.4 hfg.piece-gap"}, {399, "HFG-4.4 hfg.piece-gap"}, {400, ""}, {0, ""}, {-200, ""}} {
			p := soil([]areaDef{hillAt(3000, 5000, 1000, 800)}, nil, sectionNW)
			_, got := lays(p, pieceOf(woodPiece, 1000, 800), siting{At: paced(3000+1000+one.gap, 5000)})
			is(t, fmt.Sprint("gap ", one.gap), got, one.want)
		}
		p := soil([]areaDef{octagon("wood-1", wood, 3000, 5000, 1000, 800)}, nil, sectionNW)
		_, got := lays(p, pieceOf(slowPiece, 1000, 800), siting{At: paced(3500, 5000)})
		is(t, "slow going on a wood", got, "HFG-4.4 hfg.piece-on")
	})
	clause(t, "HFG-R141", "a wood lies on a hill, slow going not on a wood, a BUA on no water", func(t *testing.T) {
		p := soil([]areaDef{hillAt(3000, 5000, 2000, 1000), octagon("wood-1", wood, 9000, 5000, 1000, 800)}, []lineDef{westEast(), lineOf("stream-1", stream, 100, [2]int64{3000, 6000}, [2]int64{3000, 0})}, sectionNW)
		_, got := lays(p, pieceOf(woodPiece, 1000, 800), siting{At: paced(3000, 5000)})
		is(t, "wood on a hill", got, "")
		p.sections[0] = sectionNE
		_, got = lays(p, pieceOf(slowPiece, 1000, 800), siting{At: paced(9200, 5000)})
		is(t, "slow going on a wood", got, "HFG-4.4 hfg.piece-on")
		p.sections[0] = sectionSW
		_, got = lays(p, pieceOf(buaPiece, 500), siting{At: paced(3000, 2900)})
		is(t, "a BUA on a stream", got, "HFG-4.7 hfg.piece-on")
	})
	clause(t, "HFG-4.5", "a piece lies nearest to the section that the die shows", func(t *testing.T) {
		p := soil(nil, nil, sectionNW)
		_, got := lays(p, pieceOf(hillPiece, 1000, 800), siting{At: paced(3000, 2000)})
		is(t, "nearer to the south", got, "HFG-4.5 hfg.piece-nearest")
		_, got = lays(p, pieceOf(hillPiece, 1000, 800), siting{At: paced(3000, 4000)})
		is(t, "nearer to the north", got, "")
		_, got = lays(p, pieceOf(hillPiece, 1000, 800), siting{At: paced(6000, 4000)})
		is(t, "as near to the other half", got, "HFG-4.5 hfg.piece-nearest")
		_, got = lays(p, pieceOf(hillPiece, 1000, 800), siting{At: paced(3000, 5800)})
		is(t, "off the field", got, "HFG-4.5 hfg.piece-off-field")
	})
	clause(t, "HFG-4.10", "a marsh lies beside a waterway or astride a stream, and no gully touches it", func(t *testing.T) {
		brook := lineOf("stream-1", stream, 100, [2]int64{0, 4000}, [2]int64{12000, 4000})
		at := siting{At: paced(600, 4000)}
		_, got := lays(soil(nil, []lineDef{brook}, sectionW), pieceOf(marshPiece, 800, 400), at)
		is(t, "astride", got, "")
		_, got = lays(soil(nil, []lineDef{brook}, sectionW), pieceOf(marshPiece, 800, 400), siting{At: paced(600, 4210)})
		is(t, "on one bank", got, "HFG-4.10 hfg.piece-marsh")
		_, got = lays(soil(nil, nil, sectionW), pieceOf(marshPiece, 800, 400), at)
		is(t, "on dry land", got, "HFG-4.10 hfg.piece-marsh")
		sea := areaDef{id: "waterway-1", kind: waterway, outline: []place{paced(0, 0), paced(600, 0), paced(600, 6000), paced(0, 6000)}}
		_, got = lays(soil([]areaDef{sea}, nil, sectionW), pieceOf(marshPiece, 800, 400), siting{At: paced(1000, 3000)})
		is(t, "beside a waterway", got, "")
	})
	clause(t, "HFG-4.9", "a marsh can't touch a gully", func(t *testing.T) {
		dry := lineOf("gully-1", gully, 100, [2]int64{0, 3800}, [2]int64{12000, 3800})
		brook := lineOf("stream-1", stream, 100, [2]int64{0, 4000}, [2]int64{12000, 4000})
		_, got := lays(soil(nil, []lineDef{dry, brook}, sectionW), pieceOf(marshPiece, 800, 400), siting{At: paced(600, 4000)})
		is(t, "beside one", got, "HFG-4.9 hfg.piece-on")
	})
	clause(t, "HFG-4.11", "a gentle hill 900 wide has a central crest, one of 1,200 a rim 500 within", func(t *testing.T) {
		narrow := pieceOf(hillPiece, 2000, 900)
		crest, plateau := narrow.crestOf()
		is(t, "plateau", plateau, false)
		is(t, "crest", fmt.Sprint(crest), fmt.Sprint([]point{{X: -550 * pace}, {X: 550 * pace}}))
		wide := pieceOf(hillPiece, 2000, 1200)
		crest, plateau = wide.crestOf()
		is(t, "plateau", plateau, true)
		is(t, "corner of the rim", crest[2], point{X: 500 * pace, Y: 100 * pace})
		wide.Slope = difficult
		_, plateau = wide.crestOf()
		is(t, "a difficult one has a flat top", plateau, false)
		deep := pieceOf(hillPiece, 600, 900)
		crest, _ = deep.crestOf()
		is(t, "along its longer way", crest[1], point{Y: 150 * pace})
		round := pieceOf(hillPiece, 900, 900)
		crest, _ = round.crestOf()
		is(t, "of a round hill", crest[1], point{X: 1 * pace})
	})
	clause(t, "HFG-4.16", "a BUA lies astride a road", func(t *testing.T) {
		p := soil(nil, []lineDef{westEast()}, sectionW)
		_, got := lays(p, pieceOf(buaPiece, 500), siting{At: paced(1000, 3000)})
		is(t, "astride", got, "")
		_, got = lays(p, pieceOf(buaPiece, 500), siting{At: paced(1000, 3250)})
		is(t, "with the road along its edge", got, "")
		_, got = lays(p, pieceOf(buaPiece, 500), siting{At: paced(1000, 3300)})
		is(t, "beside the road", got, "HFG-4.16 hfg.piece-no-road")
		is(t, "corners", len(must(lays(p, pieceOf(buaPiece, 500), siting{At: paced(1000, 3000)})).area.outline), 4)
	})
	clause(t, "HFG-4.22", "a piece ordered by its size is an octagon", func(t *testing.T) {
		p := soil(nil, nil, sectionW)
		l := must(lays(p, pieceOf(woodPiece, 1000, 800), siting{At: paced(1000, 3000)}))
		is(t, "corners", len(l.area.outline), 8)
		is(t, "first corner", l.area.outline[0], paced(700, 2600))
	})
	clause(t, "HFG-R19", "a piece that is turned keeps whole paces and eight corners", func(t *testing.T) {
		p := soil(nil, nil, sectionW)
		l := must(lays(p, pieceOf(woodPiece, 1000, 800), siting{At: paced(1000, 3000), Facing: 33}))
		for _, q := range l.area.outline {
			if q.X%pace != 0 || q.Y%pace != 0 {
				t.Errorf("corner %v", q)
			}
		}
	})
}

func must(l laid, fault string) laid {
	if fault != "" {
		panic(fault)
	}
	return l
}

func TestLines(t *testing.T) {
	clause(t, "HFG-4.6", "a waterway lies along its section, as far in as was ordered", func(t *testing.T) {
		p := soil(nil, nil, sectionW)
		l := must(lays(p, pieceOf(waterwayPiece, 800), siting{}))
		lo, hi := geometry.Bounds(points(l.area.outline))
		is(t, "bounds", fmt.Sprint(lo, hi), fmt.Sprint(point{}, point{X: 800 * pace, Y: 6000 * pace}))
		p = soil(nil, nil, sectionNE)
		l = must(lays(p, pieceOf(waterwayPiece, 800), siting{}))
		lo, hi = geometry.Bounds(points(l.area.outline))
		is(t, "bounds", fmt.Sprint(lo, hi), fmt.Sprint(point{X: 6000 * pace, Y: 5200 * pace}, point{X: 12000 * pace, Y: 6000 * pace}))
		_, got := lays(p, pieceOf(waterwayPiece, 800), siting{Bends: []place{paced(7000, 5500)}})
		is(t, "a shore 500 in", got, "HFG-4.6 hfg.piece-reach")
		_, got = lays(p, pieceOf(waterwayPiece, 800), siting{Bends: []place{paced(12000, 4500), paced(7000, 5000)}})
		is(t, "a shore of one's own", got, "")
	})
	clause(t, "HFG-4.7", "a stream runs from one section to the other, at most one and a half times as long as straight", func(t *testing.T) {
		p := soil(nil, nil, sectionW, sectionE)
		l := must(lays(p, pieceOf(streamPiece), siting{}))
		is(t, "from the middle", l.line.path[0], paced(0, 3000))
		is(t, "width", l.line.width, length(100*pace))
		_, got := lays(p, pieceOf(streamPiece), siting{Bends: []place{paced(2000, 5900), paced(3000, 100), paced(5000, 5900), paced(7000, 100)}})
		is(t, "too long", got, "HFG-4.7 hfg.piece-long")
		_, got = lays(p, pieceOf(streamPiece), siting{From: paced(0, 1000), To: paced(11000, 0)})
		is(t, "to another section", got, "HFG-4.7 hfg.piece-ends")
		_, got = lays(p, pieceOf(streamPiece), siting{Bends: []place{paced(6000, 4000), paced(6000, 5000), paced(5000, 5000), paced(6500, 4500)}})
		is(t, "knotted", got, "HFG-4.7 hfg.piece-knot")
	})
	clause(t, "HFG-4.7", "it joins the water that it meets", func(t *testing.T) {
		first := lineOf("stream-1", stream, 100, [2]int64{6000, 0}, [2]int64{6000, 6000})
		l := must(lays(soil(nil, []lineDef{first}, sectionW, sectionE), pieceOf(streamPiece), siting{}))
		is(t, "it ends at", l.line.path[len(l.line.path)-1], paced(6000, 3000))
		sea := areaDef{id: "waterway-1", kind: waterway, outline: []place{paced(0, 0), paced(800, 0), paced(800, 6000), paced(0, 6000)}}
		l = must(lays(soil([]areaDef{sea}, nil, sectionW, sectionE), pieceOf(streamPiece), siting{}))
		is(t, "it begins at the shore", l.line.path[0], paced(800, 3000))
		is(t, "and runs on", l.line.path[1], paced(12000, 3000))
	})
	clause(t, "HFG-R15", "both dice the same: straight across from the middle of the section", func(t *testing.T) {
		l := must(lays(soil(nil, nil, sectionNW, sectionNW), pieceOf(roadPiece), siting{}))
		is(t, "path", fmt.Sprint(l.line.path), fmt.Sprint([]place{paced(3000, 6000), paced(3000, 0)}))
		l = must(lays(soil(nil, nil, sectionNW, sectionNW), pieceOf(roadPiece), siting{From: paced(1000, 6000)}))
		is(t, "from a point of it that is given", fmt.Sprint(l.line.path), fmt.Sprint([]place{paced(1000, 6000), paced(1000, 0)}))
		l = must(lays(soil(nil, nil, sectionNW, sectionNW), pieceOf(roadPiece), siting{From: paced(7000, 6000)}))
		is(t, "not from one of another section", l.line.path[0], paced(3000, 6000))
		brook := lineOf("stream-1", stream, 100, [2]int64{3000, 6000}, [2]int64{3000, 0})
		w, ok := soil(nil, []lineDef{brook}, sectionNW, sectionNW).first(&terrainPiece{Kind: roadPiece}, false)
		is(t, "beside a stream of the same dice", ok && w.From != place{} && w.From != paced(3000, 6000), true)
	})
	clause(t, "HFG-R177", "between both halves of one edge a line bends into the field, and none runs along an edge", func(t *testing.T) {
		p := soil(nil, nil, sectionNW, sectionNE)
		l := must(lays(p, pieceOf(roadPiece), siting{}))
		is(t, "a road", fmt.Sprint(l.line.path), fmt.Sprint([]place{paced(3000, 6000), paced(6000, 5000), paced(9000, 6000)}))
		l = must(lays(soil(nil, nil, sectionSE, sectionSW), pieceOf(streamPiece), siting{}))
		is(t, "a stream", fmt.Sprint(l.line.path), fmt.Sprint([]place{paced(9000, 0), paced(6000, 1000), paced(3000, 0)}))
		l = must(lays(p, pieceOf(roadPiece), siting{Bends: []place{paced(6000, 2000)}}))
		is(t, "by bends of its owner", l.line.path[1], paced(6000, 2000))
		_, got := lays(p, pieceOf(roadPiece), siting{Bends: []place{paced(6000, 6000), paced(7000, 4000)}})
		is(t, "along the edge by its owner", got, "HFG-R177 hfg.piece-along-edge")
		_, got = lays(soil(nil, nil, sectionE), pieceOf(railwayPiece), siting{From: paced(12000, 6000), To: paced(0, 6000)})
		is(t, "rails along the edge", got, "HFG-R177 hfg.piece-along-edge")
		p.former = true
		_, got = lays(p, pieceOf(roadPiece), siting{Bends: []place{paced(6000, 6000), paced(7000, 4000)}})
		is(t, "along the edge, accepted before", got, "")
	})
	clause(t, "HFG-R177", "no road and no railway runs in the bed of water", func(t *testing.T) {
		bed := lineOf("river-1", river, 200, [2]int64{9000, 0}, [2]int64{9000, 4000})
		_, got := lays(soil(nil, []lineDef{bed}, sectionSE, sectionSE), pieceOf(roadPiece), siting{})
		is(t, "a road straight across", got, "HFG-R177 hfg.piece-in-bed")
		before := soil(nil, []lineDef{bed}, sectionSE, sectionSE)
		before.former = true
		_, got = lays(before, pieceOf(roadPiece), siting{})
		is(t, "accepted before", got, "")
		_, got = lays(soil(nil, []lineDef{bed}, sectionSE), pieceOf(railwayPiece), siting{})
		is(t, "a railway", got, "HFG-R177 hfg.piece-in-bed")
		w, ok := soil(nil, []lineDef{bed}, sectionSE).first(&terrainPiece{Kind: railwayPiece}, false)
		is(t, "a railway finds a place beside it", ok && w.From != paced(9000, 0), true)
		_, got = lays(soil(nil, []lineDef{bed}, sectionW, sectionE), pieceOf(roadPiece), siting{Bends: []place{paced(9000, 4000)}})
		is(t, "a road that meets its end", got, "")
	})
	clause(t, "HFG-4.8", "a river runs between the long edges, else it is a stream", func(t *testing.T) {
		l := must(lays(soil(nil, nil, sectionNW, sectionSE), pieceOf(riverPiece, 300), siting{}))
		is(t, "between the long edges", l.line.kind, river)
		is(t, "width", l.line.width, length(300*pace))
		l = must(lays(soil(nil, nil, sectionW, sectionE), pieceOf(riverPiece, 300), siting{}))
		is(t, "between the short ones", l.line.kind, stream)
		is(t, "it is called", l.line.id, "stream-1")
	})
	clause(t, "HFG-4.9", "in a dry climate a stream is a gully", func(t *testing.T) {
		p := soil(nil, nil, sectionW, sectionE)
		l, fault := p.lay(&terrainPiece{Kind: streamPiece}, &siting{}, true)
		if fault != nil {
			t.Fatal(fault)
		}
		is(t, "kind", l.line.kind, gully)
		is(t, "it is called", l.line.id, "gully-1")
	})
	clause(t, "HFG-R143", "roads are one network; a bad one may end at another, a good one goes on", func(t *testing.T) {
		p := soil(nil, []lineDef{westEast()}, sectionNW, sectionNE)
		_, got := lays(p, pieceOf(roadPiece), siting{Bends: []place{paced(6000, 5000)}})
		is(t, "apart", got, "HFG-4.14 hfg.piece-network")
		w := siting{To: paced(6000, 3000)}
		_, got = lays(p, pieceOf(roadPiece), w)
		is(t, "ending at it", got, "")
		good := pieceOf(roadPiece)
		good.Good = true
		_, got = lays(p, good, w)
		is(t, "a good one", got, "HFG-4.14 hfg.piece-good-ends")
	})
	clause(t, "HFG-4.14", "a road crosses water by a ford, or by bridges if they are ordered", func(t *testing.T) {
		brook := lineOf("stream-1", stream, 100, [2]int64{6000, 0}, [2]int64{6000, 6000})
		p := soil(nil, []lineDef{brook}, sectionW, sectionE)
		is(t, "bridges", len(must(lays(p, pieceOf(roadPiece), siting{})).bridges), 0)
		x := pieceOf(roadPiece)
		x.Bridges = true
		l := must(lays(p, x, siting{}))
		is(t, "bridges", len(l.bridges), 1)
		is(t, "at", l.bridges[0].At, paced(6000, 3000))
		is(t, "along the road", l.bridges[0].Facing, 90)
	})
	clause(t, "HFG-R142", "a road that ends at a waterway needs a BUA there, before the die of the next", func(t *testing.T) {
		sea := areaDef{id: "waterway-1", kind: waterway, outline: []place{paced(0, 0), paced(800, 0), paced(800, 6000), paced(0, 6000)}}
		p := soil([]areaDef{sea}, nil, sectionW, sectionE)
		l := must(lays(p, pieceOf(roadPiece), siting{}))
		is(t, "it begins at", l.line.path[0], paced(800, 3000))
		p.add(l)
		p.sections = [2]section{sectionE}
		x := pieceOf(buaPiece, 500)
		w, ok := p.first(&x, false)
		is(t, "there is a place", ok, true)
		town := must(lays(p, x, w))
		touching := geometry.Distance(geometry.Figure{P: points(town.area.outline), Closed: true}, geometry.Figure{P: []point{point(paced(800, 3000))}})
		is(t, "it touches the end of the road", touching <= slack, true)
		p.add(town)
		w, ok = p.first(&x, false)
		is(t, "the next follows its die", ok && w.At.X > 6000*pace, true)
	})
	clause(t, "HFG-4.15", "a railway can't cross a hill, and has a bridge over water", func(t *testing.T) {
		p := soil([]areaDef{octagon("hill-1", hill, 6000, 3000, 1000, 800)}, nil, sectionW)
		_, got := lays(p, pieceOf(railwayPiece), siting{})
		is(t, "over the hill", got, "HFG-4.15 hfg.piece-rails")
		_, got = lays(p, pieceOf(railwayPiece), siting{From: paced(0, 5000), To: paced(12000, 5000)})
		is(t, "past it", got, "")
		_, got = lays(p, pieceOf(railwayPiece), siting{From: paced(0, 5000), To: paced(9000, 6000)})
		is(t, "to another edge", got, "HFG-4.15 hfg.piece-rails-ends")
		brook := lineOf("stream-1", stream, 100, [2]int64{6000, 0}, [2]int64{6000, 6000})
		is(t, "bridges", len(must(lays(soil(nil, []lineDef{brook}, sectionW), pieceOf(railwayPiece), siting{})).bridges), 1)
	})
	clause(t, "HFG-4.5", "wishes are kept where they are legal, by section and by both", func(t *testing.T) {
		p := soil(nil, nil, sectionW, sectionNE)
		x := pieceOf(roadPiece)
		x.Where = []wish{{For: "ne-w", Siting: siting{From: paced(9000, 6000), To: paced(0, 1000), Bends: []place{paced(5000, 3000), paced(2000, 2000)}}}}
		w, ok := p.wished(&x, false)
		is(t, "said the other way round", ok, true)
		is(t, "from", w.From, paced(0, 1000))
		is(t, "first bend", w.Bends[0], paced(2000, 2000))
		x.Where = []wish{{For: "w", Siting: siting{At: paced(0, 1000)}}, {For: "ne", Siting: siting{At: paced(9000, 6000)}}}
		w, ok = p.wished(&x, false)
		is(t, "by section", ok && w.To == paced(9000, 6000), true)
		y := pieceOf(woodPiece, 600)
		y.Where = []wish{{For: "w", Siting: siting{At: paced(11000, 3000)}}}
		_, ok = p.wished(&y, false)
		is(t, "an illegal one", ok, false)
	})
}

// Whatever the dice show, the first legal place is legal, and pieces that were laid stay as the
// rules have them: in the field, roads in one network, gaps of 400 paces or none.
func TestGround(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := &setting{year: 1863, size: standardField}
		s.complete()
		p := &plot{setting: s}
		o := usualTerrain(second)
		for _, k := range []pieceKind{waterwayPiece, riverPiece, streamPiece, marshPiece, railwayPiece} {
			if rapid.Bool().Draw(r, k.String()) {
				o.pieces = append(o.pieces, terrainPiece{Kind: k, By: second, Size: map[pieceKind][]int{waterwayPiece: {900}, riverPiece: {300}, marshPiece: {900, 400}}[k]})
			}
		}
		dry := rapid.Bool().Draw(r, "dry")
		for _, x := range together(&o, &terrainOrder{by: first}, &listTerrain{}, s.size) {
			for i := range p.sections {
				p.sections[i] = section(rapid.IntRange(1, 6).Draw(r, "die"))
			}
			w, ok := p.first(&x, dry)
			if !ok {
				continue
			}
			l, fault := p.lay(&x, &w, dry)
			if fault != nil {
				r.Fatalf("%v at %v: %v", x, w, fault)
			}
			p.add(l)
		}
		l := &loader{Loader: play.Loader{Reader: orders.NewReader(nil)}, s: p.setting, root: orders.Mapping()}
		l.ground()
		if len(l.Problems) > 0 {
			r.Fatalf("the ground is refused as that of a file: %v", l.Problems)
		}
	})
}
