package hfg

import (
	"math/rand/v2"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// A spoilt position is refused, or it can be played on.
func TestSpoiltPositions(t *testing.T) { rulestest.Spoilt(t, New(), moments(t), 1) }

// A damaged position is refused, and the refusal names what is wrong; or it can be played on to the
// end.
func TestDamagedPositions(t *testing.T) {
	all := moments(t)
	if !rulestest.FullSamples() { // one of each kind
		seen := map[string]bool{}
		all = slices.DeleteFunc(slices.Clone(all), func(m playout.Moment) bool {
			was := seen[m.Owed[0].Kind]
			seen[m.Owed[0].Kind] = true
			return was
		})
	}
	rulestest.Damaged(t, New(), all, func() playout.Observer { return rulestest.InOrder(conserved) })
}

// Answers are written in one spelling.
func TestAnswersHaveOneSpelling(t *testing.T) { rulestest.Spelling(t, New(), shortGames(t)) }

// What may be answered at each kind of stop, and what is refused and where, is as the golden file
// has it.
func TestAnswers(t *testing.T) {
	rulestest.Answers(t, New(), shortGames(t), nil, "testdata/answers.txt", nil)
}

// Answers written as short lines are read back as themselves.
func TestShortLines(t *testing.T) {
	short, _ := rulestest.Lines(t, New(), shortGames(t))
	for _, kind := range []string{stopFire, stopEdge, stopResult} {
		if short[kind] == 0 && !rulestest.Race {
			t.Errorf("%s: no answer in short lines", kind)
		}
	}
}

// Order files come from strangers.
func FuzzRead(f *testing.F) {
	rulestest.Reads(f, moments(f), playout.Properties{Rules: New(), Conserved: conserved},
		"orders: {moves: [{element: charlet, forward: max, else: {back: 200}}]}",
		"orders: {dice: {wind: w, double: [napoleon]}, fire: [{hold: guns-1}], results: {pursue: [{of: mounted, if: {beaten: routed}, do: max}, {else: min}]}}",
		"orders: {list: own, year: 1863}", "orders: {battle: avoid}", "orders: {deploy: line}")
}

// What is told of how a game went tells nothing that is hidden. Luck counts every die of combats and for PIPs.
func TestTheCourseOfAGameTellsNoMore(t *testing.T) {
	rulestest.Course(t, New(), short, 1, "hfg.roll-surprise", "hfg.roll-mine", "hfg.roll-ford")
}

// A policy that says nothing is refused, or means nothing.
func TestPoliciesThatSayNothing(t *testing.T) {
	rulestest.PoliciesThatSayNothing(t, New(), policyWords[policyRepulse], policyWords[policyPursue])
}

// No stop is mostly declined with nothing told by it.
func TestWhatIsAskedMeanwhileTellsNothing(t *testing.T) {
	rulestest.Meanwhile(t, New(), short, 1, resample)
	for kind := range stops {
		if declined, _ := New().Declined(kind); declined {
			t.Errorf("%s is declined, and no game shows what opens meanwhile", kind)
		}
	}
}

// resample is another world that looks the same to a seat, in which the same is owed: what the other side
// has decided beforehand is otherwise, and in a battle that a file sets up so is all that is out of sight.
func resample(position engine.Position, side engine.Side, chance *rand.Rand) engine.Position {
	g := position.Clone().(*game)
	for _, d := range position.Owed() {
		if d.Side != side || len(position.Owed()) > 1 {
			continue
		}
		if p, err := New().Sample(position.View(side), d, chance); err == nil {
			g = p.(*game)
		}
	}
	foreign := func(c policyCase) bool { return c.Seat != string(side) }
	g.Standing, g.Ruled = slices.DeleteFunc(slices.Clone(g.Standing), foreign), slices.DeleteFunc(slices.Clone(g.Ruled), foreign)
	for _, seat := range g.Sides() {
		if of := g.sideOf(seat); of != g.sideOf(side) && chance.IntN(2) == 0 {
			g.Policies[of] = nil
			g.Ruled = append(g.Ruled, policyCase{Key: policyPress, Seat: string(seat), Do: "yes"})
		}
	}
	return g
}

// What is filed ahead of a stop means at it what is said there.
func TestAhead(t *testing.T) { rulestest.Ahead(t, New(), shortGames(t), stopTurn, stopFire) }

// Who files something ahead learns nothing of what he doesn't see.
func TestWhatIsFiledAheadTellsNothing(t *testing.T) {
	rulestest.AheadTellsNothing(t, New(), moments(t), resample, "{fire: {fire: [{hold: guns-1}]}}", "{turn: {moves: [{element: nobody, forward: max}]}}", "{fire: {kindle: yes}}", "{pursue: far}")
}

// Answers to stops that will come are filed by strangers.
func FuzzFiles(f *testing.F) {
	rulestest.Files(f, New(), moments(f), "{fire: {fire: [{hold: guns-1}]}}", "{turn: {moves: [{element: charlet, forward: max}]}}", "{pursue: max}")
}

// A game in which what follows is filed with the file before is the game in which each answer comes
// at its stop.
func TestGamesFiledAheadAreGamesStopByStop(t *testing.T) {
	rulestest.StopByStop(t, New(), shortGames(t)[5:])
}

// Questions that are asked together are those between which nothing comes, and they tell nothing.
func TestQuestionsAskedTogether(t *testing.T) {
	rulestest.Follow(t, New(), shortGames(t), resample, resample, nil, nil)
}
