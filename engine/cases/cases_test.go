package cases_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/cases"
	"berthier/engine/internal/stones"
	"berthier/orders"
)

var rulesets = map[string]engine.Ruleset{"stones": stones.Rules{}}

func TestCases(t *testing.T) {
	all, problems := cases.Load(rulesets, "testdata/stones.yaml")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, c := range all {
		if result := cases.Run(rulesets, c); !result.OK() {
			t.Error(result)
		}
	}
}

// run plays one case of stones and gives its report.
func run(t *testing.T, rules engine.Ruleset, text string) cases.Result {
	t.Helper()
	all, problems := cases.Parse(rulesets, "case.yaml", []byte("case: test\nclauses: STO-2.1\nruleset: stones\n"+text))
	if len(problems) > 0 {
		t.Fatalf("%v\n%s", problems, text)
	}
	return cases.Run(map[string]engine.Ruleset{"stones": rules}, all[0])
}

// Each case is wrong in one way, which its report must name with its place.
func TestFailures(t *testing.T) {
	throw := "when:\n  - {side: red, orders: {throw: {from: left, n: 2}}}\n  - {side: blue, orders: {throw: {from: right, n: 1}}}\n"
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"dice left over":  {"dice: [1, 6, 4]\n" + throw + "then: []", []string{"case.yaml:1: dice: 1 left over: [4]"}},
		"dice too few":    {"dice: [1]\n" + throw + "then: []", []string{"no die left for roll 2"}},
		"a die too high":  {"dice: [1, 7]\n" + throw + "then: []", []string{"die 2 is 7"}},
		"position":        {"then:\n  - position: {turn: 2, red: {left: 3, right: 1}}", []string{"case.yaml:5: position: turn: want 2, have 1", "red.right: want 1, have 2"}},
		"no such place":   {"then:\n  - position: {green: {left: 3}}", []string{"green: want {left: 3}, there is none"}},
		"owed":            {"then:\n  - owed: [{side: red}]", []string{"owed: want [{side: red}], have red throw table; blue throw table"}},
		"told":            {"dice: [1, 6]\n" + throw + "then:\n  - told: {side: red, says: never}", []string{`red was not told says "never"`, "stones.threw side=red n=2 dice=[1]"}},
		"told twice":      {"dice: [1, 6]\n" + throw + "then:\n  - told: {side: red, event: threw, times: 3}", []string{"2 times, want 3"}},
		"untold":          {"dice: [1, 6]\n" + throw + "then:\n  - untold: {side: red, event: threw, says: blue}", []string{"red was told code threw"}},
		"refused after":   {"dice: [1, 6]\n" + throw + "then:\n  - refused: {side: red}", []string{"the orders of red were accepted"}},
		"refused else":    {"when:\n  - {side: red, orders: {throw: {from: left, n: 5}}}\nthen:\n  - refused: {side: red, clause: STO-3.1}", []string{"not refused for clause STO-3.1, but for", "the case does not say so: line 1, column"}},
		"refused quietly": {"when:\n  - {side: red, orders: {throw: {from: left, n: 5}}}\nthen: []", []string{"case.yaml:5: the orders of red were refused, and the case does not say so"}},
		"not accepted":    {"when:\n  - {side: red, orders: {throw: {from: left, n: 5}}}\nthen:\n  - accepted: {side: red}\n  - refused: {side: red}", []string{"accepted: the orders of red were refused"}},
		"nothing sent":    {"then:\n  - refused: {side: red}\n  - accepted: {side: blue}", []string{"red sent no orders", "blue sent no orders"}},
		"normal form":     {"when:\n  - {side: red, draft: true, orders: {throw: {from: left, n: 1}}}\nthen:\n  - accepted: {side: red, orders: {throw: {n: 2}}}", []string{"orders.throw.n: want 2, have 1"}},
		"rolls":           {"dice: [1, 6]\n" + throw + "then:\n  - rolls: [{for: throw-die}]", []string{"1 of 6 for stones.throw-die side=red"}},
		"view":            {"then:\n  - view: {side: red, blue: 4}", []string{"blue: want 4, have 5"}},
		"seen":            {"then:\n  - seen: {side: red, says: Waterloo}", []string{`red sees no "Waterloo"`}},
		"unseen":          {"then:\n  - unseen: {side: red, says: blue}", []string{`red sees "blue"`}},
		"outcome":         {"then:\n  - outcome: {winners: red}", []string{"the game is not over"}},
		"other winner":    {"given: {position: {red: ~}}\nthen:\n  - outcome: {winners: red, clause: STO-1.1, code: tired}", []string{"want [red] to win, have [blue]", "want the clause STO-1.1", "want the reason tired"}},
		"over":            {"given: {position: {red: ~}}\nthen:\n  - outcome: none", []string{"the game is over"}},
		"no game wanted":  {"then:\n  - no-game: {}", []string{"the game was set up"}},
		"no game":         {"given: {scenario: big}\nthen: []", []string{`no game: new game: no scenario "big"`}},
		"bad position":    {"given: {position: {green: 1}}\nthen: []", []string{"the position", "green"}},
		"owes nothing":    {"given: {position: {payer: red}}\nwhen:\n  - {side: blue, orders: {pay: {from: left}}}\nthen: []", []string{"blue owes nothing here; owed: red pay"}},
		"other file":      {"when:\n  - {side: red, draft: yes, orders: {throw: {from: left, n: 5}}}\n  - {side: red, draft: yes, orders: {throw: {from: left, n: 1}}}\nthen:\n  - refused: {file: 2}\n  - accepted: {file: 1}", []string{"the orders of red (file 2) were accepted", "the orders of red (file 1) were refused", "case.yaml:5: the orders of red were refused"}},
		"other fault":     {"when:\n  - {side: red, draft: yes, orders: {throw: {from: left, n: 5}}}\n  - {side: red, draft: yes, orders: {throw: {from: left, n: 6}}}\nthen:\n  - refused: {file: 2, more: true}", []string{"case.yaml:5: the orders of red were refused, and the case does not say so"}},
		"contains":        {"dice: [1, 6]\n" + throw + "then:\n  - owed: {contains: [{side: red}, {side: blue}]}\n  - rolls: {contains: [{result: 6}, {result: 6}]}\n  - told: {side: red, event: threw, with: {dice: {contains: [1, 1]}}}", []string{"have red pay", "want {contains: [{result: 6}, {result: 6}]}, rolled", "red was not told code threw, with {dice: {contains: [1, 1]}}"}},
		"no such side":    {"then:\n  - untold: {side: rde, says: x}\n  - owed: [{side: green}]", []string{`untold: there is no side "rde"; there are [red blue]`, `no side "green"`}},
		"what is seen":    {"then:\n  - seen: {side: red, says: Waterloo}", []string{"red sees:\n", "the view:\n", "side: red", "stones.title turn=1", "the order file of throw table", "one stone at least"}},
		"where it is":     {"then:\n  - unseen: {side: red, says: own}", []string{`red sees "own"`, "the view:\n        own:"}},
		"never reached":   {"when:\n  - {resolve: default, until: dance}\nthen: []", []string{"no die left for roll 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			result := run(t, stones.Rules{}, test.text)
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
		faults stones.Faults
		text   string
		want   string
	}{
		"panic":  {stones.Faults{PanicOnThree: true}, "when:\n  - {side: red, orders: {throw: {from: left, n: 3}}}\nthen: []", "the ruleset panicked: three"},
		"forget": {stones.Faults{Forget: true}, "dice: [1, 1]\nwhen: {resolve: default}\nthen: []", "does not read back"},
	} {
		if report := run(t, stones.Rules{Faults: test.faults}, test.text).String(); !strings.Contains(report, test.want) {
			t.Errorf("%s: the report has no %q:\n%s", name, test.want, report)
		}
	}
	result := cases.Run(nil, cases.Case{Ruleset: "chess", Name: "x"})
	if !strings.Contains(result.String(), `no ruleset "chess"`) {
		t.Error(result)
	}
}

// A case file is as strict as an order file: every fault with its place.
func TestRefused(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"empty":              {"", "case.empty"},
		"not yaml":           {"case: [", ":"},
		"no name":            {"clauses: STO-1.1\nruleset: stones\nthen: []", "order.missing-key"},
		"unknown key":        {"case: x\nclauses: STO-1.1\nruleset: stones\nthem: []", "4:1: order.unknown-key"},
		"no ruleset":         {"case: x\nclauses: STO-1.1\nthen: []", "order.missing-key"},
		"no clause":          {"case: x\nclauses: [river]\nruleset: stones\nthen: []", "2:11: case.no-clause"},
		"steps and when":     {"case: x\nclauses: STO-1.1\nruleset: stones\nsteps: []\nwhen: []", "case.steps-or-when"},
		"dice twice":         {"case: x\nclauses: STO-1.1\nruleset: stones\ndice: [1]\nsteps: [{dice: [2]}]", "case.dice-twice"},
		"unknown check":      {"case: x\nclauses: STO-1.1\nruleset: stones\nthen: [{tolled: {side: red}}]", "4:9: order.unknown-key"},
		"no check":           {"case: x\nclauses: STO-1.1\nruleset: stones\nthen: [owed]", "case.want-check"},
		"told who":           {"case: x\nclauses: STO-1.1\nruleset: stones\nthen: [{told: {says: x}}]", "order.missing-key"},
		"view of whom":       {"case: x\nclauses: STO-1.1\nruleset: stones\nthen: [{view: {turn: 1}}]", "order."},
		"says a map":         {"case: x\nclauses: STO-1.1\nruleset: stones\nthen: [{told: {side: red, says: {a: b}}}]", "case.want-says"},
		"orders and resolve": {"case: x\nclauses: STO-1.1\nruleset: stones\nwhen: [{resolve: default, orders: none}]\nthen: []", "case.resolve-alone"},
		"until alone":        {"case: x\nclauses: STO-1.1\nruleset: stones\nwhen: [{side: red, orders: none, until: x}]\nthen: []", "case.until-alone"},
		"no orders":          {"case: x\nclauses: STO-1.1\nruleset: stones\nwhen: [{side: red}]\nthen: []", "order.missing-key"},
		"position a list":    {"case: x\nclauses: STO-1.1\nruleset: stones\ngiven: {position: [1]}\nthen: []", "case.want-position"},
		"a missing value":    {"case: x\nclauses: STO-1.1\nruleset: stones\nwhen: [{side: red, orders: {throw: }}]\nthen: []", "case.no-value"},
		"no such ruleset":    {"case: x\nclauses: CHE-1.1\nruleset: chess\nthen: []", "3:10: case.no-ruleset"},
		"no such clause":     {"case: x\nclauses: [STO-1.1, STO-2.9]\nruleset: stones\nthen: []", "2:20: case.unknown-clause"},
		"no clause to find":  {"case: x\nclauses: STO-1.1\nruleset: stones\nthen: [{untold: {side: red, clause: STO-9.9}}]", "4:37: case.unknown-clause"},
		"no clause to end":   {"case: x\nclauses: STO-1.1\nruleset: stones\nthen: [{outcome: {clause: STO-9.9}}]", "4:27: case.unknown-clause"},
		"file too high":      {"case: x\nclauses: STO-1.1\nruleset: stones\nwhen: {side: red, orders: none}\nthen: [{refused: {file: 2}}]", "5:25: order.want-number"},
		"file of another":    {"case: x\nclauses: STO-1.1\nruleset: stones\nwhen: {side: red, orders: none}\nthen: [{accepted: {side: blue, file: 1}}]", "5:38: case.other-file"},
		"no file at all":     {"case: x\nclauses: STO-1.1\nruleset: stones\nwhen: {resolve: default}\nthen: [{accepted: {file: 1}}]", "5:26: case.no-files"},
		"contains nothing":   {"case: x\nclauses: STO-1.1\nruleset: stones\nthen: [{owed: {contains: []}}]", "4:15: case.contains-nothing"},
		"given what":         {"case: x\nclauses: STO-1.1\nruleset: stones\ngiven: {roads: {a/b: main}}\nthen: []", "4:9: order.unknown-key"},
		"few words":          {"case: x\nclauses: STO-1.1\nruleset: stones\ngiven: {stones: {red: lots}}\nthen: []", "4:23: stones.want-hands"},
		"the same as itself": {"case: x\nclauses: STO-1.1\nruleset: stones\nthen: [{same: {side: red, as: x}}]", "4:31: case.same-itself"},
		"the same as none":   {"case: x\nclauses: STO-1.1\nruleset: stones\nthen: [{same: {side: red, as: y}}]", "4:31: order.unknown-case"},
		"the same twice":     {"ruleset: stones\ncases:\n  - {case: y, clauses: STO-1.1, then: []}\n  - {case: y, clauses: STO-1.1, then: []}\n  - {case: x, clauses: STO-1.1, then: [{same: {side: red, as: y}}]}", "5:63: case.same-twice"},
		"the same too late":  {"ruleset: stones\ncases:\n  - {case: y, clauses: STO-1.1, then: []}\n  - {case: x, clauses: STO-1.1, then: [{same: {side: red, as: y, step: 2}}]}", "4:63: case.same-steps"},
		"no such map":        {"case: x\nclauses: STO-1.1\nruleset: stones\ngiven: {file: nowhere.yaml}\nthen: []", "case.unreadable"},
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
	_, problems := cases.Parse(rulesets, "case.yaml", []byte(`ruleset: stones
given: {stones: {red: lots, green: 1 1}}
cases:
  - {case: x, clauses: [STO-2.9], then: [{refused: {file: 1}}, {untold: {side: red, clause: river}}]}
  - {case: y, clauses: [STO-1.1], given: {pebbles: 1}, then: [{same: {side: red, as: z}}]}
`))
	var places []string
	for _, p := range problems {
		places = append(places, fmt.Sprintf("%d:%d %s %v", p.Line, p.Column, p.Why.Code, !p.Remedy.IsZero()))
	}
	if want := []string{"2:23 stones.want-hands false", "2:29 order.unknown-key false", "4:25 case.unknown-clause true", "4:59 case.no-files true",
		"4:93 case.no-clause true", "5:43 order.unknown-key false", "5:86 order.unknown-case true"}; !slices.Equal(places, want) {
		t.Errorf("faults %q, want %q", places, want)
	}
	if _, problems := cases.Load(rulesets, filepath.Join(t.TempDir(), "none.yaml")); len(problems) != 1 || problems[0].Why.Code != "case.unreadable" {
		t.Errorf("a file that is not there: %v", problems)
	}
}

func TestClauses(t *testing.T) {
	digest := []byte("- **STO-1.1** Set-up. See STO-9.9.\n- **STO-2.1b** Throw. **STO-2.2, 3e: pay**\n| ID | Question |\n| STO-R01 | who? STO-R07 |\n- **STO-1.1** again\n")
	clauses := cases.Clauses(digest)
	if want := []string{"STO-1.1", "STO-2.1b", "STO-2.2", "STO-R01"}; !slices.Equal(clauses, want) {
		t.Errorf("clauses %v, want %v", clauses, want)
	}
	all := []cases.Case{{File: "a.yaml", Line: 3, Clauses: []string{"STO-2.2", "STO-7.1"}}}
	if got, want := cases.Uncovered(clauses, all), []string{"STO-1.1", "STO-2.1b", "STO-R01"}; !slices.Equal(got, want) {
		t.Errorf("uncovered %v, want %v", got, want)
	}
	if got, want := cases.Unknown(clauses, all), []string{"a.yaml:3: STO-7.1"}; !slices.Equal(got, want) {
		t.Errorf("unknown %v, want %v", got, want)
	}
}

// Case files come from strangers: whatever they say, reading and running them
// ends well.
func FuzzParse(f *testing.F) {
	text, err := os.ReadFile("testdata/stones.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add("case: x\nclauses: STO-1.1\nruleset: stones\nwhen: {resolve: default}\nthen: [{owed: none}]")
	f.Add("case: x\nclauses: STO-9.1\nruleset: chess\ngiven: {stones: {red: 1 1, blue: many}, options: {stones: 4}}\nthen: [{refused: {file: 2}}, {same: {side: red, as: x}}, {owed: {contains: []}}]")
	f.Add("- {case: a, clauses: STO-1.1, ruleset: stones, given: {stones: {red: 9 9}}, steps: [{}, {then: {same: {side: blue, as: b}}}]}\n- {case: b, clauses: STO-1.1, ruleset: stones, given: {position: {red: {left: [1], turn: ~}}}, then: []}")
	f.Fuzz(func(t *testing.T, text string) {
		all, _ := cases.Parse(rulesets, filepath.Join(t.TempDir(), "case.yaml"), []byte(text))
		for _, c := range all {
			_ = cases.Run(rulesets, c).String()
		}
	})
}

// A fault in what is given is told at its own line, all of them at once.
func TestGivenAtItsLine(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"position": {"given:\n  position:\n    turn: 3\n    red:\n      left: many\nthen: []", []string{"case.yaml:8: no game: the position: "}},
		"options":  {"given:\n  scenario: small\n  options:\n    stones: 4\n    pebbles: 2\nthen: []", []string{"case.yaml:7: no game: stones.no-option name=\"stones\" value=\"4\" [STO-1.1]", "case.yaml:8: no game: stones.no-option name=\"pebbles\""}},
		"scenario": {"given:\n  scenario: big\nthen: []", []string{`case.yaml:5: no game: new game: no scenario "big"`}},
	} {
		result := run(t, placing{stones.Rules{}}, test.text)
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

// placing is the game of stones, whose Load tells the places of its faults and whose
// set-up all faults of its options.
type placing struct{ stones.Rules }

func (p placing) New(s engine.Setup) (engine.Position, error) {
	var all orders.Problems
	for _, name := range slices.Sorted(maps.Keys(s.Options)) {
		var some orders.Problems
		if _, err := p.Rules.New(engine.Setup{Options: map[string]string{name: s.Options[name]}}); errors.As(err, &some) {
			all = append(all, some...)
		}
	}
	if len(all) > 0 {
		return nil, all
	}
	return p.Rules.New(s)
}

func (p placing) Load(data []byte) (engine.Position, error) {
	root, problems := orders.ParseNode(data)
	if len(problems) > 0 {
		return nil, problems
	}
	r := orders.NewReader(nil)
	for _, side := range []string{"red", "blue"} {
		f := r.Fields(root.Get(side), "left", "right")
		r.Int(f.Get("left"), 0, 9)
		r.Int(f.Get("right"), 0, 9)
	}
	if len(r.Problems) > 0 {
		return nil, r.Problems
	}
	return p.Rules.Load(data)
}

// What a side sees is the same in another case, or the first difference is told.
func TestSame(t *testing.T) {
	const file = `ruleset: stones
cases:
  - case: one
    clauses: STO-2.1
    steps:
      - then: []
      - {dice: [1, 6], when: {resolve: default}, then: []}
  - case: two
    clauses: STO-2.1
    given: {stones: {blue: 1 4}}
    steps:
      - then: [{same: {side: red, as: one}}, {same: {side: blue, as: one}}, {same: {side: gm, as: one}}]
      - dice: [1, 5]
        when: {resolve: default}
        then:
          - same: {side: red, as: one}
          - same: {side: red, as: three, step: 1}
          - same: {side: red, as: four, step: 1}
  - {case: three, clauses: STO-2.1, given: {position: {green: 1}}, then: [{no-game: {}}]}
  - {case: four, clauses: STO-2.1, dice: [1], when: {resolve: default}, then: []}
`
	all, problems := cases.Parse(rulesets, "case.yaml", []byte(file))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	result := cases.Run(rulesets, all[1])
	report := result.String()
	for _, want := range []string{
		`case.yaml:12: same: blue does not see the same as in "one": the view: line 3`, "here:    left: 1", "there:   left: 3",
		`case.yaml:16: same: red does not see the same as in "one": what was told: line 2`, "dice=[5]", "dice=[6]",
		`case.yaml:17: same: "three" does not come to its step 1: case.yaml:19: no game`,
		`case.yaml:18: same: "four" does not come to its step 1: case.yaml:20: dice: no die left`,
	} {
		if !strings.Contains(report, want) {
			t.Errorf("the report has no %q", want)
		}
	}
	if len(result.Failures) != 4 || t.Failed() {
		t.Errorf("%d failures, want 4:\n%s", len(result.Failures), report)
	}
}

// A leak anywhere is found by same: in the view, on the page, in a refusal.
func TestSameFindsLeaks(t *testing.T) {
	const file = `ruleset: stones
cases:
  - case: one
    clauses: STO-2.1
    when: {side: red, orders: {throw: {from: left, n: 4}}}
    then: [{refused: {file: 1}}, {same: {side: red, as: two}}]
  - case: two
    clauses: STO-2.1
    given: {stones: {blue: 1 4}}
    when: {side: red, orders: {throw: {from: left, n: 4}}}
    then: [{refused: {file: 1}}]
`
	for want, faults := range map[string]stones.Faults{
		"": {}, "the view": {LeakView: true}, "the page": {LeakPage: true}, "the verdicts on its order files": {LeakRefusal: true},
	} {
		leaky := map[string]engine.Ruleset{"stones": stones.Rules{Faults: faults}}
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

// What happened is noted of cases that hold too, with sentences; Show shows every
// step.
func TestWhatHappened(t *testing.T) {
	all, problems := cases.Load(rulesets, "testdata/stones.yaml")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	i := slices.IndexFunc(all, func(c cases.Case) bool { return c.Name == "the game in steps, to its end" })
	result := cases.Run(rulesets, all[i])
	var text string
	said := false
	for _, h := range result.Log {
		text += fmt.Sprintf("%d %s\n", h.Step, h.Text)
		said = said || h.Say.Code == "stones.threw"
	}
	for _, want := range []string{"1 line 51: red answers by default: {orders: {throw: {from: left, n: 1}}}", "1 roll 1 of 6 for stones.throw-die", "2 told [blue]: stones.they-paid [STO-2.2]"} {
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
