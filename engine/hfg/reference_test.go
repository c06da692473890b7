package hfg

import (
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// setups are the set-ups that the tests of all stops play.
var setups = []rulestest.Setup{
	{Name: "waterloo", Setup: engine.Setup{}},
	{Name: "two armies", Setup: engine.Setup{Scenario: "two-armies"}},
	{Name: "campaign", Setup: engine.Setup{Scenario: "two-armies", Options: map[string]string{"campaign": "yes"}}},
}

// brawl is a position in the middle of a turn in which four elements touch, two by their fronts and one by
// its front on another's flank, and whose seats are asked everything.
func brawl(t testing.TB) *game {
	t.Helper()
	seats := map[engine.Side]string{"french": engine.EveryDecision, "allied": engine.EveryDecision}
	p, err := New().New(engine.AtPace(New(), quick(""), seats))
	if err != nil {
		t.Fatal(err)
	}
	g := p.(*game)
	for e := range g.Elements {
		g.Elements[e] = element{Fate: left}
	}
	for id, x := range map[string]element{
		"kempt": {At: place{X: 6000 * pace, Y: 3000 * pace}, Facing: 180}, "charlet": {At: place{X: 6000 * pace, Y: 3000 * pace}},
		"pack": {At: place{X: 8000 * pace, Y: 3000 * pace}, Facing: 180}, "dubois": {At: place{X: 8200 * pace, Y: 3200 * pace}, Facing: 270},
	} {
		e, ok := g.elementNamed(id)
		if !ok {
			t.Fatalf("there is no %s", id)
		}
		g.Elements[e] = x
	}
	g.Turn, g.Phase = 1, melee
	return g
}

// turning is the end of such a turn, at which who is touched on a flank turns to face.
func turning(t testing.TB) *game {
	t.Helper()
	g := brawl(t)
	e, _ := g.elementNamed("pack")
	g.Said, g.Fray = true, fray{Stage: 2, Jobs: []job{{Kind: facing, Of: e}}}
	return g
}

// questions are games that begin where an owner is asked something that few games ask: one for each such
// question.
func questions(t testing.TB) []playout.Game {
	t.Helper()
	var games []playout.Game
	add := func(of, by string, q question) {
		g := brawl(t)
		q.Of, _ = g.elementNamed(of)
		q.By, _ = g.elementNamed(by)
		if !q.Close {
			g.Phase = shooting
		}
		g.Said, g.Fray = true, fray{Stage: 1, Asks: &q}
		g.owed = []engine.Decision{g.puts(&q)}
		games = append(games, playout.Game{Start: g, Seed: uint64(len(games))})
	}
	g := brawl(t)
	kempt, _ := g.elementNamed("kempt")
	pack, _ := g.elementNamed("pack")
	add("dubois", "pack", question{What: askCharge, Enemies: []elementID{kempt, pack}})
	add("charlet", "kempt", question{What: askPress})
	add("charlet", "kempt", question{What: askRepulse, Low: 400, High: 800})
	add("charlet", "kempt", question{What: askGuns})
	for _, close := range []bool{false, true} {
		add("charlet", "kempt", question{What: askRout, Close: close, Ways: []string{"papelotte"}})
	}
	add("dubois", "pack", question{What: askJoin, Close: true})
	add("dubois", "pack", question{What: askRepulse, Close: true, Low: 400, High: 800})
	add("dubois", "pack", question{What: askPursue, Close: true, Low: 300, High: 1200})
	return games
}

// docs/rules/hfg-orders.json holds what the cases show of each kind of stop.
func TestOrderReference(t *testing.T) { rulestest.Evidence(t, "hfg", New()) }
