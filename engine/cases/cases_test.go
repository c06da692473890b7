package cases_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/cases"
	"berthier/engine/internal/stones"
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
	f.Fuzz(func(t *testing.T, text string) {
		all, _ := cases.Parse(rulesets, filepath.Join(t.TempDir(), "case.yaml"), []byte(text))
		for _, c := range all {
			_ = cases.Run(rulesets, c).String()
		}
	})
}
