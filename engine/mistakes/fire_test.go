package mistakes

import (
	"slices"
	"testing"

	"berthier/engine/geometry"
)

// Cases of lines of fire: chapter 7, as far as it says who may fire at whom, and how well.
func TestFireCases(t *testing.T) {
	clause(t, "EM-3.17", "30 rays, measured from the gun's front", func(t *testing.T) {
		g := field(t, piece{"blue-23", 655_000, 301_000, 0}, piece{"red-7", 655_000, 395_000, 180})
		b := g.body(named(t, g, "red-7"))
		e := g.enters(named(t, g, "blue-23"), geometry.Figure{P: b.Corner[:], Closed: true})
		for i, d := range e {
			if d != 71_500 {
				t.Errorf("ray %d enters at %d, want 71500", i, d)
			}
		}
		ridge := g.enters(named(t, g, "blue-23"), geometry.Figure{P: g.outline(areaNamed(t, g, "hill-msj")).P, Closed: true})
		is(t, "every ray enters the ridge", ridge.all(), true)
		low, high := slices.Min(ridge[:]), slices.Max(ridge[:])
		is(t, "the nearest", low, 104_104)
		is(t, "the farthest", high, 104_336)
		g = field(t, piece{"blue-23", 655_000, 101_000, 0}, piece{"red-7", 655_000, 303_500, 180})
		same(t, "targets at 180 mm", g.targets(named(t, g, "blue-23")), []unitID{named(t, g, "red-7")})
		g.Units[named(t, g, "red-7")].At.Y++
		same(t, "targets 1 um further", g.targets(named(t, g, "blue-23")), nil)
	})
	clause(t, "EM-7.1", "no smoke, no limber, no enemy area invaded, once a turn", func(t *testing.T) {
		g := field(t, piece{"blue-34", 655_000, 201_000, 0}, piece{"red-7", 655_000, 295_000, 180})
		u := named(t, g, "blue-34")
		is(t, "fires", g.fires(u), true)
		for name, change := range map[string]unit{"smoke": {Smoke: true}, "limber": {Limber: behind}, "fired": {Fired: true}} {
			was := g.Units[u]
			change.At = was.At
			g.Units[u] = change
			is(t, "fires with "+name, g.fires(u), false)
			g.Units[u] = was
		}
		g = field(t, piece{"blue-34", 655_000, 201_000, 0}, piece{"red-7", 655_000, 253_500, 180})
		is(t, "fires from an enemy's area, met at 30 mm", g.fires(u), false)
	})
	clause(t, "EM-7.2", "horse artillery bombards only if the file says so", func(t *testing.T) {
		g := begin(t, nil)
		is(t, "blue-35", g.gunner(named(t, g, "blue-35")), false)
		is(t, "red-39", g.gunner(named(t, g, "red-39")), true)
		is(t, "blue-34", g.gunner(named(t, g, "blue-34")), true)
		is(t, "blue-13", g.gunner(named(t, g, "blue-13")), false)
	})
	clause(t, "EM-7.3", "a target is an enemy unit or a garrison in the line of fire", func(t *testing.T) {
		g := field(t, piece{"blue-34", 330_000, 257_000, 90}, piece{"hougoumont", 405_000, 257_000, 180}, piece{"blue-13", 450_000, 250_000, 0})
		g.Leaders[leaderNamed(t, g, "hill")].At = place{X: 370_000, Y: 257_000}
		same(t, "targets", g.targets(named(t, g, "blue-34")), []unitID{named(t, g, "hougoumont")})
		g = field(t, piece{"blue-34", 655_000, 201_000, 0}, piece{"red-7", 677_499, 295_000, 180})
		same(t, "targets at the edge, 1 um within: no ray", g.targets(named(t, g, "blue-34")), nil)
		g.Units[named(t, g, "red-7")].At.X = 677_250
		same(t, "targets on the outermost ray", g.targets(named(t, g, "blue-34")), []unitID{named(t, g, "red-7")})
	})
	clause(t, "EM-13.3", "a free leader is no target", func(t *testing.T) {
		g := field(t, piece{"blue-34", 655_000, 201_000, 0})
		g.Leaders[leaderNamed(t, g, "picton")].At = place{X: 655_000, Y: 250_000}
		same(t, "targets", g.targets(named(t, g, "blue-34")), nil)
	})
	clause(t, "EM-7.4", "only what covers the whole width blocks", func(t *testing.T) {
		for _, c := range []struct {
			x    int64
			want int
		}{{655_000, 0}, {662_500, 0}, {663_249, 1}} {
			g := field(t, piece{"blue-34", 655_000, 101_000, 0}, piece{"blue-13", c.x, 160_000, 0}, piece{"red-7", 655_000, 250_000, 180})
			is(t, "targets behind a tile", len(g.targets(named(t, g, "blue-34"))), c.want)
		}
		g := field(t, piece{"blue-34", 655_000, 101_000, 0}, piece{"red-8", 655_000, 160_000, 180}, piece{"red-7", 655_000, 250_000, 180})
		same(t, "the nearer enemy alone", g.targets(named(t, g, "blue-34")), []unitID{named(t, g, "red-8")})
		g = field(t, piece{"blue-34", 655_000, 380_000, 0}, piece{"red-7", 655_000, 500_000, 180})
		same(t, "behind the ridge and the sunken road", g.targets(named(t, g, "blue-34")), nil)
		g.Units[named(t, g, "red-7")].At.Y = 440_000
		is(t, "on the ridge", len(g.targets(named(t, g, "blue-34"))), 1)
		g = field(t, piece{"blue-34", 751_000, 20_000, 0}, piece{"red-7", 751_000, 140_000, 180})
		is(t, "behind Planchenois", len(g.targets(named(t, g, "blue-34"))), 0)
		g = field(t, piece{"blue-34", 866_000, 330_000, 0}, piece{"red-7", 866_000, 430_000, 180})
		is(t, "behind another town", len(g.targets(named(t, g, "blue-34"))), 1)
	})
	clause(t, "EM-7.5", "from a hill over units, not over another hill", func(t *testing.T) {
		g := field(t, piece{"blue-34", 655_000, 301_000, 0}, piece{"blue-13", 655_000, 340_000, 0}, piece{"red-7", 655_000, 390_000, 180}, piece{"red-8", 655_000, 480_000, 180})
		same(t, "from the Grand Battery's ridge", g.targets(named(t, g, "blue-34")), []unitID{named(t, g, "red-7")})
		g.Units[named(t, g, "blue-34")].At.Y = 286_000
		is(t, "half on it: the own tile blocks, the own hill doesn't", len(g.targets(named(t, g, "blue-34"))), 0)
		g.Units[named(t, g, "blue-13")] = unit{}
		is(t, "half on it, without the tile", len(g.targets(named(t, g, "blue-34"))), 1)
	})
	clause(t, "EM-7.6", "modifiers count from a natural 6", func(t *testing.T) {
		for _, c := range []struct {
			natural, bonus int
			want           fireRow
		}{
			{2, 9, fireBackfires}, {3, 9, fireNothing}, {5, 2, fireNothing}, {6, 0, fireDamage}, {6, 2, fireHeavy}, {7, 0, fireDamage},
			{8, 0, fireHeavy}, {10, 0, fireHeavy}, {10, 1, fireRetreat}, {12, 0, fireRetreat}, {6, -4, fireNothing}, {7, -2, fireNothing},
		} {
			is(t, "the row", fireEffect(c.natural, c.bonus), c.want)
		}
		total := func(g *game, supporters int) int {
			return sum(g.fireModifiers(named(t, g, "blue-34"), named(t, g, "red-7"), supporters))
		}
		gun := piece{"blue-34", 655_000, 101_000, 0}
		is(t, "none", total(field(t, gun, piece{"red-7", 655_000, 190_000, 180}), 0), 0)
		is(t, "two supporters", total(field(t, gun, piece{"red-7", 655_000, 190_000, 180}), 2), 2)
		is(t, "in a column", total(field(t, gun, piece{"red-7", 655_000, 190_000, 180}, piece{"red-8", 655_000, 220_000, 180}), 0), 1)
		is(t, "in a wood", total(field(t, gun, piece{"red-7", 402_000, 209_000, 180}), 0), -1)
		is(t, "in a town", total(field(t, gun, piece{"red-7", 571_000, 600_000, 180}), 0), -2)
		is(t, "on its rear", total(field(t, gun, piece{"red-7", 655_000, 190_000, 0}), 0), 1)
		g := field(t, gun, piece{"red-7", 655_000, 190_000, 180})
		g.Units[named(t, g, "blue-34")].Yellow = 1
		is(t, "shaken", total(g, 0), -1)
	})
	clause(t, "EM-7.7", "the rear is the quadrant behind", func(t *testing.T) {
		g := field(t, piece{"red-7", 600_000, 300_000, 0}, piece{"blue-34", 660_000, 240_000, 0}, piece{"hougoumont", 405_000, 257_000, 0})
		gun, target := named(t, g, "blue-34"), named(t, g, "red-7")
		is(t, "on the diagonal", g.onRear(gun, target), true)
		g.Units[gun].At.X++
		is(t, "1 um beside it", g.onRear(gun, target), false)
		g.Units[gun].At = place{X: 600_000, Y: 290_000}
		is(t, "within its depth", g.onRear(gun, target), false)
		g.Units[gun].At = place{X: 405_000, Y: 200_000}
		is(t, "a garrison's", g.onRear(gun, named(t, g, "hougoumont")), false)
	})
	clause(t, "EM-7.8", "a supporter could fire itself", func(t *testing.T) {
		g := field(t, piece{"blue-34", 655_000, 201_000, 0}, piece{"blue-9", 675_000, 201_000, 0}, piece{"blue-39", 700_000, 201_000, 0},
			piece{"red-7", 662_000, 295_000, 180}, piece{"red-10", 600_000, 100_000, 0})
		lead, target := named(t, g, "blue-34"), named(t, g, "red-7")
		is(t, "with the target in its line", g.supports(named(t, g, "blue-9"), lead, target), true)
		is(t, "without it", g.supports(named(t, g, "blue-39"), lead, target), false)
		is(t, "itself", g.supports(lead, lead, target), false)
		g.Units[named(t, g, "blue-9")].Fired = true
		is(t, "when it has fired", g.supports(named(t, g, "blue-9"), lead, target), false)
	})
	clause(t, "EM-7.10", "guns that touch the Grand Battery support for nothing", func(t *testing.T) {
		g := begin(t, nil)
		at := func(id string) unitID { return named(t, g, id) }
		target := at("red-7")
		is(t, "24 for 23 is free", g.free(at("blue-24"), at("blue-23")), true)
		is(t, "9 for 23 is free", g.free(at("blue-9"), at("blue-23")), false)
		is(t, "24 supports 23 at red-7", g.supports(at("blue-24"), at("blue-23"), target), true)
		g.Units[at("blue-24")].Fired = true
		is(t, "24 supports 23 again", g.supports(at("blue-24"), at("blue-23"), target), true)
		g.Units[at("blue-24")].Smoke = true
		is(t, "24 supports 23 with smoke", g.supports(at("blue-24"), at("blue-23"), target), false)
		g.Units[at("blue-24")] = unit{At: g.Units[at("blue-24")].At}
		f := g.formationNamed("b-GB")
		is(t, "the battery", g.battery(f), true)
		is(t, "9 stands under D'Erlon", g.corpsOf(at("blue-9")), corpsNamed(t, g, "blue-I"))
		f.Units = []unitID{at("blue-23"), at("blue-24")}
		is(t, "two of three", g.battery(f), false)
		is(t, "24 for 23 is free without 9", g.free(at("blue-24"), at("blue-23")), false)
		g.Formations = append(g.Formations, formation{ID: "b-9", Corps: corpsNamed(t, g, "blue-GD"), Units: []unitID{at("blue-9")}})
		is(t, "9 outside stands under Drouot", g.corpsOf(at("blue-9")), corpsNamed(t, g, "blue-GD"))
	})
}
