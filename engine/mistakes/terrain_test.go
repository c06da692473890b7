package mistakes

import (
	"testing"

	"berthier/engine/geometry"
)

// walk says how far units get straight ahead as far as their factor and terrain allow.
func walk(t *testing.T, g *game, by int, ids ...string) int64 {
	t.Helper()
	var units []unitID
	for _, id := range ids {
		units = append(units, named(t, g, id))
	}
	bodies := g.wheeled(units, by)
	m := g.marchOf(units, bodies, bodies[0].Heading, g.factor(units), g.width(units))
	far, ok := m.run()
	if !ok {
		return -1
	}
	return far
}

// Cases of terrain: chapter 4, and of the ways of chapter 3 on which it lies.
func TestTerrainCases(t *testing.T) {
	clause(t, "EM-3.13", "four segments straight ahead after a wheel", func(t *testing.T) {
		g := field(t, piece{"blue-13", 600_000, 100_000, 0})
		u := []unitID{named(t, g, "blue-13")}
		bodies := g.wheeled(u, 30)
		is(t, "the place", bodies[0].Shifted(geometry.Step(30, 120_000)).At, point{X: 650_490, Y: 198_433})
	})
	clause(t, "EM-3.14", "a wall of enemies 47.3 mm ahead", func(t *testing.T) {
		g := field(t, piece{"blue-13", 300_000, 300_000, 0}, piece{"red-7", 300_000, 377_300, 180})
		units := []unitID{named(t, g, "blue-13")}
		m := g.marchOf(units, g.wheeled(units, 0), 0, 4, g.width(units))
		m.others = []geometry.Body{g.body(named(t, g, "red-7"))}
		far, ok := m.run()
		is(t, "a way", ok, true)
		is(t, "how far", far, 47_300)
		m.others[0] = m.others[0].Shifted(point{Y: -47_301})
		far, ok = m.run()
		is(t, "a way of a pair that overlaps by rounding", ok, true)
		is(t, "how far, no deeper than roundings may tell", far, 5)
	})
	clause(t, "EM-4.1", "a tile on the outline is on the area", func(t *testing.T) {
		g := field(t, piece{"blue-13", 361_000, 209_000, 0})
		b := g.body(named(t, g, "blue-13"))
		is(t, "on the wood", g.onArea(&b, areaNamed(t, g, "wood-houg")), true)
	})
	clause(t, "EM-4.2", "half in the wood is nothing, entirely in it +1", func(t *testing.T) {
		g := field(t, piece{"blue-13", 376_000, 209_000, 0})
		is(t, "half", g.combatTerrain(named(t, g, "blue-13"), true), 0)
		g = field(t, piece{"blue-13", 400_000, 209_000, 0})
		is(t, "entirely", g.combatTerrain(named(t, g, "blue-13"), true), 1)
	})
	clause(t, "EM-4.3", "a defender that moves, or an attacker, has no bonus", func(t *testing.T) {
		g := field(t, piece{"blue-13", 400_000, 209_000, 0})
		u := named(t, g, "blue-13")
		is(t, "attacking", g.combatTerrain(u, false), 0)
		g.of(u).Green = true
		is(t, "moving", g.combatTerrain(u, true), 0)
	})
	clause(t, "EM-4.4", "a hill is +1, once, to any arm", func(t *testing.T) {
		for _, id := range []string{"red-7", "red-28"} {
			g := field(t, piece{id, 655_000, 432_000, 180})
			is(t, id, g.combatTerrain(named(t, g, id), true), 1)
			g.hillStacks = 1
			is(t, id+" by option", g.combatTerrain(named(t, g, id), true), 2)
		}
	})
	clause(t, "EM-4.5", "cover for infantry, a hindrance for cavalry", func(t *testing.T) {
		for _, c := range []struct {
			id   string
			x, y int64
			want int
		}{
			{"red-1", 400_000, 209_000, 1}, {"red-1", 446_000, 257_000, 2}, {"red-1", 571_000, 600_000, 2},
			{"red-28", 400_000, 209_000, -1}, {"red-28", 446_000, 257_000, -1}, {"red-28", 571_000, 600_000, -1},
			{"red-10", 571_000, 600_000, 0},
		} {
			g := field(t, piece{c.id, c.x, c.y, 0})
			is(t, c.id+" defending", g.combatTerrain(named(t, g, c.id), true), c.want)
			is(t, c.id+" attacking", g.combatTerrain(named(t, g, c.id), false), min(c.want, 0))
		}
	})
	clause(t, "EM-4.6", "caps, and reductions that add up", func(t *testing.T) {
		g := field(t, piece{"blue-13", 230_000, 330_000, 0})
		is(t, "from 35 mm before the crops", walk(t, g, 0, "blue-13"), 60_000)
		g = field(t, piece{"blue-13", 400_000, 165_000, 0})
		is(t, "6 mm before the wood", walk(t, g, 0, "blue-13"), 30_000)
		g = field(t, piece{"blue-13", 400_000, 130_000, 0})
		is(t, "41 mm before the wood, whose cap is passed", walk(t, g, 0, "blue-13"), 40_999)
		g = field(t, piece{"blue-13", 751_000, 20_000, 0})
		is(t, "stream and town: 4 - 2", walk(t, g, 0, "blue-13"), 60_000)
	})
	clause(t, "EM-4.7", "with nothing left the stream is not entered", func(t *testing.T) {
		four := []piece{{"blue-13", 950_000, 370_000, 0}, {"blue-14", 980_000, 370_000, 0}, {"blue-15", 1_010_000, 370_000, 0}, {"blue-16", 1_040_000, 370_000, 0}}
		g := field(t, four...)
		far := walk(t, g, 0, "blue-13", "blue-14", "blue-15", "blue-16")
		if far >= 30_000 || far <= 0 {
			t.Errorf("the four get %d um", far)
		}
		units := []unitID{named(t, g, "blue-13"), named(t, g, "blue-14"), named(t, g, "blue-15"), named(t, g, "blue-16")}
		brook := lineNamed(t, g, "stream-smohain")
		on := func(far int64) bool {
			for _, u := range units {
				b := g.body(u)
				b = b.Shifted(geometry.Step(0, far))
				if g.onLine(&b, brook) {
					return true
				}
			}
			return false
		}
		is(t, "on the stream where they stop", on(far), false)
		is(t, "on the stream 1 um further", on(far+1), true)
		for i := range four {
			four[i].y = 395_000
		}
		g = field(t, four...)
		is(t, "standing on it they get", walk(t, g, 0, "blue-13", "blue-14", "blue-15", "blue-16"), 0)
	})
	clause(t, "EM-4.8", "on a road through a wood", func(t *testing.T) {
		// It begins on the road to Nivelles, in the wood of Hougoumont, and leaves the road
		// beside the town, which takes a segment.
		g := field(t, piece{"blue-13", 372_000, 235_000, 0})
		is(t, "on the road through the wood, off it in the town", walk(t, g, 0, "blue-13"), 90_000)
		g = field(t, piece{"blue-13", 571_000, 560_000, 0})
		is(t, "along the road through Mont St. Jean, 4 - 0, to the field's edge", walk(t, g, 0, "blue-13"), 105_000)
		g = field(t, piece{"blue-13", 571_000, 560_000, 0}, piece{"blue-14", 601_000, 560_000, 0})
		is(t, "width 2, 3 - 1", walk(t, g, 0, "blue-13", "blue-14"), 60_000)
		g = field(t, piece{"blue-13", 590_000, 560_000, 0})
		is(t, "beside the road, 4 - 1", walk(t, g, 0, "blue-13"), 90_000)
	})
	clause(t, "EM-4.9", "a bridge is for a width of 1", func(t *testing.T) {
		g := field(t, piece{"blue-13", 905_000, 20_000, 0})
		is(t, "width 1: the stream is not counted", walk(t, g, 0, "blue-13"), 120_000)
		g = field(t, piece{"blue-13", 905_000, 20_000, 0}, piece{"blue-14", 935_000, 20_000, 0})
		is(t, "width 2: as far as the bridge", walk(t, g, 0, "blue-13", "blue-14"), 14_999)
	})
	clause(t, "EM-4.10", "a gun that crosses a stream is shaken, once", func(t *testing.T) {
		g := field(t, piece{"blue-9", 1_000_000, 70_000, 0}, piece{"blue-13", 970_000, 60_000, 0}, piece{"blue-23", 905_000, 35_000, 0})
		for _, c := range []struct {
			id   string
			want int
		}{{"blue-9", 1}, {"blue-13", 0}, {"blue-23", 0}} {
			u := named(t, g, c.id)
			g.wade(u, g.body(u), 0, 60_000)
			is(t, c.id+"'s yellow", g.Units[u].Yellow, c.want)
			g.wade(u, g.body(u), 0, 60_000)
			is(t, c.id+"'s yellow after another", g.Units[u].Yellow, c.want)
		}
	})
	clause(t, "EM-4.11", "a charge across water and over a bridge", func(t *testing.T) {
		g := field(t, piece{"blue-13", 1_000_000, 60_000, 0}, piece{"blue-14", 905_000, 20_000, 0})
		bonus, shaken := g.chargeTerrain(g.body(named(t, g, "blue-13")), 0, 90_000)
		is(t, "across the stream", bonus, -1)
		is(t, "shaken", shaken, false)
		_, shaken = g.chargeTerrain(g.body(named(t, g, "blue-14")), 0, 60_000)
		is(t, "over the bridge: shaken", shaken, true)
		bonus, _ = g.chargeTerrain(g.body(named(t, g, "blue-13")), 180, 30_000)
		is(t, "away from the stream", bonus, 0)
	})
	clause(t, "EM-4.12", "a sunken road protects nobody in a combat", func(t *testing.T) {
		g := field(t, piece{"red-7", 620_000, 470_000, 180})
		b := g.body(named(t, g, "red-7"))
		is(t, "on the sunken road", g.onLine(&b, lineNamed(t, g, "sunken-ohain")), false)
		g.Units[named(t, g, "red-7")].At.Y = 468_000
		b = g.body(named(t, g, "red-7"))
		is(t, "on the sunken road", g.onLine(&b, lineNamed(t, g, "sunken-ohain")), true)
		is(t, "the bonus", g.combatTerrain(named(t, g, "red-7"), true), 0)
	})
	clause(t, "EM-4.13", "forced moves don't heed terrain, but for guns in the water", func(t *testing.T) {
		g := field(t, piece{"red-7", 400_000, 165_000, 180}, piece{"red-10", 1_000_000, 70_000, 180})
		u, gun := named(t, g, "red-7"), named(t, g, "red-10")
		g.straightBack(u, 120_000)
		is(t, "through the wood", g.Units[u].At, place{X: 400_000, Y: 285_000})
		g.straightBack(gun, 60_000)
		is(t, "the gun's yellow", g.Units[gun].Yellow, 1)
	})
}

// straightBack moves a unit back by force, without the limits of terrain (EM-4.13).
func (g *game) straightBack(u unitID, far int64) {
	from := g.body(u)
	heading := from.Heading.Plus(180)
	g.stand([]unitID{u}, []geometry.Body{from.Shifted(geometry.Step(heading, far))})
	g.wade(u, from, heading, far)
}
