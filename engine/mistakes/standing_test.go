package mistakes

import (
	"strings"
	"testing"

	"berthier/engine"
	filed "berthier/engine/ahead"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
	"berthier/orders"
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

// everyList are standing orders that name somebody, for the units, leaders and formations of a view's seat.
func everyList(v engine.View) string {
	of := v.(*View)
	var own, formations, leaders, beside []string
	for _, u := range of.standing() {
		if of.owns(of.def(u).army) && !of.def(u).garrison() {
			own = append(own, of.def(u).id)
		}
	}
	for i := range of.Formations {
		if f := &of.Formations[i]; of.owns(of.army(f.Corps)) {
			formations = append(formations, f.ID)
		}
	}
	for l := leaderID(1); int(l) < len(of.Leaders); l++ {
		if of.owns(of.lead(l).army) {
			leaders = append(leaders, of.lead(l).id+": 1")
			beside = append(beside, of.lead(l).id+": "+own[len(own)/2])
		}
	}
	all := "[" + strings.Join(own, ", ") + "]"
	return `standing:
  unlimbered-gun: {defend: ` + all + `}
  unlimber: ` + all + `
  support: [{of: infantry, if: {turn: ">=1"}, do: ` + all + `}, {else: none}]
  counter: {min: 1}
  reinforce: [` + strings.Join(formations, ", ") + `]
  withdraw-loss: ` + all + `
  substitute: {` + strings.Join(beside, ", ") + `}
  fire: {nearest: yes, min-bonus: -2}
  assign: {` + strings.Join(leaders, ", ") + `}
  manoeuvres: {` + strings.Join(formations, ": {advance: {segments: 1}}, ") + `: {advance: {segments: 1}}}
  combat: ` + all + `
  losses: ` + all + `
`
}

// Lists of standing orders do what the ruleset says that they would answer.
func TestAnswersOfLists(t *testing.T) {
	games := append(clashes(t, 3), seldomMet(t)...)
	first := map[engine.Side]string{} // the same at all stops: who has gone may be named still
	said := func(v engine.View) string {
		if first[v.Side()] == "" {
			first[v.Side()] = everyList(v)
		}
		return first[v.Side()]
	}
	rulestest.StandingAnswers(t, New(), games, said, "", stopUnlimber, stopSupport, stopFire, stopManoeuvres, stopCombat, stopLosses)
}

// Standing orders that say nothing, in whatever way, are refused; whoever sends them brings nobody down.
func TestStandingOrdersThatSayNothing(t *testing.T) {
	g := openField(t, 7)
	for i := range standingForms {
		for _, value := range []string{"[]", "{}", "[[]]", "[{}]", "{b-Foy: {}}", "{b-Foy: []}", "{b-Foy: {until: aoe}}", "{units: []}", "{units: [red-7]}", "{units: [red-7], charge: [], max-cp: 2}", "{units: [], charge: charger}"} {
			for _, says := range []string{value, "[{do: " + value + "}]", "[{else: " + value + "}]", "[{if: charge, do: " + value + "}, {else: " + value + "}]"} {
				says = "{" + standingForms[i].key + ": " + says + "}"
				if a, faults := New().ReadStanding(g.view("red"), standingDocument(t, says)); len(faults) == 0 {
					t.Errorf("%s is taken as %s", says, a.Orders().OneLine())
				}
			}
		}
	}
}

// A plan for the melee of a unit says what cases of it say under each kind of stop, and comes first.
func TestMeleePlans(t *testing.T) {
	g := openField(t, 7)
	v := g.View("blue")
	for text, want := range map[string]string{
		"{melee: {13: {support: none, pursue: never}}}":                        "pursue:\n  - {of: 13, do: never}\nsupport:\n  - {of: 13, do: none}\n",
		"{mischia: {13: {supporto: [14]}}, support: all}":                      "support:\n  - {of: 13, do: [14]}\n  - {else: all}\n",
		"{support: [{of: cavalry, do: ask}], melee: {blue-13: {support: {}}}}": "support:\n  - {of: blue-13, do: default}\n  - {of: cavalry, do: ask}\n",
		"{melee: {}}": "none",
	} {
		got, faults := filed.Read(New(), v, nodeOf(t, text))
		if got != want || len(faults) > 0 {
			t.Errorf("%s is %q with %v, not %q", text, got, faults, want)
		}
	}
	for _, text := range []string{"{melee: {99: {support: none}}}", "{melee: {13: {fire: none}}}", "{melee: {13: none}}", "{next: {melee: {13: {support: none}}}}"} {
		if got, faults := filed.Read(New(), v, nodeOf(t, text)); len(faults) == 0 {
			t.Errorf("%s is taken as %q", text, got)
		}
	}
}

// nodeOf is a value as an order file has it.
func nodeOf(t *testing.T, text string) *orders.Node {
	t.Helper()
	n, faults := orders.ParseNode([]byte("ahead: " + text))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return n.Get("ahead")
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
func TestPoliciesThatSayNothing(t *testing.T) {
	rulestest.PoliciesThatSayNothing(t, New(), stopUnlimber, stopCombat, stopSupport, stopLosses, stopWithdrawLoss) // 7 is a unit
}

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
