package mistakes

import (
	"testing"

	"berthier/engine/geometry"
)

// Cases of the measured field: chapter 3. Vectors of the primitives alone are in package
// geometry.
func TestMeasureCases(t *testing.T) {
	clause(t, "EM-3.1", "30 mm to the east add to x alone", func(t *testing.T) {
		p := point{X: 600_000, Y: 300_000}.Plus(geometry.Step(90, 30_000))
		is(t, "the place", p, point{X: 630_000, Y: 300_000})
	})
	clause(t, "EM-3.2", "sines of the table and their rounding", func(t *testing.T) {
		is(t, "S(30)", geometry.Sine(30), 500_000_000)
		is(t, "C(30)", geometry.Cosine(30), 866_025_404)
		is(t, "S(330)", geometry.Sine(330), -500_000_000)
	})
	clause(t, "EM-3.3", "there and back within 1 um", func(t *testing.T) {
		f := geometry.Frame{At: point{X: 600_000, Y: 300_000}, Heading: 37}
		got := f.Local(f.World(point{X: 15_000, Y: -15_000}))
		if d := got.Minus(point{X: 15_000, Y: -15_000}); d.X*d.X > 1 || d.Y*d.Y > 1 {
			t.Errorf("the point is %v", got)
		}
	})
	clause(t, "EM-3.4", "a limbered gun covers its limber", func(t *testing.T) {
		g := field(t, piece{"blue-9", 582_500, 97_500, 0})
		u := named(t, g, "blue-9")
		covers := func(l limber) [4]int64 {
			g.Units[u].Limber = l
			b := g.body(u)
			return [4]int64{b.Lo.X, b.Lo.Y, b.Hi.X, b.Hi.Y}
		}
		is(t, "unlimbered", covers(unlimbered), [4]int64{575_000, 90_000, 590_000, 105_000})
		is(t, "behind", covers(behind), [4]int64{575_000, 75_000, 590_000, 105_000})
		is(t, "right", covers(toRight), [4]int64{575_000, 90_000, 605_000, 105_000})
		is(t, "left", covers(toLeft), [4]int64{560_000, 90_000, 590_000, 105_000})
		is(t, "ahead", covers(ahead), [4]int64{575_000, 90_000, 590_000, 120_000})
	})
	clause(t, "EM-R83", "the width counts the gun, contact the limber too", func(t *testing.T) {
		g := field(t, piece{"blue-9", 582_500, 97_500, 0})
		u := named(t, g, "blue-9")
		g.Units[u].Limber = behind
		gun, whole := g.gun(u), g.body(u)
		is(t, "the gun's depth", gun.Hi.Y-gun.Lo.Y, 15_000)
		is(t, "the footprint's depth", whole.Hi.Y-whole.Lo.Y, 30_000)
		is(t, "the centre of both", gun.At, whole.At)
	})
	clause(t, "EM-3.5", "up to the slack of overlap is touching", func(t *testing.T) {
		for _, c := range []struct {
			x                int64
			strict, overlaps bool
		}{{530_000, false, false}, {529_900, true, false}, {529_899, true, true}} {
			g := field(t, piece{"blue-13", 500_000, 300_000, 0}, piece{"blue-14", c.x, 300_000, 0})
			a, b := g.body(named(t, g, "blue-13")), g.body(named(t, g, "blue-14"))
			is(t, "strict overlap", entered(&a, &b), c.strict)
			is(t, "overlap", g.overlap(&a, &b), c.overlaps)
			is(t, "a flaw", len(g.flaws()) > 0, c.overlaps)
		}
	})
	clause(t, "EM-3.6", "contact up to 500 um, at corners too, and not of a pair that was parted", func(t *testing.T) {
		for _, c := range []struct {
			x, y int64
			want bool
		}{{530_500, 300_000, true}, {530_501, 300_000, false}, {530_500, 330_500, true}, {530_500, 330_501, false}} {
			g := field(t, piece{"blue-13", 500_000, 300_000, 0}, piece{"red-7", c.x, c.y, 0})
			is(t, "contact", g.contact(named(t, g, "blue-13"), named(t, g, "red-7")), c.want)
		}
		g := field(t, piece{"blue-13", 500_000, 300_000, 0}, piece{"red-7", 500_000, 330_000, 180})
		a, b := named(t, g, "blue-13"), named(t, g, "red-7")
		g.part(b, a)
		is(t, "contact of a parted pair", g.contact(a, b), false)
		g.moved(b)
		is(t, "contact when one has moved", g.contact(a, b), true)
	})
	clause(t, "EM-3.7", "the length of contact on a front", func(t *testing.T) {
		g := field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"red-7", 610_000, 330_000, 180})
		a, b := named(t, g, "blue-13"), named(t, g, "red-7")
		x, y := g.body(a), g.body(b)
		is(t, "the length", g.lengthOn(&x, &y, geometry.Front), 20_000)
		is(t, "13 touches by its front", g.byFront(a, b), true)
		g = field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"red-7", 631_000, 300_000, 180})
		is(t, "1 mm beside, 13 touches", g.byFront(a, b), false)
		g = field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"red-7", 600_000, 270_000, 0})
		is(t, "by its rear, 13 touches by its front", g.byFront(a, b), false)
	})
	clause(t, "EM-3.8", "the side struck, and the corner between two", func(t *testing.T) {
		for _, c := range []struct {
			name          string
			by            piece
			first, second geometry.Flank
		}{
			{"20 mm of the left flank", piece{"blue-13", 570_000, 310_000, 90}, geometry.Left, geometry.Left},
			{"the front", piece{"blue-13", 605_000, 330_000, 180}, geometry.Front, geometry.Front},
			{"the rear", piece{"blue-13", 600_000, 270_000, 0}, geometry.Rear, geometry.Rear},
			{"front right corner", piece{"blue-13", 630_000, 330_000, 180}, geometry.Front, geometry.Right},
			{"rear left corner", piece{"blue-13", 570_000, 270_000, 0}, geometry.Left, geometry.Rear},
		} {
			g := field(t, piece{"red-7", 600_000, 300_000, 0}, c.by)
			first, second, ok := g.struck(named(t, g, "red-7"), named(t, g, "blue-13"))
			is(t, c.name+": contact", ok, true)
			is(t, c.name+": first", first, c.first)
			is(t, c.name+": second", second, c.second)
		}
		g := field(t, piece{"red-7", 600_000, 300_000, 0}, piece{"blue-13", 700_000, 300_000, 0})
		_, _, ok := g.struck(named(t, g, "red-7"), named(t, g, "blue-13"))
		is(t, "far away: contact", ok, false)
	})
	clause(t, "EM-3.9", "the engagement area: entered within a segment, met at one, nothing behind", func(t *testing.T) {
		for _, c := range []struct {
			y               int64
			enters, invades bool
		}{{360_000, false, true}, {359_999, true, true}, {360_500, false, true}, {360_501, false, false},
			{270_000, false, true}, {269_499, false, false}} {
			g := field(t, piece{"red-7", 600_000, 300_000, 0}, piece{"blue-13", 600_000, c.y, 180})
			b, area := g.body(named(t, g, "blue-13")), g.engagement(named(t, g, "red-7"))
			is(t, "entered", entered(&b, &area), c.enters)
			is(t, "invaded", g.invades(named(t, g, "blue-13"), named(t, g, "red-7")), c.invades)
		}
		g := field(t, piece{"hougoumont", 405_000, 257_000, 180}, piece{"blue-13", 405_000, 300_000, 180})
		is(t, "a garrison is engaged from behind", g.invades(named(t, g, "blue-13"), named(t, g, "hougoumont")), true)
	})
	clause(t, "EM-3.10", "width of ragged formations", func(t *testing.T) {
		g := field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"blue-14", 640_000, 300_000, 0}, piece{"blue-15", 620_000, 270_000, 0})
		units := []unitID{named(t, g, "blue-13"), named(t, g, "blue-14"), named(t, g, "blue-15")}
		is(t, "width with a gap", g.width(units), 2)
		b := begin(t, nil)
		is(t, "width of b-GB", b.width(b.formationNamed("b-GB").Units), 3)
		is(t, "width of b-Lobau", b.width(b.formationNamed("b-Lobau").Units), 2)
		is(t, "width of b-Jacquinot, light cavalry and a horse gun", b.width(b.formationNamed("b-Jacquinot").Units), 1)
	})
	clause(t, "EM-R56", "horse guns count where they are alone, or with others than light cavalry", func(t *testing.T) {
		g := field(t, piece{"blue-12", 600_000, 300_000, 0}, piece{"blue-22", 615_000, 300_000, 0})
		guns := []unitID{named(t, g, "blue-12"), named(t, g, "blue-22")}
		is(t, "two horse guns", g.width(guns), 2)
		is(t, "they advance", g.advanceFactor(guns), 3)
		g = begin(t, nil)
		is(t, "b-Jacquinot advances", g.advanceFactor(g.formationNamed("b-Jacquinot").Units), 5)
		is(t, "b-Jacquinot charges", g.factor(g.formationNamed("b-Jacquinot").Units), 4)
		is(t, "b-Delort advances", g.advanceFactor(g.formationNamed("b-Delort").Units), g.factor(g.formationNamed("b-Delort").Units))
	})
	clause(t, "EM-3.11", "in column is front to rear, one behind the other", func(t *testing.T) {
		g := begin(t, nil)
		same(t, "in column with 36", g.column(named(t, g, "blue-36")), []unitID{named(t, g, "blue-37"), named(t, g, "blue-38")})
		same(t, "in column with 39", g.column(named(t, g, "blue-39")), nil)
		g = field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"red-7", 600_000, 270_000, 0})
		same(t, "an enemy behind is in column", g.column(named(t, g, "blue-13")), nil)
	})
	clause(t, "EM-3.12", "a tile turns about its outer corner", func(t *testing.T) {
		g := field(t, piece{"blue-13", 600_000, 300_000, 0})
		units := []unitID{named(t, g, "blue-13")}
		is(t, "30 right", g.wheeled(units, 30)[0].At, point{X: 590_490, Y: 294_510})
		is(t, "30 left", g.wheeled(units, -30)[0].At, point{X: 609_510, Y: 294_510})
		is(t, "the heading", g.wheeled(units, -30)[0].Heading, 330)
		is(t, "the limit", g.wheelMost(), 90)
		is(t, "the limit of 45", begin(t, map[string]string{"wheel-limit": "45"}).wheelMost(), 45)
	})
	clause(t, "EM-R92", "of two edges that are tied the front-most unit's is the pivot", func(t *testing.T) {
		g := field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"blue-14", 600_000, 270_000, 0})
		units := []unitID{named(t, g, "blue-13"), named(t, g, "blue-14")}
		for _, by := range []int{7, 11, -20, 3, -33, 90} {
			front := g.body(units[0])
			want := front.Corner[0]
			if by < 0 {
				want = front.Corner[1]
			}
			is(t, "the pivot", g.pivot(units, by < 0), want)
			g.stand(units, g.wheeled(units, by))
			same(t, "what can't be", g.flaws(), nil)
		}
	})
	clause(t, "EM-3.15", "within two segments, centre to centre", func(t *testing.T) {
		s := begin(t, nil)
		p := point{X: 600_000, Y: 300_000}
		is(t, "60 mm", s.within(p, point{X: 660_000, Y: 300_000}, 2), true)
		is(t, "60.001 mm", s.within(p, point{X: 660_001, Y: 300_000}, 2), false)
	})
	clause(t, "EM-3.16", "a tile that touches an outline is on the wood, not in it", func(t *testing.T) {
		g := field(t, piece{"blue-13", 361_000, 209_000, 0})
		wood, b := areaNamed(t, g, "wood-houg"), g.body(named(t, g, "blue-13"))
		is(t, "on it", g.onArea(&b, wood), true)
		is(t, "entirely inside", g.inside(&b, wood), false)
		b = b.Shifted(point{X: -1})
		is(t, "on it from 1 um away", g.onArea(&b, wood), false)
		b = b.Shifted(point{X: 30_001})
		is(t, "entirely inside along its outline", g.inside(&b, wood), true)
		at := func(x, y int64) geometry.Body {
			return geometry.NewBody(geometry.Piece{Frame: geometry.Frame{At: point{X: x, Y: y}}, Box: geometry.Box{U0: -15_000, V0: -15_000, U1: 15_000, V1: 15_000}})
		}
		road, brook := lineNamed(t, g, "road-brussels"), lineNamed(t, g, "stream-lasne")
		b = at(619_000, 188_000)
		is(t, "2 mm from the road, on it", g.onLine(&b, road), true)
		b = at(619_001, 188_000)
		is(t, "2.001 mm from the road, on it", g.onLine(&b, road), false)
		b = at(905_000, 77_000)
		is(t, "touching the stream, on it", g.onLine(&b, brook), true)
		is(t, "on the bridge", g.onBridge(&b, 1), true)
		b = at(934_000, 62_000)
		is(t, "17 mm from the bridge, on it", g.onBridge(&b, 1), false)
	})
	clause(t, "EM-3.18", "who sees whom", func(t *testing.T) {
		g := field(t, piece{"blue-13", 730_000, 220_000, 0}, piece{"blue-15", 630_000, 250_000, 0})
		derlon := leaderNamed(t, g, "derlon")
		g.Leaders[derlon].At = place{X: 705_000, Y: 275_000}
		is(t, "D'Erlon sees (730, 220)", g.sees(derlon, named(t, g, "blue-13")), true)
		is(t, "D'Erlon sees (630, 250)", g.sees(derlon, named(t, g, "blue-15")), true)
		// A line that cuts a corner of the wood, y - x = 186 000 - 376 000 + n.
		for _, c := range []struct {
			off  int64
			want bool
		}{{60, true}, {200, false}} {
			g := field(t, piece{"blue-13", 340_000 + c.off, 222_000, 0})
			g.Leaders[derlon].At = place{X: 412_000 + c.off, Y: 150_000}
			is(t, "past the corner of the wood", g.sees(derlon, named(t, g, "blue-13")), c.want)
		}
		g = field(t, piece{"blue-13", 345_000, 209_000, 0})
		g.Leaders[derlon].At = place{X: 460_000, Y: 209_000}
		is(t, "through the wood", g.sees(derlon, named(t, g, "blue-13")), false)
		g.Units[named(t, g, "blue-13")].At.X = 391_000
		is(t, "a unit in the wood", g.sees(derlon, named(t, g, "blue-13")), true)
	})
	clause(t, "EM-R80", "along an outline nothing is hidden", func(t *testing.T) {
		g := field(t, piece{"blue-13", 340_000, 232_000, 0})
		g.Units[named(t, g, "blue-13")].At = place{X: 345_000, Y: 232_000}
		derlon := leaderNamed(t, g, "derlon")
		g.Leaders[derlon].At = place{X: 460_000, Y: 232_000}
		is(t, "seen along the outline", g.sees(derlon, named(t, g, "blue-13")), true)
	})
	clause(t, "EM-3.19", "a corner at y = -1 um is off the field", func(t *testing.T) {
		g := field(t, piece{"blue-13", 600_000, 14_999, 0})
		b := g.body(named(t, g, "blue-13"))
		is(t, "off", g.leaves(&b), true)
		b = b.Shifted(point{Y: 1})
		is(t, "off at 0", g.leaves(&b), false)
	})
	clause(t, "EM-3.20", "formations touch where their units do", func(t *testing.T) {
		g := field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"blue-25", 630_400, 300_000, 0})
		a, b := g.formationNamed("blue-13"), g.formationNamed("blue-25")
		is(t, "0.4 mm apart: they touch", g.touches(a, b), true)
		is(t, "united", len(g.united(a)), 2)
		g.Units[named(t, g, "blue-25")].Heading = 90
		is(t, "united with another heading", len(g.united(a)), 1)
	})
	clause(t, "EM-3.21", "bearings", func(t *testing.T) {
		is(t, "the bearing", bearing(point{X: 600_000, Y: 300_000}, point{X: 660_000, Y: 404_000}), 30)
		is(t, "of itself", bearing(point{X: 600_000, Y: 300_000}, point{X: 600_000, Y: 300_000}), 0)
		g := begin(t, nil)
		is(t, "the middle of Haye Sainte", g.middle(areaNamed(t, g, "haye-sainte")), point{X: 576_000, Y: 366_500})
	})
}

func lineNamed(t *testing.T, g *game, id string) lineID {
	t.Helper()
	for i := range g.lines {
		if g.lines[i].id == id {
			return lineID(i + 1)
		}
	}
	t.Fatalf("there is no line %s", id)
	return 0
}
