package mistakes

import (
	"slices"
	"testing"

	"berthier/engine/geometry"
)

// Cases of effects: chapter 12, with the limbers of chapter 15 and the damage of chapter 7
// that they need.
func TestEffectCases(t *testing.T) {
	foe := piece{"blue-1", 600_000, 400_000, 180}
	clause(t, "EM-7.11", "a 5 or 6 is a loss", func(t *testing.T) {
		g := begin(t, nil)
		is(t, "losses of 4 and 5", played(t, g, 4, 5).damage(named(t, g, "red-7"), 2, blue), 1)
		is(t, "losses of 6 and 5", played(t, g, 6, 5).damage(named(t, g, "red-7"), 2, blue), 2)
	})
	clause(t, "EM-12.1", "straight back, whatever the ground; a gun limbers first", func(t *testing.T) {
		g := field(t, foe, piece{"red-7", 600_000, 300_000, 0}, piece{"red-10", 400_000, 238_000, 0})
		p := played(t, g)
		is(t, "it has", p.backOff(named(t, g, "red-7"), named(t, g, "blue-1"), 1, false), true)
		is(t, "where", g.Units[named(t, g, "red-7")].At, place{X: 600_000, Y: 270_000})
		is(t, "the gun has", p.backOff(named(t, g, "red-10"), named(t, g, "blue-1"), 1, false), true)
		gun := g.Units[named(t, g, "red-10")]
		is(t, "its limber", gun.Limber, behind)
		is(t, "where, in the wood", gun.At, place{X: 400_000, Y: 208_000})
		same(t, "what can't be", g.flaws(), nil)
	})
	clause(t, "EM-15.2", "the limber is put where there is room", func(t *testing.T) {
		g := field(t, piece{"red-10", 600_000, 300_000, 0}, piece{"red-7", 600_000, 277_500, 0})
		u := named(t, g, "red-10")
		is(t, "limbered", g.limberUp(u), true)
		is(t, "where", g.Units[u].Limber, toRight)
		g = field(t, piece{"red-10", 600_000, 300_000, 0}, piece{"red-7", 600_000, 277_500, 0}, piece{"red-8", 622_500, 300_000, 0},
			piece{"red-9", 577_500, 300_000, 0}, piece{"red-11", 600_000, 315_000, 0})
		is(t, "without room", g.limberUp(u), false)
		is(t, "its limber", g.Units[u].Limber, unlimbered)
	})
	clause(t, "EM-12.2", "not nearer, not over an enemy, not when struck from behind", func(t *testing.T) {
		g := field(t, piece{"red-7", 600_000, 300_000, 0}, piece{"blue-1", 600_000, 200_000, 0})
		p := played(t, g)
		is(t, "towards the cause", p.backOff(named(t, g, "red-7"), named(t, g, "blue-1"), 1, false), false)
		is(t, "its yellow", g.Units[named(t, g, "red-7")].Yellow, 1)
		g = field(t, foe, piece{"red-7", 600_000, 300_000, 0}, piece{"blue-2", 620_000, 245_000, 0})
		is(t, "over an enemy", played(t, g).backOff(named(t, g, "red-7"), named(t, g, "blue-1"), 1, false), false)
		is(t, "where", g.Units[named(t, g, "red-7")].At, place{X: 600_000, Y: 300_000})
	})
	t.Run("into a friend no deeper than it stands", func(t *testing.T) {
		g := field(t, foe, piece{"red-7", 600_000, 300_000, 0}, piece{"red-8", 629_755, 280_000, 3})
		was := g.body(named(t, g, "red-7"))
		other := g.body(named(t, g, "red-8"))
		played(t, g).backOff(named(t, g, "red-7"), named(t, g, "blue-1"), 1, false)
		now := g.body(named(t, g, "red-7"))
		if gap, before := geometry.Gap(&now, &other), geometry.Gap(&was, &other); before >= 0 || gap < before-5 {
			t.Errorf("the gap is %d um after %d", gap, before)
		}
	})
	clause(t, "EM-7.12", "struck from behind by fire it can't", func(t *testing.T) {
		g := field(t, foe, piece{"red-7", 600_000, 300_000, 0})
		is(t, "it has", played(t, g).backOff(named(t, g, "red-7"), named(t, g, "blue-1"), 1, true), false)
		is(t, "its yellow", g.Units[named(t, g, "red-7")].Yellow, 1)
	})
	clause(t, "EM-12.3", "one friend behind goes along, a column stands and is shaken, one on the way stops it", func(t *testing.T) {
		g := field(t, foe, piece{"red-7", 600_000, 300_000, 0}, piece{"red-8", 600_000, 270_000, 0})
		is(t, "two", played(t, g).backOff(named(t, g, "red-7"), named(t, g, "blue-1"), 1, false), true)
		is(t, "the first", g.Units[named(t, g, "red-7")].At.Y, 270_000)
		is(t, "the second", g.Units[named(t, g, "red-8")].At.Y, 240_000)
		g = field(t, foe, piece{"red-7", 600_000, 300_000, 0}, piece{"red-8", 600_000, 270_000, 0}, piece{"red-9", 600_000, 240_000, 0})
		is(t, "three", played(t, g).backOff(named(t, g, "red-7"), named(t, g, "blue-1"), 1, false), false)
		for id, want := range map[string]int{"red-7": 1, "red-8": 1, "red-9": 0} {
			is(t, id+"'s yellow", g.Units[named(t, g, id)].Yellow, want)
		}
		is(t, "the first", g.Units[named(t, g, "red-7")].At.Y, 300_000)
		g = field(t, foe, piece{"red-7", 600_000, 300_000, 0}, piece{"red-8", 600_000, 255_000, 0})
		is(t, "one on the way", played(t, g).backOff(named(t, g, "red-7"), named(t, g, "blue-1"), 1, false), true)
		is(t, "where", g.Units[named(t, g, "red-7")].At.Y, 285_000)
		is(t, "the other", g.Units[named(t, g, "red-8")].At.Y, 255_000)
	})
	clause(t, "EM-12.4", "a second time it costs a loss", func(t *testing.T) {
		g := field(t, foe, piece{"red-7", 600_000, 300_000, 0})
		u := named(t, g, "red-7")
		g.Units[u].Yellow = 1
		played(t, g).backOff(u, named(t, g, "blue-1"), 1, true)
		is(t, "losses", g.Units[u].Losses, 1)
		is(t, "yellow", g.Units[u].Yellow, 1)
	})
	clause(t, "EM-12.5", "a retreat: back 1, then yellow", func(t *testing.T) {
		g := field(t, foe, piece{"red-7", 600_000, 300_000, 0})
		u := named(t, g, "red-7")
		played(t, g).retreat(u, named(t, g, "blue-1"), false)
		is(t, "where", g.Units[u].At.Y, 270_000)
		is(t, "yellow", g.Units[u].Yellow, 1)
	})
	clause(t, "EM-12.6", "a shaken unit that retreats is routed, back 2 in all; captured if it can't", func(t *testing.T) {
		g := field(t, foe, piece{"red-7", 600_000, 300_000, 0})
		u := named(t, g, "red-7")
		g.Units[u].Yellow = 1
		played(t, g).retreat(u, named(t, g, "blue-1"), false)
		is(t, "where", g.Units[u].At.Y, 240_000)
		is(t, "yellow", g.Units[u].Yellow, 2)
		g = field(t, foe, piece{"red-7", 600_000, 300_000, 0})
		g.Units[u].Yellow = 1
		played(t, g).retreat(u, named(t, g, "blue-1"), true)
		is(t, "how it went", g.Units[u], unit{Gone: captured, By: blue})
		is(t, "formations", g.of(u) == nil, true)
	})
	clause(t, "EM-12.7", "a garrison takes as many losses as its game allows; one that has more from before stands until the next", func(t *testing.T) {
		for game, most := range map[string]int{"historical": 5, "short": 1} {
			g := begin(t, map[string]string{"game": game})
			of := named(t, g, "hougoumont")
			is(t, "losses in "+game, g.capacity(of), most)
			g.Units[of].Losses = 4
			again, faults := load(g.marshal())
			is(t, "faults in "+game, len(faults), 0)
			is(t, "stands in "+game, again.on(of), true)
			is(t, "left in "+game, again.left(of), 1)
			played(t, again).lose(of, 1, blue)
			is(t, "stands after the next in "+game, again.on(of), false)
		}
	})
	clause(t, "EM-12.7", "at its capacity a unit is eliminated, and its column is shaken", func(t *testing.T) {
		g := field(t, piece{"red-1", 600_000, 300_000, 0}, piece{"red-7", 600_000, 270_000, 0}, piece{"red-8", 600_000, 240_000, 0}, piece{"red-9", 630_000, 300_000, 0})
		u := named(t, g, "red-1")
		p := played(t, g)
		p.lose(u, 4, blue)
		is(t, "losses", g.Units[u].Losses, 4)
		p.lose(u, 1, blue)
		is(t, "how it went", g.Units[u], unit{Gone: eliminated, By: blue})
		for id, want := range map[string]int{"red-7": 1, "red-8": 1, "red-9": 0} {
			is(t, id+"'s yellow", g.Units[named(t, g, id)].Yellow, want)
		}
		same(t, "what can't be", g.flaws(), nil)
	})
	clause(t, "EM-12.8", "leaders of what is removed; off the field", func(t *testing.T) {
		orange := func(how func(p *battlefield, u unitID)) leader {
			g := field(t, foe, piece{"red-7", 600_000, 300_000, 0})
			l := leaderNamed(t, g, "orange")
			g.Leaders[l] = leader{Attached: named(t, g, "red-7"), Markers: 2}
			g.Reserve[red] -= 2
			how(played(t, g), named(t, g, "red-7"))
			is(t, "red's reserve and his box", g.Reserve[red]+g.Leaders[l].Markers, 26)
			return g.Leaders[l]
		}
		x := orange(func(p *battlefield, u unitID) { p.takeOff(u, captured, blue) })
		is(t, "captured with it", x.Gone, captured)
		x = orange(func(p *battlefield, u unitID) { p.takeOff(u, eliminated, blue) })
		is(t, "free on the spot", x.At, place{X: 600_000, Y: 300_000})
		g := field(t, foe, piece{"red-7", 600_000, 40_000, 0})
		u := named(t, g, "red-7")
		played(t, g).backOff(u, named(t, g, "blue-1"), 1, false)
		is(t, "over the edge", g.Units[u].Gone, offField)
	})
	clause(t, "EM-R81", "two friends behind it who stand askew back off without lying on each other at any event", func(t *testing.T) {
		g := field(t, piece{"blue-1", 600_000, 300_000, 0}, piece{"blue-48", 606_809, 265_028, 156}, piece{"blue-49", 634_215, 277_230, 156}, piece{"red-7", 600_000, 330_000, 180})
		watched = func(g *game) {
			b := &breaches{game: g}
			b.ground()
			same(t, "what can't be", b.All, nil)
		}
		defer func() { watched = nil }()
		p := played(t, g)
		is(t, "it backs off", p.backOff(named(t, g, "blue-1"), named(t, g, "red-7"), 1, false), true)
		same(t, "who backs off, in this order", []string{p.Events[0].Tellings[0].Say.Args[0].Value.Text, p.Events[1].Tellings[0].Say.Args[0].Value.Text}, []string{"blue-48", "blue-49"})
	})
	clause(t, "EM-12.9", "onto a free general of the corps: he is attached", func(t *testing.T) {
		g := field(t, foe, piece{"red-7", 600_000, 300_000, 0})
		l, other := leaderNamed(t, g, "orange"), leaderNamed(t, g, "hill")
		g.Leaders[l].At, g.Leaders[other].At = place{X: 600_000, Y: 265_000}, place{X: 620_000, Y: 265_000}
		played(t, g).backOff(named(t, g, "red-7"), named(t, g, "blue-1"), 1, false)
		is(t, "Orange's unit", g.Leaders[l].Attached, named(t, g, "red-7"))
		is(t, "Hill has given way", g.Leaders[other].At != place{X: 620_000, Y: 265_000}, true)
		same(t, "what can't be", g.flaws(), nil)
	})
	clause(t, "EM-8.5", "the least ring, and the commander-in-chief attached to any", func(t *testing.T) {
		g := field(t, piece{"red-7", 600_000, 300_000, 0})
		l, chief := leaderNamed(t, g, "hill"), leaderNamed(t, g, "wellington")
		g.Leaders[l].At, g.Leaders[chief].At = place{X: 600_000, Y: 321_000}, place{X: 600_000, Y: 290_000}
		g.makeRoom(named(t, g, "red-7"))
		is(t, "Hill, 1.5 mm in, goes 2 north", g.Leaders[l].At, place{X: 600_000, Y: 323_000})
		is(t, "Wellington's unit", g.Leaders[chief].Attached, named(t, g, "red-7"))
	})
	clause(t, "EM-7.10", "what is left of the Grand Battery is split by corps", func(t *testing.T) {
		g := begin(t, nil)
		played(t, g).eliminate(named(t, g, "blue-23"), red)
		same(t, "b-GB", g.formationNamed("b-GB").Units, []unitID{named(t, g, "blue-9")})
		is(t, "its corps", g.formationNamed("b-GB").Corps, corpsNamed(t, g, "blue-GD"))
		same(t, "b-GB-2", g.formationNamed("b-GB-2").Units, []unitID{named(t, g, "blue-24")})
		same(t, "what can't be", g.flaws(), nil)
	})
	clause(t, "EM-7.10", "a general whose corps his unit leaves with the Grand Battery stands free", func(t *testing.T) {
		g := begin(t, nil)
		derlon := leaderID(slices.IndexFunc(g.leaders, func(d leaderDef) bool { return d.id == "derlon" }) + 1)
		g.attach(derlon, named(t, g, "blue-9"))
		played(t, g).eliminate(named(t, g, "blue-23"), red)
		is(t, "his unit", g.Leaders[derlon].Attached, 0)
		same(t, "what can't be", g.flaws(), nil)
	})
	clause(t, "EM-15.2", "a free leader gives way to a limber", func(t *testing.T) {
		g := begin(t, nil)
		u := named(t, g, "blue-23")
		b := g.body(u)
		derlon := leaderID(slices.IndexFunc(g.leaders, func(d leaderDef) bool { return d.id == "derlon" }) + 1)
		g.Leaders[derlon].At, g.Leaders[derlon].Attached = place(b.At.Plus(geometry.Step(b.Heading.Plus(180), 16_000))), 0
		is(t, "it limbers", g.limberUp(u), true)
		same(t, "what can't be", g.flaws(), nil)
	})
	clause(t, "EM-14.1", "a garrison never gives way", func(t *testing.T) {
		g := field(t, foe, piece{"hougoumont", 405_000, 257_000, 180})
		u := named(t, g, "hougoumont")
		played(t, g).backOff(u, named(t, g, "blue-1"), 1, false)
		is(t, "it stands", g.Units[u], unit{At: place{X: 405_000, Y: 257_000}, Heading: 180})
	})
}
