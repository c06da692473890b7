package napoleon

import (
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/rulestest"
	"berthier/orders"
)

// A position that the rules lead to breaks no invariant. A position that a game master
// wrote may break one, which is then named with its clause.
func TestCheck(t *testing.T) {
	p, err := New().New(engine.Setup{Options: map[string]string{"setup": "historical"}})
	if err != nil {
		t.Fatal(err)
	}
	quiet := p.(*game)
	fight := engaged(t, false)
	skirmish := engaged(t, true)
	b := func(g *game) *battle { return &g.battles[0] }
	for _, test := range []struct {
		code, clause string
		was          *game
		spoil        func(*game)
	}{
		{"nap.check-scenario", "", quiet, func(g *game) { g.scenario = library.Scenarios()[1] }},
		{"nap.check-fixed", "NAP-4.1", quiet, func(g *game) { g.options.setup = 0 }},
		{"nap.check-fixed", "NAP-11.1", quiet, func(g *game) { g.options.players = playersThree }},
		{"nap.check-fixed", "NAP-12.0", quiet, func(g *game) { g.options.sides = sidesBid }},
		{"nap.check-fixed", "NAP-R53", quiet, func(g *game) { g.options.bidStep = stepAny }},
		{"nap.check-fixed", "NAP-R88", quiet, func(g *game) { g.options.bids = bidsSecret }},
		{"nap.check-losses", "NAP-3.4", quiet, func(g *game) { g.losses[0]++ }},
		{"nap.check-no-battle", "NAP-6.1", quiet, func(g *game) { g.units[30].town = g.units[0].town }},
		{"nap.check-road", "NAP-5.4", quiet, func(g *game) { g.roadUse[0] = 99 }},
		{"nap.check-board", "NAP-6.20", quiet, func(g *game) { g.units[0].field = reserve }},
		{"nap.check-marks", "NAP-6.20", quiet, func(g *game) { g.units[0].square = true }},
		{"nap.check-shelter", "NAP-6.52", quiet, func(g *game) { g.units[0].shelter = 1 }},
		{"nap.check-phase", "NAP-2.4", fight, func(g *game) { g.phase = movement }},
		{"nap.check-no-battle", "NAP-6.1", fight, func(g *game) { b(g).stage = finished }},
		{"nap.check-board", "NAP-6.20", fight, func(g *game) { b(g).stage = answering }},
		{"nap.check-board", "NAP-6.20", skirmish, func(g *game) {
			for i := range g.units {
				if g.units[i].town == b(g).town {
					g.units[i].field = reserve
				}
			}
		}},
		{"nap.check-road", "NAP-7.2", fight, func(g *game) {
			for range 50 {
				b(g).uses(g.towns[b(g).town].roads[0])
			}
		}},
		{"nap.check-stream", "NAP-6.21h", fight, func(g *game) { b(g).crossed[1] = 3 }},
	} {
		if faults := test.was.Check(test.was); len(faults) > 0 {
			t.Errorf("%s: before anything was changed: %v", test.code, faults)
		}
		next := test.was.Clone().(*game)
		test.spoil(next)
		faults := next.Check(test.was)
		if !slices.ContainsFunc(faults, func(p orders.Problem) bool { return p.Why.Code == test.code && p.Clause == test.clause }) {
			t.Errorf("want %s (%s), got %v", test.code, test.clause, faults)
		}
	}
}

// Options of the bidding can be changed as long as they have an effect: how high a step
// is until the bidding ends, who hears of the bids until the first bid.
func TestCheckOfBidding(t *testing.T) {
	p, err := New().New(engine.Setup{Options: map[string]string{"sides": "bid"}})
	if err != nil {
		t.Fatal(err)
	}
	was := p.(*game)
	next := was.Clone().(*game)
	next.options.bidStep, next.options.bids = stepAny, bidsSecret
	if faults := next.Check(was); len(faults) > 0 {
		t.Errorf("before the first bid: %v", faults)
	}
	was.auction.bids = []bid{{camp: frenchCamp, minus: 1}}
	next = was.Clone().(*game)
	next.options.bidStep, next.options.bids = stepAny, bidsSecret
	if faults := next.Check(was); len(faults) != 1 || faults[0].Clause != "NAP-R88" {
		t.Errorf("after the first bid: %v", faults)
	}
}

// engaged is a game whose first battle is a battle on the board or a skirmish.
func engaged(t *testing.T, skirmish bool) *game {
	t.Helper()
	for _, m := range moments(t) {
		g := m.Position.(*game)
		if len(g.battles) == 0 || g.battles[0].skirmish != skirmish {
			continue
		}
		if skirmish || g.battles[0].stage == fighting {
			return g
		}
	}
	t.Fatalf("no such battle, skirmish: %v", skirmish)
	return nil
}

// A damaged position is refused, and the refusal names what is wrong; or it can be
// played on to the end.
func TestDamagedPositions(t *testing.T) {
	rulestest.Damaged(t, New(), moments(t), inOrder)
}
