package hfg

import (
	"fmt"
	"testing"

	"berthier/engine/geometry"
)

// A move that stops short leaves the gap between the bases that was ordered, and would leave less a pace further on, whichever
// way both of them look and on whatever side the other one stands (HFG-R121).
func TestStopShortLeavesTheGap(t *testing.T) {
	for heading := geometry.Heading(0); heading < 360; heading += 35 {
		for from := geometry.Heading(0); from < 360; from += 55 {
			at := pt(6000, 3000).Plus(geometry.Step(from, 1500*pace))
			g := field(t, 1809, piece{"r1", lightHorse, at.X / pace, at.Y / pace, int(from), nil}, piece{"bx", bayonets, 6000, 3000, int(heading), nil})
			enemy := g.body(named(t, g, "bx"))
			for _, facing := range []int{0, 90, 200} {
				for _, text := range []string{"front of bx", "rear of bx", "bx"} {
					o := order{Verb: verbGo, Of: "r1", To: text, Short: 301, Turns: true, Facing: facing}
					to, _ := g.spot(text, named(t, g, "r1"))
					p, _ := g.plannedGoing(&o, named(t, g, "r1"))
					if p == nil {
						t.Errorf("%s at %d from %d: no plan", text, heading, from)
						continue
					}
					end := p.paths[0].to
					next := g.bodyAt(named(t, g, "r1"), geometry.Frame{At: geometry.Along([]point{g.body(1).At, to.At}, geometry.Dist(g.body(1).At, end.At)+pace), Heading: end.Heading})
					if gap, less := paces(between(&end, &enemy)), paces(between(&next, &enemy)); gap < 300 || gap > 301 || less > 300 {
						t.Errorf("%s at %d from %d, facing %d: a gap of %d, a pace further on %d", text, heading, from, facing, gap, less)
					}
				}
			}
		}
	}
}

// The way of a move that stops short goes over the places that the order names.
func TestStopShortOverPlaces(t *testing.T) {
	g := field(t, 1809, piece{"r1", lightHorse, 4000, 1000, 0, nil})
	for short, want := range map[int][2]int64{0: {4500, 2000}, 200: {4500, 1800}, 1020: {4101, 1000}} {
		o := order{Verb: verbGo, Of: "r1", To: "[4500, 2000]", Via: "[4500, 1000]", Short: short + 1}
		p, fault := g.planned(&o, []elementID{named(t, g, "r1")})
		if fault != nil {
			t.Fatal(short, fault.Why)
		}
		at := p.paths[0].to.At
		is(t, fmt.Sprint(short, " short"), [2]int64{at.X / pace, at.Y / pace}, want)
		is(t, fmt.Sprint(short, " short, corners"), len(p.paths[0].legs), map[bool]int{true: 2, false: 3}[short == 1020])
	}
	o := order{Verb: verbGo, Of: "r1", To: "[4000, 1100]", Short: 301}
	_, fault := g.planned(&o, []elementID{named(t, g, "r1")})
	is(t, "nearer already", code(fault), "hfg.short-near")
}
