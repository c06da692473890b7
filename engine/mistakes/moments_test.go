package mistakes

import (
	"math/rand/v2"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// moments gives stops of all kinds, with what was answered there. They are shared:
// whoever changes a position clones it.
var moments = rulestest.Once(findMoments)

func findMoments(tb testing.TB) []playout.Moment {
	tb.Helper()
	all := rulestest.Moments(tb, 2, func(keep playout.Observer) error {
		for _, g := range append(clashes(tb, 6), seldomMet(tb)...) {
			if _, err := g.Play(keep); err != nil {
				return err
			}
		}
		for i, one := range setups[1:4] {
			if _, err := playout.Run(New(), one.Setup, uint64(i), keep); err != nil {
				return err
			}
		}
		return nil
	})
	for kind := range stops {
		if !slices.ContainsFunc(all, func(m playout.Moment) bool { return m.Owed[0].Kind == kind }) {
			tb.Errorf("no game by chance came to the stop %s", kind)
		}
	}
	return all
}

// clashes are games that begin where two armies that move stand face to face, so that they come to
// all the stops of a combat.
func clashes(tb testing.TB, n int) []playout.Game {
	tb.Helper()
	var games []playout.Game
	for i := range n {
		games = append(games, playout.Game{Rules: New(), Seed: uint64(9000 + i), Start: clash(tb, uint64(i))})
	}
	return games
}

// clash is such a position, in one of the last turns.
func clash(tb testing.TB, seed uint64) *game {
	tb.Helper()
	r := rand.New(rand.NewPCG(seed, 67))
	g := field(tb, lines(r)...)
	g.Order, g.Placed, g.Phase, g.Turn = []army{blue, red}, []corpsID{corpsNamed(tb, g, "black-IV")}, manoeuvring, 18
	g.Leaders[leaderNamed(tb, g, "napoleon")].At = place{X: 600_000, Y: 40_000}
	g.Leaders[leaderNamed(tb, g, "wellington")].At = place{X: 600_000, Y: 640_000}
	for _, id := range []string{"orange", "reille", "picton", "derlon", "kellermann", "uxbridge"} {
		l := leaderNamed(tb, g, id)
		for _, u := range g.standing() {
			if g.mayAttach(l, u) && g.attachedTo(g.of(u)) == 0 {
				g.Leaders[l].Attached, g.Leaders[l].Markers = u, 4
				g.Reserve[g.lead(l).army] -= 4
				break
			}
		}
	}
	for i := range g.Formations {
		g.Formations[i].Green = true
	}
	if all := g.flaws(); len(all) > 0 {
		tb.Fatal(all)
	}
	return g
}

// seldomMet are games that begin before stops to which few others come.
func seldomMet(tb testing.TB) []playout.Game {
	tb.Helper()
	var games []playout.Game
	add := func(change func(g *game), pieces ...piece) {
		g := field(tb, pieces...)
		g.Order, g.Placed, g.Phase, g.Turn = []army{blue, red}, []corpsID{corpsNamed(tb, g, "black-IV")}, manoeuvring, 18
		g.Leaders[g.chief(blue)].At, g.Leaders[g.chief(red)].At = place{X: 700_000, Y: 40_000}, place{X: 700_000, Y: 640_000}
		change(g)
		if all := g.flaws(); len(all) > 0 {
			tb.Fatal(all)
		}
		games = append(games, playout.Game{Rules: New(), Seed: uint64(9500 + len(games)), Start: g})
	}
	charges := func(l limber) func(g *game) {
		return func(g *game) {
			f := g.of(named(tb, g, "blue-28"))
			f.Green, g.Said = true, true
			g.Units[named(tb, g, "red-10")].Limber = l
			g.Moves = []move{{Of: f.ID, First: step{Does: charging, Target: named(tb, g, "red-10")}}}
		}
	}
	charger, gun := piece{"blue-28", 300_000, 130_000, 0}, piece{"red-10", 300_000, 192_500, 180}
	add(charges(behind), charger, gun)
	add(charges(unlimbered), charger, gun, piece{"red-7", 322_500, 200_000, 180})
	add(func(g *game) {
		g.Fleeing = []flight{{leaderNamed(tb, g, "hill"), place{X: 500_000, Y: 500_000}, 45}}
	}, charger, gun)
	add(func(g *game) {
		l := leaderNamed(tb, g, "reille")
		g.Leaders[l], g.Phase = leader{Gone: eliminated, Tries: 4}, opening
	}, charger, gun)
	add(func(g *game) {
		u := named(tb, g, "blue-28")
		g.Phase, g.of(u).Green, g.Units[u].Charged, g.Units[u].Charge = fighting, true, true, 20_000
	}, piece{"blue-28", 630_000, 330_000, 180}, piece{"red-7", 600_000, 300_000, 0})
	add(func(g *game) { // on a corner of the rear
		u := named(tb, g, "blue-28")
		g.Phase, g.of(u).Green, g.Units[u].Charged, g.Units[u].Charge = fighting, true, true, 20_000
	}, piece{"blue-28", 630_000, 270_000, 0}, piece{"red-7", 600_000, 300_000, 0})
	add(func(g *game) { // two in column on each side, so that both have a supporter
		one := func(id string) unitID { return named(tb, g, id) }
		g.Phase = fighting
		g.Combat = &combat{Attacker: one("blue-28"), Defender: one("red-5"), Step: attack, Stage: atLosses, Asks: []ask{{blue, askLosses}},
			Melee: &melee{Attacker: one("blue-28"), Defender: one("red-5"), Dice: [2]int{3, 3}, Hits: [2]int{2, 0},
				Support: [2][]unitID{{one("blue-29")}, {one("red-6")}}}}
		for _, id := range []string{"blue-28", "blue-29", "red-5", "red-6"} {
			g.Combat.Took, g.Combat.Involved = append(g.Combat.Took, record{Unit: one(id)}), append(g.Combat.Involved, one(id))
		}
	}, piece{"blue-28", 300_000, 130_000, 0}, piece{"blue-29", 300_000, 100_000, 0}, piece{"red-5", 300_000, 160_000, 180}, piece{"red-6", 300_000, 190_000, 180})
	return games
}

// A spoilt position is refused, or it can be played on.
func TestSpoiltPositions(t *testing.T) { rulestest.Spoilt(t, New(), moments(t), 1) }

// Order files come from strangers.
func FuzzRead(f *testing.F) {
	rulestest.Reads(f, moments(f), playout.Properties{Rules: New(), Conserved: conserved},
		"orders: [{formation: b-Quiot, charge: red-7, heading: auto, else: {advance: {as-far-as: aoe, mm: 12}}}]",
		"orders: {react: {units: [29], charge: blue-13, pay: uxbridge, points: keep}}",
		"orders: {formations: [{id: k1, heading: w, units: {18: [1105, 200]}, limbered: [29]}], leaders: {bulow: {attach: 18}}}",
		"orders: [{gun: 23, target: red-7, support: [24]}]",
		"orders: {pursue: cavalry, target-mod: up, general-mod: up, side-step: left, heading: auto}")
}

// A game master may have edited a position.
func FuzzLoad(f *testing.F) { rulestest.Loads(f, New(), moments(f)) }

// Games in which nobody ever sends orders, or only one seat does, also come to their end.
func TestPlayoutsOfDefaults(t *testing.T) {
	rulestest.Defaults(t, New(), setups[1:2], inOrder, "blue", "red")
}

// Combats hold whatever holds for every ruleset, too.
func TestClashes(t *testing.T) {
	check := playout.Properties{Rules: New(), Conserved: conserved, Answers: 1, Broken: 1, Every: 3}
	for _, g := range clashes(t, 2) {
		if _, err := g.Play(check.Observe, inOrder()); err != nil {
			t.Error(err)
		}
	}
}

// Doing nothing and the default are written the same way at every stop.
func TestNothingAndTheDefaultAtEveryStop(t *testing.T) {
	games := append(append(clashes(t, 9), seldomMet(t)...), playout.Game{Setup: fewTurns, Seed: 1})
	for i := range samples(0, 2) {
		games = append(games, playout.Game{Setup: setups[2+i].Setup, Seed: i})
	}
	rulestest.SaysNothing(t, New(), games)
}

// Whatever may be chosen is accepted, and whatever is accepted could be chosen.
func TestChoices(t *testing.T) {
	check := playout.Properties{Rules: New(), Answers: 1, Broken: 1, Choices: 2, Deep: 4, Every: 7}
	if rulestest.FullSamples() {
		check.Every = 3
	}
	for _, g := range append(clashes(t, 1), seldomMet(t)...) {
		if _, err := g.Play(check.Observe); err != nil {
			t.Error(err)
		}
	}
	check.Every, check.Choices = 1, 1 // whole corps and armies are placed, unit by unit
	check.Long, check.Apart = int(samples(6, 60)), map[string]bool{}
	for seed := range samples(1, 4) {
		left := samples(2, 99)
		placed := playout.Game{Rules: New(), Setup: fewTurns, Seed: seed}
		if _, err := placed.Play(func(m playout.Moment) error {
			if left == 0 || !slices.ContainsFunc(m.Owed, func(d engine.Decision) bool { return d.Kind == stopEntry || d.Kind == stopDeploy }) {
				return nil
			}
			left--
			return check.Observe(m)
		}); err != nil {
			t.Error(err)
		}
	}
}
