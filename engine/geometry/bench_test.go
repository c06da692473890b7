package geometry

import (
	"slices"
	"testing"
)

// field makes a field of tiles and of areas with eight corners.
func field(m maker, tiles, areas int) (bodies []Body, grounds []Area) {
	for range tiles {
		at := Frame{Point{m.Int64N(1_120_000), m.Int64N(680_000)}, m.heading()}
		bodies = append(bodies, NewBody(Piece{at, Box{-15_000, -15_000, 15_000, 15_000}}))
	}
	for len(grounds) < areas {
		about := Point{m.Int64N(1_120_000), m.Int64N(680_000)}
		var p []Point
		for h := Heading(0); h < 360; h += 45 {
			p = append(p, about.Plus(Step(h, 60_000+m.Int64N(50_000))))
		}
		if flaw, _ := Polygon(p); flaw == Sound {
			grounds = append(grounds, NewArea(p))
		}
	}
	return bodies, grounds
}

var sink int64

func BenchmarkPrimitives(b *testing.B) {
	m := newMaker()
	bodies, areas := field(m, 70, 20)
	one, next := bodies[0], bodies[0].Shifted(Point{31_000, 4000})
	area := areas[0]
	near := NewBody(Piece{Frame{area.P[0], 30}, one.Box})
	inside := NewBody(Piece{Frame{Point{(area.Lo.X + area.Hi.X) / 2, (area.Lo.Y + area.Hi.Y) / 2}, 30}, one.Box})
	var spans [8]Span
	for _, x := range []struct {
		name string
		run  func(i int)
	}{
		{"Local", func(i int) { sink += one.Local(bodies[i%70].At).X }},
		{"World", func(i int) { sink += one.World(bodies[i%70].At).X }},
		{"Toward", func(i int) { sink += int64(Toward(one.At, bodies[1+i%69].At)) }},
		{"Turned", func(i int) { sink += one.Turned(one.Corner[0], i%181-90).At.X }},
		{"NewBody", func(i int) { body := NewBody(bodies[i%70].Piece); sink += body.Lo.X }},
		{"Gap", func(i int) { sink += Gap(&one, &next) }},
		{"Apart/anywhere", func(i int) { sink += b2i(Apart(&one, &bodies[i%70], 0)) }},
		{"Contact", func(i int) { sink += Contact(&one, &next, Right, 1500) }},
		{"DistSegment", func(i int) { sink += DistSegment(bodies[i%70].At, area.P[0], area.P[1]) }},
		{"Where", func(i int) { sink += int64(Where(area.P, bodies[i%70].At)) }},
		{"On/near", func(i int) { sink += b2i(On(&near, &area, 0)) }},
		{"On/anywhere", func(i int) { sink += b2i(On(&bodies[i%70], &area, 0)) }},
		{"Holds", func(i int) { sink += b2i(Holds(&area, &inside, 0)) }},
		{"Depth", func(i int) { sink += Depth(area.P, bodies[i%70].At) }},
		{"Chord/missed", func(i int) { sink += int64(len(area.Chord(spans[:0], bodies[i%70].At, bodies[(i*7+3)%70].At, 100))) }},
		{"Chord/cut", func(i int) { sink += int64(len(area.Chord(spans[:0], inside.At, bodies[i%70].At, 100))) }},
		{"Ray", func(i int) { d, _ := one.Ray(int64(i%30)*500-7250, 7500, Figure{area.P, true}); sink += d }},
		{"Isqrt", func(i int) { sink += int64(Isqrt(uint64(i) * 1_000_003)) }},
		{"Distance", func(i int) { sink += Distance(Figure{one.Corner[:], true}, Figure{bodies[i%70].Corner[:], true}) }},
	} {
		b.Run(x.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				x.run(i)
			}
		})
	}
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// Three tiles abreast move 120 mm among 70.
func searched() (movers, others []Body, w Way) {
	m := newMaker()
	others, _ = field(m, 70, 0)
	f := Frame{Point{560_000, 340_000}, 20}
	for i := range int64(3) {
		movers = append(movers, NewBody(Piece{Frame{f.World(Point{i * 30_000, 0}), 20}, Box{-15_000, -15_000, 15_000, 15_000}}))
	}
	others = slices.DeleteFunc(others, func(b Body) bool {
		return slices.ContainsFunc(movers, func(a Body) bool { return !Apart(&a, &b, 0) })
	})
	return movers, others, Way{Heading: 20, Far: 120_000, Step: 1000, Fine: 1}
}

func BenchmarkStop(b *testing.B) {
	movers, others, w := searched()
	for name, under := range map[string]func(a, b *Body) bool{
		"Gap":   func(a, b *Body) bool { return Gap(a, b) < 0 },
		"Apart": func(a, b *Body) bool { return !Apart(a, b, 0) },
	} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				far, _ := Stop(w.Far, w.Step, w.Fine, func(t int64) bool {
					d := Step(w.Heading, t)
					for i := range movers {
						at := movers[i].Shifted(d)
						for j := range others {
							if under(&at, &others[j]) {
								return true
							}
						}
					}
					return false
				})
				sink += far
			}
		})
	}
}

func BenchmarkSlide(b *testing.B) {
	movers, others, w := searched()
	b.ReportAllocs()
	for range b.N {
		far, _ := w.Slide(movers, others, nil)
		sink += far
	}
}

// Every heading of a charge, as a list of choices needs it.
func BenchmarkSlideEveryHeading(b *testing.B) {
	movers, others, w := searched()
	turned := make([]Body, len(movers))
	for range b.N {
		for by := -90; by <= 90; by++ {
			for i := range movers {
				p := movers[i].Piece
				p.Frame = p.Turned(movers[0].Corner[0], by)
				turned[i] = NewBody(p)
			}
			w.Heading = turned[0].Heading
			far, _ := w.Slide(turned, others, nil)
			sink += far
		}
	}
}

// Sight of all pairs of 90 over 20 areas, from corners to corners.
func BenchmarkSightOfAllPairs(b *testing.B) {
	bodies, areas := field(newMaker(), 90, 20)
	var spans [8]Span
	segments := 0
	for range b.N {
		segments = 0
		for i := range bodies {
			for j := range i {
				for k := range 16 {
					segments++
					p, q := bodies[i].Corner[k%4], bodies[j].Corner[k/4]
					if !slices.ContainsFunc(areas, func(a Area) bool { return len(a.Chord(spans[:0], p, q, 100)) > 0 }) {
						break
					}
				}
			}
		}
	}
	b.ReportMetric(float64(segments), "segments")
}

// What is asked in the inner loops allocates nothing.
func TestNothingAllocates(t *testing.T) {
	m := newMaker()
	bodies, areas := field(m, 20, 4)
	movers, others, w := searched()
	var spans [8]Span
	i := 0
	got := testing.AllocsPerRun(200, func() {
		i++
		a, b, area := &bodies[i%20], &bodies[(i*3+1)%20], &areas[i%4]
		sink += Gap(a, b) + Contact(a, b, Front, 500) + b2i(On(a, area, 0)) + b2i(Holds(area, a, 0)) + b2i(OnLine(a, area.P, 0))
		sink += int64(len(area.Chord(spans[:0], a.At, b.At, 100))) + Depth(area.P, a.At) + int64(Toward(a.At, b.At))
		sink += Distance(Figure{a.Corner[:], true}, Figure{b.Corner[:], true})
		d, _ := a.Ray(0, 7500, Figure{area.P, true})
		far, _ := w.Slide(movers, others, nil)
		sink += d + far
	})
	same(t, "the allocations", got, 0)
}
