package mistakes

import (
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// everyOrder are standing orders for every stop that one can answer.
const everyOrder = `standing:
  bid: {keep: 2}
  reroll: {losing-by: 2}
  entry: columns
  shelled: stand
  orders: keep
  interrupt: none
  limbered-gun: stand
  unlimbered-gun: stand
  side: flank
  unlimber: none
  support: none
  pursue: infantry
  counter: always
  reinforce: none
  outcome: highest
  withdraw-loss: most-capacity
  escape: away
`

// Standing orders do what the ruleset says that they would answer.
func TestAnswersOfStandingOrders(t *testing.T) {
	games := append(clashes(t, 3), seldomMet(t)...)
	rulestest.StandingAnswers(t, New(), games, func(engine.View) string { return everyOrder }, "", stopOrders, stopUnlimber, stopSupport, stopOutcome)
}

// With every policy on ask a game is what it was without any.
func TestAskedEverything(t *testing.T) {
	rulestest.AskedEverything(t, New(), []engine.Setup{{Options: map[string]string{"game": "short"}}}, 1)
}

// A position with policies is read back as itself.
func TestPositionsWithPolicies(t *testing.T) {
	if rulestest.FullSamples() {
		rulestest.PolicyPositions(t, New(), setups[1].Setup, "bid: {fixed: 2}\nshelled: back\nunlimber: all\nsupport: all\npursue: never\n")
	}
	postal, _ := New().Pace(engine.Postal)
	rulestest.PolicyPositions(t, New(), setups[2].Setup, postal)
}

// A policy that says nothing is refused, or means nothing.
func TestPoliciesThatSayNothing(t *testing.T) { rulestest.PoliciesThatSayNothing(t, New()) }

// What a side sees is made up as a position that gives just this view and can be played on.
func TestSamples(t *testing.T) {
	check := playout.Properties{Rules: New(), Samples: 1, Every: 4}
	for _, g := range append(clashes(t, 1), seldomMet(t)...) {
		if _, err := g.Play(check.Observe); err != nil {
			t.Error(err)
		}
	}
	check.Every = 30
	for i, one := range setups[1:2] {
		if _, err := playout.Run(New(), one.Setup, uint64(700+i), check.Observe); err != nil {
			t.Error(err)
		}
	}
}

// What is filed ahead of a stop means at it what is said there.
func TestAhead(t *testing.T) {
	games := append(clashes(t, 2), seldomMet(t)...)
	games = append(games, playout.Game{Setup: setups[1].Setup, Seed: 3})
	rulestest.Ahead(t, New(), games, stopManoeuvres, stopUnlimber, stopSupport, stopOutcome)
}

// Standing orders are refused with their line, and what they say is what they mean.
func TestStandingOrders(t *testing.T) {
	g := openField(t, 7)
	for _, says := range []string{"{shelled: forward}", "{bid: {keep: 0}}", "{bid: {keep: 1, fixed: 2}}", "{fire: all}"} {
		if _, faults := New().ReadStanding(g.view("red"), standingDocument(t, says)); len(faults) != 1 || faults[0].Line == 0 {
			t.Errorf("%s: %v", says, faults)
		}
	}
	a, faults := New().ReadStanding(g.view("red"), standingDocument(t, "{interrupt: none}"))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if err := g.Instruct("red", a); err != nil {
		t.Fatal(err)
	}
	asked := answered(t, g, "blue", "[{formation: "+g.of(named(t, g, "blue-13")).ID+", advance: {mm: 10}}]")
	for _, d := range asked {
		if d.Kind == stopInterrupt {
			t.Error("red is asked whether it interrupts, and has said that it doesn't")
		}
	}
}
