package cases_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/cases"
	"berthier/engine/enginetest"
	"berthier/engine/internal/faulty"
)

var rulesets = map[string]engine.Ruleset{"lots": enginetest.New()}

func TestCases(t *testing.T) {
	all, problems := cases.Load(rulesets, "testdata/lots.yaml")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, c := range all {
		if result := cases.Run(rulesets, c); !result.OK() {
			t.Error(result)
		}
	}
}

// run plays one case of the ruleset lots and gives its report.
func run(t *testing.T, rules engine.Ruleset, text string) cases.Result {
	t.Helper()
	all, problems := cases.Parse(rulesets, "case.yaml", []byte("case: test\nclauses: LOT-2.1\nruleset: lots\n"+text))
	if len(problems) > 0 {
		t.Fatalf("%v\n%s", problems, text)
	}
	return cases.Run(map[string]engine.Ruleset{"lots": rules}, all[0])
}

// Each case is wrong in one way, and its report names what is wrong with its place.
func TestFailures(t *testing.T) {
	bids := "when:\n  - {side: red, orders: {bid: R-2}}\n  - {side: blue, orders: {bid: B-1}}\n"
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"dice left over":  {"dice: [1, 6, 4]\n" + bids + "then: []", []string{"case.yaml:1: dice: 1 left over: [4]"}},
		"dice too few":    {"dice: [1]\n" + bids + "then: []", []string{"no die left for roll 2"}},
		"a die too high":  {"dice: [1, 7]\n" + bids + "then: []", []string{"die 2 is 7"}},
		"position":        {"then:\n  - position: {round: 2, sides: [{side: red, units: [{strength: 3}]}]}", []string{"case.yaml:5: position: round: want 2, have 1", "sides: want [{side: red, units: [{strength: 3}]}], have"}},
		"no such place":   {"then:\n  - position: {hands: {left: 3}}", []string{"hands: want {left: 3}, there is none"}},
		"owed":            {"then:\n  - owed: [{side: red}]", []string{"owed: want [{side: red}], have red bid; blue bid"}},
		"told":            {"dice: [1, 6]\n" + bids + "then:\n  - told: {side: red, says: never}", []string{`red was not told says "never"`, "lots.threw unit=R-2 die=1 total=3"}},
		"told twice":      {"dice: [1, 6]\n" + bids + "then:\n  - told: {side: red, event: threw, times: 3}", []string{"1 times, want 3"}},
		"untold":          {"dice: [1, 6]\n" + bids + "then:\n  - untold: {side: red, event: threw, says: R-2}", []string{"red was told code threw"}},
		"refused after":   {"dice: [1, 6]\n" + bids + "then:\n  - refused: {side: red}", []string{"the orders of red were accepted"}},
		"refused else":    {"when:\n  - {side: red, orders: {bid: R-1, coins: 5}}\nthen:\n  - refused: {side: red, clause: LOT-3.1}", []string{"not refused for clause LOT-3.1, but for", "the case does not say so: line 1, column"}},
		"refused quietly": {"when:\n  - {side: red, orders: {bid: B-1}}\nthen: []", []string{"case.yaml:5: the orders of red were refused, and the case does not say so"}},
		"not accepted":    {"when:\n  - {side: red, orders: {bid: B-1}}\nthen:\n  - accepted: {side: red}\n  - refused: {side: red}", []string{"accepted: the orders of red were refused"}},
		"nothing sent":    {"then:\n  - refused: {side: red}\n  - accepted: {side: blue}", []string{"red sent no orders", "blue sent no orders"}},
		"normal form":     {"given: {options: {coins: 3}}\nwhen:\n  - {side: red, draft: true, orders: {bid: R-1, coins: 1}}\nthen:\n  - accepted: {side: red, orders: {coins: 2}}", []string{"orders.coins: want 2, have 1"}},
		"rolls":           {"dice: [1, 6]\n" + bids + "then:\n  - rolls: [{for: for}]", []string{"1 of 6 for lots.for unit=R-2"}},
		"view":            {"then:\n  - view: {side: red, rounds: 4}", []string{"rounds: want 4, have 3"}},
		"seen":            {"then:\n  - seen: {side: red, says: Waterloo}", []string{`red sees no "Waterloo"`}},
		"unseen":          {"then:\n  - unseen: {side: red, says: blue}", []string{`red sees "blue"`}},
		"outcome":         {"then:\n  - outcome: {winners: red}", []string{"the game is not over"}},
		"other winner":    {"given: {position: {over: true, sides: [{side: red}, {side: blue, won: 1}]}}\nthen:\n  - outcome: {winners: red, clause: LOT-1.1, code: tired}", []string{"want [red] to win, have [blue]", "want the clause LOT-1.1", "want a reason with code tired"}},
		"over":            {"given: {position: {over: true}}\nthen:\n  - outcome: none", []string{"the game is over"}},
		"no game wanted":  {"then:\n  - no-game: {}", []string{"the game was set up"}},
		"no game":         {"given: {scenario: big}\nthen: []", []string{`no game: play.scenario-unknown scenario="big"`}},
		"bad position":    {"given: {position: {green: 1}}\nthen: []", []string{"the position", "green"}},
		"owes nothing":    {"given: {position: {discard: red}}\nwhen:\n  - {side: blue, orders: {discard: B-1}}\nthen: []", []string{"blue owes nothing here; owed: red discard"}},
		"other file":      {"when:\n  - {side: red, draft: yes, orders: {bid: B-1}}\n  - {side: red, draft: yes, orders: {bid: R-1}}\nthen:\n  - refused: {file: 2}\n  - accepted: {file: 1}", []string{"the orders of red (file 2) were accepted", "the orders of red (file 1) were refused", "case.yaml:5: the orders of red were refused"}},
		"other fault":     {"when:\n  - {side: red, draft: yes, orders: {bid: B-1}}\n  - {side: red, draft: yes, orders: {bid: B-2}}\nthen:\n  - refused: {file: 2, more: true}", []string{"case.yaml:5: the orders of red were refused, and the case does not say so"}},
		"contains":        {"dice: [1, 6]\n" + bids + "then:\n  - owed: {contains: [{side: red}, {side: blue}]}\n  - rolls: {contains: [{result: 6}, {result: 6}]}\n  - told: {side: red, event: threw, with: {unit: {contains: [R-1, R-1]}}}", []string{"have red discard", "want {contains: [{result: 6}, {result: 6}]}, rolled", "red was not told code threw, with {unit: {contains: [R-1, R-1]}}"}},
		"no such side":    {"then:\n  - untold: {side: rde, says: x}\n  - owed: [{side: green}]", []string{`untold: there is no side "rde"; there are [red blue]`, `no side "green"`}},
		"what is seen":    {"then:\n  - seen: {side: red, says: Waterloo}", []string{"red sees:\n", "the view:\n", "side: red", "lots.round round=1", "the order file of bid", "bid: none"}},
		"where it is":     {"then:\n  - unseen: {side: red, says: own}", []string{`red sees "own"`, "the view:\n        own:"}},
		"never reached":   {"when:\n  - {resolve: default, until: dance}\nthen: []", []string{"nobody owes anything"}},
	} {
		t.Run(name, func(t *testing.T) {
			result := run(t, enginetest.New(), test.text)
			if result.OK() {
				t.Fatalf("the case holds:\n%s", test.text)
			}
			report := result.String()
			for _, want := range test.want {
				if !strings.Contains(report, want) {
					t.Errorf("the report has no %q:\n%s", want, report)
				}
			}
		})
	}
}

func TestFaultsOfARuleset(t *testing.T) {
	for name, test := range map[string]struct {
		faults faulty.Faults
		text   string
		want   string
	}{
		"panic":  {faulty.Faults{PanicOn: "R-3"}, "when:\n  - {side: red, orders: {bid: R-3}}\nthen: []", "the ruleset panicked: R-3"},
		"forget": {faulty.Faults{Forget: true}, "when: {resolve: default}\nthen: []", "does not read back"},
	} {
		if report := run(t, faulty.New(test.faults), test.text).String(); !strings.Contains(report, test.want) {
			t.Errorf("%s: the report has no %q:\n%s", name, test.want, report)
		}
	}
	result := cases.Run(nil, cases.Case{Ruleset: "chess", Name: "x"})
	if !strings.Contains(result.String(), `no ruleset "chess"`) {
		t.Error(result)
	}
}

// A case file is read as strictly as an order file: every fault is told with its place.
func TestRefused(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"empty":              {"", "case.empty"},
		"not yaml":           {"case: [", ":"},
		"no name":            {"clauses: LOT-1.1\nruleset: lots\nthen: []", "order.missing-key"},
		"unknown key":        {"case: x\nclauses: LOT-1.1\nruleset: lots\nthem: []", "4:1: order.unknown-key"},
		"no ruleset":         {"case: x\nclauses: LOT-1.1\nthen: []", "order.missing-key"},
		"no clause":          {"case: x\nclauses: [river]\nruleset: lots\nthen: []", "2:11: case.no-clause"},
		"steps and when":     {"case: x\nclauses: LOT-1.1\nruleset: lots\nsteps: []\nwhen: []", "case.steps-or-when"},
		"dice twice":         {"case: x\nclauses: LOT-1.1\nruleset: lots\ndice: [1]\nsteps: [{dice: [2]}]", "case.dice-twice"},
		"unknown check":      {"case: x\nclauses: LOT-1.1\nruleset: lots\nthen: [{tolled: {side: red}}]", "4:9: order.unknown-key"},
		"no check":           {"case: x\nclauses: LOT-1.1\nruleset: lots\nthen: [owed]", "case.want-check"},
		"told who":           {"case: x\nclauses: LOT-1.1\nruleset: lots\nthen: [{told: {says: x}}]", "order.missing-key"},
		"view of whom":       {"case: x\nclauses: LOT-1.1\nruleset: lots\nthen: [{view: {turn: 1}}]", "order."},
		"says a map":         {"case: x\nclauses: LOT-1.1\nruleset: lots\nthen: [{told: {side: red, says: {a: b}}}]", "case.want-says"},
		"orders and resolve": {"case: x\nclauses: LOT-1.1\nruleset: lots\nwhen: [{resolve: default, orders: none}]\nthen: []", "case.resolve-alone"},
		"until alone":        {"case: x\nclauses: LOT-1.1\nruleset: lots\nwhen: [{side: red, orders: none, until: x}]\nthen: []", "case.until-alone"},
		"no orders":          {"case: x\nclauses: LOT-1.1\nruleset: lots\nwhen: [{side: red}]\nthen: []", "order.missing-key"},
		"position a list":    {"case: x\nclauses: LOT-1.1\nruleset: lots\ngiven: {position: [1]}\nthen: []", "case.want-position"},
		"a missing value":    {"case: x\nclauses: LOT-1.1\nruleset: lots\nwhen: [{side: red, orders: {bid: }}]\nthen: []", "case.no-value"},
		"no such ruleset":    {"case: x\nclauses: CHE-1.1\nruleset: chess\nthen: []", "3:10: case.no-ruleset"},
		"no such clause":     {"case: x\nclauses: [LOT-1.1, LOT-2.9]\nruleset: lots\nthen: []", "2:20: case.unknown-clause"},
		"no clause to find":  {"case: x\nclauses: LOT-1.1\nruleset: lots\nthen: [{untold: {side: red, clause: LOT-9.9}}]", "4:37: case.unknown-clause"},
		"no clause to end":   {"case: x\nclauses: LOT-1.1\nruleset: lots\nthen: [{outcome: {clause: LOT-9.9}}]", "4:27: case.unknown-clause"},
		"file too high":      {"case: x\nclauses: LOT-1.1\nruleset: lots\nwhen: {side: red, orders: none}\nthen: [{refused: {file: 2}}]", "5:25: order.want-number"},
		"file of another":    {"case: x\nclauses: LOT-1.1\nruleset: lots\nwhen: {side: red, orders: none}\nthen: [{accepted: {side: blue, file: 1}}]", "5:38: case.other-file"},
		"no file at all":     {"case: x\nclauses: LOT-1.1\nruleset: lots\nwhen: {resolve: default}\nthen: [{accepted: {file: 1}}]", "5:26: case.no-files"},
		"contains nothing":   {"case: x\nclauses: LOT-1.1\nruleset: lots\nthen: [{owed: {contains: []}}]", "4:15: case.contains-nothing"},
		"given what":         {"case: x\nclauses: LOT-1.1\nruleset: lots\ngiven: {roads: {a/b: main}}\nthen: []", "4:9: order.unknown-key"},
		"few words":          {"case: x\nclauses: LOT-1.1\nruleset: lots\ngiven: {units: {red: many}}\nthen: []", "4:22: order.want-number"},
		"the same as itself": {"case: x\nclauses: LOT-1.1\nruleset: lots\nthen: [{same: {side: red, as: x}}]", "4:31: case.same-itself"},
		"the same as none":   {"case: x\nclauses: LOT-1.1\nruleset: lots\nthen: [{same: {side: red, as: y}}]", "4:31: order.unknown-case"},
		"the same twice":     {"ruleset: lots\ncases:\n  - {case: y, clauses: LOT-1.1, then: []}\n  - {case: y, clauses: LOT-1.1, then: []}\n  - {case: x, clauses: LOT-1.1, then: [{same: {side: red, as: y}}]}", "5:63: case.same-twice"},
		"the same too late":  {"ruleset: lots\ncases:\n  - {case: y, clauses: LOT-1.1, then: []}\n  - {case: x, clauses: LOT-1.1, then: [{same: {side: red, as: y, step: 2}}]}", "4:63: case.same-steps"},
		"no such map":        {"case: x\nclauses: LOT-1.1\nruleset: lots\ngiven: {file: nowhere.yaml}\nthen: []", "case.unreadable"},
	} {
		t.Run(name, func(t *testing.T) {
			all, problems := cases.Parse(rulesets, "case.yaml", []byte(test.text))
			if len(all) > 0 || len(problems) == 0 {
				t.Fatalf("%d cases, problems %v", len(all), problems)
			}
			if !strings.Contains(problems.Error(), test.want) {
				t.Errorf("want %q, have %v", test.want, problems)
			}
		})
	}
	// All faults come at once, in the order of the file, each once, with remedies.
	_, problems := cases.Parse(rulesets, "case.yaml", []byte(`ruleset: lots
given: {units: {red: many, green: [1, 1]}}
cases:
  - {case: x, clauses: [LOT-2.9], then: [{refused: {file: 1}}, {untold: {side: red, clause: river}}]}
  - {case: y, clauses: [LOT-1.1], given: {pebbles: 1}, then: [{same: {side: red, as: z}}]}
`))
	var places []string
	for _, p := range problems {
		places = append(places, fmt.Sprintf("%d:%d %s %v", p.Line, p.Column, p.Why.Code, !p.Remedy.IsZero()))
	}
	if want := []string{"2:22 order.want-number false", "2:28 order.unknown-key false", "4:25 case.unknown-clause true", "4:59 case.no-files true",
		"4:93 case.no-clause true", "5:43 order.unknown-key false", "5:86 order.unknown-case true"}; !slices.Equal(places, want) {
		t.Errorf("faults %q, want %q", places, want)
	}
	if _, problems := cases.Load(rulesets, filepath.Join(t.TempDir(), "none.yaml")); len(problems) != 1 || problems[0].Why.Code != "case.unreadable" {
		t.Errorf("a file that is not there: %v", problems)
	}
}

func TestClauses(t *testing.T) {
	digest := []byte("- **LOT-1.1** Set-up. See LOT-9.9.\n- **LOT-2.1b** Throw. **LOT-2.2, 3e: pay**\n| ID | Question |\n| LOT-R01 | who? LOT-R07 |\n- **LOT-1.1** again\n")
	clauses := cases.Clauses(digest)
	if want := []string{"LOT-1.1", "LOT-2.1b", "LOT-2.2", "LOT-R01"}; !slices.Equal(clauses, want) {
		t.Errorf("clauses %v, want %v", clauses, want)
	}
	all := []cases.Case{{File: "a.yaml", Line: 3, Clauses: []string{"LOT-2.2", "LOT-7.1"}}}
	if got, want := cases.Uncovered(clauses, all), []string{"LOT-1.1", "LOT-2.1b", "LOT-R01"}; !slices.Equal(got, want) {
		t.Errorf("uncovered %v, want %v", got, want)
	}
	if got, want := cases.Unknown(clauses, all), []string{"a.yaml:3: LOT-7.1"}; !slices.Equal(got, want) {
		t.Errorf("unknown %v, want %v", got, want)
	}
}

// Case files come from strangers: whatever such a file says, it can be read and run
// without a panic.
func FuzzParse(f *testing.F) {
	text, err := os.ReadFile("testdata/lots.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add("case: x\nclauses: LOT-1.1\nruleset: lots\nwhen: {resolve: default}\nthen: [{owed: none}]")
	f.Add("case: x\nclauses: LOT-9.1\nruleset: chess\ngiven: {units: {red: [1, 1], blue: many}, options: {coins: 4}}\nthen: [{refused: {file: 2}}, {same: {side: red, as: x}}, {owed: {contains: []}}]")
	f.Add("- {case: a, clauses: LOT-1.1, ruleset: lots, given: {units: {red: [9, 9]}}, steps: [{}, {then: {same: {side: blue, as: b}}}]}\n- {case: b, clauses: LOT-1.1, ruleset: lots, given: {position: {sides: [{units: [1]}], round: ~}}, then: []}")
	f.Fuzz(func(t *testing.T, text string) {
		all, _ := cases.Parse(rulesets, filepath.Join(t.TempDir(), "case.yaml"), []byte(text))
		for _, c := range all {
			_ = cases.Run(rulesets, c).String()
		}
	})
}

// Every fault in what a case gives is told at its own line, all of them at once.
func TestGivenAtItsLine(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"position": {"given:\n  position:\n    round: 3\n    sides:\n      - {side: red, won: many}\n      - {side: blue, coins: lots}\nthen: []", []string{"case.yaml:8: no game: the position: ", "case.yaml:9: no game: the position: "}},
		"options":  {"given:\n  scenario: two\n  options:\n    coins: 4\n    pebbles: 2\nthen: []", []string{"case.yaml:7: no game: play.option-value option=\"coins\" value=\"4\"", "case.yaml:8: no game: play.option-unknown option=\"pebbles\""}},
		"scenario": {"given:\n  scenario: big\nthen: []", []string{`case.yaml:5: no game: play.scenario-unknown scenario="big"`}},
	} {
		result := run(t, enginetest.New(), test.text)
		for _, want := range test.want {
			if !strings.Contains(result.String(), want) {
				t.Errorf("%s: the report has no %q:\n%s", name, want, result)
			}
		}
		if len(result.Failures) != len(test.want) {
			t.Errorf("%s: %d failures, want %d:\n%s", name, len(result.Failures), len(test.want), result)
		}
	}
}

// The key same compares what a side sees with what it sees in another case, and tells
// the first difference.
func TestSame(t *testing.T) {
	const file = `ruleset: lots
cases:
  - case: one
    clauses: LOT-2.1
    steps:
      - then: []
      - {dice: [6], when: [{side: red, orders: {bid: R-2}}, {resolve: default}], then: []}
  - case: two
    clauses: LOT-2.1
    given: {units: {blue: [9, 9, 9]}}
    steps:
      - then: [{same: {side: red, as: one}}, {same: {side: blue, as: one}}, {same: {side: gm, as: one}}]
      - dice: [5]
        when: [{side: red, orders: {bid: R-2}}, {resolve: default}]
        then:
          - same: {side: red, as: one}
          - same: {side: red, as: three, step: 1}
          - same: {side: red, as: four, step: 1}
  - {case: three, clauses: LOT-2.1, given: {position: {green: 1}}, then: [{no-game: {}}]}
  - {case: four, clauses: LOT-2.1, when: [{side: red, orders: {bid: R-2}}, {resolve: default}], then: []}
`
	all, problems := cases.Parse(rulesets, "case.yaml", []byte(file))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	result := cases.Run(rulesets, all[1])
	report := result.String()
	for _, want := range []string{
		`case.yaml:12: same: blue does not see the same as in "one": the view: line 5`, "here:    - {id: B-1, strength: 9}", "there:   - {id: B-1, strength: 1}",
		`case.yaml:12: same: gm does not see the same as in "one": the view`,
		`case.yaml:16: same: red does not see the same as in "one": what was told: line 1`, "die=5", "die=6",
		`case.yaml:17: same: "three" does not come to its step 1: case.yaml:19: no game`,
		`case.yaml:18: same: "four" does not come to its step 1: case.yaml:20: dice: no die left`,
	} {
		if !strings.Contains(report, want) {
			t.Errorf("the report has no %q", want)
		}
	}
	if len(result.Failures) != 5 || t.Failed() {
		t.Errorf("%d failures, want 5:\n%s", len(result.Failures), report)
	}
}

// The key same finds a leak wherever it is: in the view, on the page, in a refusal.
func TestSameFindsLeaks(t *testing.T) {
	const file = `ruleset: lots
cases:
  - case: one
    clauses: LOT-2.1
    when: {side: red, orders: {bid: B-1}}
    then: [{refused: {file: 1}}, {same: {side: red, as: two}}]
  - case: two
    clauses: LOT-2.1
    given: {units: {blue: [9, 9, 9]}}
    when: {side: red, orders: {bid: B-1}}
    then: [{refused: {file: 1}}]
`
	for want, faults := range map[string]faulty.Faults{
		"": {}, "the view": {LeakView: true}, "the page": {LeakPage: true}, "the verdicts on its order files": {LeakRefusal: true},
	} {
		leaky := map[string]engine.Ruleset{"lots": faulty.New(faults)}
		all, problems := cases.Parse(leaky, "case.yaml", []byte(file))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		result := cases.Run(leaky, all[0])
		if result.OK() != (want == "") || !strings.Contains(result.String(), want) {
			t.Errorf("%s: %s", want, result)
		}
	}
}

// What happened is noted for cases that hold as well, in sentences, and Show shows
// every step.
func TestWhatHappened(t *testing.T) {
	all, problems := cases.Load(rulesets, "testdata/lots.yaml")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	i := slices.IndexFunc(all, func(c cases.Case) bool { return c.Name == "the game in steps, to its end" })
	result := cases.Run(rulesets, all[i])
	var text string
	said := false
	for _, h := range result.Log {
		text += fmt.Sprintf("%d %s\n", h.Step, h.Text)
		said = said || h.Say.Code == "lots.threw"
	}
	for _, want := range []string{"1 line 52: blue answers by default: {orders: {bid: none}}", "1 roll 1 of 6 for lots.for", "2 told [blue]: lots.lost unit=B-1 [LOT-3.1]"} {
		if !strings.Contains(text, want) {
			t.Errorf("what happened has no %q:\n%s", want, text)
		}
	}
	if !said || result.Spell == nil {
		t.Error("what happened has no sentences")
	}
	var shown []int
	again, err := cases.Show(rulesets, all[i], func(m cases.Moment) error {
		shown = append(shown, m.Step, len(m.Position.Owed()), len(m.Log))
		return nil
	})
	if err != nil || !again.OK() || !slices.Equal(shown[:2], []int{1, 1}) || !slices.Equal(shown[3:5], []int{2, 0}) || shown[2] == 0 || shown[5] == 0 {
		t.Errorf("shown %v, %v %v", shown, err, again)
	}
}
