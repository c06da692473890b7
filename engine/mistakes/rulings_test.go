package mistakes

import (
	"testing"

	"berthier/engine"
)

// Cases of rulings that ask more than a conformance case says: each bound, each wheel, each leader.
func TestRulings(t *testing.T) {
	clause(t, "EM-R2", "the engagement area has square corners before the front, and nothing behind the rear", func(t *testing.T) {
		for _, c := range []struct {
			x, y   int64
			enters bool
		}{{659_999, 359_999, true}, {660_000, 359_999, false}, {659_999, 360_000, false}, {600_000, 270_000, false}, {645_000, 269_999, false}} {
			g := field(t, piece{"red-7", 600_000, 300_000, 0}, piece{"blue-13", c.x, c.y, 180})
			b, area := g.body(named(t, g, "blue-13")), g.engagement(named(t, g, "red-7"))
			is(t, writePlace(place{X: c.x, Y: c.y}).OneLine(), entered(&b, &area), c.enters)
		}
	})
	clause(t, "EM-R4", "a turn gains no ground ahead, and has 90 degrees at most", func(t *testing.T) {
		g := field(t, piece{"blue-28", 600_000, 300_000, 0}, piece{"blue-29", 630_000, 300_000, 0})
		moves(t, g, "blue-28")
		units := all(t, g, "blue-28", "blue-29")
		is(t, "the pivot of a left turn", g.pivot(units, true), point{X: 645_000, Y: 315_000})
		is(t, "the pivot of a right turn", g.pivot(units, false), point{X: 585_000, Y: 315_000})
		for by := -90; by <= 90; by++ {
			for _, b := range g.wheeled(units, by) {
				if b.Hi.Y > 315_001 {
					t.Errorf("a turn by %d comes to %d", by, b.Hi.Y)
				}
			}
		}
		for by, want := range map[int]string{90: "", 91: "em.turn-most", -91: "em.turn-most"} {
			is(t, "a turn", code(g.manoeuvreFault(&manoeuvre{Units: units, Does: advancing, Turn: by, Far: 1000})), want)
		}
	})
	clause(t, "EM-R25", "a general's level is a sixth of his points, and he generates one less", func(t *testing.T) {
		s := battle(t)
		for _, d := range s.leaders {
			if d.role == general {
				is(t, d.id+"'s level", d.level, d.vp/6)
				is(t, d.id+"'s points", d.points, d.level-1)
			}
		}
		is(t, "a substitute", s.substitute, substituteDef{level: 1, points: 0, vp: 6})
	})
	clause(t, "EM-R39", "a limber goes behind the gun, or right, left or ahead of it", func(t *testing.T) {
		around := []piece{{"blue-13", 300_000, 177_500, 0}, {"blue-14", 322_500, 200_000, 0}, {"blue-15", 277_500, 200_000, 0}, {"blue-16", 300_000, 222_500, 0}}
		for n, want := range []limber{behind, toRight, toLeft, ahead, unlimbered} {
			g := field(t, append([]piece{{"blue-34", 300_000, 200_000, 0}}, around[:n]...)...)
			u := named(t, g, "blue-34")
			is(t, "there is room", g.limberUp(u), want != unlimbered)
			is(t, "the limber", g.Units[u].Limber, want)
		}
	})
	clause(t, "EM-R65", "red and black don't write to each other while bids are open", func(t *testing.T) {
		g := begin(t, map[string]string{"game": "ready-3p", "players": "3"})
		may := func(from engine.Side, to ...engine.Side) string {
			if clause, why, ok := g.Talk(from, to); !ok {
				return clause + " " + why.Code
			}
			return ""
		}
		is(t, "before the draw", may("red", "black"), "")
		g.Phase = bidding
		is(t, "red to black", may("red", "black"), "EM-R65 em.press-bids")
		is(t, "black to both", may("black", "blue", "red"), "EM-R65 em.press-bids")
		is(t, "black to blue", may("black", "blue"), "")
		is(t, "blue to both", may("blue", "red", "black"), "")
		same(t, "red's allies", g.Allies("red"), []engine.Side{"black"})
		same(t, "blue's allies", g.Allies("blue"), nil)
		same(t, "the public's", g.Allies(engine.Public), nil)
	})
	clause(t, "EM-R67", "a line of three that turns cuts into itself by no more than the slack", func(t *testing.T) {
		g := field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"blue-14", 630_000, 300_000, 0}, piece{"blue-15", 660_000, 300_000, 0})
		units, cut := all(t, g, "blue-13", "blue-14", "blue-15"), 0
		for by := -90; by <= 90; by++ {
			bodies := g.wheeled(units, by)
			for i := range bodies[1:] {
				if entered(&bodies[i], &bodies[i+1]) {
					cut++
				}
				is(t, "overlap", g.overlap(&bodies[i], &bodies[i+1]), false)
			}
		}
		if cut == 0 {
			t.Error("no turn cuts at all, so the slack is not needed")
		}
	})
}
