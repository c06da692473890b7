package mistakes

import (
	"math/rand/v2"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// resample is another world that looks the same to a seat, in which the same is owed: what others
// have still to do of what they have ordered, what they have said at an open stop, and their standing
// orders are otherwise.
func resample(position engine.Position, side engine.Side, chance *rand.Rand) engine.Position {
	g := position.Clone().(*game)
	if !g.seesMoves(side) {
		g.Missions = nil
		declared := slices.ContainsFunc(g.owed, func(d engine.Decision) bool { return d.Kind == "interrupt" }) // he who is asked knows by what
		switch m, ok := g.declared(); {
		case ok && declared:
			g.Moves = []move{m} // and what comes in its place, and the rest, is nothing
		case len(g.Moves) > 0 && chance.IntN(2) == 0:
			g.Moves = g.Moves[:len(g.Moves)-1]
		default:
			g.Moves = nil
		}
	}
	g.answered = slices.DeleteFunc(g.answered, func(l play.Left) bool { return l.To.Side != side })
	for a := blue; a < armies; a++ {
		if a != seatArmy(side) {
			g.standings[a] = standing{{key: stopBid, said: said{bids: [armies]int{1 + chance.IntN(3)}}}, {key: stopReroll, said: said{n: 1 + chance.IntN(3), least: true}}}
		}
	}
	return g
}

// scramble is resample where others are asked something else.
func scramble(position engine.Position, side engine.Side, chance *rand.Rand) engine.Position {
	g := resample(position, side, chance).(*game)
	for i := range g.owed {
		if g.owed[i].Side != side {
			g.owed[i].At = "elsewhere"
		}
	}
	return g
}

// Questions that are asked together are those between which nothing comes, and they tell nothing. A
// seat with two armies between which the other comes ends one phase and begins the next.
func TestQuestionsAskedTogether(t *testing.T) {
	games := clashes(t, 1)
	seeds := uint64(1)
	if rulestest.FullSamples() {
		seeds = 4
	}
	for seed := range seeds {
		games = append(games, playout.Game{Start: between(t), Seed: seed, Choose: engine.Ruleset.Sensible},
			playout.Game{Setup: setups[1].Setup, Seed: seed, Choose: engine.Ruleset.Sensible})
	}
	rulestest.Follow(t, New(), games, scramble, resample,
		[]string{"assign orders", "orders manoeuvres", "manoeuvres unlimber"},
		[]string{"fire assign", "shelled fire", "shelled shelled", "shelled assign", "unlimber combat", "support losses"})
}

// between is the last turn of a game in which red acts before blue, and black after it.
func between(t *testing.T) *game {
	g := field(t, piece{"blue-28", 300_000, 130_000, 0}, piece{"red-10", 300_000, 400_000, 180}, piece{"black-18", 900_000, 400_000, 270})
	g.Order, g.Placed, g.Phase, g.Turn = []army{red, blue, black}, []corpsID{corpsNamed(t, g, "black-IV")}, assigning, 19
	for i, id := range []string{"napoleon", "wellington", "blucher", "hill", "bulow"} {
		l := leaderNamed(t, g, id)
		g.Leaders[l].At, g.Leaders[l].Markers = place{X: int64(200+100*i) * 1000, Y: 600_000}, 4
		g.Reserve[g.lead(l).army] -= 4
	}
	for i := range g.Formations {
		g.Formations[i].Green = true
	}
	g.Units[named(t, g, "red-10")].Limber = behind
	if all := g.flaws(); len(all) > 0 {
		t.Fatal(all)
	}
	return g
}

// A game in which what follows is filed with the file before is the game in which each answer comes
// at its stop.
func TestGamesFiledAheadAreGamesStopByStop(t *testing.T) {
	rulestest.StopByStop(t, New(), []playout.Game{{Setup: setups[1].Setup, Seed: 5}, {Start: between(t), Seed: 5}})
}

// Who files something ahead learns nothing of what others have ordered.
func TestWhatIsFiledAheadTellsNothing(t *testing.T) {
	rulestest.AheadTellsNothing(t, New(), moments(t), resample,
		"{unlimber: all, support: none}", "{orders: keep, manoeuvres: [{formation: b-Quiot, charge: red-7}]}",
		"{shelled: forward}", "{orders: [{by: derlon, set-in-motion: b-Nobody}]}", "{combat: {next: 13}}")
}

// Answers to stops that will come are filed by strangers.
func FuzzFiles(f *testing.F) {
	rulestest.Files(f, New(), moments(f), "{unlimber: all, support: none}", "{orders: keep, manoeuvres: [{formation: b-Quiot, charge: red-7}]}",
		"{combat: {next: 13}}", "{bid: 2}", "{pursue: never}")
}

// What comes after the manoeuvre that is being made is nobody's but its owner's: while a charge waits for the owner of a gun, the next of
// the list isn't declared yet (section 7 of the digest).
func TestTheNextManoeuvreIsNotShown(t *testing.T) {
	g := clash(t, 1)
	g.Order, g.Phase = []army{blue, red}, manoeuvring
	g.Moves = []move{{Of: g.Formations[0].ID, First: step{Does: advancing, Far: 30_000}}}
	for kind, want := range map[string]int{stopInterrupt: 1, "limbered-gun": 0, "unlimbered-gun": 0, "leader-flight": 0} {
		g.owed = []engine.Decision{{Side: "red", Kind: kind}}
		if n := len(g.view("red").Moves); n != want {
			t.Errorf("at %s red sees %d manoeuvres that are to come, want %d", kind, n, want)
		}
	}
}
